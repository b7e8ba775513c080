#!/usr/bin/python3
"""What arrives from outside costs at most n log n. Each path is walked with n and with 4n things, and instructions are counted, so that
no machine is too busy or too slow for it. What is walked comes from the table of messages that the reader has."""
import concurrent.futures
import os
import pathlib
import re
import sys
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../end_to_end"))

import many
import measured
from binary import EndToEnd


class Growth(EndToEnd):
    def setUp(self):
        super().setUp()
        self.case = threading.local()

    def folder(self, name):
        """Of the case that this thread walks."""
        made = pathlib.Path(self.home, self.case.name, name)
        made.mkdir(parents=True, exist_ok=True)
        return made

    def judge(self, cases):
        """`cases`: (name, what gives how many and how much dearer). Two at a time."""
        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("TOFUD_GROWTH_JOBS") or 2)) as two:
            found = [(name, two.submit(self.alone, name, grows)) for name, grows in cases]
        for name, told in found:
            with self.subTest(name):
                things, dearer = told.result()
                print("%-40s %6d things, 4 times as many: %5.2f times as dear" % (name, things, dearer), flush=True)
                self.assertLessEqual(dearer, measured.NO_SQUARE)

    def alone(self, name, grows):
        self.case.name = re.sub(r"\W+", "-", name)
        return grows()

    def folded(self, stream):
        """What it costs to fold a stream and to write its rows."""
        def cost(things):
            home = self.folder("stream")
            (home / "stream.jsonl").write_bytes(many.VERSION + stream(things))
            return measured.command(home, self.env(), ["replay", "--rows", str(home / "stream.jsonl")])
        return lambda: measured.grows(cost, cost(0))


class Messages(Growth):
    def test_every_type_of_message(self):
        samples = many.samples()
        without = set(many.message_types()) - set(samples)
        self.assertEqual(without, set(), "no recording has these; many.py needs a sample")
        self.judge([(kind, self.folded(lambda things, kind=kind: many.messages(samples[kind], things))) for kind in many.message_types()])

    def test_every_shape_of_stream(self):
        self.judge([(stream.__name__, self.folded(stream)) for stream in many.STREAMS])


if __name__ == "__main__":
    unittest.main(verbosity=2)
