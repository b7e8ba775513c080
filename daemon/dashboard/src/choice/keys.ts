// The keyboard. Keys typed into a field belong to the field, but for Escape.
import { close, cursor, help, move, next_failure, open, opened } from './choice.js';

export const keys: readonly [string, string][] = [
  ['/', 'filter by text'],
  ['j  k', 'next, previous resource; also ↓ ↑ in the table'],
  ['Enter', 'open the resource'],
  ['f', 'next failed resource'],
  ['Esc', 'close'],
  ['?', 'these keys'],
];

export function listen(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const on = event.target instanceof Element ? event.target : null;
    const typing = on?.matches('input, select, textarea') ?? false;
    if (event.key === 'Escape') {
      if (help.value) return; // the dialog closes itself, and gives the focus back
      if (typing) (on as HTMLElement).blur();
      else if (opened.value) close();
      else return;
      event.preventDefault();
      return;
    }
    if (typing) return;
    switch (event.key) {
      case '/':
        (document.getElementById('filter') as HTMLInputElement | null)?.focus();
        break;
      case 'ArrowDown':
      case 'ArrowUp':
        if (!on?.matches('#resources .rows, #waterfall .rows')) return;
        move(event.key === 'ArrowDown' ? 1 : -1);
        break;
      case 'j':
        move(1);
        break;
      case 'k':
        move(-1);
        break;
      case 'f':
        next_failure();
        break;
      case '?':
        help.value = !help.value;
        break;
      case 'Enter':
        // A link or button under the focus does what it does.
        if (on?.matches('a, button, summary') || !cursor.value) return;
        open(cursor.value);
        break;
      default:
        return;
    }
    event.preventDefault();
  });
}
