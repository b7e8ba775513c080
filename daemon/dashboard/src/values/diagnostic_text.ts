// A diagnostic as OpenTofu draws it in a wide terminal, without colours, for who passes it on.
import type { Diagnostic, Snippet } from '../../../../protocol/feed/client/client.js';
import { source_lines } from './snippet.js';

interface Call {
  called_as?: string;
  signature?: { params?: unknown; variadic_param?: { name?: string } };
}

/** `while calling join(separator, lists...)`; empty: the fault is in no call. */
export function call_of(snippet: Snippet): string {
  const { called_as = '', signature } = (snippet.function_call ?? {}) as Call;
  if (!signature) return '';
  const { params, variadic_param } = signature;
  const names = Array.isArray(params) ? params.map((each: { name?: string } | null) => each?.name ?? '') : [];
  if (variadic_param) names.push(`${variadic_param.name}...`);
  return `while calling ${called_as}(${names.join(', ')})`;
}

/** In the order in which OpenTofu lists them. */
export const values_of = (snippet: Snippet): Snippet['values'] =>
  [...snippet.values].sort((one, other) => (one.traversal < other.traversal ? -1 : +(one.traversal > other.traversal)));

/** `, in resource "x" "y"`: what stands behind the line's number. */
export const within = ({ path, context }: Snippet): string =>
  path === undefined ? (context ? `, in ${context}` : '') : path && `, at ${path}`;

function snippet_lines(snippet: Snippet): string[] {
  const number = (of: number) => (snippet.path === undefined ? `${`${of}`.padStart(4)}: ` : '    ');
  const code = snippet.path !== undefined && !snippet.code ? []
    : source_lines(snippet).map((line) => number(line.number) + line.parts.map((part) => part.text).join(''));
  const said = [call_of(snippet), ...values_of(snippet).map((each) => `${each.traversal} ${each.statement}`)].filter(Boolean);
  return said.length > 0 ? [...code, '    ├────────────────', ...said.map((each) => `    │ ${each}`)] : code;
}

/** Control characters become their pictures: what is pasted into a terminal does nothing there. */
const pictured = (text: string): string =>
  text.replace(/[\0-\x08\x0b-\x1f\x7f]/g, (one) => String.fromCharCode(one === '\x7f' ? 0x2421 : 0x2400 + one.charCodeAt(0)));

export function text_of(of: Diagnostic): string {
  const { severity, range, snippet } = of;
  const lines = [`${severity.slice(0, 1).toUpperCase()}${severity.slice(1)}: ${of.summary}`, ''];
  if (of.address) lines.push(`  with ${of.address},`);
  if (range) {
    lines.push(`  on ${range.filename} line ${range.start.line}${snippet ? within(snippet) : ''}:`,
      ...(snippet ? snippet_lines(snippet) : ['  (source code not available)']), '');
  }
  if (of.detail) lines.push(of.detail);
  const drawn = pictured(lines.join('\n').replace(/\r(?=\n|$)/g, '')).split('\n');
  return ['╷', ...drawn.map((line) => `│ ${line}`.trimEnd()), '╵', ''].join('\n');
}
