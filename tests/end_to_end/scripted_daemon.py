"""A daemon that does as it is told, for the commands that ask one: it has the runs it is given, and breaks when it should."""
import http.server
import json
import os
import socket
import socketserver
import threading
import time
import urllib.parse


class KeptRun:
    """A run as a daemon has it: its stream so far, what is said beside it, its row."""

    def __init__(self, run_id, stream, row, exit_status=None, ended=True):
        self.id, self.row = run_id, row
        self.stream, self.ended, self.exit_status = bytes(stream), ended, exit_status
        self.break_after = None  # bytes of a follower's answer after which the connection goes
        self.changed = threading.Condition()

    def events(self):
        lines = [{"offset": 0, "event": "begin", "id": self.id, "stack": self.row.get("stack"),
                  "labels": self.row.get("labels", {}), "command": self.row.get("command")}]
        if self.exit_status is not None:
            lines.append({"offset": len(self.stream), "event": "exit_status", "status": self.exit_status})
        if self.ended:
            lines.append({"offset": len(self.stream), "event": "end"})
        return b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    def grow(self, data, exit_status=None, ended=False):
        with self.changed:
            self.stream += data
            self.exit_status, self.ended = exit_status, ended
            self.changed.notify_all()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle(self):
        try:
            super().handle()
        except ConnectionError:  # who asked has left
            pass

    def log_message(self, *_):
        pass

    def address_string(self):
        return "somebody"  # a Unix socket has no address

    def answer(self, status, body, kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def problem(self, status, message):
        self.answer(status, json.dumps({"code": status, "message": message}).encode())

    def run_asked_for(self):
        daemon = self.server.daemon
        path = urllib.parse.urlsplit(self.path).path
        run = daemon.runs.get(urllib.parse.unquote(path.split("/")[3]))
        if run is None:
            self.problem(404, "there is no run " + path.split("/")[3])
        return run

    def do_GET(self):
        daemon, url = self.server.daemon, urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query)
        daemon.asked.append("GET " + self.path)
        if url.path == "/healthz":
            return self.answer(200, json.dumps({"status": "ok", "url": daemon.page}).encode())
        if url.path == "/v1/runs":
            return self.list(query)
        run = self.run_asked_for()
        if run is None:
            return
        if url.path.endswith("/events.jsonl"):
            return self.answer(200, run.events(), "application/x-ndjson")
        if url.path.endswith("/stream.jsonl"):
            return self.stream(run, int(query.get("from", ["0"])[0]), "follow" in query)
        self.problem(404, "nothing is at " + url.path)

    def list(self, query):
        runs = sorted(self.server.daemon.runs.values(), key=lambda run: run.id, reverse=True)
        if "stack" in query:
            runs = [run for run in runs if run.row["stack"] in query["stack"]]
        if "status" in query:
            runs = [run for run in runs if run.row["status"] in query["status"]]
        if "q" in query:
            runs = [run for run in runs if query["q"][0].lower() in (run.id + (run.row.get("stack") or "")).lower()]
        start, limit = int(query.get("cursor", ["0"])[0]), int(query.get("limit", ["2"])[0])
        rest = runs[start + limit:]
        body = {"runs": [run.row for run in runs[start:start + limit]], "next": str(start + limit) if rest else None}
        self.answer(200, json.dumps(body).encode())

    def stream(self, run, at, follow):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        sent = 0
        while True:
            with run.changed:
                while follow and not run.ended and at >= len(run.stream):
                    run.changed.wait(0.1)
                piece, over = run.stream[at:at + 1000], not follow or run.ended
            if not piece and over:
                break
            if run.break_after is not None and sent + len(piece) > run.break_after:
                self.wfile.write(b"3e8\r\n" + piece[:10])  # cut off within a chunk
                run.break_after, self.close_connection = None, True
                return
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            at, sent = at + len(piece), sent + len(piece)
        self.wfile.write(b"0\r\n\r\n")

    def do_DELETE(self):
        self.server.daemon.asked.append("DELETE " + self.path)
        run = self.run_asked_for()
        if run is not None:
            del self.server.daemon.runs[run.id]
            self.answer(204, b"")

    def do_POST(self):
        self.server.daemon.asked.append("POST " + self.path)
        self.answer(204, b"") if self.path.partition("?")[0] == "/v1/reindex" else self.problem(404, "nothing is at " + self.path)


class UnixServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


class ScriptedDaemon:
    """Listens on a port of loopback, or on a socket of that path."""

    def __init__(self, path=None):
        self.runs, self.asked, self.page = {}, [], None
        if path:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self._server, self.address = UnixServer(path, Handler), "unix:" + path
        else:
            self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
            self.address = "http://127.0.0.1:%d" % self._server.server_address[1]
        self._server.daemon = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def put(self, run):
        self.runs[run.id] = run
        return run

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def listener(answer):
    """An address of somebody who is no tofud: takes a request and answers those bytes."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            with client:
                client.recv(65536)
                client.sendall(answer)
                time.sleep(0.05)

    threading.Thread(target=serve, daemon=True).start()
    return server, "http://127.0.0.1:%d" % server.getsockname()[1]
