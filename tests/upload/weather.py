"""Twenty forwarders that send recordings to a daemon, subscribers that follow them, and what goes wrong meanwhile."""
import json
import os
import threading
import time

from binary import PATIENCE, Follower, fold, recorded
from client import Forwarder, ask, seeded
from daemons import ALL, redacted, replayed_rows, without_views

# Runs that say different things, of 1 to 60 kilobytes; one run a stream.
SCENARIOS = ("apply-create-mixed", "apply-provider-errors", "apply-slow-progress", "chain-50", "destroy-mixed", "drift-apply",
             "emergency-state-dump", "import-blocks", "interrupted-sigint-once", "killed-sigkill-mid-apply", "large-300", "moved-blocks",
             "outputs-all-types", "plan-create-mixed", "provisioner-output-kinds", "provisioner-partial-lines", "replace-reasons",
             "test-fail-error-skip")


class Trap:
    """Kills the daemon at the moment it is set for."""

    def __init__(self):
        self._lock, self._moment, self._daemon = threading.Lock(), None, None
        self.sprung = threading.Event()

    def set(self, moment, daemon):
        with self._lock:
            self._moment, self._daemon = moment, daemon
            self.sprung.clear()

    def __call__(self, moment):
        with self._lock:
            if moment != self._moment:
                return
            self._moment = None
            self._daemon.process.kill()
            self.sprung.set()


class Sent:
    """A run that somebody sends, and the subscriber that follows it from its beginning."""

    def __init__(self, name, forwarder):
        self.name, self.forwarder, self.follower, self.following = name, forwarder, None, None

    @property
    def run(self):
        return self.forwarder.upload.run

    def follow(self, daemon):
        """Comes back as often as it is cut off, until the daemon says that the run is over."""
        self.follower = Follower("%sv1/stream?run=%s&kinds=%s&end=close" % (daemon.url, self.run, ALL))
        self.following = threading.Thread(target=self._follow, daemon=True)
        self.following.start()

    def _follow(self):
        """A daemon that is told to stop ends its answers too, perhaps between the exit status of a run and its end."""
        def over():
            view = self.follower.state["run"][self.run]
            return view["exit_status"] is not None and view["status"] != "running"
        while not (self.follower.visit() and over()):
            time.sleep(0.01)


class Crowd:
    """Forwarders that begin a new run when one is over, until they are told to come to an end."""

    def __init__(self, case, daemon, seed, count=20, seconds=6.0, broken=0.0):
        self.case, self.daemon, self.seconds, self.broken = case, daemon, seconds, broken
        self.chance, self.trap, self.sent, self.errors = seeded(seed), Trap(), [], []
        self.streams = {name: redacted(recorded(name), case.env()) if daemon.folds else recorded(name) for name in SCENARIOS}
        self.last = False
        self._threads = [threading.Thread(target=self._send, args=(number,), daemon=True) for number in range(count)]
        for thread in self._threads:
            thread.start()

    def _send(self, number):
        chance, turn = self.chance("forwarder %d" % number), 0
        try:
            while not self.last:
                turn += 1
                name = chance.choice(SCENARIOS)
                data = self.streams[name]
                pieces = chance.choice((5, 20, 60))
                label = {"offset": chance.randint(0, len(data)), "event": "label", "key": "n", "value": str(number)}
                forwarder = Forwarder(self.daemon.tcp if number % 2 else self.daemon.socket, data, chance, self.trap, pieces,
                                      self.seconds / pieces * chance.random(), self.broken, [label], stack="crowd/%d" % number)
                one = Sent(name, forwarder)
                self.sent.append(one)
                forwarder.start()
                while forwarder.upload.run is None and forwarder.is_alive():
                    time.sleep(0.005)
                if self.daemon.folds and forwarder.upload.run:
                    one.follow(self.daemon)
                forwarder.join()
                if forwarder.error:
                    raise AssertionError("the forwarder of %s (%s) stopped: %s" % (one.run, name, forwarder.error))
        except BaseException as error:
            self.errors.append(error)

    def healthy(self):
        self.case.assertEqual([str(error) for error in self.errors], [])

    def finish(self, patience=PATIENCE):
        """Lets all runs come to their end."""
        self.last = True
        end = time.monotonic() + patience + self.seconds
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        self.healthy()
        self.case.assertEqual([one.run for one in self.sent if not one.forwarder.done], [])
        for one in self.sent:
            if one.following:
                one.following.join(max(1.0, end - time.monotonic()))
                self.case.assertFalse(one.following.is_alive(), "the subscriber of %s is never told of its end" % one.run)

    def verify(self, resets=False):
        """Every journal is the redacted source; who dropped and came back has the rows of one who did not. `resets`: a daemon whose
        disk refused has shown lines that it had to be sent again after a restart."""
        case, daemon, expected = self.case, self.daemon, {}
        case.assertEqual(len({one.run for one in self.sent}), len(self.sent))
        for one in self.sent:
            data = one.forwarder.data
            with case.subTest(run=one.run, scenario=one.name):
                head = one.forwarder.upload.head()
                case.assertEqual((head.status, head.offset, head.headers.get("upload-complete")), (200, len(data), "?1"))
                case.assertEqual(one.forwarder.upload.stream().body, data)
                if not daemon.folds:
                    continue
                if one.name not in expected:
                    expected[one.name] = nameless(without_views(replayed_rows(case, "20260101T0000-0000", data, exit_status=0)))
                lines = ask(daemon.tcp, "GET", "/v1/stream?run=%s&kinds=%s&end=close" % (one.run, ALL)).body.splitlines()
                steady = fold(map(json.loads, lines))[0]
                view = steady["run"][one.run]
                case.assertEqual(view["exit_status"], 0)
                case.assertEqual(view["labels"], {"n": one.forwarder.events[0]["value"]})
                case.assertEqual(nameless(without_views(steady)), expected[one.name])
                if one.follower:
                    case.assertEqual(without_views(one.follower.state), without_views(steady))
                    case.assertEqual(steadily(one.follower.state["run"][one.run]), steadily(view))
                    case.assertTrue(resets or one.follower.resets == 0, one.follower.resets)

    def told(self):
        visits = [one.follower.visits for one in self.sent if one.follower]
        requests = sum(one.forwarder.requests for one in self.sent)
        return "%d runs, %d requests, %d visits of %d subscribers" % (len(self.sent), requests, sum(visits), len(visits))


def nameless(state):
    """Rows without the run they are of."""
    return {kind: {key: {name: value for name, value in row.items() if name != "run"} for key, row in rows.items()}
            for kind, rows in state.items()}


def steadily(view):
    """A run's view without what depends on the clock."""
    return {name: value for name, value in view.items() if name not in ("contact", "clock_offset_s")}


def seed_of_this_run():
    """TOFUD_SEED repeats what a failure told."""
    return os.environ.get("TOFUD_SEED") or str(time.time_ns())
