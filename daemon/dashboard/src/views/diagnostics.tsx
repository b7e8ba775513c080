// What went wrong, on top: diagnostics with the source they point at, and failed resources whose reason has not come yet.
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Diagnostic, Resource, Snippet } from '../../../../protocol/feed/client/client.js';
import { AttributeCard } from './attribute.js';
import { Copy } from './copy.js';
import { causes_of } from '../values/causes.js';
import { call_of, text_of, values_of } from '../values/diagnostic_text.js';
import { shown } from '../rows/model.js';
import { AtMoment } from './moment_button.js';
import { Said } from './said.js';
import { source_lines } from '../values/snippet.js';
import { both_times, fragment, seconds } from '../values/words.js';

/** Diagnostics drawn before somebody asks for more. */
const at_first = 30;
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

/** `apart`: beside that which it is of (its resource, its test), which need not be named again. */
export function DiagnosticCard({ of, apart }: { of: Diagnostic; apart?: 'resource' | 'test' }) {
  const Heading = apart ? 'h3' : 'h2';
  const named = of.address && apart !== 'resource';
  const severity = of.severity === 'error' || of.severity === 'warning' ? of.severity : 'other';
  return (
    <article class="diagnostic" data-severity={severity} title={both_times(of.at)}>
      <span class="tools"><AtMoment of={of.at} /> <Copy text={() => text_of(of)} label="as text" /></span>
      <Heading class="what"><span class="severity">{of.severity}</span>{': '}<span class="summary">{of.summary}</span></Heading>
      {named && (
        <p class="with">with <a class="address" href={fragment(of.address!)}>{of.address}</a></p>
      )}
      {of.range && (
        <p class="on">on <span class="file">{`${of.range.filename} line ${of.range.start.line}`}</span>
          {of.snippet?.path && <>, at <code class="context">{of.snippet.path}</code></>}
          {of.snippet?.context && of.snippet.path === undefined && <>, in <code class="context">{of.snippet.context}</code></>}
        </p>
      )}
      {named && <Said of={shown.value.resource.get(of.address!)} />}
      {of.test_file && apart !== 'test' && <p class="of-test">{`in ${of.test_file}${of.test_run ? `, run ${of.test_run}` : ''}`}</p>}
      {of.snippet ? <Source of={of.snippet} /> : of.range && <p class="note">(source code not available)</p>}
      {of.detail && <p class="detail">{of.detail}</p>}
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

export function Diagnostics() {
  const everything = useSignal(false);
  const rows = shown.value.diagnostic.rows;
  const errors = rows.filter((row) => row.severity === 'error');
  const all = [...errors, ...rows.filter((row) => row.severity !== 'error')];
  const silent = unexplained(shown.value.resource.rows);
  const drawn = everything.value ? all : all.slice(0, at_first);
  if (all.length + silent.length === 0) return null;
  return (
    // Those of tests stand with them.
    <details class="problems" open={silent.length > 0 || all.some((row) => !row.test_file)}>
    <summary>{count_words(all, silent.length)}</summary>
    <section id="problems" aria-label="what went wrong" tabIndex={0}>
      {silent.length > 0 && (
        <ul id="unexplained">
          {silent.slice(0, at_first).map((row) => {
            const step = row.steps.find((each) => each.status === 'failed');
            return (
              <li key={row.key}>
                <span class="state" data-status="failed">{step ? `${step.action} failed after ${seconds(step.elapsed) || '?'}` : 'failed'}</span>
                {' '}<a class="address" href={fragment(row.addr)}>{row.addr}</a>
                <Said of={row} />
              </li>
            );
          })}
          {silent.length > at_first && <li>{`and ${silent.length - at_first} more`}</li>}
        </ul>
      )}
      <div id="diagnostics">
        {causes_of(drawn).map(({ first, others }) => (
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
      </div>
      {drawn.length < all.length && (
        <button type="button" id="all-diagnostics" onClick={() => (everything.value = true)}>
          {`show all ${all.length}`}
        </button>
      )}
    </section>
    </details>
  );
}
