// What differs between two runs of a stack: rows in, values out.
import type { Diagnostic, Output, Resource, Run } from '../../../../protocol/feed/client/client.js';
import { drawn_steps, has_applied } from './timeline.js';

/** The rows of a run that are compared. */
export interface Side {
  run: Run;
  resources: readonly Resource[];
  diagnostics: readonly Diagnostic[];
  outputs: readonly Output[];
}

/** Each resource that differs is in one of them: newly failing, failing as before, ended otherwise, repaired, took another time, planned
    otherwise, only in the one run. */
export const differences = ['broken', 'still', 'ended', 'repaired', 'slower', 'faster', 'planned', 'here', 'there'] as const;
export type Difference = (typeof differences)[number];

/** A resource that differs. */
export interface Compared {
  addr: string;
  then?: Resource;
  now?: Resource;
  what: Difference;
  /** Of the same actions, done in both runs. */
  took?: { then: number; now: number };
}

/** An error by its address and summary, and how often it came. */
export interface Failure {
  address: string;
  summary: string;
  then: number;
  now: number;
}

export interface ComparedOutput {
  name: string;
  what: 'added' | 'removed' | 'changed';
  /** JSON; absent where there is none, or none to be shown. */
  then?: string;
  now?: string;
}

export interface Comparison {
  resources: Compared[];
  /** Resources that are in both and do not differ. */
  same: number;
  counts: { [what: string]: number };
  /** New ones, then those that stay, then those that are gone. */
  failures: Failure[];
  /** null: a run that did not succeed names none. */
  outputs: ComparedOutput[] | null;
  /** Outputs whose values nobody may see, or that are too long, in either run. */
  outputs_untold: number;
  /** Versions of tools, and what was checked out: name, then, now. */
  facts: [string, string, string][];
  /** Seconds; null: not known. */
  took: { then: number | null; now: number | null };
}

/** Seconds; what differs by less is chance. */
const least_s = 1;

const facts_of = (run: Run): { [name: string]: string } => {
  const { branch, commit } = run.labels;
  return { ...run.versions, ...(branch && { branch }), ...(commit && { commit }) };
};

export const is_over = (run: Run): boolean => run.status !== 'running';

export const planned_of = (row: Resource): string => row.plan.map((each) => each.action).sort().join(', ');

/** Seconds from its begin to its end, or to what was heard last. */
export function took_s(run: Run): number | null {
  const end = run.ended_at ?? run.last_line_at;
  if (!run.started_at || !end) return null;
  return (Date.parse(end) - Date.parse(run.started_at)) / 1000;
}

const went_well = new Set(['planned', 'done', 'unchanged', 'drifted']);

/** What is planned or running in a run that goes on has not ended. */
const has_ended = (row: Resource, run: Run): boolean =>
  is_over(run) || (row.status !== 'planned' && row.status !== 'running');

/** The actions and how long they took; null: not all of them are done. */
function done_work(row: Resource, applied: boolean): { actions: string; seconds: number } | null {
  const steps = drawn_steps(row, applied);
  if (steps.length === 0 || steps.some((step) => step.status !== 'done' || step.elapsed === undefined)) return null;
  return {
    actions: steps.map((step) => step.action).sort().join(),
    seconds: steps.reduce((sum, step) => sum + step.elapsed!, 0),
  };
}

/** null: they do not differ. */
function difference_of(then: Resource, now: Resource, ended: boolean, longer: number): Difference | null {
  const replanned = planned_of(then) !== planned_of(now);
  // That what was created before is now unchanged follows from the plan.
  const follows = replanned && went_well.has(then.status) && went_well.has(now.status);
  if (ended && now.status === 'failed') return then.status === 'failed' ? 'still' : 'broken';
  if (ended && then.status === 'failed' && went_well.has(now.status)) return 'repaired';
  if (ended && then.status !== now.status && !follows) return 'ended';
  if (Math.abs(longer) >= least_s) return longer > 0 ? 'slower' : 'faster';
  return replanned ? 'planned' : null;
}

function compared(then: Resource, now: Resource, ended: boolean, applied: boolean): Compared | null {
  const before = done_work(then, applied);
  const after = done_work(now, applied);
  const took = before && after && before.actions === after.actions ? { then: before.seconds, now: after.seconds } : null;
  const what = difference_of(then, now, ended, took ? took.now - took.then : 0);
  return what && { addr: now.addr, then, now, what, ...(took && { took }) };
}

/** Seconds that are more now, or less. */
export const longer_s = (of: Compared): number => (of.took ? of.took.now - of.took.then : 0);

const by_time = (one: Compared, other: Compared) => Math.abs(longer_s(other)) - Math.abs(longer_s(one));

/** In the order of `differences`; of times the largest difference first. */
function compare_resources(then: Side, now: Side): { differing: Compared[]; same: number } {
  const applied = has_applied(then.resources) && has_applied(now.resources);
  const before = new Map(then.resources.map((row) => [row.addr, row]));
  const found: Compared[] = [];
  let same = 0;
  for (const row of now.resources) {
    const old = before.get(row.addr);
    before.delete(row.addr);
    const differs = old ? compared(old, row, has_ended(row, now.run) && has_ended(old, then.run), applied)
      : { addr: row.addr, now: row, what: row.status === 'failed' ? 'broken' as const : 'here' as const };
    if (differs) found.push(differs);
    else same++;
  }
  // While it is being planned more may come.
  const all_known = is_over(now.run) || now.run.phase !== 'plan';
  if (all_known) for (const [addr, row] of before) found.push({ addr, then: row, what: 'there' });
  const rank = (of: Compared) => differences.indexOf(of.what);
  return { differing: found.sort((one, other) => rank(one) - rank(other) || by_time(one, other)), same };
}

/** null: all. */
export const only = (all: readonly Compared[], what: Difference | null): readonly Compared[] => (what ? all.filter((each) => each.what === what) : all);

/** `9× faster`, `3.3× slower`; empty: about the same, or too short to say. */
export function times_words(then: number, now: number): string {
  if (then < 0.1 || now < 0.1) return '';
  const times = now > then ? now / then : then / now;
  return times < 1.1 ? '' : `${+times.toFixed(times < 10 ? 1 : 0)}× ${now > then ? 'slower' : 'faster'}`;
}

function compare_failures(then: readonly Diagnostic[], now: readonly Diagnostic[]): Failure[] {
  const found = new Map<string, Failure>();
  const count = (rows: readonly Diagnostic[], when: 'then' | 'now') => {
    for (const { severity, address, summary } of rows) {
      if (severity !== 'error') continue;
      const key = JSON.stringify([address, summary]);
      const known = found.get(key) ?? { address: address ?? '', summary, then: 0, now: 0 };
      known[when]++;
      found.set(key, known);
    }
  };
  count(now, 'now');
  count(then, 'then');
  const place = (of: Failure) => (of.then === 0 ? 0 : of.now === 0 ? 2 : 1);
  return [...found.values()].sort((one, other) => place(one) - place(other));
}

const value_of = (row: Output): string | undefined => (row.sensitive || row.value === undefined ? undefined : JSON.stringify(row.value));

function compare_outputs(then: readonly Output[], now: readonly Output[]): { found: ComparedOutput[]; untold: number } {
  const found: ComparedOutput[] = [];
  let untold = 0;
  const before = new Map(then.map((row) => [row.name, row]));
  const put = (name: string, what: ComparedOutput['what'], old?: Output, row?: Output) => {
    const one = old && value_of(old);
    const other = row && value_of(row);
    found.push({ name, what, ...(one !== undefined && { then: one }), ...(other !== undefined && { now: other }) });
  };
  for (const row of now) {
    const old = before.get(row.name);
    before.delete(row.name);
    if (!old) {
      put(row.name, 'added', undefined, row);
      continue;
    }
    const values = [value_of(old), value_of(row)];
    if (values.includes(undefined)) untold++;
    else if (values[0] !== values[1] || JSON.stringify(old.type) !== JSON.stringify(row.type)) put(row.name, 'changed', old, row);
  }
  for (const [name, old] of before) put(name, 'removed', old);
  return { found, untold };
}

export function compare(then: Side, now: Side): Comparison {
  const { differing: resources, same } = compare_resources(then, now);
  const counts: { [what: string]: number } = {};
  for (const { what } of resources) counts[what] = (counts[what] ?? 0) + 1;
  const names_outputs = (side: Side) => side.outputs.length > 0 || side.run.status === 'succeeded';
  const outputs = names_outputs(then) && names_outputs(now) ? compare_outputs(then.outputs, now.outputs) : null;
  const [before, after] = [facts_of(then.run), facts_of(now.run)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return {
    resources, same, counts,
    failures: compare_failures(then.diagnostics, now.diagnostics),
    outputs: outputs && outputs.found,
    outputs_untold: outputs?.untold ?? 0,
    facts: names.filter((name) => before[name] !== after[name]).map((name) => [name, before[name] ?? '', after[name] ?? '']),
    took: { then: took_s(then.run), now: took_s(now.run) },
  };
}

function place_in_stream(id: string): [string, number] {
  const found = /^(.*)\.(\d+)$/.exec(id);
  return found ? [found[1]!, +found[2]!] : [id, 1];
}

/** Runs of the same stack that are older, newest first: those that began in the same stream, which a list of streams cannot tell
    apart, then those that were listed. */
export function older_runs(of: Run, known: readonly Run[], listed: readonly Run[]): Run[] {
  const [stream, place] = place_in_stream(of.key);
  const beside = known.filter(({ key, stack }) => {
    const [other, at] = place_in_stream(key);
    return other === stream && at < place && stack === of.stack;
  });
  beside.sort((one, other) => place_in_stream(other.key)[1] - place_in_stream(one.key)[1]);
  const there = new Set([of.key, ...beside.map((each) => each.key)]);
  return [...beside, ...listed.filter((each) => !there.has(each.key) && each.stack === of.stack)];
}

/** The newest of them that can be compared by itself: of the same command, and over. */
export const run_before = (of: Run, older: readonly Run[]): Run | undefined =>
  older.find((each) => each.command === of.command && is_over(each));
