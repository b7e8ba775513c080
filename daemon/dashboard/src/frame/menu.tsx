// What is asked for now and then: the run as files, the keys, which tofud this is.
import { help, palette } from '../choice/choice.js';
import { log_out } from '../source/login.js';
import { by_login, saved, signed_out } from '../rows/model.js';
import { Late } from './late.js';
import { MenuBox } from './menu_box.js';

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
      {help.value && <Late part="Keys" quiet />}
      {palette.value && <Late part="Palette" quiet />}
    </>
  );
}
