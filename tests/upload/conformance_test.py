#!/usr/bin/python3
"""Every rule of the upload as a client meets it, asked of two daemons that were written apart.

    conformance_test.py OfTofud | OfTheReference [test ...]
"""
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from binary import PATIENCE, TOFUD, EndToEnd, recorded, until
from client import Connection, Upload, answer_on, ask, broken_off, connect, head_of, together
from daemons import Reference, Tofud, replayed_rows, without_views

STREAM = recorded("apply-create-mixed")
SMALL = recorded("diag-cycle-and-misuse")
EXIT = {"event": "exit", "status": 0}
MAX_PATCH = 1 << 20


class Rules:
    """The tests; `daemon_kind` says of which daemon."""

    def setUp(self):
        super().setUp()
        self.daemon = self.daemon_kind(self)
        self.address = self.daemon.tcp

    # ---- words

    def begun(self, data=b"", **told):
        """An upload of which `data` is there."""
        upload = Upload(self.address, **told)
        self.assertEqual(upload.create().status, 201)
        if data:
            self.acknowledges(upload.patch(0, data), len(data))
        return upload

    def acknowledges(self, answer, offset):
        self.assertEqual((answer.status, answer.offset, answer.body), (204, offset, b""), answer)

    def refuses(self, answer, status, code=None, offset=None):
        self.assertEqual(answer.status, status, answer)
        body = answer.json
        self.assertIn("code", body)
        self.assertTrue(isinstance(body["message"], str) and body["message"], body)
        if code is not None:
            self.assertEqual(body["code"], code)
        if offset is not None:
            self.assertEqual(answer.offset, offset, answer)
        return body

    def stands_at(self, upload, offset, complete=False):
        answer = upload.head()
        self.assertEqual((answer.status, answer.offset, answer.headers["upload-complete"], answer.headers["cache-control"], answer.body),
                         (200, offset, "?1" if complete else "?0", "no-store", b""), answer)

    def ends(self, upload, total, event=1):
        self.assertEqual(upload.event(event, {"offset": total, **EXIT}).status, 204)
        self.acknowledges(upload.patch(total, b"", complete=True), total)

    def holds(self, run, data, over=True):
        """The journal is these bytes; where rows are made, they are those of these bytes."""
        got = ask(self.address, "GET", "/v1/runs/%s/stream.jsonl" % run)
        self.assertEqual(got.status, 200, got)
        self.assertEqual(got.body, data)
        if over and self.daemon.folds:
            self.assertEqual(without_views(self.daemon.rows(run)), without_views(replayed_rows(self, run, data)))

    def view(self, run):
        return json.loads(self.daemon.document(run))["run"]

    # ---- 4: who asks for a run

    def test_creating_returns_the_run_and_the_offset(self):
        upload = Upload(self.address, labels={"branch": "main"})
        answer = upload.create()
        self.assertEqual(answer.status, 201, answer)
        told = answer.json
        self.assertEqual((told["offset"], told["max_patch"], told["keepalive_s"]), (0, MAX_PATCH, 15))
        self.assertIn("url", told)
        self.stands_at(upload, 0)

    def test_creating_again_is_the_same_run_at_its_offset(self):
        upload = self.begun(STREAM[:1000])
        first = upload.run
        answer = upload.create()
        self.assertEqual((answer.status, answer.json["run"], answer.json["offset"]), (200, first, 1000))
        self.acknowledges(upload.patch(1000, STREAM[1000:]), len(STREAM))
        self.ends(upload, len(STREAM))
        self.assertEqual(upload.create().json["offset"], len(STREAM))
        self.holds(first, STREAM)

    def test_the_local_id_of_a_run_is_kept_if_it_is_free(self):
        upload = self.begun(id="20261121T0312-7f3a")
        self.assertEqual(upload.run, "20261121T0312-7f3a")
        other = self.begun(id="20261121T0312-7f3a")
        self.assertNotEqual(other.run, upload.run)
        self.assertEqual(upload.create().json["run"], upload.run)
        for strange in ("../../etc/passwd", "", "a/b", "..", "x" * 300, "20261121T0312-7f3a/../a", "latest", None):
            self.assertNotEqual(self.begun(id=strange).run, strange)

    def test_the_same_upload_id_with_another_secret_or_other_rules_is_a_conflict(self):
        upload = self.begun(STREAM[:1000])
        self.refuses(upload.create(upload_secret="0" * 64), 409, "conflict")
        self.refuses(upload.create(rules="sha256:" + "1" * 64), 409, "conflict")
        self.stands_at(upload, 1000)

    def test_two_that_create_the_same_upload_at_once_get_one_run(self):
        upload, answers = Upload(self.address), []
        creators = [threading.Thread(target=lambda: answers.append(upload.create())) for _ in range(8)]
        with together(*creators):
            pass
        self.assertEqual(sorted(answer.status for answer in answers), [200] * 7 + [201])
        self.assertEqual(len({answer.json["run"] for answer in answers}), 1)

    def test_what_is_no_request_for_a_run_is_refused_with_a_sentence(self):
        good = Upload(self.address).asked
        bad = [b"", b"{", b"[]", b"7", b"null", b"\xff\xfe", b"{}", b'{"a":' * 2000 + b"1" + b"}" * 2000]
        for name in ("protocol", "upload_id", "upload_secret", "rules"):
            bad.append(json.dumps({**good, name: 7}).encode())
            if name != "protocol":  # there is only one so far
                bad.append(json.dumps({**good, name: None}).encode())
                bad.append(json.dumps({key: value for key, value in good.items() if key != name}).encode())
        bad.append(json.dumps({**good, "protocol": "2.0"}).encode())
        bad.append(json.dumps({**good, "upload_id": ""}).encode())
        for body in bad:
            with self.subTest(body=body[:100]):
                self.refuses(ask(self.address, "POST", "/v1/runs", body, {"Content-Type": "application/json"}), 400)

    # ---- 5 to 7: bytes, acknowledged

    def test_bytes_in_order_are_acknowledged_one_patch_after_the_other(self):
        upload, at = self.begun(), 0
        while at < len(STREAM):
            some = STREAM[at:at + 5000]
            at += len(some)
            self.acknowledges(upload.patch(at - len(some), some), at)
            self.stands_at(upload, at)
        self.ends(upload, len(STREAM))
        self.stands_at(upload, len(STREAM), complete=True)
        self.holds(upload.run, STREAM)

    def test_one_connection_carries_a_whole_upload(self):
        upload, connection = Upload(self.address), Connection(self.address)
        self.addCleanup(connection.close)
        upload.create(connection)
        first = connection.sock
        for at in range(0, len(STREAM), 7000):
            self.acknowledges(upload.patch(at, STREAM[at:at + 7000], connection=connection), min(at + 7000, len(STREAM)))
        self.refuses(upload.patch(len(STREAM) + 5, b"x", connection=connection), 409, "gap", len(STREAM))
        self.assertEqual(upload.event(1, {"offset": len(STREAM), **EXIT}, connection).status, 204)
        self.acknowledges(upload.patch(len(STREAM), b"", True, connection), len(STREAM))
        self.assertEqual(upload.head(connection).offset, len(STREAM))
        self.assertIs(connection.sock, first)
        self.holds(upload.run, STREAM)

    def test_the_unix_socket_takes_the_same_uploads(self):
        self.address = self.daemon.socket
        self.test_one_connection_carries_a_whole_upload()
        self.test_bytes_in_order_are_acknowledged_one_patch_after_the_other()

    def test_a_run_begun_on_one_transport_goes_on_on_the_other(self):
        upload = self.begun(STREAM[:777])
        upload.address = self.daemon.socket
        self.acknowledges(upload.patch(777, STREAM[777:]), len(STREAM))
        self.ends(upload, len(STREAM))
        self.holds(upload.run, STREAM)

    def test_a_body_may_come_in_chunks(self):
        upload = self.begun()
        pieces = [STREAM[:1], STREAM[1:2000], STREAM[2000:2003], STREAM[2003:]]
        self.acknowledges(upload.patch(0, iter(pieces)), len(STREAM))
        self.acknowledges(upload.patch(len(STREAM), iter([]), True), len(STREAM))
        self.holds(upload.run, STREAM)

    def test_a_body_of_the_largest_size_is_taken_and_one_byte_more_is_refused(self):
        data = (STREAM * (2 * MAX_PATCH // len(STREAM) + 1))[:2 * MAX_PATCH]
        upload = self.begun()
        self.acknowledges(upload.patch(0, data[:MAX_PATCH]), MAX_PATCH)
        self.refuses(upload.patch(MAX_PATCH, data[MAX_PATCH - 1:]), 413)
        self.refuses(upload.patch(MAX_PATCH, iter([data[:MAX_PATCH], b"x"])), 413)
        # What came of them may have been stored; nothing says so but HEAD.
        at = upload.head().offset
        self.assertGreaterEqual(at, MAX_PATCH)
        self.assertLessEqual(at, 2 * MAX_PATCH + 1)

    def test_expect_100_continue_is_answered(self):
        upload = self.begun()
        sock = connect(self.address)
        self.addCleanup(sock.close)
        sock.sendall(head_of("PATCH", upload.path(), {"Host": "localhost", **upload.secret(), "Upload-Offset": 0,
                                                      "Content-Length": len(STREAM), "Expect": "100-continue"}))
        self.assertEqual(sock.recv(25), b"HTTP/1.1 100 Continue\r\n\r\n")
        sock.sendall(STREAM)
        self.acknowledges(answer_on(sock), len(STREAM))

    def test_any_bytes_are_stored_as_they_are(self):
        data = bytes(range(256)) * 40 + b"\n\r\n\0\n" + "größe \u2028 \n".encode() + b"{" * 3000 + b"\n" + SMALL
        upload = self.begun(data)
        self.ends(upload, len(data))
        self.holds(upload.run, data, over=False)

    # ---- 8: what is there already

    def test_bytes_that_are_there_already_are_skipped_and_the_rest_is_appended(self):
        upload = self.begun(STREAM[:3000])
        self.acknowledges(upload.patch(0, STREAM[:3000]), 3000)
        self.acknowledges(upload.patch(1000, STREAM[1000:2000]), 3000)
        self.acknowledges(upload.patch(0, STREAM[:5000]), 5000)
        self.acknowledges(upload.patch(4999, STREAM[4999:6000]), 6000)
        self.acknowledges(upload.patch(0, b""), 6000)
        self.acknowledges(upload.patch(6000, STREAM[6000:]), len(STREAM))
        self.acknowledges(upload.patch(6000, STREAM[6000:]), len(STREAM))
        self.ends(upload, len(STREAM))
        self.holds(upload.run, STREAM)

    def test_other_bytes_than_those_that_are_there_diverge_and_change_nothing(self):
        upload = self.begun(STREAM[:3000])
        for offset, data, at in ((0, b"#" + STREAM[1:3000], 0), (2999, b"#", 2999), (1000, STREAM[1000:1500] + b"#", 1500),
                                 (2000, STREAM[2000:2999] + b"#" + STREAM[3000:4000], 2999)):
            answer = upload.patch(offset, data)
            self.assertEqual(self.refuses(answer, 409, "diverged", 3000)["at"], at)
            self.stands_at(upload, 3000)
        self.acknowledges(upload.patch(3000, STREAM[3000:]), len(STREAM))
        self.ends(upload, len(STREAM))
        self.holds(upload.run, STREAM)

    def test_other_bytes_after_the_end_diverge_as_well(self):
        upload = self.begun(SMALL)
        self.ends(upload, len(SMALL))
        self.assertEqual(self.refuses(upload.patch(10, b"#"), 409, "diverged", len(SMALL))["at"], 10)
        self.holds(upload.run, SMALL)

    def test_bytes_are_compared_after_a_restart_too(self):
        upload = self.begun(STREAM[:3000])
        self.daemon.kill()
        self.daemon.start()
        self.stands_at(upload, 3000)
        self.assertEqual(self.refuses(upload.patch(1000, STREAM[1000:1100] + b"#"), 409, "diverged", 3000)["at"], 1100)
        self.acknowledges(upload.patch(100, STREAM[100:]), len(STREAM))
        self.ends(upload, len(STREAM))
        self.daemon.kill()
        self.daemon.start()
        self.stands_at(upload, len(STREAM), complete=True)
        self.assertEqual(self.refuses(upload.patch(1000, b"#"), 409, "diverged", len(STREAM))["at"], 1000)
        self.holds(upload.run, STREAM)

    # ---- 9: gaps and two at once

    def test_bytes_beyond_what_is_there_are_a_gap(self):
        upload = self.begun(STREAM[:3000])
        for offset in (3001, 4000, 10**12):
            self.refuses(upload.patch(offset, b"abc"), 409, "gap", 3000)
            self.refuses(upload.patch(offset, b""), 409, "gap", 3000)
            self.refuses(upload.patch(offset, b"", complete=True), 409, "gap", 3000)
        self.stands_at(upload, 3000)

    def test_the_second_of_two_concurrent_requests_waits_and_gets_busy(self):
        upload = self.begun(STREAM[:3000])
        first = upload.begin_patch(3000, 4000, STREAM[3000:5000])
        self.addCleanup(first.close)
        while upload.patch(3000, b"").status == 204:
            pass  # the first is still on its way to the bytes
        began = time.monotonic()
        answer = upload.patch(3000, STREAM[3000:4000])
        self.refuses(answer, 409, "busy", 3000)
        self.assertGreater(time.monotonic() - began, 1)  # it did wait
        first.sendall(STREAM[5000:7000])
        self.acknowledges(answer_on(first), 7000)
        self.acknowledges(upload.patch(3000, STREAM[3000:]), len(STREAM))
        self.ends(upload, len(STREAM))
        self.holds(upload.run, STREAM)

    def test_the_second_of_two_goes_on_when_the_first_is_done(self):
        upload, answers = self.begun(), []
        first = upload.begin_patch(0, 2000, STREAM[:1000])
        self.addCleanup(first.close)
        with together(threading.Thread(target=lambda: answers.append(upload.patch(0, STREAM[:3000])))):
            time.sleep(0.3)
            first.sendall(STREAM[1000:2000])
            self.acknowledges(answer_on(first), 2000)
        self.acknowledges(answers[0], 3000)
        self.holds(upload.run, STREAM[:3000], over=False)

    def test_the_second_of_two_goes_on_when_the_first_breaks_off(self):
        upload, answers = self.begun(), []
        first = upload.begin_patch(0, 2000, STREAM[:1000])
        with together(threading.Thread(target=lambda: answers.append(upload.patch(0, STREAM[:3000])))):
            time.sleep(0.3)
            broken_off(first, "reset")
        self.acknowledges(answers[0], 3000)
        self.holds(upload.run, STREAM[:3000], over=False)

    def test_a_request_that_stands_still_does_not_hold_its_run_for_ever(self):
        faults = self.daemon.start_with_faults()
        upload = self.begun(STREAM[:3000])
        first = upload.begin_patch(3000, 4000, STREAM[3000:5000])
        self.addCleanup(first.close)
        faults.hasten(60)  # a minute in a second
        until(lambda: upload.patch(3000, STREAM[3000:]).status == 204, "the run is free again")
        self.ends(upload, len(STREAM))
        self.holds(upload.run, STREAM)

    def test_many_forwarders_on_one_run_are_harmless(self):
        upload, wrong = self.begun(), []

        def forward(step):
            at = 0
            while at < len(STREAM):
                answer = upload.patch(at, STREAM[at:at + step])
                if answer.status == 409 and answer.code == "busy":
                    at = answer.offset
                elif answer.status != 204:
                    wrong.append(answer)
                    return
                else:
                    at = answer.offset
        with together(*[threading.Thread(target=forward, args=(step,)) for step in (911, 1500, 3333, 7000)]):
            pass
        self.assertEqual(wrong, [])
        self.ends(upload, len(STREAM))
        self.holds(upload.run, STREAM)

    def test_a_head_request_does_not_wait(self):
        upload = self.begun(STREAM[:100])
        first = upload.begin_patch(100, 4000, STREAM[100:2000])
        self.addCleanup(first.close)
        answer = upload.head()
        self.assertEqual(answer.status, 200)
        self.assertGreaterEqual(answer.offset, 100)
        self.assertLessEqual(answer.offset, 2000)

    # ---- 7: what broke off

    def kept_so_far(self, upload, least, most):
        """What a connection that is gone has brought may be read at any time, or never."""
        body = upload.stream().body
        self.assertEqual(body, STREAM[:len(body)])
        self.assertGreaterEqual(len(body), least)
        self.assertLessEqual(len(body), most)

    def test_a_body_that_breaks_off_may_be_stored_in_part_and_the_upload_goes_on_from_there(self):
        for how in ("reset", "end"):
            for chunked in (False, True):
                with self.subTest(how=how, chunked=chunked):
                    upload = self.begun(STREAM[:1000])
                    if chunked:
                        sock = connect(self.address)
                        sock.sendall(head_of("PATCH", upload.path(), {
                            "Host": "localhost", **upload.secret(), "Upload-Offset": 1000, "Transfer-Encoding": "chunked"}))
                        sock.sendall(b"%x\r\n%s\r\n%x\r\n%s" % (1000, STREAM[1000:2000], 3000, STREAM[2000:3000]))
                    else:
                        sock = upload.begin_patch(1000, 4000, STREAM[1000:3000])
                    broken_off(sock, how)
                    answer = upload.patch(0, b"")  # waits until the other is seen to be gone, if it is there by now
                    self.assertEqual(answer.status, 204, answer)
                    at = upload.head().offset
                    self.assertGreaterEqual(at, 1000)
                    self.kept_so_far(upload, at, 3000)
                    self.acknowledges(upload.patch(at, STREAM[at:]), len(STREAM))
                    self.ends(upload, len(STREAM))
                    self.holds(upload.run, STREAM)

    def test_a_completing_request_that_breaks_off_completes_nothing(self):
        upload = self.begun(STREAM[:1000])
        sock = upload.begin_patch(1000, len(STREAM) - 1000, STREAM[1000:3000], ("Upload-Complete", "?1"))
        broken_off(sock, "end")
        self.assertEqual(upload.patch(0, b"").status, 204)
        answer = upload.head()
        self.assertEqual(answer.headers["upload-complete"], "?0")
        self.acknowledges(upload.patch(answer.offset, STREAM[answer.offset:], complete=True), len(STREAM))
        self.holds(upload.run, STREAM)

    def test_a_completing_request_says_how_many_events_there_are(self):
        upload = self.begun(STREAM)
        for said in ("x", "-1", "1.0"):
            self.assertEqual(upload.patch(len(STREAM), complete=True, Upload_Events=said).status, 400)
        answer = upload.patch(len(STREAM), complete=True, Upload_Events="1")
        self.assertEqual((answer.status, answer.code, answer.offset), (409, "events", len(STREAM)), answer)
        self.assertEqual(upload.head().headers["upload-complete"], "?0")
        self.assertEqual(upload.event(1, {"offset": len(STREAM), "event": "exit", "status": 0}).status, 204)
        self.acknowledges(upload.patch(len(STREAM), complete=True, Upload_Events="1"), len(STREAM))
        self.acknowledges(upload.patch(len(STREAM), complete=True, Upload_Events="1"), len(STREAM))

    def test_an_unread_answer_loses_nothing(self):
        upload, at = self.begun(), 0
        while at < len(STREAM):
            some = STREAM[at:at + 6000]
            broken_off(upload.begin_patch(at, len(some), some), "end")  # all of it came, or was thrown away
            before, at = at, upload.patch(0, b"").offset
            self.assertGreaterEqual(at, before)
            self.kept_so_far(upload, at, before + len(some))
            at = upload.patch(at, STREAM[at:before + len(some)]).offset
        self.ends(upload, len(STREAM))
        self.holds(upload.run, STREAM)

    # ---- 10: lines and tails

    def test_a_line_may_be_cut_anywhere(self):
        expected = None
        for cut in range(len(SMALL) + 1):
            upload = self.begun()
            self.acknowledges(upload.patch(0, SMALL[:cut]), cut)
            self.acknowledges(upload.patch(cut, SMALL[cut:], complete=True), len(SMALL))
            self.assertEqual(upload.stream().body, SMALL)
            if self.daemon.folds:
                rows = without_views(self.daemon.rows(upload.run))
                for kind in rows.values():
                    for row in kind.values():
                        row.pop("run")
                expected = expected or rows
                self.assertEqual(rows, expected, cut)
        self.assertEqual(upload.stream().body, SMALL)

    def test_a_stream_may_come_byte_by_byte(self):
        upload, connection = self.begun(), Connection(self.address)
        self.addCleanup(connection.close)
        for at in range(len(SMALL)):
            self.acknowledges(upload.patch(at, SMALL[at:at + 1], connection=connection), at + 1)
        self.ends(upload, len(SMALL))
        self.holds(upload.run, SMALL)

    def test_a_last_line_without_newline_is_kept_and_folded_at_the_end(self):
        for data in (STREAM[:-1], STREAM[:-40], SMALL + b"killed", b"{", b"no line at all"):
            upload = self.begun(data)
            self.ends(upload, len(data))
            self.holds(upload.run, data)

    def test_a_tail_without_newline_lives_through_a_restart(self):
        cut = STREAM.index(b"\n", 4000) + 100
        upload = self.begun(STREAM[:cut])
        self.daemon.kill()
        self.daemon.start()
        at = upload.head().offset
        self.assertEqual(at, cut)
        self.acknowledges(upload.patch(at, STREAM[at:]), len(STREAM))
        self.ends(upload, len(STREAM))
        self.holds(upload.run, STREAM)

    def test_a_stream_of_several_runs_is_one_upload(self):
        data = recorded("pipeline-init-plan-apply-one-stream")
        upload, at = self.begun(), 0
        while at < len(data):
            at = upload.patch(at, data[at:at + 999]).offset
        self.ends(upload, len(data))
        self.holds(upload.run, data, over=False)
        if not self.daemon.folds:
            return
        path = os.path.join(self.home, upload.run + ".jsonl")
        with open(path, "wb") as file:
            file.write(data)
        printed = subprocess.run([TOFUD, "replay", "--rows", path], capture_output=True, env=self.env(), timeout=PATIENCE, check=True)
        expected = {}
        for row in map(json.loads, printed.stdout.splitlines()):
            if row["kind"] != "run":
                expected.setdefault(row["run"], {}).setdefault(row["kind"], {})[row["key"]] = row
        self.assertGreater(len(expected), 1)
        for run, rows in expected.items():
            self.assertEqual(without_views(self.daemon.rows(run)), rows)

    def test_an_empty_stream_is_a_run_too(self):
        upload = self.begun()
        self.acknowledges(upload.patch(0, b"", complete=True), 0)
        self.stands_at(upload, 0, complete=True)
        self.assertEqual(upload.stream().body, b"")

    # ---- 11: events

    def test_events_are_taken_in_order_and_again(self):
        upload = self.begun(STREAM[:1000])
        first = json.dumps({"offset": 0, "event": "label", "key": "branch", "value": "main"}).encode()
        second = json.dumps({"offset": 500, "event": "interrupt"}).encode()
        self.assertEqual(upload.event(1, first).status, 204)
        self.assertEqual(upload.event(1, first).status, 204)
        self.assertEqual(upload.event(2, second).status, 204)
        self.assertEqual(upload.event(1, first).status, 204)
        self.refuses(upload.event(1, second), 409, "event")
        self.refuses(upload.event(2, second + b" "), 409, "event")
        self.refuses(upload.event(4, {"offset": 900, "event": "interrupt"}), 409, "order")
        self.refuses(upload.event(3, {"offset": 499, "event": "interrupt"}), 409, "order")
        self.assertEqual(upload.event(3, {"offset": 500, "event": "interrupt"}).status, 204)
        self.daemon.kill()
        self.daemon.start()
        self.assertEqual(upload.event(1, first).status, 204)
        self.refuses(upload.event(1, second), 409, "event")
        self.refuses(upload.event(5, {"offset": 900, "event": "interrupt"}), 409, "order")
        self.assertEqual(upload.event(4, {"offset": 900, "event": "interrupt"}).status, 204)

    def test_an_event_may_come_before_its_bytes_and_takes_effect_with_them(self):
        upload = self.begun(STREAM[:1000])
        self.assertEqual(upload.event(1, {"offset": len(STREAM), "event": "exit", "status": 7}).status, 204)
        self.daemon.kill()
        self.daemon.start()
        if self.daemon.folds:
            view = self.view(upload.run)
            self.assertEqual((view["status"], view["exit_status"]), ("running", None))
        self.acknowledges(upload.patch(1000, STREAM[1000:], complete=True), len(STREAM))
        if self.daemon.folds:
            view = self.view(upload.run)
            self.assertEqual((view["status"], view["exit_status"]), ("failed", 7))
        kept = [json.loads(line) for line in ask(self.address, "GET", upload.path("events.jsonl")).body.splitlines()]
        self.assertEqual(kept[0]["event"], "begin")
        self.assertIn({"offset": len(STREAM), "event": "exit_status", "status": 7}, kept)
        self.assertEqual(kept[-1], {"offset": len(STREAM), "event": "end"})

    def test_a_run_that_is_complete_without_an_exit_status_has_one_inferred(self):
        upload = self.begun(STREAM)
        self.acknowledges(upload.patch(len(STREAM), b"", complete=True), len(STREAM))
        if self.daemon.folds:
            self.assertEqual(self.view(upload.run)["status"], "succeeded")
        self.holds(upload.run, STREAM)

    def test_events_of_an_unknown_name_are_stored_and_ignored(self):
        upload = self.begun()
        strange = {"offset": 3, "event": "eclipse", "of": ["the", "sun"], "deep": {"a": {"b": None}}}
        self.assertEqual(upload.event(1, strange).status, 204)
        self.acknowledges(upload.patch(0, SMALL), len(SMALL))
        self.ends(upload, len(SMALL), event=2)
        self.holds(upload.run, SMALL)

    def test_an_invalid_event_is_refused(self):
        upload = self.begun(SMALL)
        for body in (b"", b"{", b"[]", b"7", b"{}", b'{"event":"interrupt"}', b'{"offset":1}', b'{"offset":-1,"event":"interrupt"}',
                     b'{"offset":"1","event":"interrupt"}', b'{"offset":1.5,"event":"interrupt"}', b'{"offset":1,"event":7}',
                     b'{"offset":99999999999999999999999999,"event":"interrupt"}'):
            with self.subTest(body=body):
                self.refuses(upload.event(1, body), 400)
        for number in ("0", "-1", "x", "1.5", "99999999999999999999999"):
            with self.subTest(number=number):
                self.assertIn(upload.event(number, {"offset": 1, "event": "interrupt"}).status, (400, 404, 409))
        self.refuses(upload.event(2, {"offset": 1, "event": "interrupt"}), 409, "order")
        self.ends(upload, len(SMALL))

    # ---- 12: the end

    def test_completing_again_is_the_same(self):
        upload = self.begun(STREAM[:100])
        last = STREAM[100:]
        for _ in range(3):
            self.acknowledges(upload.patch(100, last, complete=True), len(STREAM))
        for _ in range(3):
            self.acknowledges(upload.patch(len(STREAM), b"", complete=True), len(STREAM))
        self.acknowledges(upload.patch(len(STREAM), b""), len(STREAM))
        self.daemon.kill()
        self.daemon.start()
        self.acknowledges(upload.patch(100, last, complete=True), len(STREAM))
        self.stands_at(upload, len(STREAM), complete=True)
        self.holds(upload.run, STREAM)

    def test_nothing_is_added_to_what_is_complete(self):
        upload = self.begun(STREAM)
        self.ends(upload, len(STREAM))
        self.refuses(upload.patch(len(STREAM), b"more\n"), 409, "complete", len(STREAM))
        self.refuses(upload.patch(len(STREAM), b"more\n", complete=True), 409, "complete", len(STREAM))
        self.refuses(upload.patch(len(STREAM) - 10, STREAM[-10:] + b"more\n"), 409, "complete", len(STREAM))
        self.stands_at(upload, len(STREAM), complete=True)
        self.holds(upload.run, STREAM)

    # ---- 13: keeping alive

    def test_an_empty_request_at_the_offset_keeps_alive_and_changes_nothing(self):
        upload = self.begun(STREAM[:1000])
        for _ in range(3):
            self.acknowledges(upload.patch(1000, b""), 1000)
        if self.daemon.folds:
            self.assertEqual(self.view(upload.run)["contact"], "ok")
        self.stands_at(upload, 1000)

    def test_a_silent_run_has_no_contact_then_is_lost_and_then_recovers(self):
        if not self.daemon.folds:
            self.skipTest("has no views")
        faults = self.daemon.start_with_faults()
        upload, other = self.begun(STREAM[:1000]), self.begun(STREAM[:1000])
        faults.hasten(200)  # a minute in 0.3 s
        until(lambda: self.view(upload.run)["contact"] == "none", "a minute of silence")
        self.assertEqual(self.view(upload.run)["status"], "running")
        until(lambda: upload.patch(1000, b"").status == 204 and self.view(upload.run)["contact"] == "ok", "contact again")
        until(lambda: self.view(upload.run)["contact"] == "lost", "a quarter of an hour of silence")
        self.assertEqual(self.view(upload.run)["status"], "lost")
        self.daemon.kill()
        self.daemon.start()
        until(lambda: self.view(other.run)["status"] == "lost", "the other is not forgotten")
        def is_found():
            self.acknowledges(upload.patch(1000, STREAM[1000:]), len(STREAM))
            view = self.view(upload.run)
            return (view["contact"], view["status"]) == ("ok", "running")
        until(is_found, "the lost one is heard again")
        self.ends(upload, len(STREAM))
        self.assertEqual(self.view(upload.run)["status"], "succeeded")
        self.holds(upload.run, STREAM)

    # ---- 14: what a forwarder is told

    def test_without_the_secret_no_bytes_are_changed(self):
        upload = self.begun(STREAM[:1000])
        for secret in (None, "", "0" * 64, upload.asked["upload_secret"][:-1], upload.asked["upload_secret"] + "0"):
            with self.subTest(secret=secret):
                self.refuses(upload.patch(1000, STREAM[1000:2000], Upload_Secret=secret), 401)
                fields = {} if secret is None else {"Upload-Secret": secret}
                self.assertEqual(ask(self.address, "HEAD", upload.path(), headers=fields).status, 401)
                self.refuses(ask(self.address, "PUT", upload.path("events/1"), b'{"offset":0,"event":"interrupt"}', fields), 401)
        self.stands_at(upload, 1000)
        other = self.begun()
        self.refuses(upload.patch(1000, b"", Upload_Secret=other.asked["upload_secret"]), 401)

    def test_an_unknown_run_is_404(self):
        upload = Upload(self.address)
        for run in ("20261121T0312-0000", "latest-one", "%2e%2e", "..%2F..%2Fetc", "a" * 300):
            upload.run = run
            with self.subTest(run=run):
                self.assertEqual(upload.head().status, 404)
                self.refuses(upload.patch(0, b"x"), 404)
                self.refuses(upload.event(1, {"offset": 0, "event": "interrupt"}), 404)
                self.refuses(upload.stream(), 404)

    def test_a_removed_run_is_gone_for_its_forwarder(self):
        upload, other = self.begun(STREAM[:1000]), self.begun(STREAM[:500])
        held = upload.begin_patch(1000, 2000, STREAM[1000:1500])
        self.addCleanup(held.close)
        self.assertEqual(ask(self.address, "DELETE", "/v1/runs/" + upload.run).status, 204)
        for _ in range(2):
            self.assertEqual(upload.head().status, 410)
            self.refuses(upload.patch(1000, STREAM[1000:]), 410)
            self.refuses(upload.event(1, {"offset": 0, "event": "interrupt"}), 410)
            self.refuses(upload.create(), 410)
            self.assertIn(upload.stream().status, (404, 410))
            self.daemon.kill()
            self.daemon.start()
        self.stands_at(other, 500)

    def test_a_finished_run_can_be_removed_too(self):
        upload = self.begun(SMALL)
        self.ends(upload, len(SMALL))
        self.assertEqual(ask(self.address, "DELETE", "/v1/runs/" + upload.run).status, 204)
        self.refuses(upload.create(), 410)
        self.assertIn(ask(self.address, "DELETE", "/v1/runs/" + upload.run).status, (404, 410))

    def test_a_request_without_a_valid_offset_is_refused(self):
        upload = self.begun(STREAM[:1000])
        for offset in (None, "", "x", "-1", "1.5", "0x10", "99999999999999999999999999", "10,10"):
            with self.subTest(offset=offset):
                self.refuses(upload.patch(1000, STREAM[1000:2000], Upload_Offset=offset), 400)
        self.acknowledges(upload.patch(1000, b"", Upload_Complete="?0"), 1000)
        for complete in ("1", "true", "?2"):
            with self.subTest(complete=complete):
                self.refuses(upload.patch(1000, b"", Upload_Complete=complete), 400)
        self.stands_at(upload, 1000)

    def test_an_unknown_route_is_refused_with_a_sentence(self):
        upload = self.begun()
        for method, path in (("GET", "/v1/nothing"), ("POST", "/v1/runs/x/y/z"), ("PATCH", "/"), ("PUT", "/v2/runs")):
            with self.subTest(method=method, path=path):
                self.assertIn(ask(self.address, method, path, b"{}").status, (404, 405))
        for method, path in (("DELETE", upload.path()), ("POST", upload.path()), ("POST", upload.path("events/1")),
                             ("PATCH", "/v1/runs"), ("DELETE", "/v1/runs")):
            with self.subTest(method=method, path=path):
                answer = ask(self.address, method, path, b"{}", upload.secret())
                self.assertEqual(answer.status, 405, answer)
                self.assertIn("allow", answer.headers)

    def test_a_run_above_the_limit_waits(self):
        daemon, limit = self.with_few_runs()
        uploads = [Upload(daemon.tcp) for _ in range(limit)]
        connection = Connection(daemon.tcp)
        self.addCleanup(connection.close)
        for upload in uploads:
            self.assertEqual(upload.create(connection).status, 201)
        more = Upload(daemon.tcp)
        answer = more.create(connection)
        self.refuses(answer, 429)
        self.assertGreaterEqual(int(answer.headers["retry-after"]), 0)
        self.assertEqual(uploads[0].create(connection).status, 200)  # those that are there go on
        self.acknowledges(uploads[0].patch(0, SMALL, complete=True), len(SMALL))
        until(lambda: more.create().status == 201, "there is room again")

    # ---- 15: a disk that refuses

    def test_bytes_that_the_disk_refuses_are_not_acknowledged(self):
        faults = self.daemon.start_with_faults()
        for fault in ({"write_error": "ENOSPC"}, {"write_error": "EIO"}, {"sync_error": "EIO"}, {"sync_error": "ENOSPC"}, {"room": 700}):
            with self.subTest(fault=fault):
                upload = self.begun(STREAM[:1000])
                faults.set(**fault)
                answer = upload.patch(1000, STREAM[1000:9000])
                self.refuses(answer, 507, offset=None)
                self.stands_at(upload, 1000)
                self.refuses(upload.patch(500, STREAM[500:9000]), 507)
                self.acknowledges(upload.patch(1000, b""), 1000)  # nothing to store
                self.assertEqual(upload.stream().body, STREAM[:1000])
                self.assertGreater(faults.refused(), 0)
                faults.set()
                until(lambda: upload.patch(1000, STREAM[1000:]).status == 204, "the disk takes it again")
                self.ends(upload, len(STREAM))
                self.holds(upload.run, STREAM)

    def test_a_daemon_killed_while_its_disk_is_full_has_what_it_acknowledged(self):
        faults = self.daemon.start_with_faults()
        upload = self.begun(STREAM[:5000])
        faults.set(room=2500)
        self.refuses(upload.patch(5000, STREAM[5000:]), 507)
        self.daemon.kill()
        faults.set()
        self.daemon.start()
        at = upload.head().offset
        self.assertGreaterEqual(at, 5000)
        self.assertEqual(upload.stream().body, STREAM[:at])
        self.acknowledges(upload.patch(at, STREAM[at:]), len(STREAM))
        self.ends(upload, len(STREAM))
        self.holds(upload.run, STREAM)

    # ---- 16: without a forwarder

    def test_a_whole_stream_can_be_put(self):
        for body in (STREAM, iter([STREAM[:3000], STREAM[3000:3001], STREAM[3001:]])):
            answer = ask(self.address, "PUT", "/v1/runs?stack=net%2Fprod&label=pr=12&label=branch=main&command=apply", body)
            self.assertEqual(answer.status, 201, answer)
            data = self.daemon.redacted(STREAM)
            self.assertEqual(answer.json["bytes"], len(data))
            self.holds(answer.json["run"], data)
            if self.daemon.folds:
                self.assertEqual(answer.json["status"], "succeeded")
                view = self.view(answer.json["run"])
                self.assertEqual((view["stack"], view["labels"], view["command"]), ("net/prod", {"pr": "12", "branch": "main"}, "apply"))

    def test_curl_puts_what_a_pipe_brings(self):
        source = ["-sS", "-T", "-", "%sv1/runs?stack=net" % self.daemon.url]
        for more in ([], ["-H", "Expect: 100-continue"], ["--unix-socket", self.daemon.socket]):
            done = subprocess.run(["curl", *source, *more], input=STREAM, capture_output=True, timeout=PATIENCE, check=True)
            self.holds(json.loads(done.stdout)["run"], self.daemon.redacted(STREAM))

    def test_a_stream_that_is_put_is_there_while_it_comes(self):
        lines = STREAM.splitlines(keepends=True)
        process = subprocess.Popen(["curl", "-sSNT", "-", self.daemon.url + "v1/runs?stack=slow"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        process.stdin.write(b"".join(lines[:10]))
        process.stdin.flush()
        if self.daemon.folds:
            listed = until(lambda: [run for run in json.loads(ask(self.address, "GET", "/v1/runs").body)["runs"]
                                    if run["stack"] == "slow"], "the run")
            self.assertEqual(listed[0]["status"], "running")
            until(lambda: ask(self.address, "GET", "/v1/runs/%s/stream.jsonl" % listed[0]["key"]).body.count(b"\n") == 10, "ten lines")
        process.stdin.write(b"".join(lines[10:]))
        process.stdin.close()
        self.holds(json.loads(process.stdout.read())["run"], self.daemon.redacted(STREAM))

    def runs_of(self, stack):
        return [run for run in json.loads(ask(self.address, "GET", "/v1/runs").body)["runs"] if run["stack"] == stack]

    def test_a_stream_that_breaks_off_while_it_is_put_is_lost(self):
        if not self.daemon.folds:
            self.skipTest("has no list of runs")
        sock = connect(self.address)
        sock.sendall(head_of("PUT", "/v1/runs?stack=broken", {"Host": "localhost", "Content-Length": len(STREAM)}) + STREAM[:6000])
        until(lambda: self.runs_of("broken"), "the run")
        broken_off(sock, "reset")
        lost = until(lambda: [run for run in self.runs_of("broken") if run["status"] != "running"], "its end")[0]
        self.assertEqual(lost["status"], "lost")
        got = ask(self.address, "GET", "/v1/runs/%s/stream.jsonl" % lost["key"]).body
        self.assertTrue(STREAM.startswith(got[:got.rindex(b"\n") + 1]), got[-200:])

    def raw(self, data, cut=()):
        sock = connect(self.daemon.socket)
        for begin, end in zip([0, *cut], [*cut, len(data)]):
            sock.sendall(data[begin:end])
            time.sleep(0.05 if cut else 0)
        sock.shutdown(socket.SHUT_WR)
        while sock.recv(4096):
            pass
        sock.close()

    def test_raw_bytes_on_the_unix_socket_are_a_run(self):
        named = json.dumps({"tofud": {"stack": "raw/named", "labels": {"pr": "12"}, "command": "apply"}}).encode() + b"\n"
        if not self.daemon.folds:
            before = set(os.listdir(os.path.join(self.daemon.state_dir, "daemon")))
            self.raw(named + STREAM)
            self.raw(STREAM, [1, 2, 3000])
            new = set(os.listdir(os.path.join(self.daemon.state_dir, "daemon"))) - before
            self.assertEqual(len(new), 2)
            for run in new:
                self.holds(run, STREAM)
            return
        self.raw(named + STREAM)
        run = until(lambda: [run for run in self.runs_of("raw/named") if run["status"] != "running"], "the run")[0]
        self.assertEqual((run["status"], run["labels"], run["command"]), ("succeeded", {"pr": "12"}, "apply"))
        self.holds(run["key"], self.daemon.redacted(STREAM))
        for cut in ([1, 2], [len(named) - 1, len(named), len(named) + 1], [5, len(named) + 100]):
            self.raw(named.replace(b"raw/named", b"raw/cut-%d" % cut[-1]) + STREAM, cut)
            run = until(lambda: [run for run in self.runs_of("raw/cut-%d" % cut[-1]) if run["status"] != "running"], "the run")[0]
            self.holds(run["key"], self.daemon.redacted(STREAM))

    def test_raw_bytes_need_no_name(self):
        if not self.daemon.folds:
            self.skipTest("has no list of runs")
        before = {run["key"] for run in json.loads(ask(self.address, "GET", "/v1/runs").body)["runs"]}
        for data in (STREAM, b"GETTING started\n" + STREAM, b"\n" + STREAM, b"no newline"):
            self.raw(data)
            run = until(lambda: [run for run in json.loads(ask(self.address, "GET", "/v1/runs").body)["runs"]
                                 if run["key"] not in before and run["status"] != "running"], "the run")[0]
            before.add(run["key"])
            self.holds(run["key"], self.daemon.redacted(data))

    def test_a_netcat_is_enough(self):
        if not self.daemon.folds:
            self.skipTest("has no list of runs")
        line = b'{"tofud":{"stack":"by/nc"}}\n'
        subprocess.run(["nc", "-NU", self.daemon.socket], input=line + STREAM, capture_output=True, timeout=PATIENCE, check=True)
        run = until(lambda: [run for run in self.runs_of("by/nc") if run["status"] != "running"], "the run")[0]
        self.holds(run["key"], self.daemon.redacted(STREAM))

    # ---- reading what is kept

    def test_the_stored_bytes_can_be_read_from_any_offset_and_followed(self):
        upload = self.begun(STREAM[:3000])
        self.assertEqual(ask(self.address, "GET", upload.path("stream.jsonl?from=1234")).body, STREAM[1234:3000])
        self.assertEqual(ask(self.address, "GET", upload.path("stream.jsonl?from=3000")).body, b"")
        follower = subprocess.Popen(["curl", "-sSN", "%s%s" % (self.daemon.url[:-1], upload.path("stream.jsonl?follow=1&from=10"))],
                                    stdout=subprocess.PIPE)
        self.addCleanup(follower.wait)
        self.addCleanup(follower.stdout.close)
        self.addCleanup(follower.kill)
        for at in range(3000, len(STREAM), 9000):
            self.acknowledges(upload.patch(at, STREAM[at:at + 9000]), len(STREAM[:at + 9000]))
        self.ends(upload, len(STREAM))
        self.assertEqual(follower.stdout.read(), STREAM[10:])
        self.assertEqual(ask(self.address, "GET", upload.path("stream.jsonl?from=1234")).body, STREAM[1234:])


class OfTheReference(Rules, EndToEnd):
    daemon_kind = Reference

    def with_few_runs(self):
        return Reference(self, "--max-runs", "5", name="few"), 5


class OfTofud(Rules, EndToEnd):
    daemon_kind = Tofud

    def with_few_runs(self):
        return Tofud(self, "--limits-live-runs", "5", name="few"), 5

    def test_the_last_bytes_are_whole_lines(self):
        upload = self.begun(STREAM)
        begin = STREAM.index(b"\n", len(STREAM) // 2) + 1
        behind = STREAM.index(b"\n", begin) + 1
        for last, first in ((len(STREAM) - begin, begin), (len(STREAM) - begin - 1, behind), (len(STREAM), 0), (len(STREAM) + 1, 0), (0, len(STREAM))):
            answer = ask(self.address, "GET", upload.path("stream.jsonl?last=%d" % last))
            self.assertEqual(answer.body, STREAM[first:])
            self.assertEqual(answer.headers["stream-offset"] == "0", first == 0)
        self.assertEqual(ask(self.address, "GET", upload.path("stream.jsonl?last=1&from=1")).status, 400)


if __name__ == "__main__":
    unittest.main(verbosity=2)
