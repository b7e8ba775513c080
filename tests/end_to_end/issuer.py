"""An identity provider for tests of who believes it: discovery, keys, and tokens of any kind, right and wrong, over TLS."""
import http.server
import json
import os
import ssl
import threading
import time
import urllib.parse

from jwcrypto import jwk, jws

from tls_test import Authority

CLAIMS = {"sub": "repo:acme/infra:ref:refs/heads/main", "repository": "acme/infra", "repository_owner": "acme", "repository_id": "74",
          "ref": "refs/heads/main", "actor": "jane", "event_name": "push"}


class Issuer:
    """`chain` and `key` are the files of its certificate, which is for localhost."""

    def __init__(self, chain, key):
        self.keys = {"one": jwk.JWK.generate(kty="RSA", size=2048, kid="one", use="sig")}
        self.asked, self.broken, self.lock = [], {}, threading.Lock()
        self.exchanged, self.id_token = [], None
        self.ahead = 0  # seconds, of its clock
        self.job_secret = "of-this-job-%d" % time.time_ns()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain, key)
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                form = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self.give(*issuer.give_token(self.path, self.headers, dict(urllib.parse.parse_qsl(form))))

            def do_GET(self):
                self.give(*issuer.answer(self.path, self.headers))

            def give(self, status, headers, body):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def get_request(self):
                connection, peer = super().get_request()
                return context.wrap_socket(connection, server_side=True), peer

            def handle_error(self, request, client_address):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = "https://localhost:%d" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path, headers):
        with self.lock:
            self.asked.append(path)
        if path in self.broken:
            return self.broken[path]
        if path == "/.well-known/openid-configuration":
            return 200, {}, json.dumps({"issuer": self.url, "jwks_uri": self.url + "/keys",
                                        "authorization_endpoint": self.url + "/authorize?tenant=1", "token_endpoint": self.url + "/token"}).encode()
        if path == "/keys":
            return 200, {}, json.dumps({"keys": [each.export_public(as_dict=True) for each in self.keys.values()]}).encode()
        where = urllib.parse.urlsplit(path)
        if where.path == "/job" and headers["Authorization"] == "Bearer " + self.job_secret:
            asked = dict(urllib.parse.parse_qsl(where.query))
            return 200, {}, json.dumps({"value": self.token(aud=asked["audience"])}).encode()
        return 404, {}, b""

    def give_token(self, path, headers, form):
        """The token endpoint: what was asked is remembered, and `id_token` gives the answer to a code."""
        self.exchanged.append((headers["Authorization"], form))
        if path in self.broken:
            return self.broken[path]
        return 200, {"Content-Type": "application/json"}, json.dumps({"access_token": "x", "token_type": "Bearer", "id_token": self.id_token(form)}).encode()

    def times(self, path):
        with self.lock:
            return self.asked.count(path)

    def claims(self, **more):
        now = int(time.time()) + self.ahead
        claims = {"iss": self.url, "aud": "https://tofud.example.com", "iat": now, "nbf": now, "exp": now + 300, **CLAIMS, **more}
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, key="one", header=(), payload=None, alg="RS256", **more):
        """As an issuer makes it; a member of `header` that is None is left out."""
        made = jws.JWS(payload if payload is not None else json.dumps(self.claims(**more)))
        key = self.keys[key] if isinstance(key, str) else key
        head = {"alg": alg, "kid": key.get("kid"), "typ": "JWT", **dict(header)}
        made.allowed_algs = [alg]
        if not isinstance(key, bytes) and key.get("use") == "enc":
            key = jwk.JWK(**{name: value for name, value in key.export(as_dict=True).items() if name != "use"})
        made.add_signature(key, alg, json.dumps({name: value for name, value in head.items() if value is not None}))
        return made.serialize(compact=True)

    def job(self):
        """What GitHub tells a job that may have a token of its own."""
        return {"ACTIONS_ID_TOKEN_REQUEST_URL": self.url + "/job?api-version=2.0", "ACTIONS_ID_TOKEN_REQUEST_TOKEN": self.job_secret}

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def trusted_issuer(case, rules):
    """An issuer for a test, and the configuration of a daemon that believes it: `rules` are its [[oidc.rules]]."""
    authority = Authority(case.home)
    os.chmod(authority.root, 0o644)
    issuer = Issuer(*authority.server("issuer"))
    case.addCleanup(issuer.stop)
    config = os.path.join(case.home, "oidc.toml")
    with open(config, "w") as file:
        file.write('[[oidc]]\nissuer = "%s"\naudience = "https://tofud.example.com"\nca_file = "%s"\n%s' % (issuer.url, authority.root, rules))
    return issuer, config
