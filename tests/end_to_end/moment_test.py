#!/usr/bin/python3
"""A run as it stood at a moment: `tofud replay --at`, and `at=` of /v1/runs/RUN."""
import json
import subprocess
import unittest
import urllib.error
import urllib.request

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, fold, get, until

APPLY = ROOT / "tests/causality/recordings/slow"
KNOWN = "--plan", str(APPLY / "plan.json"), "--config", str(APPLY / "config")
STREAM = str(APPLY / "stream.jsonl")


class Moment(EndToEnd):
    def replayed(self, *args):
        return subprocess.run([TOFUD, "replay", STREAM, *map(str, args)], capture_output=True, env=self.env(TOFUD_STATE_DIR=self.state_dir), timeout=PATIENCE)

    def rows_at(self, when):
        done = self.replayed("--at", when, "--rows", *KNOWN)
        self.assertEqual(done.returncode, 0, done.stderr)
        return fold(map(json.loads, done.stdout.splitlines()))[0]

    def test_rows_are_those_of_the_lines_that_had_come(self):
        begun = self.rows_at(0.3)["resource"]
        self.assertEqual({addr: row["status"] for addr, row in begun.items()},
                         {"terraform_data.a": "running", "terraform_data.b": "planned", "terraform_data.c": "planned", "terraform_data.d": "planned"})
        self.assertEqual(begun["terraform_data.b"]["waiting_for"], ["terraform_data.a"])
        self.assertEqual(begun["terraform_data.c"]["waiting_for"], ["terraform_data.b"])
        middle = self.rows_at(8)["resource"]
        self.assertEqual(middle["terraform_data.a"]["status"], "done")
        self.assertEqual(middle["terraform_data.b"]["status"], "running")
        self.assertEqual(middle["terraform_data.c"]["waiting_for"], ["terraform_data.b"])
        first = json.loads(open(STREAM).readline())["@timestamp"]
        self.assertEqual(self.rows_at(first).get("resource", {}), {})

    def test_beyond_the_end_they_are_the_final_ones(self):
        final = self.replayed("--rows", *KNOWN).stdout
        self.assertEqual(self.replayed("--at", 3600, *KNOWN).stdout, final)

    def test_what_was_expected_then_is_there_where_the_machine_remembers(self):
        self.assertNotIn("forecast", self.rows_at(8))
        subprocess.run([TOFUD, "history", "import", "--stack", "net", STREAM], capture_output=True, env=self.env(TOFUD_STATE_DIR=self.state_dir), timeout=PATIENCE)
        done = self.replayed("--at", 8, "--stack", "net", *KNOWN)
        forecast = [row for row in map(json.loads, done.stdout.splitlines()) if row["kind"] == "forecast"]
        self.assertEqual([each["addr"] for each in forecast[0]["estimate"]["running"]], ["terraform_data.b"])

    def test_the_api_answers_the_same(self):
        tofud = self.replay(STREAM, *KNOWN)
        until(lambda: json.loads(get(tofud.url + "v1/runs/latest"))["run"]["status"] == "succeeded", "all of it")
        for when in (0, 0.3, 5.99, 8, 3600):
            document = json.loads(get(tofud.url + "v1/runs/latest?at=%s" % when))
            rows = {(each["kind"], each["key"]): each for each in document["rows"]}
            expected = self.rows_at(when)
            wanted = {(kind, key): row for kind in ("resource", "message", "output", "diagnostic") for key, row in expected.get(kind, {}).items()}
            self.assertEqual(rows, wanted, when)
            run, = expected["run"].values()
            if when < 3600:  # a replay is told how it ended
                self.assertEqual(document["run"]["counts"], run["counts"], when)

    def test_what_is_no_moment_is_refused(self):
        refused = self.replayed("--at", "yesterday")
        self.assertEqual(refused.returncode, 2)
        self.assertIn(b"--at takes seconds since the first message", refused.stderr)
        tofud = self.replay(STREAM)
        for wrong in ("yesterday", "-1", ""):
            with self.assertRaises(urllib.error.HTTPError) as answer:
                urllib.request.urlopen(tofud.url + "v1/runs/latest?at=" + wrong, timeout=PATIENCE)
            self.assertEqual(answer.exception.code, 400, wrong)


if __name__ == "__main__":
    unittest.main()
