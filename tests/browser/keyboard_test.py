#!/usr/bin/python3
"""The page without a mouse: every part is reached and used by keys, the focus is seen at each step and comes back."""
import json
import os
import unittest

from browsing import VERSION, Browsing, about, stamped
from binary import RECORDINGS, recorded_path, until
from diff_test import plan_of
from focus import FOCUS

TEXT = "document.querySelector(%s)?.textContent ?? ''"
ACTIVE = "document.activeElement.matches(%s)"
CURSOR = "document.querySelector('.rows [aria-selected=true]')?.dataset.addr ?? ''"
LOST = 80  # presses of Tab after which something is not reached

# What is said aloud waits a tenth of the time between sentences; each is noted with its time.
SPOKEN = """
const wait = setTimeout;
window.setTimeout = (then, ms, ...more) => wait(then, ms === 7000 ? 700 : ms, ...more);
window.spoken = [];
window.changes = 0;
document.addEventListener('DOMContentLoaded', () => {
  new MutationObserver(() => {
    const text = document.getElementById('spoken')?.textContent;
    if (text && spoken.at(-1)?.[1] !== text) spoken.push([performance.now(), text]);
    ++changes;
  }).observe(document.body, {subtree: true, childList: true, characterData: true});
});"""


def create(addr, **more):
    module = ".".join(addr.split(".")[:2]) if addr.startswith("module.") else ""
    return {**about(addr), "action": "create", "resource": {**about(addr)["resource"], "module": module}, **more}


def failing_run():
    """Two modules; one resource of each fails, after its provisioner has printed."""
    addresses = ["module.%s.terraform_data.%s" % (module, name) for module in ("db", "net") for name in ("one", "two", "broken")]
    yield VERSION
    for addr in addresses:
        yield stamped(1, type="planned_change", change=create(addr))
    yield stamped(1, type="change_summary", changes={"add": len(addresses), "change": 0, "remove": 0, "operation": "plan"})
    for addr in addresses:
        yield stamped(2, type="apply_start", hook=create(addr))
        yield stamped(3, type="provision_start", hook=create(addr, provisioner="local-exec"))
        for line in range(60):
            yield stamped(4, type="provision_progress", hook=create(addr, provisioner="local-exec", output="line %d" % line))
        if "broken" in addr:
            yield stamped(5, type="provision_errored", hook=create(addr, provisioner="local-exec"))
            yield stamped(5, type="apply_errored", hook=create(addr, elapsed_seconds=2))
            yield stamped(6, type="diagnostic", diagnostic={"severity": "error", "summary": "it broke", "detail": "", "address": addr})
        else:
            yield stamped(5, type="provision_complete", hook=create(addr, provisioner="local-exec"))
            yield stamped(6, type="apply_complete", hook=create(addr, elapsed_seconds=3))


BROKEN = ["module.db.terraform_data.broken", "module.net.terraform_data.broken"]


class Keyboard(Browsing):
    def failing(self, query=""):
        stream, plan = os.path.join(self.home, "failing.jsonl"), os.path.join(self.home, "plan.json")
        with open(stream, "wb") as file:
            file.writelines(failing_run())
        with open(plan, "w") as file:
            json.dump(plan_of(BROKEN[0], {"input": "a", "same": 1}, {"input": "b", "same": 1}), file)
        page = self.open(self.replay(stream, "--plan", plan).url, query)
        page.picture(1280, 800)
        until(lambda: page.value(TEXT % "'#status'") == "failed", "the end of the run")
        return page

    def is_on(self, page, selector):
        """It has the focus, and that can be seen."""
        until(lambda: page.value(ACTIVE % json.dumps(selector)), "the focus on " + selector)
        # A scroll to it is over with the next frame.
        focus = until(lambda: (lambda found: found["line"] and found["in_sight"] and found)(page.value(FOCUS)), "a focus to be seen: %s" % page.value(FOCUS))
        self.assertTrue(focus["line"])

    def tab_to(self, page, selector, shift=False):
        for _ in range(LOST):
            page.key("Tab", shift)
            if page.value(ACTIVE % json.dumps(selector)):
                return self.is_on(page, selector)
        raise AssertionError("no way to %s; at %s" % (selector, page.value(FOCUS)))

    def shows(self, page, expression, expected):
        try:
            until(lambda: page.value(expression) == expected, expression)
        except AssertionError:
            self.assertEqual(page.value(expression), expected)

    def test_each_part_is_reached_by_tab_from_the_address_on_and_back(self):
        page = self.failing()
        stops = ("#more summary", "#exports a", ".hint button", "[data-view=overview]", "#filter", "#modules summary", "#modules [data-module='module.db']",
                 ".filter button[data-status=failed]", "#resources .rows", "#diagnostics .address")
        for selector in stops:
            self.tab_to(page, selector)
            if "summary" in selector:
                page.key("Enter")
        for selector in reversed(stops[:-1]):
            if selector not in ("#exports a", ".hint button", "#modules [data-module='module.db']"):  # a menu closes behind who leaves it
                self.tab_to(page, selector, shift=True)

    def test_the_filter_its_buttons_and_the_modules(self):
        page = self.failing()
        count = "Number(document.getElementById('resources').dataset.count)"
        page.key("/")
        self.is_on(page, "#filter")
        for key in "two":
            page.key(key)
        self.shows(page, count, 2)
        for _ in "two":
            page.key("Backspace")
        self.shows(page, count, 6)
        for selector, key, passing in ((".filter button[data-status=failed]", " ", 2), ("#modules [data-module='module.net']", "Enter", 3)):
            page.key("Escape")
            page.key("/")
            if "#modules" in selector:
                self.tab_to(page, "#modules summary")
                page.key("Enter")
            self.tab_to(page, selector)
            for expected in (passing, 6):
                page.key(key)
                self.shows(page, count, expected)
                self.is_on(page, selector)

    def test_from_the_table_into_the_detail_and_back(self):
        page = self.failing()
        self.tab_to(page, "#resources .rows")
        for key, addr in (("ArrowDown", "db"), ("ArrowDown", "net"), ("ArrowUp", "db"), ("j", "net"), ("k", "db")):
            page.key(key)
            self.shows(page, CURSOR, "module.%s.terraform_data.broken" % addr)  # what failed stands first
        page.key("Enter")
        self.is_on(page, "#detail-title")
        until(lambda: page.value("Boolean(document.querySelector('#detail .planned'))"), "the diff")
        self.tab_to(page, "#detail .close", shift=True)
        for selector in ("#detail [data-copies=address]", "#detail .find"):
            self.tab_to(page, selector)
        for key in "e 59":
            page.key(key)
        self.shows(page, TEXT % "'#detail .log-foot span'", "1 of 60 lines")
        self.shows(page, "[...document.querySelectorAll('#detail .log .line')].map(one => one.textContent)", ["line 59"])
        self.tab_to(page, "#detail .log")
        for selector in ("#detail .diff", "#detail .rest"):
            self.tab_to(page, selector)
        page.key("Enter")
        until(lambda: "same" in page.value(TEXT % "'#detail .diff'"), "what does not change")
        page.key("Escape")
        self.shows(page, "document.getElementById('detail')", None)
        self.is_on(page, "#resources .rows")

    def test_from_failure_to_failure(self):
        page = self.failing()
        for addr in (*BROKEN, BROKEN[0]):
            page.key("f")
            self.shows(page, CURSOR, addr)
        page.key("Enter")
        self.is_on(page, "#detail-title")
        self.tab_to(page, "#detail .close", shift=True)
        page.key("Enter")
        self.shows(page, "document.getElementById('detail')", None)
        page.key("f")
        self.shows(page, CURSOR, BROKEN[1])

    def test_what_the_cursor_was_followed_to_is_gone_into_by_enter(self):
        page = self.failing()
        page.key("f")
        until(lambda: page.value("location.hash") and page.value(TEXT % "'#detail-title'") == BROKEN[0], "the detail beside the list")
        page.key("Enter")
        self.is_on(page, "#detail-title")
        page.key("Escape")
        self.shows(page, "document.getElementById('detail')", None)

    def test_the_waterfall_and_back_from_its_detail(self):
        page = self.failing()
        self.tab_to(page, "[data-view=overview]")
        for view in ("resources", "plan", "graph", "waterfall"):
            page.key("ArrowRight")
            self.is_on(page, "[data-view=%s]" % view)
        page.key("Enter")
        self.is_on(page, "[data-view=waterfall]")
        self.tab_to(page, "#waterfall .rows")
        page.key("ArrowDown")
        until(lambda: page.value(CURSOR), "a lane under the cursor")
        page.key("Enter")
        self.is_on(page, "#detail-title")
        page.key("Escape")
        self.is_on(page, "#waterfall .rows")

    def test_a_row_that_has_gone_out_of_the_document_gives_the_focus_to_its_table(self):
        page = self.failing()
        page.value("{ const link = document.querySelector('#resources .addr a'); link.focus(); link.click(); }")
        self.is_on(page, "#detail-title")
        page.value("{ const field = document.getElementById('filter'); field.value = 'two'; field.dispatchEvent(new Event('input', {bubbles: true})); }")
        self.shows(page, "document.getElementById('resources').ariaRowCount", "3")
        page.key("Escape")
        self.is_on(page, "#resources .rows")

    def test_the_keys_are_a_dialog_in_the_middle_of_the_window(self):
        page = self.failing()
        self.tab_to(page, "#more summary")
        page.key("Enter")
        self.tab_to(page, ".hint button")
        in_the_window = """(() => { const box = document.getElementById('help')?.getBoundingClientRect();
          return Boolean(box) && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth && box.height > 50; })()"""
        page.key("Enter")
        self.shows(page, in_the_window, True)
        self.is_on(page, "#help button")
        page.key("Escape")
        self.shows(page, "document.getElementById('help')", None)
        self.is_on(page, ".hint button")
        page.key("?")
        self.shows(page, in_the_window, True)
        page.key("Enter")
        self.shows(page, "document.getElementById('help')", None)
        self.is_on(page, ".hint button")
        self.assertEqual(page.complaints, [])

    def test_keys_go_from_change_to_change_and_from_group_to_group(self):
        page = self.open(self.replay(recorded_path("replace-reasons", "plan.stream"), "--plan", str(RECORDINGS / "replace-reasons/plan.json")).url)
        page.picture(1280, 800)
        until(lambda: page.value("document.querySelectorAll('#resources .row').length > 3"), "the list")
        groups = page.value("[...document.querySelectorAll('#resources .group button')].map(one => one.dataset.group)")
        self.assertGreater(len(groups), 1)
        group = "(() => { const all = [...document.querySelectorAll('#resources .group, #resources .row')].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top); const at = all.findIndex(one => one.ariaSelected === 'true'); return all.slice(0, at).reverse().find(one => one.matches('.group'))?.querySelector('button').dataset.group; })()"
        for key, there in (("]", groups[0]), ("]", groups[1]), ("[", groups[0])):
            page.key(key)
            self.shows(page, group, there)
        for key in "gp":
            page.key(key)
        until(lambda: page.value("document.querySelectorAll('.planned-change').length > 2 && ![...document.querySelectorAll('main .note')].some(one => one.textContent === 'loading')"), "the whole plan")
        changes = page.value("[...document.querySelectorAll('.planned-change')].map(one => one.id)")
        for key, there in (("n", changes[0]), ("n", changes[1]), ("p", changes[0])):
            page.key(key)
            self.shows(page, "document.activeElement.id", there)
            self.assertTrue(page.value("(({top, bottom}) => bottom > 0 && top < innerHeight)(document.activeElement.getBoundingClientRect())"))
        page.key("]")
        self.shows(page, "document.activeElement.matches('.review-group')", True)

    def test_by_typing_one_goes_to_views_and_resources(self):
        page = self.failing()
        control_k = dict(key="k", code="KeyK", modifiers=2, windowsVirtualKeyCode=75)

        def asks(text):
            page.call("Input.dispatchKeyEvent", type="keyDown", **control_k)
            page.call("Input.dispatchKeyEvent", type="keyUp", **control_k)
            self.is_on(page, "#palette input")
            for key in text:
                page.key(key)
        options = "[...document.querySelectorAll('#palette [role=option]')].map(one => one.textContent)"
        asks("timel")
        self.shows(page, options, ["view Timeline"])
        page.key("Enter")
        self.shows(page, "document.querySelector('main').dataset.view", "waterfall")
        self.shows(page, "document.getElementById('palette')", None)
        asks("net brok")
        self.shows(page, options, ["resource net › terraform_data.broken"])
        page.key("Enter")
        self.shows(page, TEXT % "'#detail-title'", "module.net.terraform_data.broken")
        page.key("Escape")
        asks("nothing like it")
        self.shows(page, options, [])
        page.key("Escape")
        self.shows(page, "document.getElementById('palette')", None)
        asks("")
        for _ in range(2):
            page.key("ArrowDown")
        self.shows(page, "document.querySelector('#palette [aria-selected=true]').textContent", "view Plan")
        page.key("Enter")
        self.shows(page, "document.querySelector('main').dataset.view", "plan")

    def test_a_script_of_keys_goes_through_a_failure_and_back(self):
        page = self.failing()
        page.value("window.copied = []; navigator.clipboard.writeText = async text => { copied.push(text); }")
        page.key("n")
        self.shows(page, CURSOR, BROKEN[0])
        page.key("c")
        self.shows(page, "copied", [BROKEN[0]])
        for key, view in (("p", "plan"), ("w", "waterfall"), ("l", "log"), ("u", "outputs"), ("c", "compare"), ("r", "resources"), ("o", "overview")):
            page.key("g")
            page.key(key)
            self.shows(page, "document.querySelector('main').dataset.view", view)
        page.key("y")
        self.shows(page, "copied.length", 2)
        self.assertEqual(page.value("copied[1]"), page.value("location.href"))
        page.key("?")
        self.shows(page, "Boolean(document.getElementById('help'))", True)
        page.key("Escape")
        self.shows(page, "document.getElementById('help')", None)
        page.key("Escape")
        self.shows(page, "document.getElementById('detail')", None)

    def test_many_changes_are_announced_in_few_sentences(self):
        tofud = self.pipe()
        page = self.browser.open(tofud.wait_for_url(), SPOKEN)
        self.addCleanup(page.close)
        until(lambda: page.value("document.body?.dataset.listed"), "a page")
        addresses = ["terraform_data.x[%d]" % n for n in range(400)]
        tofud.write(VERSION + b"".join(stamped(1, type="planned_change", change=create(addr)) for addr in addresses))
        for n, addr in enumerate(addresses):
            tofud.write(stamped(2, type="apply_start", hook=create(addr)) + stamped(3, type="apply_complete", hook=create(addr, elapsed_seconds=1)))
            if n % 20 == 0:
                self.shows(page, TEXT % "'#progress'", "%d/400" % (n + 1))
        until(lambda: page.value("spoken.at(-1)?.[1]") == "apply, 400 of 400 done", "the last word")
        said = page.value("spoken")
        self.assertGreaterEqual(len(said), 2)
        self.assertGreaterEqual(said[-1][0] - said[0][0], 690 * (len(said) - 1), said)
        self.assertGreaterEqual(page.value("changes"), len(said))  # how many come in that time is the machine's


if __name__ == "__main__":
    unittest.main(verbosity=2)
