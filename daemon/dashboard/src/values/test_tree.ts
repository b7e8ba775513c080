// The rows of `tofu test` as a tree: files, their runs, what was said of each.
import type { Diagnostic, TestFile, TestRun } from '../../../../protocol/feed/client/client.js';
import { source_lines } from './snippet.js';

export interface TestedRun {
  row: TestRun;
  diagnostics: Diagnostic[];
}

export interface TestedFile {
  path: string;
  /** None has come yet, or ever will. */
  status: string | undefined;
  runs: TestedRun[];
  /** Of the file, and of runs without a row. */
  diagnostics: Diagnostic[];
}

/** In order of first appearance. */
export function tested(files: readonly TestFile[], runs: readonly TestRun[], diagnostics: readonly Diagnostic[]): TestedFile[] {
  const tree = new Map<string, TestedFile>();
  const file = (path: string): TestedFile => {
    let found = tree.get(path);
    if (!found) tree.set(path, (found = { path, status: undefined, runs: [], diagnostics: [] }));
    return found;
  };
  for (const { path, status } of files) file(path).status = status;
  const by_name = new Map<string, TestedRun>();
  const name_of = (path: string, run: string | null) => JSON.stringify([path, run]);
  for (const row of runs) {
    const run = { row, diagnostics: [] };
    file(row.path).runs.push(run);
    by_name.set(name_of(row.path, row.name), run);
  }
  for (const each of diagnostics) {
    if (each.test_file) (by_name.get(name_of(each.test_file, each.test_run)) ?? file(each.test_file)).diagnostics.push(each);
  }
  return [...tree.values()];
}

export const went_wrong = (status: string | undefined): boolean => status === 'fail' || status === 'error';

/** OpenTofu's words for what became of a test, what needs somebody first, and how they are said. */
const said: { readonly [status: string]: string } = { fail: 'failed', error: 'errored', running: 'running', pending: 'pending', skip: 'skipped', pass: 'passed' };
const order = Object.keys(said);

export const state_said = (status: string): string => (Object.hasOwn(said, status) ? said[status]! : status);

/** Trouble first. */
export function counts_of(runs: readonly TestedRun[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { row } of runs) counts.set(row.status, (counts.get(row.status) ?? 0) + 1);
  return new Map([...counts].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other)));
}

/** Of `condition = output.greeting == "hello"` that does not hold: what was to be, and what was. null: it says it otherwise. */
export function assertion_of(of: Diagnostic): { expected: string; got: string } | null {
  if (!of.snippet || of.snippet.values.length !== 1) return null;
  const [{ traversal, statement }] = of.snippet.values as [{ traversal: string; statement: string }];
  const marked = source_lines(of.snippet).flatMap(({ parts }) => parts.filter((part) => part.marked)).map(({ text }) => text).join('\n');
  const sides = marked.split(' == ');
  if (sides.length !== 2 || !statement.startsWith('is ')) return null;
  const other = sides.find((side) => side.trim() !== traversal);
  return sides.some((side) => side.trim() === traversal) && other ? { expected: other.trim(), got: statement.slice('is '.length) } : null;
}

/** The runs of these states (empty: all), without files that have none of them. */
export const of_states = (tree: readonly TestedFile[], states: ReadonlySet<string>): readonly TestedFile[] =>
  states.size === 0 ? tree
    : tree.map((file) => ({ ...file, runs: file.runs.filter(({ row }) => states.has(row.status)) })).filter(({ runs }) => runs.length > 0);
