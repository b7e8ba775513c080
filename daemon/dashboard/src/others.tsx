// What a run has beside resources: outputs, messages, tests, and the text that was no message.
import { useSignal } from '@preact/signals';
import type { Output } from '../../../protocol/feed/client/client.js';
import { LogLines } from './log.js';
import { link, run_id, saved, shown } from './model.js';
import { both_times } from './words.js';

/** Rows drawn before somebody asks for more. */
const at_first = 200;

function value_text(output: Output): string {
  if (output.sensitive) return '(sensitive)';
  return output.value === undefined ? '' : JSON.stringify(output.value);
}

/** Where all of a row that was cut can be had. A proxy may have more before our paths than tofud knows: the page has, too. */
export function whole(row: { href?: string; bytes?: number }) {
  const path = row.href?.lastIndexOf('/v1/runs/') ?? -1;
  if (saved.value || path < 0) return null;
  return <a class="whole" href={row.href!.slice(path + 1)}>{`all ${row.bytes ?? ''} bytes`}</a>;
}

function More({ all, shown_now, then }: { all: number; shown_now: number; then(): void }) {
  return shown_now < all ? <button type="button" class="more" onClick={then}>{`show all ${all}`}</button> : null;
}

export function Outputs() {
  const everything = useSignal(false);
  const rows = shown.value.output.rows;
  if (rows.length === 0) return null;
  const drawn = everything.value ? rows : rows.slice(0, at_first);
  return (
    <section aria-labelledby="outputs-title">
      <h2 id="outputs-title">outputs</h2>
      <table id="outputs">
        <thead><tr><th scope="col">name</th><th scope="col">value</th><th scope="col">note</th></tr></thead>
        <tbody>
          {drawn.map((row) => (
            <tr key={row.key}>
              <td class="name">{row.name}</td>
              <td class="value">{value_text(row)}</td>
              <td class="remark">
                {row.applied === false && 'not applied '}
                {row.deprecated !== null && `deprecated: ${row.deprecated} `}
                {whole(row)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More all={rows.length} shown_now={drawn.length} then={() => (everything.value = true)} />
    </section>
  );
}

export function Messages() {
  const everything = useSignal(false);
  const rows = shown.value.message.rows;
  if (rows.length === 0) return null;
  const drawn = everything.value ? rows : rows.slice(-at_first);
  return (
    <section aria-labelledby="messages-title">
      <h2 id="messages-title">messages</h2>
      <More all={rows.length} shown_now={drawn.length} then={() => (everything.value = true)} />
      <ol id="messages">
        {drawn.map((row) => (
          <li key={row.key} data-level={row.level === 'error' || row.level === 'warn' ? row.level : 'info'} title={both_times(row.at)}>
            {row.level && row.level !== 'info' && <b>{`${row.level}: `}</b>}<span class="text">{row.text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const test_states = new Set(['pass', 'fail', 'error', 'skip', 'pending']);

export function Tests() {
  const files = shown.value.test_file.rows;
  const runs = shown.value.test_run.rows;
  if (files.length + runs.length === 0) return null;
  const state = (status: string) => (test_states.has(status) ? status : 'other');
  const paths = [...new Set([...files, ...runs].map((row) => row.path))];
  return (
    <section aria-labelledby="tests-title">
      <h2 id="tests-title">tests</h2>
      <ul id="tests">
        {paths.map((path) => {
          const file = files.find((row) => row.path === path);
          return (
            <li key={path}>
              {file && <span class="state" data-status={state(file.status)}>{file.status}</span>} <span class="path">{path}</span>
              <ul>
                {runs.filter((row) => row.path === path).map((row) => (
                  <li key={row.key}>
                    <span class="state" data-status={state(row.status)}>{row.status}</span> <span class="run">{row.name}</span>
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Lines of the stream that were no messages: what a shell or another tool printed. */
export function Texts() {
  shown.value.lines_version.value;
  const kept = shown.value.texts.of('');
  if (!kept) return null;
  return (
    <section aria-labelledby="texts-title">
      <h2 id="texts-title">other output</h2>
      {kept.cut && !saved.value && link.value.is !== 'over' && (
        <p><a class="whole" href={`v1/runs/${encodeURIComponent(run_id.value)}/log`}>all of it, as rows</a></p>
      )}
      <LogLines lines={kept.lines} cut={kept.cut} label="other output" follow={!saved.value} />
    </section>
  );
}
