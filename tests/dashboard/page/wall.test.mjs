// The wall's parts that are functions of values: cards, their words, how old data are, how large cards are.
import assert from 'node:assert/strict';
import test from 'node:test';
import { wall } from 'page-parts';

const { age_text, asked_by, cards_of, Clock, counts_text, freshness, common_path, layout, lines_in, lines_of, page_of, shift, slim, state_text, still_muted, strip_of, strip_words, trouble_of } = wall;

const now = Date.parse('2026-11-21T03:12:05Z');
const ago = (minutes) => new Date(now - minutes * 60_000).toISOString();
const all = asked_by('');

function stack(name, status, more = {}, minutes = 5) {
  const over = status !== 'running';
  return {
    kind: 'stack', key: name, stack: name, name, run: `run-${name}`, status, command: 'apply', phase: 'apply',
    outcome: over ? { run: `run-${name}`, status, command: 'apply', ended_at: ago(minutes), superseded: null, superseded_runs: 0 } : null,
    change: null, contact: null, lock: null, drift: null, last_line_at: ago(minutes), started_at: ago(minutes + 1), ended_at: over ? ago(minutes) : null,
    clock_offset_s: null, ...more,
  };
}

function run(key, status, more = {}) {
  return {
    kind: 'run', key, run: key, command: 'apply', status, phase: 'apply', labels: {}, counts: {}, progress: { done: 0, total: 0 }, planned: null,
    applied: null, started_at: ago(6), ended_at: status === 'running' ? null : ago(5), last_line_at: ago(5), stack: null, ...more,
  };
}

const of = (stacks, runs = [], wanted = all, muted = {}) => cards_of(stacks, runs, wanted, muted, now);
const names = (cards) => cards.map((card) => `${card.stack.name} ${card.kind}`);
const said = (stacks, runs) => Object.fromEntries(of(stacks, runs)[0] && lines_of(of(stacks, runs)[0], now).map((line) => [line.of, line.pieces.map((piece) => piece.text).join('')]));
const counts = (add, change, remove) => ({ add, change, remove, import: 0, forget: 0 });

test('the worst trouble comes first, and of each kind the newest', () => {
  const plan = { plan_run: 'p', apply_run: null, linked: null };
  const cards = of([
    stack('quiet', 'succeeded'), stack('newer', 'succeeded', {}, 1), stack('live', 'running'), stack('failing', 'running'), stack('silent', 'running', { contact: 'none' }),
    stack('asks', 'running', { phase: 'approval' }), stack('waits', 'succeeded', { change: { state: 'waiting', ...plan } }), stack('broken', 'failed'),
    stack('gone', 'lost', {}, 1), stack('known', 'failed', {}, 15 * 24 * 60), stack('hidden', 'interrupted'),
  ], [run('run-failing', 'running', { counts: { failed: 1 } })], all, { hidden: 'run-hidden', broken: 'another run' });
  assert.deepEqual(names(cards), ['gone failed', 'broken failed', 'failing failing', 'silent silent', 'asks approval', 'live running', 'waits waiting',
    'newer quiet', 'quiet quiet', 'known past', 'hidden muted']);
  assert.equal(counts_text(cards), '2 failed · 1 failing · 1 without contact · 1 for approval · 1 running · 1 waiting · 1 muted');
  assert.equal(counts_text(of([stack('a', 'succeeded')])), '1 stack, all quiet');
  assert.equal(counts_text([]), '0 stacks, all quiet');
});

test('what was changed outside of OpenTofu is said, with its age, below what is more urgent', () => {
  const drift = { run: 'check', since: ago(3 * 24 * 60), resources: 2 };
  const cards = of([stack('quiet', 'succeeded'), stack('waits', 'succeeded', { drift, change: { state: 'waiting', plan_run: 'p', apply_run: null, linked: null } }), stack('moved', 'succeeded', { drift }), stack('broken', 'failed', { drift })]);
  assert.deepEqual(names(cards), ['broken failed', 'waits waiting', 'moved drifted', 'quiet quiet']);
  assert.equal(counts_text(cards), '1 failed · 1 waiting · 1 drifted');
  assert.equal(state_text(cards[2].stack, 'drifted', now), 'drifted 3 d');
  assert.equal(said([stack('moved', 'succeeded', { drift })]).drift, '2 resources changed outside of OpenTofu');
  assert.equal(said([stack('broken', 'failed', { drift: { ...drift, resources: 0 } })]).drift, 'its plan has changes that nobody made here, for 3 d');
});

test('runs that nobody made a card of make one for each stack, by the newest', () => {
  const cards = of([stack('a', 'succeeded')], [run('run-a', 'succeeded', { stack: 'a' }),
    run('x', 'failed', { stack: 'b', started_at: ago(9) }), run('y', 'running', { stack: 'b', started_at: ago(2) }), run('alone', 'succeeded')]);
  assert.deepEqual(names(cards), ['b running', 'a quiet', 'alone quiet']);
  assert.deepEqual([cards[0].stack.run, cards[0].run.key, cards[0].stack.outcome.status], ['y', 'y', 'failed']);
});

test('what ended well a while ago is no news', () => {
  const faded = (...given) => of([stack('a', ...given)])[0].faded;
  assert.deepEqual([faded('succeeded', {}, 5), faded('succeeded', {}, 11), faded('failed', {}, 11), faded('running', {}, 11)], [false, true, false, false]);
});

test('a run that only removes destroys', () => {
  const destroys = (more) => of([stack('a', 'running')], [run('run-a', 'running', more)])[0].destroys;
  assert.equal(of([stack('a', 'running', { command: 'destroy' })])[0].destroys, true);
  assert.equal(destroys({ planned: counts(0, 0, 2) }), true);
  assert.equal(destroys({ planned: counts(0, 0, 0) }), false);
  assert.equal(destroys({ planned: counts(1, 0, 2) }), false);
  assert.equal(destroys({ planned: counts(1, 0, 2), applied: counts(0, 0, 2) }), true);
});

test('a card says what goes on, how far it is and since when', () => {
  const live = stack('a', 'running', { last_line_at: ago(0.5) });
  assert.deepEqual(said([live], [run('run-a', 'running', { progress: { done: 9, total: 41 }, counts: { running: 3, failed: 1 }, planned: counts(3, 1, 2) })]),
    { what: 'apply 9/41, for 6 min', flight: '3 running, 1 failed, last line 30 s ago', changes: '+3 ~1 -2' });
  assert.equal(said([live], [run('run-a', 'running', { counts: { failed: 1, skipped: 9 }, strands: { addr: 'aws_db.main', count: 9 } })]).flight,
    '1 failed, 9 behind aws_db.main, last line 30 s ago');
  assert.deepEqual(said([stack('a', 'failed', {}, 90)], [run('run-a', 'failed', { labels: { actor: 'ada', commit: '1a2b3c4d5e' }, counts: { failed: 1 },
    failure: { addr: 'aws_subnet.a[9]', summary: 'quota exceeded' } })]),
    { what: 'apply, 1 h ago', failure: 'aws_subnet.a[9]: quota exceeded', flight: '1 failed, ada · 1a2b3c4' });
  assert.equal(said([live], [run('run-a', 'running', { counts: { failed: 1 }, failure: { addr: 'aws_subnet.a[9]', summary: null } })]).failure, 'aws_subnet.a[9] failed');
  assert.deepEqual(said([{ ...live, command: 'apply', phase: 'plan', last_line_at: null, started_at: null }]), { what: 'apply, phase plan' });
  assert.equal(state_text(live), 'running');
  assert.equal(state_text({ ...live, phase: 'approval' }), 'waits for approval');
  assert.equal(state_text(live, 'failing'), 'failing');
  assert.deepEqual(said([stack('a', 'failed', {}, 90)]), { what: 'apply, 1 h ago' });
});

test('a card says who has the lock, what became of the plan, and which failures are over', () => {
  const lock = { run: 'r', state: 'somebody else', holder: null, who: 'me@host', id: null, path: null, operation: null, version: null, created_at: null };
  const lock_of = (more) => said([stack('a', 'failed', { lock: { ...lock, ...more } })]).lock;
  assert.equal(lock_of({}), 'state locked by somebody else: me@host');
  assert.equal(lock_of({ who: null }), 'state locked by somebody else');
  assert.equal(lock_of({ state: 'abandoned', holder: 'r7' }), 'state locked by r7, which left the lock behind');
  assert.equal(lock_of({ state: 'held', holder: 'r7' }), 'state locked by r7');
  assert.equal(lock_of({ state: 'released', holder: 'r7' }), undefined);
  const change_of = (state, plan_run = 'p') => said([stack('a', 'succeeded', { change: { state, plan_run, apply_run: null, linked: null } })]).change;
  assert.deepEqual(['waiting', 'planned', 'outdated', 'applying', 'applied', 'failed'].map((state) => change_of(state)),
    ['● plan waits for its apply', 'plan was not saved', 'plan is outdated', 'applies this plan', 'plan was applied', 'the apply of this plan failed']);
  assert.deepEqual(['outdated', 'applied', 'of a newer version'].map((state) => change_of(state, null)), ['its plan is outdated', undefined, undefined]);
  const past = { run: 'older', status: 'succeeded', command: 'plan', ended_at: ago(9), superseded: 'oldest', superseded_runs: 2 };
  const lines = lines_of(of([stack('a', 'running', { outcome: past })])[0], now).filter((line) => line.of === 'outcome');
  assert.deepEqual(lines.map((line) => line.pieces.map((piece) => piece.text).join('')), ['last outcome: succeeded plan', 'fixes 2 earlier failures']);
});

test('no contact is said of what goes on, and of what was lost for want of it', () => {
  assert.equal(said([stack('a', 'running', { contact: 'none' })]).contact, 'no contact, last line 5 min ago');
  assert.equal(said([stack('a', 'lost', { contact: 'lost', last_line_at: null })]).contact, 'no contact');
  assert.equal(said([stack('a', 'failed', { contact: 'lost' })]).contact, undefined);
  assert.equal(said([stack('a', 'running', { contact: 'ok' })]).contact, undefined);
});

test('ages are by the clock of the daemon', () => {
  const live = stack('a', 'running', { clock_offset_s: 120 }, 5);
  assert.equal(said([live]).what, 'apply, for 4 min');
  assert.equal(said([stack('a', 'failed', { clock_offset_s: 120 }, 5)]).what, 'apply, 3 min ago');
  // Sent later: its stamps are what they are.
  assert.equal(said([stack('a', 'failed', { clock_offset_s: 7200 }, 5)]).what, 'apply, 5 min ago');
  assert.equal(said([stack('a', 'running', { clock_offset_s: 7200 }, 5)]).what, 'apply, for 0 s');
});

test('the address chooses by text, status and label', () => {
  const stacks = [stack('prod-net', 'failed'), stack('prod-app', 'succeeded'), stack('test', 'succeeded')];
  const runs = [run('run-prod-net', 'failed', { labels: { team: 'net', region: 'eu' } }), run('run-test', 'succeeded', { labels: { team: 'net' } })];
  const chosen = (search) => of(stacks, runs, asked_by(search)).map((card) => card.stack.name).sort();
  assert.deepEqual(chosen('?q=PROD'), ['prod-app', 'prod-net']);
  assert.deepEqual(chosen('?q=region=eu'), ['prod-net']);
  assert.deepEqual(chosen('?label=team%3Dnet'), ['prod-net', 'test']);
  assert.deepEqual(chosen('?label=team%3Dnet&label=region%3Deu'), ['prod-net']);
  assert.deepEqual(chosen('?status=failed,nonsense'), ['prod-net']);
  assert.deepEqual(chosen('?status=nonsense'), ['prod-app', 'prod-net', 'test']);
  assert.deepEqual(chosen('?q=__proto__'), []);
});

test('what the address asks for that makes no sense is as if it were not there', () => {
  const { columns, theme, rotate, days } = asked_by('?columns=4&theme=dark&rotate=20&days=7');
  assert.deepEqual([columns, theme, rotate, days], [4, 'dark', 20, 7]);
  const wild = asked_by('?columns=-1&theme=blue&rotate=x&days=NaN&label=');
  assert.deepEqual([wild.columns, wild.theme, wild.rotate, wild.days, wild.labels], [0, null, 0, 14, []]);
  assert.deepEqual([asked_by('?columns=1e9').columns, asked_by('?columns=999').columns, asked_by('?rotate=0.01').rotate], [0, 20, 3]);
});

test('a failure is muted until the next outcome', () => {
  const muted = { a: 'run-a', b: 'before', c: 'x' };
  assert.deepEqual(still_muted(muted, [stack('a', 'failed'), stack('b', 'failed')]), { a: 'run-a', c: 'x' });
  assert.equal(still_muted(muted, [stack('a', 'failed')]), null);
  assert.equal(still_muted({ a: 'run-a' }, [stack('a', 'running', { run: 'next', outcome: stack('a', 'failed').outcome })]), null);
  assert.equal(of([stack('__proto__', 'failed')], [], all, {})[0].kind, 'failed');
});

const heartbeat_ms = 15_000;
const stands = (more) => ({ link: { is: 'live' }, heard: 0, doubted: false, signed_out: '', heartbeat_ms, ...more });

test('data are fresh only while something is heard', () => {
  assert.deepEqual(freshness(stands({}), 3000), { is: 'fresh', text: 'data 3 s old' });
  assert.equal(freshness(stands({}), 37_500).is, 'fresh');
  assert.deepEqual(freshness(stands({}), 37_501), { is: 'stale', text: 'no data for 37 s, last known state' });
  assert.deepEqual(freshness(stands({ doubted: true }), 1000), { is: 'stale', text: 'the clock jumped, and no data came since; last known state, 1 s old' });
  for (const is of ['offline', 'connecting', 'catching up']) {
    assert.deepEqual(freshness(stands({ link: { is, retry_at: 0 } }), 42_000), { is: 'stale', text: 'connection lost for 42 s, last known state' });
  }
  assert.equal(freshness(stands({ link: { is: 'over', reason: 'run over' } }), 600_000).text, 'tofud has ended; no data for 10 min, last known state');
  assert.equal(freshness(stands({ link: { is: 'refused', code: 4400, message: 'no' } }), 0).is, 'stale');
  assert.equal(freshness(stands({ signed_out: 'the token was revoked' }), 1000).text, 'signed out: the token was revoked; last known state, 1 s old');
  assert.deepEqual(freshness(stands({ link: { is: 'live', not_current: 'NATS is away' } }), 1000),
    { is: 'stale', text: 'runs of other daemons may be older than they look: NATS is away' });
  assert.equal(freshness(stands({ heard: null, link: { is: 'connecting' } }), 9000).is, 'connecting');
});

test('a clock that is set and a machine that sleeps make nothing newer', () => {
  let even = 1000, set = 5_000_000;
  const clock = new Clock(() => even, () => set);
  even += 500, set += 500;
  assert.deepEqual([clock.jumped(), clock.now()], [false, 1500]);
  set += 3_600_000; // an hour of sleep, in which the even one stood
  assert.deepEqual([clock.jumped(), clock.now()], [true, 3_601_500]);
  even += 1000, set += 1000;
  assert.deepEqual([clock.jumped(), clock.now()], [false, 3_602_500]);
  set -= 7_200_000; // set back
  assert.deepEqual([clock.jumped(), clock.now()], [true, 3_602_500]);
  set += 300; // a correction
  assert.deepEqual([clock.jumped(), clock.now()], [false, 3_602_500]);
});

const screens = [[1920, 1030], [3840, 2060], [1280, 750], [768, 960], [340, 600]];
const laid = (trouble, running, quiet, [width, height], asked = 0, turning = false) => layout({ trouble, running, quiet }, { width, height }, asked, turning);
const height_of = (of, height) => of.reduce((sum, each) => sum + 1.5 * Math.max(12, height / 80) + each.rows * (each.height + 0.35 * each.unit), 0);

test('all that is trouble is on the screen, letters are read from afar, and nothing is below the edge', () => {
  for (const [trouble, running, quiet] of [[1, 0, 0], [1, 3, 2], [6, 6, 28], [0, 2, 38], [25, 25, 150], [3, 10, 187], [0, 0, 200], [0, 200, 0]]) {
    for (const screen of screens.slice(0, 3)) {
      const what = `${[trouble, running, quiet]} on ${screen}`;
      const bands = laid(trouble, running, quiet, screen);
      assert.deepEqual(bands.map(({ band }) => band), [trouble && 'trouble', running && 'running', quiet && 'quiet'].filter(Boolean), what);
      for (const { band, shown, unit, form } of bands) {
        if (running < 200) assert.equal(shown, { trouble, running, quiet }[band], `${band} of ${what}`);
        assert.ok(unit >= Math.max(form.near ? 12 : 15, screen[1] / (form.near ? 80 : 50)) - 1e-9, `${band} of ${what}: ${unit}`);
      }
      assert.ok(height_of(bands, screen[1]) <= screen[1] + 1, what);
    }
  }
});

test('of a few stacks each has a large card, of many those in trouble do', () => {
  const forms_of = (...given) => laid(...given).map(({ form }) => form.is);
  assert.deepEqual(forms_of(1, 0, 0, screens[0]), ['large']);
  assert.deepEqual(forms_of(1, 3, 2, screens[0]), ['large', 'medium', 'medium']);
  assert.deepEqual(forms_of(6, 6, 28, screens[0]), ['large', 'medium', 'tile']);
  assert.deepEqual(forms_of(25, 25, 150, screens[0]), ['small', 'tile', 'name']);
  assert.deepEqual(forms_of(3, 10, 187, screens[0]), ['large', 'medium', 'name']);
  assert.ok(laid(1, 0, 0, screens[0])[0].unit > 3 * laid(25, 25, 150, screens[0])[0].unit);
});

test('the screen is used', () => {
  for (const [trouble, running, quiet] of [[1, 0, 0], [6, 6, 28], [3, 10, 187], [0, 2, 38], [2, 2, 2]]) {
    for (const screen of screens.slice(0, 3)) {
      const bands = laid(trouble, running, quiet, screen);
      assert.ok(height_of(bands, screen[1]) >= 0.85 * screen[1], `${[trouble, running, quiet]} on ${screen}: ${height_of(bands, screen[1])}`);
    }
  }
});

test('what does not fit is counted, and running and quiet stacks keep a part of the screen', () => {
  const [trouble, running, quiet] = laid(60, 20, 120, screens[0]);
  assert.equal(trouble.form.is, 'small');
  assert.ok(trouble.shown < 60 && trouble.shown >= 25);
  assert.deepEqual([running.shown, quiet.shown], [20, 120]);
});

test('pages of what is quiet have names that can be read', () => {
  const quiet = laid(2, 3, 400, screens[0], 0, true)[2];
  assert.ok(['medium', 'tile'].includes(quiet.form.is));
  assert.ok(quiet.shown < 400);
});

test('somebody may ask for columns', () => {
  for (const { band, columns } of laid(9, 9, 9, screens[0], 3)) assert.equal(columns, 3, band);
});

test('a card has room for whole lines', () => {
  for (const given of [[1, 0, 0], [6, 6, 28], [2, 2, 2]]) {
    for (const of of laid(...given, screens[0])) {
      const lines = lines_in(of, true);
      assert.ok(Number.isInteger(lines) && lines >= 0);
      if (of.form.is === 'large') assert.ok(lines >= 3);
    }
  }
});

test('pages come one after another, and all come', () => {
  const cards = Array.from({ length: 25 }, (_, i) => i);
  const seen = new Set();
  for (let s = 0; s < 30; s += 10) page_of(cards, 10, 10, s * 1000).cards.forEach((card) => seen.add(card));
  assert.equal(seen.size, 25);
  assert.deepEqual(page_of(cards, 10, 0, 5000), { cards: cards.slice(0, 10), page: 0, pages: 1 });
  assert.equal(page_of(cards, 30, 10, 0).pages, 1);
});

test('the last day is a cell for each half hour, with the worst that ended in it', () => {
  const run_at = (minutes, status) => ({ status, ended_at: ago(minutes) });
  assert.equal(strip_of([run_at(5, 'running'), run_at(24 * 60 + 5, 'failed')], now), null);
  const strip = strip_of([run_at(5, 'succeeded'), run_at(10, 'failed'), run_at(20, 'succeeded'), run_at(23 * 60 + 50, 'interrupted')], now);
  assert.equal(strip.length, 48);
  assert.deepEqual([strip[47], strip[0], strip[20]], [{ runs: 3, worst: 'failed' }, { runs: 1, worst: 'interrupted' }, { runs: 0, worst: '' }]);
  assert.equal(strip_words(strip), '4 runs in the last 24 h, in 2 half hours one that did not succeed');
});

test('what all names begin with is said once', () => {
  assert.equal(common_path(['a/b/c', 'a/b/d', 'a/bx/e']), 'a/');
  assert.equal(common_path(['a/b/c', 'a/b/d']), 'a/b/');
  assert.equal(common_path(['a/b']), '');
  assert.equal(common_path(['prod', 'stage']), '');
});

test('the picture does not stand still for months', () => {
  const places = new Set();
  for (let minute = 0; minute < 16; ++minute) {
    const { x, y } = shift(minute * 60_000);
    assert.ok(x >= 0 && x <= 4 && y >= 0 && y <= 4);
    places.add(`${x} ${y}`);
  }
  assert.equal(places.size, 16);
});

test('of a run only what a card is made of is kept', () => {
  assert.equal('lines' in slim(run('a', 'running', { lines: {} })), false);
});

test('ages are one unit', () => {
  assert.deepEqual([-5, 59_999, 60_000, 3_599_000, 3_600_000, 47 * 3_600_000, 50 * 3_600_000].map(age_text), ['0 s', '59 s', '1 min', '59 min', '1 h', '47 h', '2 d']);
});

test('what fails and then has failed is one trouble; what is muted, past or quiet is none', () => {
  const failing = [run('run-net', 'running', { counts: { failed: 1 } })];
  const found = (stacks, runs, muted) => [...trouble_of(of(stacks, runs, all, muted))].sort();
  assert.deepEqual(found([stack('net', 'running'), stack('app', 'succeeded'), stack('db', 'running', { contact: 'none' })], failing), ['run-db', 'run-net']);
  assert.deepEqual(found([stack('net', 'failed'), stack('known', 'failed', {}, 15 * 24 * 60), stack('hidden', 'failed')], [], { hidden: 'run-hidden' }), ['run-net']);
});
