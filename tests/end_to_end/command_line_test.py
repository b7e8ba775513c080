#!/usr/bin/python3
"""What tofud says about a command line that it does not understand: one sentence, what may have been meant, and where to look."""
import os
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd


class CommandLine(EndToEnd):
    SAID = {
        ("aply",): "tofud: there is no command aply; did you mean `tofud run -- tofu apply`?",
        ("apply", "-auto-approve"): "tofud: there is no command apply; did you mean `tofud run -- tofu apply`?",
        ("rnu", "--", "tofu"): "tofud: there is no command rnu; did you mean `tofud run`?",
        ("reply", "x"): "tofud: there is no command reply; did you mean `tofud replay`?",
        ("worker",): "tofud: there is no command worker",
        ("serve", "--lsiten", "127.0.0.1:1"): "tofud serve: there is no option --lsiten; did you mean `--listen`?",
        ("serve", "--retain-day=3"): "tofud serve: there is no option --retain-day; did you mean `--retain-days`?",
        ("--progess", "plain"): "tofud: there is no option --progess; did you mean `--progress`?",
        ("token", "craete"): "tofud token: there is no command craete; did you mean `tofud token create`?",
        ("token",): "tofud token: A subcommand is required",
        ("ls", "x", "y"): "tofud ls: nothing more is expected here, but there is x",
        ("show",): "tofud show: FILE is required",
        ("--listen", "127.0.0.1:0", "replay", "x"):
            "tofud replay: --listen stands before the command, where it does not count; write `tofud replay --listen`",
        ("--json", "ls"): "tofud ls: --json stands before the command, where it does not count; write `tofud ls --json`",
        ("--heartbeat=1", "ls"): "tofud ls: --heartbeat stands before the command, where it does not count; `tofud ls` has no such option",
        ("history", "--stack", "s", "import", "x"):
            "tofud history import: --stack stands before the command, where it does not count; write `tofud history import --stack`",
        ("show", "--helo"): "tofud show: there is no option --helo; did you mean `--help`?",
    }

    def test_what_is_typed_counts_before_the_environment(self):
        typed, environment = os.path.join(self.home, "typed"), os.path.join(self.home, "environment")
        for words in (["token", "create"], ["token", "ls"], ["ls"], ["history"]):
            done = subprocess.run([TOFUD, *words, "--state-dir", typed], capture_output=True, text=True, env=self.env(TOFUD_STATE_DIR=environment), timeout=PATIENCE)
            self.assertNotIn(environment, done.stdout + done.stderr, words)
        self.assertTrue(os.path.exists(os.path.join(typed, "daemon", "tokens")))
        self.assertFalse(os.path.exists(environment))

    def test_a_misspelt_word_gets_a_suggestion(self):
        for words, sentence in self.SAID.items():
            with self.subTest(words):
                done = subprocess.run([TOFUD, *words], stdin=subprocess.DEVNULL, capture_output=True, env=self.env(), timeout=PATIENCE, text=True)
                command = sentence.partition(": ")[0]
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", "%s\nRun `%s --help` to see what there is.\n" % (sentence, command)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
