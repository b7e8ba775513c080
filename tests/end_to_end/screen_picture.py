#!/usr/bin/python3
"""Draws a terminal at moments of recordings, as tests/pictures/*.svg: text as text.

    screen_picture.py            are the committed pictures what tofud draws?
    screen_picture.py --write    makes them anew

MOMENT names the program that plays the recording (tests/pictures/moment.cpp); the emulator is pyte.
"""
import os
import subprocess
import sys
import unittest
from xml.sax.saxutils import escape

from binary import PATIENCE, ROOT, EndToEnd, recorded_path
from terminal import Terminal

MOMENT = os.path.abspath(os.environ.get("MOMENT", ROOT / "build/release/tests/pictures/moment"))
PICTURES = ROOT / "tests/pictures"
APPLY = ROOT / "tests/causality/recordings/slow"
# What is played, and its title.
MOMENTS = {
    "terminal": ([recorded_path("version-tofu-1.13-long-apply"), "24.6"], "tofud following an apply in a terminal"),
    "eta": ([APPLY / "stream.jsonl", "8.3", APPLY / "plan.json", APPLY / "config"], "tofud saying what waits and when it is over"),
}
WIDTH, HEIGHT = 88, 24
CELL_WIDTH, LINE_HEIGHT, MARGIN, FONT = 8.4, 20, 16, 14
COLOURS = {"default": "#d4d4d4", "dim": "#8a8a8a", "red": "#f2777a", "green": "#99cc99", "brown": "#ffcc66", "cyan": "#66cccc"}


def runs(row, width):
    """(first column, text, style) of characters that look alike and follow one another."""
    found = []
    for x in range(width):
        cell = row[x]
        style = (cell.fg, cell.bold)
        if found and found[-1][2] == style:
            found[-1][1].append(cell.data)
        else:
            found.append((x, [cell.data], style))
    return [(x, "".join(text).rstrip(), style) for x, text, style in found if "".join(text).strip()]


def drawing(terminal, title):
    screen = terminal.screen
    height = len(terminal.lines())
    size = (WIDTH * CELL_WIDTH + 2 * MARGIN, height * LINE_HEIGHT + 2 * MARGIN)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" role="img">' % (size + size),
             "<title>%s</title>" % title,
             '<rect width="100%" height="100%" rx="8" fill="#1e1e1e"/>',
             '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="%d" '
             'style="white-space: pre">' % FONT]
    for y in range(height):
        for x, text, (colour, bold) in runs(screen.buffer[y], WIDTH):
            lead = len(text) - len(text.lstrip())
            text = text.lstrip()
            parts.append('<text x="%g" y="%g" fill="%s"%s textLength="%g">%s</text>' % (
                MARGIN + (x + lead) * CELL_WIDTH, MARGIN + y * LINE_HEIGHT + FONT, COLOURS.get(colour, COLOURS["default"]),
                ' font-weight="bold"' if bold else "", len(text) * CELL_WIDTH, escape(text)))
    return "\n".join(parts + ["</g>", "</svg>", ""])


class Picture(EndToEnd):
    def picture(self, words, title):
        terminal = Terminal(self, WIDTH, HEIGHT)
        moment = terminal.start([MOMENT, *map(str, words)], self.env(), stdin=subprocess.DEVNULL)
        self.assertEqual(moment.wait(PATIENCE), 0)
        terminal.settle()
        return drawing(terminal, title)

    def test_the_committed_pictures_are_what_tofud_draws(self):
        for name, moment in MOMENTS.items():
            made, picture = self.picture(*moment), PICTURES / (name + ".svg")
            if "--write" in sys.argv:
                picture.write_text(made)
            self.assertEqual(picture.read_text(), made, "repair with: tests/end_to_end/screen_picture.py --write")


if __name__ == "__main__":
    unittest.main(argv=[argument for argument in sys.argv if argument != "--write"])
