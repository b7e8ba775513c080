#!/usr/bin/python3
"""Tokens of an identity provider: which let in and to what, and what attackers try. Tokens are made by jwcrypto."""
import base64
import hashlib
import hmac
import json
import os
import re
import signal
import sys
import tempfile
import time
import unittest
import urllib.parse

from jwcrypto import jwk

from asking import ANONYMOUS, STREAM, Asking, Going, bearer
from binary import TOFUD, Running, free_port, sanitized, until
from issuer import Issuer
from tls_test import Authority

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../upload"))
from faults import Faults

PAGE = "/v1/runs"


def b64(data):
    data = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Oidc(Asking):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.keep = tempfile.TemporaryDirectory(prefix="tofud-oidc-")
        cls.authority = Authority(cls.keep.name)
        cls.chain, cls.key = cls.authority.server("issuer")

    @classmethod
    def tearDownClass(cls):
        cls.keep.cleanup()

    def setUp(self):
        super().setUp()
        self.issuer = Issuer(self.chain, self.key)
        self.addCleanup(self.issuer.stop)

    RULE = '''
[[oidc.rules]]
claims = ["repository=acme/*", "ref=refs/heads/main"]
scopes = "ingest,read"
stacks = ["github.com/{repository}//*"]
labels = ["team=net"]
'''

    def config(self, rules=RULE, more="", issuer=None):
        self.file = os.path.join(self.home, "oidc.toml")
        with open(self.file, "w") as file:
            file.write('[[oidc]]\nissuer = "%s"\naudience = "https://tofud.example.com"\nca_file = "%s"\n%s%s' % (
                issuer or self.issuer.url, self.authority.root, more, rules))
        return self.file

    def trusting(self, env=None, **more):
        daemon = self.serve("--config", self.config(**more), env=env)
        until(lambda: self.issuer.times("/keys") > 0, "the keys are fetched")
        until(lambda: daemon.status("GET", "/v1/session", bearer(self.issuer.token())) == 200, "they are there")
        return daemon

    def test_a_job_sends_the_stacks_of_its_repository_and_nothing_else(self):
        daemon = self.trusting()
        mine, other = bearer(self.issuer.token()), bearer(self.issuer.token(repository="acme/pay", sub="pay"))
        self.tokens += [each["Authorization"].split()[1] for each in (mine, other)]
        sent = daemon.ask("PUT", "/v1/runs?stack=github.com/acme/infra//prod&label=team=pay&label=actor=ceo", mine, body=STREAM)
        self.assertEqual(sent.status, 201, sent)
        run = sent.json()["run"]
        for stack in ("net/prod", "github.com/acme/pay//prod", "github.com/acme/infra", "github.com/acme/infra2//prod"):
            self.assertEqual(daemon.status("PUT", "/v1/runs?stack=" + stack, mine, body=STREAM), 403, stack)
        # GitHub's names are the same in any case, but this is no GitHub.
        self.assertEqual(daemon.status("PUT", "/v1/runs?stack=github.com/Acme/Infra//prod", mine, body=STREAM), 403)
        view = daemon.ask("GET", "/v1/runs/" + run, mine)
        self.assertEqual(view.status, 200)
        row = json.loads(view.body)["run"]
        self.assertEqual(row["labels"], {"actor": "ceo", "team": "net"})  # the first is a claim of the sender
        self.assertEqual(row["verified"], {"issuer": self.issuer.url, "subject": "repo:acme/infra:ref:refs/heads/main",
                                           "repository": "acme/infra", "ref": "refs/heads/main", "actor": "jane"})
        self.assertEqual(daemon.status("GET", "/v1/runs/" + run, other), 404)
        self.assertEqual(daemon.ask("GET", PAGE, other).json()["runs"], [])
        daemon.stop()
        # What was verified is stored.
        again = self.serve("--config", self.file, name="again", state_dir=daemon.state_dir)
        self.assertEqual(again.ask("GET", PAGE).json()["runs"][0]["verified"]["actor"], "jane")

    def attacks(self):
        """Each token with a part of what is said of it, after the name of the attack."""
        issuer, right = self.issuer, self.issuer.token()
        head, body, signature = right.split(".")
        stranger = jwk.JWK.generate(kty="RSA", size=2048, kid="one")
        unknown = jwk.JWK.generate(kty="RSA", size=2048, kid="other")
        public = issuer.keys["one"].export_to_pem()
        by_secret = b64({"alg": "HS256", "kid": "one"}) + "." + body
        now = int(time.time())
        yield "no signature, none", b64({"alg": "none", "kid": "one"}) + "." + body + ".", "signature"
        yield "none with a signature", b64({"alg": "none", "kid": "one"}) + "." + body + "." + signature, "algorithm"
        yield "signed with the public key as a secret", by_secret + "." + b64(hmac.new(public, by_secret.encode(), hashlib.sha256).digest()), "algorithm"
        yield "an algorithm that is not allowed", issuer.token(alg="RS512"), "the allowed ones are RS256, ES256"
        yield "a key of somebody else with that name", issuer.token(key=stranger), "signature is wrong"
        yield "a key that is not published", issuer.token(key=unknown), "does not publish"
        yield "other claims", head + "." + b64({**issuer.claims(), "repository": "acme/other"}) + "." + signature, "signature is wrong"
        yield "another audience", issuer.token(aud="https://elsewhere.example.com"), "another audience"
        yield "no audience", issuer.token(aud=None), "another audience"
        yield "another issuer", issuer.token(iss="https://other.example.com"), "no [[oidc]] section"
        yield "no issuer", issuer.token(iss=None), "names no issuer"
        yield "over for more than the clocks differ", issuer.token(exp=now - 70), "is over since"
        yield "no end", issuer.token(exp=None), "no end"
        yield "an end that is a text", issuer.token(exp="tomorrow"), "no end"
        yield "an end beyond all time", issuer.token(exp=1e300), "no end"
        yield "not yet", issuer.token(nbf=now + 120), "begins later"
        yield "no subject", issuer.token(sub=None), "no subject"
        yield "another repository", issuer.token(repository="evil/infra"), "no [[oidc.rules]]"
        yield "another branch", issuer.token(ref="refs/heads/mine"), "no [[oidc.rules]]"
        yield "a claim with the pattern in it", issuer.token(repository="acme/*"), "gives the token"
        yield "a claim that leads elsewhere", issuer.token(repository="acme/.."), "gives the token"
        yield "a claim with two slashes", issuer.token(repository="acme/infra//prod"), "gives the token"
        yield "a claim with a line break", issuer.token(repository="acme/infra\n"), "no [[oidc.rules]]"
        yield "a claim that is a list of two", issuer.token(repository=["acme/infra", "acme/pay"]), "gives the token"
        for member in ("jku", "x5u"):
            yield member, issuer.token(header={member: issuer.url + "/keys"}), "brings its own key (%s)" % member
        yield "jwk", issuer.token(key=stranger, header={"jwk": stranger.export_public(as_dict=True)}), "brings its own key (jwk)"
        crit = b64({"alg": "RS256", "kid": "one", "crit": ["b64"], "b64": False})
        yield "crit", crit + "." + body + "." + signature, "extensions"
        twice = b64(b'{"alg":"none","alg":"RS256","kid":"one"}')
        yield "a member of the header twice", twice + "." + body + "." + signature, "has alg twice"
        claims = json.dumps(issuer.claims())
        yield "a claim twice", issuer.token(payload=claims[:-1] + ',"repository":"acme/other"}'), "has repository twice"
        yield "claims that are no object", issuer.token(payload="[1]"), "not a JSON object"
        yield "too long", issuer.token(padding="x" * 13000), ""
        yield "padding", head + "=." + body + "." + signature, "base64url"
        yield "a blank", head + "." + body + ". " + signature, "base64url"
        yield "four parts", right + ".x", ""
        yield "two parts", head + "." + body, "neither one of tofud"
        yield "a signature too short", head + "." + body + "." + signature[:20], "signature is wrong"

    def test_no_attack_lets_in(self):
        daemon = self.trusting()
        self.assertEqual(daemon.status("GET", PAGE, bearer(self.issuer.token())), 200)
        for name, token, why in self.attacks():
            with self.subTest(attack=name):
                answer = daemon.ask("GET", PAGE, bearer(token))
                self.assertIn(answer.status, (401, 431) if name == "too long" else (401,), answer)
                if answer.status == 401:
                    self.assertIn(why, answer.json()["message"])
                    self.assertIn('error="invalid_token"', answer.headers["WWW-Authenticate"])
        self.assertEqual(daemon.status("GET", PAGE, bearer(self.issuer.token())), 200)
        self.assertRegex(daemon.ask("GET", "/metrics").body.decode(), r'\ntofud_oidc_keys_fetched_seconds\{issuer="%s"\} 1\d{9}\n' % re.escape(self.issuer.url))
        # A flood of names of keys asks once.
        self.assertLessEqual(self.issuer.times("/keys"), 2)

    def test_keys_that_are_not_fit_for_signatures_are_none(self):
        issuer = self.issuer
        short = jwk.JWK.generate(kty="RSA", size=1024, kid="short")
        issuer.keys["short"] = short
        issuer.keys["enc"] = jwk.JWK.generate(kty="RSA", size=2048, kid="enc", use="enc")
        issuer.keys["oct"] = jwk.JWK.generate(kty="oct", size=256, kid="oct")
        issuer.keys["p384"] = jwk.JWK.generate(kty="EC", crv="P-384", kid="p384")
        issuer.keys["p256"] = jwk.JWK.generate(kty="EC", crv="P-256", kid="p256")
        listed = [each.export_public(as_dict=True) if name != "oct" else each.export(as_dict=True) for name, each in issuer.keys.items()]
        issuer.broken["/keys"] = 200, {}, json.dumps({"keys": [*listed, {"kty": "OKP", "crv": "Ed25519", "x": "AA"}, 7, {"kty": "RSA"}]}).encode()
        daemon = self.trusting()
        self.assertEqual(daemon.status("GET", PAGE, bearer(issuer.token(key="p256", alg="ES256"))), 200)
        for key, alg in (("short", "RS256"), ("enc", "RS256")):
            self.assertEqual(daemon.status("GET", PAGE, bearer(issuer.token(key=key, alg=alg))), 401, key)
        self.assertEqual(daemon.status("GET", PAGE, bearer(issuer.token(key="p384", alg="ES384"))), 401)
        # Without the name of a key there are two of this kind.
        self.assertEqual(daemon.status("GET", PAGE, bearer(issuer.token(key="p256", alg="ES256", header={"kid": None}))), 200)

    @unittest.skipIf(sanitized(), "the library of faults is loaded first")
    def test_keys_are_fetched_again_in_time_and_believed_for_a_day(self):
        faults = Faults(self.home, self.home)
        daemon = self.trusting(env={**self.env(), **faults.env})
        issuer = self.issuer

        def jump(seconds):
            issuer.ahead += seconds
            faults.set(clock_s=issuer.ahead)

        def status(key="one"):
            return daemon.status("GET", PAGE, bearer(issuer.token(key=key)))
        issuer.keys["two"] = jwk.JWK.generate(kty="RSA", size=2048, kid="two")
        self.assertEqual(status("two"), 401)  # it was asked a moment ago
        jump(61)
        self.assertEqual(status("two"), 503)
        until(lambda: status("two") == 200, "a minute later it is fetched for the first token that names it")
        asked = issuer.times("/keys")
        jump(12 * 3600)
        until(lambda: issuer.times("/keys") > asked, "half a day later they are fetched again")
        issuer.broken["/.well-known/openid-configuration"] = 500, {}, b""
        jump(23 * 3600)
        self.assertEqual(status(), 200)
        until(lambda: status("three" if issuer.keys.setdefault("three", jwk.JWK.generate(kty="RSA", size=2048, kid="three")) else "") == 503, "nobody can tell whether it has that key")
        jump(2 * 3600)
        until(lambda: status() == 503, "a day later nobody knows whether they are still good")
        del issuer.broken["/.well-known/openid-configuration"]
        jump(61)
        until(lambda: status() == 200, "it is back")

    def test_an_issuer_that_is_down_is_no_refusal(self):
        self.issuer.broken["/keys"] = 500, {}, b"secret of the issuer"
        daemon = self.serve("--config", self.config())
        until(lambda: self.issuer.times("/keys") > 0, "it was asked")
        answer = until(lambda: (lambda got: "status 500" in got.json()["message"] and got)(daemon.ask("GET", PAGE, bearer(self.issuer.token()))), "it has answered")
        self.assertEqual((answer.status, answer.headers["Retry-After"]), (503, "2"))
        self.assertIn("can't be fetched (it answers with status 500)", answer.json()["message"])
        del self.issuer.broken["/keys"]
        until(lambda: daemon.status("GET", PAGE, bearer(self.issuer.token())) == 200, "it is back")
        self.issuer.stop()
        self.assertEqual(daemon.status("GET", PAGE, bearer(self.issuer.token())), 200)
        self.assertIn(b"can't fetch the keys of " + self.issuer.url.encode(), daemon.stop())

    def test_what_discovery_may_not_say(self):
        url, place = self.issuer.url, "/.well-known/openid-configuration"
        for answer, why in (((302, {"Location": url + "/other"}, b""), "status 302"),
                            ((200, {}, json.dumps({"issuer": url + "/", "jwks_uri": url + "/keys"}).encode()), "another issuer"),
                            ((200, {}, json.dumps({"issuer": url, "jwks_uri": url.replace("https", "http") + "/keys"}).encode()), "no https address"),
                            ((200, {}, json.dumps({"issuer": url, "jwks_uri": "file:///etc/passwd"}).encode()), "no https address"),
                            ((200, {}, b"[" * 100000), "not a JSON object"),
                            ((200, {}, b"{}" + b" " * 600_000), "")):
            with self.subTest(why=why):
                self.issuer.broken[place] = answer
                daemon = self.serve("--config", self.config(), name="d%d" % len(self.daemons))
                said = until(lambda: (lambda got: "being fetched" not in got and got)(daemon.ask("GET", PAGE, bearer(self.issuer.token())).json()["message"]), "it has answered")
                self.assertIn(why, said)
                self.assertEqual(daemon.status("GET", PAGE, bearer(self.issuer.token())), 503)
                daemon.stop()
        self.assertEqual(self.issuer.times("/other"), 0)

    def test_a_run_goes_on_when_the_token_of_its_job_is_over(self):
        daemon = self.trusting()
        # Over in a moment: the clocks may differ by a minute.
        token = self.issuer.token(exp=int(time.time()) - 58)
        going = Going(daemon, "/v1/runs?stack=github.com/acme/infra//prod", bearer(token))
        going.write(STREAM[:2000])
        body = {"upload_id": "u" * 32, "upload_secret": "s" * 64, "rules": "sha256:x", "id": "20261126T0000-aaaa",
                "stack": "github.com/acme/infra//prod", "labels": {}, "command": "apply", "started_at": None}
        posted = daemon.ask("POST", "/v1/runs", {**bearer(token), "Content-Type": "application/json"}, body=body)
        self.assertEqual(posted.status, 201, posted)
        run = posted.json()["run"]
        until(lambda: daemon.status("GET", PAGE, bearer(token)) == 401, "the token is over")
        going.write(STREAM[2000:])
        self.assertEqual(going.end()[0], 201)
        lines = "/v1/runs/%s/lines" % run
        patch = {"Upload-Offset": "0", "Upload-Secret": "s" * 64}
        self.assertEqual(daemon.status("PATCH", lines, {**bearer(token), **patch}, body=STREAM), 204)
        self.assertEqual(daemon.status("HEAD", lines, {**ANONYMOUS, "Upload-Secret": "s" * 64}), 200)
        # The secret of a run opens that run, and only to send it; who has it not learns nothing.
        for method, path, headers in (("GET", "/v1/runs/" + run, {"Upload-Secret": "s" * 64}), ("PATCH", lines, {**patch, "Upload-Secret": "t" * 64}),
                                      ("PATCH", "/v1/runs/nosuch/lines", patch), ("PATCH", lines, {"Upload-Offset": "0"}),
                                      ("POST", "/v1/runs", {"Upload-Secret": "s" * 64}), ("PUT", "/v1/runs", {"Upload-Secret": "s" * 64})):
            answer = daemon.ask(method, path, {**ANONYMOUS, **headers}, body=b"" if method != "GET" else None)
            self.assertEqual((answer.status, answer.json()["message"][:28]), (401, "this request has no token; s"), (method, path))
        # And another job of the same subject sends it further.
        again = daemon.ask("POST", "/v1/runs", {**bearer(self.issuer.token()), "Content-Type": "application/json"}, body=body)
        self.assertEqual(again.status, 200, again)
        other = daemon.ask("POST", "/v1/runs", {**bearer(self.issuer.token(sub="repo:acme/infra:ref:refs/heads/other")), "Content-Type": "application/json"}, body=body)
        self.assertEqual(other.status, 409, other)

    def job(self, rules=RULE):
        """A daemon with TLS, whose address is the audience, and the environment of a job that sends to it."""
        port = free_port()
        url = "https://localhost:%d" % port
        with open(self.config(rules=rules)) as file:
            text = file.read()
        with open(self.file, "w") as file:
            file.write(text.replace("https://tofud.example.com", url))
        chain, key = self.authority.server("daemon")
        daemon = self.serve("--config", self.file, "--listen", "127.0.0.1:%d" % port, "--tls-cert", chain, "--tls-key", key)
        until(lambda: self.issuer.times("/keys") > 0, "the keys are fetched")
        return daemon, url, self.env(TOFUD_CA_FILE=self.authority.root, SSL_CERT_FILE=self.authority.root, **self.issuer.job())

    def test_a_job_of_github_asks_for_its_token_itself(self):
        daemon, url, env = self.job()
        args = ("--server", url, "--stack", "github.com/acme/infra//prod", "--state-dir", os.path.join(self.home, "job"), "--no-listen")
        # No token at first, which is said; the stream goes through all the same, and the daemon has it in the end.
        self.issuer.broken["/job?api-version=2.0&audience=" + urllib.parse.quote(url, safe="")] = 500, {}, b""
        sending = self.kept(Running([TOFUD, *args], env))
        sending.write(STREAM[:4000])
        until(lambda: any("/job" in each for each in self.issuer.asked), "it has asked")
        self.issuer.broken.clear()
        sending.write(STREAM[4000:])
        sending.end_of_stream()
        self.assertEqual(sending.wait(), 0)
        self.assertIn(b"GitHub gave this job no token: status 500", sending.err.all())
        runs = until(lambda: daemon.ask("GET", PAGE).json()["runs"], "it has come")
        self.assertEqual([run["verified"]["actor"] for run in runs], ["jane"])
        self.assertEqual(sum("/job" in each for each in self.issuer.asked), 2)
        # Commands ask for one as well.
        self.assertIn(runs[0]["key"], self.tofud("ls", "--server", url, env=env)[0])
        self.assertEqual(sum("/job" in each for each in self.issuer.asked), 3)
        # What GitHub gave the job to ask with stays there.
        for secret in (self.issuer.job_secret,):
            for folder, _, files in os.walk(self.home):
                for each in (one for one in files if os.path.isfile(os.path.join(folder, one))):
                    with open(os.path.join(folder, each), "rb") as file:
                        self.assertNotIn(secret.encode(), file.read(), each)

    def test_a_token_file_is_read_again_when_the_run_is_asked_for_again(self):
        daemon, url, env = self.job()
        path = os.path.join(self.home, "projected")

        def project(**more):
            with open(path + ".new", "w") as file:
                file.write(self.issuer.token(aud=url, **more) + "\n")
            os.rename(path + ".new", path)
        project(exp=int(time.time()) - 56)
        sending = self.kept(Running([TOFUD, "--server", url, "--token-file", path, "--stack", "github.com/acme/infra//prod", "--state-dir",
                                     os.path.join(self.home, "job"), "--no-listen"], {name: value for name, value in env.items() if "ACTIONS" not in name}))
        sending.write(STREAM[:4000])
        run = until(lambda: daemon.ask("GET", PAGE).json()["runs"], "it has begun")[0]["key"]
        with open(path) as file:
            first = file.read().strip()
        until(lambda: daemon.status("GET", PAGE, bearer(first)) == 401, "the token is over")
        project()
        # The daemon loses its disk, so the run is asked for again.
        daemon.stop()
        again = self.serve("--config", self.file, "--listen", urllib.parse.urlsplit(url).netloc.replace("localhost", "127.0.0.1"), "--tls-cert", self.authority.path("daemon.chain.pem"),
                           "--tls-key", self.authority.path("daemon.key"), name="again")
        sending.write(STREAM[4000:])
        sending.end_of_stream()
        self.assertEqual(sending.wait(), 0, sending.err.all())
        until(lambda: again.ask("GET", "/v1/runs/" + run).json().get("run", {}).get("ended_at"), "all has come")

    def test_rules_change_while_it_serves(self):
        daemon = self.trusting()
        token = self.issuer.token()
        self.config(rules=self.RULE.replace("acme/*", "other/*"))
        daemon.running.process.send_signal(signal.SIGHUP)
        until(lambda: daemon.status("GET", PAGE, bearer(token)) == 401, "it is refused")
        self.config()
        daemon.running.process.send_signal(signal.SIGHUP)
        until(lambda: daemon.status("GET", PAGE, bearer(token)) == 200, "it is taken again")
        self.config(rules="[[oidc.rules]]\nclaims = []\n")
        daemon.running.process.send_signal(signal.SIGHUP)
        until(lambda: daemon.status("GET", PAGE, bearer(token)) == 200, "a mistake changes nothing")
        self.assertIn(b"configuration not reloaded", daemon.stop())

    def test_why_a_job_may_send_a_stack_or_may_not(self):
        self.config()
        path = os.path.join(self.home, "claims.json")

        def why(stack, status=0, text=None, **more):
            with open(path, "w") as file:
                file.write(text or json.dumps(self.issuer.claims(**more)))
            return self.tofud("access", "explain", "--claims", path, "--config", self.file, stack, status=status)
        stack = "github.com/acme/infra//prod"
        self.assertRegex(why(stack)[0], r"^\S+oidc\.toml:6: fits\n  read    yes  github.com/acme/infra//\* matches this stack, but only runs that a token gave team=net\n"
                         r"  ingest  yes  github.com/acme/infra//\* matches this stack; the run gets team=net\n  raw     no   it has no scope raw\n$")
        self.assertIn("  ingest  no   it reaches only github.com/acme/infra//* with team=net\n", why("net")[0])
        self.assertRegex(why(stack, ref="refs/pull/7/merge")[0], r"oidc\.toml:6: does not fit: its claim ref is not refs/heads/main\n  read    no   no \[\[oidc")
        self.assertIn(": fits", why(stack, text=self.issuer.token(exp=1) + "\n")[0])  # what somebody has is over by now
        self.assertIn("no [[oidc]] section is for the issuer", why(stack, 1, iss="https://x")[1])
        self.assertIn("claims.json: the token's claims are not a JSON object", why(stack, 1, text="[]")[1])
        self.assertIn("--token NAME or --claims FILE is missing", self.tofud("access", "explain", stack, status=2)[1])

    # ---- people

    PEOPLE = '''
[[oidc.rules]]
claims = ["groups=net"]
scopes = "read"
stacks = ["net", "net/*"]
'''

    def people(self, env=None, rules=PEOPLE, client='client_id = "tofud"', **more):
        path = os.path.join(self.home, "oidc.toml")
        with open(path, "w") as file:
            file.write('[[oidc]]\nissuer = "%s"\nca_file = "%s"\n%s\n%s' % (self.issuer.url, self.authority.root, client, rules))
        self.file = path
        daemon = self.serve("--config", path, env=env, **more)
        until(lambda: self.issuer.times("/keys") > 0, "the keys are fetched")
        until(lambda: daemon.status("GET", "/v1/session/oidc", ANONYMOUS) == 302, "it may be asked")
        return daemon

    def begin(self, daemon, query="provider=0&next=/runs"):
        answer = daemon.ask("GET", "/v1/session/oidc?" + query, ANONYMOUS)
        self.assertEqual(answer.status, 302, answer)
        where = urllib.parse.urlsplit(answer.headers["Location"])
        return dict(urllib.parse.parse_qsl(where.query)), answer.headers["Set-Cookie"].partition(";")[0], where

    def come_back(self, daemon, cookie, **query):
        return daemon.ask("GET", "/v1/session/oidc/callback?" + urllib.parse.urlencode(query), {"Cookie": cookie, **ANONYMOUS} if cookie else ANONYMOUS)

    def id_token(self, asked, **more):
        return self.issuer.token(**{"aud": "tofud", "sub": "u1", "preferred_username": "jane", "groups": ["net"], "nonce": asked["nonce"], "repository": None, "actor": None, **more})

    def session_of(self, answer):
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, value = cookie.partition(";")[0].split("=", 1)
            if value and not name.endswith("-login"):
                return {"Cookie": "%s=%s" % (name, value), **ANONYMOUS}
        return None

    def test_somebody_logs_in_at_the_issuer(self):
        secret = os.path.join(self.home, "secret")
        with open(secret, "w") as file:
            file.write("s e/c\n")
        daemon = self.people(client='client_id = "to fud"\nclient_secret_file = "%s"' % secret)
        asked, cookie, where = self.begin(daemon)
        self.assertEqual((asked["response_type"], asked["client_id"], asked["scope"], asked["code_challenge_method"], asked["tenant"]),
                         ("code", "to fud", "openid profile email groups", "S256", "1"))
        self.assertEqual(asked["redirect_uri"], "http://127.0.0.1:%d/v1/session/oidc/callback" % daemon.port)
        self.issuer.id_token = lambda form: self.id_token(asked, aud="to fud")
        answer = self.come_back(daemon, cookie, code="c0de", state=asked["state"], iss=self.issuer.url)
        self.assertEqual(answer.status, 200, answer)
        self.assertIn(b'content="0;url=/runs"', answer.body)
        authorization, form = self.issuer.exchanged[0]
        self.assertEqual(base64.b64decode(authorization.split()[1]).decode(), "to%20fud:s%20e%2Fc")
        self.assertEqual((form["code"], form["redirect_uri"], form["grant_type"]), ("c0de", asked["redirect_uri"], "authorization_code"))
        self.assertEqual(b64(hashlib.sha256(form["code_verifier"].encode()).digest()), asked["code_challenge"])
        session = self.session_of(answer)
        self.tokens += [session["Cookie"].split("=", 1)[1], form["code_verifier"]]
        self.assertEqual(daemon.ask("GET", "/v1/session", session).json(), {"who": "jane", "scopes": "read", "within": "net, net/*"})
        # A session is for a browser, and so is the ID token: nobody shows it instead of a token.
        self.assertEqual(daemon.status("GET", PAGE, bearer(self.id_token(asked, aud="to fud"))), 401)
        # Other rules end it, and so does the end of the section.
        with open(self.file) as file:
            text = file.read()
        with open(self.file, "w") as file:
            file.write(text.replace("groups=net", "groups=dns"))
        daemon.running.process.send_signal(signal.SIGHUP)
        until(lambda: daemon.status("GET", "/v1/session", session) == 401, "the login is over")

    def test_no_other_login_lets_in(self):
        daemon = self.people()
        asked, cookie, _ = self.begin(daemon)
        other, other_cookie, _ = self.begin(daemon)
        stranger = jwk.JWK.generate(kty="RSA", size=2048, kid="one")
        cases = [
            ("no cookie", None, {}, self.id_token(asked), "did not begin this login"),
            ("the cookie of another login", other_cookie, {}, self.id_token(asked), "did not begin this login"),
            ("no state", cookie, {"state": ""}, self.id_token(asked), "did not begin this login"),
            ("another state", cookie, {"state": other["state"]}, self.id_token(asked), "did not begin this login"),
            ("a cookie that was changed", cookie.replace(".0.", ".9."), {}, self.id_token(asked), "no such identity provider"),
            ("half a cookie", cookie[:40], {}, self.id_token(asked), "did not begin this login"),
            ("another issuer", cookie, {"iss": "https://x"}, self.id_token(asked), "another identity provider"),
            ("the person refuses", cookie, {"error": "access_denied"}, None, "the identity provider refused: access_denied"),
            ("HTML", cookie, {"error": "<b>x"}, None, "refused: &lt;b&gt;x"),
            ("another nonce", cookie, {}, self.id_token(other), "another login (nonce)"),
            ("no nonce", cookie, {}, self.id_token(asked, nonce=None), "another login (nonce)"),
            ("another audience", cookie, {}, self.id_token(asked, aud="x"), "another audience"),
            ("a token of a job", cookie, {}, self.issuer.token(), "another audience"),
            ("another signature", cookie, {}, self.issuer.token(key=stranger, aud="tofud", nonce=asked["nonce"]), "signature is wrong"),
            ("of no group", cookie, {}, self.id_token(asked, groups=["dns"]), "no [[oidc.rules]]"),
            ("without groups", cookie, {}, self.id_token(asked, groups=None), "no [[oidc.rules]]"),
            ("over", cookie, {}, self.id_token(asked, exp=int(time.time()) - 100), "is over since"),
            ("no token", cookie, {}, "", "neither one of tofud nor"),
        ]
        for name, brought, query, token, why in cases:
            with self.subTest(name):
                self.issuer.id_token = lambda form, token=token: token
                answer = self.come_back(daemon, brought, **{"code": "c", "state": asked["state"], **query})
                self.assertEqual(answer.status, 400 if "did not begin" in why else 401, answer)
                self.assertIn(why, answer.body.decode())
                self.assertIsNone(self.session_of(answer))
        for body, why in (((400, {}, b'{"error":"invalid_grant"}'), "refused: invalid_grant"), ((500, {}, b"secret"), "refused: status 500"), ((200, {}, b"["), "neither one")):
            self.issuer.broken["/token"] = body
            self.assertIn(why, self.come_back(daemon, cookie, code="c", state=asked["state"]).body.decode())
        del self.issuer.broken["/token"]
        self.assertIn("no such identity provider", daemon.ask("GET", "/v1/session/oidc?provider=1", ANONYMOUS).body.decode())
        for given, wanted in (("//evil.example", "/"), ("https://evil.example", "/"), ("/\\evil", "/"), ('/runs?q="><b>', "/runs?q=&quot;&gt;&lt;b&gt;"), ("/" + "x" * 2000, "/")):
            with self.subTest(next=given):
                asked, cookie, _ = self.begin(daemon, "next=" + urllib.parse.quote(given))
                self.issuer.id_token = lambda form: self.id_token(asked)
                page = self.come_back(daemon, cookie, code="c", state=asked["state"]).body.decode()
                self.assertIn('content="0;url=%s"' % wanted, page)

    @unittest.skipIf(sanitized(), "the library of faults is loaded first")
    def test_groups_are_asked_again_after_a_working_day(self):
        faults = Faults(self.home, self.home)
        daemon = self.people(env={**self.env(), **faults.env})
        asked, cookie, _ = self.begin(daemon)
        self.issuer.id_token = lambda form: self.id_token(asked)
        session = self.session_of(self.come_back(daemon, cookie, code="c", state=asked["state"]))
        faults.set(clock_s=7.9 * 3600)  # the token itself was good for five minutes
        self.assertEqual(daemon.status("GET", "/v1/session", session), 200)
        faults.set(clock_s=8.1 * 3600)
        until(lambda: daemon.status("GET", "/v1/session", session) == 401, "the login is over")

    def test_a_secret_that_is_not_there_is_said(self):
        self.config(more='client_id = "x"\nclient_secret_file = "%s/none"\n' % self.home)
        done = Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", "", "--state-dir", self.state_dir, "--config", self.file], self.env())
        self.assertEqual(self.kept(done).wait(), 1)
        self.assertIn(b"the client's secret can't be read", done.err.all())

    def test_config_check_refuses_what_lets_anybody_in_and_warns_of_every_branch(self):
        for rules, why in (('claims = ["repository=*"]', "fits whatever the claim is"), ('claims = ["ref=refs/heads/main"]', "any user of the issuer would be let in"),
                           ('claims = ["repository=*/infra"]', "must not begin with *"), ('claims = ["actor=jane"]', "any user of the issuer"),
                           ('claims = []', "any user of the issuer"), ('claims = ["repository"]', "write CLAIM=PATTERN")):
            self.config(rules='[[oidc.rules]]\n%s\nscopes = "ingest"\nstacks = ["*"]\n' % rules)
            self.assertRegex(self.tofud("config", "check", self.file, status=1)[1], r"oidc\.toml:\d+:\d+: .*" + re.escape(why), rules)
        for more, why in (('issuer = "http://x"', ""), ('algorithms = ["none"]', "is not an algorithm"), ('algorithms = ["HS256"]', "is not an algorithm"),
                          ('audienc = "x"', "did you mean oidc.audience?"), ('client_id = "x"\nlogin_scopes = "profile"', "has no openid"), ('ca_file = "x"', "")):
            self.config(more=more + "\n")
            self.assertIn(why, self.tofud("config", "check", self.file, status=1)[1])
        with open(self.file, "w") as file:
            file.write('[[oidc]]\nissuer = "https://x.example.com"\n')
        self.assertIn("neither audience, for jobs, nor client_id, for people", self.tofud("config", "check", self.file, status=1)[1])
        self.config(issuer="http://localhost:1")
        self.assertIn("write https://NAME", self.tofud("config", "check", self.file, status=1)[1])
        self.config(rules='[[oidc.rules]]\nclaims = ["repository=acme/infra"]\nscopes = "ingest"\nstacks = ["a"]\n')
        self.assertRegex(self.tofud("config", "check", self.file)[1], r"warning: \S+oidc\.toml:5:1: this rule lets jobs of every branch and pull request send")
        self.config()
        self.assertEqual(self.tofud("config", "check", self.file)[1], "")
        shown = self.tofud("config", "show", "--config", self.file)[0]
        self.assertIn('\n[[oidc.rules]]\nclaims = ["repository=acme/*", "ref=refs/heads/main"]\n', shown)


if __name__ == "__main__":
    unittest.main(verbosity=2)
