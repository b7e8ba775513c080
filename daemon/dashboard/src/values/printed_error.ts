// The detail of a provisioner's failure, taken apart: OpenTofu has the command, how it ended and what it printed in one sentence
// (internal/provisioners of OpenTofu 1.12.6: local-exec, remote-exec).
import { bare } from './sgr.js';

export interface PrintedError {
  /** `exit status 3` */
  ended: string;
  /** What stands before and behind it in the detail. */
  before: string;
  between: string;
  /** What the program printed, from its first letter on. */
  printed: string;
}

const shape = /^(Error running command '[\s\S]*?': |error executing "[^"]*": )((?:exit status|signal:|Process exited)[^.\n]*)(\.? ?(?:Output: )?)([\s\S]*)$/;

/** null: the detail is something else. Its four parts in their order are the detail. */
export function printed_error(detail: string): PrintedError | null {
  const found = shape.exec(detail);
  return found && { before: found[1]!, ended: found[2]!, between: found[3]!, printed: found[4]! };
}

/** The last line that says something, without what colours it. */
export function last_line(printed: string): string {
  const lines = printed.split('\n').map((line) => bare(line).trim()).filter(Boolean);
  return lines[lines.length - 1] ?? '';
}
