// The wall as a document.
import { computed, signal } from '@preact/signals';
import { Component } from 'preact';
import type { Stack } from '../../../../protocol/feed/client/client.js';
import { Says } from '../frame/says.js';
import { log_in } from '../source/session.js';
import { both_times, path_of } from '../values/words.js';
import { asked_by } from './asked.js';
import { cards_of, outcome_run, type Card as CardOf, type WallRun } from './cards.js';
import { broken, fresh, known, now, rows, server_now, standing } from './connection.js';
import { band_of, layout, lines_in, page_of, shift, type Band, type BandLayout } from './layout.js';
import { mute, muted, unmute } from './muted.js';
import * as sound from './sound.js';
import { strip_of, strip_words, type Cell } from './strip.js';
import { common_path, counts_text, lines_of, short_age, short_text, state_of, state_text, type Piece, type Said } from './words.js';

export const asked = asked_by(location.search);

/** The room for cards, in px. */
export const room = signal({ width: 0, height: 0, screen: 0 });
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
  if (of.href) return <a href={of.href} rel="noreferrer">{of.text}</a>;
  if (of.foreign) return <bdi>{of.text}</bdi>;
  return of.status ? <span class="state" data-status={old ? 'old' : of.status}>{of.text}</span> : <>{of.text}</>;
}

function Line({ of, old }: { of: Said; old: boolean }) {
  return <p class={of.is} data-of={of.of}>{of.pieces.map((piece, i) => <Words key={i} of={piece} old={old} />)}</p>;
}

interface CardProps {
  card: CardOf;
  lines: Said[];
  laid: BandLayout;
  strip: Cell[] | null;
  above: string;
  old: boolean;
}

function Progress({ card, old }: { card: CardOf; old: boolean }) {
  const { done, total } = card.run?.progress ?? { done: 0, total: 0 };
  if (card.stack.status !== 'running' || !total) return null;
  const failed = Math.min(card.run?.counts.failed ?? 0, total - done);
  return (
    <div class="bar" role="progressbar" aria-label="resources done" aria-valuemin={0} aria-valuemax={total} aria-valuenow={done} data-status={old ? 'old' : 'running'}>
      {failed > 0 && <div class="part" data-status="failed" style={{ width: `${(100 * failed) / total}%` }} />}
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

/** What tells stacks apart stands at the end of their names; what all begin with is said once, in the head. */
function Name({ of, above }: { of: Stack; above: string }) {
  const rest = above && of.name.startsWith(above) ? of.name.slice(above.length) : of.name;
  const { above: path, name, environment } = path_of(rest);
  return (
    <h2 data-says={of.stack}>
      <bdi>{path && <span class="above">{path}</span>}<span class="name">{name}</span>{environment && <span class="environment">{environment}</span>}</bdi>
    </h2>
  );
}

function Strip({ of }: { of: readonly Cell[] }) {
  const most = Math.max(...of.map(({ runs }) => runs));
  return (
    <p class="strip" role="img" aria-label={strip_words(of)}>
      {of.map(({ runs, worst }, i) => <span key={i} data-status={worst || undefined} style={{ height: `${runs === 0 ? 8 : 30 + (70 * runs) / most}%` }} />)}
    </p>
  );
}

/** Drawn again only when it says something else: most of two hundred say the same as a moment ago. */
class Card extends Component<CardProps> {
  private said = '';

  override shouldComponentUpdate(props: CardProps): boolean {
    return this.said !== this.text(props);
  }

  private text({ card, lines, old, laid, strip, above }: CardProps): string {
    return JSON.stringify([old, card.kind, card.destroys, card.faded, card.stack.name, state_text(card.stack, card.kind, time.value), card.run?.progress, card.run?.counts.failed,
      lines, laid.form.is, lines_in(laid, false), strip, above, laid.form.near || laid.form.is === 'small' ? [short_text(card, time.value), short_age(card, time.value)] : 0]);
  }

  private content({ card, lines, old, laid, strip, above }: CardProps) {
    const { stack, kind } = card;
    const state = <p class="state" data-status={old ? 'old' : state_of(stack, kind)}>{state_text(stack, kind, time.value)}</p>;
    const name = <Name of={stack} above={above} />;
    const { done, total } = card.run?.progress ?? { done: 0, total: 0 };
    switch (laid.form.is) {
      case 'large':
      case 'medium': {
        const bar = stack.status === 'running' && total > 0;
        const room = lines_in(laid, bar);
        return <>{name}{state}<Progress card={card} old={old} />{lines.slice(0, room).map((line, i) => <Line key={i} of={line} old={old} />)}
          {strip && room > lines.length && <Strip of={strip} />}<Mute card={card} /></>;
      }
      case 'small':
      case 'tile': {
        const going = stack.status === 'running' && kind === 'running';
        return (
          <a class="line" href={address(stack.run)}>{state}{name}
            <span class="why">{going && total > 0 ? `${done}/${total}` : kind === 'failed' || kind === 'failing' || kind === 'silent' ? short_text(card, time.value) : ''}</span>
            <span class="age">{short_age(card, time.value)}</span>
            {going && <Progress card={card} old={old} />}</a>
        );
      }
      default:
        return <a class="line" href={address(stack.run)} data-says={`${stack.name}: ${state_text(stack, kind, time.value)}, ${short_age(card, time.value)}`}>{state}{name}</a>;
    }
  }

  override render(props: CardProps) {
    this.said = this.text(props);
    const { card, old, laid } = props;
    // What is old has no colour that says how things are.
    return (
      <li class="card" data-form={laid.form.is} data-kind={old ? 'old' : card.kind} data-destroys={card.destroys && !old ? 'yes' : undefined} data-faded={card.faded && !old ? 'yes' : undefined}>
        {this.content(props)}
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
      {prefix.value && <p id="prefix"><bdi>{prefix.value}</bdi></p>}
      {turn.value.pages > 1 && <p id="pages">{`${turn.value.page + 1} of ${turn.value.pages}${now.value < held.value.until ? ', held' : ''}`}</p>}
      {standing.value.signed_out && <button type="button" id="log-in" onClick={log_in}>log in</button>}
      <p id="clock" data-says={both_times(new Date(server_now(now.value)).toISOString())}>
        {new Date(server_now(now.value)).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
      </p>
      <button type="button" id="sound" aria-pressed={sound.on.value} data-says="a tone for new trouble" onClick={sound.toggle}>sound</button>
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

const prefix = computed(() => common_path(cards.value.map(({ stack }) => stack.name)));

const of_bands = computed(() => {
  const found: { [band in Band]: CardOf[] } = { trouble: [], running: [], quiet: [] };
  for (const card of cards.value) found[band_of(card.kind)].push(card);
  return found;
});

const laid = computed(() => {
  const { trouble, running, quiet } = of_bands.value;
  return layout({ trouble: trouble.length, running: running.length, quiet: quiet.length }, room.value, asked.columns, asked.rotate > 0);
});

/** The quiet ones that have their turn: trouble and what runs never go away. */
const turn = computed(() => {
  const at = now.value < held.value.until ? held.value.at : now.value;
  const quiet = laid.value.find(({ band }) => band === 'quiet');
  return page_of(of_bands.value.quiet, quiet?.shown ?? 1, asked.rotate, at);
});

/** Runs by stack, for the strips of the last day. Looked at when rows change, and once a minute. */
const minute = computed(() => Math.floor(time.value / 60_000));
const strips = computed(() => {
  const by_stack = new Map<string, WallRun[]>();
  for (const run of rows.value.runs) {
    const stack = run.stack ?? run.key;
    const there = by_stack.get(stack);
    if (there) there.push(run);
    else by_stack.set(stack, [run]);
  }
  return { by_stack, at: (minute.value + 1) * 60_000 };
});

const titles: { [band in Band]: string } = { trouble: 'trouble', running: 'running', quiet: 'quiet' };

function Stacks({ of }: { of: BandLayout }) {
  const all = of_bands.value[of.band];
  const shown = of.band === 'quiet' ? turn.value.cards : all.slice(0, of.shown);
  const more = of.band === 'quiet' && turn.value.pages > 1 ? 0 : all.length - shown.length;
  const has_strip = of.form.is === 'large' || of.form.is === 'medium';
  const style = { fontSize: `${of.unit}px`, gridTemplateColumns: `repeat(${of.columns}, minmax(0, 1fr))`, gridAutoRows: `${of.height}px` };
  return (
    <section class="band" data-band={of.band} aria-label={titles[of.band]}>
      <p class="title">{titles[of.band]} <b>{all.length}</b>{more > 0 && <span class="more">{`+${more} more${of.band === 'trouble' ? ' failed' : ''}`}</span>}</p>
      <ul class="cards" style={style}>
        {shown.map((card) => (
          <Card key={card.stack.stack} card={card} lines={lines_of(card, time.value)} laid={of} above={prefix.value} old={is_old.value}
                strip={has_strip ? strip_of(strips.value.by_stack.get(card.stack.stack) ?? [], strips.value.at) : null} />
        ))}
      </ul>
    </section>
  );
}

function Cards() {
  return (
    <div class="bands" onMouseMove={(event) => (event.movementX || event.movementY) && hold()} onFocusIn={hold}>
      {laid.value.map((of) => <Stacks key={of.band} of={of} />)}
    </div>
  );
}

export function Wall() {
  const { x, y } = shift(now.value);
  return (
    <>
    <main style={{ transform: `translate(${x}px, ${y}px)` }} data-beat={Math.floor(now.value / 1000) % 2 ? 'a' : 'b'}>
      <Head />
      {cards.value.length === 0 && known.value && <p class="empty">{empty_text()}</p>}
      <Cards />
    </main>
    <Says />
    </>
  );
}
