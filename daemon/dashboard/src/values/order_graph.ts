// What comes before what in an apply, as a drawing: blocks folded by module, in layers, each behind all that it waits for.
import { module_of, parts_of } from '../rows/module_counts.js';

/** As tofud answers it (/v1/runs/ID/order). */
export interface OrderStep {
  /** Without keys. */
  block: string;
  does: 'make' | 'remove' | 'remove_deposed';
  operations: number;
  /** Numbers of the steps before it. */
  before: number[];
}

/** A step, or a module whose steps are one. */
export interface GraphNode {
  /** Module or block, and what is done to it. */
  key: string;
  /** Of the module, if it is one; else of the block. */
  address: string;
  is_module: boolean;
  does: OrderStep['does'];
  /** Numbers of the steps in it. */
  steps: number[];
  before: number[];
  after: number[];
  layer: number;
  /** In rows from the top. */
  y: number;
}

export interface Graph {
  nodes: GraphNode[];
  layers: number;
  /** In rows. */
  height: number;
}

/** More are folded by module when they come: that many fit into somebody's head. */
const most_at_first = 150;

/** `module.a`, `module.a.module.b` of `module.a.module.b.aws_vpc.main`. */
export function modules_around(block: string): string[] {
  const found: string[] = [];
  let path = '';
  for (const part of parts_of(module_of(block))) found.push((path += (path && '.') + part));
  return found;
}

/** Modules of so many levels are open at first. */
export function open_levels(steps: readonly OrderStep[]): number {
  const around = steps.map(({ block }) => modules_around(block));
  const deepest = around.reduce((most, each) => Math.max(most, each.length), 0);
  let levels = 0;
  while (levels < deepest) {
    const nodes = new Set(steps.map(({ block, does }, i) => `${does} ${around[i]![levels + 1] ?? block}`));
    if (nodes.size > most_at_first) break;
    levels++;
  }
  return levels;
}

/** `folds`: modules that somebody has opened (true) or closed. */
export function graph_of(steps: readonly OrderStep[], levels: number, folds: ReadonlyMap<string, boolean>): Graph {
  const nodes: GraphNode[] = [];
  const places = new Map<string, number>();
  const node_of = steps.map(({ block, does }, i) => {
    const closed = modules_around(block).find((path, level) => !(folds.get(path) ?? level < levels));
    const key = `${does} ${closed ?? block}`;
    let at = places.get(key);
    if (at === undefined) {
      places.set(key, (at = nodes.length));
      nodes.push({ key, address: closed ?? block, is_module: closed !== undefined, does, steps: [], before: [], after: [], layer: 0, y: 0 });
    }
    nodes[at]!.steps.push(i);
    return at;
  });
  const before = nodes.map(() => new Set<number>());
  steps.forEach((step, i) => step.before.forEach((each) => node_of[each] !== node_of[i] && before[node_of[i]!]!.add(node_of[each]!)));
  nodes.forEach((node, i) => (node.before = [...before[i]!]));
  nodes.forEach((node, i) => node.before.forEach((each) => nodes[each]!.after.push(i)));
  const layers = put_in_layers(nodes);
  const height = put_in_rows(nodes, layers);
  return { nodes, layers: layers.length, height };
}

/** Each behind all that it waits for. Modules may wait for each other: of a circle the first goes first. */
function put_in_layers(nodes: readonly GraphNode[]): number[][] {
  const left = nodes.map(({ before }) => before.length);
  const placed = nodes.map(() => false);
  const ready = nodes.flatMap((_, i) => (left[i] === 0 ? [i] : []));
  let next = 0;
  for (let done = 0; done < nodes.length; done++) {
    if (ready.length === done) {
      while (placed[next]) next++;
      ready.push(next);
    }
    const at = ready[done]!;
    placed[at] = true;
    for (const after of nodes[at]!.after) {
      if (placed[after]) continue;
      nodes[after]!.layer = Math.max(nodes[after]!.layer, nodes[at]!.layer + 1);
      if (--left[after]! === 0) {
        placed[after] = true;
        ready.push(after);
      }
    }
  }
  const layers: number[][] = [];
  nodes.forEach(({ layer }, i) => (layers[layer] ??= []).push(i));
  return Array.from(layers, (each) => each ?? []);
}

const sweeps = 6;

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** Near what each waits for and what waits for it: sweeps to and fro, each n log n. */
function put_in_rows(nodes: readonly GraphNode[], layers: number[][]): number {
  const by_address = (one: number, other: number) => (nodes[one]!.address < nodes[other]!.address ? -1 : 1);
  for (const layer of layers) layer.sort(by_address).forEach((at, i) => (nodes[at]!.y = i - layer.length / 2));
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const order = sweep % 2 === 0 ? layers : [...layers].reverse();
    for (const layer of order) {
      const wish = new Map(layer.map((at) => {
        const near = sweep % 2 === 0 ? nodes[at]!.before : nodes[at]!.after;
        return [at, near.length > 0 ? mean(near.map((each) => nodes[each]!.y)) : nodes[at]!.y];
      }));
      layer.sort((one, other) => wish.get(one)! - wish.get(other)! || by_address(one, other));
      spread(nodes, layer, wish);
    }
  }
  const top = nodes.reduce((least, { y }) => Math.min(least, y), Infinity);
  let height = 0;
  for (const node of nodes) {
    node.y = Math.round(2 * (node.y - top)) / 2;
    height = Math.max(height, node.y + 1);
  }
  return height;
}

/** No two on each other, and all of them about where they wish to be. */
function spread(nodes: readonly GraphNode[], layer: readonly number[], wish: ReadonlyMap<number, number>): void {
  let below = -Infinity;
  let moved = 0;
  for (const at of layer) {
    const y = Math.max(wish.get(at)!, below + 1);
    moved += y - wish.get(at)!;
    nodes[at]!.y = below = y;
  }
  const back = moved / layer.length;
  for (const at of layer) nodes[at]!.y -= back;
}

/** Without instance keys: `module.a.aws_vpc.main` of `module.a["x"].aws_vpc.main[0]`. What can't be taken apart stays. */
export function block_of(addr: string): string {
  let made = '';
  let from = 0;
  for (let at = addr.indexOf('['); at >= 0; at = addr.indexOf('[', from)) {
    made += addr.slice(from, at);
    let end = at + 1;
    if (addr[end] === '"') {
      for (end++; end < addr.length && addr[end] !== '"'; end++) if (addr[end] === '\\') end++;
      end++;
    }
    while (end < addr.length && addr[end] !== ']') end++;
    from = end + 1;
  }
  return made + addr.slice(from);
}
