// How the page says things: durations, signs, names of states.
import type { Link, Provisioner, Resource, Run, Step } from '../../../../protocol/feed/client/client.js';
import { progress_text } from './progress.js';

const two = (n: number) => `${n}`.padStart(2, '0');

/** 340ms, 3.0s, 41s, 2m31s, 1h02m; nothing for what is no number. */
export function duration(ms: number): string {
  if (isNaN(ms)) return '';
  const s = Math.max(0, ms) / 1000;
  if (s < 0.9995) return `${Math.round(s * 1000)}ms`;
  if (s < 9.95) return `${s.toFixed(1)}s`;
  const whole = Math.round(s);
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m${two(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h${two(Math.floor(whole / 60) % 60)}m`;
}

export const seconds = (s: number | undefined): string => (s === undefined ? '' : duration(s * 1000));

/** Of resources, trouble first. */
export const statuses = ['failed', 'running', 'interrupted', 'planned', 'done', 'skipped', 'drifted', 'unchanged'];

/** Of actions, as OpenTofu writes them. */
export const signs: { readonly [action: string]: string } = {
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

/** Seconds that a resource took; of one that was replaced those of all its steps. */
export function taken(row: Resource): number | undefined {
  const applied = row.steps.filter((step) => step.phase === 'apply' && step.elapsed !== undefined);
  if (applied.length === 0) return current_step(row)?.elapsed;
  return applied.reduce((sum, step) => sum + step.elapsed!, 0);
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
      return link.not_current ? `live, but runs of other daemons may be older: ${link.not_current}` : link.is;
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

/** A run that failed before it planned has no command. */
export const what_of = (run: Run): string => (run.command !== 'other' ? run.command : run.status === 'failed' ? 'failed before planning:' : 'run');

/** What it is of, as far as it came. */
export const heading = (run: Run): string => `${what_of(run)} ${name_of(run)}`;

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

const minutes: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };

/** `05:15`, `05:15:19`: the reader's time. */
export function clock_time(stamp: string | null | undefined, exact = false): string {
  const at = new Date(stamp ?? '');
  return isNaN(at.getTime()) ? '' : at.toLocaleTimeString([], exact ? { ...minutes, second: '2-digit' } : minutes);
}

/** `05:15`, of another day `21 Nov 2026, 05:15`. */
export function date_time(stamp: string): string {
  const at = new Date(stamp);
  if (isNaN(at.getTime())) return '';
  if (at.toDateString() === new Date().toDateString()) return clock_time(stamp);
  return at.toLocaleString([], { day: 'numeric', month: 'short', year: 'numeric', ...minutes });
}

export interface Path {
  above: string;
  name: string;
  /** With its `@`. */
  environment: string;
}

/** `acme/infra//live/iam@prod`, the name of a stack, taken apart; the three together are it. */
export function path_of(stack: string): Path {
  const begin = stack.replace(/\/+$/, '').lastIndexOf('/') + 1;
  const at = stack.indexOf('@', begin);
  const end = at > begin ? at : stack.length;
  return { above: stack.slice(0, begin), name: stack.slice(begin, end), environment: stack.slice(end) };
}

/** For an address of the web, where half a surrogate pair can't be: then nothing. */
export function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Fragments that name the resource that is looked at, and its change in the plan. */
export type Mark = '#r=' | '#c=';

export function fragment(addr: string, mark: Mark = '#r='): string {
  const part = encoded(addr);
  return part ? mark + part : '#';
}

/** What such a fragment names; empty: it is none. */
export function addressed(hash: string, mark: Mark = '#r='): string {
  if (!hash.startsWith(mark)) return '';
  try {
    return decodeURIComponent(hash.slice(mark.length));
  } catch {
    return '';
  }
}

/** The argument for OpenTofu that means this resource only, quoted for a shell. */
export const target = (addr: string): string => `-target='${addr.replace(/'/g, `'\\''`)}'`;

/** Whether a text from outside may be a link: nothing else opens a page of somebody's, or runs. */
export const leads_to_the_web = (url: string): boolean => /^https?:\/\/[^/]/.test(url);
