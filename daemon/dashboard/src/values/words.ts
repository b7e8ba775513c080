// How the page says things: durations, signs, names of states.
import type { Link, Provisioner, Resource, Run, Step } from '../../../../protocol/feed/client/client.js';
import { progress_text } from './progress.js';

/** 41s, 2m31s, 1h02m; nothing for what is no number. */
export function duration(ms: number): string {
  if (isNaN(ms)) return '';
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s}s`;
  return `${Math.floor(s / 60)}m${s % 60}s`;
}

export const seconds = (s: number | undefined): string =>
  s === undefined ? '' : s < 60 ? `${+s.toFixed(3)}s` : duration(s * 1000);

/** Of resources, trouble first. */
export const statuses = ['failed', 'running', 'interrupted', 'planned', 'done', 'skipped', 'drifted', 'unchanged'];

const signs: { [action: string]: string } = {
  create: '+', update: '~', delete: '-', replace: '-/+', read: '<=', import: '&', move: '>', remove: '.', forget: '.',
};

/** What is planned for a resource, as a sign. */
export function sign(row: Resource): string {
  for (const { action } of row.plan) {
    const found = Object.hasOwn(signs, action) ? signs[action] : undefined;
    if (found) return found;
  }
  return '';
}

/** The step to show in a line: the newest open one, else the last. */
export function current_step(row: Resource): Step | undefined {
  for (let i = row.steps.length; i-- > 0;) {
    if (row.steps[i]!.status === 'running') return row.steps[i];
  }
  return row.steps[row.steps.length - 1];
}

/** `provisioner 2 of 3`; nothing where it is not known how many there are, or there is but one. */
export function provisioner_place(step: Step, of: Provisioner): string {
  return step.declared && step.declared > 1 && of.n <= step.declared ? `provisioner ${of.n} of ${step.declared}` : '';
}

/** The same of the one that runs. */
export function running_provisioner(step: Step | undefined): string {
  const one = step?.provisioners?.find((each) => each.status === 'running');
  return step && one ? provisioner_place(step, one) : '';
}

/** Where a resource is written, `net/main.tf:12`. */
export const place = (row: Resource): string => (row.source ? `${row.source.file}:${row.source.line}` : '');

export function link_text(link: Link, now: number): string {
  switch (link.is) {
    case 'live':
    case 'connecting':
    case 'catching up':
      return link.is;
    case 'stale':
      return `no data for ${duration(now - link.since)}, last known state`;
    case 'offline':
      return 'connection lost, last known state';
    case 'over':
      return `tofud has ended: ${link.reason}`;
    case 'refused':
      return link.message;
  }
}

/** What went wrong in a run, as one number. */
export const failures = (run: Run): number => run.counts.failed || run.diagnostics.error;

/** A run that goes on and can't end well any more is failing. */
export const state_of = (run: Run): string => (run.status === 'running' && run.counts.failed ? 'failing' : run.status);

export const name_of = (run: Run): string => run.stack || run.key;

/** What it is of, as far as it came: a run that failed before it planned has no command. */
export function heading(run: Run): string {
  const what = run.command !== 'other' ? run.command : run.status === 'failed' ? 'failed before planning:' : 'run';
  return `${what} ${name_of(run)}`;
}

/** `✗ 2 · 31/41 prod-net`: what a tab shows of the run. A question mark: it may not be so any more. */
export function title(run: Run | undefined, old: boolean): string {
  if (!run) return 'tofud';
  const failed = failures(run);
  const mark = failed && run.status !== 'succeeded' ? `✗ ${failed}`
    : ({ succeeded: '✓', failed: '✗', interrupted: '!', lost: '?', unknown: '?', running: '' } as const)[run.status] ?? '';
  const state = [mark, progress_text(run)].filter(Boolean).join(' · ');
  return [old ? '?' : '', state, name_of(run)].filter(Boolean).join(' ');
}

/** 2026-11-21T03:12:05.120331Z in the reader's time and in UTC. */
export function both_times(stamp: string | null | undefined): string {
  if (!stamp) return '';
  const at = new Date(stamp);
  return isNaN(at.getTime()) ? '' : `${at.toLocaleString()} (${at.toISOString()})`;
}

/** For an address of the web, where half a surrogate pair can't be: then nothing. */
export function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '';
  }
}

/** A fragment that names a resource. */
export function fragment(addr: string): string {
  const part = encoded(addr);
  return part ? '#r=' + part : '#';
}

export function addressed(hash: string): string {
  if (!hash.startsWith('#r=')) return '';
  try {
    return decodeURIComponent(hash.slice(3));
  } catch {
    return '';
  }
}

/** The argument for OpenTofu that means this resource only, quoted for a shell. */
export const target = (addr: string): string => `-target='${addr.replace(/'/g, `'\\''`)}'`;

/** Whether a text from outside may be a link: nothing else opens a page of somebody's, or runs. */
export const leads_to_the_web = (url: string): boolean => /^https?:\/\/[^/]/.test(url);
