// The whole client rule: state[kind][key] = row; `at` is where to resume.
import type { Hello, Line } from './control.js';
import type { KnownLine, Row, RowOf } from './rows.js';

export type Rows = { [key: string]: Row };
export type State = { [kind: string]: Rows };

type RawJson = { rawJSON?: (text: string) => unknown };
const raw_json = (JSON as RawJson).rawJSON;
/** Reviver of JSON.parse: a number keeps its digits where the platform can (JSON.rawJSON); 12345678901234567890 is no double. */
export const digits = (_key: string, value: unknown, json?: { source: string }): unknown =>
  typeof value === 'number' && raw_json && json && json.source !== String(value)
    ? raw_json(json.source)
    : value;

// Without a prototype: a key may be `__proto__`.
const nothing = <T>(): { [key: string]: T } => Object.create(null) as { [key: string]: T };

/** Folds the lines of connections to one topic, one connection after another. */
export class Fold {
  /** Rows and views. Lines (`log`, `text`) are not kept: there may be millions. */
  state: State = nothing();
  hello: Hello | null = null;
  /** The last position; null: none yet. */
  at: number | null = null;
  /** An `at` came since `hello`: the state is that of the present. */
  live = false;
  /** Why tofud does not know now what other daemons have; '': it does. */
  not_current = '';
  /** How often everything held was dropped. */
  generation = 0;

  rows<Kind extends keyof RowOf>(kind: Kind): { [key: string]: RowOf[Kind] };
  rows(kind: string): Rows;
  rows(kind: string): Rows {
    return (this.state[kind] ??= nothing());
  }

  /** `EPOCH:SEQ` to resume from, if there is one. */
  since(): string | null {
    return this.hello && this.at !== null ? `${this.hello.epoch}:${this.at}` : null;
  }

  /** Takes one line in and returns it parsed. Throws if it is no JSON object. */
  take(text: string): Line {
    let line = JSON.parse(text) as Line;
    if (line.kind === 'output') line = JSON.parse(text, digits) as Line;
    const known = line as KnownLine;
    switch (known.kind) {
      case 'hello':
        // Without a position everything comes again, and what is gone would stay.
        if (this.hello?.epoch !== known.epoch || this.at === null) this.clear();
        this.hello = known;
        this.not_current = known.not_current ?? '';
        this.live = false;
        break;
      case 'reset':
        this.clear();
        break;
      case 'at':
        this.at = known.seq;
        this.live = true;
        break;
      case 'heartbeat':
        this.at = known.at;
        this.not_current = known.not_current ?? '';
        this.live = true;
        break;
      case 'removed':
        delete this.rows(known.of)[known.key];
        break;
      case 'gap':
      case 'error':
      case 'log':
      case 'text':
        break;
      default:
        // Of a newer version it may be without a key.
        if (typeof known.key === 'string') this.rows(known.kind as string)[known.key] = known;
    }
    return line;
  }

  private clear(): void {
    if (Object.keys(this.state).length > 0) this.generation++;
    this.state = nothing();
    this.at = null;
  }
}
