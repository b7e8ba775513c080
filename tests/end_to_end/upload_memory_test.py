#!/usr/bin/python3
"""What an upload takes of the kernel's memory."""
import resource
import subprocess
import sys
import unittest

from asking import Asking
from binary import ROOT


def pages_so_far(pid):
    """That the kernel had to give: minor faults, proc_pid_stat(5)."""
    with open("/proc/%d/stat" % pid) as stat:
        return int(stat.read().rpartition(")")[2].split()[7])


class UploadMemory(Asking):
    def test_the_first_long_stream_passes_through_memory_that_is_used_again(self):
        stream = subprocess.run([sys.executable, str(ROOT / "tests/tools/gen_stream.py"), "--resources", "20000", "--modules", "9", "--provision-lines", "3"],
                                capture_output=True, check=True).stdout
        daemon = self.serve()
        pid = daemon.running.process.pid
        before = pages_so_far(pid)
        daemon.put_run(stream, "/v1/runs?stack=net/prod")
        taken, pages = pages_so_far(pid) - before, len(stream) / resource.getpagesize()
        # Its rows and lines take 0.4 of a page for each page of it; memory of its own for each piece would take one more.
        self.assertLess(taken, 0.8 * pages)
        self.assertGreater(taken, 0.1 * pages)


if __name__ == "__main__":
    unittest.main()
