#!/usr/bin/python3
"""`tofud blocks`: where each block of a configuration stands, for people and as a document."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from binary import PATIENCE, RECORDINGS, TOFUD, EndToEnd


class Blocks(EndToEnd):
    def setUp(self):
        super().setUp()
        self.root = pathlib.Path(self.home, "root")
        self.root.mkdir()

    def file(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def blocks(self, *args, status=0, **more):
        """(stdout, stderr) of `tofud blocks`."""
        done = subprocess.run([TOFUD, "blocks", *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True, env=self.env(**more),
                              cwd=self.root, timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def test_places_stand_below_one_another_with_those_of_modules(self):
        self.file("main.tf", 'resource "a_b" "c" {}\n\n  module "net" { source = "./net" }\n')
        self.file("net/main.tf", '\ndata "x_y" "z" {}\n')
        self.assertEqual(self.blocks(), ("a_b.c                  main.tf:1:1\n"
                                         "module.net             main.tf:3:3\n"
                                         "module.net.data.x_y.z  net/main.tf:2:1\n", ""))

    def test_the_annotations_of_a_block_stand_behind_its_place(self):
        self.file("main.tf", '# tofud: owner=@db runbook=https://wiki/db expect=25m\nresource "a" "b" {}\n')
        self.file("x.tf.json", '{"resource": {"a": {"c": {"//": {"tofud": {"owner": "the db team", "expect": "90s"}}}}}}\n')
        self.assertEqual(self.blocks(), ("a.b  main.tf:2:1  owner=@db runbook=https://wiki/db expect=25m\n"
                                         'a.c  x.tf.json:1:21  owner="the db team" expect=1m30s\n', ""))
        notes = {each["address"]: each["annotations"] for each in json.loads(self.blocks("--json")[0])["blocks"]}
        self.assertEqual(notes, {"a.b": {"owner": "@db", "runbook": "https://wiki/db", "expect_s": 1500},
                                 "a.c": {"owner": "the db team", "expect_s": 90}})

    def test_another_directory_may_be_named(self):
        self.file("main.tf", 'output "o" { value = 1 }\n')
        self.assertEqual(self.blocks(self.root)[0], "output.o  main.tf:1:1\n")

    def test_a_directory_may_be_called_as_a_command_is(self):
        self.file("config/main.tf", 'resource "a_b" "c" {}\n')
        self.assertEqual(self.blocks("config"), ("a_b.c  main.tf:1:1\n", ""))

    def test_json_is_the_document_with_provisioners_and_references(self):
        self.file("main.tf", 'resource "null_resource" "n" {\n  lifecycle { create_before_destroy = true }\n  triggers = { a = var.v }\n'
                             '  provisioner "local-exec" {\n    command = "echo planted-value"\n  }\n}\nvariable "v" {}\n')
        out, _ = self.blocks("--json")
        self.assertNotIn("planted-value", out)
        document = json.loads(out)
        self.assertEqual(document["format"], "tofud.config.v2")
        self.assertEqual({each["address"]: each for each in document["blocks"]}["null_resource.n"],
                         {"address": "null_resource.n", "file": "main.tf", "line": 1, "column": 1, "create_before_destroy": True,
                          "provisioners": [{"type": "local-exec", "when": "create"}],
                          "references": [{"argument": "triggers", "target": "var.v"}]})

    def test_a_recorded_configuration_has_all_its_resources(self):
        out, _ = self.blocks(RECORDINGS / "plan-sensitive-nested" / "config")
        self.assertIn("terraform_data.nested", [line.split()[0] for line in out.splitlines()])

    def test_modules_are_found_where_init_has_put_them(self):
        self.file("main.tf", 'module "far" { source = "example.com/a/b/c" }\n')
        self.file("data/modules/modules.json", json.dumps({"Modules": [{"Key": "", "Source": "", "Dir": "."},
                                                                       {"Key": "far", "Source": "example.com/a/b/c", "Dir": "data/modules/far"}]}))
        self.file("data/modules/far/main.tf", 'resource "a_b" "c" {}\n')
        self.assertIn("module.far.a_b.c  data/modules/far/main.tf:1:1\n", self.blocks(TF_DATA_DIR="data")[0])

    def test_a_problem_is_reported_with_its_place_and_the_rest_stays(self):
        self.file("good.tf", 'resource "a_b" "c" {}\n')
        self.file("bad.tf", 'resource "a_b" "d" {\n')
        out, err = self.blocks(status=1)
        self.assertIn("a_b.c  good.tf:1:1\n", out)
        self.assertRegex(err, r"(?m)^bad\.tf:\d+:\d+: ")

    def test_a_directory_without_a_configuration(self):
        self.assertIn("no configuration is in .", self.blocks(status=1)[1])
        self.assertIn("can't read nowhere: No such file", self.blocks("nowhere", status=1)[1])
        self.file("main.tf", "")
        self.assertIn("it is not a directory", self.blocks("main.tf", status=1)[1])

    def test_escape_sequences_in_names_do_not_reach_the_terminal(self):
        self.file("main.tf", 'resource "a_b" "c\x1b[31m" {}\n')
        out, err = self.blocks(status=1)
        self.assertNotIn("\x1b", out + err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
