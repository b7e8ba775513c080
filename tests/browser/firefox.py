"""Debian's Firefox ESR without a window, driven by WebDriver BiDi on its remote debugging port.

https://www.w3.org/TR/webdriver-bidi/ describes the commands. It has what the tests ask of chromium.py, but for the DevTools protocol itself.
"""
import asyncio
import base64
import itertools
import json
import os
import re
import signal
import subprocess
import threading

import websockets  # Debian's python3-websockets

from binary import PATIENCE, until

# A profile that asks nobody but the tests.
PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0, "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False,
    "app.update.enabled": False, "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "services.settings.server": "http://127.0.0.1:1", "extensions.systemAddon.update.enabled": False,
    "browser.newtabpage.enabled": False, "network.dns.localDomains": "", "remote.active-protocols": 1, "intl.accept_languages": "en-US",
}
# https://www.w3.org/TR/webdriver/#keyboard-actions
KEYS = {"Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "End": "\ue010", "Home": "\ue011", "ArrowUp": "\ue013", "ArrowDown": "\ue015",
        "ArrowRight": "\ue014", "ArrowLeft": "\ue012"}
SHIFT = "\ue008"


def plain(of):
    """A value of the page as one of Python's."""
    kind, value = of["type"], of.get("value")
    if kind in ("undefined", "null"):
        return None
    if kind == "number":
        return float(value.replace("Infinity", "inf")) if isinstance(value, str) else value
    if kind in ("array", "set"):
        return [plain(each) for each in value or []]
    if kind in ("object", "map"):
        return {key if isinstance(key, str) else plain(key): plain(each) for key, each in value or []}
    return {} if value is None else value


class Firefox:
    """A browser with a profile of its own under `home`. Close it."""

    def __init__(self, home, env):
        self._pages, self._answers, self._ids = {}, {}, itertools.count(1)
        profile = os.path.join(home, "firefox")
        os.mkdir(profile)
        with open(os.path.join(profile, "user.js"), "w") as file:
            file.writelines("user_pref(%s, %s);\n" % (json.dumps(name), json.dumps(value)) for name, value in PREFERENCES.items())
        self._said = os.path.join(home, "firefox.log")
        with open(self._said, "wb") as said:
            self._process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "firefox-esr", "--headless", "--no-remote", "--profile", profile,
                                              "--remote-debugging-port=0", "about:blank"], env={**env, "MOZ_DISABLE_CONTENT_SANDBOX": "1"}, start_new_session=True,
                                             stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        try:
            self._bidi = self._run(self._connect(until(self._address, "a browser") + "/session"))
            self.call("session.new", capabilities={})
            self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        except BaseException:
            self.close()
            raise

    def _address(self):
        if self._process.poll() is not None:
            raise AssertionError("firefox has ended")
        with open(self._said, errors="replace") as said:
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", said.read())
        return found and found[1]

    def _run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    async def _connect(self, url):
        bidi = await websockets.connect(url, max_size=None, compression=None, ping_interval=None)
        self._reading = asyncio.ensure_future(self._read(bidi))
        return bidi

    async def _read(self, bidi):
        try:
            async for text in bidi:
                said = json.loads(text)
                if "id" in said:
                    self._answers.pop(said["id"]).set_result(said)
                elif said.get("type") == "event":
                    parameters = said["params"]
                    context = parameters.get("context") or (parameters.get("source") or {}).get("context")
                    if context in self._pages:
                        self._pages[context].heard(said["method"], parameters)
        except websockets.ConnectionClosed:
            pass
        for waiting in self._answers.values():
            waiting.set_exception(AssertionError("firefox is gone"))

    def call(self, method, **parameters):
        asked = {"id": next(self._ids), "method": method, "params": parameters}

        async def ask():
            self._answers[asked["id"]] = self._loop.create_future()
            await self._bidi.send(json.dumps(asked))
            return await self._answers[asked["id"]]

        answer = self._run(ask())
        if answer.get("type") == "error":
            raise AssertionError("%s: %s: %s" % (method, answer["error"], answer["message"]))
        return answer["result"]

    def open(self, url, at_first=""):
        """A new page; `at_first` is script that runs in it before its own."""
        context = self.call("browsingContext.create", type="tab")["context"]
        page = self._pages[context] = Page(self, context)
        if at_first:
            self.call("script.addPreloadScript", functionDeclaration="() => { %s }" % at_first, contexts=[context])
        self.call("browsingContext.navigate", context=context, url=url, wait="interactive")
        return page

    def close(self):
        try:
            self.call("browser.close")
            self._process.wait(PATIENCE)
        except Exception:  # it may have no connection, or be gone
            pass
        finally:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self._process.wait()
            self._loop.call_soon_threadsafe(self._loop.stop)


class Page:
    def __init__(self, browser, context):
        self._browser, self._context = browser, context
        self.complaints, self.requests = [], []

    def heard(self, method, parameters):
        if method == "network.beforeRequestSent":
            self.requests.append(parameters["request"]["url"])
        elif parameters["level"] in ("error", "warn"):
            self.complaints.append("%s: %s" % (parameters["level"], parameters["text"]))

    def value(self, expression):
        """What the expression is in the page; waits for a promise."""
        answer = self._browser.call("script.evaluate", expression=expression, target={"context": self._context}, awaitPromise=True,
                                    serializationOptions={"maxObjectDepth": 12})
        if answer["type"] == "exception":
            raise AssertionError(answer["exceptionDetails"]["text"])
        return plain(answer["result"])

    def key(self, key, shift=False):
        """A key is pressed and let go."""
        code = KEYS.get(key, key)
        actions = [{"type": "keyDown", "value": code}, {"type": "keyUp", "value": code}]
        if shift:
            actions = [{"type": "keyDown", "value": SHIFT}, *actions, {"type": "keyUp", "value": SHIFT}]
        self._browser.call("input.performActions", context=self._context, actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def picture(self, width, height, **features):
        """A picture of the window at this size. What somebody prefers can't be set."""
        self._browser.call("browsingContext.setViewport", context=self._context, viewport={"width": width, "height": height})
        return base64.b64decode(self._browser.call("browsingContext.captureScreenshot", context=self._context)["data"])

    def close(self):
        self._browser.call("browsingContext.close", context=self._context)
