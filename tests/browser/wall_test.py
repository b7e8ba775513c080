#!/usr/bin/python3
"""The wall in a browser: what its cards say, of a daemon and of a pipe, from afar and on a phone, whatever its address asks for."""
import json
import re
import struct
import unittest

from walls import CARDS, NAMES, Sending, Walls, planned, started
from binary import ROOT, TOFUD, free_port, recorded
from browsing import HOSTILE, VERSION, about, stamped
import run_test
import wall_picture

WORDS = "</h2></li><script>window.pwned = 1</script><img src=x onerror=\"window.pwned = 2\">\u202e&lt;"


class Wall(Walls):
    def setUp(self):
        super().setUp()
        self.daemon = self.daemon_of()
        self.url = self.daemon.url

    def test_a_card_for_each_stack_the_worst_trouble_first(self):
        self.a_day()
        page = self.wall(self.url)
        self.shows(page, NAMES, lambda names: len(names) == 4 and names[0] == "dns" and names[3:] == ["net"] and set(names[1:3]) == {"app", "old"})
        self.shows(page, CARDS + "[0].kind", "failed")
        self.assertEqual(page.value("document.title"), "1 failed · 2 running · tofud")
        self.assertEqual(page.value("document.querySelector('h1').textContent"), "1 failed · 2 running")
        # A card looks at what changes with every line once a second.
        for name in ("app", "old"):
            self.shows(page, CARDS + ".find(card => card.name == '%s').lines.what" % name, lambda text: text.startswith("apply 1/3") or text.startswith("apply 0/2"))
        failed, app, old, quiet = (self.card(page, name) for name in ("dns", "app", "old", "net"))
        self.assertEqual(failed["state"], "failed")
        self.assertRegex(failed["lines"]["what"], r"^apply 6/13, \d+ [a-z]+ ago$")
        self.assertEqual(failed["lines"]["flight"], "4 failed")
        self.assertEqual((quiet["kind"], quiet["state"], quiet["bar"]), ("quiet", "succeeded", [None, None]))
        self.assertEqual((app["kind"], app["state"], app["bar"], app["destroys"]), ("running", "running", ["1", "3"], ""))
        self.assertRegex(app["lines"]["what"], r"^apply 1/3, for \d+ [a-z]+$")
        self.assertRegex(app["lines"]["flight"], r"^1 running, last line \d+ [a-z]+ ago$")
        self.assertEqual((old["destroys"], old["lines"]["changes"]), ("yes", "destroys 2"))
        self.is_in_order(page, self.url)

    def test_the_wall_without_a_script_has_the_same_stacks_in_the_same_order_with_the_same_words(self):
        self.a_day()
        page = self.wall(self.url)
        self.shows(page, "document.querySelectorAll('.card').length", 4)
        with_script = "[...document.querySelectorAll('.card')].map(card => [card.querySelector('h2').textContent, card.querySelector('.state').textContent])"
        plain = self.browser.open(self.url + "wall/plain")
        self.addCleanup(plain.close)
        without = "[...document.querySelectorAll('.card')].map(card => [card.querySelector('h2').textContent, card.querySelector('.state').textContent.replace(/^\\S+ /, '')])"
        # A card looks at what changes with every line once a second: the page may be behind at first.
        self.shows(plain, without, lambda shown: shown == page.value(with_script))

    def test_cards_follow_their_runs(self):
        self.a_day()
        page = self.wall(self.url)
        self.shows(page, "document.querySelectorAll('.card').length", 4)
        self.live.send(stamped(5, type="apply_errored", hook=about("a.c", action="create", elapsed_seconds=1)))
        self.shows(page, CARDS + ".find(card => card.name == 'app').kind", "failing")
        self.live.end()
        self.shows(page, CARDS + ".find(card => card.name == 'app').kind", "failed")
        # A later success makes up for it.
        self.sent(self.daemon, recorded("apply-create-mixed"), stack="app")
        self.shows(page, CARDS + ".find(card => card.name == 'app').kind", "quiet")
        self.assertIn("fixes 1 earlier failure", self.card(page, "app")["lines"]["outcome"])
        self.gone.end()
        self.sent(self.daemon, recorded("plan-noop"), stack="another")
        self.shows(page, NAMES + ".includes('another')", True)
        self.is_in_order(page, self.url)

    def test_a_card_leads_to_the_page_of_its_run(self):
        run = self.sent(self.daemon, recorded("apply-provider-errors"), stack="dns")
        page = self.wall(self.url)
        self.shows(page, "document.querySelector('.card a')?.href", self.url + "?run=" + run)

    def test_a_stack_is_muted_in_this_browser_until_its_next_outcome(self):
        self.a_day()
        page = self.wall(self.url)
        self.shows(page, CARDS + "[0]?.kind", "failed")
        page.value("document.querySelector('.mute').click()")
        self.shows(page, CARDS + ".at(-1).kind", "muted")
        self.shows(page, "document.querySelector('h1').textContent", "2 running · 1 muted")
        other = self.wall(self.url)  # of the same browser
        self.shows(other, CARDS + ".at(-1)?.kind", "muted")
        self.sent(self.daemon, recorded("apply-provider-errors").replace(b"T05:22", b"T06:22"), stack="dns")
        self.shows(page, CARDS + "[0].kind + ' ' + " + CARDS + "[0].name", "failed dns")
        self.shows(page, "Object.values(localStorage)", ["{}"])
        page.value("document.querySelector('.mute').click()")
        self.shows(page, CARDS + ".at(-1).kind", "muted")
        self.accessible(page, self.url)
        page.value("document.querySelector('.mute').click()")
        self.shows(page, CARDS + "[0].kind", "failed")

    def test_the_address_says_what_is_shown_and_how(self):
        self.a_day()
        for query, names in (("?q=DN", ["dns"]), ("?q=team=net", ["dns", "net"]), ("?status=failed", ["dns"]), ("?status=succeeded,failed", ["dns", "net"]),
                             ("?label=team%3Dnet", ["dns", "net"]), ("?label=team%3Dnet&q=net&status=succeeded", ["net"]), ("?q=none", [])):
            page = self.wall(self.url, query)
            self.shows(page, "document.body.dataset.is", "fresh")
            self.shows(page, NAMES, names)
        self.shows(self.wall(self.url, "?q=none"), "document.querySelector('.empty')?.textContent", "No stack matches the filter in this page's address.")
        page = self.wall(self.url, "?days=0")
        self.shows(page, CARDS + ".find(card => card.name == 'dns')?.kind", "past")
        page = self.wall(self.url, "?columns=3&theme=dark")
        self.shows(page, "document.querySelector('.cards') && getComputedStyle(document.querySelector('.cards')).gridTemplateColumns.split(' ').length", 3)
        self.assertEqual(page.value("getComputedStyle(document.documentElement).colorScheme"), "dark")
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        self.assertEqual(page.value("getComputedStyle(document.documentElement).colorScheme"), "dark")

    def test_text_from_outside_stays_text(self):
        words = [text.replace("\0", "") for text in HOSTILE if text.strip()] + [WORDS]
        for i, text in enumerate(words):
            self.sent(self.daemon, recorded("plan-noop"), stack="%d %s" % (i, text), label="x=" + text)
        for i, text in enumerate(words):  # who has the lock
            who = json.dumps(text.replace("\n", " "))[1:-1].encode()
            self.sent(self.daemon, recorded("state-lock-contention").replace(b"root@vm", who), stack="lock %d" % i)
        page = self.wall(self.url)
        page.picture(3840, 2160)
        self.shows(page, "document.querySelectorAll('.card').length", 2 * len(words))
        self.shows(page, "document.querySelectorAll('[data-form=large]').length", len(words))
        locks = page.value("[...document.querySelectorAll('[data-of=lock]')].map(one => one.textContent)")
        self.assertEqual(len(locks), len(words))
        self.assertTrue(any(WORDS in lock for lock in locks), locks)
        shown = page.value(NAMES)
        for i, text in enumerate(words):
            self.assertTrue(any(name.startswith("%d " % i) for name in shown), text)
        self.assertTrue(any(WORDS in name for name in shown), shown)
        self.is_in_order(page, self.url)

    def test_it_is_read_from_afar_and_on_a_phone_light_and_dark(self):
        self.a_day()
        page = self.wall(self.url)
        self.shows(page, "document.querySelectorAll('.card').length", 4)
        for width, height in ((1920, 1080), (1280, 720), (360, 740)):
            page.picture(width, height)
            self.shows(page, "document.documentElement.scrollWidth <= innerWidth", True)
        page.picture(1920, 1080)
        # A letter of 1/50 of the screen's height is read from five metres on a screen of a metre; few cards are larger.
        self.shows(page, "parseFloat(getComputedStyle(document.querySelector('.card h2')).fontSize) > 1080 / 25", True)
        self.shows(page, "document.documentElement.scrollHeight <= innerHeight", True)
        self.accessible(page, self.url)

    def test_two_hundred_stacks_are_on_one_screen_trouble_first(self):
        live = [Sending(self, self.daemon.address(), stack="live-%02d" % i) for i in range(25)]
        begin = VERSION + planned("a.b", "a.c") + started("a.b")
        for run in live:
            run.send(begin)
        for i in range(25):
            self.sent(self.daemon, recorded("provisioner-fail-exit3"), stack="bad-%02d" % i)
        for i in range(150):
            self.sent(self.daemon, recorded("plan-noop"), stack="good-%03d" % i)
        page = self.wall(self.url)
        self.shows(page, "document.querySelector('h1')?.textContent", "25 failed · 25 running")
        for width, height in ((1280, 800), (1920, 1080), (3840, 2160)):
            page.picture(width, height)
            self.shows(page, "document.querySelectorAll('.card').length", 200)
            self.shows(page, "document.documentElement.scrollHeight <= innerHeight", True)
            self.shows(page, "[...document.querySelectorAll('.band')].map(one => one.dataset.band)", ["trouble", "running", "quiet"])
            letters = page.value("parseFloat(getComputedStyle(document.querySelector('[data-band=trouble] .cards')).fontSize)")
            self.assertGreaterEqual(letters, height / 50 - .1 if height > 800 else 14.9)
            outside = "[...document.querySelectorAll('.card')].filter(one => one.getBoundingClientRect().bottom > innerHeight + 1).length"
            self.assertEqual(page.value(outside), 0)
            used = page.value("(document.querySelector('.bands').getBoundingClientRect().bottom) / innerHeight")
            self.assertGreater(used, .85)
            self.lines_are_whole(page)
        self.is_in_order(page, self.url)

    def lines_are_whole(self, page):
        """No line of a card goes beyond it."""
        cut = """[...document.querySelectorAll('.card')].flatMap(card => { const frame = card.getBoundingClientRect();
          return [...card.querySelectorAll('p, h2')].filter(one => { const box = one.getBoundingClientRect(); return box.height > 0 && !one.closest('[data-form=dot]') && (box.bottom > frame.bottom + 1 || box.top < frame.top - 1); })
            .map(one => one.textContent + ' of ' + card.textContent.slice(0, 40)); })"""
        self.assertEqual(page.value(cut), [])

    def test_one_to_forty_stacks_fill_the_screen(self):
        for count in (1, 6, 40):
            daemon = self.daemon_of(name="of-%d" % count)
            for i in range(count):
                self.sent(daemon, recorded("provisioner-fail-exit3" if i % 4 == 0 else "plan-noop"), stack="stack-%02d" % i, label="actor=ada")
            page = self.wall(daemon.url)
            self.shows(page, "document.querySelectorAll('.card').length", count)
            for width, height in ((1280, 800), (1920, 1080), (3840, 2160)):
                page.picture(width, height)
                self.shows(page, "document.documentElement.scrollHeight <= innerHeight", True)
                with self.subTest(count, size=(width, height)):
                    self.assertGreater(page.value("document.querySelector('.bands').getBoundingClientRect().bottom / innerHeight"), .85)
                    self.lines_are_whole(page)
            daemon.stop()

    def test_quiet_pages_turn_and_trouble_stays(self):
        self.sent(self.daemon, recorded("apply-provider-errors"), stack="bad")
        for i in range(150):
            self.sent(self.daemon, recorded("plan-noop"), stack="good-%03d" % i)
        page = self.wall(self.url, "?rotate=3")
        page.picture(1280, 800)
        self.shows(page, "document.querySelector('#pages')?.textContent", lambda text: text is not None)
        self.shows(page, "document.documentElement.scrollHeight <= innerHeight", True)
        page.value("window.names = new Set(); window.gone = 0; setInterval(() => { document.querySelectorAll('.card h2').forEach(one => names.add(one.textContent));"
                   " gone += document.querySelector('[data-band=trouble] h2')?.textContent !== 'bad'; }, 100); 1")
        self.shows(page, "names.size", 151)
        self.assertEqual(page.value("gone"), 0)
        # Whoever reads is not interrupted; a pointer that only lies there is nobody.
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=400, y=400)
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=410, y=410)
        self.shows(page, "document.querySelector('#pages').textContent", lambda text: text.endswith(", held"))
        self.is_in_order(page, self.url)

    def test_two_hundred_runs_that_go_on(self):
        runs = [Sending(self, self.daemon.address(), stack="stack-%03d" % i) for i in range(200)]
        addresses = ["a.x%d" % i for i in range(40)]
        begin = VERSION + planned(*addresses)
        for run in runs:
            run.send(begin)
        page = self.wall(self.url)
        self.shows(page, "document.querySelector('h1')?.textContent", "200 running")
        page.picture(1920, 1080)
        self.shows(page, "document.querySelectorAll('.card').length", 200)
        for addr in addresses:
            for run in runs:
                run.send(started(addr) + stamped(4, type="apply_complete", hook=about(addr, action="create", elapsed_seconds=1)))
        self.shows(page, "[...document.querySelectorAll('.why')].every(one => one.textContent === '40/40')", True)
        for run in runs:
            run.send(stamped(5, type="change_summary", changes={"add": 40, "change": 0, "remove": 0, "operation": "apply"}))
            run.end()
        self.shows(page, "document.querySelector('h1').textContent", "200 stacks, all quiet")
        self.is_in_order(page, self.url)

    def test_a_screen_that_shows_it_stays_on_and_shows_nothing_at_one_place_for_ever(self):
        page = self.wall(self.url, at_first="window.locks = 0; navigator.wakeLock.request = async kind => { locks += kind === 'screen'; };")
        self.shows(page, "locks", 1)
        page.value("document.dispatchEvent(new Event('visibilitychange'))")  # somebody looks again: browsers let go of it meanwhile
        self.shows(page, "locks", 2)
        self.shows(page, "document.querySelector('main').style.transform", lambda text: re.match(r"translate\(\dpx, \dpx\)$", text))

    def test_a_page_that_fails_says_so_and_starts_anew(self):
        self.a_day()
        page = self.wall(self.url, at_first="const every = setInterval; window.setInterval = (then, ms) => every(then, ms === 60000 ? 500 : ms);")
        self.shows(page, "document.body.dataset.is", "fresh")
        page.value("{ window.before = true; setTimeout(() => { throw new Error('of the test'); }); }")
        self.shows(page, "[window.before ?? false, document.body.dataset.is]", [False, "fresh"])
        self.assertIn("of the test", page.complaints[0])

    def test_cards_of_old_runs_fade(self):
        self.a_day()
        page = self.wall(self.url)
        self.shows(page, "document.body.dataset.is", "fresh")
        opacity = "getComputedStyle(document.querySelector('main')).opacity"
        fades = "document.getAnimations().filter(one => one.animationName.startsWith('gone-'))"
        self.shows(page, fades + ".length", 1)
        first = page.value(fades + "[0].animationName")
        self.shows(page, fades + "[0].animationName", lambda name: name != first)  # begun anew
        self.assertEqual(page.value(opacity), "1")
        page.value("for (let i = 1; i < 10000; ++i) { clearInterval(i); }")
        page.value(fades + "[0].currentTime = 121000")
        self.shows(page, opacity, "0.4")

    def test_a_new_failure_is_announced_on_request(self):
        self.sent(self.daemon, recorded("apply-provider-errors"), stack="dns")
        page = self.wall(self.url, at_first="""window.tones = 0; window.AudioContext = class {
          currentTime = 0; destination = {};
          createGain() { return {gain: {}, connect() {}}; }
          createOscillator() { return {frequency: {}, connect() {}, start() { ++tones; }, stop() {}}; }
          async resume() {} async suspend() {} };""")
        self.shows(page, NAMES, ["dns"])
        self.sent(self.daemon, recorded("apply-provider-errors"), stack="app")
        self.shows(page, NAMES + ".length", 2)
        self.assertEqual(page.value("tones"), 0)  # nobody asked
        page.value("document.getElementById('sound').click()")
        self.shows(page, "document.getElementById('sound').ariaPressed", "true")
        self.assertEqual(page.value("tones"), 2)  # so they know what they will hear
        self.sent(self.daemon, recorded("plan-noop"), stack="net")
        self.shows(page, NAMES + ".length", 3)
        self.assertEqual(page.value("tones"), 2)
        self.sent(self.daemon, recorded("apply-provider-errors"), stack="net")
        self.shows(page, "tones", 4)
        page.value("document.getElementById('sound').click()")
        self.sent(self.daemon, recorded("apply-provider-errors"), stack="last")
        self.shows(page, NAMES + ".length", 4)
        self.assertEqual(page.value("tones"), 4)
        self.is_in_order(page, self.url)

    def test_the_picture_for_the_readme_can_be_made(self):
        image = wall_picture.take(self)
        self.assertEqual(image[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", image[16:24]), (wall_picture.WIDTH, wall_picture.HEIGHT))
        committed = (ROOT / "tests/pictures/wall.png").read_bytes()
        self.assertEqual(committed[16:24], image[16:24], "tests/browser/wall_picture.py makes it anew")

    def test_without_a_script_it_is_another_page(self):
        self.sent(self.daemon, recorded("apply-provider-errors"), stack="dns")
        page = self.browser.open("about:blank")
        self.addCleanup(page.close)
        page.call("Emulation.setScriptExecutionDisabled", value=True)
        page.call("Page.navigate", url=self.url + "wall")
        self.shows(page, "location.pathname", "/wall/plain")
        self.shows(page, "document.querySelector('.card h2')?.textContent", "dns")
        self.shows(page, "document.querySelector('link[rel=stylesheet]').sheet?.cssRules.length > 10", True)
        self.assertRegex(page.value("document.querySelector('.card a').href"), "^%s\\?run=" % re.escape(self.url))


class WallOfAPipe(Walls):
    def test_a_pipe_has_a_wall_too(self):
        tofud = self.pipe("--stack", "prod-net")
        page = self.wall(tofud.wait_for_url())
        self.shows(page, "document.body.dataset.is", "fresh")
        tofud.write(VERSION + planned("a.b", "a.c") + started("a.b"))
        self.shows(page, NAMES, ["prod-net"])
        self.shows(page, CARDS + "[0].bar", ["0", "2"])
        self.is_in_order(page, tofud.url)
        tofud.end_of_stream()
        self.shows(page, "document.body.className", "stale")
        self.shows(page, "document.getElementById('fresh').textContent", lambda text: re.match(r"tofud has ended; no data for \d+ s, last known state$", text))
        self.assertEqual(page.value(CARDS + "[0].kind"), "old")
        self.accessible(page, tofud.url)

    def test_it_goes_on_with_the_next_tofud_at_its_address(self):
        port = free_port()

        def one(stack):
            tofud = self.pipe("--stack", stack, "--listen", "127.0.0.1:%d" % port, listen=False)
            tofud.wait_for_url()
            tofud.write(VERSION)
            return tofud
        tofud = one("first")
        page = self.wall(tofud.url, at_first="const wait = setTimeout; window.setTimeout = (then, ms) => wait(then, ms / 20);")
        for stack in ("second", "third"):
            tofud.end_of_stream()
            self.shows(page, "document.getElementById('fresh').textContent", lambda text: text.endswith("last known state"))
            tofud = one(stack)
            self.shows(page, NAMES + ".join() + ' ' + document.body.dataset.is", stack + " fresh")
        tofud.end_of_stream()

    def test_without_a_script_a_pipe_links_its_other_pages(self):
        tofud = self.pipe()
        page = self.browser.open("about:blank")
        self.addCleanup(page.close)
        page.call("Emulation.setScriptExecutionDisabled", value=True)
        page.call("Page.navigate", url=tofud.wait_for_url() + "wall")
        self.shows(page, "location.pathname", "/")
        self.shows(page, "document.body?.textContent", lambda text: "curl" in (text or ""))


class WallOfAWrappedCommand(Walls, run_test.Wrapped):
    def test_what_waits_for_approval_stands_out(self):
        terminal = run_test.Terminal([TOFUD, "run", "--label", "url=https://ci.example.com/7", "--", "tofu", "apply"], self.fake(), self.work)
        terminal.read_until(b"Enter a value: ")
        page = self.wall(next(word for word in terminal.text.decode().split() if word.startswith("http://")))
        self.shows(page, CARDS + "[0]?.kind", "approval")
        self.assertEqual(page.value(CARDS + "[0].state"), "waits for approval")
        self.assertEqual(page.value("document.querySelector('h1').textContent"), "1 for approval")
        self.assertEqual(page.value("getComputedStyle(document.querySelector('.card')).borderTopStyle"), "dashed")
        self.assertEqual(page.value("[...document.querySelectorAll('.card a')].map(one => one.getAttribute('href')).filter(one => one.startsWith('http'))"),
                         ["https://ci.example.com/7"])
        terminal.type(b"yes\n")
        self.assertEqual(terminal.wait(), 0)
        self.shows(page, "document.body.className", "stale")


if __name__ == "__main__":
    unittest.main(verbosity=2)
