#!/usr/bin/python3
"""The man pages: mandoc has nothing to say, and every option that help and the configuration know is there."""
import gzip
import os
import pathlib
import re
import subprocess
import unittest

TOFUD, PAGES = os.environ["TOFUD"], pathlib.Path(os.environ["TOFUD_BUILD"], "docs", "man")


def read(page):
    return gzip.decompress((PAGES / (page + ".gz")).read_bytes())


def rendered(page):
    """As people read it, in lines as long as they come."""
    text = subprocess.run(["mandoc", "-Tutf8", "-O", "width=1000"], input=read(page), capture_output=True, check=True).stdout.decode()
    return re.sub(".\b", "", text)


def table():
    """(key, flag, variable, needs a restart, default) of every option, as `config show --default` tells them."""
    text = subprocess.run([TOFUD, "config", "show", "--default"], capture_output=True, check=True, text=True).stdout
    text = text.split("#[[")[0]  # lists of tables have neither flags nor defaults
    section, found = "", []
    for line in text.splitlines():
        if line.startswith("["):
            section = line[1:-1] + "."
        names = re.fullmatch(r"# (--[\w-]+), (TOFUD_\w+)(; needs a restart)?", line)
        if names:
            flag, variable, restart = names.groups()
        value = re.fullmatch(r"#(\w+) = (.*)", line)
        if value:
            found.append((section + value.group(1), flag, variable, restart is not None, value.group(2)))
    return found


class Manual(unittest.TestCase):
    def test_mandoc_finds_nothing(self):
        for page in ("tofud.1", "tofud.toml.5", "tofud-feed.7"):
            said = subprocess.run(["mandoc", "-Tlint", "-Wstyle"], input=read(page), capture_output=True)
            # That a page is not installed here is nothing about the page.
            lines = [line for line in said.stdout.decode().splitlines() if "referenced manual not found" not in line]
            self.assertEqual(lines, [], page)

    def test_every_option_of_help_is_there(self):
        text = rendered("tofud.1")
        help_all = subprocess.run([TOFUD, "--help-all"], capture_output=True, check=True, text=True).stdout
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", "\n".join(re.findall(r"(?m)^ +(-.*?)(?:  |$)", help_all))))
        self.assertGreater(len(options), 30)
        self.assertEqual({option for option in options if not re.search(re.escape(option) + r"(?![\w-])", text)}, set())
        commands = set(re.findall(r"(?m)^([a-z]+)$", help_all))
        for command in ("serve", "run", "completion"):
            self.assertIn("tofud " + command, text)
        self.assertNotIn("manual", commands)

    def test_flags_name_the_variables_that_stand_for_them(self):
        text = rendered("tofud.1")
        serve = text[text.index("tofud serve\n"):]
        for _, flag, variable, _, _ in table():
            self.assertRegex(serve, r"\n +%s(?: \S+)?\n.*\(\$%s\b" % (flag, variable))

    def test_every_option_of_the_configuration_is_there_with_default_and_variable(self):
        text = rendered("tofud.toml.5")
        options = table()
        self.assertGreater(len(options), 30)
        for key, flag, variable, restart, default in options:
            found = re.search(r"(?m)^ +%s(?: = ([A-Z:=]+))?\n((?: +\S.*\n)+)" % re.escape(key), text)
            self.assertIsNotNone(found, key)
            shape, said = found.groups()
            self.assertEqual(shape is None, default in ("true", "false"), key)
            said = " ".join(said.split())
            self.assertIn("the default is %s. %s, %s; %s" % (default, flag, variable, "it takes a restart." if restart else "SIGHUP applies it."), said)
        for key in ("issuer", "audience", "claims", "on", "target"):
            self.assertRegex(text, r"(?m)^ +%s = [A-Z=]+$" % key)
        for section in {key.partition(".")[0] for key, *_ in options if "." in key}:
            self.assertRegex(text, r"(?m)^ +Section %s$" % section)


if __name__ == "__main__":
    unittest.main(verbosity=2)
