// What stays on top while one scrolls: the header, and the failures where there is room for them.
import { useEffect, useRef } from 'preact/hooks';
import { Diagnostics } from './diagnostics.js';
import { Header } from './header.js';

/** Keeps how high that is in `--head`: what gets the focus is scrolled to below it. */
function keep_height(all: HTMLElement): () => void {
  const header = all.querySelector('header')!;
  // In a small window the header alone is pinned, and what is around it has no box (style/views.css).
  const measure = () => document.documentElement.style.setProperty('--head', `${all.offsetHeight || header.offsetHeight}px`);
  const watch = new ResizeObserver(measure);
  watch.observe(all);
  watch.observe(header);
  return () => watch.disconnect();
}

export function Pinned() {
  const all = useRef<HTMLDivElement>(null);
  useEffect(() => keep_height(all.current!), []);
  return <div class="pinned" ref={all}><Header /><Diagnostics /></div>;
}
