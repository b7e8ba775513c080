// What ran when: lanes, ticks, and how many ran at once.
import assert from 'node:assert/strict';
import test from 'node:test';
import { all_of, at_once, lanes_of, overlaps, parse_range, part_of, by_modules, ordered, range_text, ticks, with_expected, zoomed } from 'page-parts';

const stamp = (second) => new Date(second * 1000).toISOString();
const step = (phase, action, from, to) => ({ n: 1, phase, action, status: to === undefined ? 'running' : 'done', started_at: stamp(from), ...(to !== undefined && { ended_at: stamp(to) }) });
const row = (addr, ...steps) => ({ addr, key: addr, steps });
const lanes = (...rows) => lanes_of(rows, 100_000).lanes;
const names = (found) => found.map((lane) => [lane.of.addr, lane.span.from / 1000, lane.span.to / 1000]);

test('lanes stand in the order of their begin, from the first step to the last', () => {
  assert.deepEqual(names(lanes(row('late', step('apply', 'create', 9, 10)), row('early', step('apply', 'delete', 1, 2), step('apply', 'create', 4, 8)))),
    [['early', 1, 8], ['late', 9, 10]]);
});

test('of an apply its refreshes are left out, of a plan they are what there is', () => {
  const refreshed = row('a', step('plan', 'refresh', 1, 2));
  assert.deepEqual(names(lanes(refreshed)), [['a', 1, 2]]);
  assert.deepEqual(names(lanes(refreshed, row('b', step('apply', 'create', 5, 6)))), [['b', 5, 6]]);
  assert.deepEqual(lanes(row('nothing yet')), []);
});

test('what runs reaches to now, and no lane ends before it begins', () => {
  assert.deepEqual(names(lanes(row('a', step('apply', 'create', 90)))), [['a', 90, 100]]);
  assert.deepEqual(names(lanes(row('a', step('apply', 'create', 90, 80)))), [['a', 90, 90]]);
  assert.deepEqual(names(lanes(row('a', step('apply', 'create', 200)))), [['a', 200, 200]]);
});

test('the span of all lanes', () => {
  assert.equal(all_of([]), null);
  assert.deepEqual(all_of(lanes(row('a', step('apply', 'create', 1, 9)), row('b', step('apply', 'create', 2, 3)))), { from: 1000, to: 9000 });
});

test('ticks are round, and not too many', () => {
  assert.deepEqual(ticks({ from: 0, to: 7000 }, 8), [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000]);
  assert.deepEqual(ticks({ from: 500, to: 90_500 }, 8), [0, 15_000, 30_000, 45_000, 60_000, 75_000, 90_000]);
  for (const length of [1, 37, 999, 61_000, 3e6, 1e8, 1e11]) assert.ok(ticks({ from: 0, to: length }, 8).length <= 9, `${length}`);
  assert.deepEqual(ticks({ from: 5, to: 5 }, 8), [0]);
});

test('a moment outside is at the edge', () => {
  assert.equal(part_of(5, { from: 0, to: 10 }), 0.5);
  assert.equal(part_of(50, { from: 0, to: 10 }), 1);
  assert.equal(part_of(5, { from: 5, to: 5 }), 0);
});

test('what ends as another begins is not beside it', () => {
  const chain = lanes(row('a', step('apply', 'create', 0, 5)), row('b', step('apply', 'create', 5, 10)));
  assert.deepEqual(at_once(chain, all_of(chain), 10), [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  const beside = lanes(row('a', step('apply', 'create', 0, 10)), row('b', step('apply', 'create', 4, 6)));
  assert.deepEqual(at_once(beside, all_of(beside), 5), [1, 1, 2, 2, 1]);
  const instant = lanes(row('a', step('apply', 'create', 3, 3)));
  assert.deepEqual(at_once(instant, all_of(instant), 2).length, 2);
});

test('of many lanes it counts what one would count by hand', () => {
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const many = lanes(...Array.from({ length: 200 }, (_, i) => {
    const from = random(500);
    return row(`r${i}`, step('apply', 'create', from, from + 1 + random(80)));
  }));
  const within = all_of(many);
  const parts = 50;
  const width = (within.to - within.from) / parts;
  const by_hand = Array.from({ length: parts }, (_, part) => {
    // It is most where something begins, or at the begin of the part.
    const [begin, end] = [within.from + part * width, part + 1 === parts ? Infinity : within.from + (part + 1) * width];
    const moments = [begin, ...many.map((lane) => lane.span.from).filter((at) => at >= begin && at < end)];
    return Math.max(...moments.map((at) => many.filter(({ span }) => span.from <= at && at < span.to).length));
  });
  const found = at_once(many, within, parts);
  // What ends exactly where a part begins may be counted into it.
  found.forEach((count, part) => assert.ok(count === by_hand[part] || part > 0 && count > by_hand[part] && count <= found[part - 1], `${part}: ${count}`));
  assert.ok(Math.max(...found) > 10);
});

test('a row that takes the place of another has its own lane', () => {
  const before = row('a', step('apply', 'create', 1));
  assert.deepEqual(names(lanes(before)), [['a', 1, 100]]);
  assert.deepEqual(names(lanes(before)), [['a', 1, 100]]);
  assert.deepEqual(names(lanes(row('a', step('apply', 'create', 1, 5)))), [['a', 1, 5]]);
  assert.deepEqual(names(lanes_of([before], 50_000).lanes), [['a', 1, 50]]);
});

test('lanes are ordered by begin, by how long they took, or by module', () => {
  const lane = (addr, module, from, to) => ({ of: { addr, module }, span: { from, to } });
  const lanes = [lane('a', 'm', 0, 5), lane('b', '', 1, 9), lane('c', 'm', 2, 3), lane('d', '', 4, 5)];
  const names = (by) => ordered(lanes, by).map(({ of }) => of.addr).join('');
  assert.equal(names('start'), 'abcd');
  assert.equal(names('duration'), 'bacd');
  assert.equal(names('module'), 'acbd');
  const folded = (...open) => by_modules([...lanes, lane('e', 'alone', 6, 7)], new Set(open)).map((each) => ('lanes' in each ? `${each.module}:${each.lanes.length}` : each.of.addr)).join(' ');
  assert.equal(folded(), 'm:2 :2 e');
  assert.equal(folded('m'), 'm:2 a c :2 e');
});

test('what is expected stands behind what ran, in the order in which it would begin', () => {
  const found = lanes(row('a', step('apply', 'create', 1)), row('b', step('apply', 'create', 2, 3)));
  const rows = ['a', 'b', 'c', 'd'].map((addr) => row(addr));
  const ahead = new Map([['a', { from: 100_000, to: 120_000 }], ['c', { from: 130_000, to: 140_000 }], ['d', { from: 110_000, to: 115_000 }]]);
  const all = with_expected(found, rows, ahead);
  assert.deepEqual(all.map(({ of, ahead: later }) => [of.addr, later?.to]), [['a', 120_000], ['b', undefined], ['d', 115_000], ['c', 140_000]]);
  assert.deepEqual(all_of(all), { from: 1000, to: 140_000 });
  assert.deepEqual(all.map((lane) => overlaps(lane, { from: 118_000, to: 119_000 })), [true, false, false, false]);
});

test('a part of the time is read from an address and written to it', () => {
  assert.deepEqual(parse_range('12.5-40'), { from: 12.5, to: 40 });
  for (const wrong of [null, '', '5', '40-12', '5-5', '-1-5', 'a-b', '1e3-5', '1-2-3', `${'9'.repeat(30)}-1`]) assert.equal(parse_range(wrong), null);
  assert.equal(range_text({ from: 1.23456, to: 3 }), '1.235-3');
});

test('zooming stays within the run, and out of all of it is all', () => {
  const all = { from: 0, to: 100 };
  assert.deepEqual(zoomed(all, .5, 50, all), { from: 25, to: 75 });
  assert.deepEqual(zoomed({ from: 0, to: 20 }, 2, 10, all), { from: 0, to: 40 });
  assert.deepEqual(zoomed({ from: 80, to: 100 }, 2, 90, all), { from: 60, to: 100 });
  assert.equal(zoomed({ from: 25, to: 75 }, 2, 50, all), null);
});
