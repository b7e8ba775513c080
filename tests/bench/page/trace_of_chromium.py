"""Reads a trace of Chromium: what the page's main thread did, task by task.

The format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU (complete events, `ph` X, in
microseconds; `tdur` is the time the thread had a core, `dur` what a clock on the wall saw).
"""
import base64
import json

CATEGORIES = ["-*", "devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"]
TASKS = ("RunTask", "ThreadControllerImpl::RunTask")
SCRIPT = ("FunctionCall", "EvaluateScript", "RunMicrotasks", "TimerFire", "FireAnimationFrame", "EventDispatch")


def start(page):
    page.call("Tracing.start", transferMode="ReturnAsStream", traceConfig={
        "recordMode": "recordUntilFull", "traceBufferSizeInKb": 400000,
        "excludedCategories": ["*"], "includedCategories": CATEGORIES[1:]})


def stop(page, until):
    """The events of the trace."""
    page.call("Tracing.end")
    stream = until(lambda: page.traced, "a trace")["stream"]
    parts = []
    while True:
        part = page.call("IO.read", handle=stream, size=8 << 20)
        parts.append(base64.b64decode(part["data"]) if part.get("base64Encoded") else part["data"].encode())
        if part["eof"]:
            break
    page.call("IO.close", handle=stream)
    return json.loads(b"".join(parts))["traceEvents"]


def main_thread(events):
    """(pid, tid) of the page: of all main threads of renderers that which was busiest."""
    mains = {(each["pid"], each["tid"]) for each in events
             if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"}
    busy = dict.fromkeys(mains, 0)
    for each in events:
        thread = (each["pid"], each["tid"])
        if each.get("name") in TASKS and thread in busy:
            busy[thread] += each.get("dur", 0)
    return max(busy, key=busy.get)


def tasks(events, name=TASKS):
    """Outermost complete events of the page's main thread, in order: {ts, dur, tdur}."""
    thread = main_thread(events)
    found, end = [], -1
    for each in sorted((each for each in events if each.get("ph") == "X" and each["name"] in name
                        and (each["pid"], each["tid"]) == thread), key=lambda each: (each["ts"], -each.get("dur", 0))):
        if each["ts"] >= end:
            found.append(each)
            end = each["ts"] + each.get("dur", 0)
    return found
