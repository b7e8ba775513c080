"""What the programs of this folder have in common: a place in memory, processor time and memory of a process, a daemon, a stream."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/end_to_end"))
sys.dont_write_bytecode = True
from binary import TOFUD, free_port  # noqa: E402,F401

# Where each program appends what it measured, a JSON object a line, for goals.py; nothing: nowhere.
RESULTS = os.environ.get("TOFUD_BENCH_RESULTS")


def found(name, value, unit="", of=""):
    """`of`: the program, where it is a rival's."""
    print("%-58s %14s %s" % (name + (" (%s)" % of if of else ""), "%.4g" % value if value < 1e6 else "%.0f" % value, unit), flush=True)
    if RESULTS:
        with open(RESULTS, "a") as to:
            to.write(json.dumps({"name": name, "of": of, "value": value, "unit": unit}) + "\n")


def used(pid):
    """Seconds of processor time of a process so far."""
    with open("/proc/%d/stat" % pid) as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid, field="VmRSS"):
    """Bytes."""
    with open("/proc/%d/status" % pid) as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field + ":"))


def run(command, env, stdin=None):
    """(seconds of processor time, most bytes of memory, seconds) of a program and all that it waits for. Linux counts the memory of who
    starts it as its own, until it is started."""
    with open(stdin or os.devnull, "rb") as source, open(os.devnull, "wb") as nothing:
        began = time.monotonic()
        process = subprocess.Popen(command, stdin=source, stdout=nothing, stderr=nothing, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (command, process.returncode)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, time.monotonic() - began


class Room:
    """A folder in memory that goes with the program."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="tofud-bench-", dir="/dev/shm")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def env(self, **more):
        home = tempfile.mkdtemp(dir=self.path)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "TOFUD_"))}
        return {**kept, "HOME": home, "XDG_STATE_HOME": home, "XDG_RUNTIME_DIR": home, "TOFUD_SERVER": "none", **more}

    def stream(self, resources, provision_lines=3):
        path = os.path.join(self.path, "stream-%d-%d.jsonl" % (resources, provision_lines))
        if not os.path.exists(path):
            with open(path, "wb") as to:
                subprocess.run([sys.executable, str(ROOT / "tests/tools/gen_stream.py"), "--resources", str(resources), "--modules", "50",
                                "--provision-lines", str(provision_lines)], stdout=to, check=True)
        return path


class Daemon:
    """`tofud serve` on a folder, which may have been another daemon's."""

    def __init__(self, room, directory, *options):
        self.turns = os.path.join(room.path, "turns")
        self.env = room.env(TOFUD_LONG_TURNS=self.turns)
        self.port = free_port()
        self.url = "http://127.0.0.1:%d" % self.port
        began = time.monotonic()
        self.process = subprocess.Popen([TOFUD, "serve", "--listen", "127.0.0.1:%d" % self.port, "--socket", "", "--state-dir", directory, *options],
                                        env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process.stdout.readline()
        self.started_in = time.monotonic() - began
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def get(self, path):
        with urllib.request.urlopen(self.url + path) as answer:
            return answer.read()

    def upload(self, path):
        return json.loads(subprocess.run(["curl", "-sS", "-f", "-T", path, self.url + "/v1/runs"], check=True, env=self.env, capture_output=True).stdout)

    def settle(self):
        """Until it does nothing any more."""
        before = used(self.pid)
        while True:
            time.sleep(1.5)
            now = used(self.pid)
            if now - before < 0.03:
                return
            before = now

    def rows(self, run, until=b'"live":true}'):
        """(seconds until a new subscriber of a run has all rows, bytes): by a socket, since what reads them must cost nothing."""
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.port)) as subscriber:
            subscriber.sendall(b"GET /v1/stream?run=%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: application/x-ndjson\r\n\r\n" % (run.encode(), self.port))
            room, tail, total = bytearray(1 << 20), b"", 0
            while until not in tail:
                count = subscriber.recv_into(room)
                assert count > 0, tail
                total += count
                tail = (tail + bytes(room[max(0, count - 4096):count]))[-4096:]
        return time.monotonic() - began, total

    def longest_turn(self):
        """(milliseconds of processor time, what the loop did) of the longest turn since the last time; only those over
        limits::turn_budget are known."""
        try:
            with open(self.turns) as lines:
                longest = max((line.split(" ", 1) for line in lines), key=lambda each: int(each[0]), default=("0", ""))
            os.unlink(self.turns)
        except FileNotFoundError:
            return 0, ""
        return int(longest[0]), longest[1].strip()
