// The groups in which resources are listed, and which one a resource is in.
import type { Resource } from '../../../../protocol/feed/client/client.js';

export interface Group {
  is: string;
  /** As its head says it. */
  word: string;
}

const named = (...words: readonly (readonly [string, string])[]): readonly Group[] => words.map(([is, word]) => ({ is, word }));

/** What needs somebody first. */
export const groups_of_states = named(
  ['failed', 'failed'], ['running', 'running'], ['planned', 'waiting'], ['interrupted', 'interrupted'], ['skipped', 'never started'],
  ['drifted', 'drifted'], ['done', 'done'], ['unchanged', 'unchanged']);

/** What can't be got back first. */
export const groups_of_plan = named(
  ['failed', 'failed'], ['running', 'running'], ['delete', 'destroys'], ['replace', 'replaces'], ['forget', 'forgets'], ['update', 'changes'],
  ['import', 'imports'], ['move', 'moves'], ['create', 'creates'], ['read', 'reads'], ['drifted', 'drifted'], ['done', 'done'],
  ['interrupted', 'interrupted'], ['skipped', 'never started'], ['unchanged', 'unchanged']);

const of_actions = groups_of_plan.map(({ is }) => is);

/** `by_plan`: what is planned says more than the state. */
export function group_of(row: Resource, by_plan: boolean): string {
  if (!by_plan || row.status === 'failed' || row.status === 'running') return row.status;
  const actions = row.plan.map(({ action }) => (action === 'remove' ? 'forget' : action));
  const first = of_actions.find((each) => actions.includes(each as (typeof actions)[number]));
  // A plan says "noop" of what it can't change, and of what it leaves.
  return first ?? (row.status === 'planned' ? 'unchanged' : row.status);
}
