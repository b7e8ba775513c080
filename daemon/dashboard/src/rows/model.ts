// What the page knows: the rows of the run that is shown, and how things stand with tofud. Components read signals; whoever
// brings rows (live.ts, saved.ts) writes them and publishes.
import { batch, computed, signal } from '@preact/signals';
import type {
  Diagnostic, Forecast, Line, Link, Log, Message, Output, Resource, Row, Run, State, TestFile, TestRun, Text,
} from '../../../../protocol/feed/client/client.js';
import type { Part, PlanRow } from '../values/change.js';
import type { HistoryEntry } from '../values/history_entry.js';
import type { OrderStep } from '../values/order_graph.js';
import { Lines } from './lines.js';
import { module_of, ModuleCounts } from './module_counts.js';
import type { StreamLines } from './stream_lines.js';

/** Rows of a kind, in the order in which they came, or in one that `before` gives. */
export class Table<T extends Row> {
  private all: T[] = [];
  private place = new Map<string, number>();
  private changed = false;
  private sorted = true;
  private version = signal(0);

  /** The number of a row: those with a smaller one stand before it, whenever they came. */
  constructor(private readonly number?: (row: T) => number) {}

  /** Reading it in a component makes that component follow. */
  get rows(): readonly T[] {
    this.version.value;
    return this.all;
  }

  get(key: string): T | undefined {
    this.version.value;
    const at = this.place.get(key);
    return at === undefined ? undefined : this.all[at];
  }

  /** Returns what it replaces. */
  put(row: T): T | undefined {
    const at = this.place.get(row.key);
    const before = at === undefined ? undefined : this.all[at];
    if (at === undefined) {
      const last = this.all[this.all.length - 1];
      if (last && this.number && this.number(last) > this.number(row)) this.sorted = false;
      this.place.set(row.key, this.all.length);
      this.all.push(row);
    } else {
      this.all[at] = row;
    }
    this.changed = true;
    return before;
  }

  clear(): void {
    this.all = [];
    this.place.clear();
    this.sorted = true;
    this.changed = true;
  }

  publish(): void {
    if (!this.sorted) this.sort();
    if (this.changed) this.version.value++;
    this.changed = false;
  }

  private sort(): void {
    const number = this.number!;
    this.all.sort((one, other) => number(one) - number(other));
    this.all.forEach((row, i) => this.place.set(row.key, i));
    this.sorted = true;
  }
}

/** The rows of one run. */
export class Rows {
  readonly run = new Table<Run>();
  /** In order of first appearance, which is the same for who watched from the start and who comes later. */
  readonly resource = new Table<Resource>((row) => row.first);
  private readonly modules = new ModuleCounts();
  /** The modules with what has become of their resources. */
  readonly tree = computed(() => {
    this.resource.rows; // the counts change as these do
    return this.modules.tree();
  });
  /** The resources that have changed outside of OpenTofu. */
  readonly drift = new Table<Resource>((row) => row.first);
  readonly diagnostic = new Table<Diagnostic>((row) => Number(row.key));
  readonly output = new Table<Output>();
  readonly message = new Table<Message>();
  readonly test_file = new Table<TestFile>();
  readonly test_run = new Table<TestRun>();
  /** What is expected, by address. */
  readonly forecast = new Table<Forecast>();
  readonly logs = new Lines<Log>();
  readonly texts = new Lines<Text>();
  /** Counts changes of the lines. */
  readonly lines_version = signal(0);
  private lines_changed = false;

  private tables: { [kind: string]: Table<any> } = Object.assign(Object.create(null), {
    run: this.run, resource: this.resource, diagnostic: this.diagnostic, output: this.output, message: this.message,
    test_file: this.test_file, test_run: this.test_run, forecast: this.forecast,
  });

  take(line: Line): void {
    if (line.kind === 'log') this.logs.add((line as Log).addr, line as Log);
    else if (line.kind === 'text') this.texts.add('', line as Text);
    else if (line.kind === 'gap') this.gap();
    else if (line.kind === 'resource') this.take_resource(line as Resource);
    else this.tables[line.kind]?.put(line as Row);
    this.lines_changed ||= line.kind === 'log' || line.kind === 'text' || line.kind === 'gap';
  }

  private take_resource(row: Resource): void {
    this.modules.update(this.resource.put(row), row);
    if (row.drift) this.drift.put(row);
  }

  private gap(): void {
    this.logs.gap();
    this.texts.gap();
  }

  /** Drops everything and takes this instead; lines come anew too. */
  replace(state: State): void {
    this.clear();
    for (const kind of Object.keys(state)) {
      for (const row of Object.values(state[kind]!)) this.take(row);
    }
  }

  clear(): void {
    for (const kind of Object.keys(this.tables)) this.tables[kind]!.clear();
    this.modules.clear();
    this.drift.clear();
    this.logs.clear();
    this.texts.clear();
    this.lines_changed = true;
  }

  publish(): void {
    batch(() => {
      for (const kind of Object.keys(this.tables)) this.tables[kind]!.publish();
      this.drift.publish();
      if (this.lines_changed) this.lines_version.value++;
      this.lines_changed = false;
    });
  }
}

/** The run that is shown; empty until known. */
export const run_id = signal('');
/** Rows of the run that is shown. */
export const shown = signal(new Rows());
/** A resource, or as much of it as its address says. */
export const resource_at = (addr: string): Pick<Resource, 'addr' | 'module'> => shown.value.resource.get(addr) ?? { addr, module: module_of(addr) };
/** Name, version and build of the tofud that the rows come from. */
export const server = signal('tofud');
export const link = signal<Link>({ is: 'connecting' });
/** We were let in by a login, which may end. */
export const by_login = signal(false);
/** Why this browser is no longer logged in; empty: it is, or never asked. */
export const signed_out = signal('');
/** When something was last heard of the run, as Date.now() gives it. */
export const heard = signal<number | null>(null);
/** The runs of the stream, oldest first. */
export const runs = signal<Run[]>([]);
/** A new run of the stream will be shown as it begins. */
export const following = signal(true);
/** The page is a file: as it was at the end, nothing to connect to. */
export const saved = signal<{ cut: string } | null>(null);
/** By run, what its plan changes, if the page is a file that has it. It stays as it is. */
export const saved_plans = new Map<string, readonly PlanRow[]>();
/** Date.now(), twice a second. */
export const now = signal(Date.now());
/** The moment that is shown in the place of now, in ms of the stream's stamps; null: now. */
export const moment_of_run = signal<number | null>(null);
/** What Date.now() is ahead of the stream's stamps: much, in a replay. */
export const skew = signal(0);

export const run = computed<Run | undefined>(() => shown.value.run.get(run_id.value));
/** What is shown may not be the present. */
export const old = computed(() => {
  const is = link.value.is;
  return !saved.value && (is === 'stale' || is === 'offline' || is === 'refused');
});

/** What can be asked of who brings the rows; null: not there. Failures are Errors with a sentence. */
export interface Source {
  /** Shows another run; null: the newest. */
  show(run: string | null): void;
  /** Rows of what the attached plan changes of a resource, or of a part of it. */
  diff: ((run: string, addr: string, part: Part) => Promise<PlanRow[]>) | null;
  /** Rows of all that the attached plan changes. */
  plan: ((run: string, stop: AbortSignal) => Promise<PlanRow[]>) | null;
  /** Blocks, and what comes before each. */
  order: ((run: string, stop: AbortSignal) => Promise<OrderStep[]>) | null;
  /** Runs of a run's stack that are older, newest first, as many as are enough. */
  older: ((run: Run, enough: (found: Run[]) => boolean) => Promise<Run[]>) | null;
  /** A run and its rows as they are now, or as they stood so many seconds after its begin. */
  rows: ((run: string, at?: number, stop?: AbortSignal) => Promise<{ run: Run; rows: Row[] }>) | null;
  /** Gives the newest lines of the stream as they come, until it is over. */
  stream: ((run: string, stop: AbortSignal, take: (lines: StreamLines) => void) => Promise<void>) | null;
  /** What is remembered of an address of a stack, an entry for each action. */
  history: ((stack: string, addr: string) => Promise<HistoryEntry[]>) | null;
  /** All lines of a resource's provisioners. */
  log: ((run: string, addr: string) => Promise<Log[]>) | null;
}

export const source: Source = { show() {}, diff: null, plan: null, order: null, older: null, rows: null, stream: null, history: null, log: null };
