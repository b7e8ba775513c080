#!/usr/bin/python3
"""The Debian package in a clean Debian 12: it installs, its units verify, its pages are there, and purge leaves nothing.

TOFUD_PACKAGE names it. Needs root and a mirror of Debian: `make package-test`, not `make test`. DEBIAN_MIRROR is that one, else apt's own. DEBIAN_ROOT
names a directory that debootstrap has made, to be copied in the place of a new one.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from system_root import SystemRoot, run

PACKAGE = os.environ.get("TOFUD_PACKAGE", "")
ROOT = pathlib.Path(__file__).resolve().parents[2]

# What dpkg, apt and systemd's own tools keep of every package and every group.
OF_OTHERS = re.compile(r"/var/(lib/(dpkg|apt|systemd/deb-systemd-helper-\w+)|log|cache)(/|$)|/run/systemd(/|$)|/etc/(group-?|gshadow-?|\.pwd\.lock|passwd-|shadow-)$")


def control(field):
    return run("dpkg-deb", "-f", PACKAGE, field).strip()


class Linted(unittest.TestCase):
    def test_lintian_finds_nothing(self):
        user = ["--allow-root"] if os.geteuid() == 0 else []
        said = subprocess.run(["lintian", *user, "--profile", "debian", "--fail-on", "error,warning", PACKAGE], capture_output=True, text=True)
        self.assertEqual((said.returncode, said.stdout, said.stderr), (0, "", ""))

    def test_its_dependencies_are_those_of_the_program(self):
        depends = control("Depends")
        for library in ("libc6", "libsystemd0", "libsqlite3-0", "libssl3", "systemd | systemd-standalone-sysusers"):
            self.assertIn(library, depends)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.system = SystemRoot()
        cls.addClassCleanup(cls.system.remove)
        cls.root, cls.inside = cls.system.path, cls.system.inside
        shutil.copy(PACKAGE, os.path.join(cls.root, "tofud.deb"))
        # Nothing is started in there, and what is not tofud is there before it.
        pathlib.Path(cls.root, "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        os.chmod(os.path.join(cls.root, "usr/sbin/policy-rc.d"), 0o755)
        names = [each.split("(")[0].split("|")[0].strip() for each in control("Depends").split(",")]
        cls.inside("apt-get", "install", "-qy", "--no-install-recommends", *names)

    def files(self):
        found = self.inside("find", "/", "-xdev", "-path", "/proc", "-prune", "-o", "-path", "/sys", "-prune", "-o", "-print")
        return {path for path in found.splitlines() if not OF_OTHERS.search(path)}

    def test_from_install_to_purge(self):
        before = self.files()
        self.inside("dpkg", "-i", "/tofud.deb")

        self.assertEqual(self.inside("tofud", "--version"), "tofud %s\n" % control("Version"))
        self.assertIn("apply failed after 15s: 14 done, 1 failed, 2 skipped", self.inside("tofud", "demo", "--no-listen", "--speed", "max"))
        for path in ("usr/share/man/man1/tofud.1.gz", "usr/share/man/man5/tofud.toml.5.gz", "usr/share/man/man7/tofud-feed.7.gz",
                     "usr/share/bash-completion/completions/tofud", "usr/share/zsh/vendor-completions/_tofud",
                     "usr/share/fish/vendor_completions.d/tofud.fish", "run/tofud"):
            self.assertTrue(os.path.exists(os.path.join(self.root, path)), path)
        self.assertRegex(pathlib.Path(self.root, "etc/group").read_text(), r"(?m)^tofud:x:")

        units = ["/lib/systemd/system/" + unit for unit in ("tofud.service", "tofud.socket", "tofud-http.socket")]
        said = subprocess.run([*self.system.entering(), "systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True)
        self.assertEqual((said.returncode, said.stdout, said.stderr), (0, "", ""))
        enabled = {str(path.relative_to(self.root)) for path in pathlib.Path(self.root, "etc/systemd/system").rglob("tofud*")}
        self.assertEqual(enabled, {"etc/systemd/system/multi-user.target.wants/tofud.service",
                                   "etc/systemd/system/sockets.target.wants/tofud.socket"})

        # What a service would have left.
        os.makedirs(os.path.join(self.root, "var/lib/private/tofud/daemon/runs"))
        os.symlink("private/tofud", os.path.join(self.root, "var/lib/tofud"))
        self.inside("dpkg", "-i", "/tofud.deb")  # an upgrade keeps it
        self.assertTrue(os.path.exists(os.path.join(self.root, "var/lib/private/tofud/daemon/runs")))
        self.inside("dpkg", "--remove", "tofud")
        self.assertTrue(os.path.exists(os.path.join(self.root, "var/lib/private/tofud/daemon/runs")))
        self.inside("dpkg", "--purge", "tofud")
        self.assertEqual(self.files() - before - {"/var/lib/private"}, set())
        self.assertEqual(before - self.files(), set())


if __name__ == "__main__":
    if not PACKAGE:
        sys.exit("package_test: TOFUD_PACKAGE names no package; run `make package-test`")
    if os.geteuid() != 0:
        print("package_test: only lintian is asked: a root of its own (debootstrap, chroot) needs root")
        del Installed
    unittest.main(verbosity=2)
