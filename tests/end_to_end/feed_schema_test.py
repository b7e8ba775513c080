#!/usr/bin/python3
"""Every line that tofud sends is as protocol/feed/feed.schema.json says, with no member more, and nearly all that the schema has is sent."""
import concurrent.futures
import copy
import http.client
import json
import os
import subprocess
import sys
import unittest

from asking import Asking, bearer
from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, all_recordings, curl, free_port, ndjson, recorded, recorded_path, server_sent, until, websocket
from faults_test import FAILED, IN_LINES, IN_ONE_LINE, PLAN, RESOURCE, SCHEMAS, SPECIFICATION, VERSION, diagnostic
from issuer import trusted_issuer
from one_resource import DONE, message, resource

sys.path[:0] = [str(ROOT / "tests/protocol/feed"), str(ROOT / "tests/upload")]
import client
import feed_schema

ALL = "kinds=run,forecast,stack,resource,diagnostic,output,message,test_file,test_run,log,text"
NOT_MET = {
    "heartbeat": "comes after 15 s of silence; protocol/feed/README.md has one, which control_test.cpp writes",
    "forecast.seq": "a view, in the feed of a run alone",
}
ODD = '<script>alert(1)</script> \u001b[31m "quoted" \u2028 \u202e'
HOSTILE = '<script>alert(1)</script> \u001b[31mred \u202e\u0000 \\"quoted\\" \u2028'


def line(**fields):
    return json.dumps({"@level": "info", "@message": HOSTILE, "@module": "tofu.ui", "@timestamp": "2026-11-21T05:00:00.000000Z",
                       **fields}).encode() + b"\n"


class FeedSchema(Asking):
    def setUp(self):
        super().setUp()
        self.met = set()

    def check(self, lines, source):
        """`lines` as they came, each a JSON text or already parsed."""
        self.assertTrue(lines, source)
        for each in lines:
            each = json.loads(each) if isinstance(each, (bytes, str)) else each
            self.assertEqual(feed_schema.mistakes(each), [], (source, each))
            feed_schema.met(each, {"$ref": "#/$defs/" + each["kind"]}, "", self.met)
        return lines

    def given(self, name, content):
        path = os.path.join(self.home, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    def replayed(self, path, *args):
        done = subprocess.run([TOFUD, "replay", "--rows", path, *args], capture_output=True, env=self.env(), timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.check(done.stdout.splitlines(), path)

    def recordings(self):
        for name, stem in all_recordings():
            self.replayed(recorded_path(name, stem))

    def attachments(self):
        """What plans, schemas and configurations add; and what people wrote into these."""
        for name in ("update-in-place", "replace-cbd-two-deposed", "import-blocks", "provisioner-output-kinds", "replace-create-before-destroy"):
            plan, config = RECORDINGS / name / "plan.json", RECORDINGS / name / "config"
            args = [*(["--plan", str(plan)] if plan.exists() else []), "--config", str(config)]
            self.replayed(recorded_path(name), *args)
        config = os.path.join(self.home, "config")
        os.makedirs(config)
        self.given("config/main.tf", b'# tofud: owner=@db runbook="https://wiki/db" expect=25m\nresource "acme_db" "main" {\n}\n')
        stream = self.given("faults.jsonl", VERSION + FAILED + IN_ONE_LINE + IN_LINES + diagnostic(
            "main.tf", 'resource "acme_db" "main"', "  name = 7", "7") + diagnostic("main.tf", 'resource "acme_db" "main"', "  old = 7", "7"))
        plan = self.given("plan.json", PLAN)
        schemas = copy.deepcopy(SCHEMAS)
        block = schemas["provider_schemas"]["example.com/acme/acme"]["resource_schemas"]["acme_db"]["block"]
        block["attributes"]["old"] = {"type": "string", "optional": True, "deprecated": True}
        schemas = self.given("schemas.json", schemas)
        self.replayed(stream, "--plan", plan, "--schemas", schemas, "--config", config)
        self.replayed(stream, "--schemas", self.given("acme.json", SPECIFICATION))

    def cut_rows(self):
        """Rows above their limit, and a provisioner whose end is not told."""
        long = HOSTILE * 2000
        steps = b"".join(line(type=kind, hook={"resource": RESOURCE, "id_key": "id", "id_value": HOSTILE * 10})
                         for kind in ("refresh_start", "refresh_complete") * 200)
        created = b"".join(line(type=kind, hook={"resource": RESOURCE, "action": "create", "provisioner": "local-exec"})
                           for kind in ("apply_start", "provision_start", "apply_complete"))
        self.replayed(self.given("cut.jsonl", VERSION + steps + created + b"text " * 20_000 + b"\n" + line(type="log", **{"@message": long}) +
                                 diagnostic("main.tf", 'resource "acme_db" "main"', "  port = 7", "7", long) +
                                 line(type="outputs", outputs={"big": {"sensitive": False, "type": "string", "value": long}})))

    def transports(self, daemon, run):
        """A whole connection each, with a reset and an error."""
        lines = ndjson(daemon.url + "v1/stream?run=%s&end=close&%s" % (run, ALL))
        self.check(lines, "NDJSON")
        epoch = lines[0]["epoch"]
        for since in ("zzzzzz:1", epoch + ":999999", "none"):
            self.check(ndjson(daemon.url + "v1/stream?run=%s&end=close&since=%s" % (run, since)), since)

    def live(self):
        """Rows of what still goes on, and a run whose names are not friendly."""
        tofud = self.replay(recorded_path("apply-slow-progress"), "--stack", ODD, "--label", "x=" + ODD, speed=40)
        url = tofud.url + "v1/stream?run=latest&end=close&" + ALL
        with concurrent.futures.ThreadPoolExecutor() as pool:
            by = {"NDJSON": pool.submit(ndjson, url), "WebSocket": pool.submit(lambda: websocket(url)[0]),
                  "SSE": pool.submit(lambda: [line for _, line in server_sent(curl(url, "-H", "Accept: text/event-stream"))])}
            for name, lines in by.items():
                lines = self.check(lines.result(), name)
                self.assertIn("running", [each.get("status") for each in lines if each["kind"] == "resource"], name)

    def forecasts(self, daemon):
        """A run of a stack whose operations are remembered, while it goes on."""
        stream = recorded("chain-50")
        for _ in range(3):
            self.assertEqual(daemon.status("PUT", "/v1/runs?stack=remembered", body=stream), 201)
        until(lambda: len(daemon.ask("GET", "/v1/history?addr=null_resource.step_00").json()["entries"][0]["newest"]) == 3, "they are remembered")
        upload = client.Upload(("127.0.0.1", daemon.port), stack="remembered")
        upload.create()
        self.assertEqual(upload.patch(0, b"".join(stream.splitlines(True)[:70])).status, 204)
        until(lambda: "forecast" in [each["kind"] for each in self.first_lines(daemon.port, upload.run)], "it has forecasts")

    def causes(self, daemon):
        """An apply whose order is known: what waits, what is behind a failure, and when it is over."""
        first, rest = ["acme_web.w%d" % i for i in range(25)], ["acme_web.c%d" % i for i in range(24)]
        blocks = ['resource "acme_web" "%s" {\n  depends_on = [%s]\n}\n' % (name.split(".")[1], ", ".join(after))
                  for name, after in [(each, []) for each in first] + [("acme_web.all", first)] +
                  [(each, [rest[i - 1] if i else "acme_web.all"]) for i, each in enumerate(rest)]]
        self.given_directory("ordered")
        self.given("ordered/main.tf", "".join(blocks).encode())
        everything = first + ["acme_web.all"] + rest
        said = lambda type_, addr, at: message(at, type_, hook={"resource": resource(addr), "action": "create", "elapsed_seconds": 9})
        planned = VERSION + b"".join(message(1, "planned_change", change={"resource": resource(each), "action": "create"}) for each in everything) + \
            message(2, "change_summary", changes={"add": 50, "change": 0, "import": 0, "remove": 0, "operation": "plan"})
        before = planned + b"".join(said("apply_start", each, 3) + said("apply_complete", each, 12) for each in everything) + DONE
        for _ in range(3):
            subprocess.run([TOFUD, "--no-listen", "--progress", "none", "--server", daemon.url, "--stack", "ordered"], capture_output=True, input=before,
                           env=self.env(TOFUD_STATE_DIR=self.state_dir), timeout=PATIENCE)
        tofud = self.pipe("--stack", "ordered", "--server", daemon.url, "--config", os.path.join(self.home, "ordered"))
        tofud.wait_for_url()
        tofud.write(planned + said("apply_start", first[0], 3))
        port = int(tofud.url.rstrip("/").rpartition(":")[2])
        until(lambda: any(each.get("estimate", {}).get("critical_path_more") for each in self.first_lines(port, "latest")), "an estimate")
        runs = until(lambda: [each for each in daemon.ask("GET", "/v1/runs").json()["runs"] if "estimate" in each], "the daemon has an estimate")
        self.check(runs, "runs with an estimate")
        tofud.write(b"".join(said("apply_start", each, 4) + said("apply_errored", each, 9) for each in first[1:]))
        until(lambda: any(each.get("behind_more") for each in self.first_lines(port, "latest")), "what is behind failures")
        tofud.end_of_stream()

    def given_directory(self, name):
        os.makedirs(os.path.join(self.home, name))

    def first_lines(self, port, run):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", "/v1/stream?run=%s&%s" % (run, ALL))
        answer = connection.getresponse()
        lines = []
        while not lines or lines[-1]["kind"] != "at":
            lines.append(json.loads(answer.readline()))
        connection.close()
        return self.check(lines, "forecasts")

    def gap(self, daemon):
        """More lines than are kept in memory."""
        run = daemon.ask("PUT", "/v1/runs?stack=lines", body=(b"x" * 8000 + b"\n") * 9000).json()["run"]
        lines = [json.loads(each) for each in curl(daemon.url + "v1/stream?run=%s&end=close&kinds=text" % run).splitlines()]
        self.assertEqual([each["from"] for each in lines if each["kind"] == "gap"], [1])
        self.check(lines[:20] + lines[-20:], "gap")
        return run

    def wall(self, daemon, gone):
        """Cards, a card's lock, one with drift, and a run that is taken away."""
        for name, stem in (("state-lock-contention", "first"), ("state-lock-contention", "stream"), ("apply-saved-plan", "plan.stream"),
                           ("apply-saved-plan", "stream"), ("drift-apply", "plan-refresh-only")):
            body = recorded(name, stem)
            self.assertEqual(daemon.status("PUT", "/v1/runs?stack=%s&label=commit=c0ffee" % name, body=body), 201)
        lines = []
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
        connection.request("GET", "/v1/stream")
        answer = connection.getresponse()
        self.assertEqual(daemon.status("DELETE", "/v1/runs/" + gone), 204)
        while not any(each["kind"] == "removed" for each in lines):
            lines.append(json.loads(answer.readline()))
        connection.close()
        self.check(lines, "wall")
        self.assertIn("stack", [each["kind"] for each in lines])

    def login(self, daemon):
        """Let in by a token, which is then taken back."""
        token = self.token(daemon)
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
        connection.request("GET", "/v1/stream", headers=bearer(token))
        answer = connection.getresponse()
        lines = [json.loads(answer.readline())]
        self.assertIs(lines[0]["login"], True)
        self.revoke(daemon, token)
        while lines[-1]["kind"] != "error":
            lines.append(json.loads(answer.readline()))
        connection.close()
        self.check(lines, "login")

    def verified(self):
        """A run whose sender an identity provider knows."""
        issuer, config = trusted_issuer(self, '[[oidc.rules]]\nclaims = ["repository_owner=acme"]\nscopes = "ingest"\nstacks = ["*"]\n')
        daemon = self.serve("--config", config, name="verifies")
        until(lambda: daemon.status("GET", "/v1/session", bearer(issuer.token())) == 200, "the issuer's keys are fetched")
        self.assertEqual(daemon.status("PUT", "/v1/runs?stack=x", bearer(issuer.token()), body=recorded("apply-slow-progress")), 201)
        self.check(daemon.ask("GET", "/v1/runs").json()["runs"], "verified")

    def cut_off(self):
        """A daemon of several that can't reach the others."""
        daemon = self.serve("--cluster-nats", "nats://127.0.0.1:%d" % free_port(), name="cut off")
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
        until(lambda: b"behind: " in daemon.ask("GET", "/readyz").body, "it says so")
        connection.request("GET", "/v1/stream")
        self.assertIn("not_current", self.check([json.loads(connection.getresponse().readline())], "cut off")[0])
        connection.close()

    def given_up(self):
        """A run that nobody reads any more."""
        first = self.serve(name="first")
        run = first.put_run()
        first.stop()
        with open(os.path.join(first.state_dir, "daemon", "folding"), "w") as file:
            file.write(run + " 2\n")
        rows = self.serve(name="again", state_dir=first.state_dir).ask("GET", "/v1/runs").json()["runs"]
        self.assertIn("unreadable", self.check(rows, "given up")[0])

    def test_every_line_is_valid_and_every_member_is_met(self):
        self.recordings()
        self.attachments()
        self.cut_rows()
        self.live()
        daemon = self.serve()
        self.transports(daemon, daemon.put_run())
        self.wall(daemon, self.gap(daemon))
        self.forecasts(daemon)
        self.causes(daemon)
        self.login(daemon)
        self.verified()
        self.cut_off()
        self.given_up()
        missing = sorted(each for each in feed_schema.all_members() - self.met if each not in NOT_MET and each.split(".")[0] not in NOT_MET)
        self.assertEqual(missing, [])
        # An excuse that is none any more.
        self.assertEqual([kind for kind in NOT_MET if any(each == kind or each.startswith(kind + ".") for each in self.met)], [])


    def test_the_schema_is_served(self):
        answer = self.serve().ask("GET", "/feed.schema.json")
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "application/schema+json"))
        self.assertEqual(answer.json(), feed_schema.DOCUMENT)


if __name__ == "__main__":
    unittest.main()
