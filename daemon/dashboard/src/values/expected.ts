// When what runs and what waits is expected to run: by what is usual, and by what each waits for. Places among those that run at once
// are not counted: the end that tofud estimates counts them.
import type { Forecast, Resource } from '../../../../protocol/feed/client/client.js';
import type { Span } from './timeline.js';
import { block_of } from './order_graph.js';

/** More than that nobody reads ahead of now; it is worked out twice a second. */
const most_rows = 5000;

interface Known {
  rows: ReadonlyMap<string, Resource>;
  /** By `block[*]`, as rows name more than a few of a block. */
  blocks: ReadonlyMap<string, Resource[]>;
  usual: (addr: string) => Forecast | undefined;
  now: number;
}

/** Milliseconds that it usually takes; nothing: nobody knows. */
function usual_ms(row: Resource, known: Known): number | undefined {
  const usual = known.usual(row.addr)?.usual ?? {};
  const running = row.steps.find((step) => step.status === 'running');
  if (running) return Object.hasOwn(usual, running.action) ? 1000 * usual[running.action]!.p50_s : undefined;
  const owed = row.plan.flatMap(({ action }) => (action === 'replace' ? ['delete', 'create'] : [action])).filter((action) => Object.hasOwn(usual, action));
  return owed.length > 0 ? owed.reduce((sum, action) => sum + 1000 * usual[action]!.p50_s, 0) : undefined;
}

const named = (name: string, known: Known): readonly Resource[] => {
  const row = known.rows.get(name);
  return row ? [row] : known.blocks.get(name) ?? [];
};

/** By address, of what runs and is not over by what is usual, and of what waits. Nothing of what nobody knows how long it takes. */
export function expected_spans(rows: readonly Resource[], usual: Known['usual'], now: number): Map<string, Span> {
  const found = new Map<string, Span>();
  if (rows.length > most_rows) return found;
  const blocks = new Map<string, Resource[]>();
  for (const row of rows) {
    const name = `${block_of(row.addr)}[*]`;
    const there = blocks.get(name);
    if (there) there.push(row);
    else blocks.set(name, [row]);
  }
  const known: Known = { rows: new Map(rows.map((row) => [row.addr, row])), blocks, usual, now };
  // Behind the last of what it waits for. Whoever is looked at twice waits for itself, and is not known.
  const begun = new Set<Resource>();
  const ends = new Map<Resource, number>();
  for (const first of rows) {
    const open = [first];
    while (open.length > 0) {
      const row = open[open.length - 1]!;
      if (ends.has(row) || (row.status !== 'running' && row.status !== 'planned')) {
        open.pop();
        continue;
      }
      const waits = row.status === 'planned' ? (row.waiting_for ?? []).flatMap((name) => named(name, known)) : [];
      if (!begun.has(row)) {
        begun.add(row);
        for (const each of waits) if (!begun.has(each)) open.push(each);
        continue;
      }
      open.pop();
      const took = usual_ms(row, known);
      const step = row.steps.find((each) => each.status === 'running');
      const from = step?.started_at ? Date.parse(step.started_at) : Math.max(now, ...waits.map((each) => ends.get(each) ?? now));
      ends.set(row, Math.max(now, from + (took ?? 0)));
      if (took !== undefined && from + took > now) found.set(row.addr, { from: Math.max(from, step ? now : from), to: from + took });
    }
  }
  return found;
}
