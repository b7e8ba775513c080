#!/usr/bin/python3
"""`tofu … | tofud` feeds a daemon, and goes on feeding it whatever dies in between: two forwarders, two servers, one journal.

    forwarding_test.py ToTofud | ToTheReference [test ...]
"""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from binary import PATIENCE, TOFUD, EndToEnd, Lines, children, kill_all, recorded, until
from client import ask
from daemons import Reference, Tofud, redacted
from weather import seed_of_this_run

STREAM = recorded("apply-slow-progress")
SECRET = "correct-horse-battery-staple"


class Piped:
    """A stream that goes line by line through a pipe into tofud, which sends it on."""

    def __init__(self, case, server, data, *args, pause=0.01, name="piped", **env):
        self.case, self.data, self.pause = case, data, pause
        self.state_dir = os.path.join(case.home, name)
        self.env, self.rules = case.env(**env), None
        self.process = subprocess.Popen([TOFUD, "--server", server, "--state-dir", self.state_dir, "--no-listen", *args],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env)
        self.out, self.err = Lines(self.process.stdout), Lines(self.process.stderr)
        case.addCleanup(self.end)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass

    def print(self, begin=0, end=None):
        """Prints lines of the stream, one at a time."""
        for line in self.data.splitlines(keepends=True)[begin:end]:
            self.process.stdin.write(line)
            self.process.stdin.flush()
            time.sleep(self.pause)

    def finish(self, status=0):
        self.process.stdin.close()
        self.case.assertEqual(self.process.wait(PATIENCE), status, self.err.all())

    def spool(self):
        return until(lambda: [path for path in pathlib.Path(self.state_dir).glob("*.jsonl")], "the spool")[0]

    def id(self):
        return self.spool().stem

    def keep_rules(self):
        """The frozen rules go when all is sent; what they make of the spool is asked later."""
        frozen = self.spool().with_suffix(".mask")
        until(frozen.exists, "the frozen rules")
        self.rules = os.path.join(self.case.home, frozen.name)
        shutil.copy(frozen, self.rules)

    def expected(self):
        """What has to be in the journal of what is in the spool."""
        return redacted(self.spool().read_bytes(), self.env, *(["--mask", self.rules] if self.rules else []))

    def kill(self):
        """Keeper and worker."""
        kill_all(self.process)

    def resume(self, *args):
        return subprocess.run([TOFUD, "resume", *args], capture_output=True, env=self.env, timeout=PATIENCE)


class Forwarding:
    def setUp(self):
        super().setUp()
        self.seed = seed_of_this_run()
        self.chance = random.Random(self.seed)
        self.daemon = self.daemon_kind(self)
        self.server = "http://127.0.0.1:%d" % self.daemon.port

    def kept(self, run):
        return ask(self.daemon.tcp, "GET", "/v1/runs/%s/stream.jsonl" % run)

    def events(self, run):
        return [json.loads(line) for line in ask(self.daemon.tcp, "GET", "/v1/runs/%s/events.jsonl" % run).body.splitlines()]

    def arrives(self, piped):
        """All of the spool, once, redacted, and its end."""
        run = piped.id()
        expected = piped.expected()

        def there():
            answer = self.kept(run)
            return answer.status == 200 and answer.body == expected and self.events(run)[-1]["event"] == "end"
        try:
            until(there, "the journal of " + run)
        except AssertionError:
            answer = self.kept(run)
            upload = piped.spool().with_suffix(".upload")
            raise AssertionError("%r of %d bytes are there, as expected so far: %s; %s; tofud said %r; it keeps %s" % (
                answer.status == 200 and len(answer.body), len(expected), expected.startswith(answer.body),
                self.events(run) if answer.status == 200 else None, piped.process.poll() is not None and piped.err.all(),
                upload.exists() and re.sub(r'"upload_secret":"[^"]*"', "", upload.read_text())))
        return self.events(run)

    def test_a_pipe_feeds_a_daemon(self):
        for server in (self.server, "unix:" + self.daemon.socket, self.daemon.socket):
            piped = Piped(self, server, STREAM, "--stack", "net/prod", "--label", "pr=12", pause=0, name=re.sub(r"\W", "-", server))
            piped.print()
            piped.finish()
            events = self.arrives(piped)
            self.assertEqual((events[0]["event"], events[0]["stack"], events[0]["labels"]), ("begin", "net/prod", {"pr": "12"}))
            self.assertEqual(self.kept(piped.id()).body.count(b"\n"), STREAM.count(b"\n"))

    def test_it_is_seen_while_it_goes_on(self):
        piped = Piped(self, self.server, STREAM)
        piped.print(end=20)
        until(lambda: self.kept(piped.id()).body.count(b"\n") == 20, "twenty lines")
        piped.print(begin=20)
        piped.finish()
        self.arrives(piped)

    def test_a_daemon_that_dies_and_comes_back_misses_nothing(self):
        piped = [Piped(self, self.server, recorded(name), pause=0.02, name=name)
                 for name in ("apply-slow-progress", "provisioner-partial-lines", "moved-blocks", "emergency-state-dump")]
        lines = [one.data.splitlines(keepends=True) for one in piped]
        for number in range(max(map(len, lines))):
            for one, its in zip(piped, lines):
                if number < len(its):
                    one.process.stdin.write(its[number])
                    one.process.stdin.flush()
            time.sleep(0.02)
            if self.chance.random() < 0.15:
                self.daemon.kill()
                time.sleep(self.chance.random() * 0.2)
                self.daemon.start()
        # Who has not reached the daemon when all is over does not wait for it for long, and says `tofud resume`.
        for one in piped:
            until(lambda one=one: self.kept(one.id()).body.count(b"\n") == one.data.count(b"\n"), "all lines of " + one.state_dir)
        for one in piped:
            one.process.stdin.close()
        for one in piped:
            one.process.wait(PATIENCE)
            if b"tofud resume" in one.err.all():  # its stream was over before the daemon was back for long enough
                done = one.resume(str(one.spool()))
                self.assertEqual(done.returncode, 0, done.stderr)
            self.arrives(one)

    def test_a_worker_that_dies_is_followed_by_one_that_goes_on(self):
        piped = Piped(self, self.server, STREAM, pause=0.02)
        for begin in (0, 15, 30):
            piped.print(begin, begin + 15)
            for worker in children(piped.process.pid):
                os.kill(worker, signal.SIGKILL)
        piped.print(45)
        # One that dies at the very end is followed by one that only finds the exit status, and says `tofud resume`.
        until(lambda: self.kept(piped.id()).body.count(b"\n") == STREAM.count(b"\n"), "the one that follows is there")
        piped.finish()
        self.arrives(piped)

    def test_a_forwarder_that_is_killed_is_resumed(self):
        for cut in (0, 10, 45):
            piped = Piped(self, self.server, STREAM, pause=0.005, name="cut-%d" % cut)
            piped.print(end=cut)
            if cut:
                until(lambda piped=piped: piped.spool().read_bytes().count(b"\n") == cut, "what was printed")
                until(piped.spool().with_suffix(".upload").exists, "to whom it is sent")
            else:
                piped.spool()
            piped.kill()
            for _ in range(2):  # the second finds nothing to do
                # Where nothing was sent yet, nothing says to whom.
                done = piped.resume(str(piped.spool()), *(["--server", self.server] if cut == 0 else []))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.arrives(piped)

    def test_a_resumed_one_uses_the_same_rules(self):
        secret = STREAM.replace(b"module.", SECRET.encode() + b".")
        piped = Piped(self, self.server, secret, pause=0, TF_VAR_db_password=SECRET)
        piped.print(end=30)
        until(lambda: piped.spool().read_bytes().count(b"\n") == 30, "what was printed")
        piped.keep_rules()
        until(lambda: self.kept(piped.id()).status == 200, "its beginning is there")
        piped.kill()
        expected = piped.expected()
        del piped.env["TF_VAR_db_password"]  # another shell
        done = piped.resume(str(piped.spool()))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.kept(piped.id()).body.count(b"\n"), 30)
        self.assertEqual(self.kept(piped.id()).body.count(SECRET.encode()), 0)
        self.assertEqual(self.kept(piped.id()).body, expected)

    def test_no_planted_secret_is_stored_by_the_daemon(self):
        lines = STREAM.splitlines(keepends=True)
        lines.insert(3, b"plain text with " + SECRET.encode() + b"\n")
        lines.insert(5, json.dumps({"@level": "info", "@message": "x " + SECRET, "@module": "tofu.ui",
                                    "@timestamp": "2026-11-21T05:00:00.000000Z", "type": "log"}).encode() + b"\n")
        piped = Piped(self, self.server, b"".join(lines), pause=0, DB_PASSWORD=SECRET)
        piped.print(end=2)
        piped.keep_rules()
        piped.print(begin=2)
        piped.process.stdin.close()
        piped.process.wait(PATIENCE)
        self.arrives(piped)
        for path in pathlib.Path(self.daemon.state_dir).rglob("*"):
            if path.is_file():
                self.assertNotIn(SECRET.encode(), path.read_bytes(), path)
        self.assertIn(SECRET.encode(), piped.spool().read_bytes())  # the spool is the truth, and stays here

    def test_a_daemon_that_comes_later_gets_all_of_it(self):
        self.daemon.kill()
        piped = Piped(self, self.server, STREAM, pause=0.005)
        piped.print(end=40)
        self.daemon.start()
        until(lambda: self.kept(piped.id()).status == 200, "the forwarder has found it")
        piped.print(begin=40)
        piped.finish()
        self.arrives(piped)

    def test_a_pipe_without_its_daemon_ends_normally_and_can_be_resumed(self):
        self.daemon.kill()
        piped = Piped(self, self.server, STREAM, pause=0)
        piped.print()
        piped.finish()
        self.daemon.start()
        done = piped.resume(str(piped.spool()))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.arrives(piped)

    def test_a_run_that_was_removed_is_never_sent_again(self):
        piped = Piped(self, self.server, STREAM, pause=0.005)
        piped.print(end=20)
        run = piped.id()
        until(lambda: self.kept(run).body.count(b"\n") == 20, "twenty lines")
        self.assertEqual(ask(self.daemon.tcp, "DELETE", "/v1/runs/" + run).status, 204)
        piped.print(begin=20)
        piped.finish()
        piped.resume(str(piped.spool()))
        self.assertIn(self.kept(run).status, (404, 410))


class ToTheReference(Forwarding, EndToEnd):
    daemon_kind = Reference


class ToTofud(Forwarding, EndToEnd):
    daemon_kind = Tofud


if __name__ == "__main__":
    unittest.main(verbosity=2)
