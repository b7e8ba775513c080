// Every view as it stood at a moment of the run: a slider over its time.
// A script of its own (frame/late.tsx).
import { as_of, moment_of_run, moment_words, now, Rows, run_id, saved, shown, skew, source, useEffect, useRef, useSignal } from '../shared.js';
import { seconds_since } from '../values/moment.js';
import type { Row, Run } from '../../../../protocol/feed/client/client.js';

/** Steps of the slider. */
const steps = 400;

/** So many failures are marked on the slider. */
const most_marks = 50;

/** Seconds after the begin, in order of time. */
function failures_of(rows: Rows, run: Run): number[] {
  const ended = rows.resource.rows.flatMap(({ steps }) => steps.filter((step) => step.status === 'failed' && step.ended_at).map((step) => seconds_since(run.started_at, step.ended_at)));
  return ended.sort((one, other) => one - other).slice(0, most_marks);
}

/** Rows of a moment in the place of those of now. */
function shown_as(rows: Row[], run: Run): Rows {
  const found = new Rows();
  found.take(run);
  for (const row of rows) found.take(row);
  found.publish();
  return found;
}

export function AsOf() {
  const present = useRef<Rows | null>(null);
  const failed = useSignal('');
  const run = present.current?.run.get(run_id.value) ?? shown.value.run.get(run_id.value);
  const length = run?.started_at ? (Date.parse(run.ended_at ?? run.last_line_at ?? '') - Date.parse(run.started_at)) / 1000 : 0;
  const at = as_of.value;
  const back = () => {
    if (present.current) shown.value = present.current;
    present.current = null;
    as_of.value = null;
    moment_of_run.value = null;
    now.value = Date.now();
  };
  useEffect(() => {
    if (at === null || saved.value || !source.rows || !run?.started_at) return undefined;
    const stop = new AbortController();
    present.current ??= shown.value;
    const asked = setTimeout(() => {
      source.rows!(run_id.value, at, stop.signal).then(({ run: then, rows }) => {
        if (stop.signal.aborted) return;
        failed.value = '';
        moment_of_run.value = Date.parse(run.started_at!) + 1000 * at;
        now.value = moment_of_run.value + skew.value;
        shown.value = shown_as(rows, then);
      }, (why: Error) => stop.signal.aborted || (failed.value = why.message));
    }, 60);
    return () => {
      clearTimeout(asked);
      stop.abort();
    };
  }, [at, run_id.value]);
  useEffect(() => () => back(), [run_id.value]);
  if (!(length > 0)) return <p class="note" role="status">Nothing has happened in this run yet.</p>;
  const value = Math.min(at ?? length, length);
  const failures = run ? failures_of(present.current ?? shown.value, run) : [];
  const words = `as it stood ${moment_words(value)} after its begin, of ${moment_words(length)}`;
  return (
    <div id="as-of" role="group" aria-label="as it stood">
      <input type="range" aria-label="moment of the run" aria-valuetext={words} min={0} max={length} step={length / steps} value={value} list="as-of-failures"
             onInput={(event) => (as_of.value = +(+event.currentTarget.value).toFixed(3))} />
      <datalist id="as-of-failures">{failures.map((each, i) => <option key={i} value={each} />)}</datalist>
      <span role="status">{failed.value || words}</span>
      {failures.length > 0 && <button type="button" onClick={() => (as_of.value = +failures[0]!.toFixed(3))}>{`first failure, at ${moment_words(failures[0]!)}`}</button>}
      <button type="button" onClick={back}>back to now</button>
    </div>
  );
}
