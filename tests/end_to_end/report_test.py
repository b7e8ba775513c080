#!/usr/bin/python3
"""--report FILE.html: the page as it was at the end, in one file. That it works in a browser is shown in tests/browser."""
import json
import os
import pathlib
import re
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, fold, recorded, recorded_exit, recorded_path


def rows_in(html):
    block = re.search(r'<script type="application/x-ndjson"[^>]*>\n(.*?)</script>', html, re.S).group(1)
    return fold(json.loads(line) for line in block.splitlines())[0]


class Report(EndToEnd):
    def setUp(self):
        super().setUp()
        self.file = pathlib.Path(self.home, "report.html")

    def left_behind(self):
        return [path for path in self.file.parent.iterdir() if path.name.startswith("report.html") and path != self.file]

    def test_a_pipe_writes_the_rows_of_its_spool_whatever_the_run_ends_with(self):
        for name in ("apply-create-mixed", "apply-provider-errors", "interrupted-sigint-once"):
            with self.subTest(name):
                self.state_dir = os.path.join(self.home, name)
                status, _, said = self.run_through(recorded(name), "--report", str(self.file))
                self.assertEqual(status, 0 if recorded_exit(name) == "0" else 1)
                self.assertEqual(said, b"")
                self.assertEqual(rows_in(self.file.read_text()), self.rows(self.spool()))
                self.assertEqual(self.left_behind(), [])

    def test_a_replay_writes_it_at_the_end(self):
        path = recorded_path("pipeline-init-plan-apply-one-stream")
        subprocess.run([TOFUD, "replay", path, "--speed", "max", "--no-listen", "--progress", "none", "--report", str(self.file)],
                       env=self.env(), check=True, timeout=PATIENCE)
        self.assertEqual(rows_in(self.file.read_text()), self.rows(path))

    def test_a_report_replaces_the_one_before(self):
        self.file.write_text("of last week")
        self.run_through(recorded("apply-slow-progress"), "--report", str(self.file))
        self.assertNotIn("of last week", self.file.read_text())
        self.assertEqual(rows_in(self.file.read_text()), self.rows(self.spool()))

    def test_one_that_cannot_be_written_is_a_sentence_and_no_other_status(self):
        os.mkdir(os.path.join(self.home, "folder"))
        for place, why in (("none/report.html", "No such file"), ("folder", "Is a directory")):
            for name, status in (("apply-slow-progress", 0), ("apply-provider-errors", 1)):
                with self.subTest(place, name=name):
                    got, _, said = self.run_through(recorded(name), "--report", os.path.join(self.home, place))
                    self.assertEqual(got, status)
                    self.assertRegex(said.decode(), "^tofud: no report: .*%s" % why)
        self.assertEqual(self.left_behind(), [])

    def test_secrets_are_not_in_it(self):
        self.run_through(recorded("outputs-all-types"), "--report", str(self.file))
        held = rows_in(self.file.read_text())
        hidden = [row for row in held["output"].values() if row["sensitive"]]
        self.assertTrue(hidden)
        for row in hidden:
            self.assertNotIn("value", row)

    def test_the_umask_decides_who_may_read_it(self):
        subprocess.run(["sh", "-c", 'umask 027; exec "$@"', "sh", TOFUD, "--no-listen", "--state-dir", self.state_dir, "--report",
                        str(self.file)], input=recorded("apply-slow-progress"), stdout=subprocess.DEVNULL, env=self.env(),
                       timeout=PATIENCE, check=True)
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o640)


if __name__ == "__main__":
    unittest.main(verbosity=2)
