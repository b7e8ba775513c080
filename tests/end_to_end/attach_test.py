#!/usr/bin/python3
"""The process that makes what is attached to a run: with a fake tofu that shows recorded plans and schemas."""
import gzip
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, EndToEnd, alive, until

PLAN = RECORDINGS / "plan-sensitive-nested" / "create.plan.json"
CONFIG = RECORDINGS / "plan-sensitive-nested" / "config"
SCHEMAS = ROOT / "tests/golden/schemas/recordings.json.gz"
# Sensitive by the plan, by a variable, and by the schema of random_password.
PLANTED = ("pw-not-real-1", "key-not-real-1", "hidden 1", "pw 1")

FAKE = """#!/bin/sh
echo "$*" >> "$FAKE_CALLS"
env > "$FAKE_CALLS.env"
case "$*" in
*hangs*) echo $$ > "$FAKE_CALLS.pid"; sleep 1000 & wait ;;
*show*fails*) printf '\\033[31m| \\033[0mError: Failed to read the plan\\n|\\n| no-such-value\\n' >&2; exit 1 ;;
*show*) for last; do :; done; cat "$last" ;;
*version*) echo "OpenTofu v1.12.6" ;;
*schema*) gunzip -c "$FAKE_SCHEMAS" ;;
esac
"""


class Attach(EndToEnd):
    def setUp(self):
        super().setUp()
        self.here = pathlib.Path(self.home)
        self.root = self.here / "root"
        self.root.mkdir()
        self.cache = self.here / "cache"
        self.calls_file = self.here / "calls"
        self.tofu = self.here / "tofu"
        self.tofu.write_text(FAKE)
        self.tofu.chmod(0o755)
        self.spool = self.here / "20260101T000000Z-1.jsonl"
        self.spool.touch()

    def fake_env(self, **more):
        return self.env(**{"FAKE_CALLS": str(self.calls_file), "FAKE_SCHEMAS": str(SCHEMAS), **more})

    def words(self, *args):
        return [TOFUD, "attachments-of-a-run", "--spool", str(self.spool), *map(str, args)]

    def found(self, plan=PLAN, chdir=""):
        words = ["--saved-plan", plan, "--program", self.tofu, "--directory", self.root, "--cache", self.cache]
        return words + (["--chdir=" + chdir] if chdir else [])

    def attach(self, *args, **more):
        """What it says, line by line."""
        done = subprocess.run(self.words(*args), stdin=subprocess.DEVNULL, capture_output=True, env=self.fake_env(**more), cwd=self.root,
                              timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode().splitlines()

    def made(self, part):
        return pathlib.Path(str(self.spool)[:-len(".jsonl")] + "." + part + ".json")

    def parts(self):
        return [part for part in ("plan", "schemas", "config") if self.made(part).exists()]

    def calls(self):
        return self.calls_file.read_text().splitlines() if self.calls_file.exists() else []

    def schema_calls(self):
        return [call for call in self.calls() if "schema" in call]

    def lock(self, text="# providers\n"):
        (self.root / ".terraform.lock.hcl").write_text(text)

    def kept(self):
        return sorted((self.cache / "schemas").glob("*"))

    def test_files_that_are_named_are_masked_and_lie_beside_the_spool(self):
        self.assertEqual(self.attach("--plan", PLAN, "--schemas", SCHEMAS, "--config", CONFIG), ["config", "plan", "schemas"])
        self.assertTrue(all(planted in PLAN.read_text() for planted in PLANTED))
        for part in ("plan", "schemas", "config"):
            text = self.made(part).read_text()
            json.loads(text)
            for planted in PLANTED:
                self.assertNotIn(planted, text, part)
            self.assertEqual(stat.S_IMODE(self.made(part).stat().st_mode), 0o600)
        self.assertIn("terraform_data.nested", self.made("plan").read_text())
        self.assertIn("random_password", self.made("schemas").read_text())
        self.assertNotIn("null_resource", self.made("schemas").read_text())
        self.assertEqual(self.calls(), [])

    def test_a_saved_plan_is_shown_by_its_program(self):
        self.assertEqual(self.attach(*self.found()), ["plan", "schemas"])
        self.assertIn(f"show -json -no-color {PLAN}", self.calls())
        self.assertEqual(self.schema_calls(), ["providers schema -json -no-color"])
        self.attach("--plan", PLAN, "--schemas", SCHEMAS)
        named = [self.made(part).read_bytes() for part in ("plan", "schemas")]
        self.attach(*self.found())
        self.assertEqual([self.made(part).read_bytes() for part in ("plan", "schemas")], named)

    def test_the_program_gets_the_directory(self):
        (self.root / "net").mkdir()
        self.attach(*self.found(chdir="net"))
        self.assertTrue(all(call.startswith("-chdir=net ") for call in self.calls()), self.calls())

    def test_the_program_does_not_get_flags_of_the_users_command(self):
        self.attach(*self.found(), TF_CLI_ARGS="-lock=false", TF_CLI_ARGS_show="-x", TF_LOG="trace", TF_LOG_PATH="log", TF_VAR_a="kept")
        env = dict(line.split("=", 1) for line in pathlib.Path(str(self.calls_file) + ".env").read_text().splitlines() if "=" in line)
        self.assertEqual([name for name in env if name.startswith(("TF_CLI_ARGS", "TF_LOG"))], [])
        for name, value in {"CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1", "TF_VAR_a": "kept", "TOFUD": "off"}.items():
            self.assertEqual(env.get(name), value)

    def test_schemas_are_read_once_per_lock_file(self):
        self.lock()
        self.attach(*self.found())
        self.assertEqual(len(self.schema_calls()), 1)
        first = self.made("schemas").read_bytes()
        self.assertEqual(self.attach(*self.found()), ["plan", "schemas"])
        self.assertEqual(len(self.schema_calls()), 1)
        self.assertEqual(self.made("schemas").read_bytes(), first)
        self.assertEqual([stat.S_IMODE(path.stat().st_mode) for path in self.kept()], [0o600])
        self.lock("# others\n")
        self.attach(*self.found())
        self.assertEqual((len(self.schema_calls()), len(self.kept())), (2, 2))

    def test_without_a_lock_file_nothing_is_cached(self):
        self.attach(*self.found())
        self.attach(*self.found())
        self.assertEqual((len(self.schema_calls()), self.kept()), (2, []))

    def test_schemas_of_a_provider_under_development_are_not_cached(self):
        self.lock()
        self.attach(*self.found(), TF_REATTACH_PROVIDERS="{}")
        self.assertEqual(self.kept(), [])

    def test_damaged_schemas_are_read_again(self):
        self.lock()
        self.attach(*self.found())
        whole = self.kept()[0].read_bytes()
        for damaged in (whole[:-20], b"", b"{\"format"):
            with self.subTest(damaged[:8]):
                self.kept()[0].write_bytes(damaged)
                self.assertEqual(self.attach(*self.found()), ["plan", "schemas"])
                self.assertEqual(self.kept()[0].read_bytes(), whole)

    def test_an_unwritable_cache_does_no_harm(self):
        self.lock()
        self.cache.touch()  # nor can root make a directory below a file
        self.assertEqual(self.attach(*self.found()), ["plan", "schemas"])
        self.assertEqual(self.attach(*self.found()), ["plan", "schemas"])
        self.assertEqual(len(self.schema_calls()), 2)

    def test_a_failed_program_is_reported_with_its_first_error_only(self):
        self.assertEqual(self.attach(*self.found("fails"), "--config", CONFIG),
                         ["config", "note the plan is not attached: `tofu show -json` failed: Error: Failed to read the plan"])
        self.assertEqual(self.parts(), ["config"])

    def test_a_program_that_is_not_there(self):
        self.tofu.unlink()
        self.assertEqual(self.attach(*self.found()),
                         ["note the plan is not attached: `tofu show -json` failed: Error: it can't be started"])

    def test_without_schemas_the_plan_comes_alone(self):
        said = self.attach(*self.found(), FAKE_SCHEMAS="/nonexistent")
        self.assertEqual(said[1:], ["plan"])
        self.assertTrue(said[0].startswith("note the plan's schemas are not attached: "), said)
        for planted in PLANTED:
            self.assertNotIn(planted, self.made("plan").read_text())

    def test_an_invalid_plan_is_refused(self):
        broken = self.here / "broken.json"
        broken.write_text('{"planted":"pw-not-real-1"')
        for words in (["--plan", broken], ["--plan", broken, "--schemas", SCHEMAS], self.found(broken)):
            with self.subTest(words):
                said = self.attach(*words)
                self.assertTrue(said[-1].startswith("note the plan is not attached: "), said)
                self.assertNotIn("pw-not-real-1", "".join(said))
                self.assertEqual(self.parts(), [])

    def test_a_huge_plan_is_refused_unread(self):
        huge = self.here / "huge.json"
        with open(huge, "wb") as file:
            file.truncate((1 << 30) + 1)
        self.assertEqual(self.attach("--plan", huge), [f"note the plan is not attached: {huge} has more than 1024 MiB"])

    def test_a_missing_file_is_reported(self):
        self.assertEqual(self.attach("--plan", "gone.json", "--config", "gone"),
                         [f"note the configuration is not attached: there is no directory {self.root}/gone",
                          f"note the plan is not attached: can't read {self.root}/gone.json: No such file or directory"])
        self.assertEqual(self.attach("--schemas", SCHEMAS), ["note the schemas are not attached: schemas need a plan"])

    def test_a_saved_plan_that_is_gone_is_read_where_it_was_open(self):
        plan = self.root / "plan"
        plan.write_bytes(PLAN.read_bytes())
        with open(plan) as file:
            plan.unlink()
            done = subprocess.run(self.words(*self.found("/proc/self/fd/%d" % file.fileno())), capture_output=True, env=self.fake_env(),
                                  pass_fds=[file.fileno()], timeout=PATIENCE)
        self.assertEqual(done.stdout, b"plan\nschemas\n")

    def hanging(self, *args):
        running = subprocess.Popen(self.words(*self.found("hangs"), *args), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=self.fake_env())
        self.addCleanup(running.stdout.close)
        self.addCleanup(running.wait)
        self.addCleanup(self.end_group, running.pid)
        pid = self.here / "calls.pid"
        until(lambda: pid.exists() and pid.read_text().strip(), "the program runs")
        return running, int(pid.read_text())

    @staticmethod
    def end_group(pid):
        """As attachments_preparing does, for what a program leaves behind that was killed."""
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def test_a_program_that_hangs_is_killed(self):
        running, pid = self.hanging("--config", CONFIG, "--patience", "1")
        self.assertEqual(running.stdout.read().decode().splitlines(),
                         ["config", "note the plan is not attached: `tofu show -json` took too long"])
        self.assertEqual(running.wait(PATIENCE), 0)
        until(lambda: not alive(pid), "it is gone")

    def test_its_children_end_with_it(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                (self.here / "calls.pid").unlink(missing_ok=True)
                running, pid = self.hanging()
                running.send_signal(number)
                running.wait(PATIENCE)
                until(lambda: not alive(pid), "the program is gone")

    def test_its_priority_is_the_lowest(self):
        running, pid = self.hanging()
        for each in (running.pid, pid):
            self.assertEqual(os.getpriority(os.PRIO_PROCESS, each), 19)
            self.assertEqual(pathlib.Path(f"/proc/{each}/oom_score_adj").read_text(), "1000\n")
            self.assertEqual(os.getpgid(each), running.pid)

    def test_schemas_from_a_pipe_through_gzip_are_those_that_were_printed(self):
        self.lock()
        self.attach(*self.found())
        self.assertEqual(gzip.decompress(self.kept()[0].read_bytes()), gzip.decompress(SCHEMAS.read_bytes()))


if __name__ == "__main__":
    unittest.main(verbosity=2)
