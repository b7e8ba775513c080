#!/usr/bin/python3
"""Many runs, many subscribers, some of them stalled for good, some that come and go for ever.

Nothing here is a measure of speed: durations are printed and decide nothing; tests/bench is where speed is looked at.
"""
import json
import os
import pathlib
import select
import statistics
import subprocess
import sys
import time
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from binary import PATIENCE, ROOT, EndToEnd, Lines, until
from client import Connection, Upload, connect
from daemons import Tofud, replayed_rows, sanitized
from faults import Faults
from load_clients import generated

CLIENTS = str(pathlib.Path(__file__).resolve().parent / "load_clients.py")
SLOW = sanitized()
RUNS = int(os.environ.get("TOFUD_LOAD_RUNS") or (60 if SLOW else 200))
SECONDS = float(os.environ.get("TOFUD_LOAD_SECONDS", "40"))
LONG = int(os.environ.get("TOFUD_LONG_RUN") or (40_000 if SLOW else 100_000))
# Of 500 subscribers, at least one reads each run.
PLAN = {"healthy": 390, "wall": 10, "stalled": 50, "restless": 50}
HASTE = float(os.environ.get("TOFUD_LOAD_HASTE", "4"))  # the daemon's time goes so much faster, so that who stalls is dropped within the test


# More lines than can be on their way to the daemon when it begins to read a long run: the one who writes them waits for each.
ENOUGH = 5


def message(number):
    return (b'{"@level":"info","@message":"line %d","@module":"tofu.ui","@timestamp":"2026-11-21T05:00:00.000000Z","type":"log"}\n' %
            number)


class Clients:
    def __init__(self, case, *args):
        self.process = subprocess.Popen([sys.executable, CLIENTS, *map(str, args)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=case.env())
        self.out = Lines(self.process.stdout)
        case.addCleanup(self.process.wait)
        case.addCleanup(self.process.kill)
        case.addCleanup(self.process.stdin.close)

    def told(self):
        line = self.out.next()
        if line is None:
            raise AssertionError("the clients ended with %d" % self.process.wait())
        return json.loads(line)

    def tell(self, what):
        self.process.stdin.write(what.encode() + b"\n")
        self.process.stdin.flush()

    def asked(self, what):
        self.tell(what)
        return self.told()


class Load(EndToEnd):
    def test_many_runs_and_subscribers_cost_what_they_should(self):
        faults = Faults(self.home, self.home)
        self.addCleanup(faults.close)
        daemon = Tofud(self, env=faults.env)
        faults.hasten(int(HASTE))
        uploads, subscribers = Clients(self, "upload", daemon.port, RUNS, SECONDS, 1.5), Clients(self, "subscribe", daemon.port)
        began = uploads.told()
        runs, start = began["runs"], began["began"]
        while time.monotonic() < start + SECONDS * 0.25:  # alone: what an acknowledgement takes at rest
            time.sleep(0.1)
        subscribers.tell(json.dumps({"runs": runs, "plan": PLAN}))
        self.assertEqual(subscribers.told()["connected"], sum(PLAN.values()))
        joined, memory = time.monotonic(), []
        until_when = start + SECONDS * 0.97
        while time.monotonic() < until_when:
            self.assertIsNone(daemon.process.poll(), daemon.err.got[-20:])
            memory.append(daemon.resident())
            time.sleep(0.1)
        done = uploads.told()
        self.assertEqual(len(done["streams"]), RUNS)
        visits = subscribers.asked("ended")["visits"]

        # Printed, for whoever wonders: how much longer acknowledgements take than at rest. What else the machine does is in it.
        rest = sorted(wait for sent, wait in done["waits"] if sent < start + SECONDS * 0.25)
        load = sorted(wait for sent, wait in done["waits"] if joined < sent < until_when)
        middle = statistics.median(load) / statistics.median(rest)
        slowest = load[-1 - len(load) // 100] / rest[-1 - len(rest) // 100]

        # After a warm-up memory stays where it is, though rows go on changing.
        memory = memory[len(memory) // 10:]
        third = len(memory) // 3
        first, last = statistics.median(memory[:third]), statistics.median(memory[-third:])

        def walls():
            found = subscribers.asked("walls")
            return found if not any(found["walls"]) else None
        wall = until(walls, "all who watch the wall hold the same")
        self.assertGreaterEqual(wall["rows"], RUNS)
        until(lambda: time.monotonic() > joined + 80 / HASTE, "those that stalled have been seen to")
        closes = subscribers.asked("late")["closes"]
        compared = subscribers.asked("compare")
        print("%d runs, %d subscribers, %d visits of those that come and go\n"
              "acknowledgements: median %.1f ms at rest, %.1f ms under load (%.1f times), slowest hundredth %.1f times\n"
              "memory: %.1f MiB, later %.1f MiB\nstalled: %s" %
              (RUNS, sum(PLAN.values()), sum(visits), statistics.median(rest) * 1e3, statistics.median(load) * 1e3, middle, slowest,
               first / 2**20, last / 2**20, {str(code): closes.count(code) for code in closes}), file=sys.stderr)

        self.assertEqual(compared["wrong"], [])
        self.assertEqual(compared["resets"], 0)
        self.assertEqual(compared["compared"], PLAN["healthy"] + PLAN["restless"])
        for run, rows in compared["rows"].items():
            expected = replayed_rows(self, run, generated(done["streams"][run]))
            found = {row["key"]: row for row in rows if row["kind"] == "resource"}
            self.assertEqual(found, expected["resource"])
        self.assertGreater(min(visits), 1)
        if not SLOW:  # a sanitizer keeps what is freed for a while
            self.assertLess(last, 1.3 * first)
        self.assertEqual(set(closes) - {4008, "cut"}, set())

    def opened_meanwhile(self, daemon, long):
        """How many lines of a live run the daemon took, one after the other, before the first byte of a long run came that it had
        to read from disk; nothing of it is in memory."""
        live = Upload(daemon.tcp)
        live.create()
        writing, opening = Connection(daemon.tcp), connect(daemon.tcp)
        self.addCleanup(writing.close)
        self.addCleanup(opening.close)
        watching = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            "%sv1/stream?run=%s&end=close" % (daemon.url, live.run), timeout=PATIENCE)
        at = live.patch(0, message(0), connection=writing).offset
        asked = time.monotonic()
        opening.sendall(("GET /v1/stream?run=%s&end=close HTTP/1.1\r\nHost: localhost\r\n\r\n" % long.run).encode())
        taken = 0
        while not select.select([opening], [], [], 0)[0]:
            taken += 1
            at = live.patch(at, message(taken), connection=writing).offset
        opened = time.monotonic()
        with opening.makefile("rb") as answer:
            rows = sum(line.startswith(b'{"kind":"resource"') for line in answer)
        self.assertEqual(rows, LONG)
        self.assertEqual(live.patch(at, b"", True, connection=writing).status, 204)
        with watching:
            self.assertEqual(sum(line.startswith(b'{"kind":"message"') for line in watching), taken + 1)
        print("a run of %d resources was opened in %.2f s; %d lines of a live run were taken meanwhile" % (LONG, opened - asked, taken),
              file=sys.stderr)
        return taken

    def test_opening_a_long_run_from_disk_stalls_no_other(self):
        daemon = Tofud(self)
        long = Upload(daemon.tcp)
        long.create()
        at, pieces = 0, subprocess.Popen(
            [sys.executable, str(ROOT / "tests/tools/gen_stream.py"), "--resources", str(LONG), "--limit", str(LONG + 2), "--plain-keys"],
            stdout=subprocess.PIPE)
        connection = Connection(daemon.tcp)
        self.addCleanup(connection.close)
        with pieces.stdout:
            while data := pieces.stdout.read(1 << 20):
                answer = long.patch(at, data, connection=connection)
                self.assertEqual(answer.status, 204, answer)
                at = answer.offset
        pieces.wait()
        self.assertEqual(long.patch(at, b"", True, connection).status, 204)

        # Opened in one piece, it would let through what was on its way when it began, and no more, however often one tries. One who
        # writes may be kept waiting by the machine: not each time.
        def goes_on_meanwhile():
            daemon.kill()
            daemon.start()
            return self.opened_meanwhile(daemon, long) >= ENOUGH
        self.assertTrue(any(goes_on_meanwhile() for _ in range(5)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
