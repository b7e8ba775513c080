#!/usr/bin/python3
"""Secrets in every kind of place of a stream: none of them reaches a daemon's disk, its rows or its logs, whoever redacts."""
import base64
import gzip
import json
import os
import pathlib
import shlex
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from binary import PATIENCE, TOFUD, EndToEnd, Running, get, until, websocket

KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\n%s\n%s\nshort+end==\n-----END OPENSSH PRIVATE KEY-----\n" % (
    "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz",
    "c2gtZWQyNTUxOQAAACDk0ZtQ9jV3mWcXyzHnGqvXYw8vSbGkqf8Jw1nQ0pXkRwAA")
# Named like secrets in the environment.
PASSWORD = 'corr"ect \\ hörse/battery'
ENVIRONMENT = {"TF_VAR_db_password": PASSWORD, "MY_TOKEN": "zz-token-value-77", "TF_VAR_ssh_private_key": KEY,
               "DATABASE_URL": "postgres://app:url%2Dpass%21word@db:5432/app", "PIN_SECRET": "98765432"}
# In the mask file.
MASKED = ["value from the mask file", "AnotherMaskedValue"]
# Known by their looks; in pieces, so that no scanner of repositories takes them for real.
TOKENS = ["gh" + "p_0123456789abcdef0123456789abcdefABCD", "AK" + "IAIOSFODNN7EXAMPLE", "gl" + "pat-abcdefghij0123456789",
          "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4fwpMeJf36POk", "hv" + "s.abcdefghij0123456789abcd",
          "xo" + "xb-123456789012-abcdefghijkl", "sk" + "_live_abcdefghij0123456789"]
# Only where nothing leaves the process at all.
PAYLOADS = ["in-the-state-alone", "before-the-comparison", "sensitive-output-value", "imported-identity", "generated-config-text"]


def inside_base64(value, before):
    """What it makes in the base64 of something longer, behind so many bytes of a group of three."""
    data = b"\0" * before + value.encode()
    text = base64.b64encode(data).decode()[:8 * len(data) // 6]
    return text[(8 * before + 5) // 6:]


def forms(value):
    """How a value may be written."""
    plain = json.dumps(value, ensure_ascii=False)[1:-1]
    inside = {inside_base64(value, before) for before in range(3)}
    return {value, plain, json.dumps(value)[1:-1], json.dumps(plain, ensure_ascii=False)[1:-1], urllib.parse.quote(value, safe=""),
            urllib.parse.quote_plus(value), *inside, *(text.translate(str.maketrans("+/", "-_")) for text in inside)}


def forbidden():
    lines = [line for line in KEY.splitlines() if len(line) >= 8 and not line.startswith("-----")]
    values = [PASSWORD, "zz-token-value-77", "url%2Dpass%21word", "url-pass!word", "98765432", *MASKED, *lines]
    # What reads a file of a key line by line reads its base64 so, too.
    broken = {line for width in (64, 76) for line in textwrap.wrap(base64.b64encode(KEY.encode()).decode(), width) if len(line) >= 40}
    return sorted({form for value in values for form in forms(value)} | broken | set(TOKENS) | set(PAYLOADS))


def message(kind, text="m", level="info", ascii=False, **members):
    head = {"@level": level, "@message": text, "@module": "tofu.ui", "@timestamp": "2026-11-21T05:24:25.903178Z"}
    if kind:
        members["type"] = kind
    return json.dumps({**head, **members}, ensure_ascii=ascii, separators=(",", ":")) + "\n"


def resource(key):
    name = 'terraform_data.t["%s"]' % key.replace("\\", "\\\\").replace('"', '\\"')
    return {"addr": name, "module": "", "resource": name, "implied_provider": "terraform", "resource_type": "terraform_data",
            "resource_name": "t", "resource_key": key}


def stream():
    """An apply that fails, and says everything it should not."""
    known = [PASSWORD, "zz-token-value-77", "url-pass!word", *MASKED, *TOKENS]
    lines = [message("version", "OpenTofu 1.12.6", tofu="1.12.6", ui="1.2")]
    for i, key in enumerate(known):
        hook = {"resource": resource(key), "action": "create"}
        lines.append(message("planned_change", change=hook, ascii=i % 2 == 0))
    lines.append(message("planned_change", change={"resource": resource("imported"), "action": "import",
                                                   "importing": {"identity": {"arn": "imported-identity"}},
                                                   "generated_config": 'x = "generated-config-text"'}))
    lines.append(message("change_summary", changes={"add": len(known), "change": 0, "import": 1, "remove": 0, "operation": "plan"}))
    for i, key in enumerate(known):
        hook = {"resource": resource(key), "action": "create"}
        lines.append(message("apply_start", ascii=i % 2 == 1, hook=hook))
        printed = ["secret " + key, base64.b64encode(key.encode()).decode(), "https://h/?q=" + urllib.parse.quote(key, safe=""),
                   json.dumps({"password": key}), json.dumps(json.dumps({"password": key})),
                   # As docker, kubectl and curl -v write them.
                   json.dumps({"auths": {"r.example": {"auth": base64.b64encode(b"app:" + key.encode()).decode()}}}),
                   "> Authorization: Basic " + base64.b64encode(b"x:" + key.encode()).decode(),
                   "data: " + base64.urlsafe_b64encode(b"us:" + key.encode() + b"\n").decode(),
                   "export DB_PASSWORD=" + shlex.quote(key), "https://u:%s@h.example/" % urllib.parse.quote(key, safe=""),
                   "\x1b[31m%s\x1b[0m" % key, "…%s…" % key]
        for output in printed + KEY.splitlines() + ["  " + line for width in (64, 76) for line in textwrap.wrap(base64.b64encode(KEY.encode()).decode(), width)]:
            lines.append(message("provision_progress", text="%s: (local-exec): %s" % (hook["resource"]["addr"], output),
                                 hook={"resource": hook["resource"], "provisioner": "local-exec", "output": output}))
        lines.append(message("apply_complete", hook={**hook, "id_key": "id", "id_value": "id-" + key, "elapsed_seconds": 0}))
        lines.append("2026-11-21T05:24:25.903Z [TRACE] provider: password=%s\n" % key)
        lines.append(json.dumps({"@level": "trace", "@module": "provider", "password": key}) + "\n")
        lines.append("text without a newline: " + key + message("", "untyped " + key))
    lines.append("DATABASE_URL=postgres://app:url%2Dpass%21word@db:5432/app\n")
    lines.append(message("diagnostic", "Error: no " + PASSWORD, "error", diagnostic={
        "severity": "error", "summary": "no " + PASSWORD, "detail": "It was\n" + KEY + "\nand " + MASKED[0],
        "address": resource(PASSWORD)["addr"], "range": {"filename": "m.tf", "start": {"line": 1, "column": 1, "byte": 0},
                                                         "end": {"line": 2, "column": 1, "byte": 9}},
        "snippet": {"context": "resource", "code": '  password = "%s"\n  key = <<EOT\n%s' % (PASSWORD, KEY), "start_line": 1,
                    "highlight_start_offset": 2, "highlight_end_offset": 10,
                    "values": [{"traversal": "var.p", "statement": "is " + json.dumps(PASSWORD)}]},
        "difference": {"before": "before-the-comparison", "after": "x"}}))
    lines.append(message("outputs", outputs={
        PASSWORD: {"sensitive": False, "type": "string", "value": PASSWORD}, "pin": {"sensitive": False, "type": "number", "value": 98765432},
        "deep": {"sensitive": False, "type": ["object", {"a": "string"}], "value": {MASKED[1]: [KEY, *TOKENS]}},
        "hidden": {"value": "sensitive-output-value", "sensitive": True, "type": "string"}}))
    lines.append(message("log", "Emergency state dump", state={"version": 4, "resources": ["in-the-state-alone", *known]}))
    lines.append(message("apply_errored", hook={"resource": resource(MASKED[0]), "action": "create", "elapsed_seconds": 1}))
    return "".join(lines).encode()


def json_texts(data):
    """The strings of JSON lines as somebody reads them, however they were escaped."""
    texts = []

    def take(value):
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, list):
            for each in value:
                take(each)
        elif isinstance(value, dict):
            take(list(value.keys()))
            take(list(value.values()))
    for line in data.decode(errors="surrogateescape").splitlines():
        line = line.removeprefix("data: ")
        try:
            take(json.loads(line))
        except ValueError:
            pass
    return "\n".join(texts).encode(errors="surrogateescape")


def places(rows):
    """What two folds have in common if one is that of the redacted stream: numbers and kinds, not names."""
    return sorted((kind, row["seq"], row.get("status"), len(row.get("steps") or ())) for kind, of in rows.items() for row in of.values()
                  if "seq" in row)


class Secrets(EndToEnd):
    def setUp(self):
        super().setUp()
        self.mask_file = os.path.join(self.home, "masked.txt")
        pathlib.Path(self.mask_file).write_text("# for the tests\n" + MASKED[0] + "\nNAMED=" + MASKED[1] + "\n")
        self.raw = os.path.join(self.home, "raw.jsonl")
        pathlib.Path(self.raw).write_bytes(stream())

    def secret_env(self, **more):
        return self.env(**ENVIRONMENT, **more)

    def serve(self, *args, env=None):
        self.daemon_dir = os.path.join(self.home, "daemon-state")
        self.socket_path = os.path.join(self.home, "s")
        self.log = os.path.join(self.home, "daemon.log")
        argv = [TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", self.socket_path, "--state-dir", self.daemon_dir, "--log-level", "debug",
                *args]
        self.daemon = self.kept(Running(argv, env or self.env(), stdin=subprocess.DEVNULL))
        url = self.daemon.wait_for_url()
        self.wall_seen = []
        # Somebody who is there from the first run on.
        self.watcher = threading.Thread(target=lambda: self.wall_seen.append(websocket(url + "v1/stream")), daemon=True)
        self.watcher.start()
        until(lambda: b'tofud_subscribers{transport="websocket"} 1\n' in get(url + "metrics"), "a viewer of the wall")
        return url

    def assert_clean(self, data, where):
        text = data.decode(errors="surrogateescape")
        for value in forbidden():
            if value in text:
                at = text.index(value)
                self.fail("%r is in %s: …%s…" % (value, where, text[max(0, at - 80):at + 80]))

    def stop(self):
        self.daemon.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.daemon.wait(), 0)

    def everything(self):
        """All that the daemon keeps, uncompressed, and what it printed."""
        found = [path for path in pathlib.Path(self.daemon_dir).rglob("*") if path.is_file()]
        self.assertTrue(found)
        for path in found:
            data = path.read_bytes()
            yield str(path), gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
            if data[:2] == b"\x1f\x8b":
                self.assertNotIn(b"BEGIN", data)
        yield "stdout", self.daemon.out.all()
        yield "stderr", self.daemon.err.all()

    def the_run(self, url):
        runs = json.loads(get(url + "v1/runs"))["runs"]
        self.assertEqual(len(runs), 1)
        return runs[0].get("id") or runs[0]["key"]

    def check_daemon(self, url):
        run = self.the_run(url)
        until(lambda: self.row_of(url, run)["status"] != "running", "the run is over")
        feed = "v1/stream?run=%s&kinds=run,resource,diagnostic,output,message,test_file,test_run,log,text&end=close" % run
        seen = {path: self.read(url + path) for path in (
            "v1/runs", "v1/runs/" + run, "v1/runs/%s/stream.jsonl" % run, "v1/runs/%s/events.jsonl" % run, "v1/runs/%s/log" % run, "runs", "wall",
            "metrics", feed)}
        seen["events"] = self.read(url + feed, "-H", "Accept: text/event-stream")
        lines, code, _ = websocket(url + feed)
        self.assertEqual(code, 1000)
        seen["websocket"] = json.dumps(lines, ensure_ascii=False).encode()
        kinds = {line["kind"] for line in lines}
        self.assertLessEqual({"run", "resource", "diagnostic", "output", "message", "log", "text"}, kinds)
        for line in lines:
            if line.get("truncated"):
                seen[line["href"]] = self.read(url + line["href"][1:])
        for command in (("ls",), ("logs", run), ("watch", run, "--progress", "plain"),
                        *(("export", run, "--format", form) for form in ("ndjson", "md", "csv", "junit", "trace"))):
            done = subprocess.run([TOFUD, *command, "--server", "unix:" + self.socket_path], env=self.env(HOME=os.path.join(self.home, "viewer")),
                                  capture_output=True, timeout=PATIENCE)
            seen[" ".join(command)] = done.stdout + done.stderr
        for path, data in seen.items():
            self.assertTrue(data, path)
            self.assert_clean(data, path)
            self.assert_clean(json_texts(data), path + ", read")
        self.assertIn(b"(redacted:", seen["websocket"])
        journal = self.read(url + "v1/runs/%s/stream.jsonl" % run)
        kept = os.path.join(self.home, "journal.jsonl")
        pathlib.Path(kept).write_bytes(journal)
        self.assertEqual(journal.count(b"\n"), stream().count(b"\n"))
        self.assertEqual(places(self.rows(kept)), places(self.rows(self.raw)))
        self.stop()
        self.watcher.join(PATIENCE)
        (rows, _, _), = self.wall_seen
        self.assertIn(run, json.dumps(rows))
        self.assert_clean(json.dumps(rows, ensure_ascii=False).encode(), "the wall")
        for name, data in self.everything():
            self.assert_clean(data, name)

    def row_of(self, url, run):
        return next(row for row in json.loads(get(url + "v1/runs"))["runs"] if run in (row.get("id"), row.get("key")))

    def read(self, url, *args):
        done = subprocess.run(["curl", "-sS", "--max-time", str(PATIENCE), *args, url], capture_output=True, timeout=2 * PATIENCE, check=True)
        return done.stdout

    def test_the_stream_itself_has_them_all(self):
        text = stream().decode()
        for value in [*TOKENS, *PAYLOADS, *MASKED, json.dumps(PASSWORD, ensure_ascii=False)[1:-1], "98765432", *KEY.splitlines()]:
            self.assertIn(value, text)

    def test_tofud_redact_prints_none_of_them(self):
        done = subprocess.run([TOFUD, "redact", "--mask-file", self.mask_file, self.raw], env=self.secret_env(), capture_output=True,
                              timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assert_clean(done.stdout, "what is printed")
        shown = os.path.join(self.home, "shown.jsonl")
        pathlib.Path(shown).write_bytes(done.stdout)
        self.assertEqual(places(self.rows(shown)), places(self.rows(self.raw)))

    def test_without_provisioner_output_cut_secrets_are_gone(self):
        # OpenTofu cuts what programs print after 100 ms of silence; line by line nobody finds that.
        halves = ("the password is correct-horse-", "battery-staple, and so on")
        lines = [message("version", "OpenTofu 1.12.6", tofu="1.12.6", ui="1.2"), message("apply_start", hook={"resource": resource("a"), "action": "create"})]
        lines += [message("provision_progress", text="(local-exec): " + half, hook={"resource": resource("a"), "provisioner": "local-exec", "output": half})
                  for half in halves]
        lines.append(message("diagnostic", "Error: local-exec provisioner error", "error", diagnostic={
            "severity": "error", "summary": "local-exec provisioner error", "detail": "Output: " + "\n".join(halves), "address": resource("a")["addr"]}))
        cut = os.path.join(self.home, "cut.jsonl")
        pathlib.Path(cut).write_text("".join(lines))
        done = subprocess.run([TOFUD, "redact", cut], env=self.env(DB_PASSWORD="correct-horse-battery-staple", TOFUD_PROVISIONER_OUTPUT="drop"),
                              capture_output=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr, done.stdout.count(b"\n")), (0, b"", len(lines)))
        for word in (b"correct", b"horse", b"battery", b"staple"):
            self.assertNotIn(word, done.stdout)

    def test_a_stream_from_curl_is_redacted_by_the_daemon_before_it_is_written(self):
        url = self.serve("--mask-file", self.mask_file, env=self.secret_env())
        named = urllib.parse.urlencode([("stack", "net/" + MASKED[1]), ("label", "note=" + TOKENS[0]), ("label", TOKENS[1] + "=note")])
        subprocess.run(["curl", "-sS", "-T", "-", url + "v1/runs?" + named], input=stream(), capture_output=True, timeout=PATIENCE,
                       check=True)
        self.check_daemon(url)

    def test_a_raw_stream_is_redacted_by_the_daemon_before_it_is_written(self):
        url = self.serve("--mask-file", self.mask_file, env=self.secret_env())
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(self.socket_path)
            peer.sendall(stream())
            peer.shutdown(socket.SHUT_WR)
            peer.settimeout(PATIENCE)
            while peer.recv(65536):
                pass
        self.check_daemon(url)


def sends_on():
    """Whether this tofud forwards to a daemon at all."""
    return b"--server" in subprocess.run([TOFUD, "--help"], capture_output=True, check=True).stdout


@unittest.skipUnless(sends_on(), "this tofud has no forwarder")
class Forwarded(Secrets):
    """The secrets are known where the stream comes from, and the daemon knows none of them."""

    test_tofud_redact_prints_none_of_them = None
    test_the_stream_itself_has_them_all = None
    test_a_stream_from_curl_is_redacted_by_the_daemon_before_it_is_written = None
    test_a_raw_stream_is_redacted_by_the_daemon_before_it_is_written = None

    def test_a_pipe_sends_none_of_them(self):
        url = self.serve()
        run = self.pipe("--mask-file", self.mask_file, "--server", "unix:" + self.socket_path, "--stack", "net/" + MASKED[1],
                        "--label", "note=" + TOKENS[0], "--label", TOKENS[1] + "=note", env=self.secret_env(), listen=False)
        run.write(stream())
        self.assertEqual(run.end_of_stream(), 1)
        self.assertEqual(self.spool().read_bytes(), stream())
        self.check_daemon(url)

    def test_a_second_sender_uses_the_rules_of_the_first(self):
        # No daemon yet: what is to be masked is frozen beside the spool, and sent later by who knows nothing of it.
        self.socket_path = os.path.join(self.home, "s")
        run = self.pipe("--mask-file", self.mask_file, "--server", "unix:" + self.socket_path, env=self.secret_env(), listen=False)
        run.write(stream())
        self.assertEqual(run.end_of_stream(), 1)
        mask = self.spool().with_suffix(".mask")
        self.assertEqual(mask.stat().st_mode & 0o777, 0o600)
        os.unlink(self.mask_file)
        url = self.serve()
        done = subprocess.run([TOFUD, "resume", str(self.spool()), "--server", "unix:" + self.socket_path], env=self.env(),
                              capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_daemon(url)
        self.assertFalse(mask.exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
