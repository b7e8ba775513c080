// Lines that programs printed, in their colours, of which only those in sight are in the document.
// A script of its own (frame/late.tsx).
import { both_times, parse_sgr, plain, shown, useMemo, useRef, useSignal, Virtual } from '../shared.js';
import type { Piece, Style } from '../values/sgr.js';

const row_height = 18; // style/late.css has the same

export interface Printed {
  key: string;
  text: string;
  at?: string | null;
  /** Whose it is, where lines of several stand together. */
  of?: string;
  /** Colours go on from line to line of the same source. */
  step?: number;
  provisioner?: number;
}

function classes(style: Style): string {
  const names: string[] = [];
  const [fg, bg] = style.inverse ? [style.bg, style.fg] : [style.fg, style.bg];
  if (typeof fg === 'number') names.push(`f${fg}`);
  if (typeof bg === 'number') names.push(`b${bg}`);
  if (style.inverse && fg === null && bg === null) names.push('inverse');
  for (const name of ['bold', 'dim', 'italic', 'underline', 'strike'] as const) {
    if (style[name]) names.push(name);
  }
  return names.join(' ');
}

function Printing({ of }: { of: Piece }) {
  const name = classes(of.style);
  const [fg, bg] = of.style.inverse ? [of.style.bg, of.style.fg] : [of.style.fg, of.style.bg];
  const own: { '--own'?: string; backgroundColor?: string } = {};
  if (typeof fg === 'string') own['--own'] = fg;
  if (typeof bg === 'string') own.backgroundColor = bg;
  if (!name && !own['--own'] && !own.backgroundColor) return <>{of.text}</>;
  return <span class={own['--own'] ? `${name} own` : name} style={own}>{of.text}</span>;
}

const source_of = (line: Printed) => `${line.of ?? ''} ${line.step} ${line.provisioner}`;

/** The pieces of each line, parsed as lines come: each begins in the style that the one before it ended in. */
class Drawn {
  private first: Printed | undefined;
  private pieces: Piece[][] = [];
  private styles = new Map<string, Style>();

  of(lines: readonly Printed[]): Piece[][] {
    if (this.first !== lines[0] || this.pieces.length > lines.length) {
      this.first = lines[0];
      this.pieces = [];
      this.styles.clear();
    }
    for (let at = this.pieces.length; at < lines.length; at++) {
      const line = lines[at]!;
      const parsed = parse_sgr(line.text, this.styles.get(source_of(line)) ?? plain);
      this.styles.set(source_of(line), parsed.style);
      this.pieces.push(parsed.pieces);
    }
    return this.pieces;
  }
}

export interface LogProps {
  lines: readonly Printed[];
  /** Lines before these exist. */
  cut: boolean;
  label: string;
  follow?: boolean;
  /** Only lines that contain it. */
  find?: string;
}

export function LogLines({ lines, cut, label, follow = true, find = '' }: LogProps) {
  shown.value.lines_version.value; // lines are added to the array that was given
  const drawn = useMemo(() => new Drawn(), []);
  const following = useSignal(follow);
  const left_at = useRef(0);
  const pieces = drawn.of(lines);
  const wanted = find.toLowerCase();
  const chosen: number[] | null = wanted
    ? pieces.flatMap((line, at) => (line.map((piece) => piece.text).join('').toLowerCase().includes(wanted) ? [at] : []))
    : null;
  const count = chosen ? chosen.length : lines.length;
  if (following.value) left_at.current = lines.length;
  const news = lines.length - left_at.current;
  const at_end = (end: boolean) => {
    // The lines that are found are scrolled by nobody's wish to follow, and by their becoming fewer.
    if (!wanted) following.value = end && follow;
  };
  return (
    <div class="log-box">
      {cut && <p class="note">older lines are not loaded</p>}
      <Virtual count={count} row_height={row_height} follow={following.value && !wanted} on_scroll={at_end}
               row={(i) => {
                 const at = chosen ? chosen[i]! : i;
                 return (
                   <div key={lines[at]!.key} class="line" data-says={both_times(lines[at]!.at)}>
                     {lines[at]!.of && <span class="whose">{`${lines[at]!.of} `}</span>}{pieces[at]!.map((piece, n) => <Printing key={n} of={piece} />)}
                   </div>
                 );
               }}
               attributes={{ class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': label, tabIndex: 0,
                             style: { height: `${Math.min(Math.max(count, 1), 24) * row_height + 34}px` } }} />
      <p class="log-foot">
        {follow && <label><input type="checkbox" name="follow" class="follow" checked={following.value}
                      onChange={(event) => (following.value = event.currentTarget.checked)} /> follow</label>}
        {' '}
        {follow && news > 0 && <button type="button" class="news" onClick={() => (following.value = true)}>
          {`${news} new ${news === 1 ? 'line' : 'lines'}`}</button>}
        {wanted && <span>{`${count} of ${lines.length} lines`}</span>}
      </p>
    </div>
  );
}
