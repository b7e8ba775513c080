// The page, from top to bottom.
import { About } from './about.js';
import { Announcer } from './announce.js';
import { help } from './choice.js';
import { Drawer } from './drawer.js';
import { Drift } from './drift.js';
import { Exports } from './exports.js';
import { keys } from './keys.js';
import { Messages, Texts } from './others.js';
import { Outputs } from './outputs.js';
import { Pinned } from './pinned.js';
import { Resources } from './resources.js';
import { Stream } from './stream.js';
import { Tests } from './tests.js';

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
        <Pinned />
        <Resources />
        <Drift />
        <Tests />
        <Outputs />
        <Messages />
        <Texts />
        <Stream />
        <Exports />
        <Help />
        <About />
      </main>
      <Drawer />
      <Announcer />
    </>
  );
}
