// The page, from top to bottom.
import { About } from './views/about.js';
import { Announcer } from './views/announce.js';
import { help } from './choice/choice.js';
import { Drawer } from './views/drawer.js';
import { Drift } from './views/drift.js';
import { Exports } from './views/exports.js';
import { keys } from './choice/keys.js';
import { Messages, Texts } from './views/others.js';
import { Outputs } from './views/outputs.js';
import { Pinned } from './views/pinned.js';
import { Resources } from './views/resources.js';
import { Stream } from './views/stream.js';
import { Tests } from './views/tests.js';

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
