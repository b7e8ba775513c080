#!/usr/bin/python3
"""`tofud graph`: what an apply does after what, for people and programs, and whether a stream went by it."""
import json
import os
import pathlib
import subprocess
import unittest

from binary import PATIENCE, ROOT, TOFUD, EndToEnd

APPLIES = ROOT / "tests/causality/recordings"


class Graph(EndToEnd):
    def graph(self, *args, status=0):
        done = subprocess.run([TOFUD, "graph", *map(str, args)], capture_output=True, text=True, env=self.env(), timeout=PATIENCE, cwd=self.home)
        self.assertEqual(done.returncode, status, done.stderr + done.stdout)
        return done.stdout, done.stderr

    def of(self, name, *args, **more):
        folder = APPLIES / name
        state = ["--state", folder / "state.json"] if (folder / "state.json").exists() else []
        return self.graph(folder / "config", "--plan", folder / "plan.json", *state, *args, **more)

    def test_a_list_names_what_each_operation_waits_for(self):
        self.assertEqual(self.of("replace-cbd")[0].splitlines()[-2:], ["create terraform_data.d  after create terraform_data.c",
                                                                       "delete terraform_data.d  after create terraform_data.d"])
        self.assertIn("update terraform_data.b  after update terraform_data.a", self.of("update")[0])

    def test_without_a_plan_blocks_stand_for_what_is_made_of_them(self):
        lines = self.graph(APPLIES / "modules" / "config")[0].splitlines()
        self.assertIn("create module.m.terraform_data.y  after create module.m.terraform_data.x", lines)

    def test_json_has_nodes_and_edges_between_them(self):
        for name in sorted(os.listdir(APPLIES)):
            document = json.loads(self.of(name, "--json")[0])
            self.assertEqual(document["format"], "tofud.graph.v1")
            ids = [node["id"] for node in document["nodes"]]
            self.assertEqual(ids, list(range(len(ids))))
            for edge in document["edges"]:
                self.assertIn(edge["before"], range(len(ids)))
                self.assertIn(edge["after"], range(len(ids)))
                self.assertIn(edge["origin"], ("configuration", "state", "plan"))
            for node in document["nodes"]:
                self.assertTrue(("group" in node) != ("address" in node), node)

    def test_dot_and_mermaid(self):
        dot, mermaid = self.of("diamond", "--dot")[0], self.of("diamond", "--mermaid")[0]
        self.assertTrue(dot.startswith("digraph apply {"), dot)
        self.assertEqual(dot.count("->"), mermaid.count("-->"))
        self.assertIn('["create terraform_data.d"]', mermaid)

    def test_every_recorded_apply_went_by_its_order(self):
        for name in sorted(os.listdir(APPLIES)):
            out = self.of(name, "--check", APPLIES / name / "stream.jsonl")[0]
            self.assertRegex(out, r"began; none before what it had to wait for$", name)

    def test_a_stream_that_did_not_is_told_where(self):
        lines = (APPLIES / "chain" / "stream.jsonl").read_bytes().splitlines(True)
        hooks = [line for line in lines if b'"apply_' in line]
        stream = pathlib.Path(self.home, "turned.jsonl")
        stream.write_bytes(b"".join(line for line in lines if line not in hooks) + b"".join(reversed([line for line in hooks if b"apply_start" in line])))
        out = self.of("chain", "--check", stream, status=1)[0]
        self.assertIn("create terraform_data.c began before create terraform_data.b ended", out)
        self.assertIn("2 contradictions to this order", out)

    def test_what_can_t_be_read_is_said(self):
        config = APPLIES / "chain" / "config"
        self.assertIn("can't read", self.graph("none", status=2)[1])
        self.assertIn("no configuration is in", self.graph(status=2)[1])
        wrong = pathlib.Path(self.home, "wrong.json")
        wrong.write_text("{}")
        self.assertIn("tofu show -json PLANFILE", self.graph(config, "--plan", wrong, status=2)[1])
        self.assertIn("tofu state pull", self.graph(config, "--state", wrong, status=2)[1])
        self.assertIn("none.jsonl", self.graph(config, "--check", "none.jsonl", status=2)[1])


if __name__ == "__main__":
    unittest.main()
