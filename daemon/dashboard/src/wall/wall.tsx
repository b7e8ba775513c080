// The wall as a document.
import { computed, signal } from '@preact/signals';
import { Component } from 'preact';
import type { Stack } from '../../../../protocol/feed/client/client.js';
import { log_in } from '../source/session.js';
import { both_times } from '../values/words.js';
import { asked_by } from './asked.js';
import { cards_of, outcome_run, status_of, type Card as CardOf } from './cards.js';
import { broken, fresh, known, now, rows, server_now, standing } from './connection.js';
import { layout, page_of, shift } from './layout.js';
import { mute, muted, unmute } from './muted.js';
import * as sound from './sound.js';
import { counts_text, lines_of, state_text, type Piece, type Said } from './words.js';

export const asked = asked_by(location.search);

/** The room for cards, in px. */
export const room = signal({ width: 0, height: 0 });
/** Somebody moves the mouse or the focus over the cards: then the page of cards stays, for as long as one reads. */
const held = signal({ at: 0, until: -1 });
const hold_ms = 30_000;

function hold(): void {
  const at = now.peek();
  held.value = { at: at < held.peek().until ? held.peek().at : at, until: at + hold_ms };
}

const address = (run: string): string => `./?run=${encodeURIComponent(run.replace(/[\ud800-\udfff]/g, '\ufffd'))}`;

function Words({ of, old }: { of: Piece; old: boolean }) {
  if (of.run !== undefined) return <a href={address(of.run)}>{of.text}</a>;
  if (of.foreign) return <bdi>{of.text}</bdi>;
  return of.status ? <span class="state" data-status={old ? 'old' : of.status}>{of.text}</span> : <>{of.text}</>;
}

function Line({ of, old }: { of: Said; old: boolean }) {
  return <p class={of.is} data-of={of.of}>{of.pieces.map((piece, i) => <Words key={i} of={piece} old={old} />)}</p>;
}

interface CardProps {
  card: CardOf;
  lines: Said[];
  old: boolean;
}

function Progress({ card, old }: { card: CardOf; old: boolean }) {
  const { done, total } = card.run?.progress ?? { done: 0, total: 0 };
  if (card.stack.status !== 'running' || !total) return null;
  return (
    <div class="bar" role="progressbar" aria-label="resources done" aria-valuemin={0} aria-valuemax={total} aria-valuenow={done} data-status={old ? 'old' : 'running'}>
      <div class="part" style={{ width: `${(100 * done) / total}%` }} />
    </div>
  );
}

function Mute({ card }: { card: CardOf }) {
  const { stack, kind } = card;
  if (kind === 'muted') return <button type="button" class="mute" aria-pressed="true" aria-label={`muted: ${stack.name}`} onClick={() => unmute(stack.stack)}>muted</button>;
  if (kind !== 'failed' && kind !== 'past') return null;
  return <button type="button" class="mute" aria-pressed="false" aria-label={`mute ${stack.name}`} onClick={() => mute(stack.stack, outcome_run(stack))}>mute</button>;
}

/** What tells stacks apart stands at the end of their names. */
function Name({ of }: { of: Stack }) {
  const at = of.name.replace(/\/+$/, '').lastIndexOf('/') + 1;
  return (
    <h2 title={of.stack}>
      <bdi>{at > 0 && <span class="above">{of.name.slice(0, at)}</span>}<span class="name">{of.name.slice(at)}</span></bdi>
    </h2>
  );
}

/** Drawn again only when it says something else: most of two hundred say the same as a moment ago. */
class Card extends Component<CardProps> {
  private said = '';

  override shouldComponentUpdate({ card, lines, old }: CardProps): boolean {
    return this.said !== this.text(card, lines, old);
  }

  private text(card: CardOf, lines: Said[], old: boolean): string {
    return JSON.stringify([old, card.kind, card.destroys, card.faded, card.stack.name, state_text(card.stack, card.kind), card.run?.progress, lines]);
  }

  override render({ card, lines, old }: CardProps) {
    this.said = this.text(card, lines, old);
    const { stack, kind } = card;
    // What is old has no colour that says how things are.
    return (
      <li class="card" data-kind={old ? 'old' : kind} data-destroys={card.destroys && !old ? 'yes' : undefined} data-faded={card.faded && !old ? 'yes' : undefined}>
        <Name of={stack} />
        <p class="state" data-status={old ? 'old' : kind === 'approval' || kind === 'failing' ? kind : status_of(stack)}>{state_text(stack, kind)}</p>
        <Progress card={card} old={old} />
        {lines.map((line, i) => <Line key={i} of={line} old={old} />)}
        <Mute card={card} />
      </li>
    );
  }
}

function Head() {
  const { is, text } = fresh();
  return (
    <header>
      <h1>{known.value ? counts.value : 'tofud'}</h1>
      <p id="fresh" data-is={broken.value ? 'stale' : is}>{broken.value ? `this page failed (${broken.value}) and will reload by itself; last known state` : text}</p>
      {turn.value.pages > 1 && <p id="pages">{`${turn.value.page + 1} of ${turn.value.pages}${now.value < held.value.until ? ', held' : ''}`}</p>}
      {standing.value.signed_out && <button type="button" id="log-in" onClick={log_in}>log in</button>}
      <p id="clock" title={both_times(new Date(server_now(now.value)).toISOString())}>
        {new Date(server_now(now.value)).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
      </p>
      <button type="button" id="sound" aria-pressed={sound.on.value} title="a tone for new trouble" onClick={sound.toggle}>sound</button>
    </header>
  );
}

export const is_old = computed(() => broken.value !== '' || fresh().is === 'stale');

/** The time of the cards, by the daemon's clock: the last known state does not go on, for nobody knows how. */
const time = computed(() => server_now(is_old.value ? standing.value.heard ?? now.value : now.value));

export const cards = computed(() => cards_of(rows.value.stacks, rows.value.runs, asked, muted.value, time.value));

export const counts = computed(() => counts_text(cards.value));

function empty_text(): string {
  const none = rows.value.stacks.length + rows.value.runs.length === 0;
  return none ? 'No stacks yet. A stack appears here when its first run is sent.' : "No stack matches the filter in this page's address.";
}

const laid = computed(() => layout(cards.value.length, room.value.width, room.value.height, asked.columns));

/** The screen of cards that has its turn. */
const turn = computed(() => {
  const at = now.value < held.value.until ? held.value.at : now.value;
  return page_of(cards.value, laid.value.columns * laid.value.rows, asked.rotate, at);
});

function Cards() {
  const { columns, rows, unit } = laid.value;
  const style = {
    fontSize: `${unit}px`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
    // A screen of cards fills it; a list is as long as it is.
    ...(asked.rotate > 0 && { gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`, height: `${room.value.height}px` }),
  };
  return (
    <ul class="cards" style={style} onMouseMove={(event) => (event.movementX || event.movementY) && hold()} onFocusIn={hold}>
      {turn.value.cards.map((card) => <Card key={card.stack.stack} card={card} lines={lines_of(card, time.value)} old={is_old.value} />)}
    </ul>
  );
}

export function Wall() {
  const { x, y } = shift(now.value);
  return (
    <main style={{ transform: `translate(${x}px, ${y}px)` }} data-beat={Math.floor(now.value / 1000) % 2 ? 'a' : 'b'}>
      <Head />
      {cards.value.length === 0 && known.value && <p class="empty">{empty_text()}</p>}
      <Cards />
    </main>
  );
}
