"""Configurations whose applies are recorded, of `terraform_data` and what else Terraform has built in: each a list of steps, of which the last is recorded.

A step is (files, arguments of plan, arguments of apply). What has a second of work sleeps a little, so that things happen one after the other.
"""
import random

WORK = 'provisioner "local-exec" {\n    command = "sleep %s"\n  }'
FAILS = 'provisioner "local-exec" {\n    command = "sleep 0.05; exit 1"\n  }'


def data(name, body="", work=0.05, fails=False):
    """A block of `terraform_data`; `work` seconds go by while it is created."""
    inner = "\n".join("  " + line for line in body.strip().splitlines())
    worked = FAILS if fails else WORK % work
    return 'resource "terraform_data" "%s" {\n%s\n  %s\n}\n' % (name, inner, worked)


def made(text, plan=(), apply=()):
    return ({"main.tf": text} if isinstance(text, str) else text, list(plan), list(apply))


CBD = "lifecycle {\n  create_before_destroy = true\n}"
CHAIN = data("a") + data("b", "input = terraform_data.a.id") + data("c", "input = terraform_data.b.id")


def chain(version, fails=None, cbd=(), names="abcd"):
    """Each of the next, replaced when the version changes."""
    text = ""
    for at, name in enumerate(names):
        body = 'triggers_replace = ["%s"]' % version
        if at:
            body += "\ninput = terraform_data.%s.id" % names[at - 1]
        if name in cbd:
            body += "\n" + CBD
        text += data(name, body, fails=name == fails)
    return text


MODULE = {
    "main.tf": 'module "m" {\n  source   = "./m"\n  for_each = toset(["p", "q"])\n  in       = terraform_data.first.id\n}\n' + data("first") +
               data("last", 'input = module.m["p"].out') + data("all", "input = [for each in module.m : each.out]"),
    "m/main.tf": 'variable "in" {}\n' + data("x", "input = var.in") + data("y", "input = local.z") + 'locals {\n  z = terraform_data.x.id\n}\n' +
                 'output "out" {\n  value = terraform_data.y.id\n}\n',
}
NESTED = {
    "main.tf": data("base") + 'module "outer" {\n  source = "./outer"\n  in     = terraform_data.base.id\n  depends_on = [terraform_data.gate]\n}\n' + data("gate") +
               data("end", "depends_on = [module.outer]"),
    "outer/main.tf": 'variable "in" {}\n' + data("o", "input = var.in") + 'module "inner" {\n  source = "../inner"\n  count  = 2\n  in     = terraform_data.o.id\n}\n' +
                     'output "ids" {\n  value = module.inner[*].id\n}\n',
    "inner/main.tf": 'variable "in" {}\n' + data("i", "input = var.in") + data("j", "input = terraform_data.i.id") + 'output "id" {\n  value = terraform_data.j.id\n}\n',
}


def moved(pairs):
    return "".join("moved {\n  from = %s\n  to   = %s\n}\n" % pair for pair in pairs)


REMOTE = 'data "terraform_remote_state" "r" {\n  backend = "local"\n  config = {\n    path = "${path.module}/other.tfstate"\n  }\n  depends_on = [terraform_data.a]\n}\n'
OTHER_STATE = '{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"x","outputs":{"v":{"value":"1","type":"string"}},"resources":[]}\n'

BY_HAND = {
    "chain": [made(CHAIN)],
    "chain-one-slot": [made(CHAIN + "".join(data("s%d" % i) for i in range(4)), apply=["-parallelism=1"])],
    "diamond": [made(data("a") + data("b", "input = terraform_data.a.id", 0.3) + data("c", "input = terraform_data.a.id") + data("d", "input = [terraform_data.b.id, terraform_data.c.id]"))],
    "count": [made(data("a", "count = 3") + data("one", "input = terraform_data.a[0].id") + data("all", "input = terraform_data.a[*].id") + data("each", "count = 3\ninput = terraform_data.a[count.index].id"))],
    "for-each": [made(data("a", 'for_each = toset(["x", "y"])\ninput = each.key') + data("one", 'input = terraform_data.a["x"].id') + data("all", "input = values(terraform_data.a)[*].id") +
                      data("each", "for_each = terraform_data.a\ninput = each.value.id"))],
    "locals": [made(data("a") + data("b") + 'locals {\n  one = terraform_data.a.id\n  two = { a = local.one, b = terraform_data.b.id }\n}\n' + data("c", "input = local.two.a"))],
    "depends-on": [made(data("a", work=0.2) + data("b", "depends_on = [terraform_data.a]") + data("c", "count = 2\ndepends_on = [terraform_data.b]"))],
    "provisioner-refers": [made(data("a", work=0.2) + 'resource "terraform_data" "b" {\n  provisioner "local-exec" {\n    command = "echo ${terraform_data.a.id}"\n  }\n}\n')],
    "destroy-provisioner": [made(data("a") + 'resource "terraform_data" "b" {\n  input = "x"\n  provisioner "local-exec" {\n    when    = destroy\n    command = "sleep 0.1; echo ${self.input}"\n  }\n}\n'),
                            made(data("a"))],
    "conditions": [made(data("a", work=0.2) + data("b", 'lifecycle {\n  precondition {\n    condition     = terraform_data.a.id != ""\n    error_message = "no"\n  }\n}'))],
    "modules": [made(MODULE)],
    "modules-destroyed": [made(MODULE), made({"main.tf": data("first")})],
    "modules-all-destroyed": [made(MODULE), made(MODULE, ["-destroy"])],
    "nested": [made(NESTED)],
    "nested-destroyed": [made(NESTED), made(NESTED, ["-destroy"])],
    "destroy": [made(chain(1)), made(chain(1), ["-destroy"])],
    "destroy-part": [made(chain(1) + data("beside", "input = terraform_data.a.id")), made(chain(1, names="ab"))],
    "destroy-target": [made(chain(1)), made(chain(1), ["-destroy", "-target=terraform_data.c"])],
    "replace": [made(chain(1)), made(chain(2))],
    "replace-cbd": [made(chain(1, cbd="abcd")), made(chain(2, cbd="abcd"))],
    "replace-cbd-forced": [made(chain(1, cbd="d")), made(chain(2, cbd="d"))],
    "replace-cbd-middle": [made(chain(1, cbd="c")), made(chain(2, cbd="c"))],
    "replace-cbd-first": [made(chain(1, cbd="a")), made(chain(2, cbd="a"))],
    "replace-fails": [made(chain(1)), made(chain(2, fails="b"))],
    "replace-cbd-fails": [made(chain(1, cbd="abcd")), made(chain(2, fails="d", cbd="abcd"))],
    "replace-cbd-fails-early": [made(chain(1, cbd="abcd")), made(chain(2, fails="b", cbd="abcd"))],
    "create-fails": [made(chain(1, fails="b"))],
    "create-fails-beside": [made(chain(1, fails="b") + chain(1, names="wxyz"))],
    "tainted": [made(chain(1, fails="c")), made(chain(1))],
    "update": [made(data("a", 'input = "1"') + data("b", "input = terraform_data.a.output")), made(data("a", 'input = "2"') + data("b", "input = terraform_data.a.output"))],
    "update-and-destroy": [made(data("a", 'input = "1"') + data("b", "input = terraform_data.a.output")), made(data("a", 'input = "2"'))],
    "replace-triggered-by": [made(data("a", 'input = "1"') + data("b", "lifecycle {\n  replace_triggered_by = [terraform_data.a]\n}")),
                             made(data("a", 'input = "2"') + data("b", "lifecycle {\n  replace_triggered_by = [terraform_data.a]\n}"))],
    "target": [made(chain(1) + data("beside", "input = terraform_data.a.id"), ["-target=terraform_data.c"])],
    "target-module": [made(MODULE, ['-target=module.m["p"]'])],
    "count-shrinks": [made(data("a", "count = 4") + data("b", "input = terraform_data.a[*].id")), made(data("a", "count = 1") + data("b", "input = terraform_data.a[*].id"))],
    "count-grows": [made(data("a", "count = 1") + data("b", "count = 1\ninput = terraform_data.a[count.index].id")),
                    made(data("a", "count = 4") + data("b", "count = 4\ninput = terraform_data.a[count.index].id"))],
    "module-removed": [made(NESTED), made({"main.tf": data("base") + data("gate")})],
    "module-renamed": [made(NESTED), made({**NESTED, "main.tf": NESTED["main.tf"].replace('"outer" {', '"renamed" {').replace("module.outer", "module.renamed")})],
    "moved": [made(chain(1)), made(chain(1).replace('"b"', '"moved"').replace("data.b.", "data.moved.") + moved([("terraform_data.b", "terraform_data.moved")]) + data("new", "input = terraform_data.moved.id"))],
    "moved-module": [made(NESTED), made({**NESTED, "main.tf": NESTED["main.tf"].replace('"outer" {', '"renamed" {').replace("module.outer", "module.renamed") + moved([("module.outer", "module.renamed")]) +
                                         data("new", "input = module.renamed.ids")})],
    "moved-and-replaced": [made(chain(1)), made(chain(2).replace('"b"', '"moved"').replace("data.b.", "data.moved.") + moved([("terraform_data.b", "terraform_data.moved")]))],
    "removed": [made(chain(1)), made(chain(2, names="abc") + "removed {\n  from = terraform_data.d\n  lifecycle {\n    destroy = false\n  }\n}\n")],
    "removed-destroyed": [made(chain(1)), made(chain(2, names="abc") + "removed {\n  from = terraform_data.d\n  lifecycle {\n    destroy = true\n  }\n}\n")],
    "imported": [made(data("a") + 'import {\n  to = terraform_data.b\n  id = "known"\n}\n' + data("b") + data("c", "input = terraform_data.b.id"))],
    "read-in-apply": [made({"main.tf": data("a", work=0.2) + REMOTE + data("b", "input = data.terraform_remote_state.r.outputs.v"), "other.tfstate": OTHER_STATE})],
    "read-in-apply-replace": [made({"main.tf": chain(1, names="a") + REMOTE + data("b", "input = data.terraform_remote_state.r.outputs.v"), "other.tfstate": OTHER_STATE}),
                              made({"main.tf": chain(2, names="a") + REMOTE + data("b", "input = data.terraform_remote_state.r.outputs.v"), "other.tfstate": OTHER_STATE})],
    "json": [made({"main.tf.json": '{"resource": {"terraform_data": {"a": {"input": "x"}, "b": {"input": "${terraform_data.a.id}"}, "c": {"depends_on": ["terraform_data.b"]}}}}\n'})],
    "outputs": [made(data("a") + data("b", "input = terraform_data.a.id") + 'output "o" {\n  value = terraform_data.b.id\n  depends_on = [terraform_data.c]\n}\n' + data("c", work=0.2))],
    "deposed": [made(chain(1, cbd="ab", names="ab") + 'resource "terraform_data" "stuck" {\n  triggers_replace = ["1"]\n  input = terraform_data.b.id\n  lifecycle {\n    create_before_destroy = true\n  }\n'
                     '  provisioner "local-exec" {\n    when    = destroy\n    command = "exit 1"\n  }\n}\n'),
                made(chain(2, cbd="ab", names="ab") + 'resource "terraform_data" "stuck" {\n  triggers_replace = ["2"]\n  input = terraform_data.b.id\n  lifecycle {\n    create_before_destroy = true\n  }\n'
                     '  provisioner "local-exec" {\n    when    = destroy\n    command = "exit 1"\n  }\n}\n'),
                made(chain(3, cbd="ab", names="ab") + 'resource "terraform_data" "stuck" {\n  triggers_replace = ["3"]\n  input = terraform_data.b.id\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n')],
    # Long enough for the program to say who waits for whom, which it does every five seconds.
    "slow": [made(data("a", work=6) + data("b", "input = terraform_data.a.id", 6) + data("c", "input = terraform_data.b.id") + data("d", "input = terraform_data.a.id"))],
    "slow-destroy": [made(data("a") + 'resource "terraform_data" "b" {\n  input = terraform_data.a.id\n  provisioner "local-exec" {\n    when    = destroy\n    command = "sleep 6"\n  }\n}\n'
                          + data("c", "input = terraform_data.b.id")), made(data("a") + 'resource "terraform_data" "b" {\n  input = terraform_data.a.id\n  provisioner "local-exec" {\n    when    = destroy\n    command = "sleep 6"\n  }\n}\n'
                          + data("c", "input = terraform_data.b.id"), ["-destroy"])],
    "slow-modules": [made({**MODULE, "m/main.tf": MODULE["m/main.tf"].replace("sleep 0.05", "sleep 6", 1)})],
    "ignored": [made(data("a", work=0.2) + data("b", 'input = "x"\nlifecycle {\n  ignore_changes = [input]\n}'))],
}


def at_random(seed):
    """Two versions of a configuration: blocks that refer to earlier ones, in modules and out of them, some replaced, gone or failing in the second."""
    chance = random.Random(seed)

    def module_text(depth, has_input):
        blocks = []
        for at in range(chance.randint(2, 4)):
            many = chance.choice([None, None, "count", "each"])
            blocks.append({"name": "r%d" % at, "many": many, "size": chance.randint(1, 3), "cbd": chance.random() < 0.25, "uses": [(chance.randrange(at), chance.choice(["id", "all", "key"])) for _ in range(
                chance.randint(0, 2)) if at], "input": has_input and chance.random() < 0.5, "depends": chance.random() < 0.2, "through": chance.random() < 0.3, "replaced": chance.random() < 0.4,
                "gone": chance.random() < 0.15, "fails": chance.random() < 0.06, "shrinks": chance.random() < 0.3})
        calls = [{"name": "m%d" % at, "many": chance.choice([None, "count", "each"]), "uses": chance.randrange(len(blocks)), "body": module_text(depth + 1, True), "depends": chance.random() < 0.2}
                 for at in range(chance.randint(0, 2) if depth < 2 else 0)]
        return {"blocks": blocks, "calls": calls, "out": chance.randrange(len(blocks))}

    def refers(block, how):
        whole = "terraform_data.%s" % block["name"]
        if block["many"] is None:
            return whole + ".id"
        if how == "key":
            return whole + ('[0].id' if block["many"] == "count" else '["k0"].id')
        return "[for each in %s : each.id]" % whole

    def written(module, version, path, files):
        text, outs = "", []
        blocks = [block for block in module["blocks"] if version == 1 or not block["gone"] or module["blocks"].index(block) == module["out"]]
        kept = {block["name"] for block in blocks}
        if path:
            text += 'variable "in" {\n  default = ""\n}\n'
        for block in blocks:
            size = 1 if version == 2 and block["shrinks"] else block["size"]
            body = ""
            if block["many"] == "count":
                body += "count = %d\n" % size
            if block["many"] == "each":
                body += "for_each = toset([%s])\n" % ", ".join('"k%d"' % at for at in range(size))
            body += 'triggers_replace = ["%d"]\n' % (version if block["replaced"] else 1)
            used = [module["blocks"][at] for at, _ in block["uses"]]
            values = [refers(other, how) for other, (_, how) in zip(used, block["uses"]) if other["name"] in kept]
            if block["input"]:
                values.append("var.in")
            if block["through"] and values:
                text += "locals {\n  l_%s = [%s]\n}\n" % (block["name"], ", ".join(values))
                values = ["local.l_" + block["name"]]
            body += "input = [%s]\n" % ", ".join(values)
            if block["depends"] and used and used[0]["name"] in kept:
                body += "depends_on = [terraform_data.%s]\n" % used[0]["name"]
            if block["cbd"]:
                body += CBD
            text += data(block["name"], body, 0.02, fails=version == 2 and block["fails"])
        for call in module["calls"]:
            body = 'source = "./%s"\n' % call["name"]
            if call["many"] == "count":
                body += "count = 2\n"
            if call["many"] == "each":
                body += 'for_each = toset(["a", "b"])\n'
            used = module["blocks"][call["uses"]]
            if used["name"] in kept:
                body += "in = jsonencode(%s)\n" % refers(used, "all")
                if call["depends"]:
                    body += "depends_on = [terraform_data.%s]\n" % used["name"]
            text += 'module "%s" {\n%s}\n' % (call["name"], "".join("  %s\n" % line for line in body.splitlines()))
            written(call["body"], version, path + call["name"] + "/", files)
            outs.append("module.%s%s.out" % (call["name"], {None: "", "count": "[0]", "each": '["a"]'}[call["many"]]))
        for at, out in enumerate(outs):
            text += data("after%d" % at, "input = " + out, 0.02)
        text += 'output "out" {\n  value = jsonencode(%s)\n}\n' % refers(module["blocks"][module["out"]], "all")
        files[path + "main.tf"] = text

    module = module_text(0, False)
    first, second = {}, {}
    written(module, 1, "", first)
    written(module, 2, "", second)
    what = seed % 5
    slots = ["-parallelism=%d" % chance.choice([2, 10])]
    if what == 0:
        return [made(first, apply=slots)]
    if what == 1:
        return [made(first), made(first, ["-destroy"], slots)]
    return [made(first), made(second, apply=slots)]


SCENARIOS = {**BY_HAND, **{"random-%02d" % seed: at_random(seed) for seed in range(40)}}
