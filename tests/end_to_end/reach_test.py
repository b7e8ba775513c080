#!/usr/bin/python3
"""Who may see some stacks only: nothing of the others stands in any answer, and nobody sends what is not his.

Every route that the daemon names is asked by principals that see all, one part, or the other. What the other part holds has a word in
every name that occurs nowhere else, so that one look finds it; who may see it finds it, so that the look can fail."""
import inspect
import json
import pathlib
import re
import subprocess
import unittest
import urllib.parse

import websockets  # Debian's python3-websockets

from asking import ANONYMOUS, Asking, Going, bearer
from binary import PATIENCE, until, websocket
from issuer import trusted_issuer
from one_resource import DONE, VERSION, begun, created, message
from tables import FILES, routes

WORD = "zzq"
HIDDEN, SEEN = "pay/%s-prod" % WORD, "net/prod"
HIDDEN_ADDR, SEEN_ADDR = "%s_type.%s" % (WORD, WORD), "time_sleep.x"
UPLOAD = {"protocol": "1.0", "upload_id": "a" * 32, "upload_secret": "b" * 64, "rules": "sha256:" + "0" * 64, "labels": {"team": "boss"}}


def failed(addr):
    why = {"severity": "error", "summary": WORD + " broke", "detail": "", "address": addr}
    return VERSION + created(addr, 5, ends="apply_errored") + message(9, "diagnostic", diagnostic=why) + DONE


class Reach(Asking):
    def setUp(self):
        super().setUp()
        self.issuer, config = trusted_issuer(self, '''
[[oidc.rules]]
claims = ["repository_owner=acme"]
scopes = "read,raw"
stacks = ["net/*"]
''')
        self.serving = self.serve("--config", config)

    def put(self, stack, stream, **labels):
        query = urllib.parse.urlencode({"stack": stack}) + "".join("&label=%s%%3D%s" % each for each in labels.items())
        return self.serving.put_run(stream, "/v1/runs?" + query)

    def get(self, path, who, **headers):
        return self.serving.ask("GET", path, {**who, **headers})

    def feed(self, query, who, accept="application/x-ndjson", until_said=None, seconds=PATIENCE):
        """What the feed says until a text is in it, or the daemon has no more to say for a moment."""
        command = ["curl", "-sN", "-m", str(seconds), "-H", "Accept: " + accept, *sum((["-H", "%s: %s" % each] for each in who.items()), []),
                   self.serving.url + "v1/stream?" + query]
        running = subprocess.Popen(command, stdout=subprocess.PIPE)
        self.addCleanup(running.stdout.close)
        self.addCleanup(running.kill)
        said = b""
        for line in running.stdout:
            said += line
            if until_said and until_said in line:
                break
        running.kill()
        running.wait()
        return said.decode()

    def clean(self, answer, *also):
        text = answer if isinstance(answer, str) else repr(answer.headers.items()) + answer.body.decode(errors="replace")
        for word in (WORD, *self.hidden, *also):
            self.assertNotIn(word, text)

    def history(self):
        """Runs of both parts: some that are over, one that failed, one that goes on."""
        self.hidden = [self.put(HIDDEN, VERSION + created(HIDDEN_ADDR, 70) + DONE, who=WORD), self.put(HIDDEN, failed(HIDDEN_ADDR)),
                       self.put(HIDDEN, VERSION + created(SEEN_ADDR, 900) + DONE)]
        self.visible = [self.put(SEEN, VERSION + created(SEEN_ADDR, 50) + DONE), self.put("net/dev", VERSION + created("a.b", 3) + DONE)]
        self.going = Going(self.serving, "/v1/runs?stack=" + HIDDEN)
        self.going.write(VERSION + begun(HIDDEN_ADDR))
        listed = until(lambda: [run for run in self.serving.ask("GET", "/v1/runs?status=running").json()["runs"]], "the run has begun")
        self.hidden.append(listed[0]["run"])

    def test_nothing_of_the_others_stands_in_any_answer_of_any_route(self):
        self.history()
        net, pay = (bearer(self.token(self.serving, "--scope", "read,raw", "--stack", pattern)) for pattern in ("net/*", "pay/*"))
        every = bearer(self.token(self.serving, "--scope", "read,raw"))
        job = bearer(self.issuer.token())
        until(lambda: self.get("/v1/session", job).status == 200, "the issuer's keys are fetched")
        session = {"Cookie": self.serving.ask("POST", "/v1/session", {"Content-Type": "application/json", "Origin": self.serving.url[:-1]},
                                              {"token": net["Authorization"].split()[1]}).headers["Set-Cookie"].partition(";")[0], **ANONYMOUS}
        known = [route.split() for route in routes(self.get("/metrics", every).body.decode()) if route.startswith("GET ") and not FILES.match(route)]
        self.assertGreater(len(known), 15)
        queries = {"/v1/runs/*/row": ["?kind=resource&key=" + HIDDEN_ADDR, "?kind=run&key=x"], "/v1/runs/*/diff": ["?addr=" + HIDDEN_ADDR],
                   "/v1/runs/*/export": ["?format=csv", "?format=junit", "?format=md", "?format=trace"], "/v1/runs/*/plan": ["", "?format=md"],
                   "/v1/runs/*": ["", "?at=3"], "/v1/runs/*/stream.jsonl": ["", "?last=100"],
                   "/v1/runs": ["", "?counts=1", "?q=" + WORD, "?status=failed,running", "?stack=" + HIDDEN, "?label=who%3D" + WORD, "?limit=1"],
                   "/v1/stacks": ["", "?format=csv"], "/v1/stacks/*": [""],
                   "/v1/history": ["", "?type=time_sleep", "?addr=" + SEEN_ADDR, "?addr=" + HIDDEN_ADDR, "?stack=" + HIDDEN],
                   "/runs": ["", "?q=" + WORD, "?status=running"]}
        judged = 0
        for _, route in known:
            for query in queries.get(route, [""]):
                for who in (net, session, job):
                    with self.subTest(route=route + query, who=(net, session, job).index(who)):
                        if route in ("/v1/stream", "/metrics"):
                            continue  # below
                        if "/v1/runs/*" in route or "stacks/*" in route:
                            names = self.hidden + [self.hidden[0] + ".2"] if "runs" in route else [urllib.parse.quote(HIDDEN, safe="")]
                            for name in names:
                                unknown = name[:-4] + "0" * 4 if "runs" in route else urllib.parse.quote("pay/nosuch", safe="")
                                asked, compared = (self.get(route.replace("*", each) + query, who) for each in (name, unknown))
                                # What he may not see is as what is not there: the same status, and the same words.
                                said, wanted = (answer.body.decode().replace(each, "NAME").replace(urllib.parse.unquote(each).rpartition("/")[2], "NAME")
                                                for answer, each in ((asked, name), (compared, unknown)))
                                self.assertEqual((asked.status, self.timeless(said)), (compared.status, self.timeless(wanted)))
                                judged += 1
                        else:
                            answer = self.get(route + query, who)
                            if WORD not in query:
                                self.clean(answer)
                            judged += 1
        self.assertGreater(judged, 100)
        # The look can fail: who may see it does.
        for path in ("/v1/runs", "/runs", "/wall/plain", "/v1/history", "/v1/runs/latest", "/v1/runs/%s/export?format=csv" % self.hidden[0], "/stacks", "/v1/stacks", "/v1/stacks?format=csv",
                     "/v1/stacks/" + urllib.parse.quote(HIDDEN, safe=""), "/stacks/" + urllib.parse.quote(HIDDEN, safe="")):
            for who in (pay, every):
                self.assertIn(WORD, self.get(path, who).body.decode(), path)
        self.assertEqual(self.get("/metrics", net).status, 403)
        self.assertIn("sees only some", self.get("/metrics", net).json()["message"])

    def timeless(self, text):
        return re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?", "TIME", text)

    def test_counts_medians_and_latest_are_of_what_may_be_seen(self):
        self.history()
        net = bearer(self.token(self.serving, "--scope", "read,raw", "--stack", "net/*"))
        every = bearer(self.token(self.serving))
        self.assertEqual(self.get("/v1/runs?counts=1", net).json()["counts"], {"succeeded": 2})
        self.assertEqual(self.get("/v1/runs?counts=1", every).json()["counts"], {"succeeded": 4, "failed": 1, "running": 1})
        self.assertEqual(self.get("/v1/runs/latest", net).json()["run"]["run"], self.visible[-1])
        self.assertEqual(self.get("/v1/runs/latest", every).json()["run"]["run"], self.hidden[-1])
        of_type = self.get("/v1/history?type=time_sleep", net).json()
        self.assertEqual([(each["count"], each["p50_s"]) for each in of_type["types"]], [(1, 50.0)])
        self.assertEqual(len(self.get("/v1/history?type=time_sleep", every).json()["entries"]), 2)
        # A run that he may not see is no edge of a list either.
        for edge in ("since", "until"):
            hidden, unknown = (self.get("/v1/runs?%s=%s" % (edge, run), net) for run in (self.hidden[0], "20200101T0000-0000"))
            self.assertEqual((hidden.status, hidden.body), (unknown.status, unknown.body))
            self.assertEqual(self.get("/v1/runs?%s=%s" % (edge, self.visible[0]), net).status, 200)

    def test_the_feed_is_of_what_may_be_seen(self):
        self.history()
        net = bearer(self.token(self.serving, "--stack", "net/*"))
        for accept in ("application/x-ndjson", "text/event-stream"):
            wall = self.feed("", net, accept, b'"live":true')
            self.clean(wall)
            for run in self.visible:
                self.assertIn(run, wall)
        for run in (self.hidden[0], self.hidden[-1]):
            hidden, unknown = (self.get("/v1/stream?run=" + each, net) for each in (run, run[:-4] + "0000"))
            self.assertEqual((hidden.status, hidden.body.decode().replace(run, "")), (unknown.status, unknown.body.decode().replace(run[:-4] + "0000", "")))
            lines, code, _ = self.socket(run, net)
            self.assertEqual((code, [line["kind"] for line in lines]), (4404, ["error"]))
        self.assertIn('"run":"%s"' % self.visible[-1], self.feed("run=latest", net, until_said=b'"live":true'))
        # A path is the same path however it is spelled.
        for path in ("/v1/%73tream", "/%76%31/stream"):
            with self.subTest(path=path):
                running = subprocess.run(["curl", "-sN", "-m", "1", *sum((["-H", "%s: %s" % each] for each in net.items()), []), self.serving.url[:-1] + path], capture_output=True)
                self.clean(running.stdout.decode())
                self.assertIn(self.visible[0], running.stdout.decode())
        for path in ("/%72uns", "/wall/%70lain", "/%73tacks/net%2Fprod"):
            answer = self.get(path, net)
            self.clean(answer)
            self.assertIn(b"prod", answer.body)

    def socket(self, run, who):
        name = "extra_headers" if "extra_headers" in inspect.signature(websockets.connect).parameters else "additional_headers"
        return websocket(self.serving.url + "v1/stream?run=" + run, **{name: who})

    def test_what_goes_on_elsewhere_moves_nothing_on_his_wall(self):
        self.history()
        net = bearer(self.token(self.serving, "--stack", "net/*"))
        before = self.feed("", net, until_said=b'"live":true')
        self.going.write(created("more.%s" % WORD, 3))
        self.assertEqual(self.serving.status("DELETE", "/v1/runs/" + self.hidden[1]), 204)
        self.going.write(DONE)
        self.assertEqual(self.going.end()[0], 201)
        after = self.feed("", net, until_said=b'"live":true')
        # Not a line more, and not a number of one: seconds are asked of the same wall.
        self.assertEqual(after, before)
        everybody = self.feed("", ANONYMOUS | bearer(self.token(self.serving)), until_said=b'"live":true')
        self.assertIn(WORD, everybody)
        # And of his own he is told.
        fresh = self.put("net/new", VERSION + created("c.d", 3) + DONE)
        self.assertIn(fresh, self.feed("", net, until_said=b'"live":true'))

    def test_a_label_that_a_token_gives_is_no_claim(self):
        self.hidden = []
        claims = self.put(SEEN, VERSION + created("a.b", 3) + DONE, team="net")
        sender = self.token(self.serving, "--scope", "ingest,read", "--label", "team=net", "--name", "net-ci")
        reader = bearer(self.token(self.serving, "--scope", "read,raw", "--label", "team=net"))
        given = self.serving.ask("PUT", "/v1/runs?stack=x&label=team%3Dboss&label=b%3Dc", bearer(sender), body=VERSION + created("a.b", 3) + DONE).json()["run"]
        self.assertEqual([run["run"] for run in self.get("/v1/runs", reader).json()["runs"]], [given])
        self.assertEqual(self.get("/v1/runs/" + claims, reader).status, 404)
        shown = self.get("/v1/runs/" + given, reader).json()["run"]
        self.assertEqual(shown["labels"], {"b": "c", "team": "net"})
        # Whoever names it otherwise while it goes on.
        headers = bearer(sender)
        made = self.serving.ask("POST", "/v1/runs", headers, {**UPLOAD, "stack": "x"}).json()["run"]
        secret = {**headers, "Upload-Secret": UPLOAD["upload_secret"]}
        stream = VERSION + created("a.b", 3) + DONE
        for n, event in enumerate(({"offset": 0, "event": "label", "key": "team", "value": "boss"}, {"offset": 0, "event": "label", "key": "d", "value": "e"}), 1):
            self.assertEqual(self.serving.status("PUT", "/v1/runs/%s/events/%d" % (made, n), secret, event), 204)
        self.assertEqual(self.serving.status("PATCH", "/v1/runs/%s/lines" % made, {**secret, "Upload-Offset": "0", "Upload-Complete": "?1"}, stream), 204)
        self.assertEqual(until(lambda: self.get("/v1/runs/" + made, reader).json()["run"]["labels"], "it has rows"), {"d": "e", "team": "net"})
        said = self.get("/v1/runs/%s/events.jsonl" % made, reader).body.decode()
        self.assertNotIn("boss", said)
        # Also after a start, from the journal and from the index.
        self.serving.stop()
        self.serving = self.serve(name="again", state_dir=self.serving.state_dir)
        self.assertEqual({run["run"] for run in self.get("/v1/runs?label=team%3Dnet", reader).json()["runs"]}, {given, made})

    def test_nobody_sends_what_is_not_his(self):
        self.hidden = []
        net = self.token(self.serving, "--scope", "ingest", "--stack", "net/*", "--name", "net")
        pay = self.token(self.serving, "--scope", "ingest", "--stack", "pay/*", "--name", "pay")
        stream = VERSION + created("a.b", 3) + DONE
        for stack in ("pay/prod", "net", "", "x/net/prod"):
            with self.subTest(stack=stack):
                refused = self.serving.ask("PUT", "/v1/runs?stack=" + stack, bearer(net), body=stream)
                self.assertEqual((refused.status, "net/*" in refused.json()["message"]), (403, True))
                self.assertEqual(self.serving.status("POST", "/v1/runs", bearer(net), {**UPLOAD, "stack": stack}), 403)
        # A stream that is refused is read to its end: at the other end of the pipe is an apply.
        going = Going(self.serving, "/v1/runs?stack=pay/prod", bearer(net))
        for _ in range(50):
            going.write(stream * 20)
        self.assertEqual(going.end()[0], 403)
        self.assertEqual(self.serving.ask("GET", "/v1/runs").json()["runs"], [])
        # An upload is its sender's, whoever learns its secret; a token that takes another one's place has its name.
        made = self.serving.ask("POST", "/v1/runs", bearer(net), {**UPLOAD, "stack": "net/prod"})
        self.assertEqual(made.status, 201)
        self.assertEqual(self.serving.status("POST", "/v1/runs", bearer(pay), {**UPLOAD, "stack": "net/prod"}), 409)
        self.assertEqual(self.serving.status("POST", "/v1/runs", bearer(self.token(self.serving, "--scope", "ingest", "--name", "other")), {**UPLOAD, "stack": "net/prod"}), 409)
        self.assertEqual(self.serving.status("POST", "/v1/runs", bearer(self.token(self.serving, "--scope", "ingest", "--name", "net")), {**UPLOAD, "stack": "net/prod"}), 200)
        secret = {"Upload-Secret": UPLOAD["upload_secret"]}
        lines = "/v1/runs/%s/lines" % made.json()["run"]
        self.assertEqual([self.serving.status("HEAD", lines, {**bearer(who), **secret}) for who in (net, pay)], [200, 404])

    def test_a_token_that_reaches_less_closes_what_is_open(self):
        self.history()
        token = self.token(self.serving, "--stack", "net/*", "--stack", "pay/*")
        kept = self.tokens_file()
        running = subprocess.Popen(["curl", "-sN", "-m", str(PATIENCE), "-H", "Via: x", "-H", "Authorization: Bearer " + token, self.serving.url + "v1/stream?run=" + self.hidden[-1]],
                                   stdout=subprocess.PIPE)
        self.addCleanup(running.kill)
        self.addCleanup(running.stdout.close)
        self.assertIn(b"hello", running.stdout.readline())
        lines = [json.loads(line) for line in kept.read_text().splitlines()]
        for line in lines:
            line["stacks"] = ["net/*"]
        fresh = kept.with_name("tokens.test")
        fresh.write_text("".join(json.dumps(line) + "\n" for line in lines))
        fresh.chmod(0o600)
        fresh.rename(kept)
        self.assertIn(b'"code":4410', running.stdout.read())
        self.assertEqual(self.get("/v1/runs/" + self.hidden[-1], bearer(token)).status, 404)

    def tokens_file(self):
        return pathlib.Path(self.serving.state_dir, "daemon/tokens")


if __name__ == "__main__":
    unittest.main(verbosity=2)
