"""What the program has, told by itself: its routes and its commands. Tests that walk all of them cannot forget a new one."""
import re
import subprocess

from binary import TOFUD

# The page and the files it needs: the same bytes for everybody.
FILES = re.compile(r"GET /($|r/|wall$|compare|assets/|\*|[\w.-]+\.(js|css|svg|png|ico|woff2|webmanifest)$)")


def routes(metrics):
    """Method and pattern of every route that a daemon's metrics name."""
    return sorted({" ".join(route) for route in re.findall(r'tofud_http_route_requests_total\{method="(\w+)",route="([^"]*)"', metrics)})


def commands(env):
    """Every command that help has, with the words before it; "" is tofud at the end of a pipe."""
    def below(words):
        """The commands below it, and whether it does something by itself."""
        text = subprocess.run([TOFUD, *words, "--help"], capture_output=True, text=True, env=env, check=True).stdout
        listed = re.search(r"(?m)^Subcommands:\n((?:  .*\n)+)", text)
        return re.findall(r"(?m)^  ([a-z]+) ", listed.group(1)) if listed else [], not re.search(r"(?m)^Usage: .* SUBCOMMAND$", text)
    found = [""]
    help_all = subprocess.run([TOFUD, "--help-all"], capture_output=True, text=True, env=env, check=True).stdout
    for name in re.findall(r"(?m)^([a-z]+)$", help_all):
        words, by_itself = below([name])
        found += ([name] if by_itself else []) + [name + " " + each for each in words]
    return found
