// What the viewer has chosen: the filter, the row under the cursor, the resource that is looked at.
import { batch, computed, signal } from '@preact/signals';
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { passes, wants_all } from './filter.js';
import { saved, shown } from '../rows/model.js';
import type { Order, Span } from '../values/timeline.js';
import { addressed } from '../values/words.js';

function wider_than(width: string) {
  const query = matchMedia(`(min-width: ${width})`);
  const is = signal(query.matches);
  query.addEventListener('change', () => (is.value = query.matches));
  return is;
}

export const text = signal('');
/** Empty: all. */
export const statuses = signal<ReadonlySet<string>>(new Set());
/** null: all; '' is the root module. */
export const module = signal<string | null>(null);
/** Address under the cursor. */
export const cursor = signal('');
/** Address of the resource that is looked at; the page's fragment is the truth of it. */
export const opened = signal(addressed(location.hash));
export const help = signal(false);
/** What can be gone to by typing is shown. */
export const palette = signal(false);
/** What is shown of the run; `overview` has the list of resources with what there is to say beside it. */
export const views = ['overview', 'resources', 'plan', 'graph', 'waterfall', 'log', 'outputs', 'compare'] as const;
export type View = (typeof views)[number];
/** As they are called. */
export const view_words: { readonly [view in View]: string } = {
  overview: 'Overview', resources: 'Resources', plan: 'Plan', graph: 'Graph', waterfall: 'Timeline', log: 'Log', outputs: 'Outputs', compare: 'Compare',
};
export const view = signal<View>('overview');
/** A file has nobody to ask for them. */
const asked_for: ReadonlySet<View> = new Set(['graph', 'compare']);
export const is_offered = (which: View): boolean => !saved.value || !asked_for.has(which);
const wide = wider_than('30rem');
/** A phone: rows have two lines. */
export const narrow = computed(() => !wide.value);
/** There is room for a pane beside the list; else what it shows is above the list, and a resource is a sheet over all. */
export const beside = wider_than('68.75rem');
/** There is room for the modules as well. */
export const modules_beside = wider_than('100rem');
/** The run to compare with; empty: the run before. */
export const compared = signal('');
/** Which differences are shown; none of them: all. */
export const difference = signal('');
/** The waterfall shows the critical path alone. */
export const path = signal(false);
/** The slider over the time of the run is there. */
export const scrubbing = signal(false);
/** Seconds since the run began: all views show how it stood then. null: how it stands. */
export const as_of = signal<number | null>(null);
/** How lanes of the waterfall are ordered; null: as suits their number. */
export const lane_order = signal<Order | null>(null);
/** Seconds since the run began: the part of its time that the waterfall shows. null: all. */
export const range = signal<Span | null>(null);
/** Seconds since the run began: the waterfall shows what ran then. */
export const moment = signal<number | null>(null);

/** What is looked at followed the cursor, or was named by the address when the page came: the focus stays where it is. */
export const followed = signal(true);

addEventListener('hashchange', () => {
  batch(() => {
    followed.value = false;
    opened.value = addressed(location.hash);
    if (opened.value) cursor.value = opened.value;
  });
});

/** States of tests that are shown; empty: all. */
export const tests = signal<ReadonlySet<string>>(new Set());
/** The stream as it came is shown as well. */
export const stream = signal(false);
/** Only what has changed outside of OpenTofu. */
export const drift = signal(false);

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

/** The resources that pass the filter, in order of first appearance. */
export const resources = computed<readonly Resource[]>(() => {
  const { rows } = shown.value.resource;
  // Rows are replaced in place: a new array each time, so that those who read this notice.
  return filtered.value ? rows.filter((row) => passes(row, wanted.value)) : rows.slice();
});

export function show_moment(at: number): void {
  batch(() => {
    moment.value = +at.toFixed(3);
    view.value = 'waterfall';
  });
  if (opened.value) close();
  setTimeout(() => document.getElementById('waterfall')?.scrollIntoView({ block: 'nearest' }));
}
