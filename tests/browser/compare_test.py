#!/usr/bin/python3
"""A run beside the one before of its stack: which one that is, what is told of it, and what nobody may see stays away."""
import http.client
import json
import os
import pathlib
import subprocess
import sys
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from binary import PATIENCE, ROOT, TOFUD, get, recorded, until
from browsing import ATTRIBUTES, ELEMENTS, HOSTILE, MADE_OF, VERSION, Browsing, about, hostile_run, stamped

AXE = ROOT / "daemon/dashboard/node_modules/axe-core/axe.min.js"

WORDS = "[...document.querySelectorAll('#compared-words li')].map(one => one.textContent)"
ROWS = """[...document.querySelectorAll('#compared .rows .compared-row')].map(row =>
  [...row.querySelectorAll('[role=cell]')].map(one => one.textContent))"""
FAILURES = "[...document.querySelectorAll('#compared-failures li')].map(one => one.textContent)"
OUTPUTS = "[...document.querySelectorAll('#compared-outputs tbody tr')].map(row => [...row.cells].map(one => one.textContent))"
HEADS = "[...document.querySelectorAll('#compared .compared-group')].map(one => one.textContent)"
KINDS = "[...document.querySelectorAll('#compared-kinds button')].map(one => one.textContent)"


def planned(addr, action="create"):
    return stamped(1, type="planned_change", change=about(addr, action=action))


def applied(addr, took, action="create"):
    return (stamped(2, type="apply_start", hook=about(addr, action=action)) +
            stamped(2 + took, type="apply_complete", hook=about(addr, action=action, id_key="id", id_value="x", elapsed_seconds=took)))


def failed(addr, summary):
    return (stamped(2, type="apply_start", hook=about(addr, action="create")) +
            stamped(3, type="apply_errored", hook=about(addr, action="create", elapsed_seconds=1)) +
            stamped(3, **{"@level": "error"}, type="diagnostic", diagnostic={
                "severity": "error", "summary": summary, "detail": "", "address": addr}))


def ended(second, **outputs):
    return (stamped(second, type="change_summary", changes={"add": 1, "change": 0, "remove": 0, "operation": "apply"}) +
            stamped(second, type="outputs", outputs=outputs))


def output(value, sensitive=False):
    return {"sensitive": sensitive, "type": "string", **({} if sensitive else {"value": value})}


BROKEN = (VERSION + planned("a.ok") + planned("a.slow") + planned("a.broken") + planned("a.gone") +
          applied("a.ok", 1) + applied("a.slow", 3) + applied("a.gone", 1) + failed("a.broken", "no such subnet"))
WHOLE = (VERSION.replace(b"1.12.6", b"1.13.0") + planned("a.ok") + planned("a.slow") + planned("a.broken") + planned("a.new") +
         applied("a.ok", 1.5) + applied("a.slow", 40) + applied("a.broken", 2) + applied("a.new", 1) +
         ended(50, url=output("https://new"), key=output("", sensitive=True)))


class Compare(Browsing):
    def setUp(self):
        super().setUp()
        self.daemon = self.daemon_of()
        self.url = self.daemon.url

    def sent(self, stream, stack="net/prod", **query):
        return super().sent(self.daemon, stream, **({"stack": stack} if stack else {}), **query)

    def comparing(self, run, query="&view=compare"):
        return self.open(self.url, "?run=" + run + query)

    def shows(self, page, expression, expected):
        try:
            until(lambda: page.value(expression) == expected, expression)
        except AssertionError:
            self.assertEqual(page.value(expression), expected, page.complaints)

    def says(self, page, words):
        try:
            until(lambda: words in (page.value("document.getElementById('compare')?.textContent") or ""), words)
        except AssertionError:
            self.assertIn(words, page.value("document.getElementById('compare')?.textContent ?? document.body.textContent"), page.complaints)

    def keeps_to_itself(self, page):
        self.assertEqual(page.complaints, [])
        self.assertEqual(page.value("typeof window.pwned"), "undefined")
        there = page.value(MADE_OF)
        self.assertLessEqual(set(there["elements"]), ELEMENTS)
        self.assertLessEqual(set(there["attributes"]), ATTRIBUTES)
        for asked in page.requests:
            self.assertTrue(asked.startswith((self.url, self.url.replace("http:", "ws:"), "data:")), asked)

    def test_a_fixed_run_beside_the_one_that_failed(self):
        before = self.sent(BROKEN)
        after = self.sent(WHOLE)
        page = self.comparing(after)
        self.shows(page, FAILURES, ["gone a.broken: no such subnet"])
        self.shows(page, ROWS, [
            ["a.broken", "failed → done", "create", "", ""],
            ["a.slow", "done", "create", "3s → 40s", "+37s, 13× slower"],
            ["a.new", "only now: done", "create", "", ""],
            ["a.gone", "only then: done", "create", "", ""],
        ])
        self.assertEqual(page.value(HEADS), ["repaired 1", "slower 1", "only now 1", "only then 1"])
        self.assertEqual(page.value(KINDS), ["all 4", "repaired 1", "slower 1", "only now 1", "only then 1"])
        words = page.value(WORDS)
        self.assertIn("1 resource does not differ, and is not listed", words)
        self.assertIn("tofu: 1.12.6 → 1.13.0", words)
        self.assertEqual(page.value("[...document.querySelectorAll('#compare .side p:first-of-type')].map(one => one.textContent)"), ["failed 5s", "succeeded 50s"])
        self.assertEqual(page.value("document.querySelector('#compare .arrow b').textContent"), "10× slower")
        self.assertIn("outputs are not compared: only a run that succeeded prints them", words)
        self.assertEqual(page.value("document.getElementById('compare-with').value"), before)
        (self.pictures() / "compare.png").write_bytes(page.picture(1280, 800))
        self.assertTrue(page.value("document.querySelector('#compare-with option').textContent").startswith("the run before, "))
        self.assertEqual(page.value("location.search"), "?run=%s&view=compare" % after)
        self.keeps_to_itself(page)

    def test_a_run_that_broke_names_what_is_new(self):
        self.sent(WHOLE)
        page = self.comparing(self.sent(BROKEN))
        self.shows(page, FAILURES, ["new a.broken: no such subnet"])
        self.assertEqual(page.value(ROWS)[0], ["a.broken", "done → failed", "create", "", ""])
        page.value("document.querySelector('#compared-failures a').click()")
        self.shows(page, "document.getElementById('detail-title')?.textContent", "a.broken")

    def test_the_run_before_is_the_newest_of_its_command_and_another_can_be_chosen(self):
        first = self.sent(WHOLE)
        second = self.sent(WHOLE.replace(b"https://new", b"https://newer"))
        plan = self.sent(recorded("plan-noop"))
        self.sent(BROKEN, stack="net")  # another stack
        after = self.sent(WHOLE.replace(b"https://new", b"https://newest"))
        page = self.comparing(after)
        self.shows(page, OUTPUTS, [["url", '"https://newer"', '"https://newest"']])
        self.says(page, "no resource differs, except in times below a second")
        self.assertIn("1 output is not compared: sensitive, not known, or too long", page.value(WORDS))
        options = "[...document.querySelectorAll('#compare-with option')].map(one => one.value)"
        self.shows(page, options, [plan, second, first])
        page.value("{ const field = document.getElementById('compare-with'); field.value = %r;"
                   "field.dispatchEvent(new Event('change', {bubbles: true})); }" % first)
        self.shows(page, OUTPUTS, [["url", '"https://new"', '"https://newest"']])
        self.assertEqual(page.value("location.search"), "?run=%s&view=compare&compare=%s" % (after, first))
        # Whoever gets the address sees the same; a run of another command may be looked at, too.
        self.shows(self.comparing(after, "&compare=" + first), OUTPUTS, [["url", '"https://new"', '"https://newest"']])
        self.says(self.comparing(after, "&compare=" + plan), "of another command: plan")
        page = self.comparing(second)
        self.shows(page, options, [first])
        self.keeps_to_itself(page)

    def test_differences_are_chosen_and_stand_in_the_address(self):
        self.sent(BROKEN)
        page = self.comparing(self.sent(WHOLE), "&view=compare&differ=slower")
        self.shows(page, "%s.map(row => row[0])" % ROWS, ["a.slow"])
        page.value("[...document.querySelectorAll('#compared-kinds button')].find(one => one.textContent.startsWith('only now')).click()")
        self.shows(page, "%s.map(row => row[0])" % ROWS, ["a.new"])
        self.assertIn("differ=here", page.value("location.search"))
        page.value("document.querySelector('#compared-kinds button').click()")
        self.shows(page, "%s.length" % ROWS, 4)
        page.value("{ const field = document.getElementById('filter'); field.value = 'BROKEN'; field.dispatchEvent(new Event('input', {bubbles: true})); }")
        self.shows(page, "%s.map(row => row[0])" % ROWS, ["a.broken"])
        self.assertNotIn("differ", page.value("location.search"))
        page.value("document.querySelector('[data-view=overview]').click()")
        self.shows(page, "document.getElementById('compare')", None)
        self.assertNotIn("compare", page.value("location.search"))

    def test_a_missing_run_is_a_sentence(self):
        only = self.sent(WHOLE)
        self.says(self.comparing(only), "No earlier apply of this stack is stored here.")
        self.says(self.comparing(only, "&compare=20200101T0000-0000"), "no run 20200101T0000-0000")
        self.says(self.comparing(self.sent(WHOLE, stack="")), "This run has no stack")

    def test_a_run_without_resources_is_compared_by_its_failures(self):
        stopped = VERSION + stamped(1, **{"@level": "error"}, type="diagnostic", diagnostic={
            "severity": "error", "summary": "Unsupported argument", "detail": "", "address": ""})
        self.sent(BROKEN)
        self.sent(stopped, command="apply")
        page = self.comparing(self.sent(stopped, command="apply"), "")
        self.view(page, "compare")
        self.shows(page, FAILURES, ["still Unsupported argument"])
        self.keeps_to_itself(page)

    def test_a_running_run_is_compared_as_it_grows(self):
        self.sent(WHOLE)
        client = http.client.HTTPConnection(self.daemon.address(), timeout=PATIENCE)
        self.addCleanup(client.close)
        client.putrequest("PUT", "/v1/runs?stack=net/prod")
        client.putheader("Transfer-Encoding", "chunked")
        client.endheaders()

        def write(data):
            client.send(b"%x\r\n%s\r\n" % (len(data), data))
        write(VERSION + planned("a.broken") + planned("a.slow") + stamped(2, type="apply_start", hook=about("a.slow", action="create")))
        going = until(lambda: [run["key"] for run in json.loads(get(self.url + "v1/runs?status=running"))["runs"]], "it goes on")[0]
        page = self.comparing(going)
        self.says(page, "this run goes on; what is told here changes")
        self.shows(page, "%s.map(row => row[0])" % ROWS, ["a.ok", "a.new"])
        write(failed("a.broken", "no such subnet"))
        self.shows(page, FAILURES, ["new a.broken: no such subnet"])
        self.shows(page, "%s.map(row => row.slice(0, 2))" % ROWS,
                   [["a.broken", "done → failed"], ["a.ok", "only then: done"], ["a.new", "only then: done"]])
        write(b"")

    def test_a_refreshed_apply_beside_the_one_that_made_two_thousand(self):
        self.sent(recorded("large-2000"))
        stream = recorded("large-2000", "refresh-noop")
        run = self.sent(stream, command="apply")
        if json.loads(get(self.url + "v1/runs/" + run))["run"]["command"] != "apply":
            page = self.comparing(run, "&compare=" + json.loads(get(self.url + "v1/runs?stack=net/prod&until=" + run))["runs"][0]["key"])
        else:
            page = self.comparing(run)
        count = "document.getElementById('compared')?.ariaRowCount - 1"
        until(lambda: (page.value(count) or 0) >= 2000, "the rows")
        self.assertIn("planned otherwise", " ".join(page.value(KINDS)))
        box = "document.querySelector('#compared .rows')"
        page.value("%s.scrollTop = .5 * %s.scrollHeight" % (box, box))
        middle = """(() => {
          const box = document.querySelector("#compared .rows"), frame = box.getBoundingClientRect();
          const row_height = box.querySelector(".compared-row").offsetHeight;
          const wanted = Math.floor((box.scrollTop + frame.height / 2) / row_height);
          const row = document.elementFromPoint(frame.x + 200, frame.y + frame.height / 2)?.closest('.compared-row');
          return Boolean(row) && row.ariaRowIndex - 2 === wanted && wanted > 900;
        })()"""
        self.shows(page, middle, True)
        self.assertLess(page.value("document.querySelectorAll('*').length"), 1500)
        self.keeps_to_itself(page)

    def test_hostile_text_stays_text(self):
        stack = "a/b c" + "".join(HOSTILE[:6])[:200]
        begin, end = hostile_run()
        self.sent(begin + end.replace(b'"warning', b'"error'), stack=stack, label="commit=" + HOSTILE[0])
        after = self.sent(begin, stack=stack, label="commit=" + HOSTILE[1])
        page = self.comparing(after)
        until(lambda: page.value("%s.length" % ROWS), "the rows")
        self.assertIn("commit: %s → %s" % HOSTILE[:2], page.value(WORDS))
        names = {row["addr"] for row in json.loads(get(self.url + "v1/runs/" + after))["rows"] if row["kind"] == "resource"}
        self.assertLessEqual(set(page.value("[...document.querySelectorAll('#compared .compared-row[data-addr]')].map(row => row.dataset.addr)")), names)
        self.assertEqual(page.value("document.querySelector('.stack-runs a').getAttribute('href')"),
                         "stacks/" + urllib.parse.quote(stack, safe="!~*'()"))
        self.keeps_to_itself(page)

    def test_it_fits_a_phone_passes_axe_and_works_by_keyboard(self):
        self.sent(BROKEN)
        page = self.comparing(self.sent(WHOLE))
        self.shows(page, "%s.length" % ROWS, 4)
        for width in (360, 700, 1600):
            page.picture(width, 800)
            with self.subTest(width=width):
                self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
                self.shows(page, "[...document.querySelectorAll('#compared .compared-row [role=cell]')].every(one => !one.textContent || one.clientWidth > 20)", True)
                tall = 50 if width <= 960 else 28
                self.shows(page, "[...new Set([...document.querySelectorAll('#compared .rows .compared-row')].map(one => one.offsetHeight))]", [tall])
                self.shows(page, "new Set([...document.querySelectorAll('#compared .rows [role=row]')].map(one => Math.round(one.getBoundingClientRect().top))).size", 8)
                self.shows(page, "document.querySelector('#compared .all').offsetHeight", 8 * tall)  # each below a head
        page.value("document.querySelector('#compared .rows').focus()")
        self.assertEqual(page.value("document.activeElement.ariaLabel"), "resources that differ, scrollable")
        if not AXE.exists():
            return
        page.value(AXE.read_text() + "; 1")
        for scheme in ("light", "dark"):
            page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                             {"name": "prefers-reduced-motion", "value": "reduce"}])
            found = page.value("axe.run(document).then(found => found.violations.map(one => one.id + one.nodes.map(n => n.html)))")
            self.assertEqual(found, [], scheme)

    def test_at_a_pipe_the_runs_of_its_stream_are_compared(self):
        tofud = self.pipe("--stack", "net")
        url = tofud.wait_for_url()
        tofud.write(BROKEN + WHOLE)
        until(lambda: len(json.loads(get(url + "v1/runs"))["runs"]) == 2, "two runs")
        first = json.loads(get(url + "v1/runs"))["runs"][1]["key"]
        page = self.open(url, "?view=compare")
        self.shows(page, FAILURES, ["gone a.broken: no such subnet"])
        self.assertEqual(page.value("document.getElementById('compare-with').value"), first)

    def test_a_page_that_is_a_file_does_not_offer_it(self):
        report = os.path.join(self.home, "report.html")
        subprocess.run([TOFUD, "--progress", "none", "--no-listen", "--no-server", "--state-dir", self.state_dir, "--report", report],
                       input=WHOLE, env=self.env(), timeout=PATIENCE, check=True)
        page = self.browser.open("file://%s?view=compare" % report)
        self.addCleanup(page.close)
        until(lambda: page.value("Boolean(document.getElementById('resources'))"), "the table")
        self.assertEqual(page.value("[...document.querySelectorAll('.views button')].map(one => one.dataset.view)"),
                         ["overview", "resources", "plan", "waterfall", "log", "outputs"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
