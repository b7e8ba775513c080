#!/usr/bin/python3
"""The server's side of an upload, a second time: small, slow, written from the rules and not from `tofud serve`.

The conformance test drives both, so that a rule which only one of them can read that way is found. It keeps bytes and
acknowledges them; it folds nothing, redacts nothing and serves no subscribers.

    reference_daemon.py [--listen ADDR:PORT] [--socket PATH] [--max-runs N] --state-dir DIR

A run is a directory: run.json (what was asked at its creation), stream.jsonl (the bytes), uploaded.jsonl (the events as
they came, one a line), complete (there when the stream is). All of it is on disk before it is acknowledged.
"""
import argparse
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import socketserver
import sys
import threading
import time
import urllib.parse

MAX_PATCH = 1 << 20
MAX_DOCUMENT = 64 << 10
KEEPALIVE_S = 15
BUSY_S = 5.0
REQUEST_LINE = re.compile(rb"(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /")


class Refusal(Exception):
    """An answer that is an error."""

    def __init__(self, status, code, message, headers=(), **more):
        super().__init__(message)
        self.status, self.headers, self.body = status, dict(headers), {"code": code, "message": message, **more}


def conflict(code, message, headers=(), **more):
    return Refusal(409, code, message, headers, **more)


def sync_directory(path):
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path, data):
    """The file has all of it or is as it was, also after a crash."""
    beside = path.with_suffix(".new")
    with open(beside, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.rename(beside, path)
    sync_directory(path.parent)


class Run:
    """One run; `lock` is held by the request that is at its bytes."""

    def __init__(self, directory):
        self.directory, self.id = directory, directory.name
        self.created = json.loads((directory / "run.json").read_bytes())
        self.lock = threading.Lock()
        self.complete = (directory / "complete").exists()
        self.stream = open(directory / "stream.jsonl", "r+b", buffering=0)
        self.size = os.fstat(self.stream.fileno()).st_size
        self.events = []
        try:
            whole, _, torn = (directory / "uploaded.jsonl").read_bytes().rpartition(b"\n")
        except FileNotFoundError:
            whole, torn = b"", b""
        if whole:
            self.events = [bytes.fromhex(line.decode()) for line in whole.split(b"\n")]
        if torn:
            os.truncate(directory / "uploaded.jsonl", len(whole) + 1 if whole else 0)

    def part(self, begin, end):
        return os.pread(self.stream.fileno(), end - begin, begin)

    def store(self, data):
        """Appends and syncs; where the disk refuses, the journal is as it was."""
        if not data:
            return
        try:
            view, at = memoryview(data), self.size
            while view:
                written = os.pwrite(self.stream.fileno(), view, at)
                view, at = view[written:], at + written
            os.fdatasync(self.stream.fileno())
        except OSError as error:
            os.ftruncate(self.stream.fileno(), self.size)
            raise Refusal(507, "disk", "the disk refused: " + os.strerror(error.errno), {"Retry-After": "1"})
        self.size = at

    def finish(self):
        if not self.complete:
            try:
                write_whole(self.directory / "complete", b"")
            except OSError as error:
                raise Refusal(507, "disk", "the disk refused: " + os.strerror(error.errno), {"Retry-After": "1"})
            self.complete = True

    def append_event(self, body):
        path = self.directory / "uploaded.jsonl"
        try:
            before = path.stat().st_size if path.exists() else 0
            with open(path, "ab") as file:
                file.write(body.hex().encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if path.exists():
                os.truncate(path, before)
            raise Refusal(507, "disk", "the disk refused: " + os.strerror(error.errno), {"Retry-After": "1"})
        self.events.append(body)


class Store:
    """All runs of a directory. A removed one leaves its upload_id behind, so that it is not sent again."""

    def __init__(self, directory, max_runs):
        self.directory, self.max_runs = pathlib.Path(directory), max_runs
        self.directory.mkdir(parents=True, exist_ok=True)
        self.lock = threading.Lock()
        self.runs, self.uploads = {}, {}
        for path in sorted(self.directory.iterdir()):
            if (path / "run.json").exists():
                self.add(Run(path))
            elif path.is_dir():
                shutil.rmtree(path)  # its creation was never acknowledged
        gone = self.directory / "removed.json"
        self.removed = json.loads(gone.read_bytes()) if gone.exists() else {}  # run id: upload id or null

    def add(self, run):
        self.runs[run.id] = run
        if run.created["upload_id"]:
            self.uploads[run.created["upload_id"]] = run

    def of_id(self, run_id):
        with self.lock:
            if run_id in self.removed:
                raise Refusal(410, "removed", "run %s was removed" % run_id)
            if run_id not in self.runs:
                raise Refusal(404, "unknown", "no run " + run_id)
            return self.runs[run_id]

    def create(self, asked):
        """The run of an upload; (run, whether it is new)."""
        with self.lock:
            upload_id = asked["upload_id"]
            if upload_id and upload_id in self.removed.values():
                raise Refusal(410, "removed", "the run of this upload was removed")
            if upload_id in self.uploads:
                run = self.uploads[upload_id]
                if not hmac.compare_digest(run.created["secret_sha256"], asked["secret_sha256"]):
                    raise conflict("conflict", "this upload_id is known with another secret")
                if run.created["rules"] != asked["rules"]:
                    raise conflict("conflict", "this upload_id is known with other rules")
                return run, False
            if sum(not run.complete for run in self.runs.values()) >= self.max_runs:
                raise Refusal(429, "runs", "%d runs are live, that is all there is room for" % self.max_runs,
                              {"Retry-After": "1"})
            run_id = asked["id"]
            while not run_id or run_id in self.runs or run_id in self.removed:
                run_id = time.strftime("%Y%m%dT%H%M-", time.gmtime()) + secrets.token_hex(2)
            directory = self.directory / run_id
            try:
                directory.mkdir()
                (directory / "stream.jsonl").touch()
                write_whole(directory / "run.json", json.dumps(asked).encode())
                sync_directory(self.directory)
            except OSError as error:
                shutil.rmtree(directory, ignore_errors=True)
                raise Refusal(507, "disk", "the disk refused: " + os.strerror(error.errno), {"Retry-After": "1"})
            run = Run(directory)
            self.add(run)
            return run, True

    def remove(self, run):
        with self.lock:  # whoever is at its bytes finds that they are gone
            self.removed[run.id] = run.created["upload_id"]
            write_whole(self.directory / "removed.json", json.dumps(self.removed).encode())
            self.runs.pop(run.id, None)
            self.uploads.pop(run.created["upload_id"], None)
            shutil.rmtree(run.directory)


def checked_creation(asked):
    """The body of POST /v1/runs, with what was left out. The secret itself is not kept."""
    if not isinstance(asked, dict):
        raise Refusal(400, "bad", "the body is not a JSON object")
    for name in ("upload_id", "upload_secret", "rules", "protocol"):
        if not isinstance(asked.get(name), str) or not asked[name]:
            raise Refusal(400, "bad", "`%s` is missing or no text" % name)
    if not asked["protocol"].startswith("1."):
        raise Refusal(400, "bad", "protocol %s is not supported" % asked["protocol"])
    run_id = asked.get("id")
    known = isinstance(run_id, str) and re.fullmatch(r"\d{8}T\d{4}-[0-9a-f]{4,}(\.\d+)?", run_id)
    return {"upload_id": asked["upload_id"], "rules": asked["rules"], "id": run_id if known else None,
            "secret_sha256": hashlib.sha256(asked["upload_secret"].encode()).hexdigest(),
            "stack": asked.get("stack"), "labels": asked.get("labels", {}), "command": asked.get("argv_command")}


class Session(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60  # seconds in which nothing comes end a connection
    routes = [(re.compile(pattern + "$"), methods) for pattern, methods in (
        (r"/v1/runs", {"POST": "create", "PUT": "put_whole"}),
        (r"/v1/runs/([^/]+)", {"GET": "show", "DELETE": "remove"}),
        (r"/v1/runs/([^/]+)/lines", {"HEAD": "head_lines", "PATCH": "patch_lines"}),
        (r"/v1/runs/([^/]+)/events/([^/]+)", {"PUT": "put_event"}),
        (r"/v1/runs/([^/]+)/stream\.jsonl", {"GET": "get_stream"}),
        (r"/v1/runs/([^/]+)/events\.jsonl", {"GET": "get_events"}),
        (r"/healthz", {"GET": "health"}),
        (r"/readyz", {"GET": "health"}))]

    @property
    def store(self):
        return self.server.store

    def setup(self):
        super().setup()
        if self.connection.family == socket.AF_INET:
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)

    def log_message(self, *_):
        pass

    def handle(self):
        if self.connection.family == socket.AF_UNIX and not self.begins_as_http():
            self.raw_stream()
            return
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            pass

    def route(self):
        self.asked = urllib.parse.urlsplit(self.path)
        self.left = None  # of the body: bytes, or None for chunks
        self.over, self.body = True, None  # whether the body was read; what reads it
        try:
            if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
                self.over = False
            else:
                self.left = int(self.headers.get("Content-Length", 0))
                self.over = self.left == 0
            if "Host" not in self.headers:
                raise Refusal(400, "bad", "no Host header")
            for pattern, methods in self.routes:
                found = pattern.match(self.asked.path)
                if found and self.command in methods:
                    getattr(self, methods[self.command])(*found.groups())
                    return
                if found:
                    raise Refusal(405, "method", self.command + " is not done here", {"Allow": ", ".join(sorted(methods))})
            raise Refusal(404, "unknown", "nothing at " + self.asked.path)
        except Refusal as refusal:
            self.rest_of_body()
            self.answer(refusal.status, refusal.body, refusal.headers)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = route

    # ---- bodies and answers

    def pieces(self):
        """The body as it comes, and what is left of it if asked again. ConnectionError: it broke off."""
        if self.body is None:
            self.body = self.read_body()
        return self.body

    def read_body(self):
        while not self.over:
            if self.left is None:
                size = int(self.rfile.readline(100).partition(b";")[0] or b"x", 16)
                for some in self.counted(size):
                    yield some
                if size == 0:
                    while self.rfile.readline(1000).strip():
                        pass
                    self.over = True
                elif self.rfile.read(2) != b"\r\n":
                    raise ConnectionError("the chunk does not end")
            else:
                yield from self.counted(self.left)
                self.over = True

    def counted(self, size):
        while size:
            some = self.rfile.read1(min(size, 65536))
            if not some:
                raise ConnectionError("the body broke off")
            size -= len(some)
            yield some

    def rest_of_body(self):
        """So that who sends a body that is refused reads the answer and not a reset."""
        try:
            for _ in self.pieces():
                pass
        except (ConnectionError, ValueError):
            self.close_connection = True

    def whole_body(self, most):
        gathered = b""
        for some in self.pieces():
            gathered += some
            if len(gathered) > most:
                raise Refusal(413, "too_long", "at most %d bytes" % most)
        return gathered

    def document(self):
        try:
            return json.loads(self.whole_body(MAX_DOCUMENT))
        except (ValueError, RecursionError):
            raise Refusal(400, "bad", "the body is no JSON")

    def answer(self, status, body=None, headers=()):
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode() + b"\n"
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, str(value))
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD" and status != 204:
            self.wfile.write(data)

    # ---- the upload

    def create(self):
        asked = checked_creation(self.document())
        run, new = self.store.create(asked)
        self.answer(201 if new else 200, {"run": run.id, "offset": run.size, "max_patch": MAX_PATCH,
                                          "keepalive_s": KEEPALIVE_S, "url": None})

    def allowed(self, run_id):
        run = self.store.of_id(run_id)
        given = hashlib.sha256(self.headers.get("Upload-Secret", "").encode()).hexdigest()
        if not hmac.compare_digest(given, run.created["secret_sha256"] or ""):
            raise Refusal(401, "secret", "`Upload-Secret` is missing or wrong")
        return run

    @staticmethod
    def where(run):
        return {"Upload-Offset": run.size, "Upload-Complete": "?1" if run.complete else "?0", "Cache-Control": "no-store"}

    def head_lines(self, run_id):
        self.answer(200, headers=self.where(self.allowed(run_id)))

    def patch_lines(self, run_id):
        run = self.allowed(run_id)
        offset = self.headers.get("Upload-Offset", "")
        if not re.fullmatch(r"\d{1,18}", offset):
            raise Refusal(400, "bad", "`Upload-Offset` is missing or no number")
        ends = self.headers.get("Upload-Complete", "?0").strip()
        if ends not in ("?0", "?1"):
            raise Refusal(400, "bad", "`Upload-Complete` is neither ?0 nor ?1")
        events = self.headers.get("Upload-Events", "0")
        if not re.fullmatch(r"\d{1,9}", events):
            raise Refusal(400, "bad", "`Upload-Events` is no count of events")
        if not run.lock.acquire(timeout=BUSY_S):
            raise conflict("busy", "another request is at these bytes", self.where(run))
        try:
            self.take_lines(run, int(offset), ends == "?1", int(events))
            where = self.where(run)  # before the next one goes on
        finally:
            run.lock.release()
        self.answer(204, headers=where)

    def take_lines(self, run, offset, ends, events):
        came = bytearray()
        try:
            for some in self.pieces():
                came += some
                if len(came) > MAX_PATCH:
                    raise Refusal(413, "too_long", "at most %d bytes at once" % MAX_PATCH)
        except (OSError, ValueError):  # what came may stay; nobody is told
            self.close_connection = True
            self.fits(run, offset, came)
            run.store(came[run.size - offset:])
            raise ConnectionError
        self.fits(run, offset, came)
        if ends and len(run.events) < events:
            raise conflict("events", "some events of the run are missing", self.where(run))
        run.store(came[run.size - offset:])
        if ends and offset + len(came) < run.size:
            raise conflict("diverged", "the stream ended later before", self.where(run), at=offset + len(came))
        if ends:
            run.finish()

    def fits(self, run, offset, came):
        if run.id in self.store.removed:
            raise Refusal(410, "removed", "run %s was removed" % run.id)
        if offset > run.size:
            raise conflict("gap", "there are %d bytes here" % run.size, self.where(run))
        there = run.part(offset, min(run.size, offset + len(came)))
        for number, (one, other) in enumerate(zip(there, came)):
            if one != other:
                raise conflict("diverged", "other bytes were sent before", self.where(run), at=offset + number)
        if run.complete and offset + len(came) > run.size:
            raise conflict("complete", "the stream is complete", self.where(run))

    def put_event(self, run_id, number):
        run = self.allowed(run_id)
        if not re.fullmatch(r"[1-9]\d{0,8}", number):
            raise Refusal(400, "bad", "events are numbered 1, 2, …")
        body, number = self.whole_body(MAX_DOCUMENT), int(number)
        try:
            event = json.loads(body)
        except (ValueError, RecursionError):
            raise Refusal(400, "bad", "the body is no JSON")
        if not isinstance(event, dict) or not isinstance(event.get("event"), str) or \
                type(event.get("offset")) is not int or not 0 <= event["offset"] < 1 << 63:
            raise Refusal(400, "bad", "an event has an `offset` and an `event`")
        with run.lock:
            if number <= len(run.events):
                if run.events[number - 1] != body:
                    raise conflict("event", "event %d was another before" % number)
            elif number > len(run.events) + 1:
                raise conflict("order", "event %d comes after %d" % (number, len(run.events)))
            else:
                before = json.loads(run.events[-1]) if run.events else {"offset": 0, "event": None}
                if event["offset"] < before["offset"] or before["event"] == "exit":
                    raise conflict("order", "event %d lies before event %d" % (number, number - 1))
                run.append_event(body)
        self.answer(204)

    # ---- a whole stream at once

    def put_whole(self):
        query = urllib.parse.parse_qs(self.asked.query)
        run, _ = self.store.create({"upload_id": None, "secret_sha256": None, "rules": None, "id": None,
                                    "stack": query.get("stack", [None])[0], "command": query.get("command", [None])[0],
                                    "labels": dict(one.partition("=")[::2] for one in query.get("label", []))})
        self.connection.settimeout(None)  # an apply may be silent for long
        with run.lock:
            try:
                for some in self.pieces():
                    run.store(some)
            finally:
                run.finish()
        self.answer(201, {"run": run.id, "bytes": run.size, "status": None})

    def begins_as_http(self):
        """Looks at the first bytes and leaves them where they are."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            first = self.connection.recv(16, socket.MSG_PEEK)
            if not first or REQUEST_LINE.match(first):
                return True
            if len(first) >= 9 or not any((method + b" /").startswith(first) for method in (
                    b"GET", b"HEAD", b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS")):
                return False
            time.sleep(0.01)
        return False

    def raw_stream(self):
        """nc -U: bytes until the other end has no more. The first line may name the run."""
        self.connection.settimeout(None)
        first = self.rfile.readline(MAX_DOCUMENT)
        named = {}
        try:
            document = json.loads(first)
            if isinstance(document, dict) and isinstance(document.get("tofud"), dict):
                named, first = document["tofud"], b""
        except (ValueError, RecursionError):
            pass
        try:
            run, _ = self.store.create({"upload_id": None, "secret_sha256": None, "rules": None, "id": None,
                                        "stack": named.get("stack"), "labels": named.get("labels", {}),
                                        "command": named.get("command")})
        except Refusal:
            return
        with run.lock:
            try:
                run.store(first)
                while some := self.rfile.read1(65536):
                    run.store(some)
            except (OSError, Refusal):
                pass
            run.finish()

    # ---- what was kept

    def show(self, run_id):
        run = self.store.of_id(run_id)
        self.answer(200, {"run": run.id, "stack": run.created["stack"], "labels": run.created["labels"],
                          "bytes": run.size, "complete": run.complete})

    def remove(self, run_id):
        self.store.remove(self.store.of_id(run_id))
        self.answer(204)

    def get_stream(self, run_id):
        run = self.store.of_id(run_id)
        query = urllib.parse.parse_qs(self.asked.query)
        at = int(query.get("from", ["0"])[0])
        if query.get("follow") != ["1"]:
            self.answer(200, run.part(at, max(at, run.size)), {"Content-Type": "application/x-ndjson"})
            return
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            complete, some = run.complete, run.part(at, max(at, run.size))
            at += len(some)
            if some:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(some), some))
            elif complete:
                self.wfile.write(b"0\r\n\r\n")
                return
            else:
                time.sleep(0.02)

    def get_events(self, run_id):
        run = self.store.of_id(run_id)
        lines = [{"offset": 0, "event": "begin", "id": run.id, "stack": run.created["stack"],
                  "labels": run.created["labels"], "command": run.created["command"]}]
        for event in map(json.loads, run.events):
            if event["offset"] <= run.size:  # the others take effect later
                if event["event"] == "exit":
                    event["event"] = "exit_status"
                lines.append(event)
        if run.complete:
            lines.append({"offset": run.size, "event": "end"})
        self.answer(200, b"".join(json.dumps(line).encode() + b"\n" for line in lines))

    def health(self):
        self.answer(200, {"ok": True})


class TcpServer(socketserver.ThreadingTCPServer):
    allow_reuse_address, daemon_threads, request_queue_size = True, True, 1024

    def handle_error(self, *_):
        if not issubclass(sys.exc_info()[0], (OSError, ValueError)):
            super().handle_error(*_)


class UnixServer(TcpServer):
    address_family = socket.AF_UNIX

    def get_request(self):
        request, _ = super().get_request()
        return request, ("local", 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--listen", default="127.0.0.1:0")
    parser.add_argument("--socket", required=True)
    parser.add_argument("--state-dir", required=True)
    parser.add_argument("--max-runs", type=int, default=1000)
    args = parser.parse_args()
    host, _, port = args.listen.rpartition(":")
    store = Store(pathlib.Path(args.state_dir) / "daemon", args.max_runs)
    pathlib.Path(args.socket).unlink(missing_ok=True)
    servers = [TcpServer((host, int(port)), Session), UnixServer(args.socket, Session)]
    for server in servers:
        server.store = store
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print("reference daemon serves http://%s:%d/ and %s, history in %s" %
          (*servers[0].server_address, args.socket, store.directory), flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    main()
