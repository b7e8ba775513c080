#!/usr/bin/python3
"""The page on a phone and in a small window, with the colours and the contrast that people set for themselves."""
import json
import os
import unittest

from browsing import VERSION, Browsing, about, stamped
from binary import recorded_path, until
from focus import FOCUS

PHONE = (360, 740)
TEXT = "document.querySelector(%r)?.textContent ?? ''"

# Elements whose right edge is beyond that of the window, but for what lies in a box that scrolls or cuts off.
TOO_WIDE = """[...document.querySelectorAll('body *')].filter(one => {
  if (one.closest('.unseen')) return false;
  for (let box = one.parentElement; box; box = box.parentElement) if (getComputedStyle(box).overflowX !== 'visible') return false;
  const {left, right, width} = one.getBoundingClientRect();
  return width > 0 && (right > document.documentElement.clientWidth + .5 || left < -.5);
}).map(one => one.outerHTML.slice(0, 200))"""

# Targets smaller than 24 by 24 pixels whose circle of 24 pixels meets another target (WCAG 2.2, 2.5.8). Links within a sentence
# are exempt, and so is what stands beyond the edge of a box that scrolls.
SMALL = """(() => {
  const targets = [...document.querySelectorAll('button, select, input:not([type=checkbox]), summary, label:has([type=checkbox]), a[href]')]
    .filter(one => !one.closest('p.with, p.on, #unexplained, p.note, td, .said'))
    .map(one => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width > 0)
    // What an open menu covers is no target.
    .filter(([one, box]) => one.closest('.menu-of') || !document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('.menu-of'));
  const middle = box => [box.x + box.width / 2, box.y + box.height / 2];
  return targets.filter(([one, box]) => {
    if (box.width >= 23.9 && box.height >= 23.9) return false;
    const [x, y] = middle(box);
    return targets.some(([other, of]) => {
      if (other === one || other.contains(one) || one.contains(other)) return false;
      const dx = Math.max(of.left - x, 0, x - of.right), dy = Math.max(of.top - y, 0, y - of.bottom);
      return Math.hypot(dx, dy) < 11.9;
    });
  }).map(([one, box]) => `${one.outerHTML.slice(0, 120)}: ${box.width} x ${box.height}`);
})()"""


class Layout(Browsing):
    def shown(self, name, query="", size=PHONE, **features):
        page = self.open(self.replay(recorded_path(*name.split("/"))).url, query)
        self.comes_to_its_end(page)
        page.picture(*size, **features)
        return page

    def fits(self, page, size=PHONE):
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), size[0])
        self.assertEqual(page.value(TOO_WIDE), [])

    def test_on_a_phone_nothing_is_wider_than_the_window(self):
        for name, query in (("apply-provider-errors", ""), ("apply-provider-errors", "?view=waterfall"), ("outputs-all-types", "?view=outputs"),
                            ("apply-create-mixed", "?q=random&status=done"), ("test-fail-error-skip", ""), ("outputs-huge/fixed", "?view=outputs"),
                            ("provisioner-output-kinds", "#r=terraform_data.lines"), ("validate-output-other-json/fmt", "?view=log")):
            page = self.shown(name, query)
            with self.subTest(name, query=query):
                if "apply" in name:
                    until(lambda: page.value("document.querySelectorAll('.rows [role=row]').length > 0"), "rows")
                for summary in ("#modules:not([open]) > summary", "#more:not([open]) > summary"):
                    page.value("document.querySelector(%s)?.click()" % json.dumps(summary))
                self.fits(page)
                self.assertEqual(page.value(SMALL), [])

    def test_the_name_and_key_of_an_instance_are_never_cut_while_its_module_has_letters(self):
        for name in "apply-create-mixed", "large-2000":
            for size in (1280, 900), (1920, 1080), PHONE:
                page = self.shown(name, "", size)
                cut = "[...document.querySelectorAll('#resources .rows .tail')].filter(one => one.scrollWidth > one.clientWidth && one.previousSibling?.clientWidth > 0).map(one => one.textContent)"
                until(lambda: page.value("document.querySelectorAll('#resources .rows .tail').length > 3"), "rows")
                self.assertEqual(page.value(cut), [], (name, size))

    def test_a_wide_window_is_used(self):
        page = self.shown("apply-create-mixed", "", (2400, 1000))
        parts = "[...document.querySelectorAll('.panes > .pane')].map(one => one.getBoundingClientRect()).map(({left, right}) => [left, right])"
        for size in (1920, 1080), (3840, 2160):
            page.picture(*size)
            drawn = until(lambda: page.value(parts), "panes")
            self.assertGreater(sum(right - left for left, right in drawn), .98 * size[0])
            self.assertEqual(min(drawn)[0], 0)

    def test_on_a_phone_an_output_has_room_for_its_name_and_its_value(self):
        page = self.shown("outputs-all-types", "?view=outputs")
        widths = until(lambda: page.value("[...document.querySelectorAll('#outputs th')].map(one => one.getBoundingClientRect().width)"), "outputs")
        self.assertLess(widths[0], 40)
        self.assertGreater(widths[1], 90)
        self.assertGreater(widths[3], 90)

    def test_the_last_line_of_the_stream_is_in_sight(self):
        page = self.shown("large-2000", "?stream=1", (1280, 900))
        bottom = """(() => { const log = document.querySelector('#stream .log'); if (!log) return null; const last = [...log.querySelectorAll('.line')].at(-1);
          return last && log.scrollHeight > log.clientHeight && Math.abs(last.getBoundingClientRect().bottom - log.getBoundingClientRect().bottom); })()"""
        until(lambda: (page.value(bottom) or 99) < 30, "the last line at the bottom")

    def test_on_a_phone_the_table_keeps_state_sign_address_and_time(self):
        page = self.shown("apply-create-mixed")
        row = until(lambda: page.value("""(() => {
          const row = document.querySelector('#resources .rows .row');
          return row && Object.fromEntries([...row.children].map(cell => [cell.classList[0], cell.clientWidth]));
        })()"""), "a row")
        self.assertEqual(row["id"], 0)
        self.assertGreater(row["addr"], 180)
        self.assertGreater(row["time"], 40)
        self.assertTrue(page.value("[...document.querySelectorAll('#resources .rows .time')].every(one => one.scrollWidth <= one.clientWidth)"))
        # The word gives way to the sign, but not for those who hear the page.
        status = "document.querySelector('#resources .rows .status')"
        self.assertEqual(page.value(status + ".textContent"), "done")
        self.assertEqual(page.value("getComputedStyle(%s).fontSize" % status), "0px")
        self.assertEqual(page.value("[getComputedStyle(%s, '::before').width, getComputedStyle(%s, '::before').maskImage.slice(0, 24)]" % (status, status)),
                         ["16px", 'url("data:image/svg+xml,'])

    def test_on_a_phone_the_detail_is_a_sheet_that_can_always_be_closed(self):
        page = self.shown("provisioner-output-kinds", "#r=terraform_data.lines")
        until(lambda: page.value("document.querySelectorAll('#detail .log .line').length > 0"), "the log")
        box = "(({x, y, width, height}) => [x, y, width, height])(document.getElementById('detail').getBoundingClientRect())"
        self.assertEqual(page.value(box), [0, 0, *PHONE])
        self.assertEqual(page.value("getComputedStyle(document.body).overflow"), "hidden")
        page.value("document.getElementById('detail').scrollTop = 100000")
        self.assertGreater(page.value("document.getElementById('detail').scrollTop"), 50)
        close = page.value("(({x, y, width, height}) => [x + width / 2, y + height / 2])(document.querySelector('#detail .close').getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            page.call("Input.dispatchMouseEvent", type=kind, x=close[0], y=close[1], button="left", clickCount=1)
        until(lambda: page.value("document.getElementById('detail') === null"), "it is closed")

    def test_bars_of_the_waterfall_have_room_on_a_phone(self):
        page = self.shown("apply-slow-progress", "?view=waterfall")
        until(lambda: page.value("document.querySelectorAll('.bars .step').length > 3"), "bars")
        self.assertGreater(page.value("document.querySelector('.bars').clientWidth"), 100)
        ticks = page.value("[...document.querySelectorAll('.axis span')].map(one => one.getBoundingClientRect()).map(({x, right}) => [x, right])")
        self.assertGreater(len(ticks), 1)
        for (_, end), (begin, _) in zip(ticks, ticks[1:]):
            self.assertLessEqual(end, begin + 1)

    def test_what_has_the_focus_is_never_under_the_header(self):
        for size in ((360, 740), (740, 360), (1024, 500)):
            page = self.shown("apply-provider-errors", size=size)
            with self.subTest(size=size):
                seen = []
                for shift in (False, True):
                    for _ in range(30):
                        page.key("Tab", shift)
                        if page.value("document.activeElement === document.body"):
                            break
                        # A scroll to it is over with the next frame.
                        focus = until(lambda: (lambda found: found["in_sight"] and found["line"] and found)(page.value(FOCUS)), "it is in sight: %s" % page.value(FOCUS))
                        seen.append(focus["what"])
                self.assertGreater(len(set(seen)), 10, seen)

    def test_with_forced_colours_states_have_signs_and_shapes(self):
        page = self.shown("apply-provider-errors", "?view=waterfall&status=done,failed,skipped", (1024, 740), forced_colors="active")
        until(lambda: page.value("document.querySelectorAll('.bars .step[data-status=failed]').length > 0"), "bars")
        self.assertTrue(page.value("matchMedia('(forced-colors: active)').matches"))
        look = """(status => { const of = getComputedStyle(document.querySelector(`.bars .step[data-status=${status}]`));
          return [of.backgroundColor, of.backgroundImage]; })"""
        canvas = page.value("getComputedStyle(document.body).backgroundColor")
        done, failed = page.value(look + "('done')"), page.value(look + "('failed')")
        self.assertNotEqual(done[0], canvas)
        self.assertEqual(done[1], "none")
        self.assertIn("gradient", failed[1])
        part = "getComputedStyle(document.querySelector('.bar .part[data-status=done]')).backgroundColor"
        self.assertEqual(page.value(part), page.value("getComputedStyle(document.body).color"))
        # What is chosen differs from what is not by more than a hue: the ground changes.
        ground = "[...document.querySelectorAll('.views button')].map(one => getComputedStyle(one).backgroundColor)"
        self.assertEqual(len(set(page.value(ground))), 2)
        signs = """Object.fromEntries([...document.querySelectorAll('.filter button.state')].map(one =>
          [one.dataset.status, getComputedStyle(one, '::before').maskImage]))"""
        self.assertEqual(len(set(page.value(signs).values())), 3)
        page.key("/")
        self.assertTrue(page.value(FOCUS)["line"])
        page.key("Escape")
        page.value("document.querySelector('[data-view=overview]').click()")
        page.key("j")
        until(lambda: page.value("getComputedStyle(document.querySelector('#resources [aria-selected=true]')).outlineStyle") == "solid",
              "the row under the cursor has a line")
        self.assertEqual(page.complaints, [])

    def test_colours_of_a_program_are_its_own_on_a_dark_ground_and_darker_on_a_white_one(self):
        page = self.shown("provisioner-output-kinds", "?view=log", (1280, 800), prefers_color_scheme="dark")
        orange = "getComputedStyle([...document.querySelectorAll('.log span')].find(one => one.textContent === 'orange')).color"
        until(lambda: page.value("[...document.querySelectorAll('.log span')].some(one => one.textContent === 'orange')"), "the line")
        self.assertRegex(page.value(orange), r"^rgb\(255, \d+, 0\)$")
        page.picture(1280, 800, prefers_color_scheme="light")
        self.assertRegex(page.value(orange), r"^color\(srgb 0\.4\d* 0\.2\d* 0\.0\d*\)$")

    def test_with_reduced_motion_nothing_moves(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        tofud.write(VERSION + stamped(1, type="planned_change", change=about("a.b", action="create")) +
                    stamped(2, type="apply_start", hook=about("a.b", action="create")))
        until(lambda: page.value("document.querySelector('.rows .row .state')?.textContent") == "running", "the row")
        moving = """[...document.querySelectorAll('*')].filter(one => [null, '::before'].some(of => {
          const style = getComputedStyle(one, of);
          return style.animationName !== 'none' || parseFloat(style.transitionDuration) > 0;
        })).length"""
        page.picture(1024, 740, prefers_reduced_motion="no-preference")
        self.assertGreater(page.value(moving), 0)
        page.picture(1024, 740, prefers_reduced_motion="reduce")
        self.assertEqual(page.value(moving), 0)

    def test_prefers_contrast_raises_the_contrast(self):
        for scheme in ("light", "dark"):
            page = self.shown("apply-provider-errors", "", (1024, 740), prefers_color_scheme=scheme)
            colours = "['--line', '--text-3'].map(name => getComputedStyle(document.documentElement).getPropertyValue(name))"
            before = page.value(colours)
            page.picture(1024, 740, prefers_color_scheme=scheme, prefers_contrast="more")
            after = page.value(colours)
            self.assertTrue(all(one != other for one, other in zip(before, after)), (before, after))

    def test_long_words_fit_a_phone(self):
        long = "a" * 400
        stream = b"".join((
            VERSION,
            *(stamped(1, type="planned_change", change=about("module.%s.x.y" % long, action="create", reason=long)) for _ in range(1)),
            stamped(1, type="apply_start", hook=about("module.%s.x.y" % long, action="create")),
            stamped(2, type="provision_start", hook=about("module.%s.x.y" % long, provisioner=long)),
            stamped(2, type="provision_progress", hook=about("module.%s.x.y" % long, provisioner=long, output=long)),
            stamped(2, type="apply_complete", hook=about("module.%s.x.y" % long, action="create", id_key=long, id_value=long)),
            stamped(2, type="diagnostic", diagnostic={
                "severity": "error", "summary": long, "detail": long, "address": "module.%s.x.y" % long,
                "range": {"filename": long, "start": {"line": 1, "column": 1, "byte": 0}, "end": {"line": 1, "column": 2, "byte": 1}},
                "snippet": {"context": long, "code": long, "start_line": 1, "highlight_start_offset": 0, "highlight_end_offset": 9,
                            "values": [{"traversal": long, "statement": long}]}}),
            stamped(3, **{"@message": long}),
            long.encode() + b"\n",
            stamped(3, type="outputs", outputs={long: {"sensitive": False, "type": "string", "value": long, "deprecated": long}})))
        path = os.path.join(self.home, "%s.jsonl" % ("run" * 20))
        with open(path, "wb") as file:
            file.write(stream)
        page = self.open(self.replay(path, "--stack", long, "--label", "%s=%s" % (long[:60], long)).url)
        for width in (320, 360, 768):
            page.picture(width, 740)
            for opened in ("", "x.y"):
                page.value("location.hash = %s" % json.dumps(opened and "#r=module.%s.x.y" % long))
                until(lambda: page.value("document.getElementById('detail') !== null") == bool(opened), "the detail")
                with self.subTest(width=width, opened=opened):
                    self.fits(page, (width, 740))


if __name__ == "__main__":
    unittest.main(verbosity=2)
