// Tests as a tree, outputs in words, the stream's newest lines.
import assert from 'node:assert/strict';
import test from 'node:test';
import { assertion_of, counts_of, filter_parameters, of_states, passes, raw_text, StreamLines, tested, type_text, value_text, went_wrong } from 'page-parts';

const file = (path, status) => ({ key: path, path, status });
const run = (path, name, status) => ({ key: `${path} + ${name}`, path, name, status });
const said = (key, test_file, test_run) => ({ key, test_file, test_run });
const shape = (tree) => tree.map((each) => [each.path, each.status, each.runs.map(({ row, diagnostics }) => [row.name, diagnostics.map((one) => one.key)]), each.diagnostics.map((one) => one.key)]);

test('runs stand in their files, what was said in its run', () => {
  const tree = tested([file('a', 'fail'), file('b', 'pass')], [run('a', 'x', 'pass'), run('a', 'y', 'fail'), run('b', 'x', 'pass')],
    [said('1', 'a', 'y'), said('2', 'b', 'x'), said('3', null, null), said('4', 'a', 'y')]);
  assert.deepEqual(shape(tree), [['a', 'fail', [['x', []], ['y', ['1', '4']]], []], ['b', 'pass', [['x', ['2']]], []]]);
});

test('what has no row of its own stands with the file, and makes one', () => {
  assert.deepEqual(shape(tested([], [run('a', 'x', 'pending')], [said('1', 'a', null), said('2', 'a', 'gone'), said('3', 'c', 'x')])),
    [['a', undefined, [['x', []]], ['1', '2']], ['c', undefined, [], ['3']]]);
  assert.deepEqual(shape(tested([file('__proto__', 'pass')], [run('__proto__', 'constructor', 'pass')], [])), [['__proto__', 'pass', [['constructor', []]], []]]);
});

test('names that run into one another stay apart', () => {
  const tree = tested([], [run('a", "b', 'c', 'pass'), run('a', 'b", "c', 'fail')], [said('1', 'a', 'b", "c')]);
  assert.deepEqual(shape(tree), [['a", "b', undefined, [['c', []]], []], ['a', undefined, [['b", "c', ['1']]], []]]);
});

test('counts, and the runs of some states', () => {
  const tree = tested([], [run('a', 'x', 'pass'), run('a', 'y', 'fail'), run('b', 'x', 'pass')], []);
  assert.deepEqual([...counts_of(tree[0].runs)], [['fail', 1], ['pass', 1]]);
  assert.deepEqual(shape(of_states(tree, new Set(['fail']))), [['a', undefined, [['y', []]], []]]);
  assert.equal(of_states(tree, new Set()), tree);
  assert.deepEqual(['pass', 'fail', 'error', 'skip', undefined].map(went_wrong), [false, true, true, false, false]);
});

test('types read as configurations write them', () => {
  assert.equal(type_text('string'), 'string');
  assert.equal(type_text(['map', ['list', 'number']]), 'map(list(number))');
  assert.equal(type_text(['object', { a: 'string', b: ['set', 'bool'] }]), 'object({a=string, b=set(bool)})');
  assert.equal(type_text(['object', { a: 'string' }, ['a']]), 'object({a=string})');
  assert.equal(type_text(['tuple', ['string', 'bool']]), 'tuple([string, bool])');
  for (const nothing of [null, undefined, 1, {}]) assert.equal(type_text(nothing), '');
  for (const odd of [[], ['object'], ['object', null], ['tuple', 1], [null, [[]]]]) assert.equal(typeof type_text(odd), 'string');
});

test('a sensitive value is not said, a text is copied without quotes', () => {
  assert.equal(value_text({ sensitive: true, value: 'secret' }), '(sensitive)');
  assert.equal(value_text({ sensitive: false }), '');
  assert.equal(value_text({ sensitive: false, value: { a: [1] } }), '{"a":[1]}');
  assert.equal(raw_text({ sensitive: false, value: 'a"b' }), 'a"b');
  assert.equal(raw_text({ sensitive: false, value: ['a'] }), '["a"]');
});

test('of the stream the newest lines are held', () => {
  const held = new StreamLines(false, 100);
  held.add(['a'.repeat(49), 'b'.repeat(49)]);
  assert.deepEqual([held.lines.length, held.cut], [2, false]);
  held.add(['c']);
  assert.deepEqual([held.lines.map((line) => line[0]), held.cut], [['b', 'c'], true]);
  held.add(['d'.repeat(1000)]);
  assert.deepEqual(held.lines.map((line) => line[0]), ['d']);
  held.add(['e']);
  assert.deepEqual(held.lines, ['e']);
  assert.equal(new StreamLines(true).cut, true);
});

test('drift is a filter', () => {
  const row = (drift) => ({ addr: 'a', module: '', status: 'done', id: null, drift });
  const all = { text: '', statuses: new Set(), module: null, drift: false };
  assert.deepEqual([passes(row(null), all), passes(row(null), { ...all, drift: true }), passes(row('update'), { ...all, drift: true })], [true, false, true]);
  assert.deepEqual(filter_parameters({ ...all, drift: true }), [['drift', '1']]);
});

test('an assertion on one value says what was to be and what was; another says it otherwise', () => {
  const of = (condition, ...values) => ({ snippet: { code: `    condition = ${condition}`, start_line: 1, highlight_start_offset: 16, highlight_end_offset: 16 + condition.length, values } });
  const value = (traversal, statement) => ({ traversal, statement });
  assert.deepEqual(assertion_of(of('output.a == "x"', value('output.a', 'is "y"'))), { expected: '"x"', got: '"y"' });
  assert.deepEqual(assertion_of(of('3 == var.n', value('var.n', 'is 4'))), { expected: '3', got: '4' });
  for (const one of [of('output.a != "x"', value('output.a', 'is "x"')), of('output.a == output.b', value('output.a', 'is 1'), value('output.b', 'is 2')), of('output.a == "x" == true', value('output.a', 'is "y"')),
    of('output.a == "x"', value('output.a', 'will be known only after apply')), of('f(output.a) == "x"', value('output.a', 'is "y"')), { snippet: undefined }]) assert.equal(assertion_of(one), null);
});
