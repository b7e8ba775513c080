#!/usr/bin/python3
"""A report (--report FILE.html) in a browser: the same page from one file, which asks nobody and lets nothing else run."""
import os
import pathlib
import subprocess
import unittest

from browsing import Browsing, hostile_run
from binary import PATIENCE, RECORDINGS, TOFUD, recorded_path, until


class Report(Browsing):
    def report_of(self, path, *args, query=""):
        file = os.path.join(self.home, "report.html")
        subprocess.run([TOFUD, "replay", path, "--speed", "max", "--no-listen", "--progress", "none", "--report", file, *args],
                       env=self.env(), check=True, timeout=PATIENCE)
        page = self.browser.open(pathlib.Path(file).as_uri() + query)
        self.addCleanup(page.close)
        until(lambda: page.value("document.readyState") == "complete" and page.value("Boolean(document.getElementById('link'))"), "a page")
        return page

    def asks_nobody(self, page):
        self.assertEqual([url for url in page.requests if not url.startswith("data:")], [page.requests[0]])
        self.assertEqual(page.requests[0][:8], "file:///")
        self.assertEqual([said for said in page.complaints if "NavigationEntryMarkedSkippable" not in said], [])
        self.assertEqual(page.value("typeof window.pwned"), "undefined")

    def test_it_shows_the_rows_and_says_that_it_is_over(self):
        for name in ("apply-provider-errors", "outputs-all-types", "test-fail-error-skip", "large-2000"):
            with self.subTest(name):
                path = recorded_path(name)
                page = self.report_of(path)
                self.comes_to_show(page, self.rows(path))
                self.comes_to_say(page, "^report of a finished run$")
                self.assertRegex(page.value("document.getElementById('made-by').textContent"), r"^made by tofud \d+\.\d+\.\d+.*, build ")
                self.assertEqual(page.value("document.body.className"), "")
                self.asks_nobody(page)

    def test_it_has_all_runs_of_the_stream(self):
        page = self.report_of(recorded_path("pipeline-init-plan-apply-one-stream"))
        self.assertEqual(page.value("document.body.dataset.run"), "stream.4")
        titles = set()
        for run in ("stream", "stream.2", "stream.3", "stream.4"):
            page.value("{ const field = document.getElementById('runs'); field.value = %r;"
                       "field.dispatchEvent(new Event('change', {bubbles: true})); }" % run)
            until(lambda: page.value("document.body.dataset.run") == run, run)
            titles.add(page.value("document.title"))
        self.assertEqual(len(titles), 4)
        self.asks_nobody(page)

    def test_the_log_of_a_resource_is_in_it(self):
        page = self.report_of(recorded_path("provisioner-output-kinds"))
        page.value("location.hash = '#r=terraform_data.lines'")
        lines = "[...document.querySelectorAll('#detail .log .line')].map(line => line.textContent)"
        until(lambda: "green bold plain orange" in page.value(lines), "the log")
        self.asks_nobody(page)

    def test_the_plan_of_the_run_is_in_it(self):
        page = self.report_of(recorded_path("replace-reasons"), "--plan", str(RECORDINGS / "replace-reasons/plan.json"), query="?view=plan")
        until(lambda: page.value("document.querySelectorAll('.planned-change').length") > 5, "what changes")
        page.value("document.querySelector('.planned-change .unfold')?.click()")
        until(lambda: page.value("document.querySelectorAll('.planned-change .diff .change').length"), "values of it")
        self.asks_nobody(page)

    def test_text_from_outside_stays_text(self):
        path = os.path.join(self.home, "hostile.jsonl")
        with open(path, "wb") as file:
            file.write(b"".join(hostile_run()))
        page = self.report_of(path)
        self.comes_to_show(page, self.rows(path))
        self.assertEqual(page.value("document.querySelectorAll('img, iframe, svg, form, object, embed').length"), 0)
        self.asks_nobody(page)

    def test_its_policy_lets_nothing_else_run(self):
        page = self.report_of(recorded_path("apply-slow-progress"))
        said = page.value("""new Promise(done => {
          const seen = [];
          addEventListener('securitypolicyviolation', violation => {
            seen.push(violation.effectiveDirective);
            if (seen.length === 2) done(seen.sort());
          });
          fetch('http://127.0.0.1:1/').catch(() => {});
          const image = new Image();
          image.src = 'http://127.0.0.1:1/x.png';
        })""")
        self.assertEqual(said, ["connect-src", "img-src"])
        self.assertEqual(page.value("(() => { try { document.createElement('p').innerHTML = '<b>x</b>'; return 'made'; }"
                                    "catch (error) { return error.name; } })()"), "TypeError")


if __name__ == "__main__":
    unittest.main(verbosity=2)
