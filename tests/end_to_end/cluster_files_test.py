#!/usr/bin/python3
"""What a cluster is set up with: the examples in config/cluster, keys, certificates and permissions of NATS, and what is wrong with them."""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

import yaml
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

from binary import ROOT, TOFUD, EndToEnd, Running, free_port, get, recorded, until
from cluster import Member, Nats, Sender, nats_server_program
from tls_test import Authority

EXAMPLES = ROOT / "config/cluster"
RUN = recorded("apply-create-mixed")


def crc16(data):
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xffff
    return crc


def nkey():
    """(public key, seed) of a user, as `nk -gen user` makes them (github.com/nats-io/nkeys)."""
    key = ed25519.Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    seed = key.private_bytes(serialization.Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption())

    def text(raw):
        return base64.b32encode(raw + crc16(raw).to_bytes(2, "little")).decode().rstrip("=")
    return text(bytes([20 << 3]) + public), text(bytes([18 << 3 | 160 >> 5, (160 & 31) << 3]) + seed)


class Files(EndToEnd):
    def file(self, name, text):
        path = os.path.join(self.home, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o600)
        return path

    def shares(self, *members):
        for each in members:
            each.ready()
        run = Sender([members[0].url], RUN).send_all()
        for each in members:
            until(lambda: each.views().get(run, {}).get("status") == "succeeded" and each.stored(run) == RUN, "the run at " + each.name)

    def test_the_demo_plays_a_run_to_its_end_while_daemons_die(self):
        done = subprocess.run([sys.executable, str(ROOT / "tests/tools/demo_cluster.py"), "--speed", "1", str(ROOT / "tests/recordings/apply-slow-progress")],
                              env=self.env(CI="1", TOFUD=TOFUD), capture_output=True, timeout=180)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(b"is killed; the page and the upload go on", done.stdout)
        self.assertIn(b"the run is stored: ", done.stdout)

    def test_the_examples_are_read_by_what_they_are_for(self):
        nats = (EXAMPLES / "nats.conf").read_text()
        conf = self.file("nats.conf", nats.replace("/var/lib/nats", self.home).replace("nats-2", "127.0.0.2").replace("nats-3", "127.0.0.3"))
        done = subprocess.run([nats_server_program(), "-t", "-c", conf], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        authority = Authority(self.home)
        chain, key = authority.server("tofud")
        nginx = (EXAMPLES / "nginx.conf").read_text().replace("/etc/nginx/tofud.pem", chain).replace("/etc/nginx/tofud.key", key)
        whole = self.file("nginx.conf", "pid %s/pid; error_log stderr; events {} http { access_log off; %s }" % (self.home, nginx))
        done = subprocess.run([shutil.which("nginx", path="/usr/sbin:/usr/bin"), "-t", "-e", "stderr", "-c", whole], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([TOFUD, "config", "show", "--config", str(EXAMPLES / "tofud.toml")], env=self.env(), capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"tls://nats-2:4222", done.stdout)
        compose = yaml.safe_load((EXAMPLES / "compose.yaml").read_text())
        known = subprocess.run([TOFUD, "serve", "--help"], env=self.env(), capture_output=True, check=True).stdout.decode()
        for name, service in compose["services"].items():
            for word in service["command"]:
                if name.startswith("tofud") and word.startswith("--"):
                    self.assertIn(word + " ", known)

    def test_the_permissions_of_the_example_are_enough(self):
        rules = re.search(r"permissions: \{.*?\n      \}", (EXAMPLES / "nats.conf").read_text(), re.S).group()
        nats = Nats(self, 'authorization { users: [ { user: u, password: p, %s } ] }\nno_auth_user: u\n' % rules)
        self.shares(Member(self, "a", nats.url), Member(self, "b", nats.url))
        with open(os.path.join(nats.room, "log")) as log:
            self.assertNotIn("ermissions Violation", log.read())

    def test_a_key_lets_in_and_another_one_does_not(self):
        public, seed = nkey()
        nats = Nats(self, "authorization { users: [ { nkey: %s } ] }\n" % public)
        known = ("--cluster-nkey", public, "--cluster-nkey-seed-file", self.file("seed", seed + "\n"))
        self.shares(Member(self, "a", nats.url, *known), Member(self, "b", nats.url, *known))
        other_public, other_seed = nkey()
        stranger = Member(self, "c", nats.url, "--cluster-nkey", other_public, "--cluster-nkey-seed-file", self.file("other", other_seed + "\n"))
        until(lambda: "NATS can't be reached: " in stranger.said(), "a word")
        self.assertIn("uthorization", stranger.said())
        self.assertNotIn(other_seed, stranger.said())
        self.assertEqual(stranger.said().count("NATS can't be reached"), 1)
        def says_so():
            try:
                return b"behind: NATS can't be reached" in get(stranger.url + "/readyz")
            except OSError:  # not ready: it waits for a while
                return False
        until(says_so, "a daemon that serves alone")

    def test_servers_with_certificates(self):
        authority = Authority(self.home)
        chain, key = authority.server("localhost")
        nats = Nats(self, 'tls { cert_file: "%s", key_file: "%s" }\n' % (chain, key))
        url = "tls://localhost:%d" % nats.port
        self.shares(Member(self, "a", url, "--cluster-ca-file", authority.root), Member(self, "b", url, "--cluster-ca-file", authority.root))
        stranger = Member(self, "c", url)
        until(lambda: "NATS can't be reached: " in stranger.said(), "a word")

    def test_wrong_settings_are_refused_in_one_line(self):
        for words, said in ((("--cluster-nats", "nats://me:hunter2@127.0.0.1:4222"), "is not the address of a NATS server"),
                            (("--cluster-nats", "127.0.0.1"), "is not the address of a NATS server"),
                            (("--cluster-name", "a.b"), "is not a name for a cluster"),
                            (("--cluster-nkey", "UABC"), "belong together"), (("--cluster-cert-file", "/x"), "belong together"),
                            (("--cluster-replicas", "9"), "cluster.replicas")):
            done = subprocess.run([TOFUD, "serve", "--listen", "127.0.0.1:%d" % free_port(), "--state-dir", self.state_dir, *words], env=self.env(), capture_output=True, timeout=30)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(said.encode(), done.stderr)
            self.assertNotIn(b"hunter2", done.stderr)

    @unittest.skipUnless("TOFUD_WITHOUT_NATS" in os.environ, "names a tofud that was built without libnats")
    def test_a_tofud_built_without_libnats_says_so_and_serves_alone(self):
        program = os.environ["TOFUD_WITHOUT_NATS"]
        done = subprocess.run([program, "serve", "--state-dir", self.state_dir, "--cluster-nats", "nats://127.0.0.1:1"], env=self.env(), capture_output=True, timeout=30)
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertEqual(done.stderr.decode(), "tofud: this tofud was built without libnats, which the configuration's [cluster] needs; install "
                         "libnats-dev and build it again, or remove [cluster]\n")
        alone = self.kept(Running([program, "serve", "--listen", "127.0.0.1:%d" % free_port(), "--state-dir", self.state_dir], self.env()))
        self.assertIn(b" serves ", alone.out.next())

    def test_nothing_of_libnats_is_linked(self):
        self.assertNotIn(b"nats", subprocess.run(["ldd", TOFUD], capture_output=True, check=True).stdout)

    def test_two_clusters_at_one_nats_do_not_meet(self):
        nats = Nats(self)
        first = Member(self, "a", nats.url).ready()
        Sender([first.url], RUN).send_all()
        foreign = Member(self, "b", nats.url, "--cluster-name", "other").ready()
        self.assertEqual(foreign.views(), {})
        self.assertEqual(len(first.views()), 1)

    def test_a_server_without_jetstream_is_said(self):
        port = free_port()
        process = subprocess.Popen([nats_server_program(), "-a", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        lonely = Member(self, "a", "nats://127.0.0.1:%d" % port)
        until(lambda: "has no JetStream" in lonely.said(), "a word")
        self.assertEqual(json.loads(subprocess.run(["curl", "-sS", "-T", str(ROOT / "tests/recordings/apply-create-mixed/stream.jsonl"), lonely.url + "/v1/runs"],
                                                   capture_output=True, check=True).stdout)["status"], "succeeded")


if __name__ == "__main__":
    unittest.main()
