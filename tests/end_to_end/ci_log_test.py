#!/usr/bin/python3
"""What stands in the log of a job: GitHub's groups, annotations and step summary, GitLab's sections."""
import json
import os
import re
import subprocess
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, all_recordings, recorded, recorded_path


def commands(line):
    """Whether GitHub's runner takes a line for a command (ActionCommand.cs: TryParseV2, then TryParse)."""
    return line.lstrip().startswith("::") or "##[" in line


class CiLog(EndToEnd):
    def github(self, **more):
        return self.env(CI="true", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=os.path.join(self.home, "summary.md"), **more)

    def summary(self):
        with open(os.path.join(self.home, "summary.md")) as file:
            return file.read()

    def check_groups(self, lines, where):
        """Opened and closed in turn, never nested; commands are those that tofud means."""
        open_ = False
        for line in lines:
            if line.startswith("::group::"):
                self.assertFalse(open_, where)
                open_ = True
            elif line == "::endgroup::":
                self.assertTrue(open_, where)
                open_ = False
            elif not re.match(r"::(error|warning) (file=[^:,]+,line=\d+,(endLine=\d+,)?)?title=[^:,]*::", line):
                self.assertFalse(commands(line), (where, line))
        self.assertFalse(open_, where)

    def test_github_gets_groups_annotations_and_a_summary(self):
        work = os.path.join(self.home, "repo", "live")
        os.makedirs(work)
        done = subprocess.run([TOFUD, "--state-dir", self.state_dir], input=recorded("apply-provider-errors"), capture_output=True, cwd=work,
                              env=self.github(GITHUB_WORKSPACE=os.path.join(self.home, "repo")), timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        lines = done.stdout.decode().splitlines()
        self.check_groups(lines, "")
        self.assertEqual([line for line in lines if "group::" in line], ["::group::plan", "::endgroup::", "::group::apply", "::endgroup::"])
        self.assertIn("Plan: 13 to add", lines[lines.index("::group::plan") + 1])
        errors = [line for line in lines if line.startswith("::error ")]
        self.assertEqual(len(errors), 4)
        self.assertTrue(errors[0].startswith('::error file=live/main.tf,line=20,title=Create local file error::local_file.impossible_too["a"]: '
                                             'An unexpected error occurred while writing the file%0A'), errors[0])
        self.assertGreater(lines.index("apply failed after 4.5s: 6 done, 4 failed, 4 skipped"), lines.index("::endgroup::"))
        self.assertTrue(self.summary().startswith("### ✗ apply failed\n"), self.summary())
        self.assertIn("| ✗ failed | local&#95;file&#46;impossible | Create local file error |", self.summary())

    def wrapped(self, **env):
        """An apply that fails below `tofud run`, with and without the CI system: what tofu prints stays as it is."""
        tools, repo = os.path.join(self.home, "bin"), os.path.join(self.home, "repo")
        work = os.path.join(repo, "live")
        for folder in (tools, work):
            os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(tools, "tofu")):
            os.symlink(ROOT / "tests/end_to_end/fake_tofu.py", os.path.join(tools, "tofu"))
        variables = self.env(PATH=tools + ":" + os.environ["PATH"], FAKE_STREAM=recorded_path("apply-provider-errors"), FAKE_STATUS="1",
                             TOFUD_STATE_DIR=self.state_dir, GITHUB_WORKSPACE=repo, **env)
        plain = subprocess.run(["tofu", "-chdir=live", "apply", "-auto-approve"], capture_output=True, cwd=repo, env=variables, timeout=PATIENCE,
                               check=False)
        done = subprocess.run([TOFUD, "run", "--no-listen", "--", "tofu", "-chdir=live", "apply", "-auto-approve"], capture_output=True, cwd=repo,
                              env=variables, timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stdout), (plain.returncode, plain.stdout))
        return done.stderr.decode().splitlines()

    def test_below_run_github_gets_annotations_and_a_summary(self):
        said = self.wrapped(CI="true", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=os.path.join(self.home, "summary.md"))
        errors = [line for line in said if line.startswith("::error ")]
        self.assertEqual(len(errors), 4, said)
        self.assertTrue(errors[0].startswith("::error file=live/main.tf,line=20,title=Create local file error::"), errors[0])
        self.assertLess(said.index(errors[0]), said.index("apply failed after 4.5s: 6 done, 4 failed, 4 skipped"))
        self.assertIn("| ✗ failed | local&#95;file&#46;impossible | Create local file error |", self.summary())
        self.assertIn("| slowest | resource |", self.summary())

    def test_below_run_gitlab_gets_a_section_of_errors(self):
        said = self.wrapped(CI="true", GITLAB_CI="true")
        opened = next(line for line in said if "section_start:" in line)
        at = said.index(opened)
        # The marker ends with a carriage return, which ends a line for splitlines.
        self.assertRegex(opened, r"section_start:\d+:tofud_errors_1$")
        self.assertEqual(said[at + 1], "\x1b[0Kerrors")
        self.assertTrue(said[at + 2].startswith("Error: Create local file error, with "), said)
        self.assertRegex(said[at + 6], r"section_end:\d+:tofud_errors_1")

    def test_no_line_of_any_recording_becomes_a_command(self):
        for scenario, stem in all_recordings():
            path = recorded_path(scenario, stem)
            if os.path.getsize(path) > 1 << 20:
                continue
            done = subprocess.run([TOFUD, "replay", path, "--no-listen", "--speed", "max", "--progress", "github"], capture_output=True,
                                  env=self.env(), timeout=PATIENCE)
            self.assertEqual(done.returncode, 0, path)
            self.check_groups(done.stdout.decode().splitlines(), path)

    def test_commands_in_text_from_outside_are_defused(self):
        hostile = "::add-mask::x\n ::set-output name=a::b\n\r\n##[error]c\u00a0::stop-commands::d"
        stamp = {"@level": "error", "@message": hostile, "@module": "tofu.ui", "@timestamp": "2026-11-21T03:00:00Z"}
        lines = [{**stamp, "type": "version", "tofu": "1.12.6", "ui": "1.2"}, {**stamp, "type": "log"},
                 {**stamp, "type": "diagnostic", "diagnostic": {
                     "severity": "error", "summary": hostile, "detail": hostile, "address": hostile,
                     "range": {"filename": hostile, "start": {"line": 1, "column": 1, "byte": 0}, "end": {"line": 1, "column": 2, "byte": 1}},
                     "snippet": {"context": hostile, "code": hostile, "start_line": 1, "highlight_start_offset": 0, "highlight_end_offset": 3,
                                 "values": [{"traversal": hostile, "statement": hostile}]}}},
                 {**stamp, "type": "outputs", "outputs": {hostile: {"sensitive": False, "type": "string", "value": hostile}}}]
        data = "".join(json.dumps(line) + "\n" for line in lines).encode() + hostile.encode()
        for mode in ("github", "plain"):  # its runner reads whatever is printed
            status, out, _ = self.run_through(data, "--stack", hostile, "--progress", mode, env=self.github())
            self.assertEqual(status, 1)
            printed = out.decode().splitlines()
            self.check_groups(printed, mode)
            self.assertTrue(any("add-mask" in line for line in printed))
        self.assertEqual([line for line in self.summary().splitlines() if commands(line)], [])

    def test_the_summary_counts_what_others_wrote_and_stays_below_a_mebibyte(self):
        path = os.path.join(self.home, "summary.md")
        for size, added in ((100, True), ((1 << 20) - 50, False), (1 << 21, False)):
            with open(path, "w") as file:
                file.write("x" * size)
            self.run_through(recorded("apply-provider-errors"), env=self.github())
            self.assertEqual(os.path.getsize(path) > size, added)
            self.assertLessEqual(os.path.getsize(path), max(size, 1 << 20))

    def test_a_summary_that_cannot_be_written_is_a_warning(self):
        for path in (os.path.join(self.home, "missing", "summary.md"), self.home):
            status, out, err = self.run_through(recorded("apply-slow-progress"), env=self.env(GITHUB_ACTIONS="1", GITHUB_STEP_SUMMARY=path))
            self.assertEqual(status, 0)
            self.assertRegex(err.decode(), "^tofud: the step summary can't be written.*%s" % re.escape(path))
            self.assertIn(b"apply succeeded", out)

    def test_every_run_of_a_stream_has_its_groups_and_its_summary(self):
        status, out, _ = self.run_through(recorded("pipeline-init-plan-apply-one-stream"), env=self.github())
        lines = out.decode().splitlines()
        self.check_groups(lines, "")
        self.assertGreater(sum(line.startswith("::group::") for line in lines), 1)
        self.assertGreater(self.summary().count("### "), 1)

    def test_gitlab_gets_sections(self):
        status, out, _ = self.run_through(recorded("apply-provider-errors"), env=self.env(CI="true", GITLAB_CI="true"))
        self.assertEqual(status, 1)
        marks = re.findall(rb"\x1b\[0Ksection_(start|end):(\d+):(\w+)\r\x1b\[0K", out)
        self.assertEqual([(kind, name) for kind, _, name in marks],
                         [(b"start", b"tofud_plan_1"), (b"end", b"tofud_plan_1"), (b"start", b"tofud_apply_1"), (b"end", b"tofud_apply_1")])
        times = [int(time) for _, time, _ in marks]
        self.assertEqual(times, sorted(times))
        self.assertEqual(out.count(b"\x1b"), 8)
        self.assertIn(b"\r\x1b[0Kapply\n", out)

    def test_a_plan_of_thousands_does_not_flood_a_log(self):
        data = recorded("large-2000")
        for mode in ("plain", "github", "gitlab"):
            out = self.run_through(data, "--progress", mode)[1]
            self.assertNotIn(b"refreshing", out)
            self.assertEqual(out.count(b"Plan: "), data.count(b'"operation":"plan"'))


if __name__ == "__main__":
    unittest.main()
