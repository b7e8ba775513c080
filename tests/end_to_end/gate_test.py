#!/usr/bin/python3
"""One gate: every principal at every route over every transport, each a request of a process that is not root.

Routes come from the daemon itself (its metrics name them), so a new one has to say here what it needs. What a cell is compared with
are the words of docs/access.md: who somebody is, what that lets him do, what a route needs."""
import base64
import http.client
import json
import os
import re
import subprocess
import sys
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, Running, free_port, recorded, until
from issuer import trusted_issuer
from other_users_test import DAEMON, GIVE, GROUP, MEMBER, OTHER_USER

PROXY = 61004
# Asks what is given on standard input, one connection each, and says the status, or why there was none.
ASKS = """
import base64, json, socket, sys
for line in sys.stdin:
    place, request = json.loads(line)
    try:
        client = socket.socket(socket.AF_UNIX) if isinstance(place, str) else socket.socket()
        client.settimeout(20)
        client.connect(place if isinstance(place, str) else tuple(place))
        request = base64.b64decode(request)
        client.sendall(request)
        if not request.split(b"\\r\\n")[0].endswith(b"HTTP/1.1"):
            client.shutdown(socket.SHUT_WR)
        answer = b""
        while b"\\r\\n" not in answer:
            piece = client.recv(4096)
            if not piece:
                break
            answer += piece
        client.close()
        print(json.dumps(int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else answer.decode("latin-1")))
    except OSError as problem:
        print(json.dumps(problem.__class__.__name__))
"""

# What a route needs, as docs/api.md has it. A route that is not there fails the test.
IN_WORDS = {"–": "nothing", "any user": "someone", "`read`": "read", "`raw`": "raw", "`ingest`": "ingest", "`read` of all stacks": "whole",
            "own user": "owner"}
NEEDS = {route: IN_WORDS[need] for route, need in re.findall(r"(?m)^\| `([A-Z]+ /[^`]*)` \| ([^|]+) \|", (ROOT / "docs/api.md").read_text())}
# The page's own files and places: whoever may read.
PAGE = re.compile(r"GET /(?:$|r/|wall$|compare|assets/|[\w.-]+\.(?:js|css|svg|png|ico|woff2|webmanifest)$|\*)")

# What somebody may, besides what needs nothing.
EVERYTHING = {"someone", "read", "ingest", "raw", "whole", "owner"}
MAY = {
    "own user": EVERYTHING, "root": EVERYTHING,
    "member": EVERYTHING - {"owner"},  # where the mode of the socket decides
    "nobody": set(), "behind a proxy": set(),
    "token read": {"someone", "read", "whole"}, "token of a stack": {"someone", "read"}, "token ingest": {"someone", "ingest"}, "token raw": {"someone", "raw"}, "wrong token": None,
    "job that sends": {"someone", "ingest"}, "job that reads a stack": {"someone", "read"}, "job of another audience": None,
    "session": {"someone", "read", "whole"}, "user of a proxy": {"someone", "read", "whole"},
}
# Refused beyond what the tables say, and why.
REFUSED = {("user of a proxy", "POST /v1/session/links"): "the link would outlive what the proxy says of its user"}


@unittest.skipUnless(os.geteuid() == 0, "other users are somebody only for root")
class Gate(EndToEnd):
    def setUp(self):
        super().setUp()
        os.chmod(self.home, 0o755)
        self.state = os.path.join(self.home, "of-the-daemon")
        os.makedirs(self.state)
        self.own = os.path.join(self.state, "own.sock")
        self.given = os.path.join(self.home, "given.sock")
        os.chown(self.state, DAEMON, DAEMON)
        self.port = free_port()
        self.issuer, self.config = trusted_issuer(self, '''
[[oidc.rules]]
claims = ["sub=sends"]
scopes = "ingest"
stacks = ["*"]
[[oidc.rules]]
claims = ["sub=reads"]
scopes = "read"
stacks = ["net/*"]
''')

    def serve(self, *args, path=None):
        """A daemon of its own user with a port and a Unix socket, one that is given or one of its own."""
        words = [TOFUD, "serve", "--config", self.config, "--listen", "127.0.0.1:%d" % self.port, "--state-dir", self.state, "--trusted-proxy", "127.0.0.1@%d" % PROXY, "--user-header",
                 "X-User", *args]
        if path == self.own:
            def become():
                os.setgroups([])
                os.setgid(DAEMON)
                os.setuid(DAEMON)
            running = Running([*words, "--socket", self.own], self.env(HOME=self.state), stdin=subprocess.DEVNULL, preexec_fn=become)
        else:
            if os.path.exists(self.given):
                os.unlink(self.given)
            running = Running([sys.executable, "-c", GIVE, self.given, str(DAEMON), str(GROUP), *words], self.env(HOME=self.state), stdin=subprocess.DEVNULL)
        self.kept(running)
        if running.out.next() is None:
            self.fail(running.err.all())
        return running

    def answers(self, user, questions):
        """What a process of that user is answered: statuses, or how it failed."""
        groups = [GROUP] if user in (MEMBER, DAEMON) else []
        asked = "".join(json.dumps([place, base64.b64encode(text.encode()).decode()]) + "\n" for place, text in questions)
        done = subprocess.run([sys.executable, "-c", ASKS], input=asked.encode(), capture_output=True, timeout=PATIENCE, user=user, group=user, extra_groups=groups)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def token(self, scope, *more):
        done = subprocess.run([TOFUD, "token", "create", "--state-dir", self.state, "--scope", scope, *more], capture_output=True, env=self.env(), timeout=PATIENCE,
                              user=DAEMON, group=DAEMON, extra_groups=[])
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode().strip()

    def request(self, method, path, **headers):
        fields = {"Host": "localhost:%d" % self.port, "Connection": "close", **{name.replace("_", "-"): value for name, value in headers.items()}}
        if method in ("POST", "PUT", "PATCH"):
            fields["Content-Length"] = "0"
        return "%s %s HTTP/1.1\r\n%s\r\n" % (method, path, "".join("%s: %s\r\n" % field for field in fields.items()))

    def routes(self, place):
        """(method and pattern, need) of every route that the daemon has."""
        text = subprocess.run(["curl", "-s", "--unix-socket", place, "http://localhost/metrics"] if isinstance(place, str) else
                              ["curl", "-s", "http://127.0.0.1:%d/metrics" % place[1]], capture_output=True, text=True, timeout=PATIENCE).stdout
        found = [" ".join(route) for route in re.findall(r'tofud_http_route_requests_total\{method="(\w+)",route="([^"]*)"\}', text)]
        self.assertGreater(len(found), 25, text[:500])
        unknown = [route for route in found if route not in NEEDS and not PAGE.match(route)]
        self.assertEqual(unknown, [], "docs/api.md does not say what these need")
        self.assertEqual(set(NEEDS) - set(found), set(), "docs/api.md has routes that do not exist")
        # Who logs out is nobody from then on.
        return [(route, NEEDS.get(route, "read")) for route in sorted(found, key="DELETE /v1/session".__eq__)]

    def cookie(self, token):
        connection = http.client.HTTPConnection("localhost", self.port, timeout=PATIENCE)
        connection.request("POST", "/v1/session", json.dumps({"token": token}), {"Content-Type": "application/json", "Origin": "http://localhost:%d" % self.port})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 204, answer.read())
        connection.close()
        return answer.headers["Set-Cookie"].partition(";")[0]

    def principals(self):
        """name: (user, headers)."""
        bearer = {scope: {"Authorization": "Bearer " + self.token(scope)} for scope in ("read", "ingest", "raw")}
        jobs = {name: {"Authorization": "Bearer " + token} for name, token in (
            ("job that sends", self.issuer.token(sub="sends")), ("job that reads a stack", self.issuer.token(sub="reads")),
            ("job of another audience", self.issuer.token(sub="sends", aud="https://x")))}
        for known in (bearer["raw"], jobs["job that sends"]):
            until(lambda: self.answers(OTHER_USER, [(["127.0.0.1", self.port], self.request("GET", "/v1/session", **known))]) == [200],
                  "the daemon knows the tokens")
        return {
            "own user": (DAEMON, {}), "root": (0, {}), "member": (MEMBER, {}), "nobody": (OTHER_USER, {}), "behind a proxy": (DAEMON, {"Via": "1.1 x"}),
            **{"token " + scope: (OTHER_USER, headers) for scope, headers in bearer.items()},
            "token of a stack": (OTHER_USER, {"Authorization": "Bearer " + self.token("read", "--stack", "net/*")}),
            **{name: (OTHER_USER, headers) for name, headers in jobs.items()},
            "session": (OTHER_USER, {"Cookie": self.cookie(bearer["read"]["Authorization"].split()[1]), "Origin": "http://localhost:%d" % self.port}),
            "wrong token": (DAEMON, {"Authorization": "Bearer tofud_00000000_" + "0" * 64}),
            "user of a proxy": (PROXY, {"X-User": "ada", "Via": "1.1 x"}),
        }

    def expected(self, name, need, place, mode):
        """What the cell is to say: "in", 401, 403, or that the file lets nobody in."""
        is_local = isinstance(place, str)
        if is_local and mode == "owner" and name not in ("own user", "root", "behind a proxy", "wrong token"):
            return "out"
        if is_local and name in ("nobody", "token read", "token of a stack", "token ingest", "token raw", "session", "user of a proxy") or (
                is_local and name.startswith("job")):
            return "out"  # not in the group
        if name in ("wrong token", "job of another audience"):
            return "in" if need == "nothing" else 401
        may = MAY[name] if name != "member" or is_local else set()
        if need == "nothing" or need in may:
            return "in"
        return 403 if may else 401

    def cells(self, transport, place, mode="mode"):
        judged = 0
        routes = self.routes(place)
        for name, (user, headers) in self.principals().items():
            questions = [(place, self.request(route.split()[0], route.split()[1].replace("*", "x"), **headers)) for route, _ in routes]
            for (route, need), seen in zip(routes, self.answers(user, questions)):
                with self.subTest(transport=transport, principal=name, route=route):
                    wanted = self.expected(name, need, place, mode)
                    if wanted == "in" and (name, route) in REFUSED:
                        wanted = 403
                    if wanted == "in":
                        self.assertNotIn(seen, (401, 403, "PermissionError"))
                        self.assertIsInstance(seen, int)
                    elif wanted == "out":
                        self.assertIn(seen, (401, 403, "PermissionError"))
                    else:
                        self.assertEqual(seen, wanted)
                judged += 1
        print("%s: %d cells" % (transport, judged), flush=True)
        return judged

    def test_every_principal_at_every_route_over_a_port_and_an_inherited_socket(self):
        self.serve()
        self.cells("port", ["127.0.0.1", self.port])
        self.cells("given socket", self.given)

    def test_an_inherited_socket_of_the_owner_only(self):
        self.serve("--socket-peers", "owner")
        self.cells("given socket, owner", self.given, mode="owner")

    def test_a_socket_of_its_own(self):
        self.serve(path=self.own)
        os.chmod(self.state, 0o755)
        os.chmod(self.own, 0o666)  # whatever its file says
        self.cells("own socket", self.own, mode="owner")

    def test_a_stream_without_http_passes_the_same_gate(self):
        stream = recorded("version-tofu-1.12").decode()
        for args, path, let_in in (((), None, {MEMBER, DAEMON, 0}), (("--socket-peers", "owner"), None, {DAEMON, 0}), ((), self.own, {DAEMON, 0})):
            running = self.serve(*args, path=path)
            place = path or self.given
            if path:
                os.chmod(self.state, 0o755)
                os.chmod(place, 0o666)
            for user in (MEMBER, OTHER_USER, DAEMON, 0):
                with self.subTest(args=args, place=place, user=user):
                    before = self.runs(place)
                    self.answers(user, [(place, stream)])
                    if user in let_in:
                        until(lambda: self.runs(place) > before, "the run is there")
                    else:
                        self.assertEqual(self.runs(place), before)
            running.process.terminate()
            running.wait()

    def runs(self, place):
        text = subprocess.run(["curl", "-s", "--unix-socket", place, "http://localhost/v1/runs"], capture_output=True, timeout=PATIENCE).stdout
        return len(json.loads(text)["runs"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
