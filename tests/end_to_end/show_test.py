#!/usr/bin/python3
"""`tofud show --diagnostics`: the diagnostics of a stream as OpenTofu draws them."""
import gzip
import json
import os
import pty
import subprocess
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, recorded_path

HOSTILE = "a\x1b]0;pwned\x07\x1b[2J\x1b[31mb\u202e\x85\x9b2Jc\rd"


def golden(name="diagnostics.jsonl"):
    with open(ROOT / "tests/golden" / name) as file:
        return [json.loads(line) for line in file]


def stream(cases):
    return "".join(json.dumps(case["message"], ensure_ascii=False) + "\n" for case in cases).encode()


def hostile_message():
    place = {"line": 1, "column": 1, "byte": 0}
    return json.dumps({"@level": "error", "@message": HOSTILE, "@module": "tofu.ui", "type": "diagnostic", "diagnostic": {
        "severity": "error", "summary": HOSTILE, "detail": HOSTILE, "address": HOSTILE,
        "range": {"filename": HOSTILE, "start": place, "end": place},
        "snippet": {"context": HOSTILE, "code": HOSTILE, "start_line": 1, "highlight_start_offset": 2, "highlight_end_offset": 9,
                    "values": [{"traversal": HOSTILE, "statement": HOSTILE}],
                    "function_call": {"called_as": HOSTILE, "signature": {"params": [{"name": HOSTILE}]}}},
        "difference": {"before": "x\n" + HOSTILE, "after": "x\n"}}}).encode() + b"\n"


class Show(EndToEnd):
    def show(self, *args, data=b"", env=None):
        done = subprocess.run([TOFUD, "show", *args], input=data, capture_output=True, env=env or self.env(), timeout=PATIENCE)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def on_terminal(self, *args, data, **env):
        """What reaches a terminal."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([TOFUD, "show", *args], stdin=subprocess.PIPE, stdout=theirs,
                                   env=self.env(TERM="xterm", **env))
        os.close(theirs)
        process.stdin.write(data)
        process.stdin.close()
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertEqual(process.wait(PATIENCE), 0)
        return shown.decode().replace("\r\n", "\n")

    def test_golden_diagnostics_come_one_after_another(self):
        for name in "diagnostics.jsonl", "diagnostics-random.jsonl":
            cases = golden(name)
            for colour, text in ("never", "human"), ("auto", "human"), ("always", "human_color"):
                self.assertEqual(self.show("--diagnostics", "-", "--color", colour, data=stream(cases)),
                                 (0, "".join(case[text] for case in cases), ""))

    def test_a_terminal_gets_colours_unless_it_shall_not(self):
        cases = golden()[:5]
        plain, coloured = ("".join(case[text] for case in cases) for text in ("human", "human_color"))
        self.assertEqual(self.on_terminal("--diagnostics", "-", data=stream(cases)), coloured)
        self.assertEqual(self.on_terminal("--diagnostics", "-", "--color=never", data=stream(cases)), plain)
        self.assertEqual(self.on_terminal("--diagnostics", "-", data=stream(cases), NO_COLOR="1"), plain)

    def test_a_terminal_is_steered_by_nobody(self):
        shown = self.on_terminal("--diagnostics", "-", data=hostile_message())
        for own in "\x1b[0m", "\x1b[1m", "\x1b[4m", "\x1b[90m", "\x1b[31m-", "\x1b[31mError: ", "\x1b[31m╷", "\x1b[31m│", "\x1b[31m╵":
            shown = shown.replace(own, "")
        self.assertNotRegex(shown, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
        self.assertIn("Diff:", shown)

    def test_a_terminal_without_utf8_gets_ascii(self):
        shown = self.on_terminal("--diagnostics", "-", "--color=never", data=stream(golden()[:1]), LC_ALL="C")
        self.assertTrue(shown.isascii(), shown)
        self.assertTrue(shown.startswith(",\n| Error: "), shown)

    def test_other_lines_are_skipped(self):
        one, two = golden()[0], golden()[4]
        data = b"make: hello\n{\"a\":1}\n\n" + b"no newline" + stream([one]) + b"\xff\xfe\n" + stream([two]).rstrip(b"\n")
        self.assertEqual(self.show("--diagnostics", "-", data=data), (0, one["human"] + two["human"], ""))

    def test_a_torn_last_line_is_no_diagnostic(self):
        self.assertEqual(self.show("--diagnostics", "-", data=stream(golden()[:1])[:-9]), (0, "", ""))

    def test_files_may_be_compressed_and_come_in_any_order_of_words(self):
        path = str(recorded_path("diag-config-errors"))
        status, shown, said = self.show("--diagnostics", path)
        self.assertEqual((status, said), (0, ""))
        self.assertIn("│ Error: ", shown)
        packed = os.path.join(self.home, "stream.jsonl.gz")
        with open(path, "rb") as file, gzip.open(packed, "wb") as out:
            out.write(file.read())
        self.assertEqual(self.show(packed, "--diagnostics"), (0, shown, ""))
        with open(packed, "rb") as file:
            self.assertEqual(self.show("--diagnostics", "-", data=file.read()), (0, shown, ""))

    def test_what_can_not_be_read_is_said(self):
        self.assertEqual(self.show("--diagnostics", "/nowhere"), (2, "", "tofud: can't read /nowhere: No such file or directory\n"))
        self.assertEqual(self.show("--diagnostics", self.home), (2, "", "tofud: %s is a directory; name the stream in it\n" % self.home))
        cut = gzip.compress(stream(golden()))[:-20]
        status, shown, said = self.show("--diagnostics", "-", data=cut)
        self.assertEqual((status, said), (2, "tofud: standard input ends in the middle of its compressed data\n"))
        self.assertTrue(shown.startswith(golden()[0]["human"]))
        status, _, said = self.show("--diagnostics", "-", data=b"\x1f\x8bgarbage, really")
        self.assertEqual(status, 2)
        self.assertIn("is no gzip data", said)

    def test_plans_are_not_shown_yet(self):
        status, shown, said = self.show("plan.json")
        self.assertEqual((status, shown), (2, ""))
        self.assertIn("tofud show --diagnostics plan.json", said)

    def test_a_stream_that_is_still_written_is_drawn_as_it_comes(self):
        process = subprocess.Popen([TOFUD, "show", "--diagnostics", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.env())
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        case = golden()[0]
        process.stdin.write(stream([case]))
        process.stdin.flush()
        drawn = case["human"].encode()
        self.assertEqual(process.stdout.read(len(drawn)), drawn)


if __name__ == "__main__":
    unittest.main(verbosity=2)
