// Made of ../client.ts by .ci/page --write; part of tofud, Mozilla Public License 2.0.
var __defProp = Object.defineProperty;
var __defNormalProp = (obj, key, value) => key in obj ? __defProp(obj, key, { enumerable: true, configurable: true, writable: true, value }) : obj[key] = value;
var __publicField = (obj, key, value) => __defNormalProp(obj, typeof key !== "symbol" ? key + "" : key, value);

// ../../protocol/feed/client/fold.ts
var raw_json = JSON.rawJSON;
var digits = (_key, value, json) => typeof value === "number" && raw_json && json && json.source !== String(value) ? raw_json(json.source) : value;
var nothing = () => /* @__PURE__ */ Object.create(null);
var Fold = class {
  constructor() {
    /** Rows and views. Lines (`log`, `text`) are not kept: there may be millions. */
    __publicField(this, "state", nothing());
    __publicField(this, "hello", null);
    /** The last position; null: none yet. */
    __publicField(this, "at", null);
    /** An `at` came since `hello`: the state is that of the present. */
    __publicField(this, "live", false);
    /** Why tofud does not know now what other daemons have; '': it does. */
    __publicField(this, "not_current", "");
    /** How often everything held was dropped. */
    __publicField(this, "generation", 0);
  }
  rows(kind) {
    var _a;
    return (_a = this.state)[kind] ?? (_a[kind] = nothing());
  }
  /** `EPOCH:SEQ` to resume from, if there is one. */
  since() {
    return this.hello && this.at !== null ? `${this.hello.epoch}:${this.at}` : null;
  }
  /** Takes one line in and returns it parsed. Throws if it is no JSON object. */
  take(text) {
    let line = JSON.parse(text);
    if (line.kind === "output") line = JSON.parse(text, digits);
    const known = line;
    switch (known.kind) {
      case "hello":
        if (this.hello?.epoch !== known.epoch || this.at === null) this.clear();
        this.hello = known;
        this.not_current = known.not_current ?? "";
        this.live = false;
        break;
      case "reset":
        this.clear();
        break;
      case "at":
        this.at = known.seq;
        this.live = true;
        break;
      case "heartbeat":
        this.at = known.at;
        this.not_current = known.not_current ?? "";
        this.live = true;
        break;
      case "removed":
        delete this.rows(known.of)[known.key];
        break;
      case "gap":
      case "error":
      case "log":
      case "text":
        break;
      default:
        if (typeof known.key === "string") this.rows(known.kind)[known.key] = known;
    }
    return line;
  }
  clear() {
    if (Object.keys(this.state).length > 0) this.generation++;
    this.state = nothing();
    this.at = null;
  }
};

// ../../protocol/feed/client/feed.ts
var first_wait_ms = 500;
var longest_wait_ms = 3e4;
var healthy_ms = 3e4;
var stale_after = 2.5;
var dead_after = 10;
var subprotocol = "tofud.v1";
var Feed = class {
  /** `url` is that of `/v1/stream`, http or ws. Nothing happens before `open`. */
  constructor(url, question, handlers, world = browser) {
    __publicField(this, "url", url);
    __publicField(this, "question", question);
    __publicField(this, "handlers", handlers);
    __publicField(this, "world", world);
    __publicField(this, "fold", new Fold());
    __publicField(this, "link", { is: "connecting" });
    /** When something was last heard, as Date.now() gives it; null: never. */
    __publicField(this, "heard", null);
    __publicField(this, "socket", null);
    __publicField(this, "failures", 0);
    __publicField(this, "live_since", null);
    __publicField(this, "error", null);
    __publicField(this, "undo", []);
    __publicField(this, "give_up_waiting", null);
  }
  open() {
    this.undo.push(this.world.every(1e3, () => this.look_at_the_clock()));
    this.undo.push(this.world.awake(() => this.wake()));
    this.connect();
  }
  /** Ends it for good; no handler is called any more. */
  close() {
    this.end();
    this.drop();
  }
  /** Tries at once what would be tried later: the network is back, somebody looks again. */
  wake() {
    if (this.give_up_waiting) {
      this.give_up_waiting();
      this.connect();
    } else if (this.link.is === "stale") {
      this.drop();
      this.connect();
    }
  }
  connect() {
    this.give_up_waiting = null;
    this.error = null;
    this.live_since = null;
    let socket;
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
  address() {
    const url = new URL(this.url);
    url.protocol = url.protocol.replace("http", "ws");
    const given = [];
    let run = this.question.run;
    if (run === "latest" && this.fold.hello) run = this.fold.hello.topic.slice("run/".length);
    if (run !== void 0) given.push(["run", run]);
    if (this.question.kinds) given.push(["kinds", this.question.kinds.join(",")]);
    for (const name of ["addr", "module", "type"]) {
      for (const value of this.question[name] ?? []) given.push([name, value]);
    }
    const since = this.fold.since();
    if (since !== null) given.push(["since", since]);
    url.search = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
    return url.href;
  }
  take(socket, data) {
    this.heard = this.world.now();
    const lines = [];
    for (const text of data.split("\n")) {
      if (text === "") continue;
      const line = this.fold.take(text);
      lines.push(line);
      if (line.kind === "error") this.error = line;
      if (line.kind === "hello" && !this.understands(line)) return;
    }
    if (this.fold.live) this.live_since ?? (this.live_since = this.heard);
    this.handlers.lines?.(lines);
    if (this.socket !== socket) return;
    const { live, not_current } = this.fold;
    this.now_is(live ? { is: "live", ...not_current && { not_current } } : { is: "catching up" });
  }
  understands(hello) {
    if (/^1\./.test(hello.protocol)) return true;
    this.end();
    this.drop();
    this.now_is({ is: "refused", code: 4406, message: `this page does not know version ${hello.protocol} of the feed; reload it` });
    return false;
  }
  closed(code, reason) {
    this.socket = null;
    this.fold.live = false;
    if (code === 1e3) {
      this.end();
      this.now_is({ is: "over", reason });
    } else if (code >= 4400 && code < 4500 && code !== 4410) {
      this.end();
      this.now_is({ is: "refused", code, message: this.error?.message ?? reason });
    } else {
      const told = code === 1012 ? /retry_ms\D*(\d+)/.exec(reason) : null;
      this.lost(told ? Number(told[1]) : null, code === 4410 ? this.error?.message ?? reason : void 0);
    }
  }
  /** Waits as long as told, else ever longer, by chance so that a thousand pages do not come at once. */
  lost(told_ms, reason) {
    const now = this.world.now();
    if (this.live_since !== null && now - this.live_since >= healthy_ms) this.failures = 0;
    const most = Math.min(longest_wait_ms, first_wait_ms * 2 ** Math.min(this.failures++, 16));
    const wait = told_ms ?? this.world.random() * most;
    this.give_up_waiting = this.world.after(wait, () => this.connect());
    this.now_is({ is: "offline", retry_at: now + wait, ...reason !== void 0 && { reason } });
  }
  look_at_the_clock() {
    if (!this.socket || this.heard === null || !this.fold.hello) return;
    if (this.link.is === "offline") return;
    const silent = this.world.now() - this.heard;
    const heartbeat = this.fold.hello.heartbeat_ms;
    if (silent > dead_after * heartbeat) {
      this.drop();
      this.lost(null);
    } else if (silent > stale_after * heartbeat) {
      this.now_is({ is: "stale", since: this.heard });
    }
  }
  now_is(link) {
    const before = this.link;
    this.link = link;
    if (before.is === "live" && link.is === "live" && before.not_current === link.not_current) return;
    if (before.is === link.is && link.is === "catching up") return;
    this.handlers.link?.(link);
  }
  drop() {
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }
  end() {
    for (const undo of this.undo) undo();
    this.undo = [];
    this.give_up_waiting?.();
    this.give_up_waiting = null;
  }
};
var browser = {
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
    if (typeof document === "undefined") return () => {
    };
    const seen = () => {
      if (!document.hidden) then();
    };
    addEventListener("online", then);
    document.addEventListener("visibilitychange", seen);
    return () => {
      removeEventListener("online", then);
      document.removeEventListener("visibilitychange", seen);
    };
  },
  socket: (url, protocol) => new WebSocket(url, protocol)
};
export {
  Feed,
  Fold,
  browser,
  dead_after,
  digits,
  first_wait_ms,
  healthy_ms,
  longest_wait_ms,
  stale_after
};
