#!/usr/bin/python3
"""The AsyncAPI document of the feed: it knows every kind, every parameter and every close code, and none that there is not."""
import json
import re
import sys
import unittest

import yaml

sys.dont_write_bytecode = True
from feed_schema import FEED, kinds

ROOT = FEED.parents[1]
DOCUMENT = yaml.safe_load((FEED / "asyncapi.yaml").read_text())
STREAM = DOCUMENT["channels"]["stream"]


def references(value):
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"]
        value = value.values()
    for each in value if not isinstance(value, (str, int, float, bool, type(None))) else ():
        yield from references(each)


def resolved(reference):
    file, _, path = reference.partition("#/")
    found = json.loads((FEED / file).read_text()) if file else DOCUMENT
    for name in path.split("/"):
        found = found[name]
    return found


def close_codes(text):
    return {int(code) for code in re.findall(r"\w+ = (\d{4})\b", re.search(r"namespace close_codes \{(.*?)\}", text, re.S).group(1))}


class AsyncApi(unittest.TestCase):
    def test_every_reference_resolves(self):
        found = list(references(DOCUMENT))
        self.assertGreater(len(found), 30)
        for each in found:
            self.assertTrue(resolved(each), each)

    def test_every_kind_is_a_message(self):
        messages = DOCUMENT["components"]["messages"]
        self.assertEqual(list(messages), kinds())
        self.assertEqual(STREAM["messages"], {kind: {"$ref": "#/components/messages/" + kind} for kind in kinds()})
        for kind, message in messages.items():
            self.assertEqual(resolved(message["payload"]["$ref"])["properties"]["kind"], {"const": kind})

    def test_the_parameters_are_those_of_a_request(self):
        known = re.search(r"parameters\{(.*?)\}", (FEED / "request.cpp").read_text(), re.S).group(1)
        self.assertEqual(list(STREAM["bindings"]["ws"]["query"]["properties"]), re.findall(r'"(\w+)"', known))

    def test_close_codes_are_those_that_are_sent_and_those_of_the_page(self):
        sent = close_codes((ROOT / "daemon/fanout/subscriber.hpp").read_text()) - {1006}  # never sent
        self.assertEqual({int(code) for code in STREAM["x-close-codes"]}, sent)
        page = (FEED / "README.md").read_text().partition("## Why a connection ends")[2]
        self.assertEqual({int(code) for code in re.findall(r"^\| (\d{4}) \|", page, re.M)}, sent)

    def test_it_speaks_of_this_protocol(self):
        self.assertEqual(DOCUMENT["info"]["version"], re.search(r'"protocol", "([\d.]+)"', (FEED / "control.cpp").read_text()).group(1))


if __name__ == "__main__":
    unittest.main()
