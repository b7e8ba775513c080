#!/usr/bin/python3
"""What a CI job keeps of a run (reports, summaries, exports, what it printed) holds no secret that tofud knows."""
import os
import pathlib
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, recorded
from secrets_test import ENVIRONMENT, MASKED, TOKENS

LEAKS = [ENVIRONMENT["MY_TOKEN"], ENVIRONMENT["PIN_SECRET"], *MASKED, *TOKENS]


class Artifacts(EndToEnd):
    """A job: the run, then steps that have not the environment of the one that made it."""

    def setUp(self):
        super().setUp()
        self.kept_place = pathlib.Path(self.home, "artifacts")
        self.kept_place.mkdir()
        self.mask = os.path.join(self.home, "mask")
        pathlib.Path(self.mask).write_text("\n".join(MASKED) + "\n")
        self.summary = self.kept_place / "summary.md"
        said = ", ".join(LEAKS).encode()
        stream = recorded("apply-slow-progress")
        end = stream.index(b'"type":"change_summary"')
        place = stream.rindex(b"\n", 0, end) + 1
        diagnostic = (b'{"@level":"error","@message":"Error: it said %s","@module":"tofu.ui","@timestamp":"2026-11-21T05:23:37.000000Z","diagnostic":'
                      b'{"severity":"error","summary":"it said %s","detail":"and %s"},"type":"diagnostic"}\n' % (said, said, said))
        outputs = (b'{"@level":"info","@message":"Outputs: 1","@module":"tofu.ui","@timestamp":"2026-11-21T05:23:38.000000Z","outputs":'
                   b'{"leak":{"sensitive":false,"type":"string","value":"%s"}},"type":"outputs"}\n' % said)
        self.stream = stream[:place] + diagnostic + said + b"\n" + stream[place:] + outputs
        self.secrets = self.env(CI="true", GITHUB_STEP_SUMMARY=str(self.summary), **ENVIRONMENT)

    def run_it(self, mode, **more):
        done = subprocess.run([TOFUD, "--no-listen", "--progress", mode, "--state-dir", self.state_dir, "--mask-file", self.mask,
                               "--label", "note=" + LEAKS[0], "--report", str(self.kept_place / "report.html"),
                               "--junit", str(self.kept_place / "junit.xml")],
                              input=self.stream, capture_output=True, env=dict(self.secrets, **more), timeout=PATIENCE)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done

    def hold_none(self):
        files = sorted(path for path in self.kept_place.iterdir())
        for path in files:
            data = path.read_bytes()
            for leak in LEAKS:
                self.assertEqual(data.count(leak.encode()), 0, (path.name, leak))
        return [path.name for path in files]

    def test_the_stream_has_them_all(self):
        for leak in LEAKS:
            self.assertIn(leak.encode(), self.stream)

    def test_reports_and_summaries_hold_none(self):
        self.run_it("github", GITHUB_ACTIONS="true")
        self.assertEqual(self.hold_none(), ["junit.xml", "report.html", "summary.md"])
        self.assertIn("it said ", (self.kept_place / "junit.xml").read_text())

    def test_exports_of_a_later_step_hold_none(self):
        self.run_it("plain")
        formats = ("ndjson", "csv", "junit", "trace", "md")
        for name in formats:
            subprocess.run([TOFUD, "export", "last", "--state-dir", self.state_dir, "--format", name, "-o", str(self.kept_place / ("x." + name))],
                           check=True, env=self.env(CI="true"), timeout=PATIENCE)
        report = subprocess.run([TOFUD, "replay", str(self.spool()), "--speed", "max", "--no-listen", "--progress", "none",
                                 "--report", str(self.kept_place / "later.html")], capture_output=True, env=self.env(CI="true"), timeout=PATIENCE)
        self.assertTrue((self.kept_place / "later.html").exists(), report.stderr)
        self.assertEqual(set(self.hold_none()), {"x." + name for name in formats} | {"junit.xml", "report.html", "later.html"} |
                         ({"summary.md"} if self.summary.exists() else set()))

    def test_an_export_with_a_mask_file_holds_none_of_its_values(self):
        done = subprocess.run([TOFUD, "--no-listen", "--progress", "none", "--state-dir", self.state_dir], input=self.stream,
                              capture_output=True, env=self.env(), timeout=PATIENCE)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        made = self.kept_place / "x.ndjson"
        subprocess.run([TOFUD, "export", "last", "--state-dir", self.state_dir, "--format", "ndjson", "-o", str(made), "--mask-file", self.mask],
                       check=True, env=self.env(), timeout=PATIENCE)
        for leak in MASKED:
            self.assertNotIn(leak, made.read_text())

    def test_hidden_texts_are_in_no_report(self):
        self.run_it("plain", TOFUD_PROVISIONER_OUTPUT="drop")
        self.hold_none()

    def test_what_a_command_prints_in_a_github_job_is_no_command_for_its_runner(self):
        stream = self.stream.replace(b"it said ", b"##[error]forged ::add-mask::x ").replace(b'"detail":"and', b'"detail":"\\n::set-env name=x::y\\nand')
        spool = pathlib.Path(self.home, "forged.jsonl")
        spool.write_bytes(stream)
        env = self.env(CI="true", GITHUB_ACTIONS="true")
        for command in (("logs", str(spool)), ("show", "--diagnostics", str(spool)), ("export", str(spool), "--format", "md")):
            out = subprocess.run([TOFUD, *command], capture_output=True, env=env, timeout=PATIENCE).stdout
            self.assertNotIn(b"##[", out, command)
            for line in out.splitlines():
                self.assertFalse(line.strip().startswith(b"::"), (command, line))


if __name__ == "__main__":
    unittest.main(verbosity=2)
