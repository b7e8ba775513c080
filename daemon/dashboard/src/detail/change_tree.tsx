// The tree of one change, as OpenTofu draws it: signs, keys, values, and buttons for what is left out.
// A script of its own (frame/late.tsx).
import { useSignal } from '../shared.js';
import {
  becomes_null, continued, key_text, marks, step_to, texts_of, type Action, type Node, type Part,
} from '../values/change.js';
import { laid_out } from '../values/json_text.js';
import type { DiffLine } from '../values/line_diff.js';
import { word_diff, type WordPart } from '../values/word_diff.js';
import { looks_like_yaml } from '../values/yaml_changes.js';
import { YamlTree } from './yaml_tree.js';

/** Asks for a part of what is drawn; null: it can't be had. */
export type Ask = ((part: Part) => Promise<Node | null>) | null;

export function Sign({ of }: { of: Action }) {
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

/** A text of one line of which some words change. */
function Words({ of, side }: { of: readonly WordPart[]; side: 'before' | 'after' }) {
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  return <span class={`value ${side}`}>"{of.map((part, at) => (part.changed ? <mark key={at}>{quoted(part.text)}</mark> : quoted(part.text)))}"</span>;
}

const is_yaml = (of: Node): boolean =>
  of.action === 'update' && typeof of.before === 'string' && typeof of.after === 'string' && of.after_bytes === undefined && of.before_bytes === undefined &&
  looks_like_yaml(of.before) && looks_like_yaml(of.after);

function Value({ of }: { of: Node }) {
  const texts = texts_of(of, laid_out);
  const cut = of.after_bytes ?? of.before_bytes;
  if (texts) {
    return (
      <>
        {texts.as && <span class="note">{`${texts.as}:`}</span>}
        {is_yaml(of) && <YamlTree before={of.before as string} after={of.after as string} />}
        {cut !== undefined && <span class="note">{`the first part of ${cut} bytes:`}</span>}
        <Lines of={texts.lines} />
      </>
    );
  }
  const words = typeof of.before === 'string' && typeof of.after === 'string' && of.action === 'update' ? word_diff(of.before, of.after) : null;
  if (words && cut === undefined) return <><Words of={words.before} side="before" /><Arrow /><Words of={words.after} side="after" /></>;
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
        {(of.becomes || of.was) && <span class="note">{of.becomes ? ' # was not sensitive before' : ' # is no longer sensitive'}</span>}</>;
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

/** What the schema says to people, behind what changes. */
function SchemaWords({ of }: { of: Node }) {
  return (
    <>
      {of.deprecated !== undefined && <span class="forces">{` # deprecated${of.deprecated && ': '}${of.deprecated}`}</span>}
      {of.description && <div class="note">{of.description}</div>}
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
      <SchemaWords of={of} />
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
export function Children({ of: given, path, ask, block }: { of: Node; path: readonly string[]; ask: Ask; block?: string }) {
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
