#!/usr/bin/python3
"""tofud's exit status: what the run did, and nothing else."""
import concurrent.futures
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, all_recordings, recorded, recorded_exit

# Their stream does not tell: two print a usage text, one a version and nothing else.
SILENT = {("validate-output-other-json", stem) for stem in ("fmt", "get", "providers")}


class ExitStatus(EndToEnd):
    def bash(self, script, **more):
        done = subprocess.run(["bash", "-c", script], env=self.env(TOFUD=TOFUD, STATE=self.state_dir, **more),
                              capture_output=True, timeout=PATIENCE)
        return done.returncode

    def test_of_every_recording_agrees_with_the_recorded_one(self):
        def check(which):
            name, stem = which
            status, _, _ = self.run_through(recorded(name, stem), "--progress", "none")
            return which, recorded_exit(name, stem), status

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            results = list(pool.map(check, all_recordings()))
        self.assertGreater(len(results), 150)
        for which, said, status in results:
            if which in SILENT:
                continue
            with self.subTest(stream="/".join(which), recorded=said):
                if said is None:
                    self.assertIn(status, (0, 1))
                else:
                    self.assertEqual(status, 0 if said == "0" else 1)

    def test_of_an_unsupported_ui_major_is_3_and_the_stream_is_shown_as_text(self):
        stream = recorded("apply-slow-progress").replace(b'"ui":"1.2"', b'"ui":"2.0"')
        status, out, _ = self.run_through(stream)
        self.assertEqual(status, 3)
        self.assertIn(b"2.0", out)

    def test_of_an_empty_stream_is_1(self):
        self.assertEqual(self.run_through(b"")[0], 1)

    def test_of_nothing_but_text_is_1_and_says_that_the_end_is_not_known(self):
        status, out, _ = self.run_through(b"Error: Failed to query available provider packages\n")
        self.assertEqual(status, 1)
        self.assertIn(b"unknown", out)

    def test_of_a_stream_cut_in_mid_apply_is_1(self):
        lines = recorded("apply-slow-progress").splitlines(keepends=True)
        self.assertEqual(self.run_through(b"".join(lines[:len(lines) // 2]))[0], 1)

    def test_of_bad_usage_is_2_and_nothing_is_read_before(self):
        for args in (["--bogus"], ["replay"], ["replay", "/no/such/file"], ["--progress", "tty"], ["--label", "x"],
                     ["replay", "x", "--speed", "fast"], ["serves"], ["serve", "--bogus"]):
            with self.subTest(args=args):
                done = subprocess.run([TOFUD, *args], input=b"", capture_output=True, env=self.env(), timeout=PATIENCE)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(done.stdout, b"")
                self.assertNotEqual(done.stderr, b"")

    def test_of_help_and_version_is_0(self):
        for args in (["--help"], ["replay", "--help"], ["--version"]):
            done = subprocess.run([TOFUD, *args], stdin=subprocess.DEVNULL, capture_output=True, env=self.env(),
                                  timeout=PATIENCE)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn(b"tofud", done.stdout)

    def test_stops_an_and_list_after_a_failed_run(self):
        line = 'printf "%s" "$STREAM" | "$TOFUD" --no-listen --state-dir "$STATE" >/dev/null && exit 42'
        self.assertEqual(self.bash(line, STREAM=recorded("diag-config-errors").decode()), 1)
        self.assertEqual(self.bash(line, STREAM=recorded("plan-noop", "norefresh").decode()), 42)

    def test_leaves_the_status_of_tofu_visible_under_pipefail(self):
        tofu = 'set -o pipefail; { printf "%s" "$STREAM"; exit $CODE; } | "$TOFUD" --no-listen --state-dir "$STATE" >/dev/null'
        unchanged = recorded("plan-noop", "norefresh").decode()
        failed = recorded("diag-config-errors").decode()
        self.assertEqual(self.bash(tofu, STREAM=unchanged, CODE="0"), 0)
        self.assertEqual(self.bash(tofu, STREAM=unchanged, CODE="2"), 2)  # plan -detailed-exitcode
        self.assertEqual(self.bash(tofu, STREAM=failed, CODE="1"), 1)
        self.assertEqual(self.bash(tofu, STREAM="", CODE="127"), 1)  # tofu was not found; the rightmost failure counts


if __name__ == "__main__":
    unittest.main(verbosity=2)
