#!/usr/bin/python3
"""How long tofud takes to build: cold, after one change, after a change in the header that most sources include.

    build.py [--jobs 2] [--cold-tests]     in build/bench, without ccache; nothing else should run

Prints seconds of wall time and of the processor, and the limits of decision 0037 beside them.
"""
import argparse
import collections
import os
import pathlib
import resource
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "bench"
ENVIRONMENT = {**os.environ, "CCACHE_DISABLE": "1"}


def run(*words, cwd=ROOT):
    subprocess.run(words, cwd=cwd, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)


def timed(*words, cwd=ROOT):
    """Wall and processor seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run(*words, cwd=cwd)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def say(what, took, limit=""):
    wall, cpu = took
    print(f"{what:<62} {wall:7.1f} s {cpu:8.1f} CPU-s   {limit}", flush=True)


def configure(preset, *options):
    folder = FOLDER / preset
    shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "--preset", preset, "-B", str(folder), *options)
    return folder


def build(folder, jobs, *targets):
    return timed("ninja", "-C", str(folder), "-j", str(jobs), *targets)


def slowest(folder, count):
    """Objects of sources and batches by how long they took, as ninja noted it."""
    took = {}
    for line in (folder / ".ninja_log").read_text().splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        if output.endswith((".cpp.o", ".cxx.o")) and output.startswith(("protocol/", "daemon/")):
            took[output] = (int(end) - int(begin)) / 1000
    return sorted(took.items(), key=lambda each: -each[1])[:count]


def source_of(folder, output):
    """The first one, of a batch."""
    said = subprocess.run(["ninja", "-C", str(folder), "-t", "deps", output], check=True, capture_output=True, text=True).stdout
    files = [(folder / line.strip()).resolve() for line in said.splitlines()[1:]]
    return next(file for file in files if file.suffix == ".cpp" and not file.is_relative_to(FOLDER))


def most_included(folder):
    said = subprocess.run(["ninja", "-C", str(folder), "-t", "deps"], check=True, capture_output=True, text=True).stdout
    counts = collections.Counter((folder / line.strip()).resolve() for line in said.splitlines() if line.startswith("    "))
    own = [(path, count) for path, count in counts.most_common()
           if path.suffix == ".hpp" and path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "build") and "precompiled" not in path.name]
    return own[0]


def after_touching(path, folder, jobs):
    os.utime(path)
    return build(folder, jobs, "tofud")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--cold-tests", action="store_true", help="all of the preset dev as well, which takes long")
    given = arguments.parse_args()

    release = configure("release", "-DTOFUD_TESTS=OFF", "-DTOFUD_BENCH=OFF")
    say("release: the program, cold (make demo)", build(release, given.jobs, "tofud"), "240 s")
    dev = configure("dev")
    say("dev: the program, cold", build(dev, given.jobs, "tofud"))
    for output, _ in slowest(dev, 5):
        source = source_of(dev, output)
        say(f"dev: {source.relative_to(ROOT)} changed", after_touching(source, dev, given.jobs), "15 s")
    header, count = most_included(dev)
    say(f"dev: {header.relative_to(ROOT)} changed (in {count} objects)", after_touching(header, dev, given.jobs), "120 s")
    if given.cold_tests:
        dev = configure("dev")
        say("dev: everything, cold (make test)", build(dev, given.jobs), "720 s")
    shutil.rmtree(FOLDER)


main()
