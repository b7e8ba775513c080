"""Somebody who is told of runs: keeps what comes over TLS, and answers as a test wants."""
import http.server
import json
import ssl
import threading
import time


class Target:
    """`answers` by path: a list of (status, headers) that are given one after the other; then 204."""

    def __init__(self, chain, key):
        self.came, self.answers, self.lock = [], {}, threading.Lock()
        self.takes = 0  # seconds for an answer
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain, key)
        target = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with target.lock:
                    target.came.append((self.path, dict(self.headers.items()), body))
                    waiting = target.answers.get(self.path, [])
                    status, headers = waiting.pop(0) if waiting else (204, {})
                time.sleep(target.takes)
                if status is None:
                    return self.connection.close()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def get_request(self):
                connection, peer = super().get_request()
                return context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), peer

            def handle_error(self, request, client_address):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = "https://localhost:%d" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def at(self, path):
        """[(headers, body)] of what came there."""
        with self.lock:
            return [(headers, body) for each, headers, body in self.came if each == path]

    def events(self, path="/webhook"):
        return [json.loads(body) for _, body in self.at(path)]

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
