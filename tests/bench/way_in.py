#!/usr/bin/python3
"""The way in: lines per second of processor time through a pipe and into a daemon, beside programs that only read JSON, in one run on one machine.

    tests/bench/way_in.py [--resources 100000] [--repeats 3]

Streams, spool and journal lie in memory (/dev/shm). TOFUD names the program. Without `go` or `jq` their rows are left out.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import tempfile

from room import TOFUD, Daemon, Room, found, run, used

# Of the members that a correlator needs: https://pkg.go.dev/encoding/json
GO = """package main

import (
	"bufio"
	"encoding/json"
	"os"
)

type message struct {
	Type string `json:"type"`
	Text string `json:"@message"`
	Hook *struct {
		Action   string `json:"action"`
		Resource struct {
			Addr string `json:"addr"`
		} `json:"resource"`
	} `json:"hook"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<20)
	for lines.Scan() {
		var m message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			panic(err)
		}
	}
}
"""


def pipe(room, stream):
    env = room.env()
    taken, *_ = run([TOFUD], env, stream)
    shutil.rmtree(env["HOME"])
    return taken


def serve(room, stream):
    """(until the upload is answered, what comes after: durations, compression, kept rows)."""
    with Daemon(room, tempfile.mkdtemp(dir=room.path)) as daemon:
        begun = used(daemon.pid)
        daemon.upload(stream)
        answered = used(daemon.pid)
        daemon.settle()
        return answered - begun, used(daemon.pid) - answered


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resources", type=int, default=100000)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    with Room() as room:
        stream = room.stream(asked.resources)
        with open(stream, "rb") as source:
            lines = sum(1 for _ in source)
        rivals = {}
        if shutil.which("jq"):
            rivals["jq -c .type"] = ["jq", "-c", ".type"]
        if shutil.which("go"):
            source = os.path.join(room.path, "loop.go")
            with open(source, "w") as to:
                to.write(GO)
            subprocess.run(["go", "build", "-o", room.path + "/loop", source], check=True, env={**os.environ, "GOCACHE": room.path + "/go", "GO111MODULE": "off"})
            rivals["Go encoding/json"] = [room.path + "/loop"]
        print("%d lines, %.0f MB, %d processors, medians of %d" % (lines, os.path.getsize(stream) / 1e6, os.cpu_count(), asked.repeats))
        taken = {name: [] for name in ("pipe", "serve", "after", *rivals)}
        for _ in range(asked.repeats):
            taken["pipe"].append(pipe(room, stream))
            ingest, after = serve(room, stream)
            taken["serve"].append(ingest)
            taken["after"].append(after)
            for name, command in rivals.items():
                taken[name].append(run(command, room.env(), stream)[0])
        seconds = {name: statistics.median(each) for name, each in taken.items()}
        found("pipe, lines a second of processor time", lines / seconds["pipe"])
        for name in rivals:
            found("pipe, lines a second of processor time", lines / seconds[name], of=name)
        found("serve, lines a second of processor time", lines / seconds["serve"])
        found("serve, processor time after an upload's end", seconds["after"], "s")


if __name__ == "__main__":
    main()
