"""The real tofud, its recordings and its subscribers, for the tests in this folder.

TOFUD names the binary (CMake sets it). Every program started here has its own home and state directory, and nothing of
the environment that would change what tofud does (CI, TOFUD_STACK, XDG_...). None of them looks for a daemon at the usual
sockets, where one may serve the whole machine: a test that means those says TOFUD_SERVER="".
"""
import asyncio
import gzip
import http.client
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOFUD = os.path.abspath(os.environ.get("TOFUD", ROOT / "build/release/daemon/tofud"))
RECORDINGS = ROOT / "tests/recordings"

# A safety net against a hang, never a measure: sanitizer builds on a busy machine are slow.
PATIENCE = float(os.environ.get("TOFUD_PATIENCE", "60"))


def sanitized():
    """Whether this tofud is built with sanitizers: several times slower, and its memory says nothing."""
    try:
        return b"__asan_init" in pathlib.Path(TOFUD).read_bytes()
    except OSError:
        return False


# Milliseconds of the processor that a handler of a loop may take at most: those of what ships, and of what was compiled in a hurry.
LONG_TURN = 250 if "/release/" in TOFUD else 5000
# On a busy host two tries in a row were stopped for 0.3 and 0.6 s.
TRIED_AGAIN = 4


def recorded(name, stem="stream"):
    """The bytes of a recorded stream."""
    plain = RECORDINGS / name / (stem + ".jsonl")
    return plain.read_bytes() if plain.exists() else gzip.decompress(plain.with_name(plain.name + ".gz").read_bytes())


def recorded_path(name, stem="stream"):
    plain = RECORDINGS / name / (stem + ".jsonl")
    return str(plain if plain.exists() else plain.with_name(plain.name + ".gz"))


def all_recordings():
    """(scenario, stem) of every stream."""
    found = set()
    for path in RECORDINGS.glob("*/*.jsonl*"):
        found.add((path.parent.name, re.sub(r"\.jsonl(\.gz)?$", "", path.name)))
    return sorted(found)


def recorded_exit(name, stem="stream"):
    """What exit.txt says of the command, or None."""
    path = RECORDINGS / name / ("exit.txt" if stem == "stream" else stem + ".exit.txt")
    return path.read_text().strip() if path.exists() else None


def fold(lines, state=None):
    """What a client does: state[kind][key] = row. Returns (state, last `at`, epoch)."""
    state = {} if state is None else state
    at, epoch = None, None
    for line in lines:
        kind = line["kind"]
        if kind == "hello":
            epoch = line["epoch"]
        elif kind == "at":
            at = line["seq"]
        elif kind == "heartbeat":
            at = line["at"]
        elif kind == "reset":
            state.clear()
        elif kind == "removed":
            state.get(line["of"], {}).pop(line["key"], None)
        elif kind not in ("gap", "error"):
            state.setdefault(kind, {})[line["key"]] = line
    return state, at, epoch


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lines:
    """Collects what a stream of a process brings, line by line, in a thread."""

    def __init__(self, stream):
        self.got = []
        self._new = queue.Queue()
        self._thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._thread.start()

    def _read(self, stream):
        with stream:
            for line in stream:
                self.got.append(line)
                self._new.put(line)
        self._new.put(None)

    def next(self):
        """The next line; None at the end."""
        line = self._new.get(timeout=PATIENCE)
        if line is None:
            self._new.put(None)
        return line

    def all(self):
        self._thread.join(PATIENCE)
        return b"".join(self.got)


class Running:
    """A tofud that runs, with what it printed so far."""

    def __init__(self, argv, env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **more):
        self.process = subprocess.Popen(argv, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, env=env, **more)
        self.out = Lines(self.process.stdout) if stdout == subprocess.PIPE else None
        self.err = Lines(self.process.stderr)
        self.url = None

    def wait_for_url(self, stream=None):
        while self.url is None:
            line = (stream or self.out).next()
            if line is None:
                raise AssertionError("ended before it said where it listens: %r" % self.err.all())
            found = re.search(rb"http://[^/\s]+/", line)
            self.url = found and found.group().decode()
        return self.url

    def address(self):
        return self.url[len("http://"):-1]

    def port(self):
        return int(self.address().rpartition(":")[2])

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end_of_stream(self):
        self.process.stdin.close()
        return self.wait()

    def wait(self):
        return self.process.wait(PATIENCE)

    def stop(self):
        """For what runs until Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.wait()


# What changes what tofud does or how it looks.
OUT_OF_PLACE = ("CI", "BUILDKITE", "CIRCLECI", "JENKINS_URL", "TF_BUILD", "TOFUD_MASK_FILE", "TOFUD_SERVER", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY",
                "GITHUB_WORKSPACE", "GITLAB_CI", "STATE_DIRECTORY", "TOFUD_STACK", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE",
                "TERM_PROGRAM", "LC_CTYPE", "LC_TERMINAL", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS",
                "LISTEN_PID", "LISTEN_FDNAMES", "JOURNAL_STREAM", "TOFUD_LOG_FORMAT", "TOFUD_LOG_LEVEL")


class EndToEnd(unittest.TestCase):
    maxDiff = 20000
    is_tried_again = False

    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="tofud-test-")
        self.state_dir = os.path.join(self.home, "state")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.addCleanup(self.nobody_held_a_loop)

    def nobody_held_a_loop(self):
        """No handler of a loop used the processor for long, in any tofud that this test started (daemon/operations/loop_watch.hpp).

        A virtual machine that is not running counts as using the processor, and not every host tells its guest what it took. A handler that
        takes long does so whenever it is asked: what seems too long is tried again, and has to seem so each time.
        """
        try:
            # What a turn is named after may have any character in it but a newline.
            turns = [line for line in pathlib.Path(self.home, "long-turns").read_text().split("\n") if line]
        except FileNotFoundError:
            return
        if "TURNS_OUT" in os.environ:
            with open(os.environ["TURNS_OUT"], "a") as out:
                out.writelines("%s | %s\n" % (turn, self.id()) for turn in turns)
        long = [turn for turn in turns if int(turn.split()[0]) > LONG_TURN]
        if long and not self.is_tried_again:
            for _ in range(TRIED_AGAIN):
                again = type(self)(self._testMethodName)
                again.is_tried_again = True
                tried = unittest.TestResult()
                again.run(tried)
                if tried.wasSuccessful():
                    return
                long += [text for _, text in tried.failures + tried.errors]
        self.assertEqual(long, [])

    def env(self, **more):
        kept = {k: v for k, v in os.environ.items()
                if k not in OUT_OF_PLACE and not k.startswith("XDG_") and "proxy" not in k.lower()}
        kept.update({"HOME": self.home, "TMPDIR": self.home, "TZ": "UTC", "LC_ALL": "C.UTF-8", "TOFUD_SERVER": "none",
                     "TOFUD_LONG_TURNS": os.path.join(self.home, "long-turns"), **more})
        return kept

    def kept(self, running):
        """Ended with the test at the latest."""
        def end():
            if running.process.poll() is None:
                running.process.kill()
            running.process.wait()
        self.addCleanup(end)
        return running

    def pipe(self, *args, env=None, listen=True, state_dir=True, **more):
        """tofud at the end of a pipe."""
        argv = [TOFUD, *args]
        if state_dir:
            argv += ["--state-dir", self.state_dir]
        if listen:
            argv += ["--listen", "127.0.0.1:0"]
        return self.kept(Running(argv, env or self.env(), **more))

    def replay(self, path, *args, speed="max"):
        argv = [TOFUD, "replay", path, "--speed", str(speed), "--listen", "127.0.0.1:0", *args]
        running = self.kept(Running(argv, self.env(), stdin=subprocess.DEVNULL))
        running.wait_for_url()
        return running

    def run_through(self, data, *args, env=None):
        """Pipes bytes through tofud; (status, stdout, stderr)."""
        done = subprocess.run([TOFUD, "--no-listen", "--state-dir", self.state_dir, *args], input=data,
                              capture_output=True, env=env or self.env(), timeout=PATIENCE)
        return done.returncode, done.stdout, done.stderr

    def rows(self, path):
        """state[kind][key] of `tofud replay --rows`."""
        done = subprocess.run([TOFUD, "replay", "--rows", str(path)], capture_output=True, env=self.env(),
                              timeout=PATIENCE, check=True)
        return fold(json.loads(line) for line in done.stdout.splitlines())[0]

    def spools(self):
        return sorted(pathlib.Path(self.state_dir).glob("*.jsonl"))

    def spool(self):
        found = self.spools()
        self.assertEqual(len(found), 1, found)
        return found[0]


def get(url):
    """The body of a REST read."""
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=PATIENCE) as answer:
        return answer.read()


def curl(url, *args):
    """All lines that `curl -N` prints until the server ends the stream."""
    done = subprocess.run(["curl", "-sSN", "--max-time", str(PATIENCE), *args, url], capture_output=True, check=True)
    return done.stdout


def ndjson(url):
    return [json.loads(line) for line in curl(url).splitlines()]


def server_sent(text):
    """The events of a text/event-stream: (id, line)."""
    events = []
    for block in text.decode().split("\n\n"):
        fields = [line.partition(": ") for line in block.split("\n") if not line.startswith(":")]
        data = "\n".join(value for name, _, value in fields if name == "data")
        ids = [value for name, _, value in fields if name == "id"]
        if data:
            events.append((ids[-1] if ids else None, json.loads(data)))
    return events


class Follower:
    """A subscriber that loses its connection and comes back where it was, with the state it has."""

    def __init__(self, url):
        self.url, self.state, self.since, self.visits, self.resets = url, {}, None, 0, 0
        self._socket, self._live = None, False

    def connected(self):
        """It has what there is, and its server still holds the other end."""
        if not self._live:
            return False
        try:
            return self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1) == b"\x01"  # TCP_ESTABLISHED
        except OSError:
            return False

    def visit(self, lines=None):
        """Reads so many lines, or to the end. True: the server has closed as it should."""
        self.visits += 1
        url = urllib.parse.urlsplit(self.url + ("&since=" + self.since if self.since else ""))
        client = http.client.HTTPConnection(url.netloc, timeout=PATIENCE)
        try:
            client.request("GET", url.path + "?" + url.query)
            self._socket = client.sock
            answer = client.getresponse()
            if answer.status != 200:
                return False
            epoch = None
            while lines is None or lines > 0:
                text = answer.readline()
                if not text:
                    return epoch is not None and answer.chunk_left is None  # else it was cut off between two chunks
                line = json.loads(text)
                fold([line], self.state)
                if line["kind"] == "hello":
                    epoch = line["epoch"]
                elif line["kind"] == "reset":
                    self.resets += 1
                    self.since = None  # what comes now is whole only with its `at`
                elif line["kind"] == "at":
                    self.since = "%s:%d" % (epoch, line["seq"])
                    self._live = True
                if lines is not None:
                    lines -= 1
        except (OSError, http.client.HTTPException, ValueError):  # cut off, perhaps within a line
            pass
        finally:
            self._live = False
            client.close()
        return False

    def follow(self, over):
        """Comes back until the server has closed as it should, or `over()`."""
        while not self.visit() and not over():
            time.sleep(0.01)


def websocket(url, came=lambda: None, **more):
    """(lines, close code, reason) of a WebSocket until the server closes it; `came` is called with each frame."""
    import websockets  # Debian's python3-websockets

    async def read():
        lines = []
        async with websockets.connect(url.replace("http:", "ws:"), subprotocols=["tofud.v1"], max_size=None,
                                      compression=None, **more) as socket_:
            try:
                while True:
                    frame = await asyncio.wait_for(socket_.recv(), PATIENCE)
                    lines += [json.loads(text) for text in filter(None, frame.split("\n"))]
                    came()
            except websockets.ConnectionClosed:
                pass
            return lines, socket_.close_code, socket_.close_reason

    return asyncio.run(read())


def children(pid):
    try:
        return [int(word) for path in pathlib.Path("/proc/%d/task" % pid).glob("*/children")
                for word in path.read_text().split()]
    except OSError:
        return []


def alive(pid):
    """Whether any thread of it runs: the last one to end closes its sockets."""
    try:
        with open("/proc/%d/stat" % pid) as stat:
            state = stat.read().rpartition(")")[2].split()[0]
        return state != "Z" or len(os.listdir("/proc/%d/task" % pid)) > 1
    except OSError:
        return False


def kill_all(process, but=None):
    """Kills it and what it started. Who is dying still listens and holds locks: waits until all of them are gone."""
    started = [pid for pid in children(process.pid) if pid != but]
    for pid in (process.pid, *started):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait(PATIENCE)
    until(lambda: not any(alive(pid) for pid in started), "all of it is gone")


def has_signal(pid, which, number):
    try:
        with open("/proc/%d/status" % pid) as status:
            found = next(int(line.split()[1], 16) for line in status if line.startswith(which))
    except OSError:
        return False
    return bool(found >> (number - 1) & 1)


def ignores(pid, number):
    return has_signal(pid, "SigIgn:", number)


def catches(pid, number):
    return has_signal(pid, "SigCgt:", number)


def until(question, what, patience=PATIENCE):
    """Waits for something to become true."""
    end = time.monotonic() + patience
    while True:
        answer = question()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError("never happened: " + (what() if callable(what) else what))
        time.sleep(0.005)
