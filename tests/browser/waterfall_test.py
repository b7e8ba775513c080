#!/usr/bin/python3
"""The waterfall in a real browser: lanes by time, what ran at once, and the address that leads to it."""
import datetime
import json
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from binary import get, recorded_path, until
from browsing import Browsing

LANES = "[...document.querySelectorAll('.lane-row')].map(row => row.dataset.addr)"
# Edges of each lane's steps in parts of the axis.
STEPS = """Object.fromEntries([...document.querySelectorAll('.lane-row')].map(row => {
  const bars = row.querySelector('.bars').getBoundingClientRect();
  return [row.dataset.addr, [...row.querySelectorAll('.step')].map(step => {
    const box = step.getBoundingClientRect();
    return [(box.left - bars.left) / bars.width, (box.right - bars.left) / bars.width];
  })];
}))"""


class Waterfall(Browsing):
    def shown(self, recording, query="?view=waterfall"):
        tofud = self.replay(recorded_path(recording))
        page = self.open(tofud.url, query)
        self.comes_to_its_end(page)
        rows = json.loads(get(tofud.url + "v1/runs/latest"))["rows"]
        return page, [row for row in rows if row["kind"] == "resource"]

    def test_lanes_lie_where_their_steps_were(self):
        page, rows = self.shown("apply-slow-progress")
        applied = {row["addr"]: [step for step in row["steps"] if step["phase"] == "apply"] for row in rows}
        began = sorted(applied, key=lambda addr: applied[addr][0]["started_at"])
        until(lambda: page.value(LANES) == began, "the lanes in order: %s" % began)
        places = page.value(STEPS)
        # The one that ran longest reaches further than those that ended before it.
        ends = {addr: places[addr][-1][1] for addr in began}
        ended = {addr: datetime.datetime.fromisoformat(applied[addr][-1]["ended_at"].replace("Z", "+00:00")) for addr in began}
        for one in began:
            for other in began:
                if ended[other] - ended[one] > datetime.timedelta(seconds=1):
                    self.assertGreater(ends[other], ends[one], (one, other))
        self.assertAlmostEqual(max(ends.values()), 1, 2)
        self.assertAlmostEqual(min(each[0][0] for each in places.values()), 0, 2)
        self.assertIn("8 resources in 37", page.value("document.getElementById('moment').textContent"))
        self.is_in_order(page)

    def test_phases_show_where_the_time_went(self):
        page, rows = self.shown("apply-slow-progress", "?view=waterfall&path=1")
        # The migration waited for the database, which took longest.
        until(lambda: page.value(LANES) == ["random_pet.fast[1]", "time_sleep.database", "null_resource.migrate"], "the critical path")
        said = page.value("document.getElementById('moment').textContent")
        self.assertRegex(said, r"^37s of 37s went into 3 of 8, longest: time_sleep\.database \(25s\), null_resource\.migrate \(12s\), ")
        page.value("document.getElementById('path').click()")
        until(lambda: len(page.value(LANES)) == len(rows), "all lanes")
        self.assertNotIn("path=", page.value("location.search"))
        self.is_in_order(page)

    def test_it_is_filtered_and_opened_as_the_table_is(self):
        page, rows = self.shown("apply-provider-errors", "?view=waterfall&status=failed")
        failed = {row["addr"] for row in rows if row["status"] == "failed" and any(step["phase"] == "apply" for step in row["steps"])}
        until(lambda: set(page.value(LANES)) == failed, "the failed ones: %s" % failed)
        page.value("document.querySelector('.lane-row a').click()")
        until(lambda: page.value("document.getElementById('detail-title')?.textContent") in failed, "the detail")
        page.value("document.querySelector('[data-view=overview]').click()")
        until(lambda: page.value("document.getElementById('resources') !== null"), "the table")
        self.assertNotIn("view=", page.value("location.search"))
        self.assertIn("status=failed", page.value("location.search"))

    def test_lanes_are_ordered_by_how_long_they_took(self):
        page, rows = self.shown("apply-slow-progress", "?view=waterfall")
        until(lambda: len(page.value(LANES)) == len(rows), "all lanes")
        page.value("{ const field = document.querySelector('[name=order]'); field.value = 'duration'; field.dispatchEvent(new Event('change', {bubbles: true})); }")
        until(lambda: page.value(LANES)[0] == "time_sleep.database", "what took longest stands first")

    def test_a_part_of_the_time_is_shown_by_mouse_and_by_keys_and_is_in_the_address(self):
        page, rows = self.shown("apply-slow-progress", "?view=waterfall")
        until(lambda: len(page.value(LANES)) == len(rows), "all lanes")
        said = "document.getElementById('moment').textContent"
        box = page.value("(() => { const box = document.querySelector('.whole').getBoundingClientRect(); return [box.left, box.width, box.top + box.height / 2]; })()")
        for kind, part in (("mousePressed", .5), ("mouseMoved", .6), ("mouseReleased", .9)):
            page.call("Input.dispatchMouseEvent", type=kind, x=box[0] + part * box[1], y=box[2], button="left", buttons=0 if kind == "mouseReleased" else 1, clickCount=1)
        until(lambda: re.search(r"range=1[89][.\d]*-3[34][.\d]*(&|$)", page.value("location.search")), lambda: "the address has the part: " + page.value("location.search"))
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
        until(lambda: re.match(r"\d resources in 15s$", page.value(said)), lambda: "what ran then: " + page.value(said))
        self.assertEqual({"time_sleep.database", "null_resource.migrate"} & set(page.value(LANES)), {"time_sleep.database", "null_resource.migrate"})
        self.assertLess(len(page.value(LANES)), len(rows))  # what was over by then is left out
        page.value("document.querySelector('[aria-label=\"show more time\"]').click()")
        until(lambda: "in 30s" in page.value(said), "twice as much")
        page.value("document.querySelector('[aria-label=\"show more time\"]').click()")
        until(lambda: "8 resources in 37s" in page.value(said), "and then all of it")
        self.assertNotIn("range=", page.value("location.search"))
        page.value("document.querySelector('[aria-label=\"show less time\"]').click()")
        until(lambda: "range=" in page.value("location.search"), "half of it")
        self.is_in_order(page)

    def test_when_the_run_planned_is_said_and_how_many_ran_at_once(self):
        page, _ = self.shown("large-2000", "?view=waterfall")
        until(lambda: page.value("document.querySelector('.whole .planned')?.textContent") == "plan, 23s", "the plan")
        # Rows may still come after the run says that it has ended: one not yet seen to end counts beside those that began after it.
        until(lambda: page.value("document.getElementById('most-at-once').textContent") == "at most 10 at once", "ten at once")

    def test_of_ten_thousand_lanes_those_in_sight_are_drawn(self):
        page, rows = self.shown("large-10000")
        # So many are folded by module, and unfold.
        until(lambda: page.value("document.querySelectorAll('.module-row').length"), "modules")
        self.assertEqual(page.value(LANES + ".filter(Boolean).length"), 0)
        page.value("document.querySelector('.module-row button').click()")
        until(lambda: page.value("document.querySelectorAll('.lane-row[data-addr]').length"), "its lanes")
        page.value("{ const field = document.querySelector('[name=order]'); field.value = 'start'; field.dispatchEvent(new Event('change', {bubbles: true})); }")
        until(lambda: page.value("document.querySelector('#waterfall .rows')?.getAttribute('aria-rowcount')") == str(len(rows)), "all lanes")
        self.assertLess(page.value("document.querySelectorAll('.lane-row').length"), 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
