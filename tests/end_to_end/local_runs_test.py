#!/usr/bin/python3
"""Many tofud at once: the first serves all runs, the next takes over when it ends."""
import fcntl
import json
import pathlib
import threading
import time
import unittest
import urllib.error

from binary import PATIENCE, TOFUD, EndToEnd, Follower, Running, get, kill_all, recorded, until

LINES = recorded("apply-slow-progress").splitlines(keepends=True)


class Neighbours(EndToEnd):
    def one(self, *args, lines=20):
        """A tofud of its own at the end of a pipe, where the default says to listen."""
        running = self.kept(Running([TOFUD, "--state-dir", self.state_dir, *args], self.env()))
        line = until(running.out.next, "the first line").decode()
        running.url = next(word for word in line.split() if word.startswith("http://"))
        running.id = line.split()[3].rstrip(":")
        running.write(b"".join(LINES[:lines]))
        return running

    def end(self, running, lines=20):
        running.write(b"".join(LINES[lines:]))
        self.assertEqual(running.end_of_stream(), 0)

    def runs(self, url):
        try:
            return {run["key"]: run["status"] for run in json.loads(get(url.split("?")[0] + "v1/runs"))["runs"]}
        except (OSError, urllib.error.URLError):
            return {}

    def test_the_first_serves_the_runs_of_all(self):
        first, second = self.one(), self.one()
        self.assertEqual(second.url, first.url + "?run=" + second.id)
        until(lambda: self.runs(first.url) == {first.id: "running", second.id: "running"}, "both are served")
        until(lambda: b'"key":"time_sleep.database"' in get(first.url + "v1/runs/" + second.id), "the rows of the second")
        self.end(second)
        until(lambda: self.runs(first.url) == {first.id: "running", second.id: "succeeded"}, "the end of the second")
        log = get(first.url + "v1/runs/%s/log?addr=null_resource.migrate" % second.id)
        self.assertIn(b"migration 1 of 6", log)
        self.end(first)

    def test_the_next_takes_over_when_the_first_ends(self):
        first, second = self.one(), self.one()
        until(lambda: len(self.runs(first.url)) == 2, "both are served")
        viewer = Follower(first.url + "v1/stream?run=" + second.id)

        def follow():  # the end of a chunked answer does not say whether to come back
            while second.process.poll() is None:
                viewer.visit()
                time.sleep(0.01)
        following = threading.Thread(target=follow)
        following.start()
        until(viewer.connected, "somebody watches the second")
        self.end(first)
        until(lambda: self.runs(second.url).get(second.id) == "running", "the second serves itself")
        # Who watched the first sees its end there.
        self.assertEqual(self.runs(second.url).get(first.id), "succeeded")
        until(viewer.connected, "the viewer is back")
        self.end(second)
        following.join(PATIENCE)
        self.assertEqual(viewer.resets, 0)
        self.assertEqual({row["status"] for row in viewer.state["resource"].values()}, {"done"})

    def test_one_that_is_killed_is_followed_by_the_next(self):
        first, second = self.one(), self.one()
        until(lambda: len(self.runs(first.url)) == 2, "both are served")
        kill_all(first.process)
        until(lambda: self.runs(second.url).get(second.id) == "running", "the second serves")
        self.assertEqual(second.url.split("?")[0], first.url)
        self.end(second)

    def test_a_run_with_an_address_serves_alone(self):
        first, second = self.one(), self.one("--listen", "127.0.0.1:0")
        self.assertNotEqual(first.url, second.url)
        self.assertEqual(set(self.runs(second.url)), {second.id})
        until(lambda: set(self.runs(first.url)) == {first.id, second.id}, "the first shows both")
        self.end(first)
        self.end(second)

    def test_a_run_without_its_first_message_waits(self):
        first = self.one()
        young = "20200101T0000-7f3a"  # older than the second: who has seen that one has seen this one
        path = pathlib.Path(self.state_dir) / (young + ".jsonl")
        with open(path.with_suffix(".events"), "xb") as events, open(path, "xb") as spool:
            fcntl.flock(spool, fcntl.LOCK_EX)
            spool.write(b"".join(LINES[:20]))
            spool.flush()
            second = self.one()
            until(lambda: second.id in self.runs(first.url), "the second is served")
            self.assertEqual(set(self.runs(first.url)), {first.id, second.id})
            events.write(json.dumps({"offset": 0, "event": "begin", "id": young, "stack": "net/prod", "labels": {"group": "make-7"},
                                     "command": "apply"}).encode() + b"\n")
            events.flush()
            until(lambda: young in self.runs(first.url), "the young one is served, too")
            row = next(run for run in json.loads(get(first.url + "v1/runs"))["runs"] if run["key"] == young)
            self.assertEqual((row["stack"], row["labels"]), ("net/prod", {"group": "make-7"}))
        self.end(second)
        self.end(first)

    def test_ten_at_once_each_keep_their_own_run(self):
        all_of_them = [self.one() for _ in range(10)]
        until(lambda: len(self.runs(all_of_them[0].url)) == 10, "all are served")
        for running in all_of_them:
            self.end(running)
        self.assertEqual(len(self.spools()), 10)
        for spool in self.spools():
            self.assertEqual(spool.read_bytes(), b"".join(LINES))


if __name__ == "__main__":
    unittest.main(verbosity=2)
