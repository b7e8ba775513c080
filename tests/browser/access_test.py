#!/usr/bin/python3
"""axe looks at the page in the states it can be in, light and dark: https://github.com/dequelabs/axe-core. It is one of the
packages that build the page (.ci/page installs them); status 77, skipped, where they are not."""
import pathlib
import sys
import unittest

from browsing import VERSION, Browsing, about, stamped
from binary import RECORDINGS, ROOT, recorded, recorded_path, until

AXE = ROOT / "daemon/dashboard/node_modules/axe-core/axe.min.js"

RUN = """axe.run(document, {resultTypes: ['violations', 'incomplete']}).then(found => ({
  checked: found.passes.length,
  violations: found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.failureSummary).join('\\n'))}))"""


# Media that are emulated reach the styles of a page with its next frames; a page nobody looks at has none.
DRAWN = """Promise.race([new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))), new Promise(done => setTimeout(done, 1000))]).then(
  () => matchMedia('(prefers-color-scheme: %s) and (forced-colors: %s)').matches)"""


class Access(Browsing):
    def finds_nothing(self, page, what):
        # Trusted Types hold for axe too; evaluated by the devtools it needs none.
        page.value(AXE.read_text() + "; 1")
        for scheme, forced in (("light", "none"), ("dark", "none"), ("dark", "active")):
            page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}, {"name": "forced-colors", "value": forced},
                                                             {"name": "prefers-reduced-motion", "value": "reduce"}])
            until(lambda: page.value(DRAWN % (scheme, forced)), f"{scheme} colors, forced: {forced}")
            found = page.value(RUN)
            with self.subTest(what, scheme=scheme, forced=forced):
                self.assertEqual("\n".join(found["violations"]), "")
                self.assertGreater(found["checked"], 10)

    def test_axe_finds_nothing_while_it_runs(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        self.finds_nothing(page, "nothing yet")
        lines = recorded("apply-provider-errors").splitlines(keepends=True)
        tofud.write(b"".join(lines[:len(lines) // 2]))
        self.has_taken(tofud, b"".join(lines[:len(lines) // 2]))
        self.comes_to_show(page, self.rows_now(tofud.url))
        self.finds_nothing(page, "running")

    def test_axe_finds_nothing_of_what_failed_filtered_and_opened(self):
        page = self.open(self.replay(recorded_path("apply-provider-errors")).url)
        until(lambda: page.value("document.getElementById('status')?.textContent") == "failed", "the end")
        self.finds_nothing(page, "failed")
        page.key("f")
        page.key("?")
        page.value("document.querySelector('.filter button').click()")
        self.finds_nothing(page, "help and filter")
        page.key("Escape")
        page.key("Enter")
        until(lambda: page.value("Boolean(document.getElementById('detail'))"), "the detail")
        self.finds_nothing(page, "detail")

    def test_axe_finds_nothing_of_logs_outputs_tests_and_runs(self):
        for name, fragment in (("provisioner-output-kinds", "#r=terraform_data.lines"), ("outputs-all-types", "?view=outputs"), ("outputs-all-types", ""), ("large-2000", "?view=resources"),
                               ("test-fail-error-skip", ""), ("pipeline-init-plan-apply-one-stream", ""), ("large-2000", ""),
                               ("mixed-stderr-log-noise", "?view=log")):
            page = self.open(self.replay(recorded_path(name)).url, fragment)
            until(lambda: page.value("document.getElementById('status')?.textContent") not in (None, "running"), "the end")
            self.finds_nothing(page, name)

    def test_axe_finds_nothing_of_a_graph(self):
        for name, stem in (("chain-50", "stream"), ("replace-reasons", "plan.stream")):
            page = self.open(self.replay(recorded_path(name, stem), "--plan", str(RECORDINGS / name / "plan.json")).url, "?view=graph")
            until(lambda: page.value("document.querySelectorAll('.graph-node').length"), "the graph")
            page.value("document.querySelector('.graph-node').click()")
            until(lambda: page.value("Boolean(document.getElementById('graph-chosen'))"), "what is chosen")
            self.finds_nothing(page, name)

    def test_axe_finds_nothing_in_any_view_and_on_any_page(self):
        for name, stem in (("replace-reasons", "plan.stream"), ("apply-provider-errors", "stream")):
            tofud = self.replay(recorded_path(name, stem), "--plan", str(RECORDINGS / name / "plan.json"))
            for view in ("overview", "resources", "plan", "graph", "waterfall", "log", "outputs"):
                page = self.open(tofud.url, "?view=" + view)
                self.comes_to_its_end(page)
                until(lambda: page.value("document.querySelectorAll('main *').length > 1 && !document.querySelector('main').textContent.includes('loading')"), view)
                self.finds_nothing(page, (name, view))
        daemon = self.daemon_of()
        before, after = (self.sent(daemon, recorded(name), stack="acme/infra//net@prod") for name in ("apply-create-mixed", "apply-provider-errors"))
        for path, there in (("?view=compare&run=" + after, "#compared"), ("wall?days=36500", ".card"), ("runs", ".runs"), ("stacks/acme%2Finfra%2F%2Fnet%40prod", ".strip")):
            page = self.browser.open(daemon.url + path)
            self.addCleanup(page.close)
            until(lambda: page.value("Boolean(document.querySelector(%r))" % there), path)
            self.finds_nothing(page, path)

    def test_axe_finds_nothing_of_a_diff(self):
        for name, stem, addr in (("plan-sensitive-nested", "plan.stream", "local_sensitive_file.f"), ("drift-apply", "stream", "local_file.edited"),
                                 ("update-in-place", "stream", "terraform_data.app%5B%22cron%22%5D")):
            plan = str(RECORDINGS / name / "plan.json")
            config = str(RECORDINGS / name / "config")
            page = self.open(self.replay(recorded_path(name, stem), "--plan", plan, "--config", config).url, "#r=" + addr)
            until(lambda: page.value("Boolean(document.querySelector('#detail .planned'))"), "the diff")
            self.finds_nothing(page, name)

    def test_axe_finds_nothing_of_a_moment_the_stream_and_what_is_folded(self):
        page = self.open(self.replay(recorded_path("drift-apply")).url, "?at=1")
        until(lambda: page.value("Boolean(document.querySelector('.scale .line-at'))"), "the timeline")
        self.finds_nothing(page, "moment")
        page = self.open(self.replay(recorded_path("drift-apply")).url, "?stream=1")
        until(lambda: page.value("document.querySelectorAll('#stream .line').length > 3"), "the stream")
        self.menu(page)
        page.value("document.querySelector('#stream .line').click(); document.querySelector('#about summary').click()")
        until(lambda: page.value("Boolean(document.querySelector('.laid-out') && document.querySelector('#about li'))"), "the line and the box")
        self.finds_nothing(page, "stream and menu")

    def test_axe_finds_nothing_when_the_page_is_stale(self):
        tofud = self.pipe()
        page = self.open(tofud.wait_for_url())
        tofud.write(VERSION + stamped(2, type="apply_start", hook=about("a.b", action="create")))
        until(lambda: page.value("document.querySelectorAll('#resources .rows .row').length") == 1, "the row")
        page.value("{ const now = Date.now; Date.now = () => now.call(Date) + 60000; }")
        until(lambda: page.value("document.body.className") == "stale", "stale")
        self.finds_nothing(page, "stale")


if __name__ == "__main__":
    if not pathlib.Path(AXE).exists():
        print("no axe-core: .ci/page installs it")
        sys.exit(77)
    unittest.main(verbosity=2)
