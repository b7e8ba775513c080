// Diagnostics that say the same of several things, as one cause.
import type { Diagnostic } from '../../../../protocol/feed/client/client.js';

export interface Cause {
  first: Diagnostic;
  others: Diagnostic[];
}

/** What a program printed is behind this, and is of one resource alone. */
const printed = /\.? ?\n?Output: /;

/** The reason without what is of one resource: names in quotes, ids, numbers. */
function reason(of: Diagnostic): string {
  return (of.detail.split(printed)[0] ?? '').replace(/"[^"]*"|'[^']*'/g, '""').replace(/[0-9a-f]{8}[0-9a-f-]*/gi, '#').replace(/\d+/g, '#');
}

/** By severity, summary, place and reason, in the order in which the first of each came. */
export function causes_of(rows: readonly Diagnostic[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const row of rows) {
    const place = row.range ? `${row.range.filename}:${row.range.start.line}` : '';
    const key = JSON.stringify([row.severity, row.summary, place, reason(row), row.test_file, row.test_run]);
    const known = causes.get(key);
    if (known) known.others.push(row);
    else causes.set(key, { first: row, others: [] });
  }
  return [...causes.values()];
}
