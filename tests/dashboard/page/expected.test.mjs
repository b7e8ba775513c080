// When what runs and what waits is expected to run.
import assert from 'node:assert/strict';
import test from 'node:test';
import { expected_spans } from 'page-parts';

const now = 100_000;
const stamp = (second) => new Date(second * 1000).toISOString();
const running = (addr, from, action = 'create') => ({ addr, key: addr, status: 'running', plan: [{ action }], steps: [{ n: 1, phase: 'apply', action, status: 'running', started_at: stamp(from) }] });
const planned = (addr, waiting_for, action = 'create') => ({ addr, key: addr, status: 'planned', plan: [{ action }], steps: [], ...(waiting_for && { waiting_for }) });
const usual = (by_addr) => (addr) => (by_addr[addr] ? { usual: by_addr[addr] } : undefined);
const told = (rows, by_addr) => Object.fromEntries([...expected_spans(rows, usual(by_addr), now)].map(([addr, { from, to }]) => [addr, [from / 1000, to / 1000]]));

test('what runs goes on for the rest of what is usual; what took longer already is not told', () => {
  assert.deepEqual(told([running('a.a', 90), running('a.b', 10), running('a.c', 95)], { 'a.a': { create: { p50_s: 30 } }, 'a.b': { create: { p50_s: 30 } } }), { 'a.a': [100, 120] });
});

test('what waits begins behind the last of what it waits for', () => {
  const rows = [planned('a.late', ['a.mid']), planned('a.mid', ['a.a', 'a.b']), running('a.a', 90), running('a.b', 95)];
  const known = { 'a.a': { create: { p50_s: 20 } }, 'a.b': { create: { p50_s: 40 } }, 'a.mid': { create: { p50_s: 5 } }, 'a.late': { create: { p50_s: 1 } } };
  assert.deepEqual(told(rows, known), { 'a.late': [140, 141], 'a.mid': [135, 140], 'a.a': [100, 110], 'a.b': [100, 135] });
});

test('what waits for a slot alone begins now; for a block, behind all of it', () => {
  const rows = [planned('a.slot', []), planned('a.all', ['a.many[*]']), running('a.many[0]', 99), running('a.many["x"]', 99)];
  const take = (p50_s) => ({ create: { p50_s } });
  assert.deepEqual(told(rows, { 'a.slot': take(2), 'a.all': take(3), 'a.many[0]': take(5), 'a.many["x"]': take(11) }),
    { 'a.slot': [100, 102], 'a.all': [110, 113], 'a.many[0]': [100, 104], 'a.many["x"]': [100, 110] });
});

test('what is replaced takes both; what nobody knows takes nothing and is not drawn', () => {
  const rows = [planned('a.r', undefined, 'replace'), planned('a.u', ['a.x']), planned('a.x')];
  assert.deepEqual(told(rows, { 'a.r': { delete: { p50_s: 3 }, create: { p50_s: 4 } }, 'a.u': { create: { p50_s: 1 } } }), { 'a.r': [100, 107], 'a.u': [100, 101] });
});

test('what waits for itself is no endless search, and a chain of thousands no deep one', () => {
  assert.equal(expected_spans([planned('a.a', ['a.b']), planned('a.b', ['a.a'])], () => ({ usual: { create: { p50_s: 1 } } }), now).size, 2);
  const chain = Array.from({ length: 4000 }, (_, i) => planned(`a.b${i}`, i > 0 ? [`a.b${i - 1}`] : []));
  const found = expected_spans([...chain].reverse(), () => ({ usual: { create: { p50_s: 1 } } }), now);
  assert.deepEqual(found.get('a.b3999'), { from: now + 3_999_000, to: now + 4_000_000 });
  assert.equal(expected_spans(Array.from({ length: 5001 }, (_, i) => planned(`a.b${i}`)), () => ({ usual: { create: { p50_s: 1 } } }), now).size, 0);
});
