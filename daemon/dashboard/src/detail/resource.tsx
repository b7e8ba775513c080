// All there is about one resource: what went wrong, what its provisioners printed, what the plan changes, its steps.
// A script of its own (frame/late.tsx).
import type { Log, Resource, Step } from '../../../../protocol/feed/client/client.js';
import {
  AtMoment, both_times, close, Copy, DiagnosticCard, followed, link, now, old, opened, run, run_id, Said, saved, seconds, shown, sign, skew, source,
  Time, useEffect, useRef, useSignal,
} from '../shared.js';
import { Diff } from './diff.js';
import { History } from './history.js';
import { LogLines } from './log.js';
import { whole } from '../views/more.js';
import { reason_words } from '../values/reasons.js';
import { causes_words } from '../values/usual.js';
import { place, provisioner_place, target } from '../values/words.js';

/** Where a step lies in the time of all steps, as parts of one. */
function span_of(step: Step, begin: number, end: number): { left: number; width: number } | null {
  if (!step.started_at || end <= begin) return null;
  const from = Date.parse(step.started_at);
  const to = step.ended_at ? Date.parse(step.ended_at) : end;
  const within = (at: number) => Math.min(1, Math.max(0, (at - begin) / (end - begin)));
  return { left: within(from), width: Math.max(0.01, within(to) - within(from)) };
}

function Steps({ of }: { of: Resource }) {
  const times = of.steps.flatMap((step) => [step.started_at, step.ended_at]).filter((at): at is string => !!at).map((at) => Date.parse(at));
  const open = of.steps.some((step) => step.status === 'running') && !saved.value;
  const begin = Math.min(...times);
  const end = open ? Math.max(now.value - skew.value, ...times) : Math.max(...times);
  if (of.steps.length === 0) return <p class="note">nothing done yet</p>;
  return (
    <ol class="steps">
      {of.steps_omitted && <li class="note">{`${of.steps_omitted} older steps are not shown `}{whole(of)}</li>}
      {of.steps.map((step) => {
        const place = span_of(step, begin, end);
        return (
          <li key={step.n} data-status={step.status}>
            <span class="state" data-status={step.status}>{step.status}</span>
            {' '}<b>{step.action}</b> <span class="note">{step.phase}</span>
            {' '}<span class="time" tabIndex={0} data-says={both_times(step.started_at)}><Time of={step} /></span>
            {' '}<AtMoment of={step.started_at} />
            {step.inferred && <span class="note"> (not reported by OpenTofu; concluded from later lines)</span>}
            {place && (
              <div class="lane"><div class="part" data-status={step.status}
                   style={{ marginLeft: `${100 * place.left}%`, width: `${100 * Math.min(place.width, 1 - place.left)}%` }} /></div>
            )}
            {step.provisioners && (
              <ol class="provisioners">
                {step.provisioners.map((each) => (
                  <li key={each.n}>
                    <span class="state" data-status={each.status}>{each.status}</span> <code>{each.name}</code>
                    {provisioner_place(step, each) && <span class="note">{` ${provisioner_place(step, each)}`}</span>}
                    {' '}<span class="note">{`${each.lines} ${each.lines === 1 ? 'line' : 'lines'}`}</span>
                    {' '}<span class="time" tabIndex={0} data-says={both_times(each.started_at)}>
                      {each.started_at && each.ended_at && seconds((Date.parse(each.ended_at) - Date.parse(each.started_at)) / 1000)}</span>
                  </li>
                ))}
              </ol>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function ResourceLog({ of }: { of: Resource }) {
  shown.value.lines_version.value;
  const find = useSignal('');
  const older = useSignal<{ of: string; lines: Log[] } | null>(null);
  const failed = useSignal('');
  const kept = shown.value.logs.of(of.addr);
  const printed = of.steps.reduce((sum, step) => sum + (step.provisioners ?? []).reduce((n, each) => n + each.lines, 0), 0);
  if (!kept && printed === 0) return null;
  let lines: readonly Log[] = kept?.lines ?? [];
  const more = older.value?.of === of.addr ? older.value.lines : [];
  if (more.length > 0) {
    // Those fetched reach into those that came; seq tells where one ends.
    const last = more[more.length - 1]!.seq ?? 0;
    lines = [...more, ...lines.filter((line) => (line.seq ?? 0) > last)];
  }
  const load = async () => {
    failed.value = '';
    try {
      const found = await source.log!(run_id.value, of.addr);
      older.value = { of: of.addr, lines: found };
    } catch {
      failed.value = 'tofud did not answer';
    }
  };
  const missing = lines.length < printed;
  return (
    <section class="log-section" aria-label="output of provisioners">
      <h3>output</h3>
      <input type="search" name="find" class="find" placeholder="search the output" aria-label="search the output" value={find.value}
             onInput={(event) => (find.value = event.currentTarget.value)} />
      {missing && source.log && !saved.value && link.value.is !== 'over' && (
        <button type="button" class="older" onClick={load}>{`load all ${printed} lines`}</button>
      )}
      {failed.value && <span class="note">{failed.value}</span>}
      <LogLines lines={lines} cut={missing} label={`output of ${of.addr}`} find={find.value} follow={!saved.value && run.value?.status === 'running'} />
    </section>
  );
}

/** What is planned for it, and why, in a line each. */
function Plans({ of }: { of: Resource }) {
  return (
    <>
      {of.plan.map((plan, i) => (
        <span key={i} class="plan"><b class="sign" data-action={plan.action}>{sign({ ...of, plan: [plan] })}</b>{` ${plan.action}`}
          {plan.reason && <span class="note">{`: ${reason_words(plan.reason)}`}</span>}
          {plan.deposed && <span class="note">{` (deposed object ${plan.deposed})`}</span>}
          {plan.imports && <span class="note">{plan.action === 'import' ? '' : ' and imported'}</span>}
          {plan.create_before_destroy && <span class="note"> created before the old one is destroyed</span>}
          {plan.previous_addr && <span class="note">{` was ${plan.previous_addr}`}</span>}
        </span>
      ))}
    </>
  );
}

function All({ of }: { of: Resource }) {
  const problems = of.diagnostics.flatMap((n) => shown.value.diagnostic.get(String(n)) ?? []);
  return (
    <>
      <p class="facts">
        <span class="state" data-status={of.status}>{of.status}</span>
        {of.inferred && <span class="note">(not reported by OpenTofu; concluded from later lines)</span>}
        <Plans of={of} />
        <span>{causes_words(of, 20)}</span>
        {of.drift && <span>{`drift: ${of.drift}`}</span>}
        {of.id && <span class="id">{`${of.id.key} = ${of.id.value}`}</span>}
      </p>
      {of.source && <p class="facts"><code class="place">{place(of)}</code> <Copy text={() => place(of)} label="place" words="copy file:line" /></p>}
      <Said of={of} />
      <p class="facts"><Copy text={() => of.addr} label="address" /> <Copy text={() => target(of.addr)} label="-target=" /></p>
      {problems.map((each) => <DiagnosticCard key={each.key} of={each} apart="resource" />)}
      <ResourceLog key={of.key} of={of} />
      <Diff key={`diff ${of.key}`} of={of} />
      <h3>steps</h3>
      <Steps of={of} />
      {source.history && !saved.value && !old.value && link.value.is !== 'over' && <History key={`history ${of.key}`} of={of} />}
    </>
  );
}

/** `sheet`: over all, where there is no room beside the list. */
export function OneResource({ sheet = false }: { sheet?: boolean }) {
  const addr = opened.value;
  const follows = followed.value;
  const panel = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!addr || follows) return undefined;
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    heading.current?.focus({ preventScroll: true });
    return () => {
      if (opened.value && followed.value) return; // the cursor goes on
      // A row that was clicked may have been scrolled out of the document since.
      const back = before?.isConnected && before !== document.body ? before : document.querySelector<HTMLElement>('.rows');
      back?.focus({ preventScroll: true });
    };
  }, [addr, follows]);
  useEffect(() => {
    // What was read of another is not where this one begins.
    panel.current?.closest('.pane')?.scrollTo(0, 0);
  }, [addr]);
  if (!addr) return null;
  const row = shown.value.resource.get(addr);
  return (
    <div id="detail" class={sheet ? 'sheet' : undefined} ref={panel} role={sheet ? 'dialog' : 'group'} aria-labelledby="detail-title">
      <button type="button" class="close" aria-label="close" onClick={close}>✕</button>
      <h2 id="detail-title" ref={heading} tabIndex={-1}>{addr}</h2>
      {row ? <All of={row} /> : <p class="note">no such resource in this run</p>}
    </div>
  );
}
