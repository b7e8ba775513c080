#!/usr/bin/python3
"""Runs of many resources in a daemon: how long a reader waits who comes late, how long the loop stands still, what a resource takes.
Times are the least of several: who else uses the host only ever adds to them.

    tests/bench/large_runs.py [--resources 100000] [--parts live ended million]

TOFUD names the program; streams and journal lie in memory (/dev/shm), 10 GB of it for `million`."""
import argparse
import http.client
import os
import shutil
import statistics
import time

from room import Daemon, Room, found, memory, used

TIMES = 5


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
        for _ in range(TIMES):
            seconds, size = daemon.rows("latest")
            waited.append(1000 * seconds)
        found("live run, late joiner", min(waited), "ms")
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
    longest = []
    for _ in range(TIMES):
        with Daemon(room, directory) as daemon:
            daemon.settle()
            daemon.longest_turn()
            waited["first"].append(1000 * daemon.rows(run)[0])
            waited["second"].append(1000 * daemon.rows(run)[0])
            longest.append(daemon.longest_turn())
            daemon.stop()
    for which, each in waited.items():
        found("ended run, %s reader" % which, min(each), "ms")
    milliseconds, doing = min(longest)
    found("ended run, longest turn of the loop while it is read", milliseconds, "ms " + doing)


def million(room):
    """Runs of 1,000,000 resources beside one of 100,000, which holds as many lines, and ten of 1,000; each until its upload is answered."""
    cost, most, longest = {}, {}, []
    for resources, times in ((1000, 10), (100000, 1), (1000000, 1), (1000000, 1), (1000000, 1)):
        stream = room.stream(resources)
        with open(stream, "rb") as source:
            lines = sum(1 for _ in source)
        directory = os.path.join(room.path, "of%d" % resources)
        with Daemon(room, directory) as daemon:
            taken = []
            for _ in range(times):
                before = used(daemon.pid)
                daemon.upload(stream)
                taken.append(used(daemon.pid) - before)
                if times > 1:
                    daemon.settle()
            cost.setdefault(resources, []).append(sum(taken) / times / lines)
            most.setdefault(resources, []).append(memory(daemon.pid, "VmHWM"))
            if resources == 1000000:
                longest.append(daemon.longest_turn())
        shutil.rmtree(directory)
    cost = {resources: statistics.median(each) for resources, each in cost.items()}
    most = {resources: statistics.median(each) for resources, each in most.items()}
    found("1,000,000 resources, memory of each beyond 100,000", (most[1000000] - most[100000]) / 900000, "bytes")
    found("1,000,000 resources, memory of the daemon", most[1000000] / 1e6, "MB")
    milliseconds, doing = min(longest)
    found("1,000,000 resources, longest turn of the loop, least of three runs", milliseconds, "ms " + doing)
    found("1,000,000 resources, lines a second beside 1,000", cost[1000] / cost[1000000], "x")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resources", type=int, default=100000)
    parser.add_argument("--parts", nargs="+", default=["live", "ended", "million"])
    asked = parser.parse_args()
    with Room() as room:
        if "live" in asked.parts:
            live(room, asked.resources)
        if "ended" in asked.parts:
            ended(room, asked.resources)
        if "million" in asked.parts:
            million(room)


if __name__ == "__main__":
    main()
