#!/usr/bin/env python3
"""Hand-made WebSocket frames against ws_echo and the feed: raw_frames_test.py WS_ECHO FEED_SERVER

One row of the table is what a client sends and what must come back: the echoed messages (on the echo
server), the pongs, and the code of the close frame. On the feed, which only listens, every data frame
that is not wrong in itself is closed with 1003. Standard library only."""
import base64
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(opcode, payload=b"", fin=True, rsv=0, masked=True, length=None, mask=b"\x37\xfa\x21\x3d"):
    """`length` lies about the payload's; 'long16' and 'long64' use a longer form than needed."""
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    bit = 0x80 if masked else 0
    size = length if isinstance(length, int) else len(payload)
    if length == "long64" or size > 0xFFFF:
        head += bytes([bit | 127]) + struct.pack(">Q", size)
    elif length == "long16" or size > 125:
        head += bytes([bit | 126]) + struct.pack(">H", size)
    else:
        head += bytes([bit | size])
    if not masked:
        return head + payload
    return head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


def close(code=None, reason=b""):
    return frame(CLOSE, b"" if code is None else struct.pack(">H", code) + reason)


class Connection:
    def __init__(self, where, path):
        if isinstance(where, str):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(where)
        else:
            self.socket = socket.create_connection(("127.0.0.1", where))
        self.socket.settimeout(10)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            "GET %s HTTP/1.1\r\nHost: localhost:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n" % (path, where if isinstance(where, int) else 80, key)).encode())
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += self.socket.recv(4096)
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101"), head

    def take(self, count):
        while len(self.bytes) < count:
            more = self.socket.recv(65536)
            if not more:
                return None
            self.bytes += more
        out, self.bytes = self.bytes[:count], self.bytes[count:]
        return out

    def next(self):
        """One frame of the server, which must be right itself; None at the end."""
        head = self.take(2)
        if head is None:
            return None
        assert head[0] & 0x70 == 0, "reserved bits from the server"
        assert head[1] & 0x80 == 0, "a masked frame from the server"
        size = head[1]
        if size == 126:
            size, = struct.unpack(">H", self.take(2))
        elif size == 127:
            size, = struct.unpack(">Q", self.take(8))
        assert head[0] & 0x0F < 8 or (size <= 125 and head[0] & 0x80), "bad control frame from the server"
        return head[0] & 0x0F, self.take(size), bool(head[0] & 0x80)


def converse(where, path, bytes_sent, skip_text, expect_echo):
    """-> (echoed messages, pongs, close code: None no close frame, 0 one without a code)"""
    one = Connection(where, path)
    if skip_text:  # the feed's own lines come first
        while b'"live":true' not in one.next()[1]:
            pass
    try:
        one.socket.sendall(bytes_sent)
    except (BrokenPipeError, ConnectionResetError):
        pass
    messages, pongs, code, partial = [], [], None, b""
    while True:
        try:
            got = one.next()
        except ConnectionResetError:
            break
        if got is None:
            break
        opcode, payload, fin = got
        if opcode == CLOSE:
            code = struct.unpack(">H", payload[:2])[0] if payload else 0
            try:
                one.socket.sendall(close(1000))
                one.socket.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        elif opcode == PONG:
            pongs.append(payload)
        elif opcode in (TEXT, BINARY, CONT):
            partial += payload
            if fin:
                messages.append(partial)
                partial = b""
    one.socket.close()
    return messages, pongs, code


BIG = b"x" * 70000
CJK = "日本語 κόσμε".encode()
# name, bytes, echoed messages, pongs, close code on the echo server, on the feed (None: the same)
C = close(1000)
TABLE = [
    # ordinary
    ("a text", frame(TEXT, b"hello") + C, [b"hello"], [], 1000, 1003),
    ("a binary", frame(BINARY, b"\x00\xff") + C, [b"\x00\xff"], [], 1000, 1003),
    ("an empty text", frame(TEXT) + C, [b""], [], 1000, 1003),
    ("125 bytes", frame(TEXT, b"x" * 125) + C, [b"x" * 125], [], 1000, 1003),
    ("126 bytes", frame(TEXT, b"x" * 126) + C, [b"x" * 126], [], 1000, 1003),
    ("65535 bytes", frame(BINARY, b"x" * 65535) + C, [b"x" * 65535], [], 1000, 1009),
    ("70000 bytes", frame(BINARY, BIG) + C, [BIG], [], 1000, 1009),
    ("4096 bytes", frame(BINARY, b"x" * 4096) + C, [b"x" * 4096], [], 1000, 1003),
    ("4097 bytes", frame(BINARY, b"x" * 4097) + C, [b"x" * 4097], [], 1000, 1009),
    ("a mask of zeros", frame(TEXT, b"abc", mask=b"\0\0\0\0") + C, [b"abc"], [], 1000, 1003),
    # fragments
    ("two fragments", frame(TEXT, b"he", fin=False) + frame(CONT, b"llo") + C, [b"hello"], [], 1000, 1003),
    ("empty fragments", frame(TEXT, fin=False) + frame(CONT, fin=False) + frame(CONT) + C, [b""], [], 1000, 1003),
    ("a character cut between fragments",
     frame(TEXT, CJK[:4], fin=False) + frame(CONT, CJK[4:]) + C, [CJK], [], 1000, 1003),
    ("a ping between fragments",
     frame(TEXT, b"he", fin=False) + frame(PING, b"p") + frame(CONT, b"llo") + C, [b"hello"], [b"p"], 1000, 1003),
    ("a pong between fragments",
     frame(TEXT, b"he", fin=False) + frame(PONG, b"p") + frame(CONT, b"llo") + C, [b"hello"], [], 1000, 1003),
    ("a close between fragments", frame(TEXT, b"he", fin=False) + close(1001), [], [], 1001, 1003),
    ("a continuation of nothing", frame(CONT, b"x"), [], [], 1002, None),
    ("a last continuation of nothing", frame(CONT, b"x", fin=False), [], [], 1002, None),
    ("a text inside a text", frame(TEXT, b"a", fin=False) + frame(TEXT, b"b"), [], [], 1002, 1003),
    ("a binary inside a text", frame(TEXT, b"a", fin=False) + frame(BINARY, b"b"), [], [], 1002, 1003),
    # control frames
    ("a ping", frame(PING, b"are you there") + C, [], [b"are you there"], 1000, None),
    ("an empty ping", frame(PING) + C, [], [b""], 1000, None),
    ("a ping of 125 bytes", frame(PING, b"p" * 125) + C, [], [b"p" * 125], 1000, None),
    ("a ping of 126 bytes", frame(PING, b"p" * 126) + C, [], [], 1002, None),
    ("a pong of 126 bytes", frame(PONG, b"p" * 126) + C, [], [], 1002, None),
    ("a close of 126 bytes", frame(CLOSE, b"\x03\xe8" + b"r" * 124), [], [], 1002, None),
    ("a fragmented ping", frame(PING, b"p", fin=False) + frame(CONT, b"q"), [], [], 1002, None),
    ("a fragmented close", frame(CLOSE, b"\x03\xe8", fin=False), [], [], 1002, None),
    ("a pong nobody asked for", frame(PONG, b"p") + C, [], [], 1000, None),
    ("ten pings", b"".join(frame(PING, b"%d" % i) for i in range(10)) + C, [],
     [b"%d" % i for i in range(10)], 1000, None),
    # reserved bits and opcodes
    *[("reserved bit %d on a text" % bit, frame(TEXT, b"x", rsv=bit), [], [], 1002, None) for bit in (1, 2, 4, 7)],
    ("a reserved bit on a ping", frame(PING, b"x", rsv=4), [], [], 1002, None),
    ("a reserved bit on a continuation", frame(TEXT, b"a", fin=False) + frame(CONT, b"b", rsv=4), [], [], 1002, 1003),
    *[("opcode %d" % code, frame(code, b"x"), [], [], 1002, None) for code in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)],
    # masks
    ("an unmasked text", frame(TEXT, b"x", masked=False), [], [], 1002, None),
    ("an unmasked ping", frame(PING, b"x", masked=False), [], [], 1002, None),
    ("an unmasked close", frame(CLOSE, b"\x03\xe8", masked=False), [], [], 1002, None),
    # lengths
    ("a 16 bit length for 5 bytes", frame(TEXT, b"hello", length="long16"), [], [], 1002, None),
    ("a 64 bit length for 5 bytes", frame(TEXT, b"hello", length="long64"), [], [], 1002, None),
    ("a length with its top bit set", b"\x82\xff" + struct.pack(">Q", 1 << 63) + b"abcd", [], [], (1002, 1009), None),
    ("a length of 2^62", b"\x82\xff" + struct.pack(">Q", 1 << 62) + b"abcd", [], [], 1009, None),
    ("33 MiB announced", b"\x82\xff" + struct.pack(">Q", 33 << 20) + b"abcd", [], [], 1009, None),
    ("33 MiB in fragments", frame(BINARY, b"x" * (20 << 20), fin=False) +
     b"\x80\xff" + struct.pack(">Q", 13 << 20) + b"abcd", [], [], 1009, None),
    # UTF-8
    ("a byte that begins nothing", frame(TEXT, b"\xff"), [], [], 1007, (1007, 1003)),
    ("an overlong slash", frame(TEXT, b"\xc0\xaf"), [], [], 1007, (1007, 1003)),
    ("a surrogate", frame(TEXT, b"\xed\xa0\x80"), [], [], 1007, (1007, 1003)),
    ("beyond U+10FFFF", frame(TEXT, b"\xf4\x90\x80\x80"), [], [], 1007, (1007, 1003)),
    ("a character that ends too soon", frame(TEXT, b"ab\xe2\x82"), [], [], 1007, (1007, 1003)),
    ("bad bytes in the second fragment",
     frame(TEXT, b"ok", fin=False) + frame(CONT, b"\xff"), [], [], 1007, 1003),
    ("bad UTF-8 in a binary", frame(BINARY, b"\xff\xfe") + C, [b"\xff\xfe"], [], 1000, 1003),
    ("bad UTF-8 in a ping", frame(PING, b"\xff") + C, [], [b"\xff"], 1000, None),
    # closing
    ("a close without a code", close(), [], [], (0, 1000), None),
    ("a close with a reason", close(1001, b"bye"), [], [], 1001, None),
    ("a close with one byte", frame(CLOSE, b"\x03"), [], [], 1002, None),
    # RFC 6455 leaves the code to us; Beast says 1002.
    ("a close with bad UTF-8", close(1000, b"\xff\xff"), [], [], (1002, 1007), None),
    ("data after a close", close(1000) + frame(TEXT, b"late"), [], [], 1000, None),
    ("a ping after a close", close(1000) + frame(PING, b"late"), [], [], 1000, None),
    *[("close code %d" % code, close(code), [], [], 1002, None)
      for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 2999)],
    # Above 4999 nothing is defined (Autobahn calls its cases informational); Beast echoes them.
    *[("close code %d" % code, close(code), [], [], (1002, code), None) for code in (5000, 65535)],
    *[("close code %d" % code, close(code), [], [], code, None)
      for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999)],
]


def start(program, *options):
    process = subprocess.Popen([program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, int(process.stdout.readline().split()[-1])


def check(subject, where, path, feed):
    failed = 0
    for name, sent, messages, pongs, on_echo, on_feed in TABLE:
        want = on_feed if feed and on_feed is not None else on_echo
        want = want if isinstance(want, tuple) else (want,)
        began = time.monotonic()
        try:
            got_messages, got_pongs, code = converse(where, path, sent, feed, messages)
        except (AssertionError, socket.timeout, OSError) as why:
            print("FAILED %s, %s: %s" % (subject, name, why or type(why).__name__))
            failed += 1
            continue
        wrong = []
        if time.monotonic() - began > 5:
            wrong.append("took %d s" % (time.monotonic() - began))
        if not feed and got_messages != messages:
            wrong.append("echoed %r" % [m[:40] for m in got_messages])
        if feed and 1003 in want:
            pongs = got_pongs  # a ping behind a data frame may or may not be answered
        if got_pongs != pongs:
            wrong.append("pongs %r" % got_pongs)
        if code not in want:
            wrong.append("close %s instead of %s" % (code, " or ".join(map(str, want))))
        if wrong:
            print("FAILED %s, %s: %s" % (subject, name, "; ".join(wrong)))
            failed += 1
    print("%s: %d of %d rows as expected" % (subject, len(TABLE) - failed, len(TABLE)))
    return failed


def main():
    failed = 0
    scratch = tempfile.TemporaryDirectory()
    local = os.path.join(scratch.name, "socket")
    feed_path = "/v1/stream?run=latest"
    for subject, program, path, feed, options in (
            ("echo", sys.argv[1], "/", False, ()),
            ("feed", sys.argv[2], feed_path, True, ()),
            ("feed on the Unix socket", sys.argv[2], feed_path, True, ("--socket", local))):
        process, port = start(program, "--port", "0", *options)
        try:
            failed += check(subject, options[-1] if options else port, path, feed)
            if process.poll() is not None:
                print("FAILED %s: the server ended with %d" % (subject, process.returncode))
                failed += 1
        finally:
            process.kill()
            process.wait()
    scratch.cleanup()
    sys.exit(1 if failed else 0)


main()
