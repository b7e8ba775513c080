#!/usr/bin/python3
"""What arrives from outside costs at most n log n. Each path is walked with n and with 4n things, and instructions are counted, so that
no machine is too busy or too slow for it. What is walked comes from the tables of messages, commands and routes: whoever adds to them
adds a case here, or says why there is none."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../end_to_end"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../upload"))

import client
import many
import measured
import tables
from asking import Daemon
from binary import PATIENCE, TOFUD, EndToEnd

PIECE = 1 << 18  # bytes of a stream that are sent at once


class Growth(EndToEnd):
    empty = None  # what it costs to fold a stream of nothing

    def setUp(self):
        super().setUp()
        self.case = threading.local()

    def folder(self, name):
        """Of the case that this thread walks."""
        made = pathlib.Path(self.home, self.case.name, name)
        made.mkdir(parents=True, exist_ok=True)
        return made

    def judge(self, cases):
        """`cases`: (name, what gives how many and how much dearer). Two at a time."""
        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("TOFUD_GROWTH_JOBS") or 2)) as two:
            found = [(name, two.submit(self.alone, name, grows)) for name, grows in cases]
        for name, told in found:
            with self.subTest(name):
                things, dearer = told.result()
                print("%-40s %6d things, 4 times as many: %5.2f times as dear" % (name, things, dearer), flush=True)
                self.assertLessEqual(dearer, measured.NO_SQUARE)

    def alone(self, name, grows):
        self.case.name = re.sub(r"\W+", "-", name)
        return grows()

    def folded(self, stream):
        """What it costs to fold a stream and to write its rows."""
        def cost(things):
            home = self.folder("stream")
            (home / "stream.jsonl").write_bytes(many.VERSION + stream(things))
            return measured.command(home, self.env(), ["replay", "--rows", str(home / "stream.jsonl")])

        def grows():
            if Growth.empty is None:
                Growth.empty = cost(0)
            return measured.grows(cost, Growth.empty)
        return grows


class Messages(Growth):
    def test_every_type_of_message(self):
        samples = many.samples()
        without = set(many.message_types()) - set(samples)
        self.assertEqual(without, set(), "no recording has these; many.py needs a sample")
        self.judge([(kind, self.folded(lambda things, kind=kind: many.messages(samples[kind], things))) for kind in many.message_types()])

    def test_every_shape_of_stream(self):
        self.judge([(stream.__name__, self.folded(stream)) for stream in many.STREAMS])


class Commands(Growth):
    """Each command that reads what others wrote, with as much as there is of it."""

    def written(self, things, **files):
        """A folder with these files, made for so many things."""
        folder = self.folder("with%d" % things)
        for name, text in files.items():
            path = folder / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode() if isinstance(text, str) else json.dumps(text).encode())
        return folder

    def costs(self, args, statuses=(0,), **env):
        """`args(things)`: the command's words."""
        home = self.folder("counted")

        def cost(things):
            given = args(things)
            return measured.command(home, self.env(**env), given, statuses=statuses)
        return measured.grows(cost, cost(1))

    def show(self):
        return self.costs(lambda things: ["show", str(self.written(things, plan_json=many.plan(things)) / "plan.json")])

    def show_elements(self):
        return self.costs(lambda things: ["show", str(self.written(things, plan_json=many.plan(1, things, 4)) / "plan.json")])

    def show_overlay(self):
        def args(things):
            folder = self.written(things, plan_json=many.plan(things), schemas_json=many.schemas(things))
            return ["show", str(folder / "plan.json"), "--schemas", str(folder / "schemas.json"), "--overlay"]
        return self.costs(args)

    def show_diagnostics(self):
        return self.costs(lambda things: ["show", "--diagnostics", str(self.written(things, s_jsonl=many.VERSION + many.diagnostics(things)) / "s.jsonl")])

    def logs(self):
        return self.costs(lambda things: ["logs", "--no-server", str(self.written(things, l_jsonl=many.VERSION + many.log_lines(things)) / "l.jsonl")])

    def export(self, form):
        def args(things):
            stream = many.VERSION + many.resources(things) + many.diagnostics_of_one_address(things) + many.outputs(things)
            folder = self.written(things, r_jsonl=stream, plan_json=many.plan(things), main_tf=many.configuration(things))
            return ["export", "--no-server", str(folder / "r.jsonl"), "--format", form, "--plan", str(folder / "plan.json"), "--config", str(folder)]
        return self.costs(args)

    def verdict(self):
        return self.costs(lambda things: ["verdict", "--no-server", "--json", str(self.written(
            things, v_jsonl=many.VERSION + many.resources(things) + many.diagnostics_of_one_address(things)) / "v.jsonl")])

    def comment(self):
        """Into the summary of a step, since no forge gives it a token."""
        summary = self.folder("counted") / "summary.md"

        def args(things):
            stream = many.VERSION + many.resources(things) + many.diagnostics_of_one_address(things)
            folder = self.written(things, c_jsonl=stream, plan_json=many.plan(things))
            summary.unlink(missing_ok=True)
            return ["comment", "--no-server", str(folder / "c.jsonl"), "--plan", str(folder / "plan.json"), "--forge", "github", "--project", "acme/infra"]
        return self.costs(args, GITHUB_ACTIONS="true", GITHUB_STEP_SUMMARY=str(summary))

    def recover(self):
        def args(things):
            starts = many.resources(things)
            folder = self.written(things, k_jsonl=many.VERSION + starts, tfstate_json=many.state(things // 2))
            return ["recover", "--no-server", str(folder / "k.jsonl"), "--state", str(folder / "tfstate.json")]
        return self.costs(args, statuses=(0, 1))

    def redact(self):
        def args(things):
            values, stream = many.secrets(things)
            folder = self.written(things, s_jsonl=stream, mask_txt="\n".join(values))
            return ["redact", "--mask-file", str(folder / "mask.txt"), str(folder / "s.jsonl")]
        return self.costs(args)

    def schema_check(self):
        return self.costs(lambda things: ["schema", "check", str(self.written(things, spec_json=many.specification(things)) / "spec.json")], statuses=(0, 1))

    def schema_show(self):
        return self.costs(lambda things: ["schema", "show", str(self.written(things, a_json=many.schemas(things)) / "a.json")])

    def schema_diff(self):
        def args(things):
            folder = self.written(things, a_json=many.schemas(things), b_json=many.schemas(things, 0), tfstate_json=many.state(things))
            return ["schema", "diff", str(folder / "a.json"), str(folder / "b.json")]
        return self.costs(args, statuses=(0, 1))

    def blocks(self):
        return self.costs(lambda things: ["blocks", str(self.written(things, main_tf=many.configuration(things)))])

    def graph(self, *more):
        def args(things):
            folder = self.written(things, main_tf=many.configuration(things), plan_json=many.plan(things))
            return ["graph", str(folder), "--plan", str(folder / "plan.json"), *more]
        return self.costs(args)

    def fresh(self):
        return tempfile.mkdtemp(dir=self.home)

    def history_import(self):
        return self.costs(lambda things: ["history", "import", "--state-dir", self.fresh(), str(self.written(things, x_jsonl=many.VERSION + many.resources(things)) / "x.jsonl")])

    def history(self):
        def args(things):
            state = self.fresh()
            stream = self.written(things, x_jsonl=many.VERSION + many.resources(things)) / "x.jsonl"
            subprocess.run([TOFUD, "history", "import", "--state-dir", state, str(stream)], env=self.env(), check=True, capture_output=True)
            return ["history", "--all", "--no-server", "--state-dir", state]
        return self.costs(args)

    def stored(self, things):
        """A state directory with a tenth as many runs, as far as files go."""
        state = self.fresh()
        for number in range(1 + things // 10):
            run = pathlib.Path(state, "daemon/runs/20261121T0312-%04x" % number)
            run.mkdir(parents=True)
            (run / "header.json").write_text("{}")
            (run / "stream.jsonl").write_bytes(many.VERSION)
        return state

    def backup(self):
        return self.costs(lambda things: ["backup", "--state-dir", self.stored(things), os.path.join(self.fresh(), "backup")])

    def backup_check(self):
        def args(things):
            to = os.path.join(self.fresh(), "backup")
            subprocess.run([TOFUD, "backup", "--state-dir", self.stored(things), to], env=self.env(), check=True, capture_output=True)
            return ["reindex", "--check", to]
        return self.costs(args)

    def estimate(self):
        def args(things):
            folder, state = self.written(things, x_jsonl=many.VERSION + many.resources(things), main_tf=many.configuration(things), plan_json=many.plan(things)), self.fresh()
            subprocess.run([TOFUD, "history", "import", "--stack", "s", "--state-dir", state, str(folder / "x.jsonl")], env=self.env(), check=True, capture_output=True)
            return ["estimate", str(folder / "plan.json"), str(folder), "--stack", "s", "--state-dir", state]
        return self.costs(args)

    def replay(self, of):
        """An apply whose order is known: each waits for one, or all that follow for the first ones."""
        def args(things):
            folder = self.written(things, x_jsonl=many.VERSION + many.resources(things), main_tf=of(things))
            return ["replay", "--rows", "--config", str(folder), str(folder / "x.jsonl")]
        return self.costs(args)

    CASES = {
        "show": [("show", show), ("show, elements of a list", show_elements), ("show --overlay", show_overlay), ("show --diagnostics", show_diagnostics)],
        "logs": [("logs", logs)],
        "verdict": [("verdict", lambda self: self.verdict())],
        "comment": [("comment", lambda self: self.comment())],
        "export": [("export " + form, lambda self, form=form: self.export(form)) for form in ("ndjson", "csv", "junit", "trace", "otlp", "md")],
        "recover": [("recover", recover)],
        "redact": [("redact", redact)],
        "schema check": [("schema check", schema_check)],
        "schema show": [("schema show", schema_show)],
        "schema diff": [("schema diff", schema_diff)],
        "blocks": [("blocks", blocks)],
        "graph": [("graph", graph), ("graph --json", lambda self: self.graph("--json"))],
        "estimate": [("estimate", estimate)],
        "replay": [("replay, " + of.__name__, lambda self, of=of: self.replay(of)) for of in (many.chain, many.halves, many.configuration)],
        "history": [("history", history)],
        "backup": [("backup", backup)],
        "reindex": [("reindex --check", backup_check)],  # all else is a request, which Routes walks
        "history import": [("history import", history_import)],
    }
    # And why there is nothing to count.
    WITHOUT = {
        "": "folds as replay does; Valgrind can't follow its worker, which is started from what runs (/proc/self/exe)",
        "run": "the pipe's path; what runs is somebody else's program",
        "serve": "Routes walks it",
        "demo": "always plays the same",
        "doctor": "reads nothing from outside",
        "config check": "a file has at most limits::config_bytes",
        "config show": "as config check",
        "history score": "a question as history asks, about at most limits::scored_runs runs",
        "open": "asks a daemon for one run",
        "watch": "shows what the feed of a run brings, as the pipe does",
        "ls": "asks a daemon for a page of runs, and looks at what is kept here: there are at most so many (spool/prune)",
        "resume": "sends a stream as the pipe does",
        "rm": "one request",
        "token create": "a file has at most limits::tokens",
        "token ls": "as token create",
        "token revoke": "as token create", "access explain": "as token create",
        "mcp": "a tool each of what verdict, export, ls, history and the routes do",
        "notify ls": "asks a daemon for at most a thousand messages", "notify retry": "one request", "notify test": "one request",
        "completion": "reads nothing from outside",
    }

    def test_every_command(self):
        commands = tables.commands(self.env())
        self.assertGreater(len(commands), 15)
        self.assertEqual(set(commands), set(self.CASES) | set(self.WITHOUT), "each command has a case, or says why it has none")
        self.judge([(name, lambda case=case: case(self)) for command in commands for name, case in self.CASES.get(command, [])])


class Routes(Growth):
    """Each route of a daemon that holds many runs, one of which has many of everything."""

    ALL = (many.resources, many.outputs, many.diagnostics_of_one_address, many.steps_of_one_address, many.log_lines)

    # And why there is nothing to count.
    WITHOUT = {
        "GET /healthz": "answers a word", "GET /readyz": "answers a few lines", "GET /version": "answers a line",
        "GET /LICENSES.txt": "a file", "GET /feed.schema.json": "a file", "GET /plain.css": "a file", "GET /login.js": "a file",
        "POST /v1/session": "limits::login_bytes", "GET /v1/session": "tells who asks", "DELETE /v1/session": "ends one",
        "POST /v1/session/links": "makes one", "GET /v1/session/oidc": "leads elsewhere", "GET /v1/session/oidc/callback": "limits::header_bytes, and one request to a provider",
        "GET /v1/notifications": "a thousand messages at most", "POST /v1/notifications/retry": "one statement of SQL, of limits::outbox_messages",
        "POST /v1/notifications/test": "one message", "PUT /v1/runs/*/events/*": "a few words, at most limits::events_per_run of them",
    }

    def filled(self, things):
        """A state directory with a tenth as many runs."""
        daemon = Daemon(self, "--log-level", "error", "--retain-runs", "100000", name="filled%d" % things)
        connection = daemon.connection()
        for number in range(things // 10):
            connection.request("PUT", "/v1/runs?stack=s%d" % number, many.VERSION + many.resources(1))
            answer = connection.getresponse()
            text = answer.read()
            self.assertEqual(answer.status, 201, text)
        connection.close()
        daemon.stop()
        return daemon.state_dir

    def walked(self, things):
        """({(route, name): instructions} of a daemon with so many things, every route it has)."""
        daemon = measured.Daemon(self, "--log-level", "error", "--retain-runs", "100000", state_dir=self.filled(things))
        found = {}

        def counted(route, name, work):
            done = work()
            found[route, name] = daemon.dump()
            return done

        def walk(route, path, body=None, headers=(), name=None):
            answer = counted(route, path.partition("?")[2] if name is None else name,
                             lambda: client.ask(daemon.address, route.split()[0], path, body, dict(headers)))
            self.assertIn(answer.status, (200, 201, 204), (route, path, answer))
            return answer

        daemon.dump()
        for stream in many.STREAMS:
            walk("PUT /v1/runs", "/v1/runs?stack=large", many.VERSION + stream(things), name=stream.__name__)
        run = walk("PUT /v1/runs", "/v1/runs?stack=large", many.VERSION + b"".join(stream(things) for stream in self.ALL), name="all").json["run"]
        self.sent(daemon, things, counted, walk)
        self.watched(daemon, things, counted)
        for path in ("", "?at=100000", "/row?kind=output&key=o1", "/row?kind=resource&key=a_b.c0", "/log", "/stream.jsonl", "/stream.jsonl?last=65536", "/events.jsonl",
                     *("/export?format=" + form for form in ("csv", "junit", "trace", "md"))):
            walk("GET /v1/runs/*" + path.partition("?")[0], "/v1/runs/" + run + path)
        walk("GET /v1/stream", "/v1/stream?end=close&run=" + run, name="a whole run")
        walk("GET /v1/stream", "/v1/stream?at=100000&run=" + run, name="a moment of it")
        walk("GET /v1/runs", "/v1/runs?limit=100")
        walk("GET /v1/runs", "/v1/runs?q=s1&limit=100")
        walk("GET /runs", "/runs")
        walk("GET /stacks", "/stacks")
        walk("GET /stacks/*", "/stacks/large")
        walk("GET /v1/stacks", "/v1/stacks?limit=1000")
        walk("GET /v1/stacks", "/v1/stacks?limit=1000&format=csv")
        walk("GET /v1/stacks/*", "/v1/stacks/large")
        walk("GET /v1/history", "/v1/history?limit=1000")
        walk("GET /v1/history", "/v1/history?type=a_b&stack=large")
        walk("GET /v1/history", "/v1/history?addr=a_b.c0")
        walk("GET /wall/plain", "/wall/plain")
        walk("GET /metrics", "/metrics")
        done = subprocess.run([TOFUD, "token", "create", "--state-dir", daemon.state_dir, "--stack", "s*", "--stack", "*e"], capture_output=True, env=self.env(), check=True)
        some = {"Via": "1.1 x", "Authorization": "Bearer " + done.stdout.decode().strip()}
        for path in ("/wall/plain", "/v1/runs?limit=100&counts=1", "/v1/history?limit=1000", "/v1/history?addr=a_b.c0", "/runs"):
            walk("GET " + path.partition("?")[0], path, headers=some.items(), name=path.partition("?")[2] + " of who sees some stacks")
        walk("POST /v1/reindex", "/v1/reindex")
        walk("DELETE /v1/runs/*", "/v1/runs/" + run)
        table = client.ask(daemon.address, "GET", "/metrics").body.decode()
        routes = set(tables.routes(table))
        daemon.stop()
        return found, routes

    def sent(self, daemon, things, counted, walk):
        """A run that is being sent: its lines, its events, what is attached to it, and what is drawn of that."""
        upload = client.Upload(daemon.address, labels=many.labels(8))
        self.assertEqual(counted("POST /v1/runs", "", upload.create).status, 201)
        stream = many.VERSION + many.resources(things)
        counted("PATCH /v1/runs/*/lines", "", lambda: [self.assertEqual(upload.patch(at, stream[at:at + PIECE]).status, 204)
                                                       for at in range(0, len(stream), PIECE)])
        self.assertEqual(counted("HEAD /v1/runs/*/lines", "", upload.head).status, 200)
        documents = {"many resources": ("plan", many.plan(things)), "schemas": ("schemas", many.schemas(things)),
                     "many elements": ("plan", many.plan(1, things, 4))}
        for name, (part, document) in documents.items():
            if name == "many elements":  # a run has one plan
                upload = client.Upload(daemon.address)
                upload.create()
                upload.patch(0, many.VERSION)
            run = "/v1/runs/" + upload.run
            walk("PUT /v1/runs/*/attachments/*", run + "/attachments/" + part, json.dumps(document).encode(), upload.secret(), name)
            if name == "many resources":
                walk("PUT /v1/runs/*/attachments/*", run + "/attachments/config", json.dumps(many.config(things)).encode(), upload.secret(), "configuration")
            if part != "plan":
                continue
            for path in ("diff?addr=a_b.c0", "plan", "plan?format=md", "order", "export?format=md"):
                walk("GET /v1/runs/*/" + path.partition("?")[0], run + "/" + path, name=path + " of " + name)

    def watched(self, daemon, things, counted):
        """A run with so many subscribers, and one with many filters. Labels and filters are as many as limits::labels and limits::filter_values
        let them be."""
        upload = client.Upload(daemon.address, labels=many.labels(things // 250))
        answer = counted("POST /v1/runs", "many labels", upload.create)
        self.assertEqual(answer.status, 201, answer)
        upload.patch(0, many.VERSION)
        subscribers = counted("GET /v1/stream", "many subscribers", lambda: [self.subscriber(daemon, "/v1/stream?run=" + upload.run) for _ in range(things)])
        text = many.resources(10)
        self.assertEqual(counted("PATCH /v1/runs/*/lines", "many subscribers", lambda: upload.patch(len(many.VERSION), text)).status, 204)
        for each in subscribers:
            each.close()
        upload = client.Upload(daemon.address)
        upload.create()
        upload.patch(0, many.VERSION + many.resources(measured.LEAST))
        stream = "/v1/stream?kinds=resource&run=%s&addr=" % upload.run + "&addr=".join("*%d.c" % i for i in range(things // 125))
        counted("GET /v1/stream", "many filters", lambda: self.subscriber(daemon, stream).close())

    def subscriber(self, daemon, path):
        """A connection that has had the first lines."""
        made = client.connect(daemon.address, timeout=measured.SLOWER * PATIENCE)
        made.sendall(client.head_of("GET", path, {"Host": "127.0.0.1:%d" % daemon.address[1]}))
        made.recv(1)
        return made

    def test_every_route(self):
        (small, routes), (large, _) = self.walked(measured.LEAST), self.walked(measured.MORE * measured.LEAST)
        for case, cost in small.items():
            with self.subTest(case):
                dearer = large[case] / max(cost, measured.NOISE)
                print("%-72s %8.1f M, 4 times as many: %5.2f times as dear" % (" ".join(case), cost / 1e6, dearer), flush=True)
                self.assertLessEqual(dearer, measured.NO_SQUARE)
        without = {route for route in routes if not tables.FILES.match(route)} - {route for route, _ in small} - set(self.WITHOUT)
        self.assertEqual(without, set(), "each route has a case, or says why it has none")


if __name__ == "__main__":
    unittest.main(verbosity=2)
