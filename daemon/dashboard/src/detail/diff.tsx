// What the plan changes of one resource, entry by entry. Fetched when somebody looks at it.
// A script of its own (frame/late.tsx).
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { says_something, sentence, type Node, type Part, type PlanRow } from '../values/change.js';
import { Children } from './change_tree.js';
import { run, run_id, saved, source, useEffect, useSignal } from '../shared.js';

function ResourceChange({ of, addr }: { of: PlanRow; addr: string }) {
  const ask = async (part: Part): Promise<Node | null> => {
    const rows = await source.diff!(run_id.value, addr, part);
    return rows.find((row) => row.drift === of.drift && row.deposed === of.deposed)?.body ?? null;
  };
  return (
    <div class="entry" data-drift={of.drift ? 'yes' : undefined}>
      <p class="sentence">
        {of.deposed && <>{'deposed object '}<code>{of.deposed}</code>{' '}</>}{sentence(of)}
        {of.schema === false && <> <button type="button" class="hint-mark" aria-label="drawn without its provider's schema" data-says="Drawn without its provider's schema, which tells types and blocks apart; --schemas gives it.">i</button></>}
      </p>
      <Children of={of.body} path={[]} ask={ask} />
    </div>
  );
}

function Entries({ rows, title, addr }: { rows: readonly PlanRow[]; title: string; addr: string }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <div class="diff" role="group" tabIndex={0} aria-label={`${title}: ${addr}`}>
        {rows.map((row, at) => <ResourceChange key={`${at} ${row.deposed ?? ''}`} of={row} addr={addr} />)}
      </div>
    </>
  );
}

export function Diff({ of }: { of: Resource }) {
  const attached = run.value?.attachments ?? [];
  const found = useSignal<{ rows: readonly PlanRow[] } | { failed: string } | null>(null);
  const has = attached.includes('plan') && !saved.value && source.diff !== null;
  const about = JSON.stringify([run_id.value, of.addr, of.plan, of.drift, attached]);
  useEffect(() => {
    found.value = null;
    if (!has) return undefined;
    let wanted = true;
    source.diff!(run_id.value, of.addr, {}).then(
      (rows) => wanted && (found.value = { rows: rows.filter(says_something) }),
      (why: unknown) => wanted && (found.value = { failed: why instanceof Error ? why.message : String(why) }));
    return () => void (wanted = false);
  }, [has, about]);
  if (!has) return null;
  const is = found.value;
  if (is === null) return <p class="note" role="status">loading what the plan changes …</p>;
  if ('failed' in is) return <p class="note" role="status">{`what the plan changes can't be shown: ${is.failed}`}</p>;
  return (
    <section class="planned" aria-label="what the plan changes">
      <Entries rows={is.rows.filter((row) => row.drift)} title="changed outside OpenTofu" addr={of.addr} />
      <Entries rows={is.rows.filter((row) => !row.drift)} title="planned changes" addr={of.addr} />
      {is.rows.length === 0 && <p class="note">the plan does not change it</p>}
    </section>
  );
}
