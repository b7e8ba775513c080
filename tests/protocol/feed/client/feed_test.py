#!/usr/bin/python3
"""The feed's client in Python: the conformance kit, and connections that break, end and are refused."""
import http.server
import json
import pathlib
import sys
import threading
import unittest
import urllib.error

CLIENT = pathlib.Path(__file__).resolve().parents[4] / "protocol" / "feed" / "client"
sys.path.insert(0, str(CLIENT))
sys.dont_write_bytecode = True
import feed

HELLO = {"kind": "hello", "protocol": "1.0", "topic": "run/R7", "epoch": "k7Q2fT", "heartbeat_ms": 15000}


def resource(key, status, seq):
    return {"kind": "resource", "key": key, "run": "R7", "seq": seq, "addr": key, "status": status}


class Kit(unittest.TestCase):
    def test_every_case(self):
        cases = sorted((CLIENT / "kit").glob("*.jsonl"))
        self.assertGreater(len(cases), 15)
        for case in cases:
            with self.subTest(case.stem):
                self.play(case.read_text().splitlines())

    def play(self, lines):
        fold, expected = feed.Fold(), 0
        for text in lines:
            line = json.loads(text)
            if line.get("kit") == "connection":
                fold.live = False
            elif line.get("kit") == "expect":
                held = {kind: rows for kind, rows in fold.state.items() if rows}
                self.assertEqual((fold.since(), fold.live, held), (line["since"], line["live"], line["state"]))
                expected += 1
            elif "kit" not in line:
                fold.take(text)
        self.assertGreater(expected, 0)


class Scripted(http.server.BaseHTTPRequestHandler):
    """Each connection gets the next script: lines, and how it ends."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked.append(self.path)
        status, lines, ends = self.server.scripts.pop(0)
        self.send_response(status)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        # Cut where no line ends.
        for piece in (text[:7], text[7:]) if text else ():
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if ends:
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True

    def log_message(self, *_):
        pass


class Follow(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
        self.server.asked, self.server.scripts = [], []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.waits = []
        feed.time.sleep, before = self.waits.append, feed.time.sleep
        self.addCleanup(setattr, feed.time, "sleep", before)

    def follow(self, *scripts, **question):
        self.server.scripts = list(scripts)
        url = "http://127.0.0.1:%d/" % self.server.server_port
        return [(fold.since(), fold.live, sorted(fold.rows("resource"))) for fold in feed.follow(url, **question)]

    def test_a_broken_connection_is_resumed_where_it_was(self):
        seen = self.follow((200, [HELLO, resource("a", "running", 1), {"kind": "at", "seq": 1, "live": True}], False),
                           (200, [HELLO, resource("b", "done", 2), {"kind": "at", "seq": 2}], True), run="latest", addr=["a*", "b+ c"])
        self.assertEqual(seen, [("k7Q2fT:1", True, ["a"]), ("k7Q2fT:1", False, ["a"]), ("k7Q2fT:2", True, ["a", "b"])])
        self.assertEqual(self.server.asked, ["/v1/stream?run=latest&addr=a%2A&addr=b%2B%20c",
                                             "/v1/stream?run=R7&addr=a%2A&addr=b%2B%20c&since=k7Q2fT%3A1"])
        self.assertEqual(len(self.waits), 1)

    def test_a_restart_is_waited_for(self):
        seen = self.follow((200, [HELLO, {"kind": "at", "seq": 4}, {"kind": "error", "code": 1012, "message": "tofud restarts"}], True),
                           (503, [], True), (200, [HELLO, {"kind": "at", "seq": 5}], True))
        self.assertEqual([each[:2] for each in seen],
                         [("k7Q2fT:4", True), ("k7Q2fT:4", False), ("k7Q2fT:4", False), ("k7Q2fT:5", True)])
        self.assertEqual(len(self.waits), 2)

    def test_an_end_is_the_end(self):
        self.assertEqual(len(self.follow((200, [HELLO, {"kind": "at", "seq": 4}], True))), 1)

    def test_a_refusal_is_raised(self):
        with self.assertRaises(urllib.error.HTTPError):
            self.follow((404, [], True))
        with self.assertRaisesRegex(RuntimeError, "no such run"):
            self.follow((200, [HELLO, {"kind": "error", "code": 4404, "message": "no such run"}], True))


if __name__ == "__main__":
    unittest.main()
