// What the viewer has chosen: the filter, the row under the cursor, the resource whose drawer is open.
import { batch, computed, signal } from '@preact/signals';
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { passes, wants_all } from './filter.js';
import { shown } from '../rows/model.js';
import { addressed, fragment } from '../values/words.js';

export const text = signal('');
/** Empty: all. */
export const statuses = signal<ReadonlySet<string>>(new Set());
/** null: all; '' is the root module. */
export const module = signal<string | null>(null);
/** Address under the cursor. */
export const cursor = signal('');
/** Address of the open drawer; the page's fragment is the truth of it. */
export const opened = signal(addressed(location.hash));
export const help = signal(false);
/** How the resources are shown. */
export const views = ['table', 'waterfall', 'compare'] as const;
export type View = (typeof views)[number];
export const view = signal<View>('table');
/** The run to compare with; empty: the run before. */
export const compared = signal('');
/** Which differences are shown; none of them: all. */
export const difference = signal('');
/** The waterfall shows the critical path alone. */
export const path = signal(false);
/** Seconds since the run began: the waterfall shows what ran then. */
export const moment = signal<number | null>(null);

addEventListener('hashchange', () => {
  opened.value = addressed(location.hash);
  if (opened.value) cursor.value = opened.value;
});

/** States of tests that are shown; empty: all. */
export const tests = signal<ReadonlySet<string>>(new Set());
/** The stream as it came is shown as well. */
export const stream = signal(false);
/** Only what has changed outside of OpenTofu. */
export const drift = signal(false);

export function open(addr: string): void {
  location.hash = fragment(addr);
}

export function close(): void {
  // Not `hash = ''`, which would scroll to the top.
  history.pushState(null, '', location.pathname + location.search);
  opened.value = '';
}

export const wanted = computed(() => ({ text: text.value, statuses: statuses.value, module: module.value, drift: drift.value }));

export const filtered = computed(() => !wants_all(wanted.value));

/** Nothing is filtered any more. */
export function clear(): void {
  batch(() => {
    text.value = '';
    statuses.value = new Set();
    module.value = null;
    drift.value = false;
  });
}

/** The resources that pass the filter: what failed, then the others, both in order of first appearance. */
export const resources = computed<readonly Resource[]>(() => {
  const { rows } = shown.value.resource;
  // Rows are replaced in place: a new array each time, so that those who read this notice.
  const passing = filtered.value ? rows.filter((row) => passes(row, wanted.value)) : rows.slice();
  if (!passing.some((row) => row.status === 'failed')) return passing;
  const failed = (row: Resource) => row.status === 'failed';
  return [...passing.filter(failed), ...passing.filter((row) => !failed(row))];
});

export function show_moment(at: number): void {
  batch(() => {
    moment.value = +at.toFixed(3);
    view.value = 'waterfall';
  });
  if (opened.value) close();
  setTimeout(() => document.getElementById('waterfall')?.scrollIntoView({ block: 'nearest' }));
}

export function move(by: number): void {
  const rows = resources.value;
  if (rows.length === 0) return;
  const at = rows.findIndex((row) => row.addr === cursor.value);
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1);
  cursor.value = rows[next]!.addr;
}

/** The next failed resource after the cursor, from the start again at the end. */
export function next_failure(): void {
  const rows = resources.value;
  const at = rows.findIndex((row) => row.addr === cursor.value);
  for (let i = 1; i <= rows.length; i++) {
    const row = rows[(at + i + rows.length) % rows.length]!;
    if (row.status === 'failed') {
      cursor.value = row.addr;
      return;
    }
  }
}
