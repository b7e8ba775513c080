#!/usr/bin/python3
"""What `tofud run OPTIONS` was told holds for whatever starts tofu: tofu itself, a script, another program in between."""
import json
import os
import pathlib
import subprocess
import unittest

from asking import Asking
from binary import PATIENCE, ROOT, TOFUD, recorded_path
from run_test import Wrapped

WAYS = {"tofu": ["tofu", "apply", "-auto-approve"], "a script": ["sh", "-c", "tofu apply -auto-approve"],
        "another program": ["nice", "-n", "1", "tofu", "apply", "-auto-approve"]}
SECRET = "hunter2hunter2"


class RunOptions(Wrapped, Asking):
    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.at_the_daemon = "unix:" + self.server.socket

    def ways(self, *options, **more):
        """Runs each way, in a place of its own that is named after it; gives that place and what was said."""
        for name, command in WAYS.items():
            self.work = os.path.join(self.home, "places", options[0].strip("-"), name)
            os.makedirs(self.work)
            env = self.fake(CI="true")
            env.pop("TOFUD_LISTEN")
            env.update({"TOFUD_SERVER": "none", **more, "TOFUD_STATE_DIR": os.path.join(self.work, "state")})
            done = subprocess.run([TOFUD, "run", *options, "--", *command], env=env, cwd=self.work, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, 0, (name, done.stderr))
            yield pathlib.Path(self.work), done.stdout + done.stderr

    def row_of(self, place):
        spool, = (place / "state").glob("*.jsonl")
        return next(iter(self.rows(spool)["run"].values()))

    def runs_there(self):
        return self.server.ask("GET", "/v1/runs").json()["runs"]

    def test_stack_and_label(self):
        for place, _ in self.ways("--stack", "my/stack", "--label", "a=b c", "--label", "d=e"):
            row = self.row_of(place)
            self.assertEqual((row["stack"], row["labels"]["a"], row["labels"]["d"]), ("my/stack", "b c", "e"), place)

    def test_report_and_junit_lie_where_the_command_line_says(self):
        for place, _ in self.ways("--report", "r.html", "--junit", "j.xml"):
            self.assertIn("<testsuite", (place / "j.xml").read_text())
            self.assertIn("<html", (place / "r.html").read_text())

    def test_progress(self):
        for _, said in self.ways("--progress", "json"):
            self.assertIn(pathlib.Path(recorded_path("apply-slow-progress")).read_bytes().splitlines()[0], said)

    def test_colour(self):
        for _, said in self.ways("--color", "always", "--progress", "plain"):
            self.assertIn(b"\x1b[", said)
        for _, said in self.ways("--progress", "plain", "--color", "never", FORCE_COLOR="1"):
            self.assertNotIn(b"\x1b[", said)

    def test_heartbeat(self):
        lines = pathlib.Path(recorded_path("apply-slow-progress")).read_bytes().splitlines(keepends=True)
        some = pathlib.Path(self.home, "some.jsonl")
        some.write_bytes(lines[0] + next(line for line in lines if b'"type":"apply_start"' in line) + lines[-1])
        for _, said in self.ways("--heartbeat", "1", "--progress", "plain", FAKE_PAUSE="4", FAKE_STREAM=str(some)):
            self.assertIn(b"still", said)

    def test_state_dir(self):
        for place, _ in self.ways("--state-dir", "elsewhere"):
            self.assertEqual(len(list((place / "elsewhere").glob("*.jsonl"))), 1)

    def test_server(self):
        for count, _ in enumerate(self.ways("--server", self.at_the_daemon), 1):
            self.assertEqual(len(self.runs_there()), count)

    def test_mask_file(self):
        stream = os.path.join(self.home, "leaky.jsonl")
        recording = pathlib.Path(recorded_path("apply-slow-progress")).read_bytes()
        pathlib.Path(stream).write_bytes(recording.replace(b"random_pet", b"random_pet " + SECRET.encode()))
        pathlib.Path(self.home, "mask").write_text(SECRET + "\n")
        for _, _ in self.ways("--server", self.at_the_daemon, "--mask-file", os.path.join(self.home, "mask"), FAKE_STREAM=stream):
            run = self.runs_there()[0]["run"]
            there = self.server.ask("GET", "/v1/runs/%s/stream.jsonl" % run).body
            self.assertEqual((there.count(SECRET.encode()), there.count(b"\n")), (0, recording.count(b"\n")))

    def test_no_server(self):
        for _, _ in self.ways("--no-server", TOFUD_SERVER=self.at_the_daemon):
            self.assertEqual(self.runs_there(), [])

    def test_a_missing_token_file_is_an_error(self):
        for _, said in self.ways("--server", "http://127.0.0.1:9", "--token-file", "missing"):
            self.assertIn(b"missing", said)

    def test_the_ca_file_is_read(self):
        for _, said in self.ways("--server", "https://127.0.0.1:9", "--ca-file", recorded_path("apply-slow-progress")):
            self.assertIn(b"apply-slow-progress", said)

    def test_listen_serves_the_page_and_no_listen_none(self):
        for _, said in self.ways("--listen", "127.0.0.1:0"):
            self.assertIn(b"http://127.0.0.1:", said)
        for _, said in self.ways("--no-listen", TOFUD_LISTEN="127.0.0.1:0"):
            self.assertNotIn(b"http://127.0.0.1:", said)

    def test_documents_that_are_known_beforehand(self):
        plan = os.path.join(self.home, "plan.json")
        pathlib.Path(plan).write_text(json.dumps({"format_version": "1.2", "terraform_version": "1.12.6", "resource_changes": []}))
        for place, _ in self.ways("--plan", plan, "--config", ".."):
            events = [json.loads(line) for path in (place / "state").glob("*.events") for line in path.read_text().splitlines()]
            self.assertIn("plan", json.dumps(events))


if __name__ == "__main__":
    unittest.main(verbosity=2)
