"""A large apply as OpenTofu would print it: `resources` resources in modules within modules, a hundred of them at work at a
time, each with a provisioner that prints. Bytes only; who writes them sees to the pace.
"""
import datetime
import itertools
import json

AT_ONCE = 100
A_MODULE = 40  # resources
FAILS = 997  # one of so many


def message(type, **fields):
    """`@timestamp` is that of now: clocks in the page go by it."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return json.dumps({"@level": "info", "@message": "-", "@module": "tofu.ui", "@timestamp": now, "type": type, **fields},
                      separators=(",", ":")).encode() + b"\n"


def resource(n):
    """Twenty modules in one, eight in that, ..., as in a configuration with an environment and a service."""
    module = "module.region[%d].module.service[\"s%d\"]" % (n // (A_MODULE * 8), n // A_MODULE % 8)
    kind, key = "aws_instance", "%s[%d]" % ("node", n % A_MODULE)
    return {"addr": "%s.%s.%s" % (module, kind, key), "module": module, "resource": "%s.%s" % (kind, key),
            "implied_provider": "aws", "resource_type": kind, "resource_name": "node", "resource_key": n % A_MODULE}


def plan(resources):
    """What stands before the apply: all refreshed and planned."""
    yield message("version", tofu="1.12.6", ui="1.2")
    for n in range(resources):
        yield message("refresh_start", hook={"resource": resource(n), "id_key": "id", "id_value": "i-%017x" % n})
        yield message("refresh_complete", hook={"resource": resource(n), "id_key": "id", "id_value": "i-%017x" % n})
        yield message("planned_change", change={"resource": resource(n), "action": "update"})
    yield message("change_summary", changes={"add": 0, "change": resources, "import": 0, "remove": 0, "operation": "plan"})


def work(n, lines):
    """What is said of one resource while it is applied."""
    of = {"resource": resource(n), "action": "update"}
    yield "apply_start", {"hook": {**of, "id_key": "id", "id_value": "i-%017x" % n}}
    yield "provision_start", {"hook": {"resource": resource(n), "provisioner": "remote-exec"}}
    for line in range(lines):
        yield "provision_progress", {"hook": {"resource": resource(n), "provisioner": "remote-exec",
                                              "output": "step %d: \u001b[32mconfigured\u001b[0m node %d" % (line, n)}}
    yield "provision_complete", {"hook": {"resource": resource(n), "provisioner": "remote-exec"}}
    if n % FAILS == 0:
        yield "apply_errored", {"hook": {**of, "elapsed_seconds": 3}}
    else:
        yield "apply_complete", {"hook": {**of, "id_key": "id", "id_value": "i-%017x" % n, "elapsed_seconds": 3}}


def lines_for(resources, changes):
    """How many lines each provisioner prints so that there are at least so many changes."""
    return max(1, -(-changes // resources) - 4)


def apply(resources, changes):
    """`changes` messages; each changes the row of its resource. Ends with all resources begun, if there are enough messages."""
    lines = lines_for(resources, changes)
    waiting = (work(n, lines) for n in range(resources))
    busy = list(itertools.islice(waiting, AT_ONCE))
    for at in range(changes):
        while busy:
            slot = at % len(busy)
            said = next(busy[slot], None)
            if said:
                break
            follower = next(waiting, None)
            busy[slot:slot + 1] = [follower] if follower else []
        else:
            return
        yield message(said[0], **said[1])


def summary(resources):
    failed = len(range(0, resources, FAILS))
    return message("change_summary", changes={"add": 0, "change": resources - failed, "import": 0, "remove": 0, "operation": "apply"})
