// Why something failed, in a few words.
import type { Diagnostic } from '../../../../protocol/feed/client/client.js';
import { last_line, printed_error } from './printed_error.js';

/** `exit status 3: the reason`, or the summary with the first line of the detail. */
export function short_reason({ summary, detail }: Pick<Diagnostic, 'summary' | 'detail'>): string {
  const program = printed_error(detail);
  if (program) return [program.ended, last_line(program.printed)].filter(Boolean).join(': ');
  const first = detail.split('\n').find((line) => line.trim()) ?? '';
  return first && !summary.includes(first) ? `${summary}: ${first}` : summary;
}
