#!/usr/bin/python3
"""The text of `terraform plan` under `tofud run`: what a person reads is what they read without tofud, byte for byte.

Judged on the plans of tests/plan_texts, by a stand-in that prints what Terraform 1.11.4 printed; where a Terraform is installed
whose text tofud knows, by that as well.
"""
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "plan_texts"))
import record
from binary import PATIENCE, ROOT, TOFUD, EndToEnd, Running, until

CASES = sorted(path.parent for path in (ROOT / "tests/plan_texts").glob("*/main.tf"))


def told(case):
    """The words behind `plan` and the variables of a recorded plan."""
    path = case / "case.json"
    given = json.loads(path.read_text()) if path.exists() else {}
    return given.get("words", []), given.get("env", {})


def with_sorted_head(text):
    """Terraform reads several things at once, so these lines come in any order."""
    lines = text.decode().split("\n")
    end = next((i for i, line in enumerate(lines) if not re.search(r": (Re(fresh|ad)|Preparing import)", line)), len(lines))
    return sorted(lines[:end]) + lines[end:]


def without_our_words(text):
    """What the program itself wrote on standard error: without the first line and the summary of tofud."""
    lines = text.decode().split("\n")
    while lines and lines[0].startswith("tofud "):
        lines.pop(0)
    end = next((i for i, line in enumerate(lines) if re.match(r"plan (succeeded|failed) ", line)), len(lines) - 1)
    return "\n".join([*lines[:end], ""]).encode()


def real_terraform():
    """The version of the Terraform of this machine, where tofud knows its text."""
    program = shutil.which("terraform")
    if not program:
        return None
    printed = subprocess.run([program, "version"], capture_output=True, text=True, check=False,
                             env={**os.environ, "CHECKPOINT_DISABLE": "1"}).stdout
    found = re.search(r"^Terraform v1\.(\d+)\.", printed, re.M)
    return found.group(0) if found and 5 <= int(found.group(1)) <= 11 else None


class PlanText(EndToEnd):
    def setUp(self):
        super().setUp()
        self.bin = os.path.join(self.home, "bin")
        self.work = os.path.join(self.home, "work")
        self.calls = os.path.join(self.home, "calls")
        os.makedirs(self.bin)
        os.makedirs(self.work)
        os.symlink(ROOT / "tests/plan_texts/fake_terraform.py", os.path.join(self.bin, "terraform"))

    def fake(self, case, **more):
        return self.env(PATH=self.bin + ":" + os.environ["PATH"], FAKE_CASE=str(case), FAKE_CALLS=self.calls,
                        TOFUD_STATE_DIR=self.state_dir, **{**told(case)[1], **more})

    def plan(self, case, *options, words=None, stdin=subprocess.DEVNULL, **more):
        argv = [TOFUD, "run", "--no-listen", *options, "--", "terraform", "plan", *(told(case)[0] if words is None else words)]
        return subprocess.run(argv, cwd=self.work, env=self.fake(case, **more), stdin=stdin, capture_output=True, timeout=PATIENCE,
                              check=False)

    def called(self):
        return [json.loads(line) for line in pathlib.Path(self.calls).read_text().splitlines()]

    def plans_called(self):
        return [words for words in self.called() if words[0] == "plan"]

    def test_every_recorded_plan_is_given_back(self):
        for case in CASES:
            with self.subTest(case.name):
                done = self.plan(case)
                self.assertEqual(with_sorted_head(done.stdout), with_sorted_head((case / "stdout.txt").read_bytes()))
                self.assertEqual(without_our_words(done.stderr), (case / "stderr.txt").read_bytes())
                self.assertEqual(done.returncode, int((case / "status").read_text()))
        self.assertEqual([words for words in self.plans_called() if "-json" not in words], [])
        self.assertGreaterEqual(len(CASES), 20)

    def test_a_plan_is_stored_as_a_run(self):
        self.plan(ROOT / "tests/plan_texts/update")
        listed = subprocess.run([TOFUD, "ls", "--state-dir", self.state_dir], env=self.env(), capture_output=True, text=True, check=True)
        self.assertIn("plan", listed.stdout)

    def test_the_summary_comes_behind_the_text(self):
        case = ROOT / "tests/plan_texts/update"
        argv = [TOFUD, "run", "--no-listen", "--", "terraform", "plan", *told(case)[0]]
        done = subprocess.run(argv, cwd=self.work, env=self.fake(case), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=PATIENCE, check=False)
        self.assertLess(done.stdout.index(b"To perform") if b"To perform" in done.stdout else done.stdout.index(b"Note: You"),
                        done.stdout.index(b"plan succeeded"))

    def test_the_plan_file_of_its_user_is_written_and_shown(self):
        case = ROOT / "tests/plan_texts/saved"
        self.plan(case)
        self.assertEqual(pathlib.Path(self.work, "release 1.tfplan").read_text(), "a plan of saved")
        self.assertEqual([word for word in self.plans_called()[0] if word.startswith("-out")], ["-out=release 1.tfplan"])

    def test_a_plan_file_of_ours_leaves_nothing_behind_even_after_sigkill(self):
        case = ROOT / "tests/plan_texts/update"
        hold = os.path.join(self.home, "hold")
        argv = [TOFUD, "run", "--no-listen", "--", "terraform", "plan"]
        running = self.kept(Running(argv, self.fake(case, FAKE_HOLD=hold), stdin=subprocess.DEVNULL, cwd=self.work))
        until(lambda: os.path.exists(self.calls) and self.plans_called(), "the plan begins")
        out = next(word[5:] for word in self.plans_called()[0] if word.startswith("-out="))
        self.assertEqual(out.split("/")[1:4:2], ["proc", "fd"])
        until(lambda: os.path.exists(out), "the plan file")
        running.process.send_signal(signal.SIGKILL)
        running.process.wait()
        self.assertFalse(os.path.exists(out))
        pathlib.Path(hold).touch()
        self.assertEqual(os.listdir(self.work), [])

    def test_a_plan_that_can_not_be_written_for_us_runs_again_untouched(self):
        case = ROOT / "tests/plan_texts/update"
        done = self.plan(case, FAKE_UNWRITTEN="1")
        self.assertEqual(done.stdout, (case / "stdout.txt").read_bytes())
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"the plan runs once more without a live view: Terraform can't write its plan where tofud reads it", done.stderr)
        self.assertEqual(self.plans_called()[-1], ["plan", *told(case)[0]])

    def test_a_plan_that_can_not_be_shown_runs_again_untouched(self):
        case = ROOT / "tests/plan_texts/update"
        done = self.plan(case, FAKE_SHOW="3")
        self.assertEqual(with_sorted_head(done.stdout)[-20:], with_sorted_head((case / "stdout.txt").read_bytes())[-20:])
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"`show` of its plan failed with status 3", done.stderr)

    def test_a_variable_that_terraform_prompts_for_is_prompted_for(self):
        case = ROOT / "tests/plan_texts/missing-variable"
        done = self.plan(case, words=[])
        self.assertEqual((done.stdout, done.returncode), ((case / "stdout.txt").read_bytes(), 1))
        self.assertEqual(done.stderr.count("│".encode()), (case / "stderr.txt").read_bytes().count("│".encode()))
        self.assertIn(b"a variable has no value, and Terraform prompts for it", done.stderr)

    def assert_untouched(self, done, case, words=None):
        self.assertEqual(done.stdout, (case / "stdout.txt").read_bytes())
        self.assertEqual(self.plans_called(), [["plan", *(told(case)[0] if words is None else words)]])

    def test_a_plan_that_reads_answers_stays_untouched(self):
        case = ROOT / "tests/plan_texts/create"
        reader, writer = os.pipe()
        self.addCleanup(os.close, writer)
        with os.fdopen(reader) as stdin:
            done = self.plan(case, stdin=stdin)
        self.assert_untouched(done, case)
        self.assertIn(b"no live view: Terraform 1.11.4 prints either the plan or its stream", done.stderr)

    def test_a_plan_with_words_that_tofud_does_not_know_stays_untouched(self):
        case = ROOT / "tests/plan_texts/create"
        for words in (["-compact-warnings"], ["-generate-config-out=new.tf"], ["-nope"], ["somewhere"]):
            with self.subTest(words):
                pathlib.Path(self.calls).unlink(missing_ok=True)
                self.assert_untouched(self.plan(case, words=words), case, words)

    def test_a_plan_that_is_asked_to_stay_untouched_stays_so(self):
        case = ROOT / "tests/plan_texts/create"
        for option in ("--untouched", "--progress=plain"):
            with self.subTest(option):
                pathlib.Path(self.calls).unlink(missing_ok=True)
                self.assert_untouched(self.plan(case, option), case)

    def test_a_plan_on_a_terminal_stays_untouched(self):
        case = ROOT / "tests/plan_texts/create"
        main, side = pty.openpty()
        self.addCleanup(os.close, main)
        argv = [TOFUD, "run", "--no-listen", "--", "terraform", "plan"]
        subprocess.run(argv, cwd=self.work, env=self.fake(case), stdin=subprocess.DEVNULL, stdout=side, stderr=side, timeout=PATIENCE,
                       check=True)
        os.close(side)
        self.assertEqual(self.plans_called(), [["plan"]])


@unittest.skipUnless(real_terraform(), "no Terraform 1.5 to 1.11 is installed")
class RealPlanText(EndToEnd):
    def twice(self, case):
        """What `terraform plan` prints, without and with tofud, from the same state; and the plan files of its user."""
        words, extra = told(case)
        directory = pathlib.Path(self.home, case.name)
        directory.mkdir()
        record.lay(case, directory, extra)
        kept = {name: value for name, value in self.env(TOFUD_STATE_DIR=self.state_dir).items() if not name.startswith("TF_")}
        env = {**kept, "CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": "/dev/null", **extra}
        for before in ([], [TOFUD, "run", "--no-listen", "--"]):
            done = subprocess.run([*before, "terraform", "plan", *words], cwd=directory, env=env, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=PATIENCE, check=False)
            file = next((word[5:] for word in words if word.startswith("-out=")), "")
            shown = subprocess.run(["terraform", "show", "-json", file], cwd=directory, env=env, capture_output=True, text=True,
                                   check=False).stdout if file else "{}"
            plan = json.loads(shown) if shown else {}
            plan.pop("timestamp", None)
            yield done, plan

    def test_every_plan_is_as_without_tofud(self):
        for case in CASES:
            with self.subTest(case.name):
                (plain, plain_file), (ours, our_file) = self.twice(case)
                self.assertEqual(with_sorted_head(ours.stdout), with_sorted_head(plain.stdout))
                self.assertEqual(without_our_words(ours.stderr), plain.stderr)
                self.assertEqual(ours.returncode, plain.returncode)
                self.assertEqual(our_file, plain_file)


class Differences(unittest.TestCase):
    def test_every_difference_that_is_explained_stands_in_the_documents(self):
        page = (ROOT / "docs/differences.md").read_text()
        explained = re.findall(r'"([a-z-]+)": [a-z_]+[,}]', re.search(r"^EXPLAINED = .*$", (ROOT / "tests/real/compare.py").read_text(), re.M).group(0))
        self.assertEqual(sorted(re.findall(r"^\| \*([a-z-]+)\* \|", page, re.M)), sorted([*explained, "show-refresh-only"]))


if __name__ == "__main__":
    unittest.main()
