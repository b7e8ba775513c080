// What is remembered of one action on an address, in words.
import { rounded } from './usual.js';
import { seconds } from './words.js';

/** One action on an address, as GET /v1/history gives it. */
export interface HistoryEntry {
  action: string;
  count: number;
  failed: number;
  /** Null: none was done. */
  p50_s: number | null;
  p80_s: number | null;
  /** How many of the newest failed, and how many those are. */
  failed_of_newest: [number, number];
  newest: { run: string; status: string; seconds: number; started_at: string }[];
  changed_by?: { run: string; action: string; commit: string | null; actor: string | null; at: string };
}

/** `12 times, usually 6m2s, 4 of 5 within 7m10s; failed 3 of the last 5`. */
export function entry_words(of: HistoryEntry): string {
  const times = of.count === 1 ? 'once' : `${of.count} times`;
  const done = of.count - of.failed;
  let words = done === 0 ? `${times}, never done`
    : done === 1 ? `${times}, took ${seconds(rounded(of.p50_s!))}`
      : `${times}, usually ${seconds(rounded(of.p50_s!))}, 4 of 5 within ${seconds(rounded(of.p80_s!))}`;
  const [failed, newest] = of.failed_of_newest;
  if (failed > 0 && newest > 1) words += `; failed ${failed} of the last ${newest}`;
  return words;
}
