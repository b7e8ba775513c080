// The run as files for other programs.
// A script of its own (frame/late.tsx).
import { link, run as shown_run, run_id, saved } from '../shared.js';

/** Name of the format, as it is called, what it has. */
export const formats: readonly [string, string, string][] = [
  ['csv', 'CSV', 'the resources, for a spreadsheet'],
  ['junit', 'JUnit', 'the resources or tests, for a CI server'],
  ['trace', 'trace', 'the steps, for ui.perfetto.dev'],
  ['md', 'Markdown', 'for a pull request'],
];

const path_of_run = () => `v1/runs/${encodeURIComponent(run_id.value)}`;

/** Where the run is in such a format. */
export const exported = (format: string): string => `${path_of_run()}/export?format=${format}`;

export function Exports() {
  if (saved.value || !run_id.value || link.value.is === 'over') return null;
  return (
    <p class="facts" id="exports">
      <span class="note">export</span>
      {formats.map(([format, name, what]) => (
        <span key={format} class="export"><a href={exported(format)} download>{name}</a> <span class="note">{what}</span></span>
      ))}
      <span class="export"><a href={path_of_run()}>JSON</a> <span class="note">all rows</span></span>
      {shown_run.value?.status !== 'running' && (
        <span class="export"><a href={`v1/stream?run=${encodeURIComponent(run_id.value)}&end=close`} download={`tofud-${run_id.value.replace(/[^\w.-]/g, '_')}.ndjson`}>NDJSON</a> <span class="note">the feed, a row a line</span></span>
      )}
    </p>
  );
}
