#!/usr/bin/python3
"""What a daemon holds in memory stays below what its unit gives it, whoever holds it: clients that take nothing of what they asked for, the
longest lines there may be, more rows than anybody has. Meanwhile others are served, and what is sent is stored whole."""
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../end_to_end"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../growth"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../upload"))

import client
import many
import tables
from asking import Daemon
from binary import PATIENCE, EndToEnd, recorded, until

MIB = 1 << 20
PIECE = MIB
# What the process needs besides what it counts: its unit has so much more than the budget (systemd/tofud.service).
BESIDE = 1024 * MIB


class Sending:
    """A stream without a forwarder, sent as it is asked for."""

    def __init__(self, daemon, stack):
        self.connection, self.sent = daemon.connection(), 0
        self.connection.putrequest("PUT", "/v1/runs?stack=" + stack)
        self.connection.putheader("Transfer-Encoding", "chunked")
        self.connection.endheaders()

    def more(self, text):
        for at in range(0, len(text), PIECE):
            piece = text[at:at + PIECE]
            self.connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.sent += len(text)

    def end(self):
        self.connection.send(b"0\r\n\r\n")
        answer = self.connection.getresponse()
        text = answer.read()
        self.connection.close()
        return answer.status, json.loads(text)


class Load(EndToEnd):
    BUDGET = 3072 * MIB

    def setUp(self):
        super().setUp()
        self.daemon = Daemon(self, "--log-level", "warning", "--limits-memory-bytes", "%dMiB" % (self.BUDGET // MIB))
        self.daemon.address = ("127.0.0.1", self.daemon.port)
        self.addCleanup(self.stayed_below)
        self.stop, self.asked, self.wrong = threading.Event(), 0, []
        self.others = threading.Thread(target=self.ask)
        self.others.start()
        self.addCleanup(self.others.join)
        self.addCleanup(self.stop.set)

    def ask(self):
        """Others: whether it is well, and small runs, which may be told to wait, and nothing else."""
        while not self.stop.wait(0.2):
            try:
                self.is_well()
            except Exception as failure:  # told by the test's own thread
                if not self.stop.is_set():
                    self.wrong.append(repr(failure))
                    return

    def is_well(self):
        answer = client.ask(self.daemon.address, "GET", "/healthz")
        self.assertEqual(answer.status, 200, answer)
        self.assertIn(b"tofud_memory_held_bytes", client.ask(self.daemon.address, "GET", "/metrics").body)
        answer = client.ask(self.daemon.address, "PUT", "/v1/runs?stack=other", recorded("plan-noop"))
        if answer.status == 503:
            self.assertIn("retry-after", answer.headers)
        else:
            self.assertEqual((answer.status, answer.json["status"]), (201, "succeeded"), answer)
        self.asked += 1

    def settled(self):
        """The others' end: at least one was served, and none went wrong."""
        self.stop.set()
        self.others.join()
        self.assertEqual(self.wrong, [])
        self.assertGreater(self.asked, 0)

    def status(self, name):
        with open("/proc/%d/status" % self.daemon.running.process.pid) as file:
            return int(re.search(r"(?m)^%s:\s+(\d+) kB" % name, file.read()).group(1)) << 10

    def held(self):
        """What it counts, by what it is for."""
        text = client.ask(self.daemon.address, "GET", "/metrics").body.decode()
        return {part: float(value) for part, value in re.findall(r'tofud_memory_held_bytes\{for="(\w+)"\} (\S+)', text)}

    def refused(self):
        text = client.ask(self.daemon.address, "GET", "/metrics").body.decode()
        return int(re.search(r'tofud_limits_reached_total\{limit="memory_bytes"\} (\d+)', text).group(1))

    def stayed_below(self):
        if self.daemon.running.process.poll() is not None:
            self.fail("the daemon is gone")
        peak = self.status("VmHWM")
        print("%s: %d MiB resident at most, %d MiB now; budget %d MiB; counted now: %s; refused %d times; others served %d times" % (
            self.id().split(".", 1)[1], peak / MIB, self.status("VmRSS") / MIB, self.BUDGET / MIB,
            {part: round(value / MIB) for part, value in self.held().items() if value > MIB}, self.refused(), self.asked), flush=True)
        self.assertLess(peak, self.BUDGET + BESIDE)

    def whole(self, run, text):
        """What is stored is what was sent."""
        with contextlib.closing(self.daemon.connection()) as connection:
            connection.request("GET", "/v1/runs/%s/stream.jsonl" % run)
            answer = connection.getresponse()
            self.assertEqual(answer.status, 200)
            at = 0
            while piece := answer.read(PIECE):
                if piece != text[at:at + len(piece)]:
                    self.fail("differs after %d bytes" % at)
                at += len(piece)
            self.assertEqual(at, len(text))


class SlowReader:
    """Asks, and takes nothing of the answer."""

    def __init__(self, daemon, path, headers=""):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(daemon.address)
        self.socket.sendall(("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n" % (path, daemon.port, headers)).encode())

    def is_answered(self):
        try:
            return bool(self.socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:
            return False

    def head(self):
        """(status, fields) of the answer."""
        text = b""
        while b"\r\n\r\n" not in text:
            piece = self.socket.recv(4096)
            if not piece:
                break
            text += piece
        first, *fields = text.split(b"\r\n\r\n")[0].decode(errors="replace").split("\r\n")
        return int(first.split()[1]), {name.lower(): value for name, value in (field.split(": ", 1) for field in fields)}

    def close(self):
        self.socket.close()


class SlowReaders(Load):
    """64 on each route that can answer with much, all at once."""
    BUDGET = 96 * MIB
    EACH = 64
    THINGS = 20_000
    FEED = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    # And why none of their answers is large.
    WITHOUT = {
        "GET /healthz": "a word", "GET /readyz": "a few lines", "GET /version": "a line", "GET /v1/session": "tells who asks",
        "GET /metrics": "some thousand lines", "GET /v1/notifications": "a thousand lines", "GET /v1/session/oidc": "leads elsewhere", "GET /v1/session/oidc/callback": "a page",
    }

    def filled(self):
        stream = many.VERSION + many.resources(self.THINGS) + many.outputs(self.THINGS) + many.log_lines(self.THINGS)
        answer = client.ask(self.daemon.address, "PUT", "/v1/runs?stack=large", stream)
        self.assertEqual(answer.status, 201, answer)
        upload = client.Upload(self.daemon.address)
        self.assertEqual(upload.create().status, 201)
        self.assertEqual(upload.patch(0, many.VERSION).status, 204)
        answer = client.ask(self.daemon.address, "PUT", "/v1/runs/%s/attachments/plan" % upload.run, json.dumps(many.plan(self.THINGS)).encode(),
                            dict(upload.secret()))
        self.assertEqual(answer.status, 204, answer)
        return answer, json_run(self.daemon, "large"), upload.run

    def paths(self, run, planned):
        of_run, of_planned = "/v1/runs/" + run, "/v1/runs/" + planned
        return {
            "GET /v1/runs": ["/v1/runs?limit=1000"], "GET /v1/stream": ["/v1/stream?run=" + run], "GET /v1/runs/*": [of_run],
            "GET /v1/runs/*/row": [of_run + "/row?kind=resource&key=a_b.c1"], "GET /v1/runs/*/log": [of_run + "/log"],
            "GET /v1/runs/*/stream.jsonl": [of_run + "/stream.jsonl"], "GET /v1/runs/*/events.jsonl": [of_planned + "/events.jsonl"],
            "GET /v1/runs/*/export": [of_run + "/export?format=" + form for form in ("csv", "junit", "trace", "md")],
            "GET /v1/runs/*/plan": [of_planned + "/plan", of_planned + "/plan?format=md"],
            "GET /v1/runs/*/order": [of_planned + "/order"], "GET /v1/runs/*/diff": [of_planned + "/diff?addr=a_b.c0"],
            "GET /feed.schema.json": ["/feed.schema.json"], "GET /LICENSES.txt": ["/LICENSES.txt"], "GET /runs": ["/runs"], "GET /stacks": ["/stacks"], "GET /stacks/*": ["/stacks/large"], "GET /v1/stacks": ["/v1/stacks?limit=1000"], "GET /v1/stacks/*": ["/v1/stacks/large"], "GET /v1/history": ["/v1/history?limit=1000"], "GET /wall/plain": ["/wall/plain"],
        }

    def test_slow_readers_on_every_large_route(self):
        _, run, planned = self.filled()
        paths = self.paths(run, planned)
        table = client.ask(self.daemon.address, "GET", "/metrics").body.decode()
        gets = {route for route in tables.routes(table) if route.startswith("GET ") and not tables.FILES.match(route)}
        self.assertEqual(gets - set(self.WITHOUT), set(paths), "each route has slow readers, or says why it needs none")
        readers = []
        for path in [path for each in paths.values() for path in each] + ["/v1/stream?run=" + run]:
            fields = self.FEED if path.startswith("/v1/stream") and len(readers) > self.EACH * 5 else ""
            for _ in range(self.EACH):
                readers.append(SlowReader(self.daemon, path, fields))
                self.addCleanup(readers[-1].close)
        until(lambda: sum(reader.is_answered() for reader in readers) > len(readers) * 3 // 4, "most are answered")
        answered = [reader for reader in readers if reader.is_answered()]
        statuses = {}
        for reader in answered:
            status, fields = reader.head()
            statuses[status] = statuses.get(status, 0) + 1
            self.assertIn(status, (200, 101, 503), fields)
            if status == 503:
                self.assertIn("retry-after", fields)
        print("answered: %s of %d" % (statuses, len(readers)), flush=True)
        self.assertGreater(statuses.get(200, 0), 0)
        self.assertGreater(self.refused(), 0, "the budget was never reached")
        for reader in readers:
            reader.close()
        until(lambda: client.ask(self.daemon.address, "GET", "/v1/runs/" + run).status == 200, "there is room again")
        self.settled()


def json_run(daemon, stack):
    """The run's id of a stack that has one."""
    text = client.ask(daemon.address, "GET", "/v1/runs?stack=" + stack)
    return text.json["runs"][0]["key"]


class LongLines(Load):
    STREAMS, LINE = 12, 60 * MIB

    def test_twelve_streams_of_lines_of_60_mib(self):
        line = many.line("log", message="x" * (self.LINE - 300))
        self.assertLess(len(line), self.LINE)
        streams = [Sending(self.daemon, "long%d" % number) for number in range(self.STREAMS)]
        for stream in streams:
            stream.more(many.VERSION)
            stream.more(line[:-1])  # none of them has ended
        for stream in streams:
            stream.more(b"\n")
        for stream in streams:
            stream.more(line[:-1])
        for stream in streams:
            stream.more(b"\n" + many.line("change_summary", changes={"add": 0, "change": 0, "remove": 0, "import": 0, "operation": "apply"}))
        for stream in streams:
            status, said = stream.end()
            self.assertEqual((status, said["bytes"]), (201, stream.sent), said)
        self.settled()


class ManyRows(Load):
    def test_a_million_diagnostics(self):
        stream = Sending(self.daemon, "diagnostics")
        stream.more(many.VERSION)
        pieces = many.diagnostics(10_000)
        for number in range(100):
            stream.more(pieces.replace(b'"summary": "s', b'"summary": "of %d, number ' % number))
        status, said = stream.end()
        self.assertEqual((status, said["bytes"]), (201, stream.sent), said)
        self.settled()


class SmallBudget(Load):
    """Runs that go on and take more than there is: the largest is only stored, whoever looks at it is told, and it comes back."""
    BUDGET = 32 * MIB

    def test_a_run_that_is_too_large_is_stored_and_comes_back(self):
        small = Sending(self.daemon, "small")
        small.more(many.VERSION + many.resources(10))
        until(lambda: client.ask(self.daemon.address, "GET", "/v1/runs?stack=small").json["runs"], "it has begun")
        large = Sending(self.daemon, "large")
        text = many.VERSION + many.resources(1000)
        large.more(text)
        until(lambda: client.ask(self.daemon.address, "GET", "/v1/runs?stack=large").json["runs"], "it has begun")
        run = json_run(self.daemon, "large")
        viewer = subprocess.Popen(["curl", "-sSN", self.daemon.url + "v1/stream?run=" + run], stdout=subprocess.PIPE)
        self.addCleanup(viewer.stdout.close)
        self.addCleanup(viewer.wait)
        self.addCleanup(viewer.kill)
        more = many.resources(60_000)
        large.more(more)
        text += more
        last = viewer.stdout.read().splitlines()[-1]
        self.assertEqual(json.loads(last)["code"], 1013, last)
        until(lambda: b"is not shown for now" in b"".join(self.daemon.running.err.got), "the log says so")
        # Others are shown meanwhile.
        until(lambda: client.ask(self.daemon.address, "GET", "/v1/runs/" + json_run(self.daemon, "small")).status == 200, "the small one is there")
        end = many.line("change_summary", changes={"add": 0, "change": 0, "remove": 0, "import": 0, "operation": "apply"})
        small.more(end)
        self.assertEqual(small.end()[1]["status"], "succeeded")
        large.more(end)
        status, said = large.end()
        self.assertEqual((status, said["bytes"]), (201, len(text) + len(end)), said)
        until(lambda: client.ask(self.daemon.address, "GET", "/v1/runs/%s/stream.jsonl" % run).status == 200, "it may be read")
        self.whole(run, text + end)
        self.settled()


if __name__ == "__main__":
    unittest.main(verbosity=2)
