// Tests: a file folds when nothing in it went wrong.
// A script of its own (frame/late.tsx).
import { choice, DiagnosticCard, shown } from '../shared.js';
import type { Diagnostic } from '../../../../protocol/feed/client/client.js';
import { assertion_of, counts_of, of_states, state_said, tested, went_wrong, type TestedFile } from '../values/test_tree.js';

const known = new Set(['pass', 'fail', 'error', 'skip', 'pending']);
const state = (status: string) => (known.has(status) ? status : 'other');
const State = ({ of }: { of: string }) => <span class="state" data-status={state(of)}>{state_said(of)}</span>;

const words = (counts: Map<string, number>) => [...counts].map(([name, count]) => `${count} ${state_said(name)}`);

/** How its tests ended, as parts of a bar. What it says stands beside it. */
function Bar({ of }: { of: TestedFile }) {
  return <span class="tests-bar" aria-hidden="true">{[...counts_of(of.runs)].map(([name, count]) => <span key={name} data-status={state(name)} style={{ flexGrow: count }} />)}</span>;
}

function Said({ of }: { of: Diagnostic }) {
  const assertion = assertion_of(of);
  return (
    <>
      {assertion && <dl class="assertion"><dt>expected</dt><dd><code>{assertion.expected}</code></dd><dt>got</dt><dd><code>{assertion.got}</code></dd></dl>}
      <DiagnosticCard of={of} apart="test" />
    </>
  );
}

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
            {`${state_said(name)} ${count}`}
          </button>
        ))}
      </p>
      <ul id="tests">
        {of_states(tree, chosen).map((file) => (
          <li key={file.path}>
            <details open={chosen.size > 0 || went_wrong(file.status) || file.diagnostics.length > 0 || file.runs.some((run) => went_wrong(run.row.status) || run.diagnostics.length > 0)}>
              <summary>
                {file.status !== undefined && <State of={file.status} />} <span class="path">{file.path}</span>{' '}<Bar of={file} />
                {' '}<span class="note">{words(counts_of(file.runs)).join(', ')}</span>
              </summary>
              {file.diagnostics.map((each) => <Said key={each.key} of={each} />)}
              <ul>
                {file.runs.map(({ row, diagnostics }) => (
                  <li key={row.key}>
                    <State of={row.status} /> <span class="run">{row.name}</span>
                    {diagnostics.map((each) => <Said key={each.key} of={each} />)}
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
