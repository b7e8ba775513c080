"""protocol/feed/feed.schema.json, as tests take it: closed. The schema itself is open, because minor versions add members;
what this tofud sends must stand in it all the same.

Debian's python3-jsonschema. Definitions are looked up by the kind of a line: that is faster than trying each, and says what is wrong."""
import json
import pathlib
import re

import jsonschema

FEED = pathlib.Path(__file__).resolve().parents[3] / "protocol" / "feed"
DOCUMENT = json.loads((FEED / "feed.schema.json").read_text())
VALUE = {"default", "const", "enum", "required", "dependentRequired", "description"}  # keywords that hold no schemas


def closed(schema):
    """The same, without members that it does not name."""
    if not isinstance(schema, dict):
        return schema
    made = {}
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs"):
            made[keyword] = {name: closed(each) for name, each in value.items()}
        elif isinstance(value, list) and keyword not in VALUE:
            made[keyword] = [closed(each) for each in value]
        else:
            made[keyword] = closed(value) if keyword not in VALUE else value
    if "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def merged(definition):
    """With what its `allOf` has, in one object."""
    made = dict(definition)
    for each in made.pop("allOf", ()):
        base = merged(DOCUMENT["$defs"][each["$ref"].rpartition("/")[2]])
        for keyword in ("properties", "dependentRequired"):
            made[keyword] = {**base.get(keyword, {}), **made.get(keyword, {})}
        made["required"] = base.get("required", []) + made.get("required", [])
    return made


def kinds():
    """Of which lines there are, in the order of the schema."""
    return [each["$ref"].rpartition("/")[2] for each in DOCUMENT["anyOf"] if not each["$ref"].endswith("/of_a_newer_version")]


DEFINITIONS = {name: closed(merged(definition)) for name, definition in DOCUMENT["$defs"].items()}


def without_required(schema):
    if isinstance(schema, list):
        return [without_required(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    # A property may be called `required`.
    return {name: without_required(each) for name, each in schema.items()
            if name not in ("required", "dependentRequired") or not isinstance(each, list if name == "required" else dict) or "const" in each}


def validators(definitions):
    return {kind: jsonschema.Draft202012Validator({"$ref": "#/$defs/" + kind, "$defs": definitions},
                                                  format_checker=jsonschema.FormatChecker()) for kind in kinds()}


WHOLE = validators(DEFINITIONS)
SHORTENED = validators(without_required(DEFINITIONS))  # examples leave members out
PUBLISHED = jsonschema.Draft202012Validator(DOCUMENT)


def mistakes(line, by=None):
    """What is wrong with a line, as sentences."""
    kind = line.get("kind")
    if kind not in kinds():
        return ["there is no kind %r" % kind]
    validator = (by or WHOLE)[kind]
    return ["%s %s: %s" % (line["kind"], ".".join(map(str, error.absolute_path)) or "(itself)", error.message)
            for error in validator.iter_errors(line)]


def resolved(schema):
    """(definition it names or None, what it says)"""
    if "$ref" not in schema:
        return None, schema
    name = schema["$ref"].rpartition("/")[2]
    return name, DEFINITIONS[name]


def members(schema, place):
    """Every member below a schema, as PLACE.NAME; what has a definition of its own stands there."""
    for name, each in schema.get("properties", {}).items():
        yield "%s.%s" % (place, name)
        yield from below(each, "%s.%s" % (place, name))
    if "items" in schema:
        yield from below(schema["items"], place)
    for each in schema.get("oneOf", ()):
        yield from below(each, place)


def below(schema, place):
    if "$ref" not in schema:
        yield from members(schema, place)


def all_members():
    return {each for name, definition in DEFINITIONS.items() if name not in ("row", "cuttable", "of_a_newer_version")
            for each in members(definition, name)}


def met(value, schema, place, found):
    """Adds to `found` what of all_members() a valid value has."""
    name, schema = resolved(schema)
    place = name or place
    for each in schema.get("oneOf", ()):
        if (value is None) == (resolved(each)[1].get("type") == "null"):
            return met(value, each, place, found)
    if isinstance(value, list):
        for each in value:
            met(each, schema.get("items", {}), place, found)
    elif isinstance(value, dict):
        for name, each in value.items():
            if name in schema.get("properties", {}):
                found.add("%s.%s" % (place, name))
                met(each, schema["properties"][name], "%s.%s" % (place, name), found)
            elif isinstance(schema.get("additionalProperties"), dict):
                met(each, schema["additionalProperties"], "%s.*" % place, found)
    return None


def words(place):
    """Those of an `enum`, by DEFINITION or DEFINITION.NAME."""
    schema = {"properties": DEFINITIONS}
    for name in place.split("."):
        schema = schema["properties"][name]
        schema = schema.get("items", schema)
    return schema["enum"]


def words_of_the_program(file, array):
    """Those of a table in C++."""
    table = re.search(r"> %s\{(.*?)\};" % array, (FEED / file).read_text(), re.S).group(1)
    return [word for word in re.findall(r'"([^"]*)"', table) if word]
