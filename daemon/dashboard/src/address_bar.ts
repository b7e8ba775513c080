// What the page's address says: the run, the filter, and in its fragment the resource. Who copies it shows somebody else the same.
import { effect } from '@preact/signals';
import { drift, module, moment, statuses, stream, tests, text, view, views, wanted } from './choice.js';
import { filter_parameters } from './filter.js';
import { parse_moment } from './moment.js';
import * as words from './words.js';

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

/** Takes the filter and the view from the address, and keeps them there from then on. */
export function keep_choice(): void {
  const asked = new URLSearchParams(location.search);
  text.value = asked.get('q') ?? '';
  statuses.value = new Set((asked.get('status') ?? '').split(',').filter((each) => words.statuses.includes(each)));
  module.value = asked.get('module');
  moment.value = parse_moment(asked.get('at'));
  view.value = views.find((each) => each === asked.get('view')) ?? (moment.value === null ? 'table' : 'waterfall');
  tests.value = new Set(asked.get('tests')?.split(','));
  stream.value = asked.has('stream');
  drift.value = asked.has('drift');
  let first = true;
  effect(() => {
    const now = filter_parameters(wanted.value);
    if (view.value !== 'table') now.push(['view', view.value]);
    // A moment is one of the waterfall.
    if (view.value === 'waterfall' && moment.value !== null) now.push(['at', `${moment.value}`]);
    if (tests.value.size > 0) now.push(['tests', [...tests.value].join(',')]);
    if (stream.value) now.push(['stream', '1']);
    if (!first) put(with_parameters(['q', 'status', 'module', 'drift', 'view', 'at', 'tests', 'stream'], now));
    first = false;
  });
}
