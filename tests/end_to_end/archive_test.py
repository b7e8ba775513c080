#!/usr/bin/python3
"""Ended runs are copied to a directory, where retention leaves them; a person's removal takes them away there first."""
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

from asking import STREAM, Asking
from binary import TOFUD, until


class Archive(Asking):
    def setUp(self):
        super().setUp()
        self.place = pathlib.Path(self.home, "archive")

    def archiving(self, *args, **more):
        return self.serve("--archive", str(self.place), *args, **more)

    def has(self, run):
        return (self.place / "runs" / run / "manifest.jsonl").exists()

    def check(self, status=0, place=None):
        return self.tofud("reindex", "--check", str(place or self.place), status=status)

    def metric(self, daemon, name):
        lines = daemon.ask("GET", "/metrics").body.decode().splitlines()
        return float(next(line for line in lines if line.startswith(name + " ")).split()[1])

    def log_of(self, daemon):
        return b"".join(daemon.running.err.got)


class Directory(Archive):
    def test_it_is_a_journal_that_another_daemon_opens(self):
        daemon = self.archiving()
        runs = [daemon.put_run(STREAM, "/v1/runs?stack=net/%d" % number) for number in range(3)]
        until(lambda: all(self.has(run) for run in runs), "they are archived")
        self.assertIn("is whole: 3 runs", self.check()[0])
        until(lambda: self.metric(daemon, "tofud_archived_runs_total") == 3, "they are counted")
        self.assertEqual(self.metric(daemon, "tofud_archive_up"), 1)
        self.assertEqual(self.metric(daemon, "tofud_archive_waiting_runs"), 0)
        copy = os.path.join(self.home, "copy-state", "daemon")
        shutil.copytree(self.place, copy)
        other = self.serve(name="other", state_dir=os.path.dirname(copy))
        until(lambda: other.status("GET", "/readyz") == 200, "it is ready")
        for run in runs:
            self.assertEqual(other.ask("GET", "/v1/runs/%s/stream.jsonl" % run).body, daemon.ask("GET", "/v1/runs/%s/stream.jsonl" % run).body)
            self.assertEqual(other.ask("GET", "/v1/runs/" + run).json()["rows"], daemon.ask("GET", "/v1/runs/" + run).json()["rows"])
        self.assertEqual({run["stack"] for run in other.ask("GET", "/v1/runs").json()["runs"]}, {"net/0", "net/1", "net/2"})

    def test_retention_leaves_what_it_has_and_waits_for_what_it_lacks(self):
        # A file is in its place: it takes nothing.
        self.place.write_text("")
        daemon = self.archiving("--retain-runs", "1")
        runs = [daemon.put_run() for _ in range(3)]
        until(lambda: b"takes nothing" in self.log_of(daemon), "it is said")
        self.assertIn(b"archive.json: can't be read: Not a directory; it is tried again in 15 seconds", self.log_of(daemon))
        daemon.running.process.send_signal(signal.SIGTERM)
        daemon.running.wait()
        daemon = self.archiving("--retain-runs", "1", name="again", state_dir=daemon.state_dir)
        self.assertEqual({run["run"] for run in daemon.ask("GET", "/v1/runs").json()["runs"]}, set(runs))  # retention has looked at the start
        self.place.unlink()
        daemon.stop()
        daemon = self.archiving("--retain-runs", "1", name="third", state_dir=daemon.state_dir)
        until(lambda: all(self.has(run) for run in runs), "they are archived")

        def left():
            daemon.running.process.send_signal(signal.SIGHUP)  # retention looks
            return len(daemon.ask("GET", "/v1/runs").json()["runs"])
        until(lambda: left() == 1, "two are gone here")
        self.assertTrue(all(self.has(run) for run in runs))
        self.check()

    def test_what_a_person_removes_goes_there_first(self):
        daemon = self.archiving()
        gone, kept, stuck = (daemon.put_run() for _ in range(3))
        until(lambda: self.has(gone) and self.has(kept) and self.has(stuck), "they are archived")
        server = ("--server", "unix:" + daemon.socket)
        self.tofud("rm", gone, *server)
        self.assertFalse((self.place / "runs" / gone).exists())
        self.assertEqual(daemon.status("GET", "/v1/runs/" + gone), 404)
        self.tofud("rm", kept, "--keep-archived", *server)
        self.assertTrue(self.has(kept))
        self.assertEqual(daemon.status("GET", "/v1/runs/" + kept), 404)
        self.assertEqual(daemon.status("DELETE", "/v1/runs/%s?archive=yes" % stuck), 400)
        daemon.stop()
        without = self.serve(name="without", state_dir=daemon.state_dir)
        said = self.tofud("rm", stuck, "--server", "unix:" + without.socket, status=1)[1]
        self.assertIn("run %s is archived in %s, which this daemon can't change" % (stuck, self.place), said)
        self.assertEqual(without.status("GET", "/v1/runs/" + stuck), 200)
        self.tofud("rm", stuck, "--keep-archived", "--server", "unix:" + without.socket)
        self.assertEqual(without.status("GET", "/v1/runs/" + stuck), 404)

    def test_a_daemon_that_is_killed_again_and_again_leaves_no_half_run(self):
        state, runs = None, []
        for number in range(int(os.environ.get("TOFUD_KILLS", "10"))):
            daemon = self.archiving(name="killed-%d" % number, **({"state_dir": state} if state else {}))
            state = daemon.state_dir
            runs += [daemon.put_run(STREAM, "/v1/runs?stack=net/%d" % each) for each in range(3)]
            until(lambda: len(list(self.place.glob("runs/*/manifest.jsonl"))) > number, "some are archived")
            daemon.running.process.send_signal(signal.SIGKILL)
            daemon.running.wait()
        daemon = self.archiving(name="last", state_dir=state)
        until(lambda: all(self.has(run) for run in runs), "they are archived")
        self.assertIn("is whole: %d runs" % len(runs), self.check()[0])

    def test_a_place_that_is_not_mounted_is_not_written_to(self):
        daemon = self.archiving()
        run = daemon.put_run()
        until(lambda: self.has(run), "it is archived")
        daemon.stop()
        shutil.rmtree(self.place)
        self.place.mkdir()
        daemon = self.archiving(name="again", state_dir=daemon.state_dir)
        until(lambda: b"mount what belongs there" in self.log_of(daemon), "it is said")
        self.assertEqual(list(self.place.iterdir()), [])

    def test_what_is_no_place_is_refused_at_once(self):
        for args, words in ((("--archive", "archive"), "is no place for an archive"), (("--archive", "s3://Runs"), "is no place for an archive"),
                            (("--archive", "s3://runs"), "an archive in a bucket needs archive.credentials_file"),
                            (("--archive-credentials-file", "/nosuch"), "is for a bucket"),
                            (("--archive-endpoint", "http://s3.example.com"), "is not the address of an S3 service"),
                            (("--archive-region", "eu central"), "is not a region"),
                            (("--archive", "s3://runs", "--archive-credentials-file", "/nosuch"), "the archive's credentials: can't read /nosuch: No such file or directory")):
            done = subprocess.run([TOFUD, "serve", "--no-socket", "--listen", "127.0.0.1:0", "--state-dir", self.state_dir, *args],
                                  capture_output=True, text=True, env=self.env(), timeout=30)
            self.assertIn(done.returncode, (1, 2), args)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
