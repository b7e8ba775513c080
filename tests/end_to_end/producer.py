#!/usr/bin/python3
"""Stands in for OpenTofu at the beginning of a pipe: prints a file and tells what the pipe did to it.

    producer.py STREAM REPORT [PIECE [PAUSE [HOLD]]]

Writes pieces of PIECE bytes with PAUSE seconds between them, and stops HOLD bytes before the end until the file REPORT.go is there.
Its standard output does not block, so that a reader who is late shows as EAGAIN, and one who has left as EPIPE. It begins when the pipe
has been made larger, as tofud does first. Ignores the signals OpenTofu outlives. Always ends with status 7.
"""
import errno
import fcntl
import json
import os
import select
import signal
import sys
import time

stream, report = sys.argv[1:3]
piece = int(sys.argv[3]) if len(sys.argv) > 3 else 4096
pause = float(sys.argv[4]) if len(sys.argv) > 4 else 0.002
hold = int(sys.argv[5]) if len(sys.argv) > 5 else 0

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
with open(stream, "rb") as file:
    data = file.read()

# A description of our own: the pipe's reader and others who write to it keep theirs.
out = os.open("/proc/self/fd/1", os.O_WRONLY | os.O_NONBLOCK)
end = time.monotonic() + 30
while fcntl.fcntl(out, fcntl.F_GETPIPE_SZ) < 1 << 20 and time.monotonic() < end:
    time.sleep(0.005)

counts = {"bytes": 0, "EAGAIN": 0, "EPIPE": 0}


def write(view):
    while view:
        try:
            written = os.write(out, view)
            counts["bytes"] += written
            view = view[written:]
        except BlockingIOError:
            counts["EAGAIN"] += 1
            select.select([], [out], [])
        except OSError as error:
            name = errno.errorcode[error.errno]
            counts[name] = counts.get(name, 0) + 1
            return


view = memoryview(data)
for begin in range(0, len(data) - hold, piece):
    write(view[begin:min(begin + piece, len(data) - hold)])
    time.sleep(pause)
with open(report + ".part", "w") as file:
    json.dump(counts, file)
os.rename(report + ".part", report)
while hold and not os.path.exists(report + ".go"):
    time.sleep(0.005)
write(view[len(data) - hold:])
with open(report, "w") as file:
    json.dump(counts, file)
os._exit(7)
