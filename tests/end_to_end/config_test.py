#!/usr/bin/python3
"""The configuration of a daemon: which source wins, what is told of mistakes, and SIGHUP."""
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import unittest
import urllib.error

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from binary import PATIENCE, ROOT, TOFUD, EndToEnd, Running, curl, get, recorded, until, websocket

STREAM = "apply-slow-progress"


class Config(EndToEnd):
    def file(self, text, name="tofud.toml"):
        path = pathlib.Path(self.home, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def tofud(self, *args, status=0, **more):
        """(stdout, stderr) of a command that ends."""
        done = subprocess.run([TOFUD, *args], capture_output=True, text=True, env=self.env(**more), timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def origins(self, *args, **more):
        """{key: (value, origin)} of `config show --origin`."""
        found, section = {}, ""
        for line in self.tofud("config", "show", "--origin", *args, **more)[0].split("\n[[")[0].splitlines():
            if line.startswith("["):
                section = line[1:-1] + "."
            elif line:
                key, value, origin = re.fullmatch(r"(\w+) = (.*)  # from (.*)", line).groups()
                found[section + key] = (value, origin)
        return found

    def serve(self, *args, **more):
        argv = [TOFUD, "serve", "--socket", os.path.join(self.home, "socket"), "--state-dir", self.state_dir, *args]
        serving = self.kept(Running(argv, self.env(**more), stdin=subprocess.DEVNULL))
        serving.wait_for_url()
        return serving

    def hang_up(self, serving, ends_with):
        """What a SIGHUP makes it say, up to a line with these words."""
        serving.process.send_signal(signal.SIGHUP)
        lines = []
        while not lines or ends_with not in lines[-1]:
            line = serving.err.next()
            self.assertIsNotNone(line, lines)
            lines.append(line.decode().rstrip())
        return "\n".join(lines)

    # ---- which source wins

    def test_a_file_of_the_user_is_found(self):
        path = self.file("[retain]\ndays = 7\n", ".config/tofud/tofud.toml")
        found = self.origins()
        self.assertEqual(found["retain.days"], ("7", path + ":2:1"))
        self.assertEqual(found["listen"], ('["127.0.0.1:8638"]', "default"))
        other = self.file("retain.days = 8\n", "elsewhere/tofud/tofud.toml")
        found = self.origins(XDG_CONFIG_HOME=os.path.join(self.home, "elsewhere"))
        self.assertEqual(found["retain.days"], ("8", other + ":1:8"))

    def test_a_named_file_is_read_alone(self):
        self.file("retain.days = 7\nretain.runs = 70\n", ".config/tofud/tofud.toml")
        path = self.file("retain.days = 8\n")
        for found in (self.origins("--config", path), self.origins(TOFUD_CONFIG=path)):
            self.assertEqual(found["retain.days"], ("8", path + ":1:8"))
            self.assertEqual(found["retain.runs"], ("10000", "default"))

    def test_a_variable_wins_over_a_file(self):
        path = self.file("retain.days = 8\nretain.bytes = 4096\n")
        found = self.origins("--config", path, TOFUD_RETAIN_DAYS="9", TOFUD_LISTEN="[::1]:0")
        self.assertEqual(found["retain.days"], ("9", "TOFUD_RETAIN_DAYS"))
        self.assertEqual(found["listen"], ('["[::1]:0"]', "TOFUD_LISTEN"))
        self.assertEqual(found["retain.bytes"], ('"4KiB"', path + ":2:8"))

    def test_serve_listens_where_the_strongest_source_says(self):
        path = self.file('listen = ["127.0.0.1:0"]\n')
        nowhere = "192.0.2.1:1"  # refused by what opens it, so that nobody can have taken it
        self.serve("--config", path).stop()
        self.serve("--config", self.file('listen = ["%s"]\n' % nowhere, "nowhere.toml"), TOFUD_LISTEN="127.0.0.1:0").stop()
        self.serve("--config", path, "--listen", "127.0.0.1:0", TOFUD_LISTEN=nowhere).stop()
        _, said = self.tofud("serve", "--config", path, "--no-socket", "--state-dir", self.state_dir, status=1, TOFUD_LISTEN=nowhere)
        self.assertIn(nowhere, said)

    def test_no_listen_wins_over_all_that_say_where(self):
        _, said = self.tofud("serve", "--listen", "127.0.0.1:0", "--no-listen", "--no-socket", "--state-dir", self.state_dir, status=1)
        self.assertIn("nowhere to listen", said)

    def test_what_is_shown_is_a_file_that_says_the_same(self):
        path = self.file('socket = ""\nretain.days = 8\nretain.bytes = 12345\nmask_file = "/a \\"b\\" # c"\n')
        shown, _ = self.tofud("config", "show", "--config", path)
        again, _ = self.tofud("config", "show", "--config", self.file(shown, "shown.toml"))
        self.assertEqual(again, shown)
        self.assertIn('mask_file = "/a \\"b\\" # c"\n', shown)

    def test_an_empty_socket_is_none(self):
        for args in (("--socket", ""), ("--no-socket",)):
            _, said = self.tofud("serve", "--no-listen", "--state-dir", self.state_dir, *args, status=1)
            self.assertIn("nowhere to listen", said)

    def test_a_limit_of_a_file_holds(self):
        serving = self.serve("--listen", "127.0.0.1:0", "--config", self.file("[limits]\nconnections = 1\n"))
        held = http.client.HTTPConnection(serving.address(), timeout=PATIENCE)
        self.addCleanup(held.close)
        held.request("GET", "/healthz")
        self.assertEqual(held.getresponse().read()[:9], b'{"status"')
        get(serving.url + "healthz")  # that gets in all the same
        with self.assertRaises(urllib.error.HTTPError) as refused:
            get(serving.url + "v1/runs")
        self.addCleanup(refused.exception.close)
        self.assertEqual(refused.exception.code, 503)

    # ---- mistakes

    def test_all_mistakes_of_a_file_are_told_with_their_places(self):
        path = self.file('lisen = []\nstate_dir = 5\n\n[retain]\ndays = "x"\ndays = 3\n')
        out, said = self.tofud("config", "check", path, status=1)
        self.assertEqual(out, "")
        lines = said.splitlines()
        self.assertEqual(lines[0], path + ":1:1: unknown option lisen; did you mean listen?")
        self.assertEqual([line.split(": ")[0].rpartition(":")[0] for line in lines],
                         ["%s:%d" % (path, number) for number in (1, 2, 5, 6)])
        _, refused = self.tofud("serve", "--config", path, status=2)
        self.assertEqual(refused, said)
        self.assertEqual(self.tofud("config", "show", "--config", path, status=1), ("", said))

    def test_a_right_file_is_ok(self):
        paths = [self.file("retain.days = 7\n"), self.file("", "empty.toml")]
        self.assertEqual(self.tofud("config", "check", *paths)[0], "".join(path + ": ok\n" for path in paths))
        missing = os.path.join(self.home, "missing.toml")
        _, said = self.tofud("config", "check", paths[0], missing, status=1)
        self.assertEqual(said, "can't read %s: No such file or directory\n" % missing)

    def test_check_without_files_looks_at_what_serve_would_read(self):
        path = self.file("retian.days = 7\n", ".config/tofud/tofud.toml")
        _, said = self.tofud("config", "check", status=1, TOFUD_RETAIN_RUNS="many")
        self.assertEqual(said, path + ":1:1: unknown option retian; did you mean retain?\n"
                         'TOFUD_RETAIN_RUNS: retain.runs is "many", which is not a whole number\n')

    def test_wrong_flags_are_told_by_name(self):
        _, said = self.tofud("serve", "--retain-days", "x", "--limits-header-time", "5", status=2)
        self.assertEqual([line.split(":")[0] for line in said.splitlines()], ["--retain-days", "--limits-header-time"])

    def test_what_does_not_go_together_is_told_by_check_too(self):
        path = self.file('[tls]\ncert = "/etc/chain.pem"\n')
        said = path + ":2:1: tls.cert and tls.key must both be set; both may name the same file\n"
        self.assertEqual(self.tofud("config", "check", path, status=1), ("", said))
        self.assertEqual(self.tofud("serve", "--config", path, status=2), ("", said))

    def test_a_path_in_front_may_end_with_a_slash(self):
        for path in ("/tofud", "/tofud/"):
            serving = self.serve("--listen", "127.0.0.1:0", "--base-path", path)
            self.assertEqual(get(serving.url + "tofud/healthz")[:9], b'{"status"', path)
            serving.stop()

    def test_a_proxy_may_be_at_the_other_end_of_the_socket(self):
        serving = self.serve("--listen", "127.0.0.1:0", "--trusted-proxy", "unix", "--user-header", "X-User")
        asked = subprocess.run(["curl", "-sS", "--unix-socket", os.path.join(self.home, "socket"), "-H", "X-User: alice",
                                "http://localhost/v1/session"], capture_output=True, check=True, timeout=PATIENCE)
        self.assertEqual(json.loads(asked.stdout)["who"], "alice")
        self.assertEqual(self.status(serving, "v1/session", X_User="alice", X_Forwarded_For="192.0.2.1"), 401)

    def test_what_stands_in_the_place_of_a_file_is_not_repeated(self):
        path = self.file('mask_file = "hunter22-inline"\nretain.days = "hunter22-too"\n')
        _, said = self.tofud("config", "check", path, status=1)
        self.assertNotIn("hunter22", said)

    # ---- the file that comes with tofud

    def test_the_file_in_the_repository_is_what_is_printed(self):
        self.assertEqual(self.tofud("config", "show", "--default")[0], (ROOT / "config/tofud.toml").read_text())

    def test_the_file_with_every_option_uncommented_changes_nothing(self):
        text = (ROOT / "config/tofud.toml").read_text()
        path = self.file(re.sub(r"(?m)^#(?=\S)", "", text))
        self.assertEqual(self.tofud("config", "check", path)[0], path + ": ok\n")
        nothing = self.file("", "empty.toml")
        shown, warned = self.tofud("config", "show", "--config", path)
        options, examples = shown.split("\n[[", 1)  # lists of tables have no defaults
        self.assertEqual((options, warned), self.tofud("config", "show", "--config", nothing))
        self.assertIn('issuer = "https://token.actions.githubusercontent.com"', examples)
        self.assertNotIn("default", {origin for _, origin in self.origins("--config", path).values()})

    # ---- SIGHUP

    def stream(self, serving):
        """A run that comes as it is, and is over; its text as it is kept."""
        subprocess.run(["curl", "-sST", "-", serving.url + "v1/runs"], input=recorded(STREAM), capture_output=True, check=True,
                       timeout=PATIENCE)
        return self.runs(serving)

    def runs(self, serving):
        return [run["key"] for run in json.loads(get(serving.url + "v1/runs"))["runs"]]

    def kept_text(self, serving, run):
        return curl(serving.url + "v1/runs/%s/stream.jsonl" % run).decode()

    def test_a_hangup_takes_new_masks_for_streams_that_begin_later(self):
        masked = self.file("", "masked")
        path = self.file('mask_file = "%s"\n' % masked)
        serving = self.serve("--listen", "127.0.0.1:0", "--config", path)
        first = self.stream(serving)
        self.file("null_resource.migrate\n", "masked")
        self.assertIn("reloaded", self.hang_up(serving, "reloaded"))
        both = self.stream(serving)
        second = next(run for run in both if run not in first)
        self.assertIn("null_resource.migrate", self.kept_text(serving, first[0]))
        text = self.kept_text(serving, second)
        self.assertNotIn("null_resource.migrate", text)
        self.assertIn("(redacted:", text)

    def test_a_hangup_takes_new_masks_for_the_log_as_well(self):
        masked = self.file("", "masked")
        path = self.file('mask_file = "%s"\n' % masked)
        serving = self.serve("--listen", "127.0.0.1:0", "--config", path)
        # What is refused is told by the name of its file.
        self.file('mask_file = "/nowhere/swordfish-1"\n')
        self.assertIn("swordfish-1", self.hang_up(serving, "nothing has changed"))
        self.file('mask_file = "%s"\n' % masked)
        self.file("swordfish-1\n", "masked")
        self.hang_up(serving, "reloaded")
        self.file('mask_file = "/nowhere/swordfish-1"\n')
        said = self.hang_up(serving, "nothing has changed")
        self.assertIn("(redacted:", said)
        self.assertNotIn("swordfish", said)

    def status(self, serving, path="v1/runs", host=None, **headers):
        connection = http.client.HTTPConnection(serving.address(), timeout=PATIENCE)
        self.addCleanup(connection.close)
        connection.putrequest("GET", "/" + path, skip_host=True)
        for name, value in {"Host": host or serving.address(), **headers}.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        answer.read()
        return answer.status

    def test_a_hangup_takes_new_names_and_origins(self):
        self.file("")
        serving = self.serve("--listen", "127.0.0.1:0", "--config", os.path.join(self.home, "tofud.toml"))
        portal = "https://portal.example.com"
        self.assertEqual((self.status(serving, host="ci.example.com"), self.status(serving, Origin=portal)), (421, 403))
        self.file('allow_host = ["ci.example.com"]\nallow_origin = ["%s"]\n' % portal)
        self.hang_up(serving, "reloaded")
        self.assertEqual((self.status(serving, host="ci.example.com"), self.status(serving, Origin=portal)), (200, 200))
        self.file('allow_host = ["other.example.com"]\nallow_origin = ["%s/x"]\n' % portal)
        self.assertIn("tofud.toml:2:17: allow_origin has ", self.hang_up(serving, "nothing has changed"))
        self.assertEqual((self.status(serving, host="ci.example.com"), self.status(serving, host="other.example.com")), (200, 421))
        self.file("")
        self.hang_up(serving, "reloaded")
        self.assertEqual((self.status(serving, host="ci.example.com"), self.status(serving, Origin=portal)), (421, 403))
        self.assertEqual(self.status(serving), 200)

    def test_a_hangup_closes_what_users_have_open_who_are_not_let_in_any_more(self):
        proxy = '[proxy]\ntrusted = ["127.0.0.1"]\nuser_header = "X-User"\ngroups_header = "X-Groups"\n'
        path = self.file(proxy)
        serving = self.serve("--listen", "127.0.0.1:0", "--config", path)
        self.stream(serving)
        closed, live = {}, {name: threading.Event() for name in ("alice", "bob")}

        def watch(name, group):
            closed[name] = websocket(serving.url + "v1/stream", live[name].set, extra_headers={"X-User": name, "X-Groups": group})
        watching = [threading.Thread(target=watch, args=each, daemon=True) for each in (("alice", "ops"), ("bob", "dev"))]
        for each in watching:
            each.start()
        for name, event in live.items():
            self.assertTrue(event.wait(PATIENCE), name)
        self.file(proxy + 'allow_groups = ["dev"]\n')
        self.hang_up(serving, "reloaded")
        watching[0].join(PATIENCE)
        lines, code, reason = closed["alice"]
        self.assertEqual((code, reason), (4410, "the access rules have changed"))
        self.assertEqual((lines[-1]["kind"], lines[-1]["code"]), ("error", 4410))
        self.assertEqual(self.status(serving, X_User="alice", X_Groups="ops"), 403)
        self.assertEqual(self.status(serving, X_User="bob", X_Groups="dev"), 200)
        self.assertTrue(watching[1].is_alive())
        self.file("")
        self.hang_up(serving, "reloaded")
        watching[1].join(PATIENCE)
        self.assertEqual(closed["bob"][1], 4410)
        self.assertEqual(self.status(serving, X_User="bob", X_Groups="dev", X_Forwarded_For="192.0.2.1"), 401)

    def test_a_hangup_hides_what_provisioners_print_from_then_on(self):
        path = self.file("")
        serving = self.serve("--listen", "127.0.0.1:0", "--config", path)
        first = self.stream(serving)[0]

        def texts(run):
            lines = curl(serving.url + "v1/stream?run=%s&kinds=log&end=close" % run).splitlines()
            return {json.loads(line)["text"] for line in lines if json.loads(line)["kind"] == "log"}
        self.assertNotIn("(left out)", texts(first))
        self.file('[redact]\nprovisioner_output = "hide"\n')
        self.assertIn('redact.provisioner_output is "hide" now', self.hang_up(serving, "reloaded"))
        second = next(run for run in self.stream(serving) if run != first)
        self.assertEqual(texts(second), {"(left out)"})
        self.assertEqual(texts(first), {"(left out)"})  # nobody watched it, so it was read anew

    def test_a_hangup_takes_new_retention_at_once(self):
        path = self.file("[retain]\nruns = 5\n")
        serving = self.serve("--listen", "127.0.0.1:0", "--config", path)
        self.stream(serving)
        self.stream(serving)
        self.file("[retain]\nruns = 1\n")
        said = self.hang_up(serving, "reloaded")
        self.assertIn("retain.runs is 1 now, it was 5 (%s:2:1)" % path, said)
        until(lambda: len(self.runs(serving)) == 1, "one of two runs to be kept long enough")

    def test_a_hangup_with_a_mistake_changes_nothing(self):
        path = self.file("retain.runs = 5\n")
        serving = self.serve("--listen", "127.0.0.1:0", "--config", path)
        self.stream(serving)
        self.file("retain.runs = 0\nretain.dais = 3\n")
        said = self.hang_up(serving, "nothing has changed")
        self.assertIn(path + ":2:8: unknown option retain.dais; did you mean retain.days?", said)
        self.file('retain.runs = 0\nmask_file = "/nowhere/masked"\n')
        self.assertIn("/nowhere/masked", self.hang_up(serving, "nothing has changed"))
        self.file('retain.runs = 4\n')
        self.assertIn("retain.runs is 4 now, it was 5", self.hang_up(serving, "reloaded"))
        self.assertEqual(len(self.runs(serving)), 1)

    def test_a_hangup_tells_what_needs_a_restart(self):
        path = self.file("")
        serving = self.serve("--listen", "127.0.0.1:0", "--config", path)
        self.file("limits.connections = 7\n")
        for _ in range(2):
            self.assertIn("limits.connections has changed and needs a restart", self.hang_up(serving, "reloaded"))
        self.assertEqual(get(serving.url + "healthz")[:9], b'{"status"')
        self.assertEqual(serving.stop(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
