#!/usr/bin/python3
"""The graph in a real browser: what comes before what, how far it is, by mouse and by keyboard."""
import json
import os
import unittest

from browsing import HOSTILE, VERSION, Browsing, stamped
from binary import RECORDINGS, recorded_path, until

NODES = "Object.fromEntries([...document.querySelectorAll('.graph-node')].map(one => [one.dataset.node, one.textContent]))"
LEFTS = "Object.fromEntries([...document.querySelectorAll('.graph-node')].map(one => [one.dataset.node, one.getBoundingClientRect().left]))"
CHOSEN = "document.querySelector('.graph-node[aria-pressed=true]')?.dataset.node"
FOCUS = "document.activeElement?.dataset?.node"


def resource(address, module=""):
    name = address[len(module) + 1 if module else 0:]
    kind, _, rest = name.partition(".")
    return {"addr": address, "module": module, "resource": name, "implied_provider": "null", "resource_type": kind, "resource_name": rest.partition("[")[0], "resource_key": None}


class Graph(Browsing):
    def shown(self, stream, query="?view=graph", args=()):
        page = self.open(self.replay(stream, *args).url, query)
        page.picture(2500, 900)
        self.comes_to_its_end(page)
        until(lambda: page.value("document.querySelectorAll('.graph-node').length"), "the graph")
        return page

    def written(self, modules, blocks=6):
        """An apply of so many modules, each a chain of blocks behind one root block, one of which fails; and its configuration."""
        folder = os.path.join(self.home, "of %d" % modules)
        os.makedirs(os.path.join(folder, "config/part"))
        chain = "".join('resource "null_resource" "b%d" {\n  triggers = { a = %s }\n}\n' % (i, "null_resource.b%d.id" % (i - 1) if i else "var.root") for i in range(blocks))
        files = {"main.tf": 'resource "null_resource" "root" {}\n' + "".join('module "m%d" {\n  source = "./part"\n  root = null_resource.root.id\n}\n' % m for m in range(modules)),
                 "part/main.tf": 'variable "root" {}\n' + chain}
        for name, text in files.items():
            with open(os.path.join(folder, "config", name), "w") as file:
                file.write(text)
        os.makedirs(os.path.join(folder, "config/.terraform/modules"))
        with open(os.path.join(folder, "config/.terraform/modules/modules.json"), "w") as file:
            json.dump({"Modules": [{"Key": "", "Source": "", "Dir": "."}] + [{"Key": "m%d" % m, "Source": "./part", "Dir": "part"} for m in range(modules)]}, file)
        all_of = [resource("null_resource.root")] + [resource("module.m%d.null_resource.b%d" % (m, i), "module.m%d" % m) for m in range(modules) for i in range(blocks)]
        lines = [VERSION] + [stamped(1, type="planned_change", change={"resource": each, "action": "create"}) for each in all_of]
        lines.append(stamped(1, type="change_summary", changes={"add": len(all_of), "change": 0, "remove": 0, "operation": "plan"}))
        bad = "module.m1.null_resource.b2"
        behind = {"module.m1.null_resource.b%d" % i for i in range(3, blocks)}
        for at, each in enumerate(each for each in all_of if each["addr"] not in behind):
            lines.append(stamped(2 + at // 5, type="apply_start", hook={"resource": each, "action": "create"}))
            end = {"resource": each, "action": "create", "elapsed_seconds": 1}
            lines.append(stamped(3 + at // 5, type="apply_errored" if each["addr"] == bad else "apply_complete", hook=end))
        stream = os.path.join(folder, "stream.jsonl")
        with open(stream, "wb") as file:
            file.write(b"".join(lines))
        return stream, ("--config", os.path.join(folder, "config"))

    def test_what_waits_stands_right_of_what_it_waits_for(self):
        stream, args = self.written(2)
        page = self.shown(stream, args=args)
        lefts = page.value(LEFTS)
        self.assertEqual(len(lefts), 13)
        for m in range(2):
            chain = [lefts["make null_resource.root"]] + [lefts["make module.m%d.null_resource.b%d" % (m, i)] for i in range(6)]
            self.assertEqual(chain, sorted(set(chain)))
        self.is_in_order(page)

    def test_it_opens_at_what_failed_and_says_what_is_stranded(self):
        stream, args = self.written(2)
        page = self.shown(stream, args=args)
        until(lambda: page.value(CHOSEN) == "make module.m1.null_resource.b2", "the failed one is chosen")
        said = page.value(NODES)
        self.assertEqual(said["make module.m1.null_resource.b2"], "+create b2failed · null_resource · m1, on the critical path")
        self.assertEqual(said["make module.m1.null_resource.b3"], "+create b3skipped, behind a failure · null_resource · m1")
        self.assertEqual(page.value("[...document.querySelectorAll('.graph-node[data-stranded]')].length"), 3)
        said = page.value("document.getElementById('graph-chosen').textContent")
        self.assertIn("Waits for module.m1.null_resource.b1", said)
        self.assertIn("Before module.m1.null_resource.b3", said)

    def test_keys_go_along_the_edges_and_open_what_is_chosen(self):
        stream, args = self.written(2)
        page = self.shown(stream, args=args)
        until(lambda: page.value(CHOSEN) == "make module.m1.null_resource.b2", "the failed one is chosen, where keys begin")
        page.value("document.querySelector('[data-node=\"make module.m1.null_resource.b2\"]').focus()")
        for key, there in (("ArrowLeft", "m1.null_resource.b1"), ("ArrowRight", "m1.null_resource.b2"), ("ArrowRight", "m1.null_resource.b3"), ("ArrowUp", "m0.null_resource.b3"),
                           ("ArrowDown", "m1.null_resource.b3"), ("ArrowLeft", "m1.null_resource.b2")):
            page.key(key)
            until(lambda: page.value(FOCUS) == "make module." + there, key + " to " + there)
            self.assertEqual(page.value(CHOSEN), "make module." + there)
        page.key("Enter")
        until(lambda: page.value("document.getElementById('detail-title')?.textContent") == "module.m1.null_resource.b2", "the resource is opened")

    def test_many_modules_are_folded_and_unfold_one_by_one(self):
        stream, args = self.written(120)
        page = self.shown(stream, args=args)
        modules = "document.querySelectorAll('.graph-node[data-module]').length"
        page.value("[...document.querySelectorAll('.graph-tools button')].find(one => one.textContent === 'Fit').click()")
        until(lambda: page.value(modules) > 20, "many modules in sight")
        self.assertLess(page.value("document.querySelectorAll('.graph-node').length"), 130)
        one = "document.querySelector('[data-node=\"make module.m1\"]')"
        until(lambda: page.value(one + " !== null"), "what failed is in sight")
        self.assertIn("1 failed", page.value(one + ".textContent"))
        page.value(one + ".click()")
        until(lambda: page.value("document.querySelector('[data-node=\"make module.m1.null_resource.b2\"]') !== null") or page.value(one + "?.click()"), "the module is unfolded")
        self.is_in_order(page)

    def test_of_two_thousand_blocks_those_in_sight_are_drawn(self):
        stream, args = self.written(334)
        page = self.shown(stream, args=args)
        page.value("[...document.querySelectorAll('.graph-tools button')].find(one => one.textContent === 'Unfold all').click()")
        until(lambda: "2005 blocks" in page.value("document.querySelector('.graph-tools').textContent"), "all blocks")
        until(lambda: page.value("document.querySelectorAll('.graph-node[data-module]').length") == 0, "no module is folded")
        for part in (0, .5, 1):
            page.value("{ const box = document.querySelector('.graph-box'); box.scrollTop = %f * box.scrollHeight; }" % part)
            until(lambda: page.value("(() => { const box = document.querySelector('.graph-box').getBoundingClientRect();"
                                     "return [...document.querySelectorAll('.graph-node')].some(one => { const at = one.getBoundingClientRect(); return at.top > box.top && at.bottom < box.bottom; }); })()"),
                  "nodes at %s" % part)
            self.assertLess(page.value("document.querySelectorAll('*').length"), 1500)

    def test_a_plan_alone_tells_the_order(self):
        page = self.shown(recorded_path("chain-50"), args=("--plan", str(RECORDINGS / "chain-50/plan.json")))
        self.assertIn("50 blocks", page.value("document.querySelector('.graph-tools').textContent"))

    def test_where_nothing_is_known_it_says_what_to_do(self):
        page = self.open(self.replay(recorded_path("apply-create-mixed")).url, "?view=graph")
        until(lambda: "neither a plan nor a configuration is attached" in (page.value("document.getElementById('graph')?.textContent") or ""), "a sentence")

    def test_what_does_not_pass_the_filter_is_faint(self):
        stream, args = self.written(2)
        page = self.shown(stream, "?view=graph&q=m0", args)
        until(lambda: page.value("document.querySelectorAll('.graph-node[data-faint]').length") == 7, "those of the other module, and the root")

    def test_addresses_of_others_stay_text(self):
        folder = os.path.join(self.home, "hostile")
        os.makedirs(folder)
        addresses = ["module.m[%s].null_resource.x[%s]" % (json.dumps(text), json.dumps(text)) for text in HOSTILE]
        plan = {"format_version": "1.2", "terraform_version": "1.12.6", "planned_values": {"root_module": {}}, "configuration": {"root_module": {}},
                "resource_changes": [{"address": each, "mode": "managed", "type": "null_resource", "name": "x", "provider_name": "x/y/null",
                                      "change": {"actions": ["create"], "before": None, "after": {}, "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}} for each in addresses]}
        with open(os.path.join(folder, "plan.json"), "w") as file:
            json.dump(plan, file)
        lines = [VERSION] + [stamped(1, type="planned_change", change={"resource": resource(each), "action": "create"}) for each in addresses]
        with open(os.path.join(folder, "stream.jsonl"), "wb") as file:
            file.write(b"".join(lines))
        page = self.shown(os.path.join(folder, "stream.jsonl"), args=("--plan", os.path.join(folder, "plan.json")))
        self.is_in_order(page)


if __name__ == "__main__":
    unittest.main(verbosity=2)
