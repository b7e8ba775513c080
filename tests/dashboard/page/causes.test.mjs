// Diagnostics that say the same of several things.
import assert from 'node:assert/strict';
import test from 'node:test';
import { causes_of } from 'page-parts';

const row = (key, more = {}) => ({ key, severity: 'error', summary: 'Quota exceeded', detail: '', range: null, address: `t.a[${key}]`, ...more });

const keys = (rows) => causes_of(rows).map(({ first, others }) => [first.key, ...others.map((each) => each.key)]);

test('what is of one resource alone makes no cause', () => {
  const failed = (key, id, status, output) => row(key, { detail: `command 'boot ${id}' of "x-${id}": exit status ${status}. Output: ${output}` });
  assert.deepEqual(keys([failed('1', 'a1', 3, 'one'), failed('2', 'b2', 17, 'two'), failed('3', '0f8fad5b-d9cb-469f-a165-70867728950e', 1, '')]), [['1', '2', '3']]);
  assert.deepEqual(keys([row('1', { detail: 'no such zone' }), row('2', { detail: 'no such network' })]), [['1'], ['2']]);
});

test('severity, summary, place and test tell causes apart', () => {
  const at = (key, filename, line) => row(key, { range: { filename, start: { line } } });
  assert.deepEqual(keys([at('1', 'a.tf', 3), at('2', 'a.tf', 4), at('3', 'b.tf', 3), at('4', 'a.tf', 3)]), [['1', '4'], ['2'], ['3']]);
  assert.deepEqual(keys([row('1'), row('2', { severity: 'warning' }), row('3', { summary: 'Other' }), row('4', { test_run: 'r' }), row('5')]), [['1', '5'], ['2'], ['3'], ['4']]);
});
