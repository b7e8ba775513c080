#!/usr/bin/python3
"""Plans, schemas and configurations are attached to runs of a daemon: by hand, and by a forwarder that has them beside its spool."""
import gzip
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, EndToEnd, recorded, until
from client import Upload, ask, connect, head_of
from daemons import Reference, Tofud

STREAM = recorded("apply-saved-plan")
PLAN = pathlib.Path(RECORDINGS, "apply-saved-plan", "plan.json").read_bytes()
SCHEMAS = gzip.decompress(pathlib.Path(ROOT, "tests/golden/schemas/recordings.json.gz").read_bytes())
CONFIG = json.dumps({"format": "tofud.config.v1", "more": "hunter2", "blocks": [
    {"address": "null_resource.a", "file": "main.tf", "line": 3, "column": 1, "secret": "hunter2"}]}).encode()
SECRET = "correct-horse-battery-staple"


def plan(value="x", **change):
    """A plan of one resource."""
    return json.dumps({"format_version": "1.2", "terraform_version": "1.12.6", "variables": {"p": {"value": SECRET}}, "resource_changes": [
        {"address": "null_resource.a", "mode": "managed", "type": "null_resource", "name": "a",
         "provider_name": "registry.opentofu.org/hashicorp/null",
         "change": {"actions": ["create"], "before": None, "after": {"triggers": {"v": value}}, "after_unknown": {},
                    "before_sensitive": False, "after_sensitive": {}, **change}}]}).encode()


class AttachmentsCase(EndToEnd):
    def setUp(self):
        super().setUp()
        self.daemon = Tofud(self)

    def begun(self, data=STREAM, lines=3, **told):
        """An upload of the first lines of a stream."""
        made = Upload(self.daemon.tcp, **told)
        self.assertEqual(made.create().status, 201)
        self.head = b"".join(data.splitlines(keepends=True)[:lines])
        self.assertEqual(made.patch(0, self.head).status, 204)
        return made

    def put(self, upload, part, body, **query):
        asked = "&".join("%s=%s" % each for each in query.items())
        return ask(upload.address, "PUT", upload.path("attachments/" + part) + ("?" + asked if asked else ""), body, upload.secret())

    def puts(self, *args, **query):
        answer = self.put(*args, **query)
        self.assertEqual(answer.status, 204, answer)
        return answer

    def kept(self, run, part):
        return pathlib.Path(self.daemon.state_dir, "daemon", "runs", run, "attachments", part + ".json")

    def events(self, run):
        return [json.loads(line) for line in ask(self.daemon.tcp, "GET", "/v1/runs/%s/events.jsonl" % run).body.splitlines()]

    def refused(self, answer, status, code=None):
        self.assertEqual(answer.status, status, answer)
        if status == 409:
            self.assertEqual(answer.code, code)


class Attachments(AttachmentsCase):
    def test_a_plan_is_stored_redacted_and_explains_the_rows(self):
        run = self.begun()
        answer = self.puts(run, "plan", gzip.compress(plan(SECRET, after_sensitive={"triggers": {"v": True}})))
        self.assertEqual(answer.headers["upload-event"], "1")
        kept = self.kept(run.run, "plan").read_text()
        self.assertNotIn(SECRET, kept)
        self.assertIn("null_resource.a", kept)
        self.assertEqual(self.kept(run.run, "plan").stat().st_mode & 0o777, 0o600)
        event = self.events(run.run)[1]
        self.assertEqual((event["event"], event["part"], event["offset"]), ("attachment", "plan", len(self.head)))
        until(lambda: json.loads(self.daemon.document(run.run))["run"].get("attachments") == ["plan"], "the plan in the view")
        run.patch(len(self.head), complete=True)

    def test_a_plan_is_served_as_a_comment(self):
        run = self.begun()
        path = "/v1/runs/%s/plan" % run.run
        self.assertEqual(ask(self.daemon.tcp, "GET", path + "?format=md").status, 404)
        self.puts(run, "plan", plan(SECRET, after_sensitive={"triggers": {"v": True}}))
        run.patch(len(self.head), complete=True)
        comment = ask(self.daemon.tcp, "GET", path + "?format=md")
        self.assertEqual((comment.status, comment.headers["content-type"]), (200, "text/markdown; charset=utf-8"))
        self.assertIn(b"<details>", comment.body)
        self.assertIn(b"null_resource", comment.body)
        self.assertNotIn(SECRET.encode(), comment.body)
        self.assertLess(len(ask(self.daemon.tcp, "GET", path + "?format=md&room=100").body), 101)
        for wrong in ("format=html", "format=md&room=many", "format=md&room=1000000"):
            self.refused(ask(self.daemon.tcp, "GET", path + "?" + wrong), 400)
        exported = subprocess.run([TOFUD, "export", run.run, "--format", "md", "--server", "http://%s:%d" % self.daemon.tcp],
                                  capture_output=True, text=True, timeout=PATIENCE)
        self.assertTrue(exported.stdout.endswith(comment.body.decode()), exported)
        self.assertLess(len(exported.stdout), 65536)

    def test_rows_and_their_numbers_are_the_same_when_the_daemon_starts_again(self):
        run = self.begun(recorded("moved-blocks"), lines=2)
        self.puts(run, "plan", pathlib.Path(RECORDINGS, "moved-blocks", "plan.json").read_bytes())
        self.puts(run, "schemas", gzip.compress(SCHEMAS))
        self.puts(run, "config", CONFIG)
        rest = recorded("moved-blocks")[len(self.head):]
        self.assertEqual(run.patch(len(self.head), rest, complete=True).status, 204)
        before = self.daemon.rows(run.run)
        self.assertEqual(before["run"][run.run]["attachments"], ["plan", "schemas", "config"])
        self.daemon.kill()
        self.daemon.start()
        self.assertEqual(self.daemon.rows(run.run), before)

    def test_the_same_document_again_is_accepted(self):
        run = self.begun()
        first = self.puts(run, "plan", PLAN, event=1, offset=len(self.head))
        for query in ({"event": 1, "offset": len(self.head)}, {}):
            self.assertEqual(self.puts(run, "plan", PLAN, **query).headers["upload-event"], "1")
        self.assertEqual(first.headers["upload-event"], "1")
        self.refused(self.put(run, "plan", plan(), event=1, offset=len(self.head)), 409, "event")
        self.refused(self.put(run, "plan", plan()), 409, "attached")
        self.refused(self.put(run, "config", CONFIG, event=3, offset=len(self.head)), 409, "order")
        self.refused(self.put(run, "config", CONFIG, event=2, offset=1), 409, "order")
        self.refused(self.put(run, "config", CONFIG, event=1, offset=len(self.head)), 409, "event")
        self.puts(run, "config", CONFIG, event=2, offset=len(self.head))
        self.assertEqual([event["event"] for event in self.events(run.run)], ["begin", "attachment", "attachment"])
        run.patch(len(self.head), complete=True)
        self.puts(run, "plan", PLAN)
        self.refused(self.put(run, "schemas", SCHEMAS), 409, "complete")

    def test_specifications_come_before_a_plan_and_mask_it(self):
        run = self.begun()
        block = {"attributes": {"content": {"type": "string", "optional": True, "sensitive": True}}}
        schemas = {"format_version": "1.0", "provider_schemas": {"local": {"resource_schemas": {"local_file": {"version": 0, "block": block}}}}}
        self.puts(run, "schemas", json.dumps(schemas))
        secret = {"address": "local_file.s", "mode": "managed", "type": "local_file", "name": "s",
                  "provider_name": "registry.opentofu.org/hashicorp/local",
                  "change": {"actions": ["create"], "before": None, "after": {"content": SECRET}, "after_unknown": {}, "before_sensitive": False,
                             "after_sensitive": {}}}
        self.puts(run, "plan", json.dumps({"format_version": "1.2", "resource_changes": [secret]}))
        self.assertNotIn(SECRET, self.kept(run.run, "plan").read_text())

    def test_schemas_come_after_a_plan_and_mask_it_once_more(self):
        run = self.begun()
        self.refused(self.put(run, "schemas", SCHEMAS), 409, "plan_first")
        secret = {"address": "local_sensitive_file.s", "mode": "managed", "type": "local_sensitive_file", "name": "s",
                  "provider_name": "registry.opentofu.org/hashicorp/local",
                  "change": {"actions": ["create"], "before": None, "after": {"content": SECRET, "filename": "f"}, "after_unknown": {},
                             "before_sensitive": False, "after_sensitive": {}}}
        self.puts(run, "plan", json.dumps({"format_version": "1.2", "resource_changes": [secret]}))
        schemas = {"format_version": "1.0", "provider_schemas": {"registry.opentofu.org/hashicorp/local": {"resource_schemas": {
            "local_sensitive_file": {"version": 0, "block": {"attributes": {
                "content": {"type": "string", "optional": True, "sensitive": True}, "filename": {"type": "string", "required": True}}}},
            "local_file": {"version": 0, "block": {"attributes": {"content": {"type": "string", "optional": True}}}}}}}}
        self.assertIn(SECRET, self.kept(run.run, "plan").read_text())
        self.puts(run, "schemas", json.dumps(schemas))
        self.assertNotIn(SECRET, self.kept(run.run, "plan").read_text())
        kept = self.kept(run.run, "schemas").read_text()
        self.assertIn("local_sensitive_file", kept)
        self.assertNotIn("local_file", kept)

    def test_only_places_of_a_configuration_are_stored(self):
        run = self.begun()
        self.puts(run, "config", CONFIG)
        kept = self.kept(run.run, "config").read_text()
        self.assertNotIn("hunter2", kept)
        self.assertEqual(json.loads(kept)["blocks"], [{"address": "null_resource.a", "file": "main.tf", "line": 3, "column": 1}])

    def test_what_people_wrote_and_what_orders_blocks_stays(self):
        run = self.begun()
        block = {"address": "null_resource.a", "file": "main.tf", "line": 3, "column": 1, "annotations": {"owner": "@db", "expect_s": 60},
                 "provider": "null.west", "references": [{"argument": "x", "target": "a.b[0]"}]}
        document = {"format": "tofud.config.v2", "blocks": [block], "providers": [{"source": "example.com/hashicorp/null", "version": "3.2.4"}]}
        self.puts(run, "config", json.dumps(document).encode())
        self.assertEqual(json.loads(self.kept(run.run, "config").read_text()), document)

    def test_an_unreadable_document_is_refused_and_changes_nothing(self):
        run = self.begun()
        for part, body, says in (("plan", b"", ""), ("plan", b"nonsense", ""), ("plan", b"\x1f\x8b nonsense", "gzip"), ("plan", gzip.compress(PLAN)[:-9], "ends"),
                                 ("plan", b'{"format_version":"2.0"}', "format_version"), ("plan", b'{"format_version":"1.2","resource_changes":[7]}', "resource_changes[0]"),
                                 ("config", b'{"format":"other"}', "tofud blocks"), ("config", CONFIG.replace(b'"line": 3', b'"line": 0'), "blocks[0].line")):
            answer = self.put(run, part, body)
            self.refused(answer, 400)
            self.assertIn(says, answer.body.decode(), body[:40])
            self.assertNotIn("hunter2", answer.body.decode())
        self.puts(run, "plan", PLAN)
        self.refused(self.put(run, "schemas", b"{"), 400)
        self.refused(self.put(run, "moon", b"{}"), 404)
        for query in ({"event": 0, "offset": 0}, {"event": 1}, {"offset": 1}, {"event": "x", "offset": 0}):
            self.refused(self.put(run, "config", CONFIG, **query), 400)
        self.assertEqual(len(self.events(run.run)), 2)
        self.assertEqual(sorted(os.listdir(self.kept(run.run, "plan").parent)), ["plan.json"])

    def test_a_bomb_is_refused_for_what_it_becomes(self):
        run = self.begun()
        bomb = gzip.compress(b" " * (129 << 20), 9)
        self.assertLess(len(bomb), 1 << 20)
        self.refused(self.put(run, "plan", bomb), 413)
        self.refused(self.put(run, "config", bomb), 413)
        self.assertLess(self.daemon.resident(), 600 << 20)

    def test_without_the_upload_secret_nothing_is_attached(self):
        run = self.begun()
        for headers in ({}, {"Upload-Secret": "wrong"}):
            self.refused(ask(run.address, "PUT", run.path("attachments/plan"), PLAN, headers), 401)
        self.refused(ask(run.address, "PUT", "/v1/runs/nobody/attachments/plan", PLAN, run.secret()), 404)

    def test_a_stream_without_a_forwarder_accepts_it_from_any_sender_and_is_redacted_by_the_daemon(self):
        daemon = self.daemon = Tofud(self, env={"TF_VAR_password": SECRET}, name="redacting")
        sock = connect(daemon.tcp)
        self.addCleanup(sock.close)
        first = STREAM.splitlines(keepends=True)[0]
        sock.sendall(head_of("PUT", "/v1/runs", {"Host": "localhost", "Transfer-Encoding": "chunked"}) + b"%x\r\n%s\r\n" % (len(first), first))
        run = until(lambda: json.loads(ask(daemon.tcp, "GET", "/v1/runs").body)["runs"], "the run")[0]["run"]
        answer = ask(daemon.tcp, "PUT", "/v1/runs/latest/attachments/plan", plan("quote \" and " + SECRET))
        self.assertEqual(answer.status, 204, answer)
        kept = self.kept(run, "plan").read_text()
        self.assertNotIn(SECRET, kept)
        self.assertIn("(redacted:", json.loads(kept)["resource_changes"][0]["change"]["after"]["triggers"]["v"])
        sock.sendall(b"0\r\n\r\n")
        until(lambda: self.events(run)[-1]["event"] == "end", "the end")

    def test_many_at_once_come_one_after_the_other(self):
        runs = [self.begun() for _ in range(6)]
        answers = []

        def attach(run):
            for part, body in (("plan", PLAN), ("plan", PLAN), ("config", CONFIG)):
                answer = self.put(run, part, body)
                while answer.status == 503:
                    answer = self.put(run, part, body)
                answers.append(answer.status)
        threads = [threading.Thread(target=attach, args=(run,)) for run in runs for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        self.assertEqual(set(answers), {204})
        for run in runs:
            self.assertEqual([each.get("part") for each in self.events(run.run) if each["event"] == "attachment"].count("plan"), 1)

    def test_what_was_never_finished_is_removed_and_the_run_goes_with_all_that_is_attached(self):
        run = self.begun()
        self.puts(run, "plan", PLAN)
        directory = self.kept(run.run, "plan").parent
        self.daemon.kill()
        (directory / "schemas.json.unfinished").write_text("{")
        self.daemon.start()
        self.assertEqual(os.listdir(directory), ["plan.json"])
        self.puts(run, "plan", PLAN)
        self.assertEqual(ask(self.daemon.tcp, "DELETE", "/v1/runs/" + run.run).status, 204)
        self.assertFalse(directory.exists())
        self.refused(self.put(run, "plan", PLAN), 410)

    def test_a_document_that_the_disk_refuses_may_be_sent_again(self):
        faults = self.daemon.start_with_faults()
        run = self.begun()
        for fault in ({"write_error": "ENOSPC"}, {"sync_error": "EIO"}, {"room": 700}):
            with self.subTest(fault=fault):
                faults.set(**fault)
                self.refused(self.put(run, "plan", PLAN), 507)
                self.assertGreater(faults.refused(), 0)
                faults.set()
                self.assertEqual([each["event"] for each in self.events(run.run)], ["begin"])
                self.assertEqual(os.listdir(self.kept(run.run, "plan").parent), [])
        until(lambda: self.put(run, "plan", PLAN).status == 204, "the disk takes it again")
        self.assertEqual([each["event"] for each in self.events(run.run)], ["begin", "attachment"])

    def test_killed_between_the_document_and_its_event_it_takes_the_document_again(self):
        run = self.begun()
        self.puts(run, "plan", PLAN)
        events = self.kept(run.run, "plan").parent.parent / "events.jsonl"
        self.daemon.kill()
        events.write_text("")  # as if it had died before
        self.daemon.start()
        self.assertEqual([each["event"] for each in self.events(run.run)], ["begin"])
        self.assertEqual(self.puts(run, "plan", plan()).headers["upload-event"], "1")
        self.assertEqual(self.events(run.run)[1]["sha256"], hashlib.sha256(plan()).hexdigest())
        self.assertEqual(json.loads(self.kept(run.run, "plan").read_text())["resource_changes"][0]["address"], "null_resource.a")


class Forwarded(AttachmentsCase):
    """What lies beside a spool is sent with it."""
    data = recorded("moved-blocks")
    plan = pathlib.Path(RECORDINGS, "moved-blocks", "plan.json").read_bytes()
    masked = b"terraform_data"  # stands in addresses, so that both streams have other lengths
    hidden = {"TF_VAR_db_password": masked.decode()}

    def spool(self, *attached, **env):
        """A kept stream with (part, document, offset) beside it."""
        state = os.path.join(self.home, "spools")
        before = set(pathlib.Path(state).glob("*.jsonl"))
        subprocess.run([TOFUD, "--no-server", "--no-listen", "--progress", "none", "--state-dir", state], input=self.data, check=True,
                       env=self.env(**env), timeout=PATIENCE, stdout=subprocess.DEVNULL)
        path, = set(pathlib.Path(state).glob("*.jsonl")) - before
        events = path.with_suffix(".events")
        lines = events.read_text().splitlines()
        for part, document, offset in attached:
            path.with_suffix(".%s.json" % part).write_bytes(document)
            lines.insert(-1, json.dumps({"offset": offset, "event": "attachment", "part": part, "sha256": hashlib.sha256(document).hexdigest(),
                                         "bytes": len(document)}))
        events.write_text("\n".join(lines) + "\n")
        return path

    def resume(self, path, status=0, daemon=None, **env):
        """What it says."""
        done = subprocess.run([TOFUD, "resume", str(path), "--server", (daemon or self.daemon).url], capture_output=True, env=self.env(**env), timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr.decode()

    def line_starts(self, data):
        """Offsets of lines, and of the end."""
        found = [0]
        for line in data.splitlines(keepends=True):
            found.append(found[-1] + len(line))
        return found

    def rows_of(self, run, daemon=None):
        """Without what is of the upload, not of the stream."""
        rows = (daemon or self.daemon).rows(run)
        view = rows.pop("run")[run]
        return json.loads(json.dumps(rows).replace(run, "RUN")), (view["counts"], view["attachments"], view["planned"], view["seq"] if "seq" in view else 0)

    def test_rows_and_their_numbers_are_those_of_the_same_documents_at_the_same_lines(self):
        starts = self.line_starts(self.data)
        places = [(starts[2], 2), (starts[5] + 7, 5), (starts[-2], len(starts) - 2)]  # at a line, within one, before the last
        documents = [("plan", self.plan), ("schemas", SCHEMAS), ("config", CONFIG)]
        path = self.spool(*[(part, document, at) for (part, document), (at, _) in zip(documents, places)], **self.hidden)
        self.resume(path, **self.hidden)
        run = path.stem
        kept = ask(self.daemon.tcp, "GET", "/v1/runs/%s/stream.jsonl" % run).body
        self.assertNotIn(self.masked, kept)
        self.assertNotEqual(len(kept), len(self.data))
        self.assertNotIn(self.masked, self.kept(run, "plan").read_bytes())
        redacted = self.line_starts(kept)
        attached = [each for each in self.events(run) if each["event"] == "attachment"]
        self.assertEqual([each["offset"] for each in attached], [redacted[line] for _, line in places])
        # The same by hand, in other pieces.
        other = Upload(self.daemon.tcp)
        other.create()
        at = 0
        for (part, _), (_, line) in zip(documents, places):
            while at < redacted[line]:
                at = other.patch(at, kept[at:min(at + 1000, redacted[line])]).offset
            self.puts(other, part, self.kept(run, part).read_bytes())
        other.patch(at, kept[at:], complete=True)
        self.assertEqual(self.rows_of(run), self.rows_of(other.run))

    def test_it_goes_on_where_it_was_killed_and_where_the_daemon_died(self):
        for moment in range(4):
            path = self.spool(("plan", self.plan, 674), ("config", CONFIG, 674))
            sending = subprocess.Popen([TOFUD, "resume", str(path), "--server", self.daemon.url], stderr=subprocess.DEVNULL, env=self.env())
            self.addCleanup(sending.kill)
            until(lambda moment=moment, run=path.stem, sending=sending: sending.poll() is not None or len(os.listdir(self.run_directory(run, ""))) > 3 + moment // 2, "a part of it")
            if moment % 2:
                self.daemon.kill()
            sending.kill()
            sending.wait()
            if moment % 2:
                self.daemon.start()
            self.resume(path)
            self.assertEqual([each["part"] for each in self.events(path.stem) if each["event"] == "attachment"], ["plan", "config"])
            self.assertEqual(ask(self.daemon.tcp, "GET", "/v1/runs/%s/stream.jsonl" % path.stem).body, self.data)

    def run_directory(self, run, what):
        found = pathlib.Path(self.daemon.state_dir, "daemon", "runs", run, what)
        return found if found.exists() else self.home

    def test_a_document_that_is_gone_or_broken_keeps_no_byte_back(self):
        path = self.spool(("plan", b"nonsense", 0), ("config", CONFIG, 0))
        said = self.resume(path)
        self.assertIn("the run's plan is not sent", said)
        self.assertIn("not a JSON object", said)
        self.assertEqual([each["event"] for each in self.events(path.stem)][1:3], ["attachment_left_out", "attachment"])
        path = self.spool(("plan", self.plan, 0), ("config", CONFIG, 0))
        path.with_suffix(".plan.json").unlink()
        self.assertIn("can't be read", self.resume(path))
        self.assertEqual([each["event"] for each in self.events(path.stem)][1:3], ["attachment_left_out", "attachment"])
        self.assertEqual(ask(self.daemon.tcp, "GET", "/v1/runs/%s/stream.jsonl" % path.stem).body, self.data)

    def test_a_daemon_that_takes_none_gets_the_stream(self):
        daemon = Reference(self, name="reference")
        path = self.spool(("plan", self.plan, 674), ("config", CONFIG, 674))
        self.assertIn("takes no attachments", self.resume(path, daemon=daemon))
        self.assertEqual(ask(daemon.tcp, "GET", "/v1/runs/%s/stream.jsonl" % path.stem).body, self.data)


if __name__ == "__main__":
    unittest.main(verbosity=2)
