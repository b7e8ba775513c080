#!/usr/bin/python3
"""What systemd says of the units, installed as `cmake --install` does it: nothing, and that they are well hardened."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOFUD, BUILD = os.environ["TOFUD"], os.environ["TOFUD_BUILD"]


class Units(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp(prefix="tofud-units-")
        cls.addClassCleanup(shutil.rmtree, cls.root)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.root + "/usr"], check=True, capture_output=True)
        cls.units = pathlib.Path(cls.root, "usr/lib/systemd")
        # They name the program where it would be; here it is elsewhere.
        for unit in cls.units.rglob("*.service"):
            text = unit.read_text()
            assert "ExecStart=/" in text and "@" not in text.split("[Service]")[1].split("ExecReload")[0], text
            unit.write_text("".join("ExecStart=%s serve\n" % TOFUD if line.startswith("ExecStart=") else line for line in text.splitlines(True)))
        cls.runtime = os.path.join(cls.root, "runtime")
        os.mkdir(cls.runtime, 0o700)

    def analyze(self, *args):
        man = {"MANPATH": self.root + "/usr/share/man"}
        return subprocess.run(["systemd-analyze", *args], capture_output=True, text=True,
                              env={**os.environ, **man, "XDG_RUNTIME_DIR": self.runtime, "HOME": self.root})

    def test_systemd_analyze_verify_finds_nothing(self):
        units = sorted(map(str, (self.units / "system").iterdir()))
        self.assertEqual([os.path.basename(unit) for unit in units], ["tofud-http.socket", "tofud.service", "tofud.socket"])
        said = self.analyze("verify", *units)
        self.assertEqual((said.returncode, said.stdout, said.stderr), (0, "", ""))

    def test_systemd_analyze_verify_finds_nothing_in_the_user_unit(self):
        said = self.analyze("verify", "--user", str(self.units / "user/tofud.service"))
        self.assertEqual((said.returncode, said.stdout, said.stderr), (0, "", ""))

    def test_an_unknown_key_is_found(self):
        wrong = pathlib.Path(self.root, "wrong.service")
        wrong.write_text((self.units / "system/tofud.service").read_text() + "\n[Service]\nNoNewPrivilege=yes\n")
        self.assertIn("NoNewPrivilege", self.analyze("verify", "--man=no", str(wrong)).stderr)

    def test_the_service_is_hardened(self):
        said = self.analyze("security", "--offline=true", "--threshold=15", str(self.units / "system/tofud.service"))
        self.assertEqual(said.returncode, 0, said.stdout[-500:])
        self.assertIn("Overall exposure level for tofud.service: 1.", said.stdout)

    def test_group_and_directory_are_understood(self):
        for tool, config in (("systemd-sysusers", "lib/sysusers.d/tofud.conf"), ("systemd-tmpfiles", "lib/tmpfiles.d/tofud.conf")):
            root = os.path.join(self.root, tool)
            os.makedirs(root + "/etc")
            args = ["--create"] if tool == "systemd-tmpfiles" else []
            done = subprocess.run([tool, "--root=" + root, *args, os.path.join(self.root, "usr", config)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(pathlib.Path(self.root, "systemd-sysusers/etc/group").read_text(), r"(?m)^tofud:x:\d+:$")
        self.assertEqual(os.stat(os.path.join(self.root, "systemd-tmpfiles/run/tofud")).st_mode & 0o777, 0o755)


if __name__ == "__main__":
    unittest.main(verbosity=2)
