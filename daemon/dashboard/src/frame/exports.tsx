// The run as files for other programs.
// A script of its own (frame/late.tsx).
import { link, run as shown_run, run_id, saved } from '../shared.js';

const formats: readonly [string, string, string][] = [
  ['csv', 'CSV', 'the resources, for a spreadsheet'],
  ['junit', 'JUnit', 'the resources or tests, for a CI server'],
  ['trace', 'trace', 'the steps, for ui.perfetto.dev'],
  ['md', 'Markdown', 'for a pull request'],
];

export function Exports() {
  if (saved.value || !run_id.value || link.value.is === 'over') return null;
  const run = `v1/runs/${encodeURIComponent(run_id.value)}`;
  return (
    <p class="facts" id="exports">
      <span class="note">export</span>
      {formats.map(([format, name, what]) => (
        <a key={format} href={`${run}/export?format=${format}`} title={what} download>{name}</a>
      ))}
      <a href={run} title="all rows">JSON</a>
      {shown_run.value?.status !== 'running' && (
        <a href={`v1/stream?run=${encodeURIComponent(run_id.value)}&end=close`} title="the feed, a row a line" download={`tofud-${run_id.value.replace(/[^\w.-]/g, '_')}.ndjson`}>NDJSON</a>
      )}
    </p>
  );
}
