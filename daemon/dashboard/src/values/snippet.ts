// The lines of source that a diagnostic points at, cut at the highlighted range.
import type { Snippet } from '../../../../protocol/feed/client/client.js';

export interface SourceLine {
  number: number;
  parts: { text: string; marked: boolean }[];
}

/** `highlight_*` count bytes of UTF-8; an offset within a character takes all of it in. */
export function source_lines(snippet: Snippet): SourceLine[] {
  const bytes = new TextEncoder().encode(snippet.code);
  const inside = (at: number) => (bytes[at]! & 0xc0) === 0x80;
  const clamp = (at: number) => Math.min(Math.max(Math.floor(at) || 0, 0), bytes.length);
  let start = clamp(snippet.highlight_start_offset);
  // A range that ends before it starts marks one byte.
  let end = snippet.highlight_end_offset < snippet.highlight_start_offset ? clamp(start + 1) : clamp(snippet.highlight_end_offset);
  while (start > 0 && inside(start)) start--;
  while (end < bytes.length && inside(end)) end++;
  const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  const lines: SourceLine[] = [{ number: snippet.start_line, parts: [] }];
  for (const [part, marked] of [[text(0, start), false], [text(start, end), true], [text(end, bytes.length), false]] as const) {
    part.split('\n').forEach((piece, i) => {
      if (i > 0) lines.push({ number: snippet.start_line + lines.length, parts: [] });
      if (piece) lines[lines.length - 1]!.parts.push({ text: piece, marked });
    });
  }
  return lines;
}
