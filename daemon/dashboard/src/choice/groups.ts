// The list of resources in groups: what needs somebody first. Rows do not move below a pointer or while the list has the focus.
import { batch, computed, effect, signal } from '@preact/signals';
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { group_of, groups_of_plan, groups_of_states, type Group } from '../values/groups.js';
import { filtered, resources } from './choice.js';
import { run, run_id } from '../rows/model.js';

/** A head of a group, or a row of it. */
export type Entry = { head: Group; count: number; folded: boolean } | { row: Resource };

/** Groups in which there is nothing to do are folded when they have more rows than a window. */
const quiet = new Set(['done', 'unchanged', 'read']);
const many = 50;

/** What somebody has folded or unfolded. */
const folds = signal<ReadonlyMap<string, boolean>>(new Map());
/** Somebody points at the list or is in it with the keyboard. */
export const held = signal(false);
/** By key: where rows stand while the list is held. */
const places = signal<ReadonlyMap<string, string>>(new Map());

/** A plan that was only looked at has no states worth a word: what it would do is what it has. */
export const by_plan = computed(() => run.value?.command === 'plan' || run.value?.phase === 'approval');

const place_now = (row: Resource) => group_of(row, by_plan.peek());

/** Rows stand where they belong now. */
export function take_in(): void {
  places.value = new Map(resources.peek().map((row) => [row.key, place_now(row)]));
}

export function hold(is: boolean): void {
  if (held.peek() === is) return;
  batch(() => {
    held.value = is;
    if (is) take_in();
  });
}

// Another run is another list.
effect(() => {
  run_id.value;
  batch(() => {
    folds.value = new Map();
    held.value = false;
  });
});

const grouped = computed(() => {
  const rows = resources.value;
  const plan = by_plan.value;
  const kept = held.value ? places.value : null;
  const found = new Map<string, Resource[]>();
  let later = 0;
  for (const row of rows) {
    const now = group_of(row, plan);
    // A filter that was changed meanwhile shows rows that had no place.
    const group = kept ? kept.get(row.key) ?? (filtered.peek() ? now : null) : now;
    if (group !== now) ++later;
    if (group === null) continue;
    const there = found.get(group);
    if (there) there.push(row);
    else found.set(group, [row]);
  }
  return { found, later, groups: plan ? groups_of_plan : groups_of_states };
});

/** Rows that would stand elsewhere, were the list not held. */
export const waiting = computed(() => grouped.value.later);

export const entries = computed<readonly Entry[]>(() => {
  const { found, groups } = grouped.value;
  const list: Entry[] = [];
  for (const head of groups) {
    const rows = found.get(head.is);
    if (!rows) continue;
    const folded = !filtered.value && (folds.value.get(head.is) ?? (quiet.has(head.is) && rows.length > many && found.size > 1));
    list.push({ head, count: rows.length, folded });
    if (!folded) for (const row of rows) list.push({ row });
  }
  return list;
});

export function fold(group: string, is: boolean): void {
  folds.value = new Map(folds.value).set(group, is);
}

/** The rows as the list has them, without those that are folded away. */
export const listed = computed<readonly Resource[]>(() => entries.value.flatMap((each) => ('row' in each ? [each.row] : [])));
