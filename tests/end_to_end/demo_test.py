#!/usr/bin/python3
"""`tofud demo`: the recording that is built in, by the path of a replay."""
import gzip
import json
import os
import signal
import subprocess
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, Running, get
from terminal import Terminal


class Demo(EndToEnd):
    def test_without_a_terminal_it_ends_by_itself(self):
        done = subprocess.run([TOFUD, "demo", "--speed", "max", "--no-listen"], stdin=subprocess.DEVNULL, capture_output=True,
                              cwd=self.home, env=self.env(PATH="/nowhere"), timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        text = done.stdout.decode()
        self.assertIn(" Plan: 17 to add", text)
        self.assertIn("│ Error: local-exec provisioner error\n", text)
        self.assertIn("│   with module.service[\"us-east\"].terraform_data.server[2],\n", text)
        self.assertIn("apply failed after 15s: 14 done, 1 failed, 2 skipped\n", text)
        self.assertEqual(os.listdir(self.home), [])  # no file is needed or left

    def test_it_is_served_while_it_plays(self):
        running = self.kept(Running([TOFUD, "demo", "--speed", "20", "--listen", "127.0.0.1:0"], self.env(), stdin=subprocess.DEVNULL))
        url = running.wait_for_url()
        self.assertEqual([run["stack"] for run in json.loads(get(url + "v1/runs"))["runs"]], ["shop"])
        self.assertEqual(running.wait(), 0)

    def test_on_a_terminal_the_page_stays_until_ctrl_c(self):
        terminal = Terminal(self, 100, 30)
        demo = terminal.start([TOFUD, "demo", "--speed", "max", "--listen", "127.0.0.1:0"], self.env(), stdin=subprocess.DEVNULL)
        lines = terminal.until(lambda shown: any(line.startswith("The page stays until you press Ctrl-C.") for line in shown))
        self.assertIn("  module.service[\"us-east\"].terraform_data.server[2]: local-exec provisioner error", lines)
        self.assertIsNone(demo.poll())
        demo.send_signal(signal.SIGINT)
        self.assertEqual(demo.wait(PATIENCE), 0)

    def test_it_is_small_enough_to_be_built_in(self):
        data = (ROOT / "daemon/cli/demo/apply.jsonl").read_bytes()
        self.assertLess(len(gzip.compress(data)), 100_000)
        self.assertNotIn(b"/tmp", data)


if __name__ == "__main__":
    unittest.main(verbosity=2)
