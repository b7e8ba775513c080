#!/usr/bin/python3
"""`tofud show` of a plan of 100 MB, beside jq, which only reads it.

    tests/bench/large_plan.py [--megabytes 100]

TOFUD names the program; the plan lies in memory (/dev/shm)."""
import argparse
import concurrent.futures
import json
import os
import shutil
import statistics

from room import ROOT, TOFUD, Room, found, run


def plan_of(size):
    """A recorded plan, its resources many times under other addresses."""
    plan = json.loads((ROOT / "tests/recordings/apply-create-mixed/plan.json").read_text())
    changes = plan["resource_changes"]
    plan["resource_changes"] = []
    room, number = size - len(json.dumps(plan)), 0
    while room > 0:
        for change in changes:
            module = "module.copy_%d" % number
            copy = {**change, "address": module + "." + change["address"], "module_address": module}
            plan["resource_changes"].append(copy)
            room -= len(json.dumps(copy)) + 2
        number += 1
    return json.dumps(plan)


def write(path, size):
    with open(path, "w") as to:
        to.write(plan_of(size))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    with Room() as room:
        path = os.path.join(room.path, "plan.json")
        with concurrent.futures.ProcessPoolExecutor(1) as other:  # this one stays small: see run()
            other.submit(write, path, asked.megabytes * 1000000).result()
        size = os.path.getsize(path)
        ours = [run([TOFUD, "show", path], room.env()) for _ in range(asked.repeats)]
        found("plan of 100 MB, tofud show", statistics.median(seconds for _, _, seconds in ours), "s")
        found("plan of 100 MB, memory beside its size", max(memory for _, memory, _ in ours) / size, "x")
        if shutil.which("jq"):
            found("plan of 100 MB, tofud show", statistics.median(run(["jq", "-c", ".type", path], room.env())[2] for _ in range(asked.repeats)), "s", "jq -c .type")


if __name__ == "__main__":
    main()
