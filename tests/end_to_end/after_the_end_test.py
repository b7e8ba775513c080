#!/usr/bin/python3
"""The commands that read what was kept, with no daemon: ls, logs, export, watch, open."""
import json
import os
import pathlib
import re
import signal
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, Running, children, get, kill_all, recorded, recorded_path, until
from run_test import Wrapped
from terminal import Terminal


class AfterTheEnd(EndToEnd):
    def tofud(self, *args, env=None):
        done = subprocess.run([TOFUD, *args], stdin=subprocess.DEVNULL, capture_output=True, env=env or self.env(),
                              timeout=PATIENCE)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def kept_here(self, *args, env=None):
        return self.tofud(*args, "--state-dir", self.state_dir, env=env)

    def keep(self, name, stem="stream", *args):
        """Pipes a recording through tofud; the id of the run."""
        before = set(self.spools())
        self.run_through(recorded(name, stem), "--progress", "none", *args)
        return (set(self.spools()) - before).pop().stem

    def start(self, *args, env=None):
        return self.kept(Running([TOFUD, *args, "--state-dir", self.state_dir], env or self.env(), stdin=subprocess.DEVNULL))

    def going_on(self, name="apply-slow-progress", lines=48, listen=True):
        """A pipe in the middle of a run: (tofud, the lines to come, id)."""
        all_lines = recorded(name).splitlines(keepends=True)
        tofud = self.pipe() if listen else self.pipe("--no-listen", listen=False)
        if listen:
            tofud.wait_for_url()
        until(self.spools, "the spool")
        tofud.write(b"".join(all_lines[:lines]))
        spool = self.spool()
        size = sum(map(len, all_lines[:lines]))
        until(lambda: spool.stat().st_size == size, "the first half in the spool")
        return tofud, b"".join(all_lines[lines:]), spool.stem


class List(AfterTheEnd):
    def test_has_a_line_of_every_run_newest_first(self):
        first = self.keep("apply-provider-errors", "stream", "--stack", "net/prod")
        second = self.keep("test-fail-error-skip")
        status, out, err = self.kept_here("ls")
        self.assertEqual((status, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual(lines[0].split(), ["RUN", "WHEN", "COMMAND", "STACK", "STATUS", "DONE", "FAILED", "TOOK"])
        self.assertEqual([line.split()[0] for line in lines[1:]], [second, first])
        self.assertRegex(lines[1], r"test +failed +3/9 +3 +2\.7s$")
        self.assertRegex(lines[2], r"apply +net/prod +failed +6/13 +4 +4\.5s$")

    def test_names_every_run_of_a_stream(self):
        run = self.keep("pipeline-init-plan-apply-one-stream")
        _, out, _ = self.kept_here("ls")
        self.assertEqual([line.split()[0] for line in out.splitlines()[1:]], [run + ".4", run + ".3", run + ".2", run])

    def test_prints_the_run_rows_of_the_feed(self):
        run = self.keep("apply-provider-errors", "stream", "--label", "pr=12")
        _, out, _ = self.kept_here("ls", "--json")
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([(row["kind"], row["key"], row["status"], row["labels"]) for row in rows],
                         [("run", run, "failed", {"pr": "12"})])

    def test_a_run_that_goes_on_is_running_and_one_that_was_killed_is_lost(self):
        tofud, rest, run = self.going_on(listen=False)
        self.assertIn("running", self.kept_here("ls")[1])
        tofud.write(rest)
        tofud.end_of_stream()
        self.assertRegex(self.kept_here("ls")[1], "%s .* succeeded" % run)
        self.assertEqual(self.run_through(recorded("apply-slow-progress")[:20000])[0], 1)
        self.assertIn("lost", self.kept_here("ls")[1].splitlines()[1])

    def test_of_hundreds_of_runs_shows_the_newest_and_says_so(self):
        pathlib.Path(self.state_dir).mkdir()
        for number in range(120):
            path = pathlib.Path(self.state_dir, "20261120T%02d%02d-0000.jsonl" % (number // 60, number % 60))
            path.write_bytes(recorded("plan-noop"))
            os.utime(path, (1e9, 1e9))
        status, out, err = self.kept_here("ls")
        self.assertEqual((status, len(out.splitlines())), (0, 51))
        self.assertIn("and 70 more; --all lists them", err)
        self.assertIn("20261120T0159-0000", out.splitlines()[1])
        self.assertEqual(len(self.kept_here("ls", "--all")[1].splitlines()), 121)

    def test_reads_no_more_than_is_quickly_read(self):
        self.keep("plan-noop")
        large = pathlib.Path(self.state_dir, "20271121T0312-7f3a.jsonl")
        with open(large, "wb") as file:
            file.truncate(2 << 30)
        status, out, err = self.kept_here("ls")
        self.assertEqual(status, 0)
        self.assertIn("20271121T0312-7f3a", out.splitlines()[1])
        self.assertIn("not read (2048 MiB)", out.splitlines()[1])
        self.assertRegex(out.splitlines()[2], "plan +succeeded")
        self.assertIn("1 were not read", err)
        self.assertEqual(len(self.kept_here("ls", "--json")[1].splitlines()), 1)

    def test_fits_the_terminal(self):
        self.keep("apply-provider-errors", "stream", "--stack", "github.com/acme/infrastructure//network/production@default")
        terminal = Terminal(self, width=60)
        listing = terminal.start([TOFUD, "ls", "--state-dir", self.state_dir], self.env())
        self.assertEqual(listing.wait(PATIENCE), 0)
        lines = terminal.until(lambda lines: len(lines) == 2)
        self.assertIn("failed", lines[1])
        self.assertIn(b"\x1b[31mfailed", terminal.raw)

    def test_without_runs_says_how_to_get_one(self):
        os.mkdir(self.state_dir)
        status, out, err = self.kept_here("ls")
        self.assertEqual((status, out), (0, ""))
        self.assertIn("no run is stored", err)
        self.assertEqual(self.tofud("ls", "--state-dir", "/no/such/place")[0], 2)

    def test_looks_in_every_place_where_a_run_may_be(self):
        env = self.env(XDG_STATE_HOME=self.home + "/xdg")
        subprocess.run([TOFUD, "--no-listen"], input=recorded("plan-noop"), stdout=subprocess.DEVNULL, env=env, check=True)
        subprocess.run([TOFUD, "--no-listen"], input=recorded("plan-noop"), stdout=subprocess.DEVNULL, env=self.env(), check=True)
        self.assertEqual(len(self.tofud("ls", env=env)[1].splitlines()), 3)
        self.assertEqual(len(self.tofud("ls")[1].splitlines()), 2)

    def test_is_coloured_when_asked_and_hostile_stacks_stay_text(self):
        self.keep("apply-provider-errors", "stream", "--stack", "a\x1b[2J\x1b]0;t\x07b\nc")
        plain = self.kept_here("ls")[1]
        self.assertNotIn("\x1b", plain)
        self.assertIn("ab c", plain)
        coloured = self.kept_here("ls", "--color=always")[1]
        self.assertIn("\x1b[31mfailed\x1b[0m", coloured)
        self.assertEqual(re.sub("\x1b\\[[0-9]*m", "", coloured), plain)


class Choice(AfterTheEnd):
    def test_of_a_run_is_by_id_beginning_file_or_last(self):
        run = self.keep("provisioner-output-kinds")
        expected = self.kept_here("logs", run)
        self.assertEqual(expected[0], 0)
        self.assertIn(":", expected[1])
        for text in (run[:-1], "last", str(self.spool())):
            self.assertEqual(self.kept_here("logs", text), expected)

    def test_of_a_file_needs_no_spools(self):
        status, out, _ = self.tofud("export", recorded_path("apply-provider-errors"), "--format", "csv")
        self.assertEqual(status, 0)
        self.assertIn("time_sleep.slow_ok", out)

    def test_of_a_run_of_a_stream_is_by_number(self):
        run = self.keep("pipeline-init-plan-apply-one-stream")
        status, out, _ = self.kept_here("export", run + ".3", "--format", "ndjson")
        self.assertEqual(status, 0)
        self.assertEqual({json.loads(line)["run"] for line in out.splitlines()}, {run + ".3"})
        status, _, err = self.kept_here("export", run + ".9", "--format", "ndjson")
        self.assertEqual(status, 2)
        self.assertIn("4 runs", err)

    def test_that_fails_says_why_in_a_sentence(self):
        for args, sentence in ((["nope"], "no run is stored"), (["last"], "no run is stored"), (["/no/such"], "No such file")):
            os.makedirs(self.state_dir, exist_ok=True)
            status, out, err = self.kept_here("logs", *args)
            self.assertEqual((status, out, len(err.splitlines())), (2, "", 1), err)
            self.assertIn(sentence, err)
        self.keep("plan-noop")
        self.keep("plan-noop")
        self.assertIn("no run 'nope' is stored", self.kept_here("logs", "nope")[2])
        self.assertIn("beginning of 2 run ids", self.kept_here("logs", "20")[2])
        self.assertIn("is a directory", self.kept_here("logs", self.home)[2])


class Logs(AfterTheEnd):
    def log_rows(self):
        # Not splitlines(): the output of provisioners has separators of all sorts in it.
        return [json.loads(line) for line in self.kept_here("logs", "last", "--json")[1].split("\n")[:-1]]

    def test_are_what_the_provisioners_printed_with_the_address_before_it(self):
        self.keep("provisioner-output-kinds")
        rows = self.log_rows()
        self.assertGreater(len(rows), 5)
        self.assertEqual({row["kind"] for row in rows}, {"log"})
        lines = self.kept_here("logs", "last")[1].split("\n")[:-1]
        self.assertEqual([line.split(": ")[0] for line in lines], [row["addr"] for row in rows])

    def test_of_an_address_are_its_own_alone(self):
        self.keep("provisioner-output-kinds")
        rows = self.log_rows()
        one = rows[0]["addr"]
        _, out, _ = self.kept_here("logs", "last", one)
        self.assertEqual(len(out.split("\n")) - 1, sum(row["addr"] == one for row in rows))
        self.assertNotIn(one + ": ", out)
        some = self.kept_here("logs", "last", one[:-1] + "*")[1]
        self.assertIn(one + ": ", some)

    def test_of_an_unknown_address_fail_and_of_a_silent_one_do_not(self):
        self.keep("apply-provider-errors")
        status, _, err = self.kept_here("logs", "last", "no.such")
        self.assertEqual(status, 1)
        self.assertIn("no resource no.such", err)
        status, _, err = self.kept_here("logs", "last", "time_sleep.slow_ok")
        self.assertEqual(status, 0)
        self.assertIn("no provisioner printed anything for time_sleep.slow_ok", err)

    def test_keep_colours_only_where_they_are_wanted(self):
        self.keep("provisioner-output-kinds")
        raw = self.spool().read_bytes()
        self.assertIn(b"\\u001b[", raw)
        self.assertNotIn("\x1b", self.kept_here("logs", "last")[1])
        coloured = self.kept_here("logs", "last", "--color=always")[1]
        self.assertIn("\x1b[", coloured)
        self.assertEqual(re.sub("\x1b\\[[0-9;:]*m", "", coloured), self.kept_here("logs", "last")[1])

    def test_are_followed_until_the_run_is_over(self):
        tofud, rest, run = self.going_on(listen=False)
        logs = self.start("logs", "-f", run)
        first = logs.out.next()
        self.assertIsNotNone(first)
        self.assertIsNone(logs.process.poll())
        tofud.write(rest)
        tofud.end_of_stream()
        self.assertEqual(logs.wait(), 0)
        self.assertEqual(logs.out.all().decode(), self.kept_here("logs", run)[1])


class Watch(AfterTheEnd):
    def lines_of_the_pipe(self, name, *args):
        """What the pipe printed but for its first and last line, which name this very run."""
        _, out, _ = self.run_through(recorded(name), *args)
        return out.splitlines()[1:-1]

    def test_of_a_run_that_is_over_prints_what_the_pipe_printed_and_ends(self):
        expected = self.lines_of_the_pipe("apply-provider-errors")
        status, out, err = self.kept_here("watch", "last")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.encode().splitlines()[1:], expected)

    def test_exits_as_the_run_does_only_when_asked(self):
        self.keep("apply-provider-errors")
        self.assertEqual(self.kept_here("watch")[0], 0)
        self.assertEqual(self.kept_here("watch", "--exit-status")[0], 1)
        self.keep("plan-noop")
        self.assertEqual(self.kept_here("watch", "--exit-status")[0], 0)

    def test_follows_a_run_until_it_is_over(self):
        tofud, rest, run = self.going_on()
        watch = self.start("watch", "--exit-status")
        self.assertIn(("run %s: %s" % (run, tofud.url)).encode(), watch.out.next())
        until(lambda: len(watch.out.got) > 5, "the lines so far")
        self.assertIsNone(watch.process.poll())
        tofud.write(rest)
        self.assertEqual(tofud.end_of_stream(), 0)
        self.assertEqual(watch.wait(), 0)
        self.assertEqual(watch.out.all().splitlines()[1:], tofud.out.all().splitlines()[1:-1])

    def test_draws_what_runs_and_leaves_nothing_of_it_behind(self):
        tofud, rest, run = self.going_on(listen=False)
        terminal = Terminal(self)
        watch = terminal.start([TOFUD, "watch", run, "--state-dir", self.state_dir], self.env())
        terminal.until(lambda lines: lines and re.search(r"\d+/8 · \d+ running", lines[-1]))
        watch.send_signal(signal.SIGINT)
        self.assertEqual(watch.wait(PATIENCE), 0)
        terminal.until(lambda lines: lines and "no longer watching" in lines[-1])
        self.assertFalse([line for line in terminal.lines() if "running" in line])
        self.assertFalse(terminal.screen.cursor.hidden)
        again = terminal.start([TOFUD, "watch", run, "--state-dir", self.state_dir], self.env())
        tofud.write(rest)
        tofud.end_of_stream()
        self.assertEqual(again.wait(PATIENCE), 0)
        terminal.until(lambda lines: any("apply succeeded" in line for line in lines))

    def test_refuses_a_live_block_where_there_is_no_terminal(self):
        self.keep("plan-noop")
        status, out, err = self.kept_here("watch", "--progress", "tty")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("needs a terminal", err)

    def test_passes_the_stream_on_when_asked(self):
        self.keep("plan-noop")
        status, out, _ = self.kept_here("watch", "--progress", "json")
        self.assertEqual((status, out.encode()), (0, recorded("plan-noop")))

    def test_prefers_the_run_that_goes_on(self):
        tofud, rest, run = self.going_on(listen=False)
        other = self.keep("plan-noop")
        self.assertNotEqual(other, run)
        watch = self.start("watch")
        self.assertIn(run.encode(), watch.out.next())
        tofud.write(rest)
        tofud.end_of_stream()
        self.assertEqual(watch.wait(), 0)

    def test_left_by_ctrl_c_never_touches_the_run(self):
        tofud, rest, run = self.going_on(listen=False)
        watch = self.start("watch", run)
        watch.out.next()
        self.assertEqual(watch.stop(), 0)
        self.assertIn(b"the run continues", watch.err.all())
        other = self.start("watch", run, "--exit-status")
        other.out.next()
        self.assertEqual(other.stop(), 128 + signal.SIGINT)
        self.assertIsNone(tofud.process.poll())
        tofud.write(rest)
        self.assertEqual(tofud.end_of_stream(), 0)

    def test_ends_when_all_of_the_pipe_is_killed(self):
        tofud, _, run = self.going_on(listen=False)
        watch = self.start("watch", run, "--exit-status")
        watch.out.next()
        keeper = tofud.process.pid
        worker, = pathlib.Path("/proc/%d/task/%d/children" % (keeper, keeper)).read_text().split()
        tofud.process.kill()
        os.kill(int(worker), signal.SIGKILL)
        self.assertEqual(watch.wait(), 1)
        self.assertIn(b"lost", watch.out.all())

    def test_follows_a_file_that_somebody_else_writes(self):
        lines = recorded("apply-slow-progress").splitlines(keepends=True)
        path = os.path.join(self.home, "into.jsonl")
        with open(path, "wb") as file:
            file.write(b"".join(lines[:48]))
            file.flush()
            watch = self.kept(Running([TOFUD, "watch", path, "--exit-status"], self.env(), stdin=subprocess.DEVNULL))
            until(lambda: len(watch.out.got) > 5, "the lines so far")
            self.assertIsNone(watch.process.poll())
            file.write(b"".join(lines[48:]))
        self.assertEqual(watch.wait(), 0)
        self.assertEqual(watch.out.all().splitlines()[1:], self.lines_of_the_pipe("apply-slow-progress"))

    def test_of_a_recording_reads_it_zipped_too(self):
        status, out, _ = self.tofud("watch", recorded_path("large-300"))
        self.assertEqual(status, 0)
        self.assertIn("apply succeeded", out)


class Open(AfterTheEnd):
    def browser(self):
        """A browser that notes where it was sent."""
        path = os.path.join(self.home, "browser")
        with open(path, "w") as script:
            script.write('#!/bin/sh\necho "$@" > "%s.part"\nmv "%s.part" "%s.went"\n' % (path, path, path))
        os.chmod(path, 0o755)
        return path

    def test_of_a_run_that_goes_on_opens_its_own_page(self):
        tofud, rest, run = self.going_on()
        browser = self.browser()
        status, out, err = self.kept_here("open", env=self.env(BROWSER=browser))
        self.assertEqual((status, out, err), (0, tofud.url + "\n", ""))
        went = pathlib.Path(browser + ".went")
        until(went.exists, "the browser")
        self.assertEqual(went.read_text(), tofud.url + "\n")
        tofud.write(rest)
        tofud.end_of_stream()
        self.assertEqual(list(pathlib.Path(self.state_dir).glob("*.url")), [])

    def test_of_a_run_that_is_over_serves_it_until_ctrl_c(self):
        run = self.keep("apply-provider-errors")
        browser = self.browser()
        opened = self.start("open", run, "--listen", "127.0.0.1:0", env=self.env(BROWSER=browser + " --new %s"))
        url = opened.wait_for_url()
        until(pathlib.Path(browser + ".went").exists, "the browser")
        self.assertEqual(pathlib.Path(browser + ".went").read_text(), "--new " + url + "\n")
        until(lambda: json.loads(get(url + "v1/runs"))["runs"][0]["status"] == "failed", "the run's end")
        document = json.loads(get(url + "v1/runs/" + run))
        self.assertEqual(document["run"]["counts"]["failed"], 4)
        self.assertIsNone(opened.process.poll())
        self.assertEqual(opened.stop(), 0)

    def test_of_a_run_without_a_page_serves_it_and_follows(self):
        tofud, rest, run = self.going_on(listen=False)
        opened = self.start("open", run, "--listen", "127.0.0.1:0")
        url = opened.wait_for_url()
        until(lambda: b"null_resource.migrate" in get(url + "v1/runs/latest"), "the rows so far")
        self.assertEqual(json.loads(get(url + "v1/runs"))["runs"][0]["status"], "running")
        tofud.write(rest)
        tofud.end_of_stream()
        until(lambda: json.loads(get(url + "v1/runs"))["runs"][0]["status"] == "succeeded", "the run's end")
        self.assertEqual(opened.stop(), 0)

    def test_without_a_browser_prints_the_address_and_says_so(self):
        tofud, _, _ = self.going_on()
        quiet = {name: "" for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")}
        status, out, err = self.kept_here("open", env=self.env(**quiet))
        self.assertEqual((status, out), (0, tofud.url + "\n"))
        self.assertIn("no browser was started", err)
        status, out, err = self.kept_here("open", env=self.env(BROWSER="/no/such/browser"))
        self.assertEqual((status, out), (0, tofud.url + "\n"))
        self.assertIn("/no/such/browser", err)


class OfTheWrapper(Wrapped, AfterTheEnd):
    """The same for what `tofud run` keeps: tofu itself writes there, and its exit status is known."""

    def test_ls_knows_what_was_run_and_watch_its_own_status(self):
        hold = os.path.join(self.home, "go")
        process = self.started("plan", "-detailed-exitcode", env=self.fake("plan-create-mixed", FAKE_HOLD=hold, FAKE_STATUS="2"))
        self.reported()
        run = until(self.spools, "the spool")[0].stem
        until(lambda: re.search(run + r".* plan .*running", self.kept_here("ls")[1]), "a running plan")
        watch = self.start("watch", "--exit-status")
        self.assertIn(run.encode(), watch.out.next())
        pathlib.Path(hold).touch()
        self.assertEqual(process.wait(PATIENCE), 2)
        self.assertEqual(watch.wait(), 2)
        self.assertRegex(self.kept_here("ls")[1], run + r".* plan .*succeeded")

    def test_watch_goes_on_while_tofu_does_after_all_of_tofud_was_killed(self):
        hold = os.path.join(self.home, "go")
        process = self.started("apply", "-auto-approve", env=self.fake(FAKE_HOLD=hold))
        self.reported()
        run = until(self.spools, "the spool")[0].stem
        until(lambda: self.spool().stat().st_size > 10000, "most of the stream")
        watch = self.start("watch", run, "--exit-status")
        watch.out.next()
        kill_all(process, but=self.report()["pid"])
        self.assertIn("running", self.kept_here("ls")[1])
        self.assertIsNone(watch.process.poll())
        pathlib.Path(hold).touch()
        self.assertEqual(watch.wait(), 0)
        self.assertIn(b"apply succeeded", watch.out.all())

    def test_open_serves_what_goes_on_where_its_own_page_died(self):
        hold = os.path.join(self.home, "go")
        process = self.started("apply", "-auto-approve", env=self.fake(FAKE_HOLD=hold))
        self.addCleanup(pathlib.Path(hold).touch)
        self.reported()
        left = until(lambda: list(pathlib.Path(self.state_dir).glob("*.url")), "its page")[0].read_text()
        kill_all(process, but=self.report()["pid"])
        opened = self.start("open", "--listen", "127.0.0.1:0")
        url = opened.wait_for_url()
        self.assertNotEqual(url + "\n", left)
        self.assertEqual(json.loads(get(url + "v1/runs"))["runs"][0]["status"], "running")
        pathlib.Path(hold).touch()
        until(lambda: json.loads(get(url + "v1/runs"))["runs"][0]["status"] == "succeeded", "the run's end")
        self.assertEqual(opened.stop(), 0)

    def test_open_finds_its_page(self):
        hold = os.path.join(self.home, "go")
        process = self.started("apply", "-auto-approve", env=self.fake(FAKE_HOLD=hold))
        self.addCleanup(process.wait)
        self.addCleanup(pathlib.Path(hold).touch)
        self.reported()
        until(lambda: list(pathlib.Path(self.state_dir).glob("*.url")), "its page")
        status, out, _ = self.kept_here("open")
        self.assertEqual(status, 0)
        self.assertEqual(json.loads(get(out.strip() + "v1/runs"))["runs"][0]["key"], self.spool().stem)


if __name__ == "__main__":
    unittest.main(verbosity=2)
