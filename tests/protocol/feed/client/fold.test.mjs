// The fold, on the worked example of protocol/feed/README.md and on what a hostile stream may hold.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Fold } from '../../../../protocol/feed/client/dist/client.mjs';
import { at, hello, resource } from './world.mjs';

const page = readFileSync(new URL('../../../../protocol/feed/README.md', import.meta.url), 'utf8');
const fenced = (name) => new RegExp('^```' + name + '\\n([\\s\\S]*?)^```$', 'm').exec(page)[1];
const take = (fold, ...lines) => lines.forEach((line) => fold.take(JSON.stringify(line)));

test('the connection that the README shows leaves the state that it shows', () => {
  const fold = new Fold();
  for (const text of fenced('jsonl').trim().split('\n')) fold.take(text);
  const held = {};
  for (const [kind, rows] of Object.entries(fold.state)) {
    held[kind] = {};
    for (const [key, row] of Object.entries(rows)) held[kind][key] = row.status ?? row.severity;
  }
  assert.deepEqual(held, JSON.parse(fenced('json')));
  assert.equal(fold.since(), 'k7Q2fT:42');
  assert.equal(fold.live, true);
});

test('a row replaces the one before it, whole', () => {
  const fold = new Fold();
  take(fold, hello(), { kind: 'resource', key: 'a', run: 'R7', seq: 1, status: 'running', activity: 'create' });
  take(fold, { kind: 'resource', key: 'a', run: 'R7', seq: 2, status: 'done' });
  assert.deepEqual({ ...fold.state.resource.a }, { kind: 'resource', key: 'a', run: 'R7', seq: 2, status: 'done' });
});

test('reset drops all rows and the position', () => {
  const fold = new Fold();
  take(fold, hello(), resource('a', 'done', 1), at(1));
  take(fold, { kind: 'reset', reason: 'epoch' });
  assert.deepEqual(Object.keys(fold.state), []);
  assert.equal(fold.since(), null);
  assert.equal(fold.generation, 1);
});

test('removed drops one row', () => {
  const fold = new Fold();
  take(fold, hello(), resource('a', 'done', 1), resource('b', 'done', 2));
  take(fold, { kind: 'removed', of: 'resource', key: 'a', seq: 3 });
  assert.deepEqual(Object.keys(fold.state.resource), ['b']);
});

test('rows survive a hello of the same epoch after a position, not one of another epoch', () => {
  const fold = new Fold();
  take(fold, hello('one'), resource('a', 'done', 1), at(1), hello('one'));
  assert.deepEqual(Object.keys(fold.state.resource), ['a']);
  assert.equal(fold.live, false);
  take(fold, hello('two'));
  assert.deepEqual(Object.keys(fold.state), []);
});

test('without a position the next connection begins with nothing', () => {
  const fold = new Fold();
  take(fold, hello(), resource('a', 'done', 1));
  take(fold, hello());
  assert.deepEqual(Object.keys(fold.state), []);
});

test('log and text are not held, whatever their number', () => {
  const fold = new Fold();
  take(fold, hello(), { kind: 'log', key: 'a 1 1 1', text: 'x' }, { kind: 'text', key: '1', text: 'x' }, at(3));
  assert.deepEqual(Object.keys(fold.state), []);
  assert.equal(fold.at, 3);
});

test('kinds from later versions are held, lines without a key are skipped', () => {
  const fold = new Fold();
  take(fold, hello(), { kind: 'forecast', key: 'R7', run: 'R7' }, { kind: 'news' });
  assert.deepEqual(Object.keys(fold.state), ['forecast']);
});

test('keys and kinds may be words of the language', () => {
  const fold = new Fold();
  take(fold, hello(), resource('constructor', 'done', 2));
  fold.take('{"kind":"resource","key":"__proto__","run":"R7","seq":1,"status":"done"}');
  fold.take('{"kind":"__proto__","key":"x","run":"R7"}');
  assert.equal(fold.state.resource['__proto__'].status, 'done');
  assert.equal(fold.state['__proto__'].x.run, 'R7');
  assert.equal({}.x, undefined);
  assert.deepEqual(Object.keys(fold.state.resource).sort(), ['__proto__', 'constructor']);
});

test('a value of an output keeps its digits where the platform can', { skip: !JSON.rawJSON }, () => {
  const fold = new Fold();
  fold.take('{"kind":"output","key":"count","run":"R7","seq":1,"name":"count","value":12345678901234567890}');
  assert.equal(JSON.stringify(fold.state.output.count.value), '12345678901234567890');
});

test('what is no JSON is an error, not a row', () => {
  assert.throws(() => new Fold().take('hello'), SyntaxError);
});
