#!/usr/bin/python3
"""`tofud serve` and the second implementation are asked the same, at random, and answer the same.

TOFUD_TRIALS says how many requests (default 1500); TOFUD_SEED repeats a run.
"""
import os
import pathlib
import secrets
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from binary import EndToEnd, recorded
from client import Connection, Upload, ask, seeded
from daemons import Reference, Tofud
from weather import seed_of_this_run

TRIALS = int(os.environ.get("TOFUD_TRIALS", "1500"))
SOURCE = recorded("apply-slow-progress")
NAMES = ("interrupt", "label", "plan_file", "strange")


class Both:
    """One upload, made at each of the daemons with the same words."""

    def __init__(self, trial, chance):
        self.trial, self.chance = trial, chance
        told = {"upload_id": secrets.token_hex(16), "upload_secret": secrets.token_hex(32)}
        self.uploads = [Upload(daemon.tcp, **told) for daemon in trial.daemons]
        self.events, self.exited, self.steps = [], False, []
        self.source = SOURCE[:chance.randint(0, len(SOURCE))]
        self.at, self.complete = 0, False

    def ask(self, what, *args, **more):
        """The same of both; what they say must be the same but for what each names by itself."""
        answers = [getattr(upload, what)(*args, connection=connection, **more)
                   for upload, connection in zip(self.uploads, self.trial.connections)]
        self.steps.append((what, [arg if not isinstance(arg, bytes) else "%d bytes" % len(arg) for arg in args], more, answers[0].status))
        said = [self.essence(what, answer) for answer in answers]
        self.trial.assertEqual(said[0], said[1], "%r\n%r" % (self.steps[-12:], answers))
        return answers[0]

    @staticmethod
    def essence(what, answer):
        """What the rules say of an answer."""
        document = answer.json if answer.body else {}
        says_where = what == "head" or what == "patch" and answer.status in (204, 409)
        return (answer.status, {name: answer.headers.get(name) for name in ("upload-offset", "upload-complete")
                                if says_where and (name == "upload-offset" or what == "head")},
                {name: document.get(name) for name in ("at", "offset", "max_patch", "keepalive_s")},
                document.get("code") if answer.status == 409 else None)

    def step(self):
        chance = self.chance
        kind = chance.choices(("patch", "old", "wrong", "gap", "head", "create", "event", "again", "complete", "secret", "conflict", "empty"),
                              (10, 4, 2, 2, 2, 1, 4, 2, 1, 1, 1, 2))[0]
        if kind == "patch":
            some = self.source[self.at:self.at + chance.randint(0, 4000)]
            self.moved(self.ask("patch", self.at, some))
        elif kind == "old":
            begin = chance.randint(0, self.at)
            self.moved(self.ask("patch", begin, self.source[begin:self.at + chance.randint(0, 1000)]))
        elif kind == "wrong" and self.at:
            begin = chance.randint(0, self.at - 1)
            some = bytearray(self.source[begin:self.at + chance.randint(0, 1000)])
            some[chance.randint(0, self.at - 1 - begin)] ^= 1 << chance.randint(0, 7)
            self.ask("patch", begin, bytes(some))
        elif kind == "gap" and not self.complete:
            self.ask("patch", self.at + chance.randint(1, 5000), b"x" * chance.randint(0, 10))
        elif kind == "head":
            self.ask("head")
        elif kind == "create":
            self.ask("create")
        elif kind == "event" and not self.complete and not self.exited:
            last = self.events[-1]["offset"] if self.events else 0
            event = {"offset": chance.randint(last, len(self.source)), "event": chance.choice(NAMES), "key": "k", "value": "v"}
            if event["event"] == "plan_file":
                event.update(role="out", sha256="0" * 64, bytes=7)
            if self.ask("event", len(self.events) + 1, event).status == 204:
                self.events.append(event)
        elif kind == "again" and self.events:
            number = chance.randint(1, len(self.events))
            self.ask("event", number, {**self.events[number - 1], **({"x": 1} if chance.random() < 0.3 else {})})
            if not self.exited:
                self.ask("event", len(self.events) + 2, {"offset": len(self.source), "event": "interrupt"})
                if self.events[-1]["offset"]:
                    self.ask("event", len(self.events) + 1, {"offset": self.events[-1]["offset"] - 1, "event": "interrupt"})
        elif kind == "complete" and self.at == len(self.source):
            if not self.exited:
                self.exited = True
                self.events.append({"offset": self.at, "event": "exit", "status": chance.choice((0, 1, 2))})
                self.ask("event", len(self.events), self.events[-1])
            self.ask("patch", self.at, b"", True)
            self.complete = True
            self.ask("patch", self.at, b"more")
        elif kind == "secret":
            self.ask("patch", self.at, b"", Upload_Secret="0" * 64)
        elif kind == "conflict":
            self.ask("create", **chance.choice(({"upload_secret": "0"}, {"rules": "sha256:other"})))
        elif kind == "empty":
            self.ask("patch", self.at, b"")

    def moved(self, answer):
        if answer.status == 204:
            self.at = answer.offset

    def verify(self):
        self.trial.assertEqual([upload.stream().body for upload in self.uploads], [self.source[:self.at]] * 2)


class Agreement(EndToEnd):
    def test_both_give_the_same_answers(self):
        seed = seed_of_this_run()
        chance = seeded(seed)("agreement")
        self.daemons = [Tofud(self, name="tofud"), Reference(self, name="reference")]
        self.connections = [Connection(daemon.tcp) for daemon in self.daemons]
        self.addCleanup(lambda: [connection.close() for connection in self.connections])
        runs = []
        with self.subTest(TOFUD_SEED=seed):
            for _ in range(TRIALS):
                if len(runs) < 3 or chance.random() < 0.02:
                    runs.append(Both(self, chance))
                    self.assertEqual(runs[-1].ask("create").status, 201)
                chance.choice(runs[-3:]).step()
                if chance.random() < 0.005:
                    self.restart()
            for run in runs:
                run.verify()
            self.restart()
            for run in runs:
                run.verify()
                run.ask("head")

    def restart(self):
        for daemon, connection in zip(self.daemons, self.connections):
            connection.close()
            daemon.kill()
            daemon.start()

    def test_a_removed_run_is_gone_from_both(self):
        self.daemons = [Tofud(self, name="tofud"), Reference(self, name="reference")]
        self.connections = [Connection(daemon.tcp) for daemon in self.daemons]
        self.addCleanup(lambda: [connection.close() for connection in self.connections])
        both = Both(self, seeded("removed")("agreement"))
        both.ask("create")
        both.ask("patch", 0, b"abc")
        for upload in both.uploads:
            self.assertEqual(ask(upload.address, "DELETE", "/v1/runs/" + upload.run).status, 204)
        for _ in range(2):
            for question in (("create",), ("head",), ("patch", 3, b"def"), ("patch", 3, b"", True), ("event", 1, {"offset": 0, "event": "x"})):
                self.assertEqual(both.ask(*question).status, 410)
            self.restart()


if __name__ == "__main__":
    unittest.main(verbosity=2)
