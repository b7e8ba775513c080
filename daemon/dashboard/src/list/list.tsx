// The list of resources in groups, with a filter above.
import * as choice from '../choice/choice.js';
import { by_plan, entries, fold, hold, take_in, waiting, type Entry } from '../choice/groups.js';
import { cursor } from '../choice/choice.js';
import { run, saved, shown } from '../rows/model.js';
import { statuses } from '../values/words.js';
import { Modules } from './modules.js';
import { Row } from './row.js';
import { Virtual } from './virtual.js';

/** style/list.css has the same. */
const row_height = () => (choice.narrow.value ? 44 : 28);

/** While a run goes on these stay where they are, whatever their number is. */
const to_come = new Set(['failed', 'running', 'planned', 'done']);

/** `plain`: by text alone. */
export function Filter({ plain = false }: { plain?: boolean }) {
  const { counts } = shown.value.tree.value;
  const goes_on = run.value?.status === 'running';
  // Those of a plan that is over say what the groups say.
  const has_chips = !plain && (goes_on || !by_plan.value);
  const digits = `${shown.value.resource.rows.length}`.length;
  const toggle = (name: string) => {
    const wanted = new Set(choice.statuses.value);
    if (!wanted.delete(name)) wanted.add(name);
    choice.statuses.value = wanted;
  };
  return (
    <search class="filter">
      <input id="filter" type="search" placeholder="filter (/)" aria-label="filter resources by address or id" autocomplete="off"
             spellcheck={false} value={choice.text.value} onInput={(event) => (choice.text.value = event.currentTarget.value)} />
      <span id="passing">{choice.filtered.value ? `${choice.resources.value.length} of ${shown.value.resource.rows.length}` : ''}</span>
      {!plain && <Modules />}
      {has_chips && (
      <span role="group" aria-label="filter by status" class="chips">
        {!by_plan.value && statuses.filter((name) => counts[name] || choice.statuses.value.has(name) || (goes_on && to_come.has(name))).map((name) => (
          <button key={name} type="button" class="state" data-status={name} aria-pressed={choice.statuses.value.has(name)}
                  onClick={() => toggle(name)}>
            {`${name} `}<span class="count" style={{ minWidth: `${digits}ch` }}>{counts[name] ?? 0}</span>
          </button>
        ))}
      </span>)}
    </search>
  );
}

function Head({ of, top }: { of: Extract<Entry, { head: unknown }>; top: number }) {
  return (
    <div role="row" class="group" style={{ transform: `translateY(${top}px)` }}>
      <span role="cell">
        <button type="button" tabIndex={-1} aria-expanded={!of.folded} data-group={of.head.is} onClick={() => fold(of.head.is, !of.folded)}>
          {of.head.word} <b>{of.count}</b>
        </button>
      </span>
    </div>
  );
}

/** Where somebody marks addresses to copy them, what is copied are the addresses as OpenTofu writes them. */
function copy_addresses(event: ClipboardEvent): void {
  const marked = getSelection();
  if (!marked || marked.isCollapsed) return;
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[data-addr]')]
    .filter((row) => marked.containsNode(row.querySelector('.addr')!, true));
  if (rows.length === 0) return;
  event.preventDefault();
  event.clipboardData?.setData('text/plain', rows.map((row) => row.dataset.addr).join('\n'));
}

function Nothing() {
  return (
    <p id="no-match">{choice.text.value ? <>Nothing matches <b>{choice.text.value}</b>.</> : 'Nothing matches.'}{' '}
      <button type="button" onClick={choice.clear}>Clear the filter</button></p>
  );
}

export function List() {
  const rows = entries.value;
  const seen = cursor.value ? rows.findIndex((each) => 'row' in each && each.row.addr === cursor.value) : -1;
  return (
    <div id="resources" role="table" aria-label="resources" aria-rowcount={rows.length} aria-colcount={6} data-count={choice.resources.value.length} data-plan={by_plan.value ? 'yes' : undefined} onCopy={copy_addresses}
         onPointerEnter={(event) => event.pointerType === 'mouse' && hold(true)} onPointerLeave={() => hold(document.activeElement?.closest('#resources') !== null)}
         onFocusIn={() => hold(true)} onFocusOut={(event) => hold(event.currentTarget.matches(':hover'))}>
      {rows.length === 0 && choice.filtered.value && <Nothing />}
      <Virtual count={rows.length} row_height={row_height()} seen={seen} placed
               row={(at, top) => {
                 const is = rows[at]!;
                 return 'row' in is ? <Row key={is.row.key} of={is.row} at={at} top={top} /> : <Head key={` ${is.head.is}`} of={is} top={top} />;
               }}
               attributes={{ role: 'rowgroup', class: 'rows', tabIndex: 0, 'aria-label': 'resources, scrollable' }} />
      <p class="later">{waiting.value > 0 && <button type="button" onClick={take_in}>{`${waiting.value} changed`} <kbd>.</kbd></button>}</p>
    </div>
  );
}

/** With the filter above. Nothing where there is no resource yet. */
export function FilteredList() {
  if (shown.value.resource.rows.length === 0) return <p class="note empty-list">{saved.value || (run.value && run.value.status !== 'running') ? 'This run has no resources.' : ''}</p>;
  return <><Filter /><List /></>;
}
