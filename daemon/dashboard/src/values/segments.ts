// How far a run is, as parts of a bar: what failed first.
import type { Run } from '../../../../protocol/feed/client/client.js';

export interface Segment {
  status: string;
  count: number;
  /** Of the whole bar, from 0 to 1. */
  from: number;
  part: number;
}

/** Of what was planned. All counts together are at most what was planned; what is left is waiting. Empty: no plan is known. */
export function segments(run: Pick<Run, 'command' | 'progress' | 'counts'>): Segment[] {
  const { done, total } = run.progress;
  if (!total || run.command === 'plan') return []; // a plan is done when it is planned
  let left = total;
  // What failed or was read may be counted as done as well.
  const take = (status: string, count: number): Segment => {
    const part = Math.max(0, Math.min(count, left));
    const segment = { status, count: part, from: (total - left) / total, part: part / total };
    left -= part;
    return segment;
  };
  const of = (status: string) => run.counts[status] ?? 0;
  const found = [
    take('failed', Math.min(of('failed'), total - done)), take('done', done), take('running', of('running')), take('interrupted', of('interrupted')),
    take('skipped', of('skipped')), take('planned', left),
  ];
  return found.filter((each) => each.count > 0);
}
