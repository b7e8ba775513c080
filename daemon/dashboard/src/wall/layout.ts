// How large cards are: as large as fit, and no smaller than what is read from five metres.

/** A card in units of its letters. */
const card_width = 15;
const card_height = 8.6;
/** A letter of 1/50 of the screen's height is read from five metres on a screen of a metre; a phone is held nearer. */
const least_share = 1 / 50;
const least_px = 15;
/** One card need not fill the whole screen. */
const largest_share = 1 / 14;

export interface Layout {
  columns: number;
  /** That are on the screen at a time. */
  rows: number;
  /** Of a letter, in px. */
  unit: number;
}

/** `width` and `height` of the room for cards, in px; `asked`: so many columns, whatever becomes of the letters. 0: as many as fit. */
export function layout(cards: number, width: number, height: number, asked: number): Layout {
  const least = Math.max(least_px, height * least_share);
  const largest = Math.max(least, height * largest_share);
  const made = (columns: number): Layout => {
    const wide = width / (columns * card_width);
    const most_rows = Math.max(1, Math.floor(height / (least * card_height)));
    const rows = Math.min(Math.ceil(Math.max(cards, 1) / columns), most_rows);
    const unit = Math.min(wide, height / (rows * card_height), largest);
    return { columns, rows, unit: asked ? unit : Math.max(unit, least) };
  };
  if (asked) return made(asked);
  let best = made(1);
  const most = Math.min(Math.max(1, Math.floor(width / (least * card_width))), Math.max(cards, 1));
  for (let columns = 2; columns <= most; ++columns) {
    const next = made(columns);
    const fit = (one: Layout) => Math.min(one.columns * one.rows, cards);
    // All of them, as large as may be; where they don't fit, as many as can be read.
    if (fit(next) > fit(best) || (fit(next) === fit(best) && next.unit > best.unit)) best = next;
  }
  return best;
}

/** The cards to show now. With `rotate_s` 0 all of them: then somebody scrolls. */
export function page_of<T>(cards: readonly T[], on_screen: number, rotate_s: number, now_ms: number): { cards: readonly T[]; page: number; pages: number } {
  const pages = rotate_s > 0 ? Math.max(1, Math.ceil(cards.length / on_screen)) : 1;
  const page = pages > 1 ? Math.floor(now_ms / (rotate_s * 1000)) % pages : 0;
  return { cards: pages > 1 ? cards.slice(page * on_screen, (page + 1) * on_screen) : cards, page, pages };
}

/** Where the picture stands, in px: no screen shows the same letters at the same place for months. */
export function shift(now_ms: number): { x: number; y: number } {
  const at = Math.floor(now_ms / 60_000) % 16;
  const around = [0, 1, 2, 3, 4, 4, 4, 4, 4, 3, 2, 1, 0, 0, 0, 0];
  return { x: around[at]!, y: around[(at + 4) % 16]! };
}
