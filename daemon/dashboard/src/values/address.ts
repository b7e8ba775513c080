// How an address is shown: the modules it is in, then type, name and key, which never give way.
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { parts_of } from '../rows/module_counts.js';

export interface ShownAddress {
  /** `region["eu-west"] › service["shop"] › `; empty in the root module. */
  path: string;
  /** `terraform_data.slot[2]` */
  name: string;
}

/** A module's path without the word that stands before each of its parts. */
export const module_words = (path: string): string => parts_of(path).map((each) => each.replace(/^module\./, '')).join(' › ');

export function shown_address(of: Pick<Resource, 'addr' | 'module'>): ShownAddress {
  if (!of.module || !of.addr.startsWith(of.module + '.')) return { path: '', name: of.addr };
  return { path: `${module_words(of.module)} › `, name: of.addr.slice(of.module.length + 1) };
}
