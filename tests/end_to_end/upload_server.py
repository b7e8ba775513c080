"""A daemon that takes uploads, for tests of those who send them: a second implementation of the rules, in memory.

What it holds lives in a Disk, which outlives it: stop() and a new Daemon on the same Disk is a restart. `trouble` makes it
misbehave: a function (method, path, daemon) that is asked for each request and answers None or one of

    "drop before"    closes the connection before anything is done
    "drop after"     does what was asked, closes instead of answering
    "hang"           reads no further and never answers
    "garbage"        answers what is no HTTP
    "trickle"        answers a byte a second, for ever
    503, (503, 2)    that status, with Retry-After
"""
import http.server
import json
import os
import re
import socket
import socketserver
import threading
import urllib.parse

MAX_PATCH = 1 << 20


class Run:
    def __init__(self, name, document):
        self.name, self.document = name, document
        self.secret, self.rules = document["upload_secret"], document["rules"]
        self.lines, self.events, self.complete = bytearray(), [], False
        self.lock = threading.Lock()


class Disk:
    """What a daemon has stored."""

    def __init__(self):
        self.by_upload, self.removed, self.lock = {}, set(), threading.Lock()

    def runs(self):
        with self.lock:
            return list(self.by_upload.values())

    def run(self, name):
        return next((run for run in self.runs() if run.name == name), None)

    def remove(self, run):
        with self.lock:
            self.removed.add(run.document["upload_id"])

    def forget(self):
        """As after a loss of the disk."""
        with self.lock:
            self.by_upload.clear()


class Refused(Exception):
    def __init__(self, status, code="", offset=None, **more):
        super().__init__(status, code)
        self.status, self.offset = status, offset
        self.body = {"code": code, "message": "because of the test", **more}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = False  # a Unix socket has none

    def log_message(self, *_):
        pass

    def address_string(self):
        return "local"

    def answer(self, status, body=None, headers=()):
        if getattr(self, "mute", False):
            self.close_connection = True
            return
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if body is not None:
            self.send_header("Content-Type", "application/json")
        if status != 204 and self.command != "HEAD":
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def handle_any(self):
        daemon = self.server.daemon
        self.mute = False
        size = int(self.headers.get("Content-Length", "0"))
        body = self.rfile.read(size)
        if len(body) < size:
            self.close_connection = True
            return
        with daemon.lock:
            daemon.requests.append((self.command, self.path))
        trouble = daemon.trouble(self.command, self.path, daemon) if daemon.trouble else None
        if trouble == "drop before":
            self.close_connection = True
            return
        if trouble == "hang":
            daemon.stopped.wait()
            self.close_connection = True
            return
        if trouble == "garbage":
            self.wfile.write(b"\x00\xff220 mail.example ESMTP\r\n" * 100)
            self.close_connection = True
            return
        if trouble == "trickle":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
            while not daemon.stopped.wait(1):
                self.wfile.write(b"x")
            self.close_connection = True
            return
        if isinstance(trouble, (int, tuple)):
            status, after = trouble if isinstance(trouble, tuple) else (trouble, None)
            return self.answer(status, {"code": "trouble", "message": "because of the test"},
                               [("Retry-After", str(after))] if after is not None else [])
        self.mute = trouble == "drop after"
        try:
            self.route(body)
        except Refused as refused:
            headers = [] if refused.offset is None else [("Upload-Offset", str(refused.offset))]
            self.answer(refused.status, refused.body, headers)

    do_GET = do_POST = do_HEAD = do_PATCH = do_PUT = do_DELETE = handle_any

    def route(self, body):
        path = urllib.parse.urlsplit(self.path).path
        if (self.command, path) == ("POST", "/v1/runs"):
            return self.begin(json.loads(body))
        found = re.fullmatch(r"/v1/runs/([^/]+)/(lines|events/(\d+))", path)
        if not found:
            raise Refused(404, "unknown")
        disk = self.server.daemon.disk
        run = disk.run(found[1])
        if run is None:
            raise Refused(404, "unknown")
        if self.headers.get("Upload-Secret") != run.secret:
            raise Refused(401, "secret")
        if run.document["upload_id"] in disk.removed:
            raise Refused(410, "removed")
        with run.lock:
            if self.command == "HEAD" and found[2] == "lines":
                return self.answer(200, None, [("Upload-Offset", str(len(run.lines))), ("Cache-Control", "no-store"),
                                               ("Upload-Complete", "?1" if run.complete else "?0")])
            if self.command == "PATCH" and found[2] == "lines":
                return self.append(run, body)
            if self.command == "PUT" and found[3]:
                return self.event(run, int(found[3]), body)
        raise Refused(405, "method")

    def begin(self, document):
        daemon, disk = self.server.daemon, self.server.daemon.disk
        upload = document["upload_id"]
        assert re.fullmatch("[0-9a-f]{32}", upload) and re.fullmatch("[0-9a-f]{64}", document["upload_secret"])
        with disk.lock:
            if upload in disk.removed:
                raise Refused(410, "removed")
            known = disk.by_upload.get(upload)
            if known is None:
                taken = {run.name for run in disk.by_upload.values()}
                name = document.get("id") or "run"
                while name in taken:
                    name += "x"
                run = disk.by_upload[upload] = Run(name, document)
            else:
                run = known
        if (run.secret, run.rules) != (document["upload_secret"], document["rules"]):
            raise Refused(409, "conflict")
        url = "http://%s/?run=%s" % (daemon.host, run.name) if daemon.host else None
        self.answer(200 if known else 201, {"run": run.name, "offset": len(run.lines), "max_patch": daemon.max_patch,
                                            "keepalive_s": daemon.keepalive, "url": url})

    def append(self, run, body):
        at, total = self.headers.get("Upload-Offset"), len(run.lines)
        if at is None:
            raise Refused(400, "offset")
        at = int(at)
        if len(body) > self.server.daemon.max_patch:
            raise Refused(413, "size")
        if at > total:
            raise Refused(409, "gap", total)
        overlap = min(total - at, len(body))
        if run.lines[at:at + overlap] != body[:overlap]:
            raise Refused(409, "diverged", total, at=at)
        if run.complete and len(body) > overlap:
            raise Refused(409, "complete", total)
        run.lines += body[overlap:]
        if self.headers.get("Upload-Complete") == "?1":
            run.complete = True
        self.answer(204, None, [("Upload-Offset", str(len(run.lines)))])

    def event(self, run, number, body):
        event = json.loads(body)
        if number <= len(run.events):
            if run.events[number - 1] != body:
                raise Refused(409, "event")
            return self.answer(204)
        before = json.loads(run.events[-1])["offset"] if run.events else 0
        if number != len(run.events) + 1 or event["offset"] < before:
            raise Refused(409, "order")
        run.events.append(body)
        self.answer(204)


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 100

    def __init__(self, daemon, address):
        self.daemon, self.open = daemon, set()
        if isinstance(address, str):
            self.address_family = socket.AF_UNIX
        super().__init__(address, Handler)

    def process_request(self, request, client_address):
        self.open.add(request)
        super().process_request(request, client_address or ("local", 0))

    def shutdown_request(self, request):
        self.open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, *_):
        pass  # clients that leave


class Daemon:
    """Listens at ("127.0.0.1", port) or at a path."""

    def __init__(self, disk=None, address=("127.0.0.1", 0), trouble=None, max_patch=MAX_PATCH, keepalive=15):
        self.disk, self.trouble, self.max_patch, self.keepalive = disk or Disk(), trouble, max_patch, keepalive
        self.requests, self.lock, self.stopped = [], threading.Lock(), threading.Event()
        if isinstance(address, str) and os.path.exists(address):
            os.unlink(address)
        self._server = Server(self, address)
        self.address = self._server.server_address
        local = isinstance(address, str)
        self.host = None if local else "%s:%d" % self.address
        self.server = "unix:" + address if local else "http://" + self.host
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def stop(self):
        """At once, whatever goes on."""
        if self.stopped.is_set():
            return
        self.stopped.set()
        self._server.shutdown()
        self._thread.join()
        self._server.socket.close()
        for each in list(self._server.open):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def asked(self, method):
        with self.lock:
            return [path for each, path in self.requests if each == method]
