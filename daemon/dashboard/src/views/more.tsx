// What was left out of a view, and how to have it.
// A script of its own (frame/late.tsx).
import { saved } from '../shared.js';

/** Rows drawn before somebody asks for more. */
export const at_first = 200;

/** Where all of a row that was cut can be had. A proxy may have more before our paths than tofud knows: the page has, too. */
export function whole(row: { href?: string; bytes?: number }) {
  const path = row.href?.lastIndexOf('/v1/runs/') ?? -1;
  if (saved.value || path < 0) return null;
  return <a class="whole" href={row.href!.slice(path + 1)}>{`all ${row.bytes ?? ''} bytes`}</a>;
}

export function More({ all, shown_now, then }: { all: number; shown_now: number; then(): void }) {
  return shown_now < all ? <button type="button" class="more" onClick={then}>{`show all ${all}`}</button> : null;
}
