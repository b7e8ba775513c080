#!/usr/bin/python3
"""The examples of the feed's clients, as their README.md has them, beside a tofud that has a run."""
import json
import os
import re
import shutil
import subprocess
import unittest

from binary import PATIENCE, ROOT, EndToEnd, get, recorded_path, until

CLIENT = ROOT / "protocol/feed/client"
BLOCKS = {name: (language, text) for language, name, text in
          re.findall(r"^```(\w+) run=(\w+)\n(.*?)^```$", (CLIENT / "README.md").read_text(), re.S | re.M)}


def node_with(name):
    """Node.js with that global, perhaps behind a flag; or None."""
    node = shutil.which("node")
    for command in ([node], [node, "--experimental-websocket"]) if node else ():
        done = subprocess.run([*command, "-p", "typeof " + name], capture_output=True, text=True, timeout=PATIENCE)
        if done.stdout.strip() == "function":
            return command
    return None


class FeedClient(EndToEnd):
    def printed(self, name, command):
        tofud = self.replay(recorded_path("apply-provider-errors"))
        run = lambda: json.loads(get(tofud.url + "v1/runs/latest"))
        until(lambda: run()["run"]["ended_at"], "the end of the replay")
        language, text = BLOCKS[name]
        script = os.path.join(self.home, name + (".py" if language == "python" else ".mjs"))
        with open(script, "w") as file:
            file.write(text.replace("127.0.0.1:8638", tofud.address()))
        shutil.copy(CLIENT / ("feed.py" if language == "python" else "dist/client.mjs"), self.home)
        done = subprocess.run([*command, script], capture_output=True, text=True, timeout=PATIENCE, env=self.env(PYTHONDONTWRITEBYTECODE="1"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines(), run()

    def test_the_page_has_these_examples(self):
        self.assertEqual({name: language for name, (language, _) in BLOCKS.items()}, {"feed": "js", "fold": "js", "python": "python"})

    def test_a_feed_in_javascript(self):
        node = node_with("WebSocket")
        if not node:
            self.skipTest("no Node.js with WebSockets")
        said, run = self.printed("feed", node)
        failed = {row["addr"] for row in run["rows"] if row["kind"] == "resource" and row["status"] == "failed"}
        self.assertEqual(said[-1], "live")
        begin, _, addresses = said[-2].partition("failed: ")
        self.assertEqual((begin, len(addresses)), ("apply failed, ", len(" ".join(failed))))
        self.assertTrue(all(each in addresses for each in failed), addresses)
        self.assertEqual(len(failed), 4)

    def test_the_rule_alone_in_javascript(self):
        node = node_with("fetch")
        if not node:
            self.skipTest("no Node.js with fetch")
        # `end=close` ends it: the run is over.
        said, run = self.printed("fold", node)
        diagnostics = ["%s: %s" % (row["severity"], row["summary"]) for row in run["rows"] if row["kind"] == "diagnostic"]
        self.assertEqual(said[:-1], diagnostics)
        self.assertRegex(said[-1], r"^resume with since=\w+:\d+$")

    def test_python(self):
        said, run = self.printed("python", ["/usr/bin/python3"])
        resources = [row for row in run["rows"] if row["kind"] == "resource"]
        self.assertEqual(said[-1], "apply failed %d resources" % len(resources))


if __name__ == "__main__":
    unittest.main()
