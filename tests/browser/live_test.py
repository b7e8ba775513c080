#!/usr/bin/python3
"""Kinds of runs as they happen, written into a pipe piece by piece: the page shows the rows of each moment."""
import os
import unittest

from browsing import Browsing
from binary import TOFUD, Running, recorded, until

PIECES = 6


def pieces_of(name, stem="stream"):
    lines = recorded(name, stem).splitlines(keepends=True)
    size = -(-len(lines) // PIECES)
    return [b"".join(lines[at:at + size]) for at in range(0, len(lines), size)]


class Live(Browsing):
    def follows(self, name):
        """The page at the end, and the states the run was in."""
        self.state_dir = os.path.join(self.home, name)
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        written, seen = b"", []
        for piece in pieces_of(name):
            written += piece
            tofud.write(piece)
            self.has_taken(tofud, written)
            self.comes_to_show(page, self.rows_now(tofud.url))
            seen.append(page.value("document.getElementById('status').textContent"))
        tofud.end_of_stream()
        self.comes_to_show(page, self.rows(self.spool()))
        self.comes_to_say(page, "^tofud has ended: run over$")
        seen.append(page.value("document.getElementById('status').textContent"))
        self.is_in_order(page)
        return page, seen

    def test_one_that_is_interrupted(self):
        page, seen = self.follows("interrupted-sigint-once")
        self.assertEqual((seen[0], seen[-1]), ("running", "interrupted"))
        self.assertTrue(page.value("document.title").startswith("! ") or "✗" in page.value("document.title"))

    def test_one_that_is_killed(self):
        self.assertEqual(self.follows("killed-sigkill-mid-apply")[1][-1], "lost")

    def test_one_of_two_thousand_resources(self):
        page, seen = self.follows("large-2000")
        self.assertEqual((seen[0], seen[-1]), ("running", "succeeded"))
        self.assertGreater(int(page.value("document.getElementById('resources').ariaRowCount")), 2000)

    def test_one_of_tests(self):
        page, seen = self.follows("test-fail-error-skip")
        self.assertEqual(seen[-1], "failed")
        self.assertGreater(page.value("document.querySelectorAll('#tests .state').length"), 5)

    def taken(self, url, run):
        """Lines whose rows are there; 0 before one tofud knows of the run of another."""
        try:
            lines = next(iter(self.rows_now(url, run)["run"].values()))["lines"]
        except OSError:
            return 0
        return int(lines["messages"]) + int(lines["text"])

    def test_two_at_once_keep_apart(self):
        def one():
            running = self.kept(Running([TOFUD, "--state-dir", self.state_dir], self.env()))
            self.addCleanup(running.process.stdin.close)
            running.wait_for_url()
            return running, running.out.got[0].split()[3].rstrip(b":").decode()
        names = ("apply-create-mixed", "apply-provider-errors")
        both = [one() for _ in names]
        self.assertNotEqual(both[0][1], both[1][1])
        url = both[0][0].url  # one of them serves both
        pages, written = {}, dict.fromkeys((run for _, run in both), 0)
        for pieces in zip(*map(pieces_of, names)):
            for (running, run), piece in zip(both, pieces):
                running.write(piece)
                written[run] += piece.count(b"\n")
                until(lambda: self.taken(url, run) == written[run], "the rows of what was written")
                page = pages.get(run) or pages.setdefault(run, self.open(url, "?run=" + run))
                self.comes_to_show(page, self.rows_now(url, run))
        for run, page in pages.items():
            until(lambda: page.value("document.querySelectorAll('#runs option').length") == 2, "both to choose from")
            self.assertEqual(page.value("document.body.dataset.run"), run)
            self.assertIn(page.value("document.getElementById('status').textContent"), ("running", "failing"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
