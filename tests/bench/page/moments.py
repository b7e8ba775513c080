#!/usr/bin/python3
"""What people wait for at the page and the wall, each beside its goal (criteria 26 and 42 of the screens' review).

    tests/bench/page/moments.py --tofud build/release/daemon/tofud [--minutes 10]

A real tofud, a real Chromium. Times are by the clock on the wall, shares of one core by the page thread's own.
"""
import argparse
import json
import os
import pathlib
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "browser"), str(HERE.parents[1] / "end_to_end")]

MANY = 20_000
STACKS = 200
IDLE_SECONDS = 20
OPENED = 20

# From the first byte of the page to its largest paint: https://w3c.github.io/largest-contentful-paint/
PAINTED = """new PerformanceObserver(list => { for (const each of list.getEntries()) window.painted = each.startTime; }).observe({type: 'largest-contentful-paint', buffered: true});"""
SINCE_HTML = "(() => { const [page] = performance.getEntriesByType('navigation'); return window.painted === undefined ? null : window.painted - page.responseEnd; })()"

# From a click to the drawing that shows what it opens.
OPENS = """new Promise(done => {
  const rows = [...document.querySelectorAll('#resources .row')], row = rows[%d %% rows.length], begin = performance.now();
  row.click();
  const look = () => document.getElementById('detail-title')?.textContent === row.dataset.addr ? done(performance.now() - begin) : requestAnimationFrame(look);
  requestAnimationFrame(look);
})"""

# A key of the filter until the list is that of the filter.
FILTERS = """new Promise(done => {
  const field = document.getElementById('filter'), begin = performance.now();
  field.value = '%s';
  field.dispatchEvent(new Event('input', {bubbles: true}));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - begin)));
})"""


def options():
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("--tofud", required=True)
    ask.add_argument("--minutes", type=float, default=1, help="of provisioner-firehose in a loop, for the heap")
    return ask.parse_args()


def median(values):
    return sorted(values)[len(values) // 2]


def main(asked):
    os.environ["TOFUD"] = os.path.abspath(asked.tofud)
    import load
    import walls
    from binary import get, recorded, recorded_path, until
    from browsing import VERSION
    from graph_view_test import Graph
    from run import Measured

    class Moments(walls.Walls, Graph):
        def line(self, what, figure, goal):
            print("%-64s %-28s goal %s" % (what, figure, goal), flush=True)

        def runTest(self):
            self.paint("provisioner-fail-exit3", recorded_path("provisioner-fail-exit3"), 300)
            path = os.path.join(self.home, "many.jsonl")
            with open(path, "wb") as file:
                for message in load.plan(MANY):
                    file.write(message)
            page = self.paint("%d resources" % MANY, path, 500)
            self.line("a key of the filter, %d resources" % MANY, "%.0f ms" % median([page.value(FILTERS % text) for text in ("node", "node[1", "s3", "", "node[2", "")]), "<= 50 ms")
            page.value(FILTERS % "")
            self.line("a resource opens, %d resources" % MANY, "%.0f ms" % median([page.value(OPENS % at) for at in range(OPENED)]), "<= 60 ms")
            self.graph()
            self.idle_wall()
            self.firehose()

        def paint(self, what, path, goal):
            taken = []
            tofud = self.replay(path)
            until(lambda: json.loads(get(tofud.url + "v1/runs/latest"))["run"]["status"] != "running", "the run is over")
            for _ in range(3):
                page = self.browser.open(tofud.url, PAINTED)
                self.addCleanup(page.close)
                page.picture(1280, 900)
                until(lambda: page.value("document.querySelectorAll('#resources .row').length"), "rows")
                time.sleep(1)
                taken.append(page.value(SINCE_HTML) or 0)
            self.line("largest paint after the HTML, " + what, "%.0f ms" % median(taken), "<= %d ms" % goal)
            return page

        def graph(self):
            stream, args = self.written(334)
            page = self.shown(stream, args=args)
            took = page.value("""new Promise(done => { const begin = performance.now();
              [...document.querySelectorAll('.graph-tools button')].find(one => one.textContent === 'Unfold all').click();
              requestAnimationFrame(() => setTimeout(() => done(performance.now() - begin))); })""")
            self.line("graph of 2,005 blocks, all of them unfolded", "%.0f ms" % took, "<= 100 ms a task")
            page.value("""new Promise(done => { const box = document.querySelector('.graph-box'); let n = 0; window.frames = []; let last = performance.now();
              const step = () => { const now = performance.now(); frames.push(now - last); last = now; box.scrollTop += 200; n++ < 60 ? requestAnimationFrame(step) : done(); }; step(); })""")
            frames = sorted(page.value("frames"))
            self.line("a frame while it scrolls, median and at worst", "%.0f, %.0f ms" % (median(frames), frames[-1]), "smooth: about 16 ms")

        def idle_wall(self):
            daemon = self.daemon_of()
            for i in range(STACKS):
                self.sent(daemon, recorded("apply-provider-errors") if i % 20 == 0 else VERSION, stack="acme/infra//live/stack-%03d@prod" % i)
            page = self.wall(daemon.url)
            page.picture(1920, 1080)
            until(lambda: "16" in (page.value("document.querySelector('h1')?.textContent") or "") or page.value("document.querySelectorAll('main a').length") > 50, "the wall")
            time.sleep(3)
            page.call("Performance.enable", timeDomain="threadTicks")
            before, begin = Measured(page), time.monotonic()
            time.sleep(IDLE_SECONDS)
            after, took = Measured(page), time.monotonic() - begin
            self.line("wall of %d stacks, idle" % STACKS, "%.1f %% of a core" % after.share(before, "TaskDuration", took), "<= 3 %")
            self.line("  style recalculations a second", "%.1f" % ((after.of["RecalcStyleCount"] - before.of["RecalcStyleCount"]) / took), "<= 5")

        def firehose(self):
            """A run that prints without an end: what is kept of it is bounded."""
            lines = recorded("provisioner-firehose").splitlines(keepends=True)
            progress = [each for each in lines if b'"provision_progress"' in each]
            head = lines[:lines.index(progress[0])]
            tofud = self.pipe()
            page = self.browser.open(tofud.wait_for_url() + "?view=log")
            self.addCleanup(page.close)
            tofud.write(b"".join(head))
            page.call("Performance.enable", timeDomain="threadTicks")
            heap, begin = [], time.monotonic()
            while time.monotonic() - begin < 60 * asked.minutes:
                tofud.write(b"".join(progress[:2000]))
                time.sleep(1)
                if time.monotonic() - begin > (len(heap) + 1) * 6 * asked.minutes:
                    page.call("HeapProfiler.collectGarbage")
                    heap.append(Measured(page).of["JSHeapUsedSize"] / 1e6)
            self.line("heap, 2,000 lines a second for %g min: at a tenth, at the end" % asked.minutes, "%.1f, %.1f MB" % (heap[0], heap[-1]), "within 10 % once full")

    result = unittest.TextTestRunner(verbosity=0).run(unittest.TestSuite([Moments()]))
    return not result.wasSuccessful()


if __name__ == "__main__":
    sys.exit(main(options()))
