#!/usr/bin/python3
"""Pages of other servers, in a real browser: one that `--allow-origin` names reads with fetch, EventSource and WebSocket and changes
nothing; any other one gets nothing at all."""
import http.server
import json
import pathlib
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from asking import Asking
from binary import free_port, until
from browsing import Browsing
from relay import Relay

# What comes of a request: its status and its text, or "nothing" where the browser gives the page nothing.
ASK = """async (url, options) => {
  try {
    const answer = await fetch(url, options);
    return [answer.status, await answer.text()];
  } catch (refused) {
    return ['nothing', refused.name];
  }
}"""

# The first line of the feed.
FIRST = """async (url, options) => {
  const reader = (await fetch(url, options)).body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('\\n')) text += (await reader.read()).value;
  reader.cancel();
  return JSON.parse(text.split('\\n')[0]);
}"""

EVENT = """(url, options) => new Promise(done => {
  const events = new EventSource(url, options);
  events.onmessage = event => { done(JSON.parse(event.data)); events.close(); };
  events.onerror = () => { done('nothing'); events.close(); };
})"""

SOCKET = """(url) => new Promise(done => {
  const socket = new WebSocket(url, 'tofud.v1');
  socket.onmessage = event => { done(JSON.parse(event.data.split('\\n')[0])); socket.close(); };
  socket.onerror = () => done('nothing');
})"""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"<!doctype html><title>portal</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class OtherPages(Browsing, Asking):
    def setUp(self):
        super().setUp()
        self.portal, other = self.server(), self.server()
        port = free_port()
        self.daemon = self.serve("--allow-host", "127.0.0.1:%d" % port, "--allow-origin", self.portal)
        Relay(self, self.daemon.port, port)  # whoever comes by it has to show a token
        self.front = "http://127.0.0.1:%d/" % port
        self.run_id = self.daemon.put_run()
        self.reader = self.token(self.daemon)
        self.listed, self.unlisted = self.page(self.portal), self.page(other)

    def tearDown(self):
        self.browser.call("Storage.clearCookies")
        super().tearDown()

    def server(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return "http://127.0.0.1:%d" % server.server_address[1]

    def page(self, url):
        page = self.browser.open(url)
        self.addCleanup(page.close)
        until(lambda: page.value("document.title") == "portal", "the page")
        return page

    def does(self, page, what, *arguments):
        return page.value("(%s)(%s)" % (what, ", ".join(map(json.dumps, arguments))))

    def test_a_listed_page_reads_with_a_token_in_a_header(self):
        shown = {"headers": {"Authorization": "Bearer " + self.reader}}
        status, text = self.does(self.listed, ASK, self.front + "v1/runs", shown)
        self.assertEqual((status, json.loads(text)["runs"][0]["run"]), (200, self.run_id))
        # What is wrong can be read as well.
        status, text = self.does(self.listed, ASK, self.front + "v1/runs")
        self.assertEqual(status, 401)
        self.assertIn("this request has no token", text)
        self.assertEqual(self.does(self.listed, ASK, self.front + "v1/runs/none", shown)[0], 404)
        first = self.does(self.listed, FIRST, self.front + "v1/stream?run=" + self.run_id,
                          {"headers": {**shown["headers"], "Last-Event-ID": "nonsense"}})
        self.assertEqual((first["kind"], first["topic"]), ("hello", "run/" + self.run_id))

    def test_a_listed_page_logs_in_and_then_events_and_sockets_come_by_the_cookie(self):
        logging_in = {"method": "POST", "credentials": "include", "headers": {"Content-Type": "application/json"}, "body": json.dumps({"token": self.reader})}
        self.assertEqual(self.does(self.listed, ASK, self.front + "v1/session", logging_in)[0], 204)
        cookie, = self.browser.call("Storage.getCookies")["cookies"]
        self.tokens.append(cookie["value"])
        stream = self.front + "v1/stream?run=" + self.run_id
        self.assertEqual(self.does(self.listed, EVENT, stream, {"withCredentials": True})["kind"], "hello")
        self.assertEqual(self.does(self.listed, EVENT, stream, {}), "nothing")  # the cookie goes along only where the page says so
        self.assertEqual(self.does(self.listed, SOCKET, stream.replace("http:", "ws:"))["kind"], "hello")
        self.assertEqual(self.does(self.listed, ASK, self.front + "v1/runs", {"credentials": "include"})[0], 200)
        # The same browser, the same cookie, a page that nobody named.
        self.assertEqual(self.does(self.unlisted, ASK, self.front + "v1/runs", {"credentials": "include"})[0], "nothing")
        self.assertEqual(self.does(self.unlisted, EVENT, stream, {"withCredentials": True}), "nothing")
        self.assertEqual(self.does(self.unlisted, SOCKET, stream.replace("http:", "ws:")), "nothing")
        self.assertEqual(self.does(self.listed, ASK, self.front + "v1/session", {"method": "DELETE", "credentials": "include"})[0], 204)
        self.assertEqual(self.browser.call("Storage.getCookies")["cookies"], [])

    def test_no_other_page_changes_anything_even_from_the_daemons_own_machine(self):
        # Not by the relay: this browser is a process of the daemon's own user.
        here = self.daemon.url
        for page in (self.listed, self.unlisted):
            for method, path, body in (("DELETE", "v1/runs/" + self.run_id, None), ("PUT", "v1/runs?stack=x", "{}"), ("POST", "v1/reindex", None),
                                       ("POST", "v1/session/links", None), ("POST", "v1/runs", "{}")):
                for more in ({}, {"headers": {"Content-Type": "application/json"}}, {"mode": "no-cors"}):
                    asked = {"method": method, "credentials": "include", **more}
                    if body:
                        asked["body"] = body
                    status = self.does(page, ASK, here + path, asked)[0]
                    self.assertIn(status, ("nothing", 403, 0), (method, path, more))
        runs = self.daemon.ask("GET", "/v1/runs").json()["runs"]
        self.assertEqual([run["run"] for run in runs], [self.run_id])
        self.assertEqual(self.does(self.listed, ASK, here + "v1/runs")[0], 200)
        self.assertEqual(self.does(self.unlisted, ASK, here + "v1/runs")[0], "nothing")


if __name__ == "__main__":
    unittest.main(verbosity=2)
