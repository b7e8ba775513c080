// Which tofud this is, and whose work is in its page.
// A script of its own (frame/late.tsx).
import { by_login, saved, server, useEffect, useSignal } from '../shared.js';
import type { JsonSession } from '../source/session.js';

/** Of the libraries, `name version (licence)`; build.mjs reads them from the packages. */
declare const LIBRARIES: readonly string[];

/** Whose login this is, and which stacks it sees: what is not shown here may be there. */
function Who() {
  const who = useSignal<JsonSession | null>(null);
  useEffect(() => {
    void fetch('v1/session').then((answer) => (answer.ok ? answer.json() : null)).then((said: JsonSession | null) => (who.value = said)).catch(() => undefined);
  }, []);
  if (!who.value) return null;
  return <p class="hint" id="who">{`logged in as ${who.value.who}`}{who.value.within && `, sees ${who.value.within}`}</p>;
}

export function About() {
  const opened = useSignal(false);
  return (<>
    {by_login.value && !saved.value && <Who />}
    <details id="about" onToggle={(event) => (opened.value = event.currentTarget.open)}>
      <summary>about</summary>
      {opened.value && <>
        <p>{`${server.value}, Mozilla Public License 2.0. In this page:`}</p>
        <ul>{LIBRARIES.map((each) => <li key={each}>{each}</li>)}</ul>
        {saved.value ? <pre class="source">{document.getElementById('licences')?.textContent}</pre>
          : <a href="LICENSES.txt">their licences</a>}
      </>}
    </details>
  </>);
}
