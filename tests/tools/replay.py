#!/usr/bin/python3
"""Print a recorded stream to stdout, byte for byte, at the pace it was recorded.

    replay.py tests/recordings/apply-slow-progress | tofud
    replay.py --speed 10 tests/recordings/apply-create-mixed/stream.jsonl
    replay.py --max --times 100 tests/recordings/large-2000/stream.jsonl.gz

PATH is a stream file (.jsonl, .txt, either also .gz) or a recording folder
(then stream.jsonl or stream.jsonl.gz in it; --stem picks another one, for
example --stem cleanup).  The pace comes from the .timing file beside the
stream: one number per line, seconds from the start of the command until the
line arrived; it may be gzipped too.  Without one the "@timestamp" members
are used.

The bytes are not changed: a last line without newline stays without newline
(unless --now is given, which only replaces the value of "@timestamp").
"""
import argparse
import datetime
import gzip
import os
import re
import sys
import time

STAMP = re.compile(rb'"@timestamp":"([^"]*)"')


def find(path, stem):
    if os.path.isdir(path):
        for name in (stem + ".jsonl", stem + ".jsonl.gz", stem + ".txt", stem + ".txt.gz", stem + ".json", stem):
            candidate = os.path.join(path, name)
            if os.path.isfile(candidate):
                return candidate
        sys.exit("replay: no %s.jsonl or %s.jsonl.gz in %s" % (stem, stem, path))
    if os.path.exists(path):
        return path
    if os.path.exists(path + ".gz"):
        return path + ".gz"
    sys.exit("replay: no such file: %s" % path)


def timing_path(path):
    """The .timing or .timing.gz file beside a stream, or None."""
    base = path[:-3] if path.endswith(".gz") else path
    for name in (os.path.splitext(base)[0] + ".timing", os.path.splitext(base)[0] + ".timing.gz"):
        if os.path.exists(name):
            return name
    return None


def read_bytes(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as stream:
        return stream.read()


def read_lines(path):
    return split(read_bytes(path))


def split(data):
    """Split at newlines only (bytes.splitlines would also split at \\r)."""
    lines = data.split(b"\n")
    tail = lines.pop()
    lines = [line + b"\n" for line in lines]
    if tail:
        lines.append(tail)
    return lines


def seconds(stamp):
    try:
        return datetime.datetime.fromisoformat(stamp.decode().replace("Z", "+00:00")).timestamp()
    except ValueError:
        return None


def times_for(path, lines):
    timing = timing_path(path)
    if timing:
        times = [float(word) for word in read_bytes(timing).split()]
        if len(times) < len(lines):
            times += [times[-1] if times else 0.0] * (len(lines) - len(times))
        return times
    times, first, last = [], None, 0.0
    for line in lines:
        match = STAMP.search(line)
        value = seconds(match.group(1)) if match else None
        if value is not None:
            if first is None:
                first = value
            last = max(last, value - first)
        times.append(last)
    return times


def stamp_now(line):
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ").encode()
    return STAMP.sub(b'"@timestamp":"' + now + b'"', line, count=1)


def play(out, lines, times, args):
    start = time.monotonic()
    shift = times[0] if (times and args.skip_start) else 0.0
    gap_cut, previous, pending = 0.0, shift, []
    for line, at in zip(lines, times):
        if args.max_gap is not None and at - previous > args.max_gap:
            gap_cut += at - previous - args.max_gap
        previous = max(previous, at)
        due = start + (at - shift - gap_cut) / args.speed
        wait = due - time.monotonic()
        if wait > 0.0005:
            if pending:
                out.write(b"".join(pending))
                pending.clear()
            out.flush()
            time.sleep(wait)
        pending.append(stamp_now(line) if args.now else line)
    out.write(b"".join(pending))
    out.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="+", help="stream file or recording folder; several are played one after another")
    parser.add_argument("--stem", default="stream", help="which stream of a recording folder (default: stream)")
    parser.add_argument("--speed", type=float, default=1.0, metavar="N", help="N times as fast as recorded (default 1)")
    parser.add_argument("--max", action="store_true", help="no delays at all")
    parser.add_argument("--max-gap", type=float, metavar="S", help="shorten every pause to at most S seconds (before --speed)")
    parser.add_argument("--skip-start", action="store_true", help="print the first line at once (leave out the start-up time)")
    parser.add_argument("--loop", action="store_true", help="play again and again until interrupted (or --times is reached)")
    parser.add_argument("--times", type=int, metavar="COUNT", help="play COUNT times (implies --loop)")
    parser.add_argument("--loop-delay", type=float, default=0.0, metavar="S", help="pause between two rounds")
    parser.add_argument("--now", action="store_true", help='replace "@timestamp" by the present time')
    parser.add_argument("--head", type=int, metavar="LINES", help="only the first LINES lines")
    args = parser.parse_args()
    if args.speed <= 0:
        parser.error("--speed must be greater than 0")
    recordings = []
    for path in args.path:
        path = find(path, args.stem)
        lines = read_lines(path)
        times = [] if args.max else times_for(path, lines)
        if args.head is not None:
            lines, times = lines[: args.head], times[: args.head]
        recordings.append((lines, times))
    out = sys.stdout.buffer
    try:
        done = 0
        rounds = args.times if args.times is not None else (None if args.loop else 1)
        while rounds is None or done < rounds:
            if done and args.loop_delay:
                time.sleep(args.loop_delay)
            for lines, times in recordings:
                if args.max:
                    if args.now:
                        for line in lines:
                            out.write(stamp_now(line))
                    else:
                        out.write(b"".join(lines))
                    out.flush()
                else:
                    play(out, lines, times, args)
            done += 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
