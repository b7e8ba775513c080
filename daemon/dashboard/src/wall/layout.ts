// What is shown of how many stacks, and how large: trouble as large as fits, then what runs, then what is quiet. One way for 1 and for 200.
import type { Kind } from './cards.js';

/** A letter of 1/50 of the screen's height is read from five metres on a screen of a metre; a phone is held nearer. What is quiet is looked at from nearer. */
const read_from_afar = { share: 1 / 50, px: 15 };
const read_from_near = { share: 1 / 80, px: 12 };
/** One card need not be one word. */
const largest_share = 1 / 12;
/** Between cards, in letters. */
const gap = 0.35;
/** The head of a band, in letters that are read from near; they do not grow. */
const head = 1.5;

export const bands = ['trouble', 'running', 'quiet'] as const;
export type Band = (typeof bands)[number];

export const band_of = (kind: Kind): Band =>
  (kind === 'failed' || kind === 'failing' || kind === 'silent' || kind === 'approval' ? 'trouble' : kind === 'running' ? 'running' : 'quiet');

export interface Form {
  is: 'large' | 'medium' | 'small' | 'tile' | 'name' | 'dot';
  /** In letters. */
  width: number;
  height: number;
  /** Letters are those that are read from near. */
  near?: true;
}

/** The largest first. */
const forms: { [band in Band]: readonly Form[] } = {
  trouble: [{ is: 'large', width: 20, height: 9 }, { is: 'medium', width: 20, height: 5.6 }, { is: 'small', width: 24, height: 2.3 }],
  running: [{ is: 'medium', width: 20, height: 7.4 }, { is: 'medium', width: 20, height: 5.2 }, { is: 'small', width: 16, height: 2.3 }, { is: 'tile', width: 17, height: 1.9, near: true }],
  quiet: [
    { is: 'medium', width: 16, height: 5.6 }, { is: 'medium', width: 16, height: 4.4 }, { is: 'tile', width: 17, height: 2, near: true }, { is: 'name', width: 13, height: 1.6, near: true },
    { is: 'dot', width: 1.5, height: 1.5, near: true },
  ],
};
const quiet_form = (is: Form['is']): Form => forms.quiet.find((form) => form.is === is)!;

/** Of the height what is quiet, and what runs, may take from trouble. */
const most_share = { running: 0.27, quiet: 0.38 };

export interface BandLayout {
  band: Band;
  form: Form;
  columns: number;
  /** On the screen. */
  rows: number;
  /** Cards that are shown; the others are counted. */
  shown: number;
  /** Of a letter, in px. */
  unit: number;
  /** Of a card, in px. */
  height: number;
}

export interface Counts {
  trouble: number;
  running: number;
  quiet: number;
}

interface Room {
  width: number;
  height: number;
  /** Of the whole screen; absent: as high as the room. */
  screen?: number;
}

interface Tried {
  columns: number;
  rows: number;
  /** Of all of it, its head as well, in px. */
  height: number;
}

interface Letters {
  afar: number;
  near: number;
  /** Of a band's head, in px. */
  head: number;
}

const letter_of = (form: Form, letters: Letters): number => (form.near ? letters.near : letters.afar);

/** `asked`: so many columns of what is no dot; 0: as many as fit. */
function tried(count: number, form: Form, letters: Letters, width: number, asked: number): Tried {
  const unit = letter_of(form, letters);
  const fit = Math.max(1, Math.floor((width / unit + gap) / (form.width + gap)));
  const columns = form.is === 'dot' || !asked ? Math.min(fit, count) : asked;
  const rows = Math.ceil(count / columns);
  return { columns, rows, height: count === 0 ? 0 : letters.head + rows * (form.height + gap) * unit };
}

/** The largest form that fits; null: none does. */
function fitting(band: Band, count: number, letters: Letters, width: number, height: number, asked: number): Form | null {
  return forms[band].find((form) => tried(count, form, letters, width, asked).height <= height + 0.5) ?? null;
}

type Chosen = { [band in Band]: Form };

/** Quiet and running first keep the least they need; trouble takes what it can of the rest, then the others. */
function choose(counts: Counts, letters: Letters, room: Room, asked: number, least_quiet: Form): Chosen {
  const height = (band: Band, form: Form) => tried(counts[band], form, letters, room.width, asked).height;
  const smallest = (band: Band) => (band === 'quiet' ? least_quiet : forms[band][forms[band].length - 1]!);
  const least = (band: 'running' | 'quiet') => Math.min(height(band, smallest(band)), most_share[band] * room.height);
  const trouble = fitting('trouble', counts.trouble, letters, room.width, room.height - least('running') - least('quiet'), asked) ?? smallest('trouble');
  const left = room.height - Math.min(height('trouble', trouble), room.height - least('running') - least('quiet'));
  // Names of what is quiet are worth more than larger letters of what runs.
  const with_names = height('quiet', quiet_form('name'));
  const kept = height('running', smallest('running')) + with_names <= left ? Math.max(with_names, least('quiet')) : least('quiet');
  const running = fitting('running', counts.running, letters, room.width, left - kept, asked) ?? smallest('running');
  const rest = left - Math.min(height('running', running), left - least('quiet'));
  const quiet = forms.quiet.slice(0, forms.quiet.indexOf(least_quiet) + 1)
    .find((form) => height('quiet', form) <= rest + 0.5) ?? least_quiet;
  return { trouble, running, quiet };
}

/** `turning`: pages of what is quiet come one after the other, so its names can be read. */
export function layout(counts: Counts, room: Room, asked: number, turning: boolean): BandLayout[] {
  const least = (of: typeof read_from_afar) => Math.max(of.px, (room.screen ?? room.height) * of.share);
  const smallest: Letters = { afar: least(read_from_afar), near: least(read_from_near), head: head * least(read_from_near) };
  const least_quiet = quiet_form(turning ? 'tile' : 'dot');
  const chosen = choose(counts, smallest, room, asked, least_quiet);
  const needed = (letters: Letters) => bands.reduce((sum, band) => sum + tried(counts[band], chosen[band], letters, room.width, asked).height, 0);
  // What is left makes letters larger, as long as all of it still fits.
  const scaled = (by: number): Letters => ({ afar: smallest.afar * by, near: smallest.near * by, head: smallest.head });
  const wide_enough = (letters: Letters) => bands.every((band) => counts[band] === 0 || (chosen[band].width * letter_of(chosen[band], letters) <= room.width));
  let by = 1;
  if (!asked) {
    let above = Math.max(1, (room.height * largest_share) / smallest.afar);
    for (let i = 0; i < 24; ++i) {
      const middle = (by + above) / 2;
      if (needed(scaled(middle)) <= room.height && wide_enough(scaled(middle))) by = middle;
      else above = middle;
    }
  }
  const letters = scaled(by);
  return placed(counts, chosen, letters, room, asked);
}

function placed(counts: Counts, chosen: Chosen, letters: Letters, room: Room, asked: number): BandLayout[] {
  let left = room.height;
  const found: BandLayout[] = [];
  for (const band of bands) {
    if (counts[band] === 0) continue;
    const form = chosen[band];
    const unit = letter_of(form, letters);
    const all = tried(counts[band], form, letters, room.width, asked);
    const row = (form.height + gap) * unit;
    // What comes after it has its least, whatever becomes of it.
    const kept = bands.slice(bands.indexOf(band) + 1).reduce((sum, each) => sum + (each === 'trouble' ? 0
      : Math.min(tried(counts[each], chosen[each], letters, room.width, asked).height, most_share[each] * room.height)), 0);
    const rows = Math.max(1, Math.min(all.rows, Math.floor((left - kept - letters.head + 0.5) / row)));
    left -= letters.head + rows * row;
    found.push({ band, form, columns: all.columns, rows, shown: Math.min(counts[band], rows * all.columns), unit, height: form.height * unit });
  }
  // What is left over is theirs who have the most to say.
  const growing = found.filter(({ form }) => form.is === 'large' || form.is === 'medium');
  const grow = growing.length > 0 ? growing : found.filter(({ form }) => form.is !== 'dot');
  const rows = grow.reduce((sum, each) => sum + each.rows, 0);
  for (const each of grow) each.height += Math.max(0, left) / rows;
  return found;
}

/** The cards to show now. With `rotate_s` 0 the first ones: the others are counted. */
export function page_of<T>(cards: readonly T[], on_screen: number, rotate_s: number, now_ms: number): { cards: readonly T[]; page: number; pages: number } {
  const pages = rotate_s > 0 ? Math.max(1, Math.ceil(cards.length / on_screen)) : 1;
  const page = pages > 1 ? Math.floor(now_ms / (rotate_s * 1000)) % pages : 0;
  return { cards: cards.slice(page * on_screen, (page + 1) * on_screen), page, pages };
}

/** Where the picture stands, in px: no screen shows the same letters at the same place for months. */
export function shift(now_ms: number): { x: number; y: number } {
  const at = Math.floor(now_ms / 60_000) % 16;
  const around = [0, 1, 2, 3, 4, 4, 4, 4, 4, 3, 2, 1, 0, 0, 0, 0];
  return { x: around[at]!, y: around[(at + 4) % 16]! };
}

/** What a form has above its lines, in letters: name, state, bar, edges. */
const above_lines: { [form in Form['is']]: number } = { large: 4.1, medium: 3.2, small: 9, tile: 9, name: 9, dot: 9 };
const line = 1.1;

/** Lines that a card has room for, whole ones. */
export const lines_in = ({ form, height, unit }: BandLayout, bar: boolean): number =>
  Math.max(0, Math.floor((height / unit - above_lines[form.is] - (bar ? 0.6 : 0)) / line));
