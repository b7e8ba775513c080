#!/usr/bin/python3
"""Documents that are nearly Provider Code Specifications, each with the verdict of a JSON Schema validator.

    make_mutants.py SCHEMA.json OUT.jsonl.gz     SCHEMA.json: spec/v0.1/schema.json of terraform-plugin-codegen-spec

Whole documents are made at random from the schema itself, then changed at random places. What tofud checks beyond the
schema (names that are there twice, in one list or as attribute and block) is left out. Needs python3-jsonschema.
"""
import copy
import gzip
import json
import random
import sys

import jsonschema

COUNT = 3000
WORDS = ["", "a", "a-b", "A", "x_1", "computed", "computed_optional", "optional", "required", "0.1", "0.1.0", "ab"]


class maker:
    def __init__(self, schema, seed):
        self.all = schema["$defs"]
        self.top = {key: value for key, value in schema.items() if key != "$defs"}
        self.random = random.Random(seed)
        self.names = 0

    def document(self):
        return self.made(self.top, 0)

    def made(self, by, depth):
        if "$ref" in by:
            name = by["$ref"].rsplit("/", 1)[1]
            if name == "valid_identifier":
                self.names += 1
                return f"n{self.names}"
            return self.made(self.all[name], depth + 1)
        if "enum" in by:
            return self.random.choice(by["enum"])
        if by.get("type") == "object":
            return self.an_object(by, depth)
        if by.get("type") == "array":
            least = by.get("minItems", 0)
            count = least if depth > 22 else max(least, self.random.choice([0, 1, 1, 2, 3]))
            return [self.made(by["items"], depth + 1) for _ in range(count)]
        if by.get("type") == "string":
            return "0.1.0"[:max(by.get("minLength", 0), self.random.randrange(6))]
        if by.get("type") == "boolean":
            return self.random.random() < 0.5
        if by.get("type") in ("number", "integer"):
            return self.random.choice([0, 1, -5, 2.5])
        if "oneOf" in by:
            return self.made(self.chosen(by["oneOf"], depth), depth)
        raise ValueError(by)

    def chosen(self, among, depth):
        if depth <= 22:
            return self.random.choice(among)
        plain = [each for each in among if not any(word in each["$ref"] for word in ("nested", "list", "map", "set", "object"))]
        return self.random.choice(plain or among)

    def an_object(self, by, depth):
        wanted = set(by.get("required", []))
        if "oneOf" in by:
            wanted |= set(self.random.choice(by["oneOf"])["required"])
            optional = []
        else:
            optional = [name for name in by.get("properties", {}) if name not in wanted]
        for name in optional:
            if depth <= 22 and self.random.random() < 0.35:
                wanted.add(name)
        if not wanted and by.get("minProperties"):
            wanted.add("attributes")
        if "name" in by.get("properties", {}):
            wanted.add("name")
        return {name: self.made(by["properties"][name], depth + 1) for name in sorted(wanted)}


def places(value, found):
    """Each object and array in it."""
    if isinstance(value, (dict, list)):
        found.append(value)
        for each in value.values() if isinstance(value, dict) else value:
            places(each, found)
    return found


def some_value(rng, all_places):
    kind = rng.randrange(9)
    if kind == 0:
        return rng.choice(WORDS)
    if kind == 1:
        return rng.choice([True, False, None, 0, 1.5])
    if kind == 2:
        return {}
    if kind == 3:
        return []
    return copy.deepcopy(rng.choice(all_places))


def change(document, rng, members):
    all_places = places(document, [])
    where = rng.choice(all_places)
    if isinstance(where, list):
        if where and rng.random() < 0.5:
            del where[rng.randrange(len(where))]
        else:
            where.insert(rng.randrange(len(where) + 1), some_value(rng, all_places))
        return
    kind = rng.randrange(4)
    if kind == 0 and where:
        del where[rng.choice(sorted(where))]
    elif kind == 1 and where:
        where[rng.choice(sorted(where))] = some_value(rng, all_places)
    elif kind == 2 and where:
        name = rng.choice(sorted(where))
        where[rng.choice(members)] = where.pop(name)
    else:
        where[rng.choice(members)] = some_value(rng, all_places)


def names_twice(value):
    """What tofud finds beyond the schema."""
    if isinstance(value, list):
        names = [each["name"] for each in value if isinstance(each, dict) and isinstance(each.get("name"), str)]
        return len(names) != len(set(names)) or any(names_twice(each) for each in value)
    if not isinstance(value, dict):
        return False
    both = []
    for word in ("attributes", "blocks"):
        if isinstance(value.get(word), list):
            both += [each["name"] for each in value[word] if isinstance(each, dict) and isinstance(each.get("name"), str)]
    return len(both) != len(set(both)) or any(names_twice(each) for each in value.values())


def main():
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    check = jsonschema.Draft7Validator(schema)
    members = sorted({name for each in schema["$defs"].values() for name in each.get("properties", {})}
                     | {name for each in schema["$defs"].values() for of in each.get("properties", {}).values()
                        for name in of.get("properties", {})} | {"static", "custom", "unknown"})
    rng = random.Random(18)
    lines, seen = [], {True: 0, False: 0}
    seed = 0
    while len(lines) < COUNT:
        seed += 1
        document = maker(schema, seed).document()
        for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
            change(document, rng, members)
        text = json.dumps(document, separators=(",", ":"))
        if len(text) > 6000 or names_twice(document):
            continue
        valid = check.is_valid(document)
        if seen[valid] > COUNT * 0.6:
            continue
        seen[valid] += 1
        lines.append(json.dumps({"valid": valid, "document": document}, separators=(",", ":")))
    with gzip.GzipFile(sys.argv[2], "wb", mtime=0) as file:
        file.write(("\n".join(lines) + "\n").encode())
    print(seen)


main()
