"""An upload client that can be told to misbehave, over TCP and Unix sockets, and a forwarder made of it.

An address is ("127.0.0.1", port) or the path of a socket. Nothing here is shared with tofud: it is written from the rules.
"""
import contextlib
import http.client
import json
import random
import secrets
import socket
import struct
import threading
import time

from binary import PATIENCE


def connect(address, timeout=PATIENCE):
    """A connected socket."""
    if isinstance(address, tuple):
        made = socket.create_connection(address, timeout)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        return made
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(timeout)
    try:
        made.connect(address)
    except OSError:
        made.close()
        raise
    return made


class Connection(http.client.HTTPConnection):
    """http.client over either kind of address."""

    def __init__(self, address, timeout=PATIENCE):
        super().__init__(address[0] if isinstance(address, tuple) else "localhost",
                         address[1] if isinstance(address, tuple) else None, timeout)
        self.address = address

    def connect(self):
        self.sock = connect(self.address, self.timeout)


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """What the body of an error calls it."""
        return self.json["code"] if self.body else None

    @property
    def offset(self):
        """Upload-Offset, or None."""
        return int(self.headers["upload-offset"]) if "upload-offset" in self.headers else None

    def __repr__(self):
        return "%d %r %r" % (self.status, self.headers, self.body[:300])


def ask(address, method, path, body=None, headers=(), connection=None):
    """One request and its answer. A body that is no bytes, text or None is sent in chunks, one each."""
    own = connection or Connection(address)
    try:
        try:
            own.request(method, path, body, dict(headers), encode_chunked=body is not None and not isinstance(body, (bytes, str)))
        except (BrokenPipeError, ConnectionResetError):  # refused before the end of the body: the answer may be there
            if own.sock is None:
                raise
            own._HTTPConnection__state = http.client._CS_REQ_SENT
        return Answer(own.getresponse())
    finally:
        if connection is None:
            own.close()


def head_of(method, path, headers):
    """The bytes of a request up to its body."""
    lines = ["%s %s HTTP/1.1" % (method, path), *("%s: %s" % field for field in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def broken_off(sock, how):
    """Ends a connection in the middle: with a reset (TCP only) or as if all had been said."""
    if how == "reset":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


class Upload:
    """One run as its forwarder sees it: who it is and how to ask for each step. Remembers nothing of what was sent."""

    def __init__(self, address, token=None, **told):
        self.address = address
        self.bearer = {"Authorization": "Bearer " + token} if token else {}
        self.run = None
        self.asked = {"protocol": "1.0", "upload_id": secrets.token_hex(16), "upload_secret": secrets.token_hex(32),
                      "rules": "sha256:" + "0" * 64, "stack": "test/stack", "labels": {}, "argv_command": "apply",
                      "started_at": "2026-11-21T05:00:00.000000Z", **told}

    def create(self, connection=None, **changed):
        answer = ask(self.address, "POST", "/v1/runs", json.dumps({**self.asked, **changed}),
                     {"Content-Type": "application/json", **self.bearer}, connection)
        if answer.status in (200, 201):
            self.run = answer.json["run"]
        return answer

    def path(self, rest="lines"):
        return "/v1/runs/%s/%s" % (self.run, rest)

    def secret(self):
        return {"Upload-Secret": self.asked["upload_secret"], **self.bearer}

    def head(self, connection=None):
        return ask(self.address, "HEAD", self.path(), headers=self.secret(), connection=connection)

    def patch(self, offset, data=b"", complete=False, connection=None, **headers):
        fields = {**self.secret(), "Upload-Offset": str(offset), **({"Upload-Complete": "?1"} if complete else {})}
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        return ask(self.address, "PATCH", self.path(), data, {k: v for k, v in fields.items() if v is not None}, connection)

    def event(self, number, event, connection=None, **headers):
        body = event if isinstance(event, bytes) else json.dumps(event).encode()
        return ask(self.address, "PUT", self.path("events/%s" % number), body, {**self.secret(), **headers}, connection)

    def begin_patch(self, offset, said, data, *more):
        """A socket on which a PATCH of `said` bytes has begun and `data` of it is sent."""
        sock = connect(self.address)
        sock.sendall(head_of("PATCH", self.path(), {"Host": "localhost", **self.secret(), "Upload-Offset": offset,
                                                    "Content-Length": said, **dict(more)}) + data)
        return sock

    def stream(self):
        """What the daemon has kept."""
        return ask(self.address, "GET", self.path("stream.jsonl"))


def answer_on(sock, method="PATCH"):
    """The answer that comes on a socket on which a request was written by hand."""
    response = http.client.HTTPResponse(sock, method=method)
    response.begin()
    return Answer(response)


class Stopped(Exception):
    """The daemon said what ends a forwarder for good."""


class Forwarder(threading.Thread):
    """Sends one stream through whatever happens to the daemon: rules 3 to 14 of the upload, as simply as they can be read.

    `moments` is told what is about to happen ("create", "patch" once half the body is out, "sent" when an answer is awaited,
    "event", "complete"), so that a test can kill the daemon there. `acknowledged` never goes back; a daemon that forgets what
    it acknowledged ends the thread with an error. `broken` makes the forwarder itself forget all but what it keeps beside its spool
    now and then, as one that was killed and resumed.
    """

    def __init__(self, address, data, chance, moments=lambda what: None, pieces=20, pause=0.0, broken=0.0, events=(), **told):
        super().__init__(daemon=True)
        self.address, self.data, self.chance, self.moments = address, data, chance, moments
        self.upload = Upload(address, **told)
        self.piece, self.pause, self.broken = max(1, len(data) // pieces), pause, broken
        self.events = [*events, {"offset": len(data), "event": "exit", "status": 0}]
        self.acknowledged, self.done, self.error = 0, False, None
        self.waits, self.requests = [], 0  # seconds from a PATCH to its acknowledgement
        self.connection = Connection(address)

    def run(self):
        try:
            self.forward()
            self.done = True
        except Exception as error:  # told to whoever joins
            self.error = error
        finally:
            self.connection.close()

    def forward(self):
        self.offset = self.begin()
        while True:
            if self.broken and self.chance.random() < self.broken:
                self.connection.close()
                self.sent_events = 0
                self.offset = self.where()
            while self.sent_events < len(self.events) and self.events[self.sent_events]["offset"] <= self.offset:
                self.send_event()
            complete = self.offset == len(self.data)
            some = self.data[self.offset:self.offset + self.chance.randint(1, 2 * self.piece)]
            if complete:
                self.moments("complete")
            began = time.monotonic()
            answer = self.tried(lambda: self.patch(some, complete))
            if answer is None:
                self.offset = self.where()
            elif answer.status == 204:
                self.waits.append(time.monotonic() - began)
                self.take(answer.offset)
                if complete:
                    return
            elif answer.status == 404:
                self.offset = self.begin()
            elif answer.status == 409 and answer.code in ("gap", "busy"):
                self.take(answer.offset)
            elif answer.status == 413:
                self.piece = max(1, self.piece // 2)
            elif answer.status in (429, 503, 507):
                time.sleep(0.05 + self.chance.random() * 0.1)
            else:
                raise Stopped("PATCH at %d: %r" % (self.offset, answer))
            if self.pause:
                time.sleep(self.chance.random() * 2 * self.pause)

    def send_event(self):
        self.moments("event")
        number = self.sent_events + 1
        answer = self.tried(lambda: self.upload.event(number, self.events[number - 1], self.connection))
        if answer is None:
            self.offset = self.where()
        elif answer.status == 204:
            self.sent_events = number
        elif answer.status == 404:
            self.offset = self.begin()
        elif answer.status in (429, 503, 507):
            time.sleep(0.05 + self.chance.random() * 0.1)
        else:
            raise Stopped("event %d: %r" % (number, answer))

    def take(self, offset):
        self.offset = offset
        if offset < self.acknowledged:
            raise Stopped("%d bytes were acknowledged, now there are %d" % (self.acknowledged, offset))
        if offset > len(self.data):
            raise Stopped("%d bytes are there, never sent more than %d" % (offset, len(self.data)))
        self.acknowledged = offset

    def begin(self):
        self.sent_events = 0  # a daemon that lost the run lost them too; any other takes them again
        while True:
            self.moments("create")
            answer = self.tried(lambda: self.upload.create(self.connection))
            if answer is not None and answer.status in (200, 201):
                self.take(answer.json["offset"])
                return self.offset
            if answer is not None and answer.status not in (429, 503, 507):
                raise Stopped("POST: %r" % answer)
            time.sleep(0.05 + self.chance.random() * 0.1)

    def where(self):
        """After what may have been stored: asks, until somebody answers."""
        while True:
            answer = self.tried(lambda: self.upload.head(self.connection))
            if answer is not None and answer.status == 200:
                self.take(answer.offset)
                return self.offset
            if answer is not None and answer.status == 404:
                return self.begin()
            if answer is not None and answer.status not in (429, 503, 507):
                raise Stopped("HEAD: %r" % answer)
            time.sleep(0.02 + self.chance.random() * 0.05)

    def tried(self, request):
        """The answer, or None where the connection went."""
        self.requests += 1
        try:
            return request()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            return None

    def patch(self, data, complete):
        """By hand, so that a moment lies in the middle of the body."""
        if self.connection.sock is None:
            self.connection.connect()
        sock = self.connection.sock
        fields = {"Host": "localhost", **self.upload.secret(), "Upload-Offset": self.offset, "Content-Length": len(data)}
        if complete:
            fields["Upload-Complete"] = "?1"
        half = len(data) // 2
        sock.sendall(head_of("PATCH", self.upload.path(), fields) + data[:half])
        self.moments("patch")
        sock.sendall(data[half:])
        self.moments("sent")
        answer = answer_on(sock)
        if answer.headers.get("connection", "").lower() == "close":
            self.connection.close()
        return answer


@contextlib.contextmanager
def together(*threads):
    """Started, and joined at the end."""
    for thread in threads:
        thread.start()
    yield threads
    for thread in threads:
        thread.join(PATIENCE)
        if thread.is_alive():
            raise AssertionError("%s does not end" % thread.name)


def seeded(seed):
    """Chance that can be repeated, one for each thread."""
    return lambda name: random.Random("%s/%s" % (seed, name))
