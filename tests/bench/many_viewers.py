#!/usr/bin/python3
"""A daemon with many viewers: how old a change is when the last of them has it, and what that takes.

    tests/bench/many_viewers.py rows [--subscribers 1000] [--rate 100000] [--seconds 5]
    tests/bench/many_viewers.py runs [--runs 1000] [--rate 50] [--seconds 20]

`rows`: one run whose resources change at that rate; each subscriber holds their states. `runs`: so many runs at once, each sent over a
connection of its own, with a viewer for each and 200 on the wall. The best of three times is told: who else uses the host only ever adds to it.
TOFUD names the program; the journal lies in memory (/dev/shm)."""
import argparse
import contextlib
import json
import os
import re
import resource
import selectors
import socket
import time

from room import Daemon, Room, found, memory, used

TIME = "2026-11-21T05:23:37.000000Z"
MARK = re.compile(rb"mark~(\d+)~")


def line(kind, **fields):
    return json.dumps({"@level": "info", "@message": "m", "@module": "tofu.ui", "@timestamp": TIME, "type": kind, **fields}, separators=(",", ":")).encode() + b"\n"


def hook(number, **more):
    name = "r%d" % number
    return {"resource": {"addr": "null_resource." + name, "module": "", "resource": "null_resource." + name, "implied_provider": "null",
                         "resource_type": "null_resource", "resource_name": name, "resource_key": None}, **more}


VERSION = line("version", tofu="1.12.6", ui="1.2")


class Upload:
    """A run that is sent piece by piece."""

    def __init__(self, port, name):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(b"PUT /v1/runs?stack=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nTransfer-Encoding: chunked\r\n\r\n" % (name.encode(), port))

    def send(self, lines):
        self.socket.sendall(b"%x\r\n%s\r\n" % (len(lines), lines))


class Viewers:
    """Subscribers that only look for a mark in what they get."""

    def __init__(self, port):
        self.port, self.all, self.poll = port, [], selectors.EpollSelector()
        self.room = bytearray(1 << 18)

    def add(self, query, reads=True):
        """`reads`: what it gets is looked at. What the others get is dropped in the kernel: whoever measures must not be what is slow."""
        viewer = socket.create_connection(("127.0.0.1", self.port))
        viewer.sendall(b"GET /v1/stream?%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: application/x-ndjson\r\n\r\n" % (query.encode(), self.port))
        viewer.setblocking(False)
        self.poll.register(viewer, selectors.EVENT_READ, len(self.all) if reads else None)
        self.all.append(viewer)

    def read(self, timeout):
        """(viewer, what it got), of those who are looked at and got something within that time."""
        for key, _ in self.poll.select(timeout):
            try:
                if key.data is None:
                    self.drop_what_came(key.fileobj)
                    continue
                count = key.fileobj.recv_into(self.room)
            except BlockingIOError:
                continue
            assert count > 0, "a viewer was sent away"
            yield key.data, bytes(memoryview(self.room)[:count])

    def drop(self):
        """What came to any, as if nobody looked."""
        for key, _ in self.poll.select(0):
            with contextlib.suppress(BlockingIOError):
                self.drop_what_came(key.fileobj)

    def drop_what_came(self, viewer):
        assert viewer.recv_into(self.room, 0, socket.MSG_TRUNC) > 0, "a viewer was sent away"


def change_rows(asked):
    with Room() as room, Daemon(room, os.path.join(room.path, "state")) as daemon:
        upload = Upload(daemon.port, "rows")
        upload.send(VERSION + b"".join(line("planned_change", change={"resource": hook(i)["resource"], "action": "create"}) for i in range(200)))
        time.sleep(0.5)
        viewers = Viewers(daemon.port)
        for _ in range(asked.subscribers):
            viewers.add("run=latest&kinds=resource")
        # A row has how many lines its provisioner has printed. Steps that begin and end would make it longer at each change.
        upload.send(b"".join(line("apply_start", hook=hook(i, action="create")) + line("provision_start", hook=hook(i, provisioner="local-exec")) for i in range(200)))
        changes = [line("provision_progress", hook=hook(i, provisioner="local-exec", output="x")) for i in range(200)]
        slices = 50  # a second
        piece = b"".join(changes[i % 200] for i in range(asked.rate // slices))
        began, sent, cpu = time.monotonic(), 0, used(daemon.pid)
        while sent < asked.seconds * slices:
            if time.monotonic() >= began + sent / slices:
                upload.send(piece)
                sent += 1
            viewers.drop()
        took, cpu = time.monotonic() - began, used(daemon.pid) - cpu
        last = time.monotonic()
        upload.send(line("apply_start", hook=hook(77777, action="create")))
        waiting = set(range(asked.subscribers))
        tails = {}
        while waiting:
            for viewer, bytes_of in viewers.read(5):
                if b"r77777" in tails.get(viewer, b"") + bytes_of:
                    waiting.discard(viewer)
                tails[viewer] = bytes_of[-16:]
            assert time.monotonic() - last < 30, "%d viewers never had the last change" % len(waiting)
        return [("row changes, last everywhere", 1000 * (time.monotonic() - last), "ms"),
                ("row changes, a second", sent * (asked.rate // slices) / took, ""),
                ("row changes, processors", cpu / took, "")]


def many_runs(asked):
    with Room() as room, Daemon(room, os.path.join(room.path, "state"), "--limits-live-runs", str(2 * asked.runs)) as daemon:
        uploads = []
        for number in range(asked.runs):
            uploads.append(Upload(daemon.port, "stack-%d" % number))
            uploads[-1].send(VERSION + line("apply_start", hook=hook(0, action="create")) + line("provision_start", hook=hook(0, provisioner="local-exec")))
            if number % 100 == 99:
                time.sleep(0.3)
        time.sleep(2)
        runs = json.loads(daemon.get("/v1/runs?limit=%d" % asked.runs))["runs"]
        viewers = Viewers(daemon.port)
        for number in range(asked.runs):  # more than one looks at some of them
            viewers.add("run=%s&kinds=resource,log" % runs[number % len(runs)]["run"])
        for _ in range(200):
            viewers.add("", reads=False)
        slices, late = 5, []  # each run sends so often a second
        began, sent, cpu = time.monotonic(), 0, used(daemon.pid)
        rounds, per = asked.seconds * slices, max(1, asked.rate // slices)
        lines = line("provision_progress", hook=hook(0, provisioner="local-exec", output="MARK")) * per
        order = [(i / asked.runs / slices, upload) for i, upload in enumerate(uploads)]
        for number in range(rounds):
            for offset, upload in order:
                due = began + number / slices + offset
                while True:
                    now = time.monotonic()
                    if now >= due:
                        break
                    for _, got in viewers.read(min(0.005, due - now)):
                        late += [time.monotonic() - int(each) / 1e6 for each in MARK.findall(got)[-1:]]
                upload.send(lines.replace(b"MARK", b"mark~%d~" % (time.monotonic() * 1e6)))
                sent += per
        took, cpu = time.monotonic() - began, used(daemon.pid) - cpu
        late.sort()
        return [("many runs, p99 of a change", 1000 * late[len(late) * 99 // 100], "ms"),
                ("many runs, p50 of a change", 1000 * late[len(late) // 2], "ms"),
                ("many runs, of them looked at", len(runs), ""),
                ("many runs, lines a second", sent / took, ""),
                ("many runs, processors", cpu / took, ""),
                ("many runs, memory of the daemon", memory(daemon.pid, "VmHWM") / 1e6, "MB")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(required=True)
    rows = kinds.add_parser("rows")
    rows.add_argument("--subscribers", type=int, default=1000)
    rows.add_argument("--rate", type=int, default=100000)
    rows.add_argument("--seconds", type=int, default=5)
    rows.set_defaults(does=change_rows)
    runs = kinds.add_parser("runs")
    runs.add_argument("--runs", type=int, default=1000)
    runs.add_argument("--rate", type=int, default=50)
    runs.add_argument("--seconds", type=int, default=20)
    runs.set_defaults(does=many_runs)
    for each in (rows, runs):
        each.add_argument("--times", type=int, default=3)
    asked = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for figure in min((asked.does(asked) for _ in range(asked.times)), key=lambda figures: figures[0][1]):
        found(*figure)


if __name__ == "__main__":
    main()
