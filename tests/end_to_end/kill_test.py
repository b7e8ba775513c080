#!/usr/bin/python3
"""Any one process of a plain pipe is killed at a random moment: the apply must not notice, and the view goes on.

TOFUD_KILL_ROUNDS says how often (default 12 for each process; the full run takes 200).
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, catches, children, ignores, sanitized, until

ROUNDS = int(os.environ.get("TOFUD_KILL_ROUNDS", "12"))


def stream(lines):
    head = b'{"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-11-21T05:23:37.%06dZ",'
    return b"".join(head % i + (b'"type":"version","tofu":"1.12.6","ui":"1.2"}\n' if i == 0 else b'"type":"log","n":%d}\n' % i) for i in range(lines)) + \
        head % 999999 + b'"type":"change_summary","changes":{"add":0,"change":0,"import":0,"remove":0,"operation":"apply"}}\n'


class AnyOneProcess(EndToEnd):
    def setUp(self):
        super().setUp()
        self.seed = random.randrange(1 << 32)
        self.chance = random.Random(self.seed)

    def begin(self, folder, *args, preexec=None):
        os.makedirs(folder)
        with open(folder + "/out", "wb") as out, open(folder + "/err", "wb") as err:
            process = subprocess.Popen([TOFUD, "--no-listen", "--progress", "plain", "--state-dir", folder + "/state", *args],
                                       stdin=subprocess.PIPE, stdout=out, stderr=err, env=self.env(), preexec_fn=preexec)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        until(lambda: children(process.pid) and ignores(children(process.pid)[0], signal.SIGTERM), "the worker")
        return process

    def spool(self, folder):
        return next(pathlib.Path(folder, "state").glob("*.jsonl"))

    def events(self, folder):
        return [json.loads(line) for line in self.spool(folder).with_suffix(".events").read_text().splitlines()]

    def ended(self, folder):
        until(lambda: any(event["event"] == "end" for event in self.events(folder)), "the view came to its end: " + pathlib.Path(folder, "err").read_text())

    def said(self, folder):
        return "".join(pathlib.Path(folder, name).read_text()[-300:] for name in ("out", "err"))

    def feed(self, process, data, kill, at):
        """Writes as OpenTofu does; the longest that one write took."""
        slowest, place, killed = 0, 0, False
        while place < len(data):
            piece = data[place:place + self.chance.choice([100, 1000, 5000, 60000])]
            if not killed and place + len(piece) > at:
                kill()
                killed = True
            began = time.monotonic()
            os.write(process.stdin.fileno(), piece)  # BrokenPipeError: the apply would be dead
            slowest = max(slowest, time.monotonic() - began)
            place += len(piece)
            if self.chance.random() < 0.2:
                time.sleep(self.chance.random() * 0.002)
        return slowest

    def rounds(self, choose, status):
        data, slowest = stream(3000), 0
        for number in range(ROUNDS):
            with self.subTest(round=number, seed=self.seed):
                folder = os.path.join(self.home, "round%d" % number)
                process = self.begin(folder)
                slowest = max(slowest, self.feed(process, data, lambda: os.kill(choose(process), signal.SIGKILL), self.chance.randrange(len(data))))
                process.stdin.close()
                self.assertEqual(process.wait(PATIENCE), status)
                self.ended(folder)
                self.assertTrue(self.spool(folder).read_bytes() == data, "every byte is kept")
                until(lambda: "apply succeeded" in pathlib.Path(folder, "out").read_text(), "the summary: " + self.said(folder))
        return slowest

    def test_the_keeper_killed_at_any_moment_costs_nothing(self):
        slowest = self.rounds(lambda process: process.pid, -signal.SIGKILL)
        print("longest write: %.1f ms" % (slowest * 1000))

    def test_a_worker_killed_at_any_moment_costs_nothing(self):
        slowest = self.rounds(lambda process: children(process.pid)[0], 0)
        print("longest write: %.1f ms" % (slowest * 1000))

    def test_the_surviving_worker_reports_what_happened_and_what_to_do(self):
        folder = os.path.join(self.home, "said")
        process = self.begin(folder)
        worker = children(process.pid)[0]
        os.write(process.stdin.fileno(), stream(10)[:500])
        os.kill(process.pid, signal.SIGKILL)
        said = until(lambda: pathlib.Path(folder, "err").read_text(), "it is said")
        for words in ("was killed", "process %d has taken over" % worker, "status will be 137", "tofud recover %s" % self.spool(folder).stem):
            self.assertIn(words, said)
        process.stdin.close()
        self.ended(folder)

    def test_no_other_process_holds_the_read_end(self):
        folder = os.path.join(self.home, "held")
        process = self.begin(folder, "--config", self.home)
        mine = os.fstat(process.stdin.fileno()).st_ino

        def readers():
            for fd in pathlib.Path("/proc").glob("[0-9]*/fd/*"):
                try:
                    if os.stat(fd).st_ino == mine and os.readlink(fd).startswith("pipe:") and not os.lstat(fd).st_mode & 0o200:
                        yield int(fd.parts[2])
                except OSError:
                    pass
        family = {process.pid, *children(process.pid)}
        until(lambda: set(readers()) == family, "keeper and worker, nobody else")

    def test_no_signal_that_may_be_ignored_ends_the_pipe(self):
        folder = os.path.join(self.home, "signals")
        process = self.begin(folder)
        numbers = [number for number in range(1, 65) if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGCONT, signal.SIGCHLD)]
        for number in numbers:
            # glibc catches one of its own, for threads that change their user.
            self.assertTrue(ignores(process.pid, number) or catches(process.pid, number), number)
        for number in numbers:
            os.kill(process.pid, number)
        time.sleep(0.1)
        data = stream(10)
        os.write(process.stdin.fileno(), data)
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(self.spool(folder).read_bytes(), data)

    def test_an_alarm_set_before_exec_does_not_go_off(self):
        folder = os.path.join(self.home, "alarm")
        soon = 5 if sanitized() else 0.5  # but later than tofud's first steps
        process = self.begin(folder, preexec=lambda: signal.setitimer(signal.ITIMER_REAL, soon, soon))
        time.sleep(2.4 * soon)
        os.write(process.stdin.fileno(), stream(10))
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_a_small_limit_of_files_costs_no_status(self):
        import resource
        folder = os.path.join(self.home, "small")
        process = self.begin(folder, preexec=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        data = stream(3000)
        os.write(process.stdin.fileno(), data)
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertIn("no longer stored from byte 4096", pathlib.Path(folder, "err").read_text())

    def test_the_keeper_killed_under_a_small_limit_of_files_costs_nothing(self):
        import resource
        folder = os.path.join(self.home, "small")
        process = self.begin(folder, preexec=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000)))
        data = stream(2000)
        self.feed(process, data, lambda: os.kill(process.pid, signal.SIGKILL), len(data) // 2)
        process.stdin.close()
        self.ended(folder)
        self.assertTrue(self.spool(folder).read_bytes() == data)


if __name__ == "__main__":
    unittest.main(verbosity=2)
