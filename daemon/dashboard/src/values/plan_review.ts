// A plan as a reviewer reads it: what can't be got back first, equal changes once, with what forces a replacement.
import type { Resource } from '../../../../protocol/feed/client/client.js';
import type { Node, PlanRow } from './change.js';
import { reason_words } from './reasons.js';

/** What somebody should look at first. */
export const groups = [
  ['destroy', 'destroys'], ['replace', 'replaces'], ['forget', 'forgets'], ['care', 'changes that need care'], ['update', 'changes'],
  ['import', 'imports and moves'], ['create', 'creates'], ['read', 'reads'],
] as const;
export type GroupName = (typeof groups)[number][0];
/** In these somebody loses something if nobody looks. */
export const risky: ReadonlySet<GroupName> = new Set(['destroy', 'replace', 'forget', 'care']);

export interface Planned {
  addr: string;
  group: GroupName;
  /** As in the plan: `update`, `delete,create`. */
  action: string;
  sentence: string;
  /** Paths that force a replacement. */
  forced_by: string[];
  /** What the plan says in detail; null: no plan is attached. */
  row: PlanRow | null;
}

export interface ReviewGroup {
  group: GroupName;
  word: string;
  /** Equal ones together: the first is drawn. */
  entries: Planned[][];
  count: number;
}

/** So many equal changes are one entry. */
const least_equal = 3;

function walk(node: Node, path: string, visit: (node: Node, path: string) => void): void {
  visit(node, path);
  for (const child of node.children ?? []) {
    const step = child.key ?? (child.index === undefined ? '' : `[${child.index}]`);
    walk(child, step.startsWith('[') || !path ? path + step : `${path}.${step}`, visit);
  }
}

function forcing(of: Node): string[] {
  const found: string[] = [];
  walk(of, '', (node, path) => node.forces_replacement && path && found.push(path));
  return found;
}

/** Something becomes or stops being secret, or is used that will be gone. */
function needs_care(of: Node): boolean {
  let found = false;
  walk(of, '', (node) => (found ||= !!node.becomes || !!node.was || (node.deprecated !== undefined && node.action !== 'none')));
  return found;
}

function group_of_row(row: PlanRow): GroupName | null {
  switch (row.action) {
    case 'delete':
      return 'destroy';
    case 'delete,create':
    case 'create,delete':
    case 'create,forget':
      return 'replace';
    case 'forget':
      return 'forget';
    case 'update':
      return needs_care(row.body) ? 'care' : 'update';
    case 'create':
      return row.importing ? 'import' : 'create';
    case 'read':
      return 'read';
    default:
      return row.importing || row.previous_address ? 'import' : null;
  }
}

const done: { [action: string]: string } = {
  delete: 'is destroyed', 'delete,create': 'is replaced: destroyed, then created', 'create,delete': 'is replaced: created, then the old one is destroyed',
  'create,forget': 'is replaced, the old one is forgotten', forget: 'is forgotten: it goes on, and OpenTofu knows nothing of it any more',
  update: 'is changed in place', create: 'is created', read: 'is read during the apply', 'no-op': 'stays as it is',
};

function sentence_of(row: PlanRow, forced_by: readonly string[]): string {
  const why = row.reason && row.reason !== 'none' ? reason_words(row.reason) : '';
  const because = forced_by.length > 0 && (!why || /cannot_update/.test(row.reason!)) ? `${forced_by.join(', ')} can't be changed in place` : why;
  const said = [
    row.previous_address && `has moved from ${row.previous_address}`, row.importing && 'is imported',
    (row.action !== 'no-op' || (!row.previous_address && !row.importing)) && (done[row.action] ?? row.action),
  ].filter(Boolean).join(', ');
  return `${said}${because && ` because ${because}`}${row.deposed ? ` (deposed object ${row.deposed})` : ''}`;
}

/** What an attached plan says; what does not change is left out. */
export function planned_rows(rows: readonly PlanRow[]): Planned[] {
  return rows.flatMap((row): Planned[] => {
    const group = row.drift ? null : group_of_row(row);
    if (!group) return [];
    const forced_by = group === 'replace' ? forcing(row.body) : [];
    return [{ addr: row.address, group, action: row.action, sentence: sentence_of(row, forced_by), forced_by, row }];
  });
}

const in_stream: { [action: string]: readonly [GroupName, string] } = {
  delete: ['destroy', 'delete'], replace: ['replace', 'delete,create'], remove: ['forget', 'forget'], forget: ['forget', 'forget'], update: ['update', 'update'],
  create: ['create', 'create'], import: ['import', 'no-op'], move: ['import', 'no-op'], read: ['read', 'read'],
};

/** What the stream alone says of a plan. */
export function planned_resources(rows: readonly Resource[]): Planned[] {
  return rows.flatMap((of) => of.plan.flatMap((plan): Planned[] => {
    const known = Object.hasOwn(in_stream, plan.action) ? in_stream[plan.action] : undefined;
    if (!known) return [];
    const row = { action: plan.create_before_destroy && plan.action === 'replace' ? 'create,delete' : known[1], reason: plan.reason ?? '', deposed: plan.deposed,
      importing: plan.imports ? true : undefined, previous_address: plan.previous_addr } as unknown as PlanRow;
    return [{ addr: of.addr, group: known[0], action: row.action, sentence: sentence_of(row, []), forced_by: [], row: null }];
  }));
}

const type_of = (addr: string): string => /(?:^|\.)((?:data\.)?[^.[\]"]+\.[^.[\]"]+)(?:\[.*\])?$/.exec(addr)?.[1]?.split('.').slice(0, -1).join('.') ?? '';

// A change stays as it is: twenty thousand are not looked into with each key of a filter.
const likenesses = new WeakMap<Planned, string>();

/** Two changes are equal if type, paths and values are. */
function likeness(of: Planned): string {
  let found = likenesses.get(of);
  if (found === undefined) {
    found = JSON.stringify(of.row ? [of.action, type_of(of.addr), of.row.reason, of.row.body] : [of.action, type_of(of.addr), of.sentence]);
    likenesses.set(of, found);
  }
  return found;
}

/** Without `wanted` text in address or values nothing of it is shown; '' is in all. */
const has_text = (of: Planned, wanted: string): boolean =>
  !wanted || of.addr.toLowerCase().includes(wanted) || (of.row !== null && JSON.stringify(of.row.body).toLowerCase().includes(wanted));

export function review(all: readonly Planned[], text = ''): ReviewGroup[] {
  const wanted = text.toLowerCase();
  const passing = all.filter((each) => has_text(each, wanted));
  return groups.flatMap(([group, word]): ReviewGroup[] => {
    const inside = passing.filter((each) => each.group === group);
    if (inside.length === 0) return [];
    const alike = new Map<string, Planned[]>();
    for (const each of inside) {
      const key = likeness(each);
      const there = alike.get(key);
      if (there) there.push(each);
      else alike.set(key, [each]);
    }
    const entries = [...alike.values()].flatMap((members) => (members.length >= least_equal ? [members] : members.map((each) => [each])));
    return [{ group, word, entries, count: inside.length }];
  });
}

/** "Destroys 2, replaces 6, changes 1. Nothing else." What can't be got back first. */
export function review_sentence(of: readonly ReviewGroup[]): string {
  const counts = new Map<string, number>();
  for (const { group, count } of of) {
    const said = group === 'care' ? 'update' : group;
    if (said !== 'read') counts.set(said, (counts.get(said) ?? 0) + count);
  }
  const words = groups.filter(([group]) => counts.get(group)).map(([group, word]) => `${word} ${counts.get(group)}`);
  if (words.length === 0) return 'Nothing changes.';
  const lost = ['destroy', 'replace', 'forget'].some((group) => counts.has(group));
  const said = words.join(', ');
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.${lost ? '' : ' Nothing is destroyed.'}`;
}
