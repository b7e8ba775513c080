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
  ['drifted', 'drifted'], ['done', 'done'], ['read', 'read'], ['unchanged', 'unchanged']);

/** What a plan would do, what can't be got back first. */
export const plan_words = named(
  ['delete', 'destroys'], ['replace', 'replaces'], ['forget', 'forgets'], ['update', 'changes'], ['import', 'imports'], ['move', 'moves'],
  ['create', 'creates'], ['read', 'reads']);

export const groups_of_plan: readonly Group[] = [
  ...named(['failed', 'failed'], ['running', 'running']), ...plan_words,
  ...named(['drifted', 'drifted'], ['done', 'done'], ['interrupted', 'interrupted'], ['skipped', 'never started'], ['unchanged', 'unchanged'])];

/** The stream has two words for one thing. */
export const planned_action = (action: string): string => (action === 'remove' ? 'forget' : action);

/** `by_plan`: what is planned says more than the state. */
export function group_of(row: Resource, by_plan: boolean): string {
  // What was read is no change: it is not counted among those.
  if (!by_plan && row.status === 'done' && row.mode === 'data') return 'read';
  if (!by_plan || row.status === 'failed' || row.status === 'running') return row.status;
  const actions = row.plan.map(({ action }) => planned_action(action));
  const first = plan_words.find(({ is }) => actions.includes(is))?.is;
  // A plan says "noop" of what it can't change, and of what it leaves.
  return first ?? (row.status === 'planned' ? 'unchanged' : row.status);
}
