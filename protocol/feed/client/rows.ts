// What the lines of the feed hold, field by field; protocol/feed/README.md says when each is sent.
// Minor versions add fields and kinds: take no field for the last one.

export interface Line {
  kind: string;
}

/** Anything with a key: rows, lines (`log`, `text`) and views. */
export interface Row extends Line {
  key: string;
  run: string;
  seq?: number;
  truncated?: true;
  bytes?: number;
  href?: string;
}

export interface Hello extends Line {
  protocol: string;
  server: string;
  build: string;
  topic: string;
  epoch: string;
  heartbeat_ms: number;
  /** A token or a session let us in, and may end before we go (4410). */
  login?: true;
}

export interface Gap extends Line {
  from: number;
  to: number;
  href: string;
}

/** The card of a stack, on the wall. */
export interface Stack extends Row {
  kind: 'stack';
  stack: string;
  name: string;
  status: Run['status'];
  command: string;
  phase: string;
  outcome: {
    run: string;
    status: Run['status'];
    command: string;
    ended_at: string | null;
    superseded: string | null;
    superseded_runs: number;
  } | null;
  change: {
    state: 'planned' | 'waiting' | 'applying' | 'applied' | 'failed' | 'outdated';
    plan_run: string | null;
    apply_run: string | null;
    linked: 'hash' | 'commit' | null;
  } | null;
  contact: 'ok' | 'none' | 'lost' | null;
  lock: {
    run: string;
    state: 'held' | 'abandoned' | 'released' | 'somebody else';
    holder: string | null;
    id: string | null;
    path: string | null;
    operation: string | null;
    who: string | null;
    version: string | null;
    created_at: string | null;
  } | null;
  last_line_at: string | null;
  started_at: string | null;
  ended_at: string | null;
  clock_offset_s: number | null;
}

export interface Counts {
  add: number;
  change: number;
  import: number;
  remove: number;
  forget: number;
}

export interface Run extends Row {
  kind: 'run';
  command: string;
  status: 'running' | 'succeeded' | 'failed' | 'interrupted' | 'lost';
  phase: string;
  versions: { [tool: string]: string };
  labels: { [name: string]: string };
  counts: { [status: string]: number };
  progress: { done: number; total: number };
  planned: Counts | null;
  applied: Counts | null;
  diagnostics: { error: number; warning: number };
  started_at: string | null;
  ended_at: string | null;
  last_line_at: string | null;
  exit_status: number | null;
  lines: { [sort: string]: number };
  stack: string | null;
  tests: { passed: number; failed: number; errored: number; skipped: number } | null;
  interleaved: boolean;
  attachments?: ('plan' | 'schemas' | 'config')[];
}

export type StepStatus = 'running' | 'done' | 'failed' | 'interrupted';

export interface Provisioner {
  n: number;
  name: string;
  status: StepStatus;
  inferred?: true;
  lines: number;
  started_at?: string;
  ended_at?: string;
}

export interface Step {
  n: number;
  phase: string;
  action: string;
  status: StepStatus;
  inferred?: true;
  started_at?: string;
  ended_at?: string;
  elapsed?: number;
  id?: string;
  provisioners?: Provisioner[];
  declared?: number;
}

export type ResourceStatus =
  | 'planned' | 'running' | 'done' | 'failed' | 'interrupted' | 'skipped' | 'drifted' | 'unchanged';

export interface Planned {
  action: string;
  reason?: string;
  previous_addr?: string;
  deposed?: string;
  imports?: true;
  create_before_destroy?: true;
}

/** The block of the configuration, and what people wrote of it there. */
export interface Source {
  file: string;
  line: number;
  owner?: string;
  runbook?: string;
  /** How long what is done to it takes. */
  expect_s?: number;
}

export interface Resource extends Row {
  kind: 'resource';
  addr: string;
  module: string;
  mode: string;
  type: string;
  name: string;
  index: string | number | null;
  provider: string;
  plan: Planned[];
  drift: string | null;
  status: ResourceStatus;
  activity: string | null;
  steps: Step[];
  steps_omitted?: number;
  id: { key: string; value: string } | null;
  diagnostics: number[];
  source: Source | null;
  inferred: boolean;
}

export interface Position {
  line: number;
  column: number;
  byte: number;
}

export interface Snippet {
  context?: string;
  code: string;
  start_line: number;
  /** Bytes of `code` in UTF-8. */
  highlight_start_offset: number;
  highlight_end_offset: number;
  values: { traversal: string; statement: string }[];
  function_call?: unknown;
  /** Of a JSON file in one line: where in it; `code` is then the block around it, pretty-printed. */
  path?: string;
}

/** What schemas know of the attribute or block that a diagnostic names. */
export interface Attribute {
  /** Of the resource. */
  type: string;
  path: string;
  /** Absent: a block. */
  value_type?: string;
  required?: true;
  sensitive?: true;
  description?: string;
  deprecated?: string;
  default?: unknown;
  /** Go code of the specification. */
  validators?: string[];
  replacement?: 'certain' | 'possible';
}

export interface Diagnostic extends Row {
  kind: 'diagnostic';
  severity: string;
  summary: string;
  detail: string;
  address: string | null;
  range: { filename: string; start: Position; end: Position } | null;
  snippet: Snippet | null;
  attribute: Attribute | null;
  test_file: string | null;
  test_run: string | null;
  at: string | null;
}

export interface Output extends Row {
  kind: 'output';
  name: string;
  sensitive: boolean;
  action: string | null;
  type: unknown;
  /** Absent when sensitive, unknown or too long. */
  value?: unknown;
  deprecated: string | null;
  applied: boolean | null;
}

export interface Message extends Row {
  kind: 'message';
  level: string | null;
  type: string | null;
  text: string;
  at: string | null;
}

export interface TestFile extends Row {
  kind: 'test_file';
  path: string;
  status: string;
}

export interface TestRun extends Row {
  kind: 'test_run';
  path: string;
  name: string;
  status: string;
}

export interface Log extends Row {
  kind: 'log';
  addr: string;
  step: number;
  provisioner: number;
  n: number;
  at: string | null;
  text: string;
}

export interface Text extends Row {
  kind: 'text';
  n: number;
  text: string;
}
