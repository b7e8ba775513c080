"""A terminal for tests: a pseudo-terminal and, at its other end, pyte's emulator (Debian's python3-pyte).

Everything that was printed is kept as bytes too, so that a test can look for what an emulator would hide.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading

import pyte

from binary import PATIENCE, until


# An order that no terminal knows; the emulator skips it.
MARK = b"\x1b]7777;%d\x07"
MARKS = re.compile(rb"\x1b\]7777;\d+\x07")


def set_size(fd, width, height):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))


class Screen(pyte.HistoryScreen):
    """Knows faint text too, as a colour."""

    def select_graphic_rendition(self, *attributes, **more):
        super().select_graphic_rendition(*attributes, **more)
        if 2 in attributes:
            self.cursor.attrs = self.cursor.attrs._replace(fg="dim")


class Terminal:
    """Programs started on it have it as stdout and stderr."""

    def __init__(self, test, width=80, height=24, reads=True):
        self.test, self._raw, self._marks = test, b"", 0
        self.screen = Screen(width, height, history=20000)
        self._stream = pyte.ByteStream(self.screen)
        self._lock = threading.Lock()
        self.master, self.slave = pty.openpty()
        set_size(self.master, width, height)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reading = False
        test.addCleanup(self.close)
        if reads:
            self.read()

    def read(self):
        """From now on what is written is taken."""
        self._reading = True
        self._reader.start()

    def _read(self):
        while True:
            try:
                data = os.read(self.master, 65536)
            except OSError:  # nobody has the other end any more
                return
            with self._lock:
                self._raw += data
                self._stream.feed(data)

    def start(self, argv, env, stdin=subprocess.PIPE, **more):
        process = subprocess.Popen(argv, stdin=stdin, stdout=self.slave, stderr=self.slave, env={"TERM": "xterm-256color", **env}, **more)

        def end():
            if process.poll() is None:
                process.kill()
            if process.stdin:
                process.stdin.close()
            process.wait()
        self.test.addCleanup(end)
        return process

    def resize(self, width, height):
        with self._lock:
            self.screen.resize(height, width)
        set_size(self.master, width, height)

    def lines(self):
        """What stands on the screen, without the empty lines below it."""
        with self._lock:
            lines = [line.rstrip() for line in self.screen.display]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def settle(self):
        """Everything written so far has been read: what is written now comes after it."""
        if self.slave is None:
            return self._reader.join(PATIENCE)
        self._marks += 1
        mark = MARK % self._marks
        os.write(self.slave, mark)
        until(lambda: mark in self._raw, "the end of what was written")

    @property
    def raw(self):
        """Every byte that was written."""
        self.settle()
        return MARKS.sub(b"", self._raw)

    def story(self):
        """What was scrolled off the screen, and what stands on it."""
        self.settle()
        with self._lock:
            width = self.screen.columns
            gone = ["".join(row[x].data for x in range(width)).rstrip() for row in self.screen.history.top]
        return gone + self.lines()

    def until(self, question):
        """Waits until the lines of the screen are as they should be; returns them."""
        def holds():
            lines = self.lines()
            return lines if question(lines) else None
        try:
            return until(holds, "a picture")
        except AssertionError:
            raise AssertionError("never on the screen; it shows:\n" + "\n".join(self.lines())) from None

    def close(self):
        if self.slave is not None:
            os.close(self.slave)
            self.slave = None
        if self._reading:
            self._reader.join(PATIENCE)
        if self.master is not None:
            os.close(self.master)
            self.master = None
