// What changes in a text that is YAML.
import assert from 'node:assert/strict';
import test from 'node:test';
import { changed_paths, looks_like_yaml } from 'page-parts';

test('what begins as YAML is looked into; JSON, prose, scripts and long texts are not', () => {
  for (const text of ['a: 1\nb: 2\n', '---\nx: y\n', '# said\n\nkind: ConfigMap\n', '- a\n- b\n', '"quoted": 1\nb: 2', 'app.kubernetes.io/name: x\ny: z\n']) assert.ok(looks_like_yaml(text), text);
  for (const text of ['a: 1', '{\n"a": 1}', '#!/bin/sh\necho a\n', 'Dear all,\nthis is: prose\n', '', `a: 1\n${'x'.repeat(70_000)}`]) assert.ok(!looks_like_yaml(text), text.slice(0, 40));
});

test('changes are told path by path', () => {
  const before = { spec: { replicas: 2, 'a b': [1, { c: 'x' }], old: true }, same: [1, 2] };
  const after = { spec: { replicas: 3, 'a b': [1, { c: 'y' }, 5] }, same: [1, 2], new: { deep: 1 } };
  assert.deepEqual(changed_paths(before, after), [
    { path: 'new', after: '{"deep":1}' }, { path: 'spec.old', before: 'true' }, { path: 'spec.replicas', before: '2', after: '3' },
    { path: 'spec["a b"][1].c', before: '"x"', after: '"y"' }, { path: 'spec["a b"][2]', after: '5' },
  ]);
  assert.deepEqual(changed_paths({ b: 1, a: 2 }, { a: 2, b: 1 }), []);
  assert.deepEqual(changed_paths({ port: 1 }, { port: '1' }), [{ path: 'port', before: '1', after: '"1"' }]);
  assert.deepEqual(changed_paths([1], { 0: 1 }), [{ path: '', before: '[1]', after: '{"0":1}' }]);
  assert.deepEqual(changed_paths({ __proto__: null, constructor: 1 }, { toString: 2 }), [{ path: 'constructor', before: '1' }, { path: 'toString', after: '2' }]);
});

test('aliases that make a large tree of a small text, or none that ends, are given up', () => {
  let bomb = ['x'];
  for (let i = 0; i < 30; i++) bomb = [bomb, bomb];
  assert.equal(changed_paths({ a: bomb }, { a: [bomb] }), null);
  const circle = [];
  circle.push(circle);
  assert.deepEqual(changed_paths({ a: 1 }, { a: circle }), [{ path: 'a', before: '1', after: '…' }]);
  assert.equal(changed_paths(circle, [[circle]]), null);
});
