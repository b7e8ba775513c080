#!/usr/bin/python3
"""Many runs, many subscribers, some of them stalled for good, some that come and go for ever.

Nothing here is a measure of speed: what is compared was measured in the same minute on the same machine, and the
bounds are wide. The numbers are printed; tests/bench is where speed is looked at.
"""
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time
import unittest
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from binary import PATIENCE, ROOT, EndToEnd, Lines, until
from client import Connection, Upload, together
from daemons import Tofud, replayed_rows, sanitized
from faults import Faults
from load_clients import generated

CLIENTS = str(pathlib.Path(__file__).resolve().parent / "load_clients.py")
SLOW = sanitized()
RUNS = int(os.environ.get("TOFUD_LOAD_RUNS") or (60 if SLOW else 200))
SECONDS = float(os.environ.get("TOFUD_LOAD_SECONDS", "40"))
LONG = int(os.environ.get("TOFUD_LONG_RUN") or (20_000 if SLOW else 100_000))
# Of 500 subscribers, at least one reads each run.
PLAN = {"healthy": 390, "wall": 10, "stalled": 50, "restless": 50}
HASTE = float(os.environ.get("TOFUD_LOAD_HASTE", "4"))  # the daemon's time goes so much faster, so that who stalls is dropped within the test


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

        # Acknowledgements came as they do at rest.
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
        self.assertGreater(min(visits), 3)
        if not SLOW:  # a sanitizer keeps what is freed for a while
            self.assertLess(last, 1.3 * first)
        self.assertLess(middle, 30)
        self.assertEqual(set(closes) - {4008, "cut"}, set())

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
        daemon.kill()
        daemon.start()  # nothing of it is in memory now

        live, over, arrivals = Upload(daemon.tcp), threading.Event(), []
        live.create()
        lines = (b'{"@level":"info","@message":"line %d","@module":"tofu.ui","@timestamp":"2026-11-21T05:00:00.000000Z","type":"log"}\n' % number
                 for number in itertools.count())

        def write():
            where = 0
            while not over.wait(0.01):
                where = live.patch(where, next(lines), connection=writing).offset
            live.patch(where, b"", True, connection=writing)

        def watch():
            answer = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                "%sv1/stream?run=%s&end=close" % (daemon.url, live.run), timeout=PATIENCE)
            for line in answer:
                if line.startswith(b'{"kind":"message"'):
                    arrivals.append(time.monotonic())

        readers, spans = [], []

        def read():
            began, rows = time.monotonic(), 0
            answer = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                "%sv1/stream?run=%s&end=close" % (daemon.url, long.run), timeout=PATIENCE)
            for line in answer:
                rows += line.startswith(b'{"kind":"resource"')
            spans.append((began, time.monotonic(), rows))
        writing = Connection(daemon.tcp)
        self.addCleanup(writing.close)
        with together(threading.Thread(target=write), threading.Thread(target=watch)):
            time.sleep(2)
            readers = [threading.Thread(target=read) for _ in range(3)]
            opened = time.monotonic()
            with together(*readers):
                pass
            done = time.monotonic()
            over.set()
        gaps = lambda begin, end: [later - one for one, later in zip(arrivals, arrivals[1:]) if begin < later and one < end]
        before, during = gaps(opened - 1.5, opened), gaps(opened, done)
        print("a run of %d resources, opened by 3 in %.2f s; the live run's longest gap was %.0f ms before, %.0f ms meanwhile (%.1f times)" %
              (LONG, done - opened, max(before) * 1e3, max(during) * 1e3, max(during) / max(before)), file=sys.stderr)
        self.assertEqual([rows for _, _, rows in spans], [LONG] * 3)
        # Lines of the live run came all the time: the longest silence is a small part of the opening.
        self.assertGreater(len(during), 10)
        self.assertLess(max(during), max((done - opened) / 3, 5 * max(before)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
