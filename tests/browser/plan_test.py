#!/usr/bin/python3
"""A plan is reviewed on the page: risks first, with the path that forces a replacement; equal changes once; an address for each change."""
import json
import os
import re
import subprocess
import unittest
import urllib.parse

from browsing import HOSTILE, VERSION, Browsing, about, stamped
from binary import PATIENCE, RECORDINGS, TOFUD, recorded_path, until

HEADS = "[...document.querySelectorAll('#plan .review-group')].map(one => one.getAttribute('aria-label'))"
ENTRIES = "[...document.querySelectorAll('#plan .planned-change')].map(one => [one.querySelector('.address, .alike').textContent, one.querySelector('.because').textContent])"


def resource(address, actions, before, after, **more):
    kind, name = address.split("[")[0].split(".")[-2:]
    return {"address": address, "mode": "managed", "type": kind, "name": name, "provider_name": "registry.opentofu.org/acme/x",
            "change": {"actions": actions, "before": before, "after": after, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}, **more}


def plan(*resources):
    return {"format_version": "1.2", "terraform_version": "1.12.6", "planned_values": {"root_module": {}}, "resource_changes": list(resources),
            "configuration": {"root_module": {}}}


class Plan(Browsing):
    def reviewed(self, document, query="", lines=b""):
        stream, file = os.path.join(self.home, "stream.jsonl"), os.path.join(self.home, "plan.json")
        words = {"create": "create", "update": "update", "delete": "delete", "delete,create": "replace"}
        with open(stream, "wb") as out:
            out.write(VERSION)
            for each in document["resource_changes"]:
                out.write(stamped(1, type="planned_change", change=about(each["address"], action=words[",".join(each["change"]["actions"])])))
            out.write(stamped(2, type="change_summary", changes={"add": 0, "change": 1, "remove": 0, "operation": "plan"}) + lines)
        with open(file, "w") as out:
            json.dump(document, out)
        page = self.open(self.replay(stream, "--plan", file).url, query)
        page.picture(1280, 800)
        until(lambda: page.value("document.querySelectorAll('#plan .planned-change .diff, #plan .unfold').length"), "the plan")
        return page

    def test_each_replacement_names_what_forces_it_and_what_is_lost_stands_first(self):
        page = self.open(self.replay(recorded_path("replace-reasons", "plan.stream"), "--plan", str(RECORDINGS / "replace-reasons/plan.json")).url)
        until(lambda: page.value(HEADS) == ["replaces 6", "changes 1"], "the groups")
        until(lambda: page.value("document.querySelectorAll('#plan .diff').length") == 7, "the changes")
        said = dict(page.value(ENTRIES))
        self.assertEqual(said["null_resource.cannot_update"], "is replaced: destroyed, then created because triggers can't be changed in place")
        self.assertIn("it is tainted", said["terraform_data.tainted"])
        self.assertIn("-replace", said["random_pet.requested[0]"])
        self.assertEqual([text for text in said.values() if re.search(r"because (delete|replace) because|_because_", text)], [])
        self.is_reviewed_in_order(page)

    def is_reviewed_in_order(self, page):
        self.assertEqual(page.complaints, [])
        self.assertEqual(page.value("typeof window.pwned"), "undefined")

    def test_equal_changes_are_one_entry_that_opens_to_its_members(self):
        same = [resource("acme_x.a[%d]" % n, ["update"], {"env": "dev", "n": n}, {"env": "prod", "n": n}) for n in range(41)]
        page = self.reviewed(plan(*same, resource("acme_x.b", ["delete"], {"env": "dev"}, None)), "?view=plan")
        self.assertEqual(page.value(HEADS), ["destroys 1", "changes 41"])
        self.assertEqual([name for name, _ in page.value(ENTRIES)], ["acme_x.b", "41 alike"])
        summary = page.value("document.querySelector('.members summary').textContent")
        self.assertTrue(summary.startswith("acme_x.a[0], acme_x.a[1]"), summary)
        self.assertTrue(summary.endswith("and 33 more"), summary)
        page.value("document.querySelector('.members').open = true")
        self.assertEqual(page.value("document.querySelectorAll('.members li a').length"), 41)
        self.is_reviewed_in_order(page)

    def test_words_that_change_in_a_long_text_are_marked(self):
        page = self.reviewed(plan(resource("acme_x.a", ["update"], {"image": "registry.example/shop:2.4.1-alpine"}, {"image": "registry.example/shop:2.5.1-alpine"})), "?view=plan")
        marks = "[...document.querySelectorAll('#plan .diff mark')].map(one => one.textContent)"
        until(lambda: page.value(marks) == ["4", "5"], "the words")
        self.assertEqual(page.value("document.querySelector('#plan .value.after').textContent"), '"registry.example/shop:2.5.1-alpine"')

    def test_of_a_text_that_is_yaml_each_path_that_changes_is_named(self):
        values = "kind: Deployment\nspec:\n  replicas: %d\n  image: shop:%s\n  # said by people\n%s"
        page = self.reviewed(plan(resource("acme_x.a", ["update"], {"values": values % (2, "2.4", "  old: 1\n")}, {"values": values % (3, "2.5", "")})), "?view=plan")
        changes = "[...document.querySelectorAll('#plan .yaml-changes li')].map(one => one.textContent)"
        until(lambda: page.value(changes) == ['spec.image: "shop:2.4" → "shop:2.5"', "spec.old: 1 is gone", "spec.replicas: 2 → 3"], "the paths")
        until(lambda: page.value("document.querySelectorAll('#plan .text-line').length") > 4, "the lines are there as well")
        self.is_reviewed_in_order(page)
        # What only looks like it is compared line by line, and a bomb holds nobody up.
        bomb = "a0: &a0 [x]\n" + "".join("a%d: &a%d [*a%d, *a%d]\n" % (n, n, n - 1, n - 1) for n in range(1, 40))
        for before, after in (("a: [1\nb: 2\n", "a: [1\nb: 3\n"), (bomb, bomb + "b: 1\n")):
            page = self.reviewed(plan(resource("acme_x.a", ["update"], {"values": before}, {"values": after})), "?view=plan")
            until(lambda: page.value("document.querySelectorAll('#plan .text-line').length") > 2, "the lines")
            until(lambda: any("/yaml." in url for url in page.requests), "the parser was asked")
            self.assertEqual(page.value("document.querySelectorAll('#plan .yaml-changes li').length"), 0)
            self.is_reviewed_in_order(page)

    def test_the_filter_searches_in_values(self):
        page = self.reviewed(plan(resource("acme_x.a", ["update"], {"v": "one"}, {"v": "needle"}), resource("acme_x.b", ["update"], {"v": "one"}, {"v": "two"})), "?view=plan")
        page.value("{ const field = document.getElementById('filter'); field.value = 'NEEDLE'; field.dispatchEvent(new Event('input', {bubbles: true})); }")
        until(lambda: [name for name, _ in page.value(ENTRIES)] == ["acme_x.a"], "the one with the value")

    def test_a_change_has_an_address_and_a_tick_that_this_browser_keeps(self):
        many = [resource("acme_x.r%02d" % n, ["delete"], {"v": n}, None) for n in range(30)]
        page = self.reviewed(plan(*many), "?view=plan#c=acme_x.r25")
        place = "document.getElementById('c=acme_x.r25').getBoundingClientRect().top"
        until(lambda: 0 <= page.value(place) < 500, "it is in sight")
        page.value("document.getElementById('c=acme_x.r25').querySelector('.seen input').click()")
        until(lambda: page.value("document.getElementById('c=acme_x.r25').dataset.seen") == "yes", "ticked")
        self.assertIn("1 of 30 that need your eye are ticked", page.value("document.getElementById('plan').textContent"))
        page.value("window.copied = []; navigator.clipboard.writeText = async text => { copied.push(text); }")
        page.value("document.getElementById('c=acme_x.r25').querySelector('[data-copies=link]').click()")
        link, = until(lambda: page.value("copied"), "the link")
        self.assertEqual(urllib.parse.urlsplit(link).fragment, "c=acme_x.r25")
        again = self.browser.open(link)
        self.addCleanup(again.close)
        until(lambda: again.value("document.getElementById('c=acme_x.r25')?.dataset.seen") == "yes", "it is ticked there, too")

    def test_a_fragment_that_is_no_address_leaves_the_page_whole(self):
        page = self.reviewed(plan(resource("acme_x.a", ["delete"], {"v": 1}, None)), "?view=plan#c=%E0%A4%A")
        self.assertEqual(page.value(HEADS), ["destroys 1"])
        page.value("history.replaceState(null, '', '#r=%E0%A4%A'); dispatchEvent(new HashChangeEvent('hashchange')); document.querySelector('button[data-view=overview]').click()")
        until(lambda: page.value("document.querySelectorAll('#resources .row').length") == 1, "the list")
        page.value("document.querySelector('button[data-view=plan]').click()")
        until(lambda: page.value(HEADS) == ["destroys 1"], "the plan again")
        self.is_reviewed_in_order(page)

    def test_without_a_plan_reasons_of_the_stream_are_there(self):
        page = self.open(self.replay(recorded_path("delete-reasons", "plan.stream")).url)
        until(lambda: page.value("document.querySelectorAll('#plan .planned-change').length > 2"), "the changes")
        self.assertIn("is destroyed because its index is beyond count", [text for _, text in page.value(ENTRIES)])
        self.assertIn("No plan is attached", page.value("document.getElementById('plan').textContent"))

    def test_a_page_that_is_one_file_reviews_a_plan_and_asks_nobody(self):
        plan_file = str(RECORDINGS / "replace-reasons/plan.json")
        made = subprocess.run([TOFUD, "show", "--html", plan_file], capture_output=True, env=self.env(), timeout=PATIENCE, check=True)
        path = os.path.join(self.home, "plan.html")
        with open(path, "wb") as file:
            file.write(made.stdout)
        page = self.browser.open("file://" + path)
        self.addCleanup(page.close)
        page.picture(1280, 800)
        until(lambda: page.value(HEADS) == ["replaces 6", "changes 1"], "the groups")
        self.assertEqual(page.value("document.getElementById('verdict').textContent"), "Plan: replaces 6, changes 1")
        self.assertEqual(page.value("document.querySelectorAll('#plan .diff').length"), 7)
        self.assertEqual(page.value("[...document.querySelectorAll('#resources [data-group]')].map(one => one.textContent)"), ["replaces 6", "changes 1"])
        self.assertEqual([url for url in page.requests if not url.startswith(("file:", "data:"))], [])
        self.is_reviewed_in_order(page)

    def test_secrets_of_a_plan_are_not_in_its_page(self):
        secret = "AKIAIOSFODNN7EXAMPLE"
        path = os.path.join(self.home, "plan.json")
        with open(path, "w") as file:
            json.dump(plan(resource("acme_x.a", ["create"], None, {"key": secret, "name": "known"})), file)
        made = subprocess.run([TOFUD, "show", "--html", path], capture_output=True, env=self.env(), timeout=PATIENCE, check=True).stdout
        self.assertIn(b"known", made)
        self.assertNotIn(secret.encode(), made)

    def test_text_from_outside_stays_text(self):
        values = {text or "empty": text for text in HOSTILE}
        document = plan(*[resource('acme_x.a[%s]' % json.dumps(text), ["update"], {"v": "was", **{key: "x" * 30 for key in values}}, {"v": text, **{key: "x" * 25 + each for key, each in values.items()}})
                          for text in HOSTILE])
        page = self.reviewed(document, "?view=plan")
        for width in 1280, 360:
            page.picture(width, 740)
            self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
        self.assertEqual(page.value("document.querySelectorAll('#plan img, #plan iframe, #plan script, #plan svg').length"), 0)
        self.is_reviewed_in_order(page)


if __name__ == "__main__":
    unittest.main(verbosity=2)
