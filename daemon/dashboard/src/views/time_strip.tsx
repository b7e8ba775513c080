// The whole time of a run above its timeline: how many ran at once, when it planned, and which part of it is shown.
import { choice, seconds, useRef, useSignal } from '../shared.js';
import { at_once, part_of, zoomed, type Lane, type Span } from '../values/timeline.js';

const columns = 120;
/** Less is a click and no part of the time. */
const least_part = .01;
/** Zooming once makes a part so much shorter or longer. */
const by = 2;

const percent = (part: number) => `${100 * part}%`;

interface StripProps {
  lanes: readonly Lane[];
  /** From the run's begin to its last end. */
  all: Span;
  /** What is shown. */
  within: Span;
  /** Where what is drawn begins: before that the run planned. */
  begun: number;
}

export function TimeStrip({ lanes, all, within, begun }: StripProps) {
  const box = useRef<HTMLDivElement>(null);
  const pulled = useSignal<{ from: number; to: number } | null>(null);
  const counts = at_once(lanes, all, columns);
  const most = Math.max(...counts);
  const length = all.to - all.from;
  const show = (span: Span | null) => (choice.range.value = span && { from: (span.from - all.from) / 1000, to: (span.to - all.from) / 1000 });
  const at = (event: PointerEvent) => {
    const place = box.current!.getBoundingClientRect();
    return all.from + Math.min(1, Math.max(0, (event.clientX - place.left) / place.width)) * length;
  };
  const down = (event: PointerEvent) => {
    box.current!.setPointerCapture(event.pointerId);
    pulled.value = { from: at(event), to: at(event) };
  };
  const move = (event: PointerEvent) => pulled.value && (pulled.value = { ...pulled.value, to: at(event) });
  const up = (event: PointerEvent) => {
    const between = pulled.value && { ...pulled.value, to: at(event) };
    pulled.value = null;
    if (!between) return;
    const span = { from: Math.min(between.from, between.to), to: Math.max(between.from, between.to) };
    show(span.to - span.from < least_part * length ? null : span);
  };
  const zoom = (factor: number) => show(zoomed(within, factor, (within.from + within.to) / 2, all));
  const part = pulled.value ?? within;
  const [from, to] = [Math.min(part.from, part.to), Math.max(part.from, part.to)];
  const shown = pulled.value !== null || choice.range.value !== null;
  return (
    <div class="head strip">
      <span class="addr note"><span id="most-at-once">{`at most ${most} at once`}</span>
        <span class="zoom"><button type="button" aria-label="show less time" onClick={() => zoom(1 / by)}>+</button>
          <button type="button" aria-label="show more time" disabled={choice.range.value === null} onClick={() => zoom(by)}>−</button>
          <button type="button" disabled={choice.range.value === null} onClick={() => show(null)}>All</button></span></span>
      <div ref={box} class="at-once whole" role="img" aria-label={`the whole time of the run, ${seconds(length / 1000)}: at most ${most} at once`} onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={() => (pulled.value = null)}>
        {begun > all.from && <span class="planned" style={{ width: percent(part_of(begun, all)) }}><span class="note">{part_of(begun, all) > .12 && `plan, ${seconds((begun - all.from) / 1000)}`}</span></span>}
        {counts.map((count, i) => <span key={i} style={{ height: percent(most ? count / most : 0) }} />)}
        {shown && <span class="window" style={{ left: percent(part_of(from, all)), width: percent(part_of(to, all) - part_of(from, all)) }} />}
      </div>
    </div>
  );
}
