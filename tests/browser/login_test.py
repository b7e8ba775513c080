#!/usr/bin/python3
"""Logging in, in a real browser: by a link that is good once and by a token typed in; what the browser keeps of it; what the page says
when it is over. The browser comes by a proxy that nobody named, so that it has no rights."""
import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / each) for each in ("end_to_end", "upload")]

import client
from asking import Asking, bearer
from binary import ROOT, free_port, recorded, until
from browsing import Browsing
from relay import Relay
from tls_test import Authority

AXE = ROOT / "daemon/dashboard/node_modules/axe-core/axe.min.js"
HEADING = "document.querySelector('h1')?.textContent ?? null"
ALERT = "document.querySelector('main [role=alert]')?.textContent ?? null"
FOCUS = "document.activeElement?.name ?? document.activeElement?.id"

# Before any script of the page: what sockets it had, and how each ended.
SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...asked) {
    super(...asked);
    const one = {url: asked[0], opened: false, code: null};
    sockets.push(one);
    this.addEventListener('open', () => (one.opened = true));
    this.addEventListener('close', event => (one.code = event.code));
  }
};
"""

# The answers about who somebody is come when two were asked for: one after tofud's reason, one after a refusal without any.
ANSWERED_TOGETHER = """
  asked = 0;
  fetch = ((ask, waiting) => async (...question) => {
    const answer = await ask(...question);
    if (!String(question[0]).endsWith('v1/session')) return answer;
    asked += 1;
    await new Promise((go) => { waiting.push(go); if (asked >= 2) waiting.forEach((each) => each()); });
    return answer;
  })(fetch, []);
  0
"""


class Login(Browsing, Asking):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.daemon = self.serve("--allow-host", "127.0.0.1:%d" % self.port)
        self.relay = Relay(self, self.daemon.port, self.port)
        self.front = "http://127.0.0.1:%d/" % self.port
        self.run_id = self.daemon.put_run()
        self.reader = self.token(self.daemon)

    def tearDown(self):
        self.browser.call("Storage.clearCookies")
        super().tearDown()

    def link(self, token=None):
        """A link that logs in, at the address by which the browser comes."""
        made = self.daemon.ask("POST", "/v1/session/links?scope=read,raw", bearer(token or self.reader)).json()
        return self.front + "?run=%s#ticket=%s" % (self.run_id, made["ticket"])

    def visit(self, url):
        page = self.browser.open(url, SOCKETS)
        self.addCleanup(page.close)
        return page

    def becomes(self, page, expression, wanted, what):
        """Waits over changes of the document, in which nothing can be asked."""
        seen = []

        def is_so():
            try:
                seen[:] = [page.value(expression)]
            except AssertionError as gone:
                if not any(word in str(gone) for word in ("navigated", "context", "null", "undefined")):
                    raise
                return False
            return seen[0] == wanted if not callable(wanted) else wanted(seen[0])
        try:
            until(is_so, what)
        except AssertionError:
            self.fail("%s: %s is %r; %s; %s" % (what, expression, seen, page.complaints, page.value("location.href + document.body.innerText")))

    def shows_the_run(self, page):
        self.becomes(page, "document.getElementById('status')?.textContent", "succeeded", "the run is shown")
        self.becomes(page, "sockets.filter(one => one.opened).length > 0", True, "its WebSocket opened")

    def asks_who_it_is(self, page):
        self.becomes(page, HEADING, "Log in", "the page to log in")
        self.becomes(page, "document.readyState", "complete", "all of it")
        self.becomes(page, FOCUS, "token", "the field has the focus")

    def history(self, page):
        return " ".join(entry["url"] for entry in page.call("Page.getNavigationHistory")["entries"])

    def cookies(self, page):
        found = page.call("Network.getCookies")["cookies"]
        self.tokens += [one["value"] for one in found if one["value"]]
        return found

    def type_in(self, page, text):
        page.call("Input.insertText", text=text)
        page.key("Enter")

    def is_clean(self, page, secret):
        """It stands in nothing that a browser keeps or sends as an address."""
        self.assertNotIn(secret, page.value("location.href"))
        self.assertNotIn(secret, self.history(page))
        self.assertNotIn(secret, page.value("document.cookie + document.referrer + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)"))
        self.assertNotIn(secret, " ".join(page.requests))
        self.assertEqual([said for said in page.complaints if "Content Security Policy" in said or "TypeError" in said], [])

    def accessible(self, page):
        if not AXE.exists():  # one of the packages that build the page
            return
        page.value(AXE.read_text() + "; 1")
        for scheme in ("light", "dark"):
            page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            found = page.value("axe.run(document).then(found => found.violations.map(one => one.id + one.nodes.map(node => node.html)))")
            self.assertEqual(found, [], scheme)

    def test_a_run_that_waits_says_since_when_and_where_one_approves(self):
        stream = recorded("json-into-approval").partition(b'"type":"apply_start"')[0].rpartition(b"\n")[0] + b"\n"
        for url, links in (("https://ci.example.com/7", ["https://ci.example.com/7"]), ("javascript:alert(1)", [])):
            upload = client.Upload(("127.0.0.1", self.daemon.port), stack="net", may_ask=True, labels={"url": url})
            upload.create()
            self.assertEqual(upload.patch(0, stream).status, 204)
            page = self.visit(self.link().replace(self.run_id, upload.run))
            self.becomes(page, "document.getElementById('waits')?.textContent", lambda text: text and text.startswith("asked "), "since when")
            self.assertEqual(page.value("[...document.querySelectorAll('#waits a')].map(one => one.href)"), links)

    def test_who_sees_some_stacks_is_told_so_and_sees_no_other(self):
        elsewhere = self.daemon.put_run(path="/v1/runs?stack=pay/secret-prod")
        page = self.visit(self.link(self.token(self.daemon, "--name", "net-team", "--stack", "net", "--stack", "net/*")))
        self.shows_the_run(page)
        self.menu(page)
        until(lambda: page.value("document.getElementById('who')?.textContent") == "logged in as net-team, sees net, net/*", "whose login it is")
        self.accessible(page)
        for path in ("wall", "wall/plain", "runs", "?run=" + elsewhere):
            with self.subTest(path=path):
                page.call("Page.navigate", url=self.front + path)
                self.becomes(page, "document.readyState", "complete", "the page")
                if path == "wall":
                    self.becomes(page, "document.body.innerText", lambda text: "net" in text, "a card")
                self.assertNotIn("secret-prod", page.value("document.body.innerText"))
        self.becomes(page, "document.body.innerText", lambda text: "no run " + elsewhere in text, "what is not seen is not there")

    def test_a_link_shows_the_run_and_leaves_no_ticket_anywhere(self):
        link = self.link()
        page = self.visit(link)
        self.shows_the_run(page)
        self.assertEqual(page.value("location.href"), self.front + "?run=" + self.run_id)
        self.is_clean(page, link.partition("#ticket=")[2])

    def test_the_raw_stream_needs_the_scope_raw(self):
        for scopes, shown in (((), "#stream [role=status]"), (("--scope", "read,raw"), "#stream .line")):
            link = self.link(self.token(self.daemon, *scopes)).replace("#", "&stream=1#")
            page = self.visit(link)
            self.becomes(page, "Boolean(document.querySelector('%s'))" % shown, True, shown)
            said = page.value("document.querySelector('%s').textContent" % shown)
            if scopes:
                self.assertIn('"@module":"tofu.ui"', said)
            else:
                self.assertRegex(said, r"^[a-z].*\braw\b")
            self.assertEqual(page.value("document.querySelectorAll('#stream .line').length > 0"), bool(scopes))
            self.browser.call("Storage.clearCookies")

    def test_the_cookie_is_hidden_from_scripts_and_other_sites(self):
        page = self.visit(self.link())
        self.shows_the_run(page)
        cookie, = self.cookies(page)
        self.assertEqual({name: cookie.get(name) for name in ("name", "path", "httpOnly", "secure", "sameSite", "session")},
                         {"name": "tofud-%d" % self.daemon.port, "path": "/", "httpOnly": True, "secure": False, "sameSite": "Strict", "session": False})
        self.assertEqual(page.value("document.cookie"), "")
        self.is_clean(page, cookie["value"])

    def test_a_used_link_explains_what_to_do(self):
        link = self.link()
        self.shows_the_run(self.visit(link))
        self.browser.call("Storage.clearCookies")
        page = self.visit(link)
        self.asks_who_it_is(page)
        self.becomes(page, ALERT, "this login link was used before, has expired, or is for another user of this machine; `tofud open` makes a new one", "why")
        self.assertEqual(page.value("location.href"), self.front + "?run=" + self.run_id)
        self.is_clean(page, link.partition("#ticket=")[2])
        self.accessible(page)
        # The form is still there to log in by.
        self.type_in(page, self.reader)
        self.shows_the_run(page)

    def test_a_link_opened_while_logged_in_changes_nothing_and_leaves_no_ticket(self):
        self.shows_the_run(self.visit(self.link()))
        for link in (self.link(), self.front + "?run=%s#ticket=%s" % (self.run_id, "0" * 64)):
            page = self.visit(link)
            self.shows_the_run(page)
            self.becomes(page, "location.href", self.front + "?run=" + self.run_id, "the ticket is gone")
            self.is_clean(page, link.partition("#ticket=")[2])
            self.assertEqual(len(self.cookies(page)), 1)

    def test_a_token_is_typed_in_by_keyboard_alone_after_a_wrong_one(self):
        resource = "#r=random_pet.fast%5B0%5D"
        page = self.visit(self.front + "?run=" + self.run_id + resource)
        self.asks_who_it_is(page)
        self.assertEqual(page.value("document.querySelector('[name=token]').type"), "password")
        self.accessible(page)
        self.type_in(page, "tofud_00000000_" + "0" * 64)
        self.becomes(page, ALERT, "this token is unknown, expired or revoked", "the wrong token is refused")
        self.asks_who_it_is(page)
        self.accessible(page)
        self.type_in(page, self.reader)
        self.shows_the_run(page)
        # Back where it was going to, down to the resource.
        self.assertEqual(page.value("location.href"), self.front + "?run=" + self.run_id + resource)
        self.becomes(page, "document.querySelector('#detail h2')?.textContent", "random_pet.fast[0]", "the resource is open")
        self.is_clean(page, self.reader.rpartition("_")[2])

    def test_tab_leads_through_the_form(self):
        page = self.visit(self.front)
        self.asks_who_it_is(page)
        page.call("Input.insertText", text=self.reader)
        page.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        page.call("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        self.assertEqual(page.value("document.activeElement.textContent"), "Log in")
        page.key("Enter")
        self.shows_the_run(page)

    def test_a_revoked_token_closes_the_socket_and_the_page_says_so_and_leads_to_the_form(self):
        page = self.visit(self.link())
        self.shows_the_run(page)
        rows = page.value("document.querySelectorAll('#resources .rows .row').length")
        self.revoke(self.daemon, self.reader)
        self.becomes(page, "document.getElementById('link').textContent", "signed out: the token was revoked; last known state", "the page says so")
        # What the page asks meanwhile may be refused before its socket is closed.
        self.becomes(page, "sockets.some(one => one.code === 4410)", True, "the socket is closed")
        self.assertEqual(page.value("document.body.className"), "stale")
        self.assertTrue(page.value("document.title").startswith("? "))
        self.assertEqual(page.value("document.querySelectorAll('#resources .rows .row').length"), rows)
        self.accessible(page)
        page.value("document.getElementById('log-in').focus()")
        page.key("Enter")
        self.asks_who_it_is(page)
        self.type_in(page, self.token(self.daemon))
        self.shows_the_run(page)

    def test_what_tofud_said_stands_over_refusals_that_give_no_reason(self):
        page = self.visit(self.link())
        self.shows_the_run(page)
        page.value(ANSWERED_TOGETHER)
        self.revoke(self.daemon, self.reader)
        self.becomes(page, "asked >= 2", True, "the page asks again after a connection that was refused")
        self.becomes(page, "document.getElementById('link').textContent", "signed out: the token was revoked; last known state", "the page says so")

    def test_a_page_that_was_signed_out_goes_on_when_another_one_logs_in(self):
        page = self.visit(self.link())
        self.shows_the_run(page)
        self.revoke(self.daemon, self.reader)
        self.becomes(page, "document.getElementById('link').dataset.link", "signed-out", "the page says so")
        other = self.visit(self.link(self.token(self.daemon)))
        self.shows_the_run(other)
        self.becomes(page, "document.getElementById('link').dataset.link", "live", "it comes back by itself")
        self.assertEqual(page.value("Boolean(document.getElementById('log-in'))"), False)

    def test_the_wall_logs_in_by_a_link_and_says_when_it_is_signed_out(self):
        page = self.visit(self.link().replace("/?run=" + self.run_id, "/wall?theme=dark"))
        self.becomes(page, "document.body.dataset.is", "fresh", "the wall is live")
        self.assertEqual(page.value("location.href"), self.front + "wall?theme=dark")
        self.assertEqual(page.value("document.querySelectorAll('.card').length"), 1)
        self.cookies(page)
        self.revoke(self.daemon, self.reader)
        self.becomes(page, "document.getElementById('fresh').textContent",
                     lambda text: text.startswith("signed out: the token was revoked; last known state, "), "the wall says so")
        self.assertEqual(page.value("document.body.className + document.querySelector('.card').dataset.kind"), "staleold")
        page.value("document.getElementById('log-in').focus()")
        page.key("Enter")
        self.asks_who_it_is(page)
        self.type_in(page, self.token(self.daemon))
        self.becomes(page, "location.pathname + document.body.dataset.is", "/wallfresh", "the wall is back")

    def test_a_wall_that_was_signed_out_goes_on_when_another_page_logs_in(self):
        page = self.visit(self.link().replace("/?run=" + self.run_id, "/wall"))
        self.becomes(page, "document.body.dataset.is", "fresh", "the wall is live")
        self.cookies(page)
        self.revoke(self.daemon, self.reader)
        self.becomes(page, "document.body.dataset.is", "stale", "the wall says so")
        other = self.visit(self.link(self.token(self.daemon)))
        self.shows_the_run(other)
        self.cookies(other)
        self.becomes(page, "document.body.dataset.is", "fresh", "it comes back by itself")

    def test_logging_out_ends_it_for_all_pages_of_the_browser(self):
        page, other = self.visit(self.link()), None
        self.shows_the_run(page)
        other = self.visit(self.front)
        self.shows_the_run(other)
        self.cookies(page)
        page.value("document.getElementById('more').open = true")
        page.value("document.getElementById('log-out').focus()")
        page.key("Enter")
        self.asks_who_it_is(page)
        self.assertEqual(self.cookies(page), [])
        self.becomes(other, "document.getElementById('link').textContent", "signed out: the session was ended; last known state", "the other page says so")

    def test_after_a_restart_of_the_daemon_the_page_asks_for_a_login(self):
        page = self.visit(self.link())
        self.shows_the_run(page)
        self.said.append(self.daemon.stop())
        self.becomes(page, "document.getElementById('link').dataset.link", "offline", "the connection is lost")
        again = self.serve("--allow-host", "127.0.0.1:%d" % self.port, name="again")
        self.relay.to = again.port
        self.becomes(page, "document.getElementById('link').textContent",
                     "signed out: this browser is no longer logged in; last known state", "the page says so")

    def test_over_tls_the_cookie_goes_nowhere_else(self):
        authority = Authority(self.home)
        certificate, key = authority.server("server")
        daemon = self.serve("--tls-cert", certificate, "--tls-key", key, name="secure")
        # Our own browser needs no login there, but a link gives it one all the same.
        ticket = daemon.ask("POST", "/v1/session/links").json()["ticket"]
        page = self.visit("about:blank")
        page.call("Security.setIgnoreCertificateErrors", ignore=True)
        page.call("Page.navigate", url="https://127.0.0.1:%d/#ticket=%s" % (daemon.port, ticket))
        self.becomes(page, "document.querySelector('h1')?.textContent", lambda heading: heading is not None, "a page")
        self.becomes(page, "location.href", "https://127.0.0.1:%d/" % daemon.port, "the ticket is gone")
        cookie, = until(lambda: self.cookies(page), "the cookie")
        self.assertEqual((cookie["secure"], cookie["httpOnly"], cookie["sameSite"]), (True, True, "Strict"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
