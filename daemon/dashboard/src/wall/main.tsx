// The wall: a card per stack, read from afar, by nobody in particular, for months.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { redeem, take_ticket } from '../source/session.js';
import { still_muted } from './cards.js';
import { begin, fresh, known, rows, start_again } from './connection.js';
import { muted, put_muted } from './muted.js';
import { mind_trouble } from './sound.js';
import { asked, cards, counts, is_old, room, Wall } from './wall.js';

const root = document.documentElement;

const dark = matchMedia('(prefers-color-scheme: dark)');
const set_theme = () => (root.dataset.theme = asked.theme ?? (dark.matches ? 'dark' : 'light'));
dark.addEventListener('change', set_theme);
set_theme();

/** What is left for cards: the head takes a line or two. */
function measure(): void {
  const cards = document.querySelector('.bands')!;
  const width = cards.clientWidth;
  const height = Math.max(200, innerHeight - cards.getBoundingClientRect().top - scrollY - 12);
  if (width !== room.value.width || Math.abs(height - room.value.height) > 8) room.value = { width, height, screen: innerHeight };
}

/** A screen that nobody touches stays on, where browsers let a page ask for it. */
async function stay_awake(): Promise<void> {
  if (document.hidden) return;
  await navigator.wakeLock?.request('screen').catch(() => undefined);
}

// Without an error it is a remark of the browser's.
addEventListener('error', (event) => event.error && start_again(event.message));
addEventListener('unhandledrejection', (event) => start_again(String(event.reason)));

const ticket = take_ticket();
if (ticket) void redeem(ticket).then(begin);
else begin();

render(<Wall />, document.getElementById('page')!);
measure();
addEventListener('resize', measure);
new ResizeObserver(() => setTimeout(measure)).observe(document.querySelector('header')!);
document.addEventListener('visibilitychange', () => void stay_awake());
void stay_awake();

effect(() => {
  document.title = `${is_old.value ? '? ' : ''}${known.value ? `${counts.value} · ` : ''}tofud`;
  document.body.className = is_old.value ? 'stale' : '';
  document.body.dataset.is = is_old.value ? 'stale' : fresh().is;
});
mind_trouble(() => (known.value && !is_old.value ? cards.value : null));
effect(() => {
  const next = still_muted(muted.value, rows.value.stacks);
  if (next) put_muted(next);
});
