#!/usr/bin/python3
"""Each limit that can be set, set to little: it holds where the daemon meets it, and it is counted. How many runs may go on is in
tests/upload/live_runs_test.py."""
import json
import os
import re
import socket
import subprocess
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, Running, curl, get, recorded, until


def printed(bytes_):
    """A stream that prints so much by a provisioner."""
    head, rest = recorded("apply-slow-progress").split(b"\n", 1)
    line = {"@level": "info", "@message": "", "@module": "tofu.ui", "@timestamp": "2026-11-21T05:00:00.000000Z", "type": "provision_progress",
            "hook": {"resource": {"addr": "a.b", "module": "", "resource": "a.b", "implied_provider": "a", "resource_type": "a",
                                  "resource_name": "b", "resource_key": None}, "provisioner": "local-exec", "output": "x" * 1000}}
    text = json.dumps(line).encode() + b"\n"
    return head + b"\n" + text * (bytes_ // 1000) + rest


def of_resources(count):
    """The beginning of a stream that names so many."""
    head = recorded("apply-slow-progress").split(b"\n", 1)[0]
    lines = [json.dumps({"@level": "info", "@message": "", "@module": "tofu.ui", "@timestamp": "2026-11-21T05:00:00.000000Z", "type": "apply_start",
                         "hook": {"action": "create", "resource": {
                             "addr": "a.b[%d]" % i, "module": "", "resource": "a.b[%d]" % i, "implied_provider": "a", "resource_type": "a",
                             "resource_name": "b", "resource_key": i}}}).encode() for i in range(count)]
    return b"\n".join([head, *lines]) + b"\n"


class Limits(EndToEnd):
    def serve(self, **limits):
        path = os.path.join(self.home, "tofud.toml")
        with open(path, "w") as file:
            file.write("[limits]\n" + "".join("%s = %s\n" % (name, json.dumps(value)) for name, value in limits.items()))
        argv = [TOFUD, "serve", "--config", path, "--listen", "127.0.0.1:0", "--socket", os.path.join(self.home, "s.sock"), "--state-dir", self.state_dir]
        daemon = self.kept(Running(argv, self.env(), stdin=subprocess.DEVNULL))
        daemon.wait_for_url()
        return daemon

    def reached(self, daemon):
        """{limit: times}."""
        found = re.findall(r'(?m)^tofud_limits_reached_total\{limit="(\w+)"\} (\d+)$', get(daemon.url + "metrics").decode())
        return {name: int(times) for name, times in found}

    def connect(self, daemon, text, receive_bytes=None):
        plain = socket.socket()
        self.addCleanup(plain.close)
        plain.settimeout(PATIENCE)
        if receive_bytes:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        plain.connect(("127.0.0.1", daemon.port()))
        plain.sendall(text.replace("HOST", daemon.address()).encode())
        return plain

    def answer(self, plain):
        """All that comes."""
        said = b""
        while piece := plain.recv(65536):
            said += piece
        return said.decode(errors="replace")

    def put(self, daemon, data):
        sent = subprocess.run(["curl", "-sST", "-", daemon.url + "v1/runs"], input=data, capture_output=True, check=True, timeout=PATIENCE)
        return json.loads(sent.stdout)["run"]

    def test_every_setting_is_shown(self):
        """Every limit of the configuration has its count, but for what is told in bytes."""
        names = re.findall(r"(?m)^#(\w+) = ", (ROOT / "config/tofud.toml").read_text().split("[limits]")[1].split("#[[")[0])
        self.assertGreater(len(names), 8)
        self.assertLessEqual(set(names) - {"lines_bytes", "all_lines_bytes", "loaded_bytes"}, set(self.reached(self.serve())))

    def test_heads(self):
        daemon = self.serve(header_bytes="8KiB")
        fill = "A: %s\r\n" % ("x" * 7500)
        self.assertIn(" 200 ", self.answer(self.connect(daemon, "GET /healthz HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n%s\r\n" % fill)))
        self.assertIn(" 431 ", self.answer(self.connect(daemon, "GET /healthz HTTP/1.1\r\nHost: HOST\r\n%s\r\n" % (fill + fill))))
        self.assertEqual(self.reached(daemon)["header_bytes"], 1)

    def test_stalled_bodies(self):
        daemon = self.serve(body_stalled_after="1s")
        said = self.answer(self.connect(daemon, "POST /v1/runs HTTP/1.1\r\nHost: HOST\r\nContent-Length: 100\r\n\r\n{"))
        self.assertIn(" 408 ", said)
        self.assertIn("the rest of the request's body did not come in time", said)
        counted = self.reached(daemon)
        self.assertEqual((counted["body_stalled_after"], counted["body_time"]), (1, 0))

    def test_frames_of_subscribers(self):
        daemon = self.serve(client_message_bytes=200)
        upgrade = ("GET /v1/stream HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        plain = self.connect(daemon, upgrade)
        plain.recv(1)
        plain.sendall(b"\x82\xfe\x00\xc9" + bytes(4) + b"x" * 201)
        said = b""
        while b"\x88\x02\x03\xf1" not in said:  # a close of 1009
            piece = plain.recv(65536)
            self.assertTrue(piece, said)
            said += piece
        plain.close()
        lines = self.connect(daemon, "GET /v1/stream HTTP/1.1\r\nHost: HOST\r\n\r\n")
        lines.recv(1)
        lines.sendall(b"x" * 201)
        until(lambda: self.reached(daemon)["client_message_bytes"] == 2, "both are counted")

    def test_logs_in_memory(self):
        for limit in ("lines_bytes", "all_lines_bytes"):
            with self.subTest(limit=limit):
                daemon = self.serve(**{limit: "1MiB"})
                run = self.put(daemon, printed(4_000_000))
                lines = [json.loads(line) for line in curl(daemon.url + "v1/stream?run=%s&kinds=log&end=close" % run).splitlines()]
                self.assertEqual([line["kind"] for line in lines].count("gap"), 1)
                kept = [line for line in lines if line["kind"] == "log"]
                self.assertTrue(0 < sum(len(line["text"]) for line in kept) < 1 << 20, len(kept))
                self.assertNotIn(b"tofud_dropped_log_bytes_total 0\n", get(daemon.url + "metrics"))
                # What is not in memory is on disk.
                text = curl(daemon.url + "v1/runs/%s/log?addr=a.b" % run)
                self.assertGreater(len(text), 4_000_000)
                daemon.stop()

    def test_rows_in_memory(self):
        daemon = self.serve(loaded_bytes="1MiB")
        going_on = subprocess.Popen(["curl", "-sST", "-", daemon.url + "v1/runs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(going_on.wait)
        self.addCleanup(going_on.kill)
        going_on.stdin.write(of_resources(4000))
        going_on.stdin.flush()

        def begins_another():
            head = subprocess.run(["curl", "-sSiX", "PUT", "--data-binary", "@-", daemon.url + "v1/runs"], input=recorded("plan-noop"), capture_output=True,
                                  check=True, timeout=PATIENCE).stdout
            return int(head.split(b" ", 2)[1]), head
        _, head = until(lambda: (lambda said: said if said[0] == 503 else None)(begins_another()), "no room is left")
        self.assertIn(b"\r\nRetry-After: ", head)
        self.assertIn(b"(limits.loaded_bytes)", head)
        # What goes on is neither refused nor forgotten, and leaves its room when it is over.
        said, _ = going_on.communicate(timeout=PATIENCE)
        run = json.loads(said)["run"]
        until(lambda: begins_another()[0] == 201, "there is room again")
        self.assertIn(b"a.b[3999]", curl(daemon.url + "v1/runs/%s/row?kind=resource&key=a.b%%5B3999%%5D" % run))
        self.assertEqual(curl(daemon.url + "v1/runs/%s/stream.jsonl" % run), of_resources(4000))

    def test_subscribers_that_read_nothing(self):
        daemon = self.serve(stalled_after="1s")
        run = self.put(daemon, printed(8_000_000))
        feed = self.connect(daemon, "GET /v1/stream?run=%s&kinds=log HTTP/1.1\r\nHost: HOST\r\n\r\n" % run, receive_bytes=4096)
        until(lambda: self.reached(daemon)["stalled_after"] == 1, "a subscriber that reads nothing")
        answer = self.connect(daemon, "GET /v1/runs/%s/stream.jsonl HTTP/1.1\r\nHost: HOST\r\n\r\n" % run, receive_bytes=4096)
        until(lambda: self.reached(daemon)["stalled_after"] == 2, "a download that nobody takes")
        feed.close()
        answer.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
