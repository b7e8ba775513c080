// The last day of a stack, a cell for each half hour: how many runs ended in it, and what the worst of them came to.
import type { WallRun } from './cards.js';

export const cells = 48;
const cell_ms = 30 * 60_000;

export interface Cell {
  runs: number;
  /** The worst outcome; '' of none. */
  worst: string;
}

const order = ['', 'succeeded', 'unknown', 'interrupted', 'lost', 'failed'];

/** `now`: by the daemon's clock. Null: nothing ended in that day. */
export function strip_of(runs: readonly Pick<WallRun, 'status' | 'ended_at'>[], now: number): Cell[] | null {
  const found: Cell[] = Array.from({ length: cells }, () => ({ runs: 0, worst: '' }));
  let any = false;
  for (const { status, ended_at } of runs) {
    if (status === 'running' || !ended_at) continue;
    const ago = Math.floor((now - Date.parse(ended_at)) / cell_ms);
    const cell = ago >= 0 && ago < cells ? found[cells - 1 - ago] : undefined;
    if (!cell) continue;
    any = true;
    cell.runs += 1;
    if (order.indexOf(status) > order.indexOf(cell.worst)) cell.worst = status;
  }
  return any ? found : null;
}

/** `3 runs, 1 failed, in the last 24 h`: for those who do not see it. */
export function strip_words(of: readonly Cell[]): string {
  const runs = of.reduce((sum, each) => sum + each.runs, 0);
  const bad = of.filter((each) => each.worst !== '' && each.worst !== 'succeeded').length;
  return `${runs} ${runs === 1 ? 'run' : 'runs'} in the last 24 h${bad ? `, in ${bad} half ${bad === 1 ? 'hour' : 'hours'} one that did not succeed` : ''}`;
}
