#!/usr/bin/python3
"""The page at / in a real browser: it shows the rows, whenever it is opened and whatever happens to its connection."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
import urllib.parse

from browsing import HOSTILE, TIMES, VERSION, Browsing, about, hostile_run, message, stamped
from binary import TOFUD, Running, free_port, get, recorded, recorded_path, until
import readme_test


class Page(Browsing):
    def as_readme_says(self):
        """The command of README.md, with a `tofu` that prints what is written to it here."""
        _, _, command = readme_test.blocks()[0]["pipe"]
        tools, stream = os.path.join(self.home, "bin"), os.path.join(self.home, "stream")
        os.mkdir(tools)
        os.mkfifo(stream)
        os.symlink(TOFUD, os.path.join(tools, "tofud"))
        with open(os.path.join(tools, "tofu"), "w") as tofu:
            tofu.write("#!/bin/sh\nexec cat '%s'\n" % stream)
        os.chmod(tofu.name, 0o755)
        self.state_dir = os.path.join(self.home, ".local/state/tofud")
        env = self.env(PATH=tools + ":" + os.environ["PATH"], XDG_RUNTIME_DIR=self.home)
        tofud = self.kept(Running(["bash", "-euc", command], env, stdin=subprocess.DEVNULL, cwd=self.home,
                                  start_new_session=True))
        self.addCleanup(self.kill_all_of, tofud)
        tofud.process.stdin = os.fdopen(os.open(stream, os.O_RDWR), "wb")  # O_RDWR does not wait for the reader
        self.addCleanup(tofud.process.stdin.close)
        return tofud

    def kill_all_of(self, tofud):
        try:
            os.killpg(tofud.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def test_the_page_loads_from_the_printed_url_and_requests_nothing_elsewhere(self):
        tofud = self.as_readme_says()
        page = self.open(tofud.wait_for_url())
        self.comes_to_say(page, "^live$")
        self.comes_to_show(page, self.rows_now(tofud.url))
        self.is_in_order(page)
        self.assertEqual(page.value("location.href"), tofud.url)
        self.assertEqual(page.value("document.contentType + ' ' + document.characterSet + ' ' + document.compatMode"),
                         "text/html UTF-8 CSS1Compat")

    def test_page_and_wall_can_be_installed(self):
        tofud = self.pipe()
        for path in ("", "wall"):
            page = self.browser.open(tofud.wait_for_url() + path)
            self.addCleanup(page.close)
            until(lambda: page.value("document.readyState") == "complete", "the page")
            manifest = page.call("Page.getAppManifest")
            self.assertEqual(manifest["errors"], [])
            self.assertEqual(manifest["url"], tofud.wait_for_url() + "tofud.webmanifest")
            self.assertEqual(json.loads(manifest["data"])["display"], "standalone")
            wrong = [each["errorId"] for each in page.call("Page.getInstallabilityErrors")["installabilityErrors"]]
            self.assertEqual([each for each in wrong if each != "in-incognito"], [])

    def test_rows_appear_and_change_while_a_run_goes_on_and_end_as_those_of_its_spool(self):
        for name, status in (("apply-create-mixed", 0), ("apply-provider-errors", 1)):
            with self.subTest(name):
                self.home = tempfile.mkdtemp(prefix=name, dir=self.home)
                tofud = self.as_readme_says()
                page = self.open(tofud.wait_for_url())
                lines = recorded(name).splitlines(keepends=True)
                written, pictures = b"", []
                size = len(lines) // 12
                for piece in (b"".join(lines[i:i + size]) for i in range(0, len(lines), size)):
                    written += piece
                    tofud.write(piece)
                    self.has_taken(tofud, written)
                    self.comes_to_show(page, self.rows_now(tofud.url))
                    pictures.append(self.picture(page))
                self.comes_to_say(page, "^live$")
                self.assertEqual(tofud.end_of_stream(), status)
                self.comes_to_show(page, self.rows(self.spool()))
                self.is_in_order(page)
                # It was no still life.
                history = {}
                for shown in pictures:
                    for row in shown["resources"]:
                        history.setdefault(row[1], []).append(row[0])
                self.assertGreater(len({len(shown["resources"]) for shown in pictures}), 3)
                self.assertGreater(len({shown["progress"] for shown in pictures}), 3)
                changes = {change for rows in history.values() for change in zip(rows, rows[1:])}
                self.assertIn(("planned", "running"), changes)
                self.assertIn(("running", "done"), changes)
                self.assertIn("failed" if status else "done", [rows[-1] for rows in history.values()])

    def test_a_page_opened_late_ends_with_the_same_rows(self):
        lines = recorded("apply-provider-errors").splitlines(keepends=True)
        for left in (8, 1):
            with self.subTest(left=left):
                self.state_dir = os.path.join(self.home, "state-%d" % left)
                tofud = self.pipe()
                tofud.wait_for_url()
                tofud.write(b"".join(lines[:-left]))
                self.has_taken(tofud, b"".join(lines[:-left]))
                page = self.open(tofud.url)
                self.comes_to_show(page, self.rows_now(tofud.url))
                self.comes_to_say(page, "^live$")
                tofud.write(b"".join(lines[-left:]))
                self.assertEqual(tofud.end_of_stream(), 1)
                self.comes_to_show(page, self.rows(self.spool()))
                self.comes_to_say(page, "^tofud has ended: run over$")
                self.is_in_order(page)

    def test_rows_stand_in_one_order_for_who_watched_and_who_comes_later(self):
        lines = recorded("apply-create-mixed").splitlines(keepends=True)
        tofud = self.pipe()
        watching = self.open(tofud.wait_for_url())
        for at in range(0, len(lines), 10):
            tofud.write(b"".join(lines[at:at + 10]))
            self.has_taken(tofud, b"".join(lines[:at + 10]))
        self.assertEqual(tofud.end_of_stream(), 0)
        self.comes_to_show(watching, self.rows(self.spool()))
        rows = self.rows(self.spool())["resource"]
        by_first = sorted(rows, key=lambda addr: int(rows[addr]["first"]))
        self.assertEqual([int(rows[addr]["first"]) for addr in by_first], list(range(1, len(rows) + 1)))
        later = self.open(self.replay(str(self.spool())).url)
        self.comes_to_show(later, self.rows(self.spool()))
        shown = "[...document.querySelectorAll('#resources .rows .row')].map(one => one.dataset.addr)"
        for page in (watching, later):
            page.value("document.querySelector('#resources .rows').scrollTop = 0")
            until(lambda: len(page.value(shown)) > 5 and page.value(shown)[0] == by_first[0], "the first row")
            found = page.value(shown)
            self.assertEqual(found, by_first[:len(found)])

    def test_a_page_that_loses_the_worker_reconnects_and_ends_with_the_same_rows(self):
        lines = recorded("apply-create-mixed").splitlines(keepends=True)
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        cuts = [0, 20, 60, len(lines) - 4]
        for killed, (begin, end) in enumerate(zip(cuts, cuts[1:])):
            tofud.write(b"".join(lines[begin:end - 1]))
            self.has_taken(tofud, b"".join(lines[:end - 1]))
            self.comes_to_show(page, self.rows_now(tofud.url))
            self.comes_to_say(page, "^live$")
            os.kill(self.worker(tofud), signal.SIGKILL)
            if killed < 2:  # once nothing new comes, so that only the connection does
                tofud.write(lines[end - 1])
            until(lambda: page.value("seen.link").count("connection lost, last known state") > killed, "it says so")
            self.comes_to_say(page, "^live$")
            if killed == 2:
                tofud.write(lines[end - 1])
            self.has_taken(tofud, b"".join(lines[:end]))
            self.comes_to_show(page, self.rows_now(tofud.url))
        tofud.write(b"".join(lines[cuts[-1]:]))
        self.assertEqual(tofud.end_of_stream(), 0)
        self.comes_to_show(page, self.rows(self.spool()))
        self.comes_to_say(page, "^tofud has ended: run over$")
        self.assertEqual(page.value("seen.fewer"), 0)
        asked = [urllib.parse.parse_qs(urllib.parse.urlsplit(url).query) for url in page.requests if url[:2] == "ws"]
        since = [each.get("since") for each in asked if "run" in each]
        self.assertIsNone(since[0])
        self.assertNotIn(None, since[1:])
        self.is_in_order(page, cut_off=True)

    def test_when_tofud_has_ended_the_page_keeps_its_rows_and_says_so(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        tofud.write(recorded("apply-slow-progress"))
        self.assertEqual(tofud.end_of_stream(), 0)
        with self.assertRaises(OSError):
            get(tofud.url)
        self.comes_to_say(page, "^tofud has ended: run over$")
        self.comes_to_show(page, self.rows(self.spool()))
        self.is_in_order(page)

    def test_a_page_of_a_killed_tofud_keeps_its_rows_even_when_another_takes_its_port(self):
        port = free_port()
        tofud = self.pipe("--listen", "127.0.0.1:%d" % port, listen=False)
        page = self.open(tofud.wait_for_url())
        lines = recorded("apply-slow-progress").splitlines(keepends=True)
        tofud.write(b"".join(lines[:30]))
        self.has_taken(tofud, b"".join(lines[:30]))
        before = self.rows_now(tofud.url)
        self.comes_to_show(page, before)
        worker = self.worker(tofud)
        tofud.process.send_signal(signal.SIGSTOP)  # so that it starts no other worker
        os.kill(worker, signal.SIGKILL)
        tofud.process.kill()
        self.comes_to_say(page, "^connection lost, last known state$")
        self.comes_to_show(page, before, old=True)
        self.state_dir += "-of-another"
        another = self.pipe("--listen", "127.0.0.1:%d" % port, listen=False)
        self.assertEqual(another.wait_for_url(), tofud.url)
        self.comes_to_say(page, "^no run .*%s" % next(iter(before["run"])))
        self.comes_to_show(page, before, old=True)
        self.is_in_order(page, cut_off=True)

    def test_a_run_of_any_name_is_found_again(self):
        path = os.path.join(self.home, "my run + %2B [1].jsonl")
        shutil.copy(recorded_path("apply-slow-progress"), path)
        tofud = self.replay(path)
        page = self.open(tofud.url, "?run=" + urllib.parse.quote(pathlib.Path(path).stem))
        self.comes_to_show(page, self.rows(path))
        self.is_in_order(page)

    def test_a_page_without_data_shows_it_until_the_next_heartbeat(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        self.comes_to_say(page, "^live$")
        # A minute passes in the page, less than a heartbeat here.
        page.value("{ const now = Date.now; Date.now = () => now.call(Date) + 60000; }")
        self.comes_to_say(page, r"^no data for 1m\d+s, last known state$")
        self.assertEqual(page.value("document.body.className"), "stale")
        self.comes_to_say(page, "^live$")
        until(lambda: page.value("document.body.className") == "", "as before")
        self.is_in_order(page)

    def test_text_from_outside_stays_text(self):
        begin, end = hostile_run()
        words = " ".join(HOSTILE).replace("\0", "")
        tofud = self.pipe("--stack", words, "--label", "workspace=" + words)
        page = self.open(tofud.wait_for_url())
        tofud.write(begin)
        self.has_taken(tofud, begin)
        while_it_runs = self.rows_now(tofud.url)
        self.comes_to_show(page, while_it_runs)
        self.assertEqual({row["status"] for row in while_it_runs["resource"].values()}, {"running"})
        self.is_in_order(page)
        late = self.open(tofud.url)
        tofud.write(end)
        self.has_taken(tofud, begin + end)
        for one in (page, late):
            self.comes_to_show(one, self.rows_now(tofud.url))
        self.assertEqual(tofud.end_of_stream(), 0)
        final = self.rows(self.spool())
        for kind, count in (("resource", len(HOSTILE) + 1), ("diagnostic", len(HOSTILE) + 1), ("output", len(HOSTILE))):
            self.assertEqual(len(final[kind]), count)
        for one in (page, late):
            self.comes_to_say(one, "^tofud has ended: run over$")
            self.comes_to_show(one, final)
            self.is_in_order(one)

    def test_text_of_an_address_stays_text(self):
        tofud = self.replay(recorded_path("apply-slow-progress"))
        for text in filter(str.strip, HOSTILE):
            page = self.open(tofud.url, "?" + urllib.parse.urlencode({"run": text}))
            self.comes_to_say(page, "^no run " + re.escape(text) + "; ")
            self.is_in_order(page)

    def test_every_kind_of_run_is_shown(self):
        for name in ("checks-warnings-only", "destroy-mixed", "diag-cycle-and-misuse", "drift-apply", "ephemeral-resources",
                     "import-blocks", "interrupted-sigint-once", "killed-sigkill-mid-apply", "large-2000",
                     "outputs-all-types", "outputs-huge/fixed", "plan-create-mixed", "replace-cbd-two-deposed",
                     "test-fail-error-skip", "validate-output-other-json/fmt", "version-terraform-1.17-actions"):
            with self.subTest(name):
                path = recorded_path(*name.split("/"))
                tofud = self.replay(path)
                page = self.open(tofud.url)
                self.comes_to_show(page, self.rows(path))
                self.is_in_order(page)
                tofud.stop()
                self.comes_to_say(page, "^tofud has ended: ")

    def test_each_run_of_a_stream_of_several_has_a_page(self):
        tofud = self.replay(recorded_path("pipeline-init-plan-apply-one-stream"))
        runs = ["stream", "stream.2", "stream.3", "stream.4"]
        until(lambda: [run["key"] for run in json.loads(get(tofud.url + "v1/runs"))["runs"] if run["ended_at"]] == runs[::-1],
              "the end of the last run")
        self.comes_to_show(self.open(tofud.url), self.rows_now(tofud.url, runs[-1]))
        for run in runs:
            page = self.open(tofud.url, "?run=" + run)
            self.comes_to_show(page, self.rows_now(tofud.url, run))
            self.is_in_order(page)

    def test_a_page_opened_early_follows_from_run_to_run(self):
        tofud = self.pipe()
        url = tofud.wait_for_url()
        first = json.loads(get(url + "v1/runs"))["runs"][0]["key"]
        page, stays = self.open(url), self.open(url, "?run=" + first)
        lines = recorded("pipeline-init-plan-apply-one-stream").splitlines(keepends=True)
        written, runs = b"", set()
        for i in range(0, len(lines), 7):
            piece = b"".join(lines[i:i + 7])
            written += piece
            tofud.write(piece)
            self.has_taken(tofud, written)
            self.comes_to_show(page, self.rows_now(url))
            runs.add(page.value("document.body.dataset.run"))
        self.comes_to_show(stays, self.rows_now(url, first))
        self.assertEqual(len(runs), 4)
        self.assertEqual(tofud.end_of_stream(), 0)
        self.comes_to_say(page, "tofud has ended")
        self.is_in_order(page)

    def test_a_step_without_a_time_shows_none(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        tofud.write(VERSION + message(type="apply_start", hook=about("terraform_data.x", action="create")))
        until(lambda: self.picture(page)["resources"] == [["running", "terraform_data.x", "create", ""]], "the row")
        self.assertEqual(page.value(TIMES)[1], "")
        self.is_in_order(page)

    def test_long_text_does_not_make_the_page_wider(self):
        long = "a" * 2000
        stream = b"".join((
            VERSION,
            stamped(1, type="apply_start", hook=about("terraform_data.%s" % long, action="create")),
            stamped(2, type="apply_complete",
                    hook=about("terraform_data.%s" % long, action="create", id_key="id", id_value=long)),
            stamped(2, type="diagnostic", diagnostic={"severity": "error", "summary": long, "detail": "word " * 500}),
            stamped(3, type="outputs", outputs={long: {"sensitive": False, "type": "string", "value": long}})))
        path = os.path.join(self.home, "long.jsonl")
        with open(path, "wb") as file:
            file.write(stream)
        page = self.open(self.replay(path).url)
        self.comes_to_show(page, self.rows(path))
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), page.value("innerWidth"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
