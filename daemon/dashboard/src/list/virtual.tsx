// A list of rows of one height of which only those in sight are in the document, ten thousand or ten.
import { useSignal } from '@preact/signals';
import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Rows drawn beyond each edge, so that a quick scroll meets rows and not a void. */
const beyond = 8;

export interface VirtualProps {
  count: number;
  /** In CSS pixels; the style sheet gives rows the same. */
  row_height: number;
  /** `top`: pixels from the top of the list, for rows that say themselves where they are. */
  row(at: number, top: number): ComponentChildren;
  /** Rows say themselves where they are: one that goes elsewhere is moved, and what it moves past is not laid out anew. */
  placed?: boolean;
  /** This row is to be in sight; -1: none. */
  seen?: number;
  /** The last row is to be in sight as rows come. */
  follow?: boolean;
  on_scroll?(at_end: boolean): void;
  attributes: HTMLAttributes<HTMLDivElement>;
}

/** What scrolls a list: its own box, or one around it where the style sheet lets the list be as high as its rows. */
function scroller_of(list: HTMLElement): HTMLElement {
  for (let at: HTMLElement | null = list; at && at !== document.body; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.scrollingElement as HTMLElement;
}

/** Pixels from the top of what is in sight of the scroller to the list. */
function distance(list: HTMLElement, scroller: HTMLElement): number {
  if (list === scroller) return -scroller.scrollTop;
  const sight = scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top;
  return list.getBoundingClientRect().top - sight;
}

export function Virtual({ count, row_height, row, placed = false, seen = -1, follow = false, on_scroll, attributes }: VirtualProps) {
  const box = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLElement | null>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const known_top = useRef(0);
  /** Somebody has scrolled away; who draws us may not have heard of it yet. */
  const away = useRef(false);
  const following = useRef(follow);
  following.current = follow;

  const to_the_end = (element: HTMLElement) => {
    element.scrollTop = element.scrollHeight;
    known_top.current = element.scrollTop;
  };

  useLayoutEffect(() => {
    const element = box.current!;
    const moved = () => {
      if (scroller.current !== element) top.value = Math.max(0, -distance(element, scroller.current!));
    };
    const measure = () => {
      scroller.current = scroller_of(element);
      // A box that grows moves what is in it: that is no scroll of somebody's.
      const grew = scroller.current.clientHeight !== height.peek();
      height.value = scroller.current.clientHeight;
      if (grew && scroller.current === element && following.current && !away.current) to_the_end(element);
      moved();
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    // Scrolls do not bubble; the one of the window is the document's.
    addEventListener('scroll', moved, { capture: true, passive: true });
    addEventListener('resize', measure);
    return () => {
      watch.disconnect();
      removeEventListener('scroll', moved, { capture: true });
      removeEventListener('resize', measure);
    };
  }, []);

  useEffect(() => {
    const [element, around] = [box.current!, scroller.current!];
    if (seen < 0) return;
    const at = distance(element, around) + seen * row_height;
    const covered = element === around ? 0 : parseFloat(getComputedStyle(around).scrollPaddingTop) || 0;
    if (at < covered) around.scrollTop += at - covered;
    else if (at + row_height > around.clientHeight) around.scrollTop += at + row_height - around.clientHeight;
  }, [seen]);

  useEffect(() => {
    if (follow) away.current = false;
  }, [follow]);

  useEffect(() => {
    const element = box.current!;
    // Or has just scrolled away, and the event for it is on its way.
    if (!follow || away.current || element.scrollTop !== known_top.current) return;
    to_the_end(element);
  }, [count, follow]);

  const scrolled = () => {
    const element = box.current;
    if (!element) return; // it has gone since
    const by_us = element.scrollTop === known_top.current;
    top.value = known_top.current = element.scrollTop;
    if (by_us) return; // rows may have come since, below what was the end then
    const at_end = element.scrollTop + element.clientHeight >= element.scrollHeight - row_height;
    away.current = !at_end;
    on_scroll?.(at_end);
  };

  const first = Math.max(0, Math.min(Math.floor(top.value / row_height), count - 1) - beyond);
  const last = Math.min(count, Math.ceil((top.value + height.value) / row_height) + beyond);
  const rows: ComponentChildren[] = [];
  for (let at = first; at < last; at++) rows.push(row(at, at * row_height));
  return (
    <div {...attributes} ref={box} onScroll={scrolled}>
      <div class="all" role="presentation" style={{ height: `${count * row_height}px` }}>
        {placed ? rows
          : <div class="drawn" role="presentation" style={{ transform: `translateY(${first * row_height}px)` }}>{rows}</div>}
      </div>
    </div>
  );
}
