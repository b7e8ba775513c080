#!/usr/bin/python3
"""Views of one run in a real browser: failures as OpenTofu draws them, a moment, the stream as it came, tests, outputs, drift,
and whose work it is."""
import json
import os
import pathlib
import re
import subprocess
import unittest
import urllib.error
import urllib.parse
import urllib.request

from browsing import ATTRIBUTES, ELEMENTS, HOSTILE, MADE_OF, VERSION, Browsing, about, hostile_run, stamped
from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, get, recorded, recorded_path, until

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

    def test_a_missing_source_is_named(self):
        page = self.replayed("diag-config-errors")
        rows = self.kind("diagnostic")
        calls = [row for row in rows if (row["snippet"] or {}).get("function_call")]
        bare = [row for row in rows if row["range"] and not row["snippet"]]
        self.shows(page, "document.querySelectorAll('#diagnostics .call').length", len(calls))
        self.shows(page, "[...document.querySelectorAll('#diagnostics .note')].filter(one => one.textContent === '(source code not available)').length", len(bare))
        self.assertTrue(calls)
        self.assertRegex(self.text_of(page, "#diagnostics .call"), r"^while calling \w+\(.*\)$")


class Moments(Viewing):
    SAID = TEXT % "'#moment'"
    RAN = "[...document.querySelectorAll('.lane-row[data-ran]')].map(one => one.dataset.addr).sort()"

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
        self.click(page, "#resources .row[data-status=done] .addr a")
        self.click(page, "#detail .steps .at-moment")
        self.shows(page, "document.getElementById('detail')", None)
        self.shows(page, "Boolean(document.querySelector('.scale .line-at'))", True)
        self.assertIn("view=waterfall&at=", page.value("location.search"))
        first = page.value("location.search")
        self.view(page, "overview")
        self.click(page, "#diagnostics .at-moment")
        self.shows(page, "location.search !== %s" % json.dumps(first), True)
        self.click(page, "[data-view=overview]")
        self.shows(page, "location.search", "")


class Stream(Viewing):
    LINES = "[...document.querySelectorAll('#stream .log .line')].map(line => line.textContent)"

    def test_the_newest_lines_are_there_and_one_is_laid_out(self):
        page = self.replayed("apply-provider-errors", query="?stream=1")
        lines = recorded("apply-provider-errors").decode().splitlines()
        self.shows(page, self.LINES + ".at(-1)", lines[-1][:1000] + ("…" if len(lines[-1]) > 1000 else ""))
        self.assertEqual(self.text_of(page, "#stream .note"), "%d lines" % len(lines))
        self.assertLess(page.value(self.LINES + ".length"), 100)
        page.value("document.querySelector('#stream .log').scrollTop = 0")
        self.shows(page, self.LINES + "[0]", lines[0])
        page.value(COPIED)
        self.click(page, "#stream .line")
        self.assertEqual(json.loads(self.text_of(page, ".laid-out pre")), json.loads(lines[0]))
        self.assertIn("\n  ", self.text_of(page, ".laid-out pre"))
        self.click(page, ".laid-out [data-copies=line]")
        self.shows(page, "copied", [lines[0]])
        page.value("{ const field = document.querySelector('#stream .find'); field.value = 'APPLY_ERRORED'; field.dispatchEvent(new Event('input', {bubbles: true})); }")
        self.shows(page, self.LINES + ".length", sum("apply_errored" in line for line in lines))
        self.click(page, ".whole-stream")
        self.shows(page, "location.search", "?view=log")
        self.assertEqual(page.complaints, [])

    def test_it_is_followed_while_it_runs(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url(), "?stream=1")
        lines = recorded("apply-slow-progress").splitlines(keepends=True)
        for part in (lines[:10], lines[10:40], lines[40:]):
            tofud.write(b"".join(part))
            self.shows(page, self.LINES + ".at(-1)", part[-1].decode().rstrip("\n"))
        self.assertEqual(self.text_of(page, "#stream .note"), "%d lines" % len(lines))
        self.assertEqual(tofud.end_of_stream(), 0)
        self.comes_to_say(page, "^tofud has ended")

    def test_what_no_row_shows_is_not_in_it(self):
        secret = "a-very-secret-value-4711"
        stream = VERSION + stamped(1, type="outputs", outputs={"o": {"sensitive": True, "type": "string", "value": secret}}) + \
            stamped(2, type="diagnostic", diagnostic={"severity": "error", "summary": "no", "detail": "", "difference": {"before": secret}})
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url(), "?stream=1")
        tofud.write(stream)
        self.shows(page, self.LINES + ".length", 3)
        served = get(tofud.url + "v1/runs/latest/stream.jsonl").decode()
        self.assertEqual(served.count("\n"), 3)
        self.assertNotIn(secret, served)
        self.assertNotIn(secret, page.value("document.documentElement.outerHTML"))

    def test_what_an_attached_plan_calls_sensitive_is_not_in_it(self):
        tofud = self.pipe("--no-server", "--plan", str(RECORDINGS / "plan-sensitive-nested/create.plan.json"),
                          "--schemas", str(ROOT / "tests/golden/schemas/recordings.json.gz"))
        url = tofud.wait_for_url()
        until(lambda: json.loads(get(url + "v1/runs/latest"))["run"].get("attachments") == ["plan", "schemas"], "the plan and the schemas")
        tofud.write(VERSION + b"it is pw-not-real-1\n" + stamped(1, type="log", **{"@message": "again: pw-not-real-1"}))
        served = until(lambda: [line for line in [get(url + "v1/runs/latest/stream.jsonl")] if line.count(b"\n") == 3], "three lines")[0]
        self.assertIn(b"it is ", served)
        self.assertNotIn(b"pw-not-real-1", served)

    def test_the_last_bytes_begin_with_a_line(self):
        self.tofud = self.replay(recorded_path("apply-slow-progress"))
        until(lambda: json.loads(get(self.tofud.url + "v1/runs/latest"))["run"]["ended_at"], "the end")
        url = self.tofud.url + "v1/runs/latest/stream.jsonl"
        whole = get(url)
        self.assertEqual(whole, recorded("apply-slow-progress"))
        begins = [0] + [at + 1 for at, byte in enumerate(whole[:-1]) if byte == 10]
        for begin in (begins[-1], begins[-3], begins[1], 0):
            self.assertEqual(get(url + "?last=%d" % (len(whole) - begin)), whole[begin:])
        self.assertEqual(get(url + "?last=%d" % (len(whole) - begins[-3] - 1)), whole[begins[-2]:])
        self.assertEqual(get(url + "?last=0"), b"")
        for query in ("last=x", "last=-1"):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(url + "?" + query, timeout=PATIENCE)
            self.assertEqual(refused.exception.code, 400)
            refused.exception.close()

    def test_a_refusal_is_a_sentence(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        page.value("{ const ask = fetch; window.fetch = (path, ...more) => String(path).includes('stream.jsonl')"
                   " && !window.let_in ? Promise.resolve(new Response('{\"code\":403,\"message\":\"the token has no scope raw\"}', {status: 403, headers: {'Content-Type': 'application/json'}}))"
                   " : ask(path, ...more); }")
        tofud.write(VERSION)
        self.view(page, "log")
        self.click(page, ".whole-stream")
        self.shows(page, TEXT % "'#stream [role=status]'", "the token has no scope raw")
        page.value("window.let_in = true")
        self.click(page, "#stream .again")
        self.shows(page, "document.querySelectorAll('#stream .line').length", 1)
        self.shows(page, "document.querySelector('#stream [role=status]')", None)


class Together(Viewing):
    def test_what_all_provisioners_print_stands_together_with_whose_it_is(self):
        page = self.replayed("provisioner-fail-exit3", query="?view=log")
        lines = "[...document.querySelectorAll('#together .log .line')].map(line => line.textContent)"
        self.shows(page, lines + ".filter(line => line.startsWith('null_resource.bad')).slice(-2)", ["null_resource.bad about to fail", "null_resource.bad the reason"])
        self.assertEqual(page.complaints, [])


class Tests(Viewing):
    TREE = """[...document.querySelectorAll('#tests > li')].map(file => [file.querySelector('.path').textContent, file.querySelector('details').open,
      file.querySelector('summary .note').textContent, [...file.querySelectorAll('.run')].map(run => [run.textContent,
        [...run.parentElement.querySelectorAll('.summary')].map(one => one.textContent)])])"""

    def test_they_are_a_tree_and_what_failed_is_open(self):
        page = self.replayed("test-fail-error-skip")
        self.shows(page, self.TREE, [
            ["tests/erroring.tftest.hcl", True, "1 errored, 2 skipped", [["error_in_apply", ["Create local file error"]], ["skipped_one", []], ["skipped_two", []]]],
            ["tests/failing.tftest.hcl", True, "1 failed, 2 passed", [["passes", []], ["fails_twice", ["Test assertion failed"] * 2], ["still_runs", []]]],
            ["tests/invalid_reference.tftest.hcl", True, "1 errored, 1 skipped",
             [["bad_reference", ["Reference to undeclared resource", "Unknown variable"]], ["expected_failure_missing", []]]],
            ["tests/passing.tftest.hcl", False, "1 passed", [["fine", []]]]])
        self.shows(page, "[...document.querySelectorAll('#tests .assertion dd')].map(one => one.textContent)", ['"hello mars"', '"hello world"'])
        self.assertEqual(page.value("[...document.querySelectorAll(\"[aria-label='filter tests by status'] button\")].map(one => one.textContent)"), ["failed 1", "errored 2", "skipped 3", "passed 3"])
        # They stand in their tests: beside them they are counted.
        self.assertEqual(page.value("document.querySelector('.of-tests').open"), False)
        self.assertEqual(self.text_of(page, "#problems-title"), "5 errors")
        self.is_in_order(page)

    def test_states_are_chosen_and_the_address_has_them(self):
        page = self.replayed("test-fail-error-skip")
        for name in ("fail", "pass"):
            self.click(page, "[aria-label='filter tests by status'] [data-status=%s]" % name)
        self.shows(page, "location.search", "?tests=fail%2Cpass")
        runs = "[...document.querySelectorAll('#tests .run')].map(run => run.textContent)"
        self.shows(page, runs, ["passes", "fails_twice", "still_runs", "fine"])
        other = self.open(self.tofud.url, "?tests=skip")
        self.shows(other, runs, ["skipped_one", "skipped_two", "expected_failure_missing"])

    def test_messages_of_a_passed_test_are_open_too(self):
        page = self.replayed("test-none-and-interrupt")
        self.shows(page, self.TREE, [["tests/slow.tftest.hcl", True, "1 skipped, 1 passed", [["slow", ["local-exec provisioner error"]], ["second", []]]]])


class Outputs(Viewing):
    def test_they_have_a_type_and_a_sign_and_can_be_copied(self):
        page = self.replayed("outputs-changed-plan", "plan.stream", query="?view=outputs")
        rows = {row["name"]: row for row in self.kind("output")}
        changed = {name for name, row in rows.items() if row["action"] in ("create", "update", "delete")}
        self.assertTrue(changed)
        self.shows(page, "[...document.querySelectorAll('#outputs tr[data-action] .name')].map(one => one.textContent).sort()", sorted(changed))
        page = self.replayed("outputs-all-types", query="?view=outputs")
        self.shows(page, "document.querySelectorAll('#outputs tbody tr').length > 3", True)
        rows = {row["name"]: row for row in self.kind("output")}
        types = page.value("Object.fromEntries([...document.querySelectorAll('#outputs tbody tr')].map(row => [row.querySelector('.name').textContent, row.querySelector('.type').textContent]))")
        self.assertEqual({name: kind for name, kind in types.items() if isinstance(rows[name]["type"], str)},
                         {name: row["type"] for name, row in rows.items() if isinstance(row["type"], str)})
        self.assertTrue(any(re.match(r"(map|list|set|object|tuple)\(.+\)$", kind) for kind in types.values()), types)
        buttons = page.value("[...document.querySelectorAll('#outputs tbody tr')].filter(row => row.querySelector('.copy')).map(row => row.querySelector('.name').textContent).sort()")
        self.assertEqual(buttons, sorted(name for name, row in rows.items() if not row["sensitive"] and "value" in row))
        self.assertTrue(any(row["sensitive"] for row in rows.values()))
        text = next(name for name, row in rows.items() if row["type"] == "string" and not row["sensitive"] and row.get("value"))
        page.value(COPIED)
        page.value("[...document.querySelectorAll('#outputs tbody tr')].find(row => row.querySelector('.name').textContent === %s).querySelector('.copy').click()" % json.dumps(text))
        self.shows(page, "copied", [rows[text]["value"]])
        self.is_in_order(page)

    def test_a_long_one_folds(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url(), "?view=outputs")
        long = "many words " * 1000
        tofud.write(VERSION + stamped(1, type="outputs", outputs={"long": {"sensitive": False, "type": "string", "value": long},
                                                                  "short": {"sensitive": False, "type": "string", "value": "x"}}))
        self.shows(page, "document.querySelectorAll('#outputs tbody tr').length", 2)
        height = "document.querySelector('#outputs tr:has(.fold)').clientHeight"
        self.assertLess(page.value(height), 150)
        self.assertEqual(page.value("document.querySelectorAll('#outputs .fold').length"), 1)
        self.assertEqual(self.text_of(page, "#outputs .value"), json.dumps(long))
        self.click(page, "#outputs .fold")
        self.shows(page, height + " > 500", True)


class Drift(Viewing):
    def test_it_is_listed_and_chosen(self):
        page = self.replayed("drift-apply")
        drifted = [row["addr"] for row in self.kind("resource") if row["drift"]]
        self.assertTrue(drifted)
        self.shows(page, "[...document.querySelectorAll('#drift .address')].map(one => one.textContent).sort()", sorted(drifted))
        self.assertTrue(self.text_of(page, "#drift p").startswith("%d resource" % len(drifted)))
        self.click(page, "#drift p button")
        self.shows(page, "location.search", "?drift=1")
        self.shows(page, "Number(document.getElementById('resources').dataset.count)", len(drifted))
        first = page.value(TEXT % "'#drift .address'")
        self.click(page, "#drift .address")
        self.shows(page, TEXT % "'#detail-title'", first)
        self.is_in_order(page)

    def test_without_it_nothing_is_shown(self):
        page = self.replayed("apply-slow-progress")
        self.assertIsNone(page.value("document.getElementById('drift')"))


class About(Viewing):
    def said_of(self, page):
        self.menu(page)
        self.click(page, "#about summary")
        self.shows(page, "document.querySelectorAll('#about li').length > 0", True)
        said = self.text_of(page, "#about p")
        self.assertRegex(said, r"^tofud \d+\.\d+\.\d+[^ ]*, build [^ ]+, Mozilla Public License 2\.0\.")
        named = page.value("[...document.querySelectorAll('#about li')].map(one => one.textContent)")
        texts = (ROOT / "daemon/dashboard/dist/LICENSES.txt").read_text()
        self.assertEqual(named, re.findall(r"^(\S+ \d+\.\d+\.\d+ \(.+\))$", texts, re.M))
        self.assertGreater(len(named), 2)
        return said, texts

    def test_it_names_the_build_and_the_libraries_with_their_licences(self):
        page = self.replayed("apply-slow-progress")
        said, texts = self.said_of(page)
        self.assertEqual(get(page.value("document.querySelector('#about a').href")).decode(), texts)
        self.assertEqual(page.complaints, [])

    def test_a_report_has_their_texts(self):
        file = os.path.join(self.home, "report.html")
        subprocess.run([TOFUD, "replay", str(recorded_path("apply-slow-progress")), "--speed", "max", "--no-listen", "--progress", "none", "--report", file],
                       env=self.env(), check=True, timeout=PATIENCE)
        page = self.browser.open(pathlib.Path(file).as_uri())
        self.addCleanup(page.close)
        said, texts = self.said_of(page)
        self.assertEqual(self.text_of(page, "#about pre").strip(), texts.strip())
        self.assertIsNone(page.value("document.querySelector('#about a')"))
        self.assertIsNone(page.value("document.getElementById('stream')"))
        self.assertEqual(page.complaints, [])


class Hostile(Viewing):
    def test_text_from_outside_stays_text(self):
        begin, end = hostile_run()
        tests = stamped(6, type="test_abstract", test_abstract={text: list(HOSTILE) for text in HOSTILE if text})
        for text in HOSTILE:
            head = {"@testfile": text, "@testrun": text}
            tests += stamped(6, type="test_file", test_file={"path": text, "status": "fail"}, **head) + \
                stamped(6, type="test_run", test_run={"path": text, "run": text, "status": text}, **head) + \
                stamped(6, type="diagnostic", diagnostic={"severity": "error", "summary": text, "detail": text, "snippet": {
                    "context": text, "code": text, "start_line": 1, "highlight_start_offset": 1, "highlight_end_offset": 0, "values": [],
                    "function_call": {"called_as": text, "signature": {"params": [{"name": text}]}}},
                    "range": {"filename": text, "start": {"line": 1, "column": 1, "byte": 0}, "end": {"line": 1, "column": 1, "byte": 0}}}, **head)
        drift = b"".join(stamped(6, type="resource_drift", change=about("terraform_data.x[%s]" % json.dumps(text), action="update")) for text in HOSTILE)
        types = stamped(7, type="outputs", outputs={"typed " + text: {"sensitive": False, "type": ["object", {text: ["tuple", [text]]}], "value": {text: 1}} for text in HOSTILE})
        stream = begin + end + tests + drift + types
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url(), "?view=log&stream=1&at=3.5&tests=" + urllib.parse.quote(",".join(HOSTILE), safe=""))
        tofud.write(stream)
        self.has_taken(tofud, stream)
        self.shows(page, "document.querySelectorAll('#stream .line').length > 10", True)
        page.value("[...document.querySelectorAll('#stream .line')].forEach(line => line.click())")
        self.shows(page, "Boolean(document.querySelector('.laid-out'))", True)
        self.view(page, "overview")
        self.shows(page, "document.querySelectorAll('#tests .diagnostic').length > 10", True)
        self.shows(page, "document.querySelectorAll('#drift li').length > 10", True)
        self.view(page, "waterfall")
        self.shows(page, "document.querySelectorAll('.lane-row[data-ran]').length > 3", True)
        self.assertEqual(page.complaints, [])
        self.assertEqual(page.value("typeof window.pwned"), "undefined")
        there = page.value(MADE_OF)
        self.assertLessEqual(set(there["elements"]), ELEMENTS)
        self.assertLessEqual(set(there["attributes"]), ATTRIBUTES)


if __name__ == "__main__":
    unittest.main(verbosity=2)
