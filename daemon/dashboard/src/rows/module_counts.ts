// How many resources of each status each module has, kept as rows change: nobody counts twenty thousand rows for a drawing.
import type { Resource } from '../../../../protocol/feed/client/client.js';

export type Counts = { [status: string]: number };

export interface ModuleNode {
  /** `module.net.module.subnet["a"]`; empty: the root. */
  path: string;
  /** Its own part of that: `subnet["a"]`. */
  name: string;
  /** Of it and of all that are in it. Only the root module stands for itself alone. */
  counts: Counts;
  total: number;
  /** By name; instances of one call in the order of their keys. */
  children: ModuleNode[];
}

const part = /module\.[^.[]+(?:\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\])?/y;

/** `module.a["x.y"].module.b` into `module.a["x.y"]` and `module.b`. What is no such path is one part. */
export function parts_of(path: string): string[] {
  const parts: string[] = [];
  part.lastIndex = 0;
  while (part.lastIndex < path.length) {
    const at = part.lastIndex;
    const found = part.exec(path);
    const end = found ? at + found[0].length : 0;
    if (!found || (end < path.length && path[end] !== '.')) return [path];
    parts.push(found[0]);
    part.lastIndex = end + 1;
  }
  return parts;
}

/** `module.a["x"].module.b` of an address in it; '' of one in the root module. */
export function module_of(addr: string): string {
  let end = 0;
  part.lastIndex = 0;
  for (let found = part.exec(addr); found && addr[part.lastIndex] === '.'; found = part.exec(addr)) {
    end = part.lastIndex;
    part.lastIndex = end + 1;
  }
  return addr.slice(0, end);
}

const by_name = new Intl.Collator('en', { numeric: true });

export class ModuleCounts {
  private own = new Map<string, Counts>();

  update(before: Resource | undefined, after: Resource): void {
    if (before?.status === after.status) return;
    if (before) this.add(before, -1);
    this.add(after, 1);
  }

  clear(): void {
    this.own.clear();
  }

  /** Everything, with the root module as the first of what it has in it. */
  tree(): ModuleNode {
    const root: ModuleNode = { path: '', name: '', counts: {}, total: 0, children: [] };
    const nodes = new Map([['', root]]);
    for (const [path, counts] of this.own) this.roll_up(path === '' ? [root, this.root_module(root)] : this.way_to(path, nodes), counts);
    const sort = (node: ModuleNode) => {
      node.children.sort((one, other) => by_name.compare(one.name, other.name));
      node.children.forEach(sort);
    };
    sort(root);
    return root;
  }

  private add(row: Resource, by: number): void {
    let counts = this.own.get(row.module);
    if (!counts) this.own.set(row.module, (counts = {}));
    counts[row.status] = (counts[row.status] ?? 0) + by;
  }

  private root_module(all: ModuleNode): ModuleNode {
    const node: ModuleNode = { path: '', name: '', counts: {}, total: 0, children: [] };
    all.children.push(node);
    return node;
  }

  /** From the root to the module; what is missing is made. */
  private way_to(path: string, nodes: Map<string, ModuleNode>): ModuleNode[] {
    const way = [nodes.get('')!];
    for (const step of parts_of(path)) {
      const parent = way[way.length - 1]!;
      const here = parent.path === '' ? step : `${parent.path}.${step}`;
      let node = nodes.get(here);
      if (!node) {
        node = { path: here, name: step.replace(/^module\./, ''), counts: {}, total: 0, children: [] };
        nodes.set(here, node);
        parent.children.push(node);
      }
      way.push(node);
    }
    return way;
  }

  private roll_up(way: ModuleNode[], counts: Counts): void {
    for (const [status, count] of Object.entries(counts)) {
      if (count === 0) continue;
      for (const node of way) {
        node.counts[status] = (node.counts[status] ?? 0) + count;
        node.total += count;
      }
    }
  }
}
