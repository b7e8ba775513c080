#!/usr/bin/python3
"""When an apply is expected to be over: in the feed, in the terminal's lines, and before it begins."""
import json
import os
import re
import subprocess
import unittest

from asking import Asking
from binary import PATIENCE, ROOT, TOFUD, until
from one_resource import DONE, VERSION, message, resource
from terminal import Terminal

CONFIG = """
resource "acme_db" "main" {}
resource "acme_web" "a" {
  db = acme_db.main.id
}
resource "acme_web" "b" {
  db = acme_db.main.id
}
"""
ADDRESSES = "acme_db.main", "acme_web.a", "acme_web.b"


def step(type_, addr, at, **more):
    return message(at, type_, hook={"resource": resource(addr), "action": "create", **more})


def planned(*addresses):
    return b"".join(message(1, "planned_change", change={"resource": resource(each), "action": "create"}) for each in addresses) + \
        message(2, "change_summary", changes={"add": len(addresses), "change": 0, "import": 0, "remove": 0, "operation": "plan"})


class Estimate(Asking):
    def setUp(self):
        super().setUp()
        self.config = os.path.join(self.home, "net")
        os.mkdir(self.config)
        with open(os.path.join(self.config, "main.tf"), "w") as file:
            file.write(CONFIG)

    def before(self, *lengths, server="none"):
        """Earlier runs: the database takes so long, what is behind it 20 seconds."""
        for length in lengths:
            stream = VERSION + planned(*ADDRESSES) + step("apply_start", "acme_db.main", 3) + \
                step("apply_complete", "acme_db.main", 3 + length, elapsed_seconds=length)
            for web in ADDRESSES[1:]:
                stream += step("apply_start", web, 3 + length) + step("apply_complete", web, 23 + length, elapsed_seconds=20)
            subprocess.run([TOFUD, "--no-listen", "--progress", "none", "--stack", "net"], capture_output=True, input=stream + DONE,
                           env=self.env(TOFUD_STATE_DIR=self.state_dir, TOFUD_SERVER=server), timeout=PATIENCE)

    def estimates(self, tofud):
        done = subprocess.run(["curl", "-sN", "--max-time", "1", tofud.url + "v1/stream?kinds=forecast&run=latest"], capture_output=True, timeout=PATIENCE)
        return [row["estimate"] for row in map(json.loads, done.stdout.splitlines()) if "estimate" in row]

    def test_the_feed_has_it_from_the_plans_end_on_and_it_shrinks(self):
        self.before(100, 110, 120, 105)
        tofud = self.pipe("--stack", "net", "--no-server", "--config", self.config)
        tofud.wait_for_url()
        tofud.write(VERSION + planned(*ADDRESSES))
        first = until(lambda: self.estimates(tofud), "an estimate")[0]
        self.assertFalse(first["overrun"])
        self.assertTrue(100 < first["p50_s"] < 160, first)
        self.assertTrue(first["p50_s"] <= first["p80_s"] < 260, first)
        self.assertEqual([each["addr"] for each in first["critical_path"]][0], "acme_db.main")
        self.assertEqual(len(first["critical_path"]), 2)
        self.assertEqual(first["running"], [])
        self.assertEqual(first["slots"], 10)
        tofud.write(step("apply_start", "acme_db.main", 3) + message(100, "apply_progress", hook={"resource": resource("acme_db.main"), "action": "create",
                                                                                                  "elapsed_seconds": 97}))
        tofud.write(step("apply_complete", "acme_db.main", 110, elapsed_seconds=107) + step("apply_start", "acme_web.a", 110))
        later = until(lambda: [each for each in self.estimates(tofud) if "acme_web.a" in [one["addr"] for one in each["running"]]], "it runs")[0]
        self.assertTrue(10 < later["p50_s"] < 40, later)
        self.assertEqual([each["addr"] for each in later["running"]], ["acme_web.a"])
        self.assertLess(later["running"][0]["slack_s"], 5)
        tofud.end_of_stream()

    def test_a_line_that_says_what_runs_says_when_it_is_over(self):
        self.before(100, 110, 120)
        tofud = self.pipe("--stack", "net", "--no-server", "--no-listen", "--config", self.config, "--progress", "plain", "--heartbeat", "1", listen=False)
        tofud.write(VERSION + planned(*ADDRESSES) + step("apply_start", "acme_db.main", 3))
        until(lambda: any(b"; ETA " in each for each in tofud.out.got), "a line with an ETA")
        tofud.end_of_stream()

    def test_the_terminal_says_it_at_any_width(self):
        self.before(100, 110, 120)
        for width in 60, 80, 120:
            terminal = Terminal(self, width, 24)
            tofud = terminal.start([TOFUD, "--no-listen", "--no-server", "--stack", "net", "--config", self.config, "--state-dir", self.state_dir], self.env())
            tofud.stdin.write(VERSION + planned(*ADDRESSES) + step("apply_start", "acme_db.main", 3))
            tofud.stdin.flush()
            lines = terminal.until(lambda lines: lines and re.search(r"^0/3 · 1 running( · 2 wait for acme_db.main)? · [\d.]+s · ETA \d+\w+–\d+\w+$", lines[-1]))
            self.assertEqual("wait for" in lines[-1], width > 60, lines)
            self.assertTrue(all(len(line) <= width for line in lines), lines)
            self.assertEqual(len([line for line in lines if "ETA" in line]), 1, lines)  # no line is cut or runs on
            tofud.stdin.write(step("apply_complete", "acme_db.main", 113, elapsed_seconds=110))
            tofud.stdin.close()
            tofud.wait(PATIENCE)
            self.assertFalse(any("ETA" in line for line in terminal.story()), width)

    def test_without_an_order_or_a_history_nothing_is_said(self):
        for knows, config in (False, ["--config", self.config]), (True, []):
            if knows:
                self.before(100, 110, 120)
            tofud = self.pipe("--stack", "net", "--no-server", *config)
            tofud.wait_for_url()
            tofud.write(VERSION + planned(*ADDRESSES) + step("apply_start", "acme_db.main", 3))
            self.assertEqual(self.estimates(tofud), [], config)
            tofud.end_of_stream()

    def apply(self, tofud, shown_by=None):
        """The same again, as the stream's clock has it: what was said of 113 seconds was said before the database."""
        until(lambda: self.estimates(shown_by or tofud), "an estimate")
        tofud.write(step("apply_start", "acme_db.main", 3))
        # What comes is taken in at once, and what is said next is of a stream that is as old as that.
        tofud.write(step("apply_complete", "acme_db.main", 113, elapsed_seconds=110) + step("apply_start", "acme_web.a", 113) + step("apply_start", "acme_web.b", 113))
        tofud.write(step("apply_complete", "acme_web.a", 123, elapsed_seconds=10) + step("apply_complete", "acme_web.b", 123, elapsed_seconds=10) + DONE)

    def scores(self, *args):
        done = subprocess.run([TOFUD, "history", "score", *args], capture_output=True, text=True, env=self.env(TOFUD_STATE_DIR=self.state_dir), timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_what_was_said_is_held_against_what_came(self):
        self.before(100, 110, 120)
        self.assertIn("nothing was estimated yet", self.scores().stderr)
        tofud = self.pipe("--stack", "net", "--no-server", "--score", "--progress", "plain", "--config", self.config)
        tofud.wait_for_url()
        tofud.write(VERSION + planned(*ADDRESSES))
        self.apply(tofud)
        self.assertEqual(tofud.end_of_stream(), 0)
        told = tofud.out.all().decode()
        self.assertRegex(told, r"estimated:\n  at 25 %: 1m\d+s to \dm\d+s left; it took 1m30s\n  at 50 %: \S+ to \S+ left; it took 1m00s\n  at 75 %: \S+ to \S+ left; it took 30s\n")
        score = json.loads(self.scores("--json", "--stack", "net").stdout)
        self.assertEqual([(each["at"], each["runs"]) for each in score], [(25, 1), (50, 1), (75, 1)])
        for each in score:
            self.assertTrue(0 <= each["error"] < 1, each)
            self.assertLessEqual(each["p50_held"], each["p80_held"])
        self.assertEqual(json.loads(self.scores("--json", "--stack", "other").stdout), [])
        self.assertRegex(self.scores().stdout, r"^ESTIMATED AT  RUNS  OFF BY .*\n25 %          1     \d+ %")

    def test_a_daemon_counts_how_good_its_estimates_were(self):
        daemon = self.serve()
        self.before(100, 110, 120, server=daemon.url.rstrip("/"))
        until(lambda: daemon.ask("GET", "/v1/history?stack=net").json()["entries"][0]["count"] == 3, "all are remembered")
        self.assertEqual(daemon.ask("GET", "/v1/history?stack=net").json()["score"], [])
        tofud = self.pipe("--stack", "net", "--server", daemon.url.rstrip("/"), "--config", self.config, listen=False)
        tofud.write(VERSION + planned(*ADDRESSES))
        self.apply(tofud, daemon)
        self.assertEqual(tofud.end_of_stream(), 0)
        score = until(lambda: daemon.ask("GET", "/v1/history?stack=net").json()["score"], "a score")
        self.assertEqual([(each["at"], each["runs"]) for each in score], [(25, 1), (50, 1), (75, 1)])
        self.assertEqual(json.loads(self.scores("--json", "--stack", "net", "--server", daemon.url).stdout), score)
        self.assertEqual([each["runs"] for each in json.loads(self.scores("--json", "--no-server").stdout)], [1, 1, 1])  # the machine's own
        metrics = daemon.ask("GET", "/metrics").body.decode()
        self.assertEqual(sum(int(count) for count in re.findall(r'^tofud_estimates_total\{at="50",over="\w+"\} (\d+)$', metrics, re.M)), 1, metrics)
        self.assertRegex(metrics, r'(?m)^tofud_estimate_error_ratio_total\{at="50"\} 0\.\d+$')

    def test_an_interrupted_run_is_not_judged(self):
        self.before(100, 110, 120)
        tofud = self.pipe("--stack", "net", "--no-server", "--score", "--progress", "plain", "--config", self.config)
        tofud.wait_for_url()
        tofud.write(VERSION + planned(*ADDRESSES))
        until(lambda: self.estimates(tofud), "an estimate")
        tofud.write(step("apply_start", "acme_db.main", 3) + step("apply_complete", "acme_db.main", 113, elapsed_seconds=110) + step("apply_start", "acme_web.a", 113))
        tofud.end_of_stream()
        self.assertNotIn("estimated:", tofud.out.all().decode())
        self.assertEqual(self.scores("--json").stdout, "[]\n")

    def estimate(self, *args):
        return subprocess.run([TOFUD, "estimate", *map(str, args)], capture_output=True, text=True, timeout=PATIENCE,
                              env=self.env(TOFUD_STATE_DIR=self.state_dir))

    def test_before_the_apply_it_says_how_long_and_what_depends_on_what_goes(self):
        recording = ROOT / "tests/causality/recordings/random-09"
        nothing = self.estimate(recording / "plan.json", recording / "config", "--stack", "net")
        self.assertEqual(nothing.returncode, 0, nothing.stderr)
        self.assertIn("How long they take is known of 0: too few to say when they are over", nothing.stdout)
        self.assertIn("deletes terraform_data.r0[0]; 6 resources depend on it\n", nothing.stdout)
        subprocess.run([TOFUD, "history", "import", "--stack", "net", str(recording / "stream.jsonl")], capture_output=True,
                       env=self.env(TOFUD_STATE_DIR=self.state_dir), timeout=PATIENCE)
        told = self.estimate(recording / "plan.json", recording / "config", "--stack", "net")
        self.assertRegex(told.stdout, r"^9 operations, 10 at once: \d\S+\. How long they take is known of 9\ncritical path:\n  terraform_data\.")
        document = json.loads(self.estimate(recording / "plan.json", recording / "config", "--stack", "net", "--json", "--parallelism", "1").stdout)
        self.assertEqual((document["operations"], document["known"], document["slots"]), (9, 9, 1))
        self.assertGreaterEqual(document["p80_s"], document["p50_s"])
        self.assertEqual(document["taken_away"][0], {"addr": "terraform_data.r0[0]", "action": "delete", "dependents": 6, "not_planned": 0})

    def test_a_pull_requests_comment_says_it_too(self):
        recording = ROOT / "tests/causality/recordings/random-09"
        def comment(*args):
            done = subprocess.run([TOFUD, "show", "--md", str(recording / "plan.json"), "--stack", "net", *args], capture_output=True, text=True,
                                  env=self.env(TOFUD_STATE_DIR=self.state_dir), timeout=PATIENCE)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout
        self.assertNotIn("Expected", comment())
        self.assertIn("be replaced**\n\n- destroys `terraform_data.r0[0]`; 6 resources depend on it\n", comment())
        subprocess.run([TOFUD, "history", "import", "--stack", "net", str(recording / "stream.jsonl")], capture_output=True,
                       env=self.env(TOFUD_STATE_DIR=self.state_dir), timeout=PATIENCE)
        for more in [], ["--config", str(recording / "config")]:
            self.assertRegex(comment(*more), r"(?m)^Expected to take \*\*\d+\w+(–\d+\w+)?\*\*, 10 operations at once; how long they take is known of 9 of 9\.\n\n"
                             r"<details><summary>Critical path: \d operations</summary>\n\n- `terraform_data\.")

    def test_what_is_no_plan_is_refused(self):
        no_plan = self.estimate(os.path.join(self.config, "main.tf"), self.config)
        self.assertEqual(no_plan.returncode, 2)
        self.assertIn("tofu show -json PLANFILE", no_plan.stderr)
        self.assertEqual(self.estimate("x.json", "--parallelism", "0").returncode, 2)


if __name__ == "__main__":
    unittest.main()
