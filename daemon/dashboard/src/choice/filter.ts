// Which resources somebody wants to see.
import type { Resource } from '../../../../protocol/feed/client/client.js';

export interface Wanted {
  text: string;
  /** Empty: all. */
  statuses: ReadonlySet<string>;
  /** null: all; '' is the root module alone, any other with what is in it. */
  module: string | null;
  /** Only what has changed outside of OpenTofu. */
  drift: boolean;
}

export const wants_all = (of: Wanted): boolean => of.text === '' && of.statuses.size === 0 && of.module === null && !of.drift;

export function passes(row: Resource, of: Wanted): boolean {
  const text = of.text.toLowerCase();
  if (text && !row.addr.toLowerCase().includes(text) && !row.id?.value.toLowerCase().includes(text)) return false;
  if (of.statuses.size > 0 && !of.statuses.has(row.status)) return false;
  if (of.drift && row.drift === null) return false;
  const within = of.module;
  return within === null || row.module === within || (within !== '' && row.module.startsWith(within + '.'));
}

/** The parameters of a filter, and none that says nothing. */
export function filter_parameters(of: Wanted): [string, string][] {
  const found: [string, string][] = [];
  if (of.text) found.push(['q', of.text]);
  if (of.statuses.size > 0) found.push(['status', [...of.statuses].join(',')]);
  if (of.module !== null) found.push(['module', of.module]);
  if (of.drift) found.push(['drift', '1']);
  return found;
}
