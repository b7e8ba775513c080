#!/usr/bin/python3
"""What one run, line, list entry, screen and join costs daemons that share runs, measured on this machine for the plan of many.

    tests/simulation/costs.py [--write]      prints them; writes tests/simulation/costs.json

CPU seconds of whole processes, divided by what they did. TOFUD names the program, NATS_SERVER the server.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import selectors
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tests/end_to_end"))
sys.dont_write_bytecode = True
from binary import TOFUD, EndToEnd, get, until  # noqa: E402
from cluster import Member, Nats, Sender  # noqa: E402
from cluster_servers_test import Three  # noqa: E402

STAMP = "2026-11-21T05:00:00.000000Z"


def cpu(pid):
    """Seconds, to the nanosecond (clock ticks are ten milliseconds)."""
    return sum(int(each.read_text().split()[0]) for each in pathlib.Path("/proc/%d/task" % pid).glob("*/schedstat")) / 1e9


def resident(member):
    with open("/proc/%d/status" % member.running.process.pid) as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) * 1024


def message(**fields):
    return json.dumps({"@level": "info", "@message": "x", "@module": "tofu.ui", "@timestamp": STAMP, **fields}, separators=(",", ":")).encode() + b"\n"


VERSION = message(type="version", tofu="1.12.6", ui="1.2")


def hook(number, kind):
    addr = "null_resource.of[%d]" % number
    return message(type=kind, hook={"resource": {"addr": addr, "module": "", "resource": addr, "implied_provider": "null", "resource_type": "null_resource",
                                                  "resource_name": "of", "resource_key": number}, "action": "create", "elapsed_seconds": 1})


class Kept:
    """A sender with a connection that is kept, as a forwarder's is."""

    def __init__(self, member, stack):
        self.sender = Sender([member.url], b"", stack=stack)
        self.member = member
        assert self.sender.begin() == 201
        self.netloc = urllib.parse.urlsplit(member.url).netloc
        self.wire = socket.create_connection(self.netloc.split(":"), 60)
        self.answers = self.wire.makefile("rb")

    def patch(self, piece, complete=False):
        self.wire.sendall(("PATCH /v1/runs/%s/lines HTTP/1.1\r\nHost: %s\r\nUpload-Secret: s3cret-of-%s\r\nUpload-Offset: %d\r\nUpload-Complete: ?%d\r\n"
                           "Content-Type: application/partial-upload\r\nContent-Length: %d\r\n\r\n" % (
                               self.sender.run, self.netloc, self.sender.name, self.sender.at, complete, len(piece))).encode() + piece)
        status = self.answers.readline()
        assert b" 204 " in status, status
        while self.answers.readline() != b"\r\n":
            pass
        self.sender.at += len(piece)


class Screens(threading.Thread):
    """Subscribers that read and do nothing else."""

    def __init__(self, member, run, count, kinds="resource,run"):
        super().__init__(daemon=True)
        self.host, self.port = urllib.parse.urlsplit(member.url).netloc.split(":")
        self.asked = "GET /v1/stream?run=%s&kinds=%s HTTP/1.1\r\nHost: x\r\n\r\n" % (run, kinds)
        self.asked = self.asked.replace("Host: x", "Host: %s:%s" % (self.host, self.port)).encode()
        self.wires, self.got, self.is_over = [], 0, False
        self.looks = selectors.DefaultSelector()
        for _ in range(count):
            wire = socket.create_connection((self.host, int(self.port)), 60)
            wire.sendall(self.asked)
            self.looks.register(wire, selectors.EVENT_READ)
            self.wires.append(wire)

    def run(self):
        while not self.is_over:
            for key, _ in self.looks.select(0.2):
                self.got += len(key.fileobj.recv(1 << 20))

    def close(self):
        self.is_over = True
        self.join()
        for each in self.wires:
            each.close()


def watched(member, run, count, **more):
    until(lambda: knows(member, run), "the run at " + member.name)
    screens = Screens(member, run, count, **more)
    screens.start()
    time.sleep(1)
    return screens


def knows(member, run):
    try:
        return get(member.url + "/v1/runs/" + run) is not None
    except OSError:
        return False


def spent(pids, work):
    """CPU seconds of each while `work` is done, and what follows of it."""
    before = [cpu(each) for each in pids]
    work()
    time.sleep(2)
    return [cpu(each) - was for each, was in zip(pids, before)]


def taken(member):
    return int(re.search(rb'tofud_cluster_cards_total\{direction="taken"\} (\d+)', get(member.url + "/metrics")).group(1))


def idle(pids, seconds=5):
    return [each / (seconds + 2) for each in spent(pids, lambda: time.sleep(seconds))]


class Room(EndToEnd):
    def runTest(self):
        pass


def of_lines(found, room, lines):
    """A run that sends line by line: at who takes it, at who only knows of it, at who has a screen at it."""
    nats = Nats(room)
    members = [Member(room, name, nats.url).ready() for name in "abc"]
    kept = Kept(members[0], "s/lines")
    kept.patch(VERSION + b"".join(hook(n, "apply_start") for n in range(lines)))
    screens = watched(members[1], kept.sender.run, 1)
    pids = [each.running.process.pid for each in members] + [nats.process.pid]
    rest = idle(pids)
    begun = time.monotonic()
    work = spent(pids, lambda: [kept.patch(hook(n, "apply_complete")) for n in range(lines)])
    took = time.monotonic() - begun
    net = [max(0, each - of_rest * took) / lines * 1e6 for each, of_rest in zip(work, rest)]
    found["append_us"], found["followed_append_us"], found["known_append_us"], found["nats_append_us"] = net
    found["idle_member_cores"] = rest[2]
    screens.close()
    for each in members:
        each.kill()
    nats.kill()


def of_three_copies(found, lines):
    class Case(Three):
        def runTest(self):
            pass
    case = Case()
    case.setUp()
    try:
        pids = [each.process.pid for each in case.servers]
        kept = Kept(case.members[0], "s/three")
        kept.patch(VERSION + b"".join(hook(n, "apply_start") for n in range(lines)))
        rest = idle(pids)
        begun = time.monotonic()
        work = spent(pids, lambda: [kept.patch(hook(n, "apply_complete")) for n in range(lines)])
        took = time.monotonic() - begun
        found["nats_append_us_of_three"] = max(0, sum(work) - sum(rest) * took) / lines * 1e6
    finally:
        case.doCleanups()


def of_cards(found, room, runs, seconds):
    """Many runs that go on, a line a second each: what is told of them costs who does not look at any of them."""
    nats = Nats(room)
    members = [Member(room, name, nats.url, "--limits-live-runs", "2000", "--limits-live-runs-per-address", "2000").ready() for name in "ab"]
    pids = [each.running.process.pid for each in members] + [nats.process.pid]
    before, rest = [resident(each) for each in members], idle(pids)
    all_ = [Kept(members[0], "s/%d" % n) for n in range(runs)]
    for each in all_:
        each.patch(VERSION + b"".join(hook(n, "apply_start") for n in range(100)))
    until(lambda: len(json.loads(get(members[1].url + "/v1/runs?limit=500"))["runs"]) >= min(runs, 500), "the runs elsewhere")
    time.sleep(3)
    found["live_run_bytes"] = (resident(members[0]) - before[0]) / runs
    found["known_run_bytes"] = (resident(members[1]) - before[1]) / runs

    def work():
        for second in range(seconds):
            end = time.monotonic() + 1
            for each in all_:
                each.patch(hook(second, "apply_complete"))
            time.sleep(max(0, end - time.monotonic()))
    cards, begun = taken(members[1]), time.monotonic()
    done = spent(pids, work)
    took, cards = time.monotonic() - begun, taken(members[1]) - cards
    found["card_us"] = (done[1] - rest[1] * took) / cards * 1e6
    found["cards_per_run_and_second"] = cards / runs / seconds
    found["appends_at_once_us"] = (done[0] - rest[0] * took) / (runs * seconds) * 1e6
    stored = json.loads(nats.ask("$JS.API.STREAM.INFO.KV_tofud_cards"))["state"]
    found["card_bytes"] = stored["bytes"] / stored["messages"]
    for each in members:
        each.kill()
    nats.kill()


def of_screens(found, room, screens, seconds):
    nats = Nats(room)
    member = Member(room, "a", nats.url, "--limits-connections-per-address", "20000").ready()
    kept = Kept(member, "s/screens")
    kept.patch(VERSION + b"".join(hook(n, "apply_start") for n in range(1000)))
    until(lambda: knows(member, kept.sender.run), "the run")
    pids = [member.running.process.pid]
    empty = resident(member)
    begun = cpu(pids[0])
    all_ = Screens(member, kept.sender.run, screens)
    all_.start()
    end, last = time.monotonic() + 60, -1
    while all_.got != last and time.monotonic() < end:
        last = all_.got
        time.sleep(1)
    found["join_us"] = (cpu(pids[0]) - begun) / screens * 1e6
    found["join_bytes"] = all_.got / screens
    found["screen_bytes"] = (resident(member) - empty) / screens
    rest = idle(pids)

    def work():
        for n in range(seconds * 2):
            end = time.monotonic() + 0.5
            kept.patch(hook(n, "apply_complete"))
            time.sleep(max(0, end - time.monotonic()))
    got, begun = all_.got, time.monotonic()
    done = spent(pids, work)
    took = time.monotonic() - begun
    found["flush_us"] = ((done[0] - rest[0] * took) / (seconds * 2) * 1e6 - found["append_us"]) / screens
    found["flush_bytes"] = (all_.got - got) / screens / (seconds * 2)
    all_.close()
    member.kill()
    nats.kill()


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--write", action="store_true")
    given = words.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    found, room = {}, Room()
    room.setUp()
    try:
        of_lines(found, room, 2000)
        of_three_copies(found, 1000)
        of_cards(found, room, 400, 10)
        of_screens(found, room, 2000, 20)
    finally:
        room.doCleanups()
    for name, value in found.items():
        print("%-28s %12.3f" % (name, value))
    if given.write:
        facts = {"machine": "%d processors" % os.cpu_count(), "program": subprocess.run([TOFUD, "--version"], capture_output=True, text=True).stdout.strip(),
                 "costs": {name: round(value, 3) for name, value in found.items()}}
        (HERE / "costs.json").write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()
