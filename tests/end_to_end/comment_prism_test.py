#!/usr/bin/python3
"""Every request of `tofud comment` before the descriptions that GitHub and Gitea publish of their APIs, by Prism. .ci/forge-descriptions has put
them into build/."""
import re
import shutil
import subprocess
import unittest

from binary import RECORDINGS, ROOT, Running, until
from comment_test import Commenting
from forge import MERGED

DESCRIPTIONS = ROOT / "build/forge-descriptions"


@unittest.skipUnless((DESCRIPTIONS / ".versions").exists() and shutil.which("node"), ".ci/forge-descriptions fetches them")
class Judged(Commenting):
    def judged(self, kind):
        description = DESCRIPTIONS / (kind + ".json")
        if not description.exists():
            self.skipTest(".ci/forge-descriptions found no " + description.name)
        self.forge.stop()
        self.forge = self.of_kind(kind)
        prism = self.kept(Running(["node", str(DESCRIPTIONS / "node_modules/@stoplight/prism-cli/dist/index.js"), "proxy", "--port", "0", "--host", "127.0.0.1", str(description),
                                   "http://127.0.0.1:%d" % self.forge.plain.server_port], self.env(), stdin=subprocess.DEVNULL))
        said = until(lambda: re.search(rb"listening on http://127.0.0.1:(\d+)", b"".join(prism.out.got)), "Prism listens")
        self.forge.judge = int(said[1])

    def everything_is_asked(self, kind, author):
        self.judged(kind)
        self.forge.me = author
        self.comment("net/a")
        self.forge.add(author, self.the_text())  # of two one is left
        self.comment("net/b", path=str(RECORDINGS / "apply-provider-errors/stream.jsonl"))
        self.comment("net/a", path=str(RECORDINGS / "update-in-place/stream.jsonl"), GITHUB_REF="refs/heads/main", GITHUB_SHA=MERGED)
        self.assertEqual(self.sections(), ["net/b", "net/a"])
        asked = {(method, re.sub(r"\d+|[0-9a-f]{40}", "N", path.partition("?")[0][len(self.forge.base):])) for method, path, _, _ in self.forge.asked}
        self.assertEqual(self.forge.violations, [])
        return asked

    def test_github_describes_each_request(self):
        self.assertEqual(self.everything_is_asked("github", "github-actions[bot]"), {
            ("GET", "/user"), ("GET", "/repos/acme/infra/commits/N/pulls"), ("GET", "/repos/acme/infra/issues/N/comments"), ("POST", "/repos/acme/infra/issues/N/comments"),
            ("PATCH", "/repos/acme/infra/issues/comments/N"), ("DELETE", "/repos/acme/infra/issues/comments/N"), ("POST", "/repos/acme/infra/statuses/N")})

    def test_gitea_describes_each_request(self):
        self.assertEqual(self.everything_is_asked("gitea", "gitea-actions"), {
            ("GET", "/user"), ("GET", "/repos/acme/infra/commits/N/pull"), ("GET", "/repos/acme/infra/issues/N/comments"), ("POST", "/repos/acme/infra/issues/N/comments"),
            ("PATCH", "/repos/acme/infra/issues/comments/N"), ("DELETE", "/repos/acme/infra/issues/comments/N"), ("POST", "/repos/acme/infra/statuses/N")})

    def test_what_is_wrong_is_found(self):
        self.judged("github")
        self.forge.judged("POST", "/repos/acme/infra/issues/7/comments", {"Authorization": "Bearer x", "Content-Type": "application/json"}, b'{"text": "no body"}')
        self.forge.judged("GET", "/repos/acme/infra/issues/7/remarks", {"Authorization": "Bearer x"}, b"")
        self.assertEqual(len({path for _, path, _ in self.forge.violations}), 2, self.forge.violations)


if __name__ == "__main__":
    unittest.main()
