"""The root of a clean system that debootstrap makes, entered by chroot: what is installed there meets nothing of this machine. Needs root."""
import os
import shutil
import subprocess
import tempfile


def run(*argv, **more):
    done = subprocess.run(argv, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, **more)
    if done.returncode != 0:
        raise AssertionError("%s: %s\n%s%s" % (" ".join(argv), done.returncode, done.stdout[-3000:], done.stderr[-3000:]))
    return done.stdout


def debian_mirror():
    """DEBIAN_MIRROR, else apt's own."""
    if os.environ.get("DEBIAN_MIRROR"):
        return os.environ["DEBIAN_MIRROR"]
    sites = run("apt-get", "indextargets", "--format", "$(SITE)", "Codename: bookworm", "Component: main").split()
    return sites[0] if sites else "http://deb.debian.org/debian"


class SystemRoot:
    def __init__(self, release="bookworm", mirror=None, *options):
        self.path = tempfile.mkdtemp(prefix="tofud-%s-" % release)
        try:
            if release == "bookworm" and os.environ.get("DEBIAN_ROOT"):  # made by debootstrap before
                run("cp", "-a", os.environ["DEBIAN_ROOT"] + "/.", self.path)
            else:
                run("debootstrap", "--variant=minbase", *options, release, self.path, mirror or debian_mirror())
        except AssertionError:
            self.remove()
            raise

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)

    def entering(self):
        """A mount namespace of its own, where it has a /proc: systemd's tools and tofud want one."""
        return ("unshare", "--mount", "sh", "-ec", 'mount -t proc proc "$0/proc"; exec chroot "$0" "$@"', self.path)

    def inside(self, *argv):
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root",
               **{k: v for k, v in os.environ.items() if k.endswith("_proxy")}}
        return run(*self.entering(), *argv, env=env)
