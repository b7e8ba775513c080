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

/** Letters of a key that are shown: of a longer one the middle is left out. */
const most_of_key = 40;

function short_key(name: string): string {
  const begin = name.indexOf('[');
  if (begin < 0 || name.length - begin <= most_of_key) return name;
  const half = most_of_key / 2;
  return `${name.slice(0, begin + half)}…${name.slice(-half)}`;
}

/** All of it in one line. */
export function address_words(of: Pick<Resource, 'addr' | 'module'>): string {
  const { path, name } = shown_address(of);
  return path + name;
}

export function shown_address(of: Pick<Resource, 'addr' | 'module'>): ShownAddress {
  if (!of.module || !of.addr.startsWith(of.module + '.')) return { path: '', name: short_key(of.addr) };
  return { path: `${module_words(of.module)} › `, name: short_key(of.addr.slice(of.module.length + 1)) };
}
