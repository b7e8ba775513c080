// One line about a run, for where people talk.
import type { Diagnostic, Run } from '../../../../protocol/feed/client/client.js';
import { short_reason } from './reason.js';
import { who } from './verdict.js';
import { clock_time, name_of, state_of } from './words.js';

/** Characters; the link comes on top. */
const most = 300;

const marks: { [state: string]: string } = { succeeded: '✓', failed: '✗', failing: '✗', interrupted: '!', lost: '?', running: '▶' };

/** `✗ shop apply failed 05:15 (ada, 1a2b3c4): ADDRESS: exit status 3: quota · 2 never started · LINK`. `first`: the first error. */
export function for_chat(run: Run, first: Diagnostic | undefined, link: string): string {
  const state = state_of(run);
  const by = who(run.labels).replace(' · ', ', ');
  const head = `${marks[state] ?? ''} ${name_of(run)} ${run.command} ${state} ${clock_time(run.ended_at ?? run.last_line_at)}${by ? ` (${by})` : ''}`.trim();
  const reason = first ? [first.address, short_reason(first)].filter(Boolean).join(': ') : '';
  const rest = [run.counts.skipped ? `${run.counts.skipped} never started` : '', link].filter(Boolean).map((each) => ` · ${each}`).join('');
  const room = most - head.length - rest.length - 2;
  const cut = reason.length > room ? `${reason.slice(0, Math.max(0, room - 1))}…` : reason;
  return `${head}${cut ? `: ${cut}` : ''}${rest}`.replace(/\s+/g, ' ');
}
