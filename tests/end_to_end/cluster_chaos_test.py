#!/usr/bin/python3
"""Daemons, nats-server and the network between them are killed and cut again and again, while runs are sent and watched anywhere: nothing is lost.

TOFUD_CHAOS_RUNS, TOFUD_CHAOS_BLOWS and TOFUD_CHAOS_SEED choose another game than that of every build.
"""
import json
import os
import random
import threading
import time
import unittest

from binary import PATIENCE, Follower, all_recordings, recorded, until
from cluster import Clustered, Member, Nats, Sender, Wire

RUNS = int(os.environ.get("TOFUD_CHAOS_RUNS", "100"))
BLOWS = int(os.environ.get("TOFUD_CHAOS_BLOWS", "50"))
SEED = int(os.environ.get("TOFUD_CHAOS_SEED", str(random.randrange(1 << 30))))
STACKS = 50  # so many rules: a fifth message of one within two minutes would wait for others (a burst)
KINDS = "resource,diagnostic,output,message"


class Hopper(threading.Thread):
    """A subscriber that changes its daemon now and then, as behind a load balancer."""

    def __init__(self, game, run):
        super().__init__(daemon=True)
        self.game, self.run_id, self.random = game, run, random.Random(run)
        self.follower = Follower("")
        self.is_over = False

    def run(self):
        while not self.is_over and not self.game.is_lost:
            member = self.random.choice(self.game.members)
            self.follower.url = "%s/v1/stream?run=%s&end=close&kinds=%s" % (member.url, self.run_id, KINDS)
            lines = self.random.choice((20, 60, 200, None))
            self.is_over = self.follower.visit(lines) and lines is None
            time.sleep(0.05)


class Upload(threading.Thread):
    def __init__(self, game, number):
        super().__init__(daemon=True)
        self.game, self.random = game, random.Random(SEED * 1000 + number)
        self.scenario = self.random.choice(game.scenarios)
        self.sender = Sender([], recorded(*self.scenario), stack="stack/%d" % (number % STACKS))
        self.failure = None
        self.is_over = False

    def run(self):
        try:
            while not self.sender.is_over and not self.game.is_lost:
                self.sender.urls = [self.random.choice(self.game.members).url]
                status = self.sender.step(self.random.choice((300, 2000, 10000, 60000)))
                time.sleep(self.random.random() * (0.1 if status in (200, 201, 204) else 0.5))
        except AssertionError as failure:
            self.failure = failure
        self.is_over = True


class Chaos(Clustered):
    def setUp(self):
        super(Clustered, self).setUp()
        self.random = random.Random(SEED)
        self.is_lost = False
        self.nats = Nats(self)
        self.wires = [Wire(self, self.nats.port) for _ in range(3)]
        self.told, rules = os.path.join(self.home, "told"), os.path.join(self.home, "rules.toml")
        program = os.path.join(self.home, "tell")
        with open(program, "w") as file:
            file.write('#!/bin/sh\nline=$(cat)\nprintf "%%s\\n" "$line" >> %s\n' % self.told)
        os.chmod(program, 0o700)
        with open(rules, "w") as file:
            for number in range(STACKS):
                file.write('[[notify]]\nname = "r%d"\non = ["failed"]\nstacks = ["stack/%d"]\ntarget = "command"\ncommand = "%s"\n' % (number, number, program))
        self.members = [Member(self, name, "nats://127.0.0.1:%d" % wire.port, "--config", rules) for name, wire in zip("abc", self.wires)]
        for each in self.members:
            each.ready()
        self.scenarios = [each for each in all_recordings() if 3000 < len(recorded(*each)) < 150_000 and b'"type":"version"' in recorded(*each)]

    def blow(self):
        what = self.random.random()
        if what < 0.45:
            member = self.random.choice(self.members)
            member.kill()
            time.sleep(self.random.random())
            member.start()
        elif what < 0.6:
            self.nats.kill()
            time.sleep(self.random.random() * 2)
            self.nats.start()
        elif what < 0.85:
            wire = self.random.choice(self.wires)
            wire.cut()
            time.sleep(self.random.random() * 2)
            wire.mend()
        else:
            wire = self.random.choice(self.wires)
            wire.delay = 0.05
            time.sleep(self.random.random())
            wire.delay = 0
        time.sleep(self.random.random() * 0.5)

    def test_nothing_is_lost(self):
        print("seed %d" % SEED, flush=True)
        uploads = [Upload(self, number) for number in range(RUNS)]
        watched, waiting = {}, list(uploads)
        for each in waiting[:RUNS // 4]:
            each.start()
        begun = waiting[:RUNS // 4]
        rest = waiting[RUNS // 4:]
        for number in range(BLOWS):
            share = -(-len(rest) // max(1, BLOWS - number))
            for each in rest[:share]:
                each.start()
                begun.append(each)
            rest = rest[share:]
            for each in begun:
                if each.sender.run and each.sender.run not in watched and self.random.random() < 0.3:
                    watched[each.sender.run] = Hopper(self, each.sender.run)
                    watched[each.sender.run].start()
            self.blow()
        for each in self.members:
            if each.running.process.poll() is not None:
                each.start()
        try:
            until(lambda: all(each.is_over for each in uploads), lambda: "the end of uploads: %s" % [
                (each.sender.run, each.sender.at, len(each.sender.stream)) for each in uploads if not each.is_over])
            self.assertEqual([each.failure for each in uploads if each.failure], [])
            for each in uploads:
                for member in self.members:
                    until(lambda: self.has_all(member, each.sender), lambda: "run %s at %s: %s of %d bytes; %s" % (
                        each.sender.run, member.name, self.seen(member, each.sender), len(each.sender.stream), self.known_of(each.sender.run)))
            # A run that began during an outage, and whose sender then began it on another daemon, is nowhere.
            sent = {each.sender.run for each in uploads}
            given_up = [run for run in watched if run not in sent]
            for run in given_up:
                until(lambda: not any(run in member.views() for member in self.members), lambda: "the end of %s, which nobody sends: %s" % (run, self.known_of(run)))
                watched.pop(run).is_over = True
            for run, hopper in watched.items():
                hopper.join(PATIENCE)
                self.assertTrue(hopper.is_over, "the subscriber of %s since %s at %s" % (run, hopper.follower.since, hopper.follower.url))
            expected = {}
            for each in uploads:
                hopper = watched.get(each.sender.run)
                if hopper is None:
                    continue
                if each.scenario not in expected:
                    expected[each.scenario] = self.undisturbed(recorded(*each.scenario))
                seen = self.numbered(hopper.follower.state, each.sender.run)
                self.assertEqual(seen, expected[each.scenario], "%s %s: since %s at %s, other rows: %s; %s" % (
                    each.sender.run, each.scenario, hopper.follower.since, hopper.follower.url,
                    [key for key in {**seen, **expected[each.scenario]} if seen.get(key) != expected[each.scenario].get(key)], self.known_of(each.sender.run)))
            statuses = self.members[0].views()
            failed = {each.sender.run for each in uploads if statuses[each.sender.run]["status"] in ("failed", "interrupted") and statuses[each.sender.run]["command"] in ("plan", "apply", "destroy", "refresh", "test")}
            until(lambda: failed <= {each["data"]["run"] for each in self.events()}, lambda: "a word of %s" % (failed - {each["data"]["run"] for each in self.events()}))
            self.assertEqual(len({each["id"] for each in self.events()}), len({each["data"]["run"] for each in self.events()}), "repeats carry the same id")
            print("%d failed, told %d times" % (len(failed), len(self.events())))
            print("%d runs, %d watched, %d given up, %d visits, %d resets" % (len(uploads), len(watched), len(given_up), sum(each.follower.visits for each in watched.values()),
                                                                 sum(each.follower.resets for each in watched.values())), flush=True)
        finally:
            self.is_lost = True
            if os.environ.get("TOFUD_CHAOS_LOG"):
                for each in self.members:
                    print("---", each.name)
                    print(each.before + each.said())

    def events(self):
        try:
            with open(self.told) as file:
                return [json.loads(line) for line in file.read().splitlines() if line]
        except FileNotFoundError:
            return []

    def has_all(self, member, sender):
        try:
            return member.stored(sender.run) == sender.stream
        except OSError:
            return False

    def seen(self, member, sender):
        try:
            return len(member.stored(sender.run))
        except OSError as failed:
            return failed

    def known_of(self, run):
        """For who looks at a failure: what each daemon says of it, and what stands in NATS."""
        said = {each.name: each.views().get(run) for each in self.members}
        return json.dumps({**said, "nats": self.nats.records_of(run), "named by": [each.name for each in self.members if run in each.before + each.said()]})

    def numbered(self, state, run):
        """The rows with their numbers, whatever the run is called."""
        found = {}
        for kind in KINDS.split(","):
            for key, row in state.get(kind, {}).items():
                found[kind, key] = json.dumps(row, sort_keys=True).replace(run, "RUN")
        return found

    def undisturbed(self, stream):
        run = Sender([self.alone()], stream).send_all()
        follower = Follower("%s/v1/stream?run=%s&end=close&kinds=%s" % (self.alone(), run, KINDS))
        follower.follow(lambda: False)
        return self.numbered(follower.state, run)

    def alone(self):
        """A daemon that nobody disturbs."""
        if not hasattr(self, "single"):
            self.single = Single(self)
        return self.single.url


class Single(Member):
    def __init__(self, case):
        super().__init__(case, "single", "", )

    def start(self):
        import subprocess
        from binary import TOFUD, Running
        self.running = self.case.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:%d" % self.port, "--socket", "", "--state-dir", self.state],
                                              self.case.env(), stdin=subprocess.DEVNULL))
        self.running.out.next()
        return self


if __name__ == "__main__":
    unittest.main()
