// The page, from top to bottom.
import { useLayoutEffect, useRef } from 'preact/hooks';
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
import { LateTests } from './views/late.js';

/** In the middle of the window; Escape closes it, and what had the focus has it again. */
function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current!.showModal(), []); // at once: Escape closes what is open
  const close = () => (help.value = false);
  return (
    <dialog id="help" ref={dialog} aria-label="keys" onClose={close} onClick={(event) => event.target === dialog.current && close()}>
      <dl>{keys.map(([key, what]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}</dl>
      <form method="dialog"><button type="submit">close</button></form>
    </dialog>
  );
}

function Help() {
  return (
    <p class="hint">
      <button type="button" aria-haspopup="dialog" onClick={() => (help.value = true)}>keys (?)</button>
      {help.value && <Keys />}
    </p>
  );
}

export function App() {
  return (
    <>
      <main>
        <Pinned />
        <Resources />
        <Drift />
        <LateTests />
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
