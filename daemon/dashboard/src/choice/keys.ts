// The keyboard. Keys typed into a field belong to the field, but for Escape.
import { close, cursor, help, is_offered, opened, palette, view, type View } from './choice.js';
import { move, open, to_failure, to_group, to_next } from './cursor.js';
import { take_in } from './groups.js';
import { copy } from './clipboard.js';

/** After `g` a letter names a view. */
const views_by_letter: { [letter: string]: View } = { o: 'overview', r: 'resources', p: 'plan', g: 'graph', w: 'waterfall', l: 'log', u: 'outputs', c: 'compare' };
const g_lasts_ms = 1500;

export const keys: readonly [string, string][] = [
  ['/', 'filter by text'],
  ['j  k', 'next, previous resource; also ↓ ↑ in the list'],
  ['n  p', 'next, previous failed resource; of a plan, change'],
  ['[  ]', 'previous, next group'],
  ['Enter', 'open the resource'],
  ['Esc', 'close'],
  ['c', 'copy the address of the resource'],
  ['y', 'copy the link to what is shown'],
  ['.', 'take changes into the order of the list'],
  ['g then o r p g w l u c', 'overview, resources, plan, graph, timeline, log, outputs, compare'],
  ['Ctrl K', 'go to a view, resource or run, or do something, by typing'],
  ['?', 'these keys'],
];

let g_until = 0;

/** Whether the key was one of ours. */
function pressed(key: string, on: Element | null): boolean {
  const asked = g_until > performance.now() ? views_by_letter[key] : undefined;
  g_until = 0;
  if (asked && is_offered(asked)) {
    view.value = asked;
    return true;
  }
  switch (key) {
    case '/':
      document.getElementById('filter')?.focus();
      return true;
    case 'ArrowDown':
    case 'ArrowUp':
      if (!on?.matches('#resources .rows, #waterfall .rows')) return false;
      move(key === 'ArrowDown' ? 1 : -1);
      return true;
    case 'j':
    case 'k':
      move(key === 'j' ? 1 : -1);
      return true;
    case 'n':
    case 'f':
    case 'p':
      if (view.value === 'plan') to_next('.planned-change', key === 'p' ? -1 : 1);
      else to_failure(key === 'p' ? -1 : 1);
      return true;
    case '[':
    case ']':
      if (view.value === 'plan') to_next('.review-group', key === '[' ? -1 : 1);
      else to_group(key === '[' ? -1 : 1);
      return true;
    case 'c':
      if (!cursor.value) return false;
      void copy(cursor.value);
      return true;
    case 'y':
      void copy(location.href);
      return true;
    case '.':
      take_in();
      return true;
    case 'g':
      g_until = performance.now() + g_lasts_ms;
      return true;
    case '?':
      help.value = !help.value;
      return true;
    case 'Enter':
      // A link or button under the focus does what it does.
      if (on?.matches('a, button, summary') || !cursor.value) return false;
      open(cursor.value);
      return true;
    default:
      return false;
  }
}

export function listen(): void {
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key === 'k') {
      palette.value = !palette.value;
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const on = event.target instanceof Element ? event.target : null;
    const typing = on?.matches('input, select, textarea') ?? false;
    if (event.key === 'Escape') {
      if (help.value || palette.value) return; // the dialog closes itself, and gives the focus back
      if (typing) (on as HTMLElement).blur();
      else if (opened.value) close();
      else return;
      event.preventDefault();
    } else if (!typing && pressed(event.key, on)) {
      event.preventDefault();
    }
  });
}
