#!/usr/bin/python3
"""What a machine and a daemon remember of the runs they saw: `tofud history`, GET /v1/history, forecasts."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import unittest

from asking import Asking
from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, until
from one_resource import DONE, VERSION, begun, created

sys.path.insert(0, str(ROOT / "tests/upload"))
import client


class History(Asking):
    def tofud(self, *args, status=0):
        return super().tofud(*args, status=status, env=self.env(TOFUD_STATE_DIR=self.state_dir))

    def applied(self, stream, *args, status=0):
        """A pipe that has read all of it."""
        stream = VERSION + stream + (DONE if status == 0 else b"")
        done = subprocess.run([TOFUD, "--no-listen", "--progress", "none", "--no-server", *args], input=stream, capture_output=True, env=self.env(TOFUD_STATE_DIR=self.state_dir),
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr)

    def entries(self, *args):
        return json.loads(self.tofud("history", "--json", "--no-server", *args)[0])["entries"]

    def test_a_pipe_remembers_what_its_run_did(self):
        for seconds in (10, 20, 30):
            self.applied(created("acme_db.main", seconds), "--stack", "net", "--label", "commit=c0ffee", "--label", "actor=ada")
        self.applied(created("acme_db.main", 5, "apply_errored"), "--stack", "net", status=1)
        entry, = self.entries("acme_db.main")
        self.assertEqual([entry[key] for key in ("stack", "type", "action", "phase", "count", "failed", "p50_s", "p80_s", "failed_of_newest", "flaky")],
                         ["net", "acme_db", "create", "apply", 4, 1, 20, 30, [1, 4], True])
        self.assertEqual((entry["changed_by"]["commit"], entry["changed_by"]["actor"]), ("c0ffee", "ada"))
        text = self.tofud("history", "acme_db.main", "--no-server")[0]
        self.assertIn("create  4 times: usually 20s, 4 of 5 within 30s", text)
        self.assertIn("failed 1 of the last 4", text)
        self.assertIn("which claimed commit c0ffee, actor ada", text)

    def test_the_table_has_what_failed_first_and_then_the_slowest(self):
        self.applied(created("acme_db.slow", 50) + created("acme_vm.fast", 1) + created("acme_vm.broken", 2, "apply_errored"), status=1)
        lines = self.tofud("history", "--no-server")[0].splitlines()
        self.assertEqual([line.split()[0] for line in lines[:4]], ["ADDRESS", "acme_vm.broken", "acme_db.slow", "acme_vm.fast"])
        self.assertIn("SLOWEST TYPES", "\n".join(lines))
        self.assertEqual([each["addr"] for each in self.entries("--type", "acme_db")], ["acme_db.slow"])
        self.assertEqual(self.entries("--stack", "nobody's"), [])

    def test_nothing_remembered_is_said(self):
        self.assertIn("nothing is remembered yet", self.tofud("history", "--no-server")[1])
        self.applied(created("acme_db.main", 5))
        self.assertIn("nothing is remembered of that", self.tofud("history", "acme_db.other", "--no-server")[1])

    def test_versions_of_providers_come_from_the_lock_file(self):
        config = pathlib.Path(self.home, "config")
        config.mkdir()
        (config / "main.tf").write_text('resource "acme_db" "main" {\n}\n')
        (config / ".terraform.lock.hcl").write_text('provider "example.com/corp/acme" {\n  version = "5.1.0"\n}\n')
        self.applied(created("acme_db.main", 5), "--config", str(config))
        entry, = self.entries("acme_db.main")
        self.assertEqual((entry["provider"], entry["provider_version"]), ("example.com/corp/acme", "5.1.0"))
        self.assertIn("provider corp/acme 5.1.0", self.tofud("history", "acme_db.main", "--no-server")[0])

    def test_twenty_runs_that_end_at_once_are_all_remembered(self):
        stream = b"".join(created("acme_db.x%d" % number, 3) for number in range(50))
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            for each in [pool.submit(self.applied, stream, "--stack", "s%d" % number) for number in range(20)]:
                each.result()
        self.assertEqual(len(self.entries("acme_db.x7")), 20)

    def test_a_history_that_can_t_be_written_does_not_change_how_a_run_ends(self):
        os.makedirs(os.path.join(self.state_dir, "history.db"))
        done = subprocess.run([TOFUD, "--no-listen", "--no-server", "--progress", "plain"], input=VERSION + created("acme_db.main", 5) + DONE, capture_output=True,
                              env=self.env(TOFUD_STATE_DIR=self.state_dir), timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"history of durations", done.stdout + done.stderr)

    def test_import_reads_old_streams_once(self):
        stored = pathlib.Path(self.home, "stored")
        stored.mkdir()
        (stored / "one.jsonl").write_bytes(VERSION + created("acme_db.main", 5))
        (stored / "two.jsonl").write_bytes(VERSION + created("acme_db.main", 7, at=2))
        (stored / "notes.txt").write_text("no stream")
        self.assertEqual(self.tofud("history", "import", "--stack", "net", str(stored))[0], "imported 2 operations of 2 runs\n")
        self.assertEqual(self.tofud("history", "import", "--stack", "net", str(stored))[0], "imported 0 operations of 0 runs; 2 streams were known\n")
        entry, = self.entries("acme_db.main")
        self.assertEqual((entry["stack"], entry["count"], entry["p80_s"]), ("net", 2, 7))

    def test_import_of_all_recordings(self):
        out, err = self.tofud("history", "import", *map(str, sorted(path for path in RECORDINGS.iterdir() if path.is_dir())), "--stack", "recorded", status=1)
        self.assertEqual({line.split("/")[-2] for line in err.splitlines()}, {"validate-output-other-json"})  # documents, no streams
        self.assertGreater(int(out.split()[1]), 500)

    def test_import_says_what_it_can_t_read(self):
        stray = pathlib.Path(self.home, "stray.jsonl")
        stray.write_text("no stream\n")
        out, err = self.tofud("history", "import", str(stray), os.path.join(self.home, "none.jsonl"), status=1)
        self.assertIn("2 paths could not be read", out)
        self.assertIn("no stream of OpenTofu's -json messages", err)
        self.assertIn("none.jsonl", err)

    def test_a_run_of_this_machine_is_forgotten_with_rm(self):
        self.applied(created("acme_db.main", 5))
        run = json.loads(self.tofud("ls", "--json", "--no-server")[0])["run"]
        self.tofud("rm", "--local", "--no-server", run)
        self.assertEqual(self.entries("acme_db.main"), [])

    def test_a_daemon_remembers_answers_and_forgets(self):
        daemon = self.serve()
        for seconds in (10, 20, 30):
            self.assertEqual(daemon.status("PUT", "/v1/runs?stack=net&label=commit=c0ffee", body=VERSION + created("acme_db.main", seconds)), 201)
        find = lambda: daemon.ask("GET", "/v1/history?addr=acme_db.main").json()["entries"]
        until(lambda: find() and find()[0]["count"] == 3, "all are remembered")
        self.assertEqual((find()[0]["p50_s"], find()[0]["changed_by"]["commit"]), (20, "c0ffee"))
        self.assertIn("usually 20s", self.tofud("history", "acme_db.main", "--server", daemon.url)[0])
        self.assertEqual(daemon.ask("GET", "/v1/history?stack=other").json()["entries"], [])
        for query, wrong in (("limit=0", "limit= is a number from 1 to 1000"), ("limit=1001", "limit= is a number"), ("limit=x", "limit")):
            answer = daemon.ask("GET", "/v1/history?" + query)
            self.assertEqual(answer.status, 400, query)
            self.assertIn(wrong, answer.json()["message"])
        self.assertEqual(daemon.status("DELETE", "/v1/runs/" + find()[0]["newest"][0]["run"]), 204)
        until(lambda: find()[0]["count"] == 2, "one is forgotten")

    def test_a_run_that_goes_on_says_what_is_usual(self):
        daemon = self.serve()
        for _ in range(3):
            daemon.put_run(VERSION + created("acme_db.main", 60) + created("acme_db.other", 10))
        until(lambda: daemon.ask("GET", "/v1/history?addr=acme_db.main").json()["entries"][0]["count"] == 3, "all are remembered")
        upload = client.Upload(("127.0.0.1", daemon.port), stack="net")
        upload.create()
        upload.patch(0, VERSION + begun("acme_db.main") + begun("acme_db.new"))
        rows = until(lambda: self.forecasts(daemon, upload.run, 2), "there are two")
        self.assertEqual(rows["acme_db.main"], {"create": {"p50_s": 60, "p80_s": 60, "count": 3, "rung": "address", "flaky": False}})
        self.assertEqual((rows["acme_db.new"]["create"]["rung"], rows["acme_db.new"]["create"]["p50_s"]), ("stack", 10))
        self.assertEqual(set(self.forecasts(daemon, upload.run, 1, "&addr=*.new")), {"acme_db.new"})

    def test_a_job_on_a_new_machine_is_told_by_the_daemon(self):
        daemon = self.serve()
        for _ in range(3):
            daemon.put_run(VERSION + created("acme_db.main", 60))
        until(lambda: daemon.ask("GET", "/v1/history?addr=acme_db.main").json()["entries"][0]["count"] == 3, "all are remembered")
        token = self.token(daemon, "--scope", "ingest")
        running = self.pipe("--stack", "net", "--server", daemon.url.rstrip("/"), "--progress", "plain", "--heartbeat", "1", env=self.env(TOFUD_TOKEN=token))
        running.write(VERSION + begun("acme_db.main"))
        until(lambda: b"(usually 1m00s)" in b"".join(running.out.got), "the heartbeat says so")
        running.end_of_stream()
        other = client.Upload(("127.0.0.1", daemon.port), token=token, stack="other")
        self.assertNotIn("usual", other.create().json)

    def forecasts(self, daemon, run, least, more=""):
        """{address: usual} that a subscriber gets up to its first `at`; nothing if there are fewer."""
        found = {}
        done = subprocess.run(["curl", "-sN", "--max-time", "1", daemon.url + "v1/stream?kinds=forecast&run=" + run + more], capture_output=True, timeout=PATIENCE)
        for line in done.stdout.splitlines():
            row = json.loads(line)
            if row["kind"] == "forecast":
                found[row["key"]] = row["usual"]
        return found if len(found) >= least else None

    def test_the_terminal_and_heartbeats_say_what_is_usual(self):
        for _ in range(3):
            self.applied(created("acme_db.main", 60), "--stack", "net")
        running = self.pipe("--stack", "net", "--no-server", "--progress", "plain", "--heartbeat", "1")
        running.write(VERSION + begun("acme_db.main"))
        until(lambda: b"(usually 1m00s)" in b"".join(running.out.got), "the heartbeat says so")
        running.end_of_stream()


if __name__ == "__main__":
    unittest.main()
