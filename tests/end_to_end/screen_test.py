#!/usr/bin/python3
"""What stands on a terminal: the real binary under a pseudo-terminal, its output in a terminal emulator."""
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd, children, get, recorded, recorded_path, until
from terminal import Terminal, set_size

# Everything that tofud itself may say to a terminal.
OURS = re.compile(rb"\x1b\[\?2026[hl]|\x1b\[[JKB]|\x1b[78]|\x1b\[[0-9]+A|\x1b\[[0-9;]*m|\x1b\]9;4;[0-3](;[0-9]+)?\x1b\\|"
                  rb"\x1b\]8;;(http://127\.0\.0\.1:[0-9]+/)?\x1b\\|\r")


def message(type_, second, **more):
    stamp = "2026-11-21T03:%02d:%02d.000000Z" % divmod(second, 60)
    return (json.dumps({"@level": "info", "@message": "x", "@module": "tofu.ui", "@timestamp": stamp, "type": type_, **more}) + "\n").encode()


def version():
    return message("version", 0, tofu="1.12.6", ui="1.2")


def resource(addr):
    return {"addr": addr, "module": "", "resource": addr, "implied_provider": "t", "resource_type": "t", "resource_name": "n", "resource_key": None}


def planned(addr, action="create"):
    return message("planned_change", 0, change={"resource": resource(addr), "action": action})


def plan_summary(count):
    return message("change_summary", 0, changes={"add": count, "change": 0, "remove": 0, "operation": "plan"})


def begun(addr, second, action="create"):
    return message("apply_start", second, hook={"resource": resource(addr), "action": action})


def ended(addr, second, action="create", how="apply_complete"):
    return message(how, second, hook={"resource": resource(addr), "action": action, "id_key": "id", "id_value": "i-1", "elapsed_seconds": 1})


def printed(addr, second, text):
    return message("provision_progress", second, hook={"resource": resource(addr), "provisioner": "local-exec", "output": text})


def apply_summary(count, second):
    return message("change_summary", second, changes={"add": count, "change": 0, "remove": 0, "operation": "apply"})


def running(addrs, second=1):
    """A run in which so many resources are being made."""
    return version() + b"".join(map(planned, addrs)) + plan_summary(len(addrs)) + b"".join(begun(addr, second) for addr in addrs)


class Screen(EndToEnd):
    def on(self, terminal, *args, env=None, name="state", **more):
        argv = [TOFUD, *args, "--state-dir", os.path.join(self.home, name), "--no-listen"]
        return terminal.start(argv, env or self.env(), **more)

    def feed(self, process, data):
        process.stdin.write(data)
        process.stdin.flush()

    def end(self, process, status=None):
        process.stdin.close()
        got = process.wait(PATIENCE)
        if status is not None:
            self.assertEqual(got, status)

    def worker(self, process):
        """The one that runs now; the keeper's other children are threads of its own."""
        def find():
            for pid in children(process.pid):
                try:
                    with open("/proc/%d/cmdline" % pid, "rb") as words:
                        if b"worker-of-the-pipe" in words.read():
                            return pid
                except OSError:
                    pass
            return None
        return until(find, "a worker")

    # ---- the block ----

    def test_running_resources_stand_below_the_log(self):
        terminal = Terminal(self, 60, 24)
        tofud = self.on(terminal)
        self.feed(tofud, running(["t.a", "t.b", "t.c"]) + ended("t.a", 3) + printed("t.c", 3, "fetching\n"))
        lines = terminal.until(lambda lines: lines and lines[-1].startswith("1/3 · 2 running"))
        self.assertRegex(lines[0], r"^tofud \S+, run ")
        self.assertEqual(lines[1:3], ["03:00:00 Plan: 3 to add, 0 to change, 0 to destroy",
                                      "03:00:03 [1/3] ✓ + t.a: created after 2.0s [id=i-1]"])
        self.assertRegex(lines[3], r"^ +\d+\.\ds   \+ t\.b$")
        self.assertRegex(lines[4], r"^ +\d+\.\ds   \+ t\.c  fetching$")
        self.assertEqual(len(lines), 6)
        self.feed(tofud, ended("t.b", 4) + ended("t.c", 4) + apply_summary(3, 5))
        self.end(tofud, 0)
        story = terminal.story()
        self.assertEqual([line for line in story if "running" in line], [])
        self.assertEqual(story[5], "03:00:05 [3/3] Applied: 3 added, 0 changed, 0 destroyed")
        self.assertEqual(story[6], "✓ apply succeeded after 5.0s: 3 done")
        self.assertIn(b"\x1b]9;4;3;0\x1b\\", terminal.raw)
        self.assertIn(b"\x1b]9;4;1;33\x1b\\", terminal.raw)
        self.assertEqual(re.findall(rb"\x1b\]9;4;\d", terminal.raw)[-1], b"\x1b]9;4;0")
        self.assertEqual(OURS.sub(b"", terminal.raw).count(b"\x1b"), 0)

    def test_a_failure_stands_at_once_above_the_block_and_colours_the_progress(self):
        terminal = Terminal(self, 100, 30)
        tofud = self.on(terminal)
        self.feed(tofud, running(["t.a", "t.b"]) + ended("t.a", 2, how="apply_errored")
                  + message("diagnostic", 2, diagnostic={"severity": "error", "summary": "Quota exceeded", "detail": "Ask for more.",
                                                         "address": "t.a"}))
        lines = terminal.until(lambda lines: lines and lines[-1].startswith("0/2 · 1 running · 1 failed"))
        self.assertIn("✗ + t.a: create FAILED after 1.0s", lines[2])
        self.assertTrue(any("Quota exceeded" in line for line in lines[3:-2]), lines)
        self.assertTrue(any("Ask for more." in line for line in lines[3:-2]), lines)
        self.assertIn(b"\x1b]9;4;2;0\x1b\\", terminal.raw)
        self.end(tofud, 1)

    def test_the_page_is_a_link_where_links_are_known(self):
        for name, linked in (("xterm-256color", True), ("linux", False)):
            terminal = Terminal(self, 100, 24)
            tofud = terminal.start([TOFUD, "--state-dir", os.path.join(self.home, name), "--listen", "127.0.0.1:0"],
                                   self.env(TERM=name))
            self.feed(tofud, running(["t.a"]))
            lines = terminal.until(lambda lines: lines and lines[-1].startswith("0/1 · 1 running"))
            url = re.search(r"http://127\.0\.0\.1:\d+/$", lines[0]).group().encode()
            self.assertEqual(b"\x1b]8;;" + url + b"\x1b\\" + url + b"\x1b]8;;\x1b\\" in terminal.raw, linked)
            self.assertEqual(b"\x1b]9;4;" in terminal.raw, linked)
            self.end(tofud, 1)

    def test_two_hundred_running_take_a_third_of_the_screen(self):
        addrs = ["t.n[%d]" % i for i in range(200)]
        terminal = Terminal(self, 80, 24)
        tofud = self.on(terminal)
        self.feed(tofud, running(addrs) + ended(addrs[0], 2))
        lines = terminal.until(lambda lines: lines and lines[-1].startswith("1/200 · 199 running"))
        block = lines[3:]
        self.assertEqual(len(block), 8)
        self.assertEqual(block[-2].strip(), "… and 193 more")
        self.end(tofud, 1)
        self.assertNotIn("more", "".join(line for line in terminal.story() if "…" in line))

    def test_a_narrow_screen_breaks_no_line_of_the_block(self):
        for width, height in ((10, 2), (10, 24), (19, 6), (33, 9)):
            terminal = Terminal(self, width, height)
            tofud = self.on(terminal, name="%d-%d" % (width, height))
            self.feed(tofud, running(["module.a.aws_instance.web[%d]" % i for i in range(9)]))
            bar = "0/9 · 9 running"[:width - 2]
            lines = terminal.until(lambda lines, bar=bar: lines and lines[-1].startswith(bar))
            block = lines[-max(1, height // 3):]
            self.assertTrue(all(len(line) < width for line in block), block)
            if height > 6:
                self.assertRegex(block[0], r"\+ modu?l?e?\S*…\S*\[0\]$")
            self.end(tofud, 1)
            self.assertNotIn("9 runn", "\n".join(terminal.story()))

    def test_a_screen_resized_in_the_middle_is_measured_again(self):
        terminal = Terminal(self, 40, 24)
        tofud = self.on(terminal)
        long = 'module.a["eu-central-1"].module.b.aws_instance.web["blue"]'
        self.feed(tofud, running([long]))
        cut = terminal.until(lambda lines: lines and lines[-1].startswith("0/1 · 1 running"))
        self.assertIn("…", cut[-2])
        terminal.resize(120, 24)
        whole = terminal.until(lambda lines: len(lines) > 1 and lines[-2].endswith(long))
        self.assertEqual(len(whole), len(cut))
        terminal.resize(30, 6)
        terminal.until(lambda lines: lines and len(lines[-2]) < 30 and "…" in lines[-2])
        self.end(tofud, 1)

    def test_wide_characters_do_not_break_lines(self):
        terminal = Terminal(self, 40, 24)
        tofud = self.on(terminal)
        addrs = ['t.n["%s"]' % ("世界" * count) for count in range(1, 9)]
        self.feed(tofud, running(addrs) + printed(addrs[0], 1, "進捗 " * 20))
        lines = terminal.until(lambda lines: lines and lines[-1].startswith("0/8 · 8 running"))
        block = lines[-8:]
        self.assertTrue(all(re.match(r" +(\d+ms|\d+\.\ds)   \+ t\.n", line) for line in block[:6]), block)
        self.end(tofud, 1)

    def test_a_size_of_nothing_counts_as_80_by_24(self):
        terminal = Terminal(self, 80, 24)
        set_size(terminal.master, 0, 0)
        tofud = self.on(terminal)
        self.feed(tofud, running(["t." + "x" * 200]))
        lines = terminal.until(lambda lines: lines and lines[-1].startswith("0/1 · 1 running"))
        self.assertEqual(len(lines[-2]), 79)
        self.end(tofud, 1)

    # ---- which terminals ----

    def test_without_utf8_every_byte_is_ascii(self):
        for locale in ("C", "de_DE@euro"):
            terminal = Terminal(self, 80, 24)
            tofud = self.on(terminal, env=self.env(LC_ALL=locale), name=locale)
            self.feed(tofud, running(["t.größe", "t.m\u011b"] + ["t.n%d" % i for i in range(9)]) + ended("t.größe", 2))
            lines = terminal.until(lambda lines: lines and lines[-1].startswith("1/11 - 10 running"))
            self.assertIn("ok + t.gr??e: created", lines[2])
            self.assertEqual(lines[-2].strip(), "... and 4 more")
            self.end(tofud, 1)
            self.assertEqual([byte for byte in terminal.raw if byte > 0x7e], [])

    def test_a_dumb_terminal_and_ci_get_plain_lines(self):
        for env in ({"TERM": "dumb"}, {"CI": "true"}, {"CI": "true", "NO_COLOR": "1"}):
            terminal = Terminal(self, 120, 40)
            tofud = self.on(terminal, env=self.env(**env), name="-".join(env))
            self.feed(tofud, running(["t.a"]) + ended("t.a", 2) + apply_summary(1, 2))
            self.end(tofud, 0)
            lines = terminal.lines()
            self.assertIn("03:00:01 [0/1] + t.a: creating", lines)
            self.assertEqual(re.sub(rb"\x1b\[[0-9]*m", b"", terminal.raw).count(b"\x1b"), 0, terminal.raw)
            if "CI" not in env or "NO_COLOR" in env:
                self.assertNotIn(b"\x1b", terminal.raw)

    def test_tty_asked_for_without_a_terminal_is_refused_before_anything_is_read(self):
        reading, writing = os.pipe()
        os.write(writing, running(["t.a"]))
        done = subprocess.run([TOFUD, "--progress", "tty", "--no-listen", "--state-dir", self.state_dir], stdin=reading,
                              capture_output=True, env=self.env(), timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"needs a terminal", done.stderr)
        self.assertEqual(os.read(reading, 10), b'{"@level":')
        os.close(reading)
        os.close(writing)
        self.assertFalse(os.path.exists(self.state_dir))
        replayed = subprocess.run([TOFUD, "replay", recorded_path("apply-slow-progress"), "--progress", "tty"], capture_output=True,
                                  env=self.env(), timeout=PATIENCE)
        self.assertEqual((replayed.returncode, replayed.stdout), (2, b""))

    def test_tty_asked_for_beats_ci_and_a_dumb_terminal(self):
        terminal = Terminal(self, 80, 24)
        tofud = self.on(terminal, "--progress", "tty", env=self.env(CI="1", TERM="dumb"))
        self.feed(tofud, running(["t.a"]))
        terminal.until(lambda lines: lines and lines[-1].startswith("0/1 · 1 running"))
        self.end(tofud, 1)

    def test_no_terminal_gets_no_control_character(self):
        status, out, err = self.run_through(recorded("provisioner-output-kinds"))
        self.assertEqual((status, err), (0, b""))
        self.assertEqual([byte for byte in out if byte < 0x20 and byte != 0x0a], [])

    def test_lines_that_are_no_messages_pass_through(self):
        status, out, _ = self.run_through(b"Initializing the backend...\n\n\x1b[1mDone\x1b[0m\tall\x1b]0;pwned\x07\r\n")
        self.assertEqual(status, 1)
        lines = out.decode().splitlines()
        self.assertEqual(lines[1:4], ["Initializing the backend...", "", "Done all"])
        self.assertRegex(lines[-3], r"^other unknown")
        self.assertRegex(lines[-2], r"the stream contains no OpenTofu message, .*tofu … -json \| tofud.*tofud run -- tofu …")
        status, out, _ = self.run_through(version() + b"make: hello\n" + apply_summary(0, 1))
        self.assertEqual(out.decode().splitlines()[1], "make: hello")
        self.assertNotIn(b"no line of this", out)

    def test_in_the_background_nothing_is_drawn(self):
        terminal = Terminal(self, 80, 24)
        leader = os.path.join(self.home, "leader.py")
        with open(leader, "w") as script:
            script.write("""
import fcntl, os, signal, subprocess, sys, termios
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
os.setsid()
fcntl.ioctl(1, termios.TIOCSCTTY, 0)
job = subprocess.Popen(sys.argv[1:], process_group=0)
os.close(0)
os.read(3, 1)
os.tcsetpgrp(1, job.pid)
sys.exit(job.wait())
""")
        waits, goes = os.pipe()
        tofud = terminal.start(["/bin/sh", "-c", 'exec 3<&%d; exec /usr/bin/python3 "$@"' % waits, "sh", leader, TOFUD, "--no-listen",
                                "--state-dir", self.state_dir], self.env(), pass_fds=[waits])
        os.close(waits)
        self.addCleanup(os.close, goes)
        self.feed(tofud, running(["t.a", "t.b"]) + ended("t.a", 2))
        lines = terminal.until(lambda lines: any("t.a: created" in line for line in lines))
        self.feed(tofud, ended("t.b", 3) + planned("t.c") + begun("t.c", 3))
        lines = terminal.until(lambda lines: any("t.b: created" in line for line in lines))
        self.assertFalse(any("running" in line for line in lines), lines)
        self.assertNotIn(b"\x1b[J", terminal.raw)
        os.write(goes, b"x")
        terminal.until(lambda lines: lines and lines[-1].startswith("2/3 · 1 running"))
        self.end(tofud, 1)

    def test_colour_is_for_terminals_unless_told_otherwise(self):
        data = running(["t.a"]) + ended("t.a", 2) + apply_summary(1, 2)
        for env, args, coloured in (({}, (), False), ({"FORCE_COLOR": "1"}, (), True), ({}, ("--color", "always"), True),
                                    ({"FORCE_COLOR": "1"}, ("--color=never",), False), ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, (), False)):
            out = self.run_through(data, *args, env=self.env(**env))[1]
            self.assertEqual(b"\x1b[" in out, coloured, (env, args))

    # ---- text from outside ----

    def test_hostile_text_never_steers_the_terminal(self):
        hostile = "\x1b]0;pwned\x07\x1b[2J\x1b[31mred\x1b[0m\x9b5A\u202ereversed\x1b]52;c;cHduZWQ=\x07\x1bP0;0|pwned\x1b\\\r\n\x08\x7fend"
        addr = 't.n["%s"]' % hostile
        data = running([addr, "t.b"]) + printed(addr, 1, hostile) + b"".join(
            message("log", 1, **{"@message": hostile, "@level": level}) for level in ("info", "error"))
        more = (ended(addr, 2, how="apply_errored") + message("diagnostic", 2, diagnostic={
            "severity": "error", "summary": hostile, "detail": hostile, "address": addr,
            "range": {"filename": hostile, "start": {"line": 1, "column": 1, "byte": 0}, "end": {"line": 1, "column": 2, "byte": 1}},
            "snippet": {"context": hostile, "code": hostile, "start_line": 1, "highlight_start_offset": 0, "highlight_end_offset": 1,
                        "values": [{"traversal": hostile, "statement": hostile}]}})
            + message("outputs", 3, outputs={hostile: {"sensitive": False, "type": "string", "value": hostile}}))
        for locale in ("C.UTF-8", "C"):
            terminal = Terminal(self, 90, 40)
            tofud = self.on(terminal, "--stack", hostile.replace("\x00", ""), env=self.env(LC_ALL=locale), name=locale)
            self.feed(tofud, data)
            terminal.until(lambda lines: lines and re.match("0/2 . 2 running", lines[-1]))
            self.feed(tofud, more)
            terminal.until(lambda lines: lines and re.match("0/2 . 1 running . 1 failed", lines[-1]))
            self.end(tofud, 1)
            rest = OURS.sub(b"", terminal.raw)
            self.assertEqual([byte for byte in rest if (byte < 0x20 and byte != 0x0a) or byte == 0x7f], [], rest)
            self.assertNotRegex(rest.decode(), "[\x80-\x9f\u202a-\u202e\u2066-\u2069]")
            self.assertEqual(terminal.screen.title, "")
            self.assertIn("reversed", "\n".join(terminal.story()))

    # ---- the scrollback ----

    def test_the_scrollback_keeps_the_story(self):
        terminal = Terminal(self, 100, 12)
        tofud = terminal.start([TOFUD, "replay", recorded_path("apply-parallel-interleaved"), "--no-listen", "--speed", "3"], self.env(),
                               stdin=subprocess.DEVNULL)
        self.assertEqual(tofud.wait(PATIENCE), 0)
        story = terminal.story()
        rows = self.rows(recorded_path("apply-parallel-interleaved"))["resource"]
        made = [re.match(r"\S+ \[ *\d+/\d+\] ✓ \+ (\S+): created", line) for line in story]
        made = [match.group(1) for match in made if match]
        self.assertEqual(sorted(made), sorted(row["addr"] for row in rows.values() if row["status"] == "done" and row["mode"] == "managed"))
        self.assertRegex(story[0], "^tofud .* replay of ")
        self.assertTrue(any(line.startswith("✓ apply succeeded") for line in story))
        self.assertFalse(any("running" in line for line in story), story)

    def test_a_flood_of_ends_is_counted(self):
        addrs = ["t.n[%d]" % i for i in range(300)]
        terminal = Terminal(self, 100, 24)
        tofud = self.on(terminal)
        self.feed(tofud, running(addrs) + b"".join(ended(addr, 2) for addr in addrs) + apply_summary(300, 3))
        self.end(tofud, 0)
        story = terminal.story()
        self.assertEqual(sum("created after" in line for line in story), 20)
        self.assertTrue(any(line.endswith("… and 280 more finished") for line in story), story)

    # ---- trouble ----

    def test_a_killed_worker_leaves_no_half_block_and_repeats_nothing(self):
        terminal = Terminal(self, 80, 24)
        tofud = self.on(terminal)
        addrs = ["t.n[%d]" % i for i in range(5)]
        self.feed(tofud, running(addrs) + ended(addrs[0], 2))
        terminal.until(lambda lines: lines and lines[-1].startswith("1/5 · 4 running"))
        first = self.worker(tofud)
        os.kill(first, signal.SIGKILL)
        until(lambda: self.worker(tofud) != first, "another worker")
        self.feed(tofud, ended(addrs[1], 3))
        lines = terminal.until(lambda lines: lines and lines[-1].startswith("2/5 · 3 running"))
        self.assertEqual(len(lines), 4 + 3 + 1, lines)  # the first line, the plan, two ends, three that run, the bar
        self.feed(tofud, b"".join(ended(addr, 4) for addr in addrs[2:]) + apply_summary(5, 5))
        self.end(tofud, 0)
        story = terminal.story()
        for addr in addrs:
            self.assertEqual(sum("+ %s: created" % addr in line for line in story), 1, story)
        self.assertEqual(sum("running" in line or "killed" in line for line in story), 0, story)
        self.assertFalse(terminal.screen.cursor.hidden)

    def test_workers_killed_at_any_moment_leave_the_story_whole(self):
        seed = random.randrange(1 << 32)
        chance = random.Random(seed)
        addrs = ["t.n[%d]" % i for i in range(90)]
        for turn in range(4):
            terminal = Terminal(self, 90, 20)
            tofud = self.on(terminal, name="turn-%d" % turn)
            self.feed(tofud, running(addrs))
            victims = set(chance.sample(range(90), 3))
            killed = 0
            for i, addr in enumerate(addrs):
                self.feed(tofud, printed(addr, 2 + i // 15, "line %d" % i) + ended(addr, 2 + i // 15))
                time.sleep(chance.random() * 0.01)
                if i in victims:
                    os.kill(self.worker(tofud), signal.SIGKILL)
                    killed += 1
            terminal.until(lambda lines: lines and lines[-1].startswith("90/90"))
            self.feed(tofud, apply_summary(90, 9))
            self.end(tofud, 0)
            story = terminal.story()
            told = [re.search(r"✓ \+ (\S+): created", line) for line in story]
            told = [match.group(1) for match in told if match]
            self.assertEqual(list(dict.fromkeys(told)), addrs, (seed, story))
            self.assertLessEqual(len(told) - len(addrs), 20 * killed, seed)  # a frame that was written and not yet counted
            self.assertEqual([line for line in story if " running" in line or "line " in line], [], seed)

    def test_a_worker_that_is_not_started_again_leaves_a_clean_screen(self):
        terminal = Terminal(self, 100, 24)
        tofud = self.on(terminal)
        self.feed(tofud, running(["t.a", "t.b"]))
        killed = set()
        while len(killed) < 4:
            worker = self.worker(tofud)
            if worker in killed:
                continue
            terminal.until(lambda lines: any("0/2 · 2 running" in line for line in lines))
            os.kill(worker, signal.SIGKILL)
            killed.add(worker)
        lines = terminal.until(lambda lines: any("not restarted" in line for line in lines))
        self.assertFalse(any("running" in line for line in lines), lines)
        self.end(tofud, 1)

    def test_two_on_one_terminal_do_not_draw_over_each_other(self):
        terminal = Terminal(self, 80, 24)
        first = self.on(terminal, name="one")
        self.feed(first, running(["t.a", "t.b"]))
        terminal.until(lambda lines: lines and lines[-1].startswith("0/2 · 2 running"))
        second = self.on(terminal, "--stack", "other", name="two")
        self.feed(second, running(["u.x"]) + ended("u.x", 2) + apply_summary(1, 2))
        self.end(second, 0)
        self.feed(first, ended("t.a", 2))
        lines = terminal.until(lambda lines: lines and lines[-1].startswith("1/2 · 1 running"))
        others = [line for line in lines if line.startswith("[other] ")]
        self.assertEqual(others[2], "[other] 03:00:01 [0/1] + u.x: creating")
        self.assertTrue(others[-1].startswith("[other] kept: "), others)
        self.assertEqual(sum("running" in line for line in lines), 1, lines)
        self.feed(first, ended("t.b", 3) + apply_summary(2, 3))
        self.end(first, 0)
        story = terminal.story()
        self.assertEqual(sum("running" in line for line in story), 0, story)
        self.assertEqual(sum("t.a: created" in line for line in story), 1, story)
        # The first has ended: the next one has the terminal to itself.
        third = self.on(terminal, name="three")
        self.feed(third, running(["v.x"]))
        terminal.until(lambda lines: lines and lines[-1].startswith("0/1 · 1 running"))
        self.end(third, 1)

    def test_a_stuck_terminal_delays_nothing(self):
        terminal = Terminal(self, 80, 24, reads=False)
        data = subprocess.run([sys.executable, str(ROOT / "tests/tools/gen_stream.py"), "--resources", "3000"], capture_output=True,
                              check=True).stdout
        argv = [TOFUD, "--state-dir", self.state_dir, "--listen", "127.0.0.1:0"]
        env = self.env(XDG_RUNTIME_DIR=self.home)
        tofud = terminal.start(argv, env)
        tofud.stdin.write(data)
        tofud.stdin.flush()
        latest = os.path.join(self.home, "tofud", "latest")
        until(lambda: os.path.exists(latest) and os.path.getsize(latest), "the page's address")
        with open(latest) as file:
            url = file.read().strip()

        def done():
            return b'"progress":{"done":3000,' in get(url + "v1/runs/latest")
        until(done, "everything folded")
        terminal.read()
        self.end(tofud, 0)
        until(lambda: any(line.startswith("✓ apply succeeded") for line in terminal.story()), "the summary")


if __name__ == "__main__":
    unittest.main()
