// Two texts of one line, word by word.
import { line_diff } from './line_diff.js';

export interface WordPart {
  text: string;
  changed: boolean;
}

/** Shorter ones are read at a glance. */
const least = 24;

const words = (text: string): string => (text.match(/\w+|[^\w\n]/g) ?? []).join('\n');

function joined(parts: readonly WordPart[]): WordPart[] {
  const found: WordPart[] = [];
  for (const part of parts) {
    const last = found[found.length - 1];
    if (last && last.changed === part.changed) last.text += part.text;
    else found.push({ ...part });
  }
  return found;
}

/** What each of them has that the other has not; null: too short, or nothing is the same. */
export function word_diff(before: string, after: string): { before: WordPart[]; after: WordPart[] } | null {
  if (Math.max(before.length, after.length) < least || before.includes('\n') || after.includes('\n')) return null;
  const lines = line_diff(words(before), words(after));
  if (!lines.some(({ mark, text }) => mark === 'none' && /\w/.test(text))) return null;
  const side = (other: 'create' | 'delete') => joined(lines.filter(({ mark }) => mark !== other).map(({ mark, text }) => ({ text, changed: mark !== 'none' })));
  return { before: side('create'), after: side('delete') };
}
