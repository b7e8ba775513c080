#!/usr/bin/python3
"""What people do with the page: look for a failure, filter, open a resource, read its log, go by keyboard."""
import json
import re
import struct
import unittest
import urllib.parse

from browsing import VERSION, Browsing, about, hostile_run, stamped
import picture
from binary import ROOT, TOFUD, Running, get, recorded, recorded_path, until

ROWS = "[...document.querySelectorAll('#resources .rows .row')].map(row => row.dataset.addr)"
TEXT = "document.querySelector(%r)?.textContent ?? null"
CURSOR = "document.querySelector('#resources [aria-selected=true]')?.dataset.addr ?? null"
LOG = "[...document.querySelectorAll('#detail .log .line')].map(line => line.textContent)"


def planned(*addresses, **more):
    return b"".join(stamped(1, type="planned_change", change=about(addr, action="create", **more)) for addr in addresses)


def started(addr):
    return stamped(2, type="apply_start", hook=about(addr, action="create"))


def printed(addr, text):
    return stamped(3, type="provision_progress", hook=about(addr, provisioner="local-exec", output=text))


class Use(Browsing):
    def shows(self, page, expression, expected, what=None):
        try:
            until(lambda: page.value(expression) == expected, what or expression)
        except AssertionError:
            self.assertEqual(page.value(expression), expected, page.complaints)

    def text_of(self, page, selector):
        return page.value(TEXT % selector)

    def click(self, page, selector):
        until(lambda: page.value("Boolean(document.querySelector(%r))" % selector), selector)
        page.value("document.querySelector(%r).click()" % selector)

    def type_into(self, page, selector, text):
        page.value("{ const field = document.querySelector(%r); field.value = %r; field.dispatchEvent(new Event('input', {bubbles: true})); }"
                   % (selector, text))

    def replayed(self, name, fragment=""):
        page = self.open(self.replay(recorded_path(*name.split("/"))).url, fragment)
        self.comes_to_its_end(page)
        return page

    def test_counts_rise_and_a_failure_comes_with_its_snippet_as_it_happens(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        counts, silent = [], False
        lines = recorded("apply-provider-errors").splitlines(keepends=True)
        for at in range(0, len(lines), 4):
            tofud.write(b"".join(lines[at:at + 4]))
            self.has_taken(tofud, b"".join(lines[:at + 4]))
            run = json.loads(get(tofud.url + "v1/runs/latest"))["run"]
            done, total = run["progress"]["done"], run["progress"]["total"]
            self.shows(page, TEXT % "#progress", "%d planned" % total if total and run["command"] == "plan" else "%d/%d" % (done, total) if total else "")
            if total and run["command"] != "plan":
                bar = "(() => { const bar = document.querySelector('[role=progressbar]'); return [bar.ariaValueNow, bar.ariaValueMax]; })()"
                self.shows(page, bar, [str(done), str(total)])
            failed = "failed %s" % run["counts"].get("failed", 0)  # while it goes on, none is said as well
            chip = TEXT % ".chips [data-status=failed]"
            until(lambda: page.value(chip) in ((failed,) if "failed" in run["counts"] else (failed, None)), failed)
            counts.append(done)
            # A failed resource is on top before OpenTofu says why.
            silent = silent or page.value("document.querySelectorAll('#unexplained li').length") > 0
        self.assertEqual(counts, sorted(counts))
        self.assertGreater(len(set(counts)), 3)
        self.assertTrue(silent)
        self.shows(page, "document.querySelectorAll('#unexplained li').length", 0)
        card = "[...document.querySelectorAll('.diagnostic')].find(card => card.textContent.includes('data.external.broken'))"
        self.shows(page, card + ".querySelector('.source').textContent",
                   '26  program = ["sh", "-c", "sleep 1; echo not json; exit 0"]')
        self.assertEqual(page.value(card + ".querySelector('mark').textContent"), '["sh", "-c", "sleep 1; echo not json; exit 0"]')
        self.is_in_order(page)

    def test_what_stands_behind_a_word_is_said_by_pointer_focus_and_tap(self):
        page = self.replayed("apply-slow-progress", "#r=time_sleep.database")
        said = "document.getElementById('says')?.textContent ?? ''"
        place = "(() => { const {x, y, width, height} = document.querySelector('#detail .steps .time').getBoundingClientRect(); return [x + width / 2, y + height / 2]; })()"
        until(lambda: page.value("Boolean(document.querySelector('#detail .steps .time'))"), "the steps")
        x, y = page.value(place)
        exact = r"\(2026-11-21T05:\d\d:\d\d\.\d+Z\)$"
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        until(lambda: re.search(exact, page.value(said)), "the pointer asks")
        self.assertEqual(page.value("document.querySelector('#detail .steps .time').getAttribute('aria-describedby')"), "says")
        page.key("Escape")
        self.shows(page, said, "")
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
        page.value("document.querySelector('#detail .steps .time')?.focus()")
        self.shows(page, "document.activeElement.matches('#detail .steps .time')", True)
        page.key("Tab")
        page.key("Tab", shift=True)
        until(lambda: re.search(exact, page.value(said)), "the focus asks")
        page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": 5, "y": 5}])
        page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.shows(page, said, "")
        x, y = page.value(place)
        page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        until(lambda: re.search(exact, page.value(said)), "the finger asks")
        self.assertEqual(page.value("document.querySelectorAll('[title]').length"), 0)

    def test_the_tab_shows_the_state_of_the_run(self):
        tofud = self.pipe("--stack", "prod-net")
        page = self.open(tofud.wait_for_url())
        icon = "decodeURIComponent(document.querySelector('link[rel=icon]').href)"
        tofud.write(VERSION + planned("a.b", "a.c") + stamped(1, type="change_summary", changes={
            "add": 2, "change": 0, "remove": 0, "operation": "plan"}) + started("a.b") + started("a.c"))
        self.shows(page, "document.title", "0/2 prod-net")
        running = page.value(icon)
        tofud.write(stamped(3, type="apply_errored", hook=about("a.b", action="create", elapsed_seconds=1)))
        self.shows(page, "document.title", "✗ 1 · 0/2 prod-net")
        failed = page.value(icon)
        self.assertNotEqual(running, failed)
        page.value("{ const now = Date.now; Date.now = () => now.call(Date) + 60000; }")
        self.shows(page, "document.title", "? ✗ 1 · 0/2 prod-net")
        self.assertNotIn(page.value(icon), (running, failed))

    def test_clocks_of_running_steps_go_on_and_the_age_of_the_data_is_shown(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        tofud.write(VERSION + planned("a.b", "a.c") + started("a.b") + started("a.c") +
                    stamped(3, type="apply_complete", hook=about("a.c", action="create", elapsed_seconds=1)))
        times = "[...document.querySelectorAll('#resources .rows .time')].map(one => one.textContent)"
        until(lambda: len(page.value(times)) == 2 and page.value(times)[1] == "1.0s", "the rows")
        for clock in (times + "[0]", TEXT % "#clock"):
            first = page.value(clock)
            self.assertRegex(first, r"^(\d+ms|\d\d+s|\d\.\ds)$")
            until(lambda: page.value(clock) != first, "it goes on")
        until(lambda: re.search(r"^heard (\d+|\d\.\d)s ago$", page.value(TEXT % "#age") or ""), "what is not fresh any more says how old it is")
        self.assertEqual(page.value(times)[1], "1.0s")
        self.assertRegex(page.value("document.querySelector('#resources .rows .time').dataset.says"),
                         r"2026.*\(2026-11-21T05:00:02\.000Z\)$")

    def test_the_filter_is_by_text_status_and_module(self):
        page = self.replayed("apply-create-mixed")
        rows = [row for row in json.loads(get(page.value("location.origin") + "/v1/runs/latest"))["rows"] if row["kind"] == "resource"]
        count = "Number(document.getElementById('resources').dataset.count)"

        def passes(*wanted):
            self.assertLess(len(wanted), len(rows))
            self.shows(page, ROWS + ".sort()", sorted(row["addr"] for row in wanted))
            self.assertEqual(self.text_of(page, "#passing"), "%d of %d" % (len(wanted), len(rows)))
        self.type_into(page, "#filter", "RANDOM_P")
        passes(*(row for row in rows if "random_p" in row["addr"]))
        self.type_into(page, "#filter", rows[0]["id"]["value"])
        passes(rows[0])
        self.type_into(page, "#filter", "no such address")
        passes()
        self.type_into(page, "#filter", "")
        self.shows(page, count, len(rows))
        for module in sorted({row["module"] for row in rows}):
            button = "#modules [data-module=%s]" % json.dumps(module, ensure_ascii=False)
            self.click(page, button)
            inside = [row for row in rows if row["module"] == module or module and row["module"].startswith(module + ".")]
            self.shows(page, count, len(inside))
            self.assertLessEqual(set(page.value(ROWS)), {row["addr"] for row in inside})
            done = sum(row["status"] in ("done", "unchanged") for row in inside)
            self.assertIn("%d/%d" % (done, len(inside)), self.text_of(page, button))
            self.assertEqual(page.value("document.querySelector(%s).ariaPressed" % json.dumps(button)), "true")
        self.click(page, button)
        self.shows(page, count, len(rows))
        self.is_in_order(page)

    def test_the_address_of_the_page_holds_the_filter(self):
        page = self.replayed("apply-create-mixed")
        count = "Number(document.getElementById('resources')?.dataset.count)"
        self.type_into(page, "#filter", "ran\u00e9 &=#")
        self.click(page, ".filter button[data-status=done]")
        self.click(page, "#modules [data-module]:not([data-module=''])")
        self.shows(page, count, 0)
        address = page.value("location.href")
        other = self.open(address.split("?")[0], "?" + address.split("?")[1])
        self.shows(other, count, 0)
        self.assertEqual(other.value("document.getElementById('filter').value"), "ran\u00e9 &=#")
        self.assertEqual(other.value("[...document.querySelectorAll('.state[aria-pressed=true], .module[aria-pressed=true]')].length"), 2)
        self.type_into(other, "#filter", "")
        self.shows(other, count + " > 0", True)
        self.assertNotIn("q=", other.value("location.search"))

    def test_of_many_modules_one_is_found_by_typing(self):
        page = self.replayed("large-2000")
        page.picture(1280, 800)
        self.click(page, "#modules summary")
        names = "[...document.querySelectorAll('#modules [data-module]')].map(one => one.dataset.module)"
        until(lambda: len(page.value(names)) > 12, "the modules")
        self.type_into(page, ".find-module", "CELL-007")
        self.shows(page, names, ['module.cell["cell-007"]'])
        self.click(page, "#modules [data-module]")
        self.shows(page, "document.getElementById('resources').dataset.count", "100")
        self.type_into(page, ".find-module", "nosuch")
        self.shows(page, TEXT % "#modules .note", "No module has this in its name.")

    def test_the_filter_takes_several_states(self):
        page = self.replayed("apply-provider-errors")
        shown = "Object.fromEntries([...document.querySelectorAll('.filter button.state')].map(one => one.textContent.split(' ')))"
        self.shows(page, shown, {"failed": "4", "done": "6", "skipped": "4"})
        states = "[...new Set([...document.querySelectorAll('#resources .rows .status')].map(one => one.textContent))].sort()"
        for chosen, passing in (("failed", ["failed"]), ("skipped", ["failed", "skipped"]), ("failed", ["skipped"]),
                                ("skipped", ["done", "failed", "skipped"])):
            button = ".filter button[data-status=%s]" % chosen
            self.click(page, button)
            self.shows(page, states, passing)
            pressed = str(chosen in passing and len(passing) < 3).lower()
            self.assertEqual(page.value("document.querySelector('%s').ariaPressed" % button), pressed)

    def test_the_detail_shows_steps_and_the_log_in_its_colours(self):
        page = self.replayed("provisioner-output-kinds")
        at = page.value(ROWS).index("terraform_data.lines")
        page.value("document.querySelectorAll('#resources .addr a')[%d].click()" % at)
        self.shows(page, TEXT % "#detail-title", "terraform_data.lines")
        self.assertEqual(page.value("location.hash"), "#r=terraform_data.lines")
        self.shows(page, "document.activeElement.id", "detail-title")
        self.shows(page, "[...document.querySelectorAll('#detail .steps b')].map(one => one.textContent)", ["create"])
        self.assertEqual(page.value("document.querySelectorAll('#detail .provisioners li').length"), 5)
        page.value("document.querySelector('#detail .log').scrollTop = 0")
        until(lambda: "green bold plain orange" in page.value(LOG), "the log")
        green = "[...document.querySelectorAll('#detail .log span')].find(one => one.textContent === 'green bold').className"
        self.assertEqual(page.value(green), "f2 bold")
        orange = "getComputedStyle([...document.querySelectorAll('#detail .log span')].find(one => one.textContent === 'orange')).color"
        self.assertRegex(page.value(orange), r"^color\(srgb 0\.4\d* 0\.2\d* 0\.0\d*\)$")  # dark enough for a white ground
        self.assertNotRegex("".join(page.value(LOG)), "[\x00-\x08\x0b-\x1f\x7f-\x9f]")
        self.type_into(page, "#detail .find", "PROGRESS")
        self.shows(page, LOG + ".slice(1)", ["progress 10%", "progress 50%", "progress 100%"])  # the first is the command
        page.key("Escape")
        self.shows(page, "document.getElementById('detail')", None)
        self.assertEqual(page.value("location.hash"), "")
        self.is_in_order(page)

    def test_failures_of_one_cause_stand_together(self):
        failing = ["t.w[%d]" % i for i in range(9)]
        stream = VERSION + planned(*failing) + b"".join(started(addr) for addr in failing)
        for i, addr in enumerate(failing):
            stream += stamped(4, type="apply_errored", hook=about(addr, action="create", elapsed_seconds=2))
            stream += stamped(5, type="diagnostic", diagnostic={"severity": "error", "summary": "local-exec provisioner error", "address": addr,
                                                               "detail": "Error running command 'sh w %d': exit status %d. Output: w%d part 1" % (i, i + 20, i)})
        stream += stamped(5, type="diagnostic", diagnostic={"severity": "error", "summary": "Quota exceeded", "detail": "", "address": "t.w[3]"})
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        tofud.write(stream)
        tofud.end_of_stream()
        self.shows(page, TEXT % "#problems-title", "10 errors")
        self.shows(page, "document.querySelectorAll('#diagnostics > .diagnostic').length", 2)
        self.shows(page, TEXT % ".more-like-it summary", "8 more like it" + "".join(" " + addr for addr in failing[1:]))
        self.assertEqual(page.value("document.querySelectorAll('.more-like-it .diagnostic').length"), 8)
        self.assertFalse(page.value("document.querySelector('.more-like-it').open"))
        self.is_in_order(page)

    def test_a_click_anywhere_on_a_row_opens_the_resource(self):
        page = self.replayed("provisioner-output-kinds")
        self.click(page, "#resources .rows .row:nth-child(3) .status")
        self.shows(page, "Boolean(document.getElementById('detail'))", True)
        self.assertEqual(page.value("document.querySelector('#detail-title').textContent"), page.value("document.querySelector('#resources [aria-selected=true]').dataset.addr"))

    def test_where_nothing_matches_it_is_said_and_one_click_shows_all_again(self):
        page = self.replayed("apply-create-mixed")
        all_rows = page.value("document.getElementById('resources').dataset.count")
        self.type_into(page, "#filter", "nothing here")
        self.shows(page, TEXT % "#no-match", "Nothing matches nothing here. Clear the filter")
        self.is_in_order(page)
        self.click(page, "#no-match button")
        self.shows(page, "document.getElementById('resources').dataset.count", all_rows)
        self.assertEqual(page.value("[document.getElementById('filter').value, document.getElementById('no-match')]"), ["", None])

    def test_a_run_that_goes_on_with_a_failure_is_failing(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        lines = recorded("apply-provider-errors").splitlines(keepends=True)
        failed = max(i for i, line in enumerate(lines) if b'"apply_errored"' in line)
        tofud.write(b"".join(lines[:failed + 1]))
        self.shows(page, TEXT % "#status", "failing")
        parts = page.value("[...document.querySelectorAll('.bar .part')].map(one => one.dataset.status)")
        self.assertEqual(parts, ["failed", "done", "running", "planned"])
        self.assertEqual(page.value("getComputedStyle(document.getElementById('status')).backgroundColor"),
                         page.value("getComputedStyle(document.querySelector('.bar [data-status=failed]')).backgroundColor"))
        tofud.write(b"".join(lines[failed + 1:]))
        tofud.end_of_stream()
        self.shows(page, TEXT % "#status", "failed")

    def test_reasons_are_sentences(self):
        page = self.replayed("delete-reasons/plan.stream")
        texts = page.value("""(async () => { const found = [];
          for (const link of [...document.querySelectorAll('#resources .addr a')]) { link.click(); await new Promise(done => setTimeout(done, 50));
            found.push(...[...document.querySelectorAll('#detail .plan .note')].map(one => one.textContent)); }
          return found; })()""")
        self.assertTrue(texts)
        self.assertEqual([text for text in texts if text.startswith(": ") and "because" in text], [])
        self.assertIn(": its index is beyond count", texts)

    def test_a_link_to_a_resource_opens_it_and_goes_back(self):
        page = self.replayed("apply-provider-errors", "#r=" + urllib.parse.quote('local_file.impossible_too["a"]', safe=""))
        self.shows(page, TEXT % "#detail-title", 'local_file.impossible_too["a"]')
        self.shows(page, TEXT % "#detail .diagnostic .summary", "Create local file error")
        self.click(page, "#detail .close")
        self.shows(page, "document.getElementById('detail')", None)
        page.value("history.back()")
        self.shows(page, TEXT % "#detail-title", 'local_file.impossible_too["a"]')
        page.value("location.hash = '#r=no%20such'")
        self.shows(page, TEXT % "#detail .note", "no such resource in this run")
        page.value("location.hash = '#r=%E0%A4%A'")
        self.shows(page, "document.getElementById('detail')", None)
        self.is_in_order(page)

    def test_address_and_target_can_be_copied(self):
        page = self.replayed("apply-provider-errors", "#r=" + urllib.parse.quote('local_file.impossible_too["b \\"c\\""]', safe=""))
        page.value("window.copied = []; navigator.clipboard.writeText = async text => { copied.push(text); }")
        self.click(page, "#detail [data-copies=address]")
        self.click(page, "#detail [data-copies='-target=']")
        self.shows(page, "copied", ['local_file.impossible_too["b \\"c\\""]', "-target='local_file.impossible_too[\"b \\\"c\\\"\"]'"])

    def test_the_log_follows_until_a_scroll_up_and_then_counts_new_lines(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url(), "#r=a.b")
        begin = VERSION + planned("a.b") + started("a.b") + stamped(2, type="provision_start", hook=about("a.b", provisioner="local-exec"))
        tofud.write(begin + b"".join(printed("a.b", "line %d" % n) for n in range(200)))
        last = "[...document.querySelectorAll('#detail .log .line')].at(-1)?.textContent"
        self.shows(page, last, "line 199")
        self.shows(page, TEXT % "#resources .last", "line 199")
        self.assertLess(page.value("document.querySelectorAll('#detail .log .line').length"), 100)
        # Lines that come while it scrolls to those before them are no wish to stay there.
        for burst in range(40):
            tofud.write(b"".join(printed("a.b", "burst %d.%d" % (burst, n)) for n in range(25)))
        self.shows(page, last, "burst 39.24")
        self.shows(page, "document.querySelector('#detail .follow').checked", True)
        page.value("document.querySelector('#detail .log').scrollTop = 0")
        self.shows(page, "document.querySelector('#detail .follow').checked", False)
        tofud.write(printed("a.b", "one more"))
        self.shows(page, TEXT % "#detail .news", "1 new line")
        tofud.write(printed("a.b", "and another"))
        self.shows(page, TEXT % "#detail .news", "2 new lines")
        self.assertEqual(page.value("document.querySelector('#detail .log').scrollTop"), 0)
        self.click(page, "#detail .news")
        self.shows(page, last, "and another")
        self.shows(page, "document.querySelector('#detail .follow').checked", True)
        tofud.write(printed("a.b", "the end"))
        self.shows(page, last, "the end")
        self.is_in_order(page)

    def test_lines_that_the_page_does_not_hold_are_fetched(self):
        tofud = self.pipe()
        begin = VERSION + planned("a.b") + started("a.b") + stamped(2, type="provision_start", hook=about("a.b", provisioner="local-exec"))
        stream = begin + b"".join(printed("a.b", "line %d" % n) for n in range(5000))
        page = self.open(tofud.wait_for_url(), "#r=a.b")
        tofud.write(stream)
        self.has_taken(tofud, stream)
        self.shows(page, TEXT % "#detail .older", "load all 5000 lines")
        self.click(page, "#detail .older")
        self.shows(page, TEXT % "#detail .older", None)
        page.value("document.querySelector('#detail .log').scrollTop = 0")
        self.shows(page, "document.querySelector('#detail .log .line').textContent", "line 0")
        self.shows(page, "Math.round(document.querySelector('#detail .log .all').clientHeight / 18)", 5000)
        self.assertEqual([urllib.parse.urlsplit(url).path for url in page.requests if "/log?" in url],
                         ["/v1/runs/%s/log" % page.value("document.body.dataset.run")])
        self.assertEqual(page.complaints, [])

    def test_when_tofud_has_left_the_log_of_what_failed_is_still_there(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        tofud.write(recorded("provisioner-fail-exit3"))
        self.assertEqual(tofud.end_of_stream(), 1)
        self.comes_to_say(page, "^tofud has ended: run over$")
        page.value("location.hash = document.querySelector('.diagnostic .with a').hash")
        self.shows(page, LOG + ".slice(1)", ["about to fail", "the reason"])
        self.shows(page, "document.querySelector('#detail .older')", None)
        self.is_in_order(page)

    def test_text_from_outside_stays_text_in_the_detail(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        stream = b"".join(hostile_run())
        tofud.write(stream)
        self.has_taken(tofud, stream)
        rows = self.rows_now(tofud.url)
        self.comes_to_show(page, rows)
        for addr, row in rows["resource"].items():
            page.value("location.hash = '#r=' + encodeURIComponent(%s)" % json.dumps(addr))
            self.shows(page, TEXT % "#detail-title", addr)
            self.shows(page, "[...document.querySelectorAll('#detail .provisioners code')].map(one => one.textContent)",
                       [each["name"] for each in row["steps"][0]["provisioners"]])
            self.assertEqual(self.text_of(page, "#detail .facts .id"), "%(key)s = %(value)s" % row["id"])
            self.assertEqual(page.value("document.querySelectorAll('#detail .diagnostic').length"), len(row["diagnostics"]))
            self.assertGreater(page.value("document.querySelectorAll('#detail .log .line').length"), 0)
            for text in page.value(LOG):
                self.assertNotRegex(text, "[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
            self.is_in_order(page)

    def test_keys_move_open_and_close(self):
        page = self.replayed("apply-provider-errors")
        rows = page.value(ROWS)
        for key, cursor in (("j", rows[0]), ("j", rows[1]), ("k", rows[0]), ("k", rows[0])):
            page.key(key)
            self.shows(page, CURSOR, cursor)
            self.shows(page, TEXT % "#detail-title", cursor)  # what is beside the list follows
        failed = page.value("[...document.querySelectorAll('#resources .rows .row[data-status=failed]')].map(one => one.dataset.addr)")
        for cursor in (*failed[1:], failed[0]):  # they stand first
            page.key("n")
            self.shows(page, CURSOR, cursor)
        page.key("p")
        self.shows(page, CURSOR, failed[-1])
        page.key("n")
        page.key("Enter")
        self.shows(page, TEXT % "#detail-title", failed[0])
        page.key("Escape")
        self.shows(page, "document.getElementById('detail')", None)
        page.key("?")
        self.shows(page, "Boolean(document.getElementById('help'))", True)
        page.key("Escape")
        self.shows(page, "Boolean(document.getElementById('help'))", False)
        page.key("/")
        self.shows(page, "document.activeElement.id", "filter")
        for key in "jfk?":  # belong to the field now
            page.key(key)
        self.shows(page, "document.getElementById('filter').value", "jfk?")
        page.key("Escape")
        self.shows(page, "document.activeElement.id", "")

    def test_of_ten_thousand_resources_only_those_in_sight_are_in_the_document(self):
        for name, least in (("large-2000", 2000), ("large-10000", 10000)):
            with self.subTest(name):
                path = recorded_path(name)
                page = self.open(self.replay(path).url)
                order = None

                def whole():
                    nonlocal order
                    order = [row["addr"] for row in json.loads(get(tofud_url + "v1/runs/latest"))["rows"] if row["kind"] == "resource"]
                    return len(order) >= least
                tofud_url = page.value("location.origin") + "/"
                until(whole, "all rows")
                count = "document.getElementById('resources')?.dataset.count"
                self.shows(page, count, str(len(order)))
                self.comes_to_say(page, "^live$")
                self.comes_to_its_end(page)  # until then what is done is folded
                # The end may be known before the list is drawn with all that it unfolds.
                self.shows(page, "document.querySelector('#resources .rows').scrollHeight >= 28 * %d" % len(order), True)
                for part in (0, .25, .5, .9, 1, .1):
                    page.value("{ const box = document.querySelector('#resources .rows'); box.scrollTop = %f * box.scrollHeight; }" % part)
                    # Row n stands where row n belongs: the one under the middle of the box is the one that scrolling leads to.
                    middle = """(() => {
                      const box = document.querySelector('#resources .rows'), frame = box.getBoundingClientRect();
                      const wanted = Math.floor((box.scrollTop + frame.height / 2) / 28);
                      const row = document.elementFromPoint(frame.x + 200, frame.y + frame.height / 2)?.closest('.row');
                      return row && row.ariaRowIndex - 1 === wanted ? [wanted, row.dataset.addr] : null;
                    })()"""
                    at, addr = until(lambda: page.value(middle), "a row at %s" % part)
                    self.assertIn(addr, order)
                    if part in (.5, .9):
                        self.assertGreater(at, least * part - 100)
                    self.assertLess(page.value("document.querySelectorAll('*').length"), 1500)
                self.is_in_order(page)

    def test_it_fits_narrow_and_wide_windows(self):
        for name, fragment in (("apply-provider-errors", ""), ("outputs-all-types", "?view=outputs"), ("test-fail-error-skip", ""),
                               ("provisioner-output-kinds", "#r=terraform_data.lines")):
            page = self.replayed(name, fragment)
            for width in (320, 700, 1000, 2500):
                page.picture(width, 700)
                with self.subTest(name, width=width):
                    self.assertEqual(page.value("innerWidth"), width)
                    self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
                    self.assertLessEqual(page.value("document.querySelector('#detail.sheet')?.scrollWidth ?? 0"), width)
                    self.assertTrue(page.value("[...document.querySelectorAll('.rows .addr')].every(one => one.clientWidth > 80)"))

    def test_one_of_several_runs_can_be_chosen(self):
        tofud = self.replay(recorded_path("pipeline-init-plan-apply-one-stream"))
        page = self.open(tofud.url)
        options = "[...document.querySelectorAll('#runs option')].map(option => option.value)"
        self.shows(page, options, ["stream", "stream.2", "stream.3", "stream.4"])
        for run in ("stream.2", "stream.4", "stream"):
            page.value("{ const field = document.getElementById('runs'); field.value = %r;"
                       "field.dispatchEvent(new Event('change', {bubbles: true})); }" % run)
            self.shows(page, "document.body.dataset.run", run)
            self.comes_to_show(page, self.rows_now(tofud.url, run))
            self.assertEqual(page.value("location.search"), "?run=" + run)
        self.click(page, "#runs + button")
        self.shows(page, "document.body.dataset.run + location.search", "stream.4")
        self.shows(page, "document.querySelector('#runs + button')", None)
        self.is_in_order(page)

    def test_text_between_messages_is_there(self):
        page = self.replayed("validate-output-other-json/fmt", "?view=log")
        rows = [json.loads(line) for line in get(page.value("location.origin") + "/v1/runs/latest/log").splitlines()]
        self.assertTrue(rows)
        shown = "[...document.querySelectorAll('.log .line')].map(line => line.textContent)"
        until(lambda: page.value("document.querySelectorAll('.log').length"), "the lines")
        page.value("document.querySelector('.log').scrollTop = 0")
        until(lambda: rows[0]["text"] in page.value(shown), "the text")

    def test_each_failure_is_announced_once_to_screen_readers(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        page.value("window.told = []; new MutationObserver(() => told.push(document.getElementById('alert').textContent))"
                   ".observe(document.getElementById('alert'), {subtree: true, childList: true, characterData: true})")
        tofud.write(VERSION + planned("a.b", "a.c") + started("a.b") + started("a.c") +
                    stamped(3, type="apply_errored", hook=about("a.b", action="create", elapsed_seconds=1)))
        self.shows(page, "told.filter(Boolean)", ["failed: a.b"])
        self.shows(page, TEXT % "#spoken", "apply, 0 of 2 done, 1 failed")
        tofud.write(stamped(4, type="apply_complete", hook=about("a.c", action="create", elapsed_seconds=1)))
        self.shows(page, TEXT % "#spoken", "apply, 1 of 2 done, 1 failed")
        self.assertEqual(page.value("told.filter(Boolean)"), ["failed: a.b"])
        self.assertEqual(page.value("document.querySelectorAll('[aria-live]:not([aria-live=off])').length"), 0)

    def test_a_run_of_another_tofud_can_be_chosen(self):
        lines = recorded("apply-slow-progress").splitlines(keepends=True)

        def one():
            running = self.kept(Running([TOFUD, "--state-dir", self.state_dir, "--label", "group=make-7"], self.env()))
            running.wait_for_url()
            return running, running.out.got[0].split()[3].rstrip(b":").decode()
        first, first_id = one()
        first.write(b"".join(lines[:30]))
        page = self.open(first.url)
        self.shows(page, TEXT % "#status", "running")
        second, second_id = one()
        second.write(b"".join(lines))
        second.end_of_stream()
        self.shows(page, "[...document.querySelectorAll('#runs option')].map(option => option.value)", [first_id, second_id])
        self.shows(page, "document.querySelector('#runs option:last-child').textContent.endsWith('succeeded')", True)
        self.assertEqual(page.value("document.querySelector('#runs').value"), first_id)
        self.assertEqual(page.value("document.querySelector('#runs optgroup').label"), "make-7")
        page.value("{ const runs = document.querySelector('#runs'); runs.value = %r; runs.dispatchEvent(new Event('change', {bubbles: true})); }"
                   % second_id)
        self.shows(page, TEXT % "#status", "succeeded")
        self.assertEqual(page.value("location.search"), "?run=" + second_id)
        first.write(b"".join(lines[30:]))
        first.end_of_stream()

    def test_nothing_can_be_made_of_text_in_this_page(self):
        page = self.replayed("apply-slow-progress")
        tries = {
            "innerHTML": "document.createElement('div').innerHTML = '<b>x</b>'",
            "a script": "document.createElement('script').text = '1'",
            "an address of a script": "document.createElement('script').src = 'https://example.com/x.js'",
            "a frame": "document.createElement('iframe').srcdoc = '<b>x</b>'",
            "a policy": "trustedTypes.createPolicy('mine', {createHTML: text => text})",
        }
        for name, script in tries.items():
            with self.subTest(name):
                self.assertEqual(page.value("(() => { try { %s; return 'made'; } catch (error) { return error.name; } })()" % script),
                                 "TypeError")
        said = page.value("""new Promise(done => {
          addEventListener('securitypolicyviolation', violation => done(violation.effectiveDirective));
          fetch('http://127.0.0.1:1/').catch(() => {});
        })""")
        self.assertEqual(said, "connect-src")

    def test_the_picture_for_the_readme_can_be_made(self):
        image = picture.take(self)
        self.assertEqual(image[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", image[16:24]), (picture.WIDTH, picture.HEIGHT))
        committed = (ROOT / "tests/pictures/page.png").read_bytes()
        self.assertEqual(committed[16:24], image[16:24], "tests/browser/picture.py makes it anew")


if __name__ == "__main__":
    unittest.main(verbosity=2)
