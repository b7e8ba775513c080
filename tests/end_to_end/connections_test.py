#!/usr/bin/python3
"""Bounds of connections, with real sockets: bodies that stall, one address that takes too much, a daemon without descriptors."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import resource
import socket
import subprocess
import sys
import unittest

from asking import STREAM, Asking
from binary import PATIENCE, TOFUD, sanitized, until

# Longer than a daemon waits for a body (limits.hpp), with time for a busy machine.
STALL = 60 + PATIENCE


def head(method, path, port, *lines):
    return ("%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n\r\n" % (method, path, port, "\r\n".join(lines))).encode()


class Limits(Asking):
    def connect(self, port, address="127.0.0.1"):
        made = socket.create_connection((address, port), STALL)
        self.addCleanup(made.close)
        return made

    def metric(self, daemon, limit):
        return int(re.search(rb'tofud_limits_reached_total\{limit="%s"\} (\d+)\n' % limit.encode(), daemon.ask("GET", "/metrics").body).group(1))

    def answer(self, connection):
        response = http.client.HTTPResponse(connection)
        response.begin()
        return response.status, json.loads(response.read())["message"]


class Bodies(Limits):
    def test_bodies_that_stall_are_answered_and_let_go_while_a_stream_may_be_silent(self):
        daemon = self.serve()
        port = daemon.port
        upload = {"protocol": "1.0", "upload_id": "0" * 32, "upload_secret": "1" * 64, "rules": "sha256:" + "0" * 64, "stack": "net", "labels": {},
                  "argv_command": "apply", "started_at": "2026-11-21T05:00:00.000000Z"}
        made = daemon.ask("POST", "/v1/runs", {"Content-Type": "application/json"}, upload)
        self.assertEqual(made.status, 201, made)
        run = made.json()["run"]
        stalled = [self.connect(port) for _ in range(4)]
        stalled[0].sendall(head("POST", "/v1/session", port, "Content-Type: application/json", "Content-Length: 100") + b'{"token":')
        stalled[1].sendall(head("POST", "/v1/runs", port, "Content-Type: application/json", "Transfer-Encoding: chunked") + b"5\r\n{\"up")
        stalled[2].sendall(head("PATCH", "/v1/runs/%s/lines" % run, port, "Upload-Secret: " + "1" * 64, "Upload-Offset: 0", "Content-Length: 1000") + STREAM[:100])
        stalled[3].sendall(head("POST", "/v1/session", port, "Content-Type: application/json", "Content-Length: 100", "Expect: 100-continue"))
        # One that may: a stream waits for tofu, for as long as tofu likes.
        silent = self.connect(port)
        silent.sendall(head("PUT", "/v1/runs?stack=silent", port, "Transfer-Encoding: chunked") + b"%x\r\n%s\r\n" % (len(STREAM), STREAM))
        self.assertEqual(stalled[3].recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
        for one in stalled:
            status, why = self.answer(one)
            self.assertEqual((status, why), (408, "the rest of the request's body did not come in time"))
            self.assertEqual(one.recv(1), b"")  # and it is closed
        self.assertEqual(self.metric(daemon, "body_stalled_after"), len(stalled))
        silent.sendall(b"0\r\n\r\n")
        response = http.client.HTTPResponse(silent)
        response.begin()
        self.assertEqual((response.status, json.loads(response.read())["bytes"]), (201, len(STREAM)))
        # The upload that stalled goes on where it was.
        begun = daemon.ask("HEAD", "/v1/runs/%s/lines" % run, {"Upload-Secret": "1" * 64})
        offset = int(begun.headers["Upload-Offset"])
        self.assertLessEqual(offset, 100)
        rest = daemon.ask("PATCH", "/v1/runs/%s/lines" % run, {"Upload-Secret": "1" * 64, "Upload-Offset": str(offset), "Upload-Complete": "?1"},
                          STREAM[offset:])
        self.assertLess(rest.status, 300, rest)
        self.assertEqual(daemon.ask("GET", "/v1/runs/%s/stream.jsonl" % run).body, STREAM)


def may_make_networks():
    return subprocess.run(["unshare", "--map-root-user", "--net", "ip", "link", "set", "lo", "up"], capture_output=True).returncode == 0


class OneAddress(Limits):
    """In a network of its own, where two addresses that are not loopback's are this machine's."""
    HERE = ("192.0.2.1", "192.0.2.2")

    @unittest.skipUnless(may_make_networks(), "no network namespace may be made here")
    def test_one_address_has_so_many_connections_and_others_have_theirs(self):
        commands = ["ip link set lo up", *("ip address add %s/32 dev lo" % address for address in self.HERE), "ip -6 address add 2001:db8::1/128 dev lo nodad",
                    "ip -6 address add 2001:db8::2/128 dev lo nodad", "ip -6 address add 2001:db8:0:1::1/128 dev lo nodad",
                    "exec /usr/bin/python3 %s OneAddress.within" % pathlib.Path(__file__).resolve()]
        done = subprocess.run(["unshare", "--map-root-user", "--net", "sh", "-ec", "\n".join(commands)], capture_output=True, timeout=10 * PATIENCE,
                              env={**os.environ, "TOFUD": TOFUD}, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def asked(self, daemon, source, to):
        """What a new connection from that address gets; it stays open."""
        made = socket.create_connection((to, daemon.port), PATIENCE, (source, 0))
        self.addCleanup(made.close)
        with contextlib.suppress(ConnectionError):  # it may have been refused before it asked
            made.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        response = http.client.HTTPResponse(made)
        response.begin()
        said = json.loads(response.read())
        if response.status != 200:
            made.close()
        return made, response.status, said

    def within(self):
        daemon = self.serve("--listen", "192.0.2.1:0", "--listen", "[2001:db8::1]:0", "--insecure", "--trusted-proxy", "192.0.2.9")
        # What listens first is where pages are; the other two sockets have other ports.
        ports = dict(re.findall(r"(192\.0\.2\.1|\[2001:db8::1\]):(\d+)", self.listening(daemon)))
        (v4, v6), most = (int(ports[name]) for name in ("192.0.2.1", "[2001:db8::1]")), 64
        first, second = self.HERE

        def fill(source, to, port):
            daemon.port = port
            kept = []
            for _ in range(most):
                made, status, _ = self.asked(daemon, source, to)
                self.assertEqual(status, 200)
                kept.append(made)
            return kept
        loopback = daemon.port
        kept = fill(first, "192.0.2.1", v4)
        for _ in range(3):
            _, status, said = self.asked(daemon, first, "192.0.2.1")
            self.assertEqual((status, said["message"]), (429, "one address has at most 64 connections"))
        self.assertEqual(self.asked(daemon, second, "192.0.2.1")[1], 200)
        # Those of this machine are not counted, however many they are.
        daemon.port = loopback
        for _ in range(most + 10):
            self.assertEqual(self.asked(daemon, "127.0.0.1", "127.0.0.1")[1], 200)
        self.assertEqual(self.metric(daemon, "connections_per_address"), 3)
        # Who goes makes room.
        daemon.port = v4
        kept.pop().close()
        until(lambda: self.asked(daemon, first, "192.0.2.1")[1] == 200, "there is room again")
        # Of IPv6 it is a network of 64 bits that is one customer's.
        fill("2001:db8::1", "2001:db8::1", v6)
        self.assertEqual(self.asked(daemon, "2001:db8::2", "2001:db8::1")[1], 429)
        self.assertEqual(self.asked(daemon, "2001:db8:0:1::1", "2001:db8::1")[1], 200)
        daemon.port = loopback

    def listening(self, daemon):
        said = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout
        return "\n".join(line for line in said.splitlines() if "pid=%d," % daemon.running.process.pid in line)


class Descriptors(Limits):
    def serve_with(self, descriptors):
        def fewer():
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
        return self.serve(preexec_fn=fewer)

    def used(self, daemon):
        return len(os.listdir("/proc/%d/fd" % daemon.running.process.pid))

    def viewers(self, daemon, count):
        """Connections that ask for a page and stay; whether each got it is another question."""
        found = []
        for _ in range(count):
            made = self.connect(daemon.port)
            made.sendall(b"GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % daemon.port)
            found.append(made)
        return found

    def test_when_viewers_have_taken_all_health_is_answered_and_a_run_is_recorded(self):
        daemon = self.serve_with(256)
        viewers = self.viewers(daemon, 300)
        until(lambda: self.used(daemon) >= 192, "the limit is reached")
        # Nobody else sees a page, but who must go on does.
        self.assertEqual(daemon.status("GET", "/healthz"), 200)
        self.assertEqual(daemon.status("GET", "/v1/runs"), 503)
        sent = daemon.ask("PUT", "/v1/runs?stack=kept", body=STREAM)
        self.assertEqual((sent.status, sent.json()["bytes"]), (201, len(STREAM)))
        for one in viewers:
            one.close()
        until(lambda: daemon.status("GET", "/v1/runs") == 200, "there is room again")
        self.assertEqual(daemon.ask("GET", "/v1/runs/%s/stream.jsonl" % sent.json()["run"]).body, STREAM)
        self.assertGreater(self.metric(daemon, "connections_in_reserve"), 0)

    @unittest.skipIf(sanitized(), "sanitizers need descriptors themselves")
    def test_without_any_descriptor_one_connection_at_a_time_is_still_let_in(self):
        daemon = self.serve_with(64)
        before = self.used(daemon)
        viewers = self.viewers(daemon, 150)
        until(lambda: self.used(daemon) >= 63, "there is none left")
        for _ in range(5):
            self.assertEqual(daemon.status("GET", "/healthz"), 200)
        self.assertEqual(daemon.status("GET", "/readyz"), 200)
        for one in viewers:
            one.close()
        until(lambda: daemon.status("GET", "/v1/runs") == 200, "there is room again")
        until(lambda: self.used(daemon) <= before + 2, "all are given back")
        self.assertGreater(self.metric(daemon, "descriptors"), 0)
        run = daemon.put_run()
        self.assertEqual(daemon.ask("GET", "/v1/runs/%s/stream.jsonl" % run).body, STREAM)


if __name__ == "__main__":
    unittest.main(verbosity=2 if len(sys.argv) < 2 else 1)
