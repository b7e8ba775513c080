#!/usr/bin/python3
"""A plan as a comment of a pull request: `tofud show --md`, `tofud export --format md`, as GitHub reads them."""
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, EndToEnd, recorded_path

GITHUB_TAKES = 65536
HOSTILE = ("=cmd; </code></summary></details></pre><script>alert(1)</script> `tick` ``` | \\| **bold** _x_ [a](https://evil.example) "
           "<img src=x onerror=y> @all #1 www.evil.example https://evil.example <https://evil.example> \n```\n````\n<details>\n# big\n- x\n\n    y\n"
           "\x1b[31mred\x1b]0;title\x07 \u202e ~~~ $x$ <!-- &amp; \r- z")
OURS = {"body", "h3", "p", "strong", "ul", "li", "details", "summary", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"}


def plans():
    for path in sorted(RECORDINGS.glob("*/*plan.json*")):
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        if b'"format_version"' in text[:100]:
            yield path


def hostile_plan():
    """Text that means something at every place a plan has for text."""
    address = "t.n[%s]" % json.dumps(HOSTILE)
    body = {"address": address, "mode": "managed", "type": "t", "name": "n", "index": HOSTILE, "provider_name": HOSTILE, "deposed": HOSTILE,
            "previous_address": HOSTILE, "action_reason": HOSTILE}
    changes = [{**body, "change": {"actions": actions, "before": before, "after": after, "before_sensitive": False, "after_sensitive": False,
                                   "importing": {"id": HOSTILE}}}
               for actions in (["create"], ["update"], ["delete"], ["delete", "create"], ["no-op"], ["forget"], [HOSTILE])
               for before, after in ((None if actions == ["create"] else {"a": HOSTILE, HOSTILE: HOSTILE, "l": [HOSTILE]},
                                      None if actions == ["delete"] else {"a": HOSTILE + "x", HOSTILE: "y", "l": [], "j": json.dumps({HOSTILE: HOSTILE})}),)]
    check = {"address": {"kind": "check", "to_display": HOSTILE}, "status": "fail",
             "instances": [{"address": {"to_display": HOSTILE}, "status": "fail", "problems": [{"message": HOSTILE}]}]}
    return json.dumps({"format_version": "1.2", "terraform_version": HOSTILE, "resource_changes": changes, "resource_drift": changes[1:2],
                       "relevant_attributes": [{"resource": address, "attribute": ["a"]}], "checks": [check],
                       "output_changes": {HOSTILE: {"actions": ["create"], "before": None, "after": HOSTILE}}})


@unittest.skipUnless(shutil.which("cmark-gfm"), "needs cmark-gfm")
class PlanComment(EndToEnd):
    def tofud(self, *args):
        done = subprocess.run([TOFUD, *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True, env=self.env(), timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def read(self, text):
        """As GitHub does; broken HTML and markup that is not ours fail."""
        self.assertLess(len(text.encode("utf-16-le")) // 2, GITHUB_TAKES)
        self.assertLess(len(text.encode()), GITHUB_TAKES)
        done = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough"], input=text.encode(),
                              capture_output=True, check=True)
        body = xml.etree.ElementTree.fromstring("<body>" + done.stdout.decode() + "</body>")
        self.assertLessEqual({element.tag for element in body.iter()}, OURS)
        for details in body.iter("details"):
            self.assertEqual([each.tag for each in details], ["summary", "pre"], text)
        return body

    def file(self, name, text):
        path = pathlib.Path(self.home, name)
        path.write_text(text)
        return path

    def test_every_recorded_plan_fits_folds_and_is_nothing_but_text(self):
        folded = 0
        for path in plans():
            with self.subTest(plan=str(path)):
                folded += sum(1 for _ in self.read(self.tofud("show", path, "--md")).iter("details"))
        self.assertGreater(folded, 100)

    def test_hostile_text_stays_text(self):
        body = self.read(self.tofud("show", self.file("plan.json", hostile_plan()), "--md"))
        outside = "".join((each.text or "") + (each.tail or "") for each in body.iter() if each.tag not in ("code", "pre"))
        self.assertNotIn("evil", "".join(each.text or "" for each in body.iter() if each.tag != "code"))
        self.assertIn("Plan:", outside)
        self.assertEqual(len(list(body.iter("details"))), 8)

    def test_a_large_plan_is_listed_and_counted(self):
        text = self.tofud("show", next(path for path in plans() if "large-2000" in str(path)), "--md")
        body = self.read(text)
        shown = len(list(body.iter("details"))) + len(list(body.iter("li")))
        self.assertGreater(shown, 500)

    def test_values_that_only_schemas_mark_sensitive_are_hidden(self):
        path = RECORDINGS / "plan-sensitive-nested" / "plan.json"
        schemas = ROOT / "tests/golden/schemas/recordings.json.gz"
        text = self.tofud("show", path, "--md", "--schemas", schemas)
        self.assertIn("(sensitive value)", text)
        compact = self.tofud("show", path, "--json", "--schemas", schemas)
        for value in json.dumps(json.loads(path.read_text())["resource_changes"]).split('"'):
            if "not-real" in value and value not in compact:
                self.assertNotIn(value, text)

    def test_a_run_and_its_plan_are_one_document(self):
        place = RECORDINGS / "apply-saved-plan"
        text = self.tofud("export", recorded_path("apply-saved-plan"), "--format", "md", "--plan", place / "plan.json", "--config", place / "config")
        body = self.read(text)
        self.assertEqual([each.text.split()[0] for each in body.iter("h3")][1:], ["Plan:"])
        self.assertTrue(list(body.iter("table")))
        self.assertTrue(list(body.iter("details")))
        self.assertTrue(text.startswith(self.tofud("export", recorded_path("apply-saved-plan"), "--format", "md")))

    def test_a_stored_run_has_its_attachments(self):
        place = RECORDINGS / "apply-saved-plan"
        with open(place / "stream.jsonl", "rb") as stream:
            subprocess.run([TOFUD, "--no-listen", "--progress=none", "--no-server", "--plan", place / "plan.json", "--config", place / "config"],
                           stdin=stream, capture_output=True, env=self.env(), timeout=PATIENCE, check=True)
        text = self.tofud("export", "last", "--no-server", "--format", "md")
        self.assertTrue(list(self.read(text).iter("details")), text)

    def test_failures_name_their_owner(self):
        config = pathlib.Path(self.home, "config")
        config.mkdir()
        (config / "main.tf").write_text('# tofud: owner=@db runbook=https://wiki.example/db\nresource "null_resource" "fails" {}\n')
        stream = self.file("stream.jsonl", "".join(json.dumps({"@level": "info", "@message": "", "@module": "tofu.ui", "@timestamp": "2026-11-21T05:22:41Z",
                                                                 **each}) + "\n" for each in [
            {"type": "version", "tofu": "1.12.6", "ui": "1.2"},
            {"type": "apply_start", "hook": {"resource": {"addr": "null_resource.fails[0]", "resource_type": "null_resource"}, "action": "create"}},
            {"type": "apply_errored", "hook": {"resource": {"addr": "null_resource.fails[0]", "resource_type": "null_resource"}, "action": "create"}}]))
        for form, said in (("md", "`null_resource.fails[0]` · owner `@db` · runbook `https://wiki.example/db`"),
                           ("csv", "'@db,https://wiki.example/db"), ("junit", "owner @db · runbook https://wiki.example/db"),
                           ("ndjson", '"owner":"@db","runbook":"https://wiki.example/db"')):
            self.assertIn(said, self.tofud("export", stream, "--format", form, "--config", config))
        self.read(self.tofud("export", stream, "--format", "md", "--config", config))

    def test_states_have_no_changes_to_draw(self):
        done = subprocess.run([TOFUD, "show", RECORDINGS / "outputs-all-types" / "state.json", "--md"], capture_output=True, env=self.env(), timeout=PATIENCE)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"is a state; --md draws what a plan changes", done.stderr)


if __name__ == "__main__":
    unittest.main()
