#!/usr/bin/python3
"""Views of one run in a real browser: failures as OpenTofu draws them, a moment."""
import json
import re
import subprocess
import unittest

from browsing import Browsing
from binary import PATIENCE, TOFUD, get, recorded_path, until

TEXT = "document.querySelector(%s)?.textContent ?? null"
COPIED = "window.copied = []; navigator.clipboard.writeText = async text => { copied.push(text); }"


class Viewing(Browsing):
    def replayed(self, *recording, query="", args=()):
        self.tofud = self.replay(recorded_path(*recording), *args)
        page = self.open(self.tofud.url, query)
        self.shows(page, "!['running', undefined].includes(document.getElementById('status')?.textContent)", True)
        return page

    def shows(self, page, expression, expected):
        try:
            until(lambda: page.value(expression) == expected, expression)
        except AssertionError:
            self.assertEqual(page.value(expression), expected, page.complaints)

    def text_of(self, page, selector):
        return page.value(TEXT % json.dumps(selector))

    def click(self, page, selector):
        found = "document.querySelector(%s)" % json.dumps(selector)
        self.shows(page, "Boolean(%s)" % found, True)
        page.value(found + ".click()")

    def kind(self, kind):
        return [row for row in json.loads(get(self.tofud.url + "v1/runs/latest"))["rows"] if row["kind"] == kind]


class Failures(Viewing):
    def drawn(self, path):
        """What OpenTofu draws, a line a paragraph: without differences, which never leave the process, and not wrapped."""
        shown = subprocess.run([TOFUD, "show", "--diagnostics", str(path)], capture_output=True, env=self.env(), timeout=PATIENCE, check=True)
        boxes = shown.stdout.decode().split("╷\n")[1:]
        return [" ".join(re.sub(r"│     ├─+\n│     │ Diff: .*\n(│     │ .*\n)*", "", box).split()) for box in boxes]

    def test_text_is_copied_as_openTofu_draws_it(self):
        for recording in (("apply-provider-errors",), ("diag-conditions-checks",), ("diag-config-errors",), ("test-fail-error-skip",)):
            with self.subTest(recording):
                page = self.replayed(*recording)
                page.value(COPIED)
                page.value("[...document.querySelectorAll('#diagnostics .copy')].forEach(button => button.click())")
                expected = self.drawn(recorded_path(*recording))
                self.assertGreater(len(expected), 1)
                self.shows(page, "copied.length", len(expected))
                copied = page.value("copied")
                for text in copied:
                    self.assertTrue(text.startswith("╷\n│ ") and text.endswith("\n╵\n"), text)
                # A paragraph that is wrapped has a border within.
                plain = sorted(re.sub(r" │ (?=\S)", " ", " ".join(text.split()[1:])) for text in copied)
                self.assertEqual(plain, sorted(re.sub(r" │ (?=\S)", " ", text) for text in expected))

    def test_a_call_and_source_that_is_not_there_are_said(self):
        page = self.replayed("diag-config-errors")
        rows = self.kind("diagnostic")
        calls = [row for row in rows if (row["snippet"] or {}).get("function_call")]
        bare = [row for row in rows if row["range"] and not row["snippet"]]
        self.shows(page, "document.querySelectorAll('#diagnostics .call').length", len(calls))
        self.shows(page, "[...document.querySelectorAll('#diagnostics .note')].filter(one => one.textContent === '(source code not available)').length", len(bare))
        self.assertTrue(calls)
        self.assertRegex(self.text_of(page, "#diagnostics .call"), r"^while calling \w+\(.*\)$")

    def test_they_stay_in_sight_and_fold(self):
        page = self.replayed("apply-provider-errors")
        page.picture(1280, 900)
        page.value("{ const room = document.createElement('div'); room.style.height = '5000px'; document.querySelector('main').append(room); scrollTo(0, 3000); }")
        top = "Math.round(document.querySelector('.problems').getBoundingClientRect().top - document.querySelector('header').getBoundingClientRect().bottom)"
        self.shows(page, "scrollY", 3000)
        self.assertLess(abs(page.value(top)), 20)
        self.assertLess(page.value("document.querySelector('.pinned').getBoundingClientRect().bottom / innerHeight"), .6)
        self.assertRegex(self.text_of(page, ".problems summary"), r"^\d+ errors(, \d+ warnings?)?$")
        before = page.value("document.querySelector('.pinned').clientHeight")
        self.click(page, ".problems summary")
        self.shows(page, "document.querySelector('.pinned').clientHeight < %d" % (before / 2), True)
        self.is_in_order(page)


class Moments(Viewing):
    SAID = TEXT % "'#moment'"
    RAN = "[...document.querySelectorAll('.lane-row[data-ran] .addr')].map(one => one.textContent).sort()"

    def ran_at(self, second):
        """What ran then, by the rows."""
        run = json.loads(get(self.tofud.url + "v1/runs/latest"))["run"]
        seconds = lambda stamp: float(stamp[17:-1]) + 60 * int(stamp[14:16]) + 3600 * int(stamp[11:13])
        at = seconds(run["started_at"]) + second
        return sorted(row["addr"] for row in self.kind("resource") for step in row["steps"]
                      if step["phase"] == "apply" and seconds(step["started_at"]) <= at < seconds(step["ended_at"]))

    def test_an_address_leads_to_it(self):
        page = self.replayed("apply-slow-progress", query="?at=12.5")
        expected = self.ran_at(12.5)
        self.assertGreater(len(expected), 1)
        self.shows(page, self.RAN, expected)
        said = page.value(self.SAID)
        self.assertTrue(said.startswith("at 12.5s: %d ran: " % len(expected)), said)
        self.assertEqual(page.value("document.querySelectorAll('.scale .line-at').length"), 1)
        line, = page.value("[...new Set([...document.querySelectorAll('.line-at')].map(one => Math.round(one.getBoundingClientRect().left)))]")
        axis = page.value("(() => { const box = document.querySelector('.axis').getBoundingClientRect(); return [box.left, box.right]; })()")
        self.assertTrue(axis[0] < line < axis[1])
        self.is_in_order(page)

    def test_a_click_and_keys_choose_it_and_the_address_has_it(self):
        page = self.replayed("apply-slow-progress", query="?view=waterfall")
        self.shows(page, "Boolean(document.querySelector('.axis'))", True)
        page.value("""{ const box = document.querySelector('.axis').getBoundingClientRect();
          document.querySelector('.axis').dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + 2})); }""")
        self.shows(page, "Boolean(new URLSearchParams(location.search).get('at'))", True)
        at = float(page.value("new URLSearchParams(location.search).get('at')"))
        self.shows(page, self.RAN, self.ran_at(at))
        value = "document.querySelector('[role=slider]').ariaValueNow"
        self.assertAlmostEqual(float(page.value(value)), at, 3)
        page.value("document.querySelector('[role=slider]').focus()")
        page.key("ArrowRight")
        self.shows(page, "Number(%s) > %f" % (value, at), True)
        page.key("Home")
        self.shows(page, "Number(%s) === Number(document.querySelector('[role=slider]').ariaValueMin)" % value, True)
        self.assertEqual(page.value("document.querySelector('[role=slider]').ariaValueText"), page.value(self.SAID))
        self.click(page, "#no-moment")
        self.shows(page, "location.search", "?view=waterfall")
        self.shows(page, self.RAN, [])

    def test_a_step_and_a_failure_lead_to_theirs(self):
        page = self.replayed("apply-provider-errors")
        self.click(page, "#resources .addr a")
        self.click(page, "#drawer .at-moment")
        self.shows(page, "document.getElementById('drawer')", None)
        self.shows(page, "Boolean(document.querySelector('.scale .line-at'))", True)
        self.assertIn("view=waterfall&at=", page.value("location.search"))
        first = page.value("location.search")
        self.click(page, "#diagnostics .at-moment")
        self.shows(page, "location.search !== %s" % json.dumps(first), True)
        self.click(page, "[data-view=table]")
        self.shows(page, "location.search", "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
