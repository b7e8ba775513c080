#!/usr/bin/python3
"""Notifications and exports of the run page, in a real browser."""
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from binary import get, recorded, recorded_path, until
from browsing import Browsing

# A desktop that only remembers, and a page that nobody looks at.
DESKTOP = """window.told = [];
window.Notification = class { constructor(text, options) { told.push([text, options.body]); } close() {} };
Notification.requestPermission = async () => window.answer;
Object.defineProperty(document, 'hidden', { get: () => window.away });
window.answer = 'granted'; window.away = true; true"""


class Notifications(Browsing):
    def running(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        self.lines = recorded("apply-provider-errors").splitlines(keepends=True)
        tofud.write(b"".join(self.lines[:5]))
        until(lambda: page.value("document.getElementById('notify') !== null"), "a run that goes on")
        page.value(DESKTOP)
        return tofud, page

    def ends(self, tofud, page):
        tofud.write(b"".join(self.lines[5:]))
        self.has_taken(tofud, b"".join(self.lines))
        tofud.end_of_stream()
        until(lambda: page.value("document.getElementById('status').textContent") == "failed", "the end")

    def test_the_first_failure_and_the_end_are_notified_on_request(self):
        tofud, page = self.running()
        page.value("document.getElementById('notify').click()")
        until(lambda: page.value("document.getElementById('notify').ariaPressed") == "true", "the wish")
        self.ends(tofud, page)
        told = [text for text, _ in page.value("told")]
        self.assertEqual(told[-1], "apply failed")
        self.assertIn(len(told), (1, 2))  # the failure and the end may come in one flush
        for text in told[:-1]:
            self.assertRegex(text, r"^\d failed$")

    def test_nothing_is_notified_without_a_request_or_in_a_visible_tab(self):
        tofud, page = self.running()
        self.ends(tofud, page)
        self.assertEqual(page.value("told"), [])
        tofud, page = self.running()
        page.value("document.getElementById('notify').click()")
        until(lambda: page.value("document.getElementById('notify').ariaPressed") == "true", "the wish")
        page.value("window.away = false")
        self.ends(tofud, page)
        self.assertEqual(page.value("told"), [])

    def test_a_browser_that_refuses_is_not_asked_again(self):
        tofud, page = self.running()
        page.value("window.answer = 'denied'; document.getElementById('notify').click()")
        until(lambda: page.value("document.getElementById('notify').textContent") == "the browser allows no notifications", "the refusal")
        self.ends(tofud, page)
        self.assertEqual(page.value("told"), [])


class Exports(Browsing):
    def test_each_link_leads_to_a_document_of_the_run(self):
        page = self.open(self.replay(recorded_path("apply-provider-errors")).url)
        until(lambda: page.value("document.querySelectorAll('#exports a').length") == 6, "the links")
        links = dict(page.value("[...document.querySelectorAll('#exports a')].map(a => [a.textContent, a.href])"))
        begins = {"CSV": b"run,", "JUnit": b"<?xml", "trace": b"{", "Markdown": b"#", "JSON": b'{"run":', "NDJSON": b'{"kind":"hello"'}
        self.assertEqual(set(links), set(begins))
        for name, text in begins.items():
            self.assertTrue(get(links[name]).startswith(text), name)
        lines = [json.loads(line) for line in get(links["NDJSON"]).splitlines()]
        resources = {line["addr"]: line for line in lines if line["kind"] == "resource"}
        rows = json.loads(get(links["JSON"]))["rows"]
        self.assertEqual(resources, {row["addr"]: row for row in rows if row["kind"] == "resource"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
