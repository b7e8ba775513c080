#!/usr/bin/python3
"""Completions, asked of the shells themselves."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOFUD, MADE = os.environ["TOFUD"], pathlib.Path(os.environ["TOFUD_BUILD"], "docs", "man")


class Completion(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="tofud-completion-")
        self.addCleanup(shutil.rmtree, self.home)
        self.env = {**os.environ, "HOME": self.home, "XDG_CONFIG_HOME": self.home, "XDG_DATA_HOME": self.home, "TERM": "dumb"}

    def run_shell(self, *argv):
        done = subprocess.run(argv, capture_output=True, text=True, env=self.env, cwd=self.home, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def bash(self, *words):
        script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tofud; printf "%s\\n" "${COMPREPLY[@]}"'
        return [line for line in self.run_shell("bash", "--norc", "-euc", script, "bash", str(MADE / "tofud.bash"), *words) if line]

    def zsh(self, *words):
        # The words of _describe and _arguments, which need a line editor, seen by stand-ins.
        script = '''
          compdef() { : }
          _describe() { print -rl -- ${${(P)2}%%:*} }
          _arguments() { for each in "$@"; do print -r -- $each; done }
          source $1; shift; words=("$@"); CURRENT=$#; PREFIX=${words[-1]}; _tofud'''
        return self.run_shell("zsh", "-f", "-c", script, "zsh", str(MADE / "tofud.zsh"), *words)

    def fish(self, line):
        found = self.run_shell("fish", "--no-config", "-c", 'source $argv[1]; complete -C $argv[2]', str(MADE / "tofud.fish"), line)
        return [each.split("\t")[0] for each in found]

    def test_what_is_installed_is_what_the_program_prints(self):
        for shell in ("bash", "zsh", "fish"):
            printed = subprocess.run([TOFUD, "completion", shell], capture_output=True, check=True).stdout
            self.assertEqual(printed, (MADE / ("tofud." + shell)).read_bytes())
        self.assertEqual(subprocess.run([TOFUD, "completion", "tcsh"], capture_output=True).returncode, 2)

    def test_bash(self):
        self.assertEqual(self.bash("tofud", "ser"), ["serve"])
        self.assertEqual(self.bash("tofud", "serve", "--log-f"), ["--log-format"])
        self.assertEqual(self.bash("tofud", "serve", "--log-format", "j"), ["json", "journal"])
        self.assertNotIn("manual", self.bash("tofud", ""))
        self.assertEqual(self.bash("tofud", "serve", "--state-dir", ""), [], "files, as bash has them")
        self.assertEqual(self.bash("tofud", "run", "--", "tofu", "ser"), [], "another program's words")

    def test_zsh(self):
        self.assertIn("serve", self.zsh("tofud", "ser"))
        self.assertTrue([each for each in self.zsh("tofud", "serve", "--log-f") if each.startswith("--log-format[")])
        self.assertTrue([each for each in self.zsh("tofud", "serve", "--log-f") if each.endswith(":FORMAT:(auto text json journal)")])
        self.assertEqual(self.zsh("tofud", "run", "--", "tofu", "ser"), [])
        subprocess.run(["zsh", "-n", str(MADE / "tofud.zsh")], check=True)

    def test_fish(self):
        self.assertEqual(self.fish("tofud serv"), ["serve"])
        self.assertEqual(self.fish("tofud serve --log-f"), ["--log-format"])
        self.assertEqual(self.fish("tofud serve --log-format j"), ["journal", "json"])
        self.assertNotIn("serve", self.fish("tofud serve "))


if __name__ == "__main__":
    unittest.main(verbosity=2)
