// What stands in the frame around a run: groups of the list, segments of the bar, addresses, the line for a chat.
import assert from 'node:assert/strict';
import test from 'node:test';
import { age, for_chat, group_of, last_line, module_of, path_of, printed_error, segments, short_reason, shown_address, taken } from 'page-parts';

const row = (status, actions = []) => ({ status, plan: actions.map((action) => ({ action })), steps: [] });

test('a resource of an apply is in the group of its state', () => {
  for (const status of ['failed', 'running', 'planned', 'done', 'skipped', 'interrupted', 'unchanged', 'drifted']) {
    assert.equal(group_of(row(status, ['replace']), false), status);
  }
});

test('a resource of a plan is in the group of what would happen, the worst of it', () => {
  assert.equal(group_of(row('planned', ['create']), true), 'create');
  assert.equal(group_of(row('planned', ['update', 'delete']), true), 'delete');
  assert.equal(group_of(row('planned', ['remove']), true), 'forget');
  assert.equal(group_of(row('planned', ['noop']), true), 'unchanged');
  assert.equal(group_of(row('unchanged'), true), 'unchanged');
  assert.equal(group_of(row('failed', ['create']), true), 'failed');
});

const run = (progress, counts = {}, more = {}) => ({ command: 'apply', progress, counts, ...more });
const parts = (of) => segments(of).map(({ status, count, from }) => [status, count, from]);

test('the segments of a bar are what was planned, and no more', () => {
  assert.deepEqual(parts(run({ done: 9, total: 24 }, { failed: 2, running: 5, done: 30 })),
    [['failed', 2, 0], ['done', 9, 2 / 24], ['running', 5, 11 / 24], ['planned', 8, 16 / 24]]);
  assert.deepEqual(parts(run({ done: 3, total: 6 }, { failed: 1, skipped: 2 })), [['failed', 1, 0], ['done', 3, 1 / 6], ['skipped', 2, 4 / 6]]);
  // What was read may have failed, and is not of what was planned.
  for (const counts of [{ failed: 99, running: 99, skipped: 99, interrupted: 99 }, { running: 7 }, {}]) {
    const of = segments(run({ done: 4, total: 6 }, counts));
    assert.equal(of.reduce((sum, each) => sum + each.count, 0), 6);
    assert.equal(of.every((each) => each.from >= 0 && each.from + each.part <= 1 + 1e-9), true);
  }
});

test('what was not planned, and a plan that was only looked at, have no bar', () => {
  assert.deepEqual(segments(run({ done: 0, total: 0 })), []);
  assert.deepEqual(segments(run({ done: 0, total: 5 }, {}, { command: 'plan' })), []);
});

test('an address is shown as its modules and its name, which never give way', () => {
  assert.deepEqual(shown_address({ addr: 'module.region["eu.west"].module.shop.data.external.x["a.b"]', module: 'module.region["eu.west"].module.shop' }),
    { path: 'region["eu.west"] › shop › ', name: 'data.external.x["a.b"]' });
  assert.deepEqual(shown_address({ addr: 'a.b[0]', module: '' }), { path: '', name: 'a.b[0]' });
  assert.deepEqual(shown_address({ addr: 'a.b', module: 'module.other' }), { path: '', name: 'a.b' }); // none of ours
});

test('the name of a run is the last part of its path', () => {
  assert.deepEqual(path_of('github.com/acme/infra//live/shop@prod'), { above: 'github.com/acme/infra//live/', name: 'shop', environment: '@prod' });
  assert.deepEqual(path_of('my shop'), { above: '', name: 'my shop', environment: '' });
  assert.deepEqual(path_of('me@home/x/'), { above: 'me@home/', name: 'x/', environment: '' });
  for (const text of ['', ' ', '/', '@', 'a b', ' @x', 'a/@x']) {
    const { above, name, environment } = path_of(text);
    assert.equal(above + name + environment, text);
  }
});

test('a resource that was replaced took the time of both of its steps', () => {
  const step = (phase, status, elapsed) => ({ phase, status, elapsed });
  assert.equal(taken({ steps: [step('plan', 'done', 1), step('apply', 'done', 2), step('apply', 'done', 3)] }), 5);
  assert.equal(taken({ steps: [step('plan', 'done', 1)] }), 1);
  assert.equal(taken({ steps: [] }), undefined);
});

const detail = "Error running command 'sh boot.sh; echo it''s. over': exit status 3. Output: \u001b[31mpulling\nquota is 2\u001b[0m\n\n";

test('the detail of a provisioner is taken apart, and its parts are all of it', () => {
  const { before, ended, between, printed } = printed_error(detail);
  assert.equal(ended, 'exit status 3');
  assert.equal(before + ended + between + printed, detail);
  assert.equal(last_line(printed), 'quota is 2');
  assert.equal(printed_error("Error running command 'x': signal: killed. Output: step 1\n").ended, 'signal: killed');
  assert.equal(printed_error('anything else: exit status 3.'), null);
});

test('a reason is a few words', () => {
  assert.equal(short_reason({ summary: 'local-exec provisioner error', detail }), 'exit status 3: quota is 2');
  assert.equal(short_reason({ summary: 'Invalid index', detail: '\nThe index is 2.\nMore.' }), 'Invalid index: The index is 2.');
  assert.equal(short_reason({ summary: 'execution halted', detail: '' }), 'execution halted');
});

test('the line for a chat has outcome, who, address, reason, what never started and the link, and is short', () => {
  const failed = { key: 'r', stack: 'shop@prod', command: 'apply', status: 'failed', counts: { skipped: 2 }, diagnostics: {}, ended_at: null, last_line_at: null,
    labels: { actor: 'ada', commit: '1a2b3c4d5e' } };
  const line = for_chat(failed, { address: 'a.b["c"]', summary: 'local-exec provisioner error', detail }, 'http://t/?run=r');
  assert.equal(line, '✗ shop@prod apply failed (ada, 1a2b3c4): a.b["c"]: exit status 3: quota is 2 · 2 never started · http://t/?run=r');
  const long = for_chat(failed, { address: 'a.b', summary: 'x'.repeat(1000), detail: '' }, 'http://t/?run=r');
  assert.equal(long.length <= 300, true);
  assert.equal(long.endsWith('… · 2 never started · http://t/?run=r'), true);
  assert.equal(for_chat({ ...failed, status: 'succeeded', counts: {}, labels: {} }, undefined, ''), '✓ shop@prod apply succeeded');
});

test('an age is one number', () => {
  assert.deepEqual([0, 59_999, 60_000, 3_600_000, 47 * 3_600_000, 48 * 3_600_000].map(age), ['0s ago', '59s ago', '1 min ago', '1 h ago', '47 h ago', '2 d ago']);
});

test('the module of an address is what stands before its type', () => {
  assert.equal(module_of('module.a["x.y[0]"].module.b[1].aws_x.y["module.z"]'), 'module.a["x.y[0]"].module.b[1]');
  assert.equal(module_of('data.module.x'), '');
  assert.equal(module_of('aws_x.y'), '');
  assert.equal(module_of('module.only'), '');
});
