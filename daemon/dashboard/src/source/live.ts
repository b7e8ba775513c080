// Brings rows from tofud: one connection for the run that is shown, one that says which runs there are.
import { batch } from '@preact/signals';
import { Feed, type Line, type Link, type Run } from '../../../../protocol/feed/client/client.js';
import { put_run } from '../choice/address_bar.js';
import { compared } from '../choice/choice.js';
import { ask_whether_known, is_logged_in } from './login.js';
import { by_login, following, heard, link, moment_of_run, now, Rows, run_id, runs, server, shown, skew, source } from '../rows/model.js';
import { reads } from './reads.js';

const stream = new URL('v1/stream', location.href).href;
const kinds = ['run', 'forecast', 'resource', 'diagnostic', 'output', 'message', 'test_file', 'test_run', 'log', 'text'];

/** How tofud closes a connection that asks for a run that is not there. */
const no_such_run = 4404;

/** Between flushes and the next drawing: no eye sees 30 ms. */
const drawing_ms = 30;
/** Of the time at most so much goes into drawing, however many rows there are. */
const drawing_share = 1 / 5;

/** A run whose last line is older than this when we come is a replay, not one that is silent. */
const silent_ms = 15 * 60_000;

let feed: Feed | null = null;
let drawing = 0;
let drawing_took = 0;

function publish(rows: Rows): void {
  clearTimeout(drawing);
  drawing = 0;
  const begin = performance.now();
  batch(() => {
    rows.publish();
    heard.value = feed?.heard ?? null;
  });
  // Components draw when this turn is over.
  setTimeout(() => (drawing_took = performance.now() - begin));
}

function publish_soon(rows: Rows): void {
  drawing ||= window.setTimeout(() => publish(rows), Math.max(drawing_ms, drawing_took * (1 / drawing_share - 1)));
}

// Running clocks count from the stream's stamps. A line is news when it comes after the first `at`.
function set_clock(run: Run, last: string | null, caught_up: boolean): void {
  if (!run.last_line_at || run.last_line_at === last) return;
  const ahead = Date.now() - Date.parse(run.last_line_at);
  skew.value = caught_up || Math.abs(ahead) > silent_ms ? ahead : 0;
}

function greeted(by: Feed): void {
  const { topic, login, server: name, build } = by.fold.hello!;
  server.value = `${name}, build ${build}`;
  run_id.value = topic.slice('run/'.length);
  by_login.value = login ?? false;
}

function mind_login(state: Link): void {
  if (state.is === 'live' || state.is === 'catching up') is_logged_in();
  if (state.is === 'offline' && by_login.value) void ask_whether_known(state.reason);
}

function subscribe(run: string): void {
  feed?.close();
  clearTimeout(drawing);
  drawing = 0;
  const rows = new Rows();
  let generation = 0;
  let caught_up = false;
  let last: string | null = null;
  const next: Feed = new Feed(stream, { run, kinds }, {
    lines(lines: Line[]) {
      if (generation !== next.fold.generation) {
        generation = next.fold.generation;
        rows.replace(next.fold.state);
      }
      for (const line of lines) {
        rows.take(line);
        if (line.kind === 'run') {
          set_clock(line as Run, last, caught_up);
          last = (line as Run).last_line_at;
        }
        if (line.kind === 'hello') greeted(next);
      }
      caught_up ||= next.fold.live;
      publish_soon(rows);
      if (newest) show_newest();
    },
    link: (state) => {
      if (drawing) publish(rows); // what is said to be the last state is
      link.value = state;
      mind_login(state);
    },
  });
  batch(() => {
    shown.value = rows;
    link.value = next.link;
    heard.value = null;
    run_id.value = run === 'latest' ? '' : run;
  });
  feed = next;
  next.open();
}

// One stream may hold several runs, init, then plan, then apply: the wall says when the next one begins. What there was at
// first is no news.
let newest: string | null = null;

/** Whether a run follows another in one stream: ID, ID.2, ID.3 do. */
function same_stream(before: string, after: string): boolean {
  const stream = after.replace(/\.\d+$/, '');
  return after === before || stream === before || stream === before.replace(/\.\d+$/, '');
}

// Runs of other tofud are on the wall too; whoever watches one is not taken to another.
function show_newest(): void {
  if (!following.value || !newest || !run_id.value || !feed?.fold.hello) return;
  if (!same_stream(run_id.value, newest)) return;
  if (newest !== run_id.value) subscribe(newest);
}

function follow(): void {
  const known = new Set<string>();
  let listed = false;
  const wall: Feed = new Feed(stream, { kinds: ['run'] }, {
    lines(lines) {
      for (const line of lines) {
        if (line.kind === 'at') listed = true;
        if (line.kind !== 'run' || known.has((line as Run).key)) continue;
        known.add((line as Run).key);
        const begun = (line as Run).key;
        if (listed && same_stream(run_id.value || begun, begun)) newest = begun;
      }
      runs.value = Object.values(wall.fold.rows('run')) as Run[];
      if (listed) document.body.dataset.listed = 'yes';
      show_newest();
      // There was no run to show.
      if (following.value && !run_id.value && link.value.is === 'refused' && link.value.code === no_such_run && runs.value.length > 0) subscribe(runs.value[runs.value.length - 1]!.key);
    },
  });
  wall.open();
}

/** `asked`: the run of the page's address, or null for the latest and those that follow it. */
export function go_live(asked: string | null): void {
  following.value = asked === null;
  source.show = (run) => {
    following.value = run === null;
    compared.value = '';
    put_run(run);
    const wanted = run ?? runs.value[runs.value.length - 1]?.key;
    if (wanted && wanted !== run_id.value) subscribe(wanted);
  };
  Object.assign(source, reads);
  subscribe(asked ?? 'latest');
  follow();
  // A moment that is looked at stands still.
  setInterval(() => moment_of_run.value === null && (now.value = Date.now()), 500);
}

