#!/usr/bin/python3
"""The daemon as a service: what it tells its manager, the sockets it is given, its log, its metrics, how it stops."""
import json
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import time
import unittest
import urllib.error
import urllib.parse

from binary import PATIENCE, TOFUD, EndToEnd, Running, catches, curl, free_port, get, recorded, until


class Manager:
    """The receiving end of NOTIFY_SOCKET."""

    def __init__(self, directory):
        self.path = os.path.join(directory, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(PATIENCE)

    def next(self):
        return dict(line.split("=", 1) for line in self.socket.recv(4096).decode().splitlines())

    def what_came(self):
        """All that is there by now."""
        said = []
        while select.select([self.socket], [], [], 0)[0]:
            said.append(self.next())
        return said

    def wait_for(self, key):
        """The first message from now on that has it, and those before it."""
        before = []
        while True:
            said = self.next()
            if key in said:
                return said, before
            before.append(said)


def status_of(url):
    try:
        get(url)
        return 200
    except urllib.error.HTTPError as answer:
        return answer.code


def ask(port, text):
    """A request by hand, and its answer to the end of the connection."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain:
        plain.sendall(text.encode())
        plain.shutdown(socket.SHUT_WR)
        answer = b""
        while True:
            piece = plain.recv(65536)
            if not piece:
                return answer.decode()
            answer += piece


class Service(EndToEnd):
    def setUp(self):
        super().setUp()
        self.local = os.path.join(self.home, "tofud.sock")

    def serve(self, *args, listen=("--listen", "127.0.0.1:0"), prefix=(), **env):
        argv = [*prefix, TOFUD, "serve", *listen, "--socket", self.local, "--state-dir", self.state_dir, *args]
        return self.kept(Running(argv, self.env(**env), stdin=subprocess.DEVNULL))

    def send(self, daemon, data, stack="net/prod"):
        """A whole stream, as curl sends it. The run's id."""
        sent = subprocess.run(["curl", "-sST", "-", daemon.url + "v1/runs?stack=" + stack], input=data, capture_output=True,
                              check=True, timeout=PATIENCE)
        return json.loads(sent.stdout)["run"]

    def terminate(self, daemon):
        daemon.process.send_signal(signal.SIGTERM)
        return daemon.wait()


class Notified(Service):
    def setUp(self):
        super().setUp()
        self.manager = Manager(self.home)
        self.addCleanup(self.manager.socket.close)

    def start(self, **env):
        daemon = self.serve(NOTIFY_SOCKET=self.manager.path, **env)
        daemon.wait_for_url()
        return daemon

    def test_it_says_when_it_is_ready_reloads_and_stops(self):
        daemon = self.start()
        ready, before = self.manager.wait_for("READY")
        self.assertEqual((ready, before), ({"READY": "1", "STATUS": "0 runs, 0 viewers"}, []))
        self.assertEqual(status_of(daemon.url + "readyz"), 200)
        daemon.process.send_signal(signal.SIGHUP)
        reloading, _ = self.manager.wait_for("RELOADING")
        self.assertGreater(int(reloading["MONOTONIC_USEC"]), 0)
        self.assertEqual(self.manager.wait_for("READY")[0]["READY"], "1")
        self.assertEqual(self.terminate(daemon), 0)
        self.assertEqual(self.manager.wait_for("STOPPING")[0]["STOPPING"], "1")

    def test_it_is_ready_when_the_runs_that_go_on_are_back(self):
        daemon = self.start()
        sending = self.pipe("--server", daemon.url[:-1], "--progress", "none", listen=False)
        sending.write(b"".join(recorded("apply-slow-progress").splitlines(keepends=True)[:20]))
        until(lambda: b"tofud_runs_active 1\n" in get(daemon.url + "metrics"), "the run")
        daemon.process.kill()
        daemon.wait()
        self.manager.what_came()
        again = self.start()
        self.assertEqual(self.manager.wait_for("READY")[0]["STATUS"], "1 run, 0 viewers")
        self.assertIn(b'"key":"', get(again.url + "v1/runs/latest"))

    def test_its_status_counts_runs_and_viewers(self):
        daemon = self.start()
        with socket.create_connection(("127.0.0.1", daemon.port()), PATIENCE) as viewer:
            viewer.sendall(b"GET /v1/stream HTTP/1.1\r\nHost: %s\r\n\r\n" % daemon.address().encode())
            while self.manager.wait_for("STATUS")[0]["STATUS"] != "0 runs, 1 viewer":
                pass

    def test_signs_of_life_come_and_cease_when_the_journal_hangs(self):
        daemon = self.start(WATCHDOG_USEC="200000")
        for _ in range(3):
            self.manager.wait_for("WATCHDOG")
        # The journal's thread stands still; the loop goes on, and answers.
        threads = [int(each.name) for each in pathlib.Path("/proc/%d/task" % daemon.process.pid).iterdir()]
        self.assertEqual(len(threads), 2, "the loop and the journal's thread")
        journal = max(threads)
        traced = subprocess.Popen(["/usr/bin/python3", "-c", STOP_THREAD, str(journal)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(traced.wait)
        self.addCleanup(traced.stdout.close)
        self.addCleanup(traced.stdin.close)
        if traced.stdout.readline() != b"stopped\n":
            self.skipTest("no right to stop a thread of another process here")
        self.manager.what_came()
        # Nine of its beats pass without a sign; the loop answers all the while.
        for _ in range(3):
            began = time.monotonic()
            until(lambda began=began: time.monotonic() - began > 0.3 and status_of(daemon.url + "healthz") == 200, "three intervals")
        said = self.manager.what_came()
        # One may have been due when the thread stopped: it had answered by then.
        self.assertLessEqual(sum("WATCHDOG" in each for each in said), 1, said)
        traced.stdin.close()
        self.manager.wait_for("WATCHDOG")

    def test_without_a_watchdog_there_are_no_signs_of_life(self):
        daemon = self.start(WATCHDOG_USEC="200000", WATCHDOG_PID="1")  # somebody else's
        self.terminate(daemon)
        _, before = self.manager.wait_for("STOPPING")
        self.assertFalse([each for each in before if "WATCHDOG" in each])


STOP_THREAD = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
thread = int(sys.argv[1])
SEIZE, INTERRUPT = 0x4206, 0x4207
if libc.ptrace(SEIZE, thread, None, None) != 0 or libc.ptrace(INTERRUPT, thread, None, None) != 0:
    print("refused", flush=True); sys.exit()
os.waitpid(thread, 0x40000000)
print("stopped", flush=True)
sys.stdin.read()
"""


class Activated(Service):
    """Sockets by systemd-socket-activate, which listens first and starts the daemon with the first connection."""

    def activate(self, *sockets, names=""):
        prefix = ["systemd-socket-activate", *("--listen=" + each for each in sockets)]
        if names:
            prefix.append("--fdname=" + names)
        # It passes on the few variables it knows, and those it is told.
        prefix += ["--setenv=%s=%s" % pair for pair in self.env().items()]
        return self.serve(listen=(), prefix=prefix)

    def test_it_serves_on_the_sockets_it_is_given(self):
        port, given = free_port(), os.path.join(self.home, "given.sock")
        daemon = self.activate("127.0.0.1:%d" % port, given, names="tofud-http.socket:tofud.socket")
        waiting = socket.socket(socket.AF_UNIX)  # connects before there is a daemon
        self.addCleanup(waiting.close)
        waiting.settimeout(PATIENCE)
        until(lambda: waiting.connect_ex(given) == 0, "the given socket")
        waiting.sendall(b"GET /healthz HTTP/1.1\r\nHost: tofud\r\nConnection: close\r\n\r\n")
        self.assertIn(b"200 OK", waiting.recv(65536))
        line = daemon.out.next().decode()
        self.assertIn("serves http://127.0.0.1:%d/ and %s," % (port, given), line)
        self.assertIn("200 OK", ask(port, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % port))
        self.assertFalse(os.path.exists(self.local), "its own socket is not made beside the given one")
        self.assertEqual(self.terminate(daemon), 0)
        self.assertTrue(os.path.exists(given), "the file is its maker's")

    def test_what_connects_during_a_restart_waits(self):
        given = os.path.join(self.home, "given.sock")
        listening = socket.socket(socket.AF_UNIX)
        self.addCleanup(listening.close)
        listening.bind(given)
        listening.listen(16)

        def start():
            argv = ["/bin/sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ LISTEN_FDNAMES=tofud.socket exec "$0" "$@" 3<&%d' % listening.fileno(),
                    TOFUD, "serve", "--no-listen", "--socket", self.local, "--state-dir", self.state_dir]
            return self.kept(Running(argv, self.env(), stdin=subprocess.DEVNULL, pass_fds=[listening.fileno()]))

        first = start()
        self.assertIn(b"serves " + given.encode(), first.out.next())
        self.assertEqual(self.terminate(first), 0)
        waiting = socket.socket(socket.AF_UNIX)
        self.addCleanup(waiting.close)
        waiting.settimeout(PATIENCE)
        waiting.connect(given)
        waiting.sendall(b"GET /version HTTP/1.1\r\nHost: tofud\r\nConnection: close\r\n\r\n")
        second = start()
        answer = waiting.recv(65536)
        self.assertIn(b"200 OK", answer)
        self.assertIn(b'"name":"tofud"', answer)
        self.assertEqual(self.terminate(second), 0)

    def test_what_is_no_listening_socket_is_refused(self):
        argv = ["/bin/sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@" 3</dev/null', TOFUD, "serve", "--no-listen", "--socket", self.local,
                "--state-dir", self.state_dir]
        done = subprocess.run(argv, env=self.env(), capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"descriptor 3 (unknown) is not a listening stream socket", done.stderr)


class Logged(Service):
    def lines(self, daemon):
        daemon.process.send_signal(signal.SIGTERM)
        daemon.wait()
        return daemon.err.all().decode().splitlines()

    def damage(self):
        """A state directory with a run that deserves a remark."""
        daemon = self.serve()
        daemon.wait_for_url()
        self.send(daemon, recorded("apply-slow-progress"))
        self.terminate(daemon)
        runs = pathlib.Path(self.state_dir, "daemon", "runs")
        (runs / "not a\nrun \x1b[31m").mkdir()

    def test_text_escapes_what_would_leave_its_line(self):
        self.damage()
        daemon = self.serve("--log-format", "text")
        daemon.wait_for_url()
        found = [line for line in self.lines(daemon) if "not a" in line]
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], r"^\d{4}-\d\d-\d\dT[\d:.]+Z warning .*not a\\nrun \\x1b\[31m")

    def test_json_is_an_object_a_line(self):
        self.damage()
        daemon = self.serve("--log-format", "json")
        daemon.wait_for_url()
        found = [json.loads(line) for line in self.lines(daemon)]
        about = [line for line in found if "not a\nrun \x1b[31m" in line["message"]]
        self.assertEqual([(line["level"], line["event"]) for line in about], [("warning", "journal_trouble")], found)

    def test_the_level_leaves_out_what_is_below_it(self):
        self.damage()
        daemon = self.serve("--log-level", "error")
        daemon.wait_for_url()
        self.assertEqual(self.lines(daemon), [])

    def test_no_secret_is_logged(self):
        planted = "glpat-" + "Zk3vQ9mX2LpR7tYwB4sN"
        os.makedirs(os.path.join(self.state_dir, "daemon", "runs", planted))
        os.makedirs(os.path.join(self.state_dir, "daemon", "runs", "my hunter22 run"))
        for form in ("text", "json"):
            daemon = self.serve("--log-format", form, DB_PASSWORD="hunter22")
            daemon.wait_for_url()
            lines = "\n".join(self.lines(daemon))
            self.assertIn("(redacted:", lines)
            self.assertNotIn(planted, lines)
            self.assertNotIn("hunter22", lines)

    def test_the_journal_gets_fields(self):
        """In a mount namespace where the journal's socket is the test's."""
        journal = os.path.join(self.home, "journal")
        os.mkdir(journal)
        receiving = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(receiving.close)
        receiving.bind(os.path.join(journal, "socket"))
        receiving.settimeout(PATIENCE)
        self.damage()
        prefix = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-ec",
                  'mount -t tmpfs none /run; mkdir -p /run/systemd/journal; mount --bind "$JOURNAL" /run/systemd/journal; exec "$0" "$@"']
        probe = subprocess.run([*prefix, "true"], env=self.env(JOURNAL=journal), capture_output=True, timeout=PATIENCE)
        if probe.returncode != 0:
            self.skipTest("no mount namespaces here: " + probe.stderr.decode().strip())
        daemon = self.serve("--log-format", "journal", prefix=prefix, JOURNAL=journal)
        fields = {}
        while "not a" not in fields.get("MESSAGE", ""):
            fields = dict(line.split("=", 1) for line in receiving.recv(65536).decode().splitlines() if "=" in line)
        self.assertEqual(fields["PRIORITY"], "4")
        self.assertEqual(fields["SYSLOG_IDENTIFIER"], "tofud")
        self.assertEqual(fields["TOFUD_EVENT"], "journal_trouble")
        self.assertRegex(fields["MESSAGE_ID"], r"^[0-9a-f]{32}$")
        self.terminate(daemon)

    def test_the_journal_is_found_by_itself(self):
        """JOURNAL_STREAM names standard error: then nothing is written there."""
        self.damage()
        with open(os.path.join(self.home, "stream"), "w+b") as stream:
            where = os.fstat(stream.fileno())
            env = self.env(JOURNAL_STREAM="%d:%d" % (where.st_dev, where.st_ino))
            for stands, written in ((env, False), (self.env(JOURNAL_STREAM="1:1"), True)):
                process = subprocess.Popen([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", self.local, "--state-dir", self.state_dir],
                                           stdout=subprocess.PIPE, stderr=stream, env=stands)
                process.stdout.readline()
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=PATIENCE)
                self.assertEqual(os.fstat(stream.fileno()).st_size > 0, written)


class Measured(Service):
    def metrics(self, daemon):
        """name{labels} to value."""
        found = {}
        for line in get(daemon.url + "metrics").decode().splitlines():
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                found[name] = float(value)
        return found

    def test_promtool_has_nothing_to_say(self):
        daemon = self.serve()
        daemon.wait_for_url()
        self.send(daemon, recorded("apply-provider-errors"))
        text = get(daemon.url + "metrics")
        checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, timeout=PATIENCE)
        self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, b"", b""))

    def test_stacks_are_named_where_that_is_wanted(self):
        plain = self.serve()
        plain.wait_for_url()
        self.send(plain, recorded("apply-slow-progress"), stack="net/prod")
        self.assertNotIn(b"net/prod", get(plain.url + "metrics"))
        plain.process.terminate()
        plain.wait()
        daemon = self.serve("--metrics-stacks")
        daemon.wait_for_url()
        hostile = 'a"} 1\n# x \\ b'
        for stack, stream in (("net/prod", "apply-slow-progress"), ("net/dev", "provisioner-fail-exit3"), (hostile, "apply-slow-progress")):
            self.send(daemon, recorded(stream), stack=urllib.parse.quote(stack, safe=""))
        metrics = self.metrics(daemon)
        outcomes = {name for name in metrics if name.startswith("tofud_stack_outcome{")}
        self.assertIn('tofud_stack_outcome{stack="net/prod",command="apply",status="succeeded"}', outcomes)
        self.assertIn('tofud_stack_outcome{stack="net/dev",command="apply",status="failed"}', outcomes)
        self.assertEqual(len(outcomes), 3)
        self.assertAlmostEqual(metrics['tofud_stack_run_seconds{stack="net/prod",command="apply"}'], 37.78, delta=0.1)
        self.assertGreater(metrics['tofud_stack_outcome_time_seconds{stack="net/dev"}'], 1.6e9)
        self.assertEqual(metrics["tofud_stacks_left_out"], 0)
        text = get(daemon.url + "metrics")
        checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, timeout=PATIENCE)
        self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, b"", b""))

    def test_what_happened_is_counted_once(self):
        daemon = self.serve()
        daemon.wait_for_url()
        data = recorded("apply-provider-errors")
        run = self.send(daemon, data + b"{\"@level\":\"info\",\"type\":\"change_summary\",\"changes\":5}\n", stack="SECRET-STACK")
        types = {}
        for line in data.splitlines():
            kind = json.loads(line).get("type", "untyped")
            types[kind] = types.get(kind, 0) + 1
        now = self.metrics(daemon)
        for kind in ("version", "apply_start", "apply_errored", "diagnostic"):
            self.assertEqual(now['tofud_events_total{type="%s"}' % kind], types[kind], kind)
        self.assertEqual(now['tofud_runs_total{result="failed"}'], 1)
        self.assertEqual(now["tofud_runs_active"], 0)
        self.assertGreater(now["tofud_event_bytes_total"], 0.9 * len(data))
        self.assertGreater(now["tofud_journal_bytes"], 0)
        self.assertGreater(now["tofud_journal_free_bytes"], 0)
        self.assertGreater(now["tofud_journal_sync_seconds_count"], 0)
        self.assertEqual(now["tofud_ingest_lag_seconds"], 0)
        self.assertGreater(now["process_resident_memory_bytes"], 1e6)
        self.assertGreater(now['tofud_http_requests_total{class="2xx"}'], 0)
        text = get(daemon.url + "metrics").decode()
        self.assertNotIn(run, text)
        self.assertNotIn("SECRET-STACK", text)
        # What is folded again, or was there before a start, is not counted again.
        get(daemon.url + "v1/runs/" + run)
        self.assertEqual(self.metrics(daemon)['tofud_events_total{type="apply_start"}'], types["apply_start"])
        self.terminate(daemon)
        daemon = self.serve()
        daemon.wait_for_url()
        get(daemon.url + "v1/runs/" + run)
        again = self.metrics(daemon)
        self.assertNotIn('tofud_events_total{type="apply_start"}', again)
        self.assertNotIn('tofud_runs_total{result="failed"}', again)

    def test_subscribers_and_what_they_are_sent(self):
        daemon = self.serve()
        daemon.wait_for_url()
        before = self.metrics(daemon)
        viewer = socket.create_connection(("127.0.0.1", daemon.port()), PATIENCE)
        self.addCleanup(viewer.close)
        viewer.sendall(b"GET /v1/stream HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n\r\n" % daemon.address().encode())
        until(lambda: self.metrics(daemon)['tofud_subscribers{transport="sse"}'] == 1, "the subscriber")
        self.send(daemon, recorded("apply-slow-progress"))
        until(lambda: self.metrics(daemon)["tofud_delivery_seconds_count"] > 0, "a delivery")
        self.assertGreater(self.metrics(daemon)["tofud_frames_total"], before["tofud_frames_total"])
        viewer.close()
        until(lambda: self.metrics(daemon)['tofud_subscribers{transport="sse"}'] == 0, "its end")
        self.assertEqual(self.metrics(daemon)['tofud_subscriber_closed_total{code="1006"}'], 1)
        curl(daemon.url + "v1/stream?run=latest&end=close&since=nonsense:1")
        after = self.metrics(daemon)
        self.assertEqual(after['tofud_subscriber_closed_total{code="1000"}'], 1)
        self.assertEqual(sum(v for k, v in after.items() if k.startswith("tofud_subscriber_resyncs_total{")), 1)


    def test_what_waits_for_a_subscriber_that_does_not_read_is_seen(self):
        daemon = self.serve()
        daemon.wait_for_url()
        self.send(daemon, recorded("large-2000"))
        until(lambda: self.metrics(daemon)['tofud_runs_total{result="succeeded"}'] == 1, "the run")
        self.assertEqual(self.metrics(daemon)["tofud_subscriber_queue_bytes_count"], 0)
        viewer = socket.socket()
        self.addCleanup(viewer.close)
        viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        viewer.connect(("127.0.0.1", daemon.port()))
        viewer.sendall(b"GET /v1/stream?run=latest HTTP/1.1\r\nHost: %s\r\n\r\n" % daemon.address().encode())
        until(lambda: self.metrics(daemon)["tofud_subscriber_queue_bytes_sum"] > 64 * 1024, "bytes that wait")
        now = self.metrics(daemon)
        self.assertLess(now['tofud_subscriber_queue_bytes_bucket{le="65536"}'], now["tofud_subscriber_queue_bytes_count"])
        # What the kernel may hold, and a frame: it does not grow with what there is to send.
        self.assertEqual(now['tofud_subscriber_queue_bytes_bucket{le="262144"}'], now["tofud_subscriber_queue_bytes_count"])

    def test_every_metric_that_is_promised_is_there(self):
        daemon = self.serve()
        daemon.wait_for_url()
        self.send(daemon, recorded("apply-provider-errors"))
        curl(daemon.url + "v1/stream?run=latest&end=close&since=nonsense:1")
        text = get(daemon.url + "metrics").decode()
        families = dict(re.findall(r"(?m)^# TYPE (\S+) (\S+)$", text))
        samples = {re.match(r"[a-z_]+", line).group() + "".join(re.findall(r"([a-z]+)=", line)[:1]) for line in text.splitlines() if not line.startswith("#")}
        for name, kind, label in (("tofud_build_info", "gauge", "version"), ("tofud_runs_active", "gauge", ""), ("tofud_runs_total", "counter", "result"),
                                  ("tofud_events_total", "counter", "type"), ("tofud_event_bytes_total", "counter", ""),
                                  ("tofud_parse_errors_total", "counter", "reason"), ("tofud_subscribers", "gauge", "transport"),
                                  ("tofud_subscriber_queue_bytes", "histogram", "le"), ("tofud_subscriber_resyncs_total", "counter", "reason"),
                                  ("tofud_subscriber_closed_total", "counter", "code"), ("tofud_delivery_seconds", "histogram", "le"),
                                  ("tofud_ingest_lag_seconds", "gauge", ""), ("tofud_loop_lag_seconds", "histogram", "le"),
                                  ("tofud_http_route_requests_total", "counter", "method"), ("tofud_dropped_log_bytes_total", "counter", ""),
                                  ("process_cpu_seconds_total", "counter", ""), ("process_open_fds", "gauge", ""), ("process_max_fds", "gauge", ""),
                                  ("process_resident_memory_bytes", "gauge", ""), ("process_start_time_seconds", "gauge", "")):
            self.assertEqual(families.get(name), kind, name)
            self.assertIn(name + ("_bucket" if kind == "histogram" else "") + label, samples)
        # Nothing of this is TLS.
        self.assertNotIn("tofud_tls_certificate_expires_seconds", families)


class Ended(Service):
    def test_while_it_goes_it_says_so_and_sends_uploads_away(self):
        daemon = self.serve()
        daemon.wait_for_url()
        self.assertEqual(json.loads(get(daemon.url + "readyz?verbose")), {"ready": True, "reasons": []})
        # A viewer who does not read holds it for its farewell.
        viewer = socket.socket()
        self.addCleanup(viewer.close)
        viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        viewer.connect(("127.0.0.1", daemon.port()))
        self.send(daemon, recorded("large-300"))
        viewer.sendall(b"GET /v1/stream?run=latest HTTP/1.1\r\nHost: %s\r\n\r\n" % daemon.address().encode())
        until(lambda: b'transport="ndjson"} 1' in get(daemon.url + "metrics"), "the viewer")
        daemon.process.send_signal(signal.SIGTERM)
        until(lambda: status_of(daemon.url + "readyz") == 503, "that it is not ready any more")
        host = "Host: %s\r\nConnection: close\r\n" % daemon.address()
        answer = ask(daemon.port(), "GET /readyz?verbose HTTP/1.1\r\n" + host + "\r\n")
        self.assertIn('{"ready":false,"reasons":[{"reason":"draining"}]}', answer)
        for request in ("POST /v1/runs", "PUT /v1/runs?stack=x", "PATCH /v1/runs/x/lines", "PUT /v1/runs/x/events/1"):
            answer = ask(daemon.port(), request + " HTTP/1.1\r\n" + host + "Content-Length: 2\r\n\r\n{}")
            self.assertTrue(answer.startswith("HTTP/1.1 503 "), request + "\n" + answer)
            self.assertRegex(answer, r"\r\nRetry-After: \d+\r\n")
        self.assertEqual(daemon.wait(), 0)

    def test_hang_up_does_not_end_it(self):
        daemon = self.serve()
        daemon.wait_for_url()
        until(lambda: catches(daemon.process.pid, signal.SIGHUP), "its care for SIGHUP")
        daemon.process.send_signal(signal.SIGHUP)
        self.assertEqual(status_of(daemon.url + "healthz"), 200)
        self.assertEqual(self.terminate(daemon), 0)

    def test_version(self):
        daemon = self.serve()
        daemon.wait_for_url()
        said = json.loads(get(daemon.url + "version"))
        printed = subprocess.run([TOFUD, "--version"], capture_output=True, check=True).stdout.decode().split()[1]
        self.assertEqual((said["name"], said["version"]), ("tofud", printed))
        self.assertTrue(re.fullmatch(r"\d+\.\d+", said["protocol"]), said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
