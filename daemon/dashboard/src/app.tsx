// The page, from top to bottom.
import { Announcer } from './announce.js';
import { help } from './choice.js';
import { Diagnostics } from './diagnostics.js';
import { Drawer } from './drawer.js';
import { Exports } from './exports.js';
import { Header } from './header.js';
import { keys } from './keys.js';
import { Messages, Outputs, Tests, Texts } from './others.js';
import { Resources } from './resources.js';

function Help() {
  if (!help.value) return <p class="hint"><button type="button" onClick={() => (help.value = true)}>keys (?)</button></p>;
  return (
    <section id="help" aria-label="keys">
      <h2>keys</h2>
      <dl>{keys.map(([key, what]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}</dl>
      <button type="button" onClick={() => (help.value = false)}>close</button>
    </section>
  );
}

export function App() {
  return (
    <>
      <main>
        <div class="pinned">
          <Header />
          <Diagnostics />
        </div>
        <Resources />
        <Tests />
        <Outputs />
        <Messages />
        <Texts />
        <Exports />
        <Help />
      </main>
      <Drawer />
      <Announcer />
    </>
  );
}
