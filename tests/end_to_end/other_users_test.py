#!/usr/bin/python3
"""Who of this machine's users gets in where: a socket that systemd gave, one of tofud's own, a stream without HTTP, a link that logs in."""
import json
import os
import subprocess
import sys
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, Running, recorded, until

DAEMON, MEMBER, OTHER_USER, GROUP = 61001, 61002, 61003, 61100
GIVE = """
import os, socket, sys
path, uid, gid = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
listening = socket.socket(socket.AF_UNIX)
listening.bind(path)
os.chmod(path, 0o660)
os.chown(path, 0, gid)
listening.listen()
os.dup2(listening.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES="tofud.socket")
os.setgroups([])
os.setgid(uid)
os.setuid(uid)
os.execv(sys.argv[4], sys.argv[4:])
"""
PERSON = 2001
SQUAT = """
import os, socket, sys
listening = socket.create_server(("127.0.0.1", 0))
heard = open(sys.argv[2], "wb", buffering=0)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(listening.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
while True:
    client, _ = listening.accept()
    while piece := client.recv(65536):
        heard.write(piece)
"""
ASK = """
import socket, sys
client = socket.socket(socket.AF_UNIX)
client.settimeout(20)
try:
    client.connect(sys.argv[1])
    client.sendall(sys.stdin.buffer.read())
    client.shutdown(socket.SHUT_WR)
    while piece := client.recv(65536):
        sys.stdout.buffer.write(piece)
except OSError as problem:
    print(problem.__class__.__name__)
"""


@unittest.skipUnless(os.geteuid() == 0, "other users are somebody only for root")
class OtherUsers(EndToEnd):
    def setUp(self):
        super().setUp()
        os.chmod(self.home, 0o755)
        self.state = os.path.join(self.home, "of-the-daemon")
        os.makedirs(self.state)
        os.chown(self.state, DAEMON, DAEMON)
        self.path = os.path.join(self.home, "given.sock")

    def given(self, *args):
        """A daemon of its own user at a socket of root's and a group's, as the units of tofud.socket have it."""
        running = self.kept(Running([sys.executable, "-c", GIVE, self.path, str(DAEMON), str(GROUP), TOFUD, "serve", "--listen", "127.0.0.1:0",
                                     "--state-dir", self.state, *args], self.env(HOME=self.state), stdin=subprocess.DEVNULL))
        self.assertIn(self.path.encode(), running.out.next() or running.err.all())
        return running

    def ask(self, user, text, groups=(), path=None):
        done = subprocess.run([sys.executable, "-c", ASK, path or self.path], input=text, capture_output=True, timeout=PATIENCE, user=user,
                              group=user, extra_groups=list(groups))
        return done.stdout

    def runs(self):
        answer = self.ask(0, b"GET /v1/runs HTTP/1.1\r\nHost: tofud\r\nConnection: close\r\n\r\n")
        return json.loads(answer[answer.index(b"{"):answer.rindex(b"}") + 1])["runs"]

    def test_an_inherited_socket_is_for_its_group(self):
        self.given()
        get = b"GET /v1/runs HTTP/1.1\r\nHost: tofud\r\nConnection: close\r\n\r\n"
        self.assertIn(b"200 OK", self.ask(MEMBER, get, [GROUP]))
        self.assertEqual(self.ask(OTHER_USER, get), b"PermissionError\n")

    def test_a_forwarder_of_the_group_is_accepted(self):
        self.given()
        home = os.path.join(self.home, "member")
        os.makedirs(home)
        os.chown(home, MEMBER, MEMBER)
        done = subprocess.run([TOFUD, "--no-listen", "--progress", "none", "--state-dir", home, "--server", "unix:" + self.path, "--stack", "net"],
                              input=recorded("apply-slow-progress"), capture_output=True, timeout=PATIENCE, user=MEMBER, group=MEMBER,
                              extra_groups=[GROUP], env=self.env(HOME=home))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual([(run["stack"], run["status"]) for run in self.runs()], [("net", "succeeded")])

    def test_a_raw_stream_of_the_group_is_accepted(self):
        self.given()
        self.ask(MEMBER, recorded("apply-slow-progress"), [GROUP])
        until(lambda: [run["status"] for run in self.runs()] == ["succeeded"], "the run is there")

    def test_owner_keeps_the_group_out(self):
        self.given("--socket-peers", "owner")
        get = b"GET /v1/runs HTTP/1.1\r\nHost: tofud\r\nConnection: close\r\n\r\n"
        self.assertRegex(self.ask(MEMBER, get, [GROUP]), rb"^HTTP/1.1 40[13] ")
        self.ask(MEMBER, recorded("apply-slow-progress"), [GROUP])
        self.assertEqual(self.runs(), [])

    def test_the_own_socket_is_for_the_own_user(self):
        own = os.path.join(self.home, "own.sock")
        running = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", own, "--state-dir", self.state_dir], self.env(),
                                    stdin=subprocess.DEVNULL))
        running.out.next()
        os.chmod(own, 0o666)  # whatever its file says
        self.assertNotIn(b" 200 ", self.ask(MEMBER, b"GET /v1/runs HTTP/1.1\r\nHost: tofud\r\nConnection: close\r\n\r\n", path=own))

    def test_root_makes_a_token_below_a_directory_that_only_root_may_enter(self):
        # As with DynamicUser= of systemd: /var/lib/private is root's alone, and the state below it the service's.
        private = os.path.join(self.home, "private")
        os.makedirs(os.path.join(private, "tofud"))
        os.chmod(private, 0o700)
        os.chown(os.path.join(private, "tofud"), DAEMON, DAEMON)
        state = os.path.join(self.home, "link")
        os.symlink("private/tofud", state)
        token = ("token", "create", "--state-dir", state)
        for _ in range(2):
            made = subprocess.run([TOFUD, *token], env=self.env(), capture_output=True, timeout=PATIENCE)
            self.assertEqual((made.returncode, made.stdout[:6]), (0, b"tofud_"), made.stderr)
        for name in ("", "daemon", "daemon/tokens", "daemon/tokens.lock"):
            self.assertEqual(os.stat(os.path.join(private, "tofud", name)).st_uid, DAEMON, name)

    def test_a_process_on_the_daemons_port_gets_no_token(self):
        heard, port_file = os.path.join(self.home, "heard"), os.path.join(self.home, "port")
        os.chmod(self.home, 0o777)
        squatter = subprocess.Popen([sys.executable, "-c", SQUAT, port_file, heard], user=PERSON, group=PERSON)
        self.addCleanup(squatter.wait)
        self.addCleanup(squatter.kill)
        port = until(lambda: os.path.exists(port_file) and open(port_file).read(), "it listens")
        token = os.path.join(self.home, "token-file")
        with open(token, "w") as file:
            file.write("tofud_0123456789abcdef_secretsecretsecret\n")
        os.makedirs(self.state_dir)
        at = ("--server", "http://127.0.0.1:" + port, "--token-file", token)
        for words in (("ls",), ("--no-listen", "--progress", "none", "--stack", "net")):
            done = subprocess.run([TOFUD, *words, *at, "--state-dir", self.state_dir], input=recorded("apply-slow-progress"),
                                  capture_output=True, env=self.env(), timeout=PATIENCE)
            self.assertIn(b"2001", done.stderr)
        with open(heard, "rb") as file:
            self.assertEqual(file.read(), b"")


if __name__ == "__main__":
    unittest.main(verbosity=2)
