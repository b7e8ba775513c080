#!/usr/bin/python3
"""Draws every view of five recordings at five widths in both themes, for somebody to look at: `make pictures`.

    TOFUD=build/release/daemon/tofud tests/browser/all_pictures.py FOLDER
"""
import pathlib
import sys
import unittest

from browsing import Browsing
from binary import RECORDINGS, recorded_path

SIZES = ((360, 740), (768, 1024), (1280, 800), (1920, 1080), (3840, 2160))
RECORDED = (("provisioner-fail-exit3", "stream"), ("apply-provider-errors", "stream"), ("large-2000", "stream"), ("replace-reasons", "plan.stream"), ("test-fail-error-skip", "stream"))
VIEWS = ("overview", "resources", "plan", "graph", "waterfall", "log", "outputs")
LABELS = ("--stack", "github.com/acme/infra//live/shop@prod", "--label", "actor=ada", "--label", "commit=1a2b3c4d5e", "--label", "branch=main")


class Pictures(Browsing):
    folder = None

    def runTest(self):
        count = 0
        for name, stem in RECORDED:
            plan = RECORDINGS / name / "plan.json"
            tofud = self.replay(recorded_path(name, stem), *LABELS, *(("--plan", str(plan)) if plan.exists() else ()))
            page = self.open(tofud.url)
            self.comes_to_its_end(page)
            for view in VIEWS:
                self.view(page, view)
                for size in SIZES:
                    for theme in ("light", "dark"):
                        page.picture(*size, prefers_color_scheme=theme, prefers_reduced_motion="reduce")  # lists find out how high they are when they are drawn
                        page.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 150)))")
                        image = page.picture(*size, prefers_color_scheme=theme, prefers_reduced_motion="reduce")
                        (self.folder / ("%s-%s-%d-%s.png" % (name, view, size[0], theme))).write_bytes(image)
                        count += 1
            tofud.stop()
        print("%d pictures in %s" % (count, self.folder))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Pictures.folder = pathlib.Path(sys.argv[1])
    Pictures.folder.mkdir(parents=True, exist_ok=True)
    result = unittest.TextTestRunner().run(unittest.TestSuite([Pictures()]))
    sys.exit(not result.wasSuccessful())
