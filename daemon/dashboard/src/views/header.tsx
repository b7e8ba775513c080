// The head of the page: which run, how far, how it stands with tofud.
import { useComputed } from '@preact/signals';
import type { Run } from '../../../../protocol/feed/client/client.js';
import { log_in, log_out } from '../source/login.js';
import { by_login, following, heard, link, now, old, run, run_id, runs, saved, shown, signed_out, skew, source } from '../rows/model.js';
import { Notify } from './notify.js';
import { StackRuns } from './stack_runs.js';
import { eta_words, progress_text } from '../values/progress.js';
import { verdict, who } from '../values/verdict.js';
import { both_times, duration, heading, link_text, state_of, statuses } from '../values/words.js';

function Clock({ of }: { of: Run }) {
  if (!of.started_at) return null;
  // A run whose connection is lost goes on, but we do not know how.
  const end = of.ended_at ? Date.parse(of.ended_at) : (old.value && heard.value !== null ? heard.value : now.value) - skew.value;
  const estimate = of.ended_at ? null : shown.value.forecast.get(of.run)?.estimate;
  return <>{duration(end - Date.parse(of.started_at))}{estimate && `, ${eta_words(estimate, end)}`}</>;
}

/** What was heard so lately is as good as now. */
const fresh_ms = 5000;

function Age() {
  if (saved.value) return null;
  const at = heard.value;
  if (at === null || link.value.is === 'over' || now.value - at < fresh_ms) return null;
  return <span id="age" title={new Date(at).toLocaleString()}>heard {duration(now.value - at)} ago</span>;
}

function Progress({ of }: { of: Run }) {
  const { done, total } = of.progress;
  if (!total || of.command === 'plan') return null; // a plan is done when it is planned
  // Of what is done or failed; a resource that failed may also have been read.
  const failed = Math.min(of.counts.failed ?? 0, total - done);
  return (
    <div class="bar" role="progressbar" aria-label="resources done" aria-valuemin={0} aria-valuemax={total} aria-valuenow={done}
         data-status={of.status}>
      <div class="part" style={{ transform: `scaleX(${(done + failed) / total})` }} />
      {failed > 0 && <div class="part" data-status="failed" style={{ transform: `scaleX(${failed / total})` }} />}
    </div>
  );
}

function Link() {
  const state = saved.value ? 'saved' : signed_out.value ? 'signed-out' : link.value.is;
  const text = saved.value ? 'as it was at the end'
    : signed_out.value ? `signed out: ${signed_out.value}; last known state` : link_text(link.value, now.value);
  return <span id="link" data-link={state}>{text}</span>;
}

/** How it stands, who it was, and when. */
function Verdict({ of }: { of: Run }) {
  const sentence = useComputed(() => verdict(run.value ?? of, () => shown.value.resource.rows));
  const began = of.started_at ? new Date(of.started_at) : null;
  const by = who(of.labels);
  return (
    <p class="verdict">
      <b id="verdict">{sentence.value}</b>
      <span class="note" title="The sender says so; tofud does not check it">{by}</span>
      {began && <span class="note" id="began" title={both_times(of.started_at)}>{`${by ? '· ' : ''}started ${began.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}`}</span>}
    </p>
  );
}

function Login() {
  if (saved.value || !by_login.value) return null;
  if (signed_out.value) return <button type="button" id="log-in" onClick={log_in}>log in</button>;
  return <button type="button" id="log-out" onClick={() => void log_out()}>log out</button>;
}

function change_words(of: Run): string {
  const counts = of.applied ?? of.planned;
  if (!counts) return '';
  const words = of.applied
    ? [['add', 'added'], ['change', 'changed'], ['remove', 'destroyed'], ['import', 'imported'], ['forget', 'forgotten']] as const
    : [['add', 'to add'], ['change', 'to change'], ['remove', 'to destroy'], ['import', 'to import'], ['forget', 'to forget']] as const;
  const said = words.filter(([name], i) => i < 3 || counts[name]).map(([name, word]) => `${counts[name]} ${word}`);
  return said.join(', ');
}

// Runs that one program started stand together, others alone.
function grouped(all: Run[]): [string, Run[]][] {
  const groups = new Map<string, Run[]>();
  for (const each of all) {
    const group = each.labels['group'] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  return [...groups];
}

function Switcher() {
  const all = runs.value;
  if (all.length < 2) return null;
  const several = new Set(all.map((each) => each.stack)).size > 1;
  const words = (each: Run) =>
    [`${all.indexOf(each) + 1}: ${each.command}`, several && each.stack, each.status].filter(Boolean).join(', ');
  return (
    <label>
      run{' '}
      <select id="runs" value={run_id.value} onChange={(event) => source.show(event.currentTarget.value)}>
        {grouped(all).map(([group, members]) => {
          const options = members.map((each) => <option key={each.key} value={each.key}>{words(each)}</option>);
          return group === '' ? options : <optgroup key={group} label={group}>{options}</optgroup>;
        })}
      </select>
      {!saved.value && !following.value && (
        <button type="button" onClick={() => source.show(null)}>newest</button>
      )}
    </label>
  );
}

export function Header() {
  const shown = run.value;
  return (
    <header>
      <h1 id="title">{shown ? heading(shown) : 'tofud'}</h1>
      {shown ? <Verdict of={shown} /> : <p class="verdict" />}
      <p class="facts">
        {shown && <b id="status" data-status={state_of(shown)} class="state">{state_of(shown)}</b>}
        {shown?.status === 'running' && <span id="phase">{shown.phase}</span>}
        <span id="progress">{shown ? progress_text(shown) : ''}</span>
        <span id="clock" title={both_times(shown?.started_at)}>{shown && <Clock of={shown} />}</span>
        {shown && statuses.filter((name) => shown.counts[name]).map((name) => (
          <span key={name} class="count state" data-status={name}>{`${shown.counts[name]} ${name}`}</span>
        ))}
        {shown && <span id="changes">{change_words(shown)}</span>}
        {shown?.tests && (
          <span id="tests-count">
            {`tests: ${shown.tests.passed} passed, ${shown.tests.failed} failed, ${shown.tests.errored} errored, ${shown.tests.skipped} skipped`}
          </span>
        )}
        <Switcher />
        <StackRuns />
        <span class="connection"><Link /> <Age /> <Notify /> <Login /></span>
      </p>
      {shown && Object.keys(shown.labels).length > 0 && (
        <p class="labels">
          <span class="claimed" title="The sender says so; tofud does not check it">claimed:</span>
          {Object.keys(shown.labels).map((name) => <span key={name}>{`${name}=${shown.labels[name]}`}</span>)}
        </p>
      )}
      {shown && <Progress of={shown} />}
      {saved.value?.cut && <p id="cut" class="note">{saved.value.cut}</p>}
    </header>
  );
}
