"""Several daemons that share their runs over a real nats-server, for the tests in this folder."""
import base64
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.parse

from binary import PATIENCE, TOFUD, EndToEnd, Running, curl, free_port, get, until


def nats_server_program():
    """Debian's, unless somebody names another one."""
    return os.environ.get("NATS_SERVER") or next(
        path for path in ("/usr/sbin/nats-server", "/usr/bin/nats-server", shutil.which("nats-server")) if path and os.path.exists(path))


class Nats:
    """One server with JetStream."""

    def __init__(self, case, more="", port=None):
        self.case, self.more = case, more
        self.port = port or free_port()
        self.room = os.path.join(case.home, "nats-%d" % self.port)
        os.makedirs(self.room, exist_ok=True)
        self.process = None
        case.addCleanup(self.kill)
        self.start()

    @property
    def url(self):
        return "nats://127.0.0.1:%d" % self.port

    def start(self):
        conf = os.path.join(self.room, "nats.conf")
        with open(conf, "w") as file:
            file.write('listen: "127.0.0.1:%d"\njetstream { store_dir: "%s" }\n%s' % (self.port, self.room, self.more))
        self.log = open(os.path.join(self.room, "log"), "ab")
        self.process = subprocess.Popen([nats_server_program(), "-c", conf], stdout=self.log, stderr=self.log)
        until(self.answers, "nats-server answers")

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            if self.process.poll() is not None:
                with open(os.path.join(self.room, "log")) as log:
                    raise AssertionError(log.read())
            return False

    def ask(self, subject, body=b""):
        """What is answered, by the protocol's text: https://docs.nats.io/reference/reference-protocols/nats-protocol"""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as wire, wire.makefile("rwb") as both:
            both.readline()
            both.write(b'CONNECT {"verbose":false}\r\nSUB answer 1\r\nPUB %s answer %d\r\n%s\r\n' % (subject.encode(), len(body), body))
            both.flush()
            for line in both:
                if line.startswith(b"MSG "):
                    return both.read(int(line.split()[-1]))
        return b""

    def records_of(self, run, cluster="tofud"):
        """(headers, size) of each record of a run, in order."""
        found, at = [], 0
        while True:
            wanted = json.dumps({"seq": at + 1, "next_by_subj": "%s.run.%s" % (cluster, run)}).encode()
            message = json.loads(self.ask("$JS.API.STREAM.MSG.GET.%s_runs" % cluster, wanted)).get("message")
            if message is None:
                return found
            at = message["seq"]
            headers = base64.b64decode(message.get("hdrs", "")).decode().split("\r\n")[1:]
            found.append((at, [each for each in headers if each], len(base64.b64decode(message.get("data", "")))))

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        if self.process:
            self.process.wait()
            self.log.close()
            self.process = None


class Wire:
    """A TCP proxy to one port: it can be cut, and be slow."""

    def __init__(self, case, to):
        self.to, self.is_cut, self.delay = to, False, 0.0
        self.pairs = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        case.addCleanup(self.close)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.cut()
        self.listener.close()

    def cut(self):
        self.is_cut = True
        for each in list(self.pairs):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def mend(self):
        self.is_cut = False

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.is_cut:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.to), 5)
            except OSError:
                near.close()
                continue
            self.pairs |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._copy, args=(one, other), daemon=True).start()

    def _copy(self, one, other):
        try:
            while True:
                data = one.recv(65536)
                if not data:
                    break
                if self.delay:
                    time.sleep(self.delay)
                other.sendall(data)
        except OSError:
            pass
        for each in (one, other):
            self.pairs.discard(each)
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()


class Member:
    """One daemon of a cluster; `nats` may be the port of a Wire."""

    def __init__(self, case, name, nats, *more, program=TOFUD, address="127.0.0.1", port=None, env=None):
        self.case, self.name, self.nats, self.more, self.program = case, name, nats, more, program
        self.address, self.port = address, port or free_port()
        self.state = os.path.join(case.home, "daemon-" + name)
        self.running, self.before, self.env = None, "", env or {}
        self.start()

    @property
    def url(self):
        return "http://%s:%d" % (self.address, self.port)

    def start(self):
        self.running = self.case.kept(Running(
            [self.program, "serve", "--listen", "%s:%d" % (self.address, self.port), "--socket", "", "--state-dir", self.state, "--cluster-nats", self.nats, *self.more],
            self.case.env(**self.env), stdin=subprocess.DEVNULL))
        line = self.running.out.next()
        self.case.assertIn(b" serves ", line or b"", self.running.err.got)
        return self

    def ready(self):
        until(self.is_ready, "daemon %s is ready" % self.name)
        return self

    def is_ready(self):
        try:
            return b"up to date with cluster" in b"".join(self.running.err.got) and get(self.url + "/readyz") is not None
        except OSError:
            return False

    def kill(self):
        self.running.process.kill()
        self.running.wait()
        self.before += self.said() + "--- killed\n"

    def said(self):
        return b"".join(self.running.err.got).decode()

    def views(self):
        return {row["key"]: row for row in json.loads(get(self.url + "/v1/runs?limit=500"))["runs"]}

    def stored(self, run):
        return get("%s/v1/runs/%s/stream.jsonl" % (self.url, run))


class Sender:
    """Sends one stream as a forwarder does, each request to any of the daemons."""

    def __init__(self, urls, stream, stack="net/prod", name=None, command="apply"):
        self.urls, self.stream, self.at, self.run, self.is_over = list(urls), stream, 0, None, False
        self.name = name or "%032x" % random.getrandbits(128)
        self.stack, self.command = stack, command
        self.events, self.next_event = [], 0  # (offset, fields)

    def event(self, **fields):
        """After all that was read so far. Somebody who has yet to hear of the last part may have sent the reader back, but not its events."""
        self.events.append((max([self.at] + [offset for offset, _ in self.events]), fields))

    def ask(self, method, path, body=b"", headers=None, url=None):
        """(status, headers, body); status 0: nobody answered."""
        netloc = urllib.parse.urlsplit(url or random.choice(self.urls)).netloc
        client = http.client.HTTPConnection(netloc, timeout=20)
        try:
            client.request(method, path, body, {"Upload-Secret": "s3cret-of-" + self.name, **(headers or {})})
            answer = client.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, {}, b""
        finally:
            client.close()

    def begin(self, url=None):
        wanted = {"upload_id": self.name, "upload_secret": "s3cret-of-" + self.name, "rules": "sha256:4a", "stack": self.stack, "labels": {}, "command": self.command}
        status, _, body = self.ask("POST", "/v1/runs", json.dumps(wanted).encode(), {"Content-Type": "application/json"}, url)
        if status in (200, 201):
            granted = json.loads(body)
            self.run, self.at = granted["run"], granted["offset"]
            self.next_event = 0
        return status

    def step(self, size, url=None):
        """One request; its status."""
        if self.run is None:
            return self.begin(url)
        if self.next_event < len(self.events) and self.events[self.next_event][0] <= self.at:
            offset, fields = self.events[self.next_event]
            status, _, body = self.ask("PUT", "/v1/runs/%s/events/%d" % (self.run, self.next_event + 1),
                                       json.dumps({"offset": offset, **fields}).encode(), url=url)
            if status == 204:
                self.next_event += 1
            return self.answered(status, {}, body, url)
        piece = self.stream[self.at:self.at + size]
        ends = self.at + len(piece) == len(self.stream)
        status, headers, body = self.ask("PATCH", "/v1/runs/%s/lines" % self.run, piece, {
            "Upload-Offset": str(self.at), "Upload-Complete": "?1" if ends else "?0", "Upload-Events": str(len(self.events)),
            "Content-Type": "application/partial-upload"}, url)
        if status == 204:
            self.at = int(headers["Upload-Offset"])
            self.is_over = ends and headers["Upload-Complete"] == "?1"
            return status
        return self.answered(status, headers, body, url)

    def answered(self, status, headers, body, url):
        if status == 404:
            self.run = None
        elif status == 409 and b'"busy"' not in body and b'"gap"' not in body and b'"complete"' not in body and b'"events"' not in body and b'"order"' not in body:
            raise AssertionError((status, body, self.run, self.at))
        elif status == 409:
            if b'"events"' in body or b'"order"' in body:
                self.next_event = 0
            there, headers, _ = self.ask("HEAD", "/v1/runs/%s/lines" % self.run, url=url)
            if there == 200:
                self.at = int(headers["Upload-Offset"])
                self.is_over = headers["Upload-Complete"] == "?1" and self.at == len(self.stream)
        return status

    def send_all(self, size=4096, patience=PATIENCE):
        end = time.monotonic() + patience
        while not self.is_over:
            if self.step(size) not in (200, 201, 204):
                time.sleep(0.05)
            if time.monotonic() > end:
                raise AssertionError("run %s stands at byte %d of %d" % (self.run, self.at, len(self.stream)))
        return self.run


def rows(url, run, since=None):
    """The lines of a run that have a number, as they are."""
    text = curl("%s/v1/stream?run=%s&end=close&kinds=resource,diagnostic,output,message,test_file,test_run,log,text%s" % (url, run, "&since=" + since if since else ""))
    return [line for line in text.splitlines() if json.loads(line).get("seq") is not None and json.loads(line)["kind"] != "at"]


def epoch(url, run):
    return json.loads(curl("%s/v1/stream?run=%s&end=close" % (url, run)).splitlines()[0])["epoch"]


class Clustered(EndToEnd):
    more = ()

    def setUp(self):
        super().setUp()
        self.nats = Nats(self)
        self.members = [Member(self, name, self.nats.url, *self.more) for name in "abc"]
        for each in self.members:
            each.ready()

    def urls(self):
        return [each.url for each in self.members]

    def everywhere(self, holds, what):
        """A condition on every daemon, in time."""
        for each in self.members:
            until(lambda each=each: holds(each), "%s at %s" % (what, each.name))
