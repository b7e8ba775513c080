#!/usr/bin/env python3
"""Bodies and raw streams of clients that we did not write: clients_test.py BODY_SERVER

curl over TCP and the Unix socket, `nc -U` and socat against the program body_server, which says what came."""
import os
import queue
import socket
import subprocess
import sys
import tempfile
import threading

PATIENCE = float(os.environ.get("TOFUD_PATIENCE", "60"))


def tally(data):
    total = 0
    for byte in data:
        total = (total * 31 + byte) % 1000000007
    return "%d bytes, %d" % (len(data), total)


class Server:
    def __init__(self, program, path):
        self.path = path
        self.process = subprocess.Popen([program, "--socket", path], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [self.lines.put(line.rstrip("\n")) for line in self.process.stdout],
                         daemon=True).start()
        self.port = int(self.next().split()[-1])

    def next(self):
        return self.lines.get(timeout=PATIENCE)

    def stop(self):
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0
        assert not os.path.exists(self.path), "the socket's file is still there"


class Curl:
    """curl's answer: status, body, what it complained about."""

    def __init__(self, server, socket_kind, path, *options, data=b""):
        where = "http://127.0.0.1:%d" % server.port
        if socket_kind == "unix":
            options = ("--unix-socket", server.path) + options
            where = "http://localhost"
        done = subprocess.run(["curl", "-sS", "--max-time", str(PATIENCE), "-w", "%{http_code}", "-o", "-",
                               *options, where + path], input=data, capture_output=True)
        out = done.stdout.decode()
        self.status, self.body, self.errors = int(out[-3:]), out[:-3], done.stderr.decode()
        self.code = done.returncode


def check(name, got, expected):
    assert got == expected, "%s: %r, not %r" % (name, got, expected)
    print("ok:", name)


def curls(server, scratch):
    large = bytes(range(256)) * 40000  # ten megabytes
    file = os.path.join(scratch, "stream")
    with open(file, "wb") as out:
        out.write(large)
    for socket_kind in "tcp", "unix":
        def by(what):
            return "%s (%s)" % (what, socket_kind)
        got = Curl(server, socket_kind, "/count", "-T", "-", data=large)
        check(by("curl -T -"), (got.status, got.body), (201, tally(large) + "\n"))
        check(by("... is taken to its end"), server.next(), "body ended: " + tally(large))
        got = Curl(server, socket_kind, "/count", "-T", file)
        check(by("curl -T FILE"), (got.status, got.body), (201, tally(large) + "\n"))
        server.next()
        got = Curl(server, socket_kind, "/count", "-T", "-", data=b"")
        check(by("curl -T - of nothing"), (got.status, got.body), (201, tally(b"") + "\n"))
        server.next()
        got = Curl(server, socket_kind, "/count", "-T", "-", "-H", "Expect:", data=large)
        check(by("curl -T - that does not wait"), (got.status, got.body), (201, tally(large) + "\n"))
        server.next()
        got = Curl(server, socket_kind, "/count", "-T", file, "--http1.0")
        check(by("curl -T FILE by HTTP/1.0"), (got.status, got.body), (201, tally(large) + "\n"))
        server.next()
        got = Curl(server, socket_kind, "/whole", "--data-binary", "@-", data=b"abc")
        check(by("curl --data-binary"), (got.status, got.body), (200, tally(b"abc") + "\n"))
        got = Curl(server, socket_kind, "/whole", "--data-binary", "@" + file)
        check(by("a body over the limit"), got.status, 413)
        got = Curl(server, socket_kind, "/refused", "-T", "-", data=large)
        check(by("a refusal at the head"), (got.status, "not now" in got.body), (409, True))
        got = Curl(server, socket_kind, "/refused", "-T", "-", "-H", "Expect:", data=large)
        check(by("a refusal of who does not wait"), (got.status, "not now" in got.body), (409, True))
        got = Curl(server, socket_kind, "/full", "-T", "-", data=large)
        check(by("a refusal in mid-body"), (got.status, "the disk is full" in got.body), (507, True))
        got = Curl(server, socket_kind, "/full", "-T", file, "-H", "Expect:")
        check(by("... of a known length"), (got.status, "the disk is full" in got.body), (507, True))
        got = Curl(server, socket_kind, "/count")
        check(by("GET of what is only PUT"), got.status, 405)


def raw_streams(server):
    lines = b'{"@level":"info","type":"version"}\n' * 20000
    said = tally(lines)
    for command in (["nc", "-N", "-U", server.path], ["nc", "-q", "0", "-U", server.path],
                    ["socat", "-", "UNIX-CONNECT:" + server.path], ["socat", "-u", "-", "UNIX-CONNECT:" + server.path]):
        name = " ".join(command[:-1])
        got = subprocess.run(command, input=lines, capture_output=True, timeout=PATIENCE)
        check(name, (got.stdout, server.next()), (b"", "raw ended: " + said))
    # Refused in the middle: its writer is told, and is not stopped.
    much = lines * 20
    got = subprocess.run(["nc", "-N", "-U", server.path], input=much, capture_output=True, timeout=PATIENCE)
    check("nc -U that is refused", (got.stdout, got.returncode), (b"the disk is full\n", 0))


def broken(server):
    one = socket.create_connection(("127.0.0.1", server.port))
    one.sendall(b"PUT /count HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n")
    # Whose connection it is can be told while it is open, no longer.
    one.recv(100)
    one.sendall(b"3\r\nabc\r\n")
    one.close()
    check("a client that goes", server.next(), "body broken: " + tally(b"abc"))


def main():
    with tempfile.TemporaryDirectory() as scratch:
        server = Server(sys.argv[1], os.path.join(scratch, "socket"))
        try:
            curls(server, scratch)
            raw_streams(server)
            broken(server)
            server.stop()
        finally:
            server.process.kill()


main()
