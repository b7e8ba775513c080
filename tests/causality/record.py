#!/usr/bin/python3
"""Records the applies of scenarios.py: streams, plans, states and configurations, and what the program itself knows of their order.

    record.py [--program terraform] [--only NAME…]
    record.py --random FROM TO --into FOLDER        more configurations made at random, to look for differences: TOFUD_CAUSALITY=FOLDER causality_tests

Of the program's own log (TF_LOG=trace) `oracle.json` keeps its final graph (vertex: type, what it waits for), and the lines that tell of waiting and of what is skipped.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import scenarios

HERE = pathlib.Path(__file__).resolve().parent
GRAPH = re.compile(r"with new graph:$")
VERTEX = re.compile(r"^  (\S.*) - \*\w+\.(\w+)$")
NEEDS = re.compile(r"^    (\S.*) - \*\w+\.(\w+)$")
WAITS = re.compile(r'^(\S+) \[\w+\]\s+(?:dag/walk: )?vertex "(.*)" is waiting for "(.*)"$')
SKIPS = re.compile(r'(?:dag/walk: )?upstream of "(.*)" errored, so skipping$')


def unquoted(text):
    """As Go's %q has it."""
    return json.loads('"%s"' % text)


def oracle(log):
    """The graph before the walk of the apply, and lines of that walk."""
    graph, last, walking, waits, skips = None, None, False, [], []
    for line in log.splitlines():
        if graph is not None:
            if line.strip() == "------":
                last, graph = graph, None
            elif vertex := VERTEX.match(line):
                graph[vertex.group(1)] = [vertex.group(2), []]
                name = vertex.group(1)
            elif needs := NEEDS.match(line):
                graph[name][1].append(needs.group(1))
            continue
        if GRAPH.search(line):
            graph = {}
        elif re.search(r"Starting graph walk: walk(Apply|Destroy)", line):
            walking, found = True, last
        elif walking and (skip := SKIPS.search(line)):
            skips.append(unquoted(skip.group(1)))
        elif walking and (wait := WAITS.search(line)):
            waits.append([wait.group(1), unquoted(wait.group(2)), unquoted(wait.group(3))])
    return {"graph": {name: [kind, sorted(needs)] for name, (kind, needs) in sorted(found.items())}, "waits": waits, "skips": sorted(set(skips))}


def slimmed(state):
    """A state without what its attributes say."""
    document = json.loads(state)
    for resource in document.get("resources", ()):
        for instance in resource["instances"]:
            instance["attributes"] = {"id": "x"}
            instance.pop("sensitive_attributes", None)
    document.pop("outputs", None)
    document["lineage"] = "x"
    return json.dumps(document, separators=(",", ":")) + "\n"


def slim_plan(plan):
    document = json.loads(plan)
    document.pop("planned_values", None)
    document.pop("relevant_attributes", None)
    return json.dumps(document, separators=(",", ":")) + "\n"


def record(program, name, steps, into):
    folder = into / name
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        env = {**os.environ, "TF_CLI_CONFIG_FILE": "/dev/null", "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1"}

        def run(*args, status=(0,), **more):
            done = subprocess.run([program, *args], cwd=place, env={**env, **more}, capture_output=True, text=True, timeout=300)
            if done.returncode not in status:
                raise RuntimeError("%s: %s: %s%s" % (name, args, done.stdout, done.stderr))
            return done

        for at, (files, plan, apply) in enumerate(steps):
            for old in place.rglob("*.tf*"):
                if old.is_file() and "terraform.tfstate" not in old.name and ".terraform" not in old.parts:
                    old.unlink()
            for path, text in files.items():
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                (place / path).write_text(text)
            run("init", "-no-color")
            before = (place / "terraform.tfstate").read_text() if (place / "terraform.tfstate").exists() else None
            run("plan", "-out=planfile", *plan)
            if at + 1 < len(steps):
                run("apply", "-json", *apply, "planfile", status=(0, 1))
                continue
            shown = run("show", "-json", "planfile").stdout
            done = run("apply", "-json", *apply, "planfile", status=(0, 1), TF_LOG="trace", TF_LOG_PATH=str(place / "log"))
            shutil.rmtree(folder, ignore_errors=True)
            for path, text in files.items():
                (folder / "config" / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / "config" / path).write_text(text)
            manifest = place / ".terraform/modules/modules.json"
            if manifest.exists():
                (folder / "config/.terraform/modules").mkdir(parents=True)
                shutil.copy(manifest, folder / "config/.terraform/modules")
            (folder / "stream.jsonl").write_text(done.stdout)
            (folder / "plan.json").write_text(slim_plan(shown))
            if before:
                (folder / "state.json").write_text(slimmed(before))
            told = oracle((place / "log").read_text())
            (folder / "oracle.json").write_text("{\"graph\":{\n" + ",\n".join(json.dumps(vertex) + ":" + json.dumps(rest, separators=(",", ":")) for vertex, rest in told["graph"].items()) +
                                                "},\n\"waits\":%s,\n\"skips\":%s}\n" % (json.dumps(told["waits"]), json.dumps(told["skips"])))
            print("%-28s status %d, %3d vertices, %2d waits, %2d skips" % (name, done.returncode, len(told["graph"]), len(told["waits"]), len(told["skips"])), flush=True)


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("--program", default="terraform")
    words.add_argument("--only", nargs="*")
    words.add_argument("--random", nargs=2, type=int)
    words.add_argument("--into", type=pathlib.Path, default=HERE / "recordings")
    given = words.parse_args()
    wanted = {"random-%d" % seed: scenarios.at_random(seed) for seed in range(*given.random)} if given.random else scenarios.SCENARIOS
    for name, steps in wanted.items():
        if not given.only or name in given.only:
            try:
                record(given.program, name, steps, given.into)
            except RuntimeError as failure:  # some that are made at random are a cycle to the program
                print(str(failure)[:300], flush=True)
