// A page that is a file has its rows inside, one a line, as `tofud replay --rows` prints them.
import { batch } from '@preact/signals';
import { Fold, type Row, type Run } from '../../../../protocol/feed/client/client.js';
import { module_of } from '../rows/module_counts.js';
import { following, link, now, Rows, run_id, runs, saved, saved_plans, server, shown, source } from '../rows/model.js';
import type { PlanRow } from '../values/change.js';
import { parse } from '../values/json_text.js';

/** A plan that no run belongs to has a run made of it. */
const plan_run = 'plan';

/** What a block of the page has, a line each. */
const lines_in = (block: HTMLElement): string[] => (block.textContent ?? '').split('\n').filter(Boolean);

const in_stream: { [action: string]: string } = { 'delete,create': 'replace', 'create,delete': 'replace', 'create,forget': 'replace', 'no-op': 'noop' };

const planned_in = (block: HTMLElement): PlanRow[] => lines_in(block).map((line) => parse<PlanRow>(line)).filter((row) => row.kind === 'resource');

function rows_of_plan(block: HTMLElement, runs: Run[]): Rows {
  const planned = planned_in(block);
  const rows = new Rows();
  const run = {
    kind: 'run', run: plan_run, key: plan_run, stack: block.dataset.name ?? '', command: 'plan', status: 'succeeded', phase: 'plan', labels: {}, counts: {}, progress: { done: 0, total: 0 },
    planned: null, applied: null, diagnostics: { error: 0, warning: 0 }, started_at: null, ended_at: null, last_line_at: null, attachments: ['plan'],
  } as unknown as Run;
  rows.take(run);
  runs.push(run);
  planned.filter((row) => !row.drift && !row.deposed).forEach((row, at) => rows.take({
    kind: 'resource', run: plan_run, key: row.address, addr: row.address, module: module_of(row.address), first: at + 1, status: row.action === 'no-op' ? 'unchanged' : 'planned',
    plan: [{ action: in_stream[row.action] ?? row.action }], steps: [], diagnostics: [], activity: null, id: null, drift: null, source: null,
  } as unknown as Row));
  saved_plans.set(plan_run, planned);
  return rows;
}

/** True if this page is one; then everything is shown that ever will be. */
export function show_saved(): boolean {
  const block = document.getElementById('rows');
  if (!block) return false;
  const by_run = new Map<string, Rows>();
  const found: Run[] = [];
  const fold = new Fold(); // for its reading of numbers
  for (const text of lines_in(block)) {
    const line = fold.take(text) as Row;
    let rows = by_run.get(line.run);
    if (!rows) by_run.set(line.run, (rows = new Rows()));
    rows.take(line);
    if (line.kind === 'run') found.push(line as Run);
  }
  const plan = document.getElementById('plan-rows');
  if (plan?.dataset.run) saved_plans.set(plan.dataset.run, planned_in(plan));
  else if (plan) by_run.set(plan_run, rows_of_plan(plan, found));
  for (const rows of by_run.values()) rows.publish();
  const show = (run: string | null) => {
    const rows = run === null ? undefined : by_run.get(run);
    if (!rows) return;
    batch(() => {
      shown.value = rows;
      run_id.value = run!;
    });
  };
  batch(() => {
    saved.value = { cut: block.dataset.cut ?? '' };
    link.value = { is: 'over', reason: '' };
    server.value = block.dataset.server ?? server.value;
    following.value = false;
    runs.value = found;
    now.value = Date.now();
    show(found[found.length - 1]?.key ?? null);
  });
  source.show = show;
  return true;
}
