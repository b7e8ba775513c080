// How outputs are said.
import type { Output } from '../../../../protocol/feed/client/client.js';

/** A type as configurations write it: `map(string)`, `object({a=number})`. */
export function type_text(type: unknown): string {
  if (!Array.isArray(type)) return typeof type === 'string' ? type : '';
  const [kind, of] = type as [unknown, unknown];
  const inside = Array.isArray(of) && kind === 'tuple' ? `[${of.map(type_text).join(', ')}]`
    : kind === 'object' ? `{${Object.entries(of ?? {}).map(([name, each]) => `${name}=${type_text(each)}`).join(', ')}}` : type_text(of);
  return `${kind}(${inside})`;
}

export const value_text = (of: Output): string =>
  of.sensitive ? '(sensitive)' : of.value === undefined ? '' : JSON.stringify(of.value);

/** What is copied of it: a text without its quotes. */
export const raw_text = (of: Output): string => (typeof of.value === 'string' ? of.value : value_text(of));
