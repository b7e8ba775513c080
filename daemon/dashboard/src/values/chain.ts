// Which of all that ran the time went into, told by times alone: dependencies are not in the stream.
import { all_of, type Lane } from './timeline.js';
import { seconds } from './words.js';

/** What begins so much later than another ended did not wait for it, in ms. OpenTofu takes some ms from one to the next. */
const most_between = 1000;

/** How many lanes, of those in the order of their end, end at `at` or before. */
function ended_by(lanes: readonly Lane[], at: number): number {
  let least = 0;
  let most = lanes.length;
  while (least < most) {
    const middle = (least + most) >> 1;
    if (lanes[middle]!.span.to <= at) least = middle + 1;
    else most = middle;
  }
  return least;
}

/**
 * From the lane that ended last back to one that waited for none, in the order of time. Each waited for the one before it, or
 * for its place among those that run at a time: it began as that one ended. Of several the longest.
 */
export function critical_path(lanes: readonly Lane[]): Lane[] {
  const by_end = [...lanes].sort((one, other) => one.span.to - other.span.to || other.span.from - one.span.from);
  const path = new Set<Lane>();
  let next = by_end[by_end.length - 1];
  while (next) {
    path.add(next);
    const begun: number = next.span.from;
    let at = ended_by(by_end, begun) - 1;
    // What took no time at all ended as it began, and may be the same lane.
    while (at >= 0 && path.has(by_end[at]!)) at--;
    const before: Lane | undefined = by_end[at];
    next = before && begun - before.span.to <= most_between ? before : undefined;
  }
  return [...path].reverse();
}

/** Named before it is said how many more there are. */
const named = 3;

/** "37s of 37s went into 2 of 8, longest: a (25s), b (12s)". */
export function said_of_path(path: readonly Lane[], lanes: readonly Lane[]): string {
  const all = all_of(lanes);
  if (!all || path.length === 0) return '';
  const took = (lane: Lane) => lane.span.to - lane.span.from;
  const longest = [...path].sort((one, other) => took(other) - took(one)).slice(0, named);
  const whole = (ms: number) => seconds(ms / 1000);
  const names = longest.map((lane) => `${lane.of.addr} (${whole(took(lane))})`).join(', ');
  return `${whole(all.to - path[0]!.span.from)} of ${whole(all.to - all.from)} went into ${path.length} of ${lanes.length}, longest: ${names}`;
}
