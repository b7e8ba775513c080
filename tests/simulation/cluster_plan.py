#!/usr/bin/python3
"""What a company with many running runs and screens in several regions needs, and what breaks first.

    tests/simulation/cluster_plan.py [--runs 10000] [--screens 1000000] [--regions 5] [--appends 1] [--daemons N]

Simulates a minute of one region with the costs of costs.json (tests/simulation/costs.py measures them): runs that append, screens that are at runs (few runs
have most of them), a daemon that dies in second 20 and is back in second 40, whose uploads and screens go to the others. A daemon's loop is one core. Without
--daemons it looks for the fewest that keep what a screen waits for in time; then it asks how much more of what they bear.
"""
import argparse
import collections
import functools
import json
import math
import pathlib
import random

COSTS = json.loads((pathlib.Path(__file__).parent / "costs.json").read_text())["costs"]
STEP = 0.1                  # seconds
SECONDS = 60
DIES, RETURNS = 20, 40      # one of the daemons
IN_TIME = 0.1               # seconds that a row may wait for a loop, p99 of all but the seconds after a death
AT_MOST = 3.0               # and in these
STORM = 5                   # so many seconds
COMES_BACK_WITHIN = 1.0     # seconds: half a second at most, by chance (protocol/feed/client), and the time to notice
CONNECTIONS = 50_000        # of one daemon: descriptors; limits.subscribers
LIVE_RUNS = 1_000           # limits.live_runs
NATS_CORES = 3 * 8 * 0.5    # three servers of eight cores, half used

Region = collections.namedtuple("Region", "runs screens appends cards")
Found = collections.namedtuple("Found", "p99 longest parts follows screens runs nats_cores out_bytes")


def screens_of_runs(runs, screens):
    """How many are at each run: of the n-th most watched, as many as 1/n."""
    whole = sum(1 / (rank + 1) for rank in range(runs))
    return [screens / (rank + 1) / whole for rank in range(runs)]


def drawn(generator, mean):
    """A number of independent events."""
    if mean < 50:
        limit, count, product = math.exp(-mean), 0, generator.random()
        while product > limit:
            count += 1
            product *= generator.random()
        return count
    return max(0, round(generator.gauss(mean, math.sqrt(mean))))


def simulate(region, daemons, costs, seed=1):
    generator = random.Random(seed)
    at_runs = screens_of_runs(region.runs, region.screens)
    # A screen is at any daemon: one follows a run unless none of its screens is at it.
    @functools.cache
    def followed(of):
        return sum(1 - (1 - 1 / of) ** each for each in at_runs)
    backlog = [0.0] * daemons
    joins = [0.0] * daemons     # screens that are still to come back to it
    delays, longest, parts = [], 0.0, collections.Counter()
    for step in range(int(SECONDS / STEP)):
        now = step * STEP
        away = daemons > 1 and DIES <= now < RETURNS
        there = daemons - 1 if away else daemons
        if away and abs(now - DIES) < STEP / 2:
            backlog[0] = 0.0
            for n in range(1, daemons):
                joins[n] += region.screens / daemons / there
        for n in range(1 if away else 0, daemons):
            come = min(joins[n], max(1.0, region.screens / daemons / max(1, there) * STEP / COMES_BACK_WITHIN))
            joins[n] -= come
            work = {
                "runs it takes": drawn(generator, region.runs * region.appends / there * STEP) * costs["append_us"],
                "runs it follows": drawn(generator, followed(there) * (1 - 1 / there) * region.appends * STEP) * costs["followed_append_us"],
                "cards of all runs": drawn(generator, region.cards * STEP) * costs["card_us"],
                "screens": drawn(generator, region.screens / there * region.appends * STEP) * costs["flush_us"],
                "screens that come back": come * costs["join_us"],
            }
            for name, micros in work.items():
                parts[name] += micros / 1e6
            backlog[n] = max(0.0, backlog[n] + sum(work.values()) / 1e6 - STEP)
            longest = max(longest, backlog[n])
            if not DIES <= now < DIES + STORM:
                delays.append(backlog[n])
    delays.sort()
    nats = region.runs * region.appends * costs["nats_append_us_of_three"] / 1e6
    shares = {name: seconds / SECONDS / daemons for name, seconds in parts.items()}
    return Found(delays[int(len(delays) * 0.99)], longest, shares, followed(daemons), region.screens / daemons, region.runs / daemons, nats,
                 region.screens / daemons * region.appends * costs["flush_bytes"])


def why_not(region, daemons, costs):
    """What does not hold; empty: all does."""
    there = max(1, daemons - 1)
    if region.screens / there > CONNECTIONS:
        return "connections of a daemon (%d of %d, one is away)" % (region.screens / there, CONNECTIONS)
    if region.runs / there > LIVE_RUNS:
        return "limits.live_runs (%d of %d, one is away)" % (region.runs / there, LIVE_RUNS)
    found = simulate(region, daemons, costs)
    if found.nats_cores > NATS_CORES:
        return "NATS (%.1f of %.0f cores)" % (found.nats_cores, NATS_CORES)
    if found.p99 > IN_TIME:
        name, share = max(found.parts.items(), key=lambda each: each[1])
        return "a daemon's loop: rows wait %.1f s, p99; most of it is %s (%.0f %%)" % (found.p99, name, share * 100)
    if found.longest > AT_MOST:
        return "the screens of a daemon that died: rows wait %.1f s until all are back" % found.longest
    return ""


def fewest(region, costs, most=200):
    if why_not(region, most, costs):
        return None
    low, high = 2, most
    while low < high:
        middle = (low + high) // 2
        if why_not(region, middle, costs):
            low = middle + 1
        else:
            high = middle
    return low


def bears(region, daemons, costs, **grow):
    """(by how much `grow` may be multiplied, what breaks then)."""
    times, why = 1.0, ""
    while times < 100:
        more = times * 1.1
        why = why_not(region._replace(**{name: value * more if isinstance(value, float) else int(value * more) for name, value in grow.items()}), daemons, costs)
        if why:
            return times, why
        times = more
    return times, "nothing, up to a hundred times as much"


def memory(region, daemons, costs):
    """Bytes of one daemon; what the kernel holds for its connections is not counted."""
    return (region.runs / daemons + simulate(region, daemons, costs).follows) * costs["live_run_bytes"] + region.cards * costs["known_run_bytes"] + \
        region.screens / daemons * costs["screen_bytes"]


def plan(given, costs, say=print):
    runs, screens = given.runs // given.regions, given.screens // given.regions
    say("%d runs that append %g times a second, %d screens, %d regions; in each %d runs and %d screens" % (given.runs, given.appends, given.screens, given.regions, runs, screens))
    rows = []
    for name, cards in (("each region knows its own runs", runs), ("each region knows the runs of all", given.runs)):
        # A card is told once a second of a run that changes.
        region = Region(runs, screens, given.appends, cards * min(1.0, given.appends))
        say("\n%s:" % name)
        daemons = given.daemons or fewest(region, costs)
        why = why_not(region, daemons, costs) if daemons else why_not(region, 200, costs)
        rows.append((name, region, daemons, why))
        if not daemons or why:
            say("  BREAKS with %d daemons in a region: %s" % (daemons or 200, why))
            continue
        found = simulate(region, daemons, costs)
        say("  %d daemons in a region, one of which may be away: rows wait %.0f ms for a loop at p99, and %.1f s at most while the screens of the one that died come back" % (
            daemons, found.p99 * 1000, found.longest))
        say("  of each loop: %s" % ", ".join("%s %.0f %%" % (part, share * 100) for part, share in sorted(found.parts.items(), key=lambda each: -each[1])))
        say("  each has %d screens, takes %d runs, follows %d, holds %.1f GiB, sends %.0f MB/s" % (
            found.screens, found.runs, found.follows, memory(region, daemons, costs) / 2**30, found.out_bytes / 1e6))
        say("  NATS, three servers and copies: %.1f cores" % found.nats_cores)
        say("  all regions: %d daemons and %d NATS servers, about %d cores at work" % (
            daemons * given.regions, 3 * given.regions, math.ceil(given.regions * (daemons * sum(found.parts.values()) + found.nats_cores))))
        for what, grow in (("runs", {"runs": runs, "cards": float(region.cards)}), ("screens", {"screens": screens}), ("appends", {"appends": float(given.appends)})):
            times, why = bears(region, daemons, costs, **grow)
            say("  %4.1f times the %-8s then breaks: %s" % (times, what + ",", why))
    return rows


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--runs", type=int, default=10_000)
    words.add_argument("--screens", type=int, default=1_000_000)
    words.add_argument("--regions", type=int, default=5)
    words.add_argument("--appends", type=float, default=1.0, help="of a run in a second; lines that come together are one")
    words.add_argument("--daemons", type=int, help="of a region")
    plan(words.parse_args(), COSTS)


if __name__ == "__main__":
    main()
