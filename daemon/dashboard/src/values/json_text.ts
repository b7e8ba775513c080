// JSON that keeps the digits of its numbers.
import { digits } from '../../../../protocol/feed/client/fold.js';

export type Json = (text: string) => string | null;

export const parse = <T>(text: string): T => JSON.parse(text, digits) as T;

/** An object or an array, laid out over lines; null: it is none. */
export const laid_out: Json = (text) => {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.stringify(parse(text), null, 2);
  } catch {
    return null;
  }
};
