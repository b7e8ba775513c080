// Which tofud this is, and whose work is in its page.
// A script of its own (frame/late.tsx).
import { saved, server, useSignal } from '../shared.js';

/** Of the libraries, `name version (licence)`; build.mjs reads them from the packages. */
declare const LIBRARIES: readonly string[];

export function About() {
  const opened = useSignal(false);
  return (
    <details id="about" onToggle={(event) => (opened.value = event.currentTarget.open)}>
      <summary>about</summary>
      {opened.value && <>
        <p>{`${server.value}, Mozilla Public License 2.0. In this page:`}</p>
        <ul>{LIBRARIES.map((each) => <li key={each}>{each}</li>)}</ul>
        {saved.value ? <pre class="source">{document.getElementById('licences')?.textContent}</pre>
          : <a href="LICENSES.txt">their licences</a>}
      </>}
    </details>
  );
}
