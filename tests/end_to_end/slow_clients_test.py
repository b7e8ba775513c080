"""slowhttptest against the daemon: slow heads, slow bodies, slow reads, each with hundreds of connections for some seconds. Meanwhile who asks
is answered, and a stream that comes is taken line by line and shown."""
import http.client
import json
import os
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, Running, get, recorded, until

# Three attacks, a quarter of a minute each; what is asked of the daemon meanwhile takes as long as they do.
SECONDS = "12"
CONNECTIONS = "300"


class Ingest:
    """A stream without a forwarder: PUT with chunks, sent as it is asked for."""

    def __init__(self, address, stack):
        self.lines = recorded("apply-slow-progress").splitlines(keepends=True)
        self.client = http.client.HTTPConnection(address, timeout=PATIENCE)
        self.client.putrequest("PUT", "/v1/runs?stack=" + stack)
        self.client.putheader("Transfer-Encoding", "chunked")
        self.client.endheaders()
        self.sent = 0

    def more(self):
        """The next line, as long as there is one; the last is kept for the end."""
        if self.sent < len(self.lines) - 1:
            self._send(self.lines[self.sent])
            self.sent += 1

    def _send(self, line):
        self.client.send(b"%x\r\n%s\r\n" % (len(line), line))

    def end(self):
        for line in self.lines[self.sent:]:
            self._send(line)
        self.client.send(b"0\r\n\r\n")
        answer = self.client.getresponse()
        said = json.loads(answer.read())
        self.client.close()
        return said, b"".join(self.lines)


class SlowClients(EndToEnd):
    def setUp(self):
        super().setUp()
        argv = [TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", os.path.join(self.home, "s.sock"), "--state-dir", os.path.join(self.home, "daemon")]
        self.daemon = self.kept(Running(argv, self.env(), stdin=subprocess.DEVNULL))
        self.url = self.daemon.wait_for_url()

    def attack(self, *args):
        """Asks and sends for as long as the attack goes on; returns what it reports."""
        ingest = Ingest(self.daemon.address(), "net/slow")
        ingest.more()
        until(lambda: b"net/slow" in get(self.url + "v1/runs"), "the run has begun")
        attacker = subprocess.Popen(["slowhttptest", "-c", CONNECTIONS, "-r", "200", "-l", SECONDS, "-p", "3", *args], stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, env=self.env(TERM="dumb"))
        self.addCleanup(attacker.stdout.close)
        self.addCleanup(lambda: attacker.poll() is None and attacker.kill())
        open_at_once, asked = 0, 0
        while attacker.poll() is None:
            self.assertEqual(json.loads(get(self.url + "healthz"))["status"], "ok")
            self.assertIn(b"net/slow", get(self.url + "v1/runs"))
            ingest.more()
            asked += 1
            open_at_once = max(open_at_once, self.connections())
        report = attacker.stdout.read().decode(errors="replace")
        self.assertEqual(attacker.wait(PATIENCE), 0, report[-2000:])
        self.assertGreater(open_at_once, 100, "the attack was none")
        self.assertGreater(asked, 0)
        said, sent = ingest.end()
        self.assertEqual((said["bytes"], said["status"]), (len(sent), "succeeded"))
        self.assertEqual(get(self.url + "v1/runs/%s/stream.jsonl" % said["run"]), sent)
        until(lambda: self.connections() < 10, "the slow ones were given up")
        self.assertEqual(json.loads(get(self.url + "healthz"))["status"], "ok")
        return report

    def connections(self):
        """Sockets that the daemon holds."""
        held = 0
        directory = "/proc/%d/fd" % self.daemon.process.pid
        for name in os.listdir(directory):
            try:
                held += os.readlink(os.path.join(directory, name)).startswith("socket:")
            except FileNotFoundError:
                pass
        return held

    def test_slow_heads(self):
        self.attack("-H", "-i", "3", "-u", self.url)

    def test_slow_bodies(self):
        self.attack("-B", "-i", "3", "-s", "8192", "-t", "POST", "-u", self.url + "v1/runs")

    def test_slow_reads(self):
        self.attack("-X", "-w", "1", "-y", "8", "-n", "3", "-z", "4", "-k", "3", "-u", self.url)


if __name__ == "__main__":
    unittest.main()
