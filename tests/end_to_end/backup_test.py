#!/usr/bin/python3
"""A backup taken under load, of a daemon that is killed then, is the same daemon elsewhere; one that is not whole is refused."""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import threading
import unittest

from asking import STREAM, Asking, Going, bearer
from binary import TOFUD, until
from one_resource import VERSION, created

KILLS = int(os.environ.get("TOFUD_KILLS", "10"))


class Backup(Asking):
    def setUp(self):
        super().setUp()
        self.serving = self.serve()
        self.folder = pathlib.Path(self.home, "backup")

    def back_up(self, status=0):
        return self.tofud("backup", str(self.folder), "--state-dir", self.serving.state_dir, status=status)

    def check(self, status=0):
        return self.tofud("reindex", "--check", str(self.folder), status=status)

    def restored(self, name="restored"):
        state = os.path.join(self.home, name + "-state")
        os.makedirs(state)
        shutil.copytree(self.folder, os.path.join(state, "daemon"))
        daemon = self.serve(name=name, state_dir=state)
        until(lambda: daemon.status("GET", "/readyz") == 200, "it is ready")
        return daemon

    def rows(self, daemon, run):
        answer = daemon.ask("GET", "/v1/runs/" + run).json()
        answer["run"].pop("contact", None)
        return answer

    def stream(self, daemon, run):
        return daemon.ask("GET", "/v1/runs/%s/stream.jsonl" % run).body

    def test_a_backup_as_an_archive_is_that_of_the_directory(self):
        run = self.serving.put_run()
        room = pathlib.Path(self.home, "room")
        room.mkdir()
        done = subprocess.run([TOFUD, "backup", "-", "--state-dir", self.serving.state_dir], capture_output=True, env=self.env(TMPDIR=str(room)))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(list(room.iterdir()), [])  # nothing of it is left here
        self.folder.mkdir()
        subprocess.run(["tar", "-x", "-C", self.folder], input=done.stdout, check=True)
        self.assertIn("is whole: 1 runs", self.check()[0])
        self.assertEqual(self.stream(self.restored(), run), self.stream(self.serving, run))
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        subprocess.run(["tar", "-x", "-C", self.folder], input=done.stdout[:3000], capture_output=True)
        self.check(status=1)
        self.assertIn("no temporary directory", self.tofud("backup", "-", "--state-dir", self.serving.state_dir, env=self.env(TMPDIR="/nosuch"), status=1)[1])

    def test_what_is_restored_after_a_kill_under_load_is_what_was_there(self):
        token = self.token(self.serving, "--stack", "net/*", "--name", "kept")
        over = [self.serving.put_run(STREAM, "/v1/runs?stack=net/%d" % number) for number in range(10)]
        gone = self.serving.put_run(STREAM, "/v1/runs?stack=gone")
        going = [Going(self.serving, "/v1/runs?stack=live/%d" % number) for number in range(3)]
        stop = threading.Event()

        def write(to, number):
            to.write(VERSION)
            for second in range(1, 100000):
                if stop.is_set():
                    return
                to.write(created("a_b.c%d_%d" % (number, second), 1, at=second % 3000))
        writers = [threading.Thread(target=write, args=(to, number)) for number, to in enumerate(going)]
        for each in writers:
            each.start()
        self.addCleanup(stop.set)
        until(lambda: len(self.serving.ask("GET", "/v1/runs?status=running").json()["runs"]) == 3, "runs go on")
        live = [run["run"] for run in self.serving.ask("GET", "/v1/runs?status=running").json()["runs"]]
        first = self.back_up()[0]
        self.assertIn("has 14 runs", first)
        self.assertIn("14 runs", self.check()[0])
        # What is there is not copied again, but what has grown; what is gone goes.
        self.assertEqual(self.serving.status("DELETE", "/v1/runs/" + gone), 204)
        second = self.back_up()[0]
        self.assertIn("has 13 runs", second)
        self.assertLess(int(second.rpartition(": ")[2]), int(first.rpartition(": ")[2]) // 2)
        self.check()
        self.assertFalse((self.folder / "runs" / gone).exists())
        stop.set()
        for each in writers:
            each.join()
        wanted = {run: (self.rows(self.serving, run), self.stream(self.serving, run)) for run in over}
        grown = {run: self.stream(self.serving, run) for run in live}
        self.serving.running.process.send_signal(signal.SIGKILL)
        self.serving.running.wait()
        daemon = self.restored()
        for run, (rows, stream) in wanted.items():
            self.assertEqual(self.stream(daemon, run), stream)
            self.assertEqual(self.rows(daemon, run), rows)
        for run, stream in grown.items():
            kept = self.stream(daemon, run)
            self.assertGreater(len(kept), len(VERSION))
            self.assertTrue(stream.startswith(kept), (len(stream), len(kept)))
        self.assertEqual(daemon.status("GET", "/v1/runs/" + gone), 404)
        self.assertEqual({run["run"] for run in daemon.ask("GET", "/v1/runs", bearer(token)).json()["runs"]}, set(over))

    def test_a_backup_that_is_not_whole_is_refused_with_the_file_and_the_byte(self):
        run = self.serving.put_run()
        self.token(self.serving)
        self.back_up()
        names = [json.loads(line)["path"] for line in (self.folder / "manifest.jsonl").read_text().splitlines()]
        self.assertIn("tokens", names)
        self.assertIn("runs/%s/header.json" % run, names)
        for name in names:
            path = self.folder / name
            whole = path.read_bytes()
            if not whole:
                continue
            with self.subTest(name=name):
                for size in sorted({0, len(whole) // 2, len(whole) - 1}):
                    path.write_bytes(whole[:size])
                    self.assertIn("%s: ends at byte %d of %d" % (path, size, len(whole)), self.check(1)[1])
                path.write_bytes(whole + b"x")
                self.assertIn("%s: has 1 bytes after its %d" % (path, len(whole)), self.check(1)[1])
                path.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
                self.assertIn("are not those that were copied", self.check(1)[1])
                path.unlink()
                self.assertIn("%s: can't be opened: No such file" % path, self.check(1)[1])
                path.write_bytes(whole)
        self.check()
        (self.folder / "runs" / "20200101T0000-0000").mkdir()
        self.assertIn("is not in the manifest", self.check(1)[1])
        self.back_up()  # mends all that
        self.check()
        text = (self.folder / "manifest.jsonl").read_text()
        for wrong, why in (("", "has no manifest.jsonl"), (text[:-5], "is not an entry"), (text.replace("tokens", "../tokens"), "is not an entry"), ("[]\n" + text, "line 1 is not an entry")):
            (self.folder / "manifest.jsonl").unlink(missing_ok=True)
            if wrong:
                (self.folder / "manifest.jsonl").write_text(wrong)
            self.assertIn(why, self.check(1)[1])
        self.back_up()
        self.check()

    def test_one_that_is_killed_can_be_begun_again(self):
        for number in range(30):
            self.serving.put_run(STREAM, "/v1/runs?stack=s%d" % number)
        random.seed(7)
        for number in range(KILLS):
            running = subprocess.Popen([TOFUD, "backup", str(self.folder), "--state-dir", self.serving.state_dir], env=self.env(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                running.wait(random.random() * 0.2)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()
            if (self.folder / "manifest.jsonl").exists():
                self.check()
            elif self.folder.exists():
                self.assertIn("did not come to its end", self.check(1)[1])
        self.back_up()
        self.assertIn("30 runs", self.check()[0])
        self.assertEqual([path.name for path in self.folder.rglob("*.unfinished")] + [path.name for path in self.folder.rglob("*.new")], [])
        self.assertIn("; copied now: 0\n", self.back_up()[0])

    def test_what_can_not_be_done_is_said(self):
        self.assertIn("there is no daemon whose runs", self.tofud("backup", self.home + "/x", "--state-dir", self.home + "/none", status=1)[1])
        blocked = pathlib.Path(self.home, "file")
        blocked.write_text("")
        self.assertIn("file", self.tofud("backup", str(blocked), "--state-dir", self.serving.state_dir, status=1)[1])
        self.assertIn("has no manifest.jsonl", self.tofud("reindex", "--check", self.home, status=1)[1])
        # What the daemon's user puts there leads to no other file: root takes the backup.
        secret = pathlib.Path(self.home, "secret")
        secret.mkdir()
        (secret / "key").write_text("private")
        run = pathlib.Path(self.serving.state_dir, "daemon/runs", self.serving.put_run())
        for name, make in (("attachments", lambda path: path.symlink_to(secret)), ("arrivals", lambda path: path.symlink_to(secret / "key")),
                           ("arrivals", lambda path: os.link(secret / "key", path)), ("arrivals", lambda path: os.mkfifo(path))):
            path = run / name
            if path.is_dir():
                shutil.rmtree(path)
            path.unlink(missing_ok=True)
            make(path)
            self.assertRegex(self.tofud("backup", str(self.folder), "--state-dir", self.serving.state_dir, status=1)[1], "can't be (opened|read): ")
            self.assertNotIn(b"private", b"".join(each.read_bytes() for each in self.folder.rglob("*") if each.is_file()))
            path.unlink()
        # Nothing is written where something else is, least of all over the daemon.
        run = self.serving.put_run()
        for folder in (self.home, self.serving.state_dir, self.serving.state_dir + "/daemon", self.serving.state_dir + "/daemon/runs"):
            before = sorted(path.name for path in pathlib.Path(folder).iterdir())
            self.assertIn("is not empty and has no manifest of a backup", self.tofud("backup", folder, "--state-dir", self.serving.state_dir, status=1)[1])
            self.assertEqual(sorted(path.name for path in pathlib.Path(folder).iterdir()), before)
        self.assertEqual(self.serving.status("GET", "/v1/runs/" + run), 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
