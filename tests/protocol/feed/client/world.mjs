// A world for a Feed in which nothing happens but what a test does: its clock, its chance, its sockets.
export class World {
  time = 1_000_000;
  chance = 0.5;
  sockets = [];
  timers = [];
  wakers = new Set();

  now() {
    return this.time;
  }
  random() {
    return this.chance;
  }
  after(ms, then) {
    const timer = { at: this.time + ms, then };
    this.timers.push(timer);
    return () => this.forget(timer);
  }
  every(ms, then) {
    const timer = { at: this.time + ms, every: ms, then };
    this.timers.push(timer);
    return () => this.forget(timer);
  }
  awake(then) {
    this.wakers.add(then);
    return () => this.wakers.delete(then);
  }
  socket(url, protocol) {
    if (this.refuses) throw new Error('no sockets here');
    const made = { url, protocol, onmessage: null, onclose: null, closed: false, close: () => (made.closed = true) };
    this.sockets.push(made);
    return made;
  }

  forget(timer) {
    this.timers = this.timers.filter((each) => each !== timer);
  }
  /** Lets time pass; what is due happens, in order. */
  pass(ms) {
    const end = this.time + ms;
    for (;;) {
      const due = this.timers.filter((each) => each.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.time = due.at;
      if (due.every) due.at += due.every;
      else this.forget(due);
      due.then();
    }
    this.time = end;
  }
  /** How long until the feed connects again. */
  waiting() {
    const once = this.timers.filter((each) => !each.every);
    return once.length === 0 ? null : once[0].at - this.time;
  }
  wake() {
    for (const each of [...this.wakers]) each();
  }
  get last() {
    return this.sockets[this.sockets.length - 1];
  }
  /** The server says these lines in one flush. */
  says(...lines) {
    this.last.onmessage({ data: lines.map((line) => JSON.stringify(line) + '\n').join('') });
  }
  /** The server closes. */
  closes(code, reason = '') {
    this.last.onclose({ code, reason });
  }
}

export const hello = (epoch = 'k7Q2fT', more = {}) => ({
  kind: 'hello', protocol: '1.0', server: 'tofud 0.1.0', build: '-', topic: 'run/R7', epoch, heartbeat_ms: 15000, ...more,
});
export const at = (seq, more = {}) => ({ kind: 'at', seq, ...more });
export const resource = (key, status, seq) => ({ kind: 'resource', key, run: 'R7', seq, addr: key, status });
