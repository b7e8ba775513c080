// What the page makes of a plan's rows: words, signs, line diffs, paths.
import assert from 'node:assert/strict';
import test from 'node:test';
import { becomes_null, continued, laid_out, line_diff, marks, key_text, parse, sentence, step_to, texts_of } from 'page-parts';

const drawn = (lines) => lines.map(({ mark, text }) => `${{ none: ' ', create: '+', delete: '-' }[mark]}${text}`);

test('lines that both texts have are there once', () => {
  assert.deepEqual(drawn(line_diff('a\nb\nc', 'a\nx\nc')), [' a', '-b', '+x', ' c']);
  assert.deepEqual(drawn(line_diff('a\nb', 'a\nb')), [' a', ' b']);
  assert.deepEqual(drawn(line_diff('a\nb', 'b\nc')), ['-a', ' b', '+c']);
  assert.deepEqual(drawn(line_diff('a\na', 'a')), [' a', '-a']);
  assert.deepEqual(drawn(line_diff('', 'a\n')), ['+a', ' ']);
});

test('both texts can be had from their difference, however they differ', () => {
  let seed = 7;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const text = () => Array.from({ length: random(12) + 1 }, () => 'abc'[random(3)]).join('\n');
  for (let i = 0; i < 500; i++) {
    const [before, after] = [text(), text()];
    const lines = line_diff(before, after);
    const side = (gone) => lines.filter(({ mark }) => mark !== gone).map((line) => line.text).join('\n');
    assert.deepEqual([side('create'), side('delete')], [before, after]);
  }
});

test('texts with more lines than a table has room for are one after the other', () => {
  const many = (letter) => Array.from({ length: 2000 }, (_, i) => letter + i).join('\n');
  const lines = line_diff(`head\n${many('a')}\ntail`, `head\n${many('b')}\ntail`);
  assert.deepEqual([lines.length, lines[0].mark, lines[1].mark, lines[2001].mark, lines[4001].mark], [4002, 'none', 'delete', 'create', 'none']);
});

test('what stands in one line is no difference of lines', () => {
  const value = (before, after, more) => texts_of({ kind: 'value', action: 'update', before, after, ...more }, laid_out);
  assert.equal(value('a', 'b'), null);
  assert.equal(value(1, 'a\nb'), null);
  assert.equal(value(null, undefined), null);
  assert.deepEqual(drawn(value('a\nb', 'a\nc').lines), [' a', '-b', '+c']);
  assert.deepEqual(drawn(value(null, 'a\nc').lines), ['+a', '+c']);
  assert.deepEqual(drawn(texts_of({ kind: 'value', action: 'delete', before: 'a\nb' }, laid_out).lines), ['-a', '-b']);
  assert.deepEqual(drawn(texts_of({ kind: 'value', action: 'none', before: 'a\nb', after: 'a\nb' }, laid_out).lines), [' a', ' b']);
});

test('the end of the last line is no line, unless one text lacks it', () => {
  const value = (before, after) => drawn(texts_of({ kind: 'value', action: 'update', before, after }, laid_out).lines);
  assert.deepEqual(value('a\nb\n', 'a\nc\n'), [' a', '-b', '+c']);
  assert.deepEqual(value('a\n', 'a'), [' a', '-']);
});

test('that something becomes null is said once', () => {
  const node = (kind, action, more) => ({ kind, action, ...more });
  const gone = node('value', 'delete', { key: 'k', index: 0 });
  assert.equal(becomes_null(node('block', 'delete'), gone), true);
  assert.equal(becomes_null(node('block', 'update'), gone), true);
  assert.equal(becomes_null(node('map', 'update'), gone), true);
  assert.equal(becomes_null(node('map', 'delete'), gone), false);
  assert.equal(becomes_null(node('list', 'update'), gone), false);
  assert.equal(becomes_null(node('block', 'update'), node('blocks', 'delete')), false);
  assert.equal(becomes_null(node('map', 'update'), node('value', 'update', { key: 'k' })), false);
});

test('JSON in texts is laid out, unless it is cut or only one side is JSON', () => {
  const value = (before, after, more) => texts_of({ kind: 'value', action: 'update', before, after, ...more }, laid_out);
  const found = value('{"a":1,"b":[]}', '{"a":2,"b":[]}');
  assert.equal(found.as, 'jsonencode');
  assert.deepEqual(drawn(found.lines), [' {', '-  "a": 1,', '+  "a": 2,', '   "b": []', ' }']);
  assert.equal(value('{"a":1}', 'x'), null);
  assert.equal(value('{"a":1}', '{"a":2}', { before_bytes: 9000 }), null);
  assert.equal(value('"a"', '"b"'), null);
  assert.equal(laid_out('{"a":'), null);
});

test('numbers keep their digits where the platform can', { skip: !JSON.rawJSON }, () => {
  assert.equal(JSON.stringify(parse('[12345678901234567890,1.50]')), '[12345678901234567890,1.50]');
  assert.match(laid_out('{"a":12345678901234567890}'), /12345678901234567890/);
});

test('the path to a child goes by its key, or by its place where there are no keys', () => {
  const child = (more) => ({ kind: 'value', action: 'none', ...more });
  for (const kind of ['block', 'object', 'map']) assert.equal(step_to({ kind }, child({ key: 'k', index: 3 })), 'k');
  assert.equal(step_to({ kind: 'map' }, child({ index: 0 })), ''); // an empty key
  for (const kind of ['list', 'set', 'blocks']) assert.equal(step_to({ kind }, child({ index: 3 })), '3');
  assert.equal(step_to({ kind: 'blocks', labelled: true }, child({ key: 'k' })), 'k');
});

test('keys stand in quotes where the language wants them', () => {
  const named = (kind, key) => key_text({ kind }, { key });
  assert.deepEqual([named('map', 'a'), named('object', 'a'), named('block', 'a-1'), named('object', 'a b'), named('object', '1'), named('object', '')],
    ['"a"', 'a', 'a-1', '"a b"', '"1"', '""']);
  assert.equal(key_text({ kind: 'list' }, { index: 0 }), '');
  assert.equal(key_text({ kind: 'object' }, { index: 0 }), '""'); // an empty key
});

test('children that come later stand behind, and say themselves what is left', () => {
  const known = { kind: 'map', action: 'update', children: [1, 2], more: 5, next: 2, unchanged: 7 };
  assert.deepEqual(continued(known, { children: [3], more: 4, next: 3, unchanged: 1 }),
    { kind: 'map', action: 'update', children: [1, 2, 3], more: 4, next: 3, unchanged: 7 });
  assert.deepEqual(continued(known, { children: [3] }), { kind: 'map', action: 'update', children: [1, 2, 3], unchanged: 7 });
});

test('what happens to a resource is said in words', () => {
  const said = (action, more) => sentence({ action, ...more });
  assert.equal(said('update'), 'will be updated in-place');
  assert.equal(said('delete,create'), 'must be replaced');
  assert.equal(said('create,delete'), 'must be replaced: created first, then destroyed');
  assert.equal(said('no-op', { previous_address: 'a.b' }), 'has moved from a.b');
  assert.equal(said('no-op', { importing: true }), 'will be imported');
  assert.equal(said('update', { previous_address: 'a.b', importing: true }), 'has moved from a.b, will be updated in-place, will be imported');
  assert.equal(said('no-op'), 'does not change');
  assert.equal(said('constructor'), 'does not change');
  assert.deepEqual([said('update', { drift: true }), said('delete', { drift: true })], ['has changed', 'has been deleted']);
  for (const action of ['create', 'update', 'delete']) assert.equal(marks[action].every(Boolean), true);
});
