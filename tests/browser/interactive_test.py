#!/usr/bin/python3
"""The page while a large run goes on: it answers, and ends with the rows of the feed. tests/bench/page measures the same."""
import collections
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench/page"))

import load
from browsing import Browsing
from binary import get, until

RESOURCES, CHANGES = 20000, 8000
TYPED = "[1]"
PASSING = "document.getElementById('passing')?.textContent ?? ''"
COUNTS = """Object.fromEntries([...document.querySelectorAll('.filter button.state')].map(one => one.textContent.split(' ')).filter(([, count]) => count !== '0'))"""
# Address and status of the rows in sight after a scroll to a part of the table.
IN_SIGHT = """new Promise(done => {
  const box = document.querySelector('#resources .rows');
  box.scrollTop = %f * (box.scrollHeight - box.clientHeight);
  requestAnimationFrame(() => setTimeout(() => done([...box.querySelectorAll('.row')].map(row =>
    [row.ariaRowIndex - 1, row.dataset.addr, row.querySelector('.status').textContent]))));
})"""


class Interactive(Browsing):
    def test_keys_are_answered_in_a_storm_and_at_its_end_the_rows_are_those_of_the_feed(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        written = b"".join(load.plan(RESOURCES))
        tofud.write(written)
        until(lambda: page.value("document.getElementById('resources')?.dataset.count") == str(RESOURCES), "all rows")
        page.key("/")
        self.assertEqual(page.value("document.activeElement.id"), "filter")
        storm = list(load.apply(RESOURCES, CHANGES))
        self.assertEqual(len(storm), CHANGES)
        presses = [*TYPED, *["Backspace"] * len(TYPED)]
        size = CHANGES // len(presses) + 1
        wanted = ""
        for at, key in enumerate(presses):
            tofud.write(b"".join(storm[at * size:(at + 1) * size]))  # on their way as the key is pressed
            page.key(key)
            wanted = wanted[:-1] if key == "Backspace" else wanted + key
            passing = sum(wanted in load.resource(n)["addr"] for n in range(RESOURCES))
            said = "%d of %d" % (passing, RESOURCES) if wanted else ""
            until(lambda: page.value(PASSING) == said, "%r answered by %r" % (wanted, said))
        last = load.summary(RESOURCES)
        tofud.write(last)
        self.has_taken(tofud, written + b"".join(storm) + last)
        rows = [row for row in json.loads(get(tofud.url + "v1/runs/latest"))["rows"] if row["kind"] == "resource"]
        counts = {status: str(count) for status, count in collections.Counter(row["status"] for row in rows).items()}
        self.assertGreater(len(counts), 2)
        until(lambda: page.value(COUNTS) == counts, "the counts of the feed: %s" % counts)
        status = {row["addr"]: row["status"] for row in rows}
        order = []  # heads of groups, and the resources of each in order of first appearance
        for group in ("failed", "running", "planned", "interrupted", "skipped", "drifted", "done", "unchanged"):
            inside = [addr for addr in (load.resource(n)["addr"] for n in range(RESOURCES)) if status[addr] == group]
            order += [None, *inside] if inside else []
        page.value("document.querySelectorAll('[data-group][aria-expanded=false]').forEach(one => one.click())")
        page.value("document.activeElement.blur()")
        for part in (0, .02, .5, 1):
            seen = page.value(IN_SIGHT % part)
            self.assertGreater(len(seen), 5)
            for at, addr, shown in seen:
                self.assertEqual((addr, shown), (order[at], status[addr]))
        self.is_in_order(page)


if __name__ == "__main__":
    unittest.main(verbosity=2)
