// What ran when, and beside what: a lane for each resource on one axis of time.
import { useComputed, useSignal } from '@preact/signals';
import * as choice from './choice.js';
import { heard, now, old, run, saved, shown, skew } from './model.js';
import { all_of, at_once, drawn_steps, lanes_of, part_of, span_of, ticks, type Lane, type Span } from './timeline.js';
import { Virtual } from './virtual.js';
import { both_times, fragment, seconds } from './words.js';

const row_height = 24; // style.css has the same
/** One in sixty pixels. */
const most_ticks = () => Math.max(2, Math.min(8, Math.floor(innerWidth / 120)));
const columns = 120;

const percent = (part: number) => `${100 * part}%`;

function Bar({ of, within, name, status, kind }: { of: Span; within: Span; name: string; status: string; kind: string }) {
  const left = part_of(of.from, within);
  const width = part_of(of.to, within) - left;
  return (
    <span class={kind} data-status={status} title={`${name}, ${seconds((of.to - of.from) / 1000)}, ${both_times(new Date(of.from).toISOString())}`}
          style={{ left: percent(left), width: percent(width) }} />
  );
}

function LaneRow({ of, within, applied, end, at }: { of: Lane; within: Span; applied: boolean; end: number; at: number }) {
  const row = of.of;
  return (
    <div class="lane-row" role="row" aria-rowindex={at + 1} aria-selected={choice.cursor.value === row.addr}
         onClick={() => (choice.cursor.value = row.addr)}>
      <span role="cell" class="addr"><a href={fragment(row.addr)} title={row.addr} tabIndex={-1}>{row.addr}</a></span>
      <span role="cell" class="bars">
        {drawn_steps(row, applied).map((step) => (
          <span key={step.n}>
            <Bar of={span_of(step, end)} within={within} name={`${step.action} ${step.status}`} status={step.status} kind="step" />
            {step.provisioners?.filter((each) => each.started_at).map((each) => (
              <Bar key={each.n} of={span_of(each, end)} within={within} name={`${each.name} ${each.status}`} status={each.status} kind="provisioner" />
            ))}
          </span>
        ))}
      </span>
      <span role="cell" class="time">{seconds((of.span.to - of.span.from) / 1000)}</span>
    </div>
  );
}

function Axis({ within }: { within: Span }) {
  return (
    <div class="axis" aria-hidden="true">
      {ticks(within, most_ticks()).map((at) => (
        <span key={at} style={{ left: percent(part_of(within.from + at, within)) }}>{seconds(at / 1000)}</span>
      ))}
    </div>
  );
}

function AtOnce({ lanes, within }: { lanes: readonly Lane[]; within: Span }) {
  const counts = at_once(lanes, within, columns);
  const most = Math.max(...counts);
  return (
    <div class="at-once" role="img" aria-label={`at most ${most} at once`} title={`at most ${most} at once`}>
      {counts.map((count, i) => <span key={i} style={{ height: percent(most ? count / most : 0) }} />)}
    </div>
  );
}

export function Waterfall() {
  const hovered = useSignal<number | null>(null);
  const running = useComputed(() => run.value?.status === 'running' && !saved.value);
  const found = useComputed(() => {
    if (!running.value) return lanes_of(choice.resources.value, Date.parse(run.value?.last_line_at ?? ''));
    // What runs is drawn as the clock ticks, twice a second, not with every row that changes: all lanes are sorted for it.
    choice.wanted.value;
    shown.value;
    const present = old.value && heard.value !== null ? heard.value : now.value;
    return lanes_of(choice.resources.peek(), present - skew.peek());
  });
  const { lanes, applied } = found.value;
  const within = all_of(lanes);
  if (!within) return <p class="note">nothing has run yet</p>;
  const seen = choice.cursor.value ? lanes.findIndex((lane) => lane.of.addr === choice.cursor.value) : -1;
  const move = (event: MouseEvent) => {
    const box = (event.currentTarget as HTMLElement).querySelector('.bars, .axis')?.getBoundingClientRect();
    if (!box || box.width === 0) return;
    const part = (event.clientX - box.left) / box.width;
    hovered.value = part >= 0 && part <= 1 ? within.from + part * (within.to - within.from) : null;
  };
  const beside = hovered.value === null ? 0
    : lanes.filter(({ span }) => span.from <= hovered.value! && hovered.value! < span.to).length;
  return (
    <div id="waterfall" onMouseMove={move} onMouseLeave={() => (hovered.value = null)}>
      <p class="note" id="moment">
        {hovered.value === null ? `${lanes.length} resources in ${seconds((within.to - within.from) / 1000)}`
          : `${seconds((hovered.value - within.from) / 1000)}: ${beside} at once, ${both_times(new Date(hovered.value).toISOString())}`}
      </p>
      <div class="head"><span class="addr" /><div class="scale"><AtOnce lanes={lanes} within={within} /><Axis within={within} /></div><span class="time" /></div>
      <Virtual count={lanes.length} row_height={row_height} seen={seen}
               row={(at) => <LaneRow key={lanes[at]!.of.key} of={lanes[at]!} within={within} applied={applied} end={within.to} at={at} />}
               attributes={{ role: 'table', class: 'rows', tabIndex: 0, 'aria-label': 'what ran when', 'aria-rowcount': lanes.length }} />
    </div>
  );
}
