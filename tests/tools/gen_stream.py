#!/usr/bin/python3
"""Print a synthetic but valid OpenTofu UI stream of any size, for load tests.

    gen_stream.py --resources 100000 --modules 50 --provision-lines 3 | tofud
    gen_stream.py --resources 1000000 --concurrency 64 --seed 7 > /dev/null

The messages are modelled on recordings of `tofu apply -json` of OpenTofu
1.12.6 (tests/recordings): the same members in the same order, a burst of
planned_change lines, then interleaved apply_start, provision_start,
provision_progress, provision_complete, apply_progress (after 10 s) and
apply_complete lines.  Time in the stream is simulated: "@timestamp" values
and elapsed_seconds fit together, but the lines are printed as fast as they
can be made unless --rate is given.  The same options and seed give the same
bytes.

Like the real stream, a run with errors ends with diagnostics and has neither
the closing change_summary nor the outputs message.
"""
import argparse
import heapq
import itertools
import json
import math
import os
import random
import sys
import time

TYPES = ("null_resource", "terraform_data", "random_pet", "time_sleep", "local_file")
PROVIDERS = {"null_resource": "null", "terraform_data": "terraform", "random_pet": "random", "time_sleep": "time", "local_file": "local"}
# instance keys: %d is the number of the resource; the awkward ones are rare
KEYS = ("node-%d", "node-%d", "zone/%d", "web front %d", 'quoted "%d"', "größe-%d", "テスト %d", "a[%d].b", "back\\slash %d")
OUTPUTS = ("Executing: [\"/bin/sh\" \"-c\" \"./deploy.sh\"]", "step %d: fetching package index", "step %d: unpacking (%d of 40)", "step %d: \x1b[32mok\x1b[0m",
           "step %d: warning: cache is cold", "step %d: wrote /var/lib/app/config-%d.json", "step %d: größe 12 kB, <b>done</b> & checked")
CHUNK = 2048


def quote(text):
    """JSON string without the quotes; like the real stream it does not escape non-ASCII, < > or &."""
    return json.dumps(text, ensure_ascii=False)[1:-1].replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


class Writer:
    def __init__(self, rate, limit):
        self.out, self.rate, self.limit = sys.stdout.buffer, rate, limit
        self.lines, self.count, self.start = [], 0, time.monotonic()
        self.chunk = CHUNK if not rate else max(1, min(CHUNK, int(rate // 50)))

    def put(self, line):
        self.lines.append(line)
        if len(self.lines) >= self.chunk:
            self.flush()

    def flush(self):
        if not self.lines:
            return
        if self.limit is not None and self.count + len(self.lines) >= self.limit:
            self.lines = self.lines[: self.limit - self.count]
            self.write()
            raise StopIteration
        self.write()

    def write(self):
        self.out.write("".join(self.lines).encode())
        self.count += len(self.lines)
        self.lines.clear()
        if self.rate:
            self.out.flush()
            wait = self.start + self.count / self.rate - time.monotonic()
            if wait > 0:
                time.sleep(wait)


class Clock:
    """Formats simulated microseconds as the stream's timestamps."""

    def __init__(self, start):
        self.base = int(start * 1_000_000)
        self.second, self.text = None, ""

    def __call__(self, micros):
        second, rest = divmod(self.base + micros, 1_000_000)
        if second != self.second:
            self.second = second
            self.text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        return "%s.%06dZ" % (self.text, rest)


class Resources:
    """Resource number i -> (address, "resource" object), both JSON-escaped; nothing is stored."""

    def __init__(self, args):
        self.modules, self.plain_keys = args.modules, args.plain_keys
        self.keys = [(quote('["' + key.replace("\\", "\\\\").replace('"', '\\"') + '"]'), quote(key)) for key in KEYS]

    def __call__(self, i):
        kind = TYPES[i % 5]
        m = i % self.modules - 1 if self.modules else -1
        if m < 0:
            module = ""
            prefix = ""
        elif m % 3 == 0:
            module = "module.region[\\\"eu-%d\\\"].module.cell" % m
            prefix = module + "."
        elif m % 3 == 1:
            module = "module.cell[%d]" % m
            prefix = module + "."
        else:
            module = "module.team_%d" % m
            prefix = module + "."
        style = i % 3
        name = "r%d" % (i // 1000)
        if style == 0:
            index, key = "[%d]" % i, "%d" % i
        elif style == 1 and i % 30 != 1:
            index, key = '[\\"node-%d\\"]' % i, '"node-%d"' % i
        elif style == 1:
            if self.plain_keys:
                index, key = '[\\"node-%d\\"]' % i, '"node-%d"' % i
            else:
                index, key = self.keys[i // 30 % len(self.keys)]
                index, key = index % i, '"' + key % i + '"'
        else:
            index, key, name = "", "null", "single_%d" % i
        resource = kind + "." + name + index
        addr = prefix + resource
        return addr, '{"addr":"%s","module":"%s","resource":"%s","implied_provider":"%s","resource_type":"%s","resource_name":"%s","resource_key":%s}' % (
            addr, module, resource, PROVIDERS[kind], kind, name, key)


def identity(i):
    kind = i % 5
    if kind == 1:
        return "%08x-%04x-4%03x-8%03x-%012x" % (i * 2654435761 & 0xFFFFFFFF, i & 0xFFFF, i >> 4 & 0xFFF, i >> 8 & 0xFFF, i * 40503 & 0xFFFFFFFFFFFF)
    if kind == 2:
        return "gently-moved-%d" % i
    if kind == 3:
        return "2026-11-21T05:%02d:%02dZ" % (i // 60 % 60, i % 60)
    if kind == 4:
        return "%040x" % (i * 0x9E3779B97F4A7C15F39CC0605CEDC835 & (1 << 160) - 1)
    return str(1_000_000_000_000_000_000 + i * 7_919_999_983)


VERBS = {"create": ("Creating", "creating", "Creation"), "update": ("Modifying", "modifying", "Modifications"), "delete": ("Destroying", "destroying", "Destruction")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resources", type=int, default=1000, metavar="N", help="resource instances, up to some millions (default 1000)")
    parser.add_argument("--modules", type=int, default=10, metavar="N", help="spread over N-1 module instances and the root module (0: all in the root; default 10)")
    parser.add_argument("--provision-lines", type=int, default=0, metavar="N", help="provision_progress lines per provisioned resource (default 0: no provisioners)")
    parser.add_argument("--provision-share", type=float, default=1.0, metavar="F", help="share of the resources that have a provisioner (default 1.0)")
    parser.add_argument("--refresh", action="store_true", help="refresh_start / refresh_complete for every resource before the plan")
    parser.add_argument("--action", choices=("create", "update", "replace", "delete", "mixed", "none"), help="planned action (default: create, with --refresh update; none: a plan without changes)")
    parser.add_argument("--concurrency", type=int, default=10, metavar="N", help="resources in flight (default 10, as OpenTofu's -parallelism)")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="N resources fail; diagnostics at the end")
    parser.add_argument("--long-lines", type=int, default=0, metavar="N", help="N provision_progress lines are long (needs --provision-lines)")
    parser.add_argument("--long-line-bytes", type=int, default=65000, metavar="B", help="length of their output; OpenTofu lets at most 65535 through (default 65000)")
    parser.add_argument("--slow-share", type=float, default=0.001, metavar="F", help="share of resources that take 12 to 45 s and print apply_progress (default 0.001)")
    parser.add_argument("--progress", choices=("once", "every"), default="once", help="apply_progress once per operation, as OpenTofu 1.12.6 does in fact, or every 10 s, as documented (default once)")
    parser.add_argument("--skew", type=float, default=0.03, metavar="F", help='share of lines whose "@timestamp" is earlier than the line before, as happens in real streams (default 0.03)')
    parser.add_argument("--plain-keys", action="store_true", help="only simple instance keys (no spaces, quotes, non-ASCII letters)")
    parser.add_argument("--outputs", type=int, default=3, metavar="N", help="outputs at the end (default 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=float, default=1795237200.0, metavar="UNIX", help='first "@timestamp" (default 2026-11-21T05:00:00Z); "0" for the present time')
    parser.add_argument("--rate", type=float, metavar="R", help="print about R lines per second (default: as fast as possible)")
    parser.add_argument("--limit", type=int, metavar="N", help="stop after N lines (a cut-off stream)")
    parser.add_argument("--stats", action="store_true", help="line count and speed on stderr at the end")
    args = parser.parse_args()
    if args.resources < 0 or args.concurrency < 1:
        parser.error("--resources must be >= 0 and --concurrency >= 1")
    if args.errors > args.resources:
        parser.error("--errors is larger than --resources")
    writer = Writer(args.rate, args.limit)
    try:
        generate(args, writer)
        writer.flush()
        sys.stdout.buffer.flush()
    except StopIteration:
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except KeyboardInterrupt:
        return 130
    if args.stats:
        spent = time.monotonic() - writer.start
        print("%d lines in %.2f s, %.0f lines/s" % (writer.count, spent, writer.count / max(spent, 1e-9)), file=sys.stderr)
    return 0


def generate(args, writer):
    put = writer.put
    n = args.resources
    rng = random.Random(args.seed)
    clock = Clock(args.start or time.time())
    describe = Resources(args)
    # a fixed scrambled order, as the graph walk gives one: step through the numbers with a stride that has no factor in common with n
    stride = max(1, int(n * 0.6180339887)) | 1
    while n and math.gcd(stride, n) != 1:
        stride += 2
    offset = rng.randrange(n) if n else 0
    action = args.action or ("update" if args.refresh else "create")
    noise = [rng.randrange(1_000_000) for _ in range(65536)]  # cheap randomness: one table, many offsets
    now = 0
    put('{"@level":"info","@message":"OpenTofu 1.12.6","@module":"tofu.ui","@timestamp":"%s","tofu":"1.12.6","type":"version","ui":"1.2"}\n' % clock(now))
    now += 400_000

    def order():
        i = offset
        for _ in range(n):
            yield i
            i += stride
            if i >= n:
                i %= n

    if args.refresh:
        now = refresh(args, put, clock, describe, order, noise, now)

    def planned(i):
        if action != "mixed":
            return action
        return ("create", "update", "replace", "delete", "create", "none")[noise[(i * 7 + args.seed) & 65535] % 6]

    reasons = {"create": "", "update": "", "replace": ',"reason":"cannot_update"', "delete": ',"reason":"delete_because_no_resource_config"'}
    added = changed = removed = 0
    for i in order():
        what = planned(i)
        if what == "none":
            continue
        addr, resource = describe(i)
        now += 11
        put('{"@level":"info","@message":"%s: Plan to %s","@module":"tofu.ui","@timestamp":"%s","change":{"resource":%s,"action":"%s"%s},"type":"planned_change"}\n' % (
            addr, what, clock(now), resource, what, reasons[what]))
        added += what in ("create", "replace")
        changed += what == "update"
        removed += what in ("delete", "replace")
    put('{"@level":"info","@message":"Plan: %d to add, %d to change, %d to destroy.","@module":"tofu.ui","@timestamp":"%s","changes":{"add":%d,"change":%d,"import":0,"remove":%d,"forget":0,"operation":"plan"},"type":"change_summary"}\n' % (
        added, changed, removed, clock(now + 10), added, changed, removed))
    if args.outputs:
        put('{"@level":"info","@message":"Outputs: %d","@module":"tofu.ui","@timestamp":"%s","outputs":{%s},"type":"outputs"}\n' % (
            args.outputs, clock(now + 20), ",".join('"out_%d":{"sensitive":%s,"action":"create"}' % (k, "true" if k % 3 == 2 else "false") for k in range(args.outputs))))
    now += 60_000
    if action == "none":
        added = changed = removed = 0

    failing = set()
    if args.errors:
        todo = [i for i in itertools.islice(order(), n)] if action == "mixed" else range(n)
        todo = [i for i in todo if planned(i) != "none"] if action in ("mixed", "none") else todo
        failing = set(rng.sample(todo, min(args.errors, len(todo))))
    again = 10_000_000 if args.progress == "every" else 1 << 60
    provisioned = int(args.provision_share * 1_000_000)
    slow = int(args.slow_share * 1_000_000)
    lines = args.provision_lines
    outputs = [quote(text) for text in OUTPUTS]
    spots = [(text.count("%d"), text) for text in outputs]
    total_lines = n * lines
    long_every = max(1, total_lines // args.long_lines) if args.long_lines and total_lines else 0
    long_text = ("x" * 61 + " \\\"y\\\" ") * (args.long_line_bytes // 66 + 1)
    state = {"lines": 0, "long": 0, "add": 0, "change": 0, "remove": 0}
    errors = []
    head, mid, tail = '{"@level":"info","@message":"', '","@module":"tofu.ui","@timestamp":"', '","hook":{"resource":'

    def steps(i, act, begin, last):
        """Yields (simulated time, text before the timestamp, text after it) for one operation on one resource."""
        addr, resource = describe(i)
        verb, doing, noun = VERBS[act]
        ident = identity(i)
        r = noise[(i * 31 + len(act)) & 65535]
        at = begin
        id_old = ',"id_key":"id","id_value":"%s"' % ident if act != "create" else ""
        yield at, "%s%s: %s...%s%s" % (head, addr, verb, " [id=%s]" % ident if id_old else "", mid), '%s%s,"action":"%s"%s},"type":"apply_start"}\n' % (tail, resource, act, id_old)
        spend = 2_000 + r // 8
        fail = last and i in failing
        has = lines and act == "create" and r < provisioned
        ends = at + spend
        if noise[(i * 131 + 7) & 65535] < slow:
            ends = at + 12_000_000 + r * 33
        beat = at + 10_000_000
        progress = '%s%s,"action":"%s","elapsed_seconds":' % (tail, resource, act)
        if has:
            at += 800
            yield at, "%s%s: Provisioning with 'local-exec'...%s" % (head, addr, mid), '%s%s,"provisioner":"local-exec"},"type":"provision_start"}\n' % (tail, resource)
            before = "%s%s: (local-exec): " % (head, addr)
            after = '%s%s,"provisioner":"local-exec","output":"' % (tail, resource)
            pause = max(200, (ends - at) // (lines + 1))
            for k in range(lines):
                at += pause
                while at >= beat:
                    yield beat, "%s%s: Still %s... [%ds elapsed]%s" % (head, addr, doing, (beat - begin) // 1_000_000, mid), '%s%d},"type":"apply_progress"}\n' % (progress, (beat - begin) // 1_000_000)
                    beat += again
                state["lines"] += 1
                if long_every and state["lines"] % long_every == 0 and state["long"] < args.long_lines:
                    state["long"] += 1
                    text = long_text
                else:
                    holes, text = spots[k % 7]
                    if holes == 1:
                        text %= k
                    elif holes == 2:
                        text %= (k, i % 40)
                yield at, before + text + mid, after + text + '"},"type":"provision_progress"}\n'
            at += 300
            if fail:
                yield at, "%s%s: (local-exec) Provisioning errored%s" % (head, addr, mid), '%s%s,"provisioner":"local-exec"},"type":"provision_errored"}\n' % (tail, resource)
            else:
                yield at, "%s%s: (local-exec) Provisioning complete%s" % (head, addr, mid), '%s%s,"provisioner":"local-exec"},"type":"provision_complete"}\n' % (tail, resource)
        at = max(at + 200, ends)
        while at >= beat:
            yield beat, "%s%s: Still %s... [%ds elapsed]%s" % (head, addr, doing, (beat - begin) // 1_000_000, mid), '%s%d},"type":"apply_progress"}\n' % (progress, (beat - begin) // 1_000_000)
            beat += again
        # OpenTofu rounds both ends to whole seconds before it subtracts
        elapsed = (at + 500_000) // 1_000_000 - (begin + 500_000) // 1_000_000
        spent = "%dm%ds" % divmod(elapsed, 60) if elapsed >= 60 else "%ds" % elapsed
        if fail:
            errors.append((addr, has))
            yield at, "%s%s: %s errored after %s%s" % (head, addr, noun, spent, mid), '%s%d},"type":"apply_errored"}\n' % (progress, elapsed)
        elif act == "delete":
            state["remove"] += 1
            yield at, "%s%s: %s complete after %s%s" % (head, addr, noun, spent, mid), '%s%d},"type":"apply_complete"}\n' % (progress, elapsed)
        else:
            state["add" if act == "create" else "change"] += 1
            yield at, "%s%s: %s complete after %s [id=%s]%s" % (head, addr, noun, spent, ident, mid), (
                '%s%s,"action":"%s","id_key":"id","id_value":"%s","elapsed_seconds":%d},"type":"apply_complete"}\n' % (tail, resource, act, ident, elapsed))

    def operations():
        for i in order():
            what = planned(i)
            if what == "none":
                continue
            if what == "replace":
                yield i, ("delete", "create")
            else:
                yield i, (what,)

    def run(i, acts, begin):
        for act in acts:
            at = begin
            for step in steps(i, act, begin, act == acts[-1]):
                at = step[0]
                yield step
            begin = at + 500

    source = operations()
    heap = []
    for number, (i, acts) in enumerate(itertools.islice(source, args.concurrency)):
        events = run(i, acts, now + number * 350)
        at, a, b = next(events)
        heap.append((at, i, a, b, events))
    heapq.heapify(heap)
    replace = heapq.heapreplace
    out, chunk = writer.lines, writer.chunk
    skew, turn = int(args.skew * 1_000_000), args.seed
    base, second, text, limit_second = clock.base, -1, "", 0
    while heap:
        at, i, a, b, events = heap[0]
        micros = base + at
        if micros >= limit_second or second < 0:
            second = micros // 1_000_000
            limit_second = (second + 1) * 1_000_000
            text = time.strftime("%Y-%m-%dT%H:%M:%S.", time.gmtime(second))
        turn += 1
        if noise[turn & 65535] < skew:
            out.append(a + clock(max(0, at - turn % 4000)) + b)
        else:
            out.append("%s%s%06dZ%s" % (a, text, micros - second * 1_000_000, b))
        if len(out) >= chunk:
            writer.flush()
        step = next(events, None)
        if step is None:
            more = next(source, None)
            if more is None:
                heapq.heappop(heap)
            else:
                events = run(more[0], more[1], at + 450)
                step = next(events)
                replace(heap, (step[0], more[0], step[1], step[2], events))
        else:
            replace(heap, (step[0], i, step[1], step[2], events))
        now = at
    now += 5_000
    if errors:
        for k, (addr, has) in enumerate(errors):
            now += 40
            line = 10 + k % 500
            summary = "local-exec provisioner error" if has else "Provider returned an error"
            detail = ("Error running command './deploy.sh': exit status 3. Output: step 0\\n" if has else "The object %s could not be changed: quota exceeded." % addr)
            put('{"@level":"error","@message":"Error: %s","@module":"tofu.ui","@timestamp":"%s","diagnostic":{"severity":"error","summary":"%s","detail":"%s","address":"%s","range":{"filename":"main.tf","start":{"line":%d,"column":3,"byte":%d},"end":{"line":%d,"column":29,"byte":%d}},"snippet":{"context":"resource \\"null_resource\\" \\"r\\"","code":"  provisioner \\"local-exec\\" {","start_line":%d,"highlight_start_offset":2,"highlight_end_offset":28,"values":[]}},"type":"diagnostic"}\n' % (
                summary, clock(now), summary, detail, addr, line, line * 31, line, line * 31 + 26, line))
        return
    put('{"@level":"info","@message":"Apply complete! Resources: %d added, %d changed, %d destroyed.","@module":"tofu.ui","@timestamp":"%s","changes":{"add":%d,"change":%d,"import":0,"remove":%d,"forget":0,"operation":"apply"},"type":"change_summary"}\n' % (
        state["add"], state["change"], state["remove"], clock(now), state["add"], state["change"], state["remove"]))
    values = ",".join('"out_%d":{"sensitive":true,"type":"string"}' % k if k % 3 == 2 else '"out_%d":{"sensitive":false,"type":"string","value":"value %d"}' % (k, k) for k in range(args.outputs))
    put('{"@level":"info","@message":"Outputs: %d","@module":"tofu.ui","@timestamp":"%s","outputs":{%s},"type":"outputs"}\n' % (args.outputs, clock(now + 60), values))


def refresh(args, put, clock, describe, order, noise, now):
    """refresh_start / refresh_complete with a window of --concurrency resources in flight."""
    width = max(1, args.concurrency)
    todo = order()
    while True:
        batch = []
        for i in itertools.islice(todo, width):
            addr, resource = describe(i)
            batch.append((addr, resource, identity(i)))
        if not batch:
            return now + 50_000
        for addr, resource, ident in batch:
            now += 60
            put('{"@level":"info","@message":"%s: Refreshing state... [id=%s]","@module":"tofu.ui","@timestamp":"%s","hook":{"resource":%s,"id_key":"id","id_value":"%s"},"type":"refresh_start"}\n' % (addr, ident, clock(now), resource, ident))
        shift = noise[now & 65535] % len(batch)
        for addr, resource, ident in batch[shift:] + batch[:shift]:
            now += 90
            put('{"@level":"info","@message":"%s: Refresh complete [id=%s]","@module":"tofu.ui","@timestamp":"%s","hook":{"resource":%s,"id_key":"id","id_value":"%s"},"type":"refresh_complete"}\n' % (addr, ident, clock(now), resource, ident))


if __name__ == "__main__":
    sys.exit(main())
