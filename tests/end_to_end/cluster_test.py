#!/usr/bin/python3
"""Several daemons as one, over a real nats-server: what one of them takes in, all of them serve, with the same bytes, rows and numbers."""
import http.client
import json
import os
import shutil
import signal
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.parse

from relay import Relay
from binary import PATIENCE, TOFUD, Follower, Running, free_port, get, recorded, recorded_path, until
from cluster import Clustered, Member, Nats, Sender, Wire, epoch, rows

RUN = recorded("apply-create-mixed")


class Shared(Clustered):
    def test_a_run_has_the_same_bytes_rows_and_numbers_at_every_daemon(self):
        run = Sender([self.members[0].url], RUN).send_all()
        self.everywhere(lambda each: each.views().get(run, {}).get("status") == "succeeded", "the run")
        first = rows(self.members[0].url, run)
        self.assertGreater(len(first), 36)
        for each in self.members[1:]:
            self.assertEqual(each.stored(run), RUN)
            self.assertEqual(rows(each.url, run), first)
            self.assertEqual(epoch(each.url, run), epoch(self.members[0].url, run))

    def test_rows_arrive_elsewhere_while_the_run_goes_on(self):
        sender = Sender([self.members[0].url], RUN)
        sender.step(4096)
        sender.step(8192)
        elsewhere = Follower("%s/v1/stream?run=%s&end=close" % (self.members[1].url, sender.run))
        over = threading.Thread(target=elsewhere.follow, args=(lambda: False,))
        over.start()
        until(lambda: len(elsewhere.state.get("resource", {})) > 0, "rows")
        before = len(elsewhere.state["resource"])
        sender.step(24576)
        until(lambda: len(elsewhere.state["resource"]) > before, "more rows")
        sender.send_all()
        over.join()
        self.assertEqual(elsewhere.visits, 1)
        self.assertEqual(elsewhere.state["run"][sender.run]["status"], "succeeded")
        self.assertEqual(len(elsewhere.state["resource"]), 36)

    def test_an_upload_moves_between_daemons_at_any_request(self):
        sender = Sender(self.urls(), RUN)
        sender.event(event="label", key="ticket", value="OPS-7")
        run = sender.send_all(size=1500)
        self.everywhere(lambda each: each.views().get(run, {}).get("status") == "succeeded", "the run")
        first = rows(self.members[0].url, run)
        for each in self.members:
            self.assertEqual(each.stored(run), RUN)
            self.assertEqual(rows(each.url, run), first)
            self.assertEqual(each.views()[run]["labels"]["ticket"], "OPS-7")

    def test_a_subscriber_resumes_at_another_daemon_without_a_reset(self):
        sender = Sender([self.members[0].url], RUN)
        sender.step(4096)
        sender.step(20000)
        follower = Follower("%s/v1/stream?run=%s&end=close&kinds=resource,message" % (self.members[0].url, sender.run))
        follower.visit(lines=38)
        self.assertIsNotNone(follower.since)
        follower.url = follower.url.replace(self.members[0].url, self.members[1].url)
        sender.send_all()
        follower.follow(lambda: False)
        self.assertEqual(follower.resets, 0)
        self.assertEqual(len(follower.state["resource"]), 36)

    def test_the_wall_resumes_at_any_daemon_without_a_reset(self):
        wall = Follower(self.members[0].url + "/v1/stream?kinds=run,stack")
        first = Sender([self.members[0].url], RUN, stack="net/a").send_all()
        self.everywhere(lambda each: each.views().get(first, {}).get("status") == "succeeded", "the run")
        reading = threading.Thread(target=wall.visit, args=(6,), daemon=True)
        reading.start()
        until(lambda: wall.since is not None, "a position")
        second = Sender([self.members[1].url], RUN, stack="net/b").send_all()
        third = Sender([self.members[2].url], RUN, stack="net/c")
        third.begin()
        third.step(9000)
        reading.join(5)
        for member in (*self.members[1:], self.members[0], *self.members):
            last, wall = wall, Follower(member.url + "/v1/stream?kinds=run,stack")
            wall.state, wall.since = json.loads(json.dumps(last.state)), last.since
            before = wall.state.get("run", {}).get(third.run, {}).get("lines")
            third.step(2000)
            threading.Thread(target=wall.visit, daemon=True).start()
            until(lambda: wall.state["run"].get(second, {}).get("status") == "succeeded" and wall.state["run"].get(third.run, {}).get("lines") != before,
                  lambda: "all runs by %s: %s %s %s" % (member.name, third.run, before, {k: (v["status"], v["lines"]) for k, v in wall.state["run"].items()}))
            self.assertEqual(wall.resets, 0, member.name)
        self.assertEqual(set(wall.state["stack"]), {"net/a", "net/b", "net/c"})

    def test_an_upload_goes_on_where_its_daemon_was_killed(self):
        sender = Sender([self.members[0].url], RUN)
        sender.step(4096)
        sender.step(20000)
        self.members[0].kill()
        sender.urls = [each.url for each in self.members[1:]]
        run = sender.send_all()
        until(lambda: self.members[2].stored(run) == RUN, "its bytes")
        self.members[0].start().ready()
        until(lambda: self.members[0].views().get(run, {}).get("status") == "succeeded", "the end there")
        self.assertEqual(self.members[0].stored(run), RUN)
        self.assertEqual(rows(self.members[0].url, run), rows(self.members[1].url, run))

    def test_two_that_make_one_upload_at_the_same_time_make_one_run(self):
        senders = [Sender([each.url], RUN, name="same") for each in self.members]
        threads = [threading.Thread(target=each.send_all) for each in senders]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(len({each.run for each in senders}), 1)
        run = senders[0].run
        self.everywhere(lambda each: list(each.views()) == [run], "one run")
        self.everywhere(lambda each: each.stored(run) == RUN, "its bytes")

    def test_the_forwarder_of_a_pipe_finds_its_way(self):
        piped = self.pipe("--server", self.members[0].url, "--stack", "net/prod")
        piped.write(RUN[:9000])
        until(lambda: any(self.members[1].views()), "the run elsewhere")
        piped.write(RUN[9000:])
        self.assertEqual(piped.end_of_stream(), 0)
        run = next(iter(self.members[1].views()))
        self.everywhere(lambda each: each.views()[run]["status"] == "succeeded", "the end")
        self.assertEqual(self.members[2].stored(run), RUN)

    def test_nats_has_no_secret(self):
        secret = "hunter2-zzq-42"
        stream = RUN.replace(b"random_password.admin: Plan to create", b"token " + secret.encode())
        masked = Member(self, "m", self.nats.url, "--mask-file", self.file("mask", secret + "\n")).ready()
        done = subprocess.run(["curl", "-sS", "-T", self.file("stream", stream.decode()), masked.url + "/v1/runs?stack=" + secret], capture_output=True, check=True)
        run = json.loads(done.stdout)["run"]
        until(lambda: run in self.members[1].views(), "the run elsewhere")
        self.assertEqual(self.members[1].stored(run), masked.stored(run))
        time.sleep(1)
        for folder, _, names in os.walk(self.nats.room):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(secret.encode(), file.read(), name)
        for each in self.members:
            self.assertNotIn(secret.encode(), each.stored(run))

    def file(self, name, text):
        path = os.path.join(self.home, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o600)
        return path

    def test_how_long_things_take_is_known_everywhere(self):
        Sender([self.members[0].url], RUN).send_all()
        def known(member):
            found = json.loads(get(member.url + "/v1/history?stack=net/prod"))
            return found if found != {} and "null_resource" in json.dumps(found) else None
        self.everywhere(known, "the history")
        asked = [get(each.url + "/v1/history?stack=net/prod") for each in self.members]
        self.assertEqual(len(set(asked)), 1)

    def test_what_a_person_removes_is_gone_everywhere(self):
        run = Sender([self.members[0].url], RUN).send_all()
        self.everywhere(lambda each: run in each.views(), "the run")
        done = subprocess.run([TOFUD, "rm", run, "--server", self.members[1].url], env=self.env(), capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.everywhere(lambda each: run not in each.views(), "no run")
        self.assertEqual(Sender(self.urls(), RUN, name="x").send_all() != run, True)

    def cut_off(self):
        """A run whose stream ends with the daemon that took it in."""
        running = subprocess.Popen(["curl", "-sS", "-T", "-", self.members[0].url + "/v1/runs?stack=raw"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(running.kill)
        running.stdin.write(RUN[:20000])
        running.stdin.flush()
        until(lambda: any(self.members[1].views()), "the run elsewhere")
        self.members[0].kill()
        return next(iter(self.members[1].views()))

    def is_ended(self, run, patience=PATIENCE):
        until(lambda: b'"broken"' in get("%s/v1/runs/%s/events.jsonl" % (self.members[1].url, run)), "its end", patience)
        until(lambda: self.members[2].views()[run]["status"] == self.members[1].views()[run]["status"] != "running", "the same elsewhere")
        self.assertTrue(RUN.startswith(self.members[2].stored(run)))

    def test_a_stream_without_a_forwarder_ends_when_its_daemon_is_started_again(self):
        run = self.cut_off()
        self.members[0].start()
        self.is_ended(run)

    @unittest.skipUnless(os.environ.get("TOFUD_LONG"), "it takes more than a minute: `make long`")
    def test_a_stream_without_a_forwarder_ends_when_its_daemon_stays_away(self):
        self.is_ended(self.cut_off(), patience=120)


class Admission(Clustered):
    """Who is let in is let in everywhere, and nowhere any more within a second."""
    def setUp(self):
        super(Clustered, self).setUp()
        self.nats = Nats(self)
        port = free_port()  # the same for all, as on machines of their own: cookies are named after it
        self.members = [Member(self, "d%d" % n, self.nats.url, "--allow-host", "tofud.test", address="127.0.0.%d" % n, port=port) for n in (2, 3, 4)]
        for each in self.members:
            each.ready()
        self.relays = [Relay(self, (each.address, each.port), host="tofud.test") for each in self.members]

    def token(self, *args):
        done = subprocess.run([TOFUD, "token", *args, "--state-dir", self.members[0].state], env=self.env(), capture_output=True, check=True)
        return done.stdout.decode().split()

    def ask(self, number, method, path, body=None, **headers):
        client = http.client.HTTPConnection("127.0.0.1", self.relays[number].port, timeout=20)
        client.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = client.getresponse()
        return answer.status, answer.headers, answer.read()

    def test_a_token_and_its_sessions_hold_and_end_everywhere(self):
        made = self.token("create", "--name", "ci", "--scope", "read")
        token = next(word for word in made if word.startswith("tofud_"))
        for number in range(3):
            until(lambda: self.ask(number, "GET", "/v1/runs", Authorization="Bearer " + token)[0] == 200, "the token holds at %d" % number)
        self.assertEqual(self.ask(1, "GET", "/v1/runs")[0], 401)
        status, headers, body = self.ask(0, "POST", "/v1/session", json.dumps({"token": token}), Content_Type="application/json")
        self.assertIn(status, (200, 201, 204), body)
        cookie = headers["Set-Cookie"].partition(";")[0]
        for number in range(3):
            until(lambda: self.ask(number, "GET", "/v1/runs", Cookie=cookie)[0] == 200, "the session holds at %d" % number)
        self.assertIn(self.ask(2, "DELETE", "/v1/session", Cookie=cookie, Origin="http://tofud.test", Sec_Fetch_Site="same-origin")[0], (200, 204))
        for number in range(3):
            until(lambda: self.ask(number, "GET", "/v1/runs", Cookie=cookie)[0] == 401, "the session is over at %d" % number)
        status, headers, _ = self.ask(1, "POST", "/v1/session", json.dumps({"token": token}), Content_Type="application/json")
        cookie = headers["Set-Cookie"].partition(";")[0]
        until(lambda: self.ask(2, "GET", "/v1/runs", Cookie=cookie)[0] == 200, "the session holds")
        self.token("revoke", token.split("_")[1])
        for number in range(3):
            until(lambda: self.ask(number, "GET", "/v1/runs", Authorization="Bearer " + token)[0] == 401, "it is revoked at %d" % number)
            until(lambda: self.ask(number, "GET", "/v1/runs", Cookie=cookie)[0] == 401, "its session is over at %d" % number)

    def test_a_session_lives_on_where_its_daemon_died(self):
        token = next(word for word in self.token("create", "--name", "ci", "--scope", "read") if word.startswith("tofud_"))
        until(lambda: self.ask(0, "GET", "/v1/runs", Authorization="Bearer " + token)[0] == 200, "the token holds")
        cookie = self.ask(0, "POST", "/v1/session", json.dumps({"token": token}), Content_Type="application/json")[1]["Set-Cookie"].partition(";")[0]
        until(lambda: self.ask(1, "GET", "/v1/runs", Cookie=cookie)[0] == 200, "the session holds")
        self.members[0].kill()
        self.members[1].kill()
        self.members[1].start().ready()
        until(lambda: self.ask(1, "GET", "/v1/runs", Cookie=cookie)[0] == 200, "the session holds after a restart")


class Told(Clustered):
    def setUp(self):
        super(Clustered, self).setUp()
        self.nats = Nats(self)
        self.told = os.path.join(self.home, "told")
        rules = os.path.join(self.home, "rules.toml")
        program = os.path.join(self.home, "tell")
        with open(program, "w") as file:
            file.write('#!/bin/sh\nline=$(cat)\nprintf "%%s\\n" "$line" >> %s\n' % self.told)
        os.chmod(program, 0o700)
        with open(rules, "w") as file:
            file.write('[[notify]]\nname = "oncall"\non = ["failed", "recovered"]\ntarget = "command"\ncommand = "%s"\n' % program)
        self.members = [Member(self, name, self.nats.url, "--config", rules) for name in "abc"]
        for each in self.members:
            each.ready()

    def events(self):
        try:
            with open(self.told) as file:
                return [json.loads(line) for line in file.read().splitlines() if line]
        except FileNotFoundError:
            return []

    def test_one_of_all_tells_and_knows_what_was_before_elsewhere(self):
        failed = Sender([self.members[0].url], recorded("provisioner-fail-exit3")).send_all()
        until(lambda: self.events(), "the failure")
        Sender([self.members[1].url], RUN).send_all()
        until(lambda: len(self.events()) > 1, "the recovery")
        time.sleep(2)
        self.assertEqual([each["type"].rpartition(".")[2] for each in self.events()], ["failed", "recovered"])
        self.assertEqual(self.events()[0]["data"]["run"], failed)

    def test_what_nobody_told_is_told_by_another(self):
        teller = until(lambda: next((each for each in self.members if b"\ntofud_cluster_lease 1" in get(each.url + "/metrics")), None), "a teller")
        teller.kill()
        others = [each for each in self.members if each is not teller]
        failed = Sender([others[0].url], recorded("provisioner-fail-exit3")).send_all()
        until(lambda: self.events(), "the failure, by who took over")
        self.assertEqual({each["data"]["run"] for each in self.events()}, {failed})
        self.assertEqual(len({each["id"] for each in self.events()}), 1)


class Outages(Clustered):
    def setUp(self):
        super(Clustered, self).setUp()
        self.nats = Nats(self)
        self.wires = [Wire(self, self.nats.port) for _ in range(3)]
        self.members = [Member(self, name, "nats://127.0.0.1:%d" % wire.port) for name, wire in zip("abc", self.wires)]
        for each in self.members:
            each.ready()

    def test_what_can_not_be_sent_again_is_kept_until_nats_is_back(self):
        running = subprocess.Popen(["curl", "-sS", "-T", "-", self.members[0].url + "/v1/runs?stack=raw"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.addCleanup(running.kill)
        first, second = RUN.index(b"\n", 20000) + 1, RUN.index(b"\n", 40000) + 1
        running.stdin.write(RUN[:first])
        running.stdin.flush()
        until(lambda: any(self.members[1].views()), "the run elsewhere")
        run = next(iter(self.members[1].views()))
        self.nats.kill()
        running.stdin.write(RUN[first:second])
        running.stdin.flush()
        until(lambda: len(self.members[0].stored(run)) == second, "what came since, where it came")
        running.stdin.write(RUN[second:])
        running.stdin.close()
        self.assertEqual(running.wait(), 0)
        self.assertEqual(self.members[0].views()[run]["status"], "succeeded")
        self.nats.start()
        self.everywhere(lambda each: each.views().get(run, {}).get("status") == "succeeded", "the end")
        self.everywhere(lambda each: each.stored(run) == RUN, "all bytes")
        self.assertEqual(rows(self.members[2].url, run), rows(self.members[0].url, run))

    def test_what_can_not_be_sent_again_does_not_wait_for_nats(self):
        running = subprocess.Popen(["curl", "-sS", "-T", "-", self.members[0].url + "/v1/runs?stack=raw"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.addCleanup(running.kill)
        first = RUN.index(b"\n", 20000) + 1
        running.stdin.write(RUN[:first])
        running.stdin.flush()
        until(lambda: any(self.members[1].views()), "the run elsewhere")
        run = next(iter(self.members[1].views()))
        self.nats.process.send_signal(signal.SIGSTOP)  # the connection stands, and nobody answers
        running.stdin.write(RUN[first:])
        running.stdin.close()
        self.assertEqual(running.wait(), 0)
        self.assertEqual(self.members[0].stored(run), RUN)
        self.assertEqual(self.members[0].views()[run]["status"], "succeeded")
        self.nats.process.send_signal(signal.SIGCONT)
        self.everywhere(lambda each: each.views().get(run, {}).get("status") == "succeeded" and each.stored(run) == RUN, "all of it")
        self.assertEqual(rows(self.members[2].url, run), rows(self.members[0].url, run))

    def ask_for(self, run):
        """The status of an answer of the daemon that began it."""
        try:
            get(self.members[0].url + "/v1/runs/" + run)
            return 200
        except urllib.error.HTTPError as refused:
            return refused.code

    def begun_twice(self, between):
        """The sender does not get the answer of a daemon that is cut off, and begins at another one."""
        sender = Sender([], RUN)
        self.wires[0].cut()
        until(lambda: "NATS can't be reached" in self.members[0].said(), "a word")
        self.assertEqual(sender.begin(self.members[0].url), 201)
        given_up = sender.run
        self.assertEqual(sender.begin(self.members[1].url), 201)
        self.assertNotEqual(sender.run, given_up)
        between()
        self.wires[0].mend()
        until(lambda: self.nats.records_of(given_up) == [] and self.ask_for(given_up) == 404, "the end of the other one")
        sent, sender.urls = sender.run, self.urls()
        self.assertEqual(sender.send_all(), sent)
        self.everywhere(lambda each: each.stored(sender.run) == RUN and given_up not in each.views(), "all bytes")
        self.assertEqual(self.nats.records_of(given_up), [])

    def test_a_run_that_its_sender_began_elsewhere_as_well_goes(self):
        self.begun_twice(lambda: None)

    def test_a_run_that_its_sender_began_elsewhere_as_well_goes_after_a_restart(self):
        def restart():
            self.members[0].kill()
            self.members[0].start()
        self.begun_twice(restart)

    def test_a_run_whose_daemon_is_restarted_before_nats_has_it_is_whole(self):
        sender = Sender([], RUN)
        self.wires[0].cut()
        until(lambda: "NATS can't be reached" in self.members[0].said(), "a word")
        self.assertEqual(sender.begin(self.members[0].url), 201)
        begun = sender.run
        self.members[0].kill()
        self.wires[0].mend()
        self.members[0].start().ready()
        sender.urls = [self.members[0].url]
        self.assertEqual(sender.send_all(), begun)
        self.everywhere(lambda each: each.views().get(begun, {}).get("status") == "succeeded" and each.stored(begun) == RUN, "all of it")
        self.assertIn('"record":"open"', self.nats.records_of(begun)[0][1][-1])

    def test_a_forwarder_waits_and_nothing_is_lost(self):
        sender = Sender([self.members[0].url], RUN)
        sender.step(4096)
        sender.step(20000)
        self.nats.kill()
        self.assertGreaterEqual(sender.step(20000), 500)
        # It is seen where it came all the same.
        until(lambda: self.members[0].views()[sender.run]["lines"]["messages"] > 60, "rows")
        self.nats.start()
        sender.urls = self.urls()
        run = sender.send_all()
        self.everywhere(lambda each: each.views().get(run, {}).get("status") == "succeeded", "the end")
        self.everywhere(lambda each: each.stored(run) == RUN, "all bytes")

    def test_what_nats_has_lost_is_told_again(self):
        whole = Sender([self.members[0].url], RUN).send_all()
        going = Sender([self.members[1].url], RUN)
        going.step(4096)
        going.step(20000)
        self.everywhere(lambda each: whole in each.views() and going.run in each.views(), "the runs")
        self.nats.kill()
        shutil.rmtree(self.nats.room)
        os.makedirs(self.nats.room)
        self.nats.start()
        going.urls = self.urls()
        going.send_all()
        later = Member(self, "d", self.nats.url).ready()
        for run in (whole, going.run):
            until(lambda: later.views().get(run, {}).get("status") == "succeeded" and later.stored(run) == RUN, lambda: "run %s (of %s, %s) at one that came later: %s" % (run, whole, going.run, "\n---\n".join(each.said() for each in self.members)))
        new = Sender(self.urls(), RUN).send_all()
        for each in (*self.members, later):
            until(lambda: each.views().get(new, {}).get("status") == "succeeded" and each.stored(new) == RUN, "a new run at " + each.name)

    def test_who_watches_a_daemon_that_is_cut_off_is_told(self):
        client = http.client.HTTPConnection(urllib.parse.urlsplit(self.members[1].url).netloc, timeout=PATIENCE)
        self.addCleanup(client.close)
        client.request("GET", "/v1/stream")
        answer = client.getresponse()

        def line(kind):
            while True:
                row = json.loads(answer.readline())
                if row["kind"] == kind:
                    return row
        self.assertNotIn("not_current", line("hello"))
        line("at")
        self.wires[1].cut()
        self.assertIn("NATS can't be reached", line("heartbeat")["not_current"])
        first = subprocess.run(["curl", "-sN", "--max-time", "1", self.members[1].url + "/v1/stream"], capture_output=True).stdout
        hello = json.loads(first.splitlines()[0])
        self.assertIn("NATS can't be reached", hello["not_current"])
        self.wires[1].mend()
        while "not_current" in line("heartbeat"):
            pass

    def test_a_daemon_that_is_cut_off_reads_what_it_missed(self):
        self.wires[1].cut()
        run = Sender([self.members[0].url], RUN).send_all()
        until(lambda: self.members[2].views().get(run, {}).get("status") == "succeeded", "the run")
        self.assertNotIn(run, self.members[1].views())
        self.wires[1].mend()
        until(lambda: self.members[1].views().get(run, {}).get("status") == "succeeded", "the run there, too")
        self.assertEqual(self.members[1].stored(run), RUN)

    def test_a_run_that_begins_while_nats_is_away_is_everywhere_when_it_is_back(self):
        self.nats.kill()
        until(lambda: "NATS can't be reached" in self.members[0].said(), "a word")
        done = subprocess.run(["curl", "-sS", "-T", recorded_path("apply-create-mixed"), self.members[0].url + "/v1/runs?stack=raw"], capture_output=True, check=True)
        run = json.loads(done.stdout)["run"]
        self.assertEqual(self.members[0].views()[run]["status"], "succeeded")
        self.nats.start()
        self.everywhere(lambda each: each.views().get(run, {}).get("status") == "succeeded", "the run")
        self.everywhere(lambda each: each.stored(run) == RUN, "all bytes")


class Beginnings(Clustered):
    def setUp(self):
        super(Clustered, self).setUp()

    def test_a_daemon_that_was_alone_brings_what_it_has(self):
        state = os.path.join(self.home, "daemon-a")
        port = free_port()
        alone = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:%d" % port, "--socket", "", "--state-dir", state], self.env(), stdin=subprocess.DEVNULL))
        alone.out.next()
        run = Sender(["http://127.0.0.1:%d" % port], RUN).send_all()
        alone.stop()
        nats = Nats(self)
        first = Member(self, "a", nats.url).ready()
        second = Member(self, "b", nats.url).ready()
        until(lambda: second.views().get(run, {}).get("status") == "succeeded", "the run")
        self.assertEqual(second.stored(run), RUN)
        self.assertEqual(rows(second.url, run), rows(first.url, run))

    def test_a_daemon_that_joins_later_knows_what_was_before(self):
        nats = Nats(self)
        first = Member(self, "a", nats.url).ready()
        run = Sender([first.url], RUN).send_all()
        until(lambda: first.views().get(run, {}).get("status") == "succeeded", "the run")
        first.kill()
        second = Member(self, "b", nats.url).ready()
        self.assertEqual(second.views()[run]["status"], "succeeded")
        self.assertEqual(second.stored(run), RUN)

    def test_rows_are_the_same_whatever_a_daemon_is_set_to(self):
        nats = Nats(self)
        first = Member(self, "a", nats.url, "--redact-provisioner-output", "hide").ready()
        second = Member(self, "b", nats.url).ready()
        stream = recorded("provisioner-output-kinds")
        run = Sender([first.url], stream).send_all()
        until(lambda: run in second.views(), "the run")
        self.assertEqual(rows(first.url, run), rows(second.url, run))

    def test_copies_of_other_daemons_runs_go_when_they_are_too_many(self):
        nats = Nats(self)
        first = Member(self, "a", nats.url).ready()
        second = Member(self, "b", nats.url, "--cluster-copied-bytes", "100KiB").ready()
        runs = [Sender([first.url], RUN).send_all() for _ in range(4)]
        for run in runs:
            until(lambda: second.views().get(run, {}).get("status") == "succeeded", "the run")
            self.assertEqual(second.stored(run), RUN)
        kept = lambda: sum(os.path.exists(os.path.join(second.state, "daemon/runs", run, "complete")) for run in runs)
        until(lambda: kept() <= 1, lambda: "%d copies are left" % kept())
        for run in runs:
            self.assertEqual(second.stored(run), RUN)
            self.assertEqual(rows(second.url, run), rows(first.url, run))
            self.assertEqual(second.views()[run]["status"], "succeeded")

    def test_without_nats_a_daemon_serves_and_says_so(self):
        lonely = Member(self, "a", "nats://127.0.0.1:%d" % free_port())
        until(lambda: "NATS can't be reached" in lonely.said(), "a word")
        done = subprocess.run(["curl", "-sS", "-T", recorded_path("apply-create-mixed"), lonely.url + "/v1/runs?stack=raw"], capture_output=True, check=True)
        self.assertEqual(json.loads(done.stdout)["status"], "succeeded")


if __name__ == "__main__":
    unittest.main()
