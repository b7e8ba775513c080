#!/usr/bin/python3
"""One redaction: every kind of secret, in every field that can carry text, in everything that leaves the process.

Outputs come from the daemon's table of routes and from the table of commands: a new one has to say here what it gives, or why it can give
no secret away. What gives everything as it came stands in a closed list, with the reason, and it is tested that it does."""
import gzip
import html
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import unittest
import urllib.parse

import planted
import tables
from asking import Daemon
from binary import PATIENCE, TOFUD, EndToEnd, get, until, websocket
from secrets_test import json_texts
from telemetry_test import Collector

FAKE_TOFU = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake_tofu.py")
KINDS = "run,resource,diagnostic,output,message,test_file,test_run,log,text"
MARK = re.compile(r"Q(\d\d)F(\w{2,3})Q")
# Looks known by themselves, and what a daemon has in its own environment: what somebody may write into a request.
ASKED = "Q99FreqQ " + next(kind.text for kind in planted.KINDS if kind.name == "GitHub")

# Routes that can give nothing of a stream away, and why.
ROUTES_WITHOUT = {
    "GET /healthz": "answers a word", "GET /version": "what was built", "GET /readyz": "whether parts are ready",
    "GET /LICENSES.txt": "a file", "GET /feed.schema.json": "a file", "GET /plain.css": "a file", "GET /login.js": "a file",
    "GET /v1/session": "who asks", "POST /v1/session": "answers no body", "DELETE /v1/session": "answers no body",
    "POST /v1/session/links": "a link of its own", "GET /v1/session/oidc": "leads to a provider", "GET /v1/session/oidc/callback": "says what the provider said",
    "GET /v1/notifications": "the rules of who runs it, and headlines that were redacted when they were written (notify_test)",
    "POST /v1/notifications/retry": "a number", "POST /v1/notifications/test": "what became of a message of its own", "POST /v1/reindex": "a number",
    "HEAD /v1/runs/*/lines": "an offset", "PATCH /v1/runs/*/lines": "an offset", "PUT /v1/runs/*/events/*": "a number",
    "PUT /v1/runs/*/attachments/*": "answers no body", "POST /v1/runs": "a place and a secret of its own", "PUT /v1/runs": "the id of the run",
    "DELETE /v1/runs/*": "answers no body", "GET /metrics": "numbers, and names of stacks where they are asked for",
}
# Commands that can give nothing away, or only what they are there to give, and why.
COMMANDS_WITHOUT = {
    "replay": "as the pipe's page", "demo": "always plays the same", "run": "the pipe's path, and Wrapped", "serve": "its routes, its log and its files are walked",
    "config check": "says which setting of its own file is wrong", "config show": "prints its own file's settings", "doctor": "what it finds here",
    "history import": "counts what it read", "history score": "numbers alone", "open": "prints an address", "resume": "says how much it sent", "rm": "says that it is gone", "reindex": "a number",
    "token create": "prints the token: that is what it is for", "token ls": "names and scopes", "access explain": "names and patterns", "backup": "numbers; its files are those of the daemon", "token revoke": "says that it is gone",
    "mcp": "as verdict, export, GET /v1/runs/*/diff, history and ls, and judged below",
    "notify ls": "as GET /v1/notifications", "notify retry": "a number", "notify test": "what became of a message of its own",
    "completion": "always the same", "blocks": "places: file:line:column", "schema check": "says what is wrong with a schema that is not the run's",
    "schema show": "prints what it is given", "schema diff": "as schema show",
}
# What gives bytes as they came, to the user whose they are. Nothing else may.
AS_THEY_CAME = {
    "spool": "what was read, kept for its user (0600)", "events beside the spool": "the labels and the stack that the user gave (0600)",
    "mask beside the spool": "the values themselves, so that whoever goes on masks the same (0600)",
    "--progress=json": "the stream to the next program of the user's pipeline", "--progress=plain": "the terminal of the user",
    "the page of the pipe": "loopback, to the same user",
    "plan beside the spool": "what the user attached, to be sent and masked again after a restart (0600); what is sensitive is not in it",
    "schemas beside the spool": "as the plan", "state beside the spool": "a state that OpenTofu could not save, for `tofud recover` (0600)",
    "the form of /runs": "repeats the question of who asks",
}
# What a plan calls sensitive is hidden in texts, not in names: OpenTofu takes no sensitive value as a key.
NAMES = re.compile(r"\.(addr|address|resource|module|instance|resource_\w+|implied_provider|provisioner|id_key|action_\w+|action_addr|path|filename|run|name|traversal|\w*_addr\.\w+)$"
                   r"|name of|key in|^test_|^planned_action|hook\.action\.|^ephemeral|workspace|^version|replace_provider")
NAME_FIELDS = {field for field, (name, _) in planted.FIELDS.items() if NAMES.search(name)}


PLAN = frozenset({"plan", "schema", "variable"})  # who tells them: nobody, where no plan is attached


def encoded(pairs):
    return urllib.parse.urlencode(pairs, quote_via=urllib.parse.quote)


def texts_of(data):
    """What somebody reads there: as it stands, out of JSON, out of HTML, out of URLs."""
    text = data.decode(errors="surrogateescape")
    found = [text, json_texts(data).decode(errors="surrogateescape")]
    if "&" in text:
        found.append(html.unescape(text))
    if "%" in text:
        found.append(urllib.parse.unquote(text, errors="surrogateescape"))
    return found


class Judged(EndToEnd):
    unknown = frozenset({"command"})  # the secrets that nobody tells there

    def setUp(self):
        super().setUp()
        self.cells, self.outputs = set(), {}
        self.mask_file = os.path.join(self.home, "masked.txt")
        self.also = ("--audit-file", os.path.join(self.home, "daemon/audit.jsonl"), "--archive", os.path.join(self.home, "daemon/archive"), "--metrics-stacks")
        self.collector = Collector(self)
        self.also += ("--otlp-endpoint", self.collector.url)
        planted.mask_file(self.mask_file)
        self.secret = planted.environment(self.home)

    def secret_env(self, **more):
        return self.env(**self.secret, **more)

    def judge(self, output, data, without=frozenset(), least=1, names_stay=False):
        """Nothing in `data` that nobody is to see; counts (secret, field) whose mark is there. `without`: secrets that were not known there."""
        texts = texts_of(data)
        marks = {mark for text in texts for mark in MARK.findall(text)}
        for number, kind in enumerate(planted.KINDS):
            if kind.told_by in without | self.unknown:
                marks -= {mark for mark in marks if int(mark[0]) == number}
                continue
            looked_at = [self.without_names(text, number) for text in texts] if names_stay and kind.told_by in PLAN else texts
            leaked = sorted(form for form in kind.forms() if any(form in text for text in looked_at))
            with self.subTest(output=output, secret=kind.name):
                if leaked:
                    text = next(text for text in looked_at if leaked[0] in text)
                    at = text.index(leaked[0])
                    field = MARK.findall(text[max(0, at - 2000):at])[-1:]
                    name = planted.FIELDS[field[0][1]][0] if field and field[0][1] in planted.FIELDS else field
                    self.fail("in clear, field %s: %s" % (name, text[max(0, at - 120):at + len(leaked[0]) + 40]))
        with self.subTest(output=output):
            self.assertGreaterEqual(len(marks), least, "nothing that was planted is there at all: %r" % data[:300])
        self.cells |= {(*mark, output) for mark in marks}
        self.outputs[output] = len(marks)

    def without_names(self, text, number):
        return re.sub(r"Q%02dF(%s)Q %s" % (number, "|".join(sorted(NAME_FIELDS)), re.escape(planted.KINDS[number].text)), "", text)

    def count(self, where):
        secrets, fields, outputs = ({cell[i] for cell in self.cells} for i in range(3))
        print("%s: %d cells: %d secrets, %d fields, %d outputs" % (where, len(self.cells), len(secrets), len(fields), len(outputs)), flush=True)
        for output, marks in sorted(self.outputs.items()):
            print("    %6d  %s" % (marks, output), flush=True)

    def read(self, url, *args):
        done = subprocess.run(["curl", "-sS", "--max-time", str(PATIENCE), *args, url], capture_output=True, timeout=2 * PATIENCE, check=True)
        return done.stdout

    def wall_feed(self, url):
        """Of all runs: it has no end."""
        return subprocess.run(["curl", "-sS", "--max-time", "1", url + "v1/stream"], capture_output=True, timeout=PATIENCE).stdout

    # ---- what a daemon gives -------------------------------------------------------------------

    def routes_of(self, url, run, planned):
        """route: what it is asked so that all that it has comes. `planned`: a plan is attached."""
        one = "v1/runs/" + run
        feed = "v1/stream?run=%s&kinds=%s&end=close" % (run, KINDS)
        rows = [json.loads(line) for line in self.read(url + feed).splitlines()]
        whole = [line["href"][1:] for line in rows if line.get("truncated")]
        addresses = [row["address"] for row in self.plan_of(url, run)] if planned else []
        found = {
            "GET /v1/runs": ["v1/runs"], "GET /v1/runs/*": [one, one + "?at=100000"], "GET /v1/runs/*/log": [one + "/log"],
            "GET /v1/runs/*/row": whole + [one + "/row?" + encoded({"kind": row["kind"], "key": row["key"]}) for row in rows
                                           if row["kind"] == "resource"][:300:5],
            "GET /v1/runs/*/export": [one + "/export?format=" + form for form in ("csv", "junit", "trace", "md")],
            "GET /v1/runs/*/stream.jsonl": [one + "/stream.jsonl"], "GET /v1/runs/*/events.jsonl": [one + "/events.jsonl"],
            "GET /v1/stream": [feed, "v1/stream?at=100000&run=" + run], "GET /runs": ["runs"], "GET /wall/plain": ["wall/plain"],
            "GET /stacks/*": ["stacks/" + encoded({"": json.loads(get(url + one))["run"].get("stack") or "none"})[1:]],
            "GET /stacks": ["stacks"], "GET /v1/stacks": ["v1/stacks", "v1/stacks?format=csv"], "GET /v1/stacks/*": ["v1/stacks/" + encoded({"": json.loads(get(url + one))["run"].get("stack") or "none"})[1:]],
            "GET /v1/history": ["v1/history?limit=1000", *("v1/history?" + encoded({"addr": row["addr"]}) for row in rows if row["kind"] == "resource" and row["steps"])][:200],
        }
        if planned:
            found["GET /v1/runs/*/plan"] = [one + "/plan", one + "/plan?format=md"]
            found["GET /v1/runs/*/order"] = [one + "/order"]
            found["GET /v1/runs/*/diff"] = [one + "/diff?" + encoded({"addr": address}) for address in addresses]
        return found

    def plan_of(self, url, run):
        rows = [json.loads(line) for line in self.read(url + "v1/runs/%s/plan" % run).splitlines()]
        return [row for row in rows if "address" in row]

    def judge_daemon(self, where, daemon, run, planned, without=frozenset()):
        url = daemon.url
        until(lambda: json.loads(get(url + "v1/runs/" + run))["run"]["status"] != "running", "the run is over")
        asked = self.routes_of(url, run, planned)
        known = set(asked) | set(ROUTES_WITHOUT)
        table = tables.routes(get(url + "metrics").decode())
        self.assertEqual({route for route in table if route not in known and not tables.FILES.match(route)} - {"GET /v1/runs/*/plan", "GET /v1/runs/*/diff", "GET /v1/runs/*/order"}, set(),
                         "what do these give away?")
        # A run's row, an event or a list of runs has what names it, no text of its stream.
        few = {"GET /v1/history", "GET /stacks", "GET /v1/stacks", "GET /v1/stacks/*", "GET /stacks/*", "GET /v1/runs", "GET /runs", "GET /wall/plain", "GET /v1/runs/*/events.jsonl", "GET /v1/runs/*/order"}
        for route, paths in asked.items():
            data = b"\n".join(self.read(url + path) for path in paths)
            self.judge(where + route, data, without, least=0 if route in few else 20)
        self.judge(where + "GET /v1/stream of all runs", self.wall_feed(url), without, least=0)
        feed = url + "v1/stream?run=%s&kinds=%s&end=close" % (run, KINDS)
        self.judge(where + "server-sent events", self.read(feed, "-H", "Accept: text/event-stream"), without, least=20)
        lines, code, _ = websocket(feed)
        self.assertEqual(code, 1000)
        self.judge(where + "WebSocket", json.dumps(lines, ensure_ascii=False).encode(), without, least=20)
        self.judge_commands(where, daemon, run, without)
        self.judge_requests(where, daemon, table)
        self.judge(where + "GET /metrics", self.read(url + "metrics"), least=0)
        archive = pathlib.Path(daemon.state_dir).parent / "archive"
        if archive.exists():
            until(lambda: (archive / "runs" / run / "manifest.jsonl").exists(), "it is archived")
        if "--otlp-endpoint" in daemon.running.process.args:
            until(lambda: b'result="sent"} 1\n' in self.read(url + "metrics"), "its trace is sent")
            self.judge(where + "OTLP", b"\n".join(body for _, body in self.collector.at("/v1/traces") + self.collector.at("/v1/metrics")), without, least=20, names_stay=True)
        daemon.stop()
        for path in sorted(pathlib.Path(daemon.state_dir).parent.rglob("*")):
            if path.is_file():
                data = path.read_bytes()
                data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
                self.judge(where + "file " + re.sub(r"[0-9]{8}T[\w-]+|[0-9a-f]{16,}", "ID", path.name), data, without, least=0)
        log = daemon.running.err.all()
        self.judge(where + "log", log + daemon.running.out.all(), without, least=0)
        self.assertIn(b"\n", log)

    def judge_commands(self, where, daemon, run, without):
        server = ["--server", "unix:" + daemon.socket]
        for words in (["ls"], ["ls", "--json"], ["history", "--all"], ["history", "--json"], ["logs", run], ["verdict", run], ["verdict", run, "--json"], ["watch", run, "--progress", "plain"],
                      *(["export", run, "--format", form] for form in ("ndjson", "md", "csv", "junit", "trace", "otlp"))):
            done = subprocess.run([TOFUD, *words, *server], env=self.env(HOME=os.path.join(self.home, "viewer")), capture_output=True, timeout=PATIENCE)
            if words == ["ls", "--json"] and done.returncode == 2:
                continue
            self.assertEqual(done.returncode in (0, 1), True, (words, done.stderr[:300]))
            self.judge(where + "tofud " + re.sub(re.escape(run), "RUN", " ".join(words)), done.stdout + done.stderr, without, least=0 if words[0] in ("ls", "history", "verdict") else 20)

    def judge_requests(self, where, daemon, table):
        """Whoever writes a secret into a request: neither answer nor log repeats it."""
        for route in table:
            method, pattern = route.split()
            secret = urllib.parse.quote(ASKED, safe="")
            path = pattern.replace("*", secret) + "?" + "&".join("%s=%s" % (name, secret) for name in (
                "run", "kinds", "addr", "status", "since", "format", "key", "kind", "stack", "label", "cursor", "limit", "last", "follow", "end", secret))
            with socket.create_connection(("127.0.0.1", daemon.port), PATIENCE) as peer:
                body = b"" if method in ("GET", "HEAD", "DELETE") else json.dumps({ASKED: ASKED, "token": ASKED}).encode()
                peer.sendall(b"%s %s HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\nUser-Agent: %s\r\nLast-Event-ID: %s\r\nUpload-Secret: %s\r\n"
                             b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
                                 method.encode(), path.encode(), daemon.port, ASKED.encode(), ASKED.encode(), ASKED.encode(), len(body), body))
                answer = b""
                peer.settimeout(2)
                try:
                    while piece := peer.recv(65536):
                        answer += piece
                        if len(answer) > 1 << 20:
                            break
                except OSError:
                    pass
            self.assertTrue(answer, route)
            if route != "GET /runs":
                self.judge(where + "answer to a secret: " + route, answer, least=0)


class FromCurl(Judged):
    """The daemon knows the secrets: its own environment and mask file."""

    def test_every_output_of_a_daemon_that_redacts(self):
        daemon = Daemon(self, "--mask-file", self.mask_file, *self.also, env=self.secret_env())
        stream = os.path.join(self.home, "stream.jsonl")
        pathlib.Path(stream).write_bytes(planted.stream())
        named = encoded([("stack", "net"), *(("label", "l%d=%s %s" % (number, planted.mark("lab", number), kind.text))
                                                            for number, kind in enumerate(planted.KINDS) if "\n" not in kind.text and kind.name != "tofud")])
        answer = json.loads(self.read(daemon.url + "v1/runs?" + named, "-T", stream))
        self.assertIn("run", answer, answer)
        self.judge_daemon("curl: ", daemon, answer["run"], planned=False, without=PLAN)
        self.count("a stream that comes by curl")

    def test_every_secret_as_a_stack_and_as_the_name_of_a_label(self):
        daemon = Daemon(self, "--mask-file", self.mask_file, *self.also, env=self.secret_env())
        tiny = os.path.join(self.home, "tiny.jsonl")
        pathlib.Path(tiny).write_bytes(planted.many.VERSION + planted.many.resources(1))
        for number, kind in enumerate(planted.KINDS):
            if kind.name == "tofud":
                continue  # a token in an address is refused
            text = kind.text.split("\n")[1 if "\n" in kind.text else 0]
            named = encoded([("stack", "net/%s %s" % (planted.mark("stk", number), text)), ("label", "%s %s=v" % (planted.mark("key", number), text))])
            self.read(daemon.url + "v1/runs?" + named, "-T", tiny)
        for path in ("v1/runs?limit=100", "runs", "wall/plain", "v1/stream", "metrics"):
            self.judge(path, self.wall_feed(daemon.url) if path == "v1/stream" else self.read(daemon.url + path), PLAN, least=0 if path == "metrics" else 40)
        daemon.stop()
        self.judge("log", daemon.running.err.all(), PLAN, least=0)
        self.count("names of runs")


class FromPipe(Judged):
    """The secrets are known where the stream comes from, with a plan, schemas and a configuration; the daemon knows none of them."""

    def attached(self):
        folder = pathlib.Path(self.home, "attached")
        (folder / "config").mkdir(parents=True)
        (folder / "plan.json").write_text(json.dumps(planted.plan(), ensure_ascii=False))
        (folder / "schemas.json").write_text(json.dumps(planted.schemas(), ensure_ascii=False))
        (folder / "config" / "main.tf").write_text(planted.configuration())
        return ["--plan", str(folder / "plan.json"), "--schemas", str(folder / "schemas.json"), "--config", str(folder / "config")]

    def labels(self):
        for number, kind in enumerate(planted.KINDS):
            # Labels are the user's own words, said before any plan is read.
            if "\n" not in kind.text and not kind.told_by:
                yield from ("--label", "l%d=%s %s" % (number, planted.mark("lab", number), kind.text))

    def beside(self):
        document = json.loads(pathlib.Path(self.spool()).with_suffix(".events").read_text().splitlines()[-1]) if self.spools() else {}
        return document

    def test_every_output_of_a_pipe_and_of_the_daemon_that_gets_it(self):
        stream = planted.stream()
        daemon = Daemon(self)
        places = {name: os.path.join(self.home, name) for name in ("report.html", "junit.xml", "summary.md")}
        env = self.secret_env(CI="true", GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=places["summary.md"])
        running = self.pipe("--mask-file", self.mask_file, "--server", "unix:" + daemon.socket, "--progress", "plain", "--report", places["report.html"],
                            "--junit", places["junit.xml"], *self.attached(), *self.labels(), env=env)
        page = running.wait_for_url()
        until(lambda: len(list(pathlib.Path(self.state_dir).glob("*.plan*"))) > 0 and
              set(json.loads(get(page + "v1/runs/latest"))["run"].get("attachments") or ()) == {"plan", "schemas", "config"}, "all is attached")
        running.write(stream)
        until(lambda: json.loads(get(page + "v1/runs/latest"))["run"]["lines"]["messages"] > 10000, "the stream is read")
        running.end_of_stream()
        self.assertEqual(running.wait(), 1)
        self.closed_list({"--progress=plain": running.out.all(), "spool": self.spool().read_bytes()})
        for name, path in places.items():
            self.judge("pipe: " + name, pathlib.Path(path).read_bytes(), least=1 if name == "summary.md" else 20, names_stay=True)
        for path in sorted(pathlib.Path(self.state_dir).iterdir()):
            if path.is_file():
                self.assertEqual(path.stat().st_mode & 0o077, 0, path)
                if path.name == "history.db":
                    continue  # addresses and how long they took, of its user (0600)
                self.assertIn(path.name[path.name.index("."):], (".jsonl", ".events", ".mask", ".hidden", ".plan.json", ".schemas.json", ".config.json", ".state.json",
                                                                 ".sent", ".upload", ".url"), "what is this file?")
                if path.name.endswith(".plan.json"):
                    for number, kind in enumerate(planted.KINDS):
                        if kind.told_by:
                            self.assertNotIn(json.dumps(kind.text), path.read_text())
        self.judge_local_commands()
        run = json.loads(get(daemon.url + "v1/runs"))["runs"][0]
        self.judge_daemon("forwarded: ", daemon, run.get("id") or run["key"], planned=True)
        self.count("a pipe with all that can be attached")

    def test_the_page_of_a_pipe_is_open_and_its_stream_is_redacted(self):
        running = self.pipe("--mask-file", self.mask_file, "--no-server", "--progress", "json", env=self.secret_env())
        url = running.wait_for_url(running.err)
        running.write(planted.stream())
        until(lambda: json.loads(get(url + "v1/runs/latest"))["run"]["lines"]["messages"] > 10000, "the stream is read")
        page, beside = get(url + "v1/runs/latest"), self.read(url + "v1/runs/latest/stream.jsonl")
        running.end_of_stream()
        running.wait()
        self.closed_list({"the page of the pipe": page, "--progress=json": running.out.all()})
        self.judge("page: GET /v1/runs/*/stream.jsonl", beside, PLAN)
        self.count("beside a pipe")

    def closed_list(self, found):
        """Each exception is one: a secret is there as it came."""
        for name, data in found.items():
            self.assertIn(name, AS_THEY_CAME)
            self.assertTrue(any(value.encode() in data for kind in planted.KINDS for value in kind.hidden), (name, data[:500]))

    def planned_addresses(self, plan):
        with open(plan, encoding="utf-8") as file:
            return [change["address"] for change in json.load(file)["resource_changes"]]

    def judge_local_commands(self):
        """Commands that read what is kept here. What goes to the terminal of the user is as it came; documents are not."""
        spool, plan, folder = str(self.spool()), os.path.join(self.home, "attached", "plan.json"), os.path.join(self.home, "attached")
        state = os.path.join(self.home, "state.json")
        pathlib.Path(state).write_text(json.dumps(planted.many.state(1)))
        mask = ["--mask-file", self.mask_file]
        # Everything together is a test, of which a pull request is not told.
        applied = pathlib.Path(self.home, "applied.jsonl")
        applied.write_bytes(b"".join(line for line in planted.stream().splitlines(keepends=True) if b'"type":"test_' not in line and b'"type": "test_' not in line))
        documents = {
            **{"export " + form: ["export", spool, "--no-server", "--format", form, *mask] for form in ("ndjson", "md", "csv", "junit", "trace", "otlp")},
            "redact": ["redact", *mask, spool],
            "verdict": ["verdict", spool, "--no-server", *mask], "verdict --json": ["verdict", spool, "--no-server", "--json", *mask],
            # Without a token it writes what would be the comment into the summary of the step.
            "comment": ["comment", str(applied), "--no-server", "--plan", plan, *mask],
            "show --md": ["show", "--md", plan, "--schemas", folder + "/schemas.json", *mask],
        }
        terminal = {"logs": ["logs", spool, "--no-server"], "watch": ["watch", spool, "--progress", "plain"], "ls": ["ls", "--no-server", "--state-dir", self.state_dir],
                    "history": ["history", "--json", "--all", "--no-server", "--state-dir", self.state_dir],
                    "recover": ["recover", "--no-server", spool, "--state", state], "show": ["show", plan], "graph": ["graph", folder + "/config", "--plan", plan],
                    "estimate": ["estimate", plan, folder + "/config"]}
        seen = {name.split(" -")[0].split()[0] for name in (*documents, *terminal)}
        self.assertEqual(set(tables.commands(self.env())), seen | set(COMMANDS_WITHOUT) | {""}, "what does this command give away?")
        summary = pathlib.Path(self.home, "summary.md")
        job = {"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "acme/infra", "GITHUB_STEP_SUMMARY": str(summary)}
        for name, words in documents.items():
            done = subprocess.run([TOFUD, *words], env=self.secret_env(**job), capture_output=True, timeout=PATIENCE)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            if name == "comment":
                done.stdout += summary.read_bytes()
            unknown = PLAN if name == "redact" else frozenset()
            self.judge("tofud " + name, done.stdout + done.stderr, unknown, least=1 if name.startswith("verdict") else 20, names_stay=name.startswith(("export", "verdict", "comment")))
        asked = [{"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}} for number, (name, arguments) in enumerate(
            [("verdict", {}), ("runs", {}), ("log_tail", {"lines": 200}), ("history", {}), *(("diff", {"address": addr}) for addr in self.planned_addresses(plan)[:5])])]
        done = subprocess.run([TOFUD, "mcp", "--no-server", "--state-dir", self.state_dir, *mask], input="\n".join(map(json.dumps, asked)).encode() + b"\n",
                              env=self.secret_env(), capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.judge("tofud mcp", done.stdout, least=20, names_stay=True)
        for name, words in terminal.items():
            done = subprocess.run([TOFUD, *words], env=self.secret_env(), capture_output=True, timeout=PATIENCE)
            self.assertIn(done.returncode, (0, 1), (name, done.stderr))


class Wrapped(Judged):
    """What OpenTofu is given on its command line is known to who starts it."""

    unknown = PLAN

    def test_everything_that_a_wrapped_run_sends_and_writes(self):
        stream, links = os.path.join(self.home, "stream.jsonl"), os.path.join(self.home, "bin")
        pathlib.Path(stream).write_bytes(planted.stream())
        os.mkdir(links)
        os.symlink(FAKE_TOFU, os.path.join(links, "tofu"))
        daemon = Daemon(self)
        places = {name: os.path.join(self.home, name) for name in ("report.html", "junit.xml")}
        given = [word for kind in planted.KINDS for word in kind.arguments]
        env = self.secret_env(PATH=links + ":" + os.environ["PATH"], FAKE_STREAM=stream, FAKE_STATUS="1")
        # What is told by these would reach the command as words of its own.
        env = {name: value for name, value in env.items() if name != "TF_CLI_ARGS_apply"}
        done = subprocess.run([TOFUD, "run", "--mask-file", self.mask_file, "--server", "unix:" + daemon.socket, "--state-dir", self.state_dir, "--report",
                               places["report.html"], "--junit", places["junit.xml"], "--", "tofu", "apply", "-auto-approve", "-json",
                               "-var", "db_password=dash-var-value-06", *given],
                              env=env, capture_output=True, timeout=PATIENCE, cwd=self.home)
        self.assertEqual(done.returncode, 1, done.stderr)
        for name, path in places.items():
            self.judge("run: " + name, pathlib.Path(path).read_bytes(), least=20)
        run = json.loads(get(daemon.url + "v1/runs"))["runs"][0]
        self.judge_daemon("run: ", daemon, run.get("id") or run["key"], planned=False)
        self.count("a run that is wrapped")


if __name__ == "__main__":
    unittest.main(verbosity=2)
