// What the plan changes of one resource, as OpenTofu draws it. Fetched when the drawer asks for it.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Resource } from '../../../protocol/feed/client/client.js';
import { becomes_null, continued, marks, key_text, says_something, sentence, step_to, texts_of, type Action, type DiffLine, type Node, type Part, type PlanRow } from './change.js';
import { laid_out } from './json_text.js';
import { run, run_id, saved, source } from './model.js';

/** Asks for a part of what is drawn; null: it can't be had. */
type Ask = ((part: Part) => Promise<Node | null>) | null;

function Sign({ of }: { of: Action }) {
  const [sign, word] = marks[of];
  return (
    <span class="mark" data-action={of}>
      <span aria-hidden="true">{sign}</span>{word && <span class="unseen">{` ${word} `}</span>}
    </span>
  );
}

const scalar = (value: unknown, bytes: number | undefined): string =>
  JSON.stringify(value) + (bytes === undefined ? '' : ` (the first part of ${bytes} bytes)`);

function Lines({ of }: { of: readonly DiffLine[] }) {
  return (
    <div class="lines">
      {of.map((line, at) => (
        <div key={at} class="text-line" data-action={line.mark}><Sign of={line.mark} /><span class="value">{line.text}</span></div>
      ))}
    </div>
  );
}

function Value({ of }: { of: Node }) {
  const texts = texts_of(of, laid_out);
  if (texts) {
    return (
      <>
        {texts.as && <span class="note">{`${texts.as}:`}</span>}
        {(of.before_bytes ?? of.after_bytes) !== undefined && <span class="note">{`the first part of ${of.after_bytes ?? of.before_bytes} bytes:`}</span>}
        <Lines of={texts.lines} />
      </>
    );
  }
  const before = scalar(of.before, of.before_bytes);
  if (of.action === 'create') return <span class="value after">{scalar(of.after, of.after_bytes)}</span>;
  if (of.action === 'none') return <span class="value">{before}</span>;
  if (of.action === 'delete') return <span class="value before">{before}</span>;
  return <><span class="value before">{before}</span><Arrow /><span class="value after">{scalar(of.after, of.after_bytes)}</span></>;
}

const Arrow = () => <><span class="arrow" aria-hidden="true"> → </span><span class="unseen"> becomes </span></>;

const brackets: { [kind: string]: readonly [string, string] } = { list: ['[', ']'], set: ['[', ']'] };

function Content({ of, path, ask }: { of: Node; path: readonly string[]; ask: Ask }) {
  switch (of.kind) {
    case 'value':
      return <Value of={of} />;
    case 'sensitive':
      return <><span class="value">(sensitive value)</span>
        {(of.becomes || of.was) && <span class="note">{of.becomes ? ' # was not sensitive before' : ' # is sensitive no more'}</span>}</>;
    case 'write_only':
      return <span class="value">(write-only attribute)</span>;
    case 'unknown':
      return <>{of.before !== undefined && <><Content of={of.before as Node} path={path} ask={null} /><Arrow /></>}
        <span class="value after">(known after apply)</span></>;
    case 'type':
      return <><Content of={of.before as Node} path={path} ask={null} /><Arrow /><Content of={of.after as Node} path={path} ask={null} /></>;
    default: {
      const [open, close] = brackets[of.kind] ?? ['{', '}'];
      return <><span class="bracket">{open}</span><Children of={of} path={path} ask={ask} /><span class="bracket">{close}</span></>;
    }
  }
}

function Head({ of, name }: { of: Node; name: string }) {
  const block = of.kind === 'block';
  return (
    <>
      <Sign of={of.action} />
      {name && <><span class="key">{name}</span>{block && of.key !== undefined && of.key !== name && <span class="key">{` ${JSON.stringify(of.key)}`}</span>}
        {block ? ' ' : ' = '}</>}
    </>
  );
}

function Child({ of, within, path, name, ask }: { of: Node; within: Node; path: readonly string[]; name: string; ask: Ask }) {
  // Blocks of one name stand one after another, each with the name.
  if (of.kind === 'blocks') return <Children of={of} path={path} ask={ask} block={of.key ?? ''} />;
  return (
    <li class="change" data-action={of.action}>
      <Head of={of} name={name} />
      <Content of={of} path={path} ask={ask} />
      {becomes_null(within, of) && <><Arrow /><span class="value">null</span></>}
      {of.forces_replacement && <span class="forces"> # forces replacement</span>}
    </li>
  );
}

function Rest({ said, then }: { said: string; then: (() => Promise<void>) | null }) {
  const asking = useSignal<'' | 'asking' | 'failed'>('');
  if (!then) return <span class="note">{said}</span>;
  const click = async () => {
    asking.value = 'asking';
    try {
      await then();
      asking.value = '';
    } catch {
      asking.value = 'failed';
    }
  };
  return (
    <>
      <button type="button" class="rest" disabled={asking.value === 'asking'} onClick={click}>{said}</button>
      {asking.value === 'failed' && <span class="note" role="status"> tofud did not answer</span>}
    </>
  );
}

/** The children of a node, and buttons that fetch those that are left out. */
function Children({ of: given, path, ask, block }: { of: Node; path: readonly string[]; ask: Ask; block?: string }) {
  const fetched = useSignal<{ of: Node; now: Node; all: boolean } | null>(null);
  const whole = fetched.value?.of === given ? fetched.value : { of: given, now: given, all: false };
  const { now, all } = whole;
  const part = { path, unchanged: all };
  const expand = ask && (async () => {
    const found = await ask({ path, unchanged: true });
    if (found) fetched.value = { of: given, now: found, all: true };
  });
  const go_on = ask && (async () => {
    const later = await ask({ ...part, from: now.next ?? 0 });
    if (later) fetched.value = { of: given, now: continued(now, later), all };
  });
  const children = now.children ?? [];
  const list = (
    <ul class="changes">
      {children.map((child) => {
        const step = step_to(now, child);
        const named = block ?? key_text(now, child);
        return <Child key={`${child.kind} ${step}`} of={child} within={now} path={[...path, step]} name={named} ask={ask} />;
      })}
      {now.more !== undefined && <li class="left-out"><Rest said={`${now.more} more`} then={go_on} /></li>}
      {now.unchanged !== undefined && <li class="left-out">
        <Rest said={`${now.unchanged} unchanged${block ? ` ${block}` : ''}`} then={expand} /></li>}
    </ul>
  );
  return block === undefined ? list : <li class="blocks">{list}</li>;
}

function ResourceChange({ of, addr }: { of: PlanRow; addr: string }) {
  const ask = async (part: Part): Promise<Node | null> => {
    const rows = await source.diff!(run_id.value, addr, part);
    return rows.find((row) => row.drift === of.drift && row.deposed === of.deposed)?.body ?? null;
  };
  return (
    <div class="entry" data-drift={of.drift ? 'yes' : undefined}>
      <p class="sentence">
        {of.deposed && <>{'deposed object '}<code>{of.deposed}</code>{' '}</>}{sentence(of)}
        {of.schema === false && <span class="note"> (drawn without the schema of its provider, which nobody gave)</span>}
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
      {is.rows.length === 0 && <p class="note">the plan changes nothing of it</p>}
    </section>
  );
}
