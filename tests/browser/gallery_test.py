#!/usr/bin/python3
"""All components of the page side by side: at three widths, in both themes and with forced colours; shapes of states are told apart without their colours."""
import itertools
import unittest

from browsing import Browsing
from binary import ROOT, until
from layout_test import TOO_WIDE
from pictures_test import pixels

AXE = ROOT / "daemon/dashboard/node_modules/axe-core/axe.min.js"
SIDE = 64


class Gallery(Browsing):
    def setUp(self):
        super().setUp()
        self.folder = self.pictures()
        self.page = self.browser.open((ROOT / "daemon/dashboard/dist/gallery.html").as_uri())
        self.addCleanup(self.page.close)
        until(lambda: self.page.value("document.querySelectorAll('.gallery-part').length") > 8, "the gallery")

    def test_it_is_drawn_at_three_widths_in_both_themes_and_with_forced_colours(self):
        for width in (360, 1280, 1920):
            for name, features in (("light", {"prefers_color_scheme": "light"}), ("dark", {"prefers_color_scheme": "dark"}), ("forced", {"forced_colors": "active"})):
                with self.subTest(width=width, name=name):
                    image = self.page.picture(width, 1400, prefers_reduced_motion="reduce", **features)
                    (self.folder / ("gallery-%d-%s.png" % (width, name))).write_bytes(image)
                    self.assertLessEqual(self.page.value("document.documentElement.scrollWidth"), width)
                    self.assertEqual(self.page.value(TOO_WIDE), [])
                    if AXE.exists():
                        self.page.value(AXE.read_text() + "; 1")
                        found = self.page.value("axe.run(document, {resultTypes: ['violations'], preload: false}).then(found => found.violations.map(one => one.id + one.nodes.map(node => node.html)))")
                        self.assertEqual(found, [])
        self.assertEqual(self.page.complaints, [])

    def test_shapes_of_states_differ_without_their_colours(self):
        rows = pixels(self.page.picture(1280, 1400, prefers_color_scheme="light", prefers_reduced_motion="reduce"))
        places = self.page.value("[...document.querySelectorAll('.shape')].map(one => { const box = one.getBoundingClientRect(); return [one.dataset.status, Math.round(box.x), Math.round(box.y)]; })")
        self.assertGreater(len(places), 10)
        shapes = {status: {(dx, dy) for dy in range(SIDE) for dx in range(SIDE) if sum(rows[y + dy][x + dx]) < 384} for status, x, y in places}
        for status, shape in shapes.items():
            self.assertGreater(len(shape), 100, status)
        for (one, first), (other, second) in itertools.combinations(shapes.items(), 2):
            # Of what either of them draws a fifth is drawn by one alone.
            self.assertGreaterEqual(len(first ^ second) / len(first | second), .2, (one, other))


if __name__ == "__main__":
    unittest.main(verbosity=2)
