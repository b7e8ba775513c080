#!/usr/bin/python3
"""An archive in a bucket of a service that this project did not write: moto, which verifies each signature with Amazon's own library.
.ci/archive-server has put it into build/."""
import hashlib
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import threading
import unittest
import urllib.request

from archive_test import Archive
from asking import STREAM
from binary import ROOT, TOFUD, free_port, until

SERVER = ROOT / "build/archive-server"
# Reads the bucket into a directory, as `aws s3 sync` does.
FETCHES = """
import boto3, os, sys
endpoint, bucket, prefix, to = sys.argv[1:]
s3 = boto3.client("s3", endpoint_url=endpoint, region_name="eu-central-1", aws_access_key_id=os.environ["KEY"], aws_secret_access_key=os.environ["SECRET"])
for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
    for each in page.get("Contents", []):
        path = os.path.join(to, each["Key"][len(prefix):])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        s3.download_file(bucket, each["Key"], path)
"""
# A bucket and a user who may do everything in it; prints the user's key.
MAKES = """
import boto3, json, sys, urllib.request
endpoint, bucket = sys.argv[1:]
plain = dict(endpoint_url=endpoint, region_name="eu-central-1", aws_access_key_id="any", aws_secret_access_key="any")
boto3.client("s3", **plain).create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
iam = boto3.client("iam", **plain)
iam.create_user(UserName="tofud")
policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["s3:PutObject", "s3:DeleteObject", "s3:GetObject", "s3:ListBucket"], "Resource": "*"}]}
iam.put_user_policy(UserName="tofud", PolicyName="archive", PolicyDocument=json.dumps(policy))
key = iam.create_access_key(UserName="tofud")["AccessKey"]
urllib.request.urlopen(urllib.request.Request(endpoint + "/moto-api/reset-auth", data=b"0", method="POST", headers={"Content-Type": "text/plain"}))
print(key["AccessKeyId"], key["SecretAccessKey"])
"""


@unittest.skipUnless((SERVER / ".versions").exists(), ".ci/archive-server fetches it")
class Bucket(Archive):
    def setUp(self):
        super().setUp()
        port = free_port()
        self.endpoint = "http://127.0.0.1:%d" % port
        self.server = subprocess.Popen([SERVER / "python/bin/moto_server", "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (self.server.kill(), self.server.wait()))
        until(self.answers, "the service answers")
        self.key, self.secret = self.python(MAKES, self.endpoint, "runs").split()
        self.tokens.append(self.secret)  # stands nowhere but in its file
        self.credentials = self.write_credentials(self.key, self.secret)

    def answers(self):
        try:
            urllib.request.urlopen(self.endpoint + "/moto-api/data.json", timeout=5).close()
            return True
        except OSError:
            return False

    def python(self, text, *args):
        done = subprocess.run([SERVER / "python/bin/python", "-c", text, *args], capture_output=True, text=True,
                              env=dict(os.environ, KEY=getattr(self, "key", ""), SECRET=getattr(self, "secret", "")))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def write_credentials(self, key, secret, name="token"):  # the name that tearDown passes over
        folder = pathlib.Path(self.home, "credentials")
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n" % (key, secret))
        return str(folder / name)

    def archiving(self, *args, to="s3://runs/team/net", endpoint=None, **more):
        return self.serve("--archive", to, "--archive-endpoint", endpoint or self.endpoint, "--archive-region", "eu-central-1",
                          "--archive-credentials-file", self.credentials, *args, **more)

    def fetched(self, prefix="team/net/"):
        to = pathlib.Path(self.home, "fetched")
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir()
        self.python(FETCHES, self.endpoint, "runs", prefix, str(to))
        return to

    def test_what_is_fetched_from_it_is_whole_and_opened_as_a_journal(self):
        daemon = self.archiving()
        big = STREAM[:STREAM.index(b"\n") + 1] + b"".join(
            b'{"@level":"info","@message":"%s","@module":"tofu.ui","@timestamp":"2026-11-21T03:12:06.000000Z","type":"log"}\n' % os.urandom(400).hex().encode()
            for _ in range(4000))
        runs = [daemon.put_run(STREAM, "/v1/runs?stack=net/%d" % number) for number in range(3)] + [daemon.put_run(big, "/v1/runs?stack=big")]
        until(lambda: self.metric(daemon, "tofud_archived_runs_total") == 4, "they are archived")
        copy = self.fetched()
        self.assertIn("is whole: 4 runs", self.check(place=copy)[0])
        self.assertEqual(json.loads((copy / "archive.json").read_text())["version"], 1)
        for run in runs:
            for line in (copy / "runs" / run / "manifest.jsonl").read_text().splitlines():
                file = json.loads(line)
                self.assertEqual(hashlib.sha256((copy / "runs" / run / file["path"]).read_bytes()).hexdigest(), file["sha256"])
        state = pathlib.Path(self.home, "copy-state")
        state.mkdir()
        shutil.copytree(copy, state / "daemon")
        other = self.serve(name="other", state_dir=str(state))
        until(lambda: other.status("GET", "/readyz") == 200, "it is ready")
        for run in runs:
            self.assertEqual(other.ask("GET", "/v1/runs/%s/stream.jsonl" % run).body, daemon.ask("GET", "/v1/runs/%s/stream.jsonl" % run).body)
        self.tofud("rm", runs[0], "--server", "unix:" + daemon.socket)
        self.assertEqual({path.name for path in (self.fetched() / "runs").iterdir()}, set(runs[1:]))

    def test_whoever_may_not_write_there_is_told_what_the_service_said(self):
        with open(self.credentials, encoding="utf-8") as file:
            right = file.read()
        for key, secret, words in ((self.key, "wrong", b"(SignatureDoesNotMatch)"), ("AKIAUNKNOWN", self.secret, b"(InvalidAccessKeyId)")):
            with self.subTest(words=words):
                self.write_credentials(key, secret)
                daemon = self.archiving(name="refused-" + key)
                run = daemon.put_run()
                until(lambda: words in self.log_of(daemon), "it is said")
                self.assertIn(b"the bucket answered with status 403", self.log_of(daemon))
                self.assertEqual(self.metric(daemon, "tofud_archive_up"), 0)
                self.assertEqual(daemon.status("GET", "/v1/runs/" + run), 200)
        # Mended without a restart: the file is read again.
        pathlib.Path(self.credentials).write_text(right)
        until(lambda: b"takes runs again" in self.log_of(daemon), "it goes on")
        until(lambda: self.metric(daemon, "tofud_archived_runs_total") == 1, "it is archived")

    def test_a_bucket_that_is_not_there_is_named(self):
        daemon = self.archiving(to="s3://nosuch")
        daemon.put_run()
        until(lambda: b"status 404 (NoSuchBucket)" in self.log_of(daemon), "it is said")

    def test_a_service_that_hangs_leads_elsewhere_or_floods_holds_nothing(self):
        class Hostile(http.server.BaseHTTPRequestHandler):
            protocol_version, how, seen = "HTTP/1.1", "hangs", []

            def do_PUT(self):
                Hostile.seen.append(self.path)
                Hostile.headers_seen = dict(self.headers.items())
                if Hostile.how == "hangs":
                    Hostile.over.wait()
                    return
                if Hostile.how == "leads":
                    self.send_response(307)
                    self.send_header("Location", "http://127.0.0.1:%d/elsewhere" % self.server.server_port)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(500)
                self.end_headers()
                try:
                    while not Hostile.over.is_set():
                        self.wfile.write(b"<Message>" + b"x" * 65536)
                except OSError:
                    pass
                self.close_connection = True

            def log_message(self, *args):
                pass
        Hostile.over = threading.Event()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(lambda: (Hostile.over.set(), server.shutdown(), server.server_close()))
        endpoint = "http://127.0.0.1:%d" % server.server_port
        with open(self.credentials, "a", encoding="utf-8") as file:
            file.write("aws_session_token = of-an-hour\n")
        for how, words in (("leads", b"status 307"), ("floods", b"status 500"), ("hangs", None)):
            with self.subTest(how=how):
                Hostile.how = how
                Hostile.seen.clear()
                daemon = self.archiving(endpoint=endpoint, name="by-" + how)
                until(lambda: Hostile.seen, "it is asked")
                sent = Hostile.headers_seen
                self.assertEqual(sent["x-amz-security-token"], "of-an-hour")
                self.assertIn("x-amz-security-token", sent["Authorization"].partition("SignedHeaders=")[2].partition(",")[0])
                run = daemon.put_run()
                if words:
                    until(lambda: words in self.log_of(daemon), "it is said")
                self.assertEqual(daemon.status("GET", "/v1/runs/" + run), 200)
                self.assertNotIn("/elsewhere", Hostile.seen)
                daemon.stop()  # at once: nobody waits for the service
                self.assertEqual(daemon.running.process.returncode, 0)
        Hostile.over.set()

    def test_nothing_else_is_linked_or_loaded_for_a_directory(self):
        linked = subprocess.run(["ldd", TOFUD], capture_output=True, text=True).stdout
        self.assertNotIn("libcurl", linked)
        daemon = self.serve("--archive", str(self.place))
        run = daemon.put_run()
        until(lambda: self.has(run), "it is archived")
        self.assertNotIn("libcurl", pathlib.Path("/proc/%d/maps" % daemon.running.process.pid).read_text())


if __name__ == "__main__":
    unittest.main()
