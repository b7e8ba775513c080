// What has changed outside of OpenTofu, as the plan found it.
// A script of its own (frame/late.tsx).
import { drift as only, fragment, shown, useSignal } from '../shared.js';
import { Sign } from './change_tree.js';
import { More } from '../views/more.js';

/** Drawn before somebody asks for more. */
const at_first = 20;

export function Drift() {
  const everything = useSignal(false);
  const rows = shown.value.drift.rows;
  if (rows.length === 0) return null;
  const drawn = everything.value ? rows : rows.slice(0, at_first);
  return (
    <section id="drift" aria-labelledby="drift-title">
      <h2 id="drift-title">drift</h2>
      <p>
        {`${rows.length} ${rows.length === 1 ? 'resource has' : 'resources have'} changed outside of OpenTofu `}
        <button type="button" aria-pressed={only.value} onClick={() => (only.value = !only.value)}>show only these</button>
      </p>
      <ul>
        {drawn.map((row) => (
          <li key={row.key}>
            {row.drift === 'delete' || row.drift === 'update' ? <Sign of={row.drift} /> : row.drift} <a class="address" href={fragment(row.addr)}>{row.addr}</a>
          </li>
        ))}
      </ul>
      <More all={rows.length} shown_now={drawn.length} then={() => (everything.value = true)} />
    </section>
  );
}
