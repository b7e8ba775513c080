#!/usr/bin/python3
"""The audit file: who did what, a line each, and no secret."""
import json
import os
import pathlib
import unittest

from asking import ANONYMOUS, STREAM, Asking, bearer
from binary import until, websocket


class Audit(Asking):
    def setUp(self):
        super().setUp()
        self.file = pathlib.Path(self.home, "audit.jsonl")
        self.serving = self.serve("--audit-file", str(self.file))

    def lines(self, **wanted):
        """Of those lines, what is neither a time nor a place."""
        found = [json.loads(line) for line in self.file.read_text().splitlines()]
        for line in found:
            self.assertRegex(line.pop("at"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
            line.pop("from", None)
        return [line for line in found if all(line.get(name) == value for name, value in wanted.items())]

    def becomes(self, wanted, **those):
        """The file has just these lines, but for those of tokens that begin, as soon as they are written."""
        def now():
            return [line for line in self.lines(**those) if line["action"] != "token_begins"]
        try:
            until(lambda: len(now()) >= len(wanted), "the lines")
        except AssertionError:
            pass
        self.assertEqual(now(), wanted)

    def test_who_sent_opened_exported_and_removed(self):
        token = bearer(self.token(self.serving, "--name", "ada", "--scope", "read,raw,ingest"))
        until(lambda: self.lines(action="token_begins"), "the token is noticed")
        self.assertEqual(self.lines(action="token_begins"), [{"action": "token_begins", "who": "ada", "as": "token", "detail": "read,ingest,raw of any stack"}])
        run = self.serving.ask("PUT", "/v1/runs?stack=net/prod", token, body=STREAM).json()["run"]
        about = {"run": run, "stack": "net/prod"}
        ada = {"who": "ada", "as": "token"}
        for path, action, more in (("", "open", {}), ("/export?format=csv", "export", {"detail": "csv"}), ("/stream.jsonl", "raw", {}), ("/events.jsonl", "raw", {})):
            self.assertEqual(self.serving.status("GET", "/v1/runs/%s%s" % (run, path), token), 200)
        self.assertEqual(self.serving.status("GET", "/v1/runs/latest", token), 200)
        self.assertEqual(self.serving.status("GET", "/v1/runs", token), 200)  # lists are not worth a line
        self.assertEqual(self.serving.status("GET", "/v1/runs/nosuch", token), 404)
        self.assertEqual(websocket(self.serving.url + "v1/stream?end=close&run=" + run)[1], 1000)
        self.assertEqual(self.serving.status("DELETE", "/v1/runs/" + run, token), 403)
        self.assertEqual(self.serving.status("DELETE", "/v1/runs/" + run), 204)
        own = {"who": "its own user", "as": "owner"}
        self.becomes([
            {"action": "send", "status": 201, **about, **ada}, {"action": "open", "status": 200, **about, **ada},
            {"action": "export", "detail": "csv", "status": 200, **about, **ada}, {"action": "raw", "status": 200, **about, **ada},
            {"action": "raw", "status": 200, **about, **ada}, {"action": "open", "status": 200, **about, **ada},
            {"action": "watch", "status": 101, **about, **own}, {"action": "refuse", "request": "DELETE /v1/runs/" + run, "status": 403, **ada},
            {"action": "remove", "run": run, "status": 204, **own}])
        self.assertRegex(self.serving.stop().decode(), r"ada \(token\) from 127\.0\.0\.1: export, run %s of net/prod, csv" % run)

    def test_logins_and_the_ends_of_tokens(self):
        token = self.token(self.serving, "--name", "ada")
        origin = {"Content-Type": "application/json", "Origin": self.serving.url[:-1]}
        cookie = self.serving.ask("POST", "/v1/session", origin, {"token": token}).headers["Set-Cookie"].partition(";")[0]
        self.assertEqual(self.serving.status("POST", "/v1/session/links", {"Cookie": cookie, **origin}), 201)
        self.assertEqual(self.serving.status("POST", "/v1/session", origin, {"token": token + "x"}), 401)
        self.assertEqual(self.serving.status("DELETE", "/v1/session", {"Cookie": cookie, **origin}), 204)
        self.revoke(self.serving, token)
        ada = {"who": "ada", "as": "login"}
        self.becomes([
            {"action": "log_in", "status": 204, **ada}, {"action": "make_link", "status": 201, **ada},
            {"action": "refuse", "request": "POST /v1/session", "status": 401, "who": "its own user", "as": "owner"}, {"action": "log_out", "status": 204, **ada},
            {"action": "token_ends", "who": "ada", "as": "token", "detail": "the token was revoked"}])

    def test_a_stranger_is_counted_and_can_not_write_the_rest_away(self):
        for _ in range(200):
            self.assertEqual(self.serving.status("GET", "/v1/runs/" + "x" * 1000, ANONYMOUS), 401)
        self.serving.put_run()
        until(lambda: self.lines(action="send"), "the last line")
        lines = self.lines(action="refuse")
        self.assertLess(len(lines), 200)
        counted = sum(1 if "request" in line else int(line["detail"].split()[0]) for line in lines)
        self.assertEqual(counted, 200)
        self.assertLess(max(len(line.get("request", "")) for line in lines), 300)
        self.assertEqual(self.lines(action="send")[0]["who"], "its own user")

    def test_a_file_that_can_not_be_is_refused_at_the_start(self):
        self.serving.stop()
        os.mkdir(os.path.join(self.home, "folder.jsonl"))
        said = self.tofud("serve", "--listen", "127.0.0.1:0", "--no-socket", "--state-dir", self.home + "/s", "--audit-file", self.home + "/folder.jsonl", status=1)[1]
        self.assertRegex(said, r"tofud: audit\.file: \S+/folder\.jsonl can't be opened: ")


if __name__ == "__main__":
    unittest.main(verbosity=2)
