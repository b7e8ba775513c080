#!/usr/bin/python3
"""The table of goals, from what the other programs measured in one run.

    tests/bench/goals.py RESULTS.jsonl FAN.jsonl            prints it
    tests/bench/goals.py RESULTS.jsonl FAN.jsonl --write    also into docs/speed.md and README.md

RESULTS is what room.py's found() appended, FAN what fan/run.py --out did."""
import json
import os
import pathlib
import platform
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Measured:
    def __init__(self, results, fan):
        self.results = [json.loads(line) for line in open(results)] if os.path.exists(results) else []
        self.fan = [json.loads(line) for line in open(fan)] if os.path.exists(fan) else []

    def of(self, name, program=""):
        values = [each["value"] for each in self.results if each["name"] == name and each["of"] == program]
        return statistics.median(values) if values else None

    def load(self, load, server, key):
        values = [each[key] for each in self.fan if each["load"] == load and each["adapter"] == server and isinstance(each.get(key), (int, float))]
        return statistics.median(values) if values else None


def amount(value, unit):
    if value is None:
        return "not measured"
    if unit == "µs" and value >= 1e3:
        value, unit = value / 1e3, "ms"
    if value >= 1e6:
        return "%.2f M%s" % (value / 1e6, unit and " " + unit)
    if value >= 1e4:
        return "%.0f k%s" % (value / 1e3, unit and " " + unit)
    return "%s%s" % ("%.0f" % value if value >= 100 else "%.3g" % value, unit and " " + unit)


def at_least(value, goal):
    return None if value is None or goal is None else value >= goal


def at_most(value, goal):
    return None if value is None or goal is None else value <= goal


def times(value, factor):
    return None if value is None else value * factor


def rows(m):
    """(number, what, now, goal, whether it is met, rivals)"""
    made = []

    def row(number, what, value, unit, goal, verdict, goal_text=None, rivals=()):
        told = ", ".join("%s %s" % (name, amount(there, unit)) for name, there in rivals if there is not None)
        made.append((number, what, amount(value, unit), goal_text or ("%s %s" % ("≥" if verdict is at_least else "≤", amount(goal, unit))), verdict(value, goal), told))

    pipe, jq, go = (m.of("pipe, lines a second of processor time", of) for of in ("", "jq -c .type", "Go encoding/json"))
    row(1, "a pipe, lines a second of processor time", pipe, "", 0.8e6, at_least, rivals=(("jq -c .type", jq), ("a Go loop", go)))
    row(1, "a pipe beside `jq -c .type`", pipe and jq and pipe / jq, "×", 10, at_least)
    row(1, "a pipe beside a Go loop over the same JSON", pipe and go and pipe / go, "×", 3.5, at_least)
    row(2, "`tofud serve`, lines a second of processor time until an upload is answered", m.of("serve, lines a second of processor time"), "", 0.4e6, at_least)
    one = {server: m.load("1x0", server, "deliv_per_srv_cpu_s") for server in ("tofud", "uws", "nats")}
    row(3, "one subscriber flat out, deliveries a second of the server's processor time", one["tofud"], "", one["uws"], at_least, "≥ uWebSockets, ≥ 1.35 × nats-server",
        (("uWebSockets", one["uws"]), ("nats-server", one["nats"])))
    many = {server: m.load("1000x0", server, "deliv_per_srv_cpu_s") for server in ("tofud", "uws", "nats")}
    row(4, "1,000 subscribers flat out, deliveries a second of the server's processor time", many["tofud"], "", 11.2e6, at_least, rivals=(("uWebSockets", many["uws"]), ("nats-server", many["nats"])))
    row(4, "1,000 subscribers at 1,000 lines a second, processors", m.load("1000x1000", "tofud", "srv_cores"), "", 0.3, at_most,
        rivals=(("uWebSockets", m.load("1000x1000", "uws", "srv_cores")), ("nats-server", m.load("1000x1000", "nats", "srv_cores"))))
    row(4, "the same, p99", times(m.load("1000x1000", "tofud", "p99_us"), 1e-3), "ms", 25, at_most, rivals=(("uWebSockets", times(m.load("1000x1000", "uws", "p99_us"), 1e-3)),))
    for which in ("p50", "p99"):
        lone = {server: m.load("1x20", server, which + "_us") for server in ("tofud", "uws")}
        row(5, "a lone line after silence, " + which, lone["tofud"], "µs", times(lone["uws"], 1.2), at_most, "≤ 1.2 × uWebSockets", (("uWebSockets", lone["uws"]),))
    for load, what in (("100x1000", "100 subscribers at 1,000 lines a second"), ("10x5000", "10 subscribers at 5,000 lines a second")):
        for which in ("p50", "p99"):
            there = m.load(load, "uws", which + "_us")
            row(6, "%s, each sent at once (`--feed-tick 0ms`), %s" % (what, which), m.load(load, "tofud-at-once", which + "_us"), "µs", there, at_most, "≤ uWebSockets", (("uWebSockets", there),))
    row(7, "10,000 idle subscribers, memory of each", m.load("idle:10000", "tofud", "pss_per_sub_kb"), "KB", 3, at_most, rivals=(("uWebSockets", m.load("idle:10000", "uws", "pss_per_sub_kb")),))
    row(8, "live run of 100,000 resources, late joiner, least of five times", m.of("live run, late joiner"), "ms", 150, at_most)
    row(8, "ended run of 100,000 resources, first reader, least of five times", m.of("ended run, first reader"), "ms", 400, at_most)
    row(8, "the same, second reader", m.of("ended run, second reader"), "ms", 150, at_most)
    row(8, "the same, longest turn of the loop, least of five times", m.of("ended run, longest turn of the loop while it is read"), "ms", 10, at_most)
    row(9, "1,000,000 resources, lines a second beside 1,000", m.of("1,000,000 resources, lines a second beside 1,000"), "×", 0.6, at_least)
    row(9, "the same, memory of each beyond the first 100,000", m.of("1,000,000 resources, memory of each beyond 100,000"), "B", 500, at_most)
    row(9, "the same, longest turn of the loop, least of three runs", m.of("1,000,000 resources, longest turn of the loop, least of three runs"), "ms", 5, at_most)
    row(10, "1,000 live runs of 50 lines a second, 200 walls, 1,000 pages: lines that came a second", m.of("many runs, lines a second"), "", 49e3, at_least, "≥ 49 k")
    row(10, "the same, p99 of a change, best of three times", m.of("many runs, p99 of a change"), "ms", 200, at_most)
    row(10, "the same, memory of the daemon", m.of("many runs, memory of the daemon"), "MB", 1000, at_most)
    row(11, "start with 1,000 ended runs", m.of("start with 1000 ended runs"), "ms", 100, at_most)
    row(11, "start with 10,000 ended runs", m.of("start with 10000 ended runs"), "ms", 300, at_most)
    row(12, "1,000 subscribers, 100,000 row changes a second: the last change everywhere", m.of("row changes, last everywhere"), "ms", 100, at_most)
    row(12, "the same, changes that came a second", m.of("row changes, a second"), "", 1e5, at_least)
    row(12, "the same, processors", m.of("row changes, processors"), "", 1, at_most)
    show, rival = m.of("plan of 100 MB, tofud show"), m.of("plan of 100 MB, tofud show", "jq -c .type")
    row(13, "`tofud show` of a plan of 100 MB", show, "s", times(rival, 3), at_most, "≤ 3 × `jq -c .type`", (("jq", rival),))
    row(13, "the same, memory beside its size", m.of("plan of 100 MB, memory beside its size"), "×", 3, at_most)
    return made


def table(made):
    lines = ["| # | what | here | goal | | beside it |", "|---|---|---|---|---|---|"]
    for number, what, now, goal, met, rivals in made:
        lines.append("| %d | %s | %s | %s | %s | %s |" % (number, what, now, goal, {True: "met", False: "**missed**", None: ""}[met], rivals))
    return "\n".join(lines)


# What README shows of it, shorter: by the beginning of what a row is about.
SHOWN = {"a pipe, lines": "lines through a pipe in a second of processor time", "`tofud serve`": "lines into a daemon in a second of processor time",
         "1,000 subscribers flat out": "deliveries to 1,000 subscribers, the same", "live run": "100,000 resources to who joins late",
         "ended run": "100,000 resources of an ended run, to who reads it first"}


def excerpt(made):
    lines = ["| what | here | beside it |", "|---|---|---|"]
    for start, shorter in SHOWN.items():
        lines += ["| %s | %s | %s |" % (shorter, now, rivals) for _, what, now, _, _, rivals in made if what.startswith(start)]
    return "\n".join(lines)


def plot(m):
    """Bars of what is compared with others, each group to its own scale."""
    groups = [("Lines in a second of processor time", [(name, m.of("pipe, lines a second of processor time", of)) for name, of in (
                  ("tofud, all it does", ""), ("jq -c .type", "jq -c .type"), ("a Go loop", "Go encoding/json"))]),
              ("Deliveries to 1,000 subscribers in a second of the server's processor time",
               [(name, m.load("1000x0", server, "deliv_per_srv_cpu_s")) for name, server in (("tofud", "tofud"), ("uWebSockets", "uws"), ("nats-server", "nats"))])]
    parts, y = [], 0
    for heading, bars in groups:
        bars = [(name, value) for name, value in bars if value]
        if not bars:
            continue
        parts.append('<text x="0" y="%d" font-weight="600">%s</text>' % (y + 14, heading))
        y += 24
        for name, value in bars:
            width = round(420 * value / max(there for _, there in bars))
            parts.append('<text x="0" y="%d">%s</text><rect x="150" y="%d" width="%d" height="14" rx="2" class="%s"/><text x="%d" y="%d">%s</text>' % (
                y + 12, name, y + 1, width, "ours" if name.startswith("tofud") else "other", 158 + width, y + 12, amount(value, "")))
            y += 20
        y += 12
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 %d" font-family="system-ui, sans-serif" font-size="12">\n'
            "<style>text{fill:#333}.ours{fill:#0b7285}.other{fill:#adb5bd}@media(prefers-color-scheme:dark){text{fill:#ddd}.ours{fill:#3bc9db}.other{fill:#868e96}}</style>\n%s\n</svg>\n"
            % (y, "\n".join(parts)))


def put(path, text):
    """Between the marks of a document."""
    before = path.read_text()
    after = re.sub(r"(<!-- goals: tests/bench/goals.py writes this -->\n).*?(<!-- /goals -->)", lambda found: found.group(1) + text + "\n" + found.group(2), before, flags=re.S)
    assert after != before or text in before, path
    path.write_text(after)


def main():
    measured = Measured(*sys.argv[1:3])
    made = rows(measured)
    print(table(made))
    judged = [met for *_, met, _ in made if met is not None]
    print("\n%d of %d goals met, %d not measured; %s, %d processors" % (sum(judged), len(judged), len(made) - len(judged), platform.machine(), os.cpu_count()))
    if "--write" in sys.argv:
        put(ROOT / "docs/speed.md", table(made))
        put(ROOT / "README.md", excerpt(made))
        (ROOT / "docs/speed.svg").write_text(plot(measured))


if __name__ == "__main__":
    main()
