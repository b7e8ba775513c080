// How old the wall's data are. A clock on the wall may be set, and a machine may sleep: neither may make old data look new.
import type { Link } from '../../../../protocol/feed/client/client.js';

/** The two clocks differ by more: somebody set one, or the machine slept. Corrections of NTP are far below. */
const jump_ms = 5000;

/** Runs on while the machine sleeps, and never goes back. */
export class Clock {
  private slept = 0;
  private last: { even: number; set: number };

  /** `even` goes evenly but may stop in sleep (performance.now); `set` is set by people and programs (Date.now). Both in ms. */
  constructor(private readonly even: () => number, private readonly set: () => number) {
    this.last = { even: even(), set: set() };
  }

  now(): number {
    return this.even() + this.slept;
  }

  /**
   * Ask it often. True: one of the clocks jumped since it was asked last. A jump forward counts as sleep: what was set forward
   * by a second's hand looks older than it is until something is heard, which is the harmless error.
   */
  jumped(): boolean {
    const next = { even: this.even(), set: this.set() };
    const by = next.set - this.last.set - (next.even - this.last.even);
    this.last = next;
    if (Math.abs(by) < jump_ms) return false;
    if (by > 0) this.slept += by;
    return true;
  }
}

export interface Standing {
  link: Link;
  /** By the clock above; null: never. */
  heard: number | null;
  /** A clock jumped since. */
  doubted: boolean;
  /** Why this browser is no longer logged in; empty: it is. */
  signed_out: string;
  heartbeat_ms: number;
}

/** 42 s, 5 min, 3 h, 2 d: one unit, as somebody says it who looks up at a wall. */
export function age_text(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  if (s < 48 * 3600) return `${Math.floor(s / 3600)} h`;
  return `${Math.floor(s / 86_400)} d`;
}

/** In heartbeats; as the feed's client has it. */
const stale_after = 2.5;

export type Freshness = { is: 'connecting' | 'fresh' | 'stale'; text: string };

/** What is said of the data as a whole. */
export function freshness(of: Standing, now: number): Freshness {
  const { link, heard } = of;
  if (of.signed_out) return { is: 'stale', text: `signed out: ${of.signed_out}${as_of(of, now)}` };
  if (link.is === 'refused') return { is: 'stale', text: `${link.message}${as_of(of, now)}` };
  if (heard === null) return { is: 'connecting', text: link.is === 'offline' ? 'no connection yet' : 'connecting' };
  if (link.is === 'over') return { is: 'stale', text: `tofud has ended; no data${for_long(of, now)}` };
  if (link.is === 'offline' || link.is === 'connecting' || link.is === 'catching up') {
    return { is: 'stale', text: `connection lost${for_long(of, now)}` };
  }
  if (link.is === 'stale' || now - heard > stale_after * of.heartbeat_ms) return { is: 'stale', text: `no data${for_long(of, now)}` };
  if (link.is === 'live' && link.not_current) return { is: 'stale', text: `runs of other daemons may be older than they look: ${link.not_current}` };
  if (of.doubted) return { is: 'stale', text: `the clock jumped, and no data came since${as_of(of, now)}` };
  return { is: 'fresh', text: `data ${age_text(now - heard)} old` };
}

const for_long = (of: Standing, now: number): string =>
  of.heard === null ? '' : ` for ${age_text(now - of.heard)}, last known state`;

const as_of = (of: Standing, now: number): string =>
  of.heard === null ? '' : `; last known state, ${age_text(now - of.heard)} old`;
