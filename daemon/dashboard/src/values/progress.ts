// How far a run is, in a few characters.
import type { Run } from '../../../../protocol/feed/client/client.js';

/** "3/41"; of `tofu plan` "41 planned", since nothing is to be done there. Empty: no plan is known. */
export function progress_text(run: Pick<Run, 'command' | 'progress'>): string {
  const { done, total } = run.progress;
  if (!total) return '';
  return run.command === 'plan' ? `${total} planned` : `${done}/${total}`;
}
