"""What the program costs, in instructions: the same on every machine, however busy it is. Valgrind counts them."""
import pathlib
import re
import subprocess

from binary import PATIENCE, TOFUD

MORE = 4             # times as large
NO_SQUARE = 6        # times as dear may that be: a line is 4, n log n 4.7, a square 16
LEAST = 2000         # things, the first time
MOST = 32000         # no more things than this, the first time
WORTH = 50_000_000   # instructions that tell what is large from what is there anyway
SLOWER = 60          # times, for what waits


def valgrind(out):
    return ["valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=%s" % out]


def total(path):
    """Instructions that a file of Callgrind has."""
    return sum(int(count) for count in re.findall(r"(?m)^totals: (\d+)", path.read_text()))


def command(home, env, args, stdin=None, statuses=(0,)):
    """Instructions of a command from its start to its end, with all its processes and threads."""
    out = pathlib.Path(home, "callgrind")
    for old in pathlib.Path(home).glob("callgrind*"):
        old.unlink()
    done = subprocess.run(valgrind(str(out) + ".%p") + ["--trace-children=yes", TOFUD, *args], env=env, stdin=stdin or subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=PATIENCE * SLOWER)
    if done.returncode not in statuses:
        raise AssertionError("%s ended with %d: %s" % (args, done.returncode, done.stderr.decode()[-2000:]))
    return sum(total(path) for path in pathlib.Path(home).glob("callgrind*"))


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
