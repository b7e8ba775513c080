#!/usr/bin/python3
"""Makes the pictures of the page in README.md, of recorded applies that failed.

    TOFUD=build/dev/daemon/tofud tests/browser/picture.py [FOLDER]          else tests/pictures
"""
import pathlib
import sys
import unittest
import urllib.parse

from browsing import Browsing
from binary import RECORDINGS, ROOT, recorded_path, until

WIDTH, HEIGHT = 1180, 760

# What is committed: file, subject, size, theme.
COMMITTED = (("page.png", "failed", (WIDTH, HEIGHT), "light"), ("detail.png", "detail", (WIDTH, HEIGHT), "dark"),
             ("phone.png", "failed", (360, 740), "light"), ("graph.png", "graph", (WIDTH, 560), "light"), ("timeline.png", "timeline", (WIDTH, 560), "dark"))

# Of each subject: recording, what the address adds, what has to be there.
SUBJECTS = {
    "failed": ("apply-provider-errors", "", "true"),
    "detail": ("provisioner-fail-exit3", "#r=" + urllib.parse.quote("null_resource.bad"), "document.querySelectorAll('#detail .planned, #detail .log .line').length > 1"),
    "graph": ("apply-provider-errors", "?view=graph", "document.querySelectorAll('.graph-node').length > 4"),
    "timeline": ("apply-slow-progress", "?view=waterfall", "document.querySelectorAll('.lane-row').length > 4"),
}


def show(test, subject):
    """A page that shows it; `test` starts and ends what is needed."""
    name, query, there = SUBJECTS[subject]
    tofud = test.replay(recorded_path(name), "--stack", "github.com/acme/infra/net@prod", "--label", "workspace=prod-net",
                        "--plan", str(RECORDINGS / name / "plan.json"))
    page = test.open(tofud.url, query)
    test.comes_to_its_end(page)
    until(lambda: page.value(there), "what it shows")
    # What differs from time to time is not in it.
    page.value("document.getElementById('age')?.remove()")
    return page


def draw(page, size, theme):
    """The bytes of a picture."""
    features = {"prefers_color_scheme": theme, "prefers_reduced_motion": "reduce"}
    page.picture(*size, **features)  # lists find out how high they are when they are drawn
    page.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.picture(*size, **features)


def take(test):
    """The first one."""
    return draw(show(test, "failed"), (WIDTH, HEIGHT), "light")


class Picture(Browsing):
    folder = ROOT / "tests/pictures"

    def runTest(self):
        self.folder.mkdir(exist_ok=True)
        for file, subject, size, theme in COMMITTED:
            (self.folder / file).write_bytes(draw(show(self, subject), size, theme))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Picture.folder = pathlib.Path(sys.argv[1])
    result = unittest.TextTestRunner().run(unittest.TestSuite([Picture()]))
    sys.exit(not result.wasSuccessful())
