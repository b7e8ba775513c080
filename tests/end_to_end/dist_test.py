#!/usr/bin/python3
"""The files of a release: what is in them, and that they install and run in clean systems of several kinds.

TOFUD_DIST names their directory: `make dist-test`, not `make test`. The systems need root and a mirror; one that cannot be had is skipped, with the reason.
"""
import functools
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest
import urllib.request

from system_root import SystemRoot, debian_mirror, run

DIST = pathlib.Path(os.environ.get("TOFUD_DIST", ""))
ROOT = pathlib.Path(__file__).resolve().parents[2]
STREAM = ROOT / "tests/recordings/apply-provider-errors/stream.jsonl"
UBUNTU = os.environ.get("UBUNTU_MIRROR", "http://archive.ubuntu.com/ubuntu")


ARCHITECTURE = run("dpkg", "--print-architecture").strip()


def tarball(architecture=ARCHITECTURE):
    return next(DIST.glob("tofud-*-%s.tar.gz" % architecture))


def name():
    return tarball().name.removesuffix(".tar.gz")


def rpm_file():
    machine = {"amd64": "x86_64", "arm64": "aarch64"}[ARCHITECTURE]
    return next(DIST.glob("tofud-*.%s.rpm" % machine))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Files(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="tofud-dist-")
        self.addCleanup(shutil.rmtree, self.home)

    def test_every_file_has_its_sum(self):
        sums = dict(reversed(line.split("  ")) for line in (DIST / "SHA256SUMS").read_text().splitlines())
        self.assertEqual(set(sums), {path.name for path in DIST.iterdir()} - {"SHA256SUMS", "SHA256SUMS.minisig"})
        for file, expected in sums.items():
            self.assertEqual(hashlib.sha256((DIST / file).read_bytes()).hexdigest(), expected, file)

    def test_the_tarball_has_program_pages_completions_units_and_licences(self):
        with tarfile.open(tarball()) as tar:
            members = {each.name.partition("/")[2]: each for each in tar}
        libraries = [line.split()[0] for line in (ROOT / "packaging/portable/libraries.txt").read_text().splitlines() if not line.startswith("#")]
        for path in ("bin/tofud", "share/man/man1/tofud.1.gz", "share/man/man5/tofud.toml.5.gz", "share/man/man7/tofud-feed.7.gz",
                     "share/bash-completion/completions/tofud", "share/zsh/site-functions/_tofud", "share/fish/vendor_completions.d/tofud.fish",
                     "lib/systemd/system/tofud.service", "share/doc/tofud/README.md", "share/doc/tofud/tofud.toml",
                     *("share/doc/tofud/licences/" + each for each in ["tofud", *libraries])):
            self.assertTrue(members[path].isfile() and members[path].size > 0, path)
        for each in members.values():
            self.assertEqual((each.uid, each.gid), (0, 0), each.name)

    def test_the_program_needs_only_libraries_that_every_glibc_system_has(self):
        with tarfile.open(tarball()) as tar:
            tar.extract(name() + "/bin/tofud", self.home)
        program = os.path.join(self.home, name(), "bin/tofud")
        needed = set(re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", program)))
        self.assertLessEqual({each for each in needed if not each.startswith("ld-linux")}, {"libc.so.6", "libm.so.6", "libgcc_s.so.1"})
        versions = {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([0-9.]+)", run("objdump", "-T", program))}
        self.assertLessEqual(max(versions), (2, 34))
        self.assertIn(name() + ".debug", run("readelf", "--string-dump=.gnu_debuglink", program))

    def test_the_bill_of_materials_names_libraries_with_versions_and_licences(self):
        bill = json.loads((DIST / (name() + ".cdx.json")).read_text())
        self.assertEqual((bill["bomFormat"], bill["specVersion"], bill["metadata"]["component"]["name"]), ("CycloneDX", "1.5", "tofud"))
        parts = {each["name"]: each for each in bill["components"]}
        self.assertLessEqual({"Boost", "OpenSSL", "SQLite", "zlib", "libstdc++", "preact"}, set(parts))
        for each in parts.values():
            self.assertRegex(each["version"], r"^\d", each["name"])
            self.assertTrue(each["licenses"][0], each["name"])
            self.assertRegex(each["purl"], r"^pkg:(deb/debian|npm)/", each["name"])


    def test_the_sums_can_be_signed_and_a_changed_one_is_refused(self):
        key, public = os.path.join(self.home, "key"), os.path.join(self.home, "key.pub")
        run("minisign", "-G", "-W", "-s", key, "-p", public)
        sums = pathlib.Path(self.home, "SHA256SUMS")
        shutil.copy(DIST / "SHA256SUMS", sums)
        run(str(ROOT / "packaging/sign"), key, str(sums))
        self.assertIn("Signature and comment signature verified", run("minisign", "-V", "-p", public, "-m", str(sums)))
        sums.write_text(sums.read_text().replace("0", "1", 1))
        self.assertNotEqual(subprocess.run(["minisign", "-V", "-p", public, "-m", str(sums)], capture_output=True, check=False).returncode, 0)

    def test_rpmlint_finds_nothing_in_the_rpm(self):
        self.assertIn("0 errors, 0 warnings", run("rpmlint", "-c", str(ROOT / "packaging/rpm/rpmlint.toml"), str(rpm_file())))

    def test_the_rpm_holds_the_program_of_the_tarball(self):
        subprocess.run("rpm2cpio %s | cpio -idm --quiet" % rpm_file(), shell=True, cwd=self.home, check=True)
        with tarfile.open(tarball()) as tar:
            tar.extract(name() + "/bin/tofud", self.home)
        self.assertEqual(pathlib.Path(self.home, "usr/bin/tofud").read_bytes(), pathlib.Path(self.home, name(), "bin/tofud").read_bytes())
        self.assertIn("ExecStart=/usr/bin/tofud serve", pathlib.Path(self.home, "usr/lib/systemd/system/tofud.service").read_text())
        self.assertIn("/etc/tofud/tofud.toml", run("rpm", "-qp", "--configfiles", str(rpm_file())))

    def test_the_image_is_one_layer_with_a_user_without_rights(self):
        archive = "oci-archive:%s" % (DIST / (name() + ".oci.tar"))
        described = json.loads(run("skopeo", "inspect", archive))
        self.assertEqual((len(described["Layers"]), described["Os"], described["Architecture"]), (1, "linux", ARCHITECTURE))
        config = json.loads(run("skopeo", "inspect", "--config", archive))["config"]
        self.assertEqual((config["User"], config["Cmd"]), ("65532:65532", ["/usr/bin/tofud", "serve"]))
        self.assertEqual((config["Volumes"], config["ExposedPorts"]), ({"/var/lib/tofud": {}}, {"8638/tcp": {}}))


def unpacked_image(directory):
    """The root of the image."""
    layout = os.path.join(directory, "layout")
    os.makedirs(layout)
    with tarfile.open(DIST / (name() + ".oci.tar")) as tar:
        tar.extractall(layout)
    tag = json.loads(pathlib.Path(layout, "index.json").read_text())["manifests"][0]["annotations"]["org.opencontainers.image.ref.name"]
    bundle = os.path.join(directory, "bundle")
    run("umoci", "unpack", "--image", "%s:%s" % (layout, tag), bundle)
    for path in (directory, bundle):
        os.chmod(path, 0o755)
    return os.path.join(bundle, "rootfs"), json.loads(pathlib.Path(bundle, "config.json").read_text())["process"]


class Image(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="tofud-dist-")
        self.addCleanup(shutil.rmtree, self.home)

    def test_it_serves_as_its_user_and_tells_its_health(self):
        root, process = unpacked_image(self.home)
        env = dict(each.split("=", 1) for each in process["env"])
        who = "--userspec=%d:%d" % (process["user"]["uid"], process["user"]["gid"])
        enter = [shutil.which("chroot", path="/usr/sbin:/usr/bin"), who, root]

        def health():
            return subprocess.run([*enter, "/usr/bin/tofud", "doctor", "--server", "unix:/run/tofud/tofud.sock"], env=env, capture_output=True,
                                  text=True, check=False)

        self.assertEqual(health().returncode, 1)
        with subprocess.Popen([*enter, *process["args"], "--listen", "127.0.0.1:0"], env=env, stdout=subprocess.PIPE, text=True) as daemon:
            try:
                self.assertIn("runs stored in /var/lib/tofud/daemon", daemon.stdout.readline())
                probed = health()
                self.assertEqual((probed.returncode, probed.stdout.split()[:2]), (0, ["ok", "daemon"]))
            finally:
                daemon.terminate()
            self.assertEqual(daemon.wait(30), 0)


class Rpm(unittest.TestCase):
    def test_it_installs_verifies_and_goes(self):
        system = SystemRoot()
        self.addCleanup(system.remove)
        # A database of its own; Debian's packages are none of it, so nothing that is needed is known there.
        rpm = ("rpm", "--root", system.path)
        run(*rpm, "--initdb")
        run(*rpm, "--nodeps", "-i", str(rpm_file()))
        self.assertIn("tofud ", system.inside("/usr/bin/tofud", "--version"))
        self.assertEqual(run(*rpm, "-V", "--nodeps", "tofud"), "")
        self.assertIn("apply failed after 15s", system.inside("/usr/bin/tofud", "demo", "--no-listen", "--speed", "max"))
        pathlib.Path(system.path, "etc/tofud/tofud.toml").write_text("# changed\n")
        run(*rpm, "-e", "tofud")
        self.assertFalse(os.path.exists(os.path.join(system.path, "usr/bin/tofud")))
        self.assertEqual(pathlib.Path(system.path, "etc/tofud/tofud.toml.rpmsave").read_text(), "# changed\n")


class Installer(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="tofud-dist-")
        self.addCleanup(shutil.rmtree, self.home)

    def install(self, *argv):
        return subprocess.run(["sh", str(DIST / "install.sh"), *argv], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={"PATH": os.environ["PATH"], "HOME": self.home})

    def served(self, directory):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(directory)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return "http://127.0.0.1:%d/" % server.server_port

    def test_it_fetches_checks_and_installs_below_a_prefix(self):
        prefix = os.path.join(self.home, "a prefix")
        done = self.install("--from", self.served(DIST), "--prefix", prefix)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "installed %s in %s/bin\n" % (run(prefix + "/bin/tofud", "--version").strip(), prefix))
        self.assertIn('ExecStart="%s/bin/tofud" serve\n' % prefix, pathlib.Path(prefix, "lib/systemd/system/tofud.service").read_text())

    def test_a_tarball_with_another_sum_is_not_installed(self):
        changed = pathlib.Path(self.home, "changed")
        shutil.copytree(DIST, changed)
        with open(changed / tarball().name, "ab") as file:
            file.write(b"x")
        done = self.install("--from", self.served(changed), "--prefix", os.path.join(self.home, "p"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("install.sh: the sum of %s is wrong; nothing was installed\n" % tarball().name, done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.home, "p")))

    def test_mistakes_have_a_sentence(self):
        for argv, sentence in (((), "name the place of the release's files"), (("--frm", "x"), "there is no option --frm; use --prefix DIR"),
                               (("--from",), "--from needs a value"), (("--from", "/nowhere"), "can't fetch SHA256SUMS from /nowhere")):
            done = self.install(*argv)
            self.assertEqual(done.returncode, 1, argv)
            self.assertIn("install.sh: " + sentence, done.stderr)


class Systems(unittest.TestCase):
    def had(self, release, mirror, *options):
        """Skips the test where this machine reaches no mirror of it."""
        try:
            # Asked first: debootstrap waits for a mirror that does not answer, again and again.
            with urllib.request.urlopen("%s/dists/%s/Release" % (mirror, release), timeout=20) as answer:
                answer.read()
            return SystemRoot(release, mirror, *options)
        except (OSError, AssertionError) as failure:
            return self.skipTest("%s could not be had: %s" % (release, str(failure)[-300:]))

    def runs_in(self, system):
        self.addCleanup(system.remove)
        shutil.copytree(DIST, os.path.join(system.path, "dist"))
        shutil.copy(STREAM, os.path.join(system.path, "stream.jsonl"))
        system.inside("sh", "/dist/install.sh", "--from", "/dist")
        self.assertIn("apply failed after 15s: 14 done, 1 failed, 2 skipped", system.inside("/usr/local/bin/tofud", "demo", "--no-listen", "--speed", "max"))
        # As users call it: a pipe, a daemon, and the list of both.
        said = system.inside("sh", "-c", """
            export PATH=/usr/local/bin:$PATH
            tofud serve --listen 127.0.0.1:0 --socket /run/tofud-test.sock --log-level warning --state-dir /var/tofud-test > /serves & daemon=$!
            n=0; while ! tofud ls --server /run/tofud-test.sock >/dev/null 2>&1; do n=$((n + 1)); [ $n -lt 200 ] || exit 9; sleep 0.1; done
            tofud --progress plain --no-listen --server /run/tofud-test.sock < /stream.jsonl; echo "status $?"
            tofud ls --server /run/tofud-test.sock
            kill $daemon; wait $daemon; echo "daemon $?" """)
        self.assertIn("apply failed after 4.5s: 6 done, 4 failed, 4 skipped", said)
        self.assertIn("status 1\n", said)
        self.assertRegex(said, r"(?m)^\d{8}T\d{4}-[0-9a-f]{4} .* apply .* failed")
        self.assertTrue(said.endswith("daemon 0\n"), said)

    def test_debian_12(self):
        self.runs_in(SystemRoot())

    def test_debian_13(self):
        self.runs_in(self.had("trixie", debian_mirror()))

    def test_ubuntu_22_04(self):
        # Its archive's key is no package of Debian 12: what comes from there is run, and trusted with nothing.
        self.runs_in(self.had("jammy", UBUNTU, "--no-check-gpg"))


if __name__ == "__main__":
    if not str(DIST) or not (DIST / "SHA256SUMS").exists():
        sys.exit("dist_test: TOFUD_DIST names no release; run `make dist-test`")
    if os.geteuid() != 0:
        print("dist_test: systems of their own (debootstrap, chroot) need root")
        del Systems, Image, Rpm
    unittest.main(verbosity=2)
