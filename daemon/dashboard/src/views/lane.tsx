// A lane of the timeline: the steps of a resource, or a folded module.
import { Address, both_times, choice, seconds } from '../shared.js';
import { module_words } from '../values/address.js';
import { taken } from '../values/words.js';
import { at_once, drawn_steps, part_of, span_of, type FoldedModule, type Lane, type Span } from '../values/timeline.js';

/** Parts of a folded module's lane. */
const module_columns = 60;
/** A bar that ends behind that part of the axis has its time before it. */
const late_part = .8;

const percent = (part: number) => `${100 * part}%`;

interface BarProps {
  of: Span;
  within: Span;
  name: string;
  kind: 'step' | 'provisioner' | 'ahead';
  status?: string;
  action?: string;
}

function Bar({ of, within, name, kind, status, action }: BarProps) {
  if (of.from > within.to || of.to < within.from) return null;
  const left = part_of(of.from, within);
  const width = part_of(of.to, within) - left;
  return (
    <span class={kind} data-status={status} data-action={action} data-says={`${name}, ${seconds((of.to - of.from) / 1000)}, ${both_times(new Date(of.from).toISOString())}`}
          style={{ left: percent(left), width: percent(width) }} />
  );
}

/** The moment that was chosen, in each lane and above them; at the edge if it lies beyond. */
export function MomentLine({ at, within }: { at: number | null; within: Span }) {
  return at === null ? null : <span class="line-at" style={{ left: percent(part_of(at, within)) }} />;
}

/** Beside the end of the bar; before its begin where there is no room; in the bar if there is none either. */
function Took({ text, from, to }: { text: string; from: number; to: number }) {
  if (to <= late_part) return <span class="took" style={{ left: percent(to) }}>{text}</span>;
  return from >= 1 - late_part ? <span class="took" style={{ right: percent(1 - from) }}>{text}</span>
    : <span class="took" data-state="inside" style={{ right: percent(1 - to) }}>{text}</span>;
}

/** A module in one lane: how many of its resources ran when. */
export function ModuleRow({ of, within, at, turn }: { of: FoldedModule; within: Span; at: number; turn(): void }) {
  const counts = at_once(of.lanes, within, module_columns);
  const most = Math.max(...counts, 1);
  const failed = of.lanes.filter(({ of: row }) => row.status === 'failed').length;
  const took = Math.max(...of.lanes.map(({ span }) => span.to)) - Math.min(...of.lanes.map(({ span }) => span.from));
  return (
    <div class="lane-row module-row" role="row" aria-rowindex={at + 1}>
      <span role="cell" class="addr"><button type="button" tabIndex={-1} aria-expanded={of.open} onClick={turn}>
        <span class="name">{module_words(of.module) || '(root module)'}</span> <span class="note">{of.lanes.length}, {seconds(took / 1000)}</span>
        {failed > 0 && <span class="state" data-status="failed">{failed}<span class="unseen"> failed</span></span>}</button></span>
      <span role="cell" class="bars at-once"><span class="unseen">{`at most ${most} at once`}</span>{counts.map((count, i) => <span key={i} style={{ height: percent(count / most) }} />)}</span>
    </div>
  );
}

interface LaneProps {
  of: Lane;
  within: Span;
  applied: boolean;
  at: number;
  /** What was chosen, and whether it ran then. */
  moment: number | null;
  ran: boolean;
  /** The end of the run waited for it. */
  critical: boolean;
}

export function LaneRow({ of, within, applied, at, moment, ran, critical }: LaneProps) {
  const row = of.of;
  const { span, ahead } = of;
  const begun = span.to > span.from || !ahead;
  // What runs reaches to now.
  const end = span.to;
  return (
    <div class="lane-row" role="row" aria-rowindex={at + 1} aria-selected={choice.cursor.value === row.addr} data-addr={row.addr} data-ran={ran || undefined} data-critical={critical || undefined}
         onClick={() => (choice.cursor.value = row.addr)}>
      <span role="cell" class="addr"><Address of={row} />{critical && <span class="unseen"> on the critical path</span>}</span>
      <span role="cell" class="bars">
        {drawn_steps(row, applied).map((step) => (
          <span key={step.n}>
            <Bar of={span_of(step, end)} within={within} name={`${step.action} ${step.status}`} status={step.status} action={step.action} kind="step" />
            {step.provisioners?.filter((each) => each.started_at).map((each) => (
              <Bar key={each.n} of={span_of(each, end)} within={within} name={`${each.name} ${each.status}`} status={each.status} kind="provisioner" />
            ))}
          </span>
        ))}
        {ahead && <Bar of={ahead} within={within} name="expected" kind="ahead" />}
        <Took text={begun ? seconds(row.status === 'running' ? (span.to - span.from) / 1000 : taken(row)) : `usually ${seconds((ahead!.to - ahead!.from) / 1000)}`} from={part_of(span.from, within)} to={part_of(Math.max(span.to, ahead?.to ?? 0), within)} />
        <MomentLine at={moment} within={within} />
      </span>
    </div>
  );
}
