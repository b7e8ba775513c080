#!/usr/bin/python3
"""How long a daemon takes to start that has many ended runs.

    tests/bench/starts.py [--runs 1000 10000]

TOFUD names the program; the journal lies in memory (/dev/shm)."""
import argparse
import json
import os
import pathlib
import shutil
import statistics

from room import Daemon, Room, found

from binary import recorded


def fill(directory, runs):
    """A journal with copies of one run, which get ids of their own."""
    one = next((pathlib.Path(directory) / "daemon/runs").iterdir())
    header = json.loads((one / "header.json").read_text())
    for number in range(1, runs):
        name = "20260101T%02d%02d-%04x" % (number // 60 % 24, number % 60, number)
        shutil.copytree(one, one.parent / name)
        (one.parent / name / "header.json").write_text(json.dumps({**header, "id": name}) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=[1000, 10000])
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    for runs in asked.runs:
        with Room() as room:
            directory = os.path.join(room.path, "state")
            stream = os.path.join(room.path, "stream.jsonl")
            with open(stream, "wb") as to:
                to.write(recorded("apply-create-mixed"))
            with Daemon(room, directory) as daemon:
                daemon.upload(stream)
                daemon.settle()
                daemon.stop()
            fill(directory, runs)
            with Daemon(room, directory) as daemon:  # reads them into its index
                daemon.settle()
                listed = len(json.loads(daemon.get("/v1/runs?limit=200"))["runs"])
                assert listed == 200, listed
                daemon.stop()
            took = []
            for _ in range(asked.repeats):
                with Daemon(room, directory) as daemon:
                    took.append(1000 * daemon.started_in)
                    daemon.stop()
            found("start with %d ended runs" % runs, statistics.median(took), "ms")


if __name__ == "__main__":
    main()
