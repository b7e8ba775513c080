// What a card says, the same as on the wall without a script (daemon/api/pages/wall.cpp).
import type { Stack } from '../../../../protocol/feed/client/client.js';
import { eta_words, progress_text } from '../values/progress.js';
import { approve_at, who } from '../values/verdict.js';
import { by_our_clock, changes, goes_on, kinds, last_of, status_of, type Card, type Kind, type Status } from './cards.js';
import { age_text } from './clock.js';

/** A text, which leads to a run, has the colour of a state, or may turn the direction of what stands beside it. */
export interface Piece {
  text: string;
  run?: string;
  href?: string;
  status?: Status;
  foreign?: true;
}

/** A line of a card. */
export interface Said {
  of: 'what' | 'failure' | 'flight' | 'changes' | 'contact' | 'lock' | 'change' | 'outcome' | 'drift';
  is: 'big' | 'attention' | 'faint' | 'plain';
  pieces: Piece[];
}

/** The word of a state; the style sheet draws its shape beside it, so that a colour never stands alone. `now` for what has an age: "drifted 3 d". */
export function state_text(of: Stack, kind?: Kind, now = NaN): string {
  const since = Date.parse(of.drift?.since ?? '');
  if (kind === 'drifted') return isNaN(now - since) ? 'drifted' : `drifted ${age_text(now - since)}`;
  if (kind === 'failing' || kind === 'silent') return kind === 'silent' ? 'no contact' : 'failing';
  return goes_on(of) && of.phase === 'approval' ? 'waits for approval' : status_of(of);
}

/** What the style sheet calls it. */
export const state_of = (of: Stack, kind: Kind): string => (kind === 'approval' || kind === 'failing' || kind === 'drifted' ? kind : kind === 'silent' ? 'lost' : status_of(of));

const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/** The run that is on, or the last one: "apply 9/41, for 5 min". */
function what({ stack, run }: Card, now: number): Said {
  const of_phase = goes_on(stack) && stack.phase !== 'approval' && stack.command !== stack.phase;
  const pieces: Piece[] = [{ text: of_phase ? `${stack.command}, phase ${stack.phase}` : stack.command, run: stack.run }];
  const progress = run ? progress_text(run) : '';
  let rest = progress && ` ${progress}`;
  const since = by_our_clock(stack.started_at, stack);
  if (goes_on(stack) && !isNaN(since)) rest += `, for ${age_text(now - since)}`;
  else if (!isNaN(last_of(stack))) rest += `, ${age_text(now - last_of(stack))} ago`;
  if (goes_on(stack) && run?.estimate && !isNaN(since)) rest += `, ${eta_words(run.estimate, now - (since - Date.parse(stack.started_at!)))}`;
  if (rest) pieces.push({ text: rest });
  return { of: 'what', is: 'big', pieces };
}

/** What failed first and why: "aws_subnet.a[9]: quota exceeded". */
function failure({ run }: Card): Said[] {
  if (!run?.failure) return [];
  const { addr, summary } = run.failure;
  const pieces: Piece[] = [];
  if (addr) pieces.push({ text: addr, foreign: true });
  if (summary) pieces.push(...(addr ? [{ text: ': ' }] : []), { text: summary, foreign: true });
  else pieces.push({ text: ' failed' });
  return [{ of: 'failure', is: 'plain', pieces }];
}

function flight({ stack, run }: Card, now: number): Said[] {
  const parts: Piece[][] = [];
  if (goes_on(stack) && run?.counts.running) parts.push([{ text: `${run.counts.running} running` }]);
  if (run?.counts.failed) parts.push([{ text: `${run.counts.failed} failed` }]);
  if (run?.strands) parts.push([{ text: `${run.strands.count} behind ` }, { text: run.strands.addr, foreign: true }]);
  const last = by_our_clock(stack.last_line_at, stack);
  if (goes_on(stack) && !isNaN(last)) parts.push([{ text: `last line ${age_text(now - last)} ago` }]);
  // Whom the sender names, where somebody should look: "ada · 1a2b3c4 on main".
  const asks = goes_on(stack) && stack.phase === 'approval';
  const by = run && (run.failure || asks) ? who(run.labels) : '';
  if (by) parts.push([{ text: by, foreign: true }]);
  const href = run && asks ? approve_at(run.labels) : '';
  if (href) parts.push([{ text: 'approve there ↗', href }]);
  return parts.length === 0 ? [] : [{ of: 'flight', is: 'plain', pieces: parts.flatMap((part, i) => (i > 0 ? [{ text: ', ' }, ...part] : part)) }];
}

/** "+3 ~1 -2", as the plan or the apply says. */
function changed(card: Card): Said[] {
  const counts = changes(card.run);
  if (!counts) return [];
  const said = ([['+', counts.add], ['~', counts.change], ['-', counts.remove]] as const).filter(([, count]) => count > 0).map(([sign, count]) => sign + count).join(' ');
  const more = [counts.import && `${counts.import} imported`, counts.forget && `${counts.forget} forgotten`].filter(Boolean);
  if (!said && more.length === 0) return [];
  const text = card.destroys ? `destroys ${counts.remove}` : [said, ...more].filter(Boolean).join(', ');
  return [{ of: 'changes', is: card.destroys ? 'plain' : 'faint', pieces: [{ text }] }];
}

function contact({ stack }: Card, now: number): Said[] {
  if (!stack.contact || stack.contact === 'ok') return [];
  // What is over needs nobody to tell of it; lost it is only for want of contact.
  if (!goes_on(stack) && stack.status !== 'lost') return [];
  const last = by_our_clock(stack.last_line_at, stack);
  const text = isNaN(last) ? 'no contact' : `no contact, last line ${age_text(now - last)} ago`;
  return [{ of: 'contact', is: 'attention', pieces: [{ text }] }];
}

function lock({ stack }: Card): Said[] {
  const { lock: is } = stack;
  if (!is || is.state === 'released') return [];
  const pieces: Piece[] = [{ text: 'state locked by ' }];
  if (is.state === 'somebody else') {
    pieces.push({ text: is.who ? 'somebody else: ' : 'somebody else' });
    if (is.who) pieces.push({ text: is.who, foreign: true });
  } else {
    pieces.push({ text: is.holder ?? '', run: is.holder ?? '' });
    if (is.state === 'abandoned') pieces.push({ text: ', which left the lock behind' });
  }
  return [{ of: 'lock', is: 'attention', pieces }];
}

function change({ stack }: Card): Said[] {
  if (!stack.change) return [];
  const { state, plan_run } = stack.change;
  const plan: Piece[] = plan_run ? [{ text: 'plan', run: plan_run }] : [];
  const line = (is: Said['is'], ...pieces: Piece[]): Said[] => [{ of: 'change', is, pieces }];
  const of_plan = (is: Said['is'], ...pieces: Piece[]): Said[] => (plan_run ? line(is, ...pieces) : []);
  switch (state) {
    case 'waiting': return line('attention', { text: '● ' }, ...plan, { text: ' waits for its apply' });
    case 'planned': return line('faint', ...plan, { text: ' was not saved' });
    case 'outdated': return line('attention', ...(plan_run ? plan : [{ text: 'its plan' }]), { text: ' is outdated' });
    case 'applying': return of_plan('plain', { text: 'applies this ' }, ...plan);
    case 'applied': return of_plan('faint', ...plan, { text: ' was applied' });
    case 'failed': return of_plan('plain', { text: 'the apply of this ' }, ...plan, { text: ' failed' });
    default: return [];
  }
}

/** What was changed outside of OpenTofu, on any card: a red one does not say so by its state. */
function drift({ stack, kind }: Card, now: number): Said[] {
  if (!stack.drift) return [];
  const { resources, run, since } = stack.drift;
  const what = resources > 0 ? `${counted(resources, 'resource', 'resources')} changed outside of OpenTofu` : 'its plan has changes that nobody made here';
  const age = kind === 'drifted' || !since ? '' : `, for ${age_text(now - Date.parse(since))}`;
  return [{ of: 'drift', is: 'attention', pieces: [{ text: what, run }, ...(age ? [{ text: age }] : [])] }];
}

function outcome({ stack }: Card): Said[] {
  const { outcome: last } = stack;
  const said: Said[] = [];
  if (last && last.run !== stack.run) {
    said.push({ of: 'outcome', is: 'plain', pieces: [
      { text: 'last outcome: ' }, { text: last.status, status: last.status }, { text: ' ' }, { text: last.command, run: last.run },
    ] });
  }
  if (last?.superseded) {
    said.push({ of: 'outcome', is: 'faint', pieces: [
      { text: 'fixes ' }, { text: counted(last.superseded_runs, 'earlier failure', 'earlier failures'), run: last.superseded },
    ] });
  }
  return said;
}

/** The lines of a card below its name and state, the most urgent first. */
export function lines_of(card: Card, now: number): Said[] {
  const failed = failure(card);
  // A card has room for so much: what failed says more than how much was to change.
  const changes = failed.length > 0 ? [] : changed(card);
  const plan = change(card);
  const urgent = (of: Said[]) => of.filter((each) => each.is !== 'faint');
  const rest = (of: Said[]) => of.filter((each) => each.is === 'faint');
  return [what(card, now), ...contact(card, now), ...failed, ...lock(card), ...urgent(changes), ...urgent(plan), ...drift(card, now), ...flight(card, now), ...outcome(card), ...rest(changes), ...rest(plan)];
}

const words: { [kind in Kind]?: string } = {
  failed: 'failed', failing: 'failing', silent: 'without contact', approval: 'for approval', running: 'running', waiting: 'waiting', drifted: 'drifted', muted: 'muted',
};

/** "1 failed · 2 running": what is quiet need not be said. */
export function counts_text(cards: readonly Card[]): string {
  const said: string[] = [];
  for (const kind of kinds) {
    const count = words[kind] ? cards.filter((each) => each.kind === kind).length : 0;
    if (count > 0) said.push(`${count} ${words[kind]}`);
  }
  return said.join(' · ') || `${counted(cards.length, 'stack', 'stacks')}, all quiet`;
}

/** What all names begin with, up to a slash: the wall's head says it once. '' with one stack, or where they differ from the first letter on. */
export function common_path(names: readonly string[]): string {
  if (names.length < 2) return '';
  let shared = names[0]!;
  for (const name of names) {
    let at = 0;
    while (at < shared.length && shared[at] === name[at]) at++;
    shared = shared.slice(0, at);
  }
  return shared.slice(0, shared.lastIndexOf('/') + 1);
}

/** In one line: what failed first, else how it goes. */
export function short_text(card: Card, now: number): string {
  const line = failure(card)[0] ?? what(card, now);
  return line.pieces.map(({ text }) => text).join('');
}

/** `2 h`: how long ago it ended, or since when it goes on. */
export function short_age(card: Card, now: number): string {
  const since = goes_on(card.stack) ? by_our_clock(card.stack.started_at, card.stack) : last_of(card.stack);
  return isNaN(since) ? '' : age_text(now - since);
}
