#!/usr/bin/python3
"""Makes tests/pictures/wall.png, the picture of the wall in README.md.

    TOFUD=build/dev/daemon/tofud tests/browser/wall_picture.py [FILE]
"""
import pathlib
import sys
import unittest

from walls import CARDS, Sending, Walls, planned, started
from binary import ROOT, recorded
from browsing import VERSION, about, stamped

WIDTH, HEIGHT = 1280, 512
NETWORK = ["aws_subnet.a[%d]" % i for i in range(24)]


def take(test):
    """The bytes of the picture; `test` starts and ends what is needed."""
    daemon = test.daemon_of(name="of-picture")
    test.sent(daemon, recorded("apply-provider-errors"), stack="github.com/acme/infra/dns@prod")
    test.sent(daemon, recorded("apply-create-mixed"), stack="github.com/acme/infra/net@prod")
    test.sent(daemon, recorded("plan-noop"), stack="github.com/acme/infra/db@stage")
    test.sent(daemon, recorded("apply-slow-progress"), stack="github.com/acme/shop@prod")
    live = Sending(test, daemon.address(), stack="github.com/acme/infra/net@stage")
    live.send(VERSION + planned(*NETWORK) + started(*NETWORK[:17]) +
              b"".join(stamped(4, type="apply_complete", hook=about(addr, action="create", elapsed_seconds=1)) for addr in NETWORK[:14]))
    gone = Sending(test, daemon.address(), stack="github.com/acme/shop@review-12")
    gone.send(VERSION + planned(*NETWORK[:9], action="delete") + started(*NETWORK[:6], action="delete") +
              b"".join(stamped(4, type="apply_complete", hook=about(addr, action="delete", elapsed_seconds=1)) for addr in NETWORK[:3]))
    page = test.wall(daemon.url, "?theme=dark")
    page.picture(WIDTH, HEIGHT, prefers_reduced_motion="reduce")
    test.shows(page, CARDS + ".map(card => card.bar[0]).filter(Boolean).sort()", ["14", "3"])
    return page.picture(WIDTH, HEIGHT, prefers_reduced_motion="reduce")


class Picture(Walls):
    file = ROOT / "tests/pictures/wall.png"

    def runTest(self):
        self.file.write_bytes(take(self))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Picture.file = pathlib.Path(sys.argv[1])
    result = unittest.TextTestRunner().run(unittest.TestSuite([Picture()]))
    sys.exit(not result.wasSuccessful())
