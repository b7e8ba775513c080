#!/usr/bin/python3
"""What an attached plan and configuration add to the page: the diff of a resource, its place, its provisioners."""
import json
import os
import subprocess
import unittest
import urllib.parse

from browsing import HOSTILE, VERSION, Browsing, about, stamped
from binary import PATIENCE, RECORDINGS, ROOT, TOFUD, get, recorded, recorded_path, until

SCHEMAS = ROOT / "tests/golden/schemas/recordings.json.gz"

# The diffs as somebody reads them: an entry, its sentence and then each change, one a line, deeper ones indented.
DIFF = """(() => {
  const said = [];
  const own = change => {
    const copy = change.cloneNode(true);
    copy.querySelectorAll('.changes, .unseen').forEach(each => each.remove());
    return copy.textContent.replace(/\\s+/g, ' ').trim();
  };
  const tell = (list, depth) => {
    for (const each of list.children) {
      if (!each.matches('.blocks')) said.push('  '.repeat(depth) + own(each));
      each.querySelectorAll('.changes').forEach(inner => {
        if (inner.parentElement.closest('.changes') === list) tell(inner, depth + (each.matches('.blocks') ? 0 : 1));
      });
    }
  };
  for (const entry of document.querySelectorAll('#detail .entry')) {
    said.push('# ' + entry.querySelector('.sentence').textContent);
    tell(entry.querySelector('.changes'), 1);
  }
  return said;
})()"""


def fragment(addr):
    return "#r=" + urllib.parse.quote(addr, safe="")


def plan_of(address, before, after, **more):
    """A plan that changes one resource of a type that no schema tells of."""
    actions = ["create"] if before is None else ["delete"] if after is None else ["update"]
    change = {"actions": actions, "before": before, "after": after, "after_unknown": {}, "before_sensitive": False,
              "after_sensitive": False, **more}
    return {"format_version": "1.2", "terraform_version": "1.12.6", "resource_changes": [
        {"address": address, "mode": "managed", "type": "terraform_data", "name": "x",
         "provider_name": "terraform.io/builtin/terraform", "change": change}]}


class Diff(Browsing):
    def detail(self, scenario, addr, *args, stem="stream", plan="plan.json"):
        folder = RECORDINGS / scenario
        tofud = self.replay(recorded_path(scenario, stem), "--plan", str(folder / plan), "--schemas", str(SCHEMAS), *args)
        return self.opened(tofud, addr)

    def opened(self, tofud, addr):
        page = self.open(tofud.url, fragment(addr))
        until(lambda: page.value("Boolean(document.querySelector('#detail .planned'))"), "a diff")
        return page

    def of_plan(self, address, plan):
        """The detail of a run that was planned so."""
        stream = os.path.join(self.home, "planned.jsonl")
        with open(stream, "wb") as file:
            file.write(VERSION + stamped(1, type="planned_change", change=about(address, action="update")))
        document = os.path.join(self.home, "plan.json")
        with open(document, "w") as file:
            json.dump(plan, file)
        return self.opened(self.replay(stream, "--plan", document), address)

    def says(self, page, expected):
        try:
            until(lambda: page.value(DIFF) == expected, "the diff")
        except AssertionError:
            self.assertEqual(page.value(DIFF), expected, page.complaints)

    def asks_for_diffs_only(self, page):
        asked = [urllib.parse.urlsplit(url).path for url in page.requests if "/v1/runs/" in url]
        self.assertTrue(asked)
        self.assertEqual({path.rpartition("/")[2] for path in asked}, {"diff"})
        page.requests[:] = [url for url in page.requests if "/v1/runs/" not in url]
        self.is_in_order(page)

    def test_it_is_as_tofu_draws_it(self):
        page = self.detail("update-in-place", 'terraform_data.app["cron"]')
        self.says(page, [
            "# will be updated in-place",
            "  ~input = {}",
            "    ~limits = {}",
            '      ~memory = "256Mi" → "512Mi"',
            "      1 unchanged",
            '    ~release = "1.4.0" → "1.5.0-rc1"',
            "    3 unchanged",
            "  ~output = {} → (known after apply)",
            "    -limits = {}",
            '      -cpu = "500m"',
            '      -memory = "256Mi"',
            '    -name = "cron"',
            '    -release = "1.4.0"',
            "    -replicas = 1",
            "    -tags = []",
            '      -"team:fun-polecat"',
            '      -"tier:cron"',
            "  1 unchanged"])
        self.assertEqual(page.value("document.querySelector('#detail .planned h3').textContent"), "planned changes")
        self.asks_for_diffs_only(page)

    def test_unchanged_attributes_are_loaded_on_request(self):
        page = self.detail("update-in-place", 'terraform_data.app["cron"]')
        cpu = "[...document.querySelectorAll('#detail .change')].some(one => /^cpu$/.test(one.querySelector('.key')?.textContent) && /500m/.test(one.textContent) && one.dataset.action === 'none')"
        self.assertFalse(page.value(cpu))
        page.value("[...document.querySelectorAll('#detail .left-out button')].find(one => one.textContent === '1 unchanged').click()")
        until(lambda: page.value(cpu), "what does not change")
        self.asks_for_diffs_only(page)

    def test_sensitive_values_are_nowhere(self):
        page = self.detail("plan-sensitive-nested", "local_sensitive_file.f", stem="plan.stream")
        self.assertTrue(any("content = (sensitive value) # forces replacement" in line for line in page.value(DIFF)), page.value(DIFF))
        everything = page.value("document.documentElement.outerHTML")
        with open(RECORDINGS / "plan-sensitive-nested/plan.json") as file:
            change = json.load(file)["resource_changes"][0]["change"]
        for side in ("before", "after"):
            self.assertNotIn(change[side]["content"], everything)
        self.asks_for_diffs_only(page)

    def test_what_changed_outside_has_a_heading_of_its_own(self):
        page = self.detail("drift-apply", "local_file.edited")
        self.assertEqual(page.value("[...document.querySelectorAll('#detail .planned h3')].map(one => one.textContent)"),
                         ["changed outside OpenTofu", "planned changes"])
        self.assertEqual([line for line in page.value(DIFF) if line.startswith("#")], ["# has been deleted", "# will be created"])

    def test_deposed_objects_are_marked(self):
        page = self.detail("replace-cbd-two-deposed", 'time_sleep.volume["db"]')
        said = [line for line in page.value(DIFF) if line.startswith("#")]
        self.assertEqual(sorted(said), ["# deposed object 956843a7 will be destroyed", "# deposed object f711bcce will be destroyed"])

    def test_many_children_come_a_part_at_a_time(self):
        names = ["k%03d" % i for i in range(450)]
        page = self.of_plan("terraform_data.x", plan_of("terraform_data.x", {"input": dict.fromkeys(names, "a")},
                                                       {"input": dict.fromkeys(names, "b")}))
        count = "document.querySelectorAll('#detail .change .change').length"
        more = "[...document.querySelectorAll('#detail .left-out button')].filter(one => /more$/.test(one.textContent)).map(one => one.textContent)"
        for shown, left in ((200, ["250 more"]), (400, ["50 more"]), (450, [])):
            until(lambda: page.value(count) == shown, "%d of them" % shown)
            self.assertEqual(page.value(more), left)
            page.value("document.querySelector('#detail .left-out button')?.click()")
        self.assertEqual(page.value("[...document.querySelectorAll('#detail .change .change .key')].map(one => one.textContent)"),
                         names)
        self.asks_for_diffs_only(page)

    def test_texts_of_several_lines_are_compared_line_by_line(self):
        page = self.of_plan("terraform_data.x", plan_of(
            "terraform_data.x", {"text": "one\ntwo\nthree\n", "json": '{"a":1}', "n": 1}, {"text": "one\n2\nthree\n", "json": '{"a":2}', "n": 2}))
        lines = """Object.fromEntries([...document.querySelectorAll('#detail .change')].map(change => [change.querySelector('.key').textContent,
          [...change.querySelectorAll('.text-line')].map(line => line.querySelector('[aria-hidden]').textContent + line.querySelector('.value').textContent)]))"""
        self.assertEqual(page.value(lines), {"json": ["{", '-  "a": 1', '+  "a": 2', "}"], "n": [], "text": ["one", "-two", "+2", "three"]})

    def test_signs_are_read_as_words_and_the_diff_scrolls_by_keyboard(self):
        page = self.of_plan("terraform_data.x", plan_of("terraform_data.x", {"a": "1", "gone": "2"}, {"a": "2", "new": "3"}))
        spoken = """Object.fromEntries([...document.querySelectorAll('#detail .change')].map(change =>
          [change.querySelector('.key').textContent, change.querySelector('.mark .unseen').textContent.trim()]))"""
        self.assertEqual(page.value(spoken), {"a": "changed", "gone": "removed", "new": "added"})
        self.assertEqual(page.value("(() => { const box = document.querySelector('#detail .diff'); box.focus(); return document.activeElement === box; })()"), True)

    def test_texts_of_a_plan_stay_text(self):
        values = {text: text for text in HOSTILE}
        page = self.of_plan("terraform_data.x", plan_of(
            "terraform_data.x", {"input": values, "list": list(HOSTILE)}, {"input": {text: text + "!" for text in HOSTILE}, "list": []}))
        keys = "[...document.querySelectorAll('#detail .change .change .key')].map(one => one.textContent)"
        bare = {"__proto__", "constructor", "toString"}  # what a language takes for a name
        self.assertEqual({key if key in bare else json.loads(key) for key in page.value(keys)}, set(HOSTILE))
        self.asks_for_diffs_only(page)

    def test_a_resource_without_changes_has_a_sentence(self):
        page = self.detail("update-in-place", "terraform_data.static")
        self.assertEqual(page.value("document.querySelector('#detail .planned').textContent"), "the plan does not change it")

    def test_without_a_plan_nothing_is_asked(self):
        page = self.open(self.replay(recorded_path("update-in-place")).url, fragment('terraform_data.app["cron"]'))
        until(lambda: page.value("Boolean(document.querySelector('#detail .steps'))"), "the detail")
        self.assertFalse(page.value("Boolean(document.querySelector('#detail .planned, #detail [role=status]'))"))
        self.is_in_order(page)

    def test_a_report_has_no_diffs(self):
        file = os.path.join(self.home, "report.html")
        subprocess.run([TOFUD, "replay", recorded_path("update-in-place"), "--plan", str(RECORDINGS / "update-in-place/plan.json"), "--speed",
                        "max", "--no-listen", "--progress", "none", "--report", file], env=self.env(), check=True, timeout=PATIENCE)
        page = self.browser.open("file://" + file + fragment('terraform_data.app["cron"]'))
        self.addCleanup(page.close)
        until(lambda: page.value("Boolean(document.querySelector('#detail .steps'))"), "the detail")
        self.assertFalse(page.value("Boolean(document.querySelector('#detail .planned, #detail [role=status]'))"))

    def test_a_stopped_daemon_is_reported(self):
        tofud = self.replay(recorded_path("update-in-place"), "--plan", str(RECORDINGS / "update-in-place/plan.json"))
        page = self.open(tofud.url)
        until(lambda: page.value("document.querySelectorAll('#resources .rows .row').length") > 0, "rows")
        tofud.process.kill()
        tofud.process.wait(PATIENCE)
        page.value("location.hash = %r" % fragment('terraform_data.app["cron"]'))
        said = "document.querySelector('#detail [role=status]')?.textContent"
        until(lambda: page.value(said) == "what the plan changes can't be shown: tofud did not answer", "a sentence")

    def test_the_place_of_a_resource_and_its_provisioners_come_from_the_configuration(self):
        scenario = "provisioner-output-kinds"
        page = self.open(self.replay(recorded_path(scenario), "--config", str(RECORDINGS / scenario / "config")).url,
                         fragment("terraform_data.lines"))
        until(lambda: page.value("document.querySelector('#detail .place')?.textContent ?? ''") == "main.tf:7", "the place")
        self.assertTrue(page.value("Boolean(document.querySelector('#detail [data-copies=place]'))"))
        until(lambda: page.value("[...document.querySelectorAll('#detail .provisioners li')].map(one => /provisioner \\d of \\d/.exec(one.textContent)?.[0])")
              == ["provisioner %d of 5" % n for n in range(1, 6)], "all provisioners")

    def test_a_failure_shows_owner_and_runbook(self):
        config = os.path.join(self.home, "config")
        os.mkdir(config)
        with open(os.path.join(config, "main.tf"), "w") as file:
            file.write('# tofud: owner="@db <b>x</b>" runbook="https://wiki.example/db?a=1&b=2" expect=25m\nresource "terraform_data" "x" {}\n'
                       '# tofud: owner=@quiet\nresource "terraform_data" "y" {}\n')
        stream = os.path.join(self.home, "failing.jsonl")
        errors = b"".join(stamped(1, type="apply_start", hook=about(addr, action="create"))
                          + stamped(2, type="apply_errored", hook=about(addr, action="create", elapsed_seconds=1))
                          for addr in ("terraform_data.x", "terraform_data.y"))
        with open(stream, "wb") as file:
            file.write(VERSION + errors + stamped(3, type="diagnostic", diagnostic={
                "severity": "error", "summary": "quota", "detail": "", "address": "terraform_data.x"}))
        page = self.open(self.replay(stream, "--config", config).url)
        said = "[...document.querySelectorAll('%s .said')].map(one => [...one.querySelectorAll('.owner, .runbook, .expected')].map(each => each.textContent))"
        expected = ["@db <b>x</b>", "https://wiki.example/db?a=1&b=2", "expected 25m00s"]
        links = "[...document.querySelectorAll('a.runbook')].map(one => [one.href, one.rel])"
        for place in ("#diagnostics .diagnostic", "#detail"):
            until(lambda: page.value(said % place), "what is said in " + place)
            self.assertEqual(page.value(said % place), [expected])
            self.assertEqual(page.value(links), [["https://wiki.example/db?a=1&b=2", "noreferrer"]])
            if place != "#detail":
                until(lambda: page.value(said % "#unexplained") == [["@quiet"]], "what is said of a failure without a reason")
                page.value("location.hash = '%s'" % fragment("terraform_data.x"))
        self.assertEqual(page.value("document.querySelectorAll('.said b b').length"), 0)

    def test_the_row_names_the_running_provisioner(self):
        # The stream stands still while the second one runs.
        lines = recorded("provisioner-output-kinds").splitlines(keepends=True)
        starts = [at for at, line in enumerate(lines) if b'"provision_start"' in line and b"terraform_data.lines" in line]
        stream = os.path.join(self.home, "still.jsonl")
        with open(stream, "wb") as file:
            file.write(b"".join(lines))
        with open(os.path.join(self.home, "still.timing"), "w") as file:
            file.write("".join("%d\n" % (0 if at <= starts[1] else 100000) for at in range(len(lines))))
        tofud = self.replay(stream, "--config", str(RECORDINGS / "provisioner-output-kinds/config"), speed=1)
        page = self.open(tofud.url)
        doing = """[...document.querySelectorAll('#resources .rows .row')].find(row => row.dataset.addr === 'terraform_data.lines')
          ?.querySelector('.activity').textContent ?? ''"""
        until(lambda: page.value(doing).endswith(", provisioner 2 of 5"), "the second provisioner")


if __name__ == "__main__":
    unittest.main(verbosity=2)
