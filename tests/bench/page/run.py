#!/usr/bin/python3
"""How the run page bears a large apply: RESOURCES resources, CHANGES row changes a second for SECONDS.

    tests/bench/page/run.py --tofud build/release/daemon/tofud [--seconds 60] [--view waterfall] [--filter node] [--profile FILE]

A real tofud at the end of a pipe, a real Chromium. Percentages are of one core, by the page thread's own clock, so that
others on the machine count little; latencies are by the clock on the wall and count them in.
"""
import argparse
import json
import os
import pathlib
import sys
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "browser"), str(HERE.parents[1] / "end_to_end")]

A_TICK = .01  # seconds between writes
LONG_MS = 100
HEAP_AT = (10, 30, 60)  # seconds
TYPES_EVERY = 3  # seconds

# From a key to what it changed on the screen: https://www.w3.org/TR/event-timing/
ANSWERS = """window.answers = [];
new PerformanceObserver(list => list.getEntries().forEach(each => each.name === 'keydown' && answers.push(each.duration)))
  .observe({type: 'event', durationThreshold: 16, buffered: true});
document.addEventListener('DOMContentLoaded', () => { window.began = performance.now(); });"""

MEASURED = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration", "TaskDuration")


def options():
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("--tofud", required=True)
    ask.add_argument("--resources", type=int, default=20000)
    ask.add_argument("--changes", type=int, default=2000, help="a second")
    ask.add_argument("--seconds", type=int, default=60)
    ask.add_argument("--view", choices=("overview", "waterfall"), default="overview")
    ask.add_argument("--filter", default="", help="text in the filter from the beginning")
    ask.add_argument("--profile", help="writes where script spends its time there, as Chromium's .cpuprofile")
    return ask.parse_args()


class Measured:
    """What the browser has measured of a page up to a moment."""

    def __init__(self, page):
        self.of = {each["name"]: each["value"] for each in page.call("Performance.getMetrics")["metrics"]}

    def share(self, before, name, seconds):
        return 100 * (self.of[name] - before.of[name]) / seconds


def write_at_pace(tofud, messages, rate, late):
    """`late`: gets by how many seconds the writer was behind at worst."""
    begin, due = time.monotonic(), 0
    piece = []
    for message in messages:
        piece.append(message)
        due += 1
        if due % max(1, int(rate * A_TICK)) == 0:
            tofud.write(b"".join(piece))
            piece.clear()
            ahead = begin + due / rate - time.monotonic()
            late.append(-ahead)
            if ahead > 0:
                time.sleep(ahead)
    tofud.write(b"".join(piece))


def heap_mb(page, pauses):
    """After a collection, in MB. `pauses` gets the span, which is not the page's doing."""
    begin = Measured(page).of["Timestamp"]
    page.call("HeapProfiler.collectGarbage")
    after = Measured(page)
    pauses.append((begin, after.of["Timestamp"]))
    return after.of["JSHeapUsedSize"] / 1e6


def longest_tasks(events, pauses):
    """Milliseconds of tasks, longest first, by the wall and by the thread's clock."""
    import trace_of_chromium as trace
    found = []
    for each in trace.tasks(events):
        begin, end = each["ts"] / 1e6, (each["ts"] + each["dur"]) / 1e6
        if not any(begin <= to and end >= since for since, to in pauses):
            found.append((each["dur"] / 1000, each.get("tdur", each["dur"]) / 1000))
    return found


def main(asked):
    os.environ["TOFUD"] = os.path.abspath(asked.tofud)
    import load
    import trace_of_chromium as trace
    from browsing import Browsing
    from binary import get, until

    class Bench(Browsing):
        def runTest(self):
            tofud = self.pipe()
            page = self.browser.open(tofud.wait_for_url() + "?view=%s&q=%s" % (asked.view, asked.filter), ANSWERS)
            page.call("Network.disable")  # it would be told of every message
            page.picture(1280, 900)
            until(lambda: page.value("document.body.dataset.listed"), "a page")
            for message in load.plan(asked.resources):
                tofud.process.stdin.write(message)
            tofud.process.stdin.flush()
            until(lambda: json.loads(get(tofud.url + "v1/runs/latest"))["run"]["counts"].get("planned") == asked.resources, "the plan")
            until(lambda: asked.filter or asked.view != "overview" or
                  page.value("document.getElementById('resources')?.dataset.count") == str(asked.resources), "the rows of the plan")
            time.sleep(2)
            self.measure(page, tofud)

        def measure(self, page, tofud):
            page.call("Performance.enable", timeDomain="threadTicks")
            if asked.profile:
                page.call("Profiler.enable")
                page.call("Profiler.start")
            late, pauses, heap = [], [], {0: heap_mb(page, [])}
            page.value("document.getElementById('filter').focus()")
            trace.start(page)
            before = Measured(page)
            changes = load.apply(asked.resources, asked.changes * asked.seconds)
            writer = threading.Thread(target=write_at_pace, args=(tofud, changes, asked.changes, late))
            begin = time.monotonic()
            writer.start()
            for second in range(1, asked.seconds + 1):
                time.sleep(max(0, begin + second - time.monotonic()))
                if second % TYPES_EVERY == 0 and not asked.profile:
                    page.key("n" if second // TYPES_EVERY % 2 else "Backspace")
                if second in HEAP_AT and not asked.profile:
                    heap[second] = heap_mb(page, pauses)
            writer.join()
            took = time.monotonic() - begin
            after = Measured(page)
            if asked.profile:
                pathlib.Path(asked.profile).write_text(json.dumps(page.call("Profiler.stop")["profile"]))
            events = trace.stop(page, until)
            self.print(page, before, after, took, late, heap, longest_tasks(events, pauses))

        def print(self, page, before, after, took, late, heap, tasks):
            answers = sorted(page.value("answers"))
            wall, own = (sorted((each[i] for each in tasks), reverse=True) for i in (0, 1))
            rows = [("resources, changes a second", "%d, %d for %.0f s" % (asked.resources, asked.changes, took)),
                    ("writer behind at worst", "%.2f s" % max(late))]
            rows += [(name[:-len("Duration")].lower(), "%.1f %% of a core" % after.share(before, name, took)) for name in MEASURED]
            rows += [("longest task", "%.0f ms (%.0f ms of a core)" % (wall[0], own[0])),
                     ("tasks over %d ms" % LONG_MS, "%d (%d of a core)" % tuple(sum(each > LONG_MS for each in of) for of in (wall, own))),
                     ("heap", ", ".join("%.0f MB at %d s" % (mb, at) for at, mb in heap.items())),
                     ("key answered", "%.0f ms median, %.0f ms at worst, of %d" % (answers[len(answers) // 2], answers[-1], len(answers))
                      if answers else "under 16 ms")]
            print()
            for name, figure in rows:
                print("%-28s %s" % (name, figure))

    result = unittest.TextTestRunner(verbosity=0).run(unittest.TestSuite([Bench()]))
    return not result.wasSuccessful()


if __name__ == "__main__":
    sys.exit(main(options()))
