#!/usr/bin/python3
"""`tofud run` with a fake tofu of each age, under a pseudo-terminal where that matters."""
import fcntl
import hashlib
import json
import os
import pathlib
import pty
import pyte
import random
import select
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from binary import PATIENCE, ROOT, TOFUD, EndToEnd, children, get, kill_all, recorded_path, until

FAKE = ROOT / "tests/end_to_end/fake_tofu.py"
KILLS = int(os.environ.get("TOFUD_KILLS", "20"))


class Terminal:
    """A command under a pseudo-terminal of its own, as a person has it."""

    def __init__(self, argv, env, cwd):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(cwd)
                os.execvpe(argv[0], argv, env)
            finally:
                os._exit(127)  # never a second test runner
        self.text = b""

    def read_until(self, wanted):
        end = time.monotonic() + PATIENCE
        while wanted not in self.text:
            if not self._more(end - time.monotonic()):
                raise AssertionError("%r never came; got %r" % (wanted, self.text))

    def _more(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], max(0, seconds))
        if not ready:
            return False
        try:
            piece = os.read(self.fd, 65536)
        except OSError:
            return False
        self.text += piece
        return bool(piece)

    def type(self, keys):
        os.write(self.fd, keys)

    def wait(self):
        while self._more(PATIENCE):
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


class Wrapped(EndToEnd):
    def setUp(self):
        super().setUp()
        self.bin = os.path.join(self.home, "bin")
        self.work = os.path.join(self.home, "work")
        self.report_path = os.path.join(self.home, "report")
        for folder in (self.bin, self.work):
            os.makedirs(folder)
        for name in ("tofu", "terraform"):
            os.symlink(FAKE, os.path.join(self.bin, name))

    def fake(self, stream="apply-slow-progress", version=None, **more):
        env = self.env(PATH=self.bin + ":" + os.environ["PATH"], FAKE_REPORT=self.report_path,
                       TOFUD_STATE_DIR=self.state_dir, TOFUD_LISTEN="127.0.0.1:0", **more)
        if stream:
            env["FAKE_STREAM"] = recorded_path(stream)
        if version is not None:
            env["FAKE_VERSION"] = version
        return env

    def run_tofu(self, *words, env=None, program="tofu", options=(), **more):
        done = subprocess.run([TOFUD, "run", *options, "--", program, *words], env=env or self.fake(), cwd=self.work,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, **more)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def report(self):
        with open(self.report_path) as file:
            return json.load(file)

    def reported(self):
        until(lambda: os.path.exists(self.report_path), "the fake tofu has started")
        return self.report()

    def started(self, *words, env=None, options=(), **more):
        return subprocess.Popen([TOFUD, "run", *options, "--", "tofu", *words], env=env or self.fake(), cwd=self.work,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)

    def argv_of(self, *words, **more):
        """What tofu was called with."""
        self.run_tofu(*words, **more)
        return self.report()["argv"]

    def the_run(self):
        return next(iter(self.rows(self.spool())["run"].values()))


class WhatIsInjected(Wrapped):
    """The table of docs/run.md, a row each."""

    def test_json_into_stands_right_behind_the_subcommand_with_an_absolute_path(self):
        words = self.argv_of("-chdir=.", "apply", "-auto-approve", "-var", "a=b")
        self.assertEqual(words, ["-chdir=.", "apply", "-json-into=%s" % self.spool(), "-auto-approve", "-var", "a=b"])
        self.assertTrue(os.path.isabs(words[2].split("=", 1)[1]))

    def test_each_subcommand_that_streams_is_followed(self):
        for subcommand in ("plan", "apply", "destroy", "refresh", "test", "init", "import"):
            with self.subTest(subcommand):
                words = self.argv_of(subcommand, "-input=false")
                self.assertTrue(words[1].startswith("-json-into="), words)

    def test_a_subcommand_that_does_not_stream_runs_untouched(self):
        for words in (["version"], ["output", "-json"], ["state", "pull"], ["console"], ["fmt"], []):
            with self.subTest(words):
                plain = subprocess.run(["tofu", *words], env=self.fake(), cwd=self.work, stdin=subprocess.DEVNULL,
                                       capture_output=True, timeout=PATIENCE)
                status, out, _ = self.run_tofu(*words)
                self.assertEqual((status, out), (plain.returncode, plain.stdout.decode()))
                self.assertEqual(self.spools(), [])

    def test_a_command_that_has_no_stream_prints_nothing_more(self):
        self.assertEqual(self.run_tofu("fmt")[2], "")

    def test_help_is_only_help(self):
        self.assertEqual(self.run_tofu("apply", "-help")[2], "")
        self.assertEqual(self.spools(), [])

    def test_the_users_own_json_goes_through_untouched(self):
        status, out, err = self.run_tofu("apply", "-json", "-auto-approve")
        self.assertEqual(self.report()["argv"], ["apply", "-json", "-auto-approve"])
        self.assertEqual(out.encode(), pathlib.Path(recorded_path("apply-slow-progress")).read_bytes())
        self.assertEqual(status, 0)
        self.assertEqual(self.spool().read_bytes(), out.encode())
        self.assertIn("http://127.0.0.1:", err)

    def test_the_users_own_json_into_is_followed_where_it_is(self):
        self.assertEqual(self.run_tofu("apply", "-auto-approve", "-json-into=ui.jsonl")[0], 0)
        self.assertEqual(self.report()["argv"], ["apply", "-auto-approve", "-json-into=ui.jsonl"])
        kept = pathlib.Path(self.work, "ui.jsonl").read_bytes()
        self.assertEqual(kept, pathlib.Path(recorded_path("apply-slow-progress")).read_bytes())
        self.assertEqual(self.spool().read_bytes(), kept)

    def test_old_contents_of_the_users_file_are_no_part_of_the_run(self):
        pathlib.Path(self.work, "ui.jsonl").write_text("old\n" * 10000)
        self.run_tofu("apply", "-auto-approve", "-json-into=ui.jsonl")
        self.assertEqual(self.spool().read_bytes(), pathlib.Path(recorded_path("apply-slow-progress")).read_bytes())

    def test_a_fifo_of_the_user_is_left_to_its_reader(self):
        fifo = os.path.join(self.work, "fifo")
        os.mkfifo(fifo)
        reader = subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE)
        _, _, err = self.run_tofu("apply", "-auto-approve", "-json-into=fifo")
        self.assertEqual(reader.communicate(timeout=PATIENCE)[0],
                         pathlib.Path(recorded_path("apply-slow-progress")).read_bytes())
        self.assertIn("no live view", err)
        self.assertEqual(self.spools(), [])

    def test_flags_in_the_environment_count_as_the_users_own(self):
        for name, value in (("TF_CLI_ARGS_apply", "-json -auto-approve"), ("TF_CLI_ARGS", "-no-color -json -auto-approve")):
            with self.subTest(name):
                self.assertEqual(self.argv_of("apply", env=self.fake(**{name: value})), ["apply"])
        self.assertEqual(self.argv_of("apply", "-auto-approve", env=self.fake(TF_CLI_ARGS_apply="-json-into=ui.jsonl")),
                         ["apply", "-auto-approve"])

    def test_an_older_version_gets_json_only_without_a_prompt(self):
        for version in ("OpenTofu v1.10.0", "OpenTofu v1.6.2", "Terraform v1.9.8"):
            for words, injected in ((["apply", "-auto-approve"], True), (["apply", "saved.tfplan"], True), (["plan", "-compact-warnings"], False), (["refresh"], True),
                                    (["destroy", "-auto-approve"], True), (["test"], True),
                                    (["apply"], False), (["destroy"], False), (["init"], False), (["import", "a.b", "c"], False)):
                with self.subTest(version=version, words=words):
                    argv = self.argv_of(*words, env=self.fake(version=version))
                    self.assertEqual(argv, [words[0], "-json", *words[1:]] if injected else words)

    def test_an_older_version_that_is_not_followed_gives_its_reason(self):
        _, out, err = self.run_tofu("apply", env=self.fake(version="OpenTofu v1.10.0"))
        self.assertTrue(err.startswith("tofud: no live view: OpenTofu 1.10.0 can't prompt while it prints its stream"), err)
        self.assertIn("human: ", out)
        _, out, err = self.run_tofu("plan", "-compact-warnings", env=self.fake(version="Terraform v1.11.4"))
        self.assertTrue(err.startswith("tofud: no live view: Terraform 1.11.4 prints either the plan or its stream; for both, run `plan -json"), err)
        self.assertIn("human: ", out)

    def test_with_an_older_version_an_apply_says_which_text_is_missing_or_stays_untouched(self):
        env = self.fake(version="Terraform v1.9.8")
        _, _, err = self.run_tofu("apply", "-auto-approve", env=env)
        self.assertTrue(err.startswith("tofud: what the plan changes is not printed: Terraform 1.9.8 prints either text or its stream; "), err)
        _, _, err = self.run_tofu("apply", "saved.tfplan", env=env)
        self.assertNotIn("is not printed", err)
        done = subprocess.run([TOFUD, "run", "--untouched", "--", "tofu", "apply", "-auto-approve"], env=env, cwd=self.work, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.report()["argv"], ["apply", "-auto-approve"])

    def test_with_an_older_version_tofud_prints_the_text(self):
        status, out, err = self.run_tofu("apply", "-auto-approve", env=self.fake(version="Terraform v1.9.8"))
        self.assertEqual(status, 0)
        self.assertNotIn('{"@level"', out)
        self.assertIn("\ntime_sleep.database: Creating...\n", out)
        self.assertIn("\nApply complete! Resources: 8 added, 0 changed, 0 destroyed.\n", out)
        self.assertNotIn("tofud", out)
        self.assertRegex(err.splitlines()[1], r"^tofud .*http://127\.0\.0\.1:\d+/")
        self.assertRegex(err, r"(?m)^apply succeeded")

    def test_an_unknown_version_runs_untouched(self):
        self.assertEqual(self.argv_of("plan", env=self.fake(version="")), ["plan"])
        self.assertEqual(self.argv_of("plan", env=self.fake(version="Terraform v0.15.1")), ["plan"])

    def test_without_a_place_for_the_spool_nothing_is_injected(self):
        env = {**self.fake(), "TOFUD_STATE_DIR": "/dev/null/x", "HOME": "/dev/null", "TMPDIR": "/dev/null"}
        status, out, err = self.run_tofu("apply", "-auto-approve", env=env)
        self.assertEqual(self.report()["argv"], ["apply", "-auto-approve"])
        self.assertEqual(status, 0)
        self.assertIn("no live view", err)

    def test_tofud_off_is_off(self):
        self.assertEqual(self.argv_of("apply", "-auto-approve", env=self.fake(TOFUD="off")), ["apply", "-auto-approve"])

    def test_a_remote_backend_of_an_older_version_runs_untouched(self):
        os.makedirs(os.path.join(self.work, ".terraform"))
        with open(os.path.join(self.work, ".terraform/terraform.tfstate"), "w") as state:
            json.dump({"version": 3, "backend": {"type": "remote", "config": {}}}, state)
        self.assertEqual(self.argv_of("plan", env=self.fake(version="OpenTofu v1.8.0")), ["plan"])


class Stacks(Wrapped):
    def setUp(self):
        super().setUp()
        os.makedirs(os.path.join(self.work, ".git"))
        with open(os.path.join(self.work, ".git/config"), "w") as config:
            config.write('[remote "origin"]\n\turl = git@github.com:acme/infra.git\n')
        os.makedirs(os.path.join(self.work, "net/prod"))

    def piped(self, command, env=None):
        done = subprocess.run(["bash", "-c", command], env=env or self.fake(TOFUD=TOFUD), cwd=self.work, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.the_run()["stack"]

    def test_of_a_wrapped_command_is_where_it_runs(self):
        self.run_tofu("-chdir=net/prod", "apply", "-auto-approve")
        self.assertEqual(self.the_run()["stack"], "github.com/acme/infra//net/prod@default")

    def test_of_a_pipe_is_where_the_tofu_at_its_other_end_runs(self):
        self.assertEqual(self.piped('cd net/prod && FAKE_PAUSE=0.01 tofu apply -json -auto-approve | (cd / && "$TOFUD" --no-listen)'),
                         "github.com/acme/infra//net/prod@default")

    def test_of_a_pipe_knows_its_workspace_and_chdir(self):
        self.assertEqual(self.piped('TF_WORKSPACE=blue FAKE_PAUSE=0.01 tofu -chdir=net apply -json -auto-approve | "$TOFUD" --no-listen'),
                         "github.com/acme/infra//net@blue")

    def test_an_explicit_stack_wins(self):
        self.assertEqual(self.piped('FAKE_PAUSE=0.01 tofu apply -json -auto-approve | "$TOFUD" --no-listen --stack mine'), "mine")

    def test_of_a_pipe_from_something_else_is_unknown(self):
        self.assertIsNone(self.piped('cat "$FAKE_STREAM" | "$TOFUD" --no-listen'))


class Labels(Wrapped):
    COMMIT = "0123456789abcdef0123456789abcdef01234567"

    def repository(self):
        git = pathlib.Path(self.work, ".git")
        git.mkdir()
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        (git / "packed-refs").write_text(self.COMMIT + " refs/heads/main\n")

    def labels(self):
        return {key: value for key, value in self.the_run()["labels"].items() if key != "group"}

    def test_without_ci_the_commit_is_read_from_git_and_the_workspace_from_the_stack(self):
        self.repository()
        self.run_tofu("apply", "-auto-approve", env=self.fake(TF_WORKSPACE="prod"))
        self.assertEqual(self.labels(), {"workspace": "prod", "commit": self.COMMIT})

    def test_a_ci_system_names_branch_commit_and_job_and_an_option_wins(self):
        self.repository()
        ci = {"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "main", "CI_COMMIT_SHA": "c1", "GITLAB_USER_LOGIN": "ada",
              "CI_JOB_URL": "https://gitlab.com/acme/infra/-/jobs/7"}
        self.run_tofu("apply", "-auto-approve", env=self.fake(**ci), options=["--label", "branch=mine"])
        self.assertEqual(self.labels(), {"branch": "mine", "ci": "gitlab", "commit": "c1", "actor": "ada",
                                         "job": "https://gitlab.com/acme/infra/-/jobs/7", "workspace": "default"})


class WhatIsAttached(Wrapped):
    """What the worker is told of plan, schemas and configuration; what becomes of it: attach_test.py."""

    DOCUMENT = 9  # the worker's descriptor (daemon/keeper/worker_link.hpp)

    def found(self, *words, options=(), **variables):
        hold = os.path.join(self.home, "hold-" + str(len(os.listdir(self.home))))
        pathlib.Path(self.report_path).unlink(missing_ok=True)
        process = self.started(*words, env=self.fake(FAKE_HOLD=hold, **variables), options=options)
        try:
            self.reported()
            worker = next(pid for pid in children(process.pid)
                          if "worker-of-the-pipe" in pathlib.Path("/proc/%d/cmdline" % pid).read_text().split("\0"))
            told = json.loads(pathlib.Path("/proc/%d/fd/%d" % (worker, self.DOCUMENT)).read_bytes())["attach"]
        finally:
            pathlib.Path(hold).touch()
            process.wait(PATIENCE)
        saved = told.pop("found")
        return {name: value for name, value in told.items() if value}, {name: value for name, value in saved.items() if value}

    def test_a_configuration_is_where_the_command_runs(self):
        self.assertEqual(self.found("apply", "-auto-approve"), ({"config": self.work}, {}))
        os.mkdir(os.path.join(self.work, "net"))
        self.assertEqual(self.found("-chdir=net", "plan", TF_DATA_DIR="data"), ({"config": self.work + "/net", "data_directory": "data"}, {}))

    def test_a_saved_plan_comes_with_the_program_that_reads_it(self):
        os.mkdir(os.path.join(self.work, "net"))
        self.assertEqual(self.found("-chdir=net", "apply", "p.tfplan"),
                         ({"config": self.work + "/net"},
                          {"plan": self.work + "/net/p.tfplan", "program": "tofu", "directory": self.work, "chdir": "net",
                           "cache": self.home + "/.cache/tofud"}))

    def test_schemas_are_kept_where_caches_are(self):
        for given, cache in (("/elsewhere", "/elsewhere/tofud"), ("relative", self.home + "/.cache/tofud")):
            _, saved = self.found("apply", "p.tfplan", XDG_CACHE_HOME=given)
            self.assertEqual(saved["cache"], cache)

    def test_commands_without_resources_have_none(self):
        self.assertEqual(self.found("init"), ({}, {}))

    def test_an_option_wins(self):
        told = self.found("apply", "-auto-approve", options=["--config", "/elsewhere"])
        self.assertEqual(told, ({"config": "/elsewhere"}, {}))


class PlanFiles(Wrapped):
    def plan_files(self):
        events = [json.loads(line) for line in self.spool().with_suffix(".events").read_text().splitlines()]
        self.assertEqual((events[0]["event"], events[-1]["event"]), ("begin", "end"))
        return [event for event in events if event["event"] == "plan_file"]

    def test_what_a_plan_wrote_is_named_by_its_hash_at_the_end(self):
        os.mkdir(os.path.join(self.work, "net"))
        for status in ("0", "2"):
            self.run_tofu("-chdir=net", "plan", "-out=p.tfplan", "-detailed-exitcode",
                          env=self.fake("plan-create-mixed", FAKE_PLAN="the plan", FAKE_STATUS=status))
            sha256 = hashlib.sha256(b"the plan").hexdigest()
            self.assertEqual(self.plan_files(), [{"offset": self.spool().stat().st_size, "event": "plan_file", "role": "out",
                                                  "sha256": sha256, "bytes": 8}])
            for path in pathlib.Path(self.state_dir).glob("2*"):
                path.unlink()

    def test_a_failed_plan_has_no_file(self):
        pathlib.Path(self.work, "p.tfplan").write_text("an older one")
        self.run_tofu("plan", "-out=p.tfplan", env=self.fake("plan-create-mixed", FAKE_STATUS="1"))
        self.assertEqual(self.plan_files(), [])

    def test_what_an_apply_is_given_is_named_as_it_was_before(self):
        plan = pathlib.Path(self.work, "p.tfplan")
        plan.write_text("the plan")
        hold = os.path.join(self.home, "go")
        process = self.started("apply", "p.tfplan", env=self.fake("apply-saved-plan", FAKE_HOLD=hold))
        self.reported()
        plan.write_text("another one")
        pathlib.Path(hold).touch()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(self.plan_files(), [{"offset": 0, "event": "plan_file", "role": "argument",
                                              "sha256": hashlib.sha256(b"the plan").hexdigest(), "bytes": 8}])


class MaskFiles(Wrapped):
    def test_one_that_cannot_be_used_is_refused_before_anything_starts(self):
        status, out, err = self.run_tofu("apply", options=["--mask-file", "none.txt"])
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(err, "tofud: the mask file can't be used: can't read none.txt: No such file or directory\n")
        self.assertFalse(os.path.exists(self.report_path))


class Shim(Wrapped):
    def shimmed(self, env=None):
        links = os.path.join(self.home, "links")
        os.makedirs(links, exist_ok=True)
        for name in ("tofu", "terraform"):
            if not os.path.lexists(os.path.join(links, name)):
                os.symlink(TOFUD, os.path.join(links, name))
        env = env or self.fake()
        env["PATH"] = links + ":" + env["PATH"]
        return env

    def sh(self, command, env):
        return subprocess.run(["sh", "-c", command], env=env, cwd=self.work, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE)

    def test_a_link_first_in_path_follows_what_streams(self):
        done = self.sh("tofu apply -auto-approve", self.shimmed())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.report()["argv"], ["apply", "-json-into=%s" % self.spool(), "-auto-approve"])

    def test_what_does_not_stream_is_byte_identical(self):
        for command in ("tofu version", "tofu output -json", "echo 1+1 | tofu console", "tofu state pull | head -1"):
            with self.subTest(command):
                plain, shimmed = self.sh(command, self.fake()), self.sh(command, self.shimmed())
                self.assertEqual((plain.returncode, plain.stdout, plain.stderr),
                                 (shimmed.returncode, shimmed.stdout, shimmed.stderr))

    def test_init_below_a_link_and_a_quiet_run_have_no_lines_of_ours(self):
        for command, more in (("tofu init", {}), ("tofu apply -auto-approve", {"TOFUD_QUIET": "1"})):
            with self.subTest(command):
                plain, shimmed = self.sh(command, self.fake(**more)), self.sh(command, self.shimmed(self.fake(**more)))
                self.assertEqual((plain.returncode, plain.stdout, plain.stderr), (shimmed.returncode, shimmed.stdout, shimmed.stderr))
        self.assertEqual(len(self.spools()), 2)

    def test_off_is_off(self):
        env = self.shimmed(self.fake(TOFUD="off"))
        self.assertEqual(self.sh("tofu apply -auto-approve", env).returncode, 0)
        self.assertEqual(self.report()["argv"], ["apply", "-auto-approve"])

    def test_a_program_that_starts_tofu_is_followed_through_a_shim(self):
        script = os.path.join(self.work, "deploy")
        with open(script, "w") as file:
            file.write("#!/bin/sh\ntofu plan\ntofu apply -auto-approve\nexit 5\n")
        os.chmod(script, 0o755)
        status, _, err = self.run_tofu(program="./deploy")
        self.assertEqual(status, 5, err)
        self.assertEqual(len(self.spools()), 2)
        groups = {run["labels"]["group"] for spool in self.spools() for run in self.rows(spool)["run"].values()}
        self.assertEqual(len(groups), 1)
        self.assertRegex(groups.pop(), r"^deploy-\d+$")
        self.assertEqual(self.report()["path"], self.fake()["PATH"])  # tofu finds what it would find without us

    def test_a_shim_without_a_program_is_an_error(self):
        env = self.shimmed()
        env["PATH"] = os.path.join(self.home, "links")
        done = subprocess.run([os.path.join(self.home, "links/tofu"), "plan"], env=env, capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 127)
        self.assertIn(b"no real tofu was found later in PATH", done.stderr)


class ExitStatuses(Wrapped):
    def test_are_those_of_tofu(self):
        for status in (0, 1, 2, 11):
            with self.subTest(status):
                self.assertEqual(self.run_tofu("apply", "-auto-approve", env=self.fake(FAKE_STATUS=str(status)))[0], status)

    def test_a_signal_that_ended_tofu_is_128_and_its_number(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV):
            with self.subTest(number):
                status = self.run_tofu("apply", "-auto-approve", env=self.fake(FAKE_KILL=str(int(number))))[0]
                self.assertEqual(status, 128 + number)

    def test_stand_beside_the_stream_and_decide_the_runs_status(self):
        self.run_tofu("apply", "-auto-approve", env=self.fake(FAKE_STATUS="1"))
        self.assertEqual((self.the_run()["status"], self.the_run()["exit_status"]), ("failed", 1))

    def test_of_what_can_not_be_started_are_a_shells(self):
        self.assertEqual(self.run_tofu(program="./nothing-here")[0], 127)
        os.mkdir(os.path.join(self.work, "tofu"))
        self.assertEqual(self.run_tofu("fmt", program="./tofu")[0], 126)

    def test_nothing_to_run_is_bad_usage(self):
        done = subprocess.run([TOFUD, "run"], env=self.fake(), capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"tofud run -- tofu apply", done.stderr)


class WhatPeopleSee(Wrapped):
    def test_the_address_first_and_a_summary_last_on_stderr_and_nothing_between(self):
        status, out, err = self.run_tofu("apply", "-auto-approve")
        lines = err.splitlines()
        self.assertRegex(lines[0], r"^tofud .*http://127\.0\.0\.1:\d+/")
        self.assertRegex(err, r"(?m)^apply succeeded")
        self.assertRegex(lines[-1], r"^kept: /")
        self.assertNotRegex(err, r"\[ *\d+/\d+\]")
        self.assertNotIn("tofud", out)

    def test_a_killed_tofud_says_that_its_command_may_go_on(self):
        hold, said = os.path.join(self.home, "hold"), os.path.join(self.home, "said")
        with open(said, "wb") as err:
            process = subprocess.Popen([TOFUD, "run", "--", "tofu", "apply", "-auto-approve"], env=self.fake(FAKE_HOLD=hold), cwd=self.work,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
        try:
            until(lambda: self.spools() and self.spool().stat().st_size > 1000, "the stream")
            process.kill()
            process.wait()
            until(lambda: b"tofud run was killed; its command may go on" in pathlib.Path(said).read_bytes(), "its last words")
            self.assertNotIn(b"apply lost", pathlib.Path(said).read_bytes())
        finally:
            pathlib.Path(hold).touch()
        until(lambda: self.report()["ended"], "the end of tofu")

    def test_under_a_terminal_the_address_comes_before_tofus_own_text(self):
        terminal = Terminal([TOFUD, "run", "--", "tofu", "apply"], self.fake(), self.work)
        terminal.read_until(b"Enter a value: ")
        self.assertLess(terminal.text.index(b"http://127.0.0.1:"), terminal.text.index(b"human: "))
        terminal.type(b"yes\n")
        self.assertEqual(terminal.wait(), 0)
        self.assertIn(b"apply succeeded", terminal.text)

    def test_the_prompt_answered_no_ends_as_without_tofud(self):
        terminal = Terminal([TOFUD, "run", "--", "tofu", "apply"], self.fake(), self.work)
        terminal.read_until(b"Enter a value: ")
        terminal.type(b"no\n")
        self.assertEqual(terminal.wait(), 1)
        self.assertEqual(self.the_run()["status"], "interrupted")

    def test_during_the_prompt_the_phase_is_approval(self):
        terminal = Terminal([TOFUD, "run", "--", "tofu", "apply"], self.fake(), self.work)
        terminal.read_until(b"Enter a value: ")
        url = next(word for word in terminal.text.decode().split() if word.startswith("http://"))

        def phase():
            return json.loads(get(url + "v1/runs"))["runs"][0]["phase"]
        until(lambda: phase() == "approval", "the phase is approval")
        terminal.type(b"yes\n")
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(self.the_run()["phase"], "apply")


class LiveBlock(Wrapped):
    """`tofud run --ui`: a block between the answer and the end, and the rest of the screen tofu's own."""

    def shown(self, terminal):
        screen = pyte.Screen(80, 24)
        pyte.ByteStream(screen).feed(terminal.text)
        return [line.rstrip() for line in screen.display]

    def applied(self, *more):
        hold = os.path.join(self.home, "go")
        terminal = Terminal([TOFUD, "run", "--ui", "--", "tofu", "apply"], {**self.fake(FAKE_HOLD=hold), "TERM": "xterm"}, self.work)
        terminal.read_until(b"Enter a value: ")
        return terminal, hold

    def test_it_is_drawn_while_tofu_applies_and_nothing_of_it_stays(self):
        lines = pathlib.Path(recorded_path("apply-slow-progress")).read_bytes().splitlines(keepends=True)
        first_done = next(i for i, line in enumerate(lines) if b'"type":"apply_complete"' in line)
        stream = os.path.join(self.home, "stream")
        pathlib.Path(stream).write_bytes(b"".join(lines[:first_done + 1]))  # the rest still runs when it holds
        env = {**self.fake(stream=None, FAKE_STREAM=stream), "TERM": "xterm"}
        env["FAKE_HOLD"] = os.path.join(self.home, "go")
        terminal = Terminal([TOFUD, "run", "--ui", "--", "tofu", "apply"], env, self.work)
        terminal.read_until(b"Enter a value: ")
        self.assertNotIn(b"running", terminal.text)
        terminal.type(b"yes\n")
        terminal.read_until(b" running")
        shown = self.shown(terminal)
        self.assertTrue(any("terraform_data.warmup[0]" in line for line in shown), shown)
        self.assertTrue(any("Enter a value: yes" in line for line in shown), shown)
        pathlib.Path(env["FAKE_HOLD"]).touch()
        terminal.wait()
        shown = self.shown(terminal)
        self.assertFalse(any(" running" in line for line in shown), shown)
        self.assertTrue(any(line.startswith("apply ") for line in shown), shown)

    def test_tofu_is_told_to_leave_out_its_own_lines(self):
        terminal, hold = self.applied()
        terminal.type(b"yes\n")
        pathlib.Path(hold).touch()
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(self.report()["argv"], ["apply", "-json-into=%s" % self.spool(), "-concise"])

    def test_without_a_terminal_it_is_bad_usage(self):
        status, _, err = self.run_tofu("apply", "-auto-approve", options=["--ui"])
        self.assertEqual(status, 2)
        self.assertIn("--ui needs a terminal", err)
        self.assertFalse(os.path.exists(self.report_path))


class Signals(Wrapped):
    def setUp(self):
        super().setUp()
        self.hold = os.path.join(self.home, "go")

    def held(self, **more):
        return self.fake(FAKE_HOLD=self.hold, **more)

    def go(self):
        pathlib.Path(self.hold).touch()

    def wait(self, process):
        return process.wait(PATIENCE)

    def test_tofu_finds_signals_as_without_tofud(self):
        self.run_tofu("apply", "-auto-approve")
        through = self.report()
        subprocess.run(["tofu", "apply", "-auto-approve"], env=self.fake(), cwd=self.work, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, timeout=PATIENCE, check=True)
        plain = self.report()
        self.assertEqual((through["ignored"], through["blocked"]), (plain["ignored"], plain["blocked"]))

    def test_what_nohup_ignores_stays_ignored(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.run_tofu("apply", "-auto-approve", preexec_fn=ignore)
        self.assertIn(signal.SIGHUP, self.report()["ignored"])

    def test_ctrl_c_reaches_tofu_once(self):
        terminal = Terminal([TOFUD, "run", "--", "tofu", "apply", "-auto-approve"], self.held(), self.work)
        terminal.read_until(b"human: ")
        self.reported()
        terminal.type(b"\x03")
        self.assertEqual(terminal.wait(), 1)
        self.assertEqual(self.report()["signals"], [signal.SIGINT])
        self.assertTrue(self.report()["ended"])

    def test_ctrl_c_twice_reaches_tofu_twice(self):
        terminal = Terminal([TOFUD, "run", "--", "tofu", "apply", "-auto-approve"], self.held(FAKE_STOP="60"), self.work)
        terminal.read_until(b"human: ")
        terminal.type(b"\x03")
        until(lambda: self.report()["signals"] == [signal.SIGINT], "tofu has the first")
        terminal.type(b"\x03")
        self.assertEqual(terminal.wait(), 1)
        self.assertEqual(self.report()["signals"], [signal.SIGINT] * 2)

    def test_a_signal_to_tofud_alone_is_passed_on_once(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                process = self.started("apply", "-auto-approve", env=self.held(), start_new_session=True)
                self.reported()
                time.sleep(0.3)
                process.send_signal(number)
                self.assertEqual(self.wait(process), 1)
                self.assertEqual(self.report()["signals"], [number])
                os.unlink(self.report_path)

    def test_a_signal_to_the_whole_group_reaches_tofu_once(self):
        process = self.started("apply", "-auto-approve", env=self.held(FAKE_PAUSE="0.4"), start_new_session=True)
        self.reported()
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGTERM)
        until(lambda: self.report()["signals"], "tofu has it")
        time.sleep(1.2)  # longer than it takes to pass one on
        self.go()
        self.assertEqual(self.wait(process), 1)
        self.assertEqual(self.report()["signals"], [signal.SIGTERM])


class Harm(Wrapped):
    def test_all_of_tofud_killed_at_any_moment_costs_nothing(self):
        chance = random.Random(7)
        for kill in range(KILLS):
            with self.subTest(kill=kill):
                if os.path.exists(self.report_path):
                    os.unlink(self.report_path)
                process = self.started("apply", "-auto-approve", env=self.fake(FAKE_PAUSE="0.01", FAKE_STATUS="0"))
                tofu = self.reported()["pid"]
                time.sleep(chance.random() * 0.3)
                kill_all(process, but=tofu)
                until(lambda: self.report()["ended"], "tofu has ended by itself")
                self.assertEqual((self.report()["state"], self.report()["signals"]), (1, []))
                newest = max(self.spools(), key=lambda path: path.stat().st_mtime_ns)
                self.assertEqual(newest.read_bytes(), pathlib.Path(recorded_path("apply-slow-progress")).read_bytes())

    def test_a_spool_is_in_use_as_long_as_tofu_writes_it(self):
        hold = os.path.join(self.home, "go")
        process = self.started("apply", "-auto-approve", env=self.fake(FAKE_HOLD=hold))
        kill_all(process, but=self.reported()["pid"])

        def locked():
            with open(self.spool()) as spool:
                try:
                    fcntl.flock(spool, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return False
                except BlockingIOError:
                    return True
        self.assertTrue(locked())
        pathlib.Path(hold).touch()
        until(lambda: not locked(), "the lock has gone with tofu")


if __name__ == "__main__":
    unittest.main(verbosity=2)
