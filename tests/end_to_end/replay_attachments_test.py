#!/usr/bin/python3
"""What is attached to a stream that is played again: files that are named, and those that were kept beside it."""
import gzip
import json
import os
import shutil
import subprocess
import unittest
import urllib.parse

from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, EndToEnd, fold, get, recorded, recorded_path, until

SCENARIO = "update-in-place"
PLAN = RECORDINGS / SCENARIO / "plan.json"
CONFIG = RECORDINGS / SCENARIO / "config"
SCHEMAS = ROOT / "tests/golden/schemas/recordings.json.gz"
ADDRESS = 'terraform_data.app["cron"]'


class ReplayAttachments(EndToEnd):
    def replay_rows(self, path, *args, status=0):
        done = subprocess.run([TOFUD, "replay", "--rows", str(path), *map(str, args)], capture_output=True, env=self.env(),
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr)
        return fold(json.loads(line) for line in done.stdout.splitlines())[0], done.stderr.decode()

    def attached(self, rows):
        run, = rows["run"].values()
        return run.get("attachments", [])

    def spool(self, offset, plan=None):
        """A spool whose plan was attached at an offset. What is kept is masked; of this plan nothing is to be."""
        stream = os.path.join(self.home, "R7.jsonl")
        shutil.copy(recorded_path(SCENARIO), stream)
        with open(os.path.join(self.home, "R7.events"), "w") as events:
            events.write('{"offset":0,"event":"begin","id":"R7","stack":null,"labels":{},"command":"apply"}\n')
            events.write('{"offset":%d,"event":"attachment","part":"plan","sha256":"%s","bytes":1}\n' % (offset, "0" * 64))
        if plan is not None:
            with open(os.path.join(self.home, "R7.plan.json"), "wb") as file:
                file.write(plan)
        return stream

    def diff(self, tofud, addr=ADDRESS):
        until(lambda: json.loads(get(tofud.url + "v1/runs/latest"))["run"].get("attachments"), "the plan")
        return json.loads(get(tofud.url + "v1/runs/latest/diff?addr=" + urllib.parse.quote(addr)))["rows"]

    def test_files_that_are_named_are_attached_from_the_start(self):
        rows, said = self.replay_rows(recorded_path(SCENARIO), "--plan", PLAN, "--schemas", SCHEMAS, "--config", CONFIG)
        self.assertEqual(self.attached(rows), ["plan", "schemas", "config"])
        self.assertEqual(said, "")
        self.assertEqual(rows["resource"][ADDRESS]["source"], {"file": "main.tf", "line": 13})

    def test_each_part_can_be_attached_alone_but_schemas(self):
        self.assertEqual(self.attached(self.replay_rows(recorded_path(SCENARIO), "--plan", PLAN)[0]), ["plan"])
        self.assertEqual(self.attached(self.replay_rows(recorded_path(SCENARIO), "--config", CONFIG)[0]), ["config"])
        self.assertIn("--schemas needs --plan", self.replay_rows(recorded_path(SCENARIO), "--schemas", SCHEMAS, status=2)[1])

    def test_a_file_that_is_no_plan_is_refused_by_its_name(self):
        self.assertIn(recorded_path(SCENARIO) + ": ",
                      self.replay_rows(recorded_path(SCENARIO), "--plan", recorded_path(SCENARIO), status=2)[1])

    def test_the_whole_plan_is_served_a_row_a_line(self):
        tofud = self.replay(recorded_path(SCENARIO), "--plan", str(PLAN), "--schemas", str(SCHEMAS))
        self.diff(tofud)  # it is there
        rows = [json.loads(line) for line in get(tofud.url + "v1/runs/latest/plan").splitlines()]
        self.assertEqual(rows[-1], {"kind": "summary", "update": 3})
        shown = subprocess.run([TOFUD, "show", "--json", "--schemas", str(SCHEMAS), str(PLAN)], capture_output=True, env=self.env(),
                               timeout=PATIENCE, check=True).stdout
        self.assertEqual(rows, [json.loads(line) for line in shown.splitlines()])

    def test_no_file_is_left_behind(self):
        self.replay_rows(recorded_path(SCENARIO), "--plan", PLAN, "--schemas", SCHEMAS, "--config", CONFIG)
        left = [os.path.join(folder, name) for folder, _, names in os.walk(self.home) for name in names]
        self.assertEqual([name for name in left if "plan" in name or "attach" in name], [])

    def test_stored_attachments_take_effect_at_their_offset(self):
        stream = recorded(SCENARIO)
        for offset in (0, stream.index(b"\n") + 1, len(stream) // 2, len(stream)):
            with self.subTest(offset):
                rows, said = self.replay_rows(self.spool(offset, PLAN.read_bytes()))
                self.assertEqual((self.attached(rows), said), (["plan"], ""))
                tofud = self.replay(self.spool(offset, PLAN.read_bytes()))
                self.assertEqual([row["action"] for row in self.diff(tofud)], ["update"])
                tofud.process.kill()

    def test_a_compressed_stream_has_its_plan_beside_it(self):
        plain = self.spool(0, PLAN.read_bytes())
        with open(plain, "rb") as file, gzip.open(plain + ".gz", "wb") as packed:
            packed.write(file.read())
        os.remove(plain)
        self.assertEqual(self.attached(self.replay_rows(plain + ".gz")[0]), ["plan"])

    def test_missing_or_broken_attachments_are_reported_and_stop_nothing(self):
        for plan, words in ((None, "R7.plan.json can't be read"), (b"{", "R7.plan.json")):
            rows, said = self.replay_rows(self.spool(0, plan))
            self.assertEqual(self.attached(rows), [])
            self.assertIn(words, said)
            self.assertIn(ADDRESS, rows["resource"])

    def test_named_files_replace_stored_attachments(self):
        rows, said = self.replay_rows(self.spool(0, b"{"), "--plan", PLAN)
        self.assertEqual((self.attached(rows), said), (["plan"], ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
