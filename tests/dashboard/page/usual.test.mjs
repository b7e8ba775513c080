import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causes_words, entry_words, is_slower, planned_words, usual_words } from 'page-parts';

const known = (more = {}) => ({ p50_s: 120, p80_s: 150, count: 12, rung: 'address', flaky: false, ...more });
const forecast = (usual) => ({ kind: 'forecast', key: 'a.b', run: 'r', usual });
const step = { n: 1, action: 'create', status: 'running' };

test('a step says how long it usually takes', () => {
  assert.deepEqual(usual_words(forecast({ create: known() }), step, 10), { text: 'usually 2m00s', slower: false });
});

test('one that takes longer says how often it was seen', () => {
  assert.deepEqual(usual_words(forecast({ create: known() }), step, 181), { text: 'usually 2m00s (12 times)', slower: true });
});

test('nothing is said of what is unknown, of another action, or of what is over at once', () => {
  assert.equal(usual_words(undefined, step, 10), null);
  assert.equal(usual_words(forecast({ delete: known() }), step, 10), null);
  assert.equal(usual_words(forecast({ create: known({ p50_s: 0.2, p80_s: 0.3 }) }), step, 0.9), null);
  assert.equal(usual_words(forecast({}), { ...step, action: 'toString' }, 10), null);
});

test('slower than usual is longer than four of five and half as long again as half of them', () => {
  assert.equal(is_slower(known(), 150), false);
  assert.equal(is_slower(known({ p80_s: 200 }), 190), false);
  assert.equal(is_slower(known({ count: 2 }), 1000), false);
  assert.equal(is_slower(known(), 180.1), true);
});

test('what fails now and then is marked, before it begins and while it runs', () => {
  assert.equal(planned_words(forecast({ create: known({ flaky: true }) })), 'fails now and then');
  assert.equal(planned_words(forecast({ create: known() })), '');
  assert.equal(planned_words(undefined), '');
  assert.equal(usual_words(forecast({ create: known({ flaky: true }) }), step, 10).text, 'usually 2m00s, fails now and then');
});

test('an entry of the history is a sentence', () => {
  const entry = (more) => ({ action: 'create', count: 12, failed: 1, p50_s: 361.6, p80_s: 430, failed_of_newest: [0, 5], newest: [], ...more });
  assert.equal(entry_words(entry({})), '12 times, usually 6m02s, 4 of 5 within 7m10s');
  assert.equal(entry_words(entry({ failed: 3, failed_of_newest: [3, 5] })), '12 times, usually 6m02s, 4 of 5 within 7m10s; failed 3 of the last 5');
  assert.equal(entry_words(entry({ count: 1, failed: 0, p50_s: 3.14 })), 'once, took 3.1s');
  assert.equal(entry_words(entry({ count: 2, failed: 2, p50_s: null, p80_s: null, failed_of_newest: [2, 2] })), '2 times, never done; failed 2 of the last 2');
});

test('what waits says for what, and what is behind a failure behind which', () => {
  assert.equal(causes_words({ waiting_for: ['a.b'] }), 'waits for a.b');
  assert.equal(causes_words({ waiting_for: ['a.b', 'a.c'], waiting_for_more: 3 }), 'waits for a.b, 4 more');
  assert.equal(causes_words({ waiting_for: ['a.b', 'a.c'], waiting_for_more: 3 }, 20), 'waits for a.b, a.c, 3 more');
  assert.equal(causes_words({ waiting_for: [], waiting_for_more: 512 }), 'waits for 512 more');
  assert.equal(causes_words({ waiting_for: [] }), '');
  assert.equal(causes_words({ behind: ['a.b'], behind_more: 1 }), 'behind a.b, 1 more');
  assert.equal(causes_words({ strands: 9 }), '9 behind it');
  assert.equal(causes_words({}), '');
});
