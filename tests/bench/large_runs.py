#!/usr/bin/python3
"""Runs of many resources in a daemon: how long a reader waits who comes late, how long the loop stands still, what a resource takes.

    tests/bench/large_runs.py [--resources 100000] [--million]

TOFUD names the program; streams and journal lie in memory (/dev/shm). With --million also a run of 1,000,000 resources, 4 GB."""
import argparse
import http.client
import os
import statistics
import time

from room import Daemon, Room, found, memory, used


def live(room, resources):
    """A run that goes on, and who joins it late."""
    with Daemon(room, os.path.join(room.path, "live")) as daemon:
        sending = http.client.HTTPConnection("127.0.0.1", daemon.port)
        sending.putrequest("PUT", "/v1/runs")
        sending.putheader("Transfer-Encoding", "chunked")
        sending.endheaders()
        with open(room.stream(resources), "rb") as stream:
            lines = stream.readlines()
        for i in range(0, len(lines) - 1000, 2000):  # its end is not sent
            piece = b"".join(lines[i:i + 2000])
            sending.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        daemon.settle()
        daemon.longest_turn()
        waited = []
        for _ in range(3):
            seconds, size = daemon.rows("latest")
            waited.append(1000 * seconds)
        found("live run, late joiner", statistics.median(waited), "ms")
        found("live run, size of what a late joiner gets", size / 1e6, "MB")
        milliseconds, doing = daemon.longest_turn()
        found("live run, longest turn of the loop while it joins", milliseconds, "ms " + doing)
        sending.close()


def ended(room, resources):
    """A run that is over, and who reads it first when the daemon has started anew."""
    directory = os.path.join(room.path, "ended")
    with Daemon(room, directory) as daemon:
        run = daemon.upload(room.stream(resources))["run"]
        daemon.settle()
        daemon.stop()
    waited = {"first": [], "second": []}
    longest = (0, "")
    for _ in range(3):
        with Daemon(room, directory) as daemon:
            daemon.settle()
            daemon.longest_turn()
            waited["first"].append(1000 * daemon.rows(run)[0])
            waited["second"].append(1000 * daemon.rows(run)[0])
            longest = max(longest, daemon.longest_turn())
            daemon.stop()
    for which, each in waited.items():
        found("ended run, %s reader" % which, statistics.median(each), "ms")
    found("ended run, longest turn of the loop while it is read", longest[0], "ms " + longest[1])


def million(room):
    """One of 1,000,000 resources beside as many lines of one of 1,000."""
    cost = {}
    for resources in (1000, 1000000):
        stream = room.stream(resources)
        with open(stream, "rb") as source:
            lines = sum(1 for _ in source)
        times = max(1, 100000 // resources)
        with Daemon(room, os.path.join(room.path, "of%d" % resources)) as daemon:
            daemon.upload(stream)
            if resources < 1000000:
                daemon.settle()
            else:
                daemon.longest_turn()
            before, held = used(daemon.pid), memory(daemon.pid)
            if resources < 1000000:
                for _ in range(times):
                    daemon.upload(stream)
                cost[resources] = (used(daemon.pid) - before) / (lines * times)
            else:
                cost[resources] = before / lines
                found("1,000,000 resources, memory of each", memory(daemon.pid, "VmHWM") / resources, "bytes")
                found("1,000,000 resources, longest turn of the loop", *daemon.longest_turn())
    found("1,000,000 resources, lines a second beside 1,000", cost[1000] / cost[1000000], "x")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resources", type=int, default=100000)
    parser.add_argument("--million", action="store_true")
    asked = parser.parse_args()
    with Room() as room:
        live(room, asked.resources)
        ended(room, asked.resources)
        if asked.million:
            million(room)


if __name__ == "__main__":
    main()
