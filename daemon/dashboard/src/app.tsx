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

/** The button stays when the keys are shown: what has the focus does not vanish. */
function Help() {
  return (
    <>
      <p class="hint">
        <button type="button" aria-expanded={help.value} onClick={() => (help.value = !help.value)}>keys (?)</button>
      </p>
      {help.value && (
        <section id="help" aria-label="keys">
          <dl>{keys.map(([key, what]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}</dl>
        </section>
      )}
    </>
  );
}

export function App() {
  return (
    <>
      <main>
        <Header />
        <Diagnostics />
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
