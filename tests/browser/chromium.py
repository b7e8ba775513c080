"""Debian's Chromium without a window, driven over its DevTools protocol.

https://chromedevtools.github.io/devtools-protocol/ describes the methods. One thread reads what the browser says; the
tests ask from theirs.
"""
import base64
import os

from driver import Driver

FLAGS = ["--headless=new", "--no-sandbox", "--remote-debugging-port=0", "--no-first-run", "--no-proxy-server",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-breakpad",
         "--disable-dev-shm-usage", "--disable-gpu", "--window-size=1280,900",
         # A page that asks for any other host gets an error and shows up in `requests`.
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]

# Without these Chromium tells the page of the key, but does nothing itself.
VIRTUAL_KEYS = {"Backspace": 8, "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowUp": 38, "ArrowDown": 40}


class Chromium(Driver):
    """A browser with a profile of its own under `home`. Close it."""

    def __init__(self, home, env):
        self._profile = os.path.join(home, "profile")
        super().__init__(["chromium", *FLAGS, "--user-data-dir=" + self._profile, "about:blank"], env, os.path.join(home, "chromium.log"))

    def address(self):
        """Chromium writes down where it listens."""
        try:
            with open(os.path.join(self._profile, "DevToolsActivePort")) as file:
                port, path = file.read().split("\n")
        except (OSError, ValueError):
            return None
        return "ws://127.0.0.1:%s%s" % (port, path)

    def heard(self, said):
        if said.get("sessionId") in self._pages:
            self._pages[said["sessionId"]].heard(said["method"], said["params"])

    def end(self):
        self.call("Browser.close")

    def call(self, method, session=None, **parameters):
        """Asks the browser, or one page of it, and gives what it answers."""
        answer = self.ask(method, params=parameters, **({"sessionId": session} if session else {}))
        if "error" in answer:
            raise AssertionError("%s: %s" % (method, answer["error"]))
        return answer["result"]

    def open(self, url, at_first=""):
        """A new page; `at_first` is script that runs in it before its own."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, target, session)
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            page.call(domain + ".enable")
        # As if somebody looked at each of them: what is not seen draws no frames.
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        page.call("Page.addScriptToEvaluateOnNewDocument", source=at_first)
        page.call("Page.navigate", url=url)
        return page


class Page:
    """One page, with all that it asked for and all that the browser complained about."""

    def __init__(self, browser, target, session):
        self.requests, self.complaints = [], []
        self.traced = None  # Tracing.tracingComplete
        self._browser, self._target, self._session = browser, target, session

    def heard(self, method, said):
        if method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.requests.append(said["url"])
        elif method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append("console: %s" % said["args"])
        elif method == "Log.entryAdded":
            self.complaints.append("%s: %s" % (said["entry"]["source"], said["entry"]["text"]))
        elif method == "Audits.issueAdded":
            self.complaints.append("issue: %s" % said["issue"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append("dialog: %s" % said["message"])
        elif method == "Tracing.tracingComplete":
            self.traced = said

    def call(self, method, **parameters):
        return self._browser.call(method, self._session, **parameters)

    def value(self, expression):
        """What an expression is in the page; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def key(self, key, shift=False):
        """Presses and releases a key, as KeyboardEvent.key names it."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        of_it = {"key": key, "modifiers": 8 * shift, "windowsVirtualKeyCode": VIRTUAL_KEYS.get(key, 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", **of_it, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **of_it)

    def picture(self, width, height, scale=1, **features):
        """A PNG of the page in a window of that size; `features` are media features such as prefers_color_scheme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": name.replace("_", "-"), "value": value}
                                                          for name, value in features.items()])
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def close(self):
        self._browser.call("Target.closeTarget", targetId=self._target)
