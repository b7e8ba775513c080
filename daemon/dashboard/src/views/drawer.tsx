// All there is about one resource: its steps on a time line, its provisioners with what they printed, its diagnostics.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Log, Resource, Step } from '../../../../protocol/feed/client/client.js';
import { close, opened } from '../choice/choice.js';
import { Copy } from './copy.js';
import { Diff } from './diff.js';
import { DiagnosticCard } from './diagnostics.js';
import { LogLines } from './log.js';
import { AtMoment } from './moment_button.js';
import { LateHistory } from './late.js';
import { link, now, old, run_id, saved, shown, skew, source } from '../rows/model.js';
import { Time } from './resources.js';
import { Said } from './said.js';
import { whole } from './others.js';
import { reason_words } from '../values/reasons.js';
import { causes_words } from '../values/usual.js';
import { both_times, place, provisioner_place, seconds, sign, target } from '../values/words.js';

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
            {' '}<span class="time" title={both_times(step.started_at)}><Time of={step} /></span>
            {' '}<AtMoment of={step.started_at} />
            {step.inferred && <span class="note" title="OpenTofu did not say how this ended"> (inferred)</span>}
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
                    {' '}<span class="time" title={both_times(each.started_at)}>
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
      <LogLines lines={lines} cut={missing} label={`output of ${of.addr}`} find={find.value} follow={!saved.value} />
    </section>
  );
}

export function Drawer() {
  const addr = opened.value;
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!addr) return undefined;
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    panel.current?.focus({ preventScroll: true });
    return () => {
      // A row that was clicked may have been scrolled out of the document since.
      const back = before?.isConnected ? before : document.querySelector<HTMLElement>('.rows');
      back?.focus({ preventScroll: true });
    };
  }, [addr]);
  if (!addr) return null;
  const row = shown.value.resource.get(addr);
  const problems = row ? row.diagnostics.flatMap((n) => shown.value.diagnostic.get(String(n)) ?? []) : [];
  return (
    <div id="drawer" ref={panel} tabIndex={-1} role="dialog" aria-labelledby="drawer-title">
      <button type="button" class="close" aria-label="close" onClick={close}>✕</button>
      <h2 id="drawer-title">{addr}</h2>
      {!row && <p class="note">no such resource in this run</p>}
      {row && (
        <>
          <p class="facts">
            <span class="state" data-status={row.status}>{row.status}</span>
            {row.inferred && <span class="note">(inferred)</span>}
            {row.plan.map((plan, i) => (
              <span key={i} class="plan">{`${sign({ ...row, plan: [plan] })} ${plan.action}`}
                {plan.reason && <span class="note">{`: ${reason_words(plan.reason)}`}</span>}
                {plan.deposed && <span class="note">{` (deposed object ${plan.deposed})`}</span>}
                {plan.imports && <span class="note">{plan.action === 'import' ? '' : ' and imported'}</span>}
                {plan.create_before_destroy && <span class="note"> created before the old one is destroyed</span>}
                {plan.previous_addr && <span class="note">{` was ${plan.previous_addr}`}</span>}
              </span>
            ))}
            <span>{causes_words(row, 20)}</span>
            {row.drift && <span>{`drift: ${row.drift}`}</span>}
            {row.id && <span class="id">{`${row.id.key} = ${row.id.value}`}</span>}
          </p>
          {row.source && <p class="facts"><code class="place">{place(row)}</code> <Copy text={() => place(row)} label="place" /></p>}
          <Said of={row} />
          <p class="facts"><Copy text={() => row.addr} label="address" /> <Copy text={() => target(row.addr)} label="-target=" /></p>
          <Diff key={row.key} of={row} />
          {problems.map((each) => <DiagnosticCard key={each.key} of={each} apart="resource" />)}
          <h3>steps</h3>
          <Steps of={row} />
          <ResourceLog key={row.key} of={row} />
          {source.history && !saved.value && !old.value && link.value.is !== 'over' && <LateHistory key={`history ${row.key}`} of={row} />}
        </>
      )}
    </div>
  );
}
