#!/usr/bin/python3
"""The pages in a real browser behind nginx, below a path: from the wall to a run and into it, live, with everything they lead to."""
import http.client
import json
import pathlib
import sys
import unittest
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from asking import NGINX, Asking, bearer
from binary import PATIENCE, free_port, recorded, until
from browsing import Browsing

TEXT = "document.querySelector(%r)?.textContent ?? null"
ADDRESSES = "[...document.querySelectorAll('[href], [src], form')].map(one => one.href || one.src || one.action).filter(url => !url.startsWith('data:'))"


@unittest.skipUnless(NGINX, "nginx is not installed")
class BasePath(Browsing, Asking):
    def setUp(self):
        super().setUp()
        port = free_port()
        self.daemon = self.serve("--base-path", "/tofud", "--trusted-proxy", "127.0.0.1", "--allow-host", "127.0.0.1:%d" % port)
        self.front = "http://127.0.0.1:%d/tofud/" % self.nginx(self.daemon, port, scheme="http")
        reader = self.token(self.daemon, known=False)
        self.ticket = until(lambda: self.daemon.ask("POST", "/tofud/v1/session/links", bearer(reader)).json().get("ticket"), "a link")

    def tearDown(self):
        self.browser.call("Storage.clearCookies")
        super().tearDown()

    def put(self, stack, *recording):
        return self.daemon.ask("PUT", "/tofud/v1/runs?stack=" + stack, body=recorded(*recording)).json()["run"]

    def log_in(self, path):
        page = self.browser.open(self.front + path + "#ticket=" + self.ticket)
        self.addCleanup(page.close)
        return page

    def becomes(self, page, expression, wanted, what):
        def is_so():
            try:
                return page.value(expression) == wanted
            except AssertionError as gone:
                if not any(word in str(gone) for word in ("navigated", "context", "null")):
                    raise
                return False
        try:
            until(is_so, what)
        except AssertionError:
            self.assertEqual(page.value(expression), wanted, (what, page.complaints))

    def fetch(self, page, url):
        """As this browser would; the plain pages let no script do so."""
        cookies = "; ".join("%s=%s" % (one["name"], one["value"]) for one in page.call("Network.getCookies")["cookies"])
        return urllib.request.urlopen(urllib.request.Request(url, headers={"Cookie": cookies}), timeout=PATIENCE)

    def leads_only_below(self, page, at_least):
        """Everything that the page names is below the path, and is there."""
        addresses = set(page.value(ADDRESSES))
        self.assertGreaterEqual(len(addresses), at_least, addresses)
        for address in addresses:
            self.assertTrue(address.startswith(self.front), address)
            self.assertEqual(self.fetch(page, address).status, 200, address)
        for asked in page.requests:
            self.assertTrue(urllib.parse.urlsplit(asked).path.startswith("/tofud/") or asked.startswith("data:"), asked)

    def test_from_the_wall_to_a_run_and_into_a_resource(self):
        run = self.put("net", "provisioner-output-kinds")
        self.put("dns", "apply-provider-errors")
        page = self.log_in("wall")
        self.becomes(page, "document.querySelectorAll('.card').length", 2, "the wall")
        cookie, = page.call("Network.getCookies")["cookies"]
        self.tokens.append(cookie["value"])
        self.assertEqual((cookie["path"], cookie["httpOnly"], cookie["sameSite"]), ("/tofud/", True, "Strict"))
        self.leads_only_below(page, 4)
        page.value("{ location.href = 'wall/plain'; }")
        self.becomes(page, "document.querySelectorAll('.card').length + location.pathname", "2/tofud/wall/plain", "the wall without a script")
        self.leads_only_below(page, 5)
        page.value("[...document.querySelectorAll('.card')].find(card => card.textContent.includes('net')).querySelector('a').click()")
        self.becomes(page, TEXT % "#status", "succeeded", "the page of the run")
        self.assertEqual(page.value("location.href"), self.front + "?run=" + run)
        self.becomes(page, TEXT % "#link", "live", "its connection")
        page.value("location.hash = '#r=terraform_data.lines'")
        self.becomes(page, TEXT % "#detail-title", "terraform_data.lines", "the detail")
        self.becomes(page, "[...document.querySelectorAll('#detail .log .line')].some(line => line.textContent == 'green bold plain orange')", True, "its log")
        self.leads_only_below(page, 2)
        page.value("{ location.href = 'runs'; }")
        self.becomes(page, "document.querySelectorAll('tbody tr').length", 2, "the list")
        self.leads_only_below(page, 5)
        self.assertEqual([said for said in page.complaints if "Content Security Policy" in said], [])

    def test_rows_come_while_the_run_goes_on_by_websocket_and_by_events(self):
        lines = recorded("apply-slow-progress").splitlines(keepends=True)
        sending = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=PATIENCE)
        self.addCleanup(sending.close)
        sending.putrequest("PUT", "/tofud/v1/runs?stack=live")
        sending.putheader("Transfer-Encoding", "chunked")
        sending.endheaders()

        def send(some):
            data = b"".join(some)
            sending.send(b"%x\r\n%s\r\n" % (len(data), data))
        send(lines[:len(lines) // 2])
        run = until(lambda: self.daemon.ask("GET", "/tofud/v1/runs").json()["runs"], "the run is there")[0]["run"]
        page = self.log_in("?run=" + run)
        self.becomes(page, TEXT % "#link", "live", "the connection")
        page.value("""{ window.events = [];
          new EventSource('v1/stream?run=%s').onmessage = event => events.push(JSON.parse(event.data)); }""" % run)
        self.becomes(page, "events.some(line => line.kind == 'at' && line.live)", True, "events come")
        before = page.value("events.length")
        self.becomes(page, TEXT % "#status", "running", "the run goes on")
        send(lines[len(lines) // 2:])
        sending.send(b"0\r\n\r\n")
        self.becomes(page, TEXT % "#status", "succeeded", "the end of the run")
        self.becomes(page, "events.some(line => line.kind == 'run' && line.status == 'succeeded')", True, "the same by events")
        self.assertGreater(page.value("events.length"), before)
        self.assertIn("ws://" + urllib.parse.urlsplit(self.front).netloc + "/tofud/v1/stream", {asked.partition("?")[0] for asked in page.requests})
        self.leads_only_below(page, 2)

    def test_a_row_that_was_cut_leads_to_all_of_it_on_the_page_and_for_a_program(self):
        run = self.put("huge", "outputs-huge", "fixed")
        page = self.log_in("?run=" + run + "&view=outputs")
        self.becomes(page, "document.querySelectorAll('#outputs a.whole').length > 0", True, "a row that was cut")
        link = page.value("document.querySelector('#outputs a.whole').href")
        self.assertTrue(link.startswith(self.front + "v1/runs/%s/row?kind=output&key=" % run), link)
        row = json.load(self.fetch(page, link))
        self.assertEqual((row["kind"], row["run"]), ("output", run))
        self.assertGreater(len(json.dumps(row["value"])), 32 * 1024)
        # A program resolves what it is given against the address it asked.
        rows = self.fetch(page, self.front + "v1/stream?run=%s&end=close" % run).read().splitlines()
        cut = [line["href"] for line in map(json.loads, rows) if line.get("truncated")]
        self.assertTrue(cut)
        for href in cut:
            self.assertTrue(urllib.parse.urljoin(self.front + "v1/stream", href).startswith(self.front + "v1/runs/"), href)
            self.assertEqual(self.fetch(page, urllib.parse.urljoin(self.front + "v1/stream", href)).status, 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
