#!/usr/bin/python3
"""The feed's client in Python: the same fold as fold.ts, over NDJSON, with Python's own library.

    for fold in follow("http://127.0.0.1:8638", run="latest"):
        print(len(fold.rows("resource")), "resources" if fold.live else "resources, last known")

As a program it prints what changes of a run's resources:  feed.py http://127.0.0.1:8638 [RUN]
"""
import http.client
import json
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30
# In heartbeats: silence that long means that nobody is there any more.
DEAD_AFTER = 2.5
# Until `hello` says how often there is a heartbeat.
GREETING_S = 30


class Fold:
    """Folds the lines of connections to one topic, one connection after another."""

    def __init__(self):
        self.state = {}      # state[kind][key] = row; lines (`log`, `text`) are not kept
        self.hello = None
        self.at = None       # the last position; None: none yet
        self.not_current = ""     # why tofud does not know now what other daemons have; "": it does
        self.live = False    # an `at` came since `hello`: the state is that of the present

    def rows(self, kind):
        return self.state.get(kind, {})

    def since(self):
        """EPOCH:SEQ to resume from, or None."""
        return "%s:%d" % (self.hello["epoch"], self.at) if self.hello and self.at is not None else None

    def take(self, text):
        """Takes one line in and returns it parsed."""
        line = json.loads(text)
        kind = line["kind"]
        if kind == "hello":
            # Without a position everything comes again, and what is gone would stay.
            if self.hello is None or self.hello["epoch"] != line["epoch"] or self.at is None:
                self.clear()
            self.hello, self.live, self.not_current = line, False, line.get("not_current", "")
        elif kind == "reset":
            self.clear()
        elif kind in ("at", "heartbeat"):
            self.at, self.live = line["seq" if kind == "at" else "at"], True
            if kind == "heartbeat":
                self.not_current = line.get("not_current", "")
        elif kind == "removed":
            self.state.get(line["of"], {}).pop(line["key"], None)
        elif kind not in ("gap", "error", "log", "text") and isinstance(line.get("key"), str):
            self.state.setdefault(kind, {})[line["key"]] = line
        return line

    def clear(self):
        self.state, self.at = {}, None


def _ask(url, question, since):
    query = [(name, each) for name, value in question.items() for each in ([value] if isinstance(value, str) else value)]
    if since:
        query.append(("since", since))
    asked = urllib.request.Request(url.rstrip("/") + "/v1/stream?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote))
    return urllib.request.urlopen(asked, timeout=GREETING_S)


def _wait_within(answer, seconds):
    """From here on a read that takes longer fails."""
    answer.fp.raw._sock.settimeout(seconds)


def _lines(answer):
    """As they come. Fails where the connection breaks; `readline` would take that for the end."""
    rest = b""
    while piece := answer.read1(65536):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole


def _refused(line):
    """Whether asking again unchanged is of no use."""
    return 4400 <= line["code"] < 4500


def follow(url, **question):
    """Gives the fold after each flush, and when the connection is lost: it is the last known state then, with `live` false,
    until it has come back. Ends when tofud ends it as it should; raises
    urllib.error.HTTPError or RuntimeError when it will not have the request."""
    fold, failures = Fold(), 0
    while True:
        try:
            with _ask(url, question, fold.since()) as answer:
                for text in _lines(answer):
                    line = fold.take(text)
                    if line["kind"] == "hello":
                        _wait_within(answer, DEAD_AFTER * line["heartbeat_ms"] / 1000)
                        if question.get("run") == "latest":  # what was the latest when we came is the one we follow
                            question["run"] = line["topic"].removeprefix("run/")
                    elif line["kind"] in ("at", "heartbeat"):
                        failures = 0
                        yield fold
                    elif line["kind"] == "error" and _refused(line):
                        raise RuntimeError(line["message"])
                    elif line["kind"] == "error":
                        break
                else:
                    return
        except urllib.error.HTTPError as refused:
            if refused.code < 500 and refused.code not in (408, 429):
                raise
        except (OSError, http.client.HTTPException):
            pass
        failures += 1
        fold.live = False
        yield fold
        # By chance, so that a thousand clients do not come back at once.
        time.sleep(random.uniform(0, min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(failures, 16))))


def main():
    url, run = sys.argv[1], (sys.argv[2:] or ["latest"])[0]
    told = {}
    for fold in follow(url, run=run, kinds="run,resource,diagnostic"):
        for row in fold.rows("resource").values():
            if told.get(row["key"]) != row["status"]:
                told[row["key"]] = row["status"]
                print(row["status"].ljust(11), row["addr"], flush=True)


if __name__ == "__main__":
    main()
