"""Streams of one resource each, for tests of what is remembered."""
import json


def message(second, type_, **fields):
    return json.dumps({"@level": "info", "@message": "m", "@module": "tofu.ui", "@timestamp": "2026-11-21T05:%02d:%02d.000000Z" % divmod(second, 60), "type": type_,
                       **fields}).encode() + b"\n"


def resource(addr):
    kind, name = addr.split(".")
    return {"addr": addr, "module": "", "resource": addr, "implied_provider": kind.split("_")[0], "resource_type": kind, "resource_name": name, "resource_key": None}


VERSION = message(0, "version", tofu="1.12.6", ui="1.2")


DONE = message(3000, "change_summary", changes={"add": 1, "change": 0, "import": 0, "remove": 0, "operation": "apply"})


def planned(addr, at=1):
    return message(at, "planned_change", change={"resource": resource(addr), "action": "create"})


def begun(addr, at=1):
    return (planned(addr, at) +
            message(at, "apply_start", hook={"resource": resource(addr), "action": "create"}))


def created(addr, seconds, ends="apply_complete", at=1):
    return begun(addr, at) + message(at + seconds, ends, hook={"resource": resource(addr), "action": "create", "elapsed_seconds": seconds})
