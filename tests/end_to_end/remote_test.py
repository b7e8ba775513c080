#!/usr/bin/python3
"""ls, watch, logs, open, export, rm and reindex against a daemon: its runs are read as those that are kept here."""
import fcntl
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import unittest
import urllib.parse

from binary import PATIENCE, RECORDINGS, TOFUD, EndToEnd, Running, free_port, get, recorded, until
from scripted_daemon import KeptRun, ScriptedDaemon, listener

APPLY, FAILED = "20261121T0312-7f3a", "20261121T0301-11c2"
FORMATS = ("ndjson", "csv", "junit", "trace", "md")


class Asking(EndToEnd):
    def setUp(self):
        super().setUp()
        os.makedirs(self.state_dir)

    def tofud(self, *args, env=None, status=0):
        """(stdout, stderr) of a command."""
        done = subprocess.run([TOFUD, *args], capture_output=True, env=env or self.env(), timeout=PATIENCE, text=True,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def keep_here(self, run):
        """The same run as a spool of this machine."""
        stem = pathlib.Path(self.state_dir, run.id)
        stem.with_suffix(".jsonl").write_bytes(run.stream)
        stem.with_suffix(".events").write_bytes(run.events())

    def made_run(self, run_id, recording, **more):
        data = recorded(recording)
        rows = self.rows(RECORDINGS / recording / "stream.jsonl")["run"]
        row = {**next(iter(rows.values())), "key": run_id, "run": run_id, **more.pop("row", {})}
        return KeptRun(run_id, data, row, **more)


class AtADaemon(Asking):
    def setUp(self):
        super().setUp()
        self.daemon = ScriptedDaemon()
        self.addCleanup(self.daemon.close)
        self.apply = self.daemon.put(self.made_run(APPLY, "provisioner-output-kinds", exit_status=0,
                                                   row={"stack": "github.com/acme/infra//net@prod", "labels": {"pr": "12"}}))
        self.failed = self.daemon.put(self.made_run(FAILED, "apply-provider-errors", exit_status=1))

    def ask(self, *args, **more):
        return self.tofud(*args, "--server", self.daemon.address, "--state-dir", self.state_dir, **more)

    def here(self, *args, **more):
        return self.tofud(*args, "--no-server", "--state-dir", self.state_dir, **more)

    def test_every_export_of_a_run_there_is_that_of_the_same_run_here(self):
        there = [self.ask("export", run, "--format", form)[0] for run in (APPLY, FAILED) for form in FORMATS]
        self.keep_here(self.apply)
        self.keep_here(self.failed)
        self.assertEqual(there, [self.here("export", run, "--format", form)[0] for run in (APPLY, FAILED) for form in FORMATS])
        self.assertTrue(all(there))

    def test_logs_of_a_run_there_are_those_of_the_same_run_here(self):
        there = self.ask("logs", APPLY)[0], self.ask("logs", APPLY, "--json")[0], self.ask("logs", APPLY, "-f")[0]
        self.keep_here(self.apply)
        self.assertEqual(there, (self.here("logs", APPLY)[0], self.here("logs", APPLY, "--json")[0], self.here("logs", APPLY, "-f")[0]))
        self.assertTrue(there[0])

    def test_watch_shows_a_run_there_as_one_here_and_ends_as_it_did(self):
        there = self.ask("watch", FAILED, "--exit-status", status=1)[0]
        self.keep_here(self.failed)
        self.assertEqual(there, self.here("watch", FAILED, "--exit-status", status=1)[0])

    def test_watch_follows_a_run_that_grows_over_a_connection_that_breaks(self):
        data = self.apply.stream
        cut = len(data) // 2
        run = self.daemon.put(KeptRun("20261121T0400-aaaa", data[:cut], {**self.apply.row, "status": "running"}, ended=False))
        run.break_after = cut // 2
        watching = self.kept(Running([TOFUD, "watch", run.id, "--progress", "json", "--server", self.daemon.address,
                                      "--state-dir", self.state_dir], self.env(), stdin=subprocess.DEVNULL))
        until(lambda: run.break_after is None, "the connection is broken")
        until(lambda: sum(map(len, watching.out.got)) >= cut - 4096, "what there is was read")
        run.grow(data[cut:], exit_status=0, ended=True)
        self.assertEqual(watching.wait(), 0, watching.err.all())
        self.assertEqual(watching.out.all(), data)
        self.assertTrue(any(re.search(r"from=[1-9]\d*&follow=1", asked) for asked in self.daemon.asked), self.daemon.asked)

    def test_watch_that_is_interrupted_says_that_the_run_continues(self):
        run = self.daemon.put(KeptRun("20261121T0400-bbbb", b"", {**self.apply.row, "status": "running"}, ended=False))
        watching = self.kept(Running([TOFUD, "watch", run.id, "--server", self.daemon.address, "--state-dir", self.state_dir],
                                     self.env(), stdin=subprocess.DEVNULL))
        until(lambda: any("follow=1" in asked for asked in self.daemon.asked), "it follows")
        watching.process.send_signal(signal.SIGINT)
        self.assertEqual(watching.wait(), 0)
        self.assertIn(b"no longer watching; the run continues", watching.err.all())
        run.grow(b"", ended=True)

    def test_export_of_a_running_run_is_marked(self):
        self.daemon.put(KeptRun("20261121T0400-cccc", self.apply.stream[:3000], {**self.apply.row, "status": "running"}, ended=False))
        out, err = self.ask("export", "20261121T0400-cccc", "--format", "ndjson")
        self.assertIn("the run is still going; this is what is known so far", err)
        self.assertIn('"status":"running"', out)

    def test_open_names_the_page_at_the_daemon(self):
        env = self.env(BROWSER="/bin/true")
        self.assertEqual(self.ask("open", APPLY, env=env)[0], "%s/?run=%s\n" % (self.daemon.address, APPLY))

    # ---- which run is meant ----

    def test_beginning_of_an_id_means_the_only_run_that_begins_so_here_or_there(self):
        self.assertIn("provisioner", self.ask("export", "20261121T0312", "--format", "ndjson")[0])
        self.assertIn("is the beginning of 2 run ids (%s, %s)" % (FAILED, APPLY), self.ask("logs", "20261121", status=2)[1])
        local = self.made_run("20261121T0312-ffff", "plan-noop")
        self.keep_here(local)
        self.assertIn("is the beginning of 2 run ids", self.ask("logs", "20261121T0312", status=2)[1])

    def test_a_local_run_is_read_locally(self):
        self.keep_here(self.made_run(APPLY, "plan-noop"))
        self.assertIn('"command":"plan"', self.ask("export", APPLY, "--format", "ndjson")[0].splitlines()[0])
        self.assertEqual(self.daemon.asked, [])

    def test_last_is_the_newest_of_both(self):
        self.assertIn(APPLY, self.ask("export", "last", "--format", "ndjson")[0])
        self.keep_here(self.made_run("20261121T0500-0001", "plan-noop"))
        self.assertIn("20261121T0500-0001", self.ask("export", "last", "--format", "ndjson")[0])

    def test_watch_without_a_run_means_one_that_goes_on_there_before_one_that_is_over_here(self):
        self.keep_here(self.made_run("20261121T0500-0001", "plan-noop"))
        run = self.daemon.put(KeptRun("20261121T0400-dddd", self.apply.stream, {**self.apply.row, "key": "20261121T0400-dddd",
                                                                                   "status": "running"}, exit_status=0, ended=True))
        self.assertIn(run.id, self.ask("watch", "--progress", "plain")[0])

    def test_an_unknown_run_is_an_error(self):
        self.assertIn("no run '20261121T0999-0000' is stored here or at %s; `tofud ls` lists the runs" % self.daemon.address,
                      self.ask("logs", "20261121T0999-0000", status=2)[1])

    # ---- lists ----

    def listed(self, *args):
        return [json.loads(line)["key"] for line in self.ask("ls", "--json", *args)[0].splitlines()]

    def test_list_has_both_places_and_each_run_once(self):
        self.keep_here(self.apply)
        self.keep_here(self.made_run("20261121T0500-0001", "plan-noop"))
        self.assertCountEqual(self.listed(), ["20261121T0500-0001", APPLY, FAILED])
        self.assertIn("github.com/acme/infra//net@prod", self.ask("ls")[0])

    def test_list_of_all_goes_on_where_the_daemon_stopped(self):
        for i in range(7):
            run_id = "20261121T06%02d-0000" % i
            self.daemon.put(KeptRun(run_id, b"", {**self.apply.row, "key": run_id}))
        self.assertEqual(len(self.listed("--all")), 9)

    def test_filters_hold_here_and_go_to_the_daemon(self):
        self.keep_here(self.made_run("20261121T0500-0001", "plan-noop"))
        self.assertEqual(self.listed("--status", "failed"), [FAILED])
        self.assertEqual(self.listed("-q", "ACME"), [APPLY])
        self.listed("--label", "pr=12", "--since", "2026-11-21T03:00:00Z", "--status", "running,lost")
        self.assertIn("GET /v1/runs?status=running%2Clost&label=pr%3D12&since=2026-11-21T03%3A00%3A00Z&limit=50", self.daemon.asked)
        self.listed("--stack", "net/a b@c", "--until", "2026-11-21")
        self.assertIn("GET /v1/runs?stack=net%2Fa%20b%40c&until=2026-11-22T00%3A00%3A00.000000Z&limit=50", self.daemon.asked)
        self.assertEqual(self.listed("--stack", "github.com/acme/infra//net@prod"), [APPLY])
        self.assertIn("no run matches", self.ask("ls", "--status", "lost")[1])

    def test_invalid_filters_are_errors(self):
        self.assertIn("--status 'broken' is unknown", self.ask("ls", "--status", "broken", status=2)[1])
        self.assertIn("--label 'pr' is not KEY=VALUE", self.ask("ls", "--label", "pr", status=2)[1])
        self.assertIn("--since 'yesterday' is neither a time such as", self.ask("ls", "--since", "yesterday", status=2)[1])
        self.assertEqual(self.daemon.asked, [])

    # ---- forgetting ----

    def test_rm_removes_at_the_daemon_and_leaves_the_local_files(self):
        self.keep_here(self.apply)
        self.assertEqual(self.ask("rm", APPLY)[0], "removed %s at %s\n" % (APPLY, self.daemon.address))
        self.assertNotIn(APPLY, self.daemon.runs)
        self.assertEqual(len(self.spools()), 1)
        self.assertIn("there is no run %s at" % APPLY, self.ask("rm", APPLY, status=2)[1])

    def test_rm_local_removes_the_files_as_well_and_names_them(self):
        self.keep_here(self.apply)
        for ending in (".mask", ".upload"):
            pathlib.Path(self.state_dir, APPLY + ending).write_text("{}")
        out = self.ask("rm", APPLY, "--local")[0]
        for ending in (".jsonl", ".events", ".mask", ".upload"):
            self.assertIn("removed %s/%s%s\n" % (self.state_dir, APPLY, ending), out)
        self.assertEqual(os.listdir(self.state_dir), [])
        self.assertIn("or here", self.ask("rm", APPLY, "--local", status=2)[1])

    def test_rm_never_removes_a_spool_in_use(self):
        self.keep_here(self.apply)
        with open(self.spool(), "ab") as used:
            fcntl.flock(used, fcntl.LOCK_SH)
            self.assertIn("is still there: it is in use", self.here("rm", APPLY, "--local", status=1)[1])
        self.assertEqual(len(self.spools()), 1)
        self.here("rm", APPLY, "--local")
        self.assertEqual(self.spools(), [])

    def test_rm_needs_a_whole_id_and_a_terminal(self):
        self.assertIn("is not a full run id", self.ask("rm", "20261121T0312", status=2)[1])
        self.assertIn("no daemon was found", self.here("rm", APPLY, status=2)[1])
        self.assertEqual(len(self.daemon.runs), 2)

    def test_reindex_makes_the_daemon_read_it(self):
        out = self.tofud("reindex", "--server", self.daemon.address)[0]
        self.assertIn("rebuilds its index", out)
        self.assertEqual(self.daemon.asked, ["POST /v1/reindex"])
        out = self.tofud("reindex", APPLY, "--server", self.daemon.address)[0]
        self.assertIn("reads run %s again" % APPLY, out)
        self.assertEqual(self.daemon.asked[1:], ["POST /v1/reindex?run=" + APPLY])


class OnTheWayThere(Asking):
    def test_socket_at_its_usual_place_is_found_and_another_may_be_named(self):
        runtime = os.path.join(self.home, "runtime")
        daemon = ScriptedDaemon(os.path.join(runtime, "tofud/tofud.sock"))
        self.addCleanup(daemon.close)
        daemon.put(self.made_run(APPLY, "plan-noop"))
        env = self.env(XDG_RUNTIME_DIR=runtime, TOFUD_SERVER="")
        self.assertIn(APPLY, self.tofud("ls", env=env)[0])
        self.assertNotIn(APPLY, "".join(self.tofud("ls", "--no-server", env=env)))
        self.assertNotIn(APPLY, "".join(self.tofud("ls", env={**env, "TOFUD_SERVER": "none"})))
        self.assertIn(APPLY, self.tofud("ls", env=self.env(TOFUD_SERVER=daemon.address))[0])
        self.assertIn(APPLY, self.tofud("ls", "--server", daemon.address[len("unix:"):])[0])
        # Who reaches it by a socket is told the page's address by the daemon.
        daemon.page = "http://127.0.0.1:8638/"
        self.assertEqual(self.tofud("open", APPLY, env={**env, "BROWSER": "/bin/true"})[0],
                         "http://127.0.0.1:8638/?run=%s\n" % APPLY)

    def test_an_abandoned_socket_is_no_daemon(self):
        path = os.path.join(self.home, "runtime/tofud/tofud.sock")
        os.makedirs(os.path.dirname(path))
        with socket.socket(socket.AF_UNIX) as left_over:
            left_over.bind(path)
        self.keep_here(self.made_run(APPLY, "plan-noop"))
        env = self.env(XDG_RUNTIME_DIR=os.path.join(self.home, "runtime"), TOFUD_SERVER="")
        kept = ("--state-dir", self.state_dir)
        self.assertIn(APPLY, self.tofud("ls", *kept, env=env)[0])
        self.assertIn("plan succeeded", self.tofud("watch", *kept, env=env)[0])
        self.assertIn("no run 'x' is stored", self.tofud("logs", "x", *kept, env=env, status=2)[1])
        # One that was named has to be there.
        self.assertIn("no daemon answers at unix:%s" % path, self.tofud("ls", *kept, "--server", path, status=2)[1])

    def test_an_unreachable_daemon_is_one_sentence(self):
        address = "http://127.0.0.1:%d" % free_port()
        for words in (["ls"], ["logs", APPLY], ["watch"], ["export", "last", "--format", "csv"], ["reindex"]):
            err = self.tofud(*words, "--server", address, status=1 if words == ["reindex"] else 2)[1]
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn("no daemon answers at %s (Connection refused)" % address, err)

    def test_another_server_is_no_tofud(self):
        for answer in (b"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nnot found",
                       b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>", b"SSH-2.0-OpenSSH_9.2\r\n", b""):
            server, address = listener(answer)
            with server:
                err = self.tofud("ls", "--server", address, status=2)[1]
                self.assertEqual(err.count("\n"), 1, err)
                self.assertIn("what answers at %s is not a tofud daemon" % address, err)

    def test_an_answer_that_breaks_off_is_an_error(self):
        server, address = listener(b'HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n{"runs":[')
        with server:
            self.assertIn("closed the connection in the middle of its answer", self.tofud("ls", "--server", address, status=2)[1])

    def test_an_invalid_address_is_an_error(self):
        self.assertIn("'nonsense' is not a daemon's address", self.tofud("ls", "--server", "nonsense", status=2)[1])
        self.assertIn("is not accepted", self.tofud("watch", env=self.env(TOFUD_SERVER="http://192.0.2.1:1"), status=2)[1])


class WithTheRealDaemon(Asking):
    def setUp(self):
        super().setUp()
        self.socket = os.path.join(self.home, "tofud.sock")
        self.daemon = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", self.socket, "--state-dir",
                                         os.path.join(self.home, "served")], self.env(), stdin=subprocess.DEVNULL))
        self.url = self.daemon.wait_for_url()

    def ask(self, *args, **more):
        return self.tofud(*args, "--server", self.url, "--state-dir", self.state_dir, **more)

    def sent(self, recording, **query):
        """The id of a recorded stream that was sent as a whole."""
        client = http.client.HTTPConnection(self.daemon.address(), timeout=PATIENCE)
        client.request("PUT", "/v1/runs?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote), recorded(recording))
        answer = json.loads(client.getresponse().read())
        client.close()
        return answer["run"]

    def test_exports_are_those_of_the_same_stream_here_and_have_the_rows_of_the_daemon(self):
        for recording in ("provisioner-output-kinds", "apply-provider-errors", "test-fail-error-skip"):
            run = self.sent(recording, stack="net")
            there = {form: self.ask("export", run, "--format", form)[0] for form in FORMATS}
            rows = json.loads(get("%sv1/runs/%s" % (self.url, run)))["rows"]
            exported = [json.loads(line) for line in there["ndjson"].split("\n") if line]
            self.assertCountEqual(rows, [row for row in exported if row["kind"] not in ("run", "log", "text")])
            for ending, path in ((".jsonl", "stream.jsonl"), (".events", "events.jsonl")):
                pathlib.Path(self.state_dir, run + ending).write_bytes(get("%sv1/runs/%s/%s" % (self.url, run, path)))
            for form in FORMATS:
                self.assertEqual(self.tofud("export", run, "--format", form, "--no-server", "--state-dir", self.state_dir)[0],
                                 there[form])

    def test_list_search_and_logs(self):
        applied = self.sent("provisioner-output-kinds", stack="net", label="branch=main")
        failed = self.sent("apply-provider-errors", stack="dns")
        listed = lambda *args: [json.loads(line)["key"] for line in self.ask("ls", "--json", *args)[0].splitlines()]
        self.assertCountEqual(listed(), [applied, failed])
        self.assertEqual(listed("--status", "failed"), [failed])
        self.assertEqual(listed("--label", "branch=main"), [applied])
        self.assertEqual(listed("-q", "DNS"), [failed])
        self.assertEqual(listed("--stack", "net"), [applied])
        self.assertEqual(listed("--stack", "ne"), [])
        self.assertTrue(self.ask("logs", applied)[0])
        self.assertIn(failed, self.tofud("ls", "--server", self.socket, "--state-dir", self.state_dir)[0])

    def test_runs_of_a_stack_between_times_and_runs(self):
        odd = "net/a b+c%2F@prod?x=1&y=#\u00fc"
        first, second, third = (self.sent("plan-noop", stack=stack) for stack in (odd, odd, "net/a"))
        several = self.sent("pipeline-init-plan-apply-one-stream", stack=odd)

        def listed(**query):
            found = json.loads(get(self.url + "v1/runs?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote)))
            return [run["key"] for run in found["runs"]]
        of_it = listed(stack=odd)
        self.assertEqual(of_it[-2:], [second, first])
        self.assertEqual(of_it[0], several + ".4")
        self.assertEqual(listed(stack="net/a"), [third])
        self.assertEqual(listed(stack=odd, until=second), [first])
        # A stream with several runs is one place of the list.
        self.assertEqual(listed(stack=odd, until=several + ".3", limit=1), [second])
        self.assertEqual(listed(since=second, until=several), [third])
        self.assertEqual(listed(stack=odd, since="1h", until="2100-01-01"), of_it)
        self.assertEqual(listed(until="1h"), [])
        for query, said in (("since=yesterday", "since is neither a time"), ("until=20200101T0000-0000", "until is neither a time"),
                            ("stack=%zz", "not valid percent-encoding")):
            client = http.client.HTTPConnection(self.daemon.address(), timeout=PATIENCE)
            client.request("GET", "/v1/runs?" + query)
            answer = client.getresponse()
            self.assertEqual(answer.status, 400, query)
            self.assertIn(said, answer.read().decode())
            client.close()

    def test_watch_of_a_run_that_is_being_sent_ends_with_it(self):
        data = recorded("apply-create-mixed")
        with socket.socket(socket.AF_UNIX) as sender:
            sender.connect(self.socket)
            sender.sendall(data[:len(data) // 2])
            until(lambda: self.ask("ls", "--json", "--status", "running")[0], "the run goes on")
            watching = self.kept(Running([TOFUD, "watch", "--progress", "json", "--server", self.url, "--state-dir", self.state_dir],
                                         self.env(), stdin=subprocess.DEVNULL))
            until(lambda: watching.out.got, "it is followed")
            sender.sendall(data[len(data) // 2:])
        self.assertEqual(watching.wait(), 0, watching.err.all())
        self.assertEqual(watching.out.all(), data)

    def test_run_that_is_removed_is_gone(self):
        run = self.sent("plan-noop")
        self.assertIn("removed " + run, self.ask("rm", run)[0])
        self.assertEqual(self.ask("ls")[0], "")
        self.ask("logs", run, status=2)
        self.ask("rm", run, status=2)

    def test_reindex_loses_no_run(self):
        run = self.sent("plan-noop")
        self.tofud("reindex", "--server", self.url)
        until(lambda: run in self.ask("ls")[0], "it is listed")

    def test_open_by_the_socket_names_the_page(self):
        run = self.sent("plan-noop")
        out = self.tofud("open", run, "--server", self.socket, "--state-dir", self.state_dir, env=self.env(BROWSER="/bin/true"))[0]
        self.assertEqual(out, "%s?run=%s\n" % (self.url, run))


if __name__ == "__main__":
    unittest.main()
