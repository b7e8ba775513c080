// What stands behind a word: exact times, whole addresses, what is meant. By pointing, by the focus, by a tap; Escape takes it away.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

interface Said {
  text: string;
  left: number;
  /** Of its upper edge; of its lower one if it stands above what it is of. */
  top: number;
  above: boolean;
}

/** A pointer that only passes by asks nothing; one on its way to the text has so long. */
const asked_ms = 350;
const left_ms = 200;
/** CSS pixels; style/says.css has the width. */
const gap = 6;
/** Below what it is of, for some lines. */
const room = 80;
const width = 320;

const shown = signal<Said | null>(null);
let of: Element | null = null;
let soon = 0;

const asked = (event: Event): Element | null => (event.target instanceof Element ? event.target.closest('[data-says]') : null);

function hide(): void {
  clearTimeout(soon);
  of?.removeAttribute('aria-describedby');
  of = null;
  shown.value = null;
}

function show(what: Element): void {
  const text = what.getAttribute('data-says');
  if (!text || !what.isConnected) return hide();
  hide();
  of = what;
  const { left, top, bottom } = what.getBoundingClientRect();
  const above = bottom + room > innerHeight;
  shown.value = { text, left: Math.max(gap, Math.min(left, innerWidth - width - gap)), top: above ? top - gap : bottom + gap, above };
  what.setAttribute('aria-describedby', 'says');
}

/** Later ones are forgotten. */
function later(work: () => void, ms: number): void {
  clearTimeout(soon);
  soon = window.setTimeout(work, ms);
}

function pointed(event: PointerEvent): void {
  if (event.pointerType !== 'mouse') return;
  const what = asked(event);
  if (what === of) return clearTimeout(soon);
  if (what) later(() => show(what), asked_ms);
  else if (of && !(event.target as Element).closest?.('#says')) later(hide, left_ms);
  else clearTimeout(soon);
}

function focused(event: FocusEvent): void {
  const what = asked(event);
  if (what === of) return; // a tap has asked, and the focus follows it
  if (what?.matches(':focus-visible')) show(what);
  else if (of) hide();
}

function tapped(event: PointerEvent): void {
  if (event.pointerType === 'mouse') return hide();
  const what = asked(event);
  if (what && what !== of) show(what);
  else hide();
}

/** It closes nothing else then. */
function dismissed(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || !shown.value) return;
  hide();
  event.stopPropagation();
  event.preventDefault();
}

export function Says() {
  useEffect(() => {
    addEventListener('pointerover', pointed);
    addEventListener('focusin', focused);
    addEventListener('pointerdown', tapped);
    addEventListener('scroll', hide, { capture: true, passive: true });
    addEventListener('keydown', dismissed, { capture: true });
  }, []);
  const said = shown.value;
  return said && <div id="says" role="tooltip" data-state={said.above ? 'above' : undefined} style={{ left: `${said.left}px`, top: `${said.top}px` }}>{said.text}</div>;
}
