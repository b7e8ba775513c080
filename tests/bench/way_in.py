#!/usr/bin/python3
"""The way in: lines per second of processor time through a pipe and into a daemon, beside programs that only read JSON, in one run on one machine.

    tests/bench/way_in.py [--resources 100000] [--repeats 3]

Streams, spool and journal lie in memory (/dev/shm). TOFUD names the program. Without `go` or `jq` their rows are left out.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/end_to_end"))
sys.dont_write_bytecode = True
from binary import TOFUD, free_port  # noqa: E402

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


def cpu_of(command, stream, env):
    """Seconds of processor time of a program and all that it waits for."""
    with open(stream, "rb") as source, open(os.devnull, "wb") as nothing:
        process = subprocess.Popen(command, stdin=source, stdout=nothing, stderr=nothing, env=env)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (command, process.returncode)
    return used.ru_utime + used.ru_stime


def cpu_of_process(pid):
    with open("/proc/%d/stat" % pid) as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Room:
    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="tofud-way-in-", dir="/dev/shm")

    def env(self):
        home = tempfile.mkdtemp(dir=self.path)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "TOFUD_"))}
        return {**kept, "HOME": home, "XDG_STATE_HOME": home, "XDG_RUNTIME_DIR": home, "TOFUD_SERVER": "none"}

    def file(self, name, text):
        path = os.path.join(self.path, name)
        with open(path, "w") as file:
            file.write(text)
        return path


def pipe(room, stream):
    env = room.env()
    used = cpu_of([TOFUD], stream, env)
    shutil.rmtree(env["HOME"])
    return used


def serve(room, stream):
    """(until the upload is answered, what comes after: durations, compression)."""
    env, url = room.env(), "127.0.0.1:%d" % free_port()
    daemon = subprocess.Popen([TOFUD, "serve", "--listen", url, "--socket", "", "--state-dir", env["HOME"] + "/d"], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        daemon.stdout.readline()
        begun = cpu_of_process(daemon.pid)
        subprocess.run(["curl", "-sS", "-f", "-T", stream, "-o", os.devnull, "http://%s/v1/runs" % url], check=True, env=env)
        answered = cpu_of_process(daemon.pid)
        before = answered
        while True:
            time.sleep(2)
            now = cpu_of_process(daemon.pid)
            if now - before < 0.05:
                return answered - begun, now - answered
            before = now
    finally:
        daemon.kill()
        daemon.wait()
        shutil.rmtree(env["HOME"], ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resources", type=int, default=100000)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    room = Room()
    try:
        stream = os.path.join(room.path, "stream.jsonl")
        with open(stream, "wb") as to:
            subprocess.run([sys.executable, str(ROOT / "tests/tools/gen_stream.py"), "--resources", str(asked.resources), "--modules", "50", "--provision-lines", "3"], stdout=to, check=True)
        with open(stream, "rb") as source:
            lines = sum(1 for _ in source)
        rivals = {}
        if shutil.which("jq"):
            rivals["jq -c .type"] = ["jq", "-c", ".type"]
        if shutil.which("go"):
            source = room.file("loop.go", GO)
            subprocess.run(["go", "build", "-o", room.path + "/loop", source], check=True, env={**os.environ, "GOCACHE": room.path + "/go", "GO111MODULE": "off"})
            rivals["Go encoding/json"] = [room.path + "/loop"]
        taken = {name: [] for name in ("a pipe", "tofud serve", "after its end", *rivals)}
        for _ in range(asked.repeats):
            taken["a pipe"].append(pipe(room, stream))
            ingest, after = serve(room, stream)
            taken["tofud serve"].append(ingest)
            taken["after its end"].append(after)
            for name, command in rivals.items():
                taken[name].append(cpu_of(command, stream, room.env()))
        print("%d lines, %.0f MB, %d processors, medians of %d" % (lines, os.path.getsize(stream) / 1e6, os.cpu_count(), asked.repeats))
        seconds = {name: statistics.median(each) for name, each in taken.items()}
        for name, used in seconds.items():
            rate = "%5.2f M lines a second of CPU" % (lines / used / 1e6) if name != "after its end" else ""
            print("%-18s %6.2f s  %s" % (name, used, rate))
        for name in rivals:
            print("a pipe is %.1f × %s" % (seconds[name] / seconds["a pipe"], name))
    finally:
        shutil.rmtree(room.path)


if __name__ == "__main__":
    main()
