// A plan as a reviewer reads it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { plan_review, word_diff } from 'page-parts';

const { planned_resources, planned_rows, review, review_sentence } = plan_review;
const value = (key, before, after, more = {}) => ({ kind: 'value', key, action: 'update', before, after, ...more });
const row = (address, action, children = [], more = {}) => ({ kind: 'resource', address, action, body: { kind: 'block', action: 'update', children }, ...more });

const names = (rows, text) => review(planned_rows(rows), text).map(({ group, count, entries }) => [group, count, entries.map((each) => each.map(({ addr }) => addr))]);

test('what can not be got back stands first, what stays is left out', () => {
  assert.deepEqual(names([
    row('a.read', 'read'), row('a.new', 'create'), row('a.same', 'no-op'), row('a.moved', 'no-op', [], { previous_address: 'a.old' }), row('a.changed', 'update'),
    row('a.gone', 'delete'), row('a.left', 'forget'), row('a.twice', 'create,delete'), row('a.drifted', 'update', [], { drift: true }), row('a.taken', 'create', [], { importing: true }),
    row('a.secret', 'update', [{ kind: 'sensitive', key: 'x', action: 'update', becomes: true }]),
  ]), [
    ['destroy', 1, [['a.gone']]], ['replace', 1, [['a.twice']]], ['forget', 1, [['a.left']]], ['care', 1, [['a.secret']]], ['update', 1, [['a.changed']]],
    ['import', 2, [['a.moved'], ['a.taken']]], ['create', 1, [['a.new']]], ['read', 1, [['a.read']]],
  ]);
});

test('equal changes of one type are one entry from three on', () => {
  const tags = (addr, after = 'prod') => row(addr, 'update', [{ kind: 'map', key: 'tags', action: 'update', children: [value('env', 'dev', after)] }]);
  const rows = [tags('module.m["x.y"].t.a'), tags('t.b[0]'), tags('u.c'), tags('t.d["e.f"]'), tags('t.g', 'stage')];
  assert.deepEqual(names(rows), [['update', 5, [['module.m["x.y"].t.a', 't.b[0]', 't.d["e.f"]'], ['u.c'], ['t.g']]]]);
  assert.deepEqual(names(rows.slice(0, 2)), [['update', 2, [['module.m["x.y"].t.a'], ['t.b[0]']]]]);
});

test('a replacement names the path that forces it', () => {
  const [found] = planned_rows([row('a.b', 'delete,create', [
    { kind: 'blocks', key: 'disk', action: 'update', children: [{ kind: 'block', index: 0, action: 'update', children: [value('size', 1, 2, { forces_replacement: true })] }] },
    value('zone', 'a', 'b', { forces_replacement: true })], { reason: 'replace_because_cannot_update' })]);
  assert.deepEqual(found.forced_by, ['disk[0].size', 'zone']);
  assert.equal(found.sentence, "is replaced: destroyed, then created because disk[0].size, zone can't be changed in place");
  assert.equal(planned_rows([row('a.b', 'create,delete', [], { reason: 'replace_by_request' })])[0].sentence,
    'is replaced: created, then the old one is destroyed because somebody asked for it (-replace)');
});

test('the filter finds values as well as addresses', () => {
  const rows = [row('a.b', 'update', [value('name', 'one', 'Two')]), row('a.c', 'update', [value('name', 'x', 'y')])];
  assert.deepEqual(names(rows, 'tWo'), [['update', 1, [['a.b']]]]);
  assert.deepEqual(names(rows, 'a.c'), [['update', 1, [['a.c']]]]);
  assert.deepEqual(names(rows, 'nothing'), []);
});

test('a stream without a plan has actions and reasons', () => {
  const of = (addr, ...plan) => ({ addr, plan });
  const found = planned_resources([
    of('a.b', { action: 'delete', reason: 'delete_because_count_index' }), of('a.c', { action: 'remove' }), of('a.d', { action: 'noop' }), of('a.e', { action: 'move', previous_addr: 'a.f' })]);
  assert.deepEqual(found.map(({ addr, group, sentence }) => [addr, group, sentence]), [
    ['a.b', 'destroy', 'is destroyed because its index is beyond count'],
    ['a.c', 'forget', 'is forgotten: it goes on, and OpenTofu knows nothing of it any more'],
    ['a.e', 'import', 'has moved from a.f']]);
});

test('a plan is one sentence, what is lost first', () => {
  const said = (rows) => review_sentence(review(planned_rows(rows)));
  assert.equal(said([row('a.a', 'create'), row('a.b', 'delete'), row('a.c', 'delete')]), 'Destroys 2, creates 1.');
  assert.equal(said([row('a.a', 'create'), row('a.b', 'read')]), 'Creates 1. Nothing is destroyed.');
  assert.equal(said([row('a.a', 'no-op')]), 'Nothing changes.');
});

test('of long texts the words that differ are marked', () => {
  const marked = (before, after) => {
    const found = word_diff(before, after);
    return found && [found.before, found.after].map((side) => side.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(''));
  };
  assert.deepEqual(marked('registry.example/shop:2.4.1-alpine', 'registry.example/shop:2.5.1-alpine'),
    ['registry.example/shop:2.[4].1-alpine', 'registry.example/shop:2.[5].1-alpine']);
  assert.equal(marked('short', 'shorter'), null);
  assert.equal(marked('a'.repeat(40), 'b'.repeat(40)), null); // nothing is the same
  const [before, after] = ['one two three four five six seven', 'one 2 three four five 6 seven eight'].map((text) => text);
  const found = word_diff(before, after);
  assert.equal(found.before.map(({ text }) => text).join(''), before);
  assert.equal(found.after.map(({ text }) => text).join(''), after);
});
