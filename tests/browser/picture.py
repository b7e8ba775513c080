#!/usr/bin/python3
"""Makes tests/pictures/page.png, the picture of the page in README.md, of a recorded apply.

    TOFUD=build/dev/daemon/tofud tests/browser/picture.py [FILE]
"""
import pathlib
import sys
import unittest

from browsing import Browsing
from binary import ROOT, recorded_path, until

WIDTH, HEIGHT = 1180, 760


def take(test):
    """The bytes of the picture; `test` starts and ends what is needed."""
    tofud = test.replay(recorded_path("apply-provider-errors"), "--stack", "github.com/acme/infra/net@prod", "--label",
                        "workspace=prod-net")
    page = test.open(tofud.url)
    until(lambda: page.value("document.getElementById('status')?.textContent") == "failed", "the end of the run")
    # What differs from time to time is not in it.
    page.value("document.getElementById('age').hidden = true")
    return page.picture(WIDTH, HEIGHT, prefers_color_scheme="light", prefers_reduced_motion="reduce")


class Picture(Browsing):
    file = ROOT / "tests/pictures/page.png"

    def runTest(self):
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_bytes(take(self))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Picture.file = pathlib.Path(sys.argv[1])
    result = unittest.TextTestRunner().run(unittest.TestSuite([Picture()]))
    sys.exit(not result.wasSuccessful())
