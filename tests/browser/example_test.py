#!/usr/bin/python3
"""The example of a dashboard of one's own (protocol/feed/client/example.html), served by somebody else, in a real browser."""
import functools
import http.server
import json
import pathlib
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from asking import Asking
from binary import ROOT, until
from browsing import Browsing


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Example(Browsing, Asking):
    def portal(self):
        files = functools.partial(Files, directory=str(pathlib.Path(ROOT, "protocol", "feed", "client")))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), files)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return "http://127.0.0.1:%d" % server.server_address[1]

    def test_it_shows_the_newest_run(self):
        portal = self.portal()
        daemon = self.serve("--allow-origin", portal)
        run = daemon.put_run()
        page = self.browser.open("%s/example.html?%s" % (portal, daemon.url.rstrip("/")))
        self.addCleanup(page.close)
        rows = daemon.ask("GET", "/v1/runs/" + run).json()["rows"]
        wanted = sorted("%s: %s" % (row["status"], row["addr"]) for row in rows if row["kind"] == "resource")
        shown = lambda: sorted(page.value("[...document.querySelectorAll('li')].map(each => each.textContent)"))
        until(lambda: shown() == wanted, "the resources: " + json.dumps(wanted))
        view = daemon.ask("GET", "/v1/runs/" + run).json()["run"]
        self.assertEqual(page.value("document.getElementById('run').textContent"), "%s %s" % (view["command"], view["status"]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
