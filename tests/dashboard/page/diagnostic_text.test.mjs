// Diagnostics as text. What OpenTofu draws of recorded ones is compared in tests/browser/views_test.py.
import assert from 'node:assert/strict';
import test from 'node:test';
import { call_of, source_lines, text_of, values_of } from 'page-parts';

const snippet = (more) => ({ code: 'x = 1', start_line: 7, highlight_start_offset: 0, highlight_end_offset: 1, values: [], ...more });
const diagnostic = (more) => ({ severity: 'error', summary: 'No', detail: '', address: null, range: null, snippet: null, ...more });
const range = { filename: 'main.tf', start: { line: 7 } };

test('a summary alone', () => {
  assert.equal(text_of(diagnostic()), '╷\n│ Error: No\n│\n╵\n');
  assert.equal(text_of(diagnostic({ severity: '' })), '╷\n│ : No\n│\n╵\n');
});

test('address, place, code, what is called, values in order, detail', () => {
  const of = snippet({ context: 'resource "a" "b"', function_call: { called_as: 'join', signature: { params: [{ name: 'separator' }], variadic_param: { name: 'lists' } } },
    values: [{ traversal: 'var.b', statement: 'is 2' }, { traversal: 'var.a', statement: 'is 1' }] });
  assert.equal(text_of(diagnostic({ address: 'a.b', range, snippet: of, detail: 'one\n\ntwo' })), `╷
│ Error: No
│
│   with a.b,
│   on main.tf line 7, in resource "a" "b":
│    7: x = 1
│     ├────────────────
│     │ while calling join(separator, lists...)
│     │ var.a is 1
│     │ var.b is 2
│
│ one
│
│ two
╵
`);
  assert.deepEqual(values_of(of).map((each) => each.traversal), ['var.a', 'var.b']);
});

test('source that is not there, and a block of a file in one line', () => {
  assert.match(text_of(diagnostic({ range })), /on main\.tf line 7:\n│   \(source code not available\)\n│\n╵/);
  assert.match(text_of(diagnostic({ range, snippet: snippet({ path: 'a.b', code: '{\n}' }) })), /line 7, at a\.b:\n│     {\n│     }\n│\n╵/);
  assert.match(text_of(diagnostic({ range, snippet: snippet({ path: '', code: '' }) })), /line 7:\n│\n╵/);
});

test('a call of any form is no fault of the page', () => {
  for (const function_call of [undefined, null, 1, 'x', [], {}, { signature: null }]) assert.equal(call_of(snippet({ function_call })), '');
  assert.equal(call_of(snippet({ function_call: { called_as: 'f', signature: { params: 'x' } } })), 'while calling f()');
  assert.equal(call_of(snippet({ function_call: { signature: { params: [null, 1, {}] } } })), 'while calling (, , )');
});

test('control characters become pictures', () => {
  assert.equal(text_of(diagnostic({ summary: 'a\x1b[2J\x00\x7f\tb\r' })), '╷\n│ Error: a␛[2J␀␡\tb\n│\n╵\n');
});

test('a range that ends before it starts marks one byte', () => {
  const marked = (more) => source_lines(snippet(more)).flatMap((line) => line.parts.filter((part) => part.marked).map((part) => part.text));
  assert.deepEqual(marked({ highlight_start_offset: 2, highlight_end_offset: 0 }), ['=']);
  assert.deepEqual(marked({ highlight_start_offset: 2, highlight_end_offset: 2 }), []);
});
