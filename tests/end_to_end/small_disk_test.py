#!/usr/bin/python3
"""A state directory with no room: what the user reads is whole, and what tofud says of the rest is true."""
import os
import pathlib
import subprocess
import unittest

from binary import PATIENCE, TOFUD
from run_test import Wrapped

HEAD = '{"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-11-21T05:23:37.%06dZ",'


def stream(lines):
    addr = '"hook":{"resource":{"addr":"a.b","module":"","resource":"a.b","implied_provider":"a","resource_type":"a","resource_name":"b",' \
        '"resource_key":null},"action":"create"'
    rows = ['"type":"version","tofu":"1.12.6","ui":"1.2"}', '"type":"apply_start",%s}}' % addr]
    rows += ['"type":"apply_progress",%s,"elapsed_seconds":%d}}' % (addr, i) for i in range(lines)]
    rows += ['"type":"apply_complete",%s,"elapsed_seconds":9}}' % addr,
             '"type":"change_summary","changes":{"add":1,"change":0,"import":0,"remove":0,"operation":"apply"}}']
    return "".join(HEAD % i + row + "\n" for i, row in enumerate(rows)).encode()


@unittest.skipUnless(os.geteuid() == 0, "only root can mount a small disk")
class SmallDisk(Wrapped):
    def setUp(self):
        super().setUp()
        self.small = os.path.join(self.home, "small")
        os.makedirs(self.small)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", self.small], capture_output=True).returncode != 0:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", self.small])
        self.stream = stream(3000)
        path = os.path.join(self.home, "long.jsonl")
        pathlib.Path(path).write_bytes(self.stream)
        self.small_env = dict(self.fake(stream=None), FAKE_STREAM=path)
        self.small_env.update(TOFUD_STATE_DIR=os.path.join(self.small, "state"), CI="true", TOFUD_SERVER="none")
        self.small_env.pop("TOFUD_LISTEN")

    def test_the_users_own_json_is_whole(self):
        status, out, err = self.run_tofu("apply", "-auto-approve", "-json", env=self.small_env)
        self.assertEqual((status, len(out.encode())), (0, len(self.stream)))
        self.assertEqual(out.encode(), self.stream)
        self.assertNotIn("skipped", err)
        self.assertRegex(err, "no longer stored from byte [0-9]+")

    def test_a_pipe_shows_all_of_it(self):
        done = subprocess.run([TOFUD, "--no-listen", "--progress", "json", "--state-dir", os.path.join(self.small, "state")], input=self.stream,
                              capture_output=True, timeout=PATIENCE, env=self.env())
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"no longer stored from byte", done.stderr)

    def test_what_tofu_could_not_write_makes_no_skipped_resource(self):
        status, out, err = self.run_tofu("apply", "-auto-approve", env=self.small_env)
        self.assertEqual(status, 0)
        self.assertIn("1 done\n", err)
        self.assertRegex(err, "no longer stored from byte [0-9]+")


if __name__ == "__main__":
    unittest.main(verbosity=2)
