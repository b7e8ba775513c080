#!/usr/bin/python3
"""What root's commands open in a directory that belongs to another user: links laid there lead nowhere.

PATHS is the table of all that commands open there; each is laid as a link to a file of root's, and as a FIFO, before each command.
"""
import os
import pathlib
import shutil
import stat
import subprocess
import unittest

from binary import PATIENCE, TOFUD, EndToEnd, recorded

OTHER = 12345
RUN = "20261121T0312-7f3a"
# Names below the state directory, and what opens them. Names with a process id or random digits are made with O_EXCL.
PATHS = {
    "daemon/tokens": "token, serve",
    "daemon/tokens.lock": "token",
    "daemon/tokens.new": "token",
    "daemon/folding": "serve",
    "daemon/lock": "serve",
    "daemon/index.sqlite": "serve",
    "daemon/index.sqlite-wal": "serve",
    "daemon/removed.jsonl": "serve",
    "serving": "pipe, run",
    RUN + ".jsonl": "ls, logs, export, recover, replay, resume",
    RUN + ".events": "ls, logs, export, recover, replay, resume",
    RUN + ".url": "open, ls",
    RUN + ".upload": "resume, ls",
    RUN + ".sending": "resume",
    RUN + ".mask": "resume, export",
    RUN + ".plan.json": "export, replay",
    RUN + ".schemas.json": "export, replay",
    RUN + ".config.json": "export, replay",
    RUN + ".hidden": "export, replay",
    RUN + ".state.json": "pipe",
}
COMMANDS = {
    "token create": ["token", "create"],
    "token ls": ["token", "ls"],
    "token revoke": ["token", "revoke", "00000000"],
    "ls": ["ls", "--all"],
    "logs": ["logs", RUN],
    "export": ["export", RUN, "--format", "junit"],
    "recover": ["recover", RUN],
    "resume": ["resume", RUN],
    "pipe": ["--no-listen", "--no-server"],
    "run": ["run", "--no-listen", "--no-server", "--", "true"],
    "doctor": ["doctor"],
}


@unittest.skipIf(os.geteuid() != 0, "only root can lose what is root's")
class RootsPaths(EndToEnd):
    def setUp(self):
        super().setUp()
        os.chmod(self.home, 0o755)
        self.victims = pathlib.Path(self.home, "of-root")
        self.victims.mkdir(mode=0o700)

    def lay(self, how):
        """The other user's state directory with every path of the table laid."""
        state = pathlib.Path(self.home, "state-" + how)
        shutil.rmtree(state, ignore_errors=True)
        (state / "daemon").mkdir(parents=True)
        for name in PATHS:
            victim = self.victims / name.replace("/", "_")
            victim.write_text("secret of root\n")
            victim.chmod(0o600)
            if how == "link":
                (state / name).symlink_to(victim)
            elif how == "hard":
                os.link(victim, state / name)
            else:
                os.mkfifo(state / name)
        for folder in (state, state / "daemon"):
            os.chown(folder, OTHER, OTHER)
        if how == "fifo":
            for name in PATHS:
                os.chown(state / name, OTHER, OTHER)
        return state

    def untouched(self, said):
        for victim in self.victims.iterdir():
            facts = victim.stat()
            self.assertEqual((victim.read_text(), facts.st_uid, stat.S_IMODE(facts.st_mode)), ("secret of root\n", 0, 0o600), (victim.name, said))

    def test_no_command_writes_owns_or_waits_for_what_a_path_leads_to(self):
        for how in ("link", "hard", "fifo"):
            for name, words in COMMANDS.items():
                with self.subTest(how=how, command=name):
                    state = self.lay(how)
                    args = [TOFUD, *words]
                    where = args.index("--") if "--" in args else len(args)
                    if name != "doctor":
                        args[where:where] = ["--state-dir", str(state)]
                    done = subprocess.run(args, input=recorded("apply-slow-progress"), capture_output=True, env=self.env(), timeout=PATIENCE)
                    self.assertGreaterEqual(done.returncode, 0, done.stderr)
                    self.untouched(done.stderr)
                    self.assertNotIn(b"secret of root", done.stdout + done.stderr)

    def test_a_daemon_of_roots_takes_nothing_from_links(self):
        state = self.lay("link")
        done = subprocess.run([TOFUD, "serve", "--listen", "127.0.0.1:0", "--socket", self.home + "/sock", "--state-dir", str(state)],
                              stdin=subprocess.DEVNULL, capture_output=True, env=self.env(), timeout=PATIENCE)
        self.assertEqual(done.returncode, 1, done)
        self.untouched(done.stderr)

    def test_a_token_made_by_root_belongs_to_the_daemons_user(self):
        state = pathlib.Path(self.home, "plain")
        state.mkdir()
        os.chown(state, OTHER, OTHER)
        subprocess.run([TOFUD, "token", "create", "--state-dir", str(state)], check=True, capture_output=True, env=self.env())
        for path in (state / "daemon", state / "daemon/tokens", state / "daemon/tokens.lock"):
            self.assertEqual(path.stat().st_uid, OTHER, path)

    def test_a_report_is_not_written_through_a_link_of_another_user(self):
        place = pathlib.Path(self.home, "workspace")
        place.mkdir()
        os.chown(place, OTHER, OTHER)
        victim = self.victims / "victim"
        victim.write_text("secret of root\n")
        victim.chmod(0o600)
        for option, name in (("--report", "r.html"), ("--junit", "j.xml")):
            (place / name).symlink_to(victim)
            os.lchown(place / name, OTHER, OTHER)
            status, _, err = self.run_through(recorded("apply-slow-progress"), option, str(place / name))
            self.assertEqual(status, 0)
            self.assertIn(b"a link made by another user", err)
        self.untouched("report")


if __name__ == "__main__":
    unittest.main(verbosity=2)
