// When steps ran, and what ran beside what: numbers for the waterfall.
import type { Resource, Step } from '../../../../protocol/feed/client/client.js';

/** How lanes are ordered. */
export const orders = ['start', 'duration', 'module'] as const;
export type Order = (typeof orders)[number];

export interface Span {
  from: number;
  to: number;
}

/** Milliseconds. */
export interface Lane {
  of: Resource;
  /** Of its steps: from the first one's begin to the last one's end. Of one that has not begun what is expected of it. */
  span: Span;
  /** What is still expected of it. */
  ahead?: Span | undefined;
}

/** A module whose lanes are one. */
export interface FoldedModule {
  module: string;
  lanes: readonly Lane[];
  open: boolean;
}

/** Lanes below heads of their modules, of those that are open; a module of one lane has no head. */
export function by_modules(lanes: readonly Lane[], open: ReadonlySet<string>): (Lane | FoldedModule)[] {
  const modules = new Map<string, Lane[]>();
  for (const lane of lanes) {
    const there = modules.get(lane.of.module);
    if (there) there.push(lane);
    else modules.set(lane.of.module, [lane]);
  }
  return [...modules].flatMap(([module, inside]): (Lane | FoldedModule)[] => {
    if (inside.length === 1) return inside;
    const head = { module, lanes: inside, open: open.has(module) };
    return head.open ? [head, ...inside] : [head];
  });
}

/** `lanes` come in order of their start. */
export function ordered(lanes: readonly Lane[], by: Order): readonly Lane[] {
  if (by === 'start') return lanes;
  const took = ({ span }: Lane) => span.to - span.from;
  if (by === 'duration') return [...lanes].sort((one, other) => took(other) - took(one));
  // Modules in the order in which each began.
  return by_modules(lanes, new Set()).flatMap((each) => ('lanes' in each ? each.lanes : [each]));
}

/** Steps that are drawn: those of the apply, if there is one; else the refreshes and reads of the plan. */
export const drawn_steps = (row: Resource, applied: boolean): Step[] =>
  row.steps.filter((step) => step.started_at && (!applied || step.phase === 'apply'));

export function span_of(step: { started_at?: string; ended_at?: string }, now: number): Span {
  const from = Date.parse(step.started_at!);
  return { from, to: Math.max(from, step.ended_at ? Date.parse(step.ended_at) : now) };
}

/** From the first begin to the last end of some steps; `open`: one of them has no end yet. */
interface Extent extends Span {
  open: boolean;
}

function extent_of(steps: readonly Step[]): Extent | null {
  if (steps.length === 0) return null;
  const found = { from: Infinity, to: -Infinity, open: false };
  for (const step of steps) {
    const { from, to } = span_of(step, -Infinity);
    found.from = Math.min(found.from, from);
    found.to = Math.max(found.to, to);
    found.open ||= !step.ended_at;
  }
  return found;
}

interface Ran {
  in_all: Extent | null;
  in_apply: Extent | null;
  /** Refreshes alone are no apply. */
  applied: boolean;
}

// A row is never changed, another takes its place: of twenty thousand rows only those that are new are looked into.
const known = new WeakMap<Resource, Ran>();

function ran(row: Resource): Ran {
  let found = known.get(row);
  if (!found) {
    found = {
      in_all: extent_of(drawn_steps(row, false)), in_apply: extent_of(drawn_steps(row, true)),
      applied: row.steps.some((step) => step.phase === 'apply' && step.action !== 'refresh'),
    };
    known.set(row, found);
  }
  return found;
}

export const has_applied = (rows: readonly Resource[]): boolean => rows.some((row) => ran(row).applied);

/** What has run, in the order in which it began. `now` ends what still runs. */
export function lanes_of(rows: readonly Resource[], now: number): { lanes: Lane[]; applied: boolean } {
  const applied = has_applied(rows);
  const lanes: Lane[] = [];
  for (const of of rows) {
    const { in_all, in_apply } = ran(of);
    const extent = applied ? in_apply : in_all;
    if (extent) lanes.push({ of, span: { from: extent.from, to: extent.open ? Math.max(extent.to, now) : extent.to } });
  }
  // Ties stay in the order of the table.
  lanes.sort((one, other) => one.span.from - other.span.from);
  return { lanes, applied };
}

/** With what is expected of those that run, and lanes of those that are expected to. */
export function with_expected(lanes: readonly Lane[], rows: readonly Resource[], expected: ReadonlyMap<string, Span>): Lane[] {
  const there = new Set(lanes.map(({ of }) => of.addr));
  const later = rows.flatMap((of): Lane[] => {
    const ahead = there.has(of.addr) ? undefined : expected.get(of.addr);
    return ahead ? [{ of, span: { from: ahead.from, to: ahead.from }, ahead }] : [];
  });
  later.sort((one, other) => one.ahead!.from - other.ahead!.from);
  return [...lanes.map((lane) => (expected.has(lane.of.addr) ? { ...lane, ahead: expected.get(lane.of.addr) } : lane)), ...later];
}

/** Some of it lies within. */
export const overlaps = ({ span, ahead }: Lane, within: Span): boolean => span.from <= within.to && Math.max(span.to, ahead?.to ?? 0) >= within.from;

/** The addresses' `12.5-40`: seconds since the run began. null: it names none. */
export function parse_range(text: string | null): Span | null {
  const found = /^(\d{1,9}(?:\.\d{1,3})?)-(\d{1,9}(?:\.\d{1,3})?)$/.exec(text ?? '');
  const [from, to] = [Number(found?.[1]), Number(found?.[2])];
  return from < to ? { from, to } : null;
}

export const range_text = ({ from, to }: Span): string => `${+from.toFixed(3)}-${+to.toFixed(3)}`;

/** A part of it, so many times as long, about a moment in it. */
export function zoomed(within: Span, by: number, about: number, all: Span): Span | null {
  const length = (within.to - within.from) * by;
  if (length >= all.to - all.from) return null;
  const part = (about - within.from) / (within.to - within.from || 1);
  const from = Math.min(Math.max(all.from, about - part * length), all.to - length);
  return { from, to: from + length };
}

export function all_of(lanes: readonly Lane[]): Span | null {
  if (lanes.length === 0) return null;
  let to = lanes[0]!.span.to;
  for (const { span, ahead } of lanes) to = Math.max(to, span.to, ahead?.to ?? 0);
  return { from: lanes[0]!.span.from, to };
}

/** Where a moment lies, as a part of one. */
export const part_of = (at: number, within: Span): number =>
  within.to > within.from ? Math.min(1, Math.max(0, (at - within.from) / (within.to - within.from))) : 0;

const steps_ms = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000,
  1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000, 86_400_000];

/** Round times since `zero`, at most so many. */
export function ticks(within: Span, most: number, zero = within.from): number[] {
  const length = within.to - within.from;
  if (!(length > 0)) return [within.from - zero];
  const step = steps_ms.find((each) => length / each <= most) ?? Math.ceil(length / most / 86_400_000) * 86_400_000;
  const found: number[] = [];
  const last = within.to - zero;
  for (let at = Math.ceil((within.from - zero) / step) * step; at <= last; at += step) found.push(at);
  return found;
}

/** How many lanes ran at most at a time, in each of so many equal parts of the span. Lanes come in the order of their begin. */
export function at_once(lanes: readonly Lane[], within: Span, parts: number): number[] {
  const width = (within.to - within.from) / parts;
  const ends = new Float64Array(lanes.length);
  lanes.forEach(({ span }, at) => (ends[at] = span.to));
  ends.sort();
  const found = new Array<number>(parts).fill(0);
  let begun = 0;
  let ended = 0;
  for (let part = 0; part < parts; part++) {
    let most = begun - ended;
    const end = part + 1 === parts ? Infinity : within.from + (part + 1) * width;
    for (; begun < lanes.length && lanes[begun]!.span.from < end; begun++) {
      // What ends as another begins is not beside it.
      while (ended < ends.length && ends[ended]! <= lanes[begun]!.span.from) ended++;
      most = Math.max(most, begun + 1 - ended);
    }
    while (ended < ends.length && ends[ended]! < end) ended++;
    found[part] = most;
  }
  return found;
}
