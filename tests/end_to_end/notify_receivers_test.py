#!/usr/bin/python3
"""What receivers make of notifications that this project did not write: Standard Webhooks and CloudEvents in Python, the types of Slack's
messages, Microsoft's reader of adaptive cards. .ci/notify-receivers has put them into build/."""
import json
import os
import shutil
import subprocess
import unittest
import urllib.parse

from binary import ROOT, until
from notify_test import KEY, Notify, failed

RECEIVERS = ROOT / "build/notify-receivers"
# Reads {"headers": …, "body": …, "secret": …} and says what it is.
VERIFIES = """
import json, sys
from cloudevents.v1.conversion import to_dict
from cloudevents.v1.http import from_http
from standardwebhooks import Webhook
came = json.load(sys.stdin)
Webhook(came["secret"]).verify(came["body"], came["headers"])
try:
    Webhook(came["secret"]).verify(came["body"] + " ", came["headers"])
    sys.exit("another body is verified")
except Exception as wrong:
    assert type(wrong).__name__ == "WebhookVerificationError", wrong
print(json.dumps(to_dict(from_http(came["headers"], came["body"]))))
"""
NAMES = "<!channel> @here </at> [x](https://evil.example) \"quoted\" ä\u202e"


@unittest.skipUnless((RECEIVERS / ".versions").exists() and shutil.which("node"), ".ci/notify-receivers fetches them")
class Receivers(Notify):
    def test_they_take_what_is_sent(self):
        secret = self.write("secret", "whsec_" + KEY + "\n")
        daemon = self.told(self.rule("webhook", more='secret_file = "%s"\n' % secret), self.rule("slack", "slack"), self.rule("teams", "teams"))
        server = "unix:" + daemon.socket
        self.put(daemon, failed(summary=NAMES * 20), urllib.parse.quote(NAMES), "&label=url=https://ci.example.com/7")
        self.put(daemon, failed(), "plain")
        for rule in ("webhook", "slack", "teams"):
            self.tofud("notify", "test", rule, "--server", server)
        for i in range(8):
            self.put(daemon, failed(), "burst-%d" % i)
        until(lambda: all(len(self.target.at("/" + each)) >= 5 for each in ("webhook", "slack", "teams")), "the first")
        self.tofud("notify", "retry", "--server", server)
        until(lambda: all(any("at once" in body.decode() for _, body in self.target.at("/" + each)) for each in ("webhook", "slack", "teams")), "the burst")
        for headers, body in self.target.at("/webhook"):
            done = subprocess.run([RECEIVERS / "python/bin/python", "-c", VERIFIES], input=json.dumps({"headers": {name.lower(): value for name, value in headers.items()},
                                  "body": body.decode(), "secret": "whsec_" + KEY}), capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["id"], headers["webhook-id"])
        for i, ((_, slack), (_, teams)) in enumerate(zip(self.target.at("/slack"), self.target.at("/teams"))):
            paths = []
            for name, body in (("slack", slack), ("teams", teams)):
                paths.append(os.path.join(self.home, "%s%d.json" % (name, i)))
                with open(paths[-1], "wb") as file:
                    file.write(body)
            done = subprocess.run(["node", "check.mjs", *paths], cwd=RECEIVERS, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


def load_tests(loader, tests, pattern):
    return unittest.TestSuite([Receivers("test_they_take_what_is_sent")])


if __name__ == "__main__":
    unittest.main(verbosity=2)
