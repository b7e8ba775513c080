#!/usr/bin/python3
"""Daemons of the release before this one and of this one share their runs, while they are replaced one after the other.

TOFUD_PREVIOUS names the program of the release before; .ci/previous-release builds it."""
import json
import os
import random
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.request

from binary import TOFUD, EndToEnd, Follower, recorded, until
from cluster import Member, Nats, Sender, epoch, rows

RUN = recorded("apply-create-mixed")
PREVIOUS = os.environ.get("TOFUD_PREVIOUS", "")


@unittest.skipUnless(os.path.exists(PREVIOUS), "there is no program of a release before this one")
class Versions(EndToEnd):
    def setUp(self):
        super().setUp()
        self.nats = Nats(self)
        self.members = [Member(self, name, self.nats.url, program=program) for name, program in (("a", PREVIOUS), ("b", TOFUD), ("c", PREVIOUS))]
        for each in self.members:
            each.ready()

    def everywhere(self, holds, what):
        for each in self.members:
            until(lambda each=each: holds(each), "%s at %s" % (what, each.name))

    def replace(self, member, program):
        member.running.process.terminate()
        member.running.wait()
        member.program = program
        member.start().ready()

    def same_rows(self, run):
        """Those of one fold are the same; another one has another epoch."""
        by_epoch = {}
        for each in self.members:
            by_epoch.setdefault(epoch(each.url, run), []).append(rows(each.url, run))
        for all_rows in by_epoch.values():
            self.assertTrue(all_rows[0])
            for other in all_rows[1:]:
                self.assertEqual(other, all_rows[0])

    def test_each_takes_and_shows_any_run(self):
        runs = []
        for member in self.members:
            sender = Sender([member.url], RUN, stack="net/" + member.name)
            sender.event(event="label", key="ticket", value="OPS-7")
            runs.append(sender.send_all())
        moved = Sender([each.url for each in self.members], RUN, stack="net/moved").send_all(size=1500)
        for run in (*runs, moved):
            self.everywhere(lambda each: each.views().get(run, {}).get("status") == "succeeded", "run " + run)
            self.everywhere(lambda each: each.stored(run) == RUN, "its bytes")
            self.same_rows(run)
        for run in runs:
            self.everywhere(lambda each: each.views()[run]["labels"].get("ticket") == "OPS-7", "its label")

    def test_a_subscriber_moves_between_them(self):
        old, new = self.members[0], self.members[1]
        for first, second in ((old, new), (new, old)):
            sender = Sender([first.url], RUN)
            sender.step(4096)
            sender.step(20000)
            follower = Follower("%s/v1/stream?run=%s&end=close&kinds=resource,message" % (first.url, sender.run))
            follower.visit(lines=38)
            self.assertIsNotNone(follower.since)
            follower.url = follower.url.replace(first.url, second.url)
            sender.send_all()
            follower.follow(lambda: False)
            self.assertEqual(len(follower.state["resource"]), 36)
            self.assertEqual(follower.resets, 0 if epoch(first.url, sender.run) == epoch(second.url, sender.run) else 1)

    def test_a_token_of_either_holds_at_both_and_ends_at_both(self):
        def status(member, token):
            try:
                return urllib.request.urlopen(urllib.request.Request(member.url + "/v1/runs", headers={"Authorization": "Bearer " + token}), timeout=10).status
            except urllib.error.HTTPError as error:
                return error.code

        for member in self.members[:2]:
            def command(*args):
                return subprocess.run([member.program, "token", *args, "--state-dir", member.state], env=self.env(), capture_output=True, check=True).stdout.decode()
            token = next(word for word in command("create", "--name", "ci-" + member.name, "--scope", "read").split() if word.startswith("tofud_"))
            self.everywhere(lambda each: status(each, token) == 200, "the token holds")
            command("revoke", token.split("_")[1])
            self.everywhere(lambda each: status(each, token) == 401, "it is revoked")

    def test_daemons_are_replaced_and_put_back_while_runs_go_on(self):
        senders = [Sender([each.url for each in self.members], RUN, stack="net/%d" % number) for number in range(6)]
        followers, settled = [], threading.Event()

        def send(sender):
            while not sender.is_over:
                if sender.step(random.choice((300, 1500, 4000))) not in (200, 201, 204):
                    time.sleep(.1)
                time.sleep(.1)

        def follow(sender):
            until(lambda: sender.run, "the run")
            follower = Follower("")
            followers.append(follower)
            while True:
                follower.url = "%s/v1/stream?run=%s&end=close&kinds=resource,message" % (random.choice(self.members).url, sender.run)
                lines, last = random.choice((20, None)), settled.is_set()  # a daemon that is stopped ends its answers, too
                if follower.visit(lines) and lines is None and last:
                    return

        threads = [threading.Thread(target=do, args=(sender,), daemon=True) for sender in senders for do in (send, follow)]
        for each in threads:
            each.start()
        for member, program in ((0, TOFUD), (2, TOFUD), (0, PREVIOUS), (1, PREVIOUS), (1, TOFUD)):
            self.replace(self.members[member], program)
            time.sleep(.5)
        settled.set()
        for each in threads[::2]:
            each.join(60)
        for sender in senders:
            self.assertTrue(sender.is_over)
            self.everywhere(lambda each: each.views().get(sender.run, {}).get("status") == "succeeded", "run " + sender.run)
            self.everywhere(lambda each: each.stored(sender.run) == RUN, "its bytes")
            self.same_rows(sender.run)
        for each in threads[1::2]:
            each.join(60)
        last = {line["key"]: line for line in map(json.loads, rows(self.members[1].url, senders[0].run)) if line["kind"] == "resource"}
        for follower in followers:
            self.assertEqual({key: row["status"] for key, row in follower.state["resource"].items()}, {key: row["status"] for key, row in last.items()})


if __name__ == "__main__":
    unittest.main()
