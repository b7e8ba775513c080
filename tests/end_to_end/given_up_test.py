"""A run over which the daemon died twice while it read it: it is kept, says so, and keeps nobody down; whoever wants it asks again."""
import json
import pathlib
import subprocess
import unittest

from asking import Asking
from binary import TOFUD, recorded, until


class GivenUp(Asking):
    def served(self, name, state_dir=None):
        daemon = self.serve("--log-level", "warning", name=name, state_dir=state_dir)
        until(lambda: daemon.status("GET", "/readyz") == 200, "it is ready")
        return daemon

    def test_a_run_that_kills_the_daemon_is_not_read_again_without_a_request(self):
        stream = recorded("apply-slow-progress")
        first = self.served("first")
        run, other = (first.ask("PUT", "/v1/runs?stack=" + stack, body=stream).json()["run"] for stack in ("bad", "good"))
        first.running.process.kill()
        first.running.wait()
        pathlib.Path(first.state_dir, "daemon", "folding").write_text("%s 2\n" % run)
        for name in ("second", "third"):  # the index has it by then
            daemon = self.served(name, first.state_dir)
            rows = {row["key"]: row for row in daemon.ask("GET", "/v1/runs").json()["runs"]}
            self.assertEqual(rows[run]["status"], "unknown")
            self.assertIn("`tofud reindex %s`" % run, rows[run]["unreadable"])
            self.assertNotIn("unreadable", rows[other])
            for path in ("/v1/runs/%s", "/v1/stream?run=%s", "/v1/runs/%s/export?format=csv"):
                refused = daemon.ask("GET", path % run)
                self.assertEqual(refused.status, 409, refused)
                self.assertIn("the daemon died 2 times", refused.json()["message"])
            self.assertEqual(daemon.ask("GET", "/v1/runs/%s/stream.jsonl" % run).body, stream)
            self.assertEqual(daemon.ask("GET", "/v1/runs/" + other).status, 200)
            if name == "second":
                daemon.running.process.kill()
                daemon.running.wait()
        done = subprocess.run([TOFUD, "reindex", run, "--server", daemon.url], capture_output=True, text=True, env=self.env(), check=True)
        self.assertIn("reads run %s again" % run, done.stdout)
        until(lambda: daemon.ask("GET", "/v1/runs/" + run).status == 200, "it is there again")
        row = next(row for row in daemon.ask("GET", "/v1/runs").json()["runs"] if row["key"] == run)
        self.assertEqual((row["status"], row.get("unreadable")), ("succeeded", None))
        done = subprocess.run([TOFUD, "reindex", "20261121T0312-0000", "--server", daemon.url], capture_output=True, text=True, env=self.env())
        self.assertEqual(done.returncode, 1)
        self.assertIn("no run 20261121T0312-0000", done.stderr)


if __name__ == "__main__":
    unittest.main()
