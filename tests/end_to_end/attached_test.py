#!/usr/bin/python3
"""What is attached to a run: `--plan`, `--schemas`, `--config`, and what `tofud run` finds."""
import json
import os
import re
import signal
import stat
import subprocess
import unittest

from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, EndToEnd, Running, children, get, recorded, until

SCHEMAS = ROOT / "tests/golden/schemas/recordings.json.gz"
SAVED = RECORDINGS / "apply-saved-plan"
NESTED = RECORDINGS / "plan-sensitive-nested"
PLANTED = ("pw-not-real-1", "key-not-real-1", "hidden 1", "pw 1")

FAKE = """#!/bin/sh
case "$*" in
*version*) echo "OpenTofu v1.12.6" ;;
*show*) cat "$FAKE_PLAN" ;;
*schema*) gunzip -c "$FAKE_SCHEMAS" ;;
*apply*) for word; do case "$word" in -json-into=*) into="${word#-json-into=}" ;; esac; done
  head -n 9 "$FAKE_STREAM" > "$into"; sleep "$FAKE_PAUSE"; tail -n +10 "$FAKE_STREAM" >> "$into" ;;
esac
"""


def attached(folder):
    return ["--plan", str(folder / "plan.json"), "--schemas", str(SCHEMAS), "--config", str(folder / "config")]


class Attached(EndToEnd):
    def beside(self, part):
        return str(self.spool())[:-len(".jsonl")] + "." + part + ".json"

    def events(self):
        path = str(self.spool())[:-len("jsonl")] + "events"
        if not os.path.exists(path):  # it is made after the spool
            return []
        with open(path) as file:
            return [json.loads(line) for line in file]

    def attachments(self):
        return [event["part"] for event in self.events() if event["event"] == "attachment"]

    def wait_for_parts(self, *parts):
        until(lambda: self.spools() and set(self.attachments()) == set(parts), "the parts " + ", ".join(parts))

    def view(self, running):
        return json.loads(get("http://" + running.address() + "/v1/runs/latest"))["run"]

    def started(self, *args, **more):
        """A pipe with all that is attached to the recording of a saved plan; the stream is still to come."""
        running = self.kept(self.pipe("--no-server", *attached(SAVED), *args, **more))
        running.wait_for_url()
        self.wait_for_parts("config", "plan", "schemas")
        return running

    def test_rows_have_places_and_the_plan_is_served(self):
        running = self.started()
        lines = recorded("apply-saved-plan").splitlines(keepends=True)
        running.write(b"".join(lines[:10]))
        until(lambda: self.view(running)["counts"].get("running"), "a resource that runs")
        document = json.loads(get("http://" + running.address() + "/v1/runs/latest"))
        self.assertEqual(document["run"]["attachments"], ["plan", "schemas", "config"])
        self.assertEqual(document["run"]["planned"]["add"], 6)
        rows = {row["key"]: row for row in document["rows"]}
        self.assertEqual(rows["random_pet.a[0]"]["source"]["file"], "main.tf")
        self.assertEqual(rows["b"]["action"], "create")  # an output that this stream tells at its end only
        diff = json.loads(get("http://" + running.address() + "/v1/runs/latest/diff?addr=time_sleep.pause"))
        children = {child["key"]: child for child in diff["rows"][0]["body"]["children"]}
        self.assertEqual(children["create_duration"]["after"], "2s")
        running.write(b"".join(lines[10:]))
        running.end_of_stream()
        self.assertEqual(running.wait(), 0)

    def test_nothing_sensitive_is_kept_or_served(self):
        running = self.kept(self.pipe("--no-server", "--plan", str(NESTED / "create.plan.json"), "--schemas", str(SCHEMAS)))
        running.wait_for_url()
        self.wait_for_parts("plan", "schemas")
        running.write(recorded("plan-sensitive-nested"))
        plan = get("http://" + running.address() + "/v1/runs/latest/plan")
        with open(self.beside("plan"), "rb") as file:
            kept = file.read()
        for value in PLANTED:
            self.assertNotIn(value, plan.decode())
            self.assertNotIn(value.encode(), kept)
        self.assertEqual(stat.S_IMODE(os.stat(self.beside("plan")).st_mode), 0o600)
        running.end_of_stream()
        running.wait()

    def test_what_can_not_be_attached_is_said_and_harms_nothing(self):
        data = recorded("apply-saved-plan")
        broken = os.path.join(self.home, "broken.json")
        with open(broken, "w") as file:
            file.write('{"format_version":"1.2","resource_changes":[{"address":"a.b","change":{"actions":"pw-not-real-1"}}]}')
        endless = os.path.join(self.home, "endless")
        os.mkfifo(endless)
        for plan, said in (("/nowhere/plan.json", "/nowhere/plan.json"), (broken, "resource_changes[0].change.actions"), (self.home, "directory"),
                           (endless, "the run ended before they were read")):
            with self.subTest(plan):
                done = self.run_through(data, "--no-server", "--plan", plan, "--config", "/nowhere/at/all")
                self.assertEqual(done[0], 0)
                self.assertIn(said.encode(), done[2])
                self.assertNotIn(b"pw-not-real", done[1] + done[2])

    def test_a_worker_that_is_killed_attaches_the_same_again(self):
        running = self.started()
        lines = recorded("apply-saved-plan").splitlines(keepends=True)
        running.write(b"".join(lines[:12]))
        until(lambda: self.view(running)["counts"].get("done"), "a resource that is done")
        before = json.loads(get("http://" + running.address() + "/v1/runs/latest"))["rows"]
        os.kill(children(running.process.pid)[0], signal.SIGKILL)

        def again():
            try:
                return json.loads(get("http://" + running.address() + "/v1/runs/latest"))["rows"]
            except OSError:
                return None
        until(lambda: (again() or [])[:len(before)] and again() == before, "the same rows and numbers again")
        running.write(b"".join(lines[12:]))
        running.end_of_stream()
        self.assertEqual(running.wait(), 0)
        self.assertEqual(sorted(self.attachments()), ["config", "plan", "schemas"])

    def test_a_kept_run_is_replayed_with_what_was_attached(self):
        running = self.started()
        running.write(recorded("apply-saved-plan"))
        live = None

        def over():
            nonlocal live
            live = json.loads(get("http://" + running.address() + "/v1/runs/latest"))
            return live["run"]["counts"].get("done") == 6
        until(over, "all resources to be done")
        running.end_of_stream()
        self.assertEqual(running.wait(), 0)
        done = subprocess.run([TOFUD, "replay", str(self.spool()), "--rows"], capture_output=True, env=self.env(), timeout=PATIENCE)
        replayed = {(row["kind"], row["key"]): row for row in map(json.loads, done.stdout.splitlines())}
        for row in live["rows"]:
            self.assertEqual(replayed[(row["kind"], row["key"])], row)

    def test_a_daemon_has_the_same_rows_and_numbers(self):
        place = os.path.join(self.home, "tofud.sock")
        daemon = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", place, "--state-dir", os.path.join(self.home, "history")],
                                   self.env(), stdin=subprocess.DEVNULL))
        url = "http://127.0.0.1:%s" % re.search(rb"127\.0\.0\.1:(\d+)", daemon.out.next())[1].decode()
        late = os.path.join(self.home, "plan.json")
        os.mkfifo(late)
        running = self.kept(self.pipe("--server", "unix:" + place, "--plan", late, "--config", str(SAVED / "config"), "--progress=none", listen=False))
        lines = recorded("apply-saved-plan").splitlines(keepends=True)
        running.write(b"".join(lines[:9]))
        self.wait_for_parts("config")
        with open(late, "wb") as file:  # in the middle of the stream
            file.write((SAVED / "plan.json").read_bytes())
        self.wait_for_parts("config", "plan")
        running.write(b"".join(lines[9:]))
        running.end_of_stream()
        self.assertEqual(running.wait(), 0)
        local = subprocess.run([TOFUD, "replay", str(self.spool()), "--rows"], capture_output=True, env=self.env(), timeout=PATIENCE).stdout
        ours = {row["key"]: row for row in map(json.loads, local.splitlines()) if row["kind"] in ("resource", "output")}
        theirs = json.loads(get("%s/v1/runs/%s" % (url, self.spool().stem)))
        self.assertEqual({row["key"]: row for row in theirs["rows"] if row["kind"] in ("resource", "output")}, ours)
        self.assertEqual(theirs["run"]["attachments"], ["plan", "config"])

    def test_run_finds_the_saved_plan_its_schemas_and_the_configuration(self):
        root = os.path.join(self.home, "root")
        subprocess.run(["cp", "-r", str(SAVED / "config"), root], check=True)
        with open(os.path.join(root, "tfplan"), "wb") as file:
            file.write(b"PK\x03\x04 a saved plan")
        tofu = os.path.join(self.home, "tofu")
        with open(tofu, "w") as file:
            file.write(FAKE)
        os.chmod(tofu, 0o755)
        env = self.env(FAKE_PLAN=str(SAVED / "plan.json"), FAKE_SCHEMAS=str(SCHEMAS), FAKE_STREAM=str(SAVED / "stream.jsonl"), FAKE_PAUSE="0.5",
                       XDG_CACHE_HOME=os.path.join(self.home, "cache"))
        done = subprocess.run([TOFUD, "run", "--no-server", "--no-listen", "--state-dir", self.state_dir, "--", tofu, "apply", "tfplan"], cwd=root, env=env,
                              capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(self.attachments()), ["config", "plan", "schemas"])
        rows = subprocess.run([TOFUD, "replay", str(self.spool()), "--rows"], capture_output=True, env=self.env(), timeout=PATIENCE).stdout
        by_key = {row["key"]: row for row in map(json.loads, rows.splitlines())}
        self.assertEqual(by_key["terraform_data.b"]["source"]["file"], "main.tf")
        self.assertEqual(by_key[self.events()[0]["id"]]["attachments"], ["plan", "schemas", "config"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
