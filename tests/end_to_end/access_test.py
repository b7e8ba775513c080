#!/usr/bin/python3
"""Who may ask a daemon: users of the machine, tokens, browsers, proxies."""
import contextlib
import http.client
import json
import os
import pathlib
import pwd
import re
import socket
import subprocess
import threading
import unittest
import urllib.parse

from asking import NGINX, ANONYMOUS, STREAM, Answer, Asking, bearer
from binary import PATIENCE, TOFUD, free_port, until, websocket
from relay import Relay


class Tokens(Asking):
    def test_without_a_token_there_is_health_and_else_a_challenge(self):
        daemon = self.serve()
        self.assertEqual(daemon.status("GET", "/healthz", ANONYMOUS), 200)
        for method, path in (("GET", "/v1/runs"), ("GET", "/v1/stream"), ("GET", "/"), ("PUT", "/v1/runs"), ("POST", "/v1/runs"),
                             ("DELETE", "/v1/runs/x"), ("POST", "/v1/session/links"), ("GET", "/nothing")):
            answer = daemon.ask(method, path, ANONYMOUS)
            self.assertEqual((answer.status, answer.headers["WWW-Authenticate"].split()[0]), (401, "Bearer"), (method, path))

    def test_a_token_opens_what_its_scopes_name_and_nothing_else(self):
        daemon = self.serve()
        run = daemon.put_run()
        read, ingest, raw = (self.token(daemon, "--scope", scope) for scope in ("read", "ingest", "raw"))
        asked = {"read": ("GET", "/v1/runs/%s" % run), "raw": ("GET", "/v1/runs/%s/stream.jsonl" % run),
                 "ingest": ("PUT", "/v1/runs?stack=x")}
        for token, scope in ((read, "read"), (ingest, "ingest"), (raw, "raw")):
            for other, (method, path) in asked.items():
                answer = daemon.ask(method, path, bearer(token), body=STREAM if method == "PUT" else None)
                self.assertEqual(answer.status // 100 if other == scope else answer.status, 2 if other == scope else 403, (scope, other, answer))
                if other != scope:
                    self.assertIn("the scope " + other, answer.json()["message"])
        # Encoded otherwise it is the same path.
        self.assertEqual(daemon.status("GET", "/v1/runs/%s/stream%%2ejsonl" % run, bearer(read)), 403)
        self.assertEqual(daemon.status("GET", "/v1/runs/%s/events.jsonl" % run, bearer(read)), 403)
        for token in (read, ingest, raw):
            self.assertEqual(daemon.status("DELETE", "/v1/runs/" + run, bearer(token)), 403)
            self.assertEqual(daemon.status("POST", "/v1/reindex", bearer(token)), 403)
        self.assertEqual(daemon.status("DELETE", "/v1/runs/" + run), 204)

    def test_a_wrong_token_is_not_made_up_for_by_the_user(self):
        daemon = self.serve()
        token = self.token(daemon)
        wrong = token[:-1] + ("0" if token[-1] != "0" else "1")
        for value in ("Bearer " + wrong, "Bearer", "Bearer tofud_x_y", "bearer " + wrong):
            self.assertEqual(daemon.status("GET", "/v1/runs", {"Authorization": value}), 401 if value != "Bearer" else 200, value)
        self.assertEqual(daemon.status("GET", "/v1/runs", {"Authorization": "bearer " + token, **ANONYMOUS}), 200)

    def test_ls_shows_tokens_and_never_their_secrets(self):
        daemon = self.serve()
        token = self.token(daemon, "--name", "ci of infra", "--scope", "ingest,read", "--expires", "90d")
        listed = self.tofud("token", "ls", "--state-dir", daemon.state_dir)[0]
        self.assertRegex(listed, r"^%s  read,ingest +until \S+Z +(never used|used \S+Z) +ci of infra\n$" % token.split("_")[1])
        used = r"used \d{4}-\d\d-\d\dT\d\d:\d\dZ +ci of infra\n$"
        until(lambda: re.search(used, self.tofud("token", "ls", "--state-dir", daemon.state_dir)[0]), "its use is on disk")
        made = self.tofud("token", "create", "--stack", "net/*", "--stack", "dns", "--label", "team=net", "--state-dir", daemon.state_dir)
        self.tokens.append(made[0].strip())
        self.assertRegex(made[1], r"it may read runs of dns, net/\* with team=net, until \d{4}-\d\d-\d\d; its hash")
        made = self.tofud("token", "create", "--expires", "never", "--state-dir", daemon.state_dir)
        self.tokens.append(made[0].strip())
        self.assertIn("it may read, for ever; its hash", made[1])
        listed = self.tofud("token", "ls", "--state-dir", daemon.state_dir)[0]
        self.assertIn("  (dns, net/* with team=net)\n", listed)
        for wrong in (("--stack", ""), ("--stack", "a b"), ("--label", "team"), ("--expires", "soon")):
            self.tofud("token", "create", *wrong, "--state-dir", daemon.state_dir, status=2)
        kept = pathlib.Path(daemon.state_dir, "daemon/tokens")
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
        self.revoke(daemon, token)
        self.assertIn("revoked", self.tofud("token", "ls", "--state-dir", daemon.state_dir)[0])
        self.assertIn("no token has that id", self.tofud("token", "revoke", "00000000", "--state-dir", daemon.state_dir, status=1)[1])

    def test_that_a_token_ends_soon_is_said_before(self):
        daemon = self.serve()
        later, soon = self.token(daemon, "--expires", "15d", "--name", "later"), self.token(daemon, "--expires", "13d", "--name", "soon")
        for path in ("/v1/runs", "/v1/runs/nosuch", "/", "/v1/stream"):
            with self.subTest(path=path):
                connection = daemon.connection()
                self.addCleanup(connection.close)
                connection.request("GET", path, headers=bearer(soon))
                answer = connection.getresponse()
                self.assertRegex(answer.headers["Token-Expires"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
                connection.close()
                self.assertIsNone(daemon.ask("HEAD", path, bearer(later)).headers["Token-Expires"])
                self.assertIsNone(daemon.ask("HEAD", path).headers["Token-Expires"])
        metrics = daemon.ask("GET", "/metrics").body.decode()
        self.assertRegex(metrics, r"\ntofud_tokens 2\n")
        self.assertRegex(metrics, r"\ntofud_tokens_ending 1\n")
        self.assertRegex(metrics, r"\ntofud_token_expires_seconds \d{10}\n")
        said = self.tofud("doctor", "--state-dir", daemon.state_dir)[0]
        self.assertRegex(said, r"warning +tokens +the token soon ends in 1[23] days \(\d{4}-\d\d-\d\d\); make its successor")
        self.assertEqual(said.count("make its successor"), 1)
        said = self.tofud("doctor", "--server", daemon.url, env=self.env(TOFUD_TOKEN=soon))[0]
        self.assertRegex(said, r"warning +token +your token ends \d{4}-\d\d-\d\d; ask for its successor")
        self.assertNotIn("your token", self.tofud("doctor", "--server", daemon.url, env=self.env(TOFUD_TOKEN=later))[0])

    def test_why_a_token_sees_a_run_or_does_not(self):
        daemon = self.serve()
        token = self.token(daemon, "--name", "ci", "--stack", "net/*", "--label", "team=net", "--scope", "read,ingest", "--expires", "30d")

        def why(stack, name="ci", status=0):
            return self.tofud("access", "explain", "--token", name, stack, "--state-dir", daemon.state_dir, status=status)
        self.assertRegex(why("net/prod")[0], r"^ci \(%s\), until \S+Z, (never used|used \S+Z)\n"
                         r"  read    yes  net/\* matches this stack, but only runs that a token gave team=net\n"
                         r"  ingest  yes  net/\* matches this stack; the run gets team=net\n"
                         r"  raw     no   it has no scope raw\n$" % token.split("_")[1])
        self.assertIn("  read    no   it reaches only net/* with team=net\n", why("pay/prod", token)[0])
        self.revoke(daemon, token)
        self.assertIn("  ingest  no   the token was revoked\n", why("net/prod", token.split("_")[1])[0])
        self.assertIn("no token has that name or id", why("net/prod", "nosuch", 1)[1])
        self.assertIn("there are no tokens", self.tofud("access", "explain", "--token", "x", "y", "--state-dir", self.home + "/none", status=1)[1])

    def test_a_file_of_tokens_that_others_may_write_opens_nothing(self):
        daemon = self.serve()
        token = self.token(daemon)
        kept = pathlib.Path(daemon.state_dir, "daemon/tokens")
        kept.chmod(0o620)
        until(lambda: daemon.status("GET", "/v1/session", bearer(token)) == 401, "the daemon has seen it")
        self.assertIn("other users can write", self.tofud("token", "ls", "--state-dir", daemon.state_dir, status=1)[1])
        kept.chmod(0o600)
        until(lambda: daemon.status("GET", "/v1/session", bearer(token)) == 200, "it is its owner's again")
        self.assertIn(b"other users can write", daemon.stop())

    def test_metrics_are_for_whoever_may_read(self):
        daemon = self.serve()
        self.assertEqual(daemon.status("GET", "/metrics", ANONYMOUS), 401)
        self.assertEqual(daemon.status("GET", "/metrics", bearer(self.token(daemon, "--scope", "ingest"))), 403)
        self.assertIn(b"tofud_runs_active 0", daemon.ask("GET", "/metrics", bearer(self.token(daemon))).body)

    def test_wrong_arguments_are_said_and_make_no_token(self):
        for args, why in ((("--scope", "write"), "'write' is not a scope"), (("--expires", "soon"), "is not a lifetime"), (("--expires", "0d"), "is not a lifetime")):
            self.assertIn(why, self.tofud("token", "create", "--state-dir", self.state_dir, *args, status=2)[1])
        self.assertFalse(os.path.exists(os.path.join(self.state_dir, "daemon/tokens")))

    def test_a_token_in_a_url_is_refused_with_a_sentence(self):
        daemon = self.serve()
        token = "tofud_" + "0" * 8 + "_" + "e" * 64
        for query in ("token=" + token, "access_token=x", "run=latest&ticket=x", "label=" + token):
            answer = daemon.ask("GET", "/v1/runs?" + query)
            self.assertEqual(answer.status, 400)
            self.assertIn("Authorization: Bearer", answer.json()["message"])

    def test_a_revoked_token_closes_all_that_it_has_opened(self):
        daemon = self.serve()
        run = daemon.put_run()
        token, other = self.token(daemon, "--scope", "read,raw"), self.token(daemon)
        seen, came = {}, threading.Event()

        def socket_of(name, used):
            frames = []

            def frame():
                frames.append(1)
                if name == "revoked":
                    came.set()
            seen[name] = websocket("ws://127.0.0.1:%d/v1/stream" % daemon.port, came=frame, extra_headers=bearer(used))

        def stream(name, accept):
            connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
            connection.request("GET", "/v1/stream?run=" + run, headers={**bearer(token), "Accept": accept})
            answer = connection.getresponse()
            first = answer.readline()
            ready[name].set()
            seen[name] = first + answer.read()

        ready = {name: threading.Event() for name in ("lines", "events")}
        threads = [threading.Thread(target=socket_of, args=("revoked", token)),
                   threading.Thread(target=stream, args=("lines", "application/x-ndjson")),
                   threading.Thread(target=stream, args=("events", "text/event-stream"))]
        staying = threading.Thread(target=socket_of, args=("other", other), daemon=True)
        for one in (*threads, staying):
            one.start()
        for event in (came, *ready.values()):
            self.assertTrue(event.wait(PATIENCE))
        self.revoke(daemon, token)
        for one in threads:
            one.join(PATIENCE)
        lines, code, reason = seen["revoked"]
        error = {"kind": "error", "code": 4410, "message": "the token was revoked"}
        self.assertEqual((lines[-1], code, reason), (error, 4410, error["message"]))
        self.assertEqual(json.loads(seen["lines"].splitlines()[-1]), error)
        self.assertEqual(json.loads(seen["events"].strip().splitlines()[-1].partition(b"data: ")[2]), error)
        self.assertEqual(daemon.status("GET", "/v1/runs", bearer(token)), 401)
        self.assertTrue(staying.is_alive())
        self.assertEqual(daemon.status("GET", "/v1/runs", bearer(other)), 200)

    def test_a_stream_that_is_sent_by_a_revoked_token_is_read_on_and_kept_no_further(self):
        daemon = self.serve()
        token = self.token(daemon, "--scope", "ingest")
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
        connection.putrequest("PUT", "/v1/runs?stack=x")
        for name, value in {**bearer(token), "Transfer-Encoding": "chunked"}.items():
            connection.putheader(name, value)
        connection.endheaders()
        self.addCleanup(connection.close)
        half = len(STREAM) // 2
        send = lambda data: connection.send(b"%x\r\n%s\r\n" % (len(data), data))
        send(STREAM[:half])
        runs = until(lambda: daemon.ask("GET", "/v1/runs").json()["runs"], "the run is there")
        self.revoke(daemon, token)
        until(lambda: daemon.status("GET", "/v1/session", bearer(token)) == 401, "the daemon knows")
        send(STREAM[half:])
        for _ in range(200):
            send(b'{"more":"%s"}\n' % (b"x" * 60000))  # far more than sockets hold: it has to be read
        connection.send(b"0\r\n\r\n")
        answer = Answer(connection.getresponse())
        self.assertEqual((answer.status, answer.json()["message"]), (401, "the token was revoked"))
        kept = daemon.ask("GET", "/v1/runs/%s/stream.jsonl" % runs[0]["run"]).body
        self.assertTrue(STREAM.startswith(kept.rstrip(b"\n")) and len(kept) <= half + 1, (len(kept), half))

    def test_a_followed_stream_of_a_revoked_token_is_cut_off(self):
        daemon = self.serve()
        token = self.token(daemon, "--scope", "raw")
        sending = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
        sending.putrequest("PUT", "/v1/runs?stack=x")
        sending.putheader("Transfer-Encoding", "chunked")
        sending.endheaders()
        sending.send(b"%x\r\n%s\r\n" % (len(STREAM), STREAM))
        run = until(lambda: daemon.ask("GET", "/v1/runs").json()["runs"], "the run is there")[0]["run"]
        reading = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE)
        reading.request("GET", "/v1/runs/%s/stream.jsonl?follow=1" % run, headers=bearer(token))
        answer = reading.getresponse()
        self.addCleanup(answer.close)
        self.addCleanup(reading.close)
        self.addCleanup(sending.close)
        self.assertEqual(answer.readline(), STREAM.splitlines(keepends=True)[0])
        self.revoke(daemon, token)
        with self.assertRaises(http.client.IncompleteRead):
            while answer.read(65536):
                pass
        sending.send(b"0\r\n\r\n")
        self.assertEqual(sending.getresponse().status, 201)

    def test_a_file_of_tokens_that_is_broken_opens_nothing_and_is_complained_of(self):
        daemon = self.serve()
        token = self.token(daemon, "--expires", "never")
        kept = pathlib.Path(daemon.state_dir, "daemon/tokens")
        kept.write_text(kept.read_text().replace('"expires_at":null', '"expires_at":"whenever"'))
        until(lambda: daemon.status("GET", "/v1/session", bearer(token)) == 401, "the daemon has seen it")
        self.assertIn("correct or remove that line", self.tofud("token", "create", "--state-dir", daemon.state_dir, status=1)[1])
        self.assertIn(b"its expires_at is not a time", daemon.stop())

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_another_user_of_the_machine_needs_a_token(self):
        daemon = self.serve()
        token = self.token(daemon)
        nobody = pwd.getpwnam("nobody").pw_uid

        def curl(*args):
            done = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", *args, daemon.url + "v1/runs"],
                                  capture_output=True, timeout=PATIENCE, user=nobody, group=nobody, extra_groups=[])
            return done.stdout.decode()
        self.assertEqual(curl(), "401")
        self.assertEqual(curl("-H", "Authorization: Bearer " + token), "200")
        self.assertEqual(subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", daemon.url + "v1/runs"],
                                        capture_output=True, timeout=PATIENCE).stdout, b"200")

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_the_socket_is_the_owners_unless_its_mode_decides(self):
        nobody = pwd.getpwnam("nobody").pw_uid
        for peers, status in (("owner", "403"), ("mode", "200")):
            daemon = self.serve("--socket-peers", peers, name=peers)
            os.chmod(daemon.socket, 0o666)
            for folder in (self.home, os.path.dirname(daemon.socket)):
                os.chmod(folder, 0o755)

            def curl(*args):
                return subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--unix-socket", daemon.socket, *args],
                                      capture_output=True, timeout=PATIENCE, user=nobody, group=nobody, extra_groups=[]).stdout.decode()
            self.assertEqual(curl("http://localhost/v1/runs"), status)
            if peers == "mode":
                self.assertEqual(curl("-X", "DELETE", "http://localhost/v1/runs/x"), "403")
                self.assertEqual(curl("-H", "X-Forwarded-For: 10.1.1.1", "http://localhost/v1/runs"), "401")


class Heads(Asking):
    def test_answers_are_kept_by_nobody_framed_by_nobody_and_read_by_no_other_page(self):
        daemon = self.serve()
        run = daemon.put_run()
        reader = bearer(self.token(daemon, "--scope", "read,raw"))
        html = {"Accept": "text/html"}
        kept = "no-store"
        for headers, path, status, cache in (
                (reader, "/v1/runs", 200, kept), (reader, "/v1/runs/" + run, 200, kept), (reader, "/v1/runs/%s/stream.jsonl" % run, 200, kept),
                (reader, "/v1/runs/%s/events.jsonl" % run, 200, kept), (reader, "/v1/runs/%s/log" % run, 200, kept), (reader, "/metrics", 200, kept),
                (reader, "/v1/session", 200, kept), (reader, "/wall/plain", 200, kept), (reader, "/runs", 200, kept), (reader, "/v1/stream?end=close&run=" + run, 200, kept),
                (reader, "/v1/runs/none", 404, kept), (reader, "/nothing", 404, kept), ({**ANONYMOUS, **html}, "/wall", 401, kept), (ANONYMOUS, "/v1/runs", 401, kept),
                ({"Origin": "https://evil.example"}, "/v1/runs", 403, kept), (reader, "/", 200, "no-cache"), (reader, "/wall", 200, "no-cache"), (ANONYMOUS, "/login.js", 200, "no-cache"),
                (ANONYMOUS, "/healthz", 200, kept)):
            answer = daemon.ask("GET", path, headers)
            said = answer.headers
            self.assertEqual((answer.status, said["Cache-Control"]), (status, cache), (path, answer))
            self.assertEqual((said["X-Content-Type-Options"], said["Cross-Origin-Resource-Policy"]), ("nosniff", "same-origin"), path)
            # A form that is sent without a referrer does not say from where, and is refused.
            self.assertEqual(said["Referrer-Policy"], "same-origin" if status == 401 and "text/html" in said["Content-Type"] else "no-referrer", path)
            for name in said:
                self.assertFalse(name.lower().startswith(("access-control", "strict-transport", "server", "x-powered")), (path, name))
            if said["Content-Type"].startswith("text/html"):
                policy = {rule.split()[0]: rule.split()[1:] for rule in said["Content-Security-Policy"].split(";")}
                self.assertEqual((policy["default-src"], policy["frame-ancestors"], policy["base-uri"]), (["'none'"],) * 3, path)
                self.assertNotIn("unsafe", said["Content-Security-Policy"])

    def test_a_host_that_was_not_looked_at_is_no_part_of_a_policy(self):
        daemon = self.serve()
        for host in ("localhost; script-src *", "x y", "evil.example/", "*"):
            head = subprocess.run(["curl", "-s", "-D", "-", "-o", "/dev/null", "--unix-socket", daemon.socket, "-H", "Host: " + host, "http://localhost/"],
                                  capture_output=True, timeout=PATIENCE).stdout.decode()
            self.assertIn("connect-src 'self'; img-src", head, host)


class Nowhere(Asking):
    """Whatever people do with what opens the daemon, wrong or right, `tearDown` finds it in no log (all are of debug), no file, no row
    and no answer."""

    def mistakes(self, daemon, secret):
        """Requests of people who put it where it does not belong; headers, method, path, body."""
        own, form = {"Origin": daemon.url[:-1]}, {"Content-Type": "application/x-www-form-urlencoded"}
        for name in ("Authorization", "X-Api-Key", "Private-Token", "User-Agent", "Referer", "Cookie", "Accept", "Accept-Encoding", "If-None-Match",
                     "Last-Event-ID", "Origin", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-User", "Forwarded", "Via",
                     "X-Real-IP", "Sec-WebSocket-Protocol", "Sec-Fetch-Site", "Expect", "Range", "Upload-Secret", "Access-Control-Request-Method"):
            for value in (secret, "Bearer " + secret + "x", "Basic " + secret, "tofud-%d=%s" % (daemon.port, secret)):
                yield {name: value}, "GET", "/v1/runs", None
                yield {name: value, "Via": "1.1 x"}, "GET", "/v1/stream?end=close&run=latest", None
        for path in ("/v1/runs?token=", "/v1/runs?access_token=", "/?ticket=", "/v1/stream?end=close&run=latest&since=", "/v1/stream?end=close&run=", "/v1/runs/", "/", "/wall?q=", "/runs?q=",
                     "/v1/session/", "/v1/runs/latest/row?kind=", "/login.js?"):
            yield {}, "GET", path + secret, None
            yield {"Accept": "text/html", "Via": "1.1 x"}, "GET", path + secret, None
            yield {}, "GET", path + secret.replace("_", "%5f"), None
        for method in ("PUT", "POST", "PATCH", "DELETE", "OPTIONS", secret[:15]):
            yield {}, method, "/v1/runs/" + secret, None
            if secret.startswith("tofud_"):  # what has no looks is a name like any other
                yield {}, method, "/v1/runs?stack=" + secret, STREAM[:1000] if method == "PUT" else None
        for body in ({"token": secret + "x"}, {"ticket": secret}, {"token": {"a": secret}}, secret, [secret], {"Token": secret}):
            yield {"Content-Type": "application/json", **own}, "POST", "/v1/session", body
            yield {"Content-Type": "text/plain", **own}, "POST", "/v1/session", body
            yield {"Content-Type": "application/json"}, "POST", "/v1/runs", body
        for fields in ({"token": secret + "x", "next": "/"}, {"token": "x", "next": "/" + secret}, {"ticket": secret}):
            yield {**form, **own}, "POST", "/v1/session", urllib.parse.urlencode(fields).encode()

    def test_what_opens_the_daemon_stands_nowhere_however_it_is_used(self):
        daemon = self.serve("--trusted-proxy", "127.0.0.1", "--user-header", "X-Forwarded-User", "--allow-origin", "https://portal.example.com")
        everything = self.token(daemon, "--scope", "read,ingest,raw", "--name", "ci of infra")
        json_form = {"Content-Type": "application/json", "Origin": daemon.url[:-1], **ANONYMOUS}
        self.assertEqual(daemon.status("POST", "/v1/session", json_form, {"token": everything}), 204)
        cookie = self.tokens[-1]
        self.assertEqual(daemon.status("POST", "/v1/session/links", bearer(everything)), 201)
        ticket = self.tokens[-1]
        for secret in (everything, cookie, ticket):
            asked = 0
            for headers, method, path, body in self.mistakes(daemon, secret):
                try:
                    answer = daemon.ask(method, path, headers, body)
                except (OSError, http.client.HTTPException, ValueError):
                    continue  # a head that is none
                asked += 1
                self.said.pop()  # who sent it may read it again
                self.assertNotEqual(answer.status, 500, (headers, method, path))
                if secret == everything and secret[-64:] in urllib.parse.unquote(path):
                    self.assertIn(answer.status, (400, 401, 501), (headers, method, path))
                    self.assertNotIn(secret.encode(), answer.body)
            self.assertGreater(asked, 200)
            # Too long, cut off, no HTTP at all.
            for raw in (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n" % (secret.encode() * 400), b"GET /%s HTTP/9.9\r\n\r\n" % secret.encode(),
                        b"%s\r\n\r\n" % secret.encode(), b"GET / HTTP/1.1\r\nAuthorization: Bearer %s" % secret.encode(),
                        b"PUT /v1/runs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n%s\r\n" % secret.encode()):
                with socket.create_connection(("127.0.0.1", daemon.port), PATIENCE) as peer:
                    peer.sendall(raw)
                    peer.shutdown(socket.SHUT_WR)
                    peer.settimeout(PATIENCE)
                    with contextlib.suppress(ConnectionError):
                        while peer.recv(65536):
                            pass
        # Used as it should be, also within the run that is sent.
        planted = b"".join(b'{"@level":"info","@message":"%s","@module":"tofu.ui","type":"log"}\nTOFUD_TOKEN=%s\n' % (text, text) for text in (everything.encode(),))
        run = daemon.ask("PUT", "/v1/runs?stack=net", bearer(everything), STREAM + planted).json()["run"]
        for path in ("/v1/runs", "/v1/runs/" + run, "/v1/runs/%s/stream.jsonl" % run, "/v1/runs/%s/events.jsonl" % run, "/v1/runs/%s/log" % run, "/metrics",
                     "/wall", "/runs", "/", "/v1/session", "/v1/stream?end=close&kinds=run,message,text,log,resource&run=" + run):
            self.assertEqual(daemon.status("GET", path, bearer(everything)), 200, path)
        self.assertIn(b"TOFUD_TOKEN=(redacted:", daemon.ask("GET", "/v1/runs/%s/stream.jsonl" % run).body)
        lines, _, _ = websocket("ws://127.0.0.1:%d/v1/stream?end=close&run=%s" % (daemon.port, run), extra_headers=bearer(everything))
        self.said.append(json.dumps(lines).encode())
        self.assertEqual(daemon.status("DELETE", "/v1/session", {"Cookie": "tofud-%d=%s" % (daemon.port, cookie), "Origin": daemon.url[:-1]}), 204)
        self.revoke(daemon, everything)
        until(lambda: daemon.status("GET", "/v1/session", bearer(everything)) == 401, "the token is over")

    @unittest.skipUnless(NGINX, "nginx is not installed")
    def test_a_proxy_writes_none_of_it_down(self):
        port = free_port()
        daemon = self.serve("--trusted-proxy", "127.0.0.1", "--base-path", "/tofud", "--allow-host", "127.0.0.1:%d" % port)
        token = self.token(daemon, "--scope", "read,ingest,raw", known=False)
        server = "http://127.0.0.1:%d/tofud" % self.nginx(daemon, port, scheme="http")
        env = self.env(TOFUD_TOKEN=token, BROWSER="/bin/true")
        sent = subprocess.run([TOFUD, "--progress", "none", "--no-listen", "--state-dir", self.state_dir, "--server", server, "--stack", "sent"],
                              input=STREAM, capture_output=True, env=env, timeout=PATIENCE)
        self.assertEqual((sent.returncode, sent.stderr), (0, b""))
        run = json.loads(subprocess.run(["curl", "-sS", "-H", "Authorization: Bearer " + token, server + "/v1/runs"], capture_output=True,
                                        check=True).stdout)["runs"][0]["run"]
        os.makedirs(os.path.join(self.home, "viewer"))
        viewer = ("--server", server, "--state-dir", os.path.join(self.home, "viewer"))
        for command in (("ls",), ("logs", run), ("export", run, "--format", "md"), ("watch", run)):
            out, err = self.tofud(*command, *viewer, env=env)
            self.said += [out.encode(), err.encode()]
        link = self.tofud("open", run, *viewer, env=env)[0].strip()
        self.assertTrue(link.startswith(server + "/?run=" + run + "#ticket="), link)
        for file in pathlib.Path(self.home).glob("**/*.html"):
            file.unlink()  # the browser has read it: it holds what is a secret for as long as it lasts
        ticket = link.partition("#ticket=")[2]
        self.tokens.append(ticket)
        login = subprocess.run(["curl", "-sS", "-i", "-H", "Content-Type: application/json", "-H", "Origin: http://127.0.0.1:%d" % port, "--data",
                                json.dumps({"ticket": ticket}), server + "/v1/session"], capture_output=True, check=True).stdout.decode()
        cookie = re.search(r"Set-Cookie: (tofud-\d+=([0-9a-f]{64}));", login)
        self.tokens.append(cookie.group(2))
        shown = subprocess.run(["curl", "-sS", "-H", "Cookie: " + cookie.group(1), server + "/v1/runs/" + run], capture_output=True, check=True).stdout
        self.assertIn(b"random_pet", shown)
        self.said.append(shown)
        log = until(lambda: pathlib.Path(self.home, "nginx/access.log").read_text(), "its log")
        self.assertIn("/tofud/v1/session", log)
        self.assertIn("/tofud/v1/runs/%s/stream.jsonl" % run, log)


class Sessions(Asking):
    def own(self, daemon, **more):
        return {"Origin": daemon.url[:-1], **ANONYMOUS, **more}

    def cookie(self, answer):
        return answer.headers["Set-Cookie"].partition(";")[0]

    def logged_in(self, daemon, token):
        answer = daemon.ask("POST", "/v1/session", {"Content-Type": "application/json", **self.own(daemon)}, {"token": token})
        self.assertEqual(answer.status, 204, answer)
        return self.cookie(answer)

    def test_a_token_becomes_a_cookie_and_logging_out_ends_it(self):
        daemon = self.serve()
        token = self.token(daemon)
        answer = daemon.ask("POST", "/v1/session", {"Content-Type": "application/json", **self.own(daemon)}, {"token": token})
        self.assertRegex(answer.headers["Set-Cookie"], r"^tofud-%d=[0-9a-f]{64}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict$" % daemon.port)
        cookie = {"Cookie": "other=1; " + self.cookie(answer), **ANONYMOUS}
        self.assertEqual(daemon.ask("GET", "/v1/session", cookie).json()["scopes"], "read")
        self.assertEqual(daemon.status("GET", "/v1/runs", cookie), 200)
        self.assertEqual(daemon.status("PUT", "/v1/runs", {**cookie, "Origin": daemon.url[:-1]}), 403)
        out = daemon.ask("DELETE", "/v1/session", {**cookie, "Origin": daemon.url[:-1]})
        self.assertEqual(out.status, 204)
        self.assertIn("Max-Age=0", out.headers["Set-Cookie"])
        self.assertEqual(daemon.status("GET", "/v1/runs", cookie), 401)

    def test_a_session_ends_with_its_token_and_so_does_its_socket(self):
        daemon = self.serve()
        token = self.token(daemon)
        cookie = {"Cookie": self.logged_in(daemon, token), **ANONYMOUS}
        came, seen = threading.Event(), []
        thread = threading.Thread(target=lambda: seen.append(websocket("ws://127.0.0.1:%d/v1/stream" % daemon.port, came=came.set,
                                                                      origin=daemon.url[:-1], extra_headers=cookie)))
        thread.start()
        self.assertTrue(came.wait(PATIENCE))
        self.revoke(daemon, token)
        thread.join(PATIENCE)
        self.assertEqual(seen[0][1], 4410)
        self.assertEqual(daemon.status("GET", "/v1/runs", cookie), 401)

    def test_a_browser_gets_a_page_to_log_in_that_works_without_a_script(self):
        daemon = self.serve()
        token = self.token(daemon)
        page = daemon.ask("GET", "/wall?x=1", {"Accept": "text/html", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
                                               "Sec-Fetch-Dest": "document", **ANONYMOUS})
        self.assertEqual((page.status, page.headers["Content-Type"]), (401, "text/html; charset=utf-8"))
        self.assertIn(b'name="next" value="/wall?x=1"', page.body)
        self.assertNotIn("unsafe", page.headers["Content-Security-Policy"])
        form = {"Content-Type": "application/x-www-form-urlencoded", **self.own(daemon)}
        wrong = daemon.ask("POST", "/v1/session", form, b"token=nonsense&next=/wall")
        self.assertEqual(wrong.status, 401)
        self.assertIn(b"unknown, expired or revoked", wrong.body)
        for wanted, got in (("/wall?x=1", "/wall?x=1"), ("//evil.example/", "/"), ("https://evil.example/", "/"), ("/\\evil.example", "/"),
                            ("/a\r\nX: y", "/"), ("", "/")):
            right = daemon.ask("POST", "/v1/session", form, urllib.parse.urlencode({"token": token, "next": wanted}).encode())
            self.assertEqual((right.status, right.headers["Location"]), (303, got))
        self.assertEqual(daemon.status("GET", "/wall", {"Cookie": self.cookie(right), **ANONYMOUS}), 200)
        self.assertEqual(daemon.status("GET", "/login.js", ANONYMOUS), 200)

    def test_a_link_logs_in_once(self):
        daemon = self.serve()
        token = self.token(daemon)
        link = daemon.ask("POST", "/v1/session/links", bearer(token)).json()
        self.assertEqual(link["url"], daemon.url + "#ticket=" + link["ticket"])
        body, headers = {"ticket": link["ticket"]}, {"Content-Type": "application/json", **self.own(daemon)}
        first, second = (daemon.ask("POST", "/v1/session", headers, body) for _ in range(2))
        self.assertEqual((first.status, second.status), (204, 401))
        self.assertIn("was used before", second.json()["message"])
        self.assertEqual(daemon.ask("GET", "/v1/session", {"Cookie": self.cookie(first), **ANONYMOUS}).json()["scopes"], "read")
        # A link is no more than who asked for it.
        self.assertEqual(daemon.status("DELETE", "/v1/runs/x", {"Cookie": self.cookie(first), **self.own(daemon)}), 403)

    def test_a_new_login_ends_the_session_that_it_replaces(self):
        daemon = self.serve()
        token = self.token(daemon)
        first = self.logged_in(daemon, token)
        again = daemon.ask("POST", "/v1/session", {"Content-Type": "application/json", "Cookie": first, **self.own(daemon)}, {"token": token})
        self.assertEqual(daemon.status("GET", "/v1/runs", {"Cookie": first, **ANONYMOUS}), 401)
        second = self.cookie(again)
        self.assertEqual(daemon.status("GET", "/v1/runs", {"Cookie": second, **ANONYMOUS}), 200)
        # A wrong one ends nothing.
        self.assertEqual(daemon.status("POST", "/v1/session", {"Content-Type": "application/json", "Cookie": second, **self.own(daemon)}, {"token": "x"}), 401)
        self.assertEqual(daemon.status("GET", "/v1/runs", {"Cookie": second, **ANONYMOUS}), 200)
        # Nobody chooses what a session is called.
        planted = "tofud-%d=%s" % (daemon.port, "a" * 64)
        third = daemon.ask("POST", "/v1/session", {"Content-Type": "application/json", "Cookie": planted, **self.own(daemon)}, {"token": token})
        self.assertNotEqual(self.cookie(third), planted)
        self.assertEqual(daemon.status("GET", "/v1/runs", {"Cookie": planted, **ANONYMOUS}), 401)

    def test_a_link_of_a_revoked_token_logs_nobody_in(self):
        daemon = self.serve()
        token = self.token(daemon)
        ticket = daemon.ask("POST", "/v1/session/links", bearer(token)).json()["ticket"]
        self.revoke(daemon, token)
        until(lambda: daemon.status("GET", "/v1/session", bearer(token)) == 401, "the daemon knows")
        self.assertEqual(daemon.status("POST", "/v1/session", {"Content-Type": "application/json", **self.own(daemon)}, {"ticket": ticket}), 401)

    def test_other_pages_change_nothing_and_log_nobody_in(self):
        daemon = self.serve()
        token = self.token(daemon, "--scope", "read,ingest")
        cookie = {"Cookie": self.logged_in(daemon, token), **ANONYMOUS}
        for more, status in (({}, 403), ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Sec-Fetch-Site": "same-site"}, 403),
                             ({"Origin": daemon.url[:-1], "Content-Type": "text/plain"}, 415)):
            self.assertEqual(daemon.status("PUT", "/v1/runs?stack=x", {**cookie, **more}, STREAM), status, more)
        for more in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}):
            self.assertEqual(daemon.status("POST", "/v1/session", {"Content-Type": "application/json", **ANONYMOUS, **more}, {"token": token}), 403)


class Clients(Asking):
    def proxied_port(self, daemon):
        """Of a relay on loopback that speaks for another machine: it says so in each request."""
        return Relay(self, daemon.port, host="127.0.0.1:%d" % daemon.port).port

    def test_commands_show_the_token_of_the_environment_or_of_a_file(self):
        daemon = self.serve()
        run = daemon.put_run()
        token = self.token(daemon, "--scope", "read,raw,ingest")
        file = pathlib.Path(self.home, "token")
        file.write_text(token + "\n")
        server = "http://127.0.0.1:%d" % self.proxied_port(daemon)
        env = self.env(TOFUD_TOKEN=token)
        for command in (("ls",), ("logs", run), ("export", run, "--format", "md"), ("watch", run)):
            base = (*command, "--server", server, "--state-dir", self.state_dir)
            refused = self.tofud(*base, status=2)[1]
            self.assertIn("this request has no token", refused)
            self.assertTrue(self.tofud(*base, env=env)[0], command)
            self.assertTrue(self.tofud(*base, "--token-file", str(file))[0], command)
        sent = subprocess.run([TOFUD, "--progress", "plain", "--no-listen", "--state-dir", self.state_dir, "--server", server, "--stack", "sent"],
                              input=STREAM + b'{"@level":"info","@message":"my token is %s","@module":"tofu.ui","type":"log"}\n' % token.encode(),
                              capture_output=True, env=env, timeout=PATIENCE)
        self.assertEqual(sent.returncode, 0, sent.stderr)
        self.said += [sent.stdout.replace(token.encode(), b""), sent.stderr]
        stored = daemon.ask("GET", "/v1/runs").json()["runs"][0]
        self.assertEqual(stored["stack"], "sent")
        there = daemon.ask("GET", "/v1/runs/%s/stream.jsonl" % stored["run"]).body
        self.assertIn(b"my token is (redacted:", there)
        for spool in self.spools():  # what was printed stays here as it was printed
            spool.write_bytes(spool.read_bytes().replace(token.encode(), b""))

    def test_a_run_that_is_refused_is_kept_and_resumed_with_a_token(self):
        daemon = self.serve()
        server = "http://127.0.0.1:%d" % self.proxied_port(daemon)
        sent = subprocess.run([TOFUD, "--progress", "none", "--no-listen", "--state-dir", self.state_dir, "--server", server],
                              input=STREAM, capture_output=True, env=self.env(), timeout=PATIENCE)
        self.assertIn(b"tofud resume", sent.stderr)
        token = self.token(daemon, "--scope", "ingest")
        self.tofud("resume", "last", "--state-dir", self.state_dir, env=self.env(TOFUD_TOKEN=token))
        self.assertEqual(len(daemon.ask("GET", "/v1/runs").json()["runs"]), 1)

    def test_open_gives_the_browser_a_link_that_logs_in(self):
        daemon = self.serve()
        run = daemon.put_run()
        token = self.token(daemon, "--scope", "read,raw")
        server = "http://127.0.0.1:%d" % self.proxied_port(daemon)
        browser = os.path.join(self.home, "browser")
        with open(browser, "w") as script:
            script.write('#!/bin/sh\necho "$1" > "%s.new" && mv "%s.new" "%s.url"\n' % (browser, browser, browser))
        os.chmod(browser, 0o755)
        out = self.tofud("open", run, "--server", server, "--state-dir", self.state_dir, env=self.env(TOFUD_TOKEN=token, BROWSER=browser))[0]
        self.assertRegex(out, r"^%s/\?run=%s#ticket=[0-9a-f]{64}\n$" % (re.escape(server), run))
        url = until(lambda: os.path.exists(browser + ".url") and pathlib.Path(browser + ".url").read_text(), "the browser was started")
        # Its arguments are everybody's to read, as every process's are: the link stands in a file.
        self.assertTrue(url.startswith("file://"), url)
        file = pathlib.Path(urllib.parse.unquote(url.strip().removeprefix("file://")))
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        self.assertIn('content="0;url=%s"' % out.strip(), file.read_text())
        file.unlink()  # it holds what is a secret for as long as it lasts

    def test_a_token_that_would_break_out_of_its_header_is_not_sent(self):
        file = pathlib.Path(self.home, "token")
        for text in ("a b\n", "a\rb", "\n", "a\x01b"):
            file.write_text(text, newline="")
            self.assertIn("token", self.tofud("ls", "--server", "http://127.0.0.1:9", "--token-file", str(file), status=2)[1])
        self.assertIn("token file", self.tofud("ls", "--server", "http://127.0.0.1:9", "--token-file", "/nowhere", status=2)[1])


class Names(Asking):
    def test_hosts_and_origins_that_are_allowed_may_ask_and_no_others(self):
        daemon = self.serve("--allow-host", "tofud.example.com", "--allow-host", "wall.example.com:8443", "--allow-origin", "https://portal.example.com")
        for host, status in (("tofud.example.com", 200), ("TOFUD.example.com:80", 200), ("tofud.example.com:%d" % daemon.port, 200),
                             ("tofud.example.com:81", 421), ("wall.example.com:8443", 200), ("wall.example.com", 421),
                             ("portal.example.com", 421), ("xtofud.example.com", 421)):
            self.assertEqual(daemon.status("GET", "/v1/runs", host=host), status, host)
        for origin, status in (("https://portal.example.com", 200), ("https://portal.example.com:443", 200), ("http://portal.example.com", 403),
                               ("https://portal.example.com.evil.example", 403), ("http://tofud.example.com", 200), ("https://tofud.example.com", 403)):
            self.assertEqual(daemon.status("GET", "/v1/runs", {"Origin": origin}, host="tofud.example.com"), status, origin)

    def test_wrong_options_are_usage_errors_that_say_what_would_be_right(self):
        for args, why in ((("--allow-host", "http://x"), "is not a host"), (("--allow-origin", "x.example"), "is not an origin"),
                          (("--trusted-proxy", "10.0.0.0/33"), "is not a network"), (("--user-header", "Host"), "cannot name a user"),
                          (("--base-path", "tofud"), "is not a base path"), (("--socket-peers", "all"), "owner or mode"), (("--user-scopes", "all"), "is not a list of scopes")):
            self.assertIn(why, self.tofud("serve", "--no-listen", "--socket", os.path.join(self.home, "s"), "--state-dir", self.state_dir, *args, status=2)[1])


class Proxies(Asking):
    USER = ("--user-header", "X-Forwarded-User", "--groups-header", "X-Forwarded-Groups")

    def test_a_proxy_that_is_trusted_names_users_who_may_read(self):
        daemon = self.serve("--trusted-proxy", "127.0.0.0/8", *self.USER, "--allow-group", "ops")
        run = daemon.put_run()
        alice = {"X-Forwarded-User": "alice", "X-Forwarded-Groups": "dev, ops"}
        self.assertEqual(daemon.ask("GET", "/v1/session", alice).json(), {"who": "alice", "scopes": "read"})
        self.assertEqual(daemon.status("GET", "/v1/runs/%s/stream.jsonl" % run, alice), 403)
        self.assertEqual(daemon.status("DELETE", "/v1/runs/" + run, alice), 403)
        self.assertEqual(daemon.status("GET", "/v1/runs", {**alice, "X-Forwarded-Groups": "dev"}), 403)
        self.assertEqual(daemon.status("GET", "/v1/runs", {"X-Forwarded-User": "alice"}), 403)
        self.assertEqual(daemon.status("GET", "/v1/runs", {"X-Forwarded-User": ""}), 401)
        self.assertEqual(daemon.status("GET", "/v1/runs", {"X-Forwarded-For": "10.1.1.1"}), 401)
        # A link would outlive what the proxy says of its user.
        self.assertEqual(daemon.status("POST", "/v1/session/links", alice), 403)
        # Its own token, which we can't know, is no bad one of ours.
        self.assertEqual(daemon.status("GET", "/v1/runs", {**alice, "Authorization": "Bearer eyJhbGciOi"}), 200)

    def test_groups_say_which_stacks_a_user_sees(self):
        daemon = self.serve("--trusted-proxy", "127.0.0.0/8", *self.USER, "--group-stacks", "net-team=net/*", "--group-stacks", "admins=*")
        hidden, seen = daemon.put_run(path="/v1/runs?stack=pay/prod"), daemon.put_run(path="/v1/runs?stack=net/prod")

        def of(groups):
            return {"X-Forwarded-User": "alice", "X-Forwarded-Groups": groups}
        self.assertEqual(daemon.ask("GET", "/v1/session", of("dev, net-team")).json(), {"who": "alice", "scopes": "read", "within": "net/*"})
        self.assertEqual([run["run"] for run in daemon.ask("GET", "/v1/runs", of("net-team")).json()["runs"]], [seen])
        self.assertEqual(daemon.status("GET", "/v1/runs/" + hidden, of("net-team")), 404)
        self.assertEqual(daemon.status("GET", "/metrics", of("net-team")), 403)
        self.assertEqual(len(daemon.ask("GET", "/v1/runs", of("net-team,admins")).json()["runs"]), 2)
        self.assertEqual(daemon.status("GET", "/metrics", of("admins")), 200)
        for groups in ("", "dev", "*"):
            answer = daemon.ask("GET", "/v1/runs", of(groups))
            self.assertEqual((answer.status, answer.json()["message"]), (403, "alice is in no group that sees a stack"))
        for wrong in ("net", "=net/*", "net="):
            self.assertIn("says of no group which stacks it sees",
                          self.tofud("serve", "--no-listen", "--socket", os.path.join(self.home, "s"), "--state-dir", self.state_dir, *self.USER, "--group-stacks", wrong, status=2)[1])

    def test_the_same_headers_of_anybody_else_say_nothing(self):
        daemon = self.serve("--trusted-proxy", "10.1.0.0/16", *self.USER)
        self.assertEqual(daemon.status("GET", "/v1/runs", {"X-Forwarded-User": "alice"}), 401)
        self.assertEqual(daemon.status("GET", "/v1/runs", {"X-Forwarded-User": "alice", "X-Forwarded-For": "10.1.0.1"}), 401)
        self.assertEqual(daemon.status("GET", "/v1/runs", {"X-Forwarded-Host": "evil.example"}), 401)
        untold = self.serve("--trusted-proxy", "127.0.0.1", name="untold")
        self.assertEqual(untold.status("GET", "/v1/runs", {"X-Forwarded-User": "alice"}), 401)

    def test_with_a_base_path_nothing_is_above_it(self):
        daemon = self.serve("--base-path", "/tofud")
        self.assertTrue(daemon.url.endswith("/tofud/"), daemon.url)
        for path, status in (("/", 404), ("/v1/runs", 404), ("/tofudx/", 404), ("/tofud/v1/runs", 200), ("/tofud/", 200), ("/tofud/wall", 200)):
            self.assertEqual(daemon.status("GET", path), status, path)
        there = daemon.ask("GET", "/tofud?run=x")
        self.assertEqual((there.status, there.headers["Location"]), (308, "/tofud/?run=x"))
        made = daemon.ask("PUT", "/tofud/v1/runs?stack=x", body=STREAM)
        self.assertEqual(made.headers["Location"], "/tofud/v1/runs/" + made.json()["run"])
        token = self.token_below(daemon)
        answer = daemon.ask("POST", "/tofud/v1/session", {"Content-Type": "application/json", "Origin": daemon.url[:-len("/tofud/")]}, {"token": token})
        self.assertIn("; Path=/tofud/;", answer.headers["Set-Cookie"])
        page = daemon.ask("GET", "/tofud/wall", {"Accept": "text/html", **ANONYMOUS})
        self.assertIn(b'action="/tofud/v1/session"', page.body)
        for path in ("/tofud/", "/tofud/wall", "/tofud/runs"):
            self.assertNotRegex(daemon.ask("GET", path).body.decode(), r'(?:href|src|action)="/')

    def test_commands_and_forwarders_find_a_daemon_with_a_base_path(self):
        daemon = self.serve("--base-path", "/tofud")
        token = self.token_below(daemon)
        relay = Relay(self, daemon.port, host="127.0.0.1:%d" % daemon.port).port
        servers = (("unix:" + daemon.socket, {}), (daemon.url, {}), ("http://127.0.0.1:%d/tofud" % relay, {"TOFUD_TOKEN": self.token(daemon, "--scope", "read,raw,ingest", known=False)}))
        for number, (server, more) in enumerate(servers, 1):
            state = os.path.join(self.home, "state-%d" % number)
            sent = subprocess.run([TOFUD, "--progress", "none", "--no-listen", "--state-dir", state, "--server", server, "--stack", "of-%d" % number],
                                  input=STREAM, capture_output=True, env=self.env(**more), timeout=PATIENCE)
            self.assertEqual((sent.returncode, sent.stderr), (0, b""), server)
            listed = self.tofud("ls", "--server", server, "--state-dir", self.state_dir, env=self.env(**more))[0]
            self.assertIn("of-%d" % number, listed)
            run = daemon.ask("GET", "/tofud/v1/runs").json()["runs"][0]["run"]
            for command in (("logs", run), ("export", run, "--format", "md"), ("watch", run)):
                self.assertTrue(self.tofud(*command, "--server", server, "--state-dir", self.state_dir, env=self.env(**more))[0], (server, command))
        self.assertEqual(len(daemon.ask("GET", "/tofud/v1/runs").json()["runs"]), len(servers))
        self.assertIn("no such path; every path begins with /tofud/", self.tofud("ls", "--server", "http://127.0.0.1:%d" % daemon.port, status=2)[1])
        self.assertEqual(daemon.status("GET", "/tofud/v1/session", bearer(token)), 200)

    def token_below(self, daemon):
        token = self.token(daemon, known=False)
        until(lambda: daemon.status("GET", "/tofud/v1/session", bearer(token)) == 200, "the daemon has seen the token")
        return token

    @unittest.skipUnless(NGINX, "nginx is not installed")
    def test_behind_nginx_with_a_base_path_a_user_a_websocket_and_events(self):
        daemon = self.serve("--trusted-proxy", "127.0.0.1", "--user-header", "X-Forwarded-User", "--base-path", "/tofud", "--allow-host", "tofud.example.com")
        run = daemon.ask("PUT", "/tofud/v1/runs?stack=net", body=STREAM).json()["run"]
        token = self.token_below(daemon)
        front = self.nginx(daemon)

        def ask(path, *args):
            done = subprocess.run(["curl", "-s", "-i", "--max-time", str(PATIENCE), "-H", "Host: tofud.example.com", *args, "http://127.0.0.1:%d%s" % (front, path)],
                                  capture_output=True, timeout=PATIENCE)
            self.said.append(re.sub(rb"(Set-Cookie: tofud-\d+=)[0-9a-f]{64}", rb"\1(given)", done.stdout))
            head, _, body = done.stdout.partition(b"\r\n\r\n")
            return int(head.split()[1]), head, body
        self.assertEqual(ask("/tofud/v1/session")[0], 401)  # nginx says that nobody is logged in
        user = ("-H", "X-Test-User: alice")
        self.assertEqual(json.loads(ask("/tofud/v1/session", *user)[2])["who"], "alice")
        # What a client writes into the header itself is replaced.
        self.assertEqual(ask("/tofud/v1/session", "-H", "X-Forwarded-User: mallory")[0], 401)
        status, head, body = ask("/tofud/", *user)
        self.assertEqual(status, 200)
        self.assertIn(b"wss://tofud.example.com", head)
        for path in re.findall(rb'(?:href|src)="([^":]+)"', body):
            self.assertEqual(ask("/tofud/" + path.decode(), *user)[0], 200, path)
        lines = ask("/tofud/v1/stream?run=%s&end=close" % run, *user)[2].splitlines()
        events = ask("/tofud/v1/stream?run=%s&end=close" % run, "-H", "Accept: text/event-stream", *user)[2]
        self.assertEqual(json.loads(lines[-1])["kind"], "at")
        self.assertIn(b'data: {"kind":"at"', events)
        url = "ws://tofud.example.com/tofud/v1/stream?run=%s&end=close" % run
        told, code, _ = websocket(url, origin="https://tofud.example.com", extra_headers={"X-Test-User": "alice"}, host="127.0.0.1", port=front)
        self.assertEqual((told[-1]["kind"], code), ("at", 1000))
        login = ask("/tofud/v1/session", "-H", "Content-Type: application/json", "-H", "Origin: https://tofud.example.com",
                    "--data", json.dumps({"token": token}))
        self.assertEqual(login[0], 204, login)
        self.assertRegex(login[1].decode(), r"Set-Cookie: tofud-%d=[0-9a-f]{64}; Path=/tofud/; .*; Secure" % daemon.port)
        self.assertEqual(ask("/tofud/v1/runs", "-H", "Authorization: Bearer " + token)[0], 200)


if __name__ == "__main__":
    unittest.main()
