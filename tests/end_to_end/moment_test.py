#!/usr/bin/python3
"""A run as it stood at a moment: `tofud replay --at`, and `at=` of /v1/runs/RUN."""
import json
import subprocess
import unittest
import urllib.error
import urllib.request

from asking import Asking
from binary import PATIENCE, ROOT, TOFUD, fold, get, until

APPLY = ROOT / "tests/causality/recordings/slow"
KNOWN = "--plan", str(APPLY / "plan.json"), "--config", str(APPLY / "config")
STREAM = str(APPLY / "stream.jsonl")


class Moment(Asking):
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
        with open(STREAM) as stream:
            first = json.loads(stream.readline())["@timestamp"]
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

    def lines_at(self, tofud, when, more=""):
        return [json.loads(line) for line in get(tofud.url + "v1/stream?run=latest&at=%s%s" % (when, more)).splitlines()]

    def test_the_feed_gives_the_same_as_lines_and_ends(self):
        tofud = self.replay(STREAM, *KNOWN)
        until(lambda: json.loads(get(tofud.url + "v1/runs/latest"))["run"]["status"] == "succeeded", "all of it")
        live = [json.loads(line) for line in get(tofud.url + "v1/stream?run=latest&end=close").splitlines()]
        for when in (0, 0.3, 8, 3600):
            lines = self.lines_at(tofud, when)
            self.assertEqual((lines[0]["kind"], lines[0]["epoch"]), ("hello", live[0]["epoch"]))
            self.assertEqual(lines[-1]["kind"], "at")
            numbers = [line["seq"] for line in lines[1:-1] if line["kind"] not in ("run", "forecast")]
            self.assertEqual(numbers, sorted(numbers))
            rows = {(line["kind"], line["key"]): line for line in lines[1:-1] if line["kind"] != "run"}
            document = json.loads(get(tofud.url + "v1/runs/latest?at=%s" % when))
            self.assertEqual(rows, {(row["kind"], row["key"]): row for row in document["rows"]}, when)
        self.assertEqual(self.lines_at(tofud, 3600)[-1]["seq"], live[-1]["seq"])
        some = self.lines_at(tofud, 8, "&kinds=resource&addr=*.c")
        self.assertEqual([line.get("addr", line["kind"]) for line in some], ["hello", "terraform_data.c", "at"])

    def test_both_say_what_was_expected_then_by_what_is_remembered(self):
        daemon = self.serve()
        with open(STREAM, "rb") as stream:
            lines = stream.readlines()
        begins = next(i for i, line in enumerate(lines) if b'"apply_start"' in line)
        for _ in range(2):
            tofud = self.pipe("--progress", "none", "--stack", "net", "--server", daemon.url.rstrip("/"), *KNOWN, listen=False)
            tofud.write(b"".join(lines[:begins]))
            until(lambda: [run["status"] for run in daemon.ask("GET", "/v1/runs").json()["runs"]][:1] == ["running"], "the next run")
            until(lambda: daemon.ask("GET", "/v1/runs/latest/plan").status == 200, "its plan")
            tofud.write(b"".join(lines[begins:]))
            self.assertEqual(tofud.end_of_stream(), 0)
        until(lambda: daemon.ask("GET", "/v1/history?stack=net&addr=terraform_data.b").json()["entries"][0]["count"] == 2, "both are remembered")
        estimate, = [line["estimate"] for line in self.lines_at(daemon, 8) if line["kind"] == "forecast"]
        self.assertEqual([each["addr"] for each in estimate["running"]], ["terraform_data.b"])
        said = daemon.ask("GET", "/v1/runs/latest?at=8").json()["run"]["estimate"]
        self.assertEqual(said["p50_s"], estimate["p50_s"])
        self.assertIsNone(daemon.ask("GET", "/v1/runs/latest?at=3600").json()["run"].get("estimate"))
        self.assertEqual([line for line in self.lines_at(daemon, 3600) if line["kind"] == "forecast"], [])
        daemon.stop()
        again = self.serve(name="again", state_dir=daemon.state_dir)  # it has folded nothing yet
        self.assertEqual([line["estimate"] for line in self.lines_at(again, 8) if line["kind"] == "forecast"], [estimate])
        self.assertEqual(again.ask("GET", "/v1/runs/latest").json()["run"]["status"], "succeeded")

    def test_what_the_feed_can_not_give_of_a_moment_is_refused(self):
        tofud = self.replay(STREAM)
        for query, why in (("at=8", "name one with run="), ("run=latest&at=", "at"), ("run=latest&at=8&since=x:1", "exclude"), ("run=latest&at=soon", "seconds since"),
                           ("run=latest&at=8&kinds=log", "lines of output"), ("run=none&at=8", "no run none")):
            with self.assertRaises(urllib.error.HTTPError) as answer:
                urllib.request.urlopen(tofud.url + "v1/stream?" + query, timeout=PATIENCE)
            self.assertIn(answer.exception.code, (400, 404), query)
            self.assertIn(why, answer.exception.read().decode(), query)

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
