#!/usr/bin/python3
"""Specifications over schemas: an in-house provider that nobody can ask, with secrets that only its specification knows."""
import gzip
import json
import os
import pathlib
import re
import signal
import stat
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, Running, fold, get, until

ADDRESS = "acme_service.api"
PROVIDER = "registry.opentofu.org/acme/acme"
TOKEN, KEY, NUMBER, BEFORE = "tok-not-real-1", "key \"not\" real-2", 90210777, "old-not-real-3"
# As they are, as JSON and as HCL have them, and in base64.
PLANTED = (TOKEN, "not\\\" real-2", "not\" real-2", str(NUMBER), BEFORE, "dG9rLW5vdC1yZWFsLT")

NEEDED = {"computed_optional_required": "optional"}
SPECIFICATION = {
    "version": "0.1", "provider": {"name": "acme"},
    "resources": [{"name": "service", "schema": {
        "attributes": [
            {"name": "name", "string": {"computed_optional_required": "required", "description": "What it is called.",
                                        "deprecation_message": "Use title."}},
            {"name": "pin", "int64": {**NEEDED, "sensitive": True}},
            {"name": "tags", "set": {**NEEDED, "element_type": {"string": {}}}},
            {"name": "token", "string": {**NEEDED, "sensitive": True, "description": "Who has it may do all."}}],
        "blocks": [{"name": "login", "set_nested": {"nested_object": {"attributes": [
            {"name": "key", "string": {**NEEDED, "sensitive": True}}, {"name": "user", "string": NEEDED}]}}}]}}]}
# What the provider says itself: no secrets.
SCHEMAS = {"format_version": "1.0", "provider_schemas": {PROVIDER: {"resource_schemas": {"acme_service": {"version": 1, "block": {
    "attributes": {"name": {"type": "string", "required": True}, "pin": {"type": "number", "optional": True},
                   "tags": {"type": ["set", "string"], "optional": True}, "token": {"type": "string", "optional": True}},
    "block_types": {"login": {"nesting_mode": "set", "block": {"attributes": {
        "key": {"type": "string", "optional": True}, "user": {"type": "string", "optional": True}}}}}}}}}}}


def values(name, token, tags):
    return {"name": name, "pin": NUMBER, "tags": tags, "token": token, "login": [{"key": KEY, "user": "app"}]}


PLAN = {"format_version": "1.2", "terraform_version": "1.12.6", "resource_changes": [{
    "address": ADDRESS, "mode": "managed", "type": "acme_service", "name": "api", "provider_name": PROVIDER,
    "change": {"actions": ["update"], "before": values("one", BEFORE, ["a", "b"]), "after": values("two", TOKEN, ["b", "c"]), "after_unknown": {},
               "before_sensitive": {}, "after_sensitive": {}}}]}
RESOURCE = {"addr": ADDRESS, "module": "", "resource": ADDRESS, "implied_provider": "acme", "resource_type": "acme_service", "resource_name": "api",
            "resource_key": None}


def message(kind, text="", level="info", **members):
    return {"@level": level, "@message": text, "@module": "tofu.ui", "@timestamp": "2026-11-22T10:00:00.000000Z", "type": kind, **members}


def fault(said):
    code = '  token = "%s" # here' % TOKEN
    return message("diagnostic", "Error: " + said, "error", diagnostic={
        "severity": "error", "summary": "The service said " + said, "detail": "It answered:\n" + json.dumps({"token": TOKEN, "key": KEY, "pin": NUMBER}),
        "address": ADDRESS, "range": {"filename": "main.tf", "start": {"line": 3, "column": 11, "byte": 40}, "end": {"line": 3, "column": 27, "byte": 56}},
        "snippet": {"context": 'resource "acme_service" "api"', "code": code, "start_line": 3, "highlight_start_offset": code.index("#"),
                    "highlight_end_offset": len(code), "values": [{"traversal": "var.token", "statement": 'is "%s"' % TOKEN}]}})


def stream():
    hook = {"resource": RESOURCE, "action": "update", "id_key": "id", "id_value": "svc/" + TOKEN}
    printed = {"resource": RESOURCE, "provisioner": "local-exec"}
    lines = [
        message("version", "OpenTofu 1.12.6", tofu="1.12.6", ui="1.2"),
        message("planned_change", ADDRESS + ": Plan to update", change={"resource": RESOURCE, "action": "update"}),
        fault("before " + TOKEN),
        message("change_summary", "Plan: 0 to add, 1 to change, 0 to destroy.",
                changes={"add": 0, "change": 1, "import": 0, "remove": 0, "forget": 0, "operation": "plan"}),
        message("apply_start", ADDRESS + ": Modifying...", hook=hook),
        message("provision_start", ADDRESS + ": Provisioning with 'local-exec'...", hook=printed)]
    for line in (TOKEN, "header: " + TOKEN + "!", "key=" + json.dumps(KEY), "old " + BEFORE, "Basic dG9rLW5vdC1yZWFsLTE=", "pin %d" % NUMBER, "harmless"):
        lines.append(message("provision_progress", "%s: (local-exec): %s" % (ADDRESS, line), hook={**printed, "output": line}))
    lines += [
        message("provision_complete", "", hook=printed),
        message("log", "the log has %s" % TOKEN, "warn"),
        message("apply_complete", ADDRESS + ": Modifications complete", hook={**hook, "elapsed_seconds": 1}),
        fault("after " + TOKEN),
        message("change_summary", "Apply complete!", changes={"add": 0, "change": 1, "import": 0, "remove": 0, "forget": 0, "operation": "apply"}),
        message("outputs", "Outputs: 3", outputs={
            "copied": {"sensitive": False, "type": "string", "value": TOKEN},
            "inside": {"sensitive": False, "type": ["object", {"pin": "number", "user": "string"}], "value": {"pin": NUMBER, "user": "app"}},
            "plain": {"sensitive": False, "type": "string", "value": "open"}})]
    said = [json.dumps(line) for line in lines]
    said.insert(2, "plain text with " + TOKEN)
    return ("\n".join(said) + "\n").encode()


class Overlay(EndToEnd):
    def setUp(self):
        super().setUp()
        self.here = pathlib.Path(self.home)
        self.schemas = self.here / "schemas"
        self.schemas.mkdir()
        self.write(self.schemas / "acme.json", SPECIFICATION)
        self.plan = self.write(self.here / "plan.json", PLAN)
        self.provider = self.write(self.here / "provider.json", SCHEMAS)
        self.recording = self.here / "stream.jsonl"
        self.recording.write_bytes(stream())

    @staticmethod
    def write(path, document):
        path.write_text(json.dumps(document))
        return path

    def run_tofud(self, *args, status=0, cwd=None):
        done = subprocess.run([TOFUD, *map(str, args)], capture_output=True, env=self.env(), timeout=PATIENCE, cwd=cwd)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def assert_hidden(self, text, where=""):
        text = text if isinstance(text, bytes) else text.encode()
        for value in PLANTED:
            at = text.find(value.encode())
            self.assertEqual(at, -1, "%s: %r in %r" % (where, value, text[max(0, at - 200):at + 200]))

    def rows(self, *args):
        lines = self.run_tofud("replay", "--rows", *args)[0].splitlines()
        return fold(map(json.loads, lines))[0], lines

    def log(self, lines):
        return [row["text"] for row in map(json.loads, lines) if row["kind"] == "log"]


class ShownPlan(Overlay):
    def show(self, *args, **more):
        return self.run_tofud("show", self.plan, *args, **more)

    def test_a_specification_alone_draws_and_redacts(self):
        text, said = self.show("--json", "--schemas", self.schemas)
        self.assertEqual(said, "")
        self.assert_hidden(text)
        row = json.loads(text.splitlines()[0])
        self.assertNotIn("schema", row)
        children = {child["key"]: child for child in row["body"]["children"]}
        self.assertEqual(children["token"]["kind"], "sensitive")
        self.assertEqual(children["tags"]["kind"], "set")  # in JSON it looks like a list
        self.assert_hidden(self.show("--compact", "--schemas", self.schemas)[0])

    def test_it_lies_over_what_the_provider_says(self):
        self.assertIn(TOKEN, self.show("--json", "--schemas", self.provider)[0])
        for order in ((self.provider, self.schemas), (self.schemas, self.provider)):
            text, said = self.show("--json", *(word for each in order for word in ("--schemas", each)))
            self.assertEqual(said, "")
            self.assert_hidden(text)

    def test_text_for_people_is_openTofus_unless_it_is_asked_for(self):
        self.assertIn(TOKEN, self.show("--schemas", self.schemas)[0])
        self.assert_hidden(self.show("--overlay", "--schemas", self.schemas)[0])

    def test_a_directory_is_read_by_name_and_mistakes_are_sentences(self):
        (self.schemas / "broken.json").write_text("{")
        (self.schemas / "wrong.json.gz").write_bytes(gzip.compress(b'{"version":"0.1","provider":{}}'))
        (self.schemas / "notes.txt").write_text("no schemas")
        text, said = self.show("--json", "--schemas", self.schemas, status=2)
        self.assertEqual(len(said.splitlines()), 2, said)
        self.assertIn("broken.json", said.splitlines()[0])
        self.assertIn("wrong.json.gz: provider", said.splitlines()[1])
        self.assertEqual(text, "")

    def test_a_directory_without_schemas_is_an_error(self):
        (self.schemas / "acme.json").unlink()
        self.assertIn("has no files", self.show("--json", "--schemas", self.schemas, status=2)[1])

    def test_the_configurations_own_schemas_are_found(self):
        root = self.here / "root"
        (root / "config").mkdir(parents=True)
        self.schemas.rename(root / "config" / "schemas")
        self.assert_hidden(self.show("--json", cwd=root)[0])


class PlayedRun(Overlay):
    def test_nothing_planted_is_in_any_row(self):
        for schemas in ((self.schemas,), (self.provider, self.schemas)):
            rows, lines = self.rows(self.recording, "--plan", self.plan, *(word for each in schemas for word in ("--schemas", each)))
            self.assert_hidden("\n".join(lines))
            self.assertEqual(self.log(lines)[:2] + self.log(lines)[-1:], ["(sensitive value)", "header: (sensitive value)!", "harmless"])
            self.assertEqual(rows["output"]["copied"]["value"], "(sensitive value)")
            self.assertEqual(rows["output"]["inside"]["value"], {"pin": "(sensitive value)", "user": "app"})
            self.assertEqual(rows["output"]["plain"]["value"], "open")
            self.assertEqual(rows["resource"][ADDRESS]["status"], "done")
            for row in rows["diagnostic"].values():
                snippet = row["snippet"]
                self.assertEqual(snippet["code"], '  token = (sensitive value) # here')
                self.assertEqual(snippet["code"][snippet["highlight_start_offset"]:snippet["highlight_end_offset"]], "# here")
                self.assertEqual(snippet["values"][0]["statement"], 'is "(sensitive value)"')

    def test_without_the_overlay_they_are_there(self):
        text = "\n".join(self.rows(self.recording, "--plan", self.plan)[1])
        self.assertIn(TOKEN, text)

    def test_a_specification_comes_without_a_plan(self):
        rows, _ = self.rows(self.recording, "--schemas", self.schemas)
        run, = rows["run"].values()
        self.assertEqual(run["attachments"], ["schemas"])
        said = self.run_tofud("replay", "--rows", self.recording, "--schemas", self.provider, status=2)[1]
        self.assertIn("--schemas needs --plan", said)


class LiveRun(Overlay):
    def attached(self):
        return ["--plan", str(self.plan), "--schemas", str(self.provider), "--schemas", str(self.schemas)]

    def parts(self):
        # The spool is made first, what is said beside it a moment later.
        said = self.spool().with_suffix(".events") if self.spools() else None
        if said is None or not said.exists():
            return []
        events = said.read_text().splitlines()
        return [event["part"] for event in map(json.loads, events) if event["event"] == "attachment"]

    def started(self, *args, **more):
        """A pipe whose plan is attached; what was printed before it is there already."""
        running = self.pipe(*self.attached(), *args, **more)
        until(lambda: "schemas" in self.parts(), "the schemas")
        return running

    def test_no_row_report_export_or_stored_file_has_them(self):
        report = self.here / "report.html"
        running = self.started("--no-server", "--report", str(report), "--progress=plain", listen=False)
        running.write(stream())
        running.end_of_stream()
        self.assert_hidden(running.out.all() + running.err.all(), "printed")
        self.assert_hidden(report.read_bytes(), "report")
        spool = self.spool()
        kept = [path for path in pathlib.Path(self.state_dir).rglob("*") if path.is_file() and path.suffix not in (".hidden", ".jsonl")]
        self.assertIn(spool.with_suffix(".plan.json"), kept)
        for path in kept:
            self.assert_hidden(path.read_bytes(), path.name)
        self.assertEqual(stat.S_IMODE(spool.with_suffix(".hidden").stat().st_mode), 0o600)
        self.assert_hidden("\n".join(self.rows(spool)[1]), "rows")
        for form in ("csv", "md", "ndjson", "junit", "trace"):
            self.assert_hidden(self.run_tofud("export", "--format", form, spool)[0], form)
        self.assert_hidden(self.run_tofud("logs", spool)[0], "logs")

    def test_the_stream_that_a_pipe_serves_has_none_of_them(self):
        """Nor what is written in the source at a sensitive place, which no plan knows."""
        written = "written-here-only"
        late = str(self.here / "late.json")
        os.mkfifo(late)
        running = self.pipe("--no-server", "--plan", late, "--schemas", str(self.provider), "--schemas", str(self.schemas))
        running.wait_for_url()
        here = "http://" + running.address() + "/v1/runs/latest"
        lines = stream().splitlines(keepends=True)
        running.write(lines[0])
        until(lambda: json.loads(get(here))["run"]["versions"], "the first line")
        # Somebody follows before there is a plan.
        following = self.kept(Running(["curl", "-sN", here + "/stream.jsonl?follow=1"], self.env(), stdin=subprocess.DEVNULL))
        until(lambda: b"1.12.6" in b"".join(following.out.got), "what is there")
        pathlib.Path(late).write_bytes(self.plan.read_bytes())
        until(lambda: "schemas" in self.parts(), "the schemas")
        running.write(b"".join(lines[1:]) + json.dumps(fault("in the source")).replace(TOKEN, written).encode() + b"\n")
        until(lambda: json.loads(get(here))["run"]["lines"]["messages"] == len(lines), "all lines")
        asked = get(here + "/stream.jsonl")
        self.assertEqual(asked.count(b"\n"), len(lines) + 1)
        until(lambda: b"".join(following.out.got).count(b"\n") == len(lines) + 1, "all lines, followed")
        for served in (asked, b"".join(following.out.got)):
            self.assert_hidden(served)
            self.assertNotIn(written.encode(), served)
            self.assertIn(b"harmless", served)
            self.assertEqual(served.count(b"is not shown as it came"), 3)
        running.end_of_stream()

    def test_a_worker_that_is_killed_hides_the_same_again(self):
        running = self.started("--no-server")
        running.wait_for_url()
        lines = stream().splitlines(keepends=True)
        running.write(b"".join(lines[:11]))

        def rows():
            here = "http://" + running.address() + "/v1/runs/latest"
            try:
                return json.loads(get(here))["rows"] + [json.loads(line) for line in get(here + "/log").splitlines()]
            except OSError:
                return []
        until(lambda: any(row["kind"] == "log" and "old " in row["text"] for row in rows()), "a line of the log")
        before = rows()
        self.assert_hidden(json.dumps(before))
        worker = pathlib.Path("/proc/%d/task/%d/children" % (running.process.pid, running.process.pid)).read_text().split()[0]
        os.kill(int(worker), signal.SIGKILL)
        until(lambda: rows() == before, "the same rows and numbers again")
        running.write(b"".join(lines[11:]))
        running.end_of_stream()

    def test_rows_that_came_before_the_plan_are_hidden_when_it_comes(self):
        late = str(self.here / "late.json")
        os.mkfifo(late)
        running = self.pipe("--no-server", "--plan", late, "--schemas", str(self.schemas))
        running.wait_for_url()
        lines = stream().splitlines(keepends=True)
        running.write(b"".join(lines[:5]))

        def faults():
            rows = json.loads(get("http://" + running.address() + "/v1/runs/latest"))["rows"]
            return [row for row in rows if row["kind"] == "diagnostic"]
        until(faults, "a diagnostic")
        self.assertIn(TOKEN, json.dumps(faults()))
        pathlib.Path(late).write_bytes(self.plan.read_bytes())
        until(lambda: "plan" in self.parts(), "the plan")
        until(lambda: TOKEN not in json.dumps(faults()), "the diagnostic without the value")
        running.write(b"".join(lines[5:]))
        running.end_of_stream()
        shown = self.rows(self.spool())[0]
        self.assert_hidden(json.dumps({kind: shown[kind] for kind in ("diagnostic", "output", "message", "resource")}))

    def test_a_daemon_gets_none_of_what_follows_the_plan(self):
        place, history = str(self.here / "tofud.sock"), self.here / "history"
        daemon = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", place, "--state-dir", str(history)], self.env(),
                                   stdin=subprocess.DEVNULL))
        url = "http://127.0.0.1:%s" % re.search(rb"127\.0\.0\.1:(\d+)", daemon.out.next())[1].decode()
        late = str(self.here / "late.json")
        os.mkfifo(late)
        running = self.pipe("--server", "unix:" + place, "--plan", late, "--schemas", str(self.schemas), "--progress=none", listen=False)
        lines = [line for line in stream().splitlines(keepends=True) if b"before" not in line and b"plain text" not in line]
        running.write(lines[0] + lines[1][:100])
        until(self.spools, "the spool")
        pathlib.Path(late).write_bytes(self.plan.read_bytes())
        until(lambda: "schemas" in self.parts(), "the schemas")
        running.write(lines[1][100:] + b"".join(lines[2:]))
        running.end_of_stream()
        run = self.spool().stem
        theirs = json.loads(get("%s/v1/runs/%s" % (url, run)))
        self.assert_hidden(json.dumps(theirs))
        for path in history.rglob("*"):
            if path.is_file():
                self.assert_hidden(path.read_bytes(), path.name)
        ours = self.rows(self.spool())[0]
        self.assertEqual({row["key"]: row["seq"] for row in theirs["rows"] if row["kind"] in ("resource", "output", "diagnostic")},
                         {key: row["seq"] for kind in ("resource", "output", "diagnostic") for key, row in ours[kind].items()})

    def test_a_daemons_own_specifications_mask_what_comes(self):
        daemon = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", "", "--state-dir", str(self.here / "history"),
                                    "--schemas", str(self.schemas)], self.env(), stdin=subprocess.DEVNULL))
        url = "http://127.0.0.1:%s" % re.search(rb"127\.0\.0\.1:(\d+)", daemon.out.next())[1].decode()
        running = self.pipe("--server", url, "--plan", str(self.plan), "--progress=none", listen=False)
        running.write(b"\n".join(line for line in stream().splitlines() if b"harmless" in line or b"version" in line) + b"\n")
        until(lambda: "plan" in self.parts(), "the plan")
        running.end_of_stream()
        run = self.spool().stem
        until(lambda: json.loads(get("%s/v1/runs/%s" % (url, run)))["run"].get("attachments"), "the plan")
        self.assert_hidden(get("%s/v1/runs/%s/plan" % (url, run)))

    def test_a_daemon_refuses_specifications_that_it_can_not_read(self):
        (self.schemas / "broken.json").write_text("{")
        said = self.run_tofud("serve", "--listen", "127.0.0.1:0", "--socket", "", "--state-dir", self.here / "history", "--schemas", self.schemas,
                              status=2)[1]
        self.assertIn("broken.json", said)

    def test_a_stream_is_not_sent_without_what_it_hides(self):
        running = self.started("--no-server", listen=False)
        running.write(stream())
        running.end_of_stream()
        self.spool().with_suffix(".hidden").unlink()
        said = self.run_tofud("resume", self.spool(), "--server", "http://127.0.0.1:9", status=1)[1]
        self.assertIn("are no longer in", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
