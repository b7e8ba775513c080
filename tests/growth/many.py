"""Streams and documents with any number of one thing in them, made of what OpenTofu printed once (tests/recordings)."""
import json
import re

import binary

HEAD = {"@level": "info", "@message": "m", "@module": "tofu.ui", "@timestamp": "2026-11-21T05:23:37.000000Z"}
# What makes one thing another: these members name it.
NAMING = ("addr", "resource", "resource_name", "summary", "path", "run", "id_value", "output")


def line(kind, **fields):
    return json.dumps({**HEAD, "type": kind, **fields}).encode() + b"\n"


VERSION = line("version", tofu="1.12.6", ui="1.2")


def resource(number, module=""):
    name = "c%d" % number
    prefix = module + "." if module else ""
    return {"addr": prefix + "a_b." + name, "module": module, "resource": "a_b." + name, "implied_provider": "a", "resource_type": "a_b",
            "resource_name": name, "resource_key": None}


def message_types():
    """Every type that the reader knows: the table of protocol/ui/parse_message.cpp."""
    source = (binary.ROOT / "protocol/ui/parse_message.cpp").read_text()
    table = source[source.index("table{\n"):source.index("};", source.index("table{\n"))]
    return re.findall(r'\{"(\w+)", ', table)


# What no recording has.
UNRECORDED = (line("ephemeral_op_progress", hook={"resource": {"addr": "ephemeral.a_b.c"}, "action": "open", "elapsed_seconds": 10}),
              line("ephemeral_op_errored", hook={"resource": {"addr": "ephemeral.a_b.c"}, "action": "open", "elapsed_seconds": 10}),
              line("state_lock_release"), line("replace_provider", resources=["a_b.c"], **{"from": "x/y/a", "to": "x/y/b"}),
              line("output", name="o", value={"sensitive": False, "type": "string", "value": "v"}))


def samples():
    """One message of each type."""
    found = {message["type"]: message for message in map(json.loads, UNRECORDED)}
    for name, stem in binary.all_recordings():
        for text in binary.recorded(name, stem).splitlines():
            try:
                message = json.loads(text)
            except ValueError:
                continue
            if isinstance(message, dict) and message.get("@module", "").endswith(".ui") and message.get("type") not in found:
                found[message.get("type")] = message
    return found


def named(value, number):
    """The same for another resource, test or diagnostic."""
    if isinstance(value, dict):
        return {key: each + "_%d" % number if key in NAMING and isinstance(each, str) else named(each, number) for key, each in value.items()}
    if isinstance(value, list):
        return [named(each, number) for each in value]
    return value


def messages(message, many):
    return b"".join(json.dumps(named(message, i)).encode() + b"\n" for i in range(many))


# ---- streams with many of one thing ------------------------------------------------------------


def resources(many, module=lambda number: ""):
    return b"".join(line("planned_change", change={"resource": resource(i, module(i)), "action": "create"}) for i in range(many)) + b"".join(
        line("apply_start", hook={"resource": resource(i, module(i)), "action": "create"})
        + line("apply_complete", hook={"resource": resource(i, module(i)), "action": "create", "id_key": "id", "id_value": str(i), "elapsed_seconds": 1})
        for i in range(many))


def modules(many):
    return resources(many, lambda number: "module.m%d" % number)


def outputs(many):
    values = {"o%d" % i: {"sensitive": False, "type": "string", "value": "v%d" % i} for i in range(many)}
    return line("outputs", outputs=values) + line("outputs", outputs=values)


def diagnostics(many):
    return b"".join(line("diagnostic", diagnostic={"severity": "error", "summary": "s%d" % i, "detail": "d"}) for i in range(many))


def diagnostics_of_one_address(many):
    return b"".join(line("diagnostic", diagnostic={"severity": "error", "summary": "s%d" % i, "detail": "d", "address": "a_b.c0"}) for i in range(many))


def steps_of_one_address(many):
    return b"".join(line("refresh_start", hook={"resource": resource(0), "id_key": "id", "id_value": str(i)}) for i in range(many)) + b"".join(
        line("refresh_complete", hook={"resource": resource(0), "id_key": "id", "id_value": str(many - i)}) for i in range(many))


def steps_that_fail_at_once(many):
    return b"".join(line("refresh_start", hook={"resource": resource(0), "id_key": "id", "id_value": str(i)}) for i in range(many)) + line(
        "diagnostic", diagnostic={"severity": "error", "summary": "s", "detail": "d", "address": "a_b.c0"})


def provisioners_of_one_address(many):
    return line("apply_start", hook={"resource": resource(0), "action": "create"}) + b"".join(
        line("provision_start", hook={"resource": resource(0), "provisioner": "p%d" % i}) for i in range(many)) + b"".join(
        line("provision_progress", hook={"resource": resource(0), "provisioner": "p%d" % i, "output": "x"}) for i in range(many))


def log_lines(many):
    return line("apply_start", hook={"resource": resource(0), "action": "create"}) + b"".join(
        line("provision_progress", hook={"resource": resource(0), "provisioner": "p", "output": "line %d" % i}) for i in range(many))


def changes_of_one_row(many):
    return b"".join(line("apply_progress", hook={"resource": resource(0), "action": "create", "elapsed_seconds": i}) for i in range(many))


def runs_in_one_stream(many):
    return VERSION * many


def text_lines(many):
    return b"".join(b"this is text, line %d\n" % i for i in range(many))


STREAMS = (resources, modules, outputs, diagnostics, diagnostics_of_one_address, steps_of_one_address, steps_that_fail_at_once,
           provisioners_of_one_address, log_lines, changes_of_one_row, runs_in_one_stream, text_lines)


# ---- documents ---------------------------------------------------------------------------------


def labels(many):
    return {"l%d" % i: str(i) for i in range(many)}


def secrets(many):
    """Values that are masked, and a stream that has each of them."""
    values = ["hunter22-secret-%d" % i for i in range(many)]
    return values, b"".join(line("provision_progress", hook={"resource": resource(0), "provisioner": "p", "output": "it is %s, they say" % value})
                            for value in values)


def schemas(many, version=1):
    attributes = {"a%d" % i: {"type": "string", "optional": True, "sensitive": i % 2 == version} for i in range(many)}
    types = {"a_b%d" % i: {"version": version, "block": {"attributes": {"id": {"type": "string", "computed": True}}}} for i in range(many)}
    types["a_b"] = {"version": version, "block": {"attributes": attributes}}
    return {"format_version": "1.0", "provider_schemas": {"x/y/a": {"resource_schemas": types}}}


def specification(many):
    attributes = [{"name": "a%d" % i, "string": {"computed_optional_required": "optional"}} for i in range(many)]
    return {"version": "0.1", "provider": {"name": "a"},
            "resources": [{"name": "b%d" % i, "schema": {"attributes": attributes[:1]}} for i in range(many)] + [{"name": "c", "schema": {"attributes": attributes}}]}


def configuration(many):
    return "".join('resource "a_b" "c%d" {\n  l = a_b.c%d.id\n}\n' % (i, i + 1) for i in range(many))


def chain(many):
    """Each behind the one before it."""
    return "".join('resource "a_b" "c%d" {\n  l = %s\n}\n' % (i, "a_b.c%d.id" % (i - 1) if i else "1") for i in range(many))


def halves(many):
    """The second half behind all of the first."""
    first = ", ".join("a_b.c%d.id" % i for i in range(many // 2))
    return 'locals {\n  all = [%s]\n}\n' % first + "".join(
        'resource "a_b" "c%d" {\n  l = %s\n}\n' % (i, "local.all" if i >= many // 2 else "1") for i in range(many))


def state(many):
    return {"version": 4, "terraform_version": "1.12.6", "serial": 1, "lineage": "l", "outputs": {},
            "resources": [{"mode": "managed", "type": "a_b", "name": "c%d" % i, "provider": 'provider["x/y/a"]', "instances": [
                {"schema_version": 0, "attributes": {"id": str(i)}}]} for i in range(many)]}


def config(many):
    """A configuration of so many blocks, each of which refers to the one before it and to the first."""
    def block(i):
        return {"address": "a_b.c%d" % i, "file": "main.tf", "line": i + 1, "column": 1,
                "references": [{"argument": "x", "target": "a_b.c%d" % each} for each in sorted({0, i - 1}) if 0 <= each < i]}
    return {"format": "tofud.config.v2", "blocks": [block(i) for i in range(many)], "providers": []}


def plan(many, elements=1, members=1):
    """A plan of so many resources, each with a list that changes."""
    def objects(seed):
        return [{"k%d" % k: "%s-%d-%d" % (seed, i, k) for k in range(members)} for i in range(elements)]
    change = {"actions": ["update"], "before": {"l": objects("old")}, "after": {"l": objects("new")}, "after_unknown": {}, "before_sensitive": {},
              "after_sensitive": {}}
    return {"format_version": "1.2", "terraform_version": "1.12.6", "planned_values": {"root_module": {}}, "configuration": {"root_module": {}},
            "resource_changes": [{"address": "a_b.c%d" % i, "mode": "managed", "type": "a_b", "name": "c%d" % i, "provider_name": "x/y/a", "change": change}
                                 for i in range(many)]}
