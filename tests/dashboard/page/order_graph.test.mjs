// The graph: blocks in layers, folded by module; how far each is.
import assert from 'node:assert/strict';
import test from 'node:test';
import { order_graph, graph_states } from 'page-parts';

const { block_of, graph_of, modules_around, open_levels } = order_graph;
const { drawn_state, state_words, states_of } = graph_states;

const step = (block, before = [], does = 'make', operations = 1) => ({ block, does, operations, before });
const all_open = 99;
const drawn = (steps, levels = all_open, folds = []) => graph_of(steps, levels, new Map(folds)).nodes;
const by_layer = (nodes) => nodes.map((node) => [node.address, node.layer]);

test('an address without keys is the block, whatever stands in the keys', () => {
  for (const [addr, block] of [['a.b', 'a.b'], ['a.b[0]', 'a.b'], ['module.m["x"].a.b["y[1].z"]', 'module.m.a.b'], ['module.m["a\\"]b"].a.b', 'module.m.a.b'], ['a.b["', 'a.b'], ['', '']]) {
    assert.equal(block_of(addr), block);
  }
});

test('each stands behind all that it waits for', () => {
  assert.deepEqual(by_layer(drawn([step('a.c', [1, 2]), step('a.b', [2]), step('a.a')])), [['a.c', 2], ['a.b', 1], ['a.a', 0]]);
});

test('no two of a layer stand on each other', () => {
  const steps = [step('a.root'), ...Array.from({ length: 40 }, (_, i) => step(`a.n${i}`, [0])), step('a.end', [3, 17])];
  const rows = drawn(steps).filter(({ layer }) => layer === 1).map(({ y }) => y).sort((one, other) => one - other);
  rows.forEach((y, i) => assert.ok(i === 0 || y - rows[i - 1] >= 1, `${rows[i - 1]} ${y}`));
  assert.ok(drawn(steps).every(({ y }) => y >= 0));
});

test('a closed module is one node for what is made in it and one for what is removed, with the edges of its blocks', () => {
  const steps = [step('a.a'), step('module.m.a.b', [0]), step('module.m.module.n.a.c', [1]), step('a.d', [2]), step('module.m.a.old', [], 'remove')];
  const nodes = drawn(steps, 0);
  assert.deepEqual(nodes.map(({ address, is_module, does, steps: inside }) => [address, is_module, does, inside]),
    [['a.a', false, 'make', [0]], ['module.m', true, 'make', [1, 2]], ['a.d', false, 'make', [3]], ['module.m', true, 'remove', [4]]]);
  assert.deepEqual(nodes.map(({ before }) => before), [[], [0], [1], []]);
  assert.deepEqual(drawn(steps, 0, [['module.m', true]]).map(({ address }) => address), ['a.a', 'module.m.a.b', 'module.m.module.n', 'a.d', 'module.m.a.old']);
  assert.deepEqual(modules_around('module.m.module.n.a.c'), ['module.m', 'module.m.module.n']);
});

test('modules that wait for each other are drawn, the first of them first', () => {
  const nodes = drawn([step('module.m.a.a'), step('module.n.a.a', [0]), step('module.m.a.b', [1])], 0);
  assert.deepEqual(by_layer(nodes), [['module.m', 0], ['module.n', 1]]);
});

test('what is too much at first is folded, level by level', () => {
  const steps = Array.from({ length: 1000 }, (_, i) => step(`module.m${i % 10}.module.n${i % 100}.a.b${i}`));
  assert.equal(open_levels(steps), 1);
  assert.equal(drawn(steps, open_levels(steps)).length, 100);
  assert.equal(open_levels(steps.slice(0, 100)), 2);
});

test('twenty thousand blocks are laid out by n log n', () => {
  const chain = (count) => Array.from({ length: count }, (_, i) => step(`a.b${i}`, i > 0 ? [Math.floor(i / 2)].filter((each) => each < i) : []));
  assert.equal(drawn(chain(20_000)).length, 20_000);
});

const row = (addr, status, plan, ...steps) => ({ addr, key: addr, status, plan: [{ action: plan }], steps: steps.map(([action, is]) => ({ phase: 'apply', action, status: is })) });

test('a node is as far as its resources; each half of a replacement for itself', () => {
  const steps = [step('a.a', [], 'remove'), step('a.a', [0]), step('a.b', [1])];
  const nodes = drawn(steps);
  const states = states_of(nodes, steps, [
    row('a.a["x"]', 'running', 'replace', ['delete', 'done'], ['create', 'running']), row('a.a["y"]', 'failed', 'replace', ['delete', 'failed']),
    { ...row('a.b', 'skipped', 'create'), behind: ['a.a["y"]'] }, row('a.other', 'done', 'create'),
  ]);
  assert.deepEqual(states.map(({ counts }) => counts), [{ done: 1, failed: 1 }, { running: 1, failed: 1 }, { skipped: 1 }]);
  assert.deepEqual(states.map(drawn_state), ['failed', 'failed', 'skipped']);
  assert.deepEqual(states.map(state_words), ['1 of 2 done, 1 failed', '1 failed, 1 running', 'skipped, behind a failure']);
});

test('nothing has begun: what is planned is said', () => {
  const steps = [step('a.a')];
  const [state] = states_of(drawn(steps), steps, [row('a.a[0]', 'planned', 'create'), row('a.a[1]', 'planned', 'create')]);
  assert.equal(drawn_state(state), 'planned');
  assert.equal(state_words(state), '2 planned');
});
