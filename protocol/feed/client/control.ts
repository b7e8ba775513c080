// Made of ../feed.schema.json by .ci/page --write. The lines of the feed about the feed itself: where it begins, what is missing, that it goes on.

/** Any line, also of a kind that is not known here: with a `key` it is a row as any, without one it is skipped. */
export interface Line {
  kind: string;
}

/** The first line of every connection. */
export interface Hello extends Line {
  kind: 'hello';
  /** Version of the feed, MAJOR.MINOR. Another major version is another path. */
  protocol: string;
  /** Program and version. */
  server: string;
  /** Commit that it was built of, or `-`. */
  build: string;
  /** `wall`, or `run/ID`. */
  topic: string;
  /** Positions of another epoch mean nothing. */
  epoch: string;
  /** A line comes at least so often; stale after 2.5 times that. Milliseconds. */
  heartbeat_ms: number;
  /** A token or a session let us in, and may end before we go (4410). */
  login?: true;
  /** What the other daemons have is not known here now, for this reason. Not there: it is, or there are none. */
  not_current?: string;
}

/** The position asked for can't be resumed: drop what you hold, all of it follows. */
export interface Reset extends Line {
  kind: 'reset';
  /** Another epoch; beyond what there is; before a removal that is forgotten; no position at all. */
  reason: 'epoch' | 'head' | 'removed' | 'since';
}

/** Ends a flush: everything up to `seq` has come. */
export interface At extends Line {
  kind: 'at';
  /** The position to resume from. */
  seq: number;
  /** The first of a connection: from here on it is the present. */
  live?: true;
}

/** Lines (`log`, `text`) that are no longer in memory. */
export interface Gap extends Line {
  kind: 'gap';
  /** The first of them. */
  from: number;
  /** The last of them. */
  to: number;
  /** Path that has them. */
  href: string;
}

/** On the wall: forget a row. */
export interface Removed extends Line {
  kind: 'removed';
  /** Kind of the row. */
  of: 'run' | 'stack';
  key: string;
  seq: number;
}

/** Nothing else was sent for `heartbeat_ms`, or `not_current` has changed. */
export interface Heartbeat extends Line {
  kind: 'heartbeat';
  /** By the clock of tofud. */
  now: string;
  /** The position to resume from. */
  at: number;
  /** As in `hello`. What it says changes with a heartbeat only. */
  not_current?: string;
}

/** The connection is closed next, for this reason. */
export interface FeedError extends Line {
  kind: 'error';
  /** The close code of WebSocket. */
  code: number;
  message: string;
}
