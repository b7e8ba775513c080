// Keeps the wall connected, for months and with nobody there: it comes back from whatever there was, and takes on a new page.
import { batch, signal } from '@preact/signals';
import { browser, Feed, type Hello, type Line, type Link, type Run, type Stack, type World } from '../../../../protocol/feed/client/client.js';
import { is_known } from '../source/session.js';
import { slim, type WallRun } from './cards.js';
import { Clock, freshness, type Standing } from './clock.js';

/** A new connection that has said nothing for so long is given up. */
const greeting_ms = 20_000;
/** After an end that the client takes for final: the next tofud at this address may be another one. */
const come_again_ms = 15_000;
/** After an error of ours. */
const start_again_ms = 60_000;
/** Between two reloads, whatever the builds are. */
const between_reloads_ms = 60_000;
/** No eye reads faster. */
const drawing_ms = 100;
/** Of the time at most so much goes into drawing, however slow the machine of a screen is. */
const drawing_share = 1 / 3;
const tick_ms = 500;

export const clock = new Clock(() => performance.now(), () => Date.now());

/** The rows that are shown: those of the last connection that was live. */
export const rows = signal<{ stacks: Stack[]; runs: WallRun[] }>({ stacks: [], runs: [] });
/** Something was live once: an empty wall has no stacks, and is not one that knows nothing. */
export const known = signal(false);
export const standing = signal<Standing>({ link: { is: 'connecting' }, heard: null, doubted: false, signed_out: '', heartbeat_ms: 15_000 });
/** `clock.now()`, twice a second. */
export const now = signal(clock.now());
/** What this page could not go on with; it starts anew by itself. */
export const broken = signal('');

let feed: Feed;
let build: string | null = null;
let by_login = false;
let drawing = 0;
let drawing_took = 0;
/** The daemon's time less ours. */
let ahead = Date.now() - clock.now();

/** The time by the daemon's clock, in ms. */
export const server_now = (at: number): number => at + ahead;

const stands = (change: Partial<Standing>): void => {
  standing.value = { ...standing.value, ...change };
};

/** Old cards stay until a connection is live again: its rows are all there then. */
function publish(): void {
  clearTimeout(drawing);
  drawing = 0;
  if (!feed.fold.live) return;
  const begin = performance.now();
  // Components draw when this turn is over.
  setTimeout(() => (drawing_took = performance.now() - begin));
  rows.value = { stacks: Object.values(feed.fold.rows('stack')) as Stack[], runs: Object.values(feed.fold.rows('run')) as unknown as WallRun[] };
  known.value = true;
}

function take(lines: Line[]): void {
  for (const line of lines) {
    if (line.kind === 'run') feed.fold.rows('run')[(line as Run).key] = { ...slim(line as Run), kind: 'run' } as unknown as Run;
    if (line.kind === 'hello') greeted(line as Hello);
    if (line.kind === 'heartbeat') set_time((line as Line & { now?: string }).now);
  }
  stands({ heard: feed.heard, doubted: false });
  drawing ||= window.setTimeout(publish, Math.max(drawing_ms, drawing_took * (1 / drawing_share - 1)));
}

function set_time(stamp: string | null | undefined): void {
  const at = Date.parse(stamp ?? '');
  if (!isNaN(at)) ahead = at - clock.now();
}

function greeted(hello: Hello): void {
  by_login = hello.login ?? false;
  stands({ heartbeat_ms: hello.heartbeat_ms });
  const other = build !== null && build !== hello.build;
  build = hello.build;
  void look_at_the_page(other);
}

/** The page that tofud has now, and its time. Another page takes the place of this one: but only if it can be had. */
async function look_at_the_page(another_build: boolean): Promise<void> {
  const answer = await fetch(location.pathname, { cache: 'no-store', headers: { Accept: 'text/html' } }).catch(() => undefined);
  if (!answer?.ok) return;
  set_time(answer.headers.get('Date'));
  const ours = document.querySelector('script')!.getAttribute('src')!;
  const theirs = /"(wall\.[0-9a-f]+\.js)"/.exec(await answer.text().catch(() => ''))?.[1];
  if (another_build && theirs && theirs !== ours) reload();
}

function reload(): void {
  // The state of this entry of the history outlives the page; nothing else is asked of the browser.
  const last = (history.state as { reloaded?: number } | null)?.reloaded ?? 0;
  if (Math.abs(Date.now() - last) < between_reloads_ms) return;
  history.replaceState({ reloaded: Date.now() }, '');
  location.reload();
}

/** No page to come back to is worse than this one: it reloads only when tofud answers. */
export function start_again(why: string): void {
  if (broken.value) return;
  broken.value = why;
  setInterval(async () => {
    const answer = await fetch(location.pathname, { cache: 'no-store' }).catch(() => undefined);
    if (answer?.ok) location.reload();
  }, start_again_ms);
}

const world: World = {
  ...browser,
  now: () => clock.now(),
  socket(url, protocol) {
    const socket = new WebSocket(url, protocol);
    const waiting = setTimeout(() => socket.close(), greeting_ms);
    socket.addEventListener('message', () => clearTimeout(waiting), { once: true });
    socket.addEventListener('close', () => clearTimeout(waiting));
    return socket as unknown as ReturnType<World['socket']>;
  },
};

async function mind_login(): Promise<void> {
  if (!(await is_known()) && !standing.value.signed_out) stands({ signed_out: 'this browser is no longer logged in' });
}

function minded(link: Link): void {
  batch(() => {
    if (link.is === 'live') publish(); // what was held before must not look like the present for a moment
    stands({ link, ...(link.is === 'live' && { signed_out: '' }) });
  });
  if (link.is === 'offline' && link.reason) stands({ signed_out: link.reason });
  else if (link.is === 'offline' && by_login && !standing.value.signed_out) void mind_login();
  if (link.is === 'refused') void look_at_the_page(true);
  if (link.is === 'refused' || link.is === 'over') setTimeout(connect, come_again_ms);
}

function connect(): void {
  feed = new Feed(new URL('v1/stream', location.href).href, { kinds: ['run', 'stack'] }, { lines: take, link: minded }, world);
  feed.open();
}

function tick(): void {
  const jumped = clock.jumped();
  batch(() => {
    now.value = clock.now();
    if (jumped) stands({ doubted: true });
  });
}

export const fresh = () => freshness(standing.value, now.value);

export function begin(): void {
  connect();
  setInterval(tick, tick_ms);
}
