#!/usr/bin/python3
"""Daemons whose clocks are a day off: https://github.com/wolfcw/libfaketime gives one process another time."""
import glob
import json
import os
import signal
import unittest

from binary import EndToEnd, get, recorded, until
from cluster import Member, Nats, Sender

RUN = recorded("apply-create-mixed")
LIBRARY = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")[0]


class Clocks(EndToEnd):
    def setUp(self):
        super().setUp()
        self.nats = Nats(self)

    def off_by(self, name, time, *more):
        """A daemon; what is written into its file later is its time then."""
        file = os.path.join(self.home, "time-of-" + name)
        with open(file, "w") as to:
            to.write(time)
        return Member(self, name, self.nats.url, "--retain-days", "1", *more,
                      env={"LD_PRELOAD": LIBRARY, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_NO_CACHE": "1"})

    def retires_nothing(self, holder, others, run):
        """Who holds the lease looks for old runs."""
        until(lambda: b"tofud_cluster_lease 1" in get(holder.url + "/metrics"), "the lease")
        for count in (1, 2):  # the first look trusts no clock
            holder.running.process.send_signal(signal.SIGHUP)
            until(lambda: holder.said().count("configuration reloaded") == count, "a look for old runs")
        mark = Sender([holder.url], RUN).send_all()
        for each in (holder, *others):
            until(lambda: each.views().get(mark, {}).get("status") == "succeeded", "the run after it")
            self.assertEqual(each.views()[run]["status"], "succeeded")
            self.assertEqual(each.stored(run), RUN)
            self.assertNotIn("retention removed", each.said())

    def says_once(self, daemon, words):
        until(lambda: words in daemon.said(), lambda: "a word about its clock, in " + daemon.said())
        self.assertEqual(daemon.said().count("the clock of this machine"), 1, daemon.said())

    def test_a_day_ahead_is_said_once_and_removes_nothing(self):
        ahead = self.off_by("a", "+26h").ready()
        right = Member(self, "b", self.nats.url, "--retain-days", "1").ready()
        self.says_once(ahead, "the clock of this machine is 26h00m ahead of that of NATS: ")
        run = Sender([right.url], RUN).send_all()
        until(lambda: ahead.views().get(run, {}).get("status") == "succeeded", "the run at the other one")
        self.retires_nothing(ahead, [right], run)
        self.assertNotIn("the clock of this machine", right.said())

    def test_a_day_behind_is_said_once_and_its_runs_stay(self):
        right = Member(self, "b", self.nats.url, "--retain-days", "1").ready()
        behind = self.off_by("a", "-26h").ready()
        self.says_once(behind, "the clock of this machine is 26h00m behind that of NATS: ")
        run = Sender([behind.url], RUN).send_all()
        until(lambda: right.views().get(run, {}).get("status") == "succeeded", "the run at the other one")
        self.retires_nothing(right, [behind], run)

    def test_rows_are_the_same_with_any_clock(self):
        daemons = [self.off_by("a", "+26h").ready(), self.off_by("b", "-26h").ready(), Member(self, "c", self.nats.url).ready()]
        run = Sender([each.url for each in daemons], RUN).send_all()
        rows = []
        for each in daemons:
            until(lambda: each.views().get(run, {}).get("status") == "succeeded", "the run")
            rows.append(json.loads(get("%s/v1/runs/%s" % (each.url, run)))["rows"])
        self.assertEqual(rows[0], rows[1])
        self.assertEqual(rows[0], rows[2])

    def test_one_that_is_set_right_is_said(self):
        daemon = self.off_by("a", "+26h").ready()
        self.says_once(daemon, "26h00m ahead")
        self.assertRegex(get(daemon.url + "/metrics"), rb"tofud_cluster_clock_ahead_seconds 93(599|600)")
        with open(os.path.join(self.home, "time-of-a"), "w") as to:
            to.write("+0h")
        until(lambda: "the clock of this machine agrees with that of NATS again" in daemon.said(), "a word about it")


if __name__ == "__main__":
    unittest.main()
