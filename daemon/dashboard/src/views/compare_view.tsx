// The run beside another one of its stack: what ended otherwise, what failed, what took how long. A script of its own (frame/late.tsx).
import type { Diagnostic, Output, Resource, Run } from '../../../../protocol/feed/client/client.js';
import {
  compare, differences, is_over, longer_s, older_runs, only, planned_of, run_before, times_words, took_s,
  type Compared, type ComparedOutput, type Comparison, type Difference, type Failure, type Side,
} from '../values/compare.js';
import {
  Address, address_words, compared, cursor, date_time, difference, duration, fragment, passes, run, run_id, runs, seconds, shown, source, useComputed, useEffect, useSignal,
  Virtual, wanted, who,
} from '../shared.js';

/** Of failures and outputs. */
const most_drawn = 200;
/** Characters of a value. */
const most_of_value = 2000;

// style/compare.css has the same.
const narrow = matchMedia('(max-width: 60rem)');
const row_heights = { wide: 28, narrow: 50 };

const names: { [what: string]: string } = {
  broken: 'newly failing', still: 'still failing', ended: 'ended otherwise', repaired: 'repaired', slower: 'slower', faster: 'faster',
  planned: 'planned otherwise', here: 'only now', there: 'only then',
};

const about = (s: number) => (Math.abs(s) < 60 ? `${+s.toFixed(1)}s` : seconds(s));

/** `+28s, 3.3× slower` */
function difference_words(then: number, now: number): string {
  const longer = now - then;
  return [`${longer < 0 ? '−' : '+'}${about(Math.abs(longer))}`, times_words(then, now)].filter(Boolean).join(', ');
}

function side_of(of: { run: Run; rows: { kind: string }[] }): Side {
  const kind = (name: string) => of.rows.filter((row) => row.kind === name);
  return {
    run: of.run, resources: kind('resource') as Resource[], diagnostics: kind('diagnostic') as Diagnostic[], outputs: kind('output') as Output[],
  };
}

/** In a line of a list: when, how it ended, how long it took. */
function run_words(of: Run, before: boolean): string {
  const took = took_s(of);
  return [before ? 'the run before' : '', of.started_at ? date_time(of.started_at) : of.key, `${of.command} ${of.status}`, took === null ? '' : duration(took * 1000)].filter(Boolean).join(', ');
}

/** One of the two, in a card. */
function OneRun({ of, when }: { of: Run; when: string }) {
  const took = took_s(of);
  const by = who(of.labels);
  return (
    <article class="side" aria-label={when}>
      <h2>{when}</h2>
      <p><span class="state" data-status={of.status}>{of.status}</span> {took !== null && <b>{`${about(took)}${is_over(of) ? '' : ' so far'}`}</b>}</p>
      <p class="note">{[of.command, of.started_at && date_time(of.started_at), by].filter(Boolean).join(', ')} <bdi>{of.key}</bdi></p>
    </article>
  );
}

function Sides({ of, then, now }: { of: Comparison; then: Run; now: Run }) {
  const { took } = of;
  const times = took.then !== null && took.now !== null && is_over(now) ? times_words(took.then, took.now) : '';
  return (
    <div class="sides">
      <OneRun of={then} when="then" />
      <p class="arrow"><span aria-hidden="true">→</span>{times && <b>{times}</b>}</p>
      <OneRun of={now} when="now" />
    </div>
  );
}

function Sentences({ of, then, now }: { of: Comparison; then: Run; now: Run }) {
  return (
    <ul id="compared-words">
      {then.stack !== now.stack && <li>{`of another stack: ${then.stack || 'none'}`}</li>}
      {then.command !== now.command && <li>{`of another command: ${then.command}`}</li>}
      {!is_over(now) && <li>this run goes on; what is told here changes</li>}
      {!is_over(then) && <li>the other run was still running when it was read</li>}
      {of.facts.map(([name, before, after]) => <li key={name}><bdi>{name}</bdi>{': '}<bdi>{before || 'none'}</bdi>{' → '}<bdi>{after || 'none'}</bdi></li>)}
      {of.resources.length === 0 && <li>no resource differs, except in times below a second</li>}
      {of.resources.length > 0 && of.same > 0 && <li>{`${of.same} ${of.same === 1 ? 'resource does' : 'resources do'} not differ, and ${of.same === 1 ? 'is' : 'are'} not listed`}</li>}
      {of.outputs === null && <li>outputs are not compared: only a run that succeeded prints them</li>}
      {of.outputs_untold > 0 && <li>{`${of.outputs_untold} ${of.outputs_untold === 1 ? 'output is' : 'outputs are'} not compared: sensitive, not known, or too long`}</li>}
    </ul>
  );
}

function Failures({ of }: { of: Failure[] }) {
  if (of.length === 0) return null;
  const word = (each: Failure) => (each.then === 0 ? 'new' : each.now === 0 ? 'gone' : 'still');
  return (
    <>
      <h2>failures</h2>
      <ul id="compared-failures">
        {of.slice(0, most_drawn).map((each) => (
          <li key={`${each.address} ${each.summary}`}>
            <b data-status={word(each)}>{word(each)}</b>{' '}
            {each.address && <>{shown.value.resource.get(each.address) ? <a href={fragment(each.address)}><bdi>{each.address}</bdi></a> : <bdi>{each.address}</bdi>}{': '}</>}
            <bdi>{each.summary}</bdi>{(each.then > 1 || each.now > 1) && ` (${each.then} then, ${each.now} now)`}
          </li>
        ))}
        {of.length > most_drawn && <li>{`and ${of.length - most_drawn} more`}</li>}
      </ul>
    </>
  );
}

function Values({ of }: { of: ComparedOutput[] }) {
  if (of.length === 0) return null;
  const short = (text: string | undefined) => (text && text.length > most_of_value ? text.slice(0, most_of_value) + '…' : text);
  return (
    <>
      <h2>outputs</h2>
      <table id="compared-outputs">
        <thead><tr><th scope="col">name</th><th scope="col">then</th><th scope="col">now</th></tr></thead>
        <tbody>
          {of.slice(0, most_drawn).map((each) => (
            <tr key={each.name}><td>{each.name}</td><td>{each.what === 'added' ? '(none)' : short(each.then) ?? '(not shown)'}</td>
              <td>{each.what === 'removed' ? '(none)' : short(each.now) ?? '(not shown)'}</td></tr>
          ))}
        </tbody>
      </table>
      {of.length > most_drawn && <p class="note">{`and ${of.length - most_drawn} more`}</p>}
    </>
  );
}

function Ended({ of }: { of: Compared }) {
  const state = (row: Resource) => <span class="state" data-status={row.status}>{row.status}</span>;
  if (!of.then) return <>only now: {state(of.now!)}</>;
  if (!of.now) return <>only then: {state(of.then)}</>;
  return of.then.status === of.now.status ? state(of.now) : <>{state(of.then)} → {state(of.now)}</>;
}

function planned_words(of: Compared): string {
  const [then, now] = [of.then, of.now].map((row) => row && (planned_of(row) || 'nothing'));
  return then && now && then !== now ? `${then} → ${now}` : now ?? then!;
}

function Row({ of, at }: { of: Compared; at: number }) {
  return (
    <div role="row" class="compared-row" data-addr={of.addr} aria-rowindex={at + 2} aria-selected={cursor.value === of.addr}
         onClick={() => (cursor.value = of.addr)}>
      <span role="cell" class="addr">{of.now ? <Address of={of.now} /> : address_words(of.then!)}</span>
      <span role="cell" class="ended"><Ended of={of} /></span>
      <span role="cell" class="planned">{planned_words(of)}</span>
      <span role="cell" class="time">{of.took && `${about(of.took.then)} → ${about(of.took.now)}`}</span>
      <span role="cell" class="longer">{of.took && Math.abs(longer_s(of)) >= 1 && difference_words(of.took.then, of.took.now)}</span>
    </div>
  );
}

/** null: all. */
const wanted_difference = () => differences.find((each) => each === difference.value) ?? null;

function Kinds({ of }: { of: Comparison }) {
  const chosen = wanted_difference();
  const button = (what: Difference | null, words: string) => (
    <button key={what} type="button" aria-pressed={chosen === what} onClick={() => (difference.value = what ?? '')}>{words}</button>
  );
  return (
    <p role="group" aria-label="which differences" id="compared-kinds">
      {button(null, `all ${of.resources.length}`)}{' '}
      {differences.filter((each) => of.counts[each] || chosen === each).map((each) => button(each, `${names[each]} ${of.counts[each] ?? 0}`))}
    </p>
  );
}

type Entry = Compared | { head: Difference; count: number };

/** Below heads, where there is more than one group. */
function entries_of(rows: readonly Compared[]): readonly Entry[] {
  const counts = new Map<Difference, number>();
  for (const { what } of rows) counts.set(what, (counts.get(what) ?? 0) + 1);
  if (counts.size < 2) return rows;
  return rows.flatMap((row, at): Entry[] => (at > 0 && rows[at - 1]!.what === row.what ? [row] : [{ head: row.what, count: counts.get(row.what)! }, row]));
}

function Head({ of, at }: { of: { head: Difference; count: number }; at: number }) {
  return <div role="row" class="compared-group" aria-rowindex={at + 2}><span role="cell">{names[of.head]} <b>{of.count}</b></span></div>;
}

function Differences({ of }: { of: Comparison }) {
  const is_narrow = useSignal(narrow.matches);
  useEffect(() => {
    const changed = () => void (is_narrow.value = narrow.matches);
    changed(); // since it was drawn
    narrow.addEventListener('change', changed);
    return () => narrow.removeEventListener('change', changed);
  }, []);
  if (of.resources.length === 0) return null;
  const rows = entries_of(only(of.resources, wanted_difference()).filter((each) => passes((each.now ?? each.then)!, wanted.value)));
  return (
    <>
      <h2>resources</h2>
      <Kinds of={of} />
      <div id="compared" role="table" aria-label="resources that differ" aria-rowcount={rows.length + 1}>
        <div role="rowgroup" class="titles">
          <div role="row" class="compared-row" aria-rowindex={1}>
            {['resource', 'ended', 'planned', 'took', 'difference'].map((each) => <span key={each} role="columnheader">{each}</span>)}
          </div>
        </div>
        <Virtual count={rows.length} row_height={row_heights[is_narrow.value ? 'narrow' : 'wide']}
                 seen={cursor.value ? rows.findIndex((each) => 'addr' in each && each.addr === cursor.value) : -1}
                 row={(at) => {
                   const each = rows[at]!;
                   return 'head' in each ? <Head key={` ${each.head}`} of={each} at={at} /> : <Row key={each.addr} of={each} at={at} />;
                 }}
                 attributes={{ role: 'rowgroup', class: 'rows', tabIndex: 0, 'aria-label': 'resources that differ, scrollable' }} />
      </div>
    </>
  );
}

function Beside({ then }: { then: Side }) {
  const found = useComputed(() => {
    const now = run.value;
    const { resource, diagnostic, output } = shown.value;
    return now && compare(then, { run: now, resources: resource.rows, diagnostics: diagnostic.rows, outputs: output.rows });
  });
  const of = found.value;
  if (!of) return null;
  return (
    <>
      <Sides of={of} then={then.run} now={run.value!} />
      <Sentences of={of} then={then.run} now={run.value!} />
      <Failures of={of.failures} />
      <Differences of={of} />
      {of.outputs && <Values of={of.outputs} />}
    </>
  );
}

function Chooser({ older, other, before }: { older: Run[]; other: string; before: Run | undefined }) {
  return (
    <label>
      compared with{' '}
      <select id="compare-with" value={other}
              onChange={({ currentTarget: { value } }) => (compared.value = value === before?.key ? '' : value)}>
        {!older.some((each) => each.key === other) && <option value={other}>{other || 'choose a run'}</option>}
        {older.filter(is_over).map((each) => <option key={each.key} value={each.key}>{run_words(each, each === before)}</option>)}
      </select>
    </label>
  );
}

/** With the run before, or the one that was chosen. */
function OfStack({ of }: { of: Run }) {
  const older = useSignal<Run[] | null>(null);
  const then = useSignal<Side | null>(null);
  const problem = useSignal('');
  const before = older.value ? run_before(of, older.value) : undefined;
  const other = compared.value || before?.key || '';
  useEffect(() => {
    let left = false;
    source.older!(of, (listed) => run_before(of, listed) !== undefined).then((listed) => left || (older.value = older_runs(of, runs.value, listed)),
                           (error: Error) => left || (problem.value = error.message));
    return () => void (left = true);
  }, [of.key]);
  useEffect(() => {
    let left = false;
    then.value = null;
    if (other) {
      problem.value = '';
      source.rows!(other).then((found) => left || (then.value = side_of(found)), (error: Error) => left || (problem.value = error.message));
    }
    return () => void (left = true);
  }, [other]);
  return (
    <>
      {older.value && (older.value.length > 0 || other) && <p><Chooser older={older.value} other={other} before={before} /></p>}
      {problem.value && <p role="alert" class="note">{problem.value}</p>}
      {older.value && !other && !problem.value && (
        <p class="note">{`No earlier ${of.command} of this stack is stored here. `
          + 'A daemon (tofud serve) stores the runs of a stack; without one, tofud knows only those on this machine.'}</p>
      )}
      {!problem.value && (!older.value || (other && !then.value)) && <p class="note">reading the other run</p>}
      {then.value && <Beside key={other} then={then.value} />}
    </>
  );
}

export function Compare() {
  const of = run.value;
  let words = '';
  if (of && !of.stack) {
    words = 'This run has no stack, so tofud cannot find the run before it. Name the stack with --stack or TOFUD_STACK; tofud run finds a name by itself.';
  }
  return (
    <div id="compare">
      {words ? <p class="note">{words}</p> : of && <OfStack key={run_id.value} of={of} />}
    </div>
  );
}
