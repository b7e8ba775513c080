// Two runs of a stack side by side.
import assert from 'node:assert/strict';
import test from 'node:test';
import { compare, longer_s, older_runs, only, run_before, times_words } from 'page-parts';

const at = (second) => new Date(Date.UTC(2026, 10, 21, 3, 0, second)).toISOString();
const run = (key = 'r', more = {}) => ({
  kind: 'run', key, run: key, command: 'apply', status: 'succeeded', phase: 'apply', versions: { tofu: '1.12.0', ui: '1.2' }, labels: {},
  stack: 'net', started_at: at(0), ended_at: at(30), last_line_at: at(30), ...more,
});
const step = (action, elapsed, status = 'done', phase = 'apply') => ({ n: 1, phase, action, status, elapsed, started_at: at(1) });
const row = (addr, status = 'done', { plan = ['create'], steps = [] } = {}) => ({
  addr, key: addr, module: '', status, plan: plan.map((action) => ({ action })), steps, id: null,
});
const side = (resources = [], more = {}) => ({ run: run(), resources, diagnostics: [], outputs: [], ...more });
const told = (found) => found.resources.map((each) => [each.addr, each.what]);

test('the same rows differ in nothing', () => {
  const rows = [row('a', 'done', { steps: [step('create', 2)] }), row('b', 'unchanged', { plan: [] })];
  const found = compare(side(rows), side(rows));
  assert.deepEqual([found.resources, found.same, found.failures, found.outputs, found.facts, found.counts], [[], 2, [], [], [], {}]);
  assert.deepEqual(found.took, { then: 30, now: 30 });
});

test('each resource is in one group, trouble first, what is only in one of the runs last', () => {
  const found = compare(
    side([row('ok'), row('fixed', 'failed'), row('gone'), row('cut', 'done'), row('broken'), row('as before', 'failed')]),
    side([row('ok'), row('fixed'), row('new'), row('new and failed', 'failed'), row('cut', 'interrupted'), row('broken', 'failed'), row('as before', 'failed')]));
  assert.deepEqual(told(found), [['new and failed', 'broken'], ['broken', 'broken'], ['as before', 'still'], ['cut', 'ended'], ['fixed', 'repaired'], ['new', 'here'], ['gone', 'there']]);
  assert.deepEqual(found.counts, { broken: 2, still: 1, ended: 1, repaired: 1, here: 1, there: 1 });
  assert.equal(found.same, 1);
});

test('how many times as long is said where it is more than chance', () => {
  assert.deepEqual([[27.2, 3.1], [3, 40], [10, 10.5], [0.05, 3], [1, 1.5]].map(([then, now]) => times_words(then, now)), ['8.8× faster', '13× slower', '', '', '1.5× slower']);
});

test('what ended otherwise because it was planned otherwise is told once', () => {
  const found = compare(
    side([row('a'), row('b'), row('c', 'done', { plan: ['delete', 'create'] })]),
    side([row('a', 'unchanged', { plan: [] }), row('b', 'failed', { plan: ['update'] }), row('c', 'done', { plan: ['create', 'delete'] })]));
  assert.deepEqual(told(found), [['b', 'broken'], ['a', 'planned']]);
});

test('times of the same work are compared, a second at least, the largest difference first', () => {
  const times = (seconds) => Object.entries(seconds).map(([addr, s]) => row(addr, 'done', { steps: [step('create', s)] }));
  const found = compare(side(times({ same: 10, little: 3, slow: 1, fast: 60, slower: 10 })), side(times({ same: 10, little: 3.999, slow: 2, fast: 20, slower: 300 })));
  assert.deepEqual(told(found), [['slower', 'slower'], ['slow', 'slower'], ['fast', 'faster']]);
  assert.deepEqual(found.resources.map(longer_s), [290, 1, -40]);
  assert.deepEqual(only(found.resources, 'slower').map((each) => each.addr), ['slower', 'slow']);
  assert.deepEqual(only(found.resources, 'faster').map((each) => each.took), [{ then: 60, now: 20 }]);
  assert.equal(only(found.resources, null).length, 3);
});

test('times of other work, or of work that is not done, are not', () => {
  const one = (steps, status) => [row('a', status, { steps })];
  for (const [then, now] of [
    [one([step('create', 60)]), one([step('update', 2)])],
    [one([step('create', 60)]), one([step('delete', 2), step('create', 60)])],
    [one([step('create', 60)]), one([])],
    [one([step('create', 60, 'failed')], 'failed'), one([step('create', 2, 'failed')], 'failed')],
    [one([{ ...step('create', 60), elapsed: undefined }]), one([step('create', 2)])],
  ]) {
    assert.deepEqual(compare(side(then), side(now)).resources.flatMap((each) => each.took ?? []), []);
  }
});

test('a plan is compared by its refreshes, an apply by what it did', () => {
  const refreshed = (s, applied) => [row('a', 'done', { steps: [step('refresh', s, 'done', 'plan'), ...(applied ? [step('create', applied)] : [])] })];
  assert.deepEqual(compare(side(refreshed(2)), side(refreshed(5))).resources[0].took, { then: 2, now: 5 });
  assert.deepEqual(compare(side(refreshed(2, 10)), side(refreshed(50, 20))).resources[0].took, { then: 10, now: 20 });
});

test('of a run that goes on only what has ended is told, and nothing is missing while it is planned', () => {
  const going = { run: run('r', { status: 'running', phase: 'plan', ended_at: null }) };
  const before = side([row('a'), row('b'), row('c')]);
  assert.deepEqual(told(compare(before, side([row('a', 'running')], going))), []);
  going.run.phase = 'apply';
  assert.deepEqual(told(compare(before, side([row('a', 'planned'), row('b', 'failed')], going))), [['b', 'broken'], ['c', 'there']]);
});

test('failures are new, stay or are gone by address and summary', () => {
  const error = (address, summary, severity = 'error') => ({ severity, address, summary });
  const found = compare(
    side([], { diagnostics: [error('a', 'no'), error('b', 'no'), error(null, 'x'), error('a', 'a warning', 'warning')] }),
    side([], { diagnostics: [error('a', 'no'), error('a', 'no'), error('a', 'other'), error(null, 'x')] }));
  assert.deepEqual(found.failures, [
    { address: 'a', summary: 'other', then: 0, now: 1 },
    { address: 'a', summary: 'no', then: 1, now: 2 },
    { address: '', summary: 'x', then: 1, now: 1 },
    { address: 'b', summary: 'no', then: 1, now: 0 },
  ]);
});

test('outputs are told but for values nobody may see', () => {
  const output = (name, value, more = {}) => ({ name, key: name, sensitive: false, type: 'string', ...(value !== undefined && { value }), ...more });
  const found = compare(
    side([], { outputs: [output('same', [1]), output('changed', 1), output('secret', undefined, { sensitive: true }), output('gone', 'x'), output('hidden', undefined, { sensitive: true }), output('long')] }),
    side([], { outputs: [output('same', [1]), output('changed', 2), output('secret', 'a', { sensitive: true }), output('added', 'y'), output('long', 'z')] }));
  assert.deepEqual(found.outputs, [
    { name: 'changed', what: 'changed', then: '1', now: '2' },
    { name: 'added', what: 'added', now: '"y"' },
    { name: 'gone', what: 'removed', then: '"x"' },
    { name: 'hidden', what: 'removed' },
  ]);
  assert.equal(found.outputs_untold, 2);
  assert.equal(JSON.stringify(found).includes('"a"'), false);
});

test('a run that failed has lost no outputs', () => {
  const outputs = [{ name: 'o', key: 'o', sensitive: false, type: 'string', value: 'x' }];
  assert.equal(compare(side([], { outputs }), side([], { run: run('r', { status: 'failed' }) })).outputs, null);
  assert.deepEqual(compare(side([], { outputs }), side()).outputs, [{ name: 'o', what: 'removed', then: '"x"' }]);
});

test('versions of tools and what was checked out are told where they differ', () => {
  const then = side([], { run: run('a', { labels: { commit: 'c0ffee', job: '1' } }) });
  const now = side([], { run: run('b', { labels: { commit: 'decade', branch: 'main', job: '2' }, versions: { tofu: '1.12.6', ui: '1.2' } }) });
  assert.deepEqual(compare(then, now).facts, [['tofu', '1.12.0', '1.12.6'], ['commit', 'c0ffee', 'decade'], ['branch', '', 'main']]);
});

test('names that objects have are addresses as any other', () => {
  const names = ['__proto__', 'constructor', 'toString', ''];
  const found = compare(side(names.map((name) => row(name))), side(names.map((name) => row(name, 'failed'))));
  assert.deepEqual(told(found), names.map((name) => [name, 'broken']));
});

test('the run before is the newest older one of the same command that is over', () => {
  const older = [run('d', { status: 'running' }), run('c', { command: 'plan' }), run('b', { status: 'failed' }), run('a')];
  assert.equal(run_before(run('e'), older).key, 'b');
  assert.equal(run_before(run('e', { command: 'plan' }), older).key, 'c');
  assert.equal(run_before(run('e', { command: 'destroy' }), older), undefined);
});

test('those that began before it in the same stream come first', () => {
  const known = [run('s'), run('s.2'), run('s.10'), run('s.11'), run('other'), run('s.3', { stack: 'else' })];
  const listed = [run('s.10'), run('b'), run('x', { stack: 'else' }), run('a')];
  assert.deepEqual(older_runs(run('s.11'), known, listed).map((each) => each.key), ['s.10', 's.2', 's', 'b', 'a']);
  assert.deepEqual(older_runs(run('s'), known, []), []);
});

test('ten thousand resources', () => {
  const many = (status) => Array.from({ length: 10_000 }, (_, i) => row(`a[${i}]`, i % 7 ? 'done' : status, { steps: [step('create', i % 5)] }));
  const found = compare(side(many('failed')), side(many('done')));
  assert.equal(found.resources.length, Math.ceil(10_000 / 7));
});
