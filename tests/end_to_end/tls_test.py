"""`tofud serve` with TLS: who connects, what is served, what happens when the certificate changes; and the clients that speak it."""
import asyncio
import datetime
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, Running, recorded, recorded_path, server_sent, until


def openssl(*args, **more):
    return subprocess.run(["openssl", *args], capture_output=True, timeout=PATIENCE, check=True, **more)


class Authority:
    """Root, intermediate, and what they sign."""

    def __init__(self, directory):
        self.dir = pathlib.Path(directory)
        self.root = self.make("root", None, "basicConstraints=critical,CA:TRUE")
        self.middle = self.make("middle", "root", "basicConstraints=critical,CA:TRUE")

    def path(self, name):
        return str(self.dir / name)

    def make(self, name, signer, extension, days="30"):
        key, cert = self.path(name + ".key"), self.path(name + ".pem")
        args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", cert,
                "-days", days, "-subj", "/CN=" + name, "-addext", extension]
        if signer is None:
            openssl(*args)
        else:
            request = self.path(name + ".csr")
            openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=" + name)
            pathlib.Path(self.path(name + ".ext")).write_text(extension + "\n")
            openssl("x509", "-req", "-in", request, "-CA", self.path(signer + ".pem"), "-CAkey", self.path(signer + ".key"), "-CAcreateserial",
                    "-days", days, "-extfile", self.path(name + ".ext"), "-out", cert)
        os.chmod(key, 0o600)
        return cert

    def server(self, name, days="30", names="DNS:localhost,IP:127.0.0.1"):
        """(chain, key) for these names."""
        leaf = self.make(name, "middle", "subjectAltName=" + names, days)
        chain = self.path(name + ".chain.pem")
        pathlib.Path(chain).write_text(pathlib.Path(leaf).read_text() + pathlib.Path(self.middle).read_text())
        return chain, self.path(name + ".key")


class Tls(EndToEnd):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.keep = __import__("tempfile").TemporaryDirectory(prefix="tofud-tls-")
        cls.addClassCleanup(cls.keep.cleanup)
        cls.ca = Authority(cls.keep.name)
        cls.chain, cls.key = cls.ca.server("first")

    def serve(self, *args, chain=None, key=None, listen=("127.0.0.1:0",)):
        argv = [TOFUD, "serve", *(word for address in listen for word in ("--listen", address)), "--socket", os.path.join(self.home, "s.sock"),
                "--state-dir", os.path.join(self.home, "daemon"), "--tls-cert", chain or self.chain, "--tls-key", key or self.key, *args]
        return self.kept(Running(argv, self.env(), stdin=subprocess.DEVNULL))

    def start(self, *args, **more):
        self.daemon = self.serve(*args, **more)
        line = self.daemon.out.next()
        self.assertIsNotNone(line, self.daemon.err.all() if line is None else "")
        found = re.search(rb"serves (https://localhost:(\d+))/ ", line)
        self.assertTrue(found, line)
        self.url, self.port = found.group(1).decode(), int(found.group(2))
        return self.daemon

    def context(self, **more):
        context = ssl.create_default_context(cafile=self.ca.root)
        for name, value in more.items():
            setattr(context, name, value)
        return context

    def curl(self, path, *args, **more):
        return subprocess.run(["curl", "-sS", "--max-time", str(PATIENCE), "--cacert", self.ca.root, *args, self.url + path], capture_output=True,
                              timeout=PATIENCE, check=True, **more).stdout

    def tofud(self, *args, status=0, **more):
        done = subprocess.run([TOFUD, *args], capture_output=True, timeout=PATIENCE, env=self.env(**more), stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def shown(self):
        """The serial number that is served, through the chain and the name that a client would check."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as plain:
            with self.context().wrap_socket(plain, server_hostname="localhost") as secure:
                return secure.getpeercert()["serialNumber"]


class Serving(Tls):
    def test_the_chain_is_served_and_http_1_1_is_agreed_upon(self):
        self.start()
        context = self.context()
        context.set_alpn_protocols(["h2", "http/1.1"])
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as plain:
            with context.wrap_socket(plain, server_hostname="localhost") as secure:
                self.assertEqual(secure.selected_alpn_protocol(), "http/1.1")
                self.assertEqual(secure.version(), "TLSv1.3")
        self.assertEqual(json.loads(self.curl("/healthz")), {"status": "ok", "url": self.url + "/"})
        self.assertEqual(json.loads(self.curl("/healthz", "--tls-max", "1.2"))["status"], "ok")

    def test_an_http_2_client_fails_in_the_handshake(self):
        self.start()
        context = self.context()
        context.set_alpn_protocols(["h2"])
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as plain:
            with self.assertRaisesRegex(ssl.SSLError, "no application protocol|NO_APPLICATION_PROTOCOL"):
                context.wrap_socket(plain, server_hostname="localhost")

    def test_tls_1_1_is_refused_and_renegotiation_too(self):
        self.start()
        address = "localhost:%d" % self.port
        old = subprocess.run(["openssl", "s_client", "-connect", address, "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"], input=b"", capture_output=True,
                             timeout=PATIENCE, check=False)
        self.assertRegex(old.stderr, b"alert protocol version")
        again = subprocess.run(["openssl", "s_client", "-connect", address, "-tls1_2"], input=b"R\n", capture_output=True, timeout=PATIENCE, check=False)
        self.assertRegex(again.stderr, b"no renegotiation|unexpected message|alert")

    def test_plain_http_is_answered_with_a_sentence(self):
        self.start()
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as plain:
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b"".join(iter(lambda: plain.recv(65536), b""))
        self.assertTrue(answer.startswith(b"HTTP/1.1 400 "), answer)
        self.assertIn(b"this port speaks TLS; use https://", answer)
        self.assertEqual(answer.count(b"HTTP/1.1 "), 1)

    def test_a_tls_hello_on_a_plain_port_is_refused(self):
        daemon = self.kept(Running([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", os.path.join(self.home, "p.sock"), "--state-dir",
                                    os.path.join(self.home, "plain")], self.env(), stdin=subprocess.DEVNULL))
        daemon.wait_for_url()
        with socket.create_connection(("127.0.0.1", daemon.port()), PATIENCE) as plain:
            with self.assertRaises((ssl.SSLError, OSError)):
                self.context().wrap_socket(plain, server_hostname="localhost")

    def test_a_stalled_handshake_is_closed_while_others_are_served(self):
        self.start()
        hello = ssl.MemoryBIO()
        half = self.context().wrap_bio(ssl.MemoryBIO(), hello, server_hostname="localhost")
        with self.assertRaises(ssl.SSLWantReadError):
            half.do_handshake()
        silent = [socket.create_connection(("127.0.0.1", self.port), PATIENCE) for _ in range(20)]
        begun = hello.read(100)  # what comes after it may begin like anything, plain HTTP too
        for one in silent[10:]:
            one.sendall(begun)
        self.assertEqual(json.loads(self.curl("/healthz"))["status"], "ok")
        for one in silent:
            try:
                self.assertEqual(one.recv(65536), b"")  # nothing was said to it, and it is over
            except ConnectionResetError:  # part of its hello was never read
                pass
            one.close()

    def test_a_stream_is_taken_and_shown_over_every_transport(self):
        self.start()
        data = recorded("apply-provider-errors")
        said = json.loads(self.curl("/v1/runs?stack=net/prod", "-T", "-", input=data))
        self.assertEqual((said["bytes"], said["status"]), (len(data), "failed"))
        self.assertEqual(self.curl("/v1/runs/%s/stream.jsonl" % said["run"]), data)
        feed = "/v1/stream?run=%s&end=close" % said["run"]
        lines = [json.loads(line) for line in self.curl(feed, "-N").splitlines()]
        self.assertEqual(lines[-1]["kind"], "at")
        rows = {(line["kind"], line["key"]): line for line in lines if "key" in line}
        events = [line for _, line in server_sent(self.curl(feed, "-N", "-H", "Accept: text/event-stream"))]
        self.assertEqual({(line["kind"], line["key"]): line for line in events if "key" in line}, rows)
        self.assertEqual({(line["kind"], line["key"]): line for line in self.websocket(feed) if "key" in line}, rows)

    def websocket(self, path):
        import websockets

        async def read():
            lines = []
            async with websockets.connect(self.url.replace("https:", "wss:") + path, subprotocols=["tofud.v1"], ssl=self.context(), max_size=None,
                                          origin=self.url) as feed:
                try:
                    while True:
                        lines += [json.loads(line) for line in (await asyncio.wait_for(feed.recv(), PATIENCE)).strip().split("\n")]
                except websockets.ConnectionClosed:
                    self.assertEqual(feed.close_code, 1000)
            return lines
        return asyncio.run(read())

    def test_a_large_stream_goes_in_and_out_as_it_was(self):
        self.start()
        message = {"@level": "info", "@message": "x" * 3000, "@module": "tofu.ui", "@timestamp": "2026-11-21T05:22:42.000000Z", "type": "log"}
        data = recorded("apply-slow-progress") + b"".join(json.dumps({**message, "n": n}).encode() + b"\n" for n in range(3000))
        run = json.loads(self.curl("/v1/runs?stack=net/large", "-T", "-", input=data))["run"]
        self.assertEqual(self.curl("/v1/runs/%s/stream.jsonl" % run), data)

    def test_two_hundred_connections_are_served_at_once(self):
        self.start()
        context = self.context()
        clients = []
        for _ in range(200):
            client = http.client.HTTPSConnection("localhost", self.port, context=context, timeout=PATIENCE)
            client.request("GET", "/v1/stream")
            clients.append(client)
        answers = [client.getresponse() for client in clients]
        self.assertEqual({answer.status for answer in answers}, {200})
        for answer in answers:
            self.assertEqual(json.loads(answer.readline())["kind"], "hello")
        self.assertEqual(json.loads(self.curl("/healthz"))["status"], "ok")
        for client in clients:
            client.close()


class Certificates(Tls):
    def refused(self, chain, key, sentence):
        daemon = self.serve(chain=chain, key=key)
        self.assertEqual(daemon.wait(), 1)
        said = daemon.err.all().decode()
        self.assertRegex(said, sentence)
        self.assertEqual(len(said.splitlines()), 1, said)

    def test_a_wrong_file_is_one_sentence_with_its_name(self):
        here = pathlib.Path(self.home)
        other = self.ca.server("other")[1]
        openssl("pkey", "-in", self.key, "-aes128", "-passout", "pass:x", "-out", str(here / "encrypted.key"))
        (here / "nonsense.pem").write_text("nonsense\n")
        (here / "broken.pem").write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
        expired = here / "expired.pem"
        openssl("x509", "-req", "-in", self.ca.path("first.csr"), "-CA", self.ca.middle, "-CAkey", self.ca.path("middle.key"), "-days", "-1",
                "-out", str(expired))
        for chain, key, sentence in (
                (str(here / "none.pem"), self.key, r"can't read \S+/none\.pem: No such file"),
                (self.chain, str(here / "none.key"), r"can't read \S+/none\.key: No such file"),
                (self.chain, other, r"the key in \S+/other\.key does not belong to the certificate in \S+/first\.chain\.pem"),
                (self.chain, str(here / "encrypted.key"), r"the key in \S+/encrypted\.key is encrypted.*openssl pkey"),
                (str(here / "nonsense.pem"), self.key, r"\S+/nonsense\.pem contains no certificate"),
                (str(here / "broken.pem"), self.key, r"\S+/broken\.pem contains a certificate that can't be read"),
                (self.chain, str(here / "nonsense.pem"), r"\S+/nonsense\.pem contains no private key"),
                (str(here), self.key, r"can't read \S+: it is not a file"),
                (str(expired), self.key, r"the certificate in \S+/expired\.pem has expired on \d{4}-\d\d-\d\d")):
            with self.subTest(sentence):
                self.refused(chain, key, sentence)

    def test_one_option_without_the_other_is_an_error_of_usage(self):
        said = self.tofud("serve", "--tls-cert", self.chain, "--no-listen", "--no-socket", "--state-dir", self.home, status=2)[1]
        self.assertIn("tls.cert and tls.key must both be set", said)

    def test_a_key_that_all_may_read_is_warned_of(self):
        key = pathlib.Path(self.home, "open.key")
        key.write_bytes(pathlib.Path(self.key).read_bytes())
        key.chmod(0o644)
        daemon = self.start(key=str(key))
        until(lambda: any(b"every user of this machine can read the key in" in line for line in daemon.err.got), "the warning")

    def test_when_the_certificate_ends_is_measured_and_warned_of(self):
        chain, key = self.ca.server("short", days="10")
        daemon = self.start(chain=chain, key=key)
        said = [line for line in openssl("x509", "-in", chain, "-noout", "-enddate", "-dateopt", "iso_8601").stdout.decode().splitlines()]
        day, clock = re.fullmatch(r"notAfter=(\S+) (\S+)Z", said[0]).groups()
        until(lambda: any(("short.chain.pem expires on " + day).encode() in line for line in daemon.err.got), "the warning")
        ends = datetime.datetime.fromisoformat(day + "T" + clock + "+00:00").timestamp()
        text = self.curl("/metrics").decode()
        self.assertIn("\ntofud_tls_certificate_expires_seconds %d\n" % ends, text)
        checked = subprocess.run(["promtool", "check", "metrics"], input=text.encode(), capture_output=True, timeout=PATIENCE)
        self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, b"", b""))

    def test_a_chain_ends_with_the_first_of_it(self):
        leaf = self.ca.make("long", "middle", "subjectAltName=DNS:localhost,IP:127.0.0.1", days="25")
        short = self.ca.make("weak", "root", "basicConstraints=critical,CA:TRUE", days="5")
        chain = pathlib.Path(self.home, "chain.pem")
        chain.write_text(pathlib.Path(leaf).read_text() + pathlib.Path(short).read_text())
        self.start(chain=str(chain), key=self.ca.path("long.key"))
        ends = float(re.search(r"\ntofud_tls_certificate_expires_seconds (\d+)\n", self.curl("/metrics", "-k").decode()).group(1))
        self.assertLess(abs(ends - (datetime.datetime.now().timestamp() + 5 * 86400)), 3600)

    def test_a_new_certificate_is_served_after_hup_and_a_bad_one_never(self):
        live = pathlib.Path(self.home)
        chain, key = live / "live.pem", live / "live.key"
        chain.write_bytes(pathlib.Path(self.chain).read_bytes())
        key.write_bytes(pathlib.Path(self.key).read_bytes())
        key.chmod(0o600)
        daemon = self.start(chain=str(chain), key=str(key))
        before = self.shown()
        kept = http.client.HTTPSConnection("localhost", self.port, context=self.context(), timeout=PATIENCE)
        kept.request("GET", "/healthz")
        kept.getresponse().read()

        new_chain, new_key = self.ca.server("second")
        chain.write_bytes(pathlib.Path(new_chain).read_bytes())  # the key does not fit yet
        daemon.process.send_signal(signal.SIGHUP)
        until(lambda: any(b"does not belong to" in line for line in daemon.err.got), "the refusal")
        self.assertEqual(self.shown(), before)

        key.write_bytes(pathlib.Path(new_key).read_bytes())
        daemon.process.send_signal(signal.SIGHUP)
        until(lambda: any(b"certificate reloaded" in line for line in daemon.err.got), "the reload")
        self.assertNotEqual(self.shown(), before)
        kept.request("GET", "/healthz")  # a connection from before goes on
        self.assertEqual(kept.getresponse().status, 200)
        kept.close()

    def test_a_new_certificate_may_be_for_another_name(self):
        live = pathlib.Path(self.home)
        chain, key = live / "live.pem", live / "live.key"
        for made, name in ((self.ca.server("third", names="DNS:localhost,DNS:moved.example.org"), "localhost"),
                           (self.ca.server("fourth", names="DNS:moved.example.org,DNS:localhost"), "moved.example.org")):
            chain.write_bytes(pathlib.Path(made[0]).read_bytes())
            key.write_bytes(pathlib.Path(made[1]).read_bytes())
            key.chmod(0o600)
            if name == "localhost":
                daemon = self.start(chain=str(chain), key=str(key))
            else:
                daemon.process.send_signal(signal.SIGHUP)
                until(lambda: any(b"certificate reloaded" in line for line in daemon.err.got), "the reload")
            self.assertEqual(json.loads(self.curl("/healthz"))["url"], "https://%s:%d/" % (name, self.port))
            answer = subprocess.run(["curl", "-sS", "-o", os.devnull, "-w", "%{http_code}", "--cacert", self.ca.root, "--connect-to", "::127.0.0.1:",
                                     "https://moved.example.org:%d/healthz" % self.port], capture_output=True, timeout=PATIENCE, check=True)
            self.assertEqual(answer.stdout, b"421" if name == "localhost" else b"200")


class Clients(Tls):
    def upload(self, *args, server=None, **more):
        data = recorded("apply-slow-progress")
        done = subprocess.run([TOFUD, "--no-listen", "--progress", "none", "--stack", "net/sent", "--state-dir", self.state_dir, "--server",
                               server or self.url, *args], input=data, capture_output=True, timeout=PATIENCE, env=self.env(**more), check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return data, done.stderr.decode()

    def test_the_forwarder_and_the_commands_speak_https(self):
        self.start()
        ca = ["--ca-file", self.ca.root]
        data, said = self.upload(*ca)
        self.assertNotIn("resume", said)
        listed = json.loads(self.curl("/v1/runs"))["runs"]
        self.assertEqual([(run["stack"], run["status"]) for run in listed], [("net/sent", "succeeded")])
        self.assertEqual(self.curl("/v1/runs/%s/stream.jsonl" % listed[0]["key"]), data)
        away = self.env(SSL_CERT_FILE=self.ca.root, HOME=os.path.join(self.home, "away"))
        done = subprocess.run([TOFUD, "ls", "--server", self.url], capture_output=True, env=away, timeout=PATIENCE, check=True)
        self.assertIn(b"net/sent", done.stdout)
        browser = os.path.join(self.home, "browser")
        pathlib.Path(browser).write_text("#!/bin/sh\n")
        os.chmod(browser, 0o755)
        out, _ = self.tofud("open", listed[0]["key"], "--server", self.url, *ca, HOME=os.path.join(self.home, "away"), BROWSER=browser)
        self.assertEqual(out, "%s/?run=%s\n" % (self.url, listed[0]["key"]))
        out, _ = self.tofud("export", listed[0]["key"], "--format", "ndjson", "--server", self.url, *ca, HOME=os.path.join(self.home, "away"))
        self.assertIn('"random_pet.fast[0]"', out)

    def test_the_cookie_of_a_login_is_of_this_host_alone(self):
        """`__Host-`: browsers take it from no other name, and send it nowhere else."""
        self.start()
        made = subprocess.run([TOFUD, "token", "create", "--scope", "read", "--state-dir", os.path.join(self.home, "daemon"), "--name", "one"],
                              capture_output=True, timeout=PATIENCE, env=self.env(), check=True)
        token = re.search(rb"tofud_[\w-]+", made.stdout).group().decode()
        origin = ("-H", "Origin: " + self.url, "-H", "Content-Type: application/json")
        head = until(lambda: re.search(rb"(?im)^set-cookie: (.*?)\r$", self.curl("/v1/session", "-i", *origin, "-d", json.dumps({"token": token}))),
                     "it knows the token").group(1).decode()
        self.assertRegex(head, r"^__Host-tofud-%d=[0-9a-f]{64}; Path=/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$" % self.port)
        cookie = head.partition(";")[0]
        who = json.loads(self.curl("/v1/session", "-H", "Cookie: " + cookie))
        self.assertIn("one", json.dumps(who))
        other = json.loads(self.curl("/v1/session", "-H", "Cookie: " + cookie.replace("__Host-", "")))
        self.assertNotEqual(who, other)

    def test_an_unknown_authority_gets_no_data_and_is_reported(self):
        self.start()
        _, said = self.upload()
        self.assertRegex(said, r"not yet sent to https://localhost:\d+ \(TLS: .*certificate.*\); `tofud resume")
        _, said = self.tofud("ls", "--server", self.url, status=2)
        self.assertRegex(said, r"TLS failed with https://localhost:\d+: .*certificate")
        self.assertEqual(json.loads(self.curl("/v1/runs"))["runs"], [])
        self.tofud("resume", "last", "--state-dir", self.state_dir, "--ca-file", self.ca.root)
        self.assertEqual([run["stack"] for run in json.loads(self.curl("/v1/runs"))["runs"]], ["net/sent"])

    def test_open_through_the_socket_makes_a_login_link_for_a_page_with_a_name(self):
        chain, key = self.ca.server("named", names="DNS:tofud.example.org")
        socket_path = os.path.join(self.home, "s.sock")
        daemon = self.serve(chain=chain, key=key)
        daemon.out.next()
        with open(recorded_path("apply-slow-progress"), "rb") as stream:
            subprocess.run([TOFUD, "--progress", "none", "--no-listen", "--server", socket_path, "--state-dir", self.home], stdin=stream, check=True,
                           env=self.env(), timeout=PATIENCE, capture_output=True)
        self.assertRegex(self.tofud("open", "--server", socket_path)[0], r"^https://tofud\.example\.org:\d+/\?run=[^#]*#ticket=[0-9a-f]{64}\n$")

    def test_a_certificate_for_another_name_is_refused(self):
        leaf = self.ca.make("elsewhere", "middle", "subjectAltName=DNS:localhost.example.org")
        chain = pathlib.Path(self.home, "elsewhere.pem")
        chain.write_text(pathlib.Path(leaf).read_text() + pathlib.Path(self.ca.middle).read_text())
        daemon = self.serve(chain=str(chain), key=self.ca.path("elsewhere.key"))
        port = int(re.search(rb"https://localhost\.example\.org:(\d+)/", daemon.out.next()).group(1))
        for server in ("https://localhost:%d" % port, "https://127.0.0.1:%d" % port):
            _, said = self.tofud("ls", "--server", server, "--ca-file", self.ca.root, status=2)
            self.assertRegex(said, "TLS failed with " + server + ": .*mismatch")


class Exposure(Tls):
    def test_beyond_loopback_it_takes_tls_and_a_token_or_insecure(self):
        base = [TOFUD, "serve", "--socket", os.path.join(self.home, "e.sock"), "--state-dir", os.path.join(self.home, "e")]
        for address in ("0.0.0.0:0", "[::]:0"):
            said = self.tofud(*base[1:], "--listen", address, status=1)[1]
            self.assertIn("so it needs TLS (--tls-cert FILE --tls-key FILE) and a token (`tofud token create`); use --insecure", said)
            said = self.tofud(*base[1:], "--listen", address, "--tls-cert", self.chain, "--tls-key", self.key, status=1)[1]
            self.assertIn("so it needs a token (`tofud token create`); use --insecure", said)

    def test_beyond_loopback_an_unreadable_file_of_tokens_is_named(self):
        os.makedirs(os.path.join(self.home, "e", "daemon"))
        tokens = os.path.join(self.home, "e", "daemon", "tokens")
        os.mkdir(tokens)
        said = self.tofud("serve", "--no-socket", "--state-dir", os.path.join(self.home, "e"), "--listen", "0.0.0.0:0", "--tls-cert", self.chain,
                          "--tls-key", self.key, status=1)[1]
        self.assertRegex(said, "tofud: .*" + tokens + ".*; no token is valid until it can be read\n.*so it needs a token")

    def test_it_listens_on_every_address_that_is_given(self):
        daemon = self.start("--insecure", listen=("127.0.0.1:0", "0.0.0.0:0"))
        ports = set()
        for line in pathlib.Path("/proc/%d/net/tcp" % daemon.process.pid).read_text().splitlines()[1:]:
            fields = line.split()
            inode = "socket:[%s]" % fields[9]
            held = [os.readlink(link) for link in pathlib.Path("/proc/%d/fd" % daemon.process.pid).iterdir() if link.is_symlink()]
            if fields[3] == "0A" and inode in held:
                ports.add(int(fields[1].split(":")[1], 16))
        self.assertEqual(len(ports), 2)
        for port in ports:
            client = http.client.HTTPSConnection("localhost", port, context=self.context(), timeout=PATIENCE)
            client.request("GET", "/healthz")
            self.assertEqual(client.getresponse().status, 200)
            client.close()


if __name__ == "__main__":
    unittest.main()
