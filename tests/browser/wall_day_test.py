#!/usr/bin/python3
"""A day of the wall with nobody there: the daemon is started again, the network is cut and stands still, clocks are set, the machine
sleeps, a thousand runs come and go, and there is a new build. All day long, whenever the wall has looked at its clock, what it shows
must be fresh or be marked as old, and what is old must have none of the colours of the present.

Time passes by clocks of the test that the page has instead of its own; nothing here waits for minutes."""
import socket
import socketserver
import threading
import unittest

from walls import CARDS, NAMES, Sending, Walls, planned, started
from binary import PATIENCE, free_port, recorded
from browsing import VERSION

# The page's clocks are moved; who looks at it has the true one. `faster`: of what the page waits for.
CLOCKS = """
(() => {
  const even_now = performance.now.bind(performance), set_now = Date.now.bind(Date);
  const wait = setTimeout, repeat = setInterval, faster = 20;
  let even = 0, set = 0, truly = 0, moved = 0, heard = -1e12, shown = false;
  performance.now = () => even_now() + even;
  Date.now = () => set_now() + set;
  window.pass = ms => { even += ms; set += ms; truly += ms; ++moved; };
  window.sleeps = ms => { set += ms; truly += ms; ++moved; };
  window.is_set = ms => { set += ms; ++moved; };
  window.true_age = () => even_now() + truly - heard;
  window.wrong = []; window.looked = {fresh: 0, stale: 0};
  sessionStorage.loads = 1 + Number(sessionStorage.loads ?? 0);
  window.WebSocket = class extends WebSocket {
    constructor(...asked) {
      super(...asked);
      sessionStorage.connections = 1 + Number(sessionStorage.connections ?? 0);
      this.addEventListener('message', () => (heard = even_now() + truly));
    }
  };

  const greens = ['rgb(0, 105, 77)', 'rgb(79, 214, 172)'];
  function look(age) {
    const stale = document.body.className === 'stale', text = document.getElementById('fresh').textContent;
    const cards = [...document.querySelectorAll('.card')];
    const says = what => { if (wrong.length < 20) wrong.push(`${what}: ${text}, ${Math.round(age / 1000)} s old, ${document.body.className}`); };
    if (shown && cards.length === 0) says('nothing is shown any more');
    shown ||= cards.length > 0;
    if (!shown) return;
    ++looked[stale ? 'stale' : 'fresh'];
    if (!stale && age > 2.5 * 15000) says('old, and not marked');
    if (!stale && !/^data \\d+ s old$/.test(text)) says('it says nothing of an age');
    if (stale && !/last known state/.test(text)) says('it does not say that it is old');
    if (stale !== document.title.startsWith('? ')) says('the title says otherwise');
    if (!stale) return;
    if (cards.some(card => card.dataset.kind !== 'old')) says('a card is as if it were fresh');
    for (const one of document.querySelectorAll('.card, .card *')) {
      const {color, backgroundColor, borderLeftColor} = getComputedStyle(one);
      if ([color, backgroundColor, borderLeftColor].some(each => greens.includes(each))) says('green and old');
    }
  }
  window.setTimeout = (then, ms, ...more) => wait(then, ms / faster, ...more);
  window.setInterval = (then, ms, ...more) => repeat(() => {
    then();
    // After the wall has looked at its clock and was drawn. What happened meanwhile is seen the next time.
    const before = [moved, heard], age = true_age();
    if (ms === 500) wait(() => wait(() => before[0] === moved && before[1] === heard && look(age), 50), 50);
  }, ms, ...more);
})();
"""

FRESH = "document.body.dataset.is + ' ' + document.getElementById('fresh').textContent"


class Road:
    """All that lies between the wall and the daemon: it can be cut, stand still, and lead to another build."""

    def __init__(self, test, to):
        road = self
        self.to, self.state = to, "open"
        self.there, self.thawed = [], threading.Event()  # connections; set unless it stands still
        self.thawed.set()
        self.renamed = []  # (what the daemon calls it, what the wall sees), of one length

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                if road.state == "cut":
                    return
                try:
                    daemon = socket.create_connection(("127.0.0.1", road.to), PATIENCE)
                except OSError:
                    return
                with daemon:
                    daemon.settimeout(None)
                    road.there += [self.request, daemon]
                    back = threading.Thread(target=road.carry, args=(daemon, self.request, False), daemon=True)
                    back.start()
                    road.carry(self.request, daemon, True)
                    back.join()

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True

            def handle_error(self, request, client_address):
                pass

        server = Server(("127.0.0.1", 0), Handler)
        self.port = server.server_address[1]
        self.url = "http://127.0.0.1:%d/" % self.port
        threading.Thread(target=server.serve_forever, daemon=True).start()
        test.addCleanup(server.server_close)
        test.addCleanup(server.shutdown)
        test.addCleanup(self.cut)

    def carry(self, source, target, to_the_daemon):
        try:
            while data := source.recv(1 << 20):
                self.thawed.wait()
                if to_the_daemon:
                    # Another build would have bytes and tags of its own.
                    data = data.replace(b"gzip", b"none").replace(b"If-None-Match", b"X-None-Match")
                for real, seen in self.renamed:
                    data = data.replace(seen, real) if to_the_daemon else data.replace(real, seen)
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def lose(self):
        """What is connected now."""
        there, self.there = self.there, []
        for one in there:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        self.state = "cut"
        self.lose()
        self.thawed.set()

    def freeze(self):
        self.thawed.clear()

    def open(self):
        self.state = "open"
        self.thawed.set()


class Day(Walls):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.road = Road(self, self.port)
        self.start_daemon()
        self.sent(self.daemon, recorded("apply-provider-errors"), stack="dns")
        self.sent(self.daemon, recorded("apply-create-mixed"), stack="net")
        self.page = self.wall(self.road.url, at_first=CLOCKS)
        self.is_fresh()
        self.shows(self.page, NAMES, ["dns", "net"])
        self.shows(self.page, "looked.fresh > 0", True)

    def start_daemon(self):
        self.daemon = self.daemon_of("--allow-host", "127.0.0.1:%d" % self.road.port, port=self.port)

    def is_fresh(self):
        self.shows(self.page, FRESH, lambda text: text.startswith("fresh data "))

    def is_stale(self, *words):
        said = self.shows(self.page, FRESH, lambda text: text.startswith("stale ") and all(each in text for each in words))
        before = self.page.value("looked.stale")
        self.shows(self.page, "looked.stale > %d" % before, True)
        return said

    def nothing_was_wrong(self):
        self.assertEqual(self.page.value("wrong"), [])

    def cards_are(self, **kinds):
        self.shows(self.page, "Object.fromEntries(%s.map(card => [card.name, card.kind]))" % CARDS, kinds)

    def test_the_daemon_is_started_again(self):
        self.assertEqual(self.daemon.stop(), 0)
        self.is_stale("connection lost for ")
        self.cards_are(dns="old", net="old")
        self.start_daemon()
        self.is_fresh()
        self.cards_are(dns="failed", net="quiet")
        self.nothing_was_wrong()

    def test_the_network_is_cut_for_ten_minutes(self):
        self.road.cut()
        self.is_stale("connection lost for ")
        self.sent(self.daemon, recorded("apply-provider-errors"), stack="app")  # nobody can know
        for _ in range(10):
            self.page.value("pass(60000)")
            self.is_stale("connection lost for ")
        self.is_stale("connection lost for 10 min, last known state")
        self.cards_are(dns="old", net="old")
        self.road.open()
        self.is_fresh()
        self.cards_are(app="failed", dns="failed", net="quiet")
        self.nothing_was_wrong()

    def test_the_network_stands_still(self):
        self.road.freeze()
        self.page.value("pass(40000)")
        self.is_stale("no data for 4")
        self.page.value("pass(120000)")  # the connection is given up
        self.is_stale("connection lost for 2 min")
        self.road.open()
        self.is_fresh()
        self.cards_are(dns="failed", net="quiet")
        self.nothing_was_wrong()

    def test_the_machine_sleeps_and_its_clock_is_set(self):
        for moved in ("sleeps(3600000)", "sleeps(60000)", "is_set(7200000)", "is_set(-7200000)"):
            self.road.freeze()  # so that nothing is heard before somebody looks
            self.page.value(moved)
            self.is_stale()
            self.road.open()
            self.sent(self.daemon, recorded("plan-noop"), stack="net")
            self.is_fresh()
            self.cards_are(dns="failed", net="quiet")
            self.nothing_was_wrong()

    def test_a_clock_that_is_set_makes_no_run_older(self):
        live = Sending(self, self.daemon.address(), stack="app")
        live.send(VERSION + planned("a.b") + started("a.b"))
        self.shows(self.page, CARDS + ".find(card => card.name === 'app')?.lines.flight", lambda text: text and text.endswith(" s ago"))
        self.road.freeze()  # so that it is not fresh again before somebody looks
        self.page.value("is_set(7200000)")
        self.is_stale()
        self.road.open()
        self.is_fresh()
        self.shows(self.page, CARDS + ".find(card => card.name === 'app').lines.flight", lambda text: text.endswith((" s ago", " min ago")))
        self.nothing_was_wrong()

    def test_a_thousand_runs_come_and_go(self):
        elements = "document.querySelectorAll('*').length"
        noop = recorded("plan-noop")
        for i in range(1000):
            self.sent(self.daemon, noop, stack="stack-%02d" % (i % 20))
            if i == 100:
                self.shows(self.page, "document.querySelectorAll('.card').length", 22)
                before = self.page.value(elements)
        last = self.sent(self.daemon, recorded("apply-provider-errors"), stack="last")
        self.shows(self.page, CARDS + ".some(card => card.name === 'last' && card.kind === 'failed')", True)
        self.shows(self.page, "document.querySelectorAll('.card').length", 23)
        self.assertLess(self.page.value(elements), before + 100)
        self.shows(self.page, "document.querySelector('.card a[href$=\"%s\"]') !== null" % last[-4:], True)
        self.is_fresh()
        self.nothing_was_wrong()

    def test_a_new_build_takes_the_place_of_this_page_once(self):
        page = self.page
        build = page.value("fetch('v1/stream?end=close').then(answer => answer.body.getReader().read()).then(({value}) => "
                           "JSON.parse(new TextDecoder().decode(value).split('\\n')[0]).build)").encode()
        script = page.value("document.querySelector('script').getAttribute('src')").encode()

        def comes(build_seen, script_seen):
            self.road.renamed = [(build, build_seen), (script, script_seen)]
            before = int(page.value("sessionStorage.connections"))
            self.road.lose()
            # It may be back before anybody could see that it was gone.
            self.shows(page, "Number(sessionStorage.connections) > %d" % before, True)
        # A build whose page is the same: nothing to take on.
        comes(b"b" * len(build), script)
        self.is_fresh()
        self.nothing_was_wrong()
        page.value("window.before = true")
        comes(b"c" * len(build), b"wall.0000000000c0.js")
        self.shows(page, "document.querySelector('script').getAttribute('src') + (window.before ?? '')", "wall.0000000000c0.js")
        self.is_fresh()
        self.cards_are(dns="failed", net="quiet")
        self.assertEqual(page.value("sessionStorage.loads"), "2")
        # Two daemons of two builds behind one address, and no end of it.
        for i in range(4):
            page.value("window.before = true")
            comes((b"e%d" % i * len(build))[:len(build)], b"wall.%012d.js" % i)
            self.is_fresh()
        self.assertEqual(page.value("sessionStorage.loads"), "2")
        # A minute later it may: after two silent ones the page gives up its connection, and finds the next build.
        self.road.freeze()
        page.value("pass(40000)")
        self.is_stale("no data for 4")
        page.value("pass(120000)")
        self.is_stale("connection lost for 2 min")
        self.road.renamed = [(build, b"d" * len(build)), (script, b"wall.0000000000d0.js")]
        self.road.open()
        self.shows(page, "document.querySelector('script').getAttribute('src')", "wall.0000000000d0.js")
        self.is_fresh()
        self.assertEqual(page.value("sessionStorage.loads"), "3")
        self.nothing_was_wrong()


if __name__ == "__main__":
    unittest.main(verbosity=2)
