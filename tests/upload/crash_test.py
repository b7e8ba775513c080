#!/usr/bin/python3
"""A daemon that is killed again and again while twenty forwarders send to it loses nothing and doubles nothing.

    crash_test.py OfTofud | OfTheReference [test ...]

TOFUD_KILLS says how often (default 200 in the first test, fewer in the others and with sanitizers); TOFUD_SEED repeats a run.
"""
import os
import pathlib
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from binary import EndToEnd, until
from client import ask
from daemons import Reference, Tofud, sanitized
from weather import Crowd, seed_of_this_run

KILLS = int(os.environ.get("TOFUD_KILLS") or (40 if sanitized() else 200))
PHASES = ("starting", "any", "create", "patch", "sent", "event", "complete", "ended")
DAY = 24 * 3600


class Crashes:
    def setUp(self):
        super().setUp()
        self.seed = seed_of_this_run()
        self.addCleanup(lambda: self.failed() and print("TOFUD_SEED=" + self.seed, file=sys.stderr))
        self.daemon = self.daemon_kind(self)

    def failed(self):
        result = self._outcome.result
        return any(test is self or getattr(test, "test_case", None) is self for test, _ in result.errors + result.failures)

    def one_crash(self, crowd, chance, starting):
        """Kills the daemon at some moment and starts it. `starting`: how long that takes."""
        phase = chance.choice(PHASES)
        if phase == "starting":
            self.daemon.kill()
            self.daemon.launch()
            time.sleep(chance.random() * starting)
        elif phase == "any":
            time.sleep(chance.random() * 0.3)
        elif phase == "ended":  # what is done when a run is over, beside the requests
            before = sum(one.forwarder.done for one in crowd.sent)
            end = time.monotonic() + 1
            while sum(one.forwarder.done for one in crowd.sent) == before and time.monotonic() < end:
                time.sleep(0.002)
            time.sleep(chance.random() * 0.05)
        else:
            crowd.trap.set(phase, self.daemon)
            crowd.trap.sprung.wait(1)
            crowd.trap.set(None, None)
        status = self.daemon.kill()
        self.assertEqual(status, -9, "%s in phase %s: %r" % (status, phase, self.daemon.errors[-1][-3000:]))
        began = time.monotonic()
        self.daemon.start()
        crowd.healthy()
        return time.monotonic() - began

    def crashes(self, crowd, count):
        chance, starting = crowd.chance("crashes"), 0.1
        for _ in range(count):
            starting = 0.8 * starting + 0.2 * self.one_crash(crowd, chance, starting)

    def all_is_there(self, crowd, **allowed):
        crowd.finish()
        crowd.verify(**allowed)
        self.daemon.kill()
        self.daemon.start()
        crowd.verify(**allowed)
        print("%d lives, %s" % (self.daemon.lives, crowd.told()), file=sys.stderr)

    def test_killed_at_any_moment_it_has_all_that_was_sent(self):
        crowd = Crowd(self, self.daemon, self.seed)
        self.crashes(crowd, KILLS)
        self.all_is_there(crowd)

    def test_a_forwarder_that_lost_its_offset_gets_it_from_the_daemon(self):
        crowd = Crowd(self, self.daemon, self.seed, broken=0.2)
        self.crashes(crowd, KILLS // 20)
        self.all_is_there(crowd)

    def test_a_disk_that_refuses_now_and_then_loses_nothing(self):
        faults = self.daemon.start_with_faults()
        crowd, over, refused = Crowd(self, self.daemon, self.seed), threading.Event(), []
        chance = crowd.chance("weather")

        def weather():
            while not over.wait(chance.random() * 0.2):
                kind = chance.choice(({"write_error": "ENOSPC"}, {"write_error": "EIO"}, {"sync_error": "EIO"}, {"sync_error": "ENOSPC"},
                                      {"room": chance.randint(0, 100_000)}, {"create_error": "ENOSPC"},
                                      {"room": 0, "create_error": "ENOSPC"}))
                faults.set(**kind, **({"skipped": chance.randint(0, 20)} if "room" not in kind else {}))
                over.wait(chance.random() * 0.2)
                refused.append(faults.refused())
                faults.set()
        thread = threading.Thread(target=weather)
        thread.start()
        try:
            for _ in range(max(10, KILLS // 10)):
                if chance.random() < 0.5:
                    time.sleep(0.2)
                    crowd.healthy()
                    self.assertIsNone(self.daemon.process.poll(), "a disk that refuses ends no daemon")
                    continue
                over.set()  # a daemon may refuse to start without a disk; not what is asked here
                thread.join()
                over.clear()
                thread = threading.Thread(target=weather)
                self.daemon.kill()
                self.daemon.start()
                thread.start()
        finally:
            over.set()
            thread.join()
            faults.set()
        self.assertGreater(sum(refused), 0)
        self.all_is_there(crowd, resets=True)

    def test_a_clock_that_jumps_loses_no_run_and_no_contact(self):
        faults = self.daemon.start_with_faults()
        crowd = Crowd(self, self.daemon, self.seed)
        chance = crowd.chance("clock")
        for jump in (20 * 60, -20 * 60, 2 * DAY, -2 * DAY, 0, 90 * 60, -DAY, 0):
            faults.set(clock_s=jump)
            time.sleep(0.3 + chance.random() * 0.3)
            crowd.healthy()
            if self.daemon.folds:
                self.assert_contact(crowd)
            if chance.random() < 0.5:
                self.daemon.kill()
                self.daemon.start()
        faults.set(clock_s=0)
        self.all_is_there(crowd)

    def assert_contact(self, crowd):
        """Runs whose forwarder sends all the time are never lost, whatever the clock says."""
        for one in [one for one in list(crowd.sent) if one.run and not one.forwarder.done]:
            def listed(one=one):  # as soon as its first line is folded
                self.assertEqual(one.forwarder.upload.head().status, 200)  # an accepted request
                document = ask(self.daemon.tcp, "GET", "/v1/runs?limit=1000").json
                return next((run for run in document["runs"] if run["key"] == one.run), None)
            view = until(listed, "%s in the list" % one.run)
            if view["status"] == "running":
                self.assertEqual(view["contact"], "ok", one.run)

    def test_a_stopped_daemon_has_all_it_acknowledged_and_exits_with_0(self):
        crowd = Crowd(self, self.daemon, self.seed)
        for number in (15, 2, 15):
            time.sleep(0.7)
            self.assertEqual(self.daemon.kill(number), 0)
            self.daemon.start()
            crowd.healthy()
        self.all_is_there(crowd)


class OfTheReference(Crashes, EndToEnd):
    daemon_kind = Reference


class OfTofud(Crashes, EndToEnd):
    daemon_kind = Tofud


if __name__ == "__main__":
    unittest.main(verbosity=2)
