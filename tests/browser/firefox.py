"""Debian's Firefox ESR without a window, driven by WebDriver BiDi on its remote debugging port.

https://www.w3.org/TR/webdriver-bidi/ describes the commands. It has what the tests ask of chromium.py, but for the DevTools protocol itself.
"""
import base64
import json
import os
import re

from driver import Driver

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


class Firefox(Driver):
    """A browser with a profile of its own under `home`. Close it."""

    def __init__(self, home, env):
        profile = os.path.join(home, "firefox")
        os.mkdir(profile)
        with open(os.path.join(profile, "user.js"), "w") as file:
            file.writelines("user_pref(%s, %s);\n" % (json.dumps(name), json.dumps(value)) for name, value in PREFERENCES.items())
        super().__init__(["firefox-esr", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank"],
                         {**env, "MOZ_DISABLE_CONTENT_SANDBOX": "1"}, os.path.join(home, "firefox.log"))

    def address(self):
        """Firefox prints where it listens."""
        with open(self._said, errors="replace") as said:
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", said.read())
        return found and found[1] + "/session"

    def begin(self):
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    def heard(self, said):
        parameters = said.get("params", {})
        context = parameters.get("context") or (parameters.get("source") or {}).get("context")
        if context in self._pages:
            self._pages[context].heard(said["method"], parameters)

    def end(self):
        self.call("browser.close")

    def call(self, method, **parameters):
        answer = self.ask(method, params=parameters)
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
