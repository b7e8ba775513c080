// A connection to one topic of tofud's feed that comes back by itself.
import { Fold } from './fold.js';
import type { FeedError, Hello, Line } from './control.js';
import type { KnownLine } from './rows.js';

/** How things stand between us and tofud. */
export type Link =
  | { is: 'connecting' }
  | { is: 'catching up' }
  /** `not_current`: what other daemons have is not known there now, for this reason. */
  | { is: 'live'; not_current?: string }
  /** Nothing heard for 2.5 heartbeats; `since` as Date.now() gives it. */
  | { is: 'stale'; since: number }
  /**
   * The connection is lost; what is held is the last known state. Tries again at `retry_at`. With a `reason`, what let us in
   * is over: it is no use before somebody has logged in again.
   */
  | { is: 'offline'; retry_at: number; reason?: string }
  /** tofud closed as it should; there is nothing to come back to. */
  | { is: 'over'; reason: string }
  /** tofud will not have this request; asking again unchanged is no use. */
  | { is: 'refused'; code: number; message: string };

/** What to ask for; see "Asking" in protocol/feed/README.md. */
export interface Question {
  run?: string;
  kinds?: string[];
  addr?: string[];
  module?: string[];
  type?: string[];
}

export interface Handlers {
  /** One flush has been folded; these are its lines. `line as KnownLine` tells them apart by `kind`. */
  lines?(lines: Line[]): void;
  link?(link: Link): void;
}

/** The part of a WebSocket that is used here. */
export interface Socket {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  close(): void;
}

/** The world outside, so that tests have one of their own. */
export interface World {
  now(): number;
  random(): number;
  /** Returns what undoes it. */
  after(ms: number, then: () => void): () => void;
  every(ms: number, then: () => void): () => void;
  /** Calls when a lost connection is worth another try at once. */
  awake(then: () => void): () => void;
  socket(url: string, protocol: string): Socket;
}

export const first_wait_ms = 500;
export const longest_wait_ms = 30_000;
/** A connection that lived so long has earned a quick return. */
export const healthy_ms = 30_000;
/** In heartbeats: when silence counts as stale, and when as a connection that nobody holds any more. */
export const stale_after = 2.5;
export const dead_after = 10;

const subprotocol = 'tofud.v1';

export class Feed {
  readonly fold = new Fold();
  link: Link = { is: 'connecting' };
  /** When something was last heard, as Date.now() gives it; null: never. */
  heard: number | null = null;

  private socket: Socket | null = null;
  private failures = 0;
  private live_since: number | null = null;
  private error: FeedError | null = null;
  private undo: (() => void)[] = [];
  private give_up_waiting: (() => void) | null = null;

  /** `url` is that of `/v1/stream`, http or ws. Nothing happens before `open`. */
  constructor(
    private readonly url: string,
    private readonly question: Question,
    private readonly handlers: Handlers,
    private readonly world: World = browser,
  ) {}

  open(): void {
    this.undo.push(this.world.every(1000, () => this.look_at_the_clock()));
    this.undo.push(this.world.awake(() => this.wake()));
    this.connect();
  }

  /** Ends it for good; no handler is called any more. */
  close(): void {
    this.end();
    this.drop();
  }

  /** Tries at once what would be tried later: the network is back, somebody looks again. */
  wake(): void {
    if (this.give_up_waiting) {
      this.give_up_waiting();
      this.connect();
    } else if (this.link.is === 'stale') {
      this.drop();
      this.connect();
    }
  }

  private connect(): void {
    this.give_up_waiting = null;
    this.error = null;
    this.live_since = null;
    let socket: Socket;
    try {
      socket = this.world.socket(this.address(), subprotocol);
    } catch {
      this.lost(null);
      return;
    }
    this.socket = socket;
    socket.onmessage = (event) => this.take(socket, String(event.data));
    socket.onclose = (event) => this.closed(event.code, event.reason);
  }

  /** The same question each time, with the place to resume from. */
  private address(): string {
    const url = new URL(this.url);
    url.protocol = url.protocol.replace('http', 'ws');
    const given: [string, string][] = [];
    let run = this.question.run;
    // What was the latest run when we came is the one we follow.
    if (run === 'latest' && this.fold.hello) run = this.fold.hello.topic.slice('run/'.length);
    if (run !== undefined) given.push(['run', run]);
    if (this.question.kinds) given.push(['kinds', this.question.kinds.join(',')]);
    for (const name of ['addr', 'module', 'type'] as const) {
      for (const value of this.question[name] ?? []) given.push([name, value]);
    }
    const since = this.fold.since();
    if (since !== null) given.push(['since', since]);
    // URLSearchParams would write `+` for a space, which to tofud is a plus.
    url.search = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    return url.href;
  }

  private take(socket: Socket, data: string): void {
    this.heard = this.world.now();
    const lines: Line[] = [];
    for (const text of data.split('\n')) {
      if (text === '') continue;
      const line = this.fold.take(text) as KnownLine;
      lines.push(line);
      if (line.kind === 'error') this.error = line;
      if (line.kind === 'hello' && !this.understands(line)) return;
    }
    if (this.fold.live) this.live_since ??= this.heard;
    this.handlers.lines?.(lines);
    if (this.socket !== socket) return; // the handler closed it
    const { live, not_current } = this.fold;
    this.now_is(live ? { is: 'live', ...(not_current && { not_current }) } : { is: 'catching up' });
  }

  private understands(hello: Hello): boolean {
    if (/^1\./.test(hello.protocol)) return true;
    this.end();
    this.drop();
    this.now_is({ is: 'refused', code: 4406, message: `this page does not know version ${hello.protocol} of the feed; reload it` });
    return false;
  }

  private closed(code: number, reason: string): void {
    this.socket = null;
    this.fold.live = false;
    if (code === 1000) {
      this.end();
      this.now_is({ is: 'over', reason });
    } else if (code >= 4400 && code < 4500 && code !== 4410) {
      this.end();
      this.now_is({ is: 'refused', code, message: this.error?.message ?? reason });
    } else {
      const told = code === 1012 ? /retry_ms\D*(\d+)/.exec(reason) : null;
      this.lost(told ? Number(told[1]) : null, code === 4410 ? this.error?.message ?? reason : undefined);
    }
  }

  /** Waits as long as told, else ever longer, by chance so that a thousand pages do not come at once. */
  private lost(told_ms: number | null, reason?: string): void {
    const now = this.world.now();
    if (this.live_since !== null && now - this.live_since >= healthy_ms) this.failures = 0;
    const most = Math.min(longest_wait_ms, first_wait_ms * 2 ** Math.min(this.failures++, 16));
    const wait = told_ms ?? this.world.random() * most;
    this.give_up_waiting = this.world.after(wait, () => this.connect());
    this.now_is({ is: 'offline', retry_at: now + wait, ...(reason !== undefined && { reason }) });
  }

  private look_at_the_clock(): void {
    if (!this.socket || this.heard === null || !this.fold.hello) return;
    if (this.link.is === 'offline') return; // a new connection that has said nothing yet
    const silent = this.world.now() - this.heard;
    const heartbeat = this.fold.hello.heartbeat_ms;
    if (silent > dead_after * heartbeat) {
      this.drop();
      this.lost(null);
    } else if (silent > stale_after * heartbeat) {
      this.now_is({ is: 'stale', since: this.heard });
    }
  }

  private now_is(link: Link): void {
    const before = this.link;
    this.link = link;
    if (before.is === 'live' && link.is === 'live' && before.not_current === link.not_current) return;
    if (before.is === link.is && link.is === 'catching up') return;
    this.handlers.link?.(link);
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private end(): void {
    for (const undo of this.undo) undo();
    this.undo = [];
    this.give_up_waiting?.();
    this.give_up_waiting = null;
  }
}

/** The world as a browser has it; Node has all but the events. */
export const browser: World = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  every(ms, then) {
    const timer = setInterval(then, ms);
    return () => clearInterval(timer);
  },
  awake(then) {
    if (typeof document === 'undefined') return () => {};
    const seen = () => {
      if (!document.hidden) then();
    };
    addEventListener('online', then);
    document.addEventListener('visibilitychange', seen);
    return () => {
      removeEventListener('online', then);
      document.removeEventListener('visibilitychange', seen);
    };
  },
  socket: (url, protocol) => new WebSocket(url, protocol) as unknown as Socket,
};
