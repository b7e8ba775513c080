#!/usr/bin/python3
"""`tofud show`: plans, states and the diagnostics of a stream as OpenTofu draws them."""
import gzip
import json
import os
import pty
import subprocess
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, recorded_path

HOSTILE = "a\x1b]0;pwned\x07\x1b[2J\x1b[31mb\u202e\x85\x9b2Jc\rd"


def golden(name="diagnostics.jsonl"):
    with open(ROOT / "tests/golden" / name) as file:
        return [json.loads(line) for line in file]


def generated(case):
    """In a file of JSON that is one line, which OpenTofu shows as it is."""
    diagnostic = case["message"]["diagnostic"]
    code = (diagnostic.get("snippet") or {}).get("code", "")
    return code.startswith("{") and diagnostic["range"]["filename"].endswith(".json")


def stream(cases):
    return "".join(json.dumps(case["message"], ensure_ascii=False) + "\n" for case in cases).encode()


def hostile_message():
    place = {"line": 1, "column": 1, "byte": 0}
    return json.dumps({"@level": "error", "@message": HOSTILE, "@module": "tofu.ui", "type": "diagnostic", "diagnostic": {
        "severity": "error", "summary": HOSTILE, "detail": HOSTILE, "address": HOSTILE,
        "range": {"filename": HOSTILE, "start": place, "end": place},
        "snippet": {"context": HOSTILE, "code": HOSTILE, "start_line": 1, "highlight_start_offset": 2, "highlight_end_offset": 9,
                    "values": [{"traversal": HOSTILE, "statement": HOSTILE}],
                    "function_call": {"called_as": HOSTILE, "signature": {"params": [{"name": HOSTILE}]}}},
        "difference": {"before": "x\n" + HOSTILE, "after": "x\n"}}}).encode() + b"\n"


SCHEMAS = str(ROOT / "tests/golden/schemas/recordings.json.gz")
EMPTY_PLAN = '{"format_version":"1.2","resource_changes":[]}'


def packed(name):
    with gzip.open(ROOT / "tests/golden" / name, "rt") as file:
        return [json.loads(line) for line in file]


class ShowCase(EndToEnd):
    def show(self, *args, data=b"", env=None):
        done = subprocess.run([TOFUD, "show", *args], input=data, capture_output=True, env=env or self.env(), timeout=PATIENCE)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def on_terminal(self, *args, data, **env):
        """What reaches a terminal."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([TOFUD, "show", *args], stdin=subprocess.PIPE, stdout=theirs,
                                   env=self.env(TERM="xterm", **env))
        os.close(theirs)
        process.stdin.write(data)
        process.stdin.close()
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertEqual(process.wait(PATIENCE), 0)
        return shown.decode().replace("\r\n", "\n")

    def file(self, name, content):
        path = os.path.join(self.home, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode())
        return path


class ShowDocuments(ShowCase):
    def shown(self, *args, **more):
        status, shown, said = self.show(*args, **more)
        self.assertEqual((status, said), (0, ""))
        return shown

    def test_plans_are_shown_as_tofu_shows_them(self):
        modes = {"refresh-only": ["--refresh-only"], "destroy": ["--destroy"]}
        cases = packed("plan-render.jsonl.gz")[::9] + packed("plan-render-wide.jsonl.gz")[::40]
        for case in cases:
            with self.subTest(case["name"]):
                args = [self.file("plan.json", case["plan"]), "--schemas", self.file("schemas.json", case["schemas"])]
                args += modes.get(case.get("mode"), [])
                self.assertEqual(self.shown(*args), case["human"])
                self.assertEqual(self.shown(*args, "--color=always"), case["human_color"])

    def test_states_are_shown_as_tofu_shows_them(self):
        for case in packed("state-render.jsonl.gz")[::6]:
            with self.subTest(case["name"]):
                path = self.file("state.json", case["state"])
                self.assertEqual(self.shown(path, "--schemas", SCHEMAS), case["human"])
                self.assertEqual(self.shown(path, "--schemas", SCHEMAS, "--color=always"), case["human_color"])

    def test_standard_input_and_several_files_compressed_or_not(self):
        folder = ROOT / "tests/recordings/update-in-place"
        human = (folder / "plan.human.txt").read_text()
        plan = (folder / "plan.json").read_bytes()
        self.assertEqual(self.shown("-", "--schemas", SCHEMAS, data=gzip.compress(plan)), human)
        self.assertEqual(self.shown(str(folder / "plan.json"), "-", "--schemas", SCHEMAS, data=plan), human + human)

    def test_without_a_schema_it_is_shown_and_said(self):
        status, shown, said = self.show(str(ROOT / "tests/recordings/update-in-place/plan.json"))
        self.assertEqual(status, 0)
        self.assertIn('  ~ resource "terraform_data" "app" {\n', shown)
        self.assertRegex(said, "^tofud: 3 of the resources of .*plan.json were shown without a schema, .*--schemas")

    def test_compact_is_a_line_a_resource(self):
        path = str(ROOT / "tests/recordings/replace-reasons/plan.json")
        lines = self.shown(path, "--schemas", SCHEMAS, "--compact").splitlines()
        self.assertEqual(lines[0], '-/+ null_resource.cannot_update: triggers["rev"] (forces replacement), id')
        self.assertEqual(lines[-1], "Plan: 6 to add, 1 to change, 6 to destroy.")
        self.assertEqual(len(lines), 8)

    def test_json_is_an_object_a_line(self):
        path = str(ROOT / "tests/recordings/update-in-place/plan.json")
        rows = [json.loads(line) for line in self.shown(path, "--schemas", SCHEMAS, "--json").splitlines()]
        self.assertEqual([row["kind"] for row in rows], ["resource"] * 3 + ["output"] * 4 + ["summary"])
        self.assertEqual(rows[0]["address"], 'terraform_data.app["cron"]')
        self.assertEqual(rows[-1], {"kind": "summary", "update": 3})

    def test_checks_are_told_with_their_problems(self):
        path = str(ROOT / "tests/recordings/diag-conditions-checks/plan.json")
        rows = [json.loads(line) for line in self.shown(path, "--schemas", SCHEMAS, "--json").splitlines()]
        checks = {row["address"]: row for row in rows if row["kind"] == "check"}
        self.assertEqual(checks["check.late"], {"kind": "check", "address": "check.late", "status": "unknown", "problems": []})
        self.assertIn("connection refused", checks["check.health"]["problems"][0])
        self.assertIn("check.health: fail: External Program Execution Failed", self.shown(path, "--schemas", SCHEMAS, "--compact"))

    def test_a_specification_serves_as_schemas(self):
        plan = {"format_version": "1.2", "resource_changes": [{
            "address": "small_thing.t", "mode": "managed", "type": "small_thing", "name": "t", "provider_name": "registry.opentofu.org/acme/small",
            "change": {"actions": ["create"], "before": None, "after": {"tags": ["b", "a"]}}}]}
        specification = {"version": "0.1.0", "provider": {"name": "small"}, "resources": [{"name": "thing", "schema": {"attributes": [
            {"name": "tags", "set": {"computed_optional_required": "optional", "element_type": {"string": {}}}}]}}]}
        plan, specification = self.file("plan.json", plan), self.file("spec.json", specification)
        self.assertIn('      + tags = [\n          + "b",\n          + "a",\n        ]\n', self.shown(plan, "--schemas", specification))
        broken = self.file("broken.json", {"version": "0.1.0", "provider": {"name": "small"}, "resources": [{"name": "thing"}]})
        self.assertEqual(self.show(plan, "--schemas", broken)[0], 2)
        self.assertIn("resources[0]", self.show(plan, "--schemas", broken)[2])

    def test_an_overlay_hides_what_the_schemas_call_sensitive(self):
        plan = {"format_version": "1.2", "resource_changes": [{
            "address": "random_password.p", "mode": "managed", "type": "random_password", "name": "p",
            "provider_name": "registry.terraform.io/hashicorp/random",
            "change": {"actions": ["delete"], "before": {"result": "hunter2!"}, "after": None}}]}
        path = self.file("plan.json", plan)
        self.assertIn('- result = "hunter2!" -> null', self.shown(path, "--schemas", SCHEMAS))
        for args in ["--overlay"], ["--json"], ["--compact"]:
            self.assertNotIn("hunter2", self.shown(path, "--schemas", SCHEMAS, *args))
        self.assertIn("- result = (sensitive value) -> null", self.shown(path, "--schemas", SCHEMAS, "--overlay"))

    def test_a_terminal_is_steered_by_no_plan(self):
        plan = {"format_version": "1.2", "resource_changes": [{
            "address": HOSTILE, "mode": "managed", "type": HOSTILE, "name": HOSTILE, "provider_name": HOSTILE,
            "previous_address": HOSTILE + "x", "deposed": HOSTILE,
            "change": {"actions": ["delete"], "before": {HOSTILE: HOSTILE, "lines": "x\n" + HOSTILE}, "after": None,
                       "importing": {"id": HOSTILE}}}]}
        for args in [], ["--compact"]:
            shown = self.on_terminal("--color=never", *args, self.file("plan.json", plan), data=b"")
            self.assertNotRegex(shown, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
            self.assertIn("deposed object", shown)

    def test_what_is_something_else_is_told_what_to_do_with(self):
        def said(content, *args):
            status, shown, said = self.show(self.file("given.json", content), *args)
            self.assertEqual((status, shown), (2, ""))
            return said.replace(self.home + "/", "")
        self.assertEqual(said(b"{}"), "tofud: given.json is neither a plan nor a state in JSON; `tofu show -json PLAN` writes one\n")
        self.assertEqual(said(b"PK\x03\x04"), said(b"{}"))
        self.assertEqual(said({"version": 4, "lineage": "x", "serial": 1}),
                         "tofud: given.json is a state file; give the output of `tofu show -json` instead\n")
        self.assertIn("give it with --schemas", said({"format_version": "1.0", "provider_schemas": {}}))
        self.assertIn("tofud show --diagnostics", said(stream(golden()[:2])))
        self.assertIn("format_version is 2.0, but this tofud knows only 1", said({"format_version": "2.0", "planned_values": {}}))
        self.assertEqual(said({"format_version": "1.2", "resource_changes": [{"address": "a.b", "change": {"actions": "x"}}]}),
                         "tofud: given.json: resource_changes[0].change.actions is not an array of strings\n")
        self.assertEqual(said(EMPTY_PLAN.encode(), "--schemas", self.file("no.json", b"[]")), "tofud: no.json: the document is not an object\n")

    def test_flags_that_contradict_each_other_are_refused(self):
        for args in ["--compact", "--json"], ["--refresh-only", "--destroy"], ["--diagnostics", "--json"]:
            status, shown, _ = self.show("-", *args, data=EMPTY_PLAN.encode())
            self.assertEqual((status, shown), (2, ""))


class Show(ShowCase):
    def test_golden_diagnostics_come_one_after_another(self):
        for name in "diagnostics.jsonl", "diagnostics-random.jsonl":
            cases = [case for case in golden(name) if not generated(case)]
            for colour, text in ("never", "human"), ("auto", "human"), ("always", "human_color"):
                self.assertEqual(self.show("--diagnostics", "-", "--color", colour, data=stream(cases)),
                                 (0, "".join(case[text] for case in cases), ""))

    def test_a_file_in_one_line_is_shown_in_part(self):
        case, = (case for case in golden() if generated(case))
        status, shown, said = self.show("--diagnostics", "-", data=stream([case]))
        self.assertEqual((status, said), (0, ""))
        self.assertIn("at resource:\n│     \"resource\": {\n│       \"terraform_data\": {…}\n│       ,\n│       ^\n", shown)
        self.assertNotIn(case["message"]["diagnostic"]["snippet"]["code"], shown)

    def test_a_terminal_gets_colours_unless_it_shall_not(self):
        cases = golden()[:5]
        plain, coloured = ("".join(case[text] for case in cases) for text in ("human", "human_color"))
        self.assertEqual(self.on_terminal("--diagnostics", "-", data=stream(cases)), coloured)
        self.assertEqual(self.on_terminal("--diagnostics", "-", "--color=never", data=stream(cases)), plain)
        self.assertEqual(self.on_terminal("--diagnostics", "-", data=stream(cases), NO_COLOR="1"), plain)

    def test_a_terminal_is_steered_by_nobody(self):
        shown = self.on_terminal("--diagnostics", "-", data=hostile_message())
        for own in "\x1b[0m", "\x1b[1m", "\x1b[4m", "\x1b[90m", "\x1b[31m-", "\x1b[31mError: ", "\x1b[31m╷", "\x1b[31m│", "\x1b[31m╵":
            shown = shown.replace(own, "")
        self.assertNotRegex(shown, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
        self.assertIn("Diff:", shown)

    def test_a_terminal_without_utf8_gets_ascii(self):
        shown = self.on_terminal("--diagnostics", "-", "--color=never", data=stream(golden()[:1]), LC_ALL="C")
        self.assertTrue(shown.isascii(), shown)
        self.assertTrue(shown.startswith(",\n| Error: "), shown)

    def test_other_lines_are_skipped(self):
        one, two = golden()[0], golden()[4]
        data = b"make: hello\n{\"a\":1}\n\n" + b"no newline" + stream([one]) + b"\xff\xfe\n" + stream([two]).rstrip(b"\n")
        self.assertEqual(self.show("--diagnostics", "-", data=data), (0, one["human"] + two["human"], ""))

    def test_a_torn_last_line_is_no_diagnostic(self):
        self.assertEqual(self.show("--diagnostics", "-", data=stream(golden()[:1])[:-9]), (0, "", ""))

    def test_files_may_be_compressed_and_come_in_any_order_of_words(self):
        path = str(recorded_path("diag-config-errors"))
        status, shown, said = self.show("--diagnostics", path)
        self.assertEqual((status, said), (0, ""))
        self.assertIn("│ Error: ", shown)
        packed = os.path.join(self.home, "stream.jsonl.gz")
        with open(path, "rb") as file, gzip.open(packed, "wb") as out:
            out.write(file.read())
        self.assertEqual(self.show(packed, "--diagnostics"), (0, shown, ""))
        with open(packed, "rb") as file:
            self.assertEqual(self.show("--diagnostics", "-", data=file.read()), (0, shown, ""))

    def test_what_can_not_be_read_is_said(self):
        self.assertEqual(self.show("--diagnostics", "/nowhere"), (2, "", "tofud: can't read /nowhere: No such file or directory\n"))
        self.assertEqual(self.show("--diagnostics", self.home), (2, "", "tofud: %s is a directory; name a file\n" % self.home))
        cut = gzip.compress(stream(golden()))[:-20]
        status, shown, said = self.show("--diagnostics", "-", data=cut)
        self.assertEqual((status, said), (2, "tofud: standard input is truncated: its compressed data ends too early\n"))
        self.assertTrue(shown.startswith(golden()[0]["human"]))
        status, _, said = self.show("--diagnostics", "-", data=b"\x1f\x8bgarbage, really")
        self.assertEqual(status, 2)
        self.assertIn("is not valid gzip data", said)

    def test_diagnostics_of_several_streams_come_one_after_another(self):
        one, two = (self.file("%d.jsonl" % n, stream([golden()[n]])) for n in (0, 4))
        self.assertEqual(self.show("--diagnostics", one, two), (0, golden()[0]["human"] + golden()[4]["human"], ""))

    def test_a_stream_that_is_still_written_is_drawn_as_it_comes(self):
        process = subprocess.Popen([TOFUD, "show", "--diagnostics", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.env())
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        case = golden()[0]
        process.stdin.write(stream([case]))
        process.stdin.flush()
        drawn = case["human"].encode()
        self.assertEqual(process.stdout.read(len(drawn)), drawn)


if __name__ == "__main__":
    unittest.main(verbosity=2)
