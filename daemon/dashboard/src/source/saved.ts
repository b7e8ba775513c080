// A page that is a file has its rows inside, one a line, as `tofud replay --rows` prints them.
import { batch } from '@preact/signals';
import { Fold, type Row, type Run } from '../../../../protocol/feed/client/client.js';
import { following, link, now, Rows, run_id, runs, saved, server, shown, source } from '../rows/model.js';

/** True if this page is one; then everything is shown that ever will be. */
export function show_saved(): boolean {
  const block = document.getElementById('rows');
  if (!block) return false;
  const by_run = new Map<string, Rows>();
  const found: Run[] = [];
  const fold = new Fold(); // for its reading of numbers
  for (const text of (block.textContent ?? '').split('\n')) {
    if (!text) continue;
    const line = fold.take(text) as Row;
    let rows = by_run.get(line.run);
    if (!rows) by_run.set(line.run, (rows = new Rows()));
    rows.take(line);
    if (line.kind === 'run') found.push(line as Run);
  }
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
