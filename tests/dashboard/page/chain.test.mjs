// The critical path: what the time of a run went into.
import assert from 'node:assert/strict';
import test from 'node:test';
import { critical_path, said_of_path } from 'page-parts';

const lane = (addr, from, to) => ({ of: { addr }, span: { from: from * 1000, to: to * 1000 } });
const addresses = (lanes) => critical_path(lanes).map((each) => each.of.addr);

test('each waited for what ended as it began, the longest of several', () => {
  const lanes = [lane('first', 0, 10), lane('beside', 0, 12), lane('short', 5, 10), lane('second', 10.004, 30), lane('third', 30.01, 42), lane('early', 30, 31)];
  assert.deepEqual(addresses(lanes), ['first', 'second', 'third']);
  assert.equal(said_of_path(critical_path(lanes), lanes), '42s of 42s went into 3 of 6, longest: second (20s), third (12s), first (10s)');
});

test('what began long after the others ended waited for none of them', () => {
  const lanes = [lane('before', 0, 10), lane('alone', 15, 20)];
  assert.deepEqual(addresses(lanes), ['alone']);
  assert.equal(said_of_path(critical_path(lanes), lanes), '5.0s of 20s went into 1 of 2, longest: alone (5.0s)');
});

test('what took no time at all is passed once', () => {
  const lanes = [lane('a', 0, 0), lane('b', 0, 0), lane('c', 0, 5), lane('d', 5, 5), lane('e', 5, 5)];
  const path = addresses(lanes);
  assert.equal(new Set(path).size, path.length);
  assert.ok(path.includes('c'), path.join());
  assert.deepEqual(addresses([]), []);
  assert.equal(said_of_path([], []), '');
});

test('each link begins when or after the one before it ended, whatever the lanes', () => {
  let seed = 7;
  const next = (most) => (seed = (seed * 48271) % 2147483647) % most;
  const lanes = Array.from({ length: 20_000 }, (_, i) => {
    const from = next(100_000) / 100;
    return lane(`a${i}`, from, from + next(3000) / 100);
  });
  const path = critical_path(lanes);
  assert.ok(path.length > 10);
  for (let i = 1; i < path.length; i++) assert.ok(path[i - 1].span.to <= path[i].span.from, `${i}`);
  assert.equal(path.at(-1).span.to, Math.max(...lanes.map((each) => each.span.to)));
});
