#!/usr/bin/python3
"""What waits for what, and what a failure strands: in rows, in the summary, in documents, in the metrics."""
import json
import os
import subprocess
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, fold, get, until

APPLIES = ROOT / "tests/causality/recordings"


def part_of(name, *hooks):
    """The lines of a recorded apply up to and with the last of those hooks: type and address."""
    lines, left = [], list(hooks)
    for line in (APPLIES / name / "stream.jsonl").read_text().splitlines(True):
        lines.append(line)
        said = json.loads(line)
        if left and (said.get("type"), said.get("hook", {}).get("resource", {}).get("addr")) == left[0]:
            left.pop(0)
            if not left:
                return "".join(lines).encode()
    raise AssertionError("the recording has no such hook")


class Causes(EndToEnd):
    def known(self, name):
        return "--plan", str(APPLIES / name / "plan.json"), "--config", str(APPLIES / name / "config")

    def replayed(self, data, *args):
        path = os.path.join(self.home, "part.jsonl")
        with open(path, "wb") as file:
            file.write(data)
        done = subprocess.run([TOFUD, "replay", path, *args], capture_output=True, env=self.env(), timeout=PATIENCE)
        return done.stdout.decode(), done.stderr.decode()

    def folded(self, data, *known):
        return fold(json.loads(line) for line in self.replayed(data, "--rows", *known)[0].splitlines())[0]

    def rows(self, data, *known):
        return self.folded(data, *known)["resource"]

    def test_what_failed_strands_what_is_behind_it(self):
        whole = (APPLIES / "create-fails/stream.jsonl").read_bytes()
        rows = self.rows(whole, *self.known("create-fails"))
        self.assertEqual(rows["terraform_data.b"]["strands"], 2)
        self.assertEqual(rows["terraform_data.c"]["behind"], ["terraform_data.b"])
        self.assertEqual(rows["terraform_data.c"]["status"], "skipped")
        self.assertNotIn("waiting_for", rows["terraform_data.c"])
        self.assertNotIn("behind", rows["terraform_data.a"])
        run, = self.folded(whole, *self.known("create-fails"))["run"].values()
        self.assertEqual(run["strands"], {"addr": "terraform_data.b", "count": 2})
        run, = self.folded(whole)["run"].values()
        self.assertNotIn("strands", run)

    def test_each_source_alone_tells_it_and_without_one_nothing_is_said(self):
        whole = (APPLIES / "create-fails/stream.jsonl").read_bytes()
        for known in self.known("create-fails")[:2], self.known("create-fails")[2:]:
            self.assertEqual(self.rows(whole, *known)["terraform_data.d"]["behind"], ["terraform_data.b"], known)
        for row in self.rows(whole).values():
            self.assertFalse({"waiting_for", "behind", "strands"} & set(row), row)

    def test_the_summary_and_the_documents_say_so(self):
        junit = os.path.join(self.home, "junit.xml")
        said = "".join(self.replayed((APPLIES / "create-fails/stream.jsonl").read_bytes(), "--speed", "max", "--no-listen", "--progress", "plain",
                                     "--junit", junit, *self.known("create-fails")))
        self.assertIn("2 skipped, 2 behind terraform_data.b", said)
        self.assertIn("terraform_data.b: local-exec provisioner error · 2 behind it", said)
        with open(junit) as file:
            self.assertIn('message="skipped: behind terraform_data.b"', file.read())

    def test_while_it_goes_on_a_row_says_what_it_waits_for(self):
        tofud = self.pipe("--config", str(APPLIES / "chain/config"), "--no-server")
        tofud.wait_for_url()
        tofud.write(part_of("chain", ("apply_start", "terraform_data.a")))
        waits = until(lambda: self.waiting(tofud), "what waits")
        self.assertEqual(waits["terraform_data.b"], ["terraform_data.a"])
        self.assertEqual(waits["terraform_data.c"], ["terraform_data.b"])
        self.assertNotIn("terraform_data.a", waits)
        tofud.end_of_stream()

    def waiting(self, tofud):
        rows = json.loads(get(tofud.url + "v1/runs/latest"))["rows"]
        return {each["addr"]: each["waiting_for"] for each in rows if each["kind"] == "resource" and "waiting_for" in each}

    def test_an_order_that_the_stream_contradicts_is_said_once_and_counted(self):
        config = os.path.join(self.home, "other")
        os.mkdir(config)
        with open(os.path.join(config, "main.tf"), "w") as file:  # another commit's: the other way round
            file.write('resource "terraform_data" "a" {\n  input = terraform_data.b.id\n}\nresource "terraform_data" "b" {}\n')
        path = os.path.join(self.home, "part.jsonl")
        with open(path, "wb") as file:
            file.write((APPLIES / "chain/stream.jsonl").read_bytes())
        done = subprocess.run([TOFUD, "replay", path, "--rows", "--config", config], capture_output=True, env=self.env(), timeout=PATIENCE)
        said = [row["text"] for row in fold(map(json.loads, done.stdout.splitlines()))[0]["message"].values()]
        self.assertEqual([each for each in said if "began before" in each],
                         ["the attached plan or configuration is not what is applied: terraform_data.a began before terraform_data.b ended; "
                          "what such resources wait for is not shown any more"])


if __name__ == "__main__":
    unittest.main()
