#!/usr/bin/python3
"""A fault in a file of one line, and what schemas know of the attribute that a diagnostic names, on the page."""
import copy
import json
import unittest

from browsing import HOSTILE, Browsing
from binary import get, until
import faults_test
from faults_test import FAILED, IN_LINES, IN_ONE_LINE, OTHER, SCHEMAS, SECRET, SPECIFICATION, TYPE, VERSION

# What stands in the cards of diagnostics, line by line.
CARDS = """[...document.querySelectorAll('#diagnostics .diagnostic')].map(card => ({
  on: card.querySelector('.on').textContent,
  source: [...card.querySelectorAll('.source .line')].map(line => line.textContent),
  numbers: card.querySelectorAll('.source .number').length,
  marked: [...card.querySelectorAll('.source mark')].map(mark => mark.textContent),
  attribute: [...card.querySelectorAll('.attribute p, .attribute li')].map(each => each.textContent),
}))"""


class Fault(Browsing):
    given, attached = faults_test.Faults.given, faults_test.Faults.attached

    def shown(self, stream, *args):
        tofud = self.replay(self.given("stream.jsonl", stream), *args)
        until(lambda: json.loads(get(tofud.url + "v1/runs/latest"))["run"]["ended_at"], "the end of the replay")
        page = self.open(tofud.url)
        self.comes_to_show(page, self.rows_now(tofud.url))
        return page

    def test_a_file_in_one_line_is_the_block_around_the_fault(self):
        page = self.shown(VERSION + FAILED + IN_ONE_LINE)
        card, = page.value(CARDS)
        self.assertEqual(card["on"], "on main.tf.json line 1, at resource.acme_db.main.port")
        self.assertEqual(card["source"], ['"resource": {"acme_db": {"main": {', '  "name": "main",', '  "port": "none",',
                                          '  "password": "%s"' % SECRET, '}}}'])
        self.assertEqual((card["numbers"], card["marked"], card["attribute"]), (0, ['"none"'], []))
        self.assertNotIn(OTHER, page.value("document.documentElement.outerHTML"))
        self.is_in_order(page)

    def test_the_attribute_has_what_its_schema_says(self):
        page = self.shown(VERSION + FAILED + IN_ONE_LINE + IN_LINES, *self.attached())
        generated, native = page.value(CARDS)
        self.assertEqual(generated["attribute"], ["port (number)", "Port to listen on."])
        self.assertEqual(native["attribute"], ["password (string, sensitive)"])
        self.assertEqual(native["source"], ["1  password = (sensitive value)"])
        self.assertNotIn(SECRET, page.value("document.documentElement.outerHTML"))
        self.is_in_order(page)

    def test_the_attribute_has_what_its_specification_says(self):
        page = self.shown(VERSION + FAILED + IN_ONE_LINE, "--schemas", self.given("acme.json", SPECIFICATION))
        card, = page.value(CARDS)
        self.assertEqual(card["attribute"], ["port (number)", "Port to listen on.", "default 5432", "validator int64validator.Between(1, 65535)",
                                             "a change requires replacement"])
        self.assertNotIn(SECRET, page.value("document.documentElement.outerHTML"))
        self.is_in_order(page)

    def test_text_of_a_schema_stays_text(self):
        schemas = copy.deepcopy(SCHEMAS)
        port, = (provider["resource_schemas"][TYPE]["block"]["attributes"]["port"] for provider in schemas["provider_schemas"].values())
        port["description"] = "\n".join(HOSTILE)
        page = self.shown(VERSION + IN_ONE_LINE, *self.attached(schemas))
        self.assertIn("<script>", page.value(CARDS)[0]["attribute"][1])
        self.is_in_order(page)


if __name__ == "__main__":
    unittest.main(verbosity=2)
