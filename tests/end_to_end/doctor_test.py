#!/usr/bin/python3
"""`tofud doctor`: what it says of where it is started."""
import os
import pty
import socket
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd


class Doctor(EndToEnd):
    def setUp(self):
        super().setUp()
        self.tools = os.path.join(self.home, "bin")
        os.makedirs(self.tools)

    def program(self, name, version):
        path = os.path.join(self.tools, name)
        with open(path, "w") as script:
            script.write("#!/bin/sh\necho '%s'\n" % version)
        os.chmod(path, 0o755)
        return path

    def env(self, **more):
        return super().env(**{"PATH": self.tools, "GITHUB_ACTIONS": "", "GITLAB_CI": "", **more})

    def doctor(self, *args, before=(), **env):
        done = subprocess.run([*before, TOFUD, "doctor", *args], capture_output=True, env=self.env(**env), timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, start_new_session=True)
        self.assertEqual(done.stderr, b"")
        findings = {}
        for line in done.stdout.decode().splitlines():
            verdict, about, sentence = line.split(None, 2)
            findings.setdefault(about, []).append((verdict, sentence))
        return done.returncode, findings

    def test_all_is_well_where_a_new_opentofu_is(self):
        path = self.program("tofu", "OpenTofu v1.12.6")
        status, found = self.doctor()
        self.assertEqual(status, 0)
        self.assertEqual(found["tofu"][0][0], "ok")
        self.assertIn("OpenTofu 1.12.6, %s: tofud follows it by -json-into" % path, found["tofu"][0][1])
        self.assertEqual(found["spools"][0], ("ok", self.home + "/.local/state/tofud is where streams are kept"))
        self.assertRegex(found["page"][0][1], r"^a run would be served at http://127\.0\.0\.1:\d+/$")

    def test_build_libraries_and_kernel_are_told(self):
        _, found = self.doctor()
        self.assertRegex(found["build"][0][1], r"^tofud \d+\.\d+\.\d+ for (amd64|arm64), (GCC|Clang) ")
        self.assertRegex(found["libraries"][0][1], r"^glibc 2\.\d+, Boost 1\.\d+\.\d+, OpenSSL 3\.")
        self.assertEqual(found["kernel"][0], ("ok", "Linux %s gives all that tofud makes use of" % os.uname().release))

    def test_a_daemon_is_asked_whether_it_is_ready(self):
        socket_path = os.path.join(self.home, "tofud.sock")
        status, found = self.doctor("--server", "unix:" + socket_path)
        self.assertEqual((status, found["daemon"][0][0]), (1, "problem"))
        serving = subprocess.Popen([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", socket_path, "--state-dir", self.state_dir,
                                    "--log-level", "error"], env=self.env(), stdout=subprocess.PIPE)
        try:
            serving.stdout.readline()
            status, found = self.doctor("--server", "unix:" + socket_path)
            self.assertEqual((status, found), (0, {"daemon": [("ok", "unix:%s is ready" % socket_path)]}))
        finally:
            serving.terminate()
            serving.communicate()

    def test_no_tofu_is_a_problem(self):
        status, found = self.doctor()
        self.assertEqual((status, found["tofu"][0][0]), (1, "problem"))

    def test_older_ones_are_followed_with_a_warning(self):
        self.program("terraform", "Terraform v1.9.8")
        status, found = self.doctor()
        self.assertEqual((status, found["terraform"][0][0]), (0, "warning"))
        self.assertIn("-auto-approve", found["terraform"][0][1])

    def test_a_link_of_tofud_itself_is_no_tofu(self):
        os.symlink(TOFUD, os.path.join(self.tools, "tofu"))
        self.assertEqual(self.doctor()[1]["tofu"][0][0], "problem")

    def test_a_directory_that_cannot_be_written_is_skipped(self):
        self.program("tofu", "OpenTofu v1.12.6")
        with open(os.path.join(self.home, "file"), "w"):
            pass
        status, found = self.doctor("--state-dir", self.home + "/file/x")
        self.assertEqual(status, 0)
        self.assertEqual(found["spools"][0], ("warning", self.home + "/file/x is skipped: Not a directory"))
        self.assertEqual(found["spools"][1][1], self.home + "/.local/state/tofud is where streams are kept")

    def test_nothing_is_made_but_the_chosen_place(self):
        self.doctor(TMPDIR=self.home + "/tmp")
        self.assertEqual(sorted(os.listdir(self.home)), [".local", "bin"])

    def test_a_port_that_is_taken_is_a_problem(self):
        self.program("tofu", "OpenTofu v1.12.6")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            status, found = self.doctor("--listen", "127.0.0.1:%d" % taken.getsockname()[1])
        self.assertEqual((status, found["page"][0][0]), (1, "problem"))

    def test_a_shell_in_between_keeps_the_signals(self):
        status, found = self.doctor(before=("/bin/sh", "-c", '"$@"; exit $?', "sh"))
        self.assertEqual(found["cancelling"][0][0], "warning")
        self.assertIn("exec tofud run -- tofu apply", found["cancelling"][0][1])
        status, found = self.doctor(before=("/bin/sh", "-c", 'exec "$@"', "sh"))
        self.assertEqual(found["cancelling"][0][0], "ok")

    def test_a_ci_job_is_known_by_its_variables(self):
        status, found = self.doctor(CI="true", GITHUB_ACTIONS="true")
        self.assertIn("GitHub Actions", found["CI"][0][1])
        self.assertTrue(found["terminal"][0][1].endswith("--progress=auto means github"), found["terminal"])
        self.assertIn("--listen", found["page"][0][1])

    def test_on_a_terminal_ctrl_c_reaches_tofu_and_text_does_not_steer_it(self):
        self.program("tofu", "OpenTofu v1.12.6")
        pid, ours = pty.fork()
        if pid == 0:
            os.execve(TOFUD, [TOFUD, "doctor"], self.env(TERM="x\x1b]0;pwned\x07", NO_COLOR="1"))
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        self.assertIn(b"Ctrl-C reaches tofu", shown)
        self.assertIn(b"--progress=auto means tty", shown)
        self.assertNotIn(b"\x1b", shown)
        self.assertNotIn(b"pwned", shown)


if __name__ == "__main__":
    unittest.main(verbosity=2)
