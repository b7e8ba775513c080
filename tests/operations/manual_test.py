#!/usr/bin/python3
"""The man pages: mandoc has nothing to say, and every option that help knows is there."""
import gzip
import os
import pathlib
import re
import subprocess
import unittest

TOFUD, PAGES = os.environ["TOFUD"], pathlib.Path(os.environ["TOFUD_BUILD"], "man")


def read(page):
    return gzip.decompress((PAGES / (page + ".gz")).read_bytes())


class Manual(unittest.TestCase):
    def test_mandoc_has_nothing_to_say(self):
        for page in ("tofud.1", "tofud.toml.5", "tofud-feed.7"):
            said = subprocess.run(["mandoc", "-Tlint", "-Wstyle"], input=read(page), capture_output=True)
            # That a page is not installed here is nothing about the page.
            lines = [line for line in said.stdout.decode().splitlines() if "referenced manual not found" not in line]
            self.assertEqual(lines, [], page)

    def test_every_option_of_help_is_there(self):
        text = subprocess.run(["mandoc", "-Tutf8"], input=read("tofud.1"), capture_output=True, check=True).stdout.decode()
        text = re.sub(".\b", "", text)
        help_all = subprocess.run([TOFUD, "--help-all"], capture_output=True, check=True, text=True).stdout
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", "\n".join(re.findall(r"(?m)^ +(-.*?)(?:  |$)", help_all))))
        self.assertGreater(len(options), 30)
        self.assertEqual({option for option in options if not re.search(re.escape(option) + r"(?![\w-])", text)}, set())
        commands = set(re.findall(r"(?m)^([a-z]+)$", help_all))
        for command in ("serve", "run", "completion"):
            self.assertIn("tofud " + command, text)
        self.assertNotIn("manual", commands)


if __name__ == "__main__":
    unittest.main(verbosity=2)
