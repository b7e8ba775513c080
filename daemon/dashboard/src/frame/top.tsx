// The head of every view: which run, how it stands, how far it is, who it was, and how things stand with tofud.
import { useComputed } from '@preact/signals';
import type { Run } from '../../../../protocol/feed/client/client.js';
import { log_in } from '../source/login.js';
import { following, heard, link, now, old, run, run_id, runs, saved, server, shown, signed_out, skew, source } from '../rows/model.js';
import { Menu } from './menu.js';
import { Notify } from './notify.js';
import { StackRuns } from './stack_runs.js';
import { age, eta_words, progress_text } from '../values/progress.js';
import { segments } from '../values/segments.js';
import { approve_at, verdict, who } from '../values/verdict.js';
import { both_times, date_time, duration, heading, link_text, name_of, path_of, state_of, what_of } from '../values/words.js';

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
  if (at === null || link.value.is === 'over' || run.value?.status !== 'running' || now.value - at < fresh_ms) return null;
  return <span id="age" data-says={new Date(at).toLocaleString()}>heard {duration(now.value - at)} ago</span>;
}

/** The parts of the bar are moved and scaled: to draw it anew no box is laid out. Its place is there before anything is known. */
function Progress({ of }: { of: Run | undefined }) {
  const parts = of ? segments(of) : [];
  const total = of?.progress.total ?? 0;
  return (
    <div class="bar" role={parts.length > 0 ? 'progressbar' : undefined} aria-label={parts.length > 0 ? 'resources done' : undefined}
         aria-valuemin={parts.length > 0 ? 0 : undefined} aria-valuemax={parts.length > 0 ? total : undefined}
         aria-valuenow={parts.length > 0 ? of!.progress.done : undefined}
         aria-valuetext={parts.map(({ status, count }) => `${count} ${status}`).join(', ') || undefined}
         data-none={parts.length > 0 ? undefined : 'yes'}>
      {parts.map(({ status, from, part }) => (
        <div key={status} class="part" data-status={status} style={{ transform: `translateX(${100 * from}%) scaleX(${part})` }} />
      ))}
    </div>
  );
}

function Link() {
  const state = saved.value ? 'saved' : signed_out.value ? 'signed-out' : link.value.is;
  const text = saved.value ? 'report of a finished run'
    : signed_out.value ? `signed out: ${signed_out.value}; last known state` : link_text(link.value, now.value);
  return <span id="link" data-link={state} data-over={run.value && run.value.status !== 'running' ? 'yes' : undefined}>{text}</span>;
}

/** Labels that are words of the sentence about who it was. */
const told = new Set(['actor', 'commit', 'branch']);

/** What the sender claims of who it was, and since when. */
function Meta({ of }: { of: Run }) {
  const by = who(of.labels);
  const sure = of.verified;
  const at = of.ended_at ?? of.started_at;
  const others = Object.keys(of.labels).filter((name) => !told.has(name));
  const ago = of.ended_at && !saved.value ? age(now.value - Date.parse(of.ended_at)) : '';
  return (
    <p class="meta">
      {sure && <span id="verified" data-says={`Verified: ${sure.issuer} says so of ${sure.subject}`}>{`✓ ${[sure.actor, sure.repository ?? sure.subject, sure.ref].filter(Boolean).join(' · ')}`}</span>}
      {by && <span class="claimed" data-says="The sender says so; tofud does not check it">{by}</span>}
      {at && <span id="began" data-says={both_times(at)}>{`${of.ended_at ? 'ended' : 'started'} ${date_time(at)}${ago && ` (${ago})`}`}</span>}
      {others.length > 0 && <span class="labels" data-says="The sender says so; tofud does not check it">{others.map((name) => <span key={name}>{`${name}=${of.labels[name]}`}</span>)}</span>}
      {saved.value && <span id="made-by">{`made by ${server.value}`}</span>}
      <StackRuns />
    </p>
  );
}

/** Since when somebody has to approve, and where. */
function Waits({ of }: { of: Run }) {
  const where = approve_at(of.labels);
  const since = Date.parse(of.last_line_at ?? '') + skew.value;
  return <span id="waits">{!isNaN(since) && `asked ${age(now.value - since)}`}{where && <> <a href={where} target="_blank" rel="noreferrer">approve there ↗</a></>}</span>;
}

function Verdict({ of }: { of: Run }) {
  const sentence = useComputed(() => verdict(run.value ?? of, () => shown.value.resource.rows));
  return (
    <div class="verdict">
      <b id="status" data-status={state_of(of)} class="state pill">{state_of(of)}</b>
      <b id="verdict">{sentence.value}</b>
      {of.phase === 'approval' && of.status === 'running' && <Waits of={of} />}
      {of.tests && (
        <span id="tests-count">
          {`tests: ${of.tests.passed} passed, ${of.tests.failed} failed, ${of.tests.errored} errored, ${of.tests.skipped} skipped`}
        </span>
      )}
      <span class="numbers">{of.status === 'running' && <span id="phase">{of.phase}</span>}<span id="progress">{progress_text(of)}</span> <span id="clock" data-says={both_times(of.started_at)}><Clock of={of} /></span></span>
    </div>
  );
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
    <label class="switcher">
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

/** `apply acme/infra/live/shop@prod`: what it is of, the last part as its name. */
function Heading({ of }: { of: Run }) {
  const { above, name, environment } = path_of(name_of(of));
  return <bdi><span class="command">{what_of(of)}</span><span class="above"> {above}</span><span class="name">{name}</span>{environment && <span class="environment">{environment}</span>}</bdi>;
}

export function Top() {
  const is = run.value;
  return (
    <header>
      <div class="app">
        {saved.value ? <b class="home">tofud</b> : <nav aria-label="tofud"><a class="home" href="wall">tofud</a> <a href="wall">Wall</a> <a href="runs">Runs</a></nav>}
        <h1 id="title" data-says={is && heading(is)}>{is ? <Heading of={is} /> : 'tofud'}</h1>
        <span class="connection"><Link /> <Age /></span>
        {signed_out.value && <button type="button" id="log-in" onClick={log_in}>log in</button>}
        <Switcher />
        <Notify />
        <Menu />
      </div>
      {is ? <Verdict of={is} /> : <div class="verdict" />}
      {is ? <Meta of={is} /> : <p class="meta" />}
      <Progress of={is} />
      {saved.value?.cut && <p id="cut" class="note">{saved.value.cut}</p>}
    </header>
  );
}
