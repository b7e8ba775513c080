// What the stream has beside resources: messages, text that was no message, and the stream itself.
// A script of its own (frame/late.tsx).
import { address_words, AtMoment, both_times, link, resource_at, run, run_id, saved, shown, source, stream as wanted, useSignal } from '../shared.js';
import { LogLines } from '../detail/log.js';
import { at_first, More } from './more.js';
import { WholeStream } from './whole_stream.js';

function Messages() {
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
          <li key={row.key} data-level={row.level === 'error' || row.level === 'warn' ? row.level : 'info'} data-says={both_times(row.at)}>
            {row.level && row.level !== 'info' && <b>{`${row.level}: `}</b>}<span class="text">{row.text}</span> <AtMoment of={row.at} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Lines of the stream that were no messages: what a shell or another tool printed. */
function Texts() {
  shown.value.lines_version.value;
  const kept = shown.value.texts.of('');
  if (!kept) return null;
  return (
    <section aria-labelledby="texts-title">
      <h2 id="texts-title">lines that were not JSON</h2>
      {kept.cut && !saved.value && link.value.is !== 'over' && (
        <p><a class="whole" href={`v1/runs/${encodeURIComponent(run_id.value)}/log`}>all of it, as rows</a></p>
      )}
      <LogLines lines={kept.lines} cut={kept.cut} label="lines that were not JSON" follow={!saved.value && run.value?.status === 'running'} />
    </section>
  );
}

/** Lines of provisioners that stand together; a resource has more of its own. */
const most_together = 2000;

/** What all provisioners print, as it comes. */
function Together() {
  shown.value.lines_version.value;
  const lines = shown.value.logs.newest(most_together).map((line) => ({ ...line, of: address_words(resource_at(line.addr)) }));
  if (lines.length === 0) return null;
  return (
    <section id="together" aria-labelledby="together-title">
      <h2 id="together-title">output of provisioners</h2>
      <LogLines lines={lines} cut={lines.length === most_together} label="output of provisioners" follow={!saved.value && run.value?.status === 'running'} />
    </section>
  );
}

function Raw() {
  if (!source.stream || !run_id.value) return null;
  return (
    <section id="stream" aria-label="raw log">
      <button type="button" class="whole-stream" aria-pressed={wanted.value} onClick={() => (wanted.value = !wanted.value)}>raw log</button>
      {wanted.value && <WholeStream of={run_id.value} />}
    </section>
  );
}

export function LogView() {
  shown.value.lines_version.value;
  const nothing = shown.value.message.rows.length === 0 && !shown.value.texts.of('') && shown.value.logs.newest(1).length === 0;
  return <><Together /><Messages /><Texts />{nothing && <p class="note">This run has no messages, and nothing was printed.</p>}<Raw /></>;
}
