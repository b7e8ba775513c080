#!/usr/bin/python3
"""A daemon that serves for hours stays as large as it was: runs come and go in every way there is, viewers join, stall and leave, the
configuration is read again, tokens come and go, and retention removes what is old.

TOFUD_SOAK_MINUTES says how long (a fraction of one where nothing is said). From a quarter of an hour on, what was measured has to be flat after the
first third; TOFUD_SOAK_OUT names the folder where it is drawn (soak.svg) and listed (soak.csv). `make soak` does both.
"""
import contextlib
import os
import pathlib
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../end_to_end"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../upload"))

import client
from asking import Asking
from binary import PATIENCE, ROOT, TOFUD, recorded, recorded_path, until

MINUTES = float(os.environ.get("TOFUD_SOAK_MINUTES", "0.3"))
JUDGED_FROM = 15  # minutes: before that a process is still growing into its work
STACKS, RUNS, OPERATIONS = 12, 60, 20_000
RECORDED = ("apply-slow-progress", "plan-noop", "apply-provider-errors")
HANDSHAKE = ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
             "Accept: text/event-stream\r\n", "Accept: application/x-ndjson\r\n")
FILTERS = ("", "&kinds=resource", "&kinds=resource,log,text", "&addr=*pet*", "&module=module.*", "&since=0000000000000000:7")
ROUTES = ("/v1/runs?limit=50", "/v1/runs?q=soak&status=failed", "/v1/runs/RUN", "/v1/runs/RUN/log", "/v1/runs/RUN/stream.jsonl?last=50", "/v1/runs/RUN/events.jsonl",
          "/v1/runs/RUN/export?format=md", "/v1/runs/RUN/export?format=junit", "/v1/runs/RUN/plan", "/v1/runs/RUN/plan?format=md", "/metrics", "/wall/plain", "/runs", "/nowhere")

# What is measured: its unit, and by how much the last third may be above the one before.
MEASURED = {"resident": ("MiB", lambda before: before * 1.05 + 2), "descriptors": ("", lambda before: before + 5),
            "index": ("MiB", lambda before: before * 1.1 + 0.5), "journal": ("MiB", lambda before: before * 1.25 + 1)}


class Soak(Asking):
    def setUp(self):
        super().setUp()
        self.config = pathlib.Path(self.home, "soak.toml")
        self.configure(0)
        self.daemon = self.serve("--log-level", "warning", "--config", str(self.config))
        self.address, self.pid = ("127.0.0.1", self.daemon.port), self.daemon.running.process.pid
        self.over, self.wrong, self.done, self.samples = threading.Event(), [], {}, []

    def configure(self, turn):
        self.config.write_text("[retain]\nruns = %d\noperations = %d\n" % (RUNS + turn % 2, OPERATIONS + turn % 2))

    # Each of these is done over and over by threads of its own, with a random of its own.

    def forwarded(self, chance):
        """A pipe: its worker forwards. Some of them are killed, and resumed."""
        state = os.path.join(self.home, "forwarder-%d" % threading.get_ident())
        with contextlib.ExitStack() as ended:
            made = subprocess.Popen([sys.executable, str(ROOT / "tests/tools/gen_stream.py"), "--resources", str(chance.randint(20, 150)), "--provision-lines", "2", "--rate",
                                     "400", "--errors", chance.choice("003"), "--start", "0", "--seed", str(chance.randint(1, 1000))], stdout=subprocess.PIPE)
            ended.callback(made.wait)
            ended.callback(made.stdout.close)
            pipe = subprocess.run([TOFUD, "--progress", "none", "--no-listen", "--server", self.daemon.url, "--state-dir", state, "--stack",
                                   "soak/%d" % chance.randrange(STACKS)], stdin=made.stdout, env=self.env(), capture_output=True, timeout=PATIENCE)
        self.assertIn(pipe.returncode, (0, 1), pipe.stderr)
        subprocess.run(["rm", "-rf", state], check=True)

    def sent(self, chance):
        """A stream without a forwarder; every fifth breaks off."""
        stream, connection = recorded(chance.choice(RECORDED)), client.Connection(self.address)
        with contextlib.closing(connection):
            connection.putrequest("PUT", "/v1/runs?stack=soak/%d&label=pr=%d" % (chance.randrange(STACKS), chance.randrange(9)))
            connection.putheader("Transfer-Encoding", "chunked")
            connection.endheaders()
            for at in range(0, len(stream), 4096):
                piece = stream[at:at + 4096]
                connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
                if self.over.wait(chance.uniform(0, 0.4)) or chance.random() < 0.02:
                    return
            connection.send(b"0\r\n\r\n")
            self.assertEqual(connection.getresponse().status, 201)

    def by_socket(self, chance):
        """A raw stream on the Unix socket."""
        with contextlib.closing(client.connect(self.daemon.socket)) as raw:
            raw.sendall(b'{"tofud":{"stack":"soak/%d"}}\n' % chance.randrange(STACKS) + recorded(chance.choice(RECORDED)))
            raw.shutdown(socket.SHUT_WR)
            raw.recv(4096)
        self.over.wait(1)

    def uploaded(self, chance):
        """Pieces, events and a plan. What is left behind unfinished is removed by somebody."""
        stream, upload = recorded("apply-slow-progress"), client.Upload(self.address)
        self.assertEqual(upload.create().status, 201)
        with contextlib.closing(client.Connection(self.address)) as connection:
            at = 0
            while at < len(stream):
                piece = stream[at:at + chance.randint(1, 4000)]
                at += len(piece)
                self.assertEqual(upload.patch(at - len(piece), piece, complete=at == len(stream), connection=connection).status, 204)
                if at < 6000:
                    client.ask(self.address, "PUT", "/v1/runs/%s/attachments/plan" % upload.run, pathlib.Path(recorded_path("apply-slow-progress")).with_name("plan.json").read_bytes(),
                               dict(upload.secret()))
                if self.over.wait(0.1):
                    break
                if chance.random() < 0.01:
                    break
        if at < len(stream):
            self.assertIn(client.ask(self.address, "DELETE", "/v1/runs/" + upload.run).status, (200, 204))

    def runs(self):
        return [run["key"] for run in client.ask(self.address, "GET", "/v1/runs?limit=100").json["runs"]] or ["latest"]

    def viewed(self, chance):
        """A subscriber by any transport: some read, some take nothing."""
        run = chance.choice(["", "?run=latest", "?run=" + chance.choice(self.runs())])
        path = "/v1/stream" + run + (chance.choice(FILTERS) if run else "")
        with contextlib.closing(client.connect(self.address)) as viewer:
            viewer.sendall(("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n" % (path, self.daemon.port, chance.choice(HANDSHAKE))).encode())
            end, stalled = time.monotonic() + chance.expovariate(1 / 6), chance.random() < 0.25
            while (left := end - time.monotonic()) > 0 and not self.over.is_set():
                viewer.settimeout(left)
                with contextlib.suppress(TimeoutError):
                    if stalled:
                        self.over.wait(left)
                    elif not viewer.recv(1 << 16):
                        return

    def asked(self, chance):
        path = chance.choice(ROUTES).replace("RUN", chance.choice(self.runs()))
        status = client.ask(self.address, "GET", path).status
        self.assertIn(status, (200, 404, 409, 503), path)
        self.over.wait(0.05)

    def operated(self, chance):
        """Reload, tokens, and what prunes."""
        turn = self.done.get("operated", 0)
        self.configure(turn)
        self.daemon.running.process.send_signal(signal.SIGHUP)
        token = self.token(self.daemon, "--name", "soak", "--scope", "read")
        viewer = client.connect(self.address)
        with contextlib.closing(viewer):
            viewer.sendall(("GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nVia: 1.1 somewhere\r\nAuthorization: Bearer %s\r\n\r\n" % (self.daemon.port, token)).encode())
            self.assertIn(b" 200 ", viewer.recv(4096))
            self.revoke(self.daemon, token)
            while viewer.recv(1 << 16):
                pass
        self.tokens.remove(token)  # tearDown looks for each of them in all files
        self.said.clear()
        self.over.wait(chance.uniform(2, 12))

    def again_and_again(self, what, number):
        chance = random.Random("%s %d" % (what.__name__, number))
        while not self.over.is_set():
            try:
                what(chance)
                self.done[what.__name__] = self.done.get(what.__name__, 0) + 1
            except Exception as failure:
                if not self.over.is_set():
                    self.wrong.append("%s: %r" % (what.__name__, failure))
                    self.over.set()

    def descriptors(self):
        folder = "/proc/%d/fd" % self.pid
        found = []
        for name in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError):
                found.append(os.readlink(os.path.join(folder, name)).replace(self.home, ""))
        return sorted(found)

    def measure(self):
        text = client.ask(self.address, "GET", "/metrics").body.decode()
        status = pathlib.Path("/proc/%d/status" % self.pid).read_text()
        folder = pathlib.Path(self.daemon.state_dir, "daemon")

        def size(names):
            total = 0
            for where, _, files in os.walk(folder):  # runs come and go meanwhile
                for name in filter(names, files):
                    with contextlib.suppress(FileNotFoundError):
                        total += os.stat(os.path.join(where, name)).st_blocks * 512
            return total / (1 << 20)
        return {"resident": int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024, "descriptors": len(self.descriptors()),
                "index": size(lambda name: name.startswith("index")), "journal": size(lambda name: not name.startswith("index")),
                "subscribers": float(re.search(r"(?m)^tofud_subscribers\S* (\S+)", text).group(1))}

    def test_stays_as_large_as_it_was(self):
        before = self.measure()
        threads = [threading.Thread(target=self.again_and_again, args=(what, number))
                   for what, count in ((self.forwarded, 2), (self.sent, 4), (self.by_socket, 1), (self.uploaded, 2), (self.viewed, 16), (self.asked, 2), (self.operated, 1))
                   for number in range(count)]
        began = time.monotonic()
        try:
            for thread in threads:
                thread.start()
            while time.monotonic() - began < MINUTES * 60 and not self.over.wait(min(5, MINUTES * 3)):
                self.samples.append((time.monotonic() - began, self.measure()))
        finally:
            self.over.set()
            for thread in threads:
                thread.join()
        print("done: %s" % self.done)
        self.assertEqual(self.wrong, [])
        if out := os.environ.get("TOFUD_SOAK_OUT"):
            write(self.samples, pathlib.Path(out))
        until(lambda: self.measure()["subscribers"] == 0, "all viewers are gone")
        until(lambda: len(self.descriptors()) <= before["descriptors"] + 4, lambda: "what is open besides: %s" % self.descriptors())
        self.assertEqual([line for line in self.daemon.running.err.got if b"error" in line[:60]], [])
        self.is_flat()

    def is_flat(self):
        if MINUTES < JUDGED_FROM:
            return
        third = len(self.samples) // 3
        grown = []
        for name, (unit, most) in MEASURED.items():
            middle, last = (statistics.median(sample[name] for _, sample in part) for part in (self.samples[third:2 * third], self.samples[2 * third:]))
            print("%s: median %.1f %s in the second third, %.1f in the last" % (name, middle, unit, last))
            if last > most(middle):
                grown.append(name)
        self.assertEqual(grown, [])


def write(samples, folder):
    """soak.csv, and soak.svg with a curve for each thing."""
    folder.mkdir(parents=True, exist_ok=True)
    names = list(samples[0][1])
    with open(folder / "soak.csv", "w") as out:
        out.write("seconds,%s\n" % ",".join(names))
        out.writelines("%.0f,%s\n" % (second, ",".join("%.2f" % sample[name] for name in names)) for second, sample in samples)
    wide, high, left, span = 900, 120, 70, max(samples[-1][0], 1)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">' % (wide + left + 20, len(names) * (high + 40) + 30),
             '<rect width="100%" height="100%" fill="white"/>']
    for row, name in enumerate(names):
        top, most = 20 + row * (high + 40), max(max(sample[name] for _, sample in samples), 1e-9) * 1.1
        points = " ".join("%.1f,%.1f" % (left + second / span * wide, top + high - sample[name] / most * high) for second, sample in samples)
        parts += ['<text x="%d" y="%d">%s%s</text>' % (left, top - 5, name, " (MiB)" if MEASURED.get(name, ("",))[0] else ""),
                  '<text x="%d" y="%d" text-anchor="end">%.0f</text>' % (left - 5, top + 10, most), '<text x="%d" y="%d" text-anchor="end">0</text>' % (left - 5, top + high),
                  '<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#bbb"/>' % (left, top, wide, high),
                  '<polyline fill="none" stroke="#06c" points="%s"/>' % points]
    parts += ['<text x="%d" y="%d" text-anchor="end">%.0f minutes</text>' % (left + wide, len(names) * (high + 40) + 15, span / 60), "</svg>"]
    (folder / "soak.svg").write_text("\n".join(parts))


if __name__ == "__main__":
    unittest.main(verbosity=2)
