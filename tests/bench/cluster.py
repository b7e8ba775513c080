#!/usr/bin/python3
"""What sharing runs over NATS costs: one daemon alone, and one, two and three that share, in one run on one machine.

    tests/bench/cluster.py [--resources 20000] [--lines 400]

Latency: from sending a PATCH with one line to its row at a subscriber, of the daemon that takes it and of another one. CPU: seconds of all
daemons and of nats-server for each message, with an upload at each daemon at once. TOFUD names the program, NATS_SERVER the server.
"""
import argparse
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/end_to_end"))
sys.dont_write_bytecode = True
from binary import TOFUD, EndToEnd, Running, free_port, until  # noqa: E402
from cluster import Member, Nats, Sender  # noqa: E402

SETTLES = 5  # seconds: durations, lists and what the others are told are work of an upload, too
VERSION = b'{"@level":"info","@message":"OpenTofu 1.12.6","@module":"tofu.ui","@timestamp":"2026-11-21T05:00:00.000000Z","tofu":"1.12.6","type":"version","ui":"1.2"}\n'


def cpu(pid):
    with open("/proc/%d/stat" % pid) as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Alone(Member):
    def __init__(self, case):
        super().__init__(case, "alone", "")

    def start(self):
        self.running = self.case.kept(Running([TOFUD, "serve", "--listen", "%s:%d" % (self.address, self.port), "--socket", "", "--state-dir", self.state],
                                              self.case.env(), stdin=subprocess.DEVNULL))
        self.running.out.next()
        return self


class Kept:
    """A connection that is kept: what is measured is not its making."""

    def __init__(self, sender, url):
        self.sender, self.client = sender, http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=30)

    def patch(self, piece):
        self.client.request("PATCH", "/v1/runs/%s/lines" % self.sender.run, piece, {
            "Upload-Secret": "s3cret-of-" + self.sender.name, "Upload-Offset": str(self.sender.at), "Upload-Complete": "?0", "Content-Type": "application/partial-upload"})
        answer = self.client.getresponse()
        answer.read()
        assert answer.status == 204, answer.status
        self.sender.at = int(answer.headers["Upload-Offset"])


def latencies(at, watched, lines):
    """Milliseconds, sorted."""
    sender = Sender([at.url], b"")
    sender.begin()
    kept = Kept(sender, at.url)
    kept.patch(VERSION)
    came, seen = threading.Event(), [None]
    url = urllib.parse.urlsplit(watched.url)
    client = http.client.HTTPConnection(url.netloc, timeout=60)
    until(lambda: ask(watched, sender.run), "the run there")
    client.request("GET", "/v1/stream?run=%s&kinds=message" % sender.run)
    answer = client.getresponse()

    def read():
        while True:
            line = answer.readline()
            if not line:
                return
            row = json.loads(line)
            if row["kind"] == "message":
                seen[0] = time.monotonic(), row["text"]
                came.set()

    threading.Thread(target=read, daemon=True).start()
    time.sleep(0.3)
    took = []
    for number in range(lines):
        came.clear()
        line = VERSION.replace(b'"tofu":"1.12.6","type":"version","ui":"1.2"', b'"type":"log"').replace(b"OpenTofu 1.12.6", b"line %d" % number)
        begun = time.monotonic()
        kept.patch(line)
        while not came.is_set() or seen[0][1] != "line %d" % number:
            came.wait(5)
            if seen[0] and seen[0][1] != "line %d" % number:
                came.clear()
        took.append((seen[0][0] - begun) * 1000)
        time.sleep(0.01)
    return sorted(took)


def ask(member, run):
    try:
        client = http.client.HTTPConnection(urllib.parse.urlsplit(member.url).netloc, timeout=10)
        client.request("GET", "/v1/runs/%s" % run)
        return client.getresponse().status == 200
    except OSError:
        return False


def load(members, nats, stream):
    """(seconds of daemons, of nats-server, of the clock) for an upload at each of them at once."""
    pids = [each.running.process.pid for each in members]
    before, nats_before, begun = sum(map(cpu, pids)), cpu(nats) if nats else 0, time.monotonic()
    senders = [Sender([each.url], stream, stack="s/%d" % n) for n, each in enumerate(members)]
    threads = [threading.Thread(target=each.send_all, args=(1 << 20, 600)) for each in senders]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    wall = time.monotonic() - begun
    time.sleep(SETTLES)
    return sum(map(cpu, pids)) - before, (cpu(nats) if nats else 0) - nats_before, wall


class Room(EndToEnd):
    def runTest(self):
        pass


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--resources", default="20000")
    words.add_argument("--lines", type=int, default=400)
    given = words.parse_args()
    stream = subprocess.run([sys.executable, str(ROOT / "tests/tools/gen_stream.py"), "--resources", given.resources], capture_output=True, check=True).stdout
    messages = stream.count(b"\n")
    room = Room()
    room.setUp()
    try:
        print("%d messages, %.1f MB, %d processors, %s" % (messages, len(stream) / 1e6, os.cpu_count(), TOFUD))
        alone = Alone(room)
        base = latencies(alone, alone, given.lines)
        one, _, wall = load([alone], None, stream)
        print("%-34s p50 %6.2f ms  p99 %6.2f ms" % ("a line, alone", statistics.median(base), base[int(len(base) * 0.99)]))
        print("%-34s %6.2f µs CPU a message, %5.2f s by the clock" % ("an upload, alone", one / messages * 1e6, wall))
        alone.kill()
        nats = Nats(room)
        members = []
        for name in "abc":
            members.append(Member(room, name, nats.url).ready())
            if len(members) == 1:
                same = latencies(members[0], members[0], given.lines)
                print("%-34s p50 %6.2f ms  p99 %6.2f ms  (+%.2f, +%.2f)" % ("a line, shared, where it came", statistics.median(same), same[int(len(same) * 0.99)],
                                                                           statistics.median(same) - statistics.median(base), same[int(len(same) * 0.99)] - base[int(len(base) * 0.99)]))
            if len(members) == 2:
                other = latencies(members[0], members[1], given.lines)
                print("%-34s p50 %6.2f ms  p99 %6.2f ms  (+%.2f, +%.2f)" % ("a line, shared, at another", statistics.median(other), other[int(len(other) * 0.99)],
                                                                           statistics.median(other) - statistics.median(base), other[int(len(other) * 0.99)] - base[int(len(base) * 0.99)]))
            stored = sum(path.stat().st_size for path in pathlib.Path(nats.room).rglob("*.blk"))
            daemons, server, wall = load(members, nats.process.pid, stream)
            more = sum(path.stat().st_size for path in pathlib.Path(nats.room).rglob("*.blk")) - stored
            sent = messages * len(members)
            print("%-34s %6.2f µs CPU a message (%.2f × alone) and %.2f of nats-server; %.2f bytes in NATS a byte; %5.2f s by the clock" % (
                "an upload at each of %d" % len(members), daemons / sent * 1e6, daemons / sent * messages / one, server / sent * 1e6, more / (len(stream) * len(members)), wall))
    finally:
        room.doCleanups()


if __name__ == "__main__":
    main()
