#!/usr/bin/python3
"""The examples of config/ci: their CI systems accept them, and their shell parts do what they promise with the files of a release.

TOFUD_DIST names the release and TOFUD_CI_TOOLS what .ci/ci-tools has fetched: `make dist-test`, not `make test`. OpenTofu is a stand-in.
"""
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import unittest
import xml.etree.ElementTree

import yaml

from binary import PATIENCE, ROOT, EndToEnd, free_port, recorded_path, until

DIST = pathlib.Path(os.environ.get("TOFUD_DIST", ""))
TOOLS = pathlib.Path(os.environ.get("TOFUD_CI_TOOLS", ROOT / "build/ci-tools"))
CI = ROOT / "config/ci"
SCHEMAS = {"github.yml": "vendor.github-workflows", "github-pull-request.yml": "vendor.github-workflows", "github-action/action.yml": "vendor.github-actions", "gitlab.yml": "vendor.gitlab-ci",
           "buildkite.yml": "vendor.buildkite", "circleci.yml": "vendor.circle-ci", "azure-pipelines.yml": "vendor.azure-pipelines"}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def document(name):
    return yaml.safe_load((CI / name).read_text())


class Accepted(unittest.TestCase):
    def test_each_has_at_most_25_lines(self):
        for path in CI.rglob("*"):
            if path.is_file():
                self.assertLessEqual(len(path.read_text().splitlines()), 25, path)

    def test_actionlint_finds_nothing(self):
        done = subprocess.run([TOOLS / "actionlint", "-shellcheck=", "-pyflakes=", CI / "github.yml", CI / "github-pull-request.yml"], capture_output=True, text=True, check=False)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))

    def test_the_schemas_of_their_systems_accept_them(self):
        for name, schema in SCHEMAS.items():
            done = subprocess.run([TOOLS / "python/bin/check-jsonschema", "--regex-variant", "python", "--builtin-schema", schema, CI / name], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, name + done.stdout + done.stderr)

    def test_the_shell_script_is_posix(self):
        subprocess.run(["dash", "-n", CI / "shell.sh"], check=True)


class Done(EndToEnd):
    """The shell parts of each, step by step, in a job of that system."""

    def setUp(self):
        super().setUp()
        self.work = pathlib.Path(self.home, "work")
        self.tools = pathlib.Path(self.home, "bin")
        for folder in (self.work, self.tools):
            folder.mkdir()
        os.symlink(ROOT / "tests/end_to_end/fake_tofu.py", self.tools / "tofu")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(DIST)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.releases = "http://127.0.0.1:%d" % server.server_port
        self.start_daemon()
        self.variables = self.env(
            PATH=str(self.tools) + ":/usr/bin:/bin", CI="true", TOFUD_RELEASES=self.releases, TOFUD_SERVER=self.daemon, TOFUD_TOKEN=self.token,
            FAKE_STREAM=recorded_path("apply-create-mixed"), FAKE_PLAN="a plan", HOME=self.home,
            GITHUB_PATH=str(self.work / "path"), GITHUB_STEP_SUMMARY=str(self.work / "summary"), BASH_ENV=str(self.work / "bash-env"))
        (self.work / "bash-env").touch()

    def start_daemon(self):
        with tarfile.open(next(DIST.glob("tofud-*-amd64.tar.gz"))) as tar:
            member = next(each for each in tar if each.name.endswith("/bin/tofud"))
            member.name = "tofud"
            tar.extract(member, self.home)
        self.program = os.path.join(self.home, "tofud")
        tokens = os.path.join(self.home, "daemon")
        self.token, self.reader = (subprocess.run(
            [self.program, "token", "create", "--name", scope, "--scope", scope, "--state-dir", tokens], env=self.env(), capture_output=True,
            text=True, check=True).stdout.split()[-1] for scope in ("ingest", "read"))
        self.daemon = "http://127.0.0.1:%d" % free_port()
        serving = subprocess.Popen([self.program, "serve", "--listen", self.daemon.removeprefix("http://"), "--no-socket", "--state-dir", tokens,
                                    "--log-level", "warning"], env=self.env(), stdout=subprocess.DEVNULL)
        self.addCleanup(serving.wait)
        self.addCleanup(serving.terminate)
        until(lambda: subprocess.run(["curl", "-sf", self.daemon + "/readyz"], capture_output=True, check=False).returncode == 0, "the daemon")

    def step(self, script, shell=("bash", "-eo", "pipefail"), **env):
        """One step, in a shell of its own; what it wants for the next ones is taken over as its system does."""
        done = subprocess.run([*shell, "-c", script], cwd=self.work, env={**self.variables, **env}, capture_output=True, text=True,
                              timeout=PATIENCE, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 0, script + "\n" + done.stdout[-2000:] + done.stderr[-2000:])
        paths = (self.work / "path").read_text().split() if (self.work / "path").exists() else []
        paths += re.findall(r"^##vso\[task\.prependpath\](.*)$", done.stdout, re.M)
        for each in paths:
            self.variables["PATH"] = each + ":" + self.variables["PATH"]
        (self.work / "path").unlink(missing_ok=True)

    def assert_applied(self, artifacts=True):
        """The daemon has an apply that succeeded, and the job has its artifacts."""
        listed = json.loads(subprocess.run(["curl", "-sf", "-H", "Authorization: Bearer " + self.reader, self.daemon + "/v1/runs"],
                                           capture_output=True, text=True, check=True).stdout)["runs"]
        found = {(run["command"], run["status"]) for run in listed}
        self.assertLessEqual({("plan", "succeeded"), ("apply", "succeeded")}, found)
        if artifacts:
            xml.etree.ElementTree.parse(self.work / "tofud.xml")
            self.assertIn("<html", (self.work / "tofud.html").read_text())

    def test_shell(self):
        self.step(". %s" % (CI / "shell.sh"), shell=("sh",))
        self.assert_applied()

    def test_github(self):
        self.variables["GITHUB_ACTIONS"] = "true"
        for step in document("github.yml")["jobs"]["apply"]["steps"]:
            if "run" in step:
                self.step(step["run"])
        self.assert_applied()
        self.assertRegex((self.work / "summary").read_text(), r"### ✓ apply succeeded[\s\S]*\[Open the run\]\(<%s/\?run=" % self.daemon)

    def test_github_pull_request(self):
        self.variables.update({"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "acme/infra", "GITHUB_REF": "refs/pull/7/merge"})
        for step in document("github-pull-request.yml")["jobs"]["plan"]["steps"]:
            if "run" in step:
                self.step(step["run"])
        # Nobody gave it a token here.
        self.assertIn("<!-- tofud:comment -->", (self.work / "summary").read_text())

    def test_github_action(self):
        given = {"inputs.releases": self.releases, "inputs.run": "tofu apply -input=false 'tf plan'", "inputs.server": self.daemon,
                 "inputs.token": self.token}
        self.step("tofu plan -out='tf plan'")
        for step in document("github-action/action.yml")["runs"]["steps"]:
            if "run" not in step:
                continue
            env = {name: re.sub(r"\$\{\{ (\S+) \}\}", lambda found: given[found.group(1)], value) for name, value in step["env"].items()}
            self.step(step["run"], **env)
        self.assertTrue((self.work / "tofud.xml").exists())

    def test_gitlab(self):
        script = "\n".join(document("gitlab.yml")["apply"]["script"])
        self.step(script, GITLAB_CI="true")
        self.assert_applied()

    def test_gitlab_ci_local_runs_its_job(self):
        job = document("gitlab.yml")
        del job["apply"]["image"]  # its job runs in a shell of this machine
        job["variables"] = {"TOFUD_RELEASES": self.releases, "TOFUD_SERVER": self.daemon}
        (self.work / ".gitlab-ci.yml").write_text(yaml.safe_dump(job))
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "x"],
                      ["remote", "add", "origin", "git@example.com:acme/infra.git"]):
            subprocess.run(["git", *words], cwd=self.work, check=True, env={**os.environ, "HOME": self.home})
        env = {**self.variables, "PATH": self.variables["PATH"] + ":" + os.path.dirname(shutil.which("node"))}
        env.pop("BASH_ENV")
        done = subprocess.run([TOOLS / "node/node_modules/.bin/gitlab-ci-local", "--variable", "TOFUD_TOKEN=" + self.token, "apply"], cwd=self.work, env=env, capture_output=True, text=True, timeout=2 * PATIENCE,
                              stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        self.assertIn("PASS", done.stdout)
        self.assert_applied(artifacts=False)

    def test_jenkins(self):
        steps = re.findall(r"^ *sh '(.*)'$", (CI / "Jenkinsfile").read_text(), re.M)
        self.assertEqual(len(steps), 4)
        self.variables["PATH"] = "%s/.local/bin:%s" % (self.home, self.variables["PATH"])  # environment { PATH }
        for each in steps:
            self.step(each, shell=("sh", "-xe"), JENKINS_URL="https://ci.example.com")
        self.assert_applied()

    def test_buildkite(self):
        commands = document("buildkite.yml")["steps"][0]["commands"]
        self.step("\n".join(commands).replace("$$", "$"), shell=("bash", "-e"), BUILDKITE="true")
        self.assert_applied()

    def test_circleci(self):
        for step in document("circleci.yml")["jobs"]["apply"]["steps"]:
            if "run" in step:
                self.step(step["run"], CIRCLECI="true")
        self.assert_applied()

    def test_azure_pipelines(self):
        for step in document("azure-pipelines.yml")["steps"]:
            if "bash" in step:
                self.step(step["bash"], TF_BUILD="True")
        self.assert_applied()

    def test_atlantis(self):
        os.symlink(self.program, self.tools / "tofud")
        flow = document("atlantis.yaml")["workflows"]["default"]
        for stage in ("plan", "apply"):
            for step in flow[stage]["steps"]:
                self.step(step["run"], shell=("sh",), PLANFILE=str(self.work / "a plan"), PULL_NUM="12", USER_NAME="ada")
        self.assert_applied(artifacts=False)


class Install(unittest.TestCase):
    def test_the_lines_of_the_readme_install_a_tofud_that_works(self):
        section = (ROOT / "README.md").read_text().split("\n## Install\n", 1)[1].split("\n## ", 1)[0]
        lines = [line.strip() for line in section.splitlines() if line.startswith("    ") and not line.strip().startswith("make ")]
        self.assertTrue(any("install.sh" in line for line in lines), lines)
        home = pathlib.Path(DIST).parent / "readme-home"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        self.addCleanup(shutil.rmtree, home)
        # As root it goes to /usr/local: to one of its own.
        as_root = os.geteuid() == 0
        script = ["mount -t tmpfs tmpfs /usr/local"] if as_root else []
        script += [*lines, '"$HOME/.local/bin/tofud" --version' if not as_root else "/usr/local/bin/tofud --version"]
        done = subprocess.run([*(["unshare", "--mount"] if as_root else []), "bash", "-euc", "\n".join(script)], cwd=ROOT, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": str(home), "LC_ALL": "C.UTF-8"}, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^tofud \d")


if __name__ == "__main__":
    if not str(DIST) or not (DIST / "SHA256SUMS").exists():
        sys.exit("ci_files_test: TOFUD_DIST names no release; run `make dist-test`")
    unittest.main(verbosity=2)
