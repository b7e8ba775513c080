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
  row(at: number): ComponentChildren;
  /** This row is to be in sight; -1: none. */
  seen?: number;
  /** The last row is to be in sight as rows come. */
  follow?: boolean;
  on_scroll?(at_end: boolean): void;
  attributes: HTMLAttributes<HTMLDivElement>;
}

export function Virtual({ count, row_height, row, seen = -1, follow = false, on_scroll, attributes }: VirtualProps) {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const known_top = useRef(0);
  /** Somebody has scrolled away; who draws us may not have heard of it yet. */
  const away = useRef(false);

  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => {
      height.value = element.clientHeight;
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  useEffect(() => {
    const element = box.current!;
    if (seen < 0) return;
    if (seen * row_height < element.scrollTop) element.scrollTop = seen * row_height;
    else if ((seen + 1) * row_height > element.scrollTop + element.clientHeight) {
      element.scrollTop = (seen + 1) * row_height - element.clientHeight;
    }
  }, [seen]);

  useEffect(() => {
    if (follow) away.current = false;
  }, [follow]);

  useEffect(() => {
    const element = box.current!;
    // Or has just scrolled away, and the event for it is on its way.
    if (!follow || away.current || element.scrollTop !== known_top.current) return;
    element.scrollTop = element.scrollHeight;
    known_top.current = element.scrollTop;
  }, [count, follow]);

  const scrolled = () => {
    const element = box.current!;
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
  for (let at = first; at < last; at++) rows.push(row(at));
  return (
    <div {...attributes} ref={box} onScroll={scrolled}>
      <div class="all" role="presentation" style={{ height: `${count * row_height}px` }}>
        <div class="drawn" role="presentation" style={{ transform: `translateY(${first * row_height}px)` }}>{rows}</div>
      </div>
    </div>
  );
}
