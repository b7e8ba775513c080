#!/usr/bin/python3
"""Records what the Terraform of this machine prints for each plan of this folder: once as text, once as a stream with `show`.

    tests/plan_texts/record.py [NAME...]

A folder holds main.tf, perhaps before/ (what is applied first, with what lies beside it), and case.json: the words behind `plan`,
variables of the environment. Written beside them: stdout.txt, stderr.txt and status of `terraform plan WORDS`; stream.jsonl of
`terraform plan -json WORDS`, shown.txt and plan.json of `terraform show` of its plan file; schemas.json is what `providers schema` says. Both start from one state, so ids are equal.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
OWN = ("case.json", "before", "stdout.txt", "stderr.txt", "status", "stream.jsonl", "shown.txt", "plan.json")


def terraform(words, directory, extra, outputs=subprocess.DEVNULL, errors=subprocess.DEVNULL):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TF_")}
    return subprocess.run(["terraform", *words], cwd=directory, stdin=subprocess.DEVNULL, stdout=outputs, stderr=errors, check=False,
                          env={**kept, "CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": "/dev/null", "LC_ALL": "C.UTF-8", **extra})


def lay(case, directory, extra):
    """The directory as it is right before the plan."""
    before = case / "before"
    if before.is_dir():
        shutil.copytree(before, directory, dirs_exist_ok=True)
        terraform(["init"], directory, extra)
        if terraform(["apply", "-auto-approve"], directory, extra).returncode:
            sys.exit("%s: what comes before it can't be applied" % case.name)
        for each in before.iterdir():
            (directory / each.name).unlink()
    for each in case.iterdir():
        if each.name not in OWN:
            (shutil.copytree if each.is_dir() else shutil.copy)(each, directory / each.name)
    terraform(["init"], directory, extra)


def record(case):
    told = json.loads((case / "case.json").read_text()) if (case / "case.json").exists() else {}
    words, extra = told.get("words", []), told.get("env", {})
    with tempfile.TemporaryDirectory() as place:
        directory = pathlib.Path(place) / "infra"
        directory.mkdir()
        lay(case, directory, extra)
        with open(case / "stdout.txt", "wb") as out, open(case / "stderr.txt", "wb") as err:
            status = terraform(["plan", *words], directory, extra, out, err).returncode
        (case / "status").write_text("%d\n" % status)
        file = next((word.split("=", 1)[1] for word in words if word.startswith("-out=")), "our.tfplan")
        with open(case / "stream.jsonl", "wb") as out:
            terraform(["plan", "-json", *words, "-out=" + file], directory, extra, out)
        with open(case / "plan.json", "wb") as out:
            terraform(["show", "-json", file], directory, extra, out)
        with open(case / "shown.txt", "wb") as out:
            terraform(["show", *(["-no-color"] if "-no-color" in str(told) else []), file], directory, extra, out)
    print("%-32s %d" % (case.name, status))


if __name__ == "__main__":
    names = sys.argv[1:]
    for case in sorted(HERE.iterdir()):
        if (case / "main.tf").exists() and (not names or case.name in names):
            record(case)
    with tempfile.TemporaryDirectory() as place, open(HERE / "schemas.json", "wb") as out:
        pathlib.Path(place, "main.tf").write_text('resource "terraform_data" "one" {\n}\n')
        terraform(["init"], place, {})
        terraform(["providers", "schema", "-json"], place, {}, out)
