#!/usr/bin/python3
"""The two sides of a load, each a process of its own, so that one does not delay what the other measures.

    load_clients.py upload PORT RUNS SECONDS TICK      uploads generated streams at an even pace
    load_clients.py subscribe PORT                     reads {"runs":[...], "plan":{...}} from stdin, subscribes

Both say on stdout, a JSON object a line, how far they are and at last what they saw.
"""
import asyncio
import base64
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
ROOT = pathlib.Path(__file__).resolve().parents[2]
RESOURCES = 80


def say(**what):
    print(json.dumps(what), flush=True)


def generated(seed, resources=RESOURCES, *more):
    return subprocess.run([sys.executable, str(ROOT / "tests/tools/gen_stream.py"), "--resources", str(resources), "--seed", str(seed),
                           "--plain-keys", *more], capture_output=True, check=True).stdout


# ---- uploads


class Http:
    """One kept connection of an asyncio client."""

    def __init__(self, port):
        self.port, self.reader = port, None

    async def ask(self, method, path, fields, body=b""):
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %d\r\n" % (method, path, self.port, len(body))
        self.writer.write((head + "".join("%s: %s\r\n" % field for field in fields.items()) + "\r\n").encode() + body)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        found = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:] if line)}
        size = int(found.get("content-length", 0))
        return int(lines[0].split()[1]), found, await self.reader.readexactly(size) if size else b""


async def upload(port, number, data, ready, begin, seconds, tick, waits):
    """One forwarder that sends what has gathered every so often. The plan goes in a fifth of the time."""
    chance, http = random.Random(number), Http(port)
    secret = "%064x" % chance.getrandbits(256)
    status, _, body = await http.ask("POST", "/v1/runs", {}, json.dumps({
        "protocol": "1.0", "upload_id": "%032x" % chance.getrandbits(128), "upload_secret": secret, "rules": "sha256:0", "labels": {},
        "stack": "load/%d" % number, "argv_command": "apply", "started_at": "2026-11-21T05:00:00.000000Z"}).encode())
    if status != 201:
        raise RuntimeError("POST: %d %r" % (status, body))
    run = json.loads(body)["run"]
    ready.append(run)
    await begin.wait()
    start, at, fields, plan = time.monotonic(), 0, {"Upload-Secret": secret}, data.index(b'"type":"change_summary"')
    await asyncio.sleep(chance.random() * tick)
    while True:
        part = (time.monotonic() - start) / seconds
        due = int(plan * part * 5) if part < 0.2 else plan + int((len(data) - plan) * (part - 0.2) / 0.8)
        due = min(due, len(data), at + 1_000_000)
        last = due == len(data)
        if last:
            status, _, body = await http.ask("PUT", "/v1/runs/%s/events/1" % run, fields, b'{"offset":%d,"event":"exit","status":0}' % due)
            if status != 204:
                raise RuntimeError("event: %d %r" % (status, body))
        sent = time.monotonic()
        status, found, body = await http.ask("PATCH", "/v1/runs/%s/lines" % run, {
            **fields, "Upload-Offset": at, **({"Upload-Complete": "?1"} if last else {})}, data[at:due])
        waits.append((sent, time.monotonic() - sent))
        if status != 204 or int(found["upload-offset"]) != due:
            raise RuntimeError("PATCH: %d %r %r" % (status, found, body))
        at = due
        if last:
            return run
        await asyncio.sleep(max(0.025, tick * (0.5 + chance.random()) - (time.monotonic() - sent)))


async def uploads(port, count, seconds, tick):
    streams = [generated(seed) for seed in range(4)]
    ready, begin, waits = [], asyncio.Event(), []
    tasks = [asyncio.create_task(upload(port, number, streams[number % 4], ready, begin, seconds, tick, waits)) for number in range(count)]
    while len(ready) < count:
        await asyncio.sleep(0.01)
        for task in tasks:
            if task.done():
                task.result()
    begin.set()
    say(began=time.monotonic(), runs=ready)
    runs = await asyncio.gather(*tasks)
    say(ended=time.monotonic(), streams={run: number % 4 for number, run in enumerate(runs)}, waits=waits)


# ---- subscribers


class Cut(Exception):
    """The server ended the connection."""


class Subscriber:
    """One connection over one of the transports, and the lines it brings."""

    def __init__(self, port, transport, query, small=False):
        self.port, self.transport, self.query, self.small = port, transport, query, small
        self.close_code = None

    async def open(self):
        sock = socket.socket()
        sock.setblocking(False)
        if self.small:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self.port))
        self.reader, self.writer = await asyncio.open_connection(sock=sock, limit=4096 if self.small else 1 << 18)
        fields = {"ndjson": "", "sse": "Accept: text/event-stream\r\n", "websocket":
                  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: tofud.v1\r\n"
                  "Sec-WebSocket-Key: %s\r\n" % base64.b64encode(os.urandom(16)).decode()}[self.transport]
        self.writer.write(("GET /v1/stream?%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\n" % (self.query, self.port, fields)).encode())
        return self

    async def head(self):
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head.split()[1])
        if status not in (200, 101):
            raise Cut("status %d" % status)

    async def pieces(self):
        """What the transport carries, as it comes."""
        await self.head()
        while True:
            if self.transport == "websocket":
                first, length = await self.reader.readexactly(2)
                length &= 127
                if length > 125:
                    length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
                data = await self.reader.readexactly(length)
                if first & 15 == 9:
                    mask = os.urandom(4)
                    self.writer.write(bytes([0x8A, 0x80 | length]) + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))
                elif first & 15 == 8:
                    self.close_code = int.from_bytes(data[:2], "big")
                    self.writer.write(b"\x88\x80\0\0\0\0")
                    return
                else:
                    yield data
            else:
                size = int(await self.reader.readline(), 16)
                data = await self.reader.readexactly(size + 2)
                if size == 0:
                    self.close_code = 1000
                    return
                yield data[:-2]

    async def lines(self):
        rest = b""
        async for piece in self.pieces():
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                if self.transport == "sse":
                    if line.startswith(b"data: "):
                        yield line[6:]
                elif line:
                    yield line

    def close(self):
        self.writer.transport.abort()


class Viewer:
    """What a client holds: bytes of the newest version of each row; where it is."""

    def __init__(self):
        self.rows, self.epoch, self.at, self.resets = {}, None, None, 0

    def take(self, line):
        kind = line[9:line.index(b'"', 9)]
        if kind in (b"at", b"heartbeat"):
            self.at = json.loads(line)["seq" if kind == b"at" else "at"]
        elif kind == b"hello":
            self.epoch = json.loads(line)["epoch"]
        elif kind == b"reset":
            self.rows.clear()
            self.resets += 1
        elif kind == b"removed":
            gone = json.loads(line)
            self.rows.pop((gone["of"], gone["key"]), None)
        elif kind not in (b"gap", b"error"):
            begin = line.index(b'"key":"') + 7
            end = begin
            while line[end] != 34:
                end += 2 if line[end] == 92 else 1
            self.rows[kind.decode(), line[begin:end].decode()] = line

    def since(self):
        return "" if self.at is None else "&since=%s:%d" % (self.epoch, self.at)


async def healthy(port, transport, run, viewer):
    one, began = await Subscriber(port, transport, "run=%s&end=close" % run).open(), time.monotonic()
    try:
        async for line in one.lines():
            viewer.take(line)
    except (OSError, ValueError, asyncio.IncompleteReadError) as error:
        raise RuntimeError("%s of %s was cut off after %.1f s at %s, rows: %d, %r" % (
            transport, run, time.monotonic() - began, viewer.at, len(viewer.rows), error))
    if one.close_code != 1000:
        raise RuntimeError("%s of %s closed with %s" % (transport, run, one.close_code))
    one.close()


async def restless(port, transport, run, viewer, over):
    """Comes and goes, and holds on to what it has. At the end it stays."""
    chance, visits = random.Random(run + transport), 0
    while not over.is_set():
        one = await Subscriber(port, transport, "run=%s&end=close%s" % (run, viewer.since())).open()
        visits += 1

        async def read(one=one):
            async for line in one.lines():
                viewer.take(line)
        try:
            await asyncio.wait_for(read(), chance.random() * 0.4)
        except (asyncio.TimeoutError, Cut):
            pass
        one.close()
        await asyncio.sleep(chance.random() * 0.1)
    await healthy_from(port, run, viewer)
    return visits


async def healthy_from(port, run, viewer):
    one = await Subscriber(port, "ndjson", "run=%s&end=close%s" % (run, viewer.since())).open()
    async for line in one.lines():
        viewer.take(line)
    one.close()


async def stalled(port, transport, told):
    """Asks for the wall, where much is said, and never reads, until the test wants to know how that ended."""
    one = await Subscriber(port, transport, "", small=True).open()
    one.reader._transport.pause_reading()
    await told.wait()
    one.reader._transport.resume_reading()

    async def read():
        async for _ in one.lines():
            pass
    try:
        await asyncio.wait_for(read(), 10)
        return one.close_code
    except asyncio.TimeoutError:
        return "open"
    except (OSError, asyncio.IncompleteReadError, ValueError):
        return "cut"
    finally:
        one.close()


async def wall(port, transport, viewer, over):
    one = await Subscriber(port, transport, "").open()

    async def read():
        async for line in one.lines():
            viewer.take(line)
    reading = asyncio.create_task(read())
    await over.wait()
    one.close()
    reading.cancel()


async def subscribe(port):
    loop = asyncio.get_running_loop()
    commands = asyncio.StreamReader(limit=1 << 22)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    told = json.loads(await commands.readline())
    runs, plan = told["runs"], told["plan"]
    transports = ("ndjson", "websocket", "sse")
    ended, late = asyncio.Event(), asyncio.Event()
    viewers, restless_ones, walls, tasks = [], [], [], []
    for number in range(plan["healthy"]):
        viewers.append((runs[number % len(runs)], Viewer()))
        tasks.append(asyncio.create_task(healthy(port, transports[number % 3], *viewers[-1])))
        if number % 20 == 0:
            await asyncio.sleep(0.01)
    for number in range(plan["restless"]):
        restless_ones.append((runs[number * 3 % len(runs)], Viewer()))
    goers = [asyncio.create_task(restless(port, transports[number % 3], *one, ended)) for number, one in enumerate(restless_ones)]
    still = [asyncio.create_task(stalled(port, transports[number % 3], late)) for number in range(plan["stalled"])]
    for number in range(plan["wall"]):
        walls.append(Viewer())
        tasks.append(asyncio.create_task(wall(port, transports[number % 3], walls[-1], late)))
    say(connected=len(tasks) + len(goers) + len(still))
    while True:
        word = (await commands.readline()).strip()
        if word == b"ended":
            ended.set()
            visits = await asyncio.gather(*goers)
            say(visits=visits)
        elif word == b"walls":
            say(walls=[differences(walls[0], one) for one in walls[1:]], rows=len(walls[0].rows), resets=sum(one.resets for one in walls))
        elif word == b"late":
            late.set()
            closes = await asyncio.gather(*still)
            await asyncio.gather(*tasks)
            say(closes=closes)
        elif word == b"compare":
            first, wrong, resets = {}, [], 0
            for run, viewer in viewers + restless_ones:
                resets += viewer.resets
                reference = first.setdefault(run, viewer)
                found = differences(reference, viewer)
                if found:
                    wrong.append((run, found))
            say(wrong=wrong, compared=len(viewers) + len(restless_ones), resets=resets,
                rows={run: [json.loads(line) for line in viewer.rows.values()] for run, viewer in list(first.items())[:5]})
        else:
            return


def differences(one, other):
    """Keys under which two clients hold other rows. What depends on the clock is left out."""
    found = []
    for key in one.rows.keys() | other.rows.keys():
        pair = one.rows.get(key), other.rows.get(key)
        if pair[0] != pair[1]:
            texts = [line and {name: value for name, value in json.loads(line).items() if name not in ("contact", "clock_offset_s")}
                     for line in pair]
            if texts[0] != texts[1]:
                found.append([*key, *texts])
    return found[:3]


if __name__ == "__main__":
    if sys.argv[1] == "upload":
        asyncio.run(uploads(int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5])))
    else:
        asyncio.run(subscribe(int(sys.argv[2])))
