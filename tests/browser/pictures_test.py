#!/usr/bin/python3
"""The page of a failed apply at three widths in two themes, drawn into the folder that TOFUD_PICTURES names."""
import struct
import unittest
import zlib

from browsing import Browsing
from binary import ROOT
import picture

SIZES = ((360, 740), (1024, 768), (1920, 1080))
INSIDE = 5  # pixels from the lower left corner the ground is seen, within a line around the detail


def size_of(png):
    return struct.unpack(">II", png[16:24])


def pixels(png):
    """Rows of (red, green, blue) of a PNG as Chromium writes it: 8 bits a channel, RGB or RGBA, not interlaced."""
    data, at = b"", 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    (width, height), step = size_of(png), {2: 3, 6: 4}[png[25]]
    raw, stride = zlib.decompress(data), width * step
    before, rows = bytearray(stride), []
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            left, up, corner = (line[i - step] if i >= step else 0), before[i], (before[i - step] if i >= step else 0)
            if kind == 4:  # https://www.w3.org/TR/png-3/#9Filter-type-4-Paeth
                estimate = left + up - corner
                guess = min((left, up, corner), key=lambda one: abs(estimate - one))
            else:
                guess = (0, left, up, (left + up) // 2)[kind]
            line[i] = (line[i] + guess) & 255
        rows.append([tuple(line[x:x + 3]) for x in range(0, stride, step)])
        before = line
    return rows


class Pictures(Browsing):
    def setUp(self):
        super().setUp()
        self.folder = self.pictures()

    def test_it_can_be_read_at_three_widths_in_two_themes(self):
        for subject in ("failed", "detail"):
            page = picture.show(self, subject)
            for size in SIZES:
                for theme in ("light", "dark"):
                    image = picture.draw(page, size, theme)
                    (self.folder / ("%s-%d-%s.png" % (subject, size[0], theme))).write_bytes(image)
                    with self.subTest(subject, size=size, theme=theme):
                        self.assertEqual(size_of(image), size)
                        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), size[0])
                        if size[0] > 1100:
                            continue  # taking it apart here takes long
                        rows = pixels(image)
                        ground = sum(rows[-INSIDE][INSIDE]) / 3
                        self.assertTrue(ground > 200 if theme == "light" else ground < 60, rows[-INSIDE][INSIDE])
                        # Text and lines of several colours stand on it, down to the last third.
                        for part in (rows[:len(rows) // 3], rows[len(rows) // 3:2 * len(rows) // 3], rows[2 * len(rows) // 3:]):
                            self.assertGreater(len({pixel for row in part for pixel in row}), 20)
            self.assertEqual(page.complaints, [])

    def test_those_of_the_readme_can_be_made(self):
        for file, subject, size, theme in picture.COMMITTED:
            with self.subTest(file):
                image = picture.draw(picture.show(self, subject), size, theme)
                (self.folder / file).write_bytes(image)
                self.assertEqual(size_of(image), size)
                committed = (ROOT / "tests/pictures" / file).read_bytes()
                self.assertEqual(size_of(committed), size, "tests/browser/picture.py makes it anew")
                self.assertIn("tests/pictures/" + file, "".join(page.read_text() for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))))


if __name__ == "__main__":
    unittest.main(verbosity=2)
