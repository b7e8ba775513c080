// What the wall shows of the rows: a card per stack, the worst trouble first.
import type { Counts, Run, Stack } from '../../../../protocol/feed/client/client.js';

export type Status = Run['status'];

/** What a card is made of, of all that the wall's feed says of a run. */
export type WallRun = Pick<Run, 'key' | 'run' | 'command' | 'status' | 'phase' | 'labels' | 'counts' | 'progress' | 'planned' | 'applied' | 'started_at'
  | 'ended_at' | 'last_line_at' | 'stack' | 'contact' | 'clock_offset_s' | 'estimate' | 'failure' | 'strands'>;

/** A wall holds hundreds of runs for months: the rest of each is let go. */
export function slim(of: Run): WallRun {
  const { key, run, command, status, phase, labels, counts, progress, planned, applied, started_at, ended_at, last_line_at, stack, contact, clock_offset_s, estimate, failure, strands } = of;
  return { key, run, command, status, phase, labels, counts, progress, planned, applied, started_at, ended_at, last_line_at, stack, contact, clock_offset_s, estimate, failure, strands };
}

/** What a card is at first sight, the worst trouble first. */
export const kinds = ['failed', 'failing', 'silent', 'approval', 'running', 'waiting', 'drifted', 'quiet', 'past', 'muted'] as const;
export type Kind = (typeof kinds)[number];

export interface Card {
  stack: Stack;
  /** The one that the card shows, if more is known of it. */
  run: WallRun | undefined;
  kind: Kind;
  destroys: boolean;
  /** It ended well a while ago: no news any more. */
  faded: boolean;
}

/** Which cards somebody wants to see. */
export interface Wanted {
  text: string;
  /** Empty: all. */
  statuses: ReadonlySet<string>;
  /** All of them; `NAME=VALUE`. */
  labels: readonly string[];
  /** A failure that is older is no trouble any more. */
  days: number;
}

/** Outcomes that the viewer does not want to see as trouble: run by stack. */
export type Muted = { [stack: string]: string };

const day_ms = 86_400_000;
const news_ms = 10 * 60_000;
/** A run that is over and whose lines all came so much later than they were printed was sent later. */
const late_upload_s = 15 * 60;

export const goes_on = (of: Stack): boolean => of.status === 'running';

/** A stamp of the card's run by the clock of the daemon, in ms; NaN: there is none. */
export function by_our_clock(stamp: string | null, of: Stack): number {
  const at = stamp === null ? NaN : Date.parse(stamp);
  const offset = of.clock_offset_s;
  if (offset === null || (!goes_on(of) && offset > late_upload_s)) return at;
  return at + offset * 1000;
}

/** When something of it was last heard. */
export const last_of = (of: Stack): number => by_our_clock(of.ended_at ?? of.last_line_at, of);

/** How it stands with the stack: the run that is on, or what the last ones came to. */
export const status_of = (of: Stack): Status => (goes_on(of) ? of.status : of.outcome?.status ?? of.status);

/** The run that `status_of` speaks of: what is muted. */
export const outcome_run = (of: Stack): string => of.outcome?.run ?? of.run;

export const changes = (run: WallRun | undefined): Counts | null => run?.applied ?? run?.planned ?? null;

function destroys(of: Stack, run: WallRun | undefined): boolean {
  const counts = changes(run);
  return of.command === 'destroy' || (counts !== null && counts.remove > 0 && counts.add + counts.change + counts.import === 0);
}

function kind_of(of: Stack, run: WallRun | undefined, days: number, muted: Muted, now: number): Kind {
  if (goes_on(of)) {
    if (of.phase === 'approval') return 'approval';
    if (of.contact && of.contact !== 'ok') return 'silent';
    return run?.counts.failed ? 'failing' : 'running';
  }
  if (status_of(of) !== 'succeeded') {
    if (Object.hasOwn(muted, of.stack) && muted[of.stack] === outcome_run(of)) return 'muted';
    return now - last_of(of) > days * day_ms ? 'past' : 'failed';
  }
  if (of.change?.state === 'waiting') return 'waiting';
  return of.drift ? 'drifted' : 'quiet';
}

/** Where nobody makes a card of a stack's runs, as in a pipe: the newest run, and what the last one that is over came to. */
function stack_of(runs: WallRun[]): Stack {
  const newest = runs[runs.length - 1]!;
  const over = runs.filter((each) => each.status !== 'running').pop();
  const { run, key, status, command, phase, last_line_at, started_at, ended_at } = newest;
  const stack = newest.stack ?? key;
  return {
    kind: 'stack', key: stack, seq: 0, run, stack, name: stack, status, command, phase, last_line_at, started_at, ended_at,
    outcome: over ? { run: over.key, status: over.status, command: over.command, ended_at: over.ended_at, superseded: null, superseded_runs: 0 } : null,
    change: null, contact: newest.contact ?? null, lock: null, drift: null, clock_offset_s: newest.clock_offset_s ?? null,
  };
}

function without_card(stacks: Map<string, Stack>, runs: Iterable<WallRun>): Map<string, WallRun[]> {
  const found = new Map<string, WallRun[]>();
  const shown = new Set([...stacks.values()].map((each) => each.run));
  for (const run of runs) {
    const stack = run.stack ?? run.key;
    if (stacks.has(stack) || shown.has(run.key)) continue;
    const others = found.get(stack);
    if (others) others.push(run);
    else found.set(stack, [run]);
  }
  for (const each of found.values()) each.sort((a, b) => compare(a.started_at ?? '', b.started_at ?? ''));
  return found;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function passes(card: Card, of: Wanted): boolean {
  const labels = Object.entries(card.run?.labels ?? {}).map(([name, value]) => `${name}=${value}`);
  if (of.statuses.size > 0 && !of.statuses.has(status_of(card.stack))) return false;
  if (!of.labels.every((each) => labels.includes(each))) return false;
  const text = of.text.toLowerCase();
  return text === '' || [card.stack.name, card.stack.stack, ...labels].some((each) => each.toLowerCase().includes(text));
}

/** The cards in the order in which they are shown. `now` is the time by the daemon's clock. */
export function cards_of(stack_rows: Iterable<Stack>, run_rows: Iterable<WallRun>, wanted: Wanted, muted: Muted, now: number): Card[] {
  const runs = new Map<string, WallRun>();
  for (const each of run_rows) runs.set(each.key, each);
  const stacks = new Map<string, Stack>();
  for (const each of stack_rows) stacks.set(each.stack, each);
  for (const [stack, members] of without_card(stacks, runs.values())) stacks.set(stack, stack_of(members));
  const found: Card[] = [];
  for (const stack of stacks.values()) {
    const run = runs.get(stack.run);
    const kind = kind_of(stack, run, wanted.days, muted, now);
    const faded = kind === 'quiet' && !(now - last_of(stack) < news_ms);
    const card = { stack, run, kind, destroys: destroys(stack, run), faded };
    if (passes(card, wanted)) found.push(card);
  }
  const last = new Map(found.map((each) => [each, last_of(each.stack) || 0]));
  return found.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || last.get(b)! - last.get(a)! || compare(a.stack.stack, b.stack.stack));
}

const troubles: readonly Kind[] = ['failed', 'failing', 'silent'];

/** The runs that are trouble, as the cards show them. One that fails and then has failed is one. */
export const trouble_of = (cards: readonly Card[]): Set<string> =>
  new Set(cards.filter(({ kind }) => troubles.includes(kind)).map(({ stack, kind }) => (kind === 'failed' ? outcome_run(stack) : stack.run)));

/** What the muted ones are still about; null: nothing has changed. */
export function still_muted(muted: Muted, stacks: Iterable<Stack>): Muted | null {
  const kept: Muted = { ...muted };
  for (const each of stacks) {
    if (Object.hasOwn(kept, each.stack) && each.outcome && each.outcome.run !== kept[each.stack]) delete kept[each.stack];
  }
  return Object.keys(kept).length < Object.keys(muted).length ? kept : null;
}
