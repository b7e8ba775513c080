// What ran at a moment, how that is said, and where keys lead.
import assert from 'node:assert/strict';
import test from 'node:test';
import { lanes_at, lanes_of, moved, parse_moment, said_at, seconds_since, ticks } from 'page-parts';

const stamp = (second) => new Date(second * 1000).toISOString();
const step = (action, from, to) => ({ n: 1, phase: 'apply', action, status: to === undefined ? 'running' : 'done', started_at: stamp(from), ...(to !== undefined && { ended_at: stamp(to) }) });
const row = (addr, ...steps) => ({ addr, key: addr, steps });
const { lanes, applied } = lanes_of([row('long', step('create', 10, 50)), row('replaced', step('delete', 20, 30), step('create', 35, 40)),
  row('short', step('create', 45, 45)), row('open', step('create', 90))], 100_000);
const ran = (second) => lanes_at(lanes, applied, second * 1000, 100_000).map((lane) => lane.of.addr);

test('what ran is what had begun and not ended, between two steps nothing', () => {
  assert.deepEqual(ran(9), []);
  assert.deepEqual(ran(10), ['long']);
  assert.deepEqual(ran(25), ['long', 'replaced']);
  assert.deepEqual(ran(32), ['long']);
  assert.deepEqual(ran(49.999), ['long']);
  assert.deepEqual(ran(50), []);
});

test('a step that took no time ran when it began, one that still runs runs now', () => {
  assert.deepEqual(ran(45), ['long', 'short']);
  assert.deepEqual(ran(100), ['open']);
});

test('a sentence names three and counts the others', () => {
  const of = (...names) => names.map((addr) => ({ of: { addr } }));
  assert.equal(said_at([], 0.5), 'at 0.5s: nothing ran');
  assert.equal(said_at(of('a', 'b'), 72), 'at 1m12s: 2 ran: a, b');
  assert.equal(said_at(of('a', 'b', 'c', 'd', 'e'), 7), 'at 7s: 5 ran: a, b, c and 2 more');
});

test('keys move by a hundredth or a tenth and stay within', () => {
  const within = { from: 1000, to: 2000 };
  assert.equal(moved('ArrowRight', 1000, within), 1010);
  assert.equal(moved('ArrowDown', 1500, within), 1490);
  assert.equal(moved('PageUp', 1950, within), 2000);
  assert.equal(moved('Home', 1950, within), 1000);
  assert.equal(moved('End', 1000, within), 2000);
  for (const key of ['a', 'Enter', 'constructor']) assert.equal(moved(key, 1500, within), null);
});

test('a moment of the address is a number of seconds', () => {
  assert.equal(parse_moment('72.5'), 72.5);
  assert.equal(parse_moment('0'), 0);
  for (const text of [null, '', 'x', '-1', 'Infinity', 'NaN', '1m']) assert.equal(parse_moment(text), null, text);
  assert.equal(seconds_since(stamp(10), stamp(12.5)), 2.5);
  assert.equal(seconds_since(stamp(10), stamp(9)), 0);
  assert.ok(isNaN(seconds_since(null, stamp(9))));
});

test('ticks count from where the run began, before the first lane', () => {
  assert.deepEqual(ticks({ from: 12_500, to: 17_000 }, 8, 10_000), [3000, 4000, 5000, 6000, 7000]);
  assert.deepEqual(ticks({ from: 12_500, to: 12_500 }, 8, 10_000), [2500]);
});
