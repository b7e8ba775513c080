#!/usr/bin/python3
"""Makes tests/pictures/wall.png, the picture of the wall in README.md.

    TOFUD=build/dev/daemon/tofud tests/browser/wall_picture.py [FILE]
"""
import datetime
import pathlib
import re
import sys
import unittest

from walls import CARDS, Sending, Walls, planned, started
from binary import ROOT, recorded
from browsing import VERSION, about, stamped

WIDTH, HEIGHT = 1280, 512
NETWORK = ["aws_subnet.a[%d]" % i for i in range(24)]


def ended(stream, minutes):
    """The stream as if it had come later: its last line so many minutes ago."""
    stamp = re.compile(rb'(?<="@timestamp":")[^"]+')
    read = lambda found: datetime.datetime.fromisoformat(found.decode())
    later = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=minutes) - max(map(read, stamp.findall(stream)))
    return stamp.sub(lambda found: (read(found[0]) + later).isoformat(timespec="microseconds").encode(), stream)


def take(test):
    """The bytes of the picture; `test` starts and ends what is needed."""
    daemon = test.daemon_of(name="of-picture")
    test.sent(daemon, ended(recorded("apply-provider-errors"), 12), stack="github.com/acme/infra/dns@prod")
    test.sent(daemon, ended(recorded("apply-create-mixed"), 50), stack="github.com/acme/infra/net@prod")
    test.sent(daemon, ended(recorded("plan-noop"), 240), stack="github.com/acme/infra/db@stage")
    test.sent(daemon, ended(recorded("apply-slow-progress"), 3), stack="github.com/acme/shop@prod")
    live = Sending(test, daemon.address(), stack="github.com/acme/infra/net@stage")
    live.send(ended(VERSION + planned(*NETWORK) + started(*NETWORK[:17]) + b"".join(
        stamped(4, type="apply_complete", hook=about(addr, action="create", elapsed_seconds=1)) for addr in NETWORK[:14]), 2))
    gone = Sending(test, daemon.address(), stack="github.com/acme/shop@review-12")
    gone.send(ended(VERSION + planned(*NETWORK[:9], action="delete") + started(*NETWORK[:6], action="delete") + b"".join(
        stamped(4, type="apply_complete", hook=about(addr, action="delete", elapsed_seconds=1)) for addr in NETWORK[:3]), 0))
    page = test.wall(daemon.url, "?theme=dark")
    page.picture(WIDTH, HEIGHT, prefers_reduced_motion="reduce")
    test.shows(page, CARDS + ".map(card => card.bar[0]).filter(Boolean).sort()", ["14", "3"])
    # A card looks at what changes with every line once a second.
    test.shows(page, CARDS + ".every(card => !card.lines.what.startsWith('plan 14'))", True)
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
