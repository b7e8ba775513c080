#!/usr/bin/python3
"""The schema of the feed: the examples are valid, what is not as it says is refused, and it knows the words that the program has."""
import copy
import json
import re
import sys
import unittest

import jsonschema

sys.dont_write_bytecode = True
import feed_schema
from feed_schema import DOCUMENT, FEED, PUBLISHED, SHORTENED, kinds, mistakes, words, words_of_the_program

HERE = feed_schema.pathlib.Path(__file__).resolve().parent
EXAMPLES = [json.loads(line) for line in (HERE / "feed-example.jsonl").read_text().splitlines()]
# Cases of the kit.
OF_NEWER_VERSIONS = ("what-newer-versions-add", "kinds-are-only-text")
# Any value may stand there.
ANY = {"output": ("type", "value")}


def places(value, path=()):
    """The path of every member and element, outermost first."""
    for name, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, name)
        if isinstance(each, (dict, list)):
            yield from places(each, (*path, name))


def changed(line, path, how):
    line = copy.deepcopy(line)
    inner = line
    for name in path[:-1]:
        inner = inner[name]
    how(inner, path[-1])
    return line


def replaced_by(value):
    def replace(inner, name):
        inner[name] = value
    return replace


def renamed(inner, name):
    inner[name + "_"] = inner.pop(name)


def beside(inner, name):
    inner["not " + name] = True


class Schema(unittest.TestCase):
    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(DOCUMENT)

    def test_every_kind_has_a_definition_and_an_example(self):
        newer = DOCUMENT["$defs"]["of_a_newer_version"]["properties"]["kind"]["not"]["enum"]
        self.assertEqual(kinds(), newer)
        self.assertEqual(sorted({line["kind"] for line in EXAMPLES}), sorted(newer))
        for kind in newer:
            self.assertEqual(DOCUMENT["$defs"][kind]["properties"]["kind"], {"const": kind})

    def test_the_examples_are_valid(self):
        for line in EXAMPLES:
            self.assertEqual(mistakes(line), [], line)
            PUBLISHED.validate(line)

    def test_what_is_shortened_for_readers_is_valid_as_far_as_it_goes(self):
        page = (FEED / "README.md").read_text()
        shown = re.search(r"^```jsonl\n(.*?)^```$", page, re.S | re.M).group(1).splitlines()
        shown.append("".join(re.search(r"^    \{\"kind\":\"stack\".*?\n\n", page, re.S | re.M).group().split("\n")))
        for text in shown:
            self.assertEqual(mistakes(json.loads(text), SHORTENED), [], text)

    def test_the_kit_is_valid_as_far_as_it_goes(self):
        seen = 0
        for case in sorted((FEED / "client/kit").glob("*.jsonl")):
            by = feed_schema.WHOLE if case.name.startswith("recorded-") else SHORTENED
            for text in case.read_text().splitlines():
                line = json.loads(text)
                if "kit" in line:
                    continue
                seen += 1
                if case.stem not in OF_NEWER_VERSIONS:
                    self.assertEqual(mistakes(line, by), [], (case.name, text))
        self.assertGreater(seen, 100)

    def test_a_reader_may_get_what_newer_versions_add(self):
        for line in EXAMPLES:
            PUBLISHED.validate({**line, "colour": "blue"})
        PUBLISHED.validate({"kind": "weather", "key": "x", "rain": True})
        PUBLISHED.validate({"kind": "greeting"})

    def test_a_known_kind_must_be_as_it_says_for_a_reader_too(self):
        for line in EXAMPLES:
            self.assertFalse(PUBLISHED.is_valid({name: value for name, value in line.items() if name != "key"} if "key" in line else {"kind": line["kind"]}), line)
        for line in ([], "at", 7, {}, {"kind": 7}, {"kind": "at"}, {"kind": "at", "seq": "7"}):
            self.assertFalse(PUBLISHED.is_valid(line), line)

    def test_what_is_changed_is_refused(self):
        """Each member and element of each example: of another type, under another name; and one more than there is."""
        tried = 0
        for line in EXAMPLES:
            for path in places(line):
                if path[0] in ANY.get(line["kind"], ()):
                    continue
                ways = [replaced_by({"of": ["another type"]}), replaced_by([["another type"]])]
                if isinstance(path[-1], str) and path[0] != "labels":
                    ways += [renamed, beside]
                for way in ways:
                    wrong = changed(line, path, way)
                    self.assertTrue(mistakes(wrong), (path, wrong))
                    tried += 1
        self.assertGreater(tried, 500)

    def test_words_and_members_that_go_together(self):
        row = next(line for line in EXAMPLES if line["kind"] == "resource")
        stack = next(line for line in EXAMPLES if line["kind"] == "stack")
        run = next(line for line in EXAMPLES if line["kind"] == "run")
        at = {"kind": "at", "seq": 1}
        self.assertEqual(mistakes(at), [])
        for wrong in ({**row, "status": "ready"}, {**row, "activity": "install"}, {**row, "truncated": True}, {**row, "href": "/"},
                      {**row, "seq": 0}, {**row, "seq": 1.5}, {**row, "run": None}, {**run, "counts": {"ready": 1}}, {**run, "counts": {"done": 0}},
                      {**run, "attachments": []}, {**run, "labels": {"a": 1}}, {**run, "contact": "ok"}, {**stack, "clock_offset_s": "0"},
                      {**run, "started_at": "2026-11-21T03:12:05Z"}, {**run, "started_at": "2026-11-21T03:12:05.120331+01:00"},
                      {**stack, "contact": "perhaps"}, {**at, "live": False}, {**at, "seq": -1}, {"kind": "reset", "reason": "mood"},
                      {"kind": "error", "code": 200, "message": ""}):
            self.assertTrue(mistakes(wrong), wrong)

    def test_the_words_are_those_of_the_program(self):
        for place, file, array in (("step_action", "row.cpp", "action_words"), ("step_status", "row.cpp", "step_words"),
                                   ("run_phase", "row.cpp", "phase_words"), ("resource_status", "row.cpp", "resource_words"),
                                   ("run_status", "row.cpp", "run_words"), ("run_command", "row.cpp", "command_words"),
                                   ("contact", "row.cpp", "contact_words"), ("run.attachments", "row.cpp", "attachment_words"),
                                   ("change.state", "stack_row.cpp", "change_words"), ("lock.state", "stack_row.cpp", "lock_words")):
            self.assertEqual(words(place), words_of_the_program(file, array), place)
        self.assertEqual(words("change.linked"), [*words_of_the_program("stack_row.cpp", "link_words"), None])
        rows = set(words_of_the_program("row.cpp", "kind_words"))
        controls = set(re.findall(r'object(?: line)?\{"(\w+)"\}', (FEED / "control.cpp").read_text()))
        self.assertEqual(len(controls), 7)
        self.assertEqual(set(kinds()), rows | controls)


if __name__ == "__main__":
    unittest.main()
