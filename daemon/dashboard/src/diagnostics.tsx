// What went wrong, on top: diagnostics with the source they point at, and failed resources whose reason has not come yet.
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Diagnostic, Resource, Snippet } from '../../../protocol/feed/client/client.js';
import { AttributeCard } from './attribute.js';
import { shown } from './model.js';
import { Said } from './said.js';
import { source_lines } from './snippet.js';
import { both_times, fragment, seconds } from './words.js';

/** Diagnostics drawn before somebody asks for more. */
const at_first = 30;

function Source({ of }: { of: Snippet }) {
  const lines = useMemo(() => source_lines(of), [of]);
  const nothing = of.path !== undefined && !of.code;
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
      {of.values.length > 0 && (
        <ul class="values">
          {of.values.map((value, i) => <li key={i}><code>{value.traversal}</code> <span>{value.statement}</span></li>)}
        </ul>
      )}
    </>
  );
}

/** `apart`: within the drawer of its resource, which need not be named again. */
export function DiagnosticCard({ of, apart = false }: { of: Diagnostic; apart?: boolean }) {
  const Heading = apart ? 'h3' : 'h2';
  const severity = of.severity === 'error' || of.severity === 'warning' ? of.severity : 'other';
  return (
    <article class="diagnostic" data-severity={severity} title={both_times(of.at)}>
      <Heading class="what"><span class="severity">{of.severity}</span>{': '}<span class="summary">{of.summary}</span></Heading>
      {of.address && !apart && (
        <p class="with">with <a class="address" href={fragment(of.address)}>{of.address}</a></p>
      )}
      {of.range && (
        <p class="on">on <span class="file">{`${of.range.filename} line ${of.range.start.line}`}</span>
          {of.snippet?.path && <>, at <code class="context">{of.snippet.path}</code></>}
          {of.snippet?.context && of.snippet.path === undefined && <>, in <code class="context">{of.snippet.context}</code></>}
        </p>
      )}
      {of.address && !apart && <Said of={shown.value.resource.get(of.address)} />}
      {of.test_file && <p class="of-test">{`in ${of.test_file}${of.test_run ? `, run ${of.test_run}` : ''}`}</p>}
      {of.snippet && <Source of={of.snippet} />}
      {of.detail && <p class="detail">{of.detail}</p>}
      {of.attribute && <AttributeCard of={of.attribute} />}
    </article>
  );
}

/** The resources that failed and have nothing said of them yet: OpenTofu gives reasons at the end of an apply. */
function unexplained(rows: readonly Resource[]): Resource[] {
  return rows.filter((row) => row.status === 'failed' && row.diagnostics.length === 0);
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
      <div id="diagnostics">{drawn.map((row) => <DiagnosticCard key={row.key} of={row} />)}</div>
      {drawn.length < all.length && (
        <button type="button" id="all-diagnostics" onClick={() => (everything.value = true)}>
          {`show all ${all.length}`}
        </button>
      )}
    </section>
  );
}
