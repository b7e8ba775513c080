// The cursor goes through the rows of the view; what is beside the list follows it.
import { batch } from '@preact/signals';
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { beside, cursor, followed, opened, resources, view } from './choice.js';
import { entries, listed } from './groups.js';
import { fragment } from '../values/words.js';

/** A key that is held moves the cursor faster than anybody reads. */
const following_ms = 120;

let soon = 0;

function follow(addr: string): void {
  clearTimeout(soon);
  if (!beside.value || view.value !== 'overview') return;
  soon = window.setTimeout(() => {
    if (cursor.value !== addr || opened.value === addr) return;
    followed.value = true;
    opened.value = addr;
    history.replaceState(null, '', location.pathname + location.search + fragment(addr));
  }, following_ms);
}

function put(row: Resource): void {
  cursor.value = row.addr;
  follow(row.addr);
}

const rows = (): readonly Resource[] => (view.value === 'overview' || view.value === 'resources' ? listed.value : resources.value);

export function move(by: number): void {
  const all = rows();
  if (all.length === 0) return;
  const at = all.findIndex((row) => row.addr === cursor.value);
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1);
  put(all[next]!);
}

/** To the next failed resource, or the one before it (`by` is -1), from the other end again at the end. */
export function to_failure(by: 1 | -1): void {
  const failed = rows().filter((row) => row.status === 'failed');
  if (failed.length === 0) return;
  const at = failed.findIndex((row) => row.addr === cursor.value);
  put(failed[at < 0 ? (by > 0 ? 0 : failed.length - 1) : (at + by + failed.length) % failed.length]!);
}

/** To the first row of the next group of the list, or of the one before. */
export function to_group(by: 1 | -1): void {
  const all = entries.value;
  const at = all.findIndex((each) => 'row' in each && each.row.addr === cursor.value);
  const heads = all.flatMap((each, i) => ('head' in each && !each.folded ? [i] : []));
  const here = heads.filter((each) => each < at).length - 1;
  const row = all[(heads[at < 0 ? 0 : here + by] ?? NaN) + 1];
  if (row && 'row' in row) put(row.row);
}

/** In a plan: to the next of these, or the one before; the focus goes there. */
export function to_next(selector: string, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const here = document.activeElement?.closest(selector);
  const at = here ? all.indexOf(here as HTMLElement) + by : by > 0 ? 0 : all.length - 1;
  const next = all[Math.min(Math.max(at, 0), all.length - 1)];
  if (!next) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

/** The focus goes to what is opened. */
export function open(addr: string): void {
  clearTimeout(soon);
  if (location.hash !== fragment(addr)) {
    location.hash = fragment(addr);
    return;
  }
  batch(() => {
    followed.value = false;
    opened.value = addr;
  });
}
