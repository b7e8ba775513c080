#!/usr/bin/python3
"""Stands in for Terraform 1.11.4: prints what it printed for the recorded plan in FAKE_CASE, and shows a plan file it has written.

    FAKE_CASE       a folder of tests/plan_texts
    FAKE_CALLS      a file that gets a line for each call: its words, as JSON
    FAKE_UNWRITTEN  set: the plan file of -out can't be written
    FAKE_SHOW       an exit status of `show` that prints nothing
    FAKE_HOLD       a path: the plan waits until that file is there
"""
import json
import os
import pathlib
import sys
import time

CASE = pathlib.Path(os.environ["FAKE_CASE"])
words = sys.argv[1:]
with open(os.environ["FAKE_CALLS"], "a") as calls:
    calls.write(json.dumps(words) + "\n")


def copy(name, to):
    to.buffer.write((CASE / name).read_bytes())
    to.flush()


def message(**more):
    print(json.dumps({"@level": "error", "@module": "terraform.ui", "@timestamp": "2026-11-25T03:12:00.000000Z", **more}))


if "version" in words:
    print("Terraform v1.11.4\non linux_amd64")
elif "show" in words:
    if "FAKE_SHOW" in os.environ:
        sys.exit(int(os.environ["FAKE_SHOW"]))
    with open(words[-1]) as file:
        if file.read() != "a plan of " + CASE.name:
            sys.exit("Error: %s is no plan file" % words[-1])
    copy("shown.txt", sys.stdout)
elif "-json" in words:
    status = int((CASE / "status").read_text())
    out = next((word.split("=", 1)[1] for word in words if word.startswith("-out=")), "")
    if "FAKE_UNWRITTEN" in os.environ:
        message(**{"@message": "Error: Failed to write plan file", "type": "diagnostic", "diagnostic": {
            "severity": "error", "summary": "Failed to write plan file",
            "detail": "The plan file could not be written: open %s: no such file or directory." % out}})
        sys.exit(1)
    copy("stream.jsonl", sys.stdout)
    # A test that is over takes its directory along.
    while "FAKE_HOLD" in os.environ and os.path.isdir(os.path.dirname(os.environ["FAKE_HOLD"])) and not os.path.exists(os.environ["FAKE_HOLD"]):
        time.sleep(0.01)
    if out:
        with open(out, "w") as file:
            file.write("a plan of " + CASE.name)
    sys.exit(status)
else:
    copy("stdout.txt", sys.stdout)
    copy("stderr.txt", sys.stderr)
    sys.exit(int((CASE / "status").read_text()))
