#!/usr/bin/python3
"""Runs the examples of README.md and of docs/ as they stand.

    ```sh run=NAME [with=run] [status=N] [on=stderr]     run by bash -eu in the root of the repository; `python run=` by /usr/bin/python3
    ```text output=NAME                      lines that NAME printed, in this order; … stands for anything

`tofu` is a small program that prints a recording and exits as the recorded command did. `with=run` means: while a tofud follows
such a run, `with=replay`: while one replays it, `with=daemon`: beside a `tofud serve`; its port takes the place of 8638. `with=forge`: in
a job of a forge. `state=daemon`: with its state directory. `ssh` does
nothing: its other end is this machine.
"""
import os
import re
import subprocess
import time
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, Running, get, recorded, recorded_path, until
from forge import Forge
from tls_test import Authority

BLOCK = re.compile(r"^```(\w+) (.*)\n((?:.*\n)*?)```$", re.M)

TOFU = """#!/bin/bash
case "$1 $*" in
  version*) echo OpenTofu v1.12.6 ;;
  *-json-into=*) for word; do case $word in -json-into=*) zcat -f %s > "${word#*=}" ;; esac; done; echo "what OpenTofu prints" ;;
  plan*-detailed-exitcode*) zcat -f %s; exit 2 ;;
  *) zcat -f %s ;;
esac
"""


DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)|^\[[^\]]+\]: (\S+)$", re.M)


def text_of_documents():
    return "\n".join(document.read_text() for document in DOCUMENTS)


def anchors(document):
    """What a `#` can name in a page: its headings as GitHub writes them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def blocks():
    found = {}
    outputs = {}
    for language, info, text in BLOCK.findall(text_of_documents()):
        attributes = dict(word.split("=", 1) for word in info.split())
        if "run" in attributes:
            assert attributes["run"] not in found, attributes["run"]
            found[attributes["run"]] = (language, attributes, text)
        else:
            outputs[attributes["output"]] = text
    return found, outputs


def subscribers(port):
    """How many connections to a port there are."""
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table][1:]
    return sum(1 for row in rows if row[3] == "01" and int(row[1].rpartition(":")[2], 16) == port)


class Readme(EndToEnd):
    def command(self, language, text, **more):
        tools = os.path.join(self.home, "bin")
        os.makedirs(tools)
        os.symlink(TOFUD, os.path.join(tools, "tofud"))
        tofu = os.path.join(tools, "tofu")
        with open(tofu, "w") as script:
            script.write(TOFU % tuple(map(recorded_path, ("apply-slow-progress", "plan-create-mixed", "apply-slow-progress"))))
        os.chmod(tofu, 0o755)
        os.symlink("/bin/true", os.path.join(tools, "ssh"))
        env = self.env(PATH=tools + ":" + os.environ["PATH"], XDG_RUNTIME_DIR=self.home, **more)
        if language == "python":
            return ["/usr/bin/python3", "-c", text], env
        # Relative paths in an example are files of the repository; what it writes stays in the test's own folder.
        return ["bash", "-euc", "ln -s %s/tests . \n" % ROOT + text], env

    def daemon(self):
        """host:port of a daemon with its socket where an example looks for it."""
        env = self.env(XDG_RUNTIME_DIR=self.home)
        serving = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--state-dir", self.state_dir], env,
                                    stdin=subprocess.DEVNULL))
        serving.wait_for_url()
        return serving.address()

    def forge(self):
        """The variables of a job of a pull request."""
        authority = Authority(self.home)
        forge = Forge(*authority.server("forge"))
        self.addCleanup(forge.stop)
        return {"SSL_CERT_FILE": authority.root, **forge.job()}

    def check_output(self, expected, printed):
        pattern = "".join("(?:.*\\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\\n"
                          for line in expected.splitlines())
        self.assertRegex(printed, "(?m)^" + pattern)

    def run_example(self, language, attributes, text, expected):
        if attributes.get("with") in ("run", "moment"):
            printed = self.beside_a_run(language, text, reads_once=attributes["with"] == "moment")
        else:
            if attributes.get("with") == "replay":
                text = text.replace("127.0.0.1:8638", self.replay(recorded_path("apply-slow-progress"), speed=20).address())
            more = {}
            if attributes.get("with") == "daemon":
                text = text.replace("127.0.0.1:8638", self.daemon())
                more = {"TOFUD_SERVER": ""}  # found at its socket
            if attributes.get("with") == "forge":
                more = self.forge()
            if attributes.get("state") == "daemon":
                more["TOFUD_STATE_DIR"] = self.state_dir
            argv, env = self.command(language, text, **more)
            printed = subprocess.run(argv, capture_output=True, cwd=self.home, env=env, timeout=PATIENCE)
        self.assertEqual(printed.returncode, int(attributes.get("status", 0)), printed.stderr.decode())
        on_stderr = attributes.get("on") == "stderr"
        if not on_stderr:
            self.assertEqual(printed.stderr.decode(), "")
        if expected:
            self.check_output(expected, (printed.stderr if on_stderr else printed.stdout).decode())

    def beside_a_run(self, language, text, reads_once):
        """Runs an example while half of a run has come; the rest comes when the example has subscribed, or read what it wants."""
        lines = recorded("apply-slow-progress").splitlines(keepends=True)
        tofud = self.pipe()
        tofud.wait_for_url()
        tofud.write(b"".join(lines[:48]))
        until(lambda: b'"key":"null_resource.migrate"' in get(tofud.url + "v1/runs/latest"), "the rows of the first half")
        argv, env = self.command(language, text.replace("127.0.0.1:8638", tofud.address()))
        example = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.home, env=env)
        until(lambda: example.poll() is not None or (subscribers(tofud.port()) and not reads_once), "what the example does")
        time.sleep(0.2)
        get(tofud.url + "healthz")
        tofud.write(b"".join(lines[48:]))
        self.assertEqual(tofud.end_of_stream(), 0)
        out, err = example.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(argv, example.returncode, out, err)

    def test_every_example_is_run(self):
        found, outputs = blocks()
        self.assertLessEqual(set(outputs), set(found))
        fences = re.findall(r"^```(\w.*)$", text_of_documents(), re.M)
        self.assertEqual(len(fences), len(found) + len(outputs), fences)

    def test_the_front_page_is_short_and_narrow(self):
        lines = (ROOT / "README.md").read_text().splitlines()
        self.assertLessEqual(len(lines), 250)
        self.assertEqual([line for line in lines if len(line) > 120], [])

    def test_every_link_leads_somewhere(self):
        for document in DOCUMENTS:
            for path, anchor, reference in LINK.findall(document.read_text()):
                with self.subTest(document.name, path=path or reference, anchor=anchor):
                    if (path or reference).startswith("http"):
                        continue
                    target = document.parent / (path or reference) if path or reference else document
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(target))

    def test_the_front_page_leads_to_every_page(self):
        front = (ROOT / "README.md").read_text()
        self.assertEqual([page.name for page in DOCUMENTS[1:] if "(docs/%s)" % page.name not in front], [])


def add_tests():
    found, outputs = blocks()
    for name, (language, attributes, text) in found.items():
        def test(self, example=(language, attributes, text, outputs.get(name))):
            self.run_example(*example)
        setattr(Readme, "test_example_" + name.replace("-", "_"), test)


add_tests()

if __name__ == "__main__":
    unittest.main(verbosity=2)
