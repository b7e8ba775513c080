#!/usr/bin/python3
"""The frame of the page: what scrolls, what moves, what is answered before anything is clicked, how addresses and times are shown."""
import json
import re
import unittest

from browsing import VERSION, Browsing, about, stamped
from binary import get, recorded, recorded_path, until
from layout_test import TOO_WIDE

SIZES = ((360, 740), (768, 1024), (1280, 800), (1920, 1080), (3840, 2160))
LABELS = ("--stack", "acme/infra//live/shop@prod", "--label", "actor=ada", "--label", "commit=1a2b3c4d5e", "--label", "branch=main")
FAILED = ("provisioner-fail-exit3", "apply-provider-errors", "diag-config-errors", "state-lock-contention")

# Text that somebody sees in the window without a click or a scroll.
IN_SIGHT = """(() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), said = [];
  for (let one = walk.nextNode(); one; one = walk.nextNode()) {
    if (!one.data.trim() || one.parentElement.closest('script, .unseen')) continue;
    const range = document.createRange();
    range.selectNodeContents(one);
    const box = range.getBoundingClientRect(), style = getComputedStyle(one.parentElement);
    if (box.width === 0 || style.visibility === 'hidden' || parseFloat(style.fontSize) === 0) continue;
    const [x, y] = [box.x + Math.min(box.width, 40) / 2, box.y + Math.min(box.height, 16) / 2];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
    const there = document.elementFromPoint(x, y);
    if (there && (there.contains(one) || one.parentElement.contains(there) || there.contains(one.parentElement))) said.push(one.data.trim());
  }
  return said.join(' ');
})()"""

# All text that is drawn, in sight or scrolled away.
DRAWN = """[...document.querySelectorAll('#page *')].filter(one => !one.closest('script, .unseen, dialog, details:not([open]) > :not(summary)') && one.checkVisibility())
  .flatMap(one => [...one.childNodes].filter(each => each.nodeType === 3).map(each => each.data.trim())).filter(Boolean)"""

# Boxes that scroll up and down, and stand in another one that does; a log may.
NESTED = """(() => {
  const scrolls = one => /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1 && one.clientHeight > 0;
  return [...document.querySelectorAll('#page *')].filter(one => scrolls(one) && !one.matches('.log, .menu-of *, .menu-of')).filter(one => {
    for (let box = one.parentElement; box; box = box.parentElement) if (box !== document.documentElement && scrolls(box)) return true;
    return false;
  }).map(one => one.outerHTML.slice(0, 120));
})()"""

SHIFTS = """window.shifts = [];
new PerformanceObserver(list => {
  for (const each of list.getEntries()) shifts.push([each.value, ...each.sources.map(one => one.node?.outerHTML?.slice(0, 90) ?? one.node?.data ?? '')]);
}).observe({type: 'layout-shift', buffered: true});"""

DURATION = r"^(\d+ms|\d\.\ds|\d\ds|\d+m\d\ds|\d+h\d\dm)$"


class Frame(Browsing):
    def shown(self, name, query="", size=(1280, 800), args=LABELS):
        page = self.open(self.replay(recorded_path(*name.split("/")), *args).url, query)
        page.picture(*size)
        self.comes_to_its_end(page)
        until(lambda: not page.value("[...document.querySelectorAll('.note')].some(one => one.textContent === 'loading')"), "all of it")
        return page

    def test_the_window_does_not_scroll_and_no_pane_has_a_box_that_scrolls_in_it(self):
        for name, query in (("apply-provider-errors", ""), ("diag-config-errors", ""), ("large-2000", ""), ("large-2000", "?view=resources"), ("large-2000", "?view=waterfall"),
                            ("outputs-all-types", "?view=outputs"), ("test-fail-error-skip", ""), ("provisioner-output-kinds", "#r=terraform_data.lines")):
            page = self.shown(name, query)
            for size in SIZES[1:]:
                page.picture(*size)
                with self.subTest(name, query=query, size=size):
                    self.assertLessEqual(page.value("document.scrollingElement.scrollHeight - document.scrollingElement.clientHeight"), 0)
                    self.assertEqual(page.value(NESTED), [])

    def test_nothing_is_wider_than_the_smallest_window(self):
        for name, query in (("apply-provider-errors", ""), ("large-2000", ""), ("large-2000", "?view=resources"), ("outputs-all-types", "?view=outputs")):
            page = self.shown(name, query, (320, 740))
            with self.subTest(name, query=query):
                self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 320)
                self.assertEqual(page.value(TOO_WIDE), [])

    def test_each_page_has_one_title_its_landmarks_and_ways_to_the_others(self):
        page = self.shown("apply-provider-errors")
        self.assertEqual(page.value("[document.querySelectorAll('h1').length, document.querySelectorAll('header').length, document.querySelectorAll('main').length]"), [1, 1, 1])
        links = page.value("[...document.querySelectorAll('header a')].map(one => one.getAttribute('href'))")
        for wanted in ("wall", "runs", "stacks/acme%2Finfra%2F%2Flive%2Fshop%40prod"):
            self.assertIn(wanted, links)

    def test_a_failed_run_answers_six_questions_without_a_click(self):
        for size in SIZES[0], SIZES[2]:
            page = self.shown("provisioner-fail-exit3", size=size)
            said = page.value(IN_SIGHT)
            with self.subTest(size=size):
                for what in ("null_resource.bad", "exit status 3", "the reason", "ada", "1a2b3c4", "2 never started", "prod"):
                    self.assertIn(what, said)
                self.assertIn("main.tf line 16", said)
                self.assertRegex(said, r"\d\d:\d\d")
                self.assertRegex(said, r"\d+ (s|min|h|d) ago")
                if size[0] > 1000:
                    for never in ("terraform_data.skipped[0]", "terraform_data.skipped[1]"):
                        self.assertIn(never, said)

    def test_who_hears_the_page_gets_the_same_answers_in_the_same_order(self):
        page = self.shown("provisioner-fail-exit3")
        page.call("Accessibility.enable")
        nodes = {each["nodeId"]: each for each in page.call("Accessibility.getFullAXTree")["nodes"]}
        heard = []

        def hear(node):
            if not node["ignored"] and node["role"]["value"] != "InlineTextBox":
                heard.append((node["role"]["value"], node.get("name", {}).get("value", "").strip()))
            for child in node["childIds"]:
                hear(nodes[child])
        hear(next(node for node in nodes.values() if "parentId" not in node))
        roles = [role for role, name in heard]
        for role in ("banner", "navigation", "main", "search", "table", "progressbar"):
            self.assertIn(role, roles)
        order = [("heading", "apply acme/infra//live/ shop @prod"), ("StaticText", "Apply stopped after 2.2s: 1 of 6 failed, 2 never started"), ("StaticText", "ada · 1a2b3c4 on main"),
                 ("progressbar", "resources done"), ("table", "resources"), ("cell", "failed"), ("cell", "null_resource.bad"), ("region", "1 error"), ("link", "null_resource.bad"),
                 ("StaticText", "exit status 3"), ("StaticText", "about to fail\nthe reason"), ("region", "what else"), ("link", "terraform_data.skipped[0]")]
        places, at = [], 0
        for each in order:
            self.assertIn(each, heard[at:], heard)
            at += heard[at:].index(each)
            places.append(at)
        self.assertEqual(places, sorted(places))

    def test_twice_as_large_letters_and_half_a_window_lose_nothing(self):
        daemon = self.daemon_of()
        self.sent(daemon, recorded("provisioner-fail-exit3"), stack="acme/infra//live/shop@prod", label="actor=ada")
        run = json.loads(get(daemon.url + "v1/runs"))["runs"][0]["key"]
        for path in ("?run=" + run, "?view=waterfall&run=" + run, "?view=log&run=" + run, "runs", "wall?days=36500", "wall/plain", "stacks/acme%2Finfra%2F%2Flive%2Fshop%40prod"):
            page = self.browser.open(daemon.url + path)
            self.addCleanup(page.close)
            page.picture(640, 400, scale=2)  # a window of 1280 at 200 %
            until(lambda: "shop" in page.value("document.body?.innerText ?? ''"), path)
            with self.subTest(path):
                self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 640)

    def test_a_reason_is_drawn_whole(self):
        for name in FAILED:
            page = self.shown(name)
            cut = "[...document.querySelectorAll('.diagnostic, .diagnostic .detail')].filter(one => one.scrollHeight > one.clientHeight + 1).map(one => one.textContent.slice(0, 80))"
            with self.subTest(name):
                self.assertEqual(page.value(cut), [])

    def test_what_failed_is_the_first_row_and_the_focus_stays_where_it_is(self):
        for name in FAILED[:2]:
            page = self.shown(name)
            self.assertEqual(page.value("document.querySelector('#resources .row').dataset.status"), "failed")
            self.assertEqual(page.value("document.activeElement.localName"), "body")
        page = self.shown("provisioner-fail-exit3", "#r=null_resource.bad")
        until(lambda: page.value("Boolean(document.querySelector('#detail .steps'))"), "the resource")
        self.assertEqual(page.value("document.activeElement.localName"), "body")

    def test_the_first_row_is_reached_in_few_stops_however_many_failures_there_are(self):
        page = self.shown("apply-provider-errors")
        for stops in range(1, 30):
            page.key("Tab")
            if page.value("document.activeElement.matches('#resources .rows')"):
                break
        self.assertLessEqual(stops, 12)

    def test_a_run_is_copied_as_one_line(self):
        page = self.shown("provisioner-fail-exit3")
        page.value("window.copied = []; navigator.clipboard.writeText = async text => { copied.push(text); }")
        page.value("document.querySelector('[data-copies=\"for chat\"]').click()")
        line, = until(lambda: page.value("copied"), "a line")
        self.assertLessEqual(len(line), 300)
        for part in ("shop@prod", "failed", "null_resource.bad", "exit status 3: the reason", "2 never started", page.value("location.origin")):
            self.assertIn(part, line)

    def test_an_interrupted_run_says_so_and_after_how_long(self):
        page = self.shown("interrupted-sigint-once")
        self.assertRegex(page.value("document.getElementById('verdict').textContent"), r"^Interrupted after [\d.]+m?s: ")
        self.assertEqual(page.value("document.getElementById('status').textContent"), "interrupted")

    def test_names_and_keys_are_whole_at_every_width_and_no_two_rows_look_alike(self):
        for name in "apply-create-mixed", "chain-50", "large-2000":
            page = self.shown(name)
            for size in SIZES:
                page.picture(*size)
                with self.subTest(name, size=size):
                    until(lambda: page.value("document.querySelectorAll('#resources .row').length > 3"), "rows")
                    cut = "[...document.querySelectorAll('#resources .tail')].filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
                    self.assertEqual(page.value(cut), [])
                    twice = """(() => { const seen = new Map(); for (const row of document.querySelectorAll('#resources .row')) {
                      const text = row.querySelector('.addr').textContent; if (seen.has(text) && seen.get(text) !== row.dataset.addr) return text; seen.set(text, row.dataset.addr); } return ''; })()"""
                    self.assertEqual(page.value(twice), "")

    def test_lists_do_not_say_module_and_what_is_copied_is_the_address(self):
        page = self.shown("large-2000")
        self.assertEqual([text for text in page.value(DRAWN) if "module." in text], [])
        copied = page.value("""(() => {
          const row = document.querySelector('#resources .row'), data = new DataTransfer();
          getSelection().selectAllChildren(row.querySelector('.addr'));
          row.dispatchEvent(new ClipboardEvent('copy', {bubbles: true, cancelable: true, clipboardData: data}));
          return [row.dataset.addr, data.getData('text/plain')];
        })()""")
        self.assertEqual(copied[0], copied[1])
        self.assertIn("module.", copied[1])

    def test_rows_stand_still_below_a_pointer_and_are_right_when_it_has_left(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        page.picture(1280, 800)
        lines = recorded("apply-provider-errors").splitlines(keepends=True)
        half = len(lines) // 2
        tofud.write(b"".join(lines[:half]))
        self.has_taken(tofud, b"".join(lines[:half]))
        until(lambda: page.value("document.querySelectorAll('#resources .row').length > 5"), "rows")
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=200, y=400)
        until(lambda: page.value("document.getElementById('resources').matches(':hover')"), "the pointer is there")
        places = "Object.fromEntries([...document.querySelectorAll('#resources .row')].map(row => [row.dataset.addr, row.getBoundingClientRect().y]))"
        before = page.value(places)
        tofud.write(b"".join(lines[half:]))
        until(lambda: page.value("document.querySelectorAll('#resources .row[data-status=failed]').length == 4"), "what failed")
        after = page.value(places)
        self.assertEqual({addr: after.get(addr) for addr in before}, before)
        until(lambda: re.match(r"^\d+ changed", page.value("document.querySelector('.later').textContent")), "how many there are")
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=900, y=400)
        states = "[...document.querySelectorAll('#resources .row')].map(row => row.dataset.status)"
        until(lambda: page.value(states)[:4] == ["failed"] * 4, "they stand first")
        self.assertEqual(page.value("document.querySelector('.later').textContent"), "")

    def test_a_plan_is_no_apply_that_never_began(self):
        for name in "replace-reasons/plan.stream", "delete-reasons/plan.stream", "plan-noop", "update-in-place/plan.stream":
            page = self.shown(name)
            with self.subTest(name):
                verdict = page.value("document.getElementById('verdict').textContent")
                self.assertTrue(verdict.startswith("Plan: "), verdict)
                self.assertNotRegex(page.value(IN_SIGHT), r"\b0/\d")
                self.assertEqual(page.value("document.querySelectorAll('.bar .part').length"), 0)
                heads = page.value("[...document.querySelectorAll('#resources [data-group]')].map(one => one.dataset.group)")
                self.assertNotIn("planned", heads)
        page = self.shown("replace-reasons/plan.stream")
        self.assertEqual(page.value("document.getElementById('verdict').textContent"), "Plan: replaces 6, changes 1")
        self.assertEqual(page.value("[...document.querySelectorAll('#resources [data-group]')].map(one => one.textContent)"), ["replaces 6", "changes 1", "unchanged 1"])

    def test_durations_have_one_form_in_list_and_head(self):
        for name in "apply-create-mixed", "apply-slow-progress", "replace-reasons":
            page = self.shown(name)
            times = "Object.fromEntries([...document.querySelectorAll('#resources .row')].map(row => [row.dataset.addr, row.querySelector('.time').textContent]))"
            listed = page.value(times)
            self.assertTrue(any(listed.values()))
            for text in filter(None, listed.values()):
                self.assertRegex(text, DURATION)
            self.assertRegex(page.value("document.getElementById('clock').textContent"), DURATION)

    def test_the_segments_of_the_bar_are_what_the_verdict_and_the_progress_say(self):
        for name in ("provisioner-fail-exit3", "apply-provider-errors", "apply-create-mixed"):
            page = self.shown(name)
            said = page.value("document.querySelector('.bar').ariaValueText")
            done, total = map(int, page.value("document.getElementById('progress').textContent").split("/"))
            counts = {word: int(count) for count, word in (part.split(" ") for part in said.split(", "))}
            self.assertEqual(sum(counts.values()), total)
            self.assertEqual(counts.get("done", 0), done)
            verdict = page.value("document.getElementById('verdict').textContent")
            if "failed" in counts:
                self.assertIn("%d of %d failed" % (counts["failed"], total), verdict)

    def test_a_run_that_is_over_says_nothing_of_now(self):
        page = self.shown("apply-create-mixed")
        self.assertIsNone(page.value("document.getElementById('age')"))
        self.assertEqual(page.value("getComputedStyle(document.getElementById('link'), '::before').backgroundColor"),
                         page.value("getComputedStyle(document.querySelector('.bar .part') ?? document.body).getPropertyValue('--fill-idle') && getComputedStyle(Object.assign(document.body.appendChild(document.createElement('i')), {style: 'color: var(--fill-idle)'})).color"))
        before = page.value(DRAWN)
        page.value("new Promise(done => setTimeout(done, 1100))")
        self.assertEqual(page.value(DRAWN), before)

    def test_the_sizes_of_letters_follow_the_browser(self):
        page = self.shown("apply-create-mixed")
        size = "parseFloat(getComputedStyle(document.querySelector('#resources .addr')).fontSize)"
        before = page.value(size)
        page.value("document.documentElement.style.fontSize = '20px'")
        self.assertGreater(page.value(size), 1.2 * before)

    def test_rows_of_a_list_are_as_high_as_it_counts(self):
        for name, query, selector, height in (("apply-create-mixed", "", "#resources .row", 28), ("apply-create-mixed", "?view=waterfall", ".lane-row", 24),
                                              ("apply-create-mixed", "?stream=1", "#stream .line", 18), ("provisioner-output-kinds", "#r=terraform_data.lines", "#detail .log .line", 18)):
            page = self.shown(name, query)
            until(lambda: page.value("document.querySelectorAll('%s').length" % selector), "rows")
            with self.subTest(name, query=query):
                self.assertEqual(page.value("document.querySelector('%s').getBoundingClientRect().height" % selector), height)

    def test_going_stale_moves_nothing(self):
        tofud = self.pipe(*LABELS)
        page = self.open(tofud.wait_for_url())
        page.picture(1280, 800)
        tofud.write(VERSION + stamped(1, type="planned_change", change=about("a.b", action="create")) + stamped(2, type="apply_start", hook=about("a.b", action="create")))
        until(lambda: page.value("document.querySelectorAll('#resources .row').length") == 1, "the row")
        places = """[...document.querySelectorAll('#page *')].filter(one => !one.closest('.connection')).map(one => one.getBoundingClientRect()).map(({x, y}) => [x, y].join())"""
        before = page.value(places)
        page.value("{ const now = Date.now; Date.now = () => now.call(Date) + 60000; }")
        until(lambda: page.value("document.body.className") == "stale", "stale")
        self.assertRegex(page.value("document.getElementById('link').textContent"), "^no data for ")
        self.assertEqual(page.value(places), before)


class Nothing(Browsing):
    SAID = "document.querySelector('.nothing')?.textContent ?? ''"

    def test_a_fresh_daemon_says_how_a_run_comes_there_and_shows_the_first_one(self):
        daemon = self.daemon_of()
        page = self.browser.open(daemon.url)
        self.addCleanup(page.close)
        until(lambda: "No run has begun yet" in page.value(self.SAID), "the sentence")
        self.assertIn(daemon.url.rstrip("/"), page.value(self.SAID))
        self.assertNotIn("`", page.value(self.SAID))
        self.assertEqual(page.value("document.querySelectorAll('#exports a').length"), 0)
        self.sent(daemon, recorded("apply-create-mixed"), stack="net")
        until(lambda: page.value("document.getElementById('status')?.textContent") == "succeeded", "the first run")
        self.assertEqual(page.value(self.SAID), "")

    def test_a_run_that_is_not_there_is_named_and_leads_to_the_list(self):
        page = self.browser.open(self.replay(recorded_path("apply-create-mixed")).url + "?run=nosuch")
        self.addCleanup(page.close)
        until(lambda: page.value(self.SAID).startswith("No run named nosuch"), "the sentence")
        self.assertEqual(page.value("document.querySelector('.nothing a').getAttribute('href')"), "runs")


class AsItStood(Browsing):
    def test_failures_are_marked_on_the_slider_and_the_first_is_a_click_away(self):
        page = self.open(self.replay(recorded_path("apply-provider-errors"), *LABELS).url)
        self.comes_to_its_end(page)
        page.value("document.querySelector('.scrub').click()")
        until(lambda: page.value("document.querySelectorAll('#as-of-failures option').length") == 4, "a mark for each failure")
        first = "[...document.querySelectorAll('#as-of button')].find(one => one.textContent.startsWith('first failure'))"
        page.value(first + ".click()")
        until(lambda: page.value("document.getElementById('status').textContent") == "failing", "as it stood when the first failed")
        self.assertIn(page.value("document.querySelectorAll('#resources .row[data-status=failed]').length"), (1, 2))  # the second came within a millisecond

    def test_every_view_is_shown_as_of_a_moment_and_as_of_now_again(self):
        page = self.open(self.replay(recorded_path("apply-slow-progress"), *LABELS).url)
        page.picture(1280, 800)
        self.comes_to_its_end(page)
        page.value("document.querySelector('.scrub').click()")
        slider = "document.querySelector('#as-of input')"
        until(lambda: page.value("Boolean(%s)" % slider), "the slider")
        page.value("{ const field = %s; field.value = 12.5; field.dispatchEvent(new Event('input', {bubbles: true})); }" % slider)
        until(lambda: page.value("document.getElementById('status').textContent") == "running", "as it stood")
        said = page.value(slider + ".getAttribute('aria-valuetext')")
        self.assertRegex(said, r"^as it stood 12\.\d+s after its begin, of 3[78](\.\d)?s$")
        states = "[...document.querySelectorAll('#resources .row')].map(row => row.dataset.status)"
        then = page.value(states)
        self.assertGreater(then.count("running"), 1)
        # What runs then has the time that it had taken then.
        clock = page.value("document.querySelector('#resources .row[data-status=running] .time').textContent")
        self.assertRegex(clock, r"^1[0-3]s$")
        page.value("new Promise(done => setTimeout(done, 1200))")
        self.assertEqual(page.value("document.querySelector('#resources .row[data-status=running] .time').textContent"), clock)
        self.view(page, "resources")
        self.assertEqual(sorted(page.value(states)), sorted(then))
        page.value("document.querySelector('#as-of button').click()")
        until(lambda: page.value("document.getElementById('status').textContent") == "succeeded", "as it stands")
        self.assertEqual(set(page.value(states)), {"done"})
        self.assertEqual(page.complaints, [])


class Shift(Browsing):
    """What moves by itself (https://web.dev/articles/cls) in a whole run, from the first paint on."""

    def watched(self, url):
        page = self.browser.open(url, SHIFTS)
        self.addCleanup(page.close)
        page.picture(1280, 800)
        return page

    def moved_little(self, page, what):
        page.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 300)))")
        shifts = page.value("shifts")
        with self.subTest(what):
            self.assertLessEqual(sum(each[0] for each in shifts), .02, json.dumps(sorted(shifts, reverse=True)[:6], indent=1))

    def test_a_run_that_is_over_is_drawn_without_moving(self):
        for name in "provisioner-fail-exit3", "apply-provider-errors", "large-2000", "outputs-all-types":
            page = self.watched(self.replay(recorded_path(name), *LABELS).url)
            self.comes_to_its_end(page)
            self.moved_little(page, name)

    def test_a_run_is_watched_from_its_begin_to_its_end_without_moving(self):
        for name, speed in ("provisioner-fail-exit3", 1), ("apply-provider-errors", 1), ("apply-slow-progress", 4):
            page = self.watched(self.replay(recorded_path(name), *LABELS, speed=speed).url)
            self.comes_to_its_end(page)
            self.moved_little(page, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
