// How far a run is, in a few characters.
import type { Estimate, Run } from '../../../../protocol/feed/client/client.js';
import { duration } from './words.js';

/** "3/41"; of `tofu plan` "41 planned", since nothing is to be done there. Empty: no plan is known. */
export function progress_text(run: Pick<Run, 'command' | 'progress'>): string {
  const { done, total } = run.progress;
  if (!total) return '';
  return run.command === 'plan' ? `${total} planned` : `${done}/${total}`;
}

/** `ETA 2m–3m`. `at`: by the stream's clock, in milliseconds. */
export function eta_words(of: Pick<Estimate, 'at' | 'p50_s' | 'p80_s'>, at: number): string {
  const left = (seconds: number | null) => Math.max(0, 1000 * (seconds ?? 0) + Date.parse(of.at) - at);
  const [least, most] = [left(of.p50_s), left(of.p80_s)];
  return most > 0 ? `ETA ${duration(least)}–${duration(most)}` : 'longer than usual';
}

/** `12s ago`, `5 min ago`, `3 h ago`, `2 d ago`. */
export function age(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  return `${s < 60 ? `${s}s` : s < 3600 ? `${Math.floor(s / 60)} min` : s < 48 * 3600 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86400)} d`} ago`;
}
