// What a run has beside resources: messages, and the text that was no message.
import { useSignal } from '@preact/signals';
import { LogLines } from './log.js';
import { link, run_id, saved, shown } from '../rows/model.js';
import { AtMoment } from './moment_button.js';
import { both_times } from '../values/words.js';

/** Rows drawn before somebody asks for more. */
export const at_first = 200;

/** Where all of a row that was cut can be had. A proxy may have more before our paths than tofud knows: the page has, too. */
export function whole(row: { href?: string; bytes?: number }) {
  const path = row.href?.lastIndexOf('/v1/runs/') ?? -1;
  if (saved.value || path < 0) return null;
  return <a class="whole" href={row.href!.slice(path + 1)}>{`all ${row.bytes ?? ''} bytes`}</a>;
}

export function More({ all, shown_now, then }: { all: number; shown_now: number; then(): void }) {
  return shown_now < all ? <button type="button" class="more" onClick={then}>{`show all ${all}`}</button> : null;
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
            {row.level && row.level !== 'info' && <b>{`${row.level}: `}</b>}<span class="text">{row.text}</span> <AtMoment of={row.at} />
          </li>
        ))}
      </ol>
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
