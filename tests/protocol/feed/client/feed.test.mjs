// The connection: what it asks, when it comes back and when it does not.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Feed } from '../../../../protocol/feed/client/dist/client.mjs';
import { at, hello, resource, World } from './world.mjs';

function opened(question = { run: 'latest' }, url = 'http://127.0.0.1:8638/v1/stream') {
  const world = new World();
  const told = { lines: [], links: [] };
  const feed = new Feed(url, question, {
    lines: (lines) => told.lines.push(...lines.map((line) => line.kind)),
    link: (link) => told.links.push(link),
  }, world);
  feed.open();
  return { feed, world, told };
}
const asked = (socket) => socket.url.slice(socket.url.indexOf('?') + 1);

test('it asks by WebSocket for the protocol and what was wanted, percent-encoded', () => {
  const { world } = opened({ run: 'my run + 1', kinds: ['run', 'log'], addr: ['a["x"]', 'b'], module: [''], type: ['t'] });
  assert.equal(world.last.protocol, 'tofud.v1');
  assert.equal(world.last.url,
    'ws://127.0.0.1:8638/v1/stream?run=my%20run%20%2B%201&kinds=run%2Clog&addr=a%5B%22x%22%5D&addr=b&module=&type=t');
  assert.match(opened({}, 'https://host/v1/stream').world.last.url, /^wss:\/\/host\/v1\/stream$/);
});

test('it is catching up until the first at, then live', () => {
  const { feed, world, told } = opened();
  assert.deepEqual(feed.link, { is: 'connecting' });
  world.says(hello(), resource('a', 'running', 1));
  assert.deepEqual(feed.link, { is: 'catching up' });
  world.says(at(1, { live: true }));
  world.says(resource('a', 'done', 2), at(2));
  assert.deepEqual(told.links, [{ is: 'catching up' }, { is: 'live' }]);
  assert.deepEqual(told.lines, ['hello', 'resource', 'at', 'resource', 'at']);
  assert.equal(feed.fold.state.resource.a.status, 'done');
});

test('a lost connection is resumed where it was, with the run that latest was, and keeps its rows', () => {
  const { feed, world } = opened({ run: 'latest', kinds: ['resource'] });
  world.says(hello(), resource('a', 'running', 1), at(901, { live: true }));
  world.closes(1006);
  assert.equal(feed.link.is, 'offline');
  assert.equal(feed.fold.state.resource.a.status, 'running');
  world.pass(250);
  assert.equal(asked(world.last), 'run=R7&kinds=resource&since=k7Q2fT%3A901');
  assert.equal(feed.link.is, 'offline');
  world.says(hello(), at(901, { live: true }));
  assert.equal(feed.link.is, 'live');
  assert.equal(feed.fold.state.resource.a.status, 'running');
});

test('a heartbeat is a position to resume from', () => {
  const { world } = opened();
  world.says(hello(), at(1, { live: true }), { kind: 'heartbeat', now: '', at: 7 });
  world.closes(1006);
  world.pass(1000);
  assert.match(asked(world.last), /since=k7Q2fT%3A7$/);
});

test('it says that the daemon does not know what others have, until the daemon does', () => {
  const { world, feed } = opened();
  world.says(hello('k7Q2fT', { not_current: 'NATS is away' }), at(1, { live: true }));
  assert.deepEqual(feed.link, { is: 'live', not_current: 'NATS is away' });
  world.says(at(2));
  assert.equal(feed.link.not_current, 'NATS is away');
  world.says({ kind: 'heartbeat', now: '', at: 2 });
  assert.deepEqual(feed.link, { is: 'live' });
  world.says({ kind: 'heartbeat', now: '', at: 2, not_current: 'cut off' });
  assert.equal(feed.link.not_current, 'cut off');
});

test('it waits by chance up to half a second, then a second, and so on up to thirty', () => {
  const { world } = opened();
  world.chance = 1;
  const waits = [];
  for (let i = 0; i < 9; i++) {
    world.closes(1006);
    waits.push(world.waiting());
    world.pass(world.waiting());
  }
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
  world.chance = 0;
  world.closes(1006);
  assert.equal(world.waiting(), 0);
});

test('thirty seconds of health earn a quick return', () => {
  const { world } = opened();
  world.chance = 1;
  for (let i = 0; i < 5; i++) {
    world.closes(1006);
    world.pass(world.waiting());
  }
  world.says(hello(), at(1, { live: true }));
  world.pass(29_000);
  world.closes(1006);
  assert.equal(world.waiting(), 16000);
  world.pass(world.waiting());
  world.says(hello(), at(1, { live: true }));
  world.pass(30_000);
  world.closes(1006);
  assert.equal(world.waiting(), 500);
});

test('it comes back at once when the network does or somebody looks', () => {
  const { feed, world } = opened();
  world.chance = 1;
  world.closes(1006);
  world.wake();
  assert.equal(world.sockets.length, 2);
  assert.equal(world.waiting(), null);
  world.says(hello(), at(1, { live: true }));
  world.wake(); // nothing to do
  assert.equal(world.sockets.length, 2);
  assert.equal(feed.link.is, 'live');
});

test('it is stale after two and a half heartbeats of silence, and no longer with the next line', () => {
  const { feed, world } = opened();
  world.says(hello(), at(1, { live: true }));
  const heard = world.time;
  world.pass(37_000);
  assert.equal(feed.link.is, 'live');
  world.pass(2_000);
  assert.deepEqual(feed.link, { is: 'stale', since: heard });
  world.says({ kind: 'heartbeat', now: '', at: 1 });
  assert.deepEqual(feed.link, { is: 'live' });
  assert.equal(world.sockets.length, 1);
});

test('a stale connection is given up when somebody looks, or after ten heartbeats', () => {
  for (const act of [(world) => world.wake(), (world) => world.pass(130_000)]) {
    const { world } = opened();
    world.says(hello(), at(5, { live: true }));
    world.pass(40_000);
    act(world);
    assert.ok(world.sockets.length >= 2);
    assert.equal(world.sockets[0].closed, true);
    assert.equal(world.sockets[0].onmessage, null);
    assert.match(asked(world.last), /since=k7Q2fT%3A5$/);
  }
});

test('1000 is the end: nothing to come back to', () => {
  const { feed, world } = opened();
  world.says(hello(), at(1, { live: true }));
  world.closes(1000, 'run over');
  assert.deepEqual(feed.link, { is: 'over', reason: 'run over' });
  world.pass(600_000);
  world.wake();
  assert.equal(world.sockets.length, 1);
  assert.equal(world.timers.length, 0);
});

test('44xx is not asked again unchanged; the line before says why', () => {
  for (const code of [4400, 4401, 4403, 4404, 4406, 4429]) {
    const { feed, world } = opened({ run: 'R9' });
    world.says({ kind: 'error', code, message: 'no run R9; /v1/runs lists them' });
    world.closes(code, 'short');
    assert.deepEqual(feed.link, { is: 'refused', code, message: 'no run R9; /v1/runs lists them' });
    world.pass(600_000);
    world.wake();
    assert.equal(world.sockets.length, 1);
  }
  const { feed, world } = opened();
  world.closes(4404, 'no such run');
  assert.deepEqual(feed.link, { is: 'refused', code: 4404, message: 'no such run' });
});

test('all other ends are come back from', () => {
  for (const code of [1001, 1003, 1006, 1009, 1011, 1013, 4008, 4410]) {
    const { feed, world } = opened();
    world.closes(code);
    assert.equal(feed.link.is, 'offline', `${code}`);
    world.pass(500);
    assert.equal(world.sockets.length, 2, `${code}`);
  }
});

test('4410 is come back from, and says what is over', () => {
  const { feed, world } = opened();
  world.closes(4410, 'the token was revoked');
  assert.equal(feed.link.is, 'offline');
  assert.equal(feed.link.reason, 'the token was revoked');
  world.pass(500);
  world.closes(1006);
  assert.equal('reason' in feed.link, false);
});

test('1012 says itself how long to wait', () => {
  const { feed, world } = opened();
  world.closes(1012, '{"retry_ms":3200}');
  assert.equal(world.waiting(), 3200);
  assert.deepEqual(feed.link, { is: 'offline', retry_at: world.time + 3200 });
});

test('a browser that makes no socket is asked again later', () => {
  const { feed, world } = opened();
  world.refuses = true;
  world.closes(1006);
  world.pass(250);
  assert.equal(feed.link.is, 'offline');
  world.refuses = false;
  world.pass(30_000);
  assert.equal(world.sockets.length, 2);
});

test('a feed of another major version is refused', () => {
  const { feed, world } = opened();
  world.says(hello('e', { protocol: '2.0' }), at(1));
  assert.equal(feed.link.is, 'refused');
  assert.equal(world.last.closed, true);
  world.pass(600_000);
  assert.equal(world.sockets.length, 1);
});

test('after close nothing is told and nothing asked', () => {
  const { feed, world, told } = opened();
  world.says(hello(), at(1, { live: true }));
  feed.close();
  assert.equal(world.last.closed, true);
  assert.equal(world.last.onmessage, null);
  assert.equal(world.last.onclose, null);
  world.pass(600_000);
  world.wake();
  assert.equal(world.sockets.length, 1);
  assert.deepEqual(told.links, [{ is: 'catching up' }, { is: 'live' }].slice(-told.links.length));
});

test('closed by who hears a line, it says nothing more of that flush', () => {
  const world = new World();
  const links = [];
  const feed = new Feed('http://h/v1/stream', {}, { lines: () => feed.close(), link: (link) => links.push(link) }, world);
  feed.open();
  world.says(hello(), at(1, { live: true }));
  assert.deepEqual(links, []);
});
