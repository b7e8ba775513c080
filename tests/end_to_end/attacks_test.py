#!/usr/bin/python3
"""Attacks on a daemon that worked once, each from outside: what a client without a token, a reader or a sender can do to everybody else.

No test here knows how fast a machine is. What things cost is counted in tests/growth; who held the daemon's loop is found at the end of every
test (binary.py), by what its thread used of the processor."""
import gzip
import json
import os
import pathlib
import resource
import socket
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../upload"))

import client
from asking import Asking, bearer
from binary import PATIENCE, ndjson, sanitized, until

MORE = 4           # times as large is the second of two attacks
NO_SQUARE = 8      # times as dear may it be: between a line and a square
TOO_LITTLE = 0.1   # seconds of processor: whoever uses less costs nobody anything, and can't be measured
AT_ONCE = 2        # seconds: who waits less was not held up, whatever else a busy machine does


def line(number=0, **fields):
    return json.dumps({"@level": "info", "@message": "m", "@module": "tofu.ui", "@timestamp": "2026-11-21T05:23:37.%06dZ" % (number % 1000000),
                       **fields}).encode() + b"\n"


VERSION = line(type="version", tofu="1.12.6", ui="1.2")
RESOURCE = {"addr": "a_b.c", "module": "", "resource": "a_b.c", "implied_provider": "a", "resource_type": "a_b", "resource_name": "c", "resource_key": None}


class Attacks(Asking):
    def worst_wait(self, daemon, until_over):
        """The longest time that somebody else waited for an answer while something went on."""
        worst = 0
        while not until_over():
            began = time.monotonic()
            self.assertEqual(daemon.status("GET", "/healthz"), 200)
            worst = max(worst, time.monotonic() - began)
        return worst

    def costs_no_square(self, used, work, name=""):
        """A work of a size and one of four times that size: `used()` tells the processor's seconds so far."""
        costs = []
        for times in (1, MORE):
            before = used()
            work(times)
            costs.append(max(TOO_LITTLE, used() - before))
        self.assertLess(costs[1], NO_SQUARE * costs[0], name)

    def keeps_nobody_waiting(self, daemon, work, name=""):
        """Somebody else is answered while the daemon works."""
        began = time.monotonic()
        worst = self.beside(daemon, work)
        self.assertLess(worst, max(AT_ONCE, (time.monotonic() - began) / 3), name)

    def beside(self, daemon, work):
        failed = []

        def run():
            try:
                work()
            except Exception as problem:  # seen in the test's own thread
                failed.append(problem)
        thread = threading.Thread(target=run)
        thread.start()
        worst = self.worst_wait(daemon, lambda: not thread.is_alive())
        self.assertEqual(failed, [])
        return worst

    # ---- 1, 21, 28: who has shown nothing -----------------------------------------------------

    def test_pipelined_requests_without_a_token_leave_the_loop_to_others(self):
        daemon = self.serve()
        flood = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nVia: 1.1 x\r\n\r\n" % daemon.port * 4000
        stop = time.monotonic() + 3 * AT_ONCE

        def attack():
            with socket.create_connection(("127.0.0.1", daemon.port)) as sock:
                sock.settimeout(0.2)
                threading.Thread(target=lambda: self.read_all(sock), daemon=True).start()
                while time.monotonic() < stop:
                    try:
                        sock.send(flood)
                    except TimeoutError:
                        pass
        self.keeps_nobody_waiting(daemon, attack)

    def read_all(self, sock):
        try:
            while sock.recv(1 << 20):
                pass
        except OSError:
            pass

    def test_empty_lines_before_a_request_are_refused_after_a_few(self):
        daemon = self.serve()
        for count, status in ((8, b"200"), (9, b"400")):
            with socket.create_connection(("127.0.0.1", daemon.port), PATIENCE) as sock:
                sock.sendall(b"\r\n" * count + b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % daemon.port)
                self.assertEqual(sock.recv(100).split()[1], status, count)

    def test_idle_connections_without_a_token_leave_places_to_viewers(self):
        daemon = self.serve("--limits-connections", "200")
        run = daemon.put_run()
        idle = []
        self.addCleanup(lambda: [sock.close() for sock in idle])
        ask = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nVia: 1.1 x\r\n\r\n" % daemon.port
        for _ in range(320):
            sock = self.without_token(daemon)
            sock.sendall(ask)
            sock.recv(1000)
            idle.append(sock)
        self.assertEqual(daemon.status("GET", "/v1/runs/" + run), 200)

    def without_token(self, daemon):
        """Connected by another user of this machine, if we may be one."""
        if os.geteuid() != 0:
            self.skipTest("to connect as another user takes root")
        ours, theirs = socket.socketpair()
        child = os.fork()
        if child == 0:
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            made = socket.create_connection(("127.0.0.1", daemon.port))
            socket.send_fds(theirs, [b"x"], [made.fileno()])
            os._exit(0)
        _, fds, _, _ = socket.recv_fds(ours, 1, 1)
        os.waitpid(child, 0)
        ours.close()
        theirs.close()
        return socket.socket(fileno=fds[0])

    # ---- 2, 3, 19: what costs the square ------------------------------------------------------

    def attach(self, daemon, run, part, document):
        self.assertEqual(daemon.status("PUT", "/v1/runs/%s/attachments/%s" % (run, part), body=document), 204)

    def open_run(self, daemon, data=VERSION):
        """A whole stream that goes on: its socket, its id."""
        def keys():
            return {run["key"] for run in daemon.ask("GET", "/v1/runs").json()["runs"]}
        before = keys()
        sock = socket.socket(socket.AF_UNIX)
        sock.connect(daemon.socket)
        sock.sendall(data)
        self.addCleanup(sock.close)
        return sock, until(lambda: keys() - before, "the run is there").pop()

    def test_a_diff_of_long_lists_holds_no_loop(self):
        daemon = self.serve()

        def objects(seed, count):
            return [{"k%d" % k: "%s-%d-%d" % (seed, i, k) for k in range(20)} for i in range(count)]

        def planned():
            change = {"actions": ["update"], "before": {"l": objects("old", 4000)}, "after": {"l": objects("new", 4000)},
                      "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}
            plan = {"format_version": "1.2", "terraform_version": "1.12.6", "planned_values": {"root_module": {}}, "configuration": {"root_module": {}},
                    "resource_changes": [{"address": "a_b.c", "mode": "managed", "type": "a_b", "name": "c", "provider_name": "x/y/a", "change": change}]}
            _, run = self.open_run(daemon)
            self.attach(daemon, run, "plan", json.dumps(plan).encode())
            until(lambda: daemon.status("GET", "/v1/runs/%s/diff?addr=a_b.c" % run) == 200, "the plan is there")
            return run
        run = planned()
        for path in ("diff?addr=a_b.c&from=1", "plan", "plan?format=md", "export?format=md"):
            self.assertEqual(daemon.status("GET", "/v1/runs/%s/%s" % (run, path)), 200, path)

    def test_a_line_of_many_outputs_holds_no_loop(self):
        daemon = self.serve()
        many = 40000
        outputs = {"o%d" % i: {"sensitive": False, "type": "string", "value": "v"} for i in range(many)}
        run = daemon.put_run(VERSION + line(type="outputs", outputs=outputs) + line(type="outputs", outputs=outputs))
        self.assertEqual(daemon.status("GET", "/v1/runs/%s/row?kind=output&key=o%d" % (run, many - 1)), 200)

    def test_filters_of_long_addresses_hold_no_loop(self):
        daemon = self.serve()
        def resource(number):
            name = "a" * 8000 + str(number)
            return {"addr": "a_b." + name, "module": "", "resource": "a_b." + name, "implied_provider": "a", "resource_type": "a_b", "resource_name": name,
                    "resource_key": None}
        run = daemon.put_run(VERSION + b"".join(line(i, type="planned_change", change={"resource": resource(i), "action": "create"}) for i in range(4000)))
        for pattern in ("*%s*b" % ("a" * 6000), "*".join("a" * 3000), "&addr=".join("*%d*x" % i for i in range(60))):
            said = ndjson(daemon.url + "v1/stream?end=close&run=%s&addr=%s" % (run, pattern))
            self.assertEqual([each for each in said if each["kind"] == "resource" and pattern.endswith(("b", "x"))], [])
            self.assertEqual(said[-1]["kind"], "at")

    def steps(self, kind, many, **hook):
        """Lines of one kind about one address, each with an id of its own."""
        return b"".join(line(i, type=kind, hook={"resource": RESOURCE, **{name: make(i) for name, make in hook.items()}}) for i in range(many))

    def test_steps_and_provisioners_of_one_address_hold_no_loop(self):
        # What they cost in all is counted in tests/growth; here no turn may be long.
        daemon = self.serve()

        def starts(many):
            return self.steps("refresh_start", many, id_key=lambda i: "id", id_value=str)

        def ends_in_another_order(many):
            return starts(many) + self.steps("refresh_complete", many, id_key=lambda i: "id", id_value=lambda i: str(many - i))

        def all_fail_at_once(many):
            return starts(many) + line(type="diagnostic", diagnostic={"severity": "error", "summary": "s", "detail": "d", "address": "a_b.c"})

        def provisioners(many):
            return (self.steps("apply_start", 1, action=lambda i: "create") + self.steps("provision_start", many, provisioner="p{}".format)
                    + self.steps("provision_progress", many, provisioner="p{}".format, output=lambda i: "x"))
        for stream in (ends_in_another_order, all_fail_at_once, starts, provisioners):
            run = daemon.put_run(VERSION + stream(60000))
            self.assertEqual(daemon.status("GET", "/v1/runs/%s/row?kind=resource&key=a_b.c" % run), 200, stream.__name__)

    def test_steps_of_one_address_cost_no_cube_with_a_configuration(self):
        config = pathlib.Path(self.home, "config")
        config.mkdir()
        (config / "main.tf").write_text('resource "a_b" "c" {\n  provisioner "local-exec" {\n    when = destroy\n    command = "true"\n  }\n}\n')
        stream = pathlib.Path(self.home, "steps.jsonl")

        def replay(times):
            stream.write_bytes(VERSION + self.steps("apply_start", 1500 * times, action=lambda i: "delete"))
            rows = self.tofud("replay", "--rows", str(stream), "--config", str(config))[0]
            self.assertIn('"declared":1', rows)

        def used():
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime
        self.costs_no_square(used, replay)

    # ---- 4, 7, 18: memory -----------------------------------------------------------------------

    def rss(self, daemon):
        with open("/proc/%d/status" % daemon.running.process.pid) as status:
            return next(int(text.split()[1]) for text in status if text.startswith("VmRSS")) / 1024

    @unittest.skipIf(sanitized(), "what a sanitizer keeps says nothing")
    def test_distinct_cursors_and_times_leave_nothing_behind(self):
        daemon = self.serve()
        daemon.put_run()
        connection = daemon.connection()

        def ask(path):
            connection.request("GET", path)
            connection.getresponse().read()
        for i in range(500):
            ask("/v1/runs?cursor=%d:x" % i)
        before = self.rss(daemon)
        for i in range(500, 4500):
            ask("/v1/runs?cursor=%d:x" % i)
            ask("/v1/runs?since=2026-11-21T05:23:37.%06dZ" % i)
        connection.close()
        self.assertLess(self.rss(daemon) - before, 8)  # it was 34 MiB

    @unittest.skipIf(sanitized(), "what a sanitizer keeps says nothing")
    def test_slow_readers_of_old_lines_do_not_hold_a_fold_each(self):
        daemon = self.serve()
        stream = VERSION + b"".join(line(i, type="diagnostic", diagnostic={"severity": "warning", "summary": "w%d" % i, "detail": "d" * 100}) for i in range(60000))
        stream += b"".join(line(i, type="provision_progress", hook={"resource": RESOURCE, "provisioner": "local-exec", "output": "x" * 200}) for i in range(20000))
        run = daemon.put_run(stream)
        before = self.rss(daemon)
        readers = []
        self.addCleanup(lambda: [sock.close() for sock in readers])
        statuses = []
        for _ in range(12):
            sock = socket.socket()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.connect(("127.0.0.1", daemon.port))
            sock.sendall(b"GET /v1/runs/%s/log HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (run.encode(), daemon.port))
            sock.settimeout(PATIENCE)
            statuses.append(sock.recv(12).split()[1])
            readers.append(sock)
        self.assertEqual(statuses, [b"200"] * 8 + [b"503"] * 4)
        time.sleep(1)
        self.assertLess(self.rss(daemon) - before, 250)  # it was 76 MiB each

    @unittest.skipIf(sanitized(), "what a sanitizer keeps says nothing")
    def test_long_texts_are_cut_when_they_come_and_read_whole_from_the_journal(self):
        daemon = self.serve()
        before = self.rss(daemon)
        detail = "".join("line %d of a very long text\n" % i for i in range(30000))
        stream = VERSION + b"".join(line(i, type="diagnostic", diagnostic={"severity": "warning", "summary": "w%d" % i, "detail": detail}) for i in range(100))
        run = daemon.put_run(stream)
        self.assertLess(self.rss(daemon) - before, 60)  # the stream has 85 MB
        row = json.loads(daemon.ask("GET", "/v1/runs/%s/row?kind=diagnostic&key=77" % run).body)
        self.assertEqual(row["detail"], detail)
        cut = next(row for row in daemon.ask("GET", "/v1/runs/" + run).json()["rows"] if row["key"] == "77")
        self.assertTrue(cut["truncated"] and detail.startswith(cut["detail"]) and cut["bytes"] > len(detail), cut["bytes"])

    # ---- 9: the middle of a compressed stream ----------------------------------------------------

    def test_the_end_of_a_compressed_stream_is_read_without_its_beginning(self):
        daemon = self.serve()
        stream = VERSION + b"".join(line(i, type="log", n=i, pad="p" * 900) for i in range(100000))
        run = daemon.put_run(stream)
        kept = os.path.join(daemon.state_dir, "daemon/runs", run)
        packed = until(lambda: os.path.exists(kept + "/stream.jsonl.gz") and kept + "/stream.jsonl.gz", "the journal has packed it")
        with gzip.open(packed) as file:
            self.assertTrue(file.read() == stream, "it is one gzip file for everybody else")

        def tail():
            answer = daemon.ask("GET", "/v1/runs/%s/stream.jsonl?last=5000" % run)
            self.assertTrue(stream.endswith(answer.body) and answer.body)
        began = time.monotonic()
        for _ in range(20):
            tail()
        quick = time.monotonic() - began
        os.unlink(kept + "/stream.places")
        began = time.monotonic()
        for _ in range(20):
            tail()
        self.assertLess(quick * 4, time.monotonic() - began)
        answer = daemon.ask("GET", "/v1/runs/%s/stream.jsonl?from=%d" % (run, len(stream) // 2))
        self.assertTrue(stream.endswith(answer.body))

    # ---- 11, 12: other people's runs --------------------------------------------------------------

    def test_a_sender_of_many_runs_pushes_out_its_own(self):
        daemon = self.serve("--retain-runs", "20")
        victims = [daemon.put_run(path="/v1/runs?stack=victim") for _ in range(8)]
        token = self.token(daemon, "--scope", "ingest")
        for i in range(60):  # a stack each: the newest of a stack stay longest
            daemon.ask("PUT", "/v1/runs?stack=s%d" % i, bearer(token), body=b"{}\n")
        for i in range(20):  # and some that never end
            upload = client.Upload(("127.0.0.1", daemon.port), stack="open%d" % i)
            upload.bearer = bearer(token)
            self.assertEqual(upload.create().status, 201)
            self.assertEqual(upload.patch(0, b"{}\n").status, 204)
        # The next look at what is kept long enough comes with a start.
        daemon.stop()
        again = self.serve("--retain-runs", "20", state_dir=daemon.state_dir, name="again")
        until(lambda: len(again.ask("GET", "/v1/runs?limit=100").json()["runs"]) <= 40, "there are no more than may be")
        for victim in victims:
            self.assertEqual(again.status("GET", "/v1/runs/" + victim), 200)

    def test_new_runs_of_one_sender_come_at_a_bounded_rate(self):
        daemon = self.serve()
        token = self.token(daemon, "--scope", "ingest")
        connection = daemon.connection()
        statuses = []
        for _ in range(560):
            connection.request("PUT", "/v1/runs?stack=x", b"{}\n", bearer(token))
            answer = connection.getresponse()
            answer.read()
            statuses.append(answer.status)
        connection.close()
        self.assertEqual(set(statuses), {201, 429})
        self.assertGreaterEqual(statuses.index(429), 500)

    def test_latest_is_the_run_that_came_last(self):
        daemon = self.serve()
        for _ in range(12):
            run = daemon.put_run()
            self.assertEqual(daemon.ask("GET", "/v1/runs/latest").json()["run"]["key"], run)

    def test_a_wish_for_an_id_of_the_future_is_not_granted(self):
        daemon = self.serve()
        now = time.strftime("%Y%m%dT%H%M", time.gmtime())
        for wish, granted in (("99991231T2359-ffff", False), ("20260101T0000-0000", True), ("20260231T0000-0000", False), (now + "-beef", True)):
            asked = {"protocol": "1.0", "id": wish, "upload_id": "%032x" % len(wish + now + str(granted) + wish), "upload_secret": "s" * 64,
                     "rules": "sha256:" + "0" * 64, "stack": wish, "labels": {}, "argv_command": "apply", "started_at": "2026-11-21T05:00:00Z"}
            asked["upload_id"] = os.urandom(16).hex()
            answer = daemon.ask("POST", "/v1/runs", {"Content-Type": "application/json"}, asked)
            self.assertEqual(answer.json()["run"] == wish, granted, answer)

    def test_last_is_the_newest_of_what_is_here_and_there_within_a_minute(self):
        daemon = self.serve()
        at = ("--server", "unix:" + daemon.socket, "--state-dir", self.state_dir)
        for number in range(6):
            for newest in ("here", "there"):
                for place in sorted(("here", "there"), key=lambda each: each == newest):
                    if place == "here":
                        self.run_through(VERSION, "--no-server", "--stack", "here")
                    else:
                        daemon.put_run(path="/v1/runs?stack=there")
                rows = [json.loads(row) for row in self.tofud("export", "last", "--format", "ndjson", *at)[0].splitlines()]
                self.assertEqual([row["stack"] for row in rows if row["kind"] == "run"], [newest], number)

    # ---- 13: tickets ------------------------------------------------------------------------------

    def test_a_ticket_logs_in_its_asker_alone_and_only_to_read(self):
        daemon = self.serve()
        link = daemon.ask("POST", "/v1/session/links").json()
        sock = self.without_token(daemon)
        body = json.dumps({"ticket": link["ticket"]}).encode()
        sock.sendall(b"POST /v1/session HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                     % (daemon.port, len(body)) + body)
        self.assertEqual(sock.recv(12).split()[1], b"401")
        sock.close()
        answer = daemon.ask("POST", "/v1/session", {"Content-Type": "application/json"}, body)
        self.assertEqual(answer.status, 204)
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        self.assertEqual(daemon.ask("GET", "/v1/session", {"Cookie": cookie}).json()["scopes"], "read")

    # ---- 16: proxies of this machine ----------------------------------------------------------------

    def test_a_loopback_proxy_is_believed_as_its_user(self):
        daemon = self.serve("--trusted-proxy", "127.0.0.1@www-data", "--user-header", "X-Forwarded-User")
        self.assertEqual(daemon.status("GET", "/v1/runs", {"X-Forwarded-User": "alice"}), 401)
        own = self.serve("--trusted-proxy", "127.0.0.1@%d" % os.geteuid(), "--user-header", "X-Forwarded-User", name="own")
        self.assertEqual(own.status("GET", "/v1/runs", {"X-Forwarded-User": "alice"}), 200)
        bare = self.serve("--trusted-proxy", "127.0.0.1", "--user-header", "X-Forwarded-User", name="bare")
        self.assertIn(b"127.0.0.1@www-data", bare.stop())


if __name__ == "__main__":
    unittest.main(verbosity=2)
