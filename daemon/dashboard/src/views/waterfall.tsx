// What ran when, and beside what: a lane for each resource on one axis of time.
// A script of its own (frame/late.tsx).
import { Address, both_times, choice, heard, now, old, run, saved, seconds, shown, skew, useComputed, useEffect, useSignal, Virtual } from '../shared.js';
import { critical_path, said_of_path } from '../values/chain.js';
import { module_words } from '../values/address.js';
import { lanes_at, moved, said_at } from '../values/moment.js';
import { all_of, at_once, by_modules, drawn_steps, lanes_of, ordered, orders, part_of, span_of, ticks, type FoldedModule, type Lane, type Span } from '../values/timeline.js';

const row_height = 24; // style.css has the same
/** One in sixty pixels. */
const most_ticks = (width: number) => Math.max(2, Math.min(8, Math.floor(width / 120)));
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

/** The moment that was chosen, in each lane and above them; at the edge if it lies beyond. */
function Line({ at, within }: { at: number | null; within: Span }) {
  return at === null ? null : <span class="line-at" style={{ left: percent(part_of(at, within)) }} />;
}

/** So many lanes are folded by module, unless somebody wants them otherwise. */
const many = 200;
/** Parts of a folded module's lane. */
const module_columns = 60;

/** A module in one lane: how many of its resources ran when. */
function ModuleRow({ of, within, at, turn }: { of: FoldedModule; within: Span; at: number; turn(): void }) {
  const counts = at_once(of.lanes, within, module_columns);
  const most = Math.max(...counts, 1);
  const failed = of.lanes.filter(({ of: row }) => row.status === 'failed').length;
  const took = Math.max(...of.lanes.map(({ span }) => span.to)) - Math.min(...of.lanes.map(({ span }) => span.from));
  return (
    <div class="lane-row module-row" role="row" aria-rowindex={at + 1}>
      <span role="cell" class="addr"><button type="button" tabIndex={-1} aria-expanded={of.open} onClick={turn}>
        <span class="name">{module_words(of.module) || '(root module)'}</span> <span class="note">{of.lanes.length}</span>
        {failed > 0 && <span class="state" data-status="failed">{failed}<span class="unseen"> failed</span></span>}</button></span>
      <span role="cell" class="bars at-once" aria-hidden="true">{counts.map((count, i) => <span key={i} style={{ height: percent(count / most) }} />)}</span>
      <span role="cell" class="time">{seconds(took / 1000)}</span>
    </div>
  );
}

interface LaneProps {
  of: Lane;
  within: Span;
  applied: boolean;
  end: number;
  at: number;
  /** What was chosen, and whether it ran then. */
  moment: number | null;
  ran: boolean;
}

function LaneRow({ of, within, applied, end, at, moment, ran }: LaneProps) {
  const row = of.of;
  return (
    <div class="lane-row" role="row" aria-rowindex={at + 1} aria-selected={choice.cursor.value === row.addr} data-addr={row.addr} data-ran={ran || undefined}
         onClick={() => (choice.cursor.value = row.addr)}>
      <span role="cell" class="addr"><Address of={row} /></span>
      <span role="cell" class="bars">
        {drawn_steps(row, applied).map((step) => (
          <span key={step.n}>
            <Bar of={span_of(step, end)} within={within} name={`${step.action} ${step.status}`} status={step.status} kind="step" />
            {step.provisioners?.filter((each) => each.started_at).map((each) => (
              <Bar key={each.n} of={span_of(each, end)} within={within} name={`${each.name} ${each.status}`} status={each.status} kind="provisioner" />
            ))}
          </span>
        ))}
        <Line at={moment} within={within} />
      </span>
      <span role="cell" class="time">{seconds((of.span.to - of.span.from) / 1000)}</span>
    </div>
  );
}

interface AxisProps {
  within: Span;
  /** When the run began. */
  zero: number;
  moment: number | null;
  said: string;
  choose(at: number): void;
}

/** The time since the run began, on which a moment is chosen. */
function Axis({ within, zero, moment, said, choose }: AxisProps) {
  const width = useSignal(innerWidth);
  useEffect(() => {
    const measure = () => (width.value = innerWidth);
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, []);
  const at = Math.min(within.to, Math.max(within.from, moment ?? within.from));
  const key = (event: KeyboardEvent) => {
    const to = event.ctrlKey || event.altKey || event.metaKey ? null : moved(event.key, at, within);
    if (to === null) return;
    event.preventDefault();
    choose(to);
  };
  return (
    <div class="axis" role="slider" tabIndex={0} aria-label="moment" aria-valuemin={(within.from - zero) / 1000} aria-valuemax={(within.to - zero) / 1000}
         aria-valuenow={(at - zero) / 1000} aria-valuetext={said || 'none chosen'} onKeyDown={key}>
      {ticks(within, most_ticks(width.value), zero).map((each) => (
        <span key={each} style={{ left: percent(part_of(zero + each, within)) }}>{seconds(each / 1000)}</span>
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
  const unfolded = useSignal<ReadonlySet<string>>(new Set());
  const turn = (module: string) => {
    const next = new Set(unfolded.value);
    if (!next.delete(module)) next.add(module);
    unfolded.value = next;
  };
  const running = useComputed(() => run.value?.status === 'running' && !saved.value);
  const found = useComputed(() => {
    if (!running.value) return lanes_of(choice.resources.value, Date.parse(run.value?.last_line_at ?? ''));
    // What runs is drawn as the clock ticks, twice a second, not with every row that changes: all lanes are sorted for it.
    choice.wanted.value;
    shown.value;
    const present = old.value && heard.value !== null ? heard.value : now.value;
    return lanes_of(choice.resources.peek(), present - skew.peek());
  });
  const path = useComputed(() => (choice.path.value ? critical_path(found.value.lanes) : null));
  const { lanes: all, applied } = found.value;
  const by = choice.lane_order.value ?? (all.length > many ? 'module' : 'start');
  const lanes = path.value ? path.value : by === 'module' ? by_modules(all, unfolded.value) : ordered(all, by);
  const within = all_of(all);
  if (!within) return <p class="note">nothing has run yet</p>;
  const begin = Date.parse(run.value?.started_at ?? '');
  const zero = isNaN(begin) ? within.from : begin;
  const moment = choice.moment.value === null ? null : zero + 1000 * choice.moment.value;
  const ran = moment === null ? [] : lanes_at(all, applied, moment, within.to);
  const beside_line = new Set(ran);
  const said = moment === null ? '' : said_at(ran, choice.moment.value!);
  const choose = (at: number) => (choice.moment.value = Math.round(at - zero) / 1000);
  const seen = choice.cursor.value ? lanes.findIndex((lane) => 'of' in lane && lane.of.addr === choice.cursor.value) : -1;
  const under = (event: MouseEvent): number | null => {
    const box = (event.currentTarget as HTMLElement).querySelector('.bars, .axis')?.getBoundingClientRect();
    if (!box || box.width === 0) return null;
    const part = (event.clientX - box.left) / box.width;
    return part >= 0 && part <= 1 ? within.from + part * (within.to - within.from) : null;
  };
  const click = (event: MouseEvent) => {
    const at = under(event);
    if (at !== null) choose(at);
  };
  const beside = hovered.value === null ? 0
    : all.filter(({ span }) => span.from <= hovered.value! && hovered.value! < span.to).length;
  return (
    <div id="waterfall" onMouseMove={(event) => (hovered.value = under(event))} onMouseLeave={() => (hovered.value = null)}>
      <p class="note" id="moment">
        {hovered.value !== null ? `${seconds((hovered.value - zero) / 1000)}: ${beside} at once, ${both_times(new Date(hovered.value).toISOString())}`
          : said || (path.value ? said_of_path(path.value, all) : `${all.length} resources in ${seconds((within.to - within.from) / 1000)}`)}
      </p>
      <button type="button" id="path" aria-pressed={choice.path.value} title="the chain of steps that determined how long the run took, inferred from their times"
              onClick={() => (choice.path.value = !choice.path.value)}>critical path</button>
      <label class="order">by <select name="order" value={by} onChange={(event) => (choice.lane_order.value = event.currentTarget.value as (typeof orders)[number])}>
        {orders.map((each) => <option key={each} value={each}>{each}</option>)}
      </select></label>
      {said && <button type="button" id="no-moment" onClick={() => (choice.moment.value = null)}>clear</button>}
      <div class="head"><span class="addr" /><div class="scale" onClick={click}><AtOnce lanes={all} within={within} />
        <Axis within={within} zero={zero} moment={moment} said={said} choose={choose} /><Line at={moment} within={within} /></div><span class="time" /></div>
      <Virtual count={lanes.length} row_height={row_height} seen={seen}
               row={(at) => {
                 const lane = lanes[at]!;
                 if ('lanes' in lane) return <ModuleRow key={` ${lane.module}`} of={lane} within={within} at={at} turn={() => turn(lane.module)} />;
                 return <LaneRow key={lane.of.key} of={lane} within={within} applied={applied} end={within.to} at={at} moment={moment} ran={beside_line.has(lane)} />;
               }}
               attributes={{ role: 'table', class: 'rows', tabIndex: 0, 'aria-label': 'what ran when', 'aria-rowcount': lanes.length }} />
    </div>
  );
}
