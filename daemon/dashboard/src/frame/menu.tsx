// What is asked for now and then: the run as files, the keys, which tofud this is.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { help, palette } from '../choice/choice.js';
import { keys } from '../choice/keys.js';
import { log_out } from '../source/login.js';
import { by_login, saved, signed_out } from '../rows/model.js';
import { Late } from './late.js';
import { MenuBox } from './menu_box.js';

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

function Login() {
  if (saved.value || !by_login.value || signed_out.value) return null;
  return <button type="button" id="log-out" onClick={() => void log_out()}>log out</button>;
}

export function Menu() {
  return (
    <>
      <MenuBox id="more" words="more">
        <Late part="Exports" quiet />
        <p class="hint"><button type="button" aria-haspopup="dialog" onClick={() => (help.value = true)}>keys (?)</button>
          {' '}<button type="button" aria-haspopup="dialog" onClick={() => (palette.value = true)}>go to (Ctrl K)</button> <Login /></p>
        <Late part="About" quiet />
      </MenuBox>
      {help.value && <Keys />}
      {palette.value && <Late part="Palette" quiet />}
    </>
  );
}
