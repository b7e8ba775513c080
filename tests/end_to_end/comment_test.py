#!/usr/bin/python3
"""`tofud comment` against forges: one comment for all stacks whatever other jobs, people and the forge itself do, and statuses beside the commit."""
import json
import os
import re
import subprocess
import tempfile
import threading
import unittest

from binary import PATIENCE, RECORDINGS, TOFUD, EndToEnd
from forge import HEAD, MERGED, OURS, Forge
from one_resource import DONE, VERSION, created, message, planned
from tls_test import Authority

PLAN = VERSION + planned("a.b") + message(3, "change_summary", changes={"add": 1, "change": 0, "remove": 0, "operation": "plan"})
MARK = "<!-- tofud:comment -->"


class Commenting(EndToEnd):
    kind = "github"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        keep = tempfile.TemporaryDirectory(prefix="tofud-forge-")
        cls.addClassCleanup(keep.cleanup)
        cls.authority = Authority(keep.name)
        cls.chain, cls.key = cls.authority.server("forge")

    def setUp(self):
        super().setUp()
        self.forge = self.of_kind(self.kind)
        self.summary = os.path.join(self.home, "summary.md")

    def of_kind(self, kind):
        forge = Forge(self.chain, self.key, kind)
        self.addCleanup(forge.stop)
        return forge

    def written(self, stream, name="stream"):
        path = os.path.join(self.home, name + ".jsonl")
        with open(path, "wb") as file:
            file.write(stream)
        return path

    def job(self, **more):
        return self.env(**{"SSL_CERT_FILE": self.authority.root, "GITHUB_STEP_SUMMARY": self.summary, **self.forge.job(), **more})

    def comment(self, stack, *args, stream=None, path=None, status=0, **more):
        """What it says on standard error."""
        path = path or self.written(stream or PLAN, "of-" + stack.replace("/", "-"))
        done = subprocess.run([TOFUD, "comment", path, "--stack", stack, *args], env=self.job(**more), capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        return done.stderr

    def the_text(self):
        texts = [each for each in self.forge.texts() if each.startswith(MARK)]
        self.assertEqual(len(texts), 1)
        return texts[0]

    def sections(self, text=None):
        return re.findall(r"^### `(.*)`$", text or self.the_text(), re.M)


class Comment(Commenting):
    def test_one_comment_has_a_section_for_each_stack_and_risks_come_first(self):
        said = self.comment("net/a", path=str(RECORDINGS / "plan-noop/stream.jsonl"))
        self.assertRegex(said, r"^tofud: the comment stands in pull request 7: https://forge.example.com/acme/infra/pull/7#issuecomment-\d+\n$")
        self.comment("net/b", path=str(RECORDINGS / "plan-create-mixed/stream.jsonl"))
        self.comment("net/c", path=str(RECORDINGS / "apply-provider-errors/stream.jsonl"))
        text = self.the_text()
        self.assertEqual(self.sections(), ["net/c", "net/b", "net/a"])
        self.assertIn("**OpenTofu**: 3 stacks, 1 failed, 1 would change, 1 without changes\n", text)
        self.assertRegex(text, r"❌ \*\*apply failed \d\d:\d\d UTC after \S+\*\*: .*\[open the run\]\(https://github.com/acme/infra/actions/runs/55\)")
        self.assertEqual(len([each for each in self.forge.asked if each[0] == "POST" and "/issues/" in each[1]]), 1)

    def test_what_is_applied_later_is_said_above_its_plan_until_there_is_another(self):
        plan, apply = PLAN, VERSION + created("a.b", 30) + DONE
        self.comment("net/a", stream=plan)
        self.comment("net/a", stream=apply)
        text = self.the_text()
        self.assertRegex(text, r"(?s)### `net/a`.*✅ \*\*applied \d\d:\d\d UTC in .*1 added, 0 changed, 0 destroyed.*✅ \*\*plan")
        self.assertEqual(text.count("### `net/a`"), 1)
        # The same job once more changes nothing.
        before = len(self.forge.asked)
        self.comment("net/a", stream=apply)
        self.assertEqual([each[0] for each in self.forge.asked[before:]], ["GET", "GET", "POST"])
        later = plan.replace(b'"2026-', b'"2027-')
        self.assertNotEqual(later, plan)
        self.comment("net/a", stream=later)
        self.assertNotIn("applied", self.the_text())

    def test_statuses_stand_beside_the_commit(self):
        event = os.path.join(self.home, "event.json")
        with open(event, "w") as file:
            json.dump({"pull_request": {"number": 7, "head": {"sha": "c3" * 20}}}, file)
        self.comment("net/a", "--no-comment", path=str(RECORDINGS / "plan-create-mixed/stream.jsonl"), GITHUB_EVENT_PATH=event)
        self.comment("net/a", "--no-comment", path=str(RECORDINGS / "apply-provider-errors/stream.jsonl"))
        self.comment("net/a", "--no-comment", path=str(RECORDINGS / "update-in-place/stream.jsonl"), stream=None)
        self.assertEqual(self.forge.texts(), [])
        (first, plan), (second, failed), (_, applied) = self.forge.statuses
        self.assertEqual((first, second), ("c3" * 20, HEAD))
        self.assertEqual(plan, {"state": "success", "context": "tofud/plan/net/a", "description": "+36 ~0 -0", "target_url": "https://github.com/acme/infra/actions/runs/55"})
        self.assertEqual((failed["state"], failed["context"]), ("failure", "tofud/apply/net/a"))
        self.assertRegex(failed["description"], r"^apply failed \d\d:\d\d UTC after \S+, \d+ errors$")
        self.assertRegex(applied["description"], r"^\+0 ~3 -0, applied \d\d:\d\d UTC in \S+$")

    def test_an_apply_after_the_merge_finds_its_pull_request(self):
        self.comment("net/a", path=str(RECORDINGS / "update-in-place/stream.jsonl"), GITHUB_REF="refs/heads/main", GITHUB_SHA=MERGED)
        self.assertIn("applied", self.the_text())
        said = self.comment("net/a", GITHUB_REF="refs/heads/main")
        self.assertIn("no pull request belongs to this job; --pull-request names one", said)
        self.assertEqual(len(self.forge.statuses), 2)

    def test_jobs_at_once_lose_nothing(self):
        self.forge.takes = .03
        stacks = ["net/%d" % i for i in range(8)]
        said = {}
        jobs = [threading.Thread(target=lambda stack=stack: said.update({stack: self.comment(stack, "--no-status")})) for stack in stacks]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
        self.assertEqual(sorted(self.sections()), stacks, said)

    def test_a_comment_that_somebody_deletes_is_written_again(self):
        self.comment("net/a", "--no-status")
        came = []

        def delete(method, path):
            if method == "PATCH" and not came:
                came.append(path)
                self.forge.comments.clear()
        self.forge.before = delete
        self.comment("net/b", "--no-status")
        self.assertEqual((len(came), self.sections()), (1, ["net/b"]))

    def test_comments_of_others_are_never_touched(self):
        forged = MARK + "\n\n<!-- tofud:stack net%2Fz -->\n### `net/z`\n\n<!-- tofud:plan r 2026-01-01T00:00:00Z none -->\n✅ all is well\n<!-- tofud:end -->"
        other = self.forge.add("mallory", forged)
        for i in range(120):
            self.forge.add("somebody", "thank you %d" % i)
        self.comment("net/a", "--no-status")
        self.comment("net/b", "--no-status")
        self.assertEqual(self.forge.comments[other], ("mallory", forged))
        ours = [body for author, body in self.forge.comments.values() if author == OURS]
        self.assertEqual((len(ours), self.sections(ours[0])), (1, ["net/a", "net/b"]))
        # Who asks is known to the forge, or told.
        self.forge.me = "deploy"
        self.comment("net/c", "--no-status")
        self.assertEqual([self.sections(body) for author, body in self.forge.comments.values() if author == "deploy"], [["net/c"]])

    def test_a_token_of_an_author_that_nobody_knows_writes_one_comment_too(self):
        self.forge.hidden = "acme-app[bot]"
        for stack in ("net/a", "net/b", "net/c"):
            self.comment(stack, "--no-status")
        self.assertEqual(self.sections(), ["net/a", "net/b", "net/c"])
        self.comment("net/d", "--no-status", "--author", "acme-app[bot]")
        self.assertEqual(len([each for each in self.forge.asked if each[0] == "POST"]), 3)

    def test_what_runs_say_makes_no_section(self):
        mark = "<!-- tofud:end -->\n<!-- tofud:stack net%2Fz -->\n<!-- tofud:plan r 2099-01-01T00:00:00Z none -->\nall is well"
        stream = VERSION + created("a.b", 5, ends="apply_errored") + message(9, "diagnostic", diagnostic={
            "severity": "error", "summary": mark, "detail": mark + "\n@everyone [x](https://evil.example) <img src=//evil.example>", "address": "a.b"}) + DONE
        self.comment("net/a", "--no-status", stream=stream)
        self.comment("net/b", "--no-status")
        self.assertEqual(self.sections(), ["net/a", "net/b"])
        drawn = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink"], input=self.the_text(), capture_output=True, text=True, check=True).stdout
        outside = re.sub(r"(?s)<(code|pre)\b.*?</\1>", "", drawn)
        self.assertNotRegex(outside, "evil.example|@everyone|<img")
        self.assertIn("@everyone", drawn)
        self.assertNotIn("net%2Fz -->\n", "".join(re.findall(r"^<!-- tofud:stack.*\n", self.the_text(), re.M)))

    def test_twelve_long_stacks_fit_one_comment(self):
        changes = b"".join(planned("null_resource.%s%d" % ("x" * 200, i)) for i in range(400))
        long = VERSION + changes + message(3, "change_summary", changes={"add": 400, "change": 0, "remove": 0, "operation": "plan"})
        failed = VERSION + created("a.b", 5, ends="apply_errored") + b"".join(message(9, "diagnostic", diagnostic={
            "severity": "error", "summary": "it broke %d" % i, "detail": "y" * 3000 + "\n```\n", "address": "a.b"}) for i in range(30)) + DONE
        for i in range(6):
            self.comment("net/long-%d" % i, "--no-status", stream=long)
            self.comment("net/failed-%d" % i, "--no-status", stream=failed)
        text = self.the_text()
        self.assertLessEqual(len(text.encode()), 65536)
        self.assertGreater(len(text.encode()), 55000)
        self.assertEqual(len(self.sections()), 12)
        self.assertTrue(all(each.startswith("net/failed") for each in self.sections()[:6]))
        self.assertEqual(text.count("and more than a comment has room for"), 12)
        fence, details = None, 0
        for line in text.split("\n"):
            ticks = re.match(r"`{3,}", line)
            if fence is None and ticks:
                fence = ticks[0]
            elif fence is not None and line == fence:
                fence = None
            elif fence is not None:
                self.assertNotIn("<!-- tofud:", line)
        self.assertIsNone(fence)
        self.assertEqual(text.count("<details>"), text.count("</details>"))

    def test_a_forge_that_asks_for_patience_gets_it(self):
        limited = (403, {"Retry-After": "1"}, json.dumps({"message": "You have exceeded a secondary rate limit."}).encode())
        self.forge.answers = [("GET", "/comments", limited), ("POST", "/comments", (429, {"Retry-After": "1"}, b"{}")), ("POST", "/statuses/", (502, {}, b""))]
        self.comment("net/a")
        self.assertEqual((self.sections(), len(self.forge.statuses), self.forge.answers), (["net/a"], 1, []))
        self.forge.answers = [("GET", "/comments", (403, {"Retry-After": "3600"}, b"{}"))]
        self.assertIn("the pull request gets no comment: the forge asks to wait longer than tofud does: 3600 seconds\ntofud: the comment stands in the summary of the step instead\n",
                      self.comment("net/b"))
        with open(self.summary) as file:
            self.assertIn("### `net/b`", file.read())

    def test_missing_rights_end_in_the_summary_of_the_step(self):
        refused = (403, {}, b'{"message": "Resource not accessible by integration"}')
        self.forge.answers = [("GET", "/comments", refused), ("POST", "/statuses/", refused)]
        said = self.comment("net/a")
        self.assertIn("the forge refuses the token (status 403); the job needs the right to write comments (pull-requests: write)", said)
        self.assertIn("the commit has no status tofud/plan/net/a: the forge refuses the token (status 403); the job needs the right to write commit statuses", said)
        self.assertIn("there is no token for github; the job has to set GITHUB_TOKEN", self.comment("net/b", GITHUB_TOKEN=""))
        with open(self.summary) as file:
            self.assertEqual(self.sections(file.read()), ["net/a", "net/b"])

    def test_a_forge_that_is_broken_harms_nothing(self):
        for given in ((200, {}, b"[["), (200, {}, b"{}"), (200, {}, b'[{"id": 1, "user": 5, "body": []}, 7]'), (302, {"Location": "https://evil.example/"}, b""), (418, {}, b"")):
            self.forge.answers = [("GET", "/comments", given)]
            said = self.comment("net/a", "--no-status")
            self.assertEqual(self.forge.answers, [])
            self.assertRegex(said, "^tofud: (the pull request gets no comment: the forge answered|the comment stands in pull request 7)")
        self.assertRegex(self.comment("net/a", "--no-status", GITHUB_API_URL="https://localhost:1"), "nobody answers at https://localhost:1")
        self.assertIn("gets no comment", self.comment("net/a", "--no-status", SSL_CERT_FILE="/dev/null"))

    def test_without_a_name_it_is_the_jobs_own_last_run_whatever_the_daemon_lets_it_read(self):
        for server in ("http://127.0.0.1:1", ""):
            with open(self.written(PLAN)) as stream:
                subprocess.run([TOFUD, "--progress", "none", "--no-listen", "--no-server", "--stack", "net/a"], stdin=stream, env=self.job(), check=True, timeout=PATIENCE)
            done = subprocess.run([TOFUD, "comment", "--no-status"], env=self.job(TOFUD_SERVER=server, TOFUD_TOKEN="only-to-send"), capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual((done.returncode, self.sections()), (0, ["net/a"]), done.stderr)

    def test_bad_words_are_said(self):
        for args, more, said in (((), {"GITHUB_ACTIONS": ""}, "this is no job of GitHub, GitLab or Gitea"), (("--api", "http://api.github.com"), {}, "is no https address"),
                                 (("--pull-request", "7/../8"), {}, "7/../8 is no number of a pull request"), (("--commit", "main"), {}, "main is no id of a commit"),
                                 ((), {"GITHUB_REPOSITORY": ""}, "no project is known"), (("--forge", "bitbucket"), {}, "--forge")):
            self.assertIn(said, self.comment("net/a", *args, status=2, **more))
        self.assertIn("this run is a test", self.comment("net/a", path=str(RECORDINGS / "test-pass-verbose/stream.jsonl"), status=2))
        self.assertEqual(self.forge.asked, [])

    def test_nothing_of_the_token_is_shown(self):
        secret = "ghs_very-secret-token"
        said = self.comment("net/a", GITHUB_TOKEN=secret)
        path = os.path.join(self.home, "token")
        with open(path, "w") as file:
            file.write(secret + "\n")
        said += self.comment("net/a", "--forge-token-file", path, GITHUB_TOKEN="")
        said += self.comment("net/a", GITHUB_TOKEN="a b " + secret)
        self.assertNotIn(secret, said + "".join(self.forge.texts()))
        self.assertEqual({headers.get("Authorization") for _, _, headers, _ in self.forge.asked}, {"Bearer " + secret})
        self.assertIn("has characters that no token has", said)


class Gitea(Commenting):
    kind = "gitea"

    def test_it_is_told_in_its_own_words(self):
        self.forge.me = "gitea-actions"
        for stack in ("net/a", "net/b"):
            self.comment(stack)
        self.assertEqual((self.sections(), len(self.forge.statuses)), (["net/a", "net/b"], 2))
        self.assertEqual({headers["Authorization"] for _, _, headers, _ in self.forge.asked}, {"token ghs_1"})
        self.comment("net/a", path=str(RECORDINGS / "update-in-place/stream.jsonl"), GITHUB_REF="refs/heads/main", GITHUB_SHA=MERGED)
        self.assertIn("applied", self.the_text())
        self.assertIn("no pull request", self.comment("net/a", "--no-status", GITHUB_REF="refs/heads/main", GITHUB_SHA="d4" * 20))


class GitLab(Commenting):
    kind = "gitlab"

    def test_it_is_told_in_its_own_words(self):
        self.forge.me = "project_12_bot"
        for stack in ("net/a", "net/b"):
            self.comment(stack)
        self.assertEqual(self.sections(), ["net/a", "net/b"])
        self.assertEqual({key: self.forge.statuses[0][1][key] for key in ("state", "name", "target_url")},
                         {"state": "success", "name": "tofud/plan/net/a", "target_url": "https://gitlab.example.com/acme/infra/-/jobs/1"})
        self.comment("net/a", path=str(RECORDINGS / "update-in-place/stream.jsonl"), CI_MERGE_REQUEST_IID="", CI_COMMIT_SHA=MERGED)
        self.assertIn("applied", self.the_text())
        self.assertIn("CI_JOB_TOKEN can't comment", self.comment("net/a", GITLAB_TOKEN=""))


if __name__ == "__main__":
    unittest.main()
