// Failures that the viewer of this wall does not want to see as trouble. Only this browser knows of it.
import { signal } from '@preact/signals';
import type { Muted } from './cards.js';

// Walls of several tofud may be below paths of one host.
const place = `tofud ${location.pathname} muted`;

function kept(): Muted {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(place) ?? '{}');
    return Object.assign(Object.create(null), found) as Muted;
  } catch {
    return Object.create(null) as Muted; // no store, or somebody else's text in it
  }
}

export const muted = signal<Muted>(kept());

export function put_muted(next: Muted): void {
  muted.value = next;
  try {
    localStorage.setItem(place, JSON.stringify(next));
  } catch {
    // Then it holds as long as the page.
  }
}

export function mute(stack: string, run: string): void {
  put_muted(Object.assign(Object.create(null), muted.value, { [stack]: run }) as Muted);
}

export function unmute(stack: string): void {
  const next = Object.assign(Object.create(null), muted.value) as Muted;
  delete next[stack];
  put_muted(next);
}
