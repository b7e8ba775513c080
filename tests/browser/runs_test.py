#!/usr/bin/python3
"""/runs as people use it: by stack, by time, from row to row, page after page; at a daemon, and at a tofud with a few runs."""
import json
import pathlib
import re
import sys
import unittest
import urllib.error
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from binary import ROOT, get, recorded, until
from browsing import VERSION, Browsing

AXE = ROOT / "daemon/dashboard/node_modules/axe-core/axe.min.js"
ODD = "github.com/acme/infra//net a+b%2F@prod?x=1&y=#ü<b>\"'"
RUNS = "[...document.querySelectorAll('.runs tbody tr')].map(one => one.dataset.run)"


class Plain(Browsing):
    def plain(self, url):
        page = self.browser.open(url)
        self.addCleanup(page.close)
        until(lambda: page.value("document.readyState") == "complete", "a page")
        return page

    def goes(self, page, action):
        """Does what leads to another document, and waits for that."""
        page.value("window.before = true")
        page.value(action)

        def is_there():
            try:
                return page.value("document.readyState === 'complete' && !window.before")
            except AssertionError as gone:
                if "navigated" not in str(gone) and "context" not in str(gone):
                    raise
                return False
        until(is_there, "another document")

    def search(self, page, text="", **fields):
        """Types words that name the fields, and others."""
        words = ['%s:"%s"' % (name, value.replace("\\", "\\\\").replace('"', '\\"')) if " " in value else "%s:%s" % (name, value) for name, value in fields.items()]
        page.value("document.querySelector('[name=q]').value = %s" % json.dumps(" ".join([*words, text]).strip()))
        self.goes(page, "document.querySelector('form button').click()")

    def follows(self, page, text, within="tbody"):
        self.goes(page, "[...document.querySelectorAll('%s a')].find(one => one.textContent === %s).click()" % (within, json.dumps(text)))

    def keeps_to_itself(self, page, url):
        # History made by a script: a test has no fingers.
        self.assertEqual([said for said in page.complaints if "NavigationEntryMarkedSkippable" not in said], [])
        self.assertEqual(page.value("document.querySelectorAll('script:not([src=\"runs.js\"]), img, b:not(.tabs b), [onerror]').length"), 0)
        self.assertEqual([asked for asked in page.requests if not asked.startswith((url, "data:"))], [])


class Runs(Plain):
    def setUp(self):
        super().setUp()
        self.daemon = self.daemon_of()
        self.url = self.daemon.url

    def sent(self, stream, **query):
        return super().sent(self.daemon, stream, **query)

    def test_the_form_finds_by_stack_and_time(self):
        net, odd = self.sent(VERSION, stack="net"), self.sent(VERSION, stack=ODD)
        self.sent(VERSION, stack="net/a")
        page = self.plain(self.url + "runs")
        self.assertEqual(page.value("[...document.querySelectorAll('#stacks option')].map(one => one.value)"), ['stack:"%s"' % ODD.replace('"', '\\"'), "stack:net", "stack:net/a"])
        for fields, found in (({"stack": "net"}, [net]), ({"stack": ODD}, [odd]), ({"stack": "ne"}, []), ({"stack": "net", "since": "1h"}, [net]),
                              ({"stack": "net", "until": "1h"}, []), ({"stack": "net", "since": "2026-11-21 03:00", "until": "2100-01-01"}, [net]),
                              ({"stack": "net", "until": "2020-01-01"}, [])):
            with self.subTest(fields):
                self.goes(page, "location.href = %s" % json.dumps(self.url + "runs"))
                self.search(page, **fields)
                self.assertEqual(page.value(RUNS), found)
                typed = page.value("document.querySelector('[name=q]').value")
                for value in fields.values():
                    self.assertIn(value.replace('"', '\\"'), typed)
        self.search(page, until="tomorrow")
        self.assertEqual(page.value("document.querySelector('[role=alert]').textContent"),
                         "until is neither a time such as 2026-11-21T03:12:00Z nor a run")
        self.goes(page, "document.querySelector('form .all').click()")
        self.assertEqual(page.value(RUNS + ".length"), 3)
        self.keeps_to_itself(page, self.url)

    def test_a_row_is_one_line_with_one_link_and_tabs_narrow_by_state(self):
        for i in range(30):
            self.sent(VERSION, stack="stack-%02d" % i, label="actor=ada")
        failed = self.sent(recorded("apply-provider-errors"), stack="dns", label="pr=1")
        page = self.plain(self.url + "runs")
        page.picture(1280, 900)
        self.assertEqual(page.value("[...document.querySelectorAll('tbody tr')].filter(one => one.querySelectorAll('a').length !== 1).length"), 0)
        in_sight = "[...document.querySelectorAll('tbody tr')].filter(one => one.getBoundingClientRect().bottom <= innerHeight).length"
        self.assertGreaterEqual(page.value(in_sight), 20)
        page.picture(360, 740)
        self.assertLessEqual(page.value("Math.max(...[...document.querySelectorAll('tbody tr')].map(one => one.clientHeight))"), 64)
        page.picture(1280, 900)
        self.follows(page, "failed 1", ".tabs")
        self.assertEqual(page.value(RUNS), [failed])
        self.search(page, actor="ada", stack="stack-07")
        self.assertEqual(page.value(RUNS + ".length"), 1)
        # A click anywhere in the row is one on its link.
        self.goes(page, "location.href = %s" % json.dumps(self.url + "runs?stack=dns"))
        x, y = page.value("(({x, y, width, height}) => [x + width - 20, y + height / 2])(document.querySelector('tbody tr').getBoundingClientRect())")
        self.assertEqual(page.value("document.elementFromPoint(%f, %f).localName" % (x, y)), "a")
        self.keeps_to_itself(page, self.url)

    def test_tabs_have_the_counts_of_the_api_and_new_runs_come_by_themselves(self):
        first = [self.sent(VERSION, stack="net"), self.sent(recorded("apply-provider-errors"), stack="dns")]
        page = self.plain(self.url + "runs")
        tabs = "[...document.querySelectorAll('.tabs a')].map(one => one.textContent).filter(one => /\\d/.test(one))"
        counts = json.loads(get(self.url + "v1/runs?counts=1"))["counts"]
        self.assertEqual(page.value(tabs), ["All 2"] + ["%s %d" % (status, counts[status]) for status in ("running", "succeeded", "failed", "interrupted", "lost", "unknown") if status in counts])
        page.value("window.before = true")
        third = self.sent(VERSION, stack="new")
        until(lambda: page.value(RUNS) == [third, *first[::-1]], "the new one is there")
        self.assertEqual(page.value(tabs)[0], "All 3")
        # Somebody is at the list: it is said, and comes when he wants it.
        page.value("document.querySelector('tbody a').focus()")
        fourth = self.sent(VERSION, stack="newer")
        until(lambda: page.value("document.getElementById('later').hidden === false && document.querySelector('#later button').textContent") == "1 new or changed", "it is said")
        self.assertEqual(page.value(RUNS + "[0]"), third)
        page.value("document.querySelector('#later button').click()")
        until(lambda: page.value(RUNS + "[0]") == fourth, "and it is taken")
        self.assertTrue(page.value("window.before"))  # the page is the one that it was
        self.keeps_to_itself(page, self.url)
        with self.assertRaises(urllib.error.HTTPError) as wrong:
            get(self.url + "v1/runs?counts=yes")
        self.assertIn("counts= must be 1", wrong.exception.read().decode())
        # Nobody answers any more: what is shown is not the present.
        self.daemon.stop()
        until(lambda: re.search(r"^tofud does not answer; this list is of .*\d\d", page.value("document.getElementById('later').textContent")), "it is said")

    def test_the_page_of_a_run_leads_to_its_stack(self):
        odd = self.sent(recorded("apply-slow-progress"), stack=ODD)
        self.sent(VERSION, stack="net")
        page = self.open(self.url, "?run=" + odd)
        until(lambda: page.value("document.querySelector('.stack-runs a')?.textContent") == "this stack", "the link")
        self.is_in_order(page)
        self.goes(page, "document.querySelector('.stack-runs a').click()")
        self.assertEqual(page.value(RUNS), [odd])
        self.assertEqual(page.value("document.querySelector('h1').textContent"), ODD)
        alone = self.sent(VERSION)
        page = self.open(self.url, "?run=" + alone)
        until(lambda: page.value("document.querySelector('.stack-runs a')?.getAttribute('href')") == "runs", "the link to all")

    def test_the_page_of_a_stack_says_how_it_stands(self):
        stack = "acme/infra//live/iam@prod"
        for _ in range(5):
            self.sent(recorded("apply-slow-progress"), stack=stack, label="actor=ada")
        failed = self.sent(recorded("apply-provider-errors"), stack=stack, label="actor=bob")
        page = self.plain(self.url + "stacks/" + urllib.parse.quote(stack, safe=""))
        said = page.value("document.querySelector('main').innerText")
        self.assertRegex(said, r"(?s)acme/infra//live/iam@prod\n.*✗ failed apply \d+ d ago by bob, OpenTofu 1\.12")
        self.assertRegex(said, r"Its last apply did not succeed: apply \d+ d ago by bob")
        self.assertRegex(said, r"Last apply that succeeded: apply \d+ d ago by ada, took 38s, \+8\n")
        self.assertIn("Of its last 5 applies that succeeded half took at most 38s, nine of ten 38s.", said)
        self.assertEqual(page.value("document.querySelector('.strip').getAttribute('aria-label')"), "6 runs, oldest first: 5 succeeded, 1 failed")
        self.assertEqual(page.value("[...document.querySelectorAll('.strip rect')].map(one => one.className.baseVal)"), ["succeeded"] * 5 + ["failed"])
        self.assertIn("time_sleep.database", page.value("document.querySelector('.usual').textContent"))
        self.assertEqual(page.value(RUNS + "[0]"), failed)
        for width in (320, 1600):
            page.picture(width, 800)
            self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
        self.keeps_to_itself(page, self.url)
        if AXE.exists():
            page.value(AXE.read_text() + "; 1")
            self.assertEqual(page.value("axe.run(document).then(found => found.violations.map(one => one.id + one.nodes.map(n => n.html)))"), [])
        (self.pictures() / "stack.png").write_bytes(page.picture(1280, 800))
        self.goes(page, "document.querySelector('tbody a').click()")
        until(lambda: page.value("document.body.dataset.run") == failed, "the page of the run")
        with self.assertRaises(urllib.error.HTTPError) as missing:
            get(self.url + "stacks/nosuch")
        self.assertEqual(missing.exception.code, 404)
        self.assertIn("No run of this stack is kept here.", missing.exception.read().decode())

    def test_pages_keep_what_was_asked_for(self):
        ids = [self.sent(VERSION, stack=ODD) for _ in range(53)]
        self.sent(VERSION, stack="net")
        page = self.plain(self.url + "runs?" + urllib.parse.urlencode({"stack": ODD, "since": "1d"}))
        self.assertEqual(page.value(RUNS), ids[:2:-1])
        self.follows(page, "Older runs", "main")
        self.assertEqual(page.value(RUNS), ids[2::-1])
        self.assertIn("since:1d", page.value("document.querySelector('[name=q]').value"))
        self.follows(page, "Newest runs", "main")
        self.assertEqual(page.value(RUNS + ".length"), 50)
        self.assertIn(ODD.replace('"', '\\"'), page.value("document.querySelector('[name=q]').value"))

    def test_it_fits_a_phone_works_by_keyboard_and_passes_axe(self):
        self.sent(recorded("apply-provider-errors"), stack=ODD * 4, label="job=https://ci.example/" + "x" * 200)
        page = self.plain(self.url + "runs?since=30d")
        for width in (320, 700, 1600):
            page.picture(width, 800)
            self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
        # In the order in which it is read; the values of a select and what is typed are the browser's.
        reached = page.value("[...document.querySelectorAll('a, input, select, button')].map(one => one.tabIndex)")
        self.assertEqual(set(reached), {0})
        self.assertTrue(page.value("[...document.querySelectorAll('input, select')].every(one => one.labels.length === 1)"))
        if AXE.exists():
            page.value(AXE.read_text() + "; 1")
            for scheme in ("light", "dark"):
                page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                found = page.value("axe.run(document).then(found => found.violations.map(one => one.id + one.nodes.map(n => n.html)))")
                self.assertEqual(found, [], scheme)


class AtARunItself(Plain):
    def test_the_runs_it_knows_are_listed_and_searched(self):
        tofud = self.pipe("--stack", ODD, "--label", "pr=12")
        url = tofud.wait_for_url()
        stream = recorded("pipeline-init-plan-apply-one-stream")
        tofud.write(stream)
        self.has_taken(tofud, stream)
        runs = [run["key"] for run in json.loads(get(url + "v1/runs"))["runs"]]
        page = self.plain(url + "runs")
        self.assertEqual(page.value(RUNS), runs)
        self.assertEqual(page.value("[...document.querySelectorAll('nav:not(.tabs) a')].map(one => one.textContent)"), ["Wall", "Runs"])
        self.search(page, stack="net")
        self.assertEqual(page.value(RUNS), [])
        self.search(page, label="pr=12", until="2020-01-01")
        self.assertEqual(page.value(RUNS), [])
        self.search(page, runs[1], status="succeeded")
        self.assertEqual(page.value(RUNS), [runs[1]])
        self.search(page, since="nonsense")
        self.assertIn("since is neither a time", page.value("document.querySelector('[role=alert]').textContent"))
        self.keeps_to_itself(page, url)
        self.goes(page, "location.href = %s" % json.dumps(url + "runs"))
        self.goes(page, "document.querySelector('tbody a').click()")
        until(lambda: page.value("document.body.dataset.run") == runs[0], "its page")


if __name__ == "__main__":
    unittest.main(verbosity=2)
