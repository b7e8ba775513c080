#!/usr/bin/python3
"""What subscribers get: whoever joins when, by whatever transport, ends with the same state."""
import asyncio
import concurrent.futures
import json
import random
import subprocess
import threading
import time
import unittest
import urllib.parse

from binary import (PATIENCE, TOFUD, EndToEnd, Follower, Lines, all_recordings, curl, fold, get, ndjson, recorded, recorded_path,
                    server_sent, until, websocket)

ALL = "run,resource,diagnostic,output,message,test_file,test_run,log,text"
VICTIM = "terraform_data.lines"
HOSTILE = 'null_resource.x["<img src=x onerror=alert(1)>\u001b[2J\u001b]0;gone\u0007 \u202e\u0000 \\"quoted\\""]'
TEXT = "<script>alert(1)</script> \u001b[31mred\u001b]0;title\u0007 \u2028 \u0085"


def stream_of(url, **parameters):
    return url + "v1/stream?" + urllib.parse.urlencode({"run": "latest", **parameters}, quote_via=urllib.parse.quote)


def by_ndjson(url):
    return ndjson(url)


def by_server_sent_events(url):
    return [line for _, line in server_sent(curl(url, "-H", "Accept: text/event-stream"))]


def by_websocket(url):
    lines, code, _ = websocket(url)
    assert code == 1000, code
    return lines


TRANSPORTS = (by_ndjson, by_server_sent_events, by_websocket)


class Feed(EndToEnd):
    def assert_same(self, state, expected, what):
        self.assertEqual(set(state), set(expected), what)
        for kind in expected:
            self.assertEqual(set(state[kind]), set(expected[kind]), what)
            for key in expected[kind]:
                self.assertEqual(state[kind][key], expected[kind][key], what)

    def test_every_subscriber_ends_with_the_same_state(self):
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        for name, speed in (("provisioner-output-kinds", 20), ("apply-provider-errors", 8), ("outputs-all-types", 2),
                            ("version-tofu-1.13", 40), ("test-fail-error-skip", 10)):
            tofud = self.replay(recorded_path(name), speed=speed)
            url = stream_of(tofud.url, kinds=ALL, end="close")

            def join(transport):
                time.sleep(chance.random() * 2)
                return fold(transport(url))[0]

            with concurrent.futures.ThreadPoolExecutor(12) as pool:
                states = [(each.__name__, pool.submit(join, each)) for each in TRANSPORTS * 4]
                states = [(each, state.result()) for each, state in states]
            expected = self.rows(recorded_path(name))
            for each, state in states:
                self.assert_same(state, expected, "%s by %s, seed %d" % (name, each, seed))
            document = json.loads(get(tofud.url + "v1/runs/latest"))
            rows = fold([document["run"], *document["rows"]])[0]
            lines = {kind: expected[kind] for kind in ("log", "text") if kind in expected}
            self.assert_same({**rows, **lines}, expected, "%s by REST" % name)
            tofud.stop()

    def test_a_subscriber_that_leaves_and_resumes_ends_with_the_same_state(self):
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        name = "apply-create-mixed"
        tofud = self.replay(recorded_path(name), speed=10)
        leaver = Follower(stream_of(tofud.url, kinds=ALL, end="close"))
        while not leaver.visit(chance.randrange(1, 25) if leaver.visits < 20 else None):
            pass
        self.assertEqual(leaver.resets, 0)
        self.assert_same(leaver.state, self.rows(recorded_path(name)), "seed %d" % seed)

    def test_server_sent_events_resume_by_last_event_id(self):
        name = "apply-create-mixed"
        for speed in (20, 5, 1, 0.2):  # a busy machine gets few flushes of a fast replay
            tofud = self.replay(recorded_path(name), speed=speed)
            url = stream_of(tofud.url, kinds=ALL, end="close")
            events = server_sent(curl(url, "-H", "Accept: text/event-stream"))
            places = [place for place, line in events if line["kind"] == "at"]
            if len(places) > 3:
                break
        self.assertGreater(len(places), 3)
        self.assertNotIn(None, places)
        self.assertTrue(all(place is None for place, line in events if line["kind"] != "at"))
        expected = fold(line for _, line in events)[0]
        for i in (0, len(places) // 2, len(places) - 2):
            before = events[:[place for place, _ in events].index(places[i]) + 1]
            state = fold(line for _, line in before)[0]
            after = server_sent(curl(url + "&since=nonsense", "-H", "Accept: text/event-stream",
                                     "-H", "Last-Event-ID: " + places[i]))
            self.assertNotIn("reset", [line["kind"] for _, line in after])
            self.assertLess(len(after), len(events))
            self.assert_same(fold((line for _, line in after), state)[0], expected, places[i])
        done = subprocess.run(["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Accept: text/event-stream",
                               "-H", "Last-Event-ID: " + places[-1], url], capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.stdout, b"204")  # so that an EventSource stops coming back

    def test_a_browser_that_has_to_begin_anew_says_no_place_until_it_has_all(self):
        tofud = self.replay(recorded_path("apply-slow-progress"))
        text = curl(stream_of(tofud.url, end="close", since="other:7"), "-H", "Accept: text/event-stream").decode()
        _, reset, nowhere, rest = text.split("\n\n", 3)
        self.assertIn('"kind":"reset"', reset)
        self.assertEqual(nowhere, "id:")
        self.assertRegex(rest, r"(?m)^id: \w+:\d+$")

    def test_a_replay_of_a_spool_knows_the_stack_and_the_labels_of_the_run(self):
        told = ("--stack", "net/prod", "--label", "pr=12", "--label", "who=a \"b\"")
        self.run_through(recorded("apply-slow-progress"), *told)
        events = [json.loads(line) for line in self.spool().with_suffix(".events").read_text().splitlines()]
        self.assertEqual([event["event"] for event in events], ["begin", "end"])
        self.assertEqual(events[1]["offset"], self.spool().stat().st_size)
        run, = self.rows(self.spool())["run"].values()
        self.assertEqual((run["stack"], run["labels"]), ("net/prod", {"pr": "12", "who": 'a "b"'}))

    def test_hello_comes_first_and_the_first_at_is_live(self):
        tofud = self.replay(recorded_path("apply-slow-progress"))
        for transport in TRANSPORTS:
            lines = transport(stream_of(tofud.url, end="close"))
            self.assertEqual(lines[0]["kind"], "hello")
            self.assertEqual(lines[0]["protocol"].split(".")[0], "1")
            self.assertEqual(lines[0]["heartbeat_ms"], 15000)
            ats = [line for line in lines if line["kind"] == "at"]
            self.assertTrue(ats[0]["live"])
            self.assertEqual(lines[-1]["kind"], "at")

    def test_a_place_that_does_not_exist_is_a_reset_and_everything_follows(self):
        tofud = self.replay(recorded_path("apply-slow-progress"))
        all_of_it = fold(ndjson(stream_of(tofud.url, end="close")))[0]
        for since in ("xxxxxx:3", "nonsense", ndjson(stream_of(tofud.url, end="close"))[0]["epoch"] + ":99999"):
            lines = ndjson(stream_of(tofud.url, end="close", since=since))
            self.assertEqual([line["kind"] for line in lines[:2]], ["hello", "reset"], since)
            self.assert_same(fold(lines)[0], all_of_it, since)

    def test_a_run_that_waits_sends_what_it_has_at_once(self):
        tofud = self.pipe()
        url = tofud.wait_for_url()
        client = subprocess.Popen(["curl", "-sSN", stream_of(url)], stdout=subprocess.PIPE)
        lines = Lines(client.stdout)
        kinds = [json.loads(lines.next())["kind"] for _ in range(3)]
        self.assertEqual(kinds, ["hello", "run", "at"])
        tofud.write(b"some text\n")
        while json.loads(lines.next())["kind"] != "at":
            pass
        self.assertEqual(tofud.end_of_stream(), 1)
        self.assertEqual(client.wait(PATIENCE), 0)

    def test_at_the_end_of_a_pipe_subscribers_get_the_last_rows_and_a_reason(self):
        stream = recorded("apply-create-mixed")
        tofud = self.pipe()
        url = tofud.wait_for_url()
        here = [threading.Event() for _ in range(5)]
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            clients = [pool.submit(websocket, stream_of(url, kinds=ALL), one.set) for one in here[:4]]
            wall = pool.submit(websocket, url + "v1/stream", here[4].set)
            tofud.write(stream[:len(stream) // 2])
            until(lambda: b"change_summary" not in get(url + "v1/runs/latest") and b'"seq"' in get(url + "v1/runs/latest"),
                  "rows")
            for one in here:  # those that come late would be refused, not wrong
                self.assertTrue(one.wait(PATIENCE))
            tofud.write(stream[len(stream) // 2:])
            self.assertEqual(tofud.end_of_stream(), 0)
            expected = self.rows(self.spool())
            for client in clients:
                lines, code, reason = client.result(PATIENCE)
                self.assert_same(fold(lines)[0], expected, "at the end")
                self.assertEqual((code, reason), (1000, "run over"))
            lines, code, reason = wall.result(PATIENCE)
            self.assertEqual((code, reason), (1000, "run over"))
            self.assertEqual([row["status"] for row in fold(lines)[0]["run"].values()], ["succeeded"])

    def test_a_subscriber_that_reads_nothing_delays_nothing(self):
        stream = recorded("provisioner-firehose")
        tofud = self.pipe()
        url = tofud.wait_for_url()
        stalled = [subprocess.Popen(["curl", "-sSN", stream_of(url, kinds=ALL)], stdout=subprocess.PIPE) for _ in range(5)]
        reader = subprocess.Popen(["curl", "-sSN", stream_of(url, kinds=ALL)], stdout=subprocess.PIPE)
        lines = Lines(reader.stdout)
        lines.next()
        tofud.write(stream)
        status = tofud.end_of_stream()
        for client in [*stalled, reader]:
            if client is not reader:
                client.kill()
                client.stdout.close()
            client.wait(PATIENCE)
        self.assertEqual(status, 0)
        expected = self.rows(self.spool())
        self.assert_same(fold(json.loads(line) for line in lines.all().splitlines())[0], expected, "the one that reads")

    def test_markup_and_control_sequences_stay_text(self):
        stream = recorded("provisioner-output-kinds")
        made = stream.replace(json.dumps(VICTIM).encode(), json.dumps(HOSTILE).encode())
        self.assertNotEqual(made, stream)
        made += TEXT.encode() + b"\n"
        path = self.home + "/hostile.jsonl"
        with open(path, "wb") as file:
            file.write(made)
        tofud = self.replay(path)
        for transport in TRANSPORTS:
            state = fold(transport(stream_of(tofud.url, kinds=ALL, end="close")))[0]
            self.assertIn(HOSTILE, state["resource"])
            self.assertEqual(state["resource"][HOSTILE]["addr"], HOSTILE)
            self.assertIn(TEXT, [row["text"] for row in state["text"].values()])
        raw = curl(stream_of(tofud.url, kinds=ALL, end="close"))
        self.assertEqual([byte for byte in raw if byte < 0x20 and byte != 0x0a], [])

    def test_kinds_and_addresses_choose_rows(self):
        tofud = self.replay(recorded_path("apply-create-mixed"))
        everything = fold(ndjson(stream_of(tofud.url, kinds=ALL, end="close")))[0]
        default = fold(ndjson(stream_of(tofud.url, end="close")))[0]
        self.assertEqual(set(default), set(everything) - {"log", "text"})

        def asked(**parameters):
            return fold(ndjson(stream_of(tofud.url, end="close", **parameters)))[0]

        self.assertEqual(asked(kinds="resource"), {"resource": everything["resource"]})
        self.assertEqual(asked(kinds="run"), {"run": everything["run"]})
        types = {row["type"] for row in everything["resource"].values()}
        self.assertGreater(len(types), 1)
        for wanted in types:
            chosen = {key: row for key, row in everything["resource"].items() if row["type"] == wanted}
            self.assertEqual(asked(kinds="resource", type=wanted), {"resource": chosen})
            chosen = {key: row for key, row in everything["resource"].items() if key.startswith(wanted + ".")}
            self.assertEqual(asked(kinds="resource", addr=wanted + ".*").get("resource", {}), chosen)
        for wanted in {row["module"] for row in everything["resource"].values()}:
            chosen = {key: row for key, row in everything["resource"].items() if row["module"] == wanted}
            self.assertEqual(asked(kinds="resource", module=wanted), {"resource": chosen})

    def test_reads_are_the_rows(self):
        name = "provisioner-output-kinds"
        tofud = self.replay(recorded_path(name))
        expected = self.rows(recorded_path(name))
        until(lambda: json.loads(get(tofud.url + "v1/runs"))["runs"][0]["status"] == "succeeded", "the end of the run")
        self.assertEqual(json.loads(get(tofud.url + "v1/runs"))["runs"], list(expected["run"].values()))
        for kind in ("resource", "run"):
            for key, row in expected[kind].items():
                quoted = urllib.parse.quote(key)
                read = json.loads(get(tofud.url + "v1/runs/latest/row?kind=%s&key=%s" % (kind, quoted)))
                self.assertEqual(read, row)
        for address in {row["addr"] for row in expected["log"].values()}:
            quoted = urllib.parse.quote(address)
            read = [json.loads(line) for line in get(tofud.url + "v1/runs/latest/log?addr=" + quoted).splitlines()]
            self.assertEqual(read, [row for row in expected["log"].values() if row["addr"] == address])

    def test_a_row_too_large_is_cut_and_its_href_has_all_of_it(self):
        tofud = self.replay(recorded_path("outputs-huge", "fixed"))
        state = fold(by_websocket(stream_of(tofud.url, end="close")))[0]
        cut = [row for rows in state.values() for row in rows.values() if row.get("truncated")]
        self.assertTrue(cut)
        for row in cut[:3]:
            self.assertNotIn("value", row)
            whole = get(tofud.url + row["href"].lstrip("/"))
            self.assertIn("value", json.loads(whole))
            self.assertGreater(len(whole), 32 * 1024)

    def test_one_stream_of_several_runs_is_several_runs_and_latest_is_the_last(self):
        name = "pipeline-init-plan-apply-one-stream"
        tofud = self.replay(recorded_path(name))
        until(lambda: json.loads(get(tofud.url + "v1/runs"))["runs"][0]["ended_at"], "the end")
        runs = json.loads(get(tofud.url + "v1/runs"))["runs"]
        self.assertEqual([run["key"] for run in runs], ["stream.4", "stream.3", "stream.2", "stream"])
        self.assertEqual(ndjson(stream_of(tofud.url, end="close"))[0]["topic"], "run/stream.4")
        wall = subprocess.run(["curl", "-sSN", "--max-time", "1", tofud.url + "v1/stream"], capture_output=True).stdout
        self.assertEqual(set(fold(json.loads(line) for line in wall.splitlines())[0]["run"]), {run["key"] for run in runs})

    def test_a_tick_is_a_time_of_a_second_at_most(self):
        for tick, said in (("5", "--feed-tick: it is \"5\", which is not a duration"), ("2s", "--feed-tick: it is 2s")):
            done = subprocess.run([TOFUD, "--feed-tick", tick, "--no-listen"], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=self.env(), timeout=PATIENCE)
            self.assertEqual(done.returncode, 2, done)
            self.assertIn(said, done.stderr)

    def test_a_wrong_tick_of_a_daemon_does_not_stop_a_pipe(self):
        status, _, said = self.run_through(recorded("plan-noop", "norefresh"), env=self.env(TOFUD_FEED_TICK="5"))
        self.assertEqual(status, 0, said)

    def test_without_a_tick_all_of_it_comes_as_well(self):
        tofud = self.replay(recorded_path("provisioner-output-kinds"), "--feed-tick", "0ms", speed=20)
        state, expected = (fold(transport(stream_of(tofud.url, kinds=ALL, end="close")))[0] for transport in (by_websocket, by_ndjson))
        self.assert_same(state, expected, "0ms")

    def test_an_invalid_request_is_refused_with_a_sentence(self):
        tofud = self.replay(recorded_path("plan-noop", "norefresh"))
        for query, status in (("run=nope", 404), ("run=latest&kinds=nonsense", 400), ("run=latest&bogus=1", 400),
                              ("run=latest&end=later", 400)):
            for accept in ("*/*", "text/event-stream"):
                done = subprocess.run(["curl", "-sS", "-w", "\n%{http_code}", "-H", "Accept: " + accept,
                                       tofud.url + "v1/stream?" + query], capture_output=True, timeout=PATIENCE)
                body, code = done.stdout.rsplit(b"\n", 1)
                self.assertEqual(int(code), status, query)
                self.assertIn("message", json.loads(body))
            lines, code, reason = websocket(tofud.url + "v1/stream?" + query)
            self.assertEqual(code, 4000 + status, query)
            self.assertEqual(lines[-1]["kind"], "error")
            self.assertTrue(lines[-1]["message"])

    def test_other_sites_are_refused(self):
        tofud = self.replay(recorded_path("plan-noop", "norefresh"))
        for path in ("", "v1/runs", "v1/stream?run=latest&end=close", "healthz", "no/such/page"):
            for header, status in (("Host: evil.example", b"421"), ("Origin: http://evil.example", b"403"),
                                   ("Origin: null", b"403"), ("Sec-Fetch-Site: cross-site", b"403")):
                done = subprocess.run(["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", header, tofud.url + path],
                                      capture_output=True, timeout=PATIENCE)
                self.assertEqual(done.stdout, status, (path, header))
        own = subprocess.run(["curl", "-sS", "-H", "Origin: " + tofud.url.rstrip("/"), tofud.url + "healthz"],
                             capture_output=True, timeout=PATIENCE)
        self.assertEqual(json.loads(own.stdout), {"status": "ok"})

    def test_a_websocket_that_sends_data_is_closed_with_1003(self):
        import websockets
        tofud = self.replay(recorded_path("plan-noop", "norefresh"))

        async def talk():
            async with websockets.connect(stream_of(tofud.url).replace("http:", "ws:"), subprotocols=["tofud.v1"]) as feed:
                await feed.send("hello?")
                try:
                    while True:
                        await asyncio.wait_for(feed.recv(), PATIENCE)
                except websockets.ConnectionClosed:
                    return feed.close_code

        self.assertEqual(asyncio.run(talk()), 1003)

    def test_every_recording_ends_in_the_feed_as_in_its_rows(self):
        """All of them in one pass through one transport: the rest is the same code."""
        def check(which):
            tofud = self.replay(recorded_path(*which))
            runs = json.loads(get(tofud.url + "v1/runs"))["runs"]
            expected = self.rows(recorded_path(*which))
            state = {}
            for run in [run["key"] for run in runs]:
                fold(ndjson(stream_of(tofud.url, run=run, kinds=ALL, end="close")), state)
            tofud.stop()
            return which, state, expected

        chosen = [which for which in all_recordings() if which[0].startswith(("test-", "version-terraform", "state-lock"))]
        chosen += [("large-2000", "stream"), ("provisioner-firehose", "stream"), ("mixed-stderr-log-noise", "stream")]
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            for which, state, expected in pool.map(check, chosen):
                for kind in expected:
                    # Rows of several runs in one stream may share a key; the last run's stand.
                    self.assertEqual(set(state.get(kind, {})), set(expected[kind]), which)
                if len(expected["run"]) == 1:
                    self.assert_same(state, expected, which)


if __name__ == "__main__":
    unittest.main(verbosity=2)
