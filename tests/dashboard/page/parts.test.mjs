// The parts of the page that are functions of values: source snippets, words, the lines that are held.
import assert from 'node:assert/strict';
import test from 'node:test';
import { addressed, approve_at, current_step, duration, fragment, heading, leads_to_the_web, Lines, place, provisioner_place, reason_words, running_provisioner, seconds, sign, source_lines, state_of, target, title, verdict, who } from 'page-parts';

const snippet = (code, from, to, start_line = 1) =>
  source_lines({ code, start_line, highlight_start_offset: from, highlight_end_offset: to, values: [] })
    .map(({ number, parts }) => [number, parts.map(({ text, marked }) => (marked ? `[${text}]` : text)).join('')]);

test('one approves at an address of the web that the sender gave', () => {
  assert.equal(approve_at({ url: 'https://ci.example.com/7' }), 'https://ci.example.com/7');
  for (const url of ['javascript:alert(1)', ' https://x', 'https://', 'data:text/html,x', '']) assert.equal(approve_at({ url }), '');
  assert.equal(approve_at({}), '');
});

test('a snippet is cut at the highlighted range', () => {
  assert.deepEqual(snippet('resource "a" "b" {', 9, 12, 20), [[20, 'resource ["a"] "b" {']]);
  assert.deepEqual(snippet('ab', 0, 2), [[1, '[ab]']]);
  assert.deepEqual(snippet('ab', 1, 1), [[1, 'ab']]);
  assert.deepEqual(snippet('', 0, 0), [[1, '']]);
});

test('a range over several lines is marked in each', () => {
  assert.deepEqual(snippet('one\ntwo\nthree', 2, 9, 7), [[7, 'on[e]'], [8, '[two]'], [9, '[t]hree']]);
});

test('offsets count bytes, and one within a character takes all of it in', () => {
  assert.deepEqual(snippet('größe = x', 0, 7), [[1, '[größe] = x']]);
  assert.deepEqual(snippet('größe = x', 3, 4), [[1, 'gr[ö]ße = x']]);
  assert.deepEqual(snippet('a😀b', 2, 3), [[1, 'a[😀]b']]);
});

test('offsets outside the code are brought inside', () => {
  assert.deepEqual(snippet('abc', 2, 99), [[1, 'ab[c]']]);
  assert.deepEqual(snippet('abc', -5, 1), [[1, '[a]bc']]);
  assert.deepEqual(snippet('abc', 3, 1), [[1, 'abc']]);
  assert.deepEqual(snippet('abc', NaN, undefined), [[1, 'abc']]);
});

test('durations are read at a glance', () => {
  assert.deepEqual([0, 999, 59_999, 60_000, 151_000, -5, NaN].map(duration), ['0ms', '999ms', '1m00s', '1m00s', '2m31s', '0ms', '']);
  assert.deepEqual([0.0384721, 0.41, 3, 9.94, 9.96, 11.25, 59.4, 61, 3599.9, 3720, undefined].map(seconds),
    ['38ms', '410ms', '3.0s', '9.9s', '10s', '11s', '59s', '1m01s', '1h00m', '1h02m', '']);
});

const resource = (actions, steps = []) => ({ plan: actions.map((action) => ({ action })), steps });

test('a planned change has its sign, and words of the language have none', () => {
  assert.deepEqual([['create'], ['update'], ['delete'], ['replace'], ['read'], ['noop'], [], ['noop', 'delete'], ['constructor'],
    ['__proto__']].map((actions) => sign(resource(actions))), ['+', '~', '-', '-/+', '<=', '', '', '-', '', '']);
});

test('the step in a line is the newest open one, else the last', () => {
  const steps = [{ n: 1, status: 'running' }, { n: 2, status: 'running' }, { n: 3, status: 'done' }];
  assert.equal(current_step(resource([], steps)).n, 2);
  assert.equal(current_step(resource([], steps.slice(2))).n, 3);
  assert.equal(current_step(resource([])), undefined);
});

test('a provisioner is counted among those that are declared', () => {
  const step = (declared, ...statuses) => ({ declared, provisioners: statuses.map((status, i) => ({ n: i + 1, status })) });
  assert.equal(running_provisioner(step(3, 'done', 'running')), 'provisioner 2 of 3');
  assert.equal(running_provisioner(step(3, 'done', 'done')), '');
  assert.equal(running_provisioner(step(undefined, 'running')), '');
  assert.equal(running_provisioner(undefined), '');
  assert.equal(provisioner_place({ declared: 1 }, { n: 1 }), ''); // says nothing
  assert.equal(provisioner_place({ declared: 2 }, { n: 3 }), ''); // the configuration is another
});

test('the place of a resource is its file and line', () => {
  assert.equal(place({ source: { file: 'net/main.tf', line: 12 } }), 'net/main.tf:12');
  assert.equal(place({ source: null }), '');
});

test('the tab says how it stands', () => {
  const run = (status, failed, done, total, stack = 'prod') => ({
    status, stack, key: 'R7', counts: failed ? { failed } : {}, diagnostics: { error: 0, warning: 0 }, progress: { done, total } });
  assert.equal(title(run('running', 0, 3, 41), false), '3/41 prod');
  assert.equal(title(run('running', 2, 31, 41), false), '✗ 2 · 31/41 prod');
  assert.equal(title(run('succeeded', 0, 41, 41), false), '✓ · 41/41 prod');
  assert.equal(title(run('failed', 0, 0, 0, null), false), '✗ R7');
  assert.equal(title(run('running', 0, 3, 41), true), '? 3/41 prod');
  assert.equal(title(undefined, true), 'tofud');
});

test('an address goes into the fragment and comes back', () => {
  for (const addr of ['a.b["x y"]', 'module.ü["</a>"].x', '#r=%', '__proto__', 'a+b&c=d']) {
    assert.match(fragment(addr), /^#r=[\w%.!~*'()-]*$/);
    assert.equal(addressed(fragment(addr)), addr);
  }
  assert.equal(fragment('\ud800'), '#');
  assert.deepEqual(['', '#', '#r=', '#x=1', '#r=%E0%A4%A'].map(addressed), ['', '', '', '', '']);
});

test('a target is one word of a shell', () => {
  assert.equal(target('a.b["x"]'), `-target='a.b["x"]'`);
  assert.equal(target(`a.b["it's"]`), `-target='a.b["it'\\''s"]'`);
});

test('of each address the newest lines are held, and of all together', () => {
  const lines = new Lines(10, 100);
  const add = (name, from, to) => {
    for (let seq = from; seq <= to; seq++) lines.add(name, { seq });
  };
  const held = (name) => lines.of(name).lines.map(({ seq }) => seq);
  add('a', 1, 5);
  assert.deepEqual([held('a'), lines.of('a').cut], [[1, 2, 3, 4, 5], false]);
  add('a', 6, 1000);
  assert.ok(held('a').length <= 20 && held('a').length >= 10);
  assert.equal(held('a').pop(), 1000);
  assert.equal(lines.of('a').cut, true);
  for (let i = 0; i < 200; i++) add(`b${i}`, 1, 3);
  let all = held('a').length;
  for (let i = 0; i < 200; i++) all += held(`b${i}`).length;
  assert.ok(all <= 100 + 200, `${all}`); // one line of each stays
  assert.equal(lines.of('nobody'), undefined);
});

test('lines that come again after a resume are held once', () => {
  const lines = new Lines();
  for (const seq of [1, 2, 3, 2, 3, 4]) lines.add('a', { seq });
  assert.deepEqual(lines.of('a').lines.map(({ seq }) => seq), [1, 2, 3, 4]);
});

test('after a gap nothing counts as whole, until all begins anew', () => {
  const lines = new Lines();
  lines.add('a', { seq: 1 });
  lines.gap();
  lines.add('b', { seq: 9 });
  assert.deepEqual([lines.of('a').cut, lines.of('b').cut], [true, true]);
  lines.clear();
  lines.add('a', { seq: 1 });
  assert.equal(lines.of('a').cut, false);
});

test('who drew from the lines before they were trimmed still can', () => {
  const lines = new Lines(10, 100);
  for (let seq = 1; seq <= 20; seq++) lines.add('a', { seq });
  const drawn = lines.of('a').lines;
  lines.add('a', { seq: 21 });
  assert.equal(drawn[0].seq, 1);
});

test('only addresses of the web are links', () => {
  for (const url of ['https://wiki/db', 'http://[::1]:80/']) assert.equal(leads_to_the_web(url), true, url);
  for (const url of ['javascript:alert(1)', ' https://x', 'data:text/html,x', '//x', 'https:///x', 'HTTPS://x', 'wiki']) {
    assert.equal(leads_to_the_web(url), false, url);
  }
});

test('reasons are sentences, and new ones are told as they are', () => {
  assert.equal(reason_words('delete_because_count_index'), 'its index is beyond count');
  assert.equal(reason_words('cannot_update'), reason_words('replace_because_cannot_update'));
  assert.equal(reason_words('delete_because_of_the_moon'), 'delete because of the moon');
});

test('what failed before it planned has no command to name, and a run that failed in part is failing', () => {
  const run = (command, status, counts = {}) => ({ command, status, counts, stack: 'net', key: 'r' });
  assert.deepEqual([heading(run('apply', 'running')), heading(run('other', 'failed')), heading(run('other', 'running'))],
    ['apply net', 'failed before planning: net', 'run net']);
  assert.deepEqual([state_of(run('apply', 'running', { failed: 1 })), state_of(run('apply', 'running')), state_of(run('apply', 'failed', { failed: 1 }))],
    ['failing', 'running', 'failed']);
});

test('a verdict is a sentence', () => {
  const at = (s) => `2026-11-21T03:${String(Math.floor(s / 60)).padStart(2, '0')}:${String(s % 60).padStart(2, '0')}Z`;
  const run = (status, more = {}) => ({ status, command: 'apply', phase: 'apply', counts: {}, progress: { done: 0, total: 0 }, diagnostics: { error: 0, warning: 0 },
    planned: null, applied: null, labels: {}, started_at: at(0), ended_at: null, ...more });
  const rows = [['replace'], ['replace'], ['update'], ['delete'], ['create'], ['noop']].map((actions) => ({ plan: actions.map((action) => ({ action })) }));
  const says = (...given) => verdict(run(...given), () => rows);
  const ended = { ended_at: at(151) };
  const applied = (add, change, remove) => ({ applied: { add, change, remove, import: 0, forget: 0 } });
  assert.equal(says('running', { phase: 'plan' }), 'Planning');
  assert.equal(says('running', { progress: { done: 9, total: 41 }, counts: { running: 3 } }), '9 of 41 done, 3 running');
  assert.equal(says('running', { progress: { done: 9, total: 41 }, counts: { running: 3, failed: 2 } }), '2 of 41 failed, 9 done, going on');
  assert.equal(says('running', { phase: 'approval' }), 'Waits for approval: destroys 1, replaces 2, changes 1, creates 1');
  assert.equal(says('failed', { ...ended, progress: { done: 14, total: 17 }, counts: { failed: 1, skipped: 2, done: 14 } }), 'Apply stopped after 2m31s: 1 of 17 failed, 2 never started');
  assert.equal(says('failed', { ...ended, command: 'other', diagnostics: { error: 1, warning: 0 } }), 'Failed before planning after 2m31s: 1 error');
  assert.equal(says('succeeded', { ...ended, ...applied(3, 1, 2) }), 'Apply succeeded after 2m31s: 3 added, 1 changed, 2 destroyed');
  assert.equal(says('succeeded', { ...ended, ...applied(0, 0, 0) }), 'Apply succeeded after 2m31s: nothing to change');
  assert.equal(says('succeeded', { ...ended, command: 'plan' }), 'Plan: destroys 1, replaces 2, changes 1, creates 1');
  assert.equal(verdict(run('succeeded', { command: 'plan' }), () => []), 'Plan: nothing changes');
  assert.equal(says('interrupted', { ended_at: at(3), counts: { interrupted: 3, skipped: 4 } }), 'Interrupted after 3.0s: 3 never finished, 4 never started');
  assert.equal(says('unknown'), '');
});

test('who it was is what the sender says', () => {
  assert.equal(who({ actor: 'ada', commit: '1a2b3c4d5e6f', branch: 'main' }), 'ada · 1a2b3c4 on main');
  assert.equal(who({ branch: 'main' }), 'main');
  assert.equal(who({}), '');
});

test('the newest lines of all stand in the order in which they came', () => {
  const lines = new Lines();
  lines.add('a', { seq: 1, text: 'one' });
  lines.add('b', { seq: 2, text: 'two' });
  lines.add('a', { seq: 3, text: 'three' });
  assert.deepEqual(lines.newest(10).map(({ text }) => text), ['one', 'two', 'three']);
  assert.deepEqual(lines.newest(2).map(({ text }) => text), ['two', 'three']);
  assert.deepEqual(new Lines().newest(5), []);
});
