#!/usr/bin/python3
"""docs/reference.md is what the program prints, and its texts are in the table that it prints.

REFERENCE_WRITE=1 writes the page.
"""
import os
import re
import subprocess
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, Running, get

PAGE = ROOT / "docs/reference.md"


class Reference(EndToEnd):
    def manual(self, *words):
        return subprocess.run([TOFUD, "manual", *words], capture_output=True, text=True, env=self.env(), timeout=PATIENCE)

    def metrics(self):
        """Name, type and meaning of each metric that a daemon has, as a table."""
        serving = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--no-socket", "--metrics-stacks", "--state-dir", self.state_dir], self.env(),
                                    stdin=subprocess.DEVNULL))
        serving.wait_for_url()
        text = get(serving.url + "metrics").decode()
        types = dict(re.findall(r"(?m)^# TYPE (\w+) (\w+)$", text))
        return "".join("| `%s` | %s | %s |\n" % (name, types[name], help_) for name, help_ in re.findall(r"(?m)^# HELP (\w+) (.*)$", text))

    def test_the_page_is_what_the_program_prints(self):
        printed = self.manual("--reference")
        self.assertEqual((printed.returncode, printed.stderr), (0, ""))
        whole = printed.stdout + "\n## Metrics\n\n| metric | type | meaning |\n|---|---|---|\n" + self.metrics()
        if os.environ.get("REFERENCE_WRITE"):
            PAGE.write_text(whole)
        self.assertEqual(whole, PAGE.read_text(), "REFERENCE_WRITE=1 %s writes it" % __file__)

    def test_every_text_is_printed_by_folder(self):
        printed = self.manual("--strings")
        lines = printed.stdout.splitlines()
        self.assertEqual(printed.stderr, "tofud: %d texts\n" % len(lines))
        tables = {str(path.parent.relative_to(ROOT)): path.read_text().splitlines() for folder in ("daemon", "protocol")
                  for path in (ROOT / folder).rglob("strings.txt") if "node_modules" not in path.parts}
        self.assertEqual(sorted(lines), sorted("%s\t%s" % (folder, text) for folder, texts in tables.items() for text in texts))
        # What is said where nobody would look for it: a command line, a page, a metric, a help text, an HTTP problem.
        for said in ("there is no command ", "No stacks yet. A stack appears here when its first run is sent.", "Connections to the feed.",
                     "List the stored runs, here and at a daemon, newest first", "no such path"):
            self.assertIn(said, [text for texts in tables.values() for text in texts])

    def test_what_a_page_about_nothing_is_asked_for_says(self):
        printed = self.manual()
        self.assertEqual((printed.returncode, printed.stdout), (2, ""))
        self.assertIn("--reference or --strings", printed.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
