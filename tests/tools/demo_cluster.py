#!/usr/bin/python3
"""Three daemons over one nats-server behind nginx, all on loopback, and a recorded apply that is sent to them while one after the other is killed.

    demo_cluster.py RECORDING [--speed N]

What it starts ends with it (Ctrl-C). TOFUD names the program.
"""
import argparse
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOFUD = os.environ.get("TOFUD", str(ROOT / "build/release/daemon/tofud"))
PORT = 8638  # of each daemon, at an address of its own
NGINX = """
{user}daemon off; worker_processes 1; pid {room}/nginx.pid; error_log {room}/nginx.log;
events {{ worker_connections 512; }}
http {{
  access_log off; client_body_temp_path {room}/body; proxy_temp_path {room}/proxy; fastcgi_temp_path {room}/f; uwsgi_temp_path {room}/u; scgi_temp_path {room}/s;
  upstream tofud {{ {servers} }}
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://tofud; proxy_http_version 1.1; proxy_set_header Host $host:$server_port;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
      proxy_buffering off; proxy_request_buffering off; client_max_body_size 0; proxy_read_timeout 1h;
      proxy_next_upstream error timeout http_502 http_503 non_idempotent; proxy_connect_timeout 1s;
      add_header X-Served-By $upstream_addr;
    }}
  }}
}}
"""


def free_port(address="127.0.0.1"):
    with socket.socket() as probe:
        probe.bind((address, 0))
        return probe.getsockname()[1]


def program(name):
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not found:
        sys.exit("demo_cluster.py: %s is not installed; .ci/install test" % name)
    return found


class Demo:
    def __init__(self):
        self.room = tempfile.mkdtemp(prefix="tofud-demo-")
        self.started, self.daemons = [], {}
        self.nats, self.port = free_port(), free_port()

    def start(self, *argv):
        log = open(os.path.join(self.room, "log"), "ab")
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.started.append(process)
        return process

    def daemon(self, address):
        self.daemons[address] = self.start(TOFUD, "serve", "--listen", "%s:%d" % (address, PORT), "--socket", "", "--state-dir", os.path.join(self.room, address),
                                           "--allow-host", "127.0.0.1:%d" % self.port, "--cluster-nats", "nats://127.0.0.1:%d" % self.nats)

    def answers(self, url):
        try:
            with urllib.request.urlopen(url, timeout=1) as answer:
                return answer.status == 200
        except OSError:
            return False

    def wait(self, url):
        end = time.monotonic() + 30
        while not self.answers(url):
            if time.monotonic() > end:
                sys.exit("demo_cluster.py: %s does not answer; see %s/log" % (url, self.room))
            time.sleep(0.1)

    def begin(self):
        self.start(program("nats-server"), "-js", "-a", "127.0.0.1", "-p", str(self.nats), "-sd", os.path.join(self.room, "nats"))
        time.sleep(0.5)
        addresses = ["127.0.0.%d" % n for n in (2, 3, 4)]
        for address in addresses:
            self.daemon(address)
        for address in addresses:
            self.wait("http://%s:%d/readyz" % (address, PORT))
        conf = os.path.join(self.room, "nginx.conf")
        with open(conf, "w") as file:
            file.write(NGINX.format(user="user root; " if os.getuid() == 0 else "", room=self.room, port=self.port, servers=" ".join("server %s:%d max_fails=1 fail_timeout=1s;" % (a, PORT) for a in addresses)))
        self.start(program("nginx"), "-e", os.path.join(self.room, "nginx.log"), "-c", conf)
        self.url = "http://127.0.0.1:%d" % self.port
        self.wait(self.url + "/healthz")

    def play(self, recording, speed):
        source = subprocess.Popen([sys.executable, str(ROOT / "tests/tools/replay.py"), "--now", "--speed", str(speed), recording], stdout=subprocess.PIPE)
        sender = subprocess.Popen([TOFUD, "--server", self.url, "--stack", "net/demo", "--no-listen", "--state-dir", os.path.join(self.room, "sender")],
                                  stdin=source.stdout, stdout=subprocess.DEVNULL)
        self.started += [source, sender]
        source.stdout.close()
        turn = 0
        while sender.poll() is None:
            time.sleep(4)
            address = list(self.daemons)[turn % 3]
            turn += 1
            if sender.poll() is not None:
                break
            print("  %s is killed; the page and the upload go on with the others" % address, flush=True)
            self.daemons[address].kill()
            self.daemons[address].wait()
            time.sleep(2)
            self.daemon(address)
        return sender.returncode

    def end(self):
        for process in self.started:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
        for process in self.started:
            process.wait()
        shutil.rmtree(self.room, ignore_errors=True)


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("recording")
    words.add_argument("--speed", default="1")
    given = words.parse_args()
    demo = Demo()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        demo.begin()
        print("three daemons serve %s/wall and %s/?run=latest" % (demo.url, demo.url), flush=True)
        status = demo.play(given.recording, given.speed)
        with urllib.request.urlopen(demo.url + "/v1/runs?limit=1", timeout=10) as answer:
            print("the run is stored: %s" % answer.read(160).decode().split('"key":"')[1].split('"')[0], flush=True)
        if status == 0 and not os.environ.get("CI"):
            print("Ctrl-C ends it", flush=True)
            signal.pause()
        return status
    except KeyboardInterrupt:
        return 0
    finally:
        demo.end()


if __name__ == "__main__":
    sys.exit(main())
