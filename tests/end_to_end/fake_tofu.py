#!/usr/bin/python3
"""Stands in for OpenTofu of any age, or Terraform, in the tests of `tofud run`.

Does what they do at the places that tofud touches: `version`, -json and -json-into, the approval prompt, signals, exit status.
What it prints as a stream is a recording. Told by the environment:

    FAKE_VERSION   "OpenTofu v1.12.6" (default), "OpenTofu v1.10.0", "Terraform v1.9.8", …; "" prints none
    FAKE_STREAM    the recorded stream (its lines go out one by one)
    FAKE_PAUSE     seconds between two lines
    FAKE_HOLD      a path: stops before the last line until that file is there
    FAKE_STOP      seconds that it takes to stop once interrupted
    FAKE_STATUS    exit status (0)
    FAKE_KILL      ends by that signal instead
    FAKE_PLAN      what a plan writes into the file of -out
    FAKE_REPORT    a path: what happened, as JSON: pid, argv, signals (numbers, in order), ended, state
"""
import contextlib
import itertools
import json
import os
import re
import signal
import sys
import time

INTERRUPT = {"@level": "info", "@message": "\nInterrupt received.\nPlease wait for OpenTofu to exit or data loss may occur.\nGracefully "
             "shutting down...\n", "@module": "tofu.ui", "@timestamp": "2026-11-21T03:12:00.000000Z", "type": "log"}
version = os.environ.get("FAKE_VERSION", "OpenTofu v1.12.6")
words = [word for word in sys.argv[1:]]
subcommand = next((word for word in words if not word.startswith("-")), "")
added = os.environ.get("TF_CLI_ARGS", "").split() + os.environ.get("TF_CLI_ARGS_" + subcommand, "").split()
words += added

if "version" in (subcommand, *words):
    if version:
        print(version + "\non linux_amd64")
    sys.exit(0)
if subcommand not in ("plan", "apply", "destroy", "refresh", "test", "init", "import"):
    sys.stdout.write("fake output of %s\n" % " ".join(words))
    sys.exit(int(os.environ.get("FAKE_STATUS", "0")))

report = {"pid": os.getpid(), "argv": sys.argv[1:], "signals": [], "ended": False, "state": 0, "path": os.environ.get("PATH"),
          "ignored": [number for number in range(1, 32) if signal.getsignal(number) == signal.SIG_IGN],
          "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, []))}


saves = itertools.count()


def save():
    path = os.environ.get("FAKE_REPORT")
    if path:
        made = "%s.%d" % (path, next(saves))
        with open(made, "w") as file:
            json.dump(report, file)
        os.rename(made, path)


into = None
json_view = False
for word in words:
    if word.startswith("-json-into="):
        number = re.match(r"OpenTofu v1\.(\d+)", version)
        if not number or int(number.group(1)) < 12:
            sys.exit("Error: flag provided but not defined: -json-into")
        place = word.split("=", 1)[1]
        chdir = next((w.split("=", 1)[1] for w in words if w.startswith("-chdir=")), ".")
        into = os.open(os.path.join(chdir, place), os.O_TRUNC | os.O_WRONLY | os.O_CREAT, 0o600)
    elif word == "-json":
        json_view = True
if json_view and into is not None:
    sys.exit("Error: -json and -json-into exclude each other")


def say(text):
    os.write(1, text.encode())  # a signal may come at any moment, and its handler says something too


def emit(line):
    """A line of the stream; people see a line of text."""
    if into is not None:
        with contextlib.suppress(OSError):  # a full disk: OpenTofu goes on without a word
            os.write(into, line)
    if json_view:
        os.write(1, line)
    elif line.strip() and not ("-concise" in words and re.search(b'"type":"(apply|provision)_', line)):
        say("human: " + json.loads(line).get("@message", "").replace("\n", " ") + "\n")


interrupts = 0


def interrupted(number, _):
    global interrupts
    report["signals"].append(number)
    save()
    interrupts += 1
    if interrupts == 1:
        emit((json.dumps(INTERRUPT) + "\n").encode())
    else:
        os._exit(1)  # as OpenTofu: two interrupts, no state


signal.signal(signal.SIGINT, interrupted)
signal.signal(signal.SIGTERM, interrupted)
save()

lines = []
if os.environ.get("FAKE_STREAM"):
    with open(os.environ["FAKE_STREAM"], "rb") as stream:
        lines = stream.read().splitlines(keepends=True)
pause = float(os.environ.get("FAKE_PAUSE", "0"))
hold = os.environ.get("FAKE_HOLD")
planned = '"type":"change_summary"'
needs_approval = subcommand in ("apply", "destroy") and not any(
    word == "-auto-approve" or word == "-input=false" for word in words) and not any(
    word.endswith(".tfplan") for word in words)
if needs_approval and json_view:
    emit((json.dumps({"@level": "error", "@message": "Error: Plan file or auto-approve required", "@module": "tofu.ui",
                      "@timestamp": "2026-11-21T03:12:00.000000Z", "type": "diagnostic",
                      "diagnostic": {"severity": "error", "summary": "Plan file or auto-approve required",
                                     "detail": "Terraform cannot ask for interactive approval when -json is set."}}) + "\n").encode())
    sys.exit(1)
for i, line in enumerate(lines):
    if needs_approval and b'"type":"apply_start"' in line:
        needs_approval = False
        say("\n  Enter a value: ")
        if sys.stdin.readline().strip() != "yes":
            cancelled = {"@level": "info", "@message": "Apply cancelled", "@module": "tofu.ui",
                         "@timestamp": "2026-11-21T03:12:01.000000Z", "type": "log"}
            emit((json.dumps(cancelled) + "\n").encode())
            report["ended"] = True
            save()
            sys.exit(1)
    if hold and i == len(lines) - 1:
        while not os.path.exists(hold):
            time.sleep(0.005)
            if interrupts:
                break
    emit(line)
    if interrupts:
        break
    time.sleep(pause)
if interrupts:
    time.sleep(float(os.environ.get("FAKE_STOP", "0")))
if os.environ.get("FAKE_PLAN") and subcommand == "plan" and not interrupts:
    chdir = next((w.split("=", 1)[1] for w in words if w.startswith("-chdir=")), ".")
    for word in words:
        if word.startswith("-out="):
            with open(os.path.join(chdir, word.split("=", 1)[1]), "w") as file:
                file.write(os.environ["FAKE_PLAN"])
report["state"] = 1
report["ended"] = True
save()
if os.environ.get("FAKE_KILL"):
    number = int(os.environ["FAKE_KILL"])
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
sys.exit(1 if interrupts else int(os.environ.get("FAKE_STATUS", "0")))
