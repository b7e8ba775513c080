// Colours of programs: what is kept of what they print for terminals.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bare, parse_sgr, plain } from 'page-parts';

const pieces = (line, style = plain) => parse_sgr(line, style).pieces.map(({ text, style: own }) => [
  text, Object.fromEntries(Object.entries(own).filter(([name, value]) => value !== plain[name]))]);

test('text without escapes is one piece as it is', () => {
  assert.deepEqual(pieces('a\tb <c> &'), [['a\tb <c> &', {}]]);
  assert.deepEqual(pieces(''), []);
});

test('colour and weight begin and end where they are set', () => {
  assert.deepEqual(pieces('\x1b[1;32mgreen\x1b[0m plain \x1b[91;44mx\x1b[39;49my'),
    [['green', { bold: true, fg: 2 }], [' plain ', {}], ['x', { fg: 9, bg: 4 }], ['y', {}]]);
  assert.deepEqual(pieces('\x1b[mx\x1b[3;4;7;9;2my\x1b[22;23;24;27;29mz'),
    [['x', {}], ['y', { italic: true, underline: true, inverse: true, strike: true, dim: true }], ['z', {}]]);
});

test('the 256 colours and true colour are kept, with semicolons and colons', () => {
  assert.deepEqual(pieces('\x1b[38;5;208ma\x1b[48;5;7mb\x1b[38;2;1;2;300mc\x1b[38:5:244md'), [
    ['a', { fg: 'rgb(255,135,0)' }], ['b', { fg: 'rgb(255,135,0)', bg: 7 }],
    ['c', { fg: 'rgb(1,2,255)', bg: 7 }], ['d', { fg: 'rgb(128,128,128)', bg: 7 }]]);
});

test('an unfinished or unknown colour changes nothing but takes no text', () => {
  assert.equal(bare('\x1b[38;5ma\x1b[38mb\x1b[999mc\x1b[?25md\x1b[>4;1me'), 'abcde');
  assert.deepEqual(pieces('\x1b[>4;1mx'), [['x', {}]]);
  assert.equal(bare('end\x1b['), 'end');
  assert.equal(bare('end\x1b'), 'end');
  assert.equal(bare('end\x1b[31'), 'end');
});

test('whatever else a terminal would do is dropped', () => {
  assert.equal(bare('a\x1b[2J\x1b[10;10Hb\x1b]0;title\x07c\x1b]8;;http://x\x1b\\d\x1b]8;;\x1b\\e'), 'abcde');
  assert.equal(bare('\x1bPq...\x1b\\a\x1b_x\x1b\\b\x1b^x\x1b\\c\x1bXx\x1b\\d\x1b(Be\x1bcf'), 'abcdef');
  assert.equal(bare('\x9b31ma\x9d0;x\x9cb\x90x\x9cc'), 'abc');
  assert.equal(bare('a\x00\x07\x08\x0b\x7f\x85b'), 'ab');
  assert.equal(bare('\x1b]0;never ended'), '');
});

test('marks that turn text around are dropped, letters are not', () => {
  assert.equal(bare('\u202eevil\u2066x\u2069 \u05d0 \u{1f600}'), 'evilx \u05d0 \u{1f600}');
});

test('of a line printed over itself the last state counts', () => {
  assert.equal(bare('10%\r50%\r100%'), '100%');
  assert.equal(bare('windows line\r'), 'windows line');
  assert.equal(bare('10%\r100%\r\r'), '100%');
});

test('a style goes on into the next line', () => {
  const first = parse_sgr('\x1b[31mred', plain);
  assert.deepEqual(pieces('still\x1b[0m not', first.style), [['still', { fg: 1 }], [' not', {}]]);
});

test('a long hostile line is read in time that grows with it', () => {
  for (const part of ['\x1b[', '\x1b]', '\x1bP', '\x1b', '\r', '\x1b[1;', '\u202e']) {
    assert.equal(typeof bare(part.repeat(50_000)), 'string');
  }
});
