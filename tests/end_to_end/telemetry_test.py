#!/usr/bin/python3
"""Traces and metrics of ended runs: what OpenTelemetry's own receiver makes of them (.ci/otlp-receiver has built it), and collectors that are
dead, slow or hostile, of whom no run notices anything."""
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

from asking import Asking
from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, Running, recorded, until
from one_resource import DONE, VERSION, created
from tls_test import Authority

RECEIVER = ROOT / "build/otlp-receiver"
TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = "00-%s-%s-01" % (TRACE, SPAN)
MANY = int(os.environ.get("TOFUD_TELEMETRY_RUNS", "40"))


def attributes(of):
    return {each["key"]: next(iter(each["value"].values())) for each in of.get("attributes", [])}


def spans_in(body):
    return [span for resource in body["resourceSpans"] for scope in resource["scopeSpans"] for span in scope["spans"]]


class Collector:
    """Answers as a test wants: (status, headers) one after the other, then 200; None: nothing at all."""

    def __init__(self, case):
        self.came, self.answers, self.lock, self.body = [], [], threading.Lock(), b"{}"
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with collector.lock:
                    collector.came.append((self.path, dict(self.headers.items()), body))
                    status, headers = collector.answers.pop(0) if collector.answers else (200, {})
                if status is None:
                    time.sleep(PATIENCE)
                    return
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(collector.body)))
                self.end_headers()
                self.wfile.write(collector.body)

            def log_message(self, *args):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        case.addCleanup(self.server.server_close)
        case.addCleanup(self.server.shutdown)

    def spans(self):
        with self.lock:
            return [span for path, _, body in self.came if path == "/v1/traces" for span in spans_in(json.loads(body))]

    def at(self, path):
        with self.lock:
            return [(headers, body) for where, headers, body in self.came if where == path]


class Telemetry(Asking):
    def put(self, daemon, stream, stack="net/prod", labels=""):
        answer = daemon.ask("PUT", "/v1/runs?stack=%s%s" % (stack, labels), body=stream)
        self.assertEqual(answer.status, 201, answer)
        return answer.json()["run"]

    def counts(self, daemon):
        return dict(re.findall(r"^(tofud_otlp_\w+(?:\{.*\})?) (\d+)$", daemon.ask("GET", "/metrics").body.decode(), re.M))

    def wrapped(self, daemon, name, **more):
        """A run of `tofud run`, sent to the daemon."""
        tools = pathlib.Path(self.home, "tools")
        tools.mkdir(exist_ok=True)
        if not (tools / "tofu").exists():
            os.symlink(ROOT / "tests/end_to_end/fake_tofu.py", tools / "tofu")
        env = self.env(PATH=str(tools) + ":" + os.environ["PATH"], FAKE_STREAM=str(RECORDINGS / name / "stream.jsonl"), TOFUD_SERVER="unix:" + daemon.socket, CI="true", **more)
        return subprocess.run([TOFUD, "run", "--", "tofu", "apply", "-auto-approve"], env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, cwd=self.home)

    def test_nothing_is_sent_unless_asked(self):
        daemon = self.serve()
        self.put(daemon, recorded("update-in-place"))
        self.assertEqual(self.counts(daemon)["tofud_otlp_waiting_runs"], "0")
        collector = Collector(self)
        for off in ({"OTEL_SDK_DISABLED": "true"}, {"OTEL_TRACES_EXPORTER": "none", "OTEL_METRICS_EXPORTER": "none"}):
            quiet = self.serve(name="quiet%d" % len(off), env=self.env(OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, **off))
            self.put(quiet, recorded("update-in-place"))
            self.assertEqual(self.counts(quiet)["tofud_otlp_waiting_runs"], "0")
        self.assertEqual(collector.came, [])

    @unittest.skipUnless((RECEIVER / "receiver").exists(), ".ci/otlp-receiver builds it")
    def test_the_receiver_of_opentelemetry_takes_runs(self):
        receiver = self.kept(Running([str(RECEIVER / "receiver")], self.env(), stdin=subprocess.DEVNULL))

        def lines(kind):
            return [json.loads(line.split(b" ", 1)[1]) for line in b"".join(receiver.out.got).splitlines() if line.startswith(kind + b" {")]
        url = until(lambda: re.search(rb"listening (http://\S+)", b"".join(receiver.out.got)), "it listens")[1].decode()
        daemon = self.serve("--otlp-endpoint", url, env=self.env(OTEL_RESOURCE_ATTRIBUTES="deployment.environment.name=prod%2C1,team=net", OTEL_SERVICE_NAME="infra"))
        run = self.put(daemon, recorded("apply-provider-errors"), labels="&label=branch=main&label=commit=" + "a" * 40)
        until(lambda: lines(b"traces"), "traces")
        until(lambda: lines(b"metrics"), "metrics")
        (taken,) = lines(b"traces")
        spans = spans_in(taken)
        self.assertEqual(attributes(taken["resourceSpans"][0]["resource"]), {"deployment.environment.name": "prod,1", "team": "net", "service.name": "infra",
                                                                            "service.version": attributes(taken["resourceSpans"][0]["resource"])["service.version"]})
        (root,) = [span for span in spans if not span.get("parentSpanId")]
        about = attributes(root)
        self.assertEqual((root["name"], root["kind"], root["status"]["code"], about["cicd.pipeline.result"], about["error.type"]), ("apply net/prod", 2, 2, "failure", "failed"))
        self.assertEqual((about["cicd.pipeline.name"], about["cicd.pipeline.run.id"], about["vcs.ref.head.name"], about["cicd.pipeline.run.url.full"]),
                         ("net/prod", run, "main", daemon.url + "?run=" + run))
        self.assertIn("exception", {event["name"] for event in root["events"]})
        rows = [json.loads(line) for line in subprocess.run([TOFUD, "export", run, "--format", "ndjson", "--server", "unix:" + daemon.socket], env=self.env(), capture_output=True).stdout.splitlines()]
        steps = [row["addr"] for row in rows if row["kind"] == "resource" for step in row["steps"] if step["started_at"]]
        by_address = [attributes(span)["opentofu.resource_instance.address"] for span in spans if "opentofu.resource_instance.address" in attributes(span)]
        self.assertEqual(sorted(by_address), sorted(steps))
        self.assertEqual({span["traceId"] for span in spans}, {root["traceId"]})
        self.assertEqual(len({span["spanId"] for span in spans}), len(spans))
        for span in spans:
            self.assertLessEqual(int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"]))
        (metrics,) = lines(b"metrics")[:1]
        by_name = {each["name"]: each for each in metrics["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]}
        self.assertEqual(set(by_name), {"cicd.pipeline.run.duration", "cicd.pipeline.run.errors"})
        (point,) = by_name["cicd.pipeline.run.duration"]["histogram"]["dataPoints"]
        self.assertEqual((int(point["count"]), sum(map(int, point["bucketCounts"])), len(point["bucketCounts"]), attributes(point)["cicd.pipeline.name"]), (1, 1, 13, "net/prod"))
        self.assertEqual(by_name["cicd.pipeline.run.duration"]["unit"], "s")

    def test_the_span_of_a_run_is_a_child_of_traceparent(self):
        collector = Collector(self)
        daemon = self.serve("--otlp-endpoint", collector.url)
        done = self.wrapped(daemon, "update-in-place", TRACEPARENT=PARENT)
        self.assertEqual(done.returncode, 0, done.stderr)
        until(collector.spans, "its spans")
        self.assertEqual({span["traceId"] for span in collector.spans()}, {TRACE})
        self.assertEqual([span["name"].split()[0] for span in collector.spans() if span["parentSpanId"] == SPAN], ["apply"])
        # Kept with the run, and so in an export.
        run = daemon.ask("GET", "/v1/runs").json()["runs"][0]["run"]
        self.assertIn('"event":"trace_parent","value":"%s"' % PARENT, daemon.ask("GET", "/v1/runs/%s/events.jsonl" % run).body.decode())
        for where in (("--server", "unix:" + daemon.socket), ("--no-server",)):
            done = subprocess.run([TOFUD, "export", run, "--format", "otlp", *where], env=self.env(), capture_output=True, timeout=PATIENCE)
            bodies = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([span["spanId"] for body in bodies for span in spans_in(body)], [span["spanId"] for span in collector.spans()], done.stderr)
        # What is not to be sampled is not sent; what is no traceparent is none.
        before = len(collector.spans())
        self.wrapped(daemon, "update-in-place", TRACEPARENT=PARENT[:-1] + "0")
        self.wrapped(daemon, "update-in-place", TRACEPARENT="00-x-y-01; evil")
        until(lambda: len(collector.spans()) > before, "the other")
        until(lambda: self.counts(daemon)["tofud_otlp_waiting_runs"] == "0", "nothing waits")
        self.assertEqual(len([span for span in collector.spans() if "parentSpanId" not in span]), 1)

    def test_what_a_collector_may_answer(self):
        collector = Collector(self)
        collector.answers = [(200, {}), (503, {"Retry-After": "1"}), (429, {}), (200, {}), (400, {}), (200, {})]
        daemon = self.serve("--otlp-endpoint", collector.url, env=self.env(OTEL_METRICS_EXPORTER="none", OTEL_EXPORTER_OTLP_HEADERS="api-key=s3cr%20et"))
        for i in range(4):
            self.put(daemon, recorded("update-in-place"), "net/%d" % i)
        until(lambda: self.counts(daemon).get('tofud_otlp_runs_total{result="sent"}') == "3", "three")
        counts = self.counts(daemon)
        self.assertEqual((counts['tofud_otlp_runs_total{result="lost"}'], counts["tofud_otlp_failures_total"]), ("1", "3"))
        self.assertEqual({headers["api-key"] for headers, _ in collector.at("/v1/traces")}, {"s3cr et"})
        names = [[span["name"] for span in spans_in(json.loads(body)) if "parentSpanId" not in span][0] for _, body in collector.at("/v1/traces")]
        self.assertEqual(names, ["apply net/0", "apply net/1", "apply net/1", "apply net/1", "apply net/2", "apply net/3"])
        said = b"".join(daemon.running.err.got).decode()
        self.assertIn("the collector answered with status 400", said)
        self.assertNotIn("s3cr", said)

    def test_spans_that_the_collector_did_not_keep_are_not_counted(self):
        collector = Collector(self)
        collector.body = b'{"partialSuccess": {"rejectedSpans": "2", "errorMessage": "too old"}}'
        daemon = self.serve("--otlp-endpoint", collector.url, env=self.env(OTEL_METRICS_EXPORTER="none"))
        self.put(daemon, recorded("update-in-place"))
        until(lambda: self.counts(daemon)['tofud_otlp_runs_total{result="sent"}'] == "1", "it is sent")
        self.assertEqual(int(self.counts(daemon)["tofud_otlp_spans_total"]), len(collector.spans()) - 2)
        self.assertIn("the collector did not keep 2 spans: too old", b"".join(daemon.running.err.got).decode())

    def test_a_dead_and_a_hanging_collector_cost_runs_nothing(self):
        with socket.create_server(("127.0.0.1", 0), backlog=1) as hanging:
            for name, url in (("dead", "http://127.0.0.1:1"), ("hanging", "http://127.0.0.1:%d" % hanging.getsockname()[1])):
                daemon = self.serve("--otlp-endpoint", url, name=name)
                # Other memory than the queue's is as much with one run as with many.
                self.put(daemon, recorded("apply-create-mixed"))
                for i in range(MANY):
                    self.put(daemon, recorded("apply-create-mixed"), "net/%d" % i)
                counts = self.counts(daemon)
                self.assertGreaterEqual(int(counts["tofud_otlp_waiting_runs"]) + int(counts['tofud_otlp_runs_total{result="lost"}']), MANY)
                done = self.wrapped(daemon, "update-in-place")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(daemon.ask("GET", "/readyz").status, 200)
                daemon.running.process.send_signal(signal.SIGTERM)
                self.assertEqual(daemon.running.wait(), 0)

    def test_more_runs_than_may_wait_are_counted(self):
        daemon = self.serve("--otlp-endpoint", "http://127.0.0.1:1", env=self.env(OTEL_METRICS_EXPORTER="none"))
        small = VERSION + created("a.b", 1) + DONE
        for i in range(1010):
            self.put(daemon, small, "net/%d" % (i % 7))
        counts = self.counts(daemon)
        self.assertGreaterEqual(int(counts['tofud_otlp_runs_total{result="lost"}']), 5)
        self.assertLessEqual(int(counts["tofud_otlp_waiting_runs"]), 1001)

    def test_a_run_that_is_read_again_is_not_sent_again(self):
        collector = Collector(self)
        daemon = self.serve("--otlp-endpoint", collector.url, env=self.env(OTEL_METRICS_EXPORTER="none"))
        run = self.put(daemon, recorded("update-in-place"), "net/a")
        until(lambda: self.counts(daemon)['tofud_otlp_runs_total{result="sent"}'] == "1", "it is sent")
        self.assertEqual(daemon.ask("POST", "/v1/reindex", {}).status // 100, 2)
        self.assertEqual(daemon.ask("POST", "/v1/reindex?run=" + run, {}).status // 100, 2)
        state = daemon.state_dir
        daemon.running.process.send_signal(signal.SIGTERM)
        daemon.running.wait()
        again = self.serve("--otlp-endpoint", collector.url, name="again", state_dir=state, env=self.env(OTEL_METRICS_EXPORTER="none"))
        until(lambda: again.ask("GET", "/v1/runs/" + run).status == 200, "it is read")
        self.put(again, recorded("update-in-place"), "net/b")
        until(lambda: self.counts(again)['tofud_otlp_runs_total{result="sent"}'] == "1", "the other is sent")
        self.assertEqual([span["name"] for span in collector.spans() if "parentSpanId" not in span], ["apply net/a", "apply net/b"])

    def test_a_run_that_is_removed_is_passed_over(self):
        collector = Collector(self)
        collector.answers = [(503, {"Retry-After": "2"})]
        daemon = self.serve("--otlp-endpoint", collector.url, env=self.env(OTEL_METRICS_EXPORTER="none"))
        self.put(daemon, recorded("update-in-place"), "net/first")
        until(lambda: collector.came, "the first was refused")
        gone = self.put(daemon, recorded("update-in-place"), "net/gone")
        self.put(daemon, recorded("update-in-place"), "net/last")
        self.assertEqual(daemon.ask("DELETE", "/v1/runs/" + gone).status, 204)
        until(lambda: self.counts(daemon)['tofud_otlp_runs_total{result="sent"}'] == "2", "both")
        self.assertEqual(self.counts(daemon)['tofud_otlp_runs_total{result="lost"}'], "0")

    def test_a_large_run_is_sent_in_parts_over_tls(self):
        with tempfile.TemporaryDirectory(prefix="tofud-otlp-") as keep:
            authority = Authority(keep)
            chain, key = authority.server("collector")
            collector = Collector(self)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(chain, key)
            collector.server.socket = context.wrap_socket(collector.server.socket, server_side=True)
            headers = os.path.join(self.home, "headers")
            with open(headers, "w") as file:
                file.write("Authorization: Bearer abc\n\nX-Scope: net\n")
            daemon = self.serve("--otlp-endpoint", collector.url.replace("http://127.0.0.1", "https://localhost") + "/otlp", "--otlp-ca-file", authority.root, "--otlp-headers-file", headers,
                                env=self.env(OTEL_METRICS_EXPORTER="none"))
            self.put(daemon, recorded("large-2000"))
            until(lambda: self.counts(daemon)['tofud_otlp_runs_total{result="sent"}'] == "1", "it is sent")
            came = collector.at("/otlp/v1/traces")
            self.assertGreater(len(came), 3)
            self.assertEqual({(sent["Authorization"], sent["X-Scope"]) for sent, _ in came}, {("Bearer abc", "net")})
            spans = [span for _, body in came for span in spans_in(json.loads(body))]
            self.assertEqual(len({span["spanId"] for span in spans}), len(spans))
            self.assertEqual(self.counts(daemon)["tofud_otlp_spans_total"], str(len(spans)))
            self.assertLessEqual(max(len(spans_in(json.loads(body))) for _, body in came), 512)

    def test_bad_words_are_said(self):
        for args, env, said in ((("--otlp-endpoint", "collector:4317"), {}, "is not the address of a collector"), ((), {"OTEL_EXPORTER_OTLP_ENDPOINT": "https://ada:hunter2@x"}, "OTEL_EXPORTER_OTLP_ENDPOINT holds no address of a collector"),
                                ((), {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x:1/", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL names grpc; tofud sends http/json"),
                                (("--otlp-endpoint", "http://x:1"), {"OTEL_EXPORTER_OTLP_HEADERS": "a=b\nc"}, "OTEL_EXPORTER_OTLP_HEADERS has to be a list"),
                                (("--otlp-endpoint", "http://x:1"), {"OTEL_EXPORTER_OTLP_TIMEOUT": "soon"}, "OTEL_EXPORTER_OTLP_TIMEOUT has to be a number"),
                                (("--otlp-endpoint", "http://x:1"), {"OTEL_TRACES_EXPORTER": "zipkin"}, "OTEL_TRACES_EXPORTER names zipkin"),
                                (("--otlp-endpoint", "http://x:1", "--otlp-headers-file", "/nonexistent"), {}, "/nonexistent")):
            done = subprocess.run([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", "", "--state-dir", self.state_dir, *args], env=self.env(**env), capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=PATIENCE)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stderr)
            self.assertNotIn("hunter2", done.stderr)


if __name__ == "__main__":
    unittest.main()
