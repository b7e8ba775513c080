#!/usr/bin/python3
"""What the rules of the upload don't say: runs that are removed, cut off or silent while the daemon goes, fails or starts again."""
import json
import pathlib
import signal
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from binary import EndToEnd, recorded, until
from client import Upload, ask, connect, head_of
from daemons import Tofud
from faults import Faults

STREAM = recorded("apply-create-mixed")
LINES = STREAM.splitlines(keepends=True)
BEGIN = b"".join(LINES[:len(LINES) // 2])
REST = STREAM[len(BEGIN):]


class Edges(EndToEnd):
    def setUp(self):
        super().setUp()
        self.daemon = Tofud(self)

    def with_faults(self):
        self.daemon.kill()
        faults = Faults(self.daemon.home, self.daemon.state_dir)
        self.addCleanup(faults.close)
        self.daemon.env.update(faults.env)
        self.daemon.start()
        return faults

    def runs(self, stack=None):
        listed = json.loads(ask(self.daemon.tcp, "GET", "/v1/runs").body)["runs"]
        return [run for run in listed if stack in (None, run["stack"])]

    def view(self, run):
        return json.loads(self.daemon.document(run))["run"]

    def kept(self, run):
        return ask(self.daemon.tcp, "GET", "/v1/runs/%s/stream.jsonl" % run).body

    def putting(self, stack, data):
        """A connection on which a whole stream comes, `data` of it so far, and its run."""
        sock = connect(self.daemon.tcp)
        self.addCleanup(sock.close)
        sock.sendall(head_of("PUT", "/v1/runs?stack=" + stack, {"Host": "localhost", "Content-Length": len(STREAM)}) + data)
        run = until(lambda: self.runs(stack), "the run")[0]["key"]
        until(lambda: len(self.kept(run)) >= len(self.daemon.redacted(data)), "its bytes")
        return sock, run

    def answer(self, sock):
        said = b""
        while b"\r\n\r\n" not in said and (piece := sock.recv(65536)):
            said += piece
        return int(said.split()[1])

    def test_a_run_that_was_silent_before_a_restart_does_not_look_alive(self):
        faults = self.with_faults()
        upload = Upload(self.daemon.tcp)
        upload.create()
        self.assertEqual(upload.patch(0, STREAM[:1000]).status, 204)
        self.assertEqual(self.view(upload.run)["contact"], "ok")
        self.daemon.kill()
        faults.set(clock_s=3600)
        self.daemon.start()
        until(lambda: self.view(upload.run)["contact"] == "none", "an hour of silence")
        self.assertEqual(self.view(upload.run)["status"], "running")
        self.assertEqual(upload.patch(1000, b"").status, 204)
        self.assertEqual(self.view(upload.run)["contact"], "ok")

    def test_the_clock_of_a_machine_is_known_as_long_as_its_run(self):
        upload = Upload(self.daemon.tcp)
        upload.create()
        upload.patch(0, STREAM, complete=True)
        apart = until(lambda: self.view(upload.run).get("clock_offset_s"), "how far the recording's clock is from ours")
        self.assertGreater(apart, 3600)
        self.daemon.kill()
        self.daemon.start()
        self.assertEqual(self.view(upload.run)["clock_offset_s"], apart)
        ask(self.daemon.tcp, "GET", "/v1/stream?run=%s&end=close" % upload.run)
        self.assertEqual(self.view(upload.run)["clock_offset_s"], apart)

    def test_history_that_stopped_on_the_way_does_not_look_whole(self):
        faults = self.with_faults()
        sock, run = self.putting("half", BEGIN)
        faults.set(write_error="ENOSPC")
        sock.sendall(REST[:5000])
        until(faults.refused, "the disk refuses some of it")
        faults.set()
        sock.sendall(REST[5000:])
        self.answer(sock)
        kept = self.kept(run)
        self.assertTrue(len(kept) < len(STREAM) and self.daemon.redacted(STREAM).startswith(kept))
        self.daemon.kill()
        self.daemon.start()
        until(lambda: self.view(run)["status"] == "lost", "its end was not seen by those who come later")
        self.assertEqual(self.kept(run), kept)

    def test_a_run_that_is_removed_while_it_comes_is_gone_for_its_sender(self):
        sock, run = self.putting("removed", BEGIN)
        self.assertEqual(ask(self.daemon.tcp, "DELETE", "/v1/runs/" + run).status, 204)
        self.assertEqual(self.runs("removed"), [])
        sock.sendall(REST)
        self.assertEqual(self.answer(sock), 410)
        self.assertEqual(self.runs("removed"), [])

    def test_runs_may_be_removed_while_they_are_opened(self):
        uploads = [Upload(self.daemon.tcp) for _ in range(6)]
        big = recorded("large-300")
        for upload in uploads:
            upload.create()
            self.assertEqual(upload.patch(0, big[:900_000], complete=True).status, 204)
        self.daemon.kill()
        self.daemon.start()
        statuses = []

        def look(upload):
            statuses.append(ask(self.daemon.tcp, "GET", "/v1/runs/" + upload.run).status)
        for upload in uploads:
            threads = [threading.Thread(target=look, args=(upload,)) for _ in range(3)]
            for thread in threads:
                thread.start()
            self.assertEqual(ask(self.daemon.tcp, "DELETE", "/v1/runs/" + upload.run).status, 204)
            for thread in threads:
                thread.join()
        self.assertEqual(set(statuses) - {200, 404, 410}, set())
        self.assertEqual(self.runs(), [])

    def test_a_stopping_daemon_cuts_uploads_and_keeps_their_bytes(self):
        puts = [self.putting("put-%d" % number, BEGIN) for number in range(3)]
        raw = connect(self.daemon.socket)
        self.addCleanup(raw.close)
        raw.sendall(b'{"tofud":{"stack":"raw"}}\n' + BEGIN)
        until(lambda: self.runs("raw") and self.kept(self.runs("raw")[0]["key"]) == self.daemon.redacted(BEGIN), "the raw stream")
        upload = Upload(self.daemon.tcp)
        upload.create()
        upload.patch(0, STREAM[:6000])
        patching = upload.begin_patch(6000, 6000, STREAM[6000:9000])
        self.addCleanup(patching.close)
        self.assertEqual(self.daemon.kill(signal.SIGTERM), 0, self.daemon.errors[-1])
        self.daemon.start()
        for number, (_, run) in enumerate(puts):
            until(lambda: self.view(run)["status"] == "lost", "nobody can send its rest")
            self.assertEqual(self.kept(run), self.daemon.redacted(BEGIN))
        until(lambda: self.runs("raw")[0]["status"] == "lost", "nobody can send its rest")
        at = upload.head().offset
        self.assertGreaterEqual(at, 6000)
        self.assertEqual(upload.patch(at, STREAM[at:], complete=True).status, 204)
        self.assertEqual(self.kept(upload.run), STREAM)


if __name__ == "__main__":
    unittest.main(verbosity=2)
