// The colours of all pages: text can be read on the grounds it stands on, bars stand out from their track, in both themes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const css = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'page/tokens.css'), 'utf8');
const [light, dark] = [/^:root\{([^}]*)\}/, /dark\)\{:root\{([^}]*)\}/].map((block) =>
  Object.fromEntries([...block.exec(css)[1].matchAll(/--([\w-]+):\s*(#[0-9a-f]{3,6})/g)].map(([, name, value]) => [name, value])));

// https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
const part = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
function luminance(hex) {
  const six = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1);
  const [red, green, blue] = [0, 2, 4].map((at) => part(parseInt(six.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

for (const [theme, tokens] of [['light', light], ['dark', dark]]) {
  test(`${theme}: text has a contrast of 4.5 on each ground`, () => {
    for (const text of ['text', 'text-2', 'text-3', 'accent', 'fail', 'run', 'ok', 'warn', 'destroy']) {
      for (const ground of ['bg', 'surface', 'raised']) {
        assert.ok(contrast(tokens[text], tokens[ground]) >= 4.5, `${text} on ${ground}: ${contrast(tokens[text], tokens[ground])}`);
      }
    }
    for (const state of ['fail', 'run', 'ok', 'warn', 'destroy']) {
      assert.ok(contrast(tokens[state], tokens[`${state}-tint`]) >= 4.5, `${state} on its tint`);
      assert.ok(contrast(tokens.text, tokens[`${state}-tint`]) >= 4.5, `text on the tint of ${state}`);
    }
    assert.ok(contrast('#ffffff', tokens['solid-fail']) >= 4.5, 'white on the pill');
    assert.ok(contrast(tokens.text, tokens.mark) >= 4.5, 'text on a mark');
  });

  test(`${theme}: bars, and lines around what can be used, have a contrast of 3`, () => {
    for (const fill of ['fail', 'run', 'ok', 'warn', 'destroy', 'idle']) {
      for (const ground of ['track', 'surface']) {
        assert.ok(contrast(tokens[`fill-${fill}`], tokens[ground]) >= 3, `${fill} on ${ground}: ${contrast(tokens[`fill-${fill}`], tokens[ground])}`);
      }
    }
    for (const ground of ['bg', 'surface', 'raised']) assert.ok(contrast(tokens['line-strong'], tokens[ground]) >= 3, `line-strong on ${ground}`);
  });
}

test('both themes have the same colours', () => assert.deepEqual(Object.keys(light), Object.keys(dark)));
