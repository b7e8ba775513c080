// What there is to say of a run before anybody chooses something: what failed and why, what runs, what was found, who says it was.
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { Late } from '../frame/late.js';
import { LastLine, Time, Usually } from '../list/row.js';
import { run, saved, shown } from '../rows/model.js';
import { current_step, seconds, state_of, taken } from '../values/words.js';
import { for_chat } from '../values/chat.js';
import { Copy } from './copy.js';
import { Diagnostics } from './diagnostics.js';
import { ShownAddress } from './shown_address.js';

/** Rows of each kind that are named. */
const named = 5;

const slot_height = 44; // style/answer.css has the same

/** What runs now, the longest first, with the last line of each. As many slots as ever, and who gets another slot is moved, not laid out anew. */
function UnderWay() {
  if (saved.value || run.value?.status !== 'running') return null;
  const running = shown.value.resource.rows.filter((row) => row.status === 'running');
  const begun = (row: Resource) => current_step(row)?.started_at ?? '';
  const first = [...running].sort((one, other) => (begun(one) < begun(other) ? -1 : 1)).slice(0, named);
  return (
    <section id="under-way" aria-labelledby="under-way-title">
      <h2 id="under-way-title">{`running ${running.length}`}</h2>
      <ul style={{ height: `${named * slot_height}px` }}>
        {first.map((row, at) => (
          <li key={row.key} style={{ transform: `translateY(${at * slot_height}px)` }}>
            <span class="time"><Time of={current_step(row)} /></span> <ShownAddress of={row} /> <Usually of={row} step={current_step(row)} /><LastLine of={row} />
          </li>
        ))}
      </ul>
      <p class="note">{running.length > named ? `and ${running.length - named} more` : ''}</p>
    </section>
  );
}

/** What took longest, of a run that is over. */
function Slowest() {
  const is = run.value;
  if (!is || is.status === 'running' || is.command === 'plan') return null;
  const timed = shown.value.resource.rows.filter((row) => row.steps.some((step) => step.phase === 'apply'));
  const longest = [...timed].sort((one, other) => (taken(other) ?? 0) - (taken(one) ?? 0)).slice(0, named);
  if (longest.length === 0) return null;
  return (
    <section id="slowest" aria-labelledby="slowest-title">
      <h2 id="slowest-title">took longest</h2>
      <ul>{longest.map((row) => <li key={row.key}><span class="time">{seconds(taken(row))}</span> <ShownAddress of={row} /></li>)}</ul>
    </section>
  );
}

const made = (row: Resource) => row.status === 'done' && row.steps.some((step) => step.phase === 'apply' && step.action === 'create');
const gone = (row: Resource) => row.status === 'done' && row.steps.some((step) => step.phase === 'apply' && step.action === 'delete');

/** Of a run that failed or was stopped: what it left behind and what never began. */
function WhatElse() {
  const is = run.value;
  if (!is || (is.status !== 'failed' && is.status !== 'interrupted' && is.status !== 'lost')) return null;
  const rows = shown.value.resource.rows;
  const never = rows.filter((row) => row.status === 'skipped');
  const stopped = rows.filter((row) => row.status === 'interrupted');
  const counts = [[rows.filter(made).length, 'made and kept'], [rows.filter(gone).length, 'destroyed']] as const;
  const kept = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`).join(', ');
  const names = (of: Resource[]) => <>{of.slice(0, named).map((row, i) => <>{i > 0 && ', '}<ShownAddress of={row} /></>)}{of.length > named && ` and ${of.length - named} more`}</>;
  if (never.length + stopped.length === 0 && !kept) return null;
  return (
    <section id="what-else" aria-labelledby="what-else-title">
      <h2 id="what-else-title">what else</h2>
      <ul>
        {stopped.length > 0 && <li>{`${stopped.length} never finished: `}{names(stopped)}</li>}
        {never.length > 0 && <li>{`${never.length} never started: `}{names(never)}</li>}
        {kept && <li>{kept}</li>}
      </ul>
    </section>
  );
}

function ForChat() {
  const is = run.value;
  if (!is || is.status === 'running') return null;
  const first = shown.value.diagnostic.rows.find((row) => row.severity === 'error');
  const link = () => (saved.value ? '' : `${location.origin}${location.pathname}?run=${encodeURIComponent(is.key)}`);
  return <p class="facts"><Copy text={() => for_chat(is, first, link())} label="for chat" words="copy for chat" /></p>;
}

export function Answer() {
  const is = run.value;
  // What failed stands above what runs, which then stays at the lower edge.
  const fails = shown.value.diagnostic.rows.length + (is?.counts.failed ?? 0) > 0;
  return (
    <div id="answer" role="region" aria-label="what there is to say" data-state={is ? state_of(is) : undefined}>
      {!fails && <UnderWay />}
      <Diagnostics />
      <WhatElse />
      {fails && <UnderWay key="below" />}
      {(is?.command === 'plan' || is?.phase === 'approval') && is.status !== 'failed' && <Late part="PlanView" given={{ beside: true }} />}
      <Slowest />
      {shown.value.drift.rows.length > 0 && <Late part="Drift" />}
      <ForChat />
    </div>
  );
}
