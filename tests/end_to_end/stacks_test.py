#!/usr/bin/python3
"""Stacks as data, and what is drift: recorded plans of objects that were changed outside of OpenTofu, on a daemon, on its wall and after a restart."""
import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import unittest
import urllib.parse

from asking import Asking
from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, recorded, until
from one_resource import DONE, VERSION, created, message, planned

# Two objects that somebody changed; the same stack once nothing is changed any more; both of `plan -refresh-only`.
CHANGED, CLEAN = recorded("drift-apply", "plan-refresh-only"), recorded("refresh-only-no-drift", "plan-refresh-only")


class Stacks(Asking):
    def put(self, daemon, stream, stack="net/prod", **labels):
        query = urllib.parse.urlencode({"stack": stack}, quote_via=urllib.parse.quote) + "".join("&label=" + urllib.parse.quote("%s=%s" % each) for each in labels.items())
        answer = daemon.ask("PUT", "/v1/runs?" + query, body=stream)
        self.assertEqual(answer.status, 201, answer)
        return answer.json()["run"]

    def stack(self, daemon, name="net/prod"):
        answer = daemon.ask("GET", "/v1/stacks/" + urllib.parse.quote(name, safe=""))
        self.assertEqual(answer.status, 200, answer)
        return answer.json()

    def later(self, stream, minutes):
        """The same stream, that many minutes later."""
        lines = []
        for line in stream.splitlines():
            said = json.loads(line)
            day, _, time = said["@timestamp"].partition("T")
            hour, minute = int(time[:2]), int(time[3:5]) + minutes
            said["@timestamp"] = "%sT%02d:%02d%sZ" % (day, hour + minute // 60, minute % 60, time[5:].rstrip("Z").partition("+")[0])
            lines.append(json.dumps(said).encode() + b"\n")
        return b"".join(lines)

    def test_recorded_drift_lasts_until_it_is_put_right(self):
        daemon = self.serve()
        self.put(daemon, recorded("apply-create-mixed"))
        self.assertIsNone(self.stack(daemon)["drift"])
        found = self.put(daemon, self.later(CHANGED, 60), purpose="drift")
        drift = self.stack(daemon)["drift"]
        self.assertEqual((drift["run"], drift["resources"]), (found, CHANGED.count(b'"type":"resource_drift"')))
        again = self.put(daemon, self.later(CHANGED, 90), purpose="drift")
        now = self.stack(daemon)["drift"]
        self.assertEqual((now["run"], now["since"]), (again, drift["since"]))
        # On every wall.
        self.assertRegex(daemon.ask("GET", "/wall/plain").body.decode(), r"drifted \d+ \S+: <a [^>]*>%d resources changed outside of OpenTofu" % drift["resources"])
        self.assertRegex(daemon.ask("GET", "/stacks/net%2Fprod").body.decode(), "changed outside of OpenTofu")
        # The apply that puts it right.
        self.put(daemon, self.later(recorded("drift-apply"), 120))
        self.assertIsNone(self.stack(daemon)["drift"])

    def test_a_look_that_finds_nothing_ends_it(self):
        daemon = self.serve()
        self.put(daemon, CHANGED, purpose="drift")
        self.assertIsNotNone(self.stack(daemon)["drift"])
        self.put(daemon, self.later(CLEAN, 60), purpose="drift")
        self.assertIsNone(self.stack(daemon)["drift"])

    def test_plans_of_branches_of_some_resources_and_failed_ones_neither_set_nor_clear_it(self):
        daemon = self.serve()
        apply = recorded("apply-create-mixed")
        some = CHANGED + message(3540, "diagnostic", diagnostic={"severity": "warning", "summary": "Resource targeting is in effect", "detail": ""})
        failed = CLEAN + message(3540, "diagnostic", diagnostic={"severity": "error", "summary": "no", "detail": ""})
        self.put(daemon, apply, branch="main")
        for expected in (None, "kept"):
            if expected:
                self.put(daemon, self.later(CHANGED, 60), purpose="drift", branch="main")
            before = self.stack(daemon)["drift"]
            self.assertEqual(before is None, expected is None)
            for i, (stream, labels) in enumerate(((CHANGED, {"branch": "feature"}), (CLEAN, {"branch": "feature"}), (CHANGED, {"pr": "7"}), (CLEAN, {"pr": "7"}), (some, {}), (failed, {}))):
                self.put(daemon, self.later(stream, 70 + i), purpose="drift", **labels)
                self.assertEqual(self.stack(daemon)["drift"], before, labels)

    def test_a_wrapped_look_says_what_it_is_for(self):
        daemon = self.serve()
        tools = pathlib.Path(self.home, "tools")
        tools.mkdir()
        os.symlink(ROOT / "tests/end_to_end/fake_tofu.py", tools / "tofu")
        for words, more, purpose in ((("plan", "-refresh-only"), {}, "drift"), (("plan", "-detailed-exitcode"), {}, None), (("plan", "-detailed-exitcode"), {"GITHUB_EVENT_NAME": "schedule"}, "drift"),
                                     (("plan", "-detailed-exitcode"), {"CI_PIPELINE_SOURCE": "schedule"}, "drift"), (("apply", "-refresh-only", "-auto-approve"), {}, None)):
            env = self.env(PATH=str(tools) + ":" + os.environ["PATH"], FAKE_STREAM=str(RECORDINGS / "plan-noop/stream.jsonl"), TOFUD_SERVER="unix:" + daemon.socket, CI="true", **more)
            done = subprocess.run([TOFUD, "run", "--stack", "net/" + words[-1], "--", "tofu", *words], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                                  cwd=self.home)
            self.assertEqual(done.returncode, 0, done.stderr)
            newest = daemon.ask("GET", "/v1/runs?limit=1").json()["runs"][0]
            self.assertEqual(newest["labels"].get("purpose"), purpose, words)

    def test_what_is_known_of_a_stack_is_known_after_a_restart(self):
        daemon = self.serve()
        apply = recorded("apply-provider-errors")
        self.put(daemon, recorded("apply-create-mixed"), actor="ada", commit="c" * 40, ci="github", branch="main")
        self.put(daemon, self.later(apply, 60), actor="bob")
        self.put(daemon, self.later(CHANGED, 90), purpose="drift")
        before = self.stack(daemon)
        self.assertEqual((before["last_success"]["who"], before["last_success"]["commit"], before["last_success"]["branch"]), ("ada", "c" * 40, "main"))
        self.assertEqual((before["last_apply"]["who"], before["last_apply"]["status"], before["last_apply"]["who_is_verified"]), ("bob", "failed", False))
        self.assertRegex(before["versions"]["tofu"], r"^1\.")
        self.assertEqual(before["days_30"]["applies"]["failed"], 1)
        self.assertGreater(before["days_30"]["applies"]["median_s"], 0)
        state = daemon.state_dir
        daemon.running.process.send_signal(signal.SIGTERM)
        daemon.running.wait()
        again = self.serve(name="again", state_dir=state)
        until(lambda: again.ask("GET", "/readyz").status == 200, "it is ready")
        self.assertEqual(self.stack(again), before)

    def test_lists_have_pages_and_a_table(self):
        daemon = self.serve()
        small = VERSION + created("a.b", 5) + DONE
        for name in ("=cmd|' /c'!A0", "net/a", "net/b", "net/c", "net/d"):
            self.put(daemon, small, name, actor="@SUM(1)")
        names, page = [], {"next": ""}
        while page["next"] is not None:
            page = daemon.ask("GET", "/v1/stacks?limit=2&cursor=" + urllib.parse.quote(page["next"], safe="")).json()
            self.assertLessEqual(len(page["stacks"]), 2)
            names += [each["stack"] for each in page["stacks"]]
        self.assertEqual(names, ["=cmd|' /c'!A0", "net/a", "net/b", "net/c", "net/d"])
        self.assertEqual(daemon.ask("GET", "/v1/stacks?format=csv&limit=2").headers["Link"], '<?format=csv&cursor=net%2Fa>; rel="next"')
        answer = daemon.ask("GET", "/v1/stacks?format=csv")
        self.assertIsNone(answer.headers["Link"])
        self.assertEqual(answer.headers["Content-Type"], "text/csv; charset=utf-8")
        rows = list(csv.DictReader(io.StringIO(answer.body.decode())))
        self.assertEqual([row["stack"] for row in rows], ["'" + names[0], *names[1:]])
        self.assertEqual({row["who"] for row in rows}, {"'@SUM(1)"})
        self.assertEqual({(row["applies_30d"], row["last_apply_status"]) for row in rows}, {("1", "succeeded")})
        for query, said in (("limit=0", "limit="), ("limit=x", "limit="), ("format=xml", "format=")):
            refused = daemon.ask("GET", "/v1/stacks?" + query)
            self.assertEqual(refused.status, 400)
            self.assertIn(said, refused.json()["message"])
        self.assertEqual(daemon.ask("GET", "/v1/stacks/net%2Fnosuch").status, 404)

    def test_providers_and_owners_are_told(self):
        daemon = self.serve()
        home = pathlib.Path(self.home, "config")
        home.mkdir()
        (home / "main.tf").write_text('# tofud: owner=@net\nresource "time_sleep" "x" {\n  create_duration = "1s"\n}\n')
        (home / ".terraform.lock.hcl").write_text('provider "registry.opentofu.org/hashicorp/time" {\n  version = "0.12.1"\n}\n')
        stream = VERSION + planned("time_sleep.x") + created("time_sleep.x", 5) + DONE
        done = subprocess.run([TOFUD, "--progress", "none", "--no-listen", "--server", "unix:" + daemon.socket, "--stack", "net/prod", "--config", str(home)], input=stream, env=self.env(),
                              capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = until(lambda: (lambda said: said["versions"]["providers"] and said)(self.stack(daemon)), "the providers")
        self.assertEqual(found["owners"], ["@net"])
        self.assertEqual(found["versions"]["providers"], {"registry.opentofu.org/hashicorp/time": "0.12.1"})
        self.assertIn("registry.opentofu.org/hashicorp/time@0.12.1", daemon.ask("GET", "/v1/stacks?format=csv").body.decode())


if __name__ == "__main__":
    unittest.main()
