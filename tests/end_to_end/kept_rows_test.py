#!/usr/bin/python3
"""A long run that is over keeps its rows beside its stream. Who reads it after a restart gets what everybody got before; where the file
is missing, broken or another program's, the stream is folded and the file is made anew."""
import json
import pathlib
import signal
import subprocess
import sys
import unittest

from asking import Asking
from attached_test import SAVED, attached
from binary import ROOT, recorded, until


def long_stream():
    """17 MB."""
    made = subprocess.run([sys.executable, str(ROOT / "tests/tools/gen_stream.py"), "--resources", "4500", "--modules", "9", "--provision-lines", "3"],
                          capture_output=True, check=True).stdout
    assert len(made) > 1 << 24
    return made


class KeptRows(Asking):
    names = 0

    def directory(self, daemon, run):
        return next(pathlib.Path(daemon.state_dir).glob("**/runs/%s" % run))

    def restarted(self, daemon):
        daemon.running.process.send_signal(signal.SIGTERM)
        daemon.running.process.wait()
        self.names += 1
        again = self.serve(name="daemon%d" % self.names, state_dir=daemon.state_dir)
        until(lambda: again.status("GET", "/readyz") == 200, "it is ready")
        return again

    def seen(self, daemon, run):
        """All that a subscriber gets of the run: rows, views, the lines of its log."""
        def lines(query):
            connection = daemon.connection()
            try:
                connection.request("GET", "/v1/stream?run=%s%s" % (run, query), headers={"Accept": "application/x-ndjson"})
                answer, got = connection.getresponse(), []
                while not got or not got[-1].endswith(b'"live":true}'):
                    got.append(answer.readline().strip())
                return [line for line in got if json.loads(line)["kind"] not in ("hello", "heartbeat", "forecast")]  # of a run that is over nothing is foretold
            finally:
                connection.close()
        return lines(""), lines("&kinds=log,text"), daemon.ask("GET", "/v1/runs/%s" % run).json()

    def test_a_reader_after_a_restart_gets_what_others_got_before(self):
        daemon = self.serve(name="daemon0")
        run = daemon.put_run(long_stream(), "/v1/runs?stack=net/prod&label=team=blue")
        kept = self.directory(daemon, run) / "rows.gz"
        until(kept.exists, "its rows are kept")
        before = self.seen(daemon, run)
        self.assertGreater(len(before[0]), 4500)
        self.assertGreater(len(before[1]), 13000)
        whole = kept.read_bytes()
        for what, change in (("as it was", lambda: None), ("not there", kept.unlink), ("torn", lambda: kept.write_bytes(whole[:-1000])),
                             ("of another program", lambda: kept.write_bytes(bytes(64) + whole[64:])),
                             ("something else", lambda: kept.write_bytes(b"x"))):
            with self.subTest(what):
                change()
                daemon = self.restarted(daemon)
                self.assertEqual(self.seen(daemon, run), before)
                until(lambda: kept.exists() and kept.read_bytes() == whole, "they are kept again")

    def test_what_is_attached_is_in_them(self):
        daemon = self.serve(name="daemon0")
        stream = b"x" * (17 << 20) + b"\n" + recorded("apply-saved-plan")  # a line that a program printed, and is cut
        self.run_through(stream, "--server", daemon.url, *attached(SAVED))
        run = daemon.ask("GET", "/v1/runs?limit=1").json()["runs"][0]["run"]
        kept = self.directory(daemon, run) / "rows.gz"
        until(kept.exists, "its rows are kept")
        plan = "/v1/runs/%s/plan" % run
        before, drawn = self.seen(daemon, run), daemon.ask("GET", plan).body
        self.assertIn(b'"source":', b"".join(before[0]))
        written = kept.stat().st_mtime_ns
        daemon = self.restarted(daemon)
        self.assertEqual(self.seen(daemon, run), before)
        self.assertEqual(daemon.ask("GET", plan).body, drawn)
        self.assertEqual(kept.stat().st_mtime_ns, written, "it was folded again")
        # Of another plan they are made anew.
        document = self.directory(daemon, run) / "attachments/plan.json"
        document.write_text(document.read_text() + "\n")
        daemon = self.restarted(daemon)
        self.assertEqual(self.seen(daemon, run), before)
        until(lambda: kept.stat().st_mtime_ns != written, "they are made anew")

    def test_they_go_with_the_run(self):
        daemon = self.serve()
        run = daemon.put_run(long_stream(), "/v1/runs")
        directory = self.directory(daemon, run)
        self.assertEqual(daemon.status("DELETE", "/v1/runs/%s" % run), 204)
        until(lambda: not directory.exists(), "it is gone")

    def test_a_short_run_has_none(self):
        daemon = self.serve()
        run = daemon.put_run(b'{"@level":"info","@message":"m","@module":"tofu.ui","type":"version","tofu":"1.12.6","ui":"1.2"}\n', "/v1/runs")
        directory = self.directory(daemon, run)
        until(lambda: (directory / "complete").exists(), "it is over")
        daemon.stop()
        self.assertFalse((directory / "rows.gz").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
