// When steps ran, and what ran beside what: numbers for the waterfall.
import type { Resource, Step } from '../../../protocol/feed/client/client.js';

export interface Span {
  from: number;
  to: number;
}

/** Milliseconds. */
export interface Lane {
  of: Resource;
  /** Of its steps: from the first one's begin to the last one's end. */
  span: Span;
}

const has_applied = (rows: readonly Resource[]): boolean =>
  rows.some((row) => row.steps.some((step) => step.phase === 'apply' && step.action !== 'refresh'));

/** Steps that are drawn: those of the apply, if there is one; else the refreshes and reads of the plan. */
export const drawn_steps = (row: Resource, applied: boolean): Step[] =>
  row.steps.filter((step) => step.started_at && (!applied || step.phase === 'apply'));

export function span_of(step: { started_at?: string; ended_at?: string }, now: number): Span {
  const from = Date.parse(step.started_at!);
  return { from, to: Math.max(from, step.ended_at ? Date.parse(step.ended_at) : now) };
}

/** What has run, in the order in which it began. `now` ends what still runs. */
export function lanes_of(rows: readonly Resource[], now: number): { lanes: Lane[]; applied: boolean } {
  const applied = has_applied(rows);
  const lanes: Lane[] = [];
  for (const of of rows) {
    const spans = drawn_steps(of, applied).map((step) => span_of(step, now));
    if (spans.length === 0) continue;
    lanes.push({ of, span: { from: Math.min(...spans.map((each) => each.from)), to: Math.max(...spans.map((each) => each.to)) } });
  }
  // Ties stay in the order of the table.
  lanes.sort((one, other) => one.span.from - other.span.from);
  return { lanes, applied };
}

export function all_of(lanes: readonly Lane[]): Span | null {
  if (lanes.length === 0) return null;
  let to = lanes[0]!.span.to;
  for (const { span } of lanes) to = Math.max(to, span.to);
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

/** How many lanes ran at most at a time, in each of so many equal parts of the span. */
export function at_once(lanes: readonly Lane[], within: Span, parts: number): number[] {
  const width = (within.to - within.from) / parts;
  const changes: [number, number][] = [];
  for (const { span } of lanes) changes.push([span.from, 1], [span.to, -1]);
  // What ends as another begins is not beside it.
  changes.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const found = new Array<number>(parts).fill(0);
  let running = 0;
  let next = 0;
  for (let part = 0; part < parts; part++) {
    let most = running;
    const end = part + 1 === parts ? Infinity : within.from + (part + 1) * width;
    for (; next < changes.length && changes[next]![0] < end; next++) {
      running += changes[next]![1];
      most = Math.max(most, running);
    }
    found[part] = most;
  }
  return found;
}
