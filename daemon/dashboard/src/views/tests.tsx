// Tests: a file folds when nothing in it went wrong.
// A script of its own (frame/late.tsx).
import { choice, DiagnosticCard, shown } from '../shared.js';
import { counts_of, of_states, tested, went_wrong } from '../values/test_tree.js';

const known = new Set(['pass', 'fail', 'error', 'skip', 'pending']);
const state = (status: string) => (known.has(status) ? status : 'other');
const State = ({ of }: { of: string }) => <span class="state" data-status={state(of)}>{of}</span>;

const words = (counts: Map<string, number>) => [...counts].map(([name, count]) => `${count} ${name}`);

export function Tests() {
  const tree = tested(shown.value.test_file.rows, shown.value.test_run.rows, shown.value.diagnostic.rows);
  if (tree.length === 0) return null;
  const chosen = choice.tests.value;
  const toggle = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    choice.tests.value = next;
  };
  const all = counts_of(tree.flatMap((file) => file.runs));
  return (
    <section aria-labelledby="tests-title">
      <h2 id="tests-title">tests</h2>
      <p role="group" aria-label="filter tests by status" class="facts">
        {[...all].map(([name, count]) => (
          <button key={name} type="button" class="state" data-status={state(name)} aria-pressed={chosen.has(name)} onClick={() => toggle(name)}>
            {`${name} ${count}`}
          </button>
        ))}
      </p>
      <ul id="tests">
        {of_states(tree, chosen).map((file) => (
          <li key={file.path}>
            <details open={chosen.size > 0 || went_wrong(file.status) || file.diagnostics.length > 0 || file.runs.some((run) => went_wrong(run.row.status) || run.diagnostics.length > 0)}>
              <summary>
                {file.status !== undefined && <State of={file.status} />} <span class="path">{file.path}</span>
                {' '}<span class="note">{words(counts_of(file.runs)).join(', ')}</span>
              </summary>
              {file.diagnostics.map((each) => <DiagnosticCard key={each.key} of={each} apart="test" />)}
              <ul>
                {file.runs.map(({ row, diagnostics }) => (
                  <li key={row.key}>
                    <State of={row.status} /> <span class="run">{row.name}</span>
                    {diagnostics.map((each) => <DiagnosticCard key={each.key} of={each} apart="test" />)}
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
