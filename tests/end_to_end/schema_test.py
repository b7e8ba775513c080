#!/usr/bin/python3
"""Documents of schemas: what is said of a specification's mistakes, and types of either format."""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from binary import PATIENCE, ROOT, TOFUD, EndToEnd

GOLDEN = pathlib.Path(ROOT, "tests", "golden", "schemas")
HINTS = str(GOLDEN / "hints.specification.json")
BREAKING = GOLDEN / "breaking"
SMALL = str(GOLDEN / "small.schemas.json")


class Schema(EndToEnd):
    def schema(self, *args, status=0, stdin=b""):
        """(stdout, stderr) of `tofud schema`."""
        done = subprocess.run([TOFUD, "schema", *args], input=stdin, capture_output=True, env=self.env(), timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def file(self, text):
        path = pathlib.Path(self.home, "schema.json")
        path.write_text(text)
        return str(path)

    def test_a_right_specification_is_ok(self):
        self.assertEqual(self.schema("check", HINTS), (f"{HINTS}: ok\n", ""))

    def test_every_mistake_is_reported_with_its_path(self):
        path = self.file('{"version": "0.1.0", "provider": {"name": "P"}, "resources": [{"name": "r"}], "later": 1}')
        out, err = self.schema("check", path, status=1)
        self.assertEqual(out, "")
        lines = err.splitlines()
        self.assertTrue(lines[0].startswith(f'{path}: provider.name: is "P"'), err)
        self.assertEqual(lines[1:], [f"{path}: resources[0]: lacks schema",
                                     f"{path}: later: warning: is unknown to version 0.1.0 of the format and is ignored"])

    def test_a_warning_is_no_mistake(self):
        path = self.file('{"version": "0.1.0", "provider": {"name": "p"}, "later": 1}')
        out, err = self.schema("check", path)
        self.assertEqual(out, f"{path}: ok\n")
        self.assertIn("later: warning: ", err)

    def test_invalid_json_is_reported_with_line_and_column(self):
        path = self.file('{\n  "version": oops\n}')
        for command in ("check", "show"):
            self.assertIn(f"{path}:2:14: invalid JSON", self.schema(command, path, status=1)[1])

    def test_files_that_are_no_specification(self):
        self.assertIn("`check` is for specifications", self.schema("check", SMALL, status=1)[1])
        self.assertIn("can't read /nonexistent: No such file", self.schema("check", "/nonexistent", status=1)[1])
        self.assertIn("is neither", self.schema("show", self.file("{}"), status=1)[1])
        self.schema(status=2)

    def test_a_specification_has_a_bound(self):
        self.assertIn("has more than 64 MiB", self.schema("check", "-", stdin=b" " * (65 << 20), status=1)[1])

    def test_types_are_listed(self):
        self.assertEqual(self.schema("show", SMALL)[0],
                         "registry.opentofu.org/examples/small\n  provider\n  resource            small_thing\n"
                         "  data source         small_thing\n")
        self.assertEqual(self.schema("show", HINTS)[0], "hints\n  resource            hints_thing\n")

    def test_a_type_is_shown_from_either_format(self):
        out = self.schema("show", SMALL, "small_thing")[0]
        self.assertIn("resource small_thing (registry.opentofu.org/examples/small, version 0)\n", out)
        self.assertIn("data source small_thing (registry", out)
        self.assertIn("\n  map_attribute            map(list(number))  optional, sensitive\n", out)
        specified = self.schema("show", str(GOLDEN / "small.specification.json"), "small_thing")[0]
        self.assertEqual(specified.replace("(small)", "(registry.opentofu.org/examples/small, version 0)"), out)

    def test_a_provider_is_shown_by_its_name(self):
        self.assertIn("endpoint  string  required", self.schema("show", SMALL, "small")[0])
        self.assertIn("endpoint  string  required", self.schema("show", SMALL, "registry.opentofu.org/examples/small")[0])

    def test_standard_input_is_read(self):
        whole = gzip.decompress((GOLDEN / "installed.schemas.json.gz").read_bytes())
        self.assertIn("Generates a local file", self.schema("show", "-", "local_file", stdin=whole)[0])

    def test_a_wrong_name_gets_a_near_one(self):
        self.assertIn("did you mean small_thing?", self.schema("show", SMALL, "small_thign", status=1)[1])
        self.assertIn("did you mean small_thing?", self.schema("show", SMALL, "thing", status=1)[1])
        self.assertIn("lists them", self.schema("show", SMALL, "something_quite_different", status=1)[1])

    def test_a_document_may_steer_no_terminal(self):
        block = {"description": "\x1b]0;title\x07\x1b[2J\u009b1m", "attributes": {"a\x1b[1m": {"type": "string"}}}
        document = {"format_version": "1.0",
                    "provider_schemas": {"p\x1b[2J": {"resource_schemas": {"t": {"block": block}}}}}
        text = json.dumps(document).encode()
        for args in (["-"], ["-", "t"]):
            out, err = self.schema("show", *args, stdin=text)
            for control in ("\x1b", "\x07", "\u009b"):
                self.assertNotIn(control, out + err)
        self.assertNotIn("\x1b", self.schema("check", "-", stdin=b'{"a\\u001b[2J": 1}', status=1)[1])

    def diff(self, *args, status=1):
        """Output of `tofud schema diff` of the pair that has each kind of breaking change."""
        return self.schema("diff", str(BREAKING / "before.schemas.json"), str(BREAKING / "after.schemas.json"), *args, status=status)[0]

    def test_each_kind_of_breaking_change_is_reported(self):
        rows = [json.loads(line) for line in self.diff("--json").splitlines()]
        self.assertEqual({row["change"] for row in rows},
                         {"gone", "older_version", "needed", "read_only", "not_computed", "other_syntax", "other_nesting", "other_type",
                          "more_blocks", "fewer_blocks", "sensitive", "write_only", "deprecated"})
        text = self.diff()
        self.assertIn("resource cloud_key (registry.opentofu.org/acme/cloud)\n  is removed\n", text)
        self.assertTrue(text.endswith("\n17 breaking changes; 1 deprecated.\n"), text)

    def test_changes_that_only_specifications_show_break_too(self):
        def specified(members):
            vm = {"name": "vm", "schema": {"attributes": [{"name": "port", "int64": {"computed_optional_required": "optional", **members}}]}}
            return json.dumps({"version": "0.1.0", "provider": {"name": "cloud"}, "resources": [vm]}).encode()
        before = self.file(specified({"default": {"static": 1}}).decode())
        modifiers = [{"custom": {"schema_definition": "int64planmodifier.RequiresReplace()"}}]
        after = specified({"default": {"static": 2}, "plan_modifiers": modifiers})
        text = self.schema("diff", before, "-", stdin=after, status=1)[0]
        self.assertIn("  port: has the default 1 no more, but 2\n  port: now forces replacement when it changes\n", text)

    def test_a_plan_shows_the_affected_resources(self):
        plan = ("--plan", str(BREAKING / "plan.json"))
        rows = [json.loads(line) for line in self.diff("--json", *plan).splitlines()]
        touched = {row["type"] + "." + row.get("path", "") if "type" in row else row["path"]: row["touches"] for row in rows}
        web, db = "cloud_vm.web", "cloud_vm.db"
        self.assertEqual(touched, {
            "endpoint": ["cloud"], "region": ["cloud"], "cloud_vm.": [web, db], "cloud_vm.image": [web], "cloud_vm.kind": [db],
            "cloud_vm.name": [db], "cloud_vm.owner": [], "cloud_vm.console": [], "cloud_vm.label": [], "cloud_vm.ports": [web],
            "cloud_vm.tags": [web], "cloud_vm.token": [web], "cloud_vm.zone": [db], "cloud_vm.disk": [web], "cloud_vm.nic": [db],
            "cloud_vm.team": [web, db], "cloud_image.size": ["data.cloud_image.base"]})
        text = self.diff(*plan)
        self.assertTrue(text.endswith(" 3 more touch none of them; 1 deprecated.\n"), text)
        self.assertNotIn("cloud_key", text)
        self.assertNotIn("planted", text + json.dumps(rows))

    def test_a_state_shows_the_affected_resources(self):
        text = self.diff("--state", str(BREAKING / "state.json"))
        self.assertIn("  size: is removed\n      data.cloud_image.base\n", text)
        self.assertNotIn("planted", text)
        empty = self.file('{"format_version": "1.0"}')
        self.assertIn("0 breaking changes for 0 objects", self.diff("--state", empty, status=0))

    def test_schemas_that_break_nothing(self):
        same = str(BREAKING / "after.schemas.json")
        self.assertEqual(self.schema("diff", same, same)[0], "0 breaking changes.\n")

    def test_documents_that_can_not_be_compared(self):
        before, plan = str(BREAKING / "before.schemas.json"), str(BREAKING / "plan.json")
        self.assertIn("has no schemas", self.schema("diff", before, self.file("{}"), status=2)[1])
        self.assertIn("can't read /nonexistent", self.schema("diff", before, "/nonexistent", status=2)[1])
        self.assertIn("is a state file", self.schema(
            "diff", before, before, "--state", self.file('{"version": 4, "terraform_version": "1.12.6", "serial": 1, "lineage": "a", "resources": []}'), status=2)[1])
        self.schema("diff", before, before, "--state", plan, "--plan", plan, status=2)


if __name__ == "__main__":
    unittest.main()
