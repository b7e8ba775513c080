"""The two daemons that take uploads, started, killed and started again on the same port, socket and directory."""
import os
import pathlib
import re
import signal
import subprocess
import sys

from binary import PATIENCE, TOFUD, Lines, get, ndjson, sanitized, until
from faults import Faults

HERE = pathlib.Path(__file__).resolve().parent
REFERENCE = str(HERE / "reference_daemon.py")
ALL = "run,resource,diagnostic,output,message,test_file,test_run,log,text"


class Daemon:
    """One daemon of a test. `case` gives it a home and an environment, and ends it."""
    program = ()

    def __init__(self, case, *args, env=(), name="daemon"):
        self.case, self.args = case, args
        self.home = os.path.join(case.home, name)
        os.makedirs(self.home)
        self.state_dir, self.socket = os.path.join(self.home, "state"), os.path.join(self.home, "tofud.sock")
        self.env, self.port, self.process, self.lives, self.errors = case.env(**dict(env)), 0, None, 0, []
        case.addCleanup(self.end)
        self.start()

    def launch(self):
        """Starts it and does not wait until it listens."""
        argv = [*self.program, "--listen", "127.0.0.1:%d" % self.port, "--socket", self.socket, "--state-dir", self.state_dir, *self.args]
        self.process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env)
        self.out, self.err = Lines(self.process.stdout), Lines(self.process.stderr)
        self.lives += 1
        return self

    def wait(self):
        """Until it says where it listens."""
        line = self.out.next()
        if line is None:
            raise AssertionError("ended with %s before it listened: %r" % (self.process.wait(PATIENCE), self.err.all()[-3000:]))
        self.first_line = line.decode()
        found = re.search(r"serves http://127\.0\.0\.1:(\d+)/ ", self.first_line)
        if not found:
            raise AssertionError("does not say where it serves: " + self.first_line)
        self.port = int(found.group(1))
        return self

    def start(self):
        return self.launch().wait()

    def start_with_faults(self):
        """Kills it and starts it again on a disk and a clock that the test breaks by what is returned, and so from then on."""
        self.kill()
        faults = Faults(self.home, self.state_dir)
        self.case.addCleanup(faults.close)
        self.env.update(faults.env)
        self.start()
        return faults

    def kill(self, number=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self.errors.append(self.err.all())
        return status

    def end(self):
        if self.process is not None and self.process.poll() is None:
            self.kill()

    @property
    def tcp(self):
        return ("127.0.0.1", self.port)

    @property
    def url(self):
        return "http://127.0.0.1:%d/" % self.port

    def resident(self):
        """Bytes of memory."""
        pages = int(pathlib.Path("/proc/%d/statm" % self.process.pid).read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


class Reference(Daemon):
    """Keeps bytes and acknowledges them; no rows."""
    program = (sys.executable, REFERENCE)
    folds = False

    def redacted(self, data):
        """What its journal holds of a stream that came without a forwarder."""
        return data


class Tofud(Daemon):
    program = (TOFUD, "serve")
    folds = True

    def redacted(self, data):
        return redacted(data, self.env)

    def rows(self, run, kinds=ALL):
        """state[kind][key] of a subscriber who comes when the run is over."""
        state = {}
        for line in ndjson("%sv1/stream?run=%s&kinds=%s&end=close" % (self.url, run, kinds)):
            if line["kind"] not in ("hello", "at", "heartbeat"):
                state.setdefault(line["kind"], {})[line["key"]] = line
        return state

    def document(self, run):
        return get("%sv1/runs/%s" % (self.url, run))


def redacted(data, env, *rules):
    """The stream as a forwarder would send it from here."""
    return subprocess.run([TOFUD, "redact", *rules], input=data, capture_output=True, env=env, timeout=PATIENCE, check=True).stdout


def replayed_rows(case, run, data, exit_status=None):
    """state[kind][key] of `tofud replay --rows` of these bytes, as those of the run."""
    path = pathlib.Path(case.home, run + ".jsonl")
    path.write_bytes(data)
    if exit_status is not None:
        path.with_suffix(".events").write_text(
            '{"offset":0,"event":"begin","id":"%s","stack":null,"labels":{},"command":null}\n'
            '{"offset":%d,"event":"exit_status","status":%d}\n{"offset":%d,"event":"end"}\n' % (run, len(data), exit_status, len(data)))
    return case.rows(path)


def without_views(state):
    """Rows and lines: what is a fold of the bytes and nothing else. Runs in a stream of several are named after the first."""
    return {kind: rows for kind, rows in state.items() if kind not in ("run", "forecast")}


def listens(address):
    """Whether somebody is there."""
    from client import connect
    try:
        connect(address).close()
        return True
    except OSError:
        return False


__all__ = ["ALL", "Daemon", "Reference", "Tofud", "listens", "redacted", "replayed_rows", "sanitized", "until", "without_views"]
