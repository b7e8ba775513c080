#!/usr/bin/python3
"""When an apply is expected to be over: in the feed, in the terminal's lines, and before it begins."""
import json
import os
import subprocess
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, until
from one_resource import DONE, VERSION, message, resource

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


class Estimate(EndToEnd):
    def setUp(self):
        super().setUp()
        self.config = os.path.join(self.home, "net")
        os.mkdir(self.config)
        with open(os.path.join(self.config, "main.tf"), "w") as file:
            file.write(CONFIG)

    def before(self, *lengths):
        """Earlier runs: the database takes so long, what is behind it 20 seconds."""
        for length in lengths:
            stream = VERSION + planned(*ADDRESSES) + step("apply_start", "acme_db.main", 3) + \
                step("apply_complete", "acme_db.main", 3 + length, elapsed_seconds=length)
            for web in ADDRESSES[1:]:
                stream += step("apply_start", web, 3 + length) + step("apply_complete", web, 23 + length, elapsed_seconds=20)
            subprocess.run([TOFUD, "--no-listen", "--progress", "none", "--no-server", "--stack", "net"], capture_output=True, input=stream + DONE,
                           env=self.env(TOFUD_STATE_DIR=self.state_dir), timeout=PATIENCE)

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

    def test_without_an_order_or_a_history_nothing_is_said(self):
        for knows, config in (False, ["--config", self.config]), (True, []):
            if knows:
                self.before(100, 110, 120)
            tofud = self.pipe("--stack", "net", "--no-server", *config)
            tofud.wait_for_url()
            tofud.write(VERSION + planned(*ADDRESSES) + step("apply_start", "acme_db.main", 3))
            self.assertEqual(self.estimates(tofud), [], config)
            tofud.end_of_stream()

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

    def test_what_is_no_plan_is_refused(self):
        no_plan = self.estimate(os.path.join(self.config, "main.tf"), self.config)
        self.assertEqual(no_plan.returncode, 2)
        self.assertIn("tofu show -json PLANFILE", no_plan.stderr)
        self.assertEqual(self.estimate("x.json", "--parallelism", "0").returncode, 2)


if __name__ == "__main__":
    unittest.main()
