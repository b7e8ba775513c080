// The rows of a plan (protocol/diff/README.md), as tofud answers them, and what is said of them in words.
import type { Json } from './json_text.js';
import { line_diff, type DiffLine } from './line_diff.js';

export type Action = 'none' | 'create' | 'update' | 'delete';

export interface Node {
  kind: string;
  action: Action;
  key?: string;
  index?: number;
  forces_replacement?: true;
  /** What the schema says of it; of what is deprecated what to do instead, or nothing. */
  description?: string;
  deprecated?: string;
  labelled?: true;
  children?: Node[];
  unchanged?: number;
  more?: number;
  next?: number;
  becomes?: true;
  was?: true;
  /** Values of a `value`, nodes of an `unknown` or a `type`. */
  before?: unknown;
  after?: unknown;
  before_bytes?: number;
  after_bytes?: number;
}

export interface PlanRow {
  kind: string;
  address: string;
  deposed?: string;
  previous_address?: string;
  action: string;
  reason?: string;
  drift?: true;
  importing?: true;
  schema?: false;
  body: Node;
}

/** What of a resource is asked for, see /v1/runs/ID/diff. */
export interface Part {
  path?: readonly string[];
  from?: number;
  unchanged?: boolean;
}

/** Whether an entry says anything: a plan has one for each resource that stays as it is, too. */
export const says_something = (row: PlanRow): boolean =>
  !!row.drift || row.action !== 'no-op' || !!row.previous_address || !!row.importing;

const signs: { [action: string]: string } = {
  create: '+', read: '<=', update: '~', delete: '-', 'delete,create': '-/+', 'create,delete': '+/-', 'create,forget': '+/.', forget: '.', 'no-op': '',
};

/** The sign of an action of a plan. */
export const sign_of = (action: string): string => (Object.hasOwn(signs, action) ? signs[action]! : '');

const sentences: { [action: string]: string } = {
  create: 'will be created', read: 'will be read during apply', update: 'will be updated in-place', delete: 'will be destroyed',
  'delete,create': 'must be replaced', 'create,delete': 'must be replaced: created first, then destroyed',
  forget: 'will be forgotten, but not destroyed', 'create,forget': 'will be replaced, the old one forgotten',
};

/** `will be updated in-place`: what happens to a resource, or has happened outside. */
export function sentence(row: PlanRow): string {
  if (row.drift) return row.action === 'delete' ? 'has been deleted' : 'has changed';
  const said = Object.hasOwn(sentences, row.action) ? [sentences[row.action]!] : [];
  if (row.previous_address) said.unshift(`has moved from ${row.previous_address}`);
  if (row.importing) said.push('will be imported');
  return said.join(', ') || 'does not change';
}

/** The sign of a change, and the word that is read aloud for it. */
export const marks: { [action in Action]: readonly [sign: string, word: string] } = {
  none: ['', ''], create: ['+', 'added'], update: ['~', 'changed'], delete: ['-', 'removed'],
};

const by_key = (of: Node) => of.kind !== 'list' && of.kind !== 'set' && (of.kind !== 'blocks' || of.labelled === true);

/** The step from a node to one of its children, as `path=` takes it. */
export const step_to = (parent: Node, child: Node): string => (by_key(parent) ? child.key ?? '' : String(child.index ?? 0));

/** Whether `→ null` is said of a child that goes: not where that of its container says it, nor of elements. */
export const becomes_null = (parent: Node, child: Node): boolean =>
  child.action === 'delete' && child.kind !== 'block' && child.kind !== 'blocks' &&
  (parent.kind === 'block' || (by_key(parent) && parent.action !== 'delete'));

const identifier = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** What stands before a child's value, as the language has it: keys of maps in quotes, others where they must; elements have none. */
export function key_text(parent: Node, child: Node): string {
  if (!by_key(parent)) return '';
  const key = child.key ?? '';
  return parent.kind !== 'map' && identifier.test(key) ? key : JSON.stringify(key);
}

/** Those that came later behind those that were there. */
export function continued(known: Node, later: Node): Node {
  const { more, next, ...rest } = known;
  const found: Node = { ...rest, children: [...(known.children ?? []), ...(later.children ?? [])] };
  if (later.more !== undefined) found.more = later.more;
  if (later.next !== undefined) found.next = later.next;
  return found;
}

export interface Texts {
  /** `jsonencode`: both are JSON, laid out; '' else. */
  as: '' | 'jsonencode';
  lines: DiffLine[];
}

/** What is drawn line by line: texts of several lines, and JSON in texts; null: the value stands in one line. */
export function texts_of(node: Node, layout: Json): Texts | null {
  const sides = [node.before, node.after].filter((side) => side !== undefined && side !== null);
  if (sides.length === 0 || !sides.every((side): side is string => typeof side === 'string')) return null;
  const whole = node.before_bytes === undefined && node.after_bytes === undefined;
  const laid = whole ? sides.map(layout) : [];
  if (whole && laid.every((text): text is string => text !== null)) return { as: 'jsonencode', lines: lines_of(node, laid) };
  if (!sides.some((side) => side.includes('\n'))) return null;
  // The end of the last line is no line.
  const ended = sides.every((side) => side.endsWith('\n'));
  return { as: '', lines: lines_of(node, ended ? sides.map((side) => side.slice(0, -1)) : sides) };
}

function lines_of(node: Node, sides: string[]): DiffLine[] {
  if (sides.length === 2) return line_diff(sides[0]!, sides[1]!);
  const mark = typeof node.after === 'string' ? (node.action === 'none' ? 'none' : 'create') : 'delete';
  return sides[0]!.split('\n').map((text) => ({ mark, text }));
}
