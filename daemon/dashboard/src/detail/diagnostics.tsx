// What went wrong: diagnostics with the source they point at, and failed resources whose reason has not come yet.
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Diagnostic, Resource, Snippet } from '../../../../protocol/feed/client/client.js';
import { AttributeCard } from './attribute.js';
import { Copy } from './copy.js';
import { causes_of } from '../values/causes.js';
import { call_of, text_of, values_of } from '../values/diagnostic_text.js';
import { run, shown } from '../rows/model.js';
import { bare } from '../values/sgr.js';
import { AtMoment } from './moment_button.js';
import { Said } from './said.js';
import { source_lines } from '../values/snippet.js';
import { printed_error } from '../values/printed_error.js';
import { both_times, clock_time, fragment, seconds } from '../values/words.js';

/** Diagnostics drawn before somebody asks for more. */
const at_first = 30;
/** Lines of what a program printed last. */
const tail = 10;
/** Addresses named of those that say the same. */
const named_members = 8;

function Source({ of }: { of: Snippet }) {
  const lines = useMemo(() => source_lines(of), [of]);
  const nothing = of.path !== undefined && !of.code;
  const call = call_of(of);
  return (
    <>
      {!nothing && <pre class="source">
        {lines.map((line) => (
          <div key={line.number} class="line">
            {of.path === undefined && <span class="number">{line.number}</span>}
            <code>{line.parts.map((part, i) => (part.marked ? <mark key={i}>{part.text}</mark> : part.text))}</code>
          </div>
        ))}
      </pre>}
      {call && <p class="call"><code>{call}</code></p>}
      {of.values.length > 0 && (
        <ul class="values">
          {values_of(of).map((value, i) => <li key={i}><code>{value.traversal}</code> <span>{value.statement}</span></li>)}
        </ul>
      )}
    </>
  );
}

/** The reason is what ended the program, and what it printed. */
function Detail({ of }: { of: string }) {
  const program = useMemo(() => printed_error(of), [of]);
  if (!program) return <p class="detail">{of}</p>;
  return (
    <p class="detail">
      {program.before}<b class="ended">{program.ended}</b>{program.between}{program.printed.trim() ? <code class="printed">{program.printed}</code> : program.printed}
    </p>
  );
}

/** The resource, and what became of it when. */
function With({ addr }: { addr: string }) {
  const row = shown.value.resource.get(addr);
  const step = row?.steps.find((each) => each.status === 'failed');
  return (
    <p class="with"><a class="address" href={fragment(addr)}>{addr}</a>
      {step && <span class="when">{` ${step.action} failed ${clock_time(step.ended_at, true)} after ${seconds(step.elapsed) || '?'}`}</span>}
    </p>
  );
}

/** `apart`: beside that which it is of (its resource, its test), which need not be named again. */
export function DiagnosticCard({ of, apart }: { of: Diagnostic; apart?: 'resource' | 'test' }) {
  const Heading = apart ? 'h3' : 'h2';
  const named = of.address && apart !== 'resource';
  const severity = of.severity === 'error' || of.severity === 'warning' ? of.severity : 'other';
  return (
    <article class="diagnostic" data-severity={severity} data-says={both_times(of.at)}>
      <span class="tools"><AtMoment of={of.at} /> <Copy text={() => text_of(of)} label="as text" /></span>
      {named && <With addr={of.address!} />}
      <Heading class="what"><span class="severity">{of.severity}</span>{': '}<span class="summary">{of.summary}</span></Heading>
      {of.detail && <Detail of={of.detail} />}
      {of.range && (
        <p class="on">on <span class="file">{`${of.range.filename} line ${of.range.start.line}`}</span>
          {of.snippet?.path && <>, at <code class="context">{of.snippet.path}</code></>}
          {of.snippet?.context && of.snippet.path === undefined && <>, in <code class="context">{of.snippet.context}</code></>}
        </p>
      )}
      {named && <Said of={shown.value.resource.get(of.address!)} />}
      {of.test_file && apart !== 'test' && <p class="of-test">{`in ${of.test_file}${of.test_run ? `, run ${of.test_run}` : ''}`}</p>}
      {of.snippet ? <Source of={of.snippet} /> : of.range && <p class="note">(source code not available)</p>}
      {of.attribute && <AttributeCard of={of.attribute} />}
    </article>
  );
}

/** The resources that failed and have nothing said of them yet: OpenTofu gives reasons at the end of an apply. */
function unexplained(rows: readonly Resource[]): Resource[] {
  return rows.filter((row) => row.status === 'failed' && row.diagnostics.length === 0);
}

/** `2 errors, 1 warning`. */
function count_words(rows: readonly Diagnostic[], silent: number): string {
  const counts = new Map(silent > 0 ? [['failure', silent]] : []);
  for (const { severity } of rows) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`).join(', ');
}

function Causes({ of }: { of: readonly Diagnostic[] }) {
  return (
    <>
      {causes_of(of).map(({ first, others }) => (
        <Fragment key={first.key}>
          <DiagnosticCard of={first} />
          {others.length > 0 && (
            <details class="more-like-it">
              <summary>{`${others.length} more like it`}{others.slice(0, named_members).map((each) => each.address && <> <code>{each.address}</code></>)}
                {others.length > named_members && ' …'}</summary>
              {others.map((each) => <DiagnosticCard key={each.key} of={each} />)}
            </details>
          )}
        </Fragment>
      ))}
    </>
  );
}

/** What failed and has no reason yet. What its provisioners printed is often the reason. */
function Silent({ of }: { of: Resource }) {
  shown.value.lines_version.value;
  const step = of.steps.find((each) => each.status === 'failed');
  const printed = shown.value.logs.of(of.addr)?.lines.slice(-tail) ?? [];
  return (
    <li>
      <a class="address" href={fragment(of.addr)}>{of.addr}</a>{' '}
      <span class="state" data-status="failed">{step ? `${step.action} failed after ${seconds(step.elapsed) || '?'}` : 'failed'}</span>
      <Said of={of} />
      {printed.length > 0 && <pre class="source">{printed.map((line) => `${bare(line.text)}\n`)}</pre>}
      {run.value?.status === 'running' && <p class="note">OpenTofu gives the reason when the apply ends.</p>}
    </li>
  );
}

export function Diagnostics() {
  const everything = useSignal(false);
  const rows = shown.value.diagnostic.rows;
  const errors = rows.filter((row) => row.severity === 'error');
  const others = rows.filter((row) => row.severity !== 'error');
  const silent = unexplained(shown.value.resource.rows);
  const count = rows.length + silent.length;
  if (count === 0) return null;
  const [drawn, below] = everything.value ? [errors, others] : [errors.slice(0, at_first), others.slice(0, Math.max(0, at_first - errors.length))];
  return (
    <section id="problems" aria-labelledby="problems-title">
      <h2 id="problems-title">{count_words([...errors, ...others], silent.length)}</h2>
      {silent.length > 0 && (
        <ul id="unexplained">
          {silent.slice(0, at_first).map((row) => <Silent key={row.key} of={row} />)}
          {silent.length > at_first && <li>{`and ${silent.length - at_first} more`}</li>}
        </ul>
      )}
      <div id="diagnostics">
        {drawn.length > 0 && drawn.every((row) => row.test_file)
          // They stand beside their tests as well.
          ? <details class="of-tests"><summary>as OpenTofu lists them</summary><Causes of={drawn} /></details> : <Causes of={drawn} />}
        {below.length > 0 && (errors.length === 0 ? <Causes of={below} />
          : <details class="warnings"><summary>{count_words(below, 0)}</summary><Causes of={below} /></details>)}
      </div>
      {drawn.length + below.length < rows.length && (
        <button type="button" id="all-diagnostics" onClick={() => (everything.value = true)}>
          {`show all ${rows.length}`}
        </button>
      )}
    </section>
  );
}
