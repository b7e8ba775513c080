// Which resources are shown, and how many each module has.
import assert from 'node:assert/strict';
import test from 'node:test';
import { filter_parameters, ModuleCounts, parts_of, passes } from 'page-parts';

const row = (module, status, name = 'a.b') => ({ addr: module ? `${module}.${name}` : name, module, status, id: null });
const all = { text: '', statuses: new Set(), module: null };

test('a module path is cut between its calls, whatever their keys hold', () => {
  assert.deepEqual(parts_of('module.net'), ['module.net']);
  assert.deepEqual(parts_of('module.net[0].module.app'), ['module.net[0]', 'module.app']);
  assert.deepEqual(parts_of('module.a["x.module.y"].module.b["\\"]."]'), ['module.a["x.module.y"]', 'module.b["\\"]."]']);
  assert.deepEqual(parts_of('something else'), ['something else']);
  assert.deepEqual(parts_of('module.a]'), ['module.a]']);
});

const shape = (node) => [node.path, node.total, node.counts, ...node.children.map(shape)];

test('counts roll up, and the root module stands for itself', () => {
  const counts = new ModuleCounts();
  for (const each of [row('', 'done'), row('module.a.module.b', 'failed'), row('module.a', 'done'), row('module.a', 'running')]) counts.update(undefined, each);
  assert.deepEqual(shape(counts.tree()), ['', 4, { done: 2, failed: 1, running: 1 },
    ['', 1, { done: 1 }],
    ['module.a', 3, { done: 1, failed: 1, running: 1 }, ['module.a.module.b', 1, { failed: 1 }]]]);
});

test('a row that changes is counted once', () => {
  const counts = new ModuleCounts();
  const before = row('module.a', 'running');
  const after = row('module.a', 'done');
  counts.update(undefined, before);
  counts.update(before, before);
  counts.update(before, after);
  assert.deepEqual(counts.tree().counts, { done: 1 });
  counts.clear();
  assert.equal(counts.tree().total, 0);
});

test('instances stand in the order of their keys', () => {
  const counts = new ModuleCounts();
  for (const key of [10, 9, 1]) counts.update(undefined, row(`module.a[${key}]`, 'done'));
  assert.deepEqual(counts.tree().children.map((each) => each.name), ['a[1]', 'a[9]', 'a[10]']);
});

test('a filter is by text in address or id, status, and module with what is in it', () => {
  const inner = { ...row('module.a.module.b', 'failed'), id: { key: 'id', value: 'vpc-1' } };
  assert.ok(passes(inner, all));
  for (const text of ['MODULE.B', 'vpc-1']) assert.ok(passes(inner, { ...all, text }));
  assert.ok(!passes(inner, { ...all, text: 'vpc-2' }));
  assert.ok(passes(inner, { ...all, statuses: new Set(['failed', 'done']) }));
  assert.ok(!passes(inner, { ...all, statuses: new Set(['done']) }));
  assert.ok(passes(inner, { ...all, module: 'module.a' }));
  assert.ok(!passes(inner, { ...all, module: '' }));
  assert.ok(!passes(row('module.ab', 'done'), { ...all, module: 'module.a' }));
});

test('the address says what is filtered, and nothing where nothing is', () => {
  assert.deepEqual(filter_parameters(all), []);
  assert.deepEqual(filter_parameters({ text: 'a', statuses: new Set(['failed', 'done']), module: '' }),
    [['q', 'a'], ['status', 'failed,done'], ['module', '']]);
});
