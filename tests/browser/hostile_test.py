#!/usr/bin/python3
"""Text of others in every field that the page shows: it stays text, runs nowhere and moves nothing out of its place."""
import http.client
import json
import os
import shutil
import unittest
import urllib.parse

from browsing import HOSTILE, VERSION, Browsing, about, stamped
from binary import recorded_path, until
from layout_test import TOO_WIDE

# What the policy of the page has stopped: it should never have to.
VIOLATIONS = """window.violations = [];
document.addEventListener('securitypolicyviolation', one => violations.push(`${one.effectiveDirective} ${one.blockedURI} ${one.sample}`));"""

# What a control or a mark of direction would do to the text around it: each field that holds some keeps it to itself.
MIXED = "[...document.querySelectorAll('.addr, .id, .last, .log .line, #outputs td')].filter(one => getComputedStyle(one).unicodeBidi !== 'isolate').length"

# The pinned header and what comes after it.
BELOW = """(() => { const header = document.querySelector('header'), next = header.nextElementSibling;
  return scrollY > 0 || !next || next.getBoundingClientRect().top >= header.getBoundingClientRect().bottom - 1; })()"""

WORDS = " ".join(HOSTILE).replace("\0", "")


def module_of(text):
    return "module.m[%s]" % json.dumps(text, ensure_ascii=False)


def address_of(text):
    return "%s.terraform_data.x[%s]" % (module_of(text), json.dumps(text, ensure_ascii=False))


def of(text):
    """A resource in a module, all of it made of the text."""
    return {"addr": address_of(text), "module": module_of(text), "resource": "terraform_data.x[%s]" % text, "implied_provider": text,
            "resource_type": "terraform_data", "resource_name": text, "resource_key": text}


def begin():
    yield VERSION
    for text in HOSTILE:
        yield stamped(1, type="resource_drift", change={"resource": of(text), "action": "update"})
        yield stamped(1, type="planned_change", change={
            "resource": of(text), "action": "replace", "reason": text, "previous_resource": of(text), "deposed": text,
            "importing": {"id": text}})
        yield stamped(2, type="apply_start", hook={"resource": of(text), "action": "create", "id_key": text, "id_value": text})
        yield stamped(2, type="provision_start", hook={"resource": of(text), "provisioner": text})
        yield stamped(3, type="provision_progress", hook={"resource": of(text), "provisioner": text, "output": text})
        yield stamped(3, **{"@message": text, "@level": text})
        yield text.encode() + b"\n"


def end():
    for text in HOSTILE:
        yield stamped(4, type="provision_errored", hook={"resource": of(text), "provisioner": text})
        yield stamped(4, type="apply_errored", hook={"resource": of(text), "action": "create", "elapsed_seconds": 2})
        yield stamped(5, type="diagnostic", diagnostic={
            "severity": "error", "summary": text, "detail": text, "address": address_of(text),
            "range": {"filename": text, "start": {"line": 1, "column": 1, "byte": 0}, "end": {"line": 1, "column": 9, "byte": 8}},
            "snippet": {"context": text, "code": text, "start_line": 1, "highlight_start_offset": 0, "highlight_end_offset": 3,
                        "values": [{"traversal": text, "statement": text}],
                        "function_call": {"name": text, "signature": {"name": text}}}})
    yield stamped(6, type="outputs", outputs={text: {
        "sensitive": False, "type": ["object", {text: "string"}], "value": {text: text}, "deprecated": text} for text in HOSTILE})


def tests():
    """A run of `tofu test`."""
    yield VERSION
    yield stamped(1, type="test_abstract", test_abstract={text: list(HOSTILE) for text in HOSTILE})
    for text in HOSTILE:
        yield stamped(2, type="test_file", test_file={"path": text, "status": text}, **{"@testfile": text})
        yield stamped(2, type="test_run", test_run={"path": text, "run": text, "status": "fail"}, **{"@testfile": text, "@testrun": text})
        yield stamped(2, type="diagnostic", diagnostic={"severity": "error", "summary": text, "detail": text}, **{"@testfile": text, "@testrun": text})


class Hostile(Browsing):
    def opened(self, url, query=""):
        page = self.browser.open(url + query, VIOLATIONS)
        self.addCleanup(page.close)
        until(lambda: page.value("document.readyState === 'complete' && document.body.dataset.listed"), "a page")
        return page

    def stays_text(self, page, what, beside=()):
        """At a phone's and at a desk's width. `beside`: what the page may ask of tofud but for its stream."""
        for width in (1280, 360):
            page.picture(width, 740)
            with self.subTest(what, width=width):
                self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
                self.assertEqual(page.value(TOO_WIDE), [])
                self.assertEqual(page.value(MIXED), 0)
                page.value("scrollTo(0, 0)")
                self.assertTrue(page.value(BELOW))
        asked = list(page.requests)
        page.requests[:] = [url for url in asked if urllib.parse.urlsplit(url).path.rpartition("/")[2] not in beside]
        self.is_in_order(page)
        page.requests[:] = asked
        self.assertEqual(page.value("violations"), [])

    def test_all_of_a_run_while_it_goes_on_and_when_it_has_failed(self):
        tofud = self.pipe("--stack", WORDS, "--label", "workspace=" + WORDS, "--label", "<b>=" + WORDS)
        page = self.opened(tofud.wait_for_url())
        written = b""
        for lines in (begin(), end()):
            piece = b"".join(lines)
            written += piece
            tofud.write(piece)
            self.has_taken(tofud, written)
            rows = self.rows_now(tofud.url)
            self.comes_to_show(page, rows)
            self.stays_text(page, "table")
            page.value("document.querySelector('[data-view=waterfall]').click()")
            until(lambda: page.value("document.querySelectorAll('.bars .step').length") >= 5, "the waterfall")
            self.stays_text(page, "waterfall")
            page.value("document.querySelector('[data-view=overview]').click()")
            self.modules(page, rows)
            self.filters(page, rows)
            for addr in rows["resource"]:
                page.value("location.hash = '#r=' + encodeURIComponent(%s)" % json.dumps(addr))
                until(lambda: page.value("document.getElementById('detail-title')?.textContent") == addr, "the detail of %r" % addr)
                self.stays_text(page, addr)
            page.value("document.querySelector('#detail .close').click()")
        self.assertEqual(len(rows["resource"]), len(HOSTILE))
        self.assertEqual(len(rows["diagnostic"]), len(HOSTILE))

    def modules(self, page, rows):
        page.value("{ const all = document.getElementById('modules'); all.open = true; }")
        shown = "[...document.querySelectorAll('#modules [data-module]')].map(one => one.dataset.module)"
        wanted = {row["module"] for row in rows["resource"].values()}
        until(lambda: wanted <= set(page.value(shown)), "the modules")
        for at in range(len(page.value(shown))):
            page.value("document.querySelectorAll('#modules [data-module]')[%d].click()" % at)
            until(lambda: page.value("document.getElementById('resources').dataset.count") == "1", "what is in it")
            self.assertEqual(page.value("new URLSearchParams(location.search).get('module')"), page.value(shown)[at])
            page.value("document.querySelectorAll('#modules [data-module]')[%d].click()" % at)
        self.stays_text(page, "modules")

    def filters(self, page, rows):
        for text in HOSTILE:
            page.value("{ const field = document.getElementById('filter'); field.value = %s;"
                       "field.dispatchEvent(new Event('input', {bubbles: true})); }" % json.dumps(text))
            typed = page.value("document.getElementById('filter').value")  # a field takes no line breaks
            until(lambda: page.value("new URLSearchParams(location.search).get('q') ?? ''") == typed, "the address of the page")
        self.stays_text(page, "filter")
        page.value("{ const field = document.getElementById('filter'); field.value = ''; field.dispatchEvent(new Event('input', {bubbles: true})); }")
        until(lambda: page.value("document.getElementById('resources').dataset.count") == str(len(rows["resource"])), "all again")

    def test_all_of_a_run_of_tests(self):
        stream = b"".join(tests())
        tofud = self.pipe()
        page = self.opened(tofud.wait_for_url())
        tofud.write(stream)
        self.has_taken(tofud, stream)
        rows = self.rows_now(tofud.url)
        self.assertGreaterEqual(len(rows["test_run"]), len(HOSTILE))
        self.comes_to_show(page, rows)
        self.stays_text(page, "tests")

    def test_what_people_wrote_into_their_configuration(self):
        links = ("javascript:window.pwned='runbook'", "JAVASCRIPT://example.com/%0awindow.pwned=1", "data:text/html,<script>1</script>",
                 "http:javascript:window.pwned=1", "https:///x", "//example.com", "https://example.com/?a&quot;onmouseover=window.pwned=1", *HOSTILE)
        config = os.path.join(self.home, "config")
        os.mkdir(config)
        blocks = {"x%d" % n: {"//": {"tofud": {"owner": text, "runbook": text, "expect": "1m"}}} for n, text in enumerate(links)}
        with open(os.path.join(config, "main<img src=x onerror=window.pwned=1>.tf.json"), "w") as file:
            json.dump({"resource": {"terraform_data": blocks}}, file)
        stream = os.path.join(self.home, "failing.jsonl")
        with open(stream, "wb") as file:
            file.write(VERSION)
            for name in blocks:
                file.write(stamped(1, type="apply_start", hook=about("terraform_data." + name, action="create")) +
                           stamped(2, type="apply_errored", hook=about("terraform_data." + name, action="create", elapsed_seconds=1)))
        page = self.opened(self.replay(stream, "--config", config).url)
        until(lambda: page.value("document.querySelectorAll('#unexplained .owner').length") > 10, "the owners")
        leads = page.value("[...document.querySelectorAll('a.runbook')].map(one => [one.protocol, one.host, one.getAttribute('href')])")
        self.assertEqual(leads, [["https:", "example.com", "https://example.com/?a&quot;onmouseover=window.pwned=1"]])
        # The only one that leads away; the page draws it again at another width.
        page.value("""(() => { const remove = () => document.querySelectorAll('a.runbook').forEach(one => one.remove());
          new MutationObserver(remove).observe(document.body, {subtree: true, childList: true}); remove(); })()""")
        self.stays_text(page, "runbooks")
        page.value("location.hash = '#r=terraform_data.x0'")
        until(lambda: "javascript:" in page.value("document.querySelector('#detail .owner')?.textContent ?? ''"), "the detail")
        self.assertIn("<img", page.value("document.querySelector('#detail .place').textContent"))
        self.stays_text(page, "detail")

    def test_documents_have_names_that_end_where_they_should(self):
        path = os.path.join(self.home, "a\"b; filename=c <img> \u00fc ' \r\nX-Y: z.jsonl")
        shutil.copy(recorded_path("apply-slow-progress"), path)
        tofud = self.replay(path)
        page = self.opened(tofud.url)
        until(lambda: page.value("document.querySelectorAll('#exports a').length") > 3, "the documents")
        self.stays_text(page, "a run of such a name")
        for href in page.value("[...document.querySelectorAll('#exports a[href*=export]')].map(one => one.getAttribute('href'))"):
            connection = http.client.HTTPConnection(tofud.address(), timeout=20)
            connection.request("GET", "/" + href)
            answer = connection.getresponse()
            self.assertEqual(answer.status, 200, answer.read())
            self.assertIsNone(answer.getheader("X-Y"))
            self.assertRegex(answer.getheader("Content-Disposition"), r'^attachment; filename="[^"\\\r\n]+\.[a-z.]+"$')
            connection.close()
        until(lambda: page.value("document.querySelector('#exports a[href*=stream]') !== null"), "the rows of what is over")
        self.assertRegex(page.value("document.querySelector('#exports a[href*=stream]').download"), r"^[\w.-]+\.ndjson$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
