"""The other end of faults_library: what a disk refuses and how far a clock has jumped, changed while the daemon runs.

TOFUD_FAULTS_LIBRARY names the built library (CMake sets it).
"""
import errno
import mmap
import os
import struct
import time

LIBRARY = os.environ.get("TOFUD_FAULTS_LIBRARY", "")
LAYOUT = struct.Struct("=iiiiqqq")
HASTE = struct.Struct("=qq")


class Faults:
    """Of the processes that are started with `env`, for files below `directory`."""

    def __init__(self, home, directory):
        if not os.path.exists(LIBRARY):
            raise AssertionError("TOFUD_FAULTS_LIBRARY names no library: %r" % LIBRARY)
        path = os.path.join(home, "faults")
        with open(path, "wb") as file:
            file.write(bytes(4096))
        with open(path, "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 4096)
        self.env = {"LD_PRELOAD": LIBRARY, "TOFUD_FAULTS": path, "TOFUD_FAULTS_BELOW": os.path.realpath(directory),
                    # A sanitizer's own library is not the first then; it does without.
                    "ASAN_OPTIONS": ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "verify_asan_link_order=0"]))}
        self.set()

    def set(self, write_error=None, sync_error=None, create_error=None, skipped=0, room=-1, clock_s=0.0):
        """What is not named works. Counts from now."""
        numbers = [getattr(errno, name) if name else 0 for name in (write_error, sync_error, create_error)]
        self.page[:LAYOUT.size] = LAYOUT.pack(*numbers, skipped, room, int(clock_s * 1000), 0)

    def hasten(self, times):
        """Time goes so much faster from now on, timers too; it can't be slowed again."""
        self.page[LAYOUT.size:LAYOUT.size + HASTE.size] = HASTE.pack(times, time.monotonic_ns())

    def refused(self):
        """Calls that failed since `set`."""
        return LAYOUT.unpack(self.page[:LAYOUT.size])[-1]

    def close(self):
        self.page.close()
