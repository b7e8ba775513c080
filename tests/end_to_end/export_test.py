#!/usr/bin/python3
"""tofud export and --junit: documents that other programs can read, whatever is in a stream."""
import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from binary import PATIENCE, RECORDINGS, TOFUD, EndToEnd, all_recordings, recorded, recorded_path, sanitized

# Text that one format or another has a meaning for, and some that none has a place for.
HOSTILE = ("=cmd|'/c calc'!A0,\"q\"; -1\r\n]]><script>alert(1)</script>&amp;&#0; `tick` ``` | \\| \\ **bold** _x_ [a](https://evil.example) "
           "<img src=x onerror=y> @all #1 www.evil.example \x00\x01\x1b[31mred\x1b]0;title\x07 \u202e \ufffe \uffff \u4e16 ~~~ $x$")

# What junit-10.xsd of Jenkins' xUnit plugin allows: element -> (attributes, those required, children).
JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "disabled", "errors"}, set(), {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id", "package"},
                  {"name", "tests"}, {"properties", "testcase", "system-out", "system-err"}),
    "testcase": ({"name", "assertions", "time", "classname", "status"}, {"name"},
                 {"skipped", "error", "failure", "system-out", "system-err"}),
    "skipped": ({"type", "message"}, set(), set()),
    "error": ({"type", "message"}, set(), set()),
    "failure": ({"type", "message"}, set(), set()),
}


def message(kind, **fields):
    head = {"@level": "info", "@message": "", "@module": "tofu.ui", "@timestamp": "2026-11-21T05:22:41.436207Z", "type": kind}
    return json.dumps({**head, **fields}).encode() + b"\n"


def hostile_apply():
    """An apply whose address, id, diagnostic and output name are as bad as text can be."""
    addr = "t.n[%s]" % json.dumps(HOSTILE)
    resource = {"addr": addr, "module": "", "resource": addr, "implied_provider": "t", "resource_type": "t", "resource_name": "n",
                "resource_key": HOSTILE}
    other = {**resource, "addr": "t.ok", "resource": "t.ok", "resource_name": "ok", "resource_key": None}
    diagnostic = {"severity": "error", "summary": HOSTILE, "detail": HOSTILE + "\n" + HOSTILE, "address": addr,
                  "range": {"filename": HOSTILE, "start": {"line": 1, "column": 1, "byte": 0}, "end": {"line": 1, "column": 2, "byte": 1}},
                  "snippet": {"context": HOSTILE, "code": HOSTILE, "start_line": 1, "highlight_start_offset": 0,
                              "highlight_end_offset": 1, "values": [{"traversal": HOSTILE, "statement": HOSTILE}]}}
    return b"".join([
        message("version", tofu="1.12.6", ui="1.2"),
        message("planned_change", change={"resource": resource, "action": "create"}),
        message("planned_change", change={"resource": other, "action": "create"}),
        message("change_summary", changes={"add": 2, "change": 0, "import": 0, "remove": 0, "operation": "plan"}),
        message("apply_start", hook={"resource": resource, "action": "create"}),
        message("apply_start", hook={"resource": other, "action": "create"}),
        message("apply_complete", hook={"resource": other, "action": "create", "id_key": "id", "id_value": HOSTILE, "elapsed_seconds": 1}),
        message("apply_errored", hook={"resource": resource, "action": "create", "elapsed_seconds": 1}),
        message("diagnostic", diagnostic=diagnostic),
        message("outputs", outputs={HOSTILE: {"sensitive": False, "type": "string", "value": "v"}}),
    ])


def hostile_test():
    return b"".join([
        message("version", tofu="1.12.6", ui="1.2"),
        message("test_abstract", test_abstract={HOSTILE: [HOSTILE]}),
        message("test_run", test_run={"path": HOSTILE, "run": HOSTILE, "status": "fail"}),
        message("test_file", test_file={"path": HOSTILE, "status": "fail"}),
        message("test_summary", test_summary={"status": "fail", "passed": 0, "failed": 1, "errored": 0, "skipped": 0}),
    ])


class Exporting(EndToEnd):
    def export(self, path, form, *args):
        done = subprocess.run([TOFUD, "export", str(path), "--format", form, *args], stdin=subprocess.DEVNULL, capture_output=True,
                              env=self.env(), timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def file(self, data, name="hostile.jsonl"):
        path = pathlib.Path(self.home, name)
        path.write_bytes(data)
        return path

    def streams(self):
        """Every recording (with sanitizers, several times slower, every eighth), and the hostile ones."""
        for name, stem in list(all_recordings())[::8 if sanitized() else 1]:
            yield recorded_path(name, stem)
        yield self.file(hostile_apply(), "apply.jsonl")
        yield self.file(hostile_test(), "test.jsonl")

    def check_junit(self, text):
        """The root, if it is a report as Jenkins' schema has it, with counts that are right."""
        root = xml.etree.ElementTree.fromstring(text)
        self.assertEqual(root.tag, "testsuites")
        for element in root.iter():
            attributes, required, children = JUNIT[element.tag]
            self.assertLessEqual(set(element.attrib), attributes)
            self.assertLessEqual(required, set(element.attrib))
            self.assertLessEqual({child.tag for child in element}, children)
            for number in {"tests", "failures", "errors", "skipped"} & set(element.attrib):
                self.assertRegex(element.get(number), r"^\d+$")
            if "time" in element.attrib:
                self.assertRegex(element.get("time"), r"^\d+(\.\d+)?$")
            if "timestamp" in element.attrib:
                self.assertRegex(element.get("timestamp"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")
        for suite in root:
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            for count, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                self.assertEqual(int(suite.get(count)), sum(case.find(element) is not None for case in cases))
            self.assertTrue(all(len(case) <= 1 for case in cases))
        for count in ("tests", "failures", "errors"):
            self.assertEqual(int(root.get(count)), sum(int(suite.get(count)) for suite in root))
        return root

class Documents(Exporting):
    # ---- rows

    def test_rows_are_those_of_replay(self):
        path = recorded_path("provisioner-output-kinds")
        rows = subprocess.run([TOFUD, "replay", "--rows", path], capture_output=True, env=self.env(), check=True).stdout
        self.assertEqual(self.export(path, "ndjson"), rows)

    # ---- CSV

    def test_tables_have_as_many_fields_in_every_line_and_no_formula(self):
        for path in self.streams():
            with self.subTest(stream=str(path)):
                text = self.export(path, "csv").decode()
                table = list(csv.reader(io.StringIO(text, newline=""), strict=True))
                self.assertEqual({len(line) for line in table}, {19})
                self.assertTrue(text.endswith("\r\n"))
                for field in (field for line in table for field in line if field):
                    self.assertNotIn(field[0], "=+-@\t\r\n", field)

    def test_tables_hold_what_the_rows_hold(self):
        path = recorded_path("apply-provider-errors")
        table = list(csv.DictReader(io.StringIO(self.export(path, "csv").decode(), newline="")))
        rows = self.rows(path)["resource"]
        self.assertEqual({line["address"]: line["status"] for line in table}, {key: row["status"] for key, row in rows.items()})
        self.assertEqual({line["error"] for line in table if line["status"] == "failed"},
                         {"Create local file error", "Unexpected External Program Results"})

    # ---- JUnit

    def test_reports_are_right_and_red_exactly_if_the_run_was(self):
        for path in self.streams():
            with self.subTest(stream=str(path)):
                root = self.check_junit(self.export(path, "junit"))
                runs = [json.loads(line) for line in self.export(path, "ndjson").decode().split("\n") if line.startswith('{"kind":"run"')]
                red = int(root.get("failures")) + int(root.get("errors")) > 0
                bad = any(run["status"] != "succeeded" for run in runs)
                left_behind = any(run["command"] == "test" and run["diagnostics"]["error"] for run in runs)
                self.assertEqual(red, bad or left_behind)

    def test_reports_of_tests_have_the_text_of_failures(self):
        root = self.check_junit(self.export(recorded_path("test-fail-error-skip"), "junit"))
        self.assertEqual([suite.get("name") for suite in root],
                         ["tests/erroring.tftest.hcl", "tests/failing.tftest.hcl", "tests/invalid_reference.tftest.hcl",
                          "tests/passing.tftest.hcl", "tofu test"])
        failure = root.find(".//testcase[@name='fails_twice']/failure")
        self.assertIn("on tests/failing.tftest.hcl line 9", failure.text)
        self.assertIn("The greeting is hello world.", failure.text)
        self.assertIn("Objects differ.", failure.text)

    # ---- trace

    def test_traces_nest_on_every_thread(self):
        for path in self.streams():
            with self.subTest(stream=str(path)):
                document = json.loads(self.export(path, "trace"))
                open_spans = {}
                for event in document["traceEvents"]:
                    self.assertIn(event["ph"], "XMi")
                    if event["ph"] != "X":
                        continue
                    self.assertGreaterEqual(event["dur"], 0)
                    begin, end = event["ts"], event["ts"] + event["dur"]
                    stack = open_spans.setdefault((event["pid"], event["tid"]), [])
                    while stack and stack[-1] <= begin and not (stack[-1] == begin == end):
                        stack.pop()
                    if stack:
                        self.assertLessEqual(end, stack[-1], event)
                    stack.append(end)

    def test_traces_have_every_step(self):
        path = recorded_path("apply-slow-progress")
        events = json.loads(self.export(path, "trace"))["traceEvents"]
        steps = [(row["addr"], step["action"]) for row in self.rows(path)["resource"].values() for step in row["steps"]]
        self.assertEqual(sorted((event["name"], event["cat"]) for event in events if event["ph"] == "X" and event["cat"] != "provisioner"),
                         sorted(steps))

    # ---- Markdown

    def html(self, text):
        done = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough"], input=text,
                              capture_output=True, check=True)
        return xml.etree.ElementTree.fromstring("<body>" + done.stdout.decode().replace("<br>", "<br/>") + "</body>")

    @unittest.skipUnless(shutil.which("cmark-gfm"), "needs cmark-gfm")
    def test_markdown_has_no_markup_but_its_own(self):
        for path in self.streams():
            with self.subTest(stream=str(path)):
                body = self.html(self.export(path, "md"))
                self.assertLessEqual({element.tag for element in body.iter()},
                                     {"body", "h3", "p", "strong", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"})
                for table in body.iter("table"):
                    width = len(table.find("thead/tr"))
                    self.assertEqual({len(row) for row in table.iter("tr")}, {width})

    @unittest.skipUnless(shutil.which("cmark-gfm"), "needs cmark-gfm")
    def test_markdown_shows_the_same_text(self):
        body = self.html(self.export(self.file(hostile_apply()), "md"))
        cells = [cell for cell in body.iter("td") if "".join(cell.itertext()).startswith("t.n")]
        self.assertEqual(len(cells), 1)
        text = "".join(cells[0].itertext())
        for part in ("cmd|'/c calc'!A0", "]]><script>alert(1)</script>&amp;&#0;", "`tick` ``` |", "**bold** _x_ [a](https://evil"):
            self.assertIn(part, text)

    # ---- all of them

    def test_never_hold_what_is_sensitive(self):
        state = json.loads((RECORDINGS / "outputs-all-types" / "state.json").read_text())
        secrets = [output["value"] for output in state["values"]["outputs"].values()
                   if output["sensitive"] and isinstance(output["value"], str)]
        self.assertTrue(secrets)
        for stem in ("stream", "apply-show-sensitive"):
            for form in ("ndjson", "csv", "junit", "trace", "md"):
                text = self.export(recorded_path("outputs-all-types", stem), form).decode()
                for secret in secrets:
                    self.assertNotIn(secret, text)

    def test_go_to_a_file_whole_or_not_at_all(self):
        path = recorded_path("apply-provider-errors")
        target = os.path.join(self.home, "out.csv")
        self.assertEqual(self.export(path, "csv", "-o", target), b"")
        self.assertEqual(pathlib.Path(target).read_bytes(), self.export(path, "csv"))
        self.assertEqual([entry for entry in os.listdir(self.home) if "part" in entry], [])
        done = subprocess.run([TOFUD, "export", path, "--format", "csv", "-o", self.home + "/no/such/out.csv"], capture_output=True,
                              env=self.env())
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"can't write", done.stderr)

    def test_leave_a_link_in_place_and_write_to_what_is_no_file(self):
        path = recorded_path("apply-provider-errors")
        target, link = os.path.join(self.home, "real.csv"), os.path.join(self.home, "link.csv")
        pathlib.Path(target).write_text("old")
        os.symlink(target, link)
        self.export(path, "csv", "-o", link)
        self.assertTrue(os.path.islink(link))
        self.assertEqual(pathlib.Path(target).read_bytes(), self.export(path, "csv"))
        self.assertEqual(self.export(path, "csv", "-o", "/dev/stdout"), self.export(path, "csv"))

    def test_of_a_run_that_goes_on_are_what_is_known_so_far(self):
        lines = recorded("apply-slow-progress").splitlines(keepends=True)
        tofud = self.pipe("--no-listen", listen=False)
        tofud.write(b"".join(lines[:48]))
        first = tofud.out.next()
        while b"null_resource.migrate" not in tofud.out.next():
            pass
        run = re.search(rb"run (\S+)", first).group(1).decode()
        done = subprocess.run([TOFUD, "export", run, "--format", "ndjson", "--state-dir", self.state_dir], capture_output=True, env=self.env())
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"still going", done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[0])["status"], "running")
        tofud.write(b"".join(lines[48:]))
        tofud.end_of_stream()


class JunitOption(Exporting):
    def test_of_the_pipe_writes_the_report_at_the_end(self):
        target = os.path.join(self.home, "report.xml")
        status, _, err = self.run_through(recorded("test-fail-error-skip"), "--junit", target)
        self.assertEqual((status, err), (1, b""))
        self.assertEqual(self.check_junit(pathlib.Path(target).read_bytes()).get("errors"), "2")

    def test_of_replay_writes_the_same(self):
        first, second = (os.path.join(self.home, name) for name in ("first.xml", "second.xml"))
        self.run_through(recorded("test-fail-error-skip"), "--junit", first)
        subprocess.run([TOFUD, "replay", "--no-listen", "--speed", "max", "--junit", second, recorded_path("test-fail-error-skip")],
                       stdout=subprocess.DEVNULL, env=self.env(), check=True, timeout=PATIENCE)
        self.assertEqual(pathlib.Path(first).read_bytes(), pathlib.Path(second).read_bytes())

    def test_that_fails_is_a_warning_and_changes_no_status(self):
        pipe = self.home + "/pipe"
        os.mkfifo(pipe)
        for name, expected in (("test-fail-error-skip", 1), ("test-pass-verbose", 0)):
            for path in (self.home + "/no/such/report.xml", self.home, pipe):
                status, _, err = self.run_through(recorded(name), "--junit", path)
                self.assertEqual(status, expected)
                self.assertIn(b"no JUnit report", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
