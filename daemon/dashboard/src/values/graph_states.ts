// How far the blocks of a drawing are, by the rows of their resources.
import type { Resource, StepAction } from '../../../../protocol/feed/client/client.js';
import { block_of, type GraphNode, type OrderStep } from './order_graph.js';

export interface NodeState {
  /** By state. */
  counts: { [status: string]: number };
  total: number;
  /** Something that failed keeps some of it from beginning. */
  stranded: number;
  rows: Resource[];
}

const making = new Set<StepAction>(['create', 'update', 'read']);

const does_it = (action: StepAction, does: OrderStep['does']): boolean => (does === 'make' ? making.has(action) : action === 'delete');

/** Of what is replaced each half has a state. */
function state_of(row: Resource, does: OrderStep['does']): string {
  for (let at = row.steps.length; at-- > 0;) {
    const step = row.steps[at]!;
    if (step.phase === 'apply' && does_it(step.action, does)) return step.status;
  }
  return row.status === 'running' || row.status === 'done' ? 'planned' : row.status;
}

const owes = (row: Resource, does: OrderStep['does']): boolean =>
  row.plan.some(({ action, deposed }) => (does === 'remove_deposed' ? Boolean(deposed) && action === 'delete'
    : action === 'replace' || (does === 'make' ? making.has(action as StepAction) : action === 'delete' && !deposed)));

/** Keys cost time: each address is taken apart once. */
const blocks = new Map<string, string>();
const most_known = 50_000;

function known_block(addr: string): string {
  let found = blocks.get(addr);
  if (found === undefined) {
    if (blocks.size >= most_known) blocks.clear();
    blocks.set(addr, (found = block_of(addr)));
  }
  return found;
}

/** Of each node; rows that the order does not have are left out. */
export function states_of(nodes: readonly GraphNode[], steps: readonly OrderStep[], rows: readonly Resource[]): NodeState[] {
  const found = nodes.map((): NodeState => ({ counts: {}, total: 0, stranded: 0, rows: [] }));
  const node_of = new Map<string, number>();
  nodes.forEach((node, i) => node.steps.forEach((step) => node_of.set(`${steps[step]!.does} ${steps[step]!.block}`, i)));
  for (const row of rows) {
    const block = known_block(row.addr);
    for (const does of ['make', 'remove', 'remove_deposed'] as const) {
      const at = node_of.get(`${does} ${block}`);
      if (at === undefined || !owes(row, does)) continue;
      const state = found[at]!;
      const status = state_of(row, does);
      state.counts[status] = (state.counts[status] ?? 0) + 1;
      state.total++;
      if (row.behind) state.stranded++;
      state.rows.push(row);
    }
  }
  return found;
}

/** The state that a node is drawn in: what needs somebody first, and of quiet ones that of all. */
export function drawn_state({ counts, total }: NodeState): string {
  for (const status of ['failed', 'running', 'interrupted']) if (counts[status]) return status;
  if (total > 0 && counts['done'] === total) return 'done';
  if (counts['done']) return 'running';
  return counts['planned'] || total === 0 ? 'planned' : 'skipped';
}

/** `3 of 12 done, 1 failed`. */
export function state_words({ counts, total, stranded }: NodeState): string {
  const said: string[] = [];
  if (counts['done']) said.push(counts['done'] === total && total === 1 ? 'done' : `${counts['done']} of ${total} done`);
  for (const status of ['failed', 'running', 'interrupted', 'skipped']) if (counts[status]) said.push(total === 1 ? status : `${counts[status]} ${status}`);
  if (stranded) said.push(total === 1 ? 'behind a failure' : `${stranded} behind a failure`);
  return said.join(', ') || (total === 1 ? 'planned' : `${total} planned`);
}
