#!/usr/bin/python3
"""Tables from the JSON lines of run.py: medians, and for each load the ratio to nats in the same runs.

    table.py fan.jsonl
"""
import json
import statistics
import sys

REFERENCE = "nats"

# What to show of each kind of load: key of fanbench's result, heading, whether the ratio to the reference follows.
COLUMNS = {
    "flat out": [("deliv_per_s", "deliveries/s", True), ("deliv_per_srv_cpu_s", "deliveries/server CPU s", True),
                 ("msgs_per_read", "messages/read", False), ("p99_us", "p99 us", False), ("gaps", "gaps", False),
                 ("rss_kb", "RSS kB", False), ("srv_cores", "server cores", False), ("cli_cores", "client cores", False),
                 ("sys_cores", "machine", False)],
    "paced": [("p50_us", "p50 us", True), ("p99_us", "p99 us", True), ("srv_cpu_s_per_M", "server CPU s/M deliveries", True),
              ("delivered_frac", "delivered", False), ("gaps", "gaps", False), ("srv_cores", "server cores", False),
              ("sys_cores", "machine", False)],
    "idle": [("open", "open", False), ("pss_per_sub_kb", "PSS kB/subscriber", True), ("rss_kb", "RSS kB", True),
             ("connect_cpu_us", "CPU us/connect", True), ("idle_cpu_pct", "idle CPU %", False)],
    "stall": [("p50_us", "p50 us", True), ("p99_us", "p99 us", True), ("delivered_frac", "delivered to the others", False),
              ("rss0_kb", "RSS before kB", False), ("rss_peak_kb", "RSS peak kB", True),
              ("stalled_closed_during", "stalled one cut off", False), ("stalled_msgs", "stalled one read after", False)],
    "calm": [("p50_us", "p50 us", True), ("p99_us", "p99 us", True), ("delivered_frac", "delivered", False),
             ("rss0_kb", "RSS before kB", False), ("rss_kb", "RSS after kB", True)],
    "late": [("open_ms", "open ms", True), ("first_ms", "first ms", True), ("full_ms", "whole history ms", True),
             ("got", "messages", False), ("bytes", "bytes", False)],
}


def kind(load):
    if ":" in load:
        return load.split(":")[0]
    return "flat out" if load.endswith("x0") else "paced"


def number(value):
    size = abs(value)
    if size >= 1e6:
        return "%.2fM" % (value / 1e6)
    if size >= 2e3:
        return "%.1fk" % (value / 1e3)
    if size >= 100 or value == int(value):
        return "%.0f" % value
    return "%.2f" % value


def median(results, server, key):
    values = [r[key] for r in results if r["adapter"] == server and isinstance(r.get(key), (int, float))]
    return statistics.median(values) if values else None


def cell(results, server, key, with_ratio):
    value = median(results, server, key)
    if value is None:
        return "-"
    reference = median(results, REFERENCE, key)
    if not with_ratio or not reference or server == REFERENCE:
        return number(value)
    return "%s (%.2fx)" % (number(value), value / reference)


def show(results, out=sys.stdout):
    """Prints a Markdown table per load. A server that gave no result stands in it with dashes."""
    for load in dict.fromkeys(r["load"] for r in results):
        same = [r for r in results if r["load"] == load]
        columns = COLUMNS[kind(load)]
        rows = [["server"] + [heading for _, heading, _ in columns]]
        for server in dict.fromkeys(r["adapter"] for r in same):
            rows.append([server] + [cell(same, server, key, ratio) for key, _, ratio in columns])
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        rows.insert(1, ["-" * width for width in widths])
        print("\n%s, %s (in brackets: against %s)\n" % (load, kind(load), REFERENCE), file=out)
        for row in rows:
            print("| " + " | ".join(text.ljust(width) for text, width in zip(row, widths)) + " |", file=out)


if __name__ == "__main__":
    with open(sys.argv[1]) as lines:
        show([json.loads(line) for line in lines])
