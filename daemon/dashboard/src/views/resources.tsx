// The table of resources: a row each, in order of first appearance, with a filter above.
import type { Resource, Step } from '../../../../protocol/feed/client/client.js';
import * as choice from '../choice/choice.js';
import { LateCompare, LateWaterfall } from './late.js';
import { now, old, heard, saved, shown, skew } from '../rows/model.js';
import { Modules } from './modules.js';
import { causes_words, planned_words, usual_words } from '../values/usual.js';
import { bare } from '../values/sgr.js';
import { Virtual } from './virtual.js';
import { both_times, current_step, duration, fragment, running_provisioner, seconds, sign, statuses } from '../values/words.js';

const row_height = 28; // style.css has the same

export function Filter() {
  const { counts } = shown.value.tree.value;
  const toggle = (name: string) => {
    const wanted = new Set(choice.statuses.value);
    if (!wanted.delete(name)) wanted.add(name);
    choice.statuses.value = wanted;
  };
  return (
    <search class="filter">
      <input id="filter" type="search" placeholder="filter (/)" aria-label="filter resources by address or id" autocomplete="off"
             spellcheck={false} value={choice.text.value} onInput={(event) => (choice.text.value = event.currentTarget.value)} />
      <span role="group" aria-label="filter by status">
        {statuses.filter((name) => counts[name] || choice.statuses.value.has(name)).map((name) => (
          <button key={name} type="button" class="state" data-status={name} aria-pressed={choice.statuses.value.has(name)}
                  onClick={() => toggle(name)}>
            {`${name} ${counts[name] ?? 0}`}
          </button>
        ))}
      </span>
      <span role="group" aria-label="how to show them" class="views">
        {choice.views.filter((each) => each !== 'compare' || !saved.value).map((each) => (
          <button key={each} type="button" data-view={each} aria-pressed={choice.view.value === each}
                  onClick={() => (choice.view.value = each)}>{each}</button>
        ))}
      </span>
      <span id="passing">{choice.filtered.value ? `${choice.resources.value.length} of ${shown.value.resource.rows.length}` : ''}</span>
    </search>
  );
}

/** How long a step takes or took. */
export function Time({ of }: { of: Step | undefined }) {
  if (!of) return null;
  if (of.status !== 'running') return <>{seconds(of.elapsed)}</>;
  if (!of.started_at || saved.value) return null;
  const at = old.value && heard.value !== null ? heard.value : now.value;
  return <>{duration(at - skew.value - Date.parse(of.started_at))}</>;
}

/** The part that names the module gives way first when there is little room. */
function Address({ of }: { of: Resource }) {
  const head = of.module && of.addr.startsWith(of.module + '.') ? of.module.length + 1 : 0;
  return (
    <a href={fragment(of.addr)} title={of.addr} tabIndex={-1}>
      {head > 0 && <span class="head">{of.addr.slice(0, head)}</span>}
      <span class="tail">{of.addr.slice(head)}</span>
    </a>
  );
}

/** The last line its provisioners printed, while they run. */
function LastLine({ of }: { of: Resource }) {
  shown.value.lines_version.value;
  if (of.status !== 'running') return null;
  const lines = shown.value.logs.of(of.addr)?.lines;
  const last = lines?.[lines.length - 1];
  return last ? <span class="last">{bare(last.text)}</span> : null;
}

/** How long a running step usually takes, and what is known of one that has not begun. */
function Usually({ of, step }: { of: Resource; step: Step | undefined }) {
  const fails = causes_words(of) || (of.status === 'planned' ? planned_words(shown.value.forecast.get(of.addr)) : '');
  if (fails) return <span class="usual">{fails}</span>;
  if (!step || step.status !== 'running' || !step.started_at || saved.value) return null;
  const words = usual_words(shown.value.forecast.get(of.addr), step, (now.value - skew.value - Date.parse(step.started_at)) / 1000);
  return words && <span class="usual" data-slower={words.slower ? 'yes' : undefined}>{words.text}</span>;
}

/** Who has marked a text wants to copy it. */
function open_row(addr: string): void {
  choice.cursor.value = addr;
  if (getSelection()?.isCollapsed ?? true) choice.open(addr);
}

function Row({ of, at }: { of: Resource; at: number }) {
  const step = current_step(of);
  return (
    <div role="row" class="row" aria-rowindex={at + 2} data-status={of.status}
         aria-selected={choice.cursor.value === of.addr} onClick={() => open_row(of.addr)}>
      <span role="cell" class="status state" data-status={of.status}>{of.status}</span>
      <span role="cell" class="sign" data-action={of.plan[0]?.action}>{sign(of)}</span>
      <span role="cell" class="addr"><Address of={of} /></span>
      <span role="cell" class="doing"><span class="activity">{[of.activity, running_provisioner(step)].filter(Boolean).join(', ')}</span><Usually of={of} step={step} /><LastLine of={of} /></span>
      <span role="cell" class="time" title={both_times(step?.started_at)}><Time of={step} /></span>
      <span role="cell" class="id" title={of.id?.value}>{of.id?.value ?? ''}</span>
    </div>
  );
}

function Table() {
  const rows = choice.resources.value;
  const seen = choice.cursor.value ? rows.findIndex((row) => row.addr === choice.cursor.value) : -1;
  return (
    <div id="resources" role="table" aria-label="resources" aria-rowcount={rows.length + 1} aria-colcount={6}>
      <div role="rowgroup" class="titles">
        <div role="row" class="row" aria-rowindex={1}>
          <span role="columnheader" class="status">status</span>
          <span role="columnheader" class="sign" title="planned change">+/-</span>
          <span role="columnheader" class="addr">resource</span>
          <span role="columnheader" class="doing">doing</span>
          <span role="columnheader" class="time">time</span>
          <span role="columnheader" class="id">id</span>
        </div>
      </div>
      {rows.length === 0 && (
        <p id="no-match">{choice.text.value ? <>Nothing matches <b>{choice.text.value}</b>.</> : 'Nothing matches.'}{' '}
          <button type="button" onClick={choice.clear}>Clear the filter</button></p>
      )}
      <Virtual count={rows.length} row_height={row_height} seen={seen}
               row={(at) => <Row key={rows[at]!.key} of={rows[at]!} at={at} />}
               attributes={{ role: 'rowgroup', class: 'rows', tabIndex: 0, 'aria-label': 'resources, scrollable' }} />
    </div>
  );
}

export function Resources() {
  const comparing = choice.view.value === 'compare' && !saved.value;
  const none = shown.value.resource.rows.length === 0;
  if (none && !comparing) return null;
  if (comparing) {
    return (
      <section aria-label="compare">
        {none ? <button type="button" data-view="table" onClick={() => (choice.view.value = 'table')}>do not compare</button> : <Filter />}
        <LateCompare />
      </section>
    );
  }
  return (
    <section aria-label="resources">
      <Filter />
      <div class="beside-modules">
        <Modules />
        {choice.view.value === 'waterfall' ? <LateWaterfall /> : <Table />}
      </div>
    </section>
  );
}
