// A resource in a line: its state, what is planned, its address, what it is doing, how long that takes.
import type { Resource, Step } from '../../../../protocol/feed/client/client.js';
import * as choice from '../choice/choice.js';
import { open } from '../choice/cursor.js';
import { heard, now, old, saved, shown, skew } from '../rows/model.js';
import { shown_address } from '../values/address.js';
import { bare } from '../values/sgr.js';
import { causes_words, planned_words, usual_words } from '../values/usual.js';
import { both_times, current_step, duration, fragment, running_provisioner, seconds, sign, taken } from '../values/words.js';

/** How long a step takes or took. */
export function Time({ of }: { of: Step | undefined }) {
  if (!of) return null;
  if (of.status !== 'running') return <>{seconds(of.elapsed)}</>;
  if (!of.started_at || saved.value) return null;
  const at = old.value && heard.value !== null ? heard.value : now.value;
  return <>{duration(at - skew.value - Date.parse(of.started_at))}</>;
}

/** How long a resource takes or took: one that was replaced was destroyed and made. */
function RowTime({ of, step }: { of: Resource; step: Step | undefined }) {
  return step?.status === 'running' ? <Time of={step} /> : <>{seconds(taken(of))}</>;
}

/** The modules give way where there is little room, never the name and its key. */
export function Address({ of }: { of: Resource }) {
  const { path, name } = shown_address(of);
  return (
    <a href={fragment(of.addr)} data-says={of.addr} tabIndex={-1}>
      {path && <span class="head">{path}</span>}
      <span class="tail">{name}</span>
    </a>
  );
}

/** The last line its provisioners printed, while they run. */
export function LastLine({ of }: { of: Resource }) {
  shown.value.lines_version.value;
  if (of.status !== 'running') return null;
  const lines = shown.value.logs.of(of.addr)?.lines;
  const last = lines?.[lines.length - 1];
  return last ? <span class="last">{bare(last.text)}</span> : null;
}

/** How long a running step usually takes, and what is known of one that has not begun. */
export function Usually({ of, step }: { of: Resource; step: Step | undefined }) {
  const fails = causes_words(of) || (of.status === 'planned' ? planned_words(shown.value.forecast.get(of.addr)) : '');
  if (fails) return <span class="usual">{fails}</span>;
  if (!step || step.status !== 'running' || !step.started_at || saved.value) return null;
  const words = usual_words(shown.value.forecast.get(of.addr), step, (now.value - skew.value - Date.parse(step.started_at)) / 1000);
  return words && <span class="usual" data-slower={words.slower ? 'yes' : undefined}>{words.text}</span>;
}

/** Who has marked a text wants to copy it. */
function open_row(addr: string): void {
  choice.cursor.value = addr;
  if (getSelection()?.isCollapsed ?? true) open(addr);
}

export function Row({ of, at, top }: { of: Resource; at: number; top: number }) {
  const step = current_step(of);
  return (
    <div role="row" class="row" style={{ transform: `translateY(${top}px)` }} aria-rowindex={at + 1} data-addr={of.addr} data-status={of.status}
         aria-selected={choice.cursor.value === of.addr} onClick={() => open_row(of.addr)}>
      <span role="cell" class="status state" data-status={of.status}>{of.status}</span>
      <span role="cell" class="sign" data-action={of.plan[0]?.action}>{sign(of)}</span>
      <span role="cell" class="addr"><Address of={of} /></span>
      <span class="path" aria-hidden="true">{choice.narrow.value && shown_address(of).path}</span>
      <span role="cell" class="doing"><span class="activity">{[of.activity, running_provisioner(step)].filter(Boolean).join(', ')}</span><Usually of={of} step={step} /><LastLine of={of} /></span>
      <span role="cell" class="time" data-says={both_times(step?.started_at)}><RowTime of={of} step={step} /></span>
      <span role="cell" class="id" data-says={of.id?.value}>{of.id?.value ?? ''}</span>
    </div>
  );
}
