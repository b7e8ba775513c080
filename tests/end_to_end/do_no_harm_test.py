#!/usr/bin/python3
"""Whatever happens to tofud, the program at the other end of the pipe does not notice.

TOFUD_KILLS says how many workers are killed at random moments (default 12; the full run takes 200).
"""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, Follower, Running, alive, children, ignores, recorded, until

KILLS = int(os.environ.get("TOFUD_KILLS", "12"))
RESTARTS = 3
PRODUCER = str(ROOT / "tests/end_to_end/producer.py")
ALL = "run,resource,diagnostic,output,message,log,text"


def synthetic(resources, *more):
    """An apply of any size."""
    return subprocess.run([sys.executable, str(ROOT / "tests/tools/gen_stream.py"), "--resources", str(resources), *more],
                          capture_output=True, check=True).stdout


def is_worker(pid):
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as words:
            return b"worker-of-the-pipe" in words.read().split(b"\0")
    except OSError:
        return False


class Kept:
    """producer | tofud, as one job of a shell."""

    def __init__(self, test, data, *args, piece=4096, pause=0.002, hold=0, state_dir=None, env=None, stdout=subprocess.PIPE,
                 listen=True, preexec=None):
        self.test, self.data = test, data
        number = len(os.listdir(test.home))
        stream = os.path.join(test.home, "stream-%d" % number)
        self.report = os.path.join(test.home, "report-%d" % number)
        self.state_dir = state_dir or os.path.join(test.home, "state-%d" % number)
        with open(stream, "wb") as file:
            file.write(data)
        reading, writing = os.pipe()
        env = env or test.env()
        # It leads the group of both: a signal to the group is one that a terminal sends to the job.
        self.producer = subprocess.Popen([sys.executable, PRODUCER, stream, self.report, str(piece), str(pause), str(hold)],
                                         stdout=writing, env=env, process_group=0)
        test.addCleanup(self.producer.wait)
        test.addCleanup(self.producer.kill)
        until(lambda: ignores(self.producer.pid, signal.SIGQUIT), "the producer")
        argv = [TOFUD, "--state-dir", self.state_dir, *args, *(["--listen", "127.0.0.1:0"] if listen else ["--no-listen"])]
        self.tofud = test.kept(Running(argv, env, stdin=reading, stdout=stdout, process_group=self.producer.pid,
                                       preexec_fn=preexec))
        os.close(reading)
        os.close(writing)

    def send(self, number):
        os.killpg(self.producer.pid, number)

    def pid(self):
        return self.tofud.process.pid

    def workers(self):
        # A leak checker has children of its own at the end.
        return [pid for pid in children(self.pid()) if alive(pid) and is_worker(pid)]

    def kill_worker(self, number=signal.SIGKILL):
        for worker in self.workers():
            try:
                os.kill(worker, number)
                if number == signal.SIGKILL:
                    until(lambda: not alive(worker), "its end")
                return True
            except ProcessLookupError:
                pass
        return False

    def held(self):
        """All but the part that is held back has been written."""
        until(lambda: os.path.exists(self.report) or self.producer.poll() is not None, "the producer's end")

    def go(self):
        with open(self.report + ".go", "w"):
            pass

    def producer_is_unharmed(self):
        self.test.assertEqual(self.producer.wait(PATIENCE), 7)
        with open(self.report) as file:
            self.test.assertEqual(json.load(file), {"bytes": len(self.data), "EAGAIN": 0, "EPIPE": 0})

    def spool(self):
        names = [name for name in os.listdir(self.state_dir) if name.endswith(".jsonl")]
        self.test.assertEqual(len(names), 1)
        return os.path.join(self.state_dir, names[0])

    def spool_is_complete(self):
        with open(self.spool(), "rb") as file:
            self.test.assertTrue(file.read() == self.data, "the spool holds every byte")

    def events_are_complete(self, stack):
        with open(self.spool().replace(".jsonl", ".events")) as file:
            events = [json.loads(line) for line in file]
        self.test.assertEqual([(event["offset"], event["stack"]) for event in events if event["event"] == "begin"], [(0, stack)])
        self.test.assertEqual((events[0]["event"], events[-1]), ("begin", {"offset": len(self.data), "event": "end"}))

    def ends_with(self, status):
        self.producer_is_unharmed()
        self.test.assertEqual(self.tofud.wait(), status, self.tofud.err.all())


class DoNoHarm(EndToEnd):
    def setUp(self):
        super().setUp()
        self.seed = random.randrange(1 << 32)
        self.chance = random.Random(self.seed)

    def assert_state_is_that_of_the_spool(self, follower, kept):
        expected = self.rows(kept.spool())
        self.assertEqual(set(follower.state), set(expected), self.seed)
        for kind in expected:
            self.assertEqual(follower.state[kind], expected[kind], (kind, self.seed))

    def prints_what_its_spool_prints(self, kept, killed):
        """Of a run that lost workers. One that dies between writing some lines and counting them has them written again, the one
        with the address as any other: said twice is better than never."""
        printed = kept.tofud.out.all().decode().split("\n")[:-1]
        self.assertTrue(printed[-1].startswith("kept: "))
        self.assertIn(kept.tofud.url, printed[0])
        del printed[-1]
        replayed = subprocess.run([TOFUD, "replay", kept.spool(), "--no-listen", "--speed", "max"], capture_output=True,
                                  env=self.env(), timeout=PATIENCE).stdout.decode().split("\n")[1:-1]
        replayed.insert(0, printed[0])
        repeated, place = 0, 0
        while printed[place:place + 1] and repeated <= killed:
            if printed[place] == replayed[min(place, len(replayed) - 1)]:
                place += 1
                continue
            sizes = [size for size in range(1, place + 1) if printed[place:place + size] == printed[place - size:place]]
            if not sizes:
                break
            del printed[place:place + sizes[0]]
            repeated += 1
        self.assertEqual(printed, replayed, (killed, self.seed))
        self.assertLessEqual(repeated, killed, self.seed)

    def test_a_worker_killed_at_any_moment_costs_nothing(self):
        streams = [recorded("apply-create-mixed"), recorded("provisioner-output-kinds"), recorded("large-300"),
                   synthetic(1200, "--provision-lines", "2")]
        done = 0
        while done < KILLS:
            data = self.chance.choice(streams)
            tail = data[-800:].index(b"\n") + 1
            kept = Kept(self, data, "--heartbeat", "0", "--stack", "net", piece=max(256, len(data) // 250), hold=800 - tail)
            url = kept.tofud.wait_for_url()
            follower = Follower(url + "v1/stream?run=latest&kinds=" + ALL)
            following = threading.Thread(target=follower.follow, args=(lambda: kept.tofud.process.poll() is not None,))
            following.start()
            killed = 0
            for _ in range(self.chance.randint(1, RESTARTS)):
                time.sleep(self.chance.random() * 0.3)
                killed += kept.kill_worker()
            kept.held()
            # Who comes back only after the end of the stream finds nobody: let the follower in first.
            until(follower.connected, "the follower is back")
            kept.go()
            kept.ends_with(0)
            kept.spool_is_complete()
            kept.events_are_complete("net")
            following.join(PATIENCE)
            self.assert_state_is_that_of_the_spool(follower, kept)
            self.prints_what_its_spool_prints(kept, killed)
            self.assertEqual(follower.resets, 0, self.seed)
            done += max(killed, 1)

    def test_a_worker_that_is_killed_repeatedly_is_replaced_and_the_status_is_right(self):
        data = recorded("apply-provider-errors")
        kept = Kept(self, data, hold=500)
        killed = set()
        while len(killed) <= RESTARTS:
            for pid in until(lambda: set(kept.workers()) - killed, "a worker"):
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
        kept.held()
        time.sleep(0.3)
        self.assertEqual(kept.workers(), [])
        kept.go()
        kept.ends_with(1)
        kept.spool_is_complete()
        self.assertIn(b"not restarted", kept.tofud.err.all())

    def test_a_worker_killed_when_the_stream_is_over_is_replaced_by_one_that_finds_the_status(self):
        for name, status in (("apply-slow-progress", 0), ("apply-provider-errors", 1)):
            kept = Kept(self, recorded(name), pause=0, hold=10)
            kept.tofud.wait_for_url()
            kept.held()
            kept.kill_worker(signal.SIGSTOP)
            kept.go()
            kept.producer.wait(PATIENCE)
            kept.kill_worker()
            kept.ends_with(status)
            kept.spool_is_complete()

    def test_a_worker_killed_just_before_the_end_is_replaced_by_one_that_shows_it(self):
        kept = Kept(self, recorded("apply-provider-errors"), "--heartbeat", "0", hold=500)
        kept.tofud.wait_for_url()
        kept.held()
        victim = kept.workers()[0]
        os.kill(victim, signal.SIGKILL)
        until(lambda: victim not in children(kept.pid()), "the keeper has noticed")
        kept.go()
        kept.ends_with(1)
        self.prints_what_its_spool_prints(kept, 1)

    def test_when_no_worker_lives_long_enough_the_status_is_1_and_tofud_is_named_as_the_cause(self):
        # So long that no worker is through before it is seen.
        kept = Kept(self, synthetic(8000), listen=False, piece=16384)
        while kept.tofud.process.poll() is None:
            kept.kill_worker()
        kept.ends_with(1)
        kept.spool_is_complete()
        self.assertIn(b"tofud failed, not tofu", kept.tofud.err.all())

    def test_a_stopped_worker_does_not_stop_tofu_and_goes_on_at_the_end(self):
        kept = Kept(self, synthetic(2000), hold=100)
        kept.tofud.wait_for_url()
        time.sleep(self.chance.random() * 0.2)
        kept.kill_worker(signal.SIGSTOP)
        kept.held()
        kept.go()
        kept.ends_with(0)
        kept.spool_is_complete()

    def test_signals_to_the_whole_group_end_nothing(self):
        kept = Kept(self, recorded("large-300"), piece=1024)
        kept.tofud.wait_for_url()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT, signal.SIGINT):
            time.sleep(self.chance.random() * 0.05)
            kept.send(number)
        kept.ends_with(0)
        kept.spool_is_complete()
        self.assertEqual(kept.tofud.err.all(), b"")

    def test_signals_in_the_first_moments_end_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            kept = Kept(self, recorded("plan-noop", "norefresh"), listen=False)
            until(lambda: ignores(kept.pid(), number), "its first instruction")
            for _ in range(20):
                kept.send(number)
                time.sleep(0.001)
            kept.ends_with(0)
            kept.spool_is_complete()

    def test_a_full_disk_stops_the_storing_and_nothing_else(self):
        data = synthetic(3000) + recorded("apply-provider-errors")
        disk = self.small_disk(1 << 20)
        kept = Kept(self, data, state_dir=disk, hold=len(recorded("apply-provider-errors")) // 2)
        url = kept.tofud.wait_for_url()
        follower = Follower(url + "v1/stream?run=latest")
        following = threading.Thread(target=follower.follow, args=(lambda: True,))
        following.start()
        kept.held()
        kept.go()
        kept.ends_with(1)
        self.stored_up_to_what_it_said(kept)
        following.join(PATIENCE)

    def stored_up_to_what_it_said(self, kept):
        words = kept.tofud.err.all().decode()
        self.assertRegex(words, "the stream is no longer stored from byte [0-9]+ on")
        offset = int(words.partition("no longer stored from byte ")[2].split()[0])
        self.assertGreater(offset, 0)
        with open(kept.spool(), "rb") as file:
            self.assertTrue(file.read() == kept.data[:offset], "the spool holds what came before byte %d" % offset)
        self.assertEqual(words.count("no longer stored from byte"), 1)

    def small_disk(self, size):
        """A file system of its own, in a mount namespace that ends with the test."""
        place = os.path.join(self.home, "disk")
        os.mkdir(place)
        for how in (["unshare", "-m"], ["unshare", "-rm"]):
            holder = subprocess.Popen([*how, "sh", "-c", 'mount -t tmpfs -o size=%d none "$0" && echo mounted && exec sleep 1000' % size,
                                       place], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.addCleanup(holder.stdout.close)
            self.addCleanup(holder.wait)
            self.addCleanup(holder.kill)
            inside = "/proc/%d/root%s" % (holder.pid, place)
            if holder.stdout.readline() == b"mounted\n" and os.access(inside, os.W_OK):
                return inside
        self.skipTest("no mount namespace may be made here")

    def test_a_file_size_limit_stops_the_storing_and_nothing_else(self):
        data = synthetic(3000) + recorded("apply-provider-errors")
        limit = 1 << 20
        kept = Kept(self, data, preexec=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        kept.ends_with(1)
        self.stored_up_to_what_it_said(kept)

    def test_without_a_place_for_the_spool_it_is_kept_in_memory(self):
        nowhere = self.env(HOME="/proc/no", TMPDIR="/proc/no", XDG_STATE_HOME="/proc/no", STATE_DIRECTORY="/proc/no")
        for args, said in ((["--state-dir", "/proc/no/state"], True), ([], True)):
            kept = Kept(self, recorded("apply-provider-errors"), state_dir="/proc/no/state", env=nowhere, hold=10)
            url = kept.tofud.wait_for_url()
            follower = Follower(url + "v1/stream?run=latest")
            following = threading.Thread(target=follower.follow, args=(lambda: True,))
            following.start()
            kept.kill_worker()
            kept.held()
            kept.go()
            kept.ends_with(1)
            following.join(PATIENCE)
            self.assertIn(b"stored in memory", kept.tofud.err.all())
            self.assertNotIn(b"kept: ", kept.tofud.out.all())

    def test_a_directory_that_cannot_be_written_is_skipped(self):
        file = os.path.join(self.home, "file")
        with open(file, "w"):
            pass
        self.state_dir = file
        status, out, err = self.run_through(recorded("apply-slow-progress"))
        self.assertEqual(status, 0)
        self.assertIn(file.encode(), err)
        self.assertIn(b"kept: " + self.home.encode() + b"/.local/state/tofud/", out)

    def test_garbage_is_stored_and_shown_and_does_no_harm(self):
        noise = self.chance.randbytes(600_000)
        version = recorded("plan-noop", "norefresh").splitlines(keepends=True)[0]
        for name, data in (
                ("random bytes", noise),
                ("random bytes in an apply", recorded("apply-slow-progress")[:9000] + noise + recorded("apply-slow-progress")[9000:]),
                ("a line of 10 MB", version + b'{"@level":"info","@module":"tofu.ui","x":"' + b"a" * 10_000_000 + b'"}\n'),
                ("a text line of 10 MB", b"b" * 10_000_000),
                ("NULs", version + b"\0" * 100_000 + b"\n" + b"{\0}\n" * 1000),
                ("brackets", version + b"[" * 200_000 + b"\n" + b'{"a":' * 100_000 + b"\n" + b'{"@level":"info","@module":"tofu.ui","type":"log","x":' + b"[" * 100_000 + b"\n"),
                ("half messages", b"".join(line[:self.chance.randrange(len(line))] + b"\n" for line in recorded("large-300").splitlines())),
                ("mangled messages", bytes(self.chance.randrange(256) if self.chance.random() < 0.002 else byte for byte in recorded("apply-create-mixed"))),
                ("empty lines", b"\n" * 1_000 + b"\r\n" * 100)):
            with self.subTest(name, seed=self.seed):
                kept = Kept(self, data, piece=64 * 1024, pause=0.02, hold=10)
                url = kept.tofud.wait_for_url()
                follower = Follower(url + "v1/stream?run=latest&kinds=" + ALL)
                following = threading.Thread(target=follower.follow, args=(lambda: kept.tofud.process.poll() is not None,))
                following.start()
                kept.held()
                until(follower.connected, "the follower has the rows")
                kept.go()
                kept.producer_is_unharmed()
                self.assertIn(kept.tofud.wait(), (0, 1, 3))
                following.join(PATIENCE)
                kept.spool_is_complete()
                self.assertEqual(kept.tofud.err.all(), b"")
                self.assert_state_is_that_of_the_spool_if_one_run(follower, kept)

    def assert_state_is_that_of_the_spool_if_one_run(self, follower, kept):
        if len(self.rows(kept.spool())["run"]) == 1:
            self.assert_state_is_that_of_the_spool(follower, kept)

    def test_a_stuck_stdout_does_not_stop_tofu(self):
        reading, writing = os.pipe()
        kept = Kept(self, synthetic(3000), stdout=writing, listen=False)
        os.close(writing)
        kept.producer_is_unharmed()
        kept.spool_is_complete()
        with os.fdopen(reading, "rb") as late:
            out = late.read()
        self.assertEqual(kept.tofud.wait(), 0)
        self.assertIn(b"apply succeeded", out)

    def test_a_producer_that_dies_is_a_failed_run(self):
        kept = Kept(self, synthetic(1000), pause=0.01)
        kept.tofud.wait_for_url()
        kept.producer.kill()
        self.assertEqual(kept.tofud.wait(), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
