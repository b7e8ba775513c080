// What ran at a moment of a run, and how that is said.
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { drawn_steps, span_of, type Lane, type Span } from './timeline.js';
import { seconds } from './words.js';

/** Of the address: seconds since the run began; null: it names none. */
export function parse_moment(text: string | null): number | null {
  const at = text ? Number(text) : NaN;
  return at >= 0 && isFinite(at) ? at : null;
}

/** Seconds from the run's begin to a stamp, NaN if either is not known. */
export const seconds_since = (begin: string | null | undefined, stamp: string | null | undefined): number =>
  Math.max(0, (Date.parse(stamp ?? '') - Date.parse(begin ?? '')) / 1000);

/** A step that begins as another ends does not run beside it; one that took no time ran when it began. */
const runs_at = (row: Resource, applied: boolean, at: number, now: number): boolean =>
  drawn_steps(row, applied).some((step) => {
    const { from, to } = span_of(step, now);
    return from <= at && (at < to || step.status === 'running' || at === from);
  });

/** `at` and `now` in milliseconds of the clock. */
export const lanes_at = (lanes: readonly Lane[], applied: boolean, at: number, now: number): Lane[] =>
  lanes.filter(({ of, span }) => span.from <= at && at <= Math.max(span.to, now) && runs_at(of, applied, at, now));

/** `12.5s`, `2m31s`: a moment is said more exactly than how long something took. */
export const moment_words = (s: number): string => (s < 60 ? `${+s.toFixed(1)}s` : seconds(s));

/** Named before it is said how many more there are. */
const named = 3;

/** `at` in seconds. */
export function said_at(ran: readonly Lane[], at: number): string {
  const names = ran.slice(0, named).map((lane) => lane.of.addr).join(', ');
  const more = ran.length > named ? ` and ${ran.length - named} more` : '';
  return `at ${moment_words(at)}: ${ran.length === 0 ? 'nothing ran' : `${ran.length} ran: ${names}${more}`}`;
}

/** Where a key of a slider leads, in milliseconds; null: it is no such key. */
export function moved(key: string, at: number, within: Span): number | null {
  const step = (within.to - within.from) / 100;
  const by: { [key: string]: number } = {
    ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageDown: -10 * step, PageUp: 10 * step, Home: -Infinity, End: Infinity,
  };
  const found = Object.hasOwn(by, key) ? by[key]! : NaN;
  return isNaN(found) ? null : Math.min(within.to, Math.max(within.from, at + found));
}
