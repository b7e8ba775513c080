#!/usr/bin/python3
"""Forwarders of tofud and `tofud serve` together: not a byte lost or doubled, whoever is killed."""
import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time
import unittest
import urllib.request

from binary import PATIENCE, TOFUD, Running, children, free_port, get, kill_all, recorded_path, until
from forward_test import FAKE, KILLS, LEAKY, LINES, SECRET, Forwarding


class Serving(Forwarding):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.url = "http://127.0.0.1:%d" % self.port
        self.socket = os.path.join(self.home, "tofud.sock")
        self.history = os.path.join(self.home, "history")
        self.daemon_process = None
        self.start()

    def start(self):
        self.daemon_process = self.kept(Running(
            [TOFUD, "serve", "--listen", "127.0.0.1:%d" % self.port, "--socket", self.socket, "--state-dir", self.history],
            self.env(), stdin=subprocess.DEVNULL))
        line = self.daemon_process.out.next()
        self.assertIn(b" serves ", line or b"", self.daemon_process.err.got)

    def kill(self):
        self.daemon_process.process.kill()
        self.daemon_process.wait()

    def id_there(self):
        """The daemon gives another id than the spool's where it has that one already."""
        return self.record().get("run") or self.spool().stem

    def stored(self, run=None):
        return get("%s/v1/runs/%s/stream.jsonl" % (self.url, run or self.id_there()))

    def view(self, run=None):
        rows = json.loads(get(self.url + "/v1/runs"))["runs"]
        return next((row for row in rows if row["key"] == (run or self.id_there())), None)

    def until_stored(self, lines):
        def there():
            try:
                return self.stored().count(b"\n") == lines
            except OSError:
                return False
        until(there, "the lines there")

    def finished(self, running, status=0):
        """At its end all of it is there, or tofud has said that it is not and resume sends it."""
        self.assertEqual(running.wait(), status)
        said = running.err.all().decode()
        if "`tofud resume %s` sends" % self.spool().stem in said:
            self.assertEqual(self.resume(self.spool().stem)[0], 0, said)
        self.assert_is_there()

    def assert_is_there(self):
        self.assertEqual(self.stored(), self.redacted())
        self.assertNotIn(SECRET.encode(), self.stored())
        self.assertTrue(self.record()["complete"])
        self.assertFalse(self.beside(".mask").exists())


class Together(Serving):
    def test_a_run_arrives_while_it_goes_on(self):
        running = self.send(self.url, "--stack", "net/prod", "--label", "pr=12")
        first = running.out.next().decode()
        self.keep_mask()
        self.assertIn(self.url, first)
        self.feed(running, LEAKY + LINES[:20])
        self.until_stored(len(LEAKY) + 20)
        until(lambda: self.view() and self.view()["status"] == "running", "the run on the wall")
        self.feed(running, LINES[20:])
        running.process.stdin.close()
        self.finished(running)
        view = until(lambda: self.view()["status"] != "running" and self.view(), "the end on the wall")
        self.assertEqual((view["status"], view["stack"], view["labels"]["pr"]), ("succeeded", "net/prod", "12"))

    def test_a_run_arrives_through_the_socket(self):
        running = self.send("unix:" + self.socket)
        running.out.next()
        self.keep_mask()
        self.feed(running)
        running.process.stdin.close()
        self.finished(running)

    def test_the_exit_status_of_tofu_arrives(self):
        folder = os.path.join(self.home, "bin")
        os.makedirs(folder)
        os.symlink(FAKE, os.path.join(folder, "tofu"))
        env = self.secret_env(PATH=folder + ":" + os.environ["PATH"], FAKE_STREAM=recorded_path("apply-slow-progress"),
                              FAKE_REPORT=os.path.join(self.home, "report"), FAKE_STATUS="7", TOFUD_STATE_DIR=self.state_dir,
                              TOFUD_SERVER=self.url)
        running = self.kept(Running([TOFUD, "run", "--", "tofu", "apply", "-auto-approve"], env, stdin=subprocess.DEVNULL,
                                    cwd=self.home))
        self.keep_mask()
        self.finished(running, status=7)
        until(lambda: self.view()["status"] == "failed", "the end on the wall")

    def test_both_fold_the_stream_to_the_same_rows(self):
        running = self.send(self.url)
        running.out.next()
        self.keep_mask()
        self.feed(running, LEAKY + LINES)
        running.process.stdin.close()
        self.finished(running)
        here = self.rows(self.spool())
        there = {(row["kind"], row["key"]): row["seq"]
                 for row in map(json.loads, get(self.url + "/v1/stream?run=%s&end=close" % self.spool().stem).splitlines())
                 if "seq" in row and "key" in row}
        for kind, rows in here.items():
            for key, row in rows.items():
                if "seq" in row and kind not in ("log", "text"):
                    self.assertEqual(there.get((kind, key)), row["seq"], (kind, key))

    def test_a_run_that_was_removed_there_is_not_sent_again(self):
        running = self.send(self.url)
        self.keep_mask()
        self.feed(running, LINES[:20])
        self.until_stored(20)
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            urllib.request.Request(self.url + "/v1/runs/" + self.spool().stem, method="DELETE"), timeout=PATIENCE)
        self.feed(running, LINES[20:])
        self.assertEqual(running.end_of_stream(), 0)
        self.assertIn("was removed from the daemon", running.err.all().decode())
        self.assertEqual(self.resume(self.spool().stem)[0], 1)

    def test_mebibytes_arrive(self):
        running = self.send(self.url, "--progress", "none", stdout=subprocess.DEVNULL)
        self.keep_mask()
        self.feed(running, [line * 300 for line in LINES])
        running.process.stdin.close()
        self.finished(running)


class Killed(Serving):
    def test_the_daemon_killed_at_any_moment(self):
        for seed in range(KILLS):
            luck = random.Random(seed)
            shutil.rmtree(self.state_dir, ignore_errors=True)
            running = self.send(self.url)
            self.keep_mask()
            over = threading.Event()

            def torment():
                while not over.wait(luck.random() * 0.3):
                    self.kill()
                    time.sleep(luck.random() * 0.1)
                    self.start()
            tormenting = threading.Thread(target=torment)
            tormenting.start()
            try:
                self.feed(running, LEAKY + LINES, pause=0.02)
            finally:
                over.set()
                tormenting.join()
            running.process.stdin.close()
            with self.subTest(seed=seed):
                self.finished(running)

    def test_the_worker_killed_at_any_moment(self):
        for seed in range(KILLS):
            luck = random.Random(seed)
            shutil.rmtree(self.state_dir, ignore_errors=True)
            running = self.send(self.url)
            self.keep_mask()
            for number in range(3):
                self.feed(running, LINES[number * 15:number * 15 + 15], pause=luck.random() * 0.01)
                for pid in children(running.process.pid):
                    os.kill(pid, signal.SIGKILL)
            self.feed(running, LINES[45:])
            running.process.stdin.close()
            with self.subTest(seed=seed):
                self.finished(running)

    def test_resume_killed_at_any_moment(self):
        for seed in range(3):
            luck = random.Random(seed)
            shutil.rmtree(self.state_dir, ignore_errors=True)
            running = self.send(self.url)
            self.keep_mask()
            self.feed(running, [line * 100 for line in LINES])
            until(lambda: self.spool().stat().st_size == 100 * len(b"".join(LINES)), "the spool")
            kill_all(running.process)
            for _ in range(5):
                resuming = self.resuming(self.spool().stem)
                time.sleep(luck.random() * 0.1)
                resuming.process.kill()
                resuming.wait()
            status, said = self.resume(self.spool().stem)
            self.assertEqual(status, 0, said)
            with self.subTest(seed=seed):
                self.assert_is_there()


if __name__ == "__main__":
    unittest.main(verbosity=2)
