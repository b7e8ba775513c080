#!/usr/bin/python3
"""/runs and /wall/plain of a daemon, the pages without a script: what they show, on a phone and on a wall, light and dark, of hostile names too."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from binary import recorded, until
from browsing import Browsing

HOSTILE = "</h2></td><script>window.pwned = 1</script><img src=x onerror=\"window.pwned = 2\">\u202e&lt;"
AXE = pathlib.Path(__file__).resolve().parents[2] / "daemon/dashboard/node_modules/axe-core/axe.min.js"

RUNS = "[...document.querySelectorAll('tbody tr')].map(one => one.dataset.run)"


class Plain(Browsing):
    def setUp(self):
        super().setUp()
        self.daemon = self.daemon_of()
        self.url = self.daemon.url
        self.applied = self.sent("apply-create-mixed", stack="net", label="branch=main")
        self.failed = self.sent("apply-provider-errors", stack="dns")
        self.hostile = self.sent("plan-noop", stack=HOSTILE, label="x=" + HOSTILE)

    def sent(self, recording, **query):
        return super().sent(self.daemon, recorded(recording), **query)

    def plain(self, path):
        page = self.browser.open(self.url + path)
        self.addCleanup(page.close)
        until(lambda: page.value("document.readyState") == "complete", "a page")
        return page

    def becomes(self, page, expression, what):
        """Waits for it over a change of the document, in which nothing can be asked."""
        def is_so():
            try:
                return page.value(expression)
            except AssertionError as gone:
                if "navigated" not in str(gone) and "context" not in str(gone):
                    raise
                return False
        until(is_so, what)

    def texts(self, page, selector):
        return page.value("[...document.querySelectorAll(%s)].map(one => one.textContent)" % json.dumps(selector))

    def keeps_to_itself(self, page):
        self.assertEqual(page.complaints, [])
        self.assertIsNone(page.value("window.pwned ?? null"))
        self.assertEqual(page.value("document.querySelectorAll('script:not([src=\"runs.js\"]), img, [onerror]').length"), 0)
        for asked in page.requests:
            self.assertTrue(asked.startswith((self.url, "data:")), asked)

    def fits(self, page, width):
        page.picture(width, 800)
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)

    def colours(self, page, scheme):
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        return page.value("(() => { const s = getComputedStyle(document.documentElement); return [s.color, s.backgroundColor]; })()")

    def accessible(self, page):
        if not AXE.exists():  # one of the packages that build the page
            return
        page.value(AXE.read_text() + "; 1")
        for scheme in ("light", "dark"):
            self.colours(page, scheme)
            # A wall that nobody touches has to ask again by itself; it asks nothing of who reads it and keeps no input.
            found = page.value("axe.run(document, {rules: {'meta-refresh': {enabled: false}}})"
                               ".then(found => found.violations.map(one => one.id + one.nodes.map(n => n.html)))")
            self.assertEqual(found, [], scheme)

    def test_wall_has_a_card_a_stack_with_failures_first(self):
        page = self.plain("wall/plain")
        self.assertEqual(page.value("document.title"), "1 failed · tofud")
        names = self.texts(page, ".card h2")
        self.assertEqual(names[0], "dns")
        self.assertCountEqual(names, ["dns", "net", HOSTILE])
        self.assertIn("✗ failed", self.texts(page, ".card .state")[0])
        self.keeps_to_itself(page)

    def test_wall_is_read_from_afar_and_on_a_phone_light_and_dark(self):
        page = self.plain("wall/plain")
        self.fits(page, 360)
        self.fits(page, 1920)
        # A letter of 1/50 of the screen's height is read from five metres on a screen of a metre.
        self.assertGreater(page.value("parseFloat(getComputedStyle(document.querySelector('.card h2')).fontSize)"), 1080 / 50)
        self.assertNotEqual(self.colours(page, "light"), self.colours(page, "dark"))
        self.accessible(page)

    def test_wall_reloads_itself(self):
        page = self.plain("wall/plain")
        self.sent("apply-create-mixed", stack="another")
        self.becomes(page, "[...document.querySelectorAll('.card h2')].some(one => one.textContent == 'another')", "the page is asked for again")

    def test_list_has_every_run_and_leads_to_its_page(self):
        page = self.plain("runs")
        self.assertEqual(page.value("document.title"), "✗ 1 · 3 runs · tofud")
        self.assertCountEqual(page.value(RUNS), [self.applied, self.failed, self.hostile])
        links = page.value("[...document.querySelectorAll('tbody a')].map(one => one.href)")
        self.assertIn(self.url + "?run=" + self.failed, links)
        self.keeps_to_itself(page)
        self.fits(page, 360)
        self.assertNotEqual(self.colours(page, "light"), self.colours(page, "dark"))
        self.accessible(page)

    def test_search_finds_by_status_label_and_text(self):
        page = self.plain("runs")
        for fields, found in (({"status": "failed"}, [self.failed]), ({"label": "branch=main"}, [self.applied]),
                              ({"q": "DNS"}, [self.failed]), ({"q": "no such"}, []), ({"label": "x=" + HOSTILE}, [self.hostile])):
            page.call("Page.navigate", url=self.url + "runs")
            self.becomes(page, "document.readyState == 'complete' && location.search == ''", "the empty form")
            words = " ".join(value if name == "q" else '%s:"%s"' % (name, value.replace("\\", "\\\\").replace('"', '\\"')) for name, value in fields.items())
            page.value("document.querySelector('[name=q]').value = %s" % json.dumps(words))
            page.value("document.querySelector('form').submit()")
            self.becomes(page, "document.readyState == 'complete' && location.search != ''", "an answer")
            self.assertEqual(page.value(RUNS), found, fields)
            again = page.value("document.querySelector('[name=q]').value")  # what was asked for stands in the form again
            for value in fields.values():
                self.assertIn(value.partition("=")[2].replace("\\", "\\\\").replace('"', '\\"') or value, again)
        self.assertIsNone(page.value("window.pwned ?? null"))


if __name__ == "__main__":
    unittest.main()
