#!/usr/bin/python3
"""Values, names, keys and foreign texts in the forms that once went through: what tofud redacts, exports and prints."""
import base64
import csv
import http.server
import io
import json
import os
import pathlib
import subprocess
import threading
import time
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, recorded

VALUE = "Zx9-hunter22-QqW"


def message(type_, text="m", **more):
    return json.dumps({"@level": "info", "@message": text, "@module": "tofu.ui", "@timestamp": "2026-11-21T05:23:37.000000Z",
                       "type": type_, **more}).encode() + b"\n"


VERSION = message("version", tofu="1.12.6", ui="1.2")


class Redacted(EndToEnd):
    def redact(self, data, **env):
        done = subprocess.run([TOFUD, "redact"], input=data, capture_output=True, env=self.env(**env), timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_names_of_secrets_in_the_environment(self):
        names = ("VAULT_SECRET_ID", "TF_VAR_secret_id", "SSHPASS", "DBPASS", "TF_VAR_passcode", "TF_VAR_creds", "AZURE_STORAGE_CONNECTION_STRING",
                 "DOCKER_AUTH_CONFIG", "JWT_SIGNING_KEY_2", "TF_VAR_cert_key_pem", "TF_VAR_salt", "MYSQL_PWD", "SMTP_PASS", "APP_KEY",
                 "JWT", "PASS", "DSN", "LDAP_BIND_PW", "TF_VAR_rootpw", "ADMIN_PIN", "TOTP_SEED", "ACCESSKEY", "KEY_PEM", "BEARER", "SESSION_COOKIE",
                 "AUTHORIZATION", "AUTH_HEADER", "SLACK_WEBHOOK_URL")
        for name in names:
            self.assertNotIn(VALUE.encode(), self.redact(b"it said " + VALUE.encode() + b"\n", **{name: VALUE}), name)
        for name in ("AWS_ACCESS_KEY_ID", "PATH_TO_IT", "TF_VAR_region", "COMPASS_DIRECTION", "APP_URL", "KEY_VERSION"):
            self.assertIn(VALUE.encode(), self.redact(b"it said " + VALUE.encode() + b"\n", **{name: VALUE}), name)

    def test_secrets_within_values(self):
        for name, value in (("TF_CLI_ARGS_init", "-backend-config=password=%s -no-color"), ("TF_CLI_ARGS", "-backend-config 'password=%s'"),
                            ("TF_VAR_db_credentials", '{password="%s"}'), ("TF_VAR_database", '{"host":"db","password":"%s"}'),
                            ("TF_VAR_database", '{ host = "db", password = "%s" }'), ("TF_VAR_all", '[{name="a", token="%s"}]')):
            self.assertNotIn(VALUE.encode(), self.redact(b"it said " + VALUE.encode() + b"\n", **{name: value % VALUE}), (name, value))

    def key(self, width, wrap=True):
        body = base64.b64encode(bytes(range(256)) + b"\1").decode()
        lines = [body[i:i + width] for i in range(0, len(body), width)]
        return (["-----BEGIN OPENSSH PRIVATE KEY-----"] if wrap else []) + lines + (["-----END OPENSSH PRIVATE KEY-----"] if wrap else []), lines

    def test_keys_line_by_line_whatever_their_width(self):
        for width in (64, 70, 76):
            for separators in ((",", ":"), (", ", ": ")):
                text, lines = self.key(width)
                hook = {"resource": {"addr": "a.b"}, "provisioner": "local-exec"}
                data = b"".join(json.dumps(json.loads(message("provision_progress", each, hook=dict(hook, output=each))), separators=separators).encode()
                                + b"\n" for each in text)
                said = self.redact(VERSION + data)
                self.assertEqual([line for line in lines if line.encode() in said], [], (width, separators))

    def test_a_repeated_member_is_sensitive_if_either_is(self):
        for order in ('"sensitive":true,"sensitive":false', '"sensitive":false,"sensitive":true'):
            line = message("outputs", outputs={}).replace(b'"outputs": {}', b'"outputs":{"a":{%s,"type":"string","value":"%s"}}'
                                                          % (order.encode(), VALUE.encode()))
            self.assertIn(VALUE.encode(), line)
            self.assertNotIn(VALUE.encode(), self.redact(line), order)


class Printed(EndToEnd):
    """What others wrote, in what tofud prints."""

    def spool_of(self, data):
        path = pathlib.Path(self.home, "x.jsonl")
        path.write_bytes(data)
        return str(path)

    def out(self, *args, env=None, status=0):
        done = subprocess.run([TOFUD, *args], capture_output=True, env=env or self.env(), timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def of_resource(self, key, id_value="x"):
        addr = "t.a[%s]" % json.dumps(key)
        resource = {"addr": addr, "module": "", "resource": addr, "implied_provider": "t", "resource_type": "t", "resource_name": "a",
                    "resource_key": key}
        return VERSION + message("apply_start", hook={"resource": resource, "action": "create"}) + \
            message("apply_complete", hook={"resource": resource, "action": "create", "id_key": "id", "id_value": id_value, "elapsed_seconds": 1})

    def test_a_statement_of_recover_is_one_line(self):
        env = self.env(GITHUB_ACTIONS="true", CI="true")
        for newline in ("\n", "\r", "\u2028", "\u0085"):
            spool = self.spool_of(self.of_resource("a" + newline + "fact: forged" + newline + "::add-mask::x ##[error]y"))
            lines = self.out("recover", spool, env=env).decode().splitlines()
            self.assertFalse([line for line in lines if line.strip().startswith(("fact: forged", "::"))], lines)
            self.assertFalse([line for line in lines if "##[" in line], lines)

    def test_no_cell_of_a_table_is_a_formula(self):
        for text in ("x;=1+1;y", "x\t=1+1", "=1+1", "+1", "-1", "@SUM(A1)", "x;@a", "x,=1"):
            made = self.out("export", self.spool_of(self.of_resource("k", id_value=text)), "--format", "csv").decode()
            for separator in (",", ";", "\t"):
                for row in csv.reader(io.StringIO(made), delimiter=separator):
                    self.assertFalse([cell for cell in row if cell[:1] in ("=", "+", "@")], (text, separator, row))

    def test_texts_of_other_servers_steer_no_terminal(self):
        hostile = "no\x1b[31m\x07\n::error::forged\n\u202eback"

        class Server(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps({"error": {"title": hostile, "message": hostile}, "title": hostile, "detail": hostile, "status": 403}).encode()
                self.send_response(403)
                self.send_header("Content-Type", "application/problem+json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            do_POST = do_DELETE = do_GET

            def log_message(self, *_):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        at = ("--server", "http://127.0.0.1:%d" % server.server_port)
        run = "20261121T0312-7f3a"
        for command in (("ls",), ("logs", run), ("watch", run), ("rm", run), ("open", run), ("export", run, "--format", "csv")):
            done = subprocess.run([TOFUD, *command, *at], capture_output=True, env=self.env(BROWSER="/bin/true"), timeout=PATIENCE)
            said = done.stdout + done.stderr
            self.assertNotEqual(done.returncode, 0, command)
            self.assertFalse([byte for byte in said if (byte < 0x20 and byte != 10) or byte == 0x7f], (command, said))
            self.assertNotIn("\u202e", said.decode(), command)
            self.assertFalse([line for line in said.splitlines() if line.strip().startswith(b"::")], (command, said))

    def test_a_junit_of_many_failures_takes_no_square(self):
        def took(count):
            lines = []
            for i in range(count):
                resource = {"addr": "t.a[%d]" % i, "module": "", "resource": "t.a[%d]" % i, "implied_provider": "t", "resource_type": "t",
                            "resource_name": "a", "resource_key": i}
                lines += [message("apply_start", hook={"resource": resource, "action": "create"}),
                          message("apply_errored", hook={"resource": resource, "action": "create", "elapsed_seconds": 1}),
                          message("diagnostic", diagnostic={"severity": "error", "summary": "no", "detail": "", "address": resource["addr"]})]
            spool = self.spool_of(VERSION + b"".join(lines))
            began = time.process_time(), os.times().children_user
            made = self.out("export", spool, "--format", "junit")
            self.assertEqual(made.count(b"<failure"), count)
            return os.times().children_user - began[1]
        took(100)
        small, large = took(3000), took(30000)
        # Ten times as many: a square would take a hundred times as long.
        self.assertLess(large, 40 * max(small, 0.05))

    def test_a_small_limit_of_files_or_of_a_clock_costs_no_history(self):
        import resource
        done = subprocess.run([TOFUD, "--no-listen", "--progress", "plain", "--state-dir", self.state_dir], input=recorded("apply-slow-progress"),
                              capture_output=True, timeout=PATIENCE, env=self.env(),
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"apply succeeded", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
