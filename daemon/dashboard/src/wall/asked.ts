// What the address of the wall asks for: https://…/wall?q=prod&status=failed,running&label=team=net&columns=4&theme=dark&rotate=20&days=7
import type { Wanted } from './cards.js';

export interface Asked extends Wanted {
  /** 0: as many as fit. */
  columns: number;
  /** null: what the browser prefers. */
  theme: 'light' | 'dark' | null;
  /** Seconds for each screen of cards; 0: one list to scroll. */
  rotate: number;
}

/** A failure that nobody mends in two weeks is known. */
const days = 14;
const statuses = ['running', 'succeeded', 'failed', 'interrupted', 'lost', 'unknown'];

function number(text: string | null, least: number, most: number, otherwise: number): number {
  const found = text !== null && /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  return isNaN(found) ? otherwise : Math.min(Math.max(found, least), most);
}

/** `search`: location.search. What can't be understood is as if it were not there. */
export function asked_by(search: string): Asked {
  const given = new URLSearchParams(search);
  const theme = given.get('theme');
  const rotate = number(given.get('rotate'), 0, 3600, 0);
  return {
    text: given.get('q') ?? '',
    statuses: new Set((given.get('status') ?? '').split(',').filter((each) => statuses.includes(each))),
    labels: given.getAll('label').filter((each) => each !== ''),
    days: number(given.get('days'), 0, 36_500, days),
    columns: Math.floor(number(given.get('columns'), 0, 20, 0)),
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    rotate: rotate > 0 ? Math.max(rotate, 3) : 0,
  };
}
