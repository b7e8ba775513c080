"""A daemon that tests ask as anonymous clients, users and proxies do. A request that says it came by a proxy counts as anonymous, whoever
sends it; so most of this needs no second user.

What a test's tokens, tickets and cookies are must stand nowhere afterwards: in no file but those the test made, no log, no answer but
the one that gave it."""
import gzip
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import ssl
import subprocess
import urllib.parse

from binary import PATIENCE, TOFUD, EndToEnd, Running, free_port, recorded, until

STREAM = recorded("apply-slow-progress")
ANONYMOUS = {"Via": "1.1 somewhere"}
NGINX = shutil.which("nginx") or ("/usr/sbin/nginx" if os.path.exists("/usr/sbin/nginx") else None)


def bearer(token):
    return {"Authorization": "Bearer " + token, **ANONYMOUS}


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return "%d %s %r" % (self.status, dict(self.headers.items()), self.body[:500])


class Daemon:
    def __init__(self, case, *args, name="daemon", state_dir=None, env=None, **more):
        self.case = case
        home = os.path.join(case.home, name)
        os.makedirs(home)
        self.state_dir, self.socket = state_dir or os.path.join(home, "state"), os.path.join(home, "tofud.sock")
        if "--log-level" not in args:
            args = ("--log-level", "debug", *args)
        self.running = case.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", self.socket, "--state-dir", self.state_dir, *args],
                                         env or case.env(), stdin=subprocess.DEVNULL, **more))
        line = self.running.out.next()
        if line is None:
            raise AssertionError("it did not start: %r" % self.running.err.all())
        self.url = re.search(r"https?://\S+/", line.decode()).group()
        self.port = urllib.parse.urlsplit(self.url).port

    def connection(self):
        if self.url.startswith("https:"):
            # Whether certificates are what they should be is asked elsewhere.
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=ssl._create_unverified_context())
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, method, path, headers=(), body=None, host=None):
        connection = self.connection()
        try:
            connection.putrequest(method, path, skip_host=True)
            connection.putheader("Host", host or "127.0.0.1:%d" % self.port)
            for name, value in dict(headers).items():
                connection.putheader(name, value)
            if body is not None:
                body = body if isinstance(body, bytes) else json.dumps(body).encode()
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = Answer(connection.getresponse())
        finally:
            connection.close()
        self.case.heard(answer)
        return answer

    def status(self, *args, **more):
        return self.ask(*args, **more).status

    def put_run(self, stream=STREAM, path="/v1/runs?stack=net"):
        """The id of a run that our own user sent."""
        return self.ask("PUT", path, body=stream).json()["run"]

    def stop(self):
        self.running.process.send_signal(signal.SIGTERM)
        self.running.wait()
        return self.running.err.all() + self.running.out.all()


class Going:
    """A run that goes on until it is told to end."""

    def __init__(self, daemon, path, headers=()):
        self.connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
        self.connection.putrequest("PUT", path)
        for name, value in dict(headers).items():
            self.connection.putheader(name, value)
        self.connection.putheader("Transfer-Encoding", "chunked")
        self.connection.endheaders()

    def write(self, data):
        self.connection.send(b"%x\r\n%s\r\n" % (len(data), data))

    def end(self):
        self.connection.send(b"0\r\n\r\n")
        answer = self.connection.getresponse()
        return answer.status, answer.read()


class Asking(EndToEnd):
    def setUp(self):
        super().setUp()
        self.tokens, self.said, self.daemons = [], [], []
        os.makedirs(self.state_dir)

    def serve(self, *args, **more):
        daemon = Daemon(self, *args, **more)
        self.daemons.append(daemon)
        return daemon

    def heard(self, answer):
        """Notes what an answer says, less a cookie or a ticket that it gives: those are secrets from then on."""
        head, body = repr(list(answer.headers.items())), answer.body.decode(errors="replace")
        for secret in re.findall(r"(?:__Host-)?tofud-\d+=([0-9a-f]{64});", head) + re.findall(r'"ticket":"([0-9a-f]{64})"', body):
            self.tokens.append(secret)
            head, body = head.replace(secret, "(given)"), body.replace(secret, "(given)")
        self.said.append((head + body).encode())

    def tearDown(self):
        for daemon in self.daemons:
            if daemon.running.process.poll() is None:
                self.said.append(daemon.stop())
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = pathlib.Path(folder, name)
                if path.is_file() and name != "token":
                    data = path.read_bytes()
                    self.said.append(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        everything = b"\0".join(self.said)
        for token in self.tokens:
            # Of tofud_NAME_SECRET the last part, of an issuer's token its signature, of everything else all.
            found = everything.find(token.rpartition("_" if token.startswith("tofud_") else ".")[2].encode())
            if found >= 0:
                self.fail("a secret stands in …%r…" % everything[max(0, found - 200):found + 80])

    def tofud(self, *args, env=None, status=0, user=None):
        done = subprocess.run([TOFUD, *args], capture_output=True, env=env or self.env(), timeout=PATIENCE, text=True,
                              stdin=subprocess.DEVNULL, user=user)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def token(self, daemon, *args, known=True):
        """A new one; the daemon knows it when this returns."""
        token = self.tofud("token", "create", "--state-dir", daemon.state_dir, *args)[0].strip()
        self.tokens.append(token)
        if known:
            until(lambda: daemon.status("GET", "/v1/session", bearer(token)) == 200, "the daemon has seen the token")
        return token

    def revoke(self, daemon, token):
        self.tofud("token", "revoke", token.split("_")[1], "--state-dir", daemon.state_dir)

    def nginx(self, daemon, port=None, scheme="https", tls=None):
        """The port of one in front of the daemon, with users found by somebody before it. `scheme` is what it says that it was asked by;
        with `tls`, a certificate and its key, it is."""
        folder = pathlib.Path(self.home, "nginx")
        folder.mkdir()
        port = port or free_port()
        ssl = "ssl; ssl_certificate %s; ssl_certificate_key %s" % tls if tls else ""
        conf = folder / "nginx.conf"
        conf.write_text("""
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log info;
events {{ worker_connections 64; }}
http {{
  log_format all '$remote_addr "$request" $status "$http_referer" "$upstream_http_location"';
  access_log {folder}/access.log all; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  server {{
    listen 127.0.0.1:{port} {ssl};
    location /tofud {{
      proxy_pass http://127.0.0.1:{daemon};
      proxy_http_version 1.1;
      proxy_buffering off;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto {scheme};
      proxy_set_header X-Forwarded-User $http_x_test_user;
    }}
  }}
}}
""".format(folder=folder, port=port, daemon=daemon.port, scheme=scheme, ssl=ssl))
        running = self.kept(Running([NGINX, "-p", str(folder), "-c", str(conf)], self.env(), stdin=subprocess.DEVNULL))

        def answers():
            self.assertIsNone(running.process.poll(), b"".join(running.err.got))
            return subprocess.run(["curl", "-sk", "-o", "/dev/null", "http%s://127.0.0.1:%d/" % ("s" if tls else "", port)], timeout=PATIENCE).returncode == 0
        until(answers, "nginx listens")
        return port
