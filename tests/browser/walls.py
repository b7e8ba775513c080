"""The wall in a browser, for the tests in this folder: a daemon, runs that are sent to it, and what the cards say."""
import http.client
import json
import pathlib
import re
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))

from binary import PATIENCE, ROOT, recorded, until
from browsing import ATTRIBUTES, ELEMENTS, MADE_OF, ONCE, VERSION, Browsing, about, stamped

AXE = ROOT / "daemon/dashboard/node_modules/axe-core/axe.min.js"

# What stands on the wall.
CARDS = """[...document.querySelectorAll('.card')].map(card => ({
  name: card.querySelector('h2').textContent, kind: card.dataset.kind, destroys: card.dataset.destroys ?? '',
  state: card.querySelector('.state').textContent,
  bar: ['ariaValueNow', 'ariaValueMax'].map(name => card.querySelector('[role=progressbar]')?.[name] ?? null),
  lines: Object.fromEntries([...card.querySelectorAll('p[data-of]')].map(line => [line.dataset.of, line.textContent])),
}))"""

NAMES = "[...document.querySelectorAll('.card h2')].map(one => one.textContent)"


class Sending:
    """A run that somebody sends while it goes on."""

    def __init__(self, test, address, **query):
        self.connection = http.client.HTTPConnection(address, timeout=PATIENCE)
        test.addCleanup(self.connection.close)
        self.connection.putrequest("PUT", "/v1/runs?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote))
        self.connection.putheader("Transfer-Encoding", "chunked")
        self.connection.endheaders()

    def send(self, data):
        self.connection.send(b"%x\r\n%s\r\n" % (len(data), data))

    def end(self):
        self.connection.send(b"0\r\n\r\n")
        return json.loads(self.connection.getresponse().read())["run"]


def planned(*addresses, action="create"):
    counts = {"add": 0, "change": 0, "remove": 0}
    counts["remove" if action == "delete" else "add"] = len(addresses)
    return b"".join(stamped(1, type="planned_change", change=about(addr, action=action)) for addr in addresses) + \
        stamped(2, type="change_summary", changes={**counts, "operation": "plan"})


def started(*addresses, action="create"):
    return b"".join(stamped(3, type="apply_start", hook=about(addr, action=action)) for addr in addresses)


class Walls(Browsing):
    """What tests of the wall need."""

    def wall(self, url, query="", at_first=""):
        """Failures of recordings are as old as they are: they count as trouble all the same."""
        if "days=" not in query:
            query = (query or "?") + "&days=36500"
        page = self.browser.open(url + "wall" + query, at_first)
        self.addCleanup(page.close)
        until(lambda: page.value("document.readyState") == "complete", "a page")
        return page

    def shows(self, page, expression, expected):
        seen = []

        def is_so():
            try:
                seen[:] = [page.value(expression)]
            except AssertionError as gone:
                if not any(word in str(gone) for word in ("navigated", "context", "null")):
                    raise
                return False
            return expected(seen[0]) if callable(expected) else seen[0] == expected
        try:
            until(is_so, expression)
        except AssertionError:
            self.fail("%s is %r; %s" % (expression, seen, page.complaints))
        return seen[0]

    def card(self, page, name):
        return next(card for card in page.value(CARDS) if card["name"] == name)

    def is_in_order(self, page, url, cut_off=False):
        complaints = [said for said in page.complaints
                      if not (cut_off and re.search("WebSocket connection to .* failed|Failed to load resource", said))]
        self.assertEqual(complaints, [])
        self.assertEqual(page.value("typeof window.pwned"), "undefined")
        there = page.value(MADE_OF)
        self.assertLessEqual(set(there["elements"]), ELEMENTS | {"bdi"})
        self.assertLessEqual(set(there["attributes"]), ATTRIBUTES | {"http-equiv", "data-theme", "data-beat", "data-is", "data-of", "data-kind", "data-destroys", "data-faded", "data-band", "data-form"})
        self.assertEqual([there["elements"].count(name) for name in ONCE], [1] * len(ONCE))
        for asked in page.requests:
            self.assertTrue(asked.replace("ws:", "http:").startswith((url, "data:")), asked)

    def accessible(self, page, url):
        if not AXE.exists():  # one of the packages that build the page
            return
        page.value(AXE.read_text() + "; 1")
        for theme in ("light", "dark"):
            page.value("document.documentElement.dataset.theme = %r" % theme)
            found = page.value("axe.run(document, {resultTypes: ['violations']}).then(found => "
                               "found.violations.map(one => one.id + one.nodes.map(n => n.html + n.failureSummary)))")
            self.assertEqual(found, [], theme)

    def a_day(self):
        """One of each kind that needs nothing but lines."""
        self.sent(self.daemon, recorded("apply-provider-errors"), stack="dns", label="team=net")
        self.sent(self.daemon, recorded("apply-create-mixed"), stack="net", label="team=net")
        self.live = Sending(self, self.daemon.address(), stack="app")
        self.live.send(VERSION + planned("a.b", "a.c", "a.d") + started("a.b", "a.c") +
                       stamped(4, type="apply_complete", hook=about("a.b", action="create", elapsed_seconds=1)))
        self.gone = Sending(self, self.daemon.address(), stack="old")
        self.gone.send(VERSION + planned("a.b", "a.c", action="delete") + started("a.b", action="delete"))
