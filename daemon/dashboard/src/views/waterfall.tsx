// What ran when, and beside what: a lane for each resource on one axis of time.
// A script of its own (frame/late.tsx).
import { both_times, choice, heard, now, old, run, saved, seconds, shown, skew, useComputed, useEffect, useSignal, Virtual } from '../shared.js';
import { critical_path, said_of_path } from '../values/chain.js';
import { expected_spans } from '../values/expected.js';
import { lanes_at, moved, said_at } from '../values/moment.js';
import { all_of, by_modules, lanes_of, ordered, orders, overlaps, part_of, ticks, with_expected, type Span } from '../values/timeline.js';
import { LaneRow, ModuleRow, MomentLine } from './lane.js';
import { TimeStrip } from './time_strip.js';

/** style/late.css has the same; a phone has the bar below the address. */
const row_height = () => (choice.narrow.value ? 44 : 24);
/** One in sixty pixels. */
const most_ticks = (width: number) => Math.max(2, Math.min(8, Math.floor(width / 120)));
/** So many lanes are folded by module, unless somebody wants them otherwise. */
const many = 200;

const percent = (part: number) => `${100 * part}%`;

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
    const at = present - skew.peek();
    const { lanes, applied } = lanes_of(choice.resources.peek(), at);
    if (run.value?.phase !== 'apply' || old.value) return { lanes, applied };
    const rows = shown.peek().resource.rows;
    return { applied, lanes: with_expected(lanes, choice.resources.peek(), expected_spans(rows, (addr) => shown.peek().forecast.get(addr), at)) };
  });
  // What a run waited for is known when it is over.
  const chain = useComputed(() => (running.value && !choice.path.value ? [] : critical_path(found.value.lanes)));
  const { lanes: ran_all, applied } = found.value;
  const whole = all_of(ran_all);
  if (!whole) return <p class="note">nothing has run yet</p>;
  const begin = Date.parse(run.value?.started_at ?? '');
  const zero = isNaN(begin) ? whole.from : Math.min(begin, whole.from);
  const range = choice.range.value;
  const within = range ? { from: zero + 1000 * range.from, to: zero + 1000 * range.to } : whole;
  const all = range ? ran_all.filter((lane) => overlaps(lane, within)) : ran_all;
  const path = choice.path.value ? chain.value.filter((lane) => !range || overlaps(lane, within)) : null;
  const critical = new Set(chain.value);
  const by = choice.lane_order.value ?? (all.length > many ? 'module' : 'start');
  const lanes = path ?? (by === 'module' ? by_modules(all, unfolded.value) : ordered(all, by));
  const moment = choice.moment.value === null ? null : zero + 1000 * choice.moment.value;
  const ran = moment === null ? [] : lanes_at(all, applied, moment, ran_all.reduce((last, { span }) => Math.max(last, span.to), 0));
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
          : said || (path ? said_of_path(chain.value, ran_all) : [`${all.length} resources in ${seconds((within.to - within.from) / 1000)}`, range ? '' : said_of_path(chain.value, ran_all)].filter(Boolean).join('; '))}
      </p>
      <button type="button" id="path" aria-pressed={choice.path.value} data-says="the chain of steps that determined how long the run took, inferred from their times"
              onClick={() => (choice.path.value = !choice.path.value)}>critical path</button>
      <label class="order">by <select name="order" value={by} onChange={(event) => (choice.lane_order.value = event.currentTarget.value as (typeof orders)[number])}>
        {orders.map((each) => <option key={each} value={each}>{each}</option>)}
      </select></label>
      {said && <button type="button" id="no-moment" onClick={() => (choice.moment.value = null)}>clear</button>}
      <TimeStrip lanes={ran_all} all={{ from: zero, to: whole.to }} within={within} begun={applied ? whole.from : zero} />
      <div class="head"><span class="addr" /><div class="scale" onClick={click}>
        <Axis within={within} zero={zero} moment={moment} said={said} choose={choose} /><MomentLine at={moment} within={within} /></div></div>
      <Virtual count={lanes.length} row_height={row_height()} seen={seen}
               row={(at) => {
                 const lane = lanes[at]!;
                 if ('lanes' in lane) return <ModuleRow key={` ${lane.module}`} of={lane} within={within} at={at} turn={() => turn(lane.module)} />;
                 return <LaneRow key={lane.of.key} of={lane} within={within} applied={applied} at={at} moment={moment} ran={beside_line.has(lane)} critical={critical.has(lane)} />;
               }}
               attributes={{ role: 'table', class: 'rows', tabIndex: 0, 'aria-label': 'what ran when', 'aria-rowcount': lanes.length }} />
    </div>
  );
}
