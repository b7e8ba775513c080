// The conformance kit (protocol/feed/client/kit) against the client as it was built.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { Fold } from '../../../../protocol/feed/client/dist/client.mjs';

const kit = new URL('../../../../protocol/feed/client/kit/', import.meta.url);

// Numbers as they were written; objects of the fold have no prototype.
const text_of = (value) => JSON.stringify(value, (_key, each) =>
  each && typeof each === 'object' && !Array.isArray(each) && !JSON.isRawJSON?.(each)
    ? Object.fromEntries(Object.keys(each).sort().map((key) => [`.${key}`, each[key]]))
    : each);

const digits = (_key, value, { source }) => (typeof value === 'number' && source !== String(value) ? JSON.rawJSON(source) : value);

function expect(fold, text, lossless) {
  const wanted = lossless ? JSON.parse(text, digits) : JSON.parse(text);
  const held = Object.fromEntries(Object.entries(fold.state).filter(([, rows]) => Object.keys(rows).length > 0));
  assert.equal(fold.since(), wanted.since);
  assert.equal(fold.live, wanted.live);
  assert.equal(text_of(held), text_of(wanted.state));
}

for (const name of readdirSync(kit).filter((each) => each.endsWith('.jsonl'))) {
  const lines = readFileSync(new URL(name, kit), 'utf8').trim().split('\n');
  const about = JSON.parse(lines[0]);
  test(`${name}: ${about.says}`, (t) => {
    if (about.exact && !JSON.rawJSON) return t.skip('this Node.js has no numbers but doubles');
    const fold = new Fold();
    let expected = 0;
    for (const text of lines) {
      const { kit: what } = JSON.parse(text);
      if (what === 'connection') fold.live = false;
      else if (what === 'expect') expect(fold, text, about.exact), expected++;
      else if (!what) fold.take(text);
    }
    assert.ok(expected > 0);
  });
}
