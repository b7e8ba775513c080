// What the page's address says: the run, the filter, and in its fragment the resource. Who copies it shows somebody else the same.
import { effect } from '@preact/signals';
import {
  compared, difference, drift, module, moment, path, range, statuses, stream, tests, text, view, views, wanted, type View,
} from './choice.js';
import { filter_parameters } from './filter.js';
import { parse_moment } from '../values/moment.js';
import { parse_range, range_text } from '../values/timeline.js';
import * as words from '../values/words.js';

/** The address with these parameters and what else it had. */
function with_parameters(names: readonly string[], values: [string, string][]): string {
  const query = new URLSearchParams(location.search);
  for (const name of names) query.delete(name);
  for (const [name, value] of values) query.set(name, value);
  const said = query.toString();
  return location.pathname + (said && `?${said}`) + location.hash;
}

function put(address: string): void {
  try {
    history.replaceState(null, '', address);
  } catch {
    // Some browsers give a page that is a file no address but its own.
  }
}

/** null: the newest. */
export function put_run(run: string | null): void {
  put(with_parameters(['run'], run === null ? [] : [['run', run]]));
}

/** The view that shows what the address names, if it names no view. */
const view_of_choice = (): View => (compared.value ? 'compare' : moment.value !== null ? 'waterfall' : stream.value ? 'log' : 'overview');

const names = ['q', 'status', 'module', 'drift', 'view', 'compare', 'differ', 'at', 'range', 'path', 'tests', 'stream'];

/** Takes the filter and the view from the address, and keeps them there from then on. */
export function keep_choice(): void {
  const asked = new URLSearchParams(location.search);
  text.value = asked.get('q') ?? '';
  statuses.value = new Set((asked.get('status') ?? '').split(',').filter((each) => words.statuses.includes(each)));
  module.value = asked.get('module');
  compared.value = asked.get('compare') ?? '';
  difference.value = asked.get('differ') ?? '';
  moment.value = parse_moment(asked.get('at'));
  range.value = parse_range(asked.get('range'));
  stream.value = asked.has('stream');
  view.value = views.find((each) => each === asked.get('view')) ?? view_of_choice();
  tests.value = new Set(asked.get('tests')?.split(','));
  path.value = asked.has('path');
  drift.value = asked.has('drift');
  let first = true;
  effect(() => {
    const now = filter_parameters(wanted.value);
    if (view.value !== 'overview') now.push(['view', view.value]);
    if (view.value === 'compare' && compared.value) now.push(['compare', compared.value]);
    if (view.value === 'compare' && difference.value) now.push(['differ', difference.value]);
    // A moment is one of the waterfall.
    if (view.value === 'waterfall' && moment.value !== null) now.push(['at', `${moment.value}`]);
    if (view.value === 'waterfall' && range.value) now.push(['range', range_text(range.value)]);
    if (view.value === 'waterfall' && path.value) now.push(['path', '1']);
    if (tests.value.size > 0) now.push(['tests', [...tests.value].join(',')]);
    if (view.value === 'log' && stream.value) now.push(['stream', '1']);
    if (!first) put(with_parameters(names, now));
    first = false;
  });
}
