#!/usr/bin/python3
"""Diagnostics in files of one line, what schemas know of the attribute that one names, and what they hide: in every output."""
import json
import os
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, get, until

TYPE = "acme_db"
SECRET = "hunter2-not-real"
OTHER = "literal-of-another-block"

SCHEMAS = {"format_version": "1.0", "provider_schemas": {"example.com/acme/acme": {"resource_schemas": {TYPE: {"version": 0, "block": {
    "attributes": {"name": {"type": "string", "required": True}, "password": {"type": "string", "optional": True, "sensitive": True},
                   "port": {"type": "number", "optional": True, "description": "Port to listen on."}}}}}}}}

PLAN = {"format_version": "1.2", "terraform_version": "1.12.6", "resource_changes": [
    {"address": "acme_db.main", "mode": "managed", "type": TYPE, "name": "main", "provider_name": "example.com/acme/acme",
     "change": {"actions": ["create"], "before": None, "after": {"name": "main", "port": 0}, "after_unknown": {}, "before_sensitive": False,
                "after_sensitive": {}}}]}

GENERATED = json.dumps({"resource": {TYPE: {"other": {"name": OTHER}, "main": {"name": "main", "port": "none", "password": SECRET},
                                            "third": {"name": OTHER}}}, "locals": {"a": OTHER}}, separators=(",", ":"))


# The same type as its provider's generator knows it.
SPECIFICATION = {"version": "0.1", "provider": {"name": "acme"}, "resources": [{"name": "db", "schema": {"attributes": [
    {"name": "name", "string": {"computed_optional_required": "required"}},
    {"name": "password", "string": {"computed_optional_required": "optional", "sensitive": True}},
    {"name": "port", "int64": {"computed_optional_required": "computed_optional", "description": "Port to listen on.", "default": {"static": 5432},
                               "validators": [{"custom": {"schema_definition": "int64validator.Between(1, 65535)"}}],
                               "plan_modifiers": [{"custom": {"schema_definition": "int64planmodifier.RequiresReplace()"}}]}}]}}]}


def line(second=0, **fields):
    return json.dumps({"@level": "info", "@message": "-", "@module": "tofu.ui", "@timestamp": "2026-11-21T05:00:%02d.000000Z" % second,
                       **fields}).encode() + b"\n"


def diagnostic(file, context, code, marked, detail="It is."):
    at = code.index(marked)
    place = {"line": 1, "column": at + 1, "byte": at}
    return line(1, type="diagnostic", diagnostic={
        "severity": "error", "summary": "Wrong value", "detail": detail, "address": "acme_db.main",
        "range": {"filename": file, "start": place, "end": place},
        "snippet": {"context": context, "code": code, "start_line": 1, "highlight_start_offset": at,
                    "highlight_end_offset": at + len(marked), "values": []}})


RESOURCE = {"addr": "acme_db.main", "module": "", "resource": "acme_db.main", "implied_provider": "acme", "resource_type": TYPE,
            "resource_name": "main", "resource_key": None}
FAILED = (line(type="apply_start", hook={"resource": RESOURCE, "action": "create"}) +
          line(1, type="apply_errored", hook={"resource": RESOURCE, "action": "create", "elapsed_seconds": 1}))
VERSION = line(type="version", tofu="1.12.6", ui="1.2")
IN_ONE_LINE = diagnostic("main.tf.json", "resource.acme_db.main", GENERATED, '"none"')
IN_LINES = diagnostic("main.tf", 'resource "acme_db" "main"', '  password = "%s"' % SECRET, '"%s"' % SECRET,
                      "The password %s is too short." % SECRET)


class Faults(EndToEnd):
    def given(self, name, content):
        path = os.path.join(self.home, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    def attached(self, schemas=SCHEMAS):
        return ["--plan", self.given("plan.json", PLAN), "--schemas", self.given("schemas.json", schemas)]

    def exports(self, stream, *args):
        """What programs and people get of a stream."""
        path = self.given("stream.jsonl", stream)
        said = {}
        for form in "junit", "md", "ndjson":
            done = subprocess.run([TOFUD, "export", path, "--format", form], capture_output=True, env=self.env(), timeout=PATIENCE)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            said[form] = done.stdout.decode()
        tofud = self.replay(path, *args)
        rows = lambda: json.loads(get(tofud.url + "v1/runs/latest"))
        until(lambda: rows()["run"]["ended_at"], "the end of the replay")
        said["rows"] = json.dumps(rows()["rows"], ensure_ascii=False)
        return said

    def test_a_file_in_one_line_is_the_block_around_the_fault_in_every_output(self):
        stream = VERSION + FAILED + IN_ONE_LINE
        said = self.exports(stream)
        summary = self.given("summary.md", b"")
        for name, env in (("plain", self.env()), ("github", self.env(CI="true", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=summary)),
                          ("gitlab", self.env(CI="true", GITLAB_CI="true"))):
            status, out, err = self.run_through(stream, env=env)
            self.assertEqual(status, 1)
            said[name] = (out + err).decode()
        with open(summary) as file:
            said["summary"] = file.read()
        report = os.path.join(self.home, "report.html")
        self.assertEqual(self.run_through(stream, "--report", report)[0], 1)
        with open(report) as file:
            said["report"] = file.read()
        for name, text in said.items():
            with self.subTest(name):
                self.assertNotIn(OTHER, text)
                self.assertNotIn(GENERATED[:40], text.replace("&quot;", '"'))
                if name != "summary":  # which has first lines only
                    self.assertIn("resource.acme_db.main.port", text)
        self.assertIn('│     "resource": {"acme_db": {"main": {\n│       "name": "main",\n│       "port": "none",\n│               ^^^^^^\n',
                      said["plain"])

    def test_values_that_a_schema_marks_sensitive_are_in_no_line(self):
        stream = VERSION + IN_ONE_LINE + IN_LINES
        running = self.pipe("--no-server", "--progress=plain", *self.attached())
        running.wait_for_url()
        until(lambda: "schemas" in json.loads(get("http://" + running.address() + "/v1/runs/latest"))["run"].get("attachments", []), "schemas")
        running.write(stream)
        until(lambda: len(self.rows_of(running)) == 2, "the diagnostics")
        rows = self.rows_of(running)
        self.assertEqual(running.end_of_stream(), 1)
        for text in json.dumps(rows), running.out.all().decode():
            self.assertNotIn(SECRET, text)
            self.assertIn("(sensitive value)", text)
        generated, native = rows
        self.assertEqual((generated["attribute"]["path"], generated["attribute"]["value_type"]), ("port", "number"))
        self.assertEqual((native["attribute"]["path"], native["attribute"]["sensitive"]), ("password", True))
        self.assertEqual(native["snippet"]["code"], "  password = (sensitive value)")
        self.assertEqual(native["detail"], "The password (sensitive value) is too short.")

    def test_a_specification_adds_default_validators_and_replacement(self):
        running = self.pipe("--no-server", "--progress=plain", "--schemas", self.given("acme.json", SPECIFICATION))
        running.wait_for_url()
        until(lambda: "schemas" in json.loads(get("http://" + running.address() + "/v1/runs/latest"))["run"].get("attachments", []), "schemas")
        running.write(VERSION + IN_ONE_LINE + IN_LINES)
        until(lambda: len(self.rows_of(running)) == 2, "the diagnostics")
        rows = self.rows_of(running)
        self.assertEqual(running.end_of_stream(), 1)
        self.assertEqual(rows[0]["attribute"], {
            "type": TYPE, "path": "port", "value_type": "number", "description": "Port to listen on.", "default": 5432,
            "validators": ["int64validator.Between(1, 65535)"], "replacement": "certain"})
        out = running.out.all().decode()
        self.assertIn("│   port (number): Port to listen on.\n"
                      "│     default 5432 · validator int64validator.Between(1, 65535) · a change\n"
                      "│     requires replacement\n", out)
        self.assertNotIn(SECRET, out + json.dumps(rows))

    def test_later_schemas_repeat_nothing(self):
        running = self.pipe("--no-server", "--progress=plain", *self.attached())
        running.write(VERSION + IN_ONE_LINE + IN_LINES)
        running.wait_for_url()
        until(lambda: all(row["attribute"] for row in self.rows_of(running)), "what the schemas say")
        self.assertEqual(running.end_of_stream(), 1)
        self.assertEqual(running.out.all().decode().count("Error: Wrong value"), 2)

    def rows_of(self, running):
        rows = json.loads(get("http://" + running.address() + "/v1/runs/latest"))["rows"]
        return [row for row in rows if row["kind"] == "diagnostic"]

    def test_schemas_of_a_replay_are_in_the_rows(self):
        said = self.exports(VERSION + IN_ONE_LINE + IN_LINES, *self.attached())
        rows = [row for row in json.loads(said["rows"]) if row["kind"] == "diagnostic"]
        self.assertEqual([row["attribute"]["path"] for row in rows], ["port", "password"])
        self.assertNotIn(SECRET, said["rows"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
