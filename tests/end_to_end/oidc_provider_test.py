#!/usr/bin/python3
"""Tokens and logins of a certified provider, npm's oidc-provider, which .ci/oidc-provider has put into build/."""
import json
import os
import shutil
import ssl
import subprocess
import tempfile
import unittest
import urllib.parse
import urllib.request

from asking import STREAM, Asking, bearer
from binary import ROOT, Running, until
from tls_test import Authority

PROVIDER = ROOT / "build/oidc-provider/provider.mjs"
AUDIENCE = "https://tofud.example.com"


@unittest.skipUnless(PROVIDER.exists() and shutil.which("node"), ".ci/oidc-provider fetches it")
class CertifiedProvider(Asking):
    def setUp(self):
        super().setUp()
        self.keep = tempfile.TemporaryDirectory(prefix="tofud-provider-")
        self.addCleanup(self.keep.cleanup)
        self.authority = Authority(self.keep.name)

    def provider(self, *redirects):
        running = self.kept(Running(["node", str(PROVIDER), *self.authority.server("provider"), AUDIENCE, *redirects], os.environ, stdin=subprocess.DEVNULL))
        return next(line for line in iter(lambda: running.out.next().decode().strip(), None) if line.startswith("https://"))

    def post(self, url, form, user):
        request = urllib.request.Request(url, urllib.parse.urlencode(form).encode())
        request.add_header("Authorization", "Basic " + __import__("base64").b64encode(user.encode()).decode())
        with urllib.request.urlopen(request, context=ssl.create_default_context(cafile=self.authority.root)) as answer:
            return json.load(answer)

    def test_a_job_sends_with_what_it_issues(self):
        url = self.provider()
        path = os.path.join(self.home, "oidc.toml")
        with open(path, "w") as file:
            file.write('''[[oidc]]
issuer = "%s"
audience = "%s"
ca_file = "%s"
[[oidc.rules]]
claims = ["repository=acme/*", "ref=refs/heads/main"]
scopes = "ingest"
stacks = ["github.com/{repository}//*"]
''' % (url, AUDIENCE, self.authority.root))
        daemon = self.serve("--config", path)
        token = self.post(url + "/token", {"grant_type": "client_credentials", "resource": AUDIENCE, "scope": "send"}, "ci:of-the-client-ci")["access_token"]
        self.tokens.append(token)
        until(lambda: daemon.status("GET", "/v1/session", bearer(token)) == 200, "the keys are there")
        sent = daemon.ask("PUT", "/v1/runs?stack=github.com/acme/infra//prod", bearer(token), body=STREAM)
        self.assertEqual(sent.status, 201, sent)
        self.assertEqual(daemon.status("PUT", "/v1/runs?stack=other", bearer(token), body=STREAM), 403)
        self.assertEqual(daemon.status("GET", "/v1/runs", bearer(token)), 403)
        row = daemon.ask("GET", "/v1/runs/" + sent.json()["run"]).json()["run"]
        self.assertEqual((row["verified"]["issuer"], row["verified"]["subject"], row["verified"]["repository"]), (url, "ci", "acme/infra"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
