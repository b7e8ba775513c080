// A plan to be reviewed: risks first, equal changes once. Ticks are of this browser and approve nothing.
// A script of its own (frame/late.tsx).
import { address_words, addressed, choice, Copy, fragment, resource_at, run, run_id, saved, saved_plans, shown, ShownAddress, source, useComputed, useEffect, useSignal, useMemo } from '../shared.js';
import { Children } from '../detail/change_tree.js';
import { sign_of } from '../values/change.js';
import type { Node, Part, PlanRow } from '../values/change.js';
import { planned_resources, planned_rows, review, review_sentence, risky, type Planned, type ReviewGroup } from '../values/plan_review.js';

/** Entries of a group that are drawn before somebody asks for more. */
const at_first = 50;
/** So many are open when they come. */
const most_open = 20;
/** Addresses named of those that change alike, and listed when somebody opens them. */
const named = 8;
const most_listed = 500;

/** What is ticked, of the last run that was reviewed. */
function ticks_of(run: string): Set<string> {
  try {
    const kept = JSON.parse(localStorage.getItem('tofud seen') ?? '{}') as { run?: string; seen?: string[] };
    return new Set(kept.run === run ? kept.seen : []);
  } catch {
    return new Set();
  }
}

function keep_ticks(run: string, seen: ReadonlySet<string>): void {
  try {
    localStorage.setItem('tofud seen', JSON.stringify({ run, seen: [...seen] }));
  } catch {
    // A browser that keeps nothing.
  }
}

const action_of = (of: Planned): string => (of.group === 'destroy' ? 'delete' : of.group === 'care' ? 'update' : of.group);

interface EntryProps {
  members: readonly Planned[];
  open: boolean;
  seen: boolean;
  tick(is: boolean): void;
}

function Entry({ members, open, seen, tick }: EntryProps) {
  const first = members[0]!;
  const unfolded = useSignal(open);
  const listed = useSignal(false);
  const ask = useMemo(() => async (part: Part): Promise<Node | null> => {
    const rows = await source.diff!(run_id.value, first.addr, part);
    return rows.find((row) => !row.drift && row.deposed === first.row?.deposed)?.body ?? null;
  }, [first.addr]);
  const has_more = first.row !== null && (first.row.body.children?.length ?? 0) + (first.row.body.unchanged ?? 0) > 0;
  const link = () => `${location.origin}${location.pathname}?run=${encodeURIComponent(run_id.value)}&view=plan${fragment(first.addr, '#c=')}`;
  return (
    <article class="planned-change" id={fragment(first.addr, '#c=').slice(1)} data-group={first.group} data-seen={seen ? 'yes' : undefined}>
      <h3>
        <span class="sign" data-action={action_of(first)}>{sign_of(first.action)}</span>{' '}
        {members.length > 1 ? <b class="alike">{`${members.length} alike`}</b> : <ShownAddress of={resource_at(first.addr)} />}{' '}
        <span class="because">{first.sentence}</span>
      </h3>
      {members.length > 1 && (
        <details class="members" onToggle={(event) => (listed.value = event.currentTarget.open)}>
          <summary>{members.slice(0, named).map((each) => address_words(resource_at(each.addr))).join(', ')}{members.length > named && ` and ${members.length - named} more`}</summary>
          {listed.value && <ul>{members.slice(0, most_listed).map((each) => <li key={each.addr}><ShownAddress of={resource_at(each.addr)} /></li>)}
            {members.length > most_listed && <li class="note">{`and ${members.length - most_listed} more: "addresses" copies all of them`}</li>}</ul>}
        </details>
      )}
      {has_more && (unfolded.value
        ? <div class="diff" role="group" tabIndex={0} aria-label={`planned changes: ${first.addr}`}><Children of={first.row!.body} path={[]} ask={saved.value || !source.diff ? null : ask} /></div>
        : <button type="button" class="unfold" onClick={() => (unfolded.value = true)}>show what changes</button>)}
      <p class="facts">
        <label class="seen"><input type="checkbox" checked={seen} onChange={(event) => tick(event.currentTarget.checked)} /> seen</label>
        {!saved.value && <Copy text={link} label="link" />}
        <Copy text={() => members.map((each) => each.addr).join('\n')} label={members.length > 1 ? 'addresses' : 'address'} />
      </p>
    </article>
  );
}

function Group({ of, seen, tick, open }: { of: ReviewGroup; seen: ReadonlySet<string>; tick(addr: string, is: boolean): void; open: boolean }) {
  const everything = useSignal(false);
  const drawn = everything.value ? of.entries : of.entries.slice(0, at_first);
  return (
    <section class="review-group" data-group={of.group} aria-label={`${of.word} ${of.count}`}>
      <h2>{of.word} <b>{of.count}</b></h2>
      {drawn.map((members) => (
        <Entry key={members[0]!.addr + (members[0]!.row?.deposed ?? '')} members={members} open={open} seen={members.every((each) => seen.has(each.addr))}
               tick={(is) => members.forEach((each) => tick(each.addr, is))} />
      ))}
      {drawn.length < of.entries.length && <button type="button" class="more" onClick={() => (everything.value = true)}>{`show all ${of.entries.length}`}</button>}
    </section>
  );
}

/** `beside`: beside the list of a plan, whose head says the sentence already. */
export function PlanView({ beside = false }: { beside?: boolean }) {
  const found = useSignal<readonly PlanRow[] | string | null>(null);
  const attached = run.value?.attachments?.includes('plan') ?? false;
  const has = attached && !saved.value && source.plan !== null;
  const version = JSON.stringify([run_id.value, run.value?.attachments]);
  useEffect(() => {
    found.value = null;
    if (!has) return undefined;
    const stop = new AbortController();
    source.plan!(run_id.value, stop.signal).then((rows) => (found.value = rows), (why: Error) => stop.signal.aborted || (found.value = why.message));
    return () => stop.abort();
  }, [has, version]);
  const seen = useSignal<{ of: string; ticked: Set<string> }>({ of: '', ticked: new Set() });
  if (seen.value.of !== run_id.value) seen.value = { of: run_id.value, ticked: ticks_of(run_id.value) };
  const rows = saved_plans.get(run_id.value) ?? found.value;
  // A plan that is attached stays as it is while the run goes on: it is looked through once.
  const all = useMemo(() => (Array.isArray(rows) ? planned_rows(rows) : null), [rows]);
  const of_stream = useComputed(() => planned_resources(shown.value.resource.rows));
  const known = all ?? of_stream.value;
  const all_groups = useMemo(() => review(known), [known]);
  const groups = useMemo(() => (choice.text.value ? review(known, choice.text.value) : all_groups), [all_groups, choice.text.value]);
  const count = all_groups.reduce((sum, { entries }) => sum + entries.length, 0);
  useEffect(() => {
    const asked = addressed(location.hash, '#c=');
    if (asked) document.getElementById(fragment(asked, '#c=').slice(1))?.scrollIntoView({ block: 'start' });
  }, [all]);
  const tick = (addr: string, is: boolean) => {
    const next = new Set(seen.value.ticked);
    if (is) next.add(addr);
    else next.delete(addr);
    seen.value = { of: run_id.value, ticked: next };
    keep_ticks(run_id.value, next);
  };
  const to_see = all_groups.filter(({ group }) => risky.has(group)).flatMap(({ entries }) => entries.flat());
  return (
    <div id="plan" role="region" aria-label="plan">
      {!beside && <p class="review-sentence">{review_sentence(all_groups)}</p>}
      <p class="facts">
        {all_groups.map(({ group, word, count: number }) => <span key={group} class="share-of" data-group={group}>{`${word} ${number}`}</span>)}
      </p>
      {to_see.length > 0 && <p class="note">{`${to_see.filter((each) => seen.value.ticked.has(each.addr)).length} of ${to_see.length} that need your eye are ticked. Ticks stay in this browser; they approve nothing.`}</p>}
      {typeof rows === 'string' && <p class="note" role="status">{`what the plan changes can't be shown: ${rows}`}</p>}
      {!attached && <p class="note">No plan is attached: what changes in each resource is not known. <code>tofud run</code> attaches saved plans; <code>tofud --plan FILE</code> takes what <code>tofu show -json</code> wrote.</p>}
      {has && rows === null && <p class="note" role="status">loading what the plan changes …</p>}
      {groups.length === 0 && choice.text.value && <p>Nothing in the plan has <b>{choice.text.value}</b>.</p>}
      {groups.map((of) => <Group key={of.group} of={of} seen={seen.value.ticked} tick={tick} open={risky.has(of.group) ? count <= 10 * most_open : count <= most_open} />)}
    </div>
  );
}
