// Every component in every state, for those who look at them together: tests/browser/gallery_test.py draws it. It is no part of the program.
import { render } from 'preact';
import type { Resource, Run } from '../../../../protocol/feed/client/client.js';
import { Copy } from '../detail/copy.js';
import { DiagnosticCard } from '../detail/diagnostics.js';
import { Nothing } from '../frame/nothing.js';
import { Row } from '../list/row.js';
import { segments } from '../values/segments.js';

const states = ['failed', 'failing', 'running', 'planned', 'approval', 'interrupted', 'lost', 'skipped', 'done', 'unchanged', 'drifted'];
const actions = ['create', 'update', 'delete', 'replace', 'read', 'import', 'move', 'forget'] as const;
const signs: { [action: string]: string } = { create: '+', update: '~', delete: '-', replace: '-/+', read: '<=', import: '&', move: '>', forget: '.' };

const row = (status: string, n: number, addr: string, module = ''): Resource => ({
  kind: 'resource', run: 'r', key: addr, seq: n, addr, module, status, first: n, activity: status === 'running' ? 'create' : null, id: null, inferred: false,
  plan: [{ action: 'create' }], steps: [{ n: 1, phase: 'apply', action: 'create', status: 'done', elapsed: 0.3 * 7 ** (n % 6) }], diagnostics: [], drift: null, source: null,
} as unknown as Resource);

const rows = states.map((status, i) => row(status, i, `module.region["eu-west"].module.service["shop"].terraform_data.slot["${status} ${i}"]`, 'module.region["eu-west"].module.service["shop"]'));

const runs: readonly [string, Partial<Run>][] = [
  ['running', { progress: { done: 9, total: 24 }, counts: { running: 5 } }], ['failing', { progress: { done: 9, total: 24 }, counts: { failed: 2, running: 5 } }],
  ['failed', { progress: { done: 14, total: 17 }, counts: { failed: 1, skipped: 2 } }], ['succeeded', { progress: { done: 24, total: 24 }, counts: {} }],
  ['interrupted', { progress: { done: 3, total: 10 }, counts: { interrupted: 3, skipped: 4 } }],
];

const diagnostic = (severity: string, detail: string) => ({
  kind: 'diagnostic', run: 'r', key: '1', seq: 1, severity, summary: 'local-exec provisioner error', detail, address: null, at: null, attribute: null, test_file: null, test_run: null,
  range: { filename: 'service/main.tf', start: { line: 8, column: 3, byte: 0 }, end: { line: 8, column: 4, byte: 1 } },
  snippet: { context: 'resource "terraform_data" "server"', code: '  provisioner "local-exec" {', start_line: 8, highlight_start_offset: 27, highlight_end_offset: 28, values: [] },
} as never);

function Part({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return <section class="gallery-part" aria-label={name}><h2>{name}</h2>{children}</section>;
}

function Gallery() {
  return (
    <main class="gallery">
      <h1>Gallery</h1>
      <Part name="states">{states.map((status) => <span key={status} class="state" data-status={status}>{status}</span>)}</Part>
      <Part name="shapes">{states.map((status) => <span key={status} class="state shape" data-status={status} aria-hidden="true" />)}</Part>
      <Part name="pills">{['failed', 'failing', 'running', 'succeeded', 'interrupted', 'lost'].map((status) => <b key={status} class="state pill" data-status={status}>{status}</b>)}</Part>
      <Part name="signs">{actions.map((action) => <span key={action}><b class="sign" data-action={action}>{signs[action]}</b> {action}</span>)}</Part>
      <Part name="bars">
        {runs.map(([name, of]) => (
          <div key={name} class="bar" role="img" aria-label={name}>
            {segments({ command: 'apply', ...of } as Run).map(({ status, from, part }) => (
              <div key={status} class="part" data-status={status} style={{ transform: `translateX(${100 * from}%) scaleX(${part})` }} />
            ))}
          </div>
        ))}
      </Part>
      <Part name="tabs"><div class="tabs views">{['Overview', 'Resources', 'Plan', 'Timeline'].map((name, i) => <button key={name} type="button" aria-pressed={i === 0}>{name}</button>)}</div></Part>
      <Part name="chips"><span class="chips">{['failed', 'running', 'planned', 'done'].map((status, i) => <button key={status} type="button" class="state" data-status={status} aria-pressed={i === 1}>{`${status} ${7 * i}`}</button>)}</span></Part>
      <Part name="buttons and fields"><button type="button">button</button> <Copy text={() => ''} label="address" /> <input type="search" name="filter" aria-label="filter" placeholder="filter (/)" /> <select name="run" aria-label="run"><option>1: apply</option></select> <kbd>Ctrl K</kbd></Part>
      <Part name="rows">
        <div id="resources" role="table" aria-label="resources"><div class="rows" role="rowgroup"><div class="all" role="presentation" style={{ height: `${28 * rows.length}px` }}>
          {rows.map((of, i) => <Row key={of.key} of={of} at={i} top={28 * i} />)}
        </div></div></div>
      </Part>
      <Part name="diagnostics">
        <DiagnosticCard of={diagnostic('error', "Error running command 'sh service/boot.sh us-east 3 2': exit status 3. Output: pulling shop:2.4.1\nquota of us-east is 2 servers\n")} />
        <DiagnosticCard of={diagnostic('warning', 'The argument is deprecated.')} />
      </Part>
      <Part name="nothing yet"><Nothing /></Part>
    </main>
  );
}

render(<Gallery />, document.getElementById('page')!);
