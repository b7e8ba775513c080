#!/usr/bin/python3
"""Real programs with tofud and without: `make real`.

Every command line of the table runs twice from the same directory: as it is, and below `tofud run`. Exit status, standard output, standard
error and the state afterwards are compared; ids, times and durations are masked, and the order of lines that concurrent operations print
does not count. A difference is explained by a rule of EXPLAINED, each of which stands in docs/differences.md, or it is a fault.

    TOFUD=build/release/daemon/tofud tests/real/compare.py [--seconds 900] [--only WORD] [--verbose]
"""
import argparse
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOFUD = os.path.abspath(os.environ.get("TOFUD", ROOT / "build/release/daemon/tofud"))

BASE = {"main.tf": '''
variable "size" {
  default = 2
}

resource "terraform_data" "one" {
  input = "größe ${var.size}"
}

resource "terraform_data" "many" {
  count = var.size
  input = { n = count.index, text = "a\\nb\\n", of = terraform_data.one.id }
}

output "id" {
  value = terraform_data.one.id
}

output "secret" {
  value     = "hunter2hunter2"
  sensitive = true
}
'''}
PROVISIONED = {"main.tf": '''
resource "terraform_data" "build" {
  provisioner "local-exec" {
    command = "echo first; echo second >&2; printf third"
  }
}
'''}
FAILING = {"main.tf": '''
resource "terraform_data" "fine" {
}

resource "terraform_data" "build" {
  provisioner "local-exec" {
    command = "echo about to fail; exit 3"
  }
}

resource "terraform_data" "behind" {
  input = terraform_data.build.id
}
'''}
BROKEN = {"main.tf": 'resource "terraform_data" "one" {\n  input = nope.x\n}\n'}
ASKING = {"main.tf": 'variable "name" {\n}\n\noutput "o" {\n  value = var.name\n}\n'}
TESTED = {"main.tf": 'output "o" {\n  value = 1\n}\n', "some.tftest.hcl": '''
run "good" {
  command = plan
  assert {
    condition     = output.o == 1
    error_message = "not 1"
  }
}

run "bad" {
  command = plan
  assert {
    condition     = output.o == 2
    error_message = "not 2"
  }
}
'''}
LARGE = {"main.tf": 'resource "terraform_data" "many" {\n  count = 300\n  input = count.index\n}\n'}
CHECKED = {"main.tf": 'resource "terraform_data" "one" {\n}\n\ncheck "c" {\n  assert {\n    condition     = terraform_data.one.id == "x"\n'
                      '    error_message = "not x"\n  }\n}\n'}

APPLY = ["apply", "-auto-approve"]
# name, files, what ran before (lists of words), the words, variables of the environment, what stands on standard input
TABLE = [
    ("plan", BASE, [], ["plan"], {}, ""),
    ("plan -no-color", BASE, [], ["plan", "-no-color"], {}, ""),
    ("plan -detailed-exitcode", BASE, [], ["plan", "-detailed-exitcode"], {}, ""),
    ("plan of nothing", BASE, [APPLY], ["plan", "-detailed-exitcode"], {}, ""),
    ("plan of a change", BASE, [APPLY], ["plan", "-var", "size=3"], {}, ""),
    ("plan -out", BASE, [], ["plan", "-out=p"], {}, ""),
    ("plan -destroy", BASE, [APPLY], ["plan", "-destroy"], {}, ""),
    ("plan -refresh-only", BASE, [APPLY], ["plan", "-refresh-only"], {}, ""),
    ("plan -target", BASE, [], ["plan", "-target=terraform_data.one"], {}, ""),
    ("plan -replace", BASE, [APPLY], ["plan", "-replace=terraform_data.one"], {}, ""),
    ("plan -compact-warnings", CHECKED, [APPLY], ["plan", "-compact-warnings"], {}, ""),
    ("plan with a failing check", CHECKED, [APPLY], ["plan"], {}, ""),
    ("plan of a broken configuration", BROKEN, [], ["plan"], {}, ""),
    ("plan that asks for a variable", ASKING, [], ["plan"], {}, ""),
    ("plan that is answered", ASKING, [], ["plan"], {}, "value\n"),
    ("plan -input=false without a value", ASKING, [], ["plan", "-input=false"], {}, ""),
    ("plan with an unknown flag", BASE, [], ["plan", "-nope"], {}, ""),
    ("plan with an argument", BASE, [], ["plan", "somewhere"], {}, ""),
    ("plan -json", BASE, [], ["plan", "-json"], {}, ""),
    ("plan of 300", LARGE, [], ["plan"], {}, ""),
    ("plan, TF_CLI_ARGS", BASE, [], ["plan"], {"TF_CLI_ARGS": "-no-color"}, ""),
    ("plan, TF_CLI_ARGS_plan", BASE, [], ["plan"], {"TF_CLI_ARGS_plan": "-detailed-exitcode -var size=1"}, ""),
    ("plan, a bad TF_CLI_ARGS_plan", BASE, [], ["plan"], {"TF_CLI_ARGS_plan": "-nope"}, ""),
    ("plan, TF_IN_AUTOMATION", BASE, [], ["plan"], {"TF_IN_AUTOMATION": "1"}, ""),
    ("plan, TF_INPUT=0", ASKING, [], ["plan"], {"TF_INPUT": "0"}, ""),
    ("apply -auto-approve", BASE, [], APPLY, {}, ""),
    ("apply of nothing", BASE, [APPLY], APPLY, {}, ""),
    ("apply of a saved plan", BASE, [["plan", "-out=p"]], ["apply", "p"], {}, ""),
    ("apply of a stale plan", BASE, [["plan", "-out=p"], APPLY], ["apply", "p"], {}, ""),
    ("apply of no plan file", BASE, [], ["apply", "nothing.tfplan"], {}, ""),
    ("apply -json", BASE, [], ["apply", "-json", "-auto-approve"], {}, ""),
    ("apply -json without approval", BASE, [], ["apply", "-json"], {}, ""),
    ("apply without an answer", BASE, [], ["apply"], {}, ""),
    ("apply, answered by a pipe", BASE, [], ["apply"], {}, "yes\n"),
    ("apply -input=false", BASE, [], ["apply", "-input=false"], {}, ""),
    ("apply with a provisioner", PROVISIONED, [], APPLY, {}, ""),
    ("apply that fails", FAILING, [], APPLY, {}, ""),
    ("apply that fails, saved", FAILING, [["plan", "-out=p"]], ["apply", "p"], {}, ""),
    ("apply of a broken configuration", BROKEN, [], APPLY, {}, ""),
    ("apply of 300", LARGE, [], [*APPLY, "-parallelism=30"], {}, ""),
    ("apply -refresh-only", BASE, [APPLY], ["apply", "-refresh-only", "-auto-approve"], {}, ""),
    ("apply -destroy", BASE, [APPLY], ["apply", "-destroy", "-auto-approve"], {}, ""),
    ("apply with a failing check", CHECKED, [], APPLY, {}, ""),
    ("destroy -auto-approve", BASE, [APPLY], ["destroy", "-auto-approve"], {}, ""),
    ("destroy of nothing", BASE, [], ["destroy", "-auto-approve"], {}, ""),
    ("refresh", BASE, [APPLY], ["refresh"], {}, ""),
    ("refresh -input=false", BASE, [APPLY], ["refresh", "-input=false"], {}, ""),
    ("test", TESTED, [], ["test"], {}, ""),
    ("test of nothing", BASE, [], ["test"], {}, ""),
    ("init", BASE, [], ["init"], {}, ""),
    ("init -json", BASE, [], ["init", "-json"], {}, ""),
    ("init of a broken module", {"main.tf": 'module "m" {\n  source = "./nothing"\n}\n'}, [], ["init"], {}, ""),
    ("import", BASE, [], ["import", "terraform_data.one", "an-id"], {}, ""),
    ("import of an unknown address", BASE, [], ["import", "terraform_data.zz", "an-id"], {}, ""),
    ("validate", BASE, [], ["validate"], {}, ""),
    ("validate of a broken configuration", BROKEN, [], ["validate"], {}, ""),
    ("output", BASE, [APPLY], ["output"], {}, ""),
    ("output -json", BASE, [APPLY], ["output", "-json"], {}, ""),
    ("output -raw", BASE, [APPLY], ["output", "-raw", "secret"], {}, ""),
    ("show", BASE, [APPLY], ["show"], {}, ""),
    ("state list", BASE, [APPLY], ["state", "list"], {}, ""),
    ("state pull", BASE, [APPLY], ["state", "pull"], {}, ""),
    ("taint", BASE, [APPLY], ["taint", "terraform_data.one"], {}, ""),
    ("console", BASE, [], ["console"], {}, "1 + 2\n"),
    ("fmt -check", {"main.tf": "locals{\na=1\n}\n"}, [], ["fmt", "-check"], {}, ""),
    ("workspace list", BASE, [], ["workspace", "list"], {}, ""),
    ("workspace new", BASE, [], ["workspace", "new", "w"], {}, ""),
    ("providers", BASE, [], ["providers"], {}, ""),
    ("version", BASE, [], ["version"], {}, ""),
    ("help", BASE, [], ["plan", "-help"], {}, ""),
    ("no such command", BASE, [], ["nope"], {}, ""),
    ("force-unlock", BASE, [], ["force-unlock", "-force", "1"], {}, ""),
    ("-chdir", {"sub/main.tf": BASE["main.tf"]}, [["-chdir=sub", "init"]], ["-chdir=sub", "plan"], {}, ""),
    ("-chdir, applied", {"sub/main.tf": BASE["main.tf"]}, [["-chdir=sub", "init"]], ["-chdir=sub", *APPLY], {}, ""),
    ("-chdir to nowhere", BASE, [], ["-chdir=nowhere", "plan"], {}, ""),
]
# In a terminal: what is typed at each question; "" is the end of input (Ctrl-D).
DIALOGUES = [("yes", BASE, ["apply"], ["yes"]), ("no", BASE, ["apply"], ["no"]), ("a typo", BASE, ["apply"], ["yess"]),
             ("the end of input", BASE, ["apply"], [""]), ("a variable", ASKING, ["plan"], ["a value"]),
             ("destroy, yes", BASE, ["destroy"], ["yes"])]
PIPES = [(BASE, ["plan", "-json"]), (BASE, ["apply", "-json", "-auto-approve"]), (FAILING, ["apply", "-json", "-auto-approve"]),
         (BROKEN, ["plan", "-json"]), (TESTED, ["test", "-json"]), (BASE, ["init", "-json"]), (LARGE, ["apply", "-json", "-auto-approve"]),
         ({"main.tf": 'module "m" {\n  source = "./nothing"\n}\n'}, ["init", "-json"])]


def masked(text):
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\dZ+:-]*", "TIME", text)
    text = re.sub(r'"elapsed_seconds":\d+', '"elapsed_seconds":N', text)
    return re.sub(r"after \d+m?\d*s", "after Ns", text)


def without_colours(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def lines(text):
    return sorted(masked(text).split("\n"))


def own_lines_removed(text):
    """Standard error without what tofud says of itself."""
    kept, in_report = [], False
    for line in text.split("\n"):
        if re.match(r"(\x1b\[[0-9;]*m)*(plan|apply|destroy|refresh|test|init|import|other) (succeeded|failed|interrupted|lost|unknown)\b",
                    line):
            in_report = True
        elif in_report and re.match(r"kept: ", line):
            in_report = False
        elif not in_report and not re.match(r"tofud( \d|: )", line):
            kept.append(line)
    return "\n".join(kept)


def sorted_head(text):
    """Lines of refreshing come in any order."""
    rows = masked(text).split("\n")
    end = next((i for i, row in enumerate(rows) if not re.search(r": (Re(fresh|ad)|Preparing import)", row)), len(rows))
    return sorted(rows[:end]) + rows[end:]


def body_of_apply(text):
    """The lines about operations and their end: without the plan, without colours and empty lines."""
    rows, in_plan = [], False
    for row in without_colours(masked(text)).split("\n"):
        if re.search(r"used the selected providers to generate", row) or row.startswith("No changes. "):
            in_plan = True
        row = row.replace(": (local-exec)", " (local-exec)")
        if not in_plan and row.strip() and not re.search(r": Plan to |^Plan: |: Refresh complete|: Drift detected|Provisioning errored|: \w+ errored", row):
            rows.append(row.rstrip())
        if row.startswith("Plan: ") or re.match(r"(Apply complete|Destroy complete)!|.*: (Creating|Destroying|Modifying)\.\.\.", row):
            if in_plan and not row.startswith("Plan: "):
                rows.append(row.rstrip())
            in_plan = False
    return sorted(rows)


# Why something may differ, by name: docs/differences.md says the same to people. Each gets (program, words, plain, ours) and says whether it
# explains what differs.
def in_place_of_text(program, words, plain, ours):
    """The stream of Terraform, and of OpenTofu before 1.12, takes the place of an apply's text."""
    if program.has_json_into or not ({"apply", "destroy", "refresh", "test"} & set(words)) or "-json" in words:
        return False
    errors = [[row.rstrip() for row in lines(without_colours(each["err"])) if row.strip()] for each in (plain, ours)]
    same_streams = errors[0] == errors[1]
    if "test" in words:
        return plain["status"] == ours["status"]
    gone = set(body_of_apply(plain["out"])) - set(body_of_apply(ours["out"]))
    more = set(body_of_apply(ours["out"])) - set(body_of_apply(plain["out"]))
    harmless = re.compile(r"changes? to outputs|^  [+~-] |^Changes to Outputs|Warning|^[│╷╵]|You can apply this plan|state, without changing|actual infrastructure|"
                          r"Terraform (will|planned|has)|and found no differences|infrastructure (matches|still)|Refreshing state|"
                          r"^Outputs:|^(id|o|secret) = |Local-exec|^No changes|needed|local-exec|^This is a refresh-only|actions to undo|record the", re.I)
    return same_streams and all(harmless.search(row) for row in gone | more)


def runs_again(program, words, plain, ours):
    """A plan that Terraform prompts for runs once more, untouched: an error stands there once more, in tofud's report only."""
    return "plan" in words and plain["out"] == ours["out"] and plain["status"] == ours["status"] and plain["err"] in ours["err"]


# (`show` has one more: show-refresh-only.)
EXPLAINED = {"in-place-of-text": in_place_of_text, "runs-again": runs_again}


class Program:
    def __init__(self, name):
        self.name = name
        self.path = shutil.which(name)
        printed = subprocess.run([self.path, "version"], capture_output=True, text=True, env=environment(), check=False).stdout
        self.version = printed.split("\n", 1)[0]
        number = re.search(r"v(\d+)\.(\d+)", self.version)
        self.has_json_into = self.version.startswith("OpenTofu") and number and (int(number[1]), int(number[2])) >= (1, 12)


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "TOFUD", "XDG_", "GITHUB_", "GITLAB_")) and k not in ("CI",)}
    return {**kept, "CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": "/dev/null", "LC_ALL": "C.UTF-8", "TZ": "UTC", "TOFUD_SERVER": "none",
            "TOFUD_LISTEN": "127.0.0.1:0", **more}


class Comparison:
    def __init__(self, given):
        self.given = given
        self.end = time.monotonic() + given.seconds
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tofud-real-"))
        self.counts, self.faults, self.left_out = {}, [], 0

    def wanted(self, name):
        if self.given.only and self.given.only not in name:
            return False
        if time.monotonic() > self.end:
            self.left_out += 1
            return False
        return True

    def count(self, kind, verdict):
        counts = self.counts.setdefault(kind, {"tried": 0, "same": 0, "explained": 0, "unexplained": 0})
        counts["tried"] += 1
        counts[verdict] += 1

    def explain(self, kind, reason):
        self.count(kind, "explained")
        self.counts[kind][reason] = self.counts[kind].get(reason, 0) + 1

    def fault(self, kind, name, what):
        self.count(kind, "unexplained")
        self.faults.append("%s: %s: %s" % (kind, name, what))

    def laid(self, program, files, before):
        """Two directories in the same state, one below the name of the other: paths in texts are equal."""
        base = pathlib.Path(tempfile.mkdtemp(dir=self.home))
        work = base / "plain" / "infra"
        work.mkdir(parents=True)
        for name, text in files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text)
        for words in ([["init"]] if "main.tf" in files and "nothing" not in files["main.tf"] else []) + before:
            subprocess.run([program.path, *words], cwd=work, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False)
        shutil.copytree(base / "plain", base / "ours")
        return base

    def once(self, base, which, argv, env, stdin):
        work = base / which / "infra"
        done = subprocess.run(argv, cwd=work, env=environment(TOFUD_STATE_DIR=str(base / "spools"), **env), capture_output=True, text=True,
                              errors="replace", timeout=120, check=False,
                              **({"input": stdin} if stdin else {"stdin": subprocess.DEVNULL}))
        states = sorted(work.rglob("terraform.tfstate"))
        state = [json.loads(path.read_text() or "{}") for path in states]
        for each in state:
            for member in ("serial", "lineage"):
                each.pop(member, None)
        mask = lambda text: text.replace(str(base / which), "BASE")
        return {"status": done.returncode, "out": mask(done.stdout), "err": mask(done.stderr), "state": masked(mask(json.dumps(state, sort_keys=True)))}

    def command_lines(self, program):
        kind = program.name + ", command lines"
        for name, files, before, words, env, stdin in TABLE:
            if not self.wanted(name):
                continue
            base = self.laid(program, files, before)
            plain = self.once(base, "plain", [program.path, *words], env, stdin)
            ours = self.once(base, "ours", [TOFUD, "run", "--no-listen", "--", program.path, *words], env, stdin)
            ours["err"] = own_lines_removed(ours["err"])
            if plain["status"] != ours["status"]:
                self.fault(kind, name, "status %s, with tofud %s" % (plain["status"], ours["status"]))
                continue
            # How many times a state was written is counted by Terraform by time; what is in it is not.
            if plain["state"] != ours["state"]:
                self.fault(kind, name, "the state differs")
                continue
            compare = sorted_head if "plan" in words and "-json" not in words else lines
            same = compare(plain["out"]) == compare(ours["out"]) and lines(plain["err"]) == lines(ours["err"])
            if same:
                self.count(kind, "same")
                continue
            reason = next((each for each, explains in EXPLAINED.items() if explains(program, words, plain, ours)), None)
            if reason:
                self.explain(kind, reason)
                continue
            difference = "the text differs"
            if self.given.verbose:
                difference += "\n--- plain\n%s%s\n--- with tofud\n%s%s" % (plain["out"], plain["err"], ours["out"], ours["err"])
            self.fault(kind, name, difference)

    def dialogue(self, base, which, argv, typed):
        pid, fd = pty.fork()
        if pid == 0:
            try:
                os.chdir(base / which / "infra")
                os.execvpe(argv[0], argv, environment(TOFUD_STATE_DIR=str(base / "spools"), TERM="xterm"))
            finally:
                os._exit(127)
        text, asked, end = b"", 0, time.monotonic() + 60
        answers = list(typed)
        while time.monotonic() < end:
            ready, _, _ = select.select([fd], [], [], 0.2)
            if ready:
                try:
                    piece = os.read(fd, 65536)
                except OSError:
                    break
                if not piece:
                    break
                text += piece
            questions = text.count(b"Enter a value:")
            if answers and questions > asked:
                asked = questions
                answer = answers.pop(0)
                os.write(fd, answer.encode() + b"\n" if answer else b"\x04")
        if time.monotonic() >= end:
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        os.close(fd)
        return os.waitstatus_to_exitcode(status), text.decode(errors="replace").replace(str(base / which), "BASE").replace("\r\n", "\n")

    def dialogues(self, program):
        kind = program.name + ", dialogues in a terminal"
        for name, files, words, typed in DIALOGUES:
            if not self.wanted(name):
                continue
            base = self.laid(program, files, [APPLY] if "destroy" in words else [])
            status, text = self.dialogue(base, "plain", [program.path, *words], typed)
            our_status, ours = self.dialogue(base, "ours", [TOFUD, "run", "--no-listen", "--", program.path, *words], typed)
            ours = own_lines_removed(ours.replace("\r\x1b[K\x1b7\x1b[B\x1b[J\x1b8", ""))
            plain_lines = [row for row in lines(without_colours(text)) if row.strip()]
            our_lines = [row for row in lines(without_colours(ours)) if row.strip()]
            if status != our_status:
                self.fault(kind, name, "status %s, with tofud %s" % (status, our_status))
            elif plain_lines == our_lines:
                self.count(kind, "same")
            else:
                self.fault(kind, name, "the text differs" + ("\n" + "\n".join(set(plain_lines) ^ set(our_lines)) if self.given.verbose else ""))

    def pipes(self, program):
        kind = program.name + ", pipes"
        for files, words in PIPES:
            name = " ".join(words)
            if not self.wanted(name):
                continue
            if "init" in words and program.version.startswith("OpenTofu") and not program.has_json_into:
                continue
            base = self.laid(program, files, [])
            work = base / "plain" / "infra"
            env = environment(TOFUD_STATE_DIR=str(base / "spools"))
            stream = subprocess.Popen([program.path, *words], cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            with open(base / "passed", "wb") as passed:
                tofud = subprocess.run([TOFUD, "--no-listen", "--progress", "json"], cwd=work, env=env, stdin=stream.stdout, stdout=passed,
                                       stderr=subprocess.DEVNULL, timeout=120, check=False)
            status = stream.wait()
            spool = next((base / "spools").glob("*.jsonl"))
            if bool(status) != bool(tofud.returncode):
                self.fault(kind, name, "status %s, inferred %s" % (status, tofud.returncode))
            elif spool.read_bytes() != (base / "passed").read_bytes():
                self.fault(kind, name, "what is passed on is not what came")
            else:
                self.count(kind, "same")

    def shows(self, program):
        """tofud's own rendering against the program's, to the letter."""
        kind = program.name + ", show"
        for name, files, before, words, _, _ in TABLE:
            if words[0] != "plan" or "-json" in words or "-out=p" in words or not self.wanted("show " + name) or "main.tf" not in files or files in (BROKEN, ASKING):
                continue
            base = self.laid(program, files, before)
            work = base / "plain" / "infra"
            run = lambda *argv: subprocess.run(argv, cwd=work, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if run(program.path, *words, "-out=p").returncode not in (0, 2):
                continue
            (work / "plan.json").write_text(run(program.path, "show", "-json", "p").stdout)
            (work / "schemas.json").write_text(run(program.path, "providers", "schema", "-json").stdout)
            theirs = run(program.path, "show", "-no-color", "p").stdout
            ours = run(TOFUD, "show", "plan.json", "--schemas", "schemas.json", "--color", "never").stdout
            if theirs == ours:
                self.count(kind, "same")
            elif "-refresh-only" in words and "No changes." in theirs and "No changes." in ours:
                self.explain(kind, "show-refresh-only")
            else:
                self.fault(kind, name, "the text differs" + ("\n--- theirs\n%s\n--- ours\n%s" % (theirs, ours) if self.given.verbose else ""))

    def terragrunt(self):
        """Two units below the links: the same statuses and outputs, and one group."""
        kind = "terragrunt"
        if not self.wanted(kind):
            return
        base = pathlib.Path(tempfile.mkdtemp(dir=self.home))
        program = shutil.which("tofu") or shutil.which("terraform")
        for which in ("plain", "ours"):
            for unit, needs in (("vpc", ""), ("app", 'dependencies {\n  paths = ["../vpc"]\n}\n')):
                place = base / which / "infra" / unit
                place.mkdir(parents=True)
                (place / "main.tf").write_text('resource "terraform_data" "one" {\n  input = "%s"\n}\n' % unit)
                (place / "terragrunt.hcl").write_text(needs)
        env = {"TG_TF_PATH": os.path.basename(program), "TG_NON_INTERACTIVE": "true"}
        words = ["terragrunt", "run", "--all", "apply"]
        plain = self.once(base, "plain", words, env, "")
        ours = self.once(base, "ours", [TOFUD, "run", "--no-listen", "--", *words], env, "")
        listed = subprocess.run([TOFUD, "ls", "--all", "--json"], env=environment(TOFUD_STATE_DIR=str(base / "spools")), capture_output=True, text=True,
                                check=False).stdout
        groups = set(re.findall(r'"group":"([^"]*)"', listed))
        if plain["status"] != ours["status"]:
            self.fault(kind, "run --all apply", "status %s, with tofud %s" % (plain["status"], ours["status"]))
        elif plain["state"] != ours["state"]:
            self.fault(kind, "run --all apply", "the states differ")
        elif len(groups) != 1:
            self.fault(kind, "run --all apply", "its runs are in %d groups: %s" % (len(groups), listed[:500]))
        else:
            self.count(kind, "same")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seconds", type=int, default=900)
    parser.add_argument("--only", default="", help="cases whose name has this word")
    parser.add_argument("--verbose", action="store_true", help="both texts of what differs")
    comparison = Comparison(parser.parse_args())
    absent = []
    try:
        for name in ("tofu", "terraform"):
            if not shutil.which(name):
                absent.append(name)
                continue
            program = Program(name)
            print("%s: %s" % (program.path, program.version), flush=True)
            for part in (comparison.command_lines, comparison.dialogues, comparison.pipes, comparison.shows):
                part(program)
        if shutil.which("terragrunt"):
            comparison.terragrunt()
        else:
            absent.append("terragrunt")
    finally:
        shutil.rmtree(comparison.home, ignore_errors=True)
    for kind, counts in comparison.counts.items():
        print("%-36s %s" % (kind, ", ".join("%d %s" % (number, word) for word, number in counts.items() if number)))
    for each in absent:
        print("not found, so not compared: " + each)
    if comparison.left_out:
        print("not compared, since the time was over: %d" % comparison.left_out)
    for each in comparison.faults:
        print("UNEXPLAINED " + each)
    if not comparison.counts:
        print("nothing could be compared")
    sys.exit(1 if comparison.faults else 0)


if __name__ == "__main__":
    main()
