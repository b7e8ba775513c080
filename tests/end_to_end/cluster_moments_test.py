#!/usr/bin/python3
"""Two daemons that are asked for any run at any number give the same bytes: over the recordings, however they were cut on their way in."""
import json
import os
import random
import time
import unittest
import urllib.error

from binary import PATIENCE, all_recordings, curl, get, recorded, until
from cluster import Clustered, Member, Nats, Sender

SEED = int(os.environ.get("TOFUD_MOMENTS_SEED", str(random.randrange(1 << 30))))
RUNS = int(os.environ.get("TOFUD_MOMENTS_RUNS", "40"))
KINDS = "resource,diagnostic,output,message,test_file,test_run"


def numbered(url, run, since=""):
    lines = curl("%s/v1/stream?run=%s&end=close&kinds=%s%s" % (url, run, KINDS, since)).splitlines()
    return [line for line in lines if json.loads(line).get("seq") is not None]


class Moments(Clustered):
    def setUp(self):
        super(Clustered, self).setUp()
        self.nats = Nats(self)
        # What a run shows is said by who began it, whatever the others are set to.
        self.members = [Member(self, "a", self.nats.url).ready(), Member(self, "b", self.nats.url, "--redact-provisioner-output", "hide").ready()]

    def test_rows_are_the_same_bytes_at_any_number(self):
        print("seed %d" % SEED, flush=True)
        chosen = random.Random(SEED)
        scenarios = [each for each in all_recordings() if 500 < len(recorded(*each)) < 400_000 and b'"type":"version"' in recorded(*each)]
        for scenario in chosen.sample(scenarios, min(RUNS, len(scenarios))):
            with self.subTest(scenario=scenario):
                sender = Sender(self.urls(), recorded(*scenario), stack="s")
                sender.event(event="label", key="first", value="1")
                end = time.monotonic() + PATIENCE
                while not sender.is_over:
                    self.assertLess(time.monotonic(), end, "it is never sent whole")
                    if sender.at and len(sender.events) < 3 and chosen.random() < 0.2:
                        sender.event(event="label", key="k%d" % len(sender.events), value="v")
                    sender.step(chosen.choice((7, 100, 4000, 100_000)))
                run = sender.run
                for each in self.members:
                    until(lambda each=each: each.views().get(run, {}).get("status") not in (None, "running"), "the end at " + each.name)
                first, second = [numbered(each.url, run) for each in self.members]
                self.assertEqual(first, second)
                epoch = json.loads(curl("%s/v1/stream?run=%s&end=close" % (self.members[0].url, run)).splitlines()[0])["epoch"]
                head = max([json.loads(line)["seq"] for line in first], default=0)
                for number in chosen.sample(range(head + 1), min(4, head + 1)):
                    since = "&since=%s:%d" % (epoch, number)
                    one, other = [numbered(each.url, run, since) for each in self.members]
                    self.assertEqual(one, other, number)
                    self.assertTrue(all(json.loads(line)["seq"] > number or json.loads(line)["kind"] == "at" for line in one), number)
                    self.assertEqual(*[self.moment(each, run, number) for each in self.members], number)

    def moment(self, member, run, number):
        try:
            return get("%s/v1/stream?run=%s&at=%d&kinds=%s" % (member.url, run, number, KINDS)).replace(member.url.encode(), b"URL")
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read()


if __name__ == "__main__":
    unittest.main()
