#!/usr/bin/python3
"""Runs go to a daemon, whatever breaks, and nothing of that ever reaches an apply."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import threading
import time
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, Running, catches, children, free_port, kill_all, recorded, recorded_path, until
from upload_server import Daemon, Disk

STREAM = recorded("apply-slow-progress")
LINES = STREAM.splitlines(keepends=True)
SECRET = "correct-horse-battery"
LEAKY = [b"the password is %s, they say\n" % SECRET.encode(), b'{"text":"%s"}\n' % SECRET.encode()]
FAKE = ROOT / "tests/end_to_end/fake_tofu.py"
KILLS = int(os.environ.get("TOFUD_KILLS", "10"))


class Forwarding(EndToEnd):
    def setUp(self):
        super().setUp()
        self.disk = Disk()
        self.mask = os.path.join(self.home, "mask")

    # ---- daemons ----

    def daemon(self, **more):
        daemon = Daemon(self.disk, **more)
        self.addCleanup(daemon.stop)
        return daemon

    def secret_env(self, **more):
        return self.env(TF_VAR_db_password=SECRET, **more)

    # ---- runs ----

    def send(self, server, *args, env=None, **more):
        """tofud at the end of a pipe, told to send to that daemon."""
        return self.pipe("--server", server, *args, env=env or self.secret_env(), **more)

    def feed(self, running, lines=None, pause=0.0):
        for line in lines or LINES:
            running.write(line)
            if pause:
                time.sleep(pause)

    def beside(self, ending):
        return self.spool().with_suffix(ending)

    def record(self):
        return json.loads(self.beside(".upload").read_text())

    def keep_mask(self):
        """The mask goes when all is sent; the test needs it for longer."""
        until(lambda: list(pathlib.Path(self.state_dir).glob("*.upload")), "the files beside the spool")
        shutil.copy(self.beside(".mask"), self.mask)

    def redacted(self, data=None):
        """What `tofud redact` makes of the spool."""
        data = self.spool().read_bytes() if data is None else data
        done = subprocess.run([TOFUD, "redact", "--mask", self.mask], input=data, capture_output=True, env=self.env(),
                              timeout=PATIENCE, check=True)
        return done.stdout

    def resume(self, *args, env=None):
        done = subprocess.run([TOFUD, "resume", "--state-dir", self.state_dir, *args], capture_output=True,
                              env=env or self.env(), timeout=PATIENCE, stdin=subprocess.DEVNULL)
        return done.returncode, done.stderr.decode()

    def resuming(self, *args, env=None):
        return self.kept(Running([TOFUD, "resume", "--state-dir", self.state_dir, *args], env or self.env(),
                                 stdin=subprocess.DEVNULL))

    def the_run(self):
        runs = self.disk.runs()
        self.assertEqual(len(runs), 1)
        return runs[0]

    def assert_all_is_there(self, in_ci=False):
        run = self.the_run()
        self.assertTrue(run.complete)
        self.assertEqual(bytes(run.lines), self.redacted())
        self.assertEqual(bytes(run.lines).count(b"\n"), self.spool().read_bytes().count(b"\n"))
        self.assertNotIn(SECRET.encode(), bytes(run.lines))
        record = self.record()
        self.assertTrue(record["complete"])
        self.assertIsNone(record["stopped"])
        # What a job writes as its artifact after the run is redacted as well.
        self.assertEqual(self.beside(".mask").exists(), in_ci, "the secrets outlive their use")


class ThePipe(Forwarding):
    def test_a_run_arrives_redacted_and_is_served_by_the_daemon(self):
        daemon = self.daemon()
        running = self.send(daemon.server, "--stack", "net/prod", "--label", "pr=12", "--label", "oops=" + SECRET)
        first = running.out.next().decode()
        self.keep_mask()
        self.feed(running, LEAKY + LINES)
        until(lambda: self.the_run().lines.count(b"\n") == len(LEAKY + LINES), "the lines, while the run goes on")
        self.assertFalse(self.the_run().complete)
        self.assertEqual(running.end_of_stream(), 0)
        self.assert_all_is_there()
        self.assertIn(SECRET.encode(), self.spool().read_bytes())
        run = self.the_run()
        self.assertIn("http://%s/?run=%s" % (daemon.host, run.name), first)
        self.assertEqual(self.spool().stem, run.name)
        document = run.document
        self.assertEqual((document["protocol"], document["stack"], document["labels"]["pr"]), ("1.0", "net/prod", "12"))
        self.assertNotIn(SECRET, json.dumps(document))
        self.assertRegex(document["rules"], "^sha256:[0-9a-f]{64}$")
        self.assertRegex(document["started_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(run.events, [], "a pipe does not know the exit status")
        self.assertEqual(running.err.all(), b"")

    def test_a_failed_run_has_its_status_and_arrives_too(self):
        daemon = self.daemon()
        running = self.send(daemon.server)
        running.out.next()
        self.keep_mask()
        self.feed(running, [recorded("apply-provider-errors")])
        self.assertEqual(running.end_of_stream(), 1)
        self.assert_all_is_there()

    def test_the_last_line_without_a_newline_arrives(self):
        daemon = self.daemon()
        running = self.send(daemon.server)
        running.out.next()
        self.keep_mask()
        self.feed(running, [STREAM[:-50]])
        running.end_of_stream()
        self.assert_all_is_there()

    def test_a_run_is_sent_through_a_unix_socket(self):
        daemon = self.daemon(address=os.path.join(self.home, "t.sock"))
        running = self.send(daemon.server)
        first = running.out.next().decode()
        self.assertIn(daemon.server, first)
        self.keep_mask()
        self.feed(running)
        self.assertEqual(running.end_of_stream(), 0)
        self.assert_all_is_there()

    def test_the_upload_file_is_there_before_the_first_request_and_for_its_owner_only(self):
        seen = []

        def look(method, _path, _daemon):
            if method == "POST" and not seen:
                seen.append({path.suffix: path.stat().st_mode & 0o777
                             for path in pathlib.Path(self.state_dir).glob("*") if path.suffix in (".mask", ".upload")})
        daemon = self.daemon(trouble=look)
        running = self.send(daemon.server)
        self.feed(running)
        self.assertEqual(running.end_of_stream(), 0)
        self.assertEqual(seen, [{".mask": 0o600, ".upload": 0o600}])

    def test_a_daemon_at_its_usual_socket_is_found(self):
        runtime = os.path.join(self.home, "runtime")
        os.makedirs(os.path.join(runtime, "tofud"))
        self.daemon(address=os.path.join(runtime, "tofud", "tofud.sock"))
        env = self.secret_env(XDG_RUNTIME_DIR=runtime, TOFUD_SERVER="")
        running = self.pipe("--no-server", env=env)
        running.wait_for_url()
        self.feed(running)
        self.assertEqual(running.end_of_stream(), 0)
        self.assertEqual(self.disk.runs(), [])
        shutil.rmtree(self.state_dir)
        running = self.pipe(env=dict(env, CI="true"))
        self.keep_mask()
        self.feed(running)
        self.assertEqual(running.end_of_stream(), 0)
        self.assert_all_is_there(in_ci=True)

    @unittest.skipIf(os.path.exists("/run/tofud/tofud.sock"), "a daemon of the whole machine would get the run")
    def test_a_socket_that_nobody_listens_at_is_no_daemon(self):
        runtime = os.path.join(self.home, "runtime")
        os.makedirs(os.path.join(runtime, "tofud"))
        self.daemon(address=os.path.join(runtime, "tofud", "tofud.sock")).stop()
        running = self.pipe(env=self.env(XDG_RUNTIME_DIR=runtime, TOFUD_SERVER=""))
        running.wait_for_url()
        self.assertEqual(running.port() > 0, True)
        self.feed(running)
        self.assertEqual(running.end_of_stream(), 0)
        self.assertEqual(running.err.all(), b"")
        self.assertEqual(sorted(path.suffix for path in pathlib.Path(self.state_dir).glob("2*")), [".events", ".jsonl"])

    def test_a_bad_server_is_refused_before_anything_is_read(self):
        running = self.send("nonsense")
        self.assertEqual(running.wait(), 2)
        self.assertIn(b"write https://HOST:PORT, http://HOST:PORT or unix:", running.err.all())

    def test_a_bad_variable_is_a_warning_and_nothing_else(self):
        running = self.pipe(env=self.env(TOFUD_SERVER="http://example.com:80"))
        running.wait_for_url()
        self.feed(running)
        self.assertEqual(running.end_of_stream(), 0)
        said = running.err.all().decode()
        self.assertEqual(said.count("\n"), 1)
        self.assertIn("other machines need https://", said)

    def test_a_server_that_is_not_there_yet_gets_the_run_when_it_comes(self):
        port = free_port()
        running = self.send("http://127.0.0.1:%d" % port)
        self.assertIn("has not accepted the run yet", running.err.next().decode())
        running.wait_for_url()
        self.assertNotEqual(running.port(), port)
        self.keep_mask()
        self.feed(running, LINES[:20])
        self.daemon(address=("127.0.0.1", port))
        until(lambda: self.disk.runs() and self.the_run().lines.count(b"\n") == 20, "the lines so far")
        self.feed(running, LINES[20:])
        self.assertEqual(running.end_of_stream(), 0)
        self.assert_all_is_there()

    def test_a_long_stream_arrives(self):
        daemon = self.daemon(max_patch=70_000)
        running = self.send(daemon.server, "--progress", "none", stdout=subprocess.DEVNULL)
        self.keep_mask()
        self.feed(running, [line * 200 for line in LINES])
        self.assertEqual(running.end_of_stream(), 0)
        self.assert_all_is_there()


class Wrapped(Forwarding):
    def setUp(self):
        super().setUp()
        self.bin = os.path.join(self.home, "bin")
        os.makedirs(self.bin)
        os.symlink(FAKE, os.path.join(self.bin, "tofu"))

    def run_tofu(self, server, *args, **more):
        env = self.secret_env(PATH=self.bin + ":" + os.environ["PATH"], FAKE_STREAM=recorded_path("apply-slow-progress"),
                              FAKE_REPORT=os.path.join(self.home, "report"), TOFUD_STATE_DIR=self.state_dir,
                              TOFUD_LISTEN="127.0.0.1:0", TOFUD_SERVER=server, **more)
        return self.kept(Running([TOFUD, "run", "--", "tofu", "apply", "-auto-approve", *args], env, stdin=subprocess.DEVNULL,
                                 cwd=self.home))

    def is_our_worker(self, cmdline):
        try:
            environment = cmdline.with_name("environ").read_bytes()
            return b"worker-of-the-pipe" in cmdline.read_bytes() and self.state_dir.encode() in environment
        except OSError:
            return False

    def test_a_run_arrives_with_its_exit_status(self):
        daemon = self.daemon()
        running = self.run_tofu(daemon.server, "-parallelism=3", FAKE_STATUS="7")
        self.keep_mask()
        self.assertEqual(running.wait(), 7)
        self.assert_all_is_there()
        run = self.the_run()
        self.assertEqual((run.document["argv_command"], run.document["parallelism"]), ("apply", 3))
        last = json.loads(run.events[-1])
        self.assertEqual(last, {"offset": len(run.lines), "event": "exit", "status": 7})
        self.assertIn("http://%s/?run=%s" % (daemon.host, run.name), running.err.all().decode())

    def test_a_tofu_that_outlives_tofud_is_followed_to_its_end(self):
        hold = os.path.join(self.home, "hold")
        daemon = self.daemon()
        running = self.run_tofu(daemon.server, FAKE_HOLD=hold, FAKE_STATUS="7")
        self.keep_mask()
        until(lambda: self.disk.runs() and self.the_run().lines.count(b"\n") == len(LINES) - 1, "all but the last line")
        running.process.kill()
        running.wait()
        words = b"`tofud resume %s` sends the rest" % self.spool().stem.encode()
        until(lambda: words in b"".join(running.err.got), "the worker's last words")
        until(lambda: not [path for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if self.is_our_worker(path)], "its end")
        asked = len(daemon.asked("POST"))
        resuming = self.resuming("last")
        until(lambda: len(daemon.asked("POST")) > asked, "it sends")
        self.assertIsNone(resuming.process.poll())
        pathlib.Path(hold).touch()
        self.assertEqual(resuming.wait(), 0)
        self.assertEqual(self.the_run().lines.count(b"\n"), len(LINES))
        self.assert_all_is_there()

    def test_a_daemon_that_hangs_changes_no_status(self):
        daemon = self.daemon(trouble=lambda *_: "hang")
        running = self.run_tofu(daemon.server, FAKE_STATUS="7")
        self.assertEqual(running.wait(), 7)
        self.assertIn("`tofud resume %s` sends the rest" % self.spool().stem, running.err.all().decode())


class WhateverBreaks(Forwarding):
    def test_a_daemon_in_every_kind_of_trouble_ends_with_the_same_bytes(self):
        luck = random.Random(7)
        kinds = ["drop before", "drop after", (503, 0), (429, 0), (507, 0), 500, 413]

        def trouble(method, _path, _daemon):
            kind = luck.choice(kinds) if luck.random() < 0.3 else None
            return None if kind == 413 and method != "PATCH" else kind
        daemon = self.daemon(trouble=trouble)
        running = self.send(daemon.server)
        self.keep_mask()
        self.feed(running, pause=0.02)
        daemon.trouble = None
        self.assertEqual(running.end_of_stream(), 0)
        self.assert_all_is_there()

    def test_a_daemon_that_goes_back_gets_the_bytes_again(self):
        daemon = self.daemon()
        running = self.send(daemon.server)
        self.keep_mask()
        self.feed(running, LINES[:20])
        until(lambda: self.disk.runs() and self.the_run().lines.count(b"\n") == 20, "the first lines")
        with self.the_run().lock:
            del self.the_run().lines[100:]
        self.feed(running, LINES[20:])
        self.assertEqual(running.end_of_stream(), 0)
        self.assert_all_is_there()

    def test_a_daemon_that_lost_the_run_gets_all_of_it_again(self):
        daemon = self.daemon()
        running = self.send(daemon.server)
        self.keep_mask()
        self.feed(running, LINES[:20])
        until(lambda: self.disk.runs() and self.the_run().lines.count(b"\n") == 20, "the first lines")
        self.disk.forget()
        self.feed(running, LINES[20:])
        self.assertEqual(running.end_of_stream(), 0)
        self.assert_all_is_there()

    def test_a_daemon_may_start_again_and_again(self):
        daemon = self.daemon()
        running = self.send(daemon.server)
        self.keep_mask()
        for i, line in enumerate(LINES):
            running.write(line)
            if i % 12 == 5:
                daemon.stop()
                time.sleep(0.05)
                daemon = self.daemon(address=daemon.address)
            time.sleep(0.01)
        self.assertEqual(running.end_of_stream(), 0)
        self.assert_all_is_there()

    def test_workers_that_are_killed_at_any_moment_go_on_where_the_one_before_stood(self):
        for seed in range(KILLS):
            luck = random.Random(seed)
            self.disk = Disk()
            shutil.rmtree(self.state_dir, ignore_errors=True)
            daemon = self.daemon()
            running = self.send(daemon.server)
            self.keep_mask()
            for number in range(3):
                self.feed(running, LINES[number * 15:number * 15 + 15], pause=luck.random() * 0.01)
                for pid in children(running.process.pid):
                    os.kill(pid, signal.SIGKILL)
            self.feed(running, LINES[45:])
            self.assertEqual(running.end_of_stream(), 0, seed)
            said = running.err.all().decode()
            if "`tofud resume %s` sends" % self.spool().stem in said:  # killed when the stream was over
                self.assertEqual(self.resume("last")[0], 0)
            with self.subTest(seed=seed, said=said):
                self.assert_all_is_there()
            daemon.stop()

    def test_other_bytes_there_stop_it_for_good_with_one_sentence(self):
        daemon = self.daemon()
        running = self.send(daemon.server)
        self.feed(running, LINES[:20])
        until(lambda: self.disk.runs() and self.the_run().lines.count(b"\n") == 20, "the first lines")

        def meddle(method, _path, daemon):
            if method == "PATCH":
                daemon.trouble = None
                with self.the_run().lock:
                    self.the_run().lines += b"somebody else's"
        daemon.trouble = meddle
        self.feed(running, LINES[20:])
        self.assertEqual(running.end_of_stream(), 0)
        said = running.err.all().decode()
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("the daemon has other bytes for this run", said)
        self.assertIn(str(self.spool()), said)
        self.assertEqual(self.record()["stopped"]["reason"], "diverged")

    def test_a_removed_run_is_never_sent_again(self):
        daemon = self.daemon()
        running = self.send(daemon.server)
        self.feed(running, LINES[:20])
        until(lambda: self.disk.runs() and self.the_run().lines.count(b"\n") == 20, "the first lines")
        self.disk.remove(self.the_run())
        self.feed(running, LINES[20:])
        self.assertEqual(running.end_of_stream(), 0)
        self.assertIn("was removed from the daemon", running.err.all().decode())
        asked = len(daemon.requests)
        status, said = self.resume(self.spool().stem)
        self.assertEqual(status, 1)
        self.assertIn("removed", said)
        self.assertEqual(len(daemon.requests), asked)

    def test_a_daemon_that_refuses_is_warned_of_once_and_the_run_can_be_sent_later(self):
        daemon = self.daemon(trouble=lambda *_: 403)
        running = self.send(daemon.server)
        running.wait_for_url()
        self.keep_mask()
        self.feed(running)
        self.assertEqual(running.end_of_stream(), 0)
        said = running.err.all().decode()
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("refused this upload (403: because of the test)", said)
        daemon.trouble = None
        self.assertEqual(self.resume(self.spool().stem)[0], 0)
        self.assert_all_is_there()


class NoHarm(Forwarding):
    """Daemons that are no good: the status is the run's, and the end comes."""

    def bad(self, trouble):
        daemon = self.daemon(trouble=lambda *_: trouble)
        running = self.send(daemon.server)
        running.wait_for_url()
        self.keep_mask()
        self.feed(running, [recorded("apply-provider-errors")])
        self.assertEqual(running.end_of_stream(), 1)
        self.assertIn("`tofud resume %s` sends the rest" % self.spool().stem, running.err.all().decode())
        daemon.trouble = None
        self.assertEqual(self.resume("last")[0], 0)
        self.assert_all_is_there()

    def test_one_that_hangs(self):
        self.bad("hang")

    def test_one_that_trickles(self):
        self.bad("trickle")

    def test_one_that_sends_garbage(self):
        self.bad("garbage")

    def test_one_that_is_always_busy(self):
        self.bad(503)

    def test_one_that_hangs_once_it_has_the_run(self):
        daemon = self.daemon(trouble=lambda method, *_: None if method == "POST" else "hang")
        running = self.send(daemon.server)
        self.keep_mask()
        self.feed(running)
        self.assertEqual(running.end_of_stream(), 0)
        said = running.err.all().decode()
        self.assertIn(" bytes of run %s are not yet sent to %s" % (self.spool().stem, daemon.server), said)
        daemon.trouble = None
        self.assertEqual(self.resume("last")[0], 0)
        self.assert_all_is_there()

    def test_one_that_never_answers_at_its_usual_socket(self):
        runtime = os.path.join(self.home, "runtime")
        os.makedirs(os.path.join(runtime, "tofud"))
        self.daemon(address=os.path.join(runtime, "tofud", "tofud.sock"), trouble=lambda *_: "hang")
        running = self.pipe(env=self.env(XDG_RUNTIME_DIR=runtime, TOFUD_SERVER=""))
        running.wait_for_url()
        self.feed(running)
        self.assertEqual(running.end_of_stream(), 0)


class Resuming(Forwarding):
    def unsent(self, server, lines=None, env=None):
        """A run whose forwarder died with its keeper after some lines; what was printed after that is in the spool."""
        running = self.send(server, env=env)
        self.keep_mask()
        self.feed(running, lines or LEAKY + LINES)
        until(lambda: self.spool().read_bytes() == b"".join(lines or LEAKY + LINES), "the spool")
        kill_all(running.process)
        return self.spool().stem

    def test_what_is_missing_is_sent_under_the_frozen_rules(self):
        daemon = self.daemon(trouble=lambda method, *_: "hang" if method != "POST" else None)
        run = self.unsent(daemon.server)
        daemon.trouble = None
        status, said = self.resume(run, env=self.env(TF_VAR_db_password="quite-another-secret"))
        self.assertEqual(status, 0, said)
        self.assertIn("all %d bytes of it" % len(self.the_run().lines), said)
        self.assert_all_is_there()

    def test_a_run_that_is_all_there_is_not_sent_again(self):
        daemon = self.daemon()
        running = self.send(daemon.server)
        self.feed(running)
        self.assertEqual(running.end_of_stream(), 0)
        asked = len(daemon.requests)
        status, said = self.resume("last")
        self.assertEqual(status, 0)
        self.assertIn("already", said)
        self.assertEqual(len(daemon.requests), asked)

    def test_a_run_that_was_never_sent_gets_rules_and_a_name_first(self):
        running = self.pipe("--no-server", env=self.secret_env())
        self.feed(running, LEAKY + LINES)
        running.end_of_stream()
        status, said = self.resume("last")
        self.assertEqual(status, 1)
        self.assertIn("name one with --server", said)
        daemon = self.daemon(trouble=lambda *_: 503)
        resuming = self.resuming("last", "--server", daemon.server, env=self.secret_env())
        self.keep_mask()
        daemon.trouble = None
        self.assertEqual(resuming.wait(), 0)
        self.assert_all_is_there()

    def test_it_waits_for_the_daemon_until_ctrl_c(self):
        port = free_port()
        run = self.unsent("http://127.0.0.1:%d" % port)
        resuming = self.resuming(run)
        until(lambda: catches(resuming.process.pid, signal.SIGINT), "it can be asked to stop")
        resuming.process.send_signal(signal.SIGINT)
        self.assertEqual(resuming.wait(), 130)
        self.assertIn(b"are not yet sent to http://127.0.0.1:%d" % port, resuming.err.all())
        resuming = self.resuming(run)
        self.daemon(address=("127.0.0.1", port))
        self.assertEqual(resuming.wait(), 0)
        self.assert_all_is_there()

    def test_resumed_and_killed_again_and_again_it_still_arrives(self):
        daemon = self.daemon(max_patch=500, trouble=lambda method, *_: "hang" if method != "POST" else None)
        run = self.unsent(daemon.server)
        luck = random.Random(1)
        daemon.trouble = lambda *_: time.sleep(0.003)
        for _ in range(KILLS):
            resuming = self.resuming(run)
            time.sleep(luck.random() * 0.1)
            resuming.process.kill()
            resuming.wait()
        daemon.trouble = None
        self.assertEqual(self.resume(run)[0], 0)
        self.assert_all_is_there()

    def test_two_at_once_are_one_too_many(self):
        daemon = self.daemon(trouble=lambda *_: 503)
        run = self.unsent(daemon.server)
        asked = len(daemon.asked("POST"))  # by the run itself, before it was killed
        first = self.resuming(run)
        until(lambda: len(daemon.asked("POST")) > asked, "the first sends")
        status, said = self.resume(run)
        self.assertEqual(status, 1)
        self.assertIn("another tofud is already sending it", said)
        daemon.trouble = None
        self.assertEqual(first.wait(), 0)
        self.assert_all_is_there()

    def test_a_spool_that_is_still_written_is_followed_to_its_end(self):
        daemon = self.daemon(trouble=lambda *_: 503)
        running = self.send(daemon.server)
        self.keep_mask()
        for number in range(4):  # no worker is left
            victim = until(lambda: children(running.process.pid), "a worker")
            os.kill(victim[0], signal.SIGKILL)
            until(lambda: victim[0] not in children(running.process.pid), "its end")
        self.feed(running, LINES[:20])
        daemon.trouble = None
        resuming = self.resuming("last")
        until(lambda: self.disk.runs() and self.the_run().lines.count(b"\n") == 20, "the first lines")
        self.feed(running, LINES[20:])
        self.assertIsNone(resuming.process.poll())
        self.assertEqual(running.end_of_stream(), 0)
        self.assertEqual(resuming.wait(), 0)
        self.assert_all_is_there()

    def test_every_forwarder_resumes(self):
        daemon = self.daemon(trouble=lambda *_: 503)
        for _ in range(3):
            running = self.send(daemon.server)
            self.feed(running)
            running.end_of_stream()
        running = self.pipe("--no-server")
        self.feed(running)
        running.end_of_stream()
        listed = subprocess.run([TOFUD, "ls", "--state-dir", self.state_dir], capture_output=True, env=self.env(),
                                timeout=PATIENCE, check=True)
        self.assertIn(b"3 are not completely sent to a daemon; `tofud resume --all` sends the rest", listed.stderr)
        daemon.trouble = None
        status, said = self.resume("--all")
        self.assertEqual(status, 0, said)
        self.assertEqual(len(self.disk.runs()), 3)
        self.assertTrue(all(run.complete for run in self.disk.runs()))
        status, said = self.resume("--all")
        self.assertEqual((status, said), (0, "tofud: nothing to send\n"))

    def test_without_its_mask_a_run_is_not_sent_on(self):
        daemon = self.daemon(trouble=lambda method, *_: "hang" if method != "POST" else None)
        run = self.unsent(daemon.server)
        daemon.trouble = None
        self.beside(".mask").unlink()
        status, said = self.resume(run)
        self.assertEqual(status, 1)
        self.assertIn(".mask", said)
        self.assertEqual([run for run in self.disk.runs() if run.lines], [])

    def test_a_compressed_stream_is_refused(self):
        status, said = self.resume(str(ROOT / "tests/recordings" / "x.jsonl"), "--server", "http://127.0.0.1:1")
        self.assertEqual(status, 1)
        self.assertIn("can't read", said)

    def test_usage(self):
        self.assertEqual(self.resume()[0], 2)
        self.assertEqual(self.resume("last", "--all")[0], 2)
        self.assertEqual(self.resume("last", "--server", "x")[0], 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
