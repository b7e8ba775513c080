// What programs print for terminals, as pieces of text with a style. Colour and weight are kept; whatever else a terminal
// would do (move, erase, set titles, ring) is dropped, as are marks that turn text around.

export interface Style {
  /** 0–15, or an rgb() of the 256 colours or of a true colour; null: the page's own. */
  fg: number | string | null;
  bg: number | string | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
  strike: boolean;
}

export interface Piece {
  text: string;
  style: Style;
}

export const plain: Style = Object.freeze({
  fg: null, bg: null, bold: false, dim: false, italic: false, underline: false, inverse: false, strike: false,
});

// CSI, then OSC/DCS/PM/APC/SOS up to their end (or the end of the line), then other escapes, then single controls
// but tab, then what turns or hides text.
const control = new RegExp(
  '(?:\\x1b\\[|\\x9b)([0-?]*)[ -/]*([@-~])?' +
  '|(?:\\x1b[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^\\x07\\x1b\\x9c]*(?:\\x07|\\x1b\\\\|\\x9c|(?=\\x1b)|$)' +
  '|\\x1b[ -/]*[0-~]?' +
  '|[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f]' +
  '|[\\u202a-\\u202e\\u2066-\\u2069]',
  'g');

/** The pieces of one line that begins in `style`, and the style that the next begins in. */
export function parse_sgr(line: string, style: Style): { pieces: Piece[]; style: Style } {
  // A progress bar prints over itself: its last state counts.
  const text = line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1);
  const pieces: Piece[] = [];
  const put = (part: string) => {
    if (!part) return;
    const last = pieces[pieces.length - 1];
    if (last && last.style === style) last.text += part;
    else pieces.push({ text: part, style });
  };
  let from = 0;
  for (const found of text.matchAll(control)) {
    put(text.slice(from, found.index));
    from = found.index! + found[0].length;
    if (found[2] === 'm') style = changed(style, found[1]!);
  }
  put(text.slice(from));
  return { pieces, style };
}

/** Text of a line without any style. */
export const bare = (line: string): string => parse_sgr(line, plain).pieces.map((piece) => piece.text).join('');

function changed(style: Style, parameters: string): Style {
  if (!/^[0-9;:]*$/.test(parameters)) return style; // private: no colour
  const codes = parameters.split(/[;:]/).map(Number);
  let now: Style = { ...style };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code === 0) now = { ...plain };
    else if (code === 1) now.bold = true;
    else if (code === 2) now.dim = true;
    else if (code === 3) now.italic = true;
    else if (code === 4) now.underline = true;
    else if (code === 7) now.inverse = true;
    else if (code === 9) now.strike = true;
    else if (code === 22) now.bold = now.dim = false;
    else if (code === 23) now.italic = false;
    else if (code === 24) now.underline = false;
    else if (code === 27) now.inverse = false;
    else if (code === 29) now.strike = false;
    else if (code >= 30 && code <= 37) now.fg = code - 30;
    else if (code === 39) now.fg = null;
    else if (code >= 40 && code <= 47) now.bg = code - 40;
    else if (code === 49) now.bg = null;
    else if (code >= 90 && code <= 97) now.fg = code - 82;
    else if (code >= 100 && code <= 107) now.bg = code - 92;
    else if (code === 38 || code === 48) {
      const [colour, used] = extended(codes.slice(i + 1));
      i += used;
      if (colour !== undefined) now[code === 38 ? 'fg' : 'bg'] = colour;
    }
  }
  return now;
}

function extended(codes: number[]): [number | string | undefined, number] {
  const byte = (n: number | undefined) => Math.min(255, Math.max(0, Math.floor(n || 0)));
  if (codes[0] === 5) return [palette(byte(codes[1])), 2];
  if (codes[0] === 2) return [`rgb(${byte(codes[1])},${byte(codes[2])},${byte(codes[3])})`, 4];
  return [undefined, 0];
}

function palette(n: number): number | string {
  if (n < 16) return n;
  if (n >= 232) {
    const grey = 8 + (n - 232) * 10;
    return `rgb(${grey},${grey},${grey})`;
  }
  const level = (v: number) => (v ? 55 + v * 40 : 0);
  const cube = n - 16;
  return `rgb(${level(Math.floor(cube / 36))},${level(Math.floor(cube / 6) % 6)},${level(cube % 6)})`;
}
