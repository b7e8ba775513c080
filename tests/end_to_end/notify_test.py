#!/usr/bin/python3
"""Who is told of what: each kind of target, what goes wrong with it, and that nothing is lost when the daemon is killed."""
import base64
import contextlib
import email
import email.policy
import hashlib
import hmac
import json
import os
import re
import sqlite3
import sys
import tempfile
import time
import unittest
import urllib.parse

from asking import Asking
from binary import TOFUD, Running, recorded, sanitized, until
from one_resource import DONE, VERSION, created, message, resource
from target import Target
from tls_test import Authority

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../upload"))
import client
from faults import Faults

KEY = base64.b64encode(b"k" * 32).decode()
KILLS = int(os.environ.get("TOFUD_NOTIFY_KILLS", "40"))
SECRET = "hunter2-zzq-42"


def failed(addr="a.b", summary="it broke", detail="", **more):
    return VERSION + created(addr, 5, ends="apply_errored") + message(9, "diagnostic", diagnostic={
        "severity": "error", "summary": summary, "detail": detail, "address": addr,
        "range": {"filename": "main.tf", "start": {"line": 3, "column": 1, "byte": 0}, "end": {"line": 3, "column": 2, "byte": 1}}, **more}) + DONE


SUCCEEDED = VERSION + created("a.b", 5) + DONE


class Notify(Asking):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.keep = tempfile.TemporaryDirectory(prefix="tofud-notify-")
        cls.authority = Authority(cls.keep.name)
        cls.chain, cls.key = cls.authority.server("target")

    @classmethod
    def tearDownClass(cls):
        cls.keep.cleanup()

    def setUp(self):
        super().setUp()
        self.target = Target(self.chain, self.key)
        self.addCleanup(self.target.stop)
        self.config = os.path.join(self.home, "notify.toml")

    def write(self, name, text):
        path = os.path.join(self.home, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def rule(self, name="oncall", target="webhook", on='["failed", "recovered"]', more="", url=None, private="true"):
        if target not in ("mail", "command"):
            more += 'url_file = "%s"\nca_file = "%s"\nallow_private = %s\n' % (self.write(name + ".url", (url or self.target.url + "/" + name) + "\n"), self.authority.root, private)
        return '[[notify]]\nname = "%s"\non = %s\ntarget = "%s"\n%s' % (name, on, target, more)

    def told(self, *rules, more="", **options):
        with open(self.config, "w") as file:
            file.write(more + "\n".join(rules))
        return self.serve("--config", self.config, **options)

    def put(self, daemon, stream, stack="net/prod", labels=""):
        answer = daemon.ask("PUT", "/v1/runs?stack=%s%s" % (stack, labels), body=stream)
        self.assertEqual(answer.status, 201, answer)
        return answer.json()["run"]

    def test_each_kind_of_target_is_told_of_a_failure(self):
        program = self.write("tell", '#!/bin/sh\nexec cat > "%s/$TOFUD_RULE.said"\n' % self.home)
        os.chmod(program, 0o755)
        secret = self.write("secret", "whsec_" + KEY + "\n")
        daemon = self.told(self.rule("webhook", more='secret_file = "%s"\n' % secret), self.rule("slack", "slack"), self.rule("teams", "teams"),
                           self.rule("hcp", "hcp", more='secret_file = "%s"\n' % self.write("hcp", "token\n")),
                           self.rule("command", "command", more='command = "%s"\n' % program),
                           self.rule("mail", "mail", more='command = "%s"\nto = ["a@example.com"]\nfrom = "tofud@example.com"\n' % program))
        run = self.put(daemon, failed(), labels="&label=url=https://ci.example.com/7&label=env=prod")
        for path in ("webhook", "slack", "teams", "hcp"):
            until(lambda: self.target.at("/" + path), path + " is told")
        headers, body = self.target.at("/webhook")[0]
        signed = "%s.%s.%s" % (headers["webhook-id"], headers["webhook-timestamp"], body.decode())
        self.assertEqual(headers["webhook-signature"], "v1," + base64.b64encode(hmac.new(b"k" * 32, signed.encode(), hashlib.sha256).digest()).decode())
        self.assertLess(abs(time.time() - int(headers["webhook-timestamp"])), 300)
        event = json.loads(body)
        self.assertEqual((event["specversion"], event["type"], event["subject"], event["source"]), ("1.0", "tofud.run.failed", "net/prod", daemon.url))
        data = event["data"]
        self.assertEqual((data["run"], data["headline"], data["errors"], data["approve_url"], data["labels"]["env"]),
                         (run, "apply of net/prod failed", 1, "https://ci.example.com/7", "prod"))
        self.assertEqual(data["first_errors"], [{"summary": "it broke", "addr": "a.b", "place": "main.tf:3"}])
        self.assertEqual(data["url"], daemon.url + "?run=" + run)
        slack = json.loads(self.target.at("/slack")[0][1])
        self.assertEqual((slack["text"], slack["blocks"][0]["text"]["text"]), ("apply of net/prod failed",) * 2)
        card = json.loads(self.target.at("/teams")[0][1])["attachments"][0]["content"]
        self.assertEqual([each["title"] for each in card["actions"]], ["Open the run", "Approve"])
        headers, body = self.target.at("/hcp")[0]
        self.assertEqual(headers["X-TFE-Notification-Signature"], hmac.new(b"token", body, hashlib.sha512).hexdigest())
        self.assertEqual(json.loads(body)["notifications"][0]["trigger"], "run:errored")
        said = until(lambda: os.path.exists(self.home + "/command.said") and open(self.home + "/command.said").read(), "the command is told")
        self.assertEqual(json.loads(said)["data"]["run"], run)
        mail = until(lambda: os.path.exists(self.home + "/mail.said") and open(self.home + "/mail.said").read(), "the mail is sent")
        mail = email.message_from_string(mail, policy=email.policy.default)
        self.assertEqual((mail["To"], mail["From"], mail["Subject"]), ("a@example.com", "tofud@example.com", "apply of net/prod failed"))
        self.assertIn("it broke\n  a.b at main.tf:3\n", mail.get_content())
        self.assertIn("run: " + daemon.url, mail.get_content())

    def test_a_success_is_told_after_a_failure_and_ends_it(self):
        daemon = self.told(self.rule("webhook"), self.rule("net", more='stacks = ["net/*"]\n'), self.rule("prod", more='labels = ["env=prod"]\n'))
        for stream in (SUCCEEDED, failed(), SUCCEEDED, SUCCEEDED):
            self.put(daemon, stream, "pay/prod")
        until(lambda: len(self.target.events()) == 2, "both")
        first, second = self.target.events()
        self.assertEqual([first["type"], second["type"], second["data"]["resolves"]], ["tofud.run.failed", "tofud.run.recovered", first["id"]])
        self.put(daemon, failed(), "net/prod", "&label=env=prod")
        until(lambda: self.target.at("/net") and self.target.at("/prod"), "by stack and by label")
        self.assertEqual([len(self.target.at(each)) for each in ("/webhook", "/net", "/prod")], [3, 1, 1])
        # A run that is read again is told once.
        daemon.ask("POST", "/v1/reindex")
        self.put(daemon, failed(), "net/other")
        until(lambda: len(self.target.at("/net")) == 2, "the next")
        self.assertEqual(len(self.target.at("/webhook")), 4)

    def test_a_plan_that_destroys_is_told(self):
        daemon = self.told(self.rule("webhook", on='["destroy", "drift"]'))
        self.put(daemon, recorded("replace-reasons", "plan.stream"))
        until(lambda: self.target.events(), "what it destroys")
        self.assertEqual([each["type"] for each in self.target.events()], ["tofud.run.destroy"])
        self.assertRegex(self.target.events()[0]["data"]["headline"], "^plan of net/prod plans to destroy$")

    def test_changes_outside_of_opentofu_are_told(self):
        daemon = self.told(self.rule("webhook", on='["destroy", "drift"]'))
        self.put(daemon, recorded("drift-update-refresh-only"))
        until(lambda: self.target.events(), "what has changed")
        self.assertEqual([each["type"] for each in self.target.events()], ["tofud.run.drift"])

    def test_a_run_that_takes_more_than_twice_as_long_is_told(self):
        if sanitized():
            self.skipTest("the library of faults is loaded first")
        faults = Faults(self.home, self.home)
        daemon = self.told(self.rule("webhook", on='["overrun"]'), env={**self.env(), **faults.env})
        os.makedirs(os.path.join(self.home, "ordered"))
        self.write("ordered/main.tf", 'resource "a" "b" {\n}\nresource "a" "c" {\n  depends_on = [a.b]\n}\n')
        plan = VERSION + b"".join(message(1, "planned_change", change={"resource": resource(each), "action": "create"}) for each in ("a.b", "a.c")) + \
            message(2, "change_summary", changes={"add": 2, "change": 0, "import": 0, "remove": 0, "operation": "plan"})

        def said(kind, addr, at):
            return message(at, kind, hook={"resource": resource(addr), "action": "create", "elapsed_seconds": 300})

        whole = plan + b"".join(said("apply_start", each, at) + said("apply_complete", each, at + 300) for each, at in (("a.b", 3), ("a.c", 303))) + DONE
        for _ in range(3):
            self.put(daemon, whole, "slow")
        # Before the run: what is expected of it is looked at every ten seconds, and must be before it takes long.
        faults.hasten(100)
        pipe = self.pipe("--stack", "slow", "--server", daemon.url, "--config", os.path.join(self.home, "ordered"))
        pipe.wait_for_url()
        pipe.write(plan + said("apply_start", "a.b", 3))
        until(self.target.events, "it takes too long")
        event = self.target.events()[0]
        self.assertEqual(event["type"], "tofud.run.overrun")
        self.assertGreater(event["data"]["seconds"], 1200)
        self.assertLess(event["data"]["seconds"], 2 * 3600)
        pipe.end_of_stream()

    def test_a_run_of_which_nothing_is_heard_and_one_that_waits_are_told_while_they_go_on(self):
        if sanitized():
            self.skipTest("the library of faults is loaded first")
        faults = Faults(self.home, self.home)
        daemon = self.told(self.rule("webhook", on='["lost", "waiting"]'), env={**self.env(), **faults.env})
        upload = client.Upload(("127.0.0.1", daemon.port), stack="net/prod", may_ask=True)
        upload.create()
        stream = recorded("json-into-approval").partition(b'"type":"apply_start"')[0].rpartition(b"\n")[0] + b"\n"
        self.assertEqual(upload.patch(0, stream).status, 204)
        until(lambda: daemon.ask("GET", "/v1/runs").json()["runs"][0]["phase"] == "approval", "it waits")
        faults.hasten(400)  # half an hour in some seconds

        def told_while_heard():
            # By the daemon's clock a request takes minutes: on a busy machine it may lose patience with one.
            with contextlib.suppress(ConnectionError):
                upload.patch(len(stream), b"")
            return self.target.events()
        until(told_while_heard, "it is told that it waits")
        event = self.target.events()[0]
        self.assertEqual(event["type"], "tofud.run.waiting")
        # Its lines are stamped days ago: by our clock it waits since they came.
        self.assertGreaterEqual(event["data"]["seconds"], 1800)
        self.assertLess(event["data"]["seconds"], 3 * 3600)
        until(lambda: len(self.target.events()) == 2, "then nothing is heard of it")
        self.assertEqual(self.target.events()[1]["type"], "tofud.run.lost")

    def test_what_a_target_may_answer(self):
        daemon = self.told(self.rule("webhook"))
        self.target.answers["/webhook"] = [(503, {"Retry-After": "1"}), (302, {"Location": self.target.url + "/elsewhere"}), (None, {}), (204, {})]
        self.put(daemon, failed())
        listed = until(lambda: (lambda said: "(" in said and said)(self.tofud("notify", "ls", "--server", "unix:" + daemon.socket)[0]), "it waits")
        self.assertRegex(listed, r"^webhook +webhook +on\nmsg_\w+ +waiting +\S+Z +webhook: apply of net/prod failed \((the target|http)")
        until(lambda: (self.tofud("notify", "retry", "--server", "unix:" + daemon.socket), len(self.target.at("/webhook")) >= 4)[1], "the fourth time it is taken")
        until(lambda: "msg_" not in self.tofud("notify", "ls", "--server", "unix:" + daemon.socket)[0], "nothing waits")
        self.assertEqual(self.target.at("/elsewhere"), [])
        self.assertEqual(len({headers["webhook-id"] for headers, _ in self.target.at("/webhook")}), 1)
        self.target.answers["/webhook"] = [(410, {})]
        self.put(daemon, failed())
        until(lambda: "off: the target says that it is gone" in self.tofud("notify", "ls", "--server", "unix:" + daemon.socket)[0], "the rule is off")
        count = len(self.target.at("/webhook"))
        self.put(daemon, failed())
        self.assertIn("given up", self.tofud("notify", "ls", "--server", "unix:" + daemon.socket)[0])
        self.assertEqual(len(self.target.at("/webhook")), count)
        self.assertIn("2 messages are sent now", self.tofud("notify", "retry", "--server", "unix:" + daemon.socket)[0])
        until(lambda: len(self.target.at("/webhook")) == count + 2, "both")
        counts = lambda: re.findall(r'^(tofud_notifications_\w+\{.*) (\d+)$', daemon.ask("GET", "/metrics").body.decode(), re.M)
        until(lambda: ('tofud_notifications_total{result="delivered"}', "3") in counts(), "the answers are counted")
        self.assertIn(('tofud_notifications_stored{state="given up"}', "0"), counts())
        self.assertIn("no message that waits", self.tofud("notify", "retry", "nosuch", "--server", "unix:" + daemon.socket, status=1)[1])

    def test_somebody_tries_a_rule(self):
        daemon = self.told(self.rule("webhook"), self.rule("bad", url="https://localhost:1/"))
        server = "unix:" + daemon.socket
        self.assertEqual(self.tofud("notify", "test", "webhook", "--server", server)[0], "the target of webhook took the message\n")
        self.assertEqual(self.target.events()[0]["type"], "tofud.run.test")
        self.assertIn("localhost:1", self.tofud("notify", "test", "bad", "--server", server, status=1)[1])
        self.assertIn("there is no rule x", self.tofud("notify", "test", "x", "--server", server, status=1)[1])
        self.target.answers["/webhook"] = [(500, {})]
        self.assertIn("the target answered with status 500", self.tofud("notify", "test", "webhook", "--server", server, status=1)[1])
        nobody = self.serve(name="nobody")
        self.assertIn("there are no rules for notifications", self.tofud("notify", "ls", "--server", "unix:" + nobody.socket)[0])

    def test_a_private_target_is_refused_unless_it_is_allowed(self):
        daemon = self.told(self.rule("webhook", private="false"))
        said = self.tofud("notify", "test", "webhook", "--server", "unix:" + daemon.socket, status=1)[1]
        self.assertIn("is an address of this machine or of a private network", said)
        self.assertEqual(self.target.came, [])

    def test_a_burst_is_one_message(self):
        daemon = self.told(self.rule("webhook"))
        for i in range(12):
            self.put(daemon, failed(), "s%d" % i)
        until(lambda: len(self.target.events()) >= 4, "the first")
        if sanitized():
            return
        self.assertEqual(len(self.target.events()), 4)
        listed = self.tofud("notify", "ls", "--server", "unix:" + daemon.socket)[0]
        self.assertEqual(listed.count("waiting"), 8)
        # Who does not want to wait for the rest of two minutes.
        self.tofud("notify", "retry", "--server", "unix:" + daemon.socket)
        until(lambda: len(self.target.events()) == 5, "the rest")
        self.assertEqual(self.target.events()[4]["data"]["headline"], "8 messages at once: 8 failed")

    def test_names_of_anything_do_nothing_and_secrets_never_leave(self):
        names = "<!channel> @here </at> [x](https://evil.example) <https://evil.example|y>"
        mask = self.write("mask", SECRET + "\n")
        daemon = self.told(self.rule("webhook"), self.rule("slack", "slack"), self.rule("teams", "teams"), self.rule("hcp", "hcp"), more='mask_file = "%s"\n' % mask)
        self.put(daemon, failed(summary=SECRET + " " + names, detail=SECRET), urllib.parse.quote(names + SECRET), "&label=" + urllib.parse.quote("x=" + SECRET))
        for path in ("webhook", "slack", "teams", "hcp"):
            headers, body = until(lambda: self.target.at("/" + path), path)[0]
            self.assertNotIn(SECRET, body.decode() + str(headers))
        slack = json.loads(self.target.at("/slack")[0][1])
        self.assertNotRegex(slack["text"], "[<>]")
        self.assertEqual({each["text"]["type"] for each in slack["blocks"] if "text" in each}, {"plain_text"})
        daemon.stop()
        for folder, _, files in os.walk(os.path.join(daemon.state_dir, "daemon")):
            for each in files:
                if each.startswith("outbox"):
                    with open(os.path.join(folder, each), "rb") as file:
                        self.assertNotIn(SECRET.encode(), file.read(), each)

    def test_nothing_is_lost_and_repeats_have_the_same_id(self):
        """The daemon is killed at any moment between the end of a run and the answer of the target."""
        state, sent = os.path.join(self.home, "killed"), []
        self.target.takes = 0.02
        # Of each rule four messages are no burst.
        with open(self.config, "w") as file:
            file.write("\n".join(self.rule("r%d" % i, url=self.target.url + "/webhook", more='stacks = ["s%d-*"]\n' % i) for i in range(KILLS // 4 + 1)))
        for i in range(KILLS):
            daemon = self.serve("--config", self.config, name="d%d" % i, state_dir=state)
            sent.append(self.put(daemon, failed(), "s%d-%d" % (i // 4, i)))
            # Nothing of it is known to be on disk but the run.
            time.sleep((i % 16) * 0.004)
            daemon.running.process.kill()
            daemon.running.process.wait()
        daemon = self.serve("--config", self.config, name="last", state_dir=state)

        server = "unix:" + daemon.socket
        until(lambda: (self.tofud("notify", "retry", "--server", server), "msg_" not in self.tofud("notify", "ls", "--server", server)[0])[1], "nothing waits")
        daemon.stop()
        with contextlib.closing(sqlite3.connect(os.path.join(state, "daemon/outbox.sqlite"))) as outbox:
            # A message that tells several has their ids nowhere but here.
            parts = dict(outbox.execute("SELECT id, last FROM messages WHERE state='merged'"))
            written = {json.loads(report)["run"]: id for id, report in outbox.execute("SELECT id, report FROM messages") if "others" not in json.loads(report)}
        came = [headers["webhook-id"] for headers, _ in self.target.at("/webhook")]
        lost = [run for run in sent if parts.get(written.get(run), written.get(run)) not in came]
        self.assertEqual(lost, [], "of %d" % KILLS)
        bodies = {}
        for headers, body in self.target.at("/webhook"):
            self.assertEqual(bodies.setdefault(headers["webhook-id"], json.loads(body)["data"]), json.loads(body)["data"])
        print("%d runs, %d kills, %d messages, %d of them once more" % (len(sent), KILLS, len(set(came)), len(came) - len(set(came))), flush=True)

    def test_what_is_wrong_with_a_rule_is_said(self):
        for text, why in ((self.rule(on='["broken"]'), "which is nothing to be told of"), (self.rule("x", "mail"), "says in `to` to nobody"),
                          (self.rule("x", "command"), "has no command"), ('[[notify]]\nname = "x"\non = ["failed"]\ntarget = "slack"\n', "has no url_file"),
                          (self.rule() + self.rule(), "two rules have the name oncall"), (self.rule("x", "mail", more='to = ["a b"]\n'), "is not an address of mail"),
                          (self.rule("x", "pager"), "use webhook, slack, teams, hcp, mail or command")):
            self.write("wrong.toml", text)
            self.assertIn(why, self.tofud("config", "check", self.home + "/wrong.toml", status=1)[1])
        for what, text, why in (("url", "http://x/\n", "no https address"), ("url", "\n", "nothing in its first line"), ("secret", "short\n", "no secret of a webhook")):
            rule = self.rule("x", more='secret_file = "%s/x.secret"\n' % self.home)
            self.write("x.secret", KEY + "\n")
            self.write("x." + what, text)
            self.write("wrong.toml", rule)
            done = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", "", "--state-dir", self.state_dir, "--config", self.home + "/wrong.toml"], self.env()))
            self.assertEqual(done.wait(), 1)
            said = done.err.all()
            self.assertIn(why.encode(), said)
            if text.strip():
                self.assertNotIn(text.strip().encode(), said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
