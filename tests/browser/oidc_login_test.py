#!/usr/bin/python3
"""People log in at an identity provider, npm's certified oidc-provider, in a real browser that nobody knows."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from binary import ROOT, Running, free_port, until
from login_test import HEADING, Login
from tls_test import Authority

PROVIDER = ROOT / "build/oidc-provider/provider.mjs"


@unittest.skipUnless(PROVIDER.exists() and shutil.which("node"), ".ci/oidc-provider fetches it")
class OidcLogin(Login):
    def setUp(self):
        self.keep = tempfile.TemporaryDirectory(prefix="tofud-provider-")
        self.addCleanup(self.keep.cleanup)
        super().setUp()

    def serve(self, *args, **more):
        authority = Authority(self.keep.name)
        back = "http://127.0.0.1:%d/v1/session/oidc/callback" % self.port
        running = self.kept(Running(["node", str(PROVIDER), *authority.server("provider"), "https://tofud.example.com", back], os.environ, stdin=subprocess.DEVNULL))
        url = next(line for line in iter(lambda: running.out.next().decode().strip(), None) if line.startswith("https://"))
        self.config, secret = os.path.join(self.keep.name, "oidc.toml"), os.path.join(self.keep.name, "secret")
        with open(secret, "w") as file:
            file.write("of-the-client-tofud\n")
        with open(self.config, "w") as file:
            file.write('''[[oidc]]
name = "Company & Sons"
issuer = "%s"
ca_file = "%s"
client_id = "tofud"
client_secret_file = "%s"
login_scopes = "openid groups"
[[oidc.rules]]
claims = ["groups=janes"]
scopes = "read"
stacks = ["net", "net/*"]
''' % (url, authority.root, secret))
        return super().serve("--config", self.config, *args, **more)

    def log_in(self, page, name):
        """From the page to log in to whatever the provider sends the browser back to."""
        page.call("Security.setIgnoreCertificateErrors", ignore=True)
        self.becomes(page, HEADING, "Log in", "the page to log in")
        self.becomes(page, "document.querySelector('a.button')?.textContent", "Log in with Company & Sons", "the provider")
        page.value("document.querySelector('a.button').click()")
        self.becomes(page, "Boolean(document.querySelector(\"input[name=login]\"))", True, "the page of the provider")
        page.value("document.querySelector('input[name=login]').value = %r; document.querySelector('input[name=password]').value = 'x'; document.forms[0].submit()" % name)
        self.becomes(page, "Boolean(document.querySelector('form') && !document.querySelector('input[name=login]'))", True, "what is consented to")
        page.value("document.forms[0].submit()")

    def test_somebody_of_a_group_logs_in_and_sees_what_it_sees(self):
        elsewhere = self.daemon.put_run(path="/v1/runs?stack=pay/secret-prod")
        page = self.visit(self.front + "?run=" + self.run_id)
        self.becomes(page, HEADING, "Log in", "the page to log in")
        self.accessible(page)
        self.log_in(page, "jane")
        self.shows_the_run(page)
        self.assertEqual(page.value("location.href"), self.front + "?run=" + self.run_id)
        self.menu(page)
        until(lambda: page.value("document.getElementById('who')?.textContent") == "logged in as jane, sees net, net/*", "whose login it is")
        found = {one["name"]: one for one in self.cookies(page)}
        ours = {name: one for name, one in found.items() if name.startswith("tofud")}
        self.assertEqual([(one["sameSite"], one["httpOnly"]) for one in ours.values()], [("Strict", True)])  # that of the way there is gone
        self.assertEqual(page.value("fetch('v1/runs/%s').then(answer => answer.status)" % elsewhere), 404)
        self.assertIn("oidc", "".join(page.requests))

    def test_somebody_of_no_group_is_told_so(self):
        page = self.visit(self.front + "runs")
        self.log_in(page, "bob")
        self.becomes(page, "document.querySelector('[role=alert]')?.textContent", lambda text: text and "no [[oidc.rules]]" in text and "the token of bob" in text, "why")
        self.assertEqual([one for one in self.cookies(page) if one["name"].startswith("tofud")], [])


def load_tests(loader, tests, pattern):
    return unittest.TestSuite(OidcLogin(name) for name in vars(OidcLogin) if name.startswith("test_"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
