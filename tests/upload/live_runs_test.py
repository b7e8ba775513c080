#!/usr/bin/python3
"""How many runs may go on, in all and of one sender: who is refused, who never is, and whose place is free again."""
import pathlib
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from binary import PATIENCE, TOFUD, EndToEnd, get, recorded, until
from client import Answer, Connection, Upload, ask, connect
from daemons import Tofud

STREAM = recorded("apply-create-mixed")


class LiveRuns(EndToEnd):
    def config(self, text):
        path = pathlib.Path(self.home, "tofud.toml")
        path.write_text(text)
        return str(path)

    def limits(self, **limits):
        return self.config("[limits]\n" + "".join("%s = %d\n" % each for each in limits.items()))

    def daemon(self, **limits):
        return Tofud(self, "--config", self.limits(**limits))

    def reload(self, daemon):
        daemon.process.send_signal(signal.SIGHUP)
        while b"reloaded" not in (line := daemon.err.next()):
            self.assertIsNotNone(line)

    def refusals(self, daemon, limit):
        for line in get(daemon.url + "metrics").decode().splitlines():
            if line.startswith('tofud_limits_reached_total{limit="%s"}' % limit):
                return int(line.split()[-1])
        return None

    def gauge(self, daemon):
        return next(line for line in get(daemon.url + "metrics").decode().splitlines() if line.startswith("tofud_runs_active "))

    def token(self, daemon, name):
        made = subprocess.run([TOFUD, "token", "create", "--name", name, "--scope", "ingest", "--state-dir", daemon.state_dir],
                              capture_output=True, text=True, env=daemon.env, timeout=PATIENCE, check=True)
        return made.stdout.strip()

    def put(self, address, data, stack, token=None):
        """A whole stream of unknown length, all of it sent before its answer is looked at."""
        connection = Connection(address)
        self.addCleanup(connection.close)
        connection.putrequest("PUT", "/v1/runs?stack=" + stack)
        connection.putheader("Transfer-Encoding", "chunked")
        if token:
            connection.putheader("Authorization", "Bearer " + token)
        connection.endheaders()
        for begin in range(0, len(data), 65536):
            piece = data[begin:begin + 65536]
            connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        connection.send(b"0\r\n\r\n")
        return Answer(connection.getresponse())

    def refused(self, answer, word):
        self.assertEqual(answer.status, 429, answer)
        self.assertIn(word, answer.json["message"])
        self.assertGreater(int(answer.headers["retry-after"]), 0)

    def test_one_above_the_limit_waits_and_the_others_go_on(self):
        daemon = self.daemon(live_runs=2)
        first, second, third = (Upload(daemon.tcp) for _ in range(3))
        self.assertEqual([first.create().status, second.create().status], [201, 201])
        self.refused(third.create(), "limits.live_runs")
        self.assertEqual(first.create().status, 200)
        self.assertEqual(first.patch(0, STREAM[:1000]).status, 204)
        self.assertEqual(second.event(1, {"offset": 0, "event": "label", "key": "a", "value": "b"}).status, 204)
        self.assertEqual(first.patch(1000, STREAM[1000:], complete=True).status, 204)
        until(lambda: third.create().status == 201, "there is room again")
        self.assertGreaterEqual(self.refusals(daemon, "live_runs"), 1)
        self.assertEqual(self.refusals(daemon, "live_runs_per_address"), 0)

    def test_runs_from_before_a_restart_come_back_whatever_the_limit_says(self):
        daemon = self.daemon(live_runs=3)
        uploads = [Upload(daemon.tcp) for _ in range(3)]
        for upload in uploads:
            self.assertEqual((upload.create().status, upload.patch(0, STREAM[:1000]).status), (201, 204))
        daemon.kill()
        self.limits(live_runs=1)
        daemon.start()
        for upload in uploads:
            self.assertEqual(upload.create().status, 200)
            self.assertEqual(upload.patch(1000, STREAM[1000:2000]).status, 204)
        self.refused(Upload(daemon.tcp).create(), "limits.live_runs")
        self.assertEqual(self.gauge(daemon), "tofud_runs_active 3")

    def test_a_hangup_makes_room(self):
        daemon = self.daemon(live_runs=1)
        self.assertEqual(Upload(daemon.tcp).create().status, 201)
        more = Upload(daemon.tcp)
        self.refused(more.create(), "limits.live_runs")
        self.limits(live_runs=2)
        self.reload(daemon)
        self.assertEqual(more.create().status, 201)

    def test_a_whole_stream_above_the_limit_is_read_to_its_end_and_refused(self):
        daemon = self.daemon(live_runs=1)
        upload = Upload(daemon.tcp)
        self.assertEqual((upload.create().status, upload.patch(0, STREAM[:1000]).status), (201, 204))
        long = STREAM + b"".join(b'{"more":"%s"}\n' % (b"x" * 60000) for _ in range(200))  # far more than sockets hold
        self.refused(self.put(daemon.tcp, long, "many"), "limits.live_runs")
        raw = connect(daemon.socket)
        self.addCleanup(raw.close)
        raw.sendall(long)
        raw.shutdown(1)
        said = b""
        while piece := raw.recv(65536):
            said += piece
        self.assertIn(b"limits.live_runs", said)
        self.assertEqual(self.refusals(daemon, "live_runs"), 2)
        listed = ask(daemon.tcp, "GET", "/v1/runs").json["runs"]
        self.assertEqual([run["key"] for run in listed], [upload.run])
        self.assertEqual(upload.patch(1000, STREAM[1000:], complete=True).status, 204)
        until(lambda: self.put(daemon.tcp, STREAM, "one").status == 201, "there is room again")

    def test_one_sender_takes_only_its_share(self):
        daemon = self.daemon(live_runs_per_address=2)
        busy, other = self.token(daemon, "busy"), self.token(daemon, "other")
        uploads = [Upload(daemon.tcp, token=busy) for _ in range(3)]
        self.assertEqual([upload.create().status for upload in uploads[:2]], [201, 201])
        self.refused(uploads[2].create(), "limits.live_runs_per_address")
        self.refused(self.put(daemon.tcp, STREAM, "many", busy), "limits.live_runs_per_address")
        self.assertEqual(uploads[0].create().status, 200)
        self.assertEqual(uploads[0].patch(0, STREAM).status, 204)
        # Others have room: another token, and this machine's own user, however many of its runs go on.
        for address, token in ((daemon.tcp, other), (daemon.tcp, None), (daemon.tcp, None), (daemon.tcp, None), (daemon.socket, None)):
            self.assertEqual(Upload(address, token=token).create().status, 201)
        self.assertEqual(self.refusals(daemon, "live_runs_per_address"), 2)
        self.assertEqual(self.refusals(daemon, "live_runs"), 0)
        self.assertEqual(uploads[1].patch(0, STREAM, complete=True).status, 204)
        until(lambda: uploads[2].create().status == 201, "its own run is over")

    def test_after_a_restart_a_sender_is_known_by_what_it_goes_on_with(self):
        daemon = self.daemon(live_runs_per_address=2)
        token = self.token(daemon, "ci")
        uploads = [Upload(daemon.tcp, token=token) for _ in range(2)]
        for upload in uploads:
            self.assertEqual(upload.create().status, 201)
        daemon.kill()
        daemon.start()
        self.assertEqual(uploads[0].head().status, 200)
        self.assertEqual(uploads[1].patch(0, STREAM[:1000]).status, 204)
        self.refused(Upload(daemon.tcp, token=token).create(), "limits.live_runs_per_address")

    def test_a_lost_sender_frees_its_place_and_can_come_back(self):
        daemon = self.daemon(live_runs=1)
        faults = daemon.start_with_faults()
        gone, waiting = Upload(daemon.tcp), Upload(daemon.tcp)
        self.assertEqual((gone.create().status, gone.patch(0, STREAM[:1000]).status), (201, 204))
        self.refused(waiting.create(), "limits.live_runs")
        faults.hasten(400)  # a quarter of an hour in some seconds

        def in_haste(ask):
            """Where a second has 2.5 ms, a client is cut off for being slow, too: it asks again."""
            def answered():
                try:
                    return ask()
                except ConnectionError:
                    return None
            return until(answered, "an answer")
        until(lambda: in_haste(waiting.create).status == 201, "a quarter of an hour of silence")
        self.assertEqual(in_haste(lambda: gone.patch(1000, STREAM[1000:], complete=True)).status, 204)
        self.assertEqual(in_haste(gone.stream).body, STREAM)
        self.assertEqual(in_haste(gone.create).status, 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
