"""Secrets of every usual kind, planted in every field that can carry text.

Before each secret stands a mark that says which secret and which field it is. An output that shows the mark shows the field: there the secret
has to be masked. Nothing here is real, and what has a known shape is written in pieces, so that no scanner of repositories takes it for real."""
import base64
import html
import json
import os
import pathlib
import sys
import textwrap
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "growth"))
import many  # noqa: E402


def key_text(title, body="b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz", more=""):
    seeded = base64.b64encode(bytes((ord(c) * 7 + i) % 256 for i, c in enumerate(title * 8)))[:64].decode()
    return "-----BEGIN %s-----\n%s%s\n%s\nc2hvcnQrZW5k%s==\n-----END %s-----\n" % (title, more, body[:64], seeded, seeded[:10], title)


def long_lines(text):
    """The lines that hold the key: the first and last are the same in every key."""
    return [line for line in text.splitlines() if len(line) >= 8 and not line.startswith("-----") and ": " not in line]


class Kind:
    """A kind of secret. `text` is what is printed, `hidden` what of it nobody is to see, `environment`, `mask` and `arguments` how tofud is told."""

    def __init__(self, name, hidden, text=None, environment=None, mask=None, arguments=(), told_by=None):
        self.name, self.environment, self.mask, self.arguments = name, environment or {}, mask, arguments
        self.told_by = told_by or ("command" if arguments else None)
        self.hidden = hidden if isinstance(hidden, list) else [hidden]
        self.text = self.hidden[0] if text is None else text
        # What is known only by its looks is not known in base64 or percent-encoded.
        self.by_shape = not (self.environment or mask or arguments or told_by)

    def forms(self):
        """How it may be written."""
        found = set()
        for value in self.hidden:
            plain = json.dumps(value, ensure_ascii=False)[1:-1]
            found |= {value, plain, json.dumps(value)[1:-1], html.escape(value), html.escape(value, quote=False), html.escape(value).replace("&#x27;", "&#39;"),
                      json.dumps(plain, ensure_ascii=False)[1:-1], value.replace('"', '""')}
            if not self.by_shape:
                found |= {urllib.parse.quote(value, safe=""), urllib.parse.quote_plus(value), base64.b64encode(value.encode()).decode()}
        return found


SSH = key_text("OPENSSH PRIVATE KEY")
IN_JSON = json.dumps({"type": "service_account", "project_id": "p", "private_key": key_text("PRIVATE KEY", "TUlJRXZRSUJBREFOQmdrcWhraUc5dzBCQVFFRkFBU0NCS2N3Z2dTakFnRUFBb0lC")})


def in_file(text):
    """Text that the environment names the file of: the test writes it."""
    return {"file": text}


KINDS = [
    # Named like secrets in the environment.
    Kind("password", 'corr"ect \\ hörse/battery', environment={"DB_PASSWORD": 'corr"ect \\ hörse/battery'}),
    Kind("variable", "tf-var-api-value-01", environment={"TF_VAR_api_token": "tf-var-api-value-01"}),
    Kind("variable in JSON", "in-json-value-02", environment={"TF_VAR_database": '{"user": "ada", "password": "in-json-value-02"}'}),
    Kind("variable in HCL", "in-hcl-value-03", environment={"TF_VAR_cluster": '{ user = "ada", admin = { password = "in-hcl-value-03" } }'}),
    Kind("variable that is a list", "in-list-value-04", environment={"TF_VAR_secrets": '["in-list-value-04", "in-list-value-05"]'}),
    Kind("-var", "dash-var-value-06", environment={"TF_CLI_ARGS_apply": "-var db_password=dash-var-value-06"}),
    Kind("-backend-config", "backend-value-07", environment={"TF_CLI_ARGS_init": "'-backend-config=secret_key=backend-value-07'"}),
    Kind("-backend-config of a URL", "conn-str-value-08",
         environment={"TF_CLI_ARGS_plan": "-backend-config=conn_str=postgres://tofu:conn-str-value-08@db/state -input=false"}),
    Kind("URL", ["url%2Dpass%21word", "url-pass!word"], environment={"DATABASE_URL": "postgres://app:url%2Dpass%21word@db:5432/app"}),
    Kind("AWS", "wJalrXUtnFEMI+K7MDENG+bPxRfiCYzzzzzzzzzz", environment={"AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI+K7MDENG+bPxRfiCYzzzzzzzzzz"}),
    Kind("Azure", "Kx8~client.secret_09", environment={"ARM_CLIENT_SECRET": "Kx8~client.secret_09"}),
    Kind("Vault's secret id", "5c1b1f0e-aaaa-bbbb-cccc-0123456789ab", environment={"VAULT_SECRET_ID": "5c1b1f0e-aaaa-bbbb-cccc-0123456789ab"}),
    Kind("registry", "registry-token-value-10", environment={"TF_TOKEN_registry_example_com": "registry-token-value-10"}),
    Kind("encryption of the state", "state-passphrase-11",
         environment={"TF_ENCRYPTION": 'key_provider "pbkdf2" "k" {\n  passphrase = "state-passphrase-11"\n}\n'}),
    Kind("SSH", "sshpass-value-12", environment={"SSHPASS": "sshpass-value-12"}),
    Kind("number", "98765432", environment={"PIN_SECRET": "98765432"}),
    Kind("SSH key", long_lines(SSH), SSH, environment={"TF_VAR_ssh_private_key": SSH}),
    Kind("Google's credentials in a file", long_lines(json.loads(IN_JSON)["private_key"]), json.loads(IN_JSON)["private_key"],
         environment={"GOOGLE_APPLICATION_CREDENTIALS": in_file(IN_JSON)}),
    Kind("Docker", "ZG9ja2VyOmRvY2tlci1wdy0xMw==", environment={"DOCKER_AUTH_CONFIG": '{"auths": {"r.example": {"auth": "ZG9ja2VyOmRvY2tlci1wdy0xMw=="}}}'}),
    Kind("connection string", "Endpoint=sb://x/;Key=conn-14", environment={"AZURE_STORAGE_CONNECTION_STRING": "Endpoint=sb://x/;Key=conn-14"}),
    # In the mask file.
    Kind("mask file", "value from the mask file", mask="value from the mask file"),
    Kind("named in the mask file", "AnotherMaskedValue", mask="NAMED=AnotherMaskedValue"),
    # Sensitive in a plan, or called so by a schema.
    Kind("sensitive in the plan", "marked-in-the-plan-15", told_by="plan"),
    Kind("sensitive in the schema", "marked-in-the-schema-16", told_by="schema"),
    Kind("sensitive variable", "marked-variable-17", told_by="variable"),
    # On the command line of OpenTofu.
    Kind("-var of the command", "typed-variable-20", arguments=("-var", "admin_password=typed-variable-20")),
    Kind("-backend-config of the command", "typed-backend-21", arguments=("-backend-config=secret_key=typed-backend-21",)),
    Kind("-var of the command, in HCL", "typed-in-hcl-22", arguments=("-var", 'cluster={ admin = { password = "typed-in-hcl-22" } }')),
    # Known by their looks.
    Kind("AWS key id", "AK" + "IAIOSFODNN7EXAMPLE"),
    Kind("AWS secret key", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    Kind("GitHub", "gh" + "p_0123456789abcdef0123456789abcdefABCD"),
    Kind("GitHub, fine-grained", "github" + "_pat_11ABCDEFG0abcdefghijkl_0123456789abcdef"),
    Kind("GitLab", "gl" + "pat-abcdefghij0123456789"),
    Kind("Slack", "xo" + "xb-123456789012-abcdefghijkl"),
    Kind("Slack's webhook", "T00000000/B00000000/abcdefghijklmnop12345678", "https://hooks.slack.com/" + "services/T00000000/B00000000/abcdefghijklmnop12345678"),
    Kind("Google's API key", "AI" + "zaSyA-0123456789abcdefghijklmnopqrs_X"),
    Kind("Google's OAuth token", "ya29" + ".a0AfH6SMBx0123456789abcdefghijklmnopqrstuvwxyz"),
    Kind("JWT", "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4fwpMeJf36POk"),
    Kind("Azure account key", "Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZg==",
         "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZg=="),
    Kind("Azure signature", "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH%3D", "https://a.blob.example/c?sv=1&sig=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH%3D"),
    Kind("password in a URL", "in-the-url-18", "https://bot:in-the-url-18@git.example/x"),
    Kind("Vault", "hv" + "s.abcdefghij0123456789abcd"),
    Kind("HCP Terraform", "abcdefghijklmn.atlas" + "v1.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ"),
    Kind("npm", "np" + "m_0123456789abcdefghijklmnopqrstuvwxyz"),
    Kind("PyPI", "py" + "pi-AgEIcHlwaS5vcmcCJDAxMjM0NTY3ODlhYmNkZWYtMDEyMy00NTY3"),
    Kind("Docker Hub", "dckr" + "_pat_abcdefghijklmnopqrstuvwxy_Z"),
    Kind("Stripe", "sk" + "_live_abcdefghij0123456789"),
    Kind("SendGrid", "SG" + ".abcdefghijklmnopqrstuv.0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"),
    Kind("Grafana", "glsa" + "_abcdefghijklmnopqrstuvwxyzABCDEF_01234567"),
    Kind("DigitalOcean", "do" + "p_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
    Kind("tofud", "tofud" + "_01234567_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
    Kind("Bearer", "abcdefghijklmnop0123456789~x", "authorization: Bearer abcdefghijklmnop0123456789~x"),
    Kind("Basic", "dXNlcjpiYXNpYy1wYXNzd29yZC0xOQ==", "> Authorization: Basic dXNlcjpiYXNpYy1wYXNzd29yZC0xOQ=="),
    Kind("age", "AGE-SECRET" + "-KEY-1QQPQQLPDJ0TXLE7U5K4GJSUNYJ5P2VWHM8TM6XVRS95EWJXDAG3SQF3X4A"),
    Kind("WireGuard", "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=", "PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk="),
    *(Kind(title, long_lines(key_text(title, more=more)), key_text(title, more=more)) for title, more in (
        ("RSA PRIVATE KEY", ""), ("EC PRIVATE KEY", ""), ("PRIVATE KEY", ""), ("ENCRYPTED PRIVATE KEY", ""), ("PGP PRIVATE KEY BLOCK", "Version: GnuPG v2\n\n"))),
    Kind("key in base64", base64.b64encode(key_text("RSA PRIVATE KEY", "Q0FFU0FBRUFBb0lCQVFEUWhnYnI0cVg2WkpsN0h5Y1ZXb0g5a3ZkMlpxTjNKeVdB").encode()).decode()),
]
BY_NUMBER = dict(enumerate(KINDS))


def mark(field, number):
    return "Q%02dF%sQ" % (number, field)


def environment(directory):
    """What says which values are secret, and the files that are named there."""
    found = {}
    for kind in KINDS:
        for name, value in kind.environment.items():
            if isinstance(value, dict):
                path = pathlib.Path(directory, name.lower() + ".json")
                path.write_text(value["file"])
                value = str(path)
            found[name] = value
    return found


def mask_file(path):
    pathlib.Path(path).write_text("# secrets of the tests\n" + "".join(kind.mask + "\n" for kind in KINDS if kind.mask))


# ---- every field -------------------------------------------------------------------------------

# Words of the protocol, which nobody's text can be.
WORDS = {"type", "action", "status", "reason", "severity", "progress", "operation", "mode", "ui", "@level", "@module", "@timestamp", "Msg"}
# Left out altogether by redaction: a mark in there is never seen.
LEFT_OUT = {"test_plan", "test_state"}


def leaves(value, path=()):
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, (*path, name))
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from leaves(each, (*path, i))
    elif isinstance(value, str):
        yield path


def replaced(value, path, text):
    if not path:
        return text
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], text)
    return copy


def samples():
    """One message of each type, with a text in every field that may have one."""
    found = many.samples()
    found[None] = {**many.HEAD}
    found["diagnostic"]["diagnostic"]["snippet"]["values"] = [{"traversal": "var.x", "statement": "is \"x\""}]
    found["outputs"]["outputs"] = {"o": {"sensitive": False, "type": ["object", {"a": "string"}], "value": {"a": "x", "b": ["x"]}}}
    found["output"]["value"]["sensitive"] = False
    found["log"]["state"] = {"version": 4, "resources": ["x"]}
    for hook in ("refresh_start", "apply_start", "apply_complete"):
        found[hook]["hook"]["resource"]["resource_key"] = "k"
    return found


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def fields():
    """name: what writes the lines of that field with a text in it."""
    found = {}
    numbers = iter("%03d" % n for n in range(1000))
    for kind, sample in samples().items():
        for path in leaves(sample):
            if path[0] in WORDS or path[-1] in WORDS and path[-2:] != ("value", "type") or path[0] in LEFT_OUT:
                continue

            def write(text, sample=sample, path=path):
                if path[-1] in ("addr", "address", "resource", "instance"):
                    text = "a_b.c[%s]" % quoted(text)
                return [replaced(sample, path, text)]
            found[next(numbers)] = ("%s %s" % (kind or "untyped", ".".join(map(str, path))), write)
    found[next(numbers)] = ("name of an output", lambda text: [{**many.HEAD, "type": "outputs", "outputs": {text: {"sensitive": False, "type": "string", "value": "v"}}}])
    found[next(numbers)] = ("key in an output", lambda text: [{**many.HEAD, "type": "outputs", "outputs": {
        "deep": {"sensitive": False, "type": ["map", "string"], "value": {text: "v"}}}}])
    found[next(numbers)] = ("name of a test file", lambda text: [{**many.HEAD, "type": "test_abstract", "test_abstract": {text: ["r"]}}])
    found[next(numbers)] = ("unknown type", lambda text: [{**many.HEAD, "type": "news_of_tomorrow", "news": {"deep": [text]}}])
    found[next(numbers)] = ("log of a provider", lambda text: [{"@level": "trace", "@module": "provider", "@message": text, "password": text}])
    # As docker, kubectl and curl write them.
    found[next(numbers)] = ("JSON that a program printed", lambda text: printed(json.dumps({"password": text})))
    found[next(numbers)] = ("JSON in JSON that a program printed", lambda text: printed(json.dumps(json.dumps({"password": text}))))
    found[next(numbers)] = ("program's colours", lambda text: printed(*("\x1b[31m%s\x1b[0m" % line for line in text.split("\n"))))
    found[next(numbers)] = ("line a program printed", lambda text: printed(*text.split("\n")))
    found[next(numbers)] = ("text", lambda text: text.split("\n"))
    return found


def printed(*lines):
    sample = {**many.HEAD, "type": "provision_progress", "hook": {"resource": many.resource(1), "provisioner": "local-exec"}}
    return [{**sample, "hook": {**sample["hook"], "output": line}} for line in lines]


FIELDS = fields()


def as_lines(things):
    return b"".join((thing if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False)).encode() + b"\n" for thing in things)


def stream(kinds=None):
    """Every secret in every field, as an apply that fails would print them."""
    numbers = range(len(KINDS)) if kinds is None else kinds
    lines = [many.VERSION, many.line("apply_start", hook={"resource": many.resource(1), "action": "create"}),
             many.line("provision_start", hook={"resource": many.resource(1), "provisioner": "local-exec"})]
    ends = []  # what ends a command stands last
    for field, (name, write) in FIELDS.items():
        for number in numbers:
            text = as_lines(write(mark(field, number) + " " + KINDS[number].text))
            (ends if name.startswith(("change_summary", "outputs", "test_summary", "name of an output", "key in")) else lines).append(text)
    return b"".join(lines + ends)


# ---- what is attached --------------------------------------------------------------------------


def of_document(place, number):
    # What a plan calls sensitive in one place and not in another is seen anyway, and hidden nowhere.
    return mark("d" + place, number) + " " + ("plain" if KINDS[number].told_by else KINDS[number].text)


def plan(with_marked=True):
    """A plan with every secret as value, key of a map, key of an instance, variable and output; what it marks is also in the stream."""
    changes, variables, outputs = [], {}, {}
    for number, kind in enumerate(KINDS):
        text = of_document
        after = {"open": text("v", number), "hidden": None, "map": {text("k", number): "v", "e": [text("e", number)]}}
        sensitive = {}
        if kind.told_by == "plan" and with_marked:
            after["password"], sensitive["password"] = kind.text, True
        if kind.told_by == "schema" and with_marked:
            after["hidden"] = kind.text
        changes.append({"address": "a_b.p[%s]" % quoted(text("a", number)), "mode": "managed", "type": "a_b", "name": "p", "index": text("a", number),
                        "provider_name": "x/y/a", "change": {"actions": ["update"], "before": {**after, "open": "before", "map": {}}, "after": after,
                                                             "after_unknown": {}, "before_sensitive": sensitive, "after_sensitive": sensitive}})
        variables["v%d" % number] = {"value": text("w", number)}
        outputs["o%d" % number] = {"actions": ["create"], "before": None, "after": text("o", number), "after_unknown": False, "before_sensitive": False,
                                   "after_sensitive": False}
    configured = {"root_module": {"variables": {"v%d" % number: {} for number in range(len(KINDS))}}}
    for number, kind in enumerate(KINDS):
        if kind.told_by == "variable":
            variables["marked"] = {"value": kind.text}
            configured["root_module"]["variables"]["marked"] = {"sensitive": True}
    return {"format_version": "1.2", "terraform_version": "1.12.6", "variables": variables, "planned_values": {"root_module": {}},
            "resource_changes": changes, "output_changes": outputs, "configuration": configured}


def schemas():
    """With every secret in a description."""
    described = {"d%d" % number: {"type": "string", "optional": True, "description": of_document("s", number)} for number in range(len(KINDS))}
    attributes = {"open": {"type": "string", "optional": True}, "password": {"type": "string", "optional": True},
                  "hidden": {"type": "string", "optional": True, "sensitive": True}, "map": {"type": "dynamic", "optional": True}, **described}
    return {"format_version": "1.0", "provider_schemas": {"x/y/a": {"resource_schemas": {"a_b": {"version": 1, "block": {"attributes": attributes}}}}}}


def configuration():
    blocks = []
    for number in range(len(KINDS)):
        text = json.dumps(of_document("c", number), ensure_ascii=False).replace("${", "$${").replace("%{", "%%{")
        blocks.append('resource "a_b" "c%d" {\n  open = %s\n  provisioner "local-exec" {\n    command = %s\n  }\n}\n' % (number, text, text))
    return "".join(blocks)
