#!/usr/bin/python3
"""What the page says of earlier runs: what is usual of a running step, and the detail's earlier runs."""
import subprocess
import unittest
import urllib.parse

from browsing import Browsing
from binary import PATIENCE, TOFUD, until
from one_resource import DONE, VERSION, begun, created

EARLIER = """(() => {
  const section = document.querySelector('#detail .history');
  return section && [...section.querySelectorAll('p')].map(each => each.textContent.trim().replace(/\\s+/g, ' '));
})()"""


class History(Browsing):
    def before(self, *lengths, failed=()):
        """Earlier runs of the stack."""
        for at, seconds in enumerate(lengths):
            ends = "apply_errored" if at in failed else "apply_complete"
            subprocess.run([TOFUD, "--no-listen", "--progress", "none", "--no-server", "--stack", "net", "--label", "commit=c0ffee"], capture_output=True,
                           input=VERSION + created("acme_db.main", seconds, ends) + (b"" if at in failed else DONE),
                           env=self.env(TOFUD_STATE_DIR=self.state_dir), timeout=PATIENCE)

    def shown(self, fragment=""):
        tofud = self.pipe("--stack", "net", "--no-server")
        tofud.wait_for_url()
        tofud.write(VERSION + begun("acme_db.main") + begun("acme_db.other"))
        return tofud, self.open(tofud.url, fragment)

    def test_a_running_step_says_what_is_usual_and_the_detail_what_was(self):
        self.before(60, 70, 80, 5, failed=(3,))
        tofud, page = self.shown("#r=" + urllib.parse.quote("acme_db.main", safe=""))
        until(lambda: page.value("document.querySelector('.row .usual')?.textContent") == "usually 1m10s, fails now and then", "the row says what is usual")
        self.assertEqual(page.value("document.querySelectorAll('.row .usual').length"), 2)  # the other one's by its type
        said = until(lambda: page.value(EARLIER), "the detail has earlier runs")
        self.assertEqual(said[0], "create 4 times, usually 1m10s, 4 of 5 within 1m20s; failed 1 of the last 4")
        self.assertRegex(said[1], r"^last changed by run \\S+ \\(create\\), which claimed commit c0ffee$".replace("\\\\", "\\"))
        bars = page.value("[...document.querySelectorAll('#detail .plot .bar')].map(each => [each.dataset.status, Math.round(parseFloat(each.style.height))])")
        self.assertEqual(bars, [["done", 75], ["done", 88], ["done", 100], ["failed", 20]])
        (self.pictures() / "history.png").write_bytes(page.picture(1280, 800))
        tofud.end_of_stream()

    def test_the_timeline_draws_what_is_expected_ahead_of_now(self):
        self.before(60, 70, 80)
        tofud, page = self.shown("?view=waterfall")
        ahead = "[...document.querySelectorAll('.lane-row')].map(row => [row.dataset.addr, row.querySelectorAll('.ahead').length])"
        until(lambda: page.value(ahead) == [["acme_db.main", 1], ["acme_db.other", 1]], "what both take is drawn")
        self.assertLess(page.value("parseFloat(document.querySelector('.lane-row .step').style.width)"), 60)  # most of it is to come
        tofud.end_of_stream()

    def test_what_fails_now_and_then_is_marked_before_it_begins(self):
        self.before(60, 70, failed=(1,))
        tofud = self.pipe("--stack", "net", "--no-server")
        tofud.wait_for_url()
        tofud.write(VERSION + begun("acme_db.main").splitlines(True)[0])
        page = self.open(tofud.url)
        until(lambda: page.value("document.querySelector('.row .usual')?.textContent") == "fails now and then", "the row says so")
        tofud.end_of_stream()

    def test_without_a_history_nothing_is_said(self):
        tofud, page = self.shown("#r=" + urllib.parse.quote("acme_db.main", safe=""))
        until(lambda: page.value("document.querySelectorAll('#resources .row').length > 1"), "the rows are there")
        until(lambda: any("/v1/history?" in url for url in page.requests), "the detail has asked")
        page.value("new Promise(done => setTimeout(done, 500))")
        self.assertIsNone(page.value(EARLIER))
        self.assertEqual(page.value("document.querySelectorAll('.usual').length"), 0)
        tofud.end_of_stream()


if __name__ == "__main__":
    unittest.main()
