"""What the program costs, in instructions: the same on every machine, however busy it is. Valgrind counts them."""
import atexit
import functools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from binary import PATIENCE, TOFUD, Running, until

MORE = 4             # times as large
NO_SQUARE = 6        # times as dear may that be: a line is 4, n log n 4.7, a square 16
LEAST = 2000         # things, the first time
MOST = 32000         # no more things than this, the first time
WORTH = 20_000_000   # instructions that tell what is large from what is there anyway
NOISE = 10_000_000   # instructions that a daemon may spend on something else meanwhile
SLOWER = 60          # times, for what waits
QUIET = 0.7          # seconds without work: then nothing is under way


@functools.cache
def program():
    """A copy without symbols: Valgrind reads them at each start, which takes as long as many a command."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    subprocess.run(["strip", "-o", os.path.join(folder, "tofud"), TOFUD], check=True)
    return os.path.join(folder, "tofud")


def valgrind(out):
    return ["valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=%s" % out]


def total(path):
    """Instructions that a file of Callgrind has."""
    return sum(int(count) for count in re.findall(r"(?m)^totals: (\d+)", path.read_text()))


def command(home, env, args, statuses=(0,)):
    """Instructions of a command from its start to its end, with all its processes and threads."""
    for old in pathlib.Path(home).glob("cachegrind*"):
        old.unlink()
    # Cachegrind without a cache counts as Callgrind does, in two thirds of the time; a daemon's it can't tell on the way.
    counter = ["valgrind", "--quiet", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=%s/cachegrind.%%p" % home, "--trace-children=yes"]
    done = subprocess.run([*counter, program(), *args], env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=PATIENCE * SLOWER)
    if done.returncode not in statuses:
        raise AssertionError("%s ended with %d: %s" % (args, done.returncode, done.stderr.decode()[-2000:]))
    return sum(int(count) for path in pathlib.Path(home).glob("cachegrind*") for count in re.findall(r"(?m)^summary: (\d+)", path.read_text()))


class Daemon:
    """A daemon whose instructions are counted."""

    def __init__(self, case, *args, state_dir=None):
        self.home = case.home
        self.env = case.env(TOFUD_LONG_TURNS="")  # all are long here; Valgrind is asked through TMPDIR
        self.state_dir = state_dir or os.path.join(case.home, "counted")
        self.socket = os.path.join(case.home, "counted.sock")
        self.running = case.kept(Running(valgrind(os.path.join(self.home, "daemon.%p")) + [
            program(), "serve", "--listen", "127.0.0.1:0", "--socket", self.socket, "--state-dir", self.state_dir, *args], self.env, stdin=subprocess.DEVNULL))
        self.running.wait_for_url()
        self.address = ("127.0.0.1", self.running.port())
        self.pid = self.running.process.pid

    def used(self):
        """Ticks of processor so far."""
        fields = pathlib.Path("/proc/%d/stat" % self.pid).read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def settle(self):
        """Until it does nothing any more: a journal packs what it has after the answer."""
        before = None
        while before != (before := self.used()):
            time.sleep(QUIET)

    def dump(self):
        """Instructions since the last time, once all is done."""
        self.settle()
        known = set(pathlib.Path(self.home).glob("daemon.%d.*" % self.pid))
        subprocess.run(["callgrind_control", "--dump", str(self.pid)], env=self.env, check=True, capture_output=True, timeout=PATIENCE * SLOWER)
        new = until(lambda: set(pathlib.Path(self.home).glob("daemon.%d.*" % self.pid)) - known, "Callgrind has written")
        return sum(total(path) for path in new)

    def stop(self):
        self.running.process.send_signal(signal.SIGTERM)
        self.running.process.wait(PATIENCE * SLOWER)


def grows(cost, empty=0):
    """(times as many, how much dearer): `cost(many)` are instructions. What is cheap however much there is counts as 0."""
    many = LEAST
    small = cost(many) - empty
    while small < WORTH and many < MOST:
        many = min(MOST, max(2 * many, int(many * WORTH * 1.2 / max(small, 1))))
        small = cost(many) - empty
    if small < WORTH:
        return many, 0
    return many, (cost(MORE * many) - empty) / small
