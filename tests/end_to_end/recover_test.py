#!/usr/bin/python3
"""`tofud recover`: what killed and interrupted runs left behind, and with a real OpenTofu that its import blocks are taken.

The last needs OpenTofu: TOFUD_TOFU names it, else the one on the PATH is taken; without one it is skipped.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

from binary import PATIENCE, RECORDINGS, TOFUD, EndToEnd, recorded, recorded_path, until

SURE = re.compile(r"^(fact|candidate|unknown): ")
TOFU = os.environ.get("TOFUD_TOFU") or shutil.which("tofu")


def everything_said(document):
    """All statements of a document."""
    return document["//"]["said"] + [line for block in document.get("import", []) for line in block["//"]]


class Recover(EndToEnd):
    def setUp(self):
        super().setUp()
        self.here = pathlib.Path(self.home, "here")
        self.here.mkdir()

    def recover(self, *args, status=0, stdin=b""):
        """(stdout, stderr) in a directory of its own."""
        done = subprocess.run([TOFUD, "recover", *args, "--state-dir", self.state_dir], input=stdin, cwd=self.here,
                              capture_output=True, env=self.env(), timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done.stdout.decode(), done.stderr.decode()

    def document(self, *args, **more):
        """(document, lines on stderr); each statement in either says how sure it is."""
        out, err = self.recover(*args, **more)
        document = json.loads(out)
        lines = err.splitlines()
        self.assertEqual(lines, document["//"]["said"])
        for line in everything_said(document):
            self.assertRegex(line, SURE)
        return document, lines

    def file(self, name, text):
        path = self.here / name
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        return str(path)

    def state_file(self, *resources):
        """Of (type, name, index, id); they lie in the root module."""
        return {"version": 4, "serial": 3, "lineage": "l-1", "resources": [
            {"mode": "managed", "type": type_, "name": name,
             "instances": [{**({} if index is None else {"index_key": index}), "attributes": {"id": id_}}]}
            for type_, name, index, id_ in resources]}

    def blocks(self, document):
        return {block["to"]: block["id"] for block in document.get("import", [])}

    def about(self, lines, address):
        """[(how sure, …)] of the lines on stderr about an address."""
        return [line for line in lines if line.split(": ", 1)[1].startswith(address + ":")]

    def test_a_killed_apply_with_an_empty_state(self):
        self.file("terraform.tfstate", "")
        document, lines = self.document(recorded_path("killed-sigkill-mid-apply"))
        self.assertEqual(self.blocks(document), {
            "terraform_data.quick[0]": "ebb3e042-61ab-11dc-dd56-c51a53135536",
            "terraform_data.quick[1]": "95a14691-1e47-0eff-06fa-1a15825bf21d",
            "terraform_data.quick[2]": "57ad4178-e263-cd52-b07b-f07d26a6760a"})
        self.assertEqual(lines[0], "fact: the state is empty: terraform.tfstate has no bytes")
        self.assertIn("fact: 4 planned changes were never begun", lines)
        script = self.about(lines, "null_resource.script")
        self.assertTrue(script[0].startswith("fact: null_resource.script: exists: a provisioner of it began at 2026-11-21T05:23:38"))
        self.assertTrue(any(line.startswith("candidate:") and "tainted" in line for line in script))
        for index in (0, 1):
            self.assertEqual(len(self.about(lines, f"time_sleep.medium[{index}]")), 1)
            self.assertTrue(self.about(lines, f"time_sleep.medium[{index}]")[0].startswith("unknown: "))
        self.assertTrue(any(line.startswith("unknown: the id of the state's lock") for line in lines))

    def test_what_terraform_left_behind_is_said_of_terraform(self):
        stream = recorded("version-terraform-1.9.8")
        cut = stream[:stream.index(b"Provisioning with 'local-exec'...", stream.index(b"terraform_data.build: Creating")) + 400]
        out, err = self.recover(self.file("killed.jsonl", cut[:cut.rindex(b"\n") + 1].decode()))
        self.assertIn("Terraform would have marked it as tainted", err)
        self.assertIn("terraform force-unlock", err)
        for text in (out, err):
            self.assertNotIn("OpenTofu", text)
            self.assertNotRegex(text, r"\btofu (plan|state|force-unlock)")

    def test_the_document_names_its_source(self):
        document, _ = self.document(recorded_path("killed-sigkill-mid-apply"))
        origin = document["//"]["tofud"]
        self.assertEqual(origin["stream_sha256"], hashlib.sha256(recorded("killed-sigkill-mid-apply")).hexdigest())
        self.assertEqual(origin["state"], "terraform.tfstate")
        self.assertIn("apply_complete", document["import"][0]["//"][0])
        state = self.file("s.json", self.state_file())
        origin = self.document(recorded_path("killed-sigkill-mid-apply"), "--state", state)[0]["//"]["tofud"]
        self.assertEqual((origin["lineage"], origin["serial"]), ("l-1", "3"))

    def test_an_absent_state_is_reported(self):
        document, lines = self.document(recorded_path("killed-sigkill-mid-apply"))
        self.assertEqual(lines[0], "fact: there is no state: terraform.tfstate is not there")
        self.assertEqual(len(document["import"]), 3)

    def test_resources_in_the_state_are_not_imported(self):
        quick = ("terraform_data", "quick", 0, "ebb3e042-61ab-11dc-dd56-c51a53135536")
        script = ("null_resource", "script", None, "1")
        state = self.file("s.json", self.state_file(quick, script))
        document, lines = self.document(recorded_path("killed-sigkill-mid-apply"), "--state", state)
        self.assertEqual(sorted(self.blocks(document)), ["terraform_data.quick[1]", "terraform_data.quick[2]"])
        self.assertEqual(self.about(lines, "null_resource.script"), [])
        self.assertIn(f"fact: the state {state} has 2 objects, serial 3, lineage l-1", lines)

    def test_a_stream_that_breaks_off_within_a_line(self):
        document, lines = self.document(recorded_path("killed-sigkill-slow-reader"))
        self.assertNotIn("import", document)
        for index in range(3):
            self.assertTrue(self.about(lines, f"terraform_data.log[{index}]")[0].startswith("fact: "))

    def test_finished_runs_need_no_import(self):
        looked_at = 0
        for state in sorted(RECORDINGS.glob("*/state.json")):
            name = state.parent.name
            if name in ("interrupted-sigint-twice", "validate-output-other-json"):
                continue
            with self.subTest(name):
                document, lines = self.document(recorded_path(name), "--state", str(state))
                self.assertNotIn("import", document)
                self.assertEqual([line for line in lines if line.startswith("candidate: ") or "the id of the state's lock" in line], [])
                looked_at += 1
        self.assertGreater(looked_at, 40)

    def test_a_second_interrupt_lost_what_had_been_created(self):
        """OpenTofu ended before it had saved all that it had said."""
        state = str(RECORDINGS / "interrupted-sigint-twice" / "state.json")
        document, lines = self.document(recorded_path("interrupted-sigint-twice"), "--state", state)
        self.assertEqual(self.blocks(document), {"terraform_data.quick[0]": "0612361b-5393-93ec-2efe-38792e5452ae",
                                                 "terraform_data.quick[1]": "5fd9e272-c124-33fb-fcb4-b3051f2800e6"})
        self.assertEqual(self.about(lines, "null_resource.script"), [])
        self.assertTrue(any(line.startswith("unknown: the id of the state's lock") for line in lines))

    def test_a_replacement_whose_state_was_not_saved(self):
        name = "replace-create-before-destroy"
        before = self.file("before.json", self.state_file(("random_id", "lb", None, "5EB97w"),
                                                          ("null_resource", "node", 0, "3707342311703622683")))
        document, lines = self.document(recorded_path(name), "--state", before)
        self.assertEqual(self.blocks(document), {"random_id.lb": "aPLW0Q"})
        remove = [line for line in self.about(lines, "random_id.lb") if "tofu state rm 'random_id.lb'" in line]
        self.assertEqual(len(remove), 1)
        self.assertTrue(remove[0].startswith("fact: "))
        node = self.about(lines, "null_resource.node[0]")
        self.assertTrue(any(line.startswith("candidate: ") and "can't be imported" in line for line in node), node)

    def test_a_killed_replacement_leaves_the_old_object(self):
        lines = recorded("replace-create-before-destroy").splitlines(keepends=True)
        cut = next(i for i, line in enumerate(lines) if b'"id_value":"aPLW0Q"' in line and b"apply_complete" in line)
        stream = self.here / "cut.jsonl"
        stream.write_bytes(b"".join(lines[:cut + 1]))
        before = self.file("before.json", self.state_file(("random_id", "lb", None, "5EB97w")))
        document, said = self.document(str(stream), "--state", before)
        self.assertEqual(self.blocks(document)["random_id.lb"], "aPLW0Q")
        self.assertTrue(any("(id 5EB97w)" in line and line.startswith("fact: ") for line in self.about(said, "random_id.lb")))

    def test_deletes_that_happened_are_still_in_the_state(self):
        starts = [json.loads(line)["hook"] for line in recorded("destroy-mixed").splitlines() if b'"type":"apply_start"' in line]
        gone = [hook for hook in starts if hook["resource"]["module"] == "" and "id_value" in hook]
        self.assertGreater(len(gone), 2)
        state = self.file("s.json", self.state_file(*((h["resource"]["resource_type"], h["resource"]["resource_name"],
                                                       h["resource"]["resource_key"], h["id_value"]) for h in gone)))
        document, lines = self.document(recorded_path("destroy-mixed"), "--state", state)
        self.assertNotIn("import", document)
        for hook in gone:
            about = self.about(lines, hook["resource"]["addr"])
            self.assertRegex(about[0], "^fact: .* was deleted at .*, and the state still has it$")
            # Not of every type: some are only in the state, and are never looked for.
            self.assertRegex(about[1], "^candidate: .* the next refresh removes it")
            self.assertEqual(len(about), 2)

    def test_an_encrypted_state_is_refused_with_a_hint(self):
        self.file("terraform.tfstate", '{"serial":1,"lineage":"a","meta":{},"encrypted_data":"n9T9"}')
        _, err = self.recover(recorded_path("killed-sigkill-mid-apply"), status=2)
        self.assertIn("terraform.tfstate as a state: it is encrypted", err)
        self.assertIn("tofu show -json", err)

    def test_a_state_at_a_backend_is_asked_for(self):
        (self.here / ".terraform").mkdir()
        self.file(".terraform/terraform.tfstate", {"version": 3, "backend": {"type": "s3", "config": {"bucket": "b", "key": "k"}}})
        out, err = self.recover(recorded_path("killed-sigkill-mid-apply"), status=2)
        self.assertEqual(out, "")
        self.assertIn("backend s3 stores the state of this directory; run tofu state pull > state.json", err)
        self.document(recorded_path("killed-sigkill-mid-apply"), "--state", "-", stdin=b"")

    def test_the_state_of_the_chosen_workspace(self):
        (self.here / ".terraform").mkdir()
        self.file(".terraform/environment", "blue")
        self.assertIn("terraform.tfstate.d/blue/terraform.tfstate is not there",
                      self.document(recorded_path("killed-sigkill-mid-apply"))[1][0])

    def test_the_lock_of_a_file(self):
        self.file("terraform.tfstate", "")
        self.file(".terraform.tfstate.lock.info", {
            "ID": "fdf45504-a31c", "Operation": "OperationTypeApply", "Info": "", "Who": "root@vm", "Version": "1.12.6",
            "Created": "2026-11-21T05:23:37.8Z", "Path": "terraform.tfstate"})
        _, lines = self.document(recorded_path("killed-sigkill-mid-apply"))
        self.assertIn("fact: .terraform.tfstate.lock.info names the lock fdf45504-a31c (OperationTypeApply, root@vm, "
                      "created 2026-11-21T05:23:37.800000Z)", lines)
        self.assertTrue(any(line.startswith("candidate: this run took it") for line in lines))
        self.assertTrue(any(line.startswith("candidate: ") and "tofu force-unlock 'fdf45504-a31c'" in line for line in lines))

    def test_the_lock_that_a_later_run_met(self):
        _, lines = self.document(recorded_path("state-lock-contention", "first"), "--lock-stream",
                                 recorded_path("state-lock-contention"))
        self.assertTrue(any("names the lock b50915f1-796c-9d56-2a2e-d23be590db27" in line for line in lines))
        self.assertTrue(any(line.startswith("candidate: this run took it") for line in lines))
        _, err = self.recover(recorded_path("killed-sigkill-mid-apply"), "--lock-stream", recorded_path("plan-noop"), status=2)
        self.assertIn("has no error about a lock", err)

    def test_the_lock_that_a_later_stored_run_met(self):
        """Kept streams of the same stack are looked at; of another stack they say nothing."""
        killed = recorded("state-lock-contention", "first").splitlines(keepends=True)[:-3]
        self.run_through(b"".join(killed), "--stack", "net")
        killed = self.spool().stem
        self.run_through(recorded("state-lock-contention"), "--stack", "db")
        self.assertTrue(any(line.startswith("unknown: the id of the state's lock") for line in self.document(killed)[1]))
        self.run_through(recorded("state-lock-contention"), "--stack", "net")
        self.assertTrue(any("names the lock b50915f1-796c-9d56-2a2e-d23be590db27" in line for line in self.document(killed)[1]))

    def test_a_state_in_the_stream_is_better(self):
        dump = str(self.here / "errored.tfstate")
        document, lines = self.document(recorded_path("emergency-state-dump"), "--dump", dump)
        self.assertNotIn("import", document)
        self.assertTrue(lines[0].startswith("fact: ") and f"tofu state push '{dump}'" in lines[0], lines[0])
        self.assertEqual(json.loads(pathlib.Path(dump).read_text())["lineage"], "4d777f39-9472-ba65-d55d-3a9c27827120")
        self.assertEqual(os.stat(dump).st_mode & 0o777, 0o600)
        _, lines = self.document(recorded_path("emergency-state-dump", "errored-file"))
        self.assertIn("tofu state push errored.tfstate", lines[0])
        _, err = self.recover(recorded_path("plan-noop"), "--dump", dump, status=2)
        self.assertIn("printed no state", err)

    def test_of_several_runs_the_last_that_changed_anything(self):
        _, lines = self.document(recorded_path("pipeline-init-plan-apply-one-stream"))
        self.assertRegex(lines[0], r"^fact: the stream has \d+ runs; this is about ")

    def test_a_run_that_ended_well_without_a_state_asks_where_it_is(self):
        _, lines = self.document(recorded_path("apply-create-mixed"))
        self.assertTrue(lines[0].startswith("unknown: where the state is"), lines[0])

    def test_the_file_is_written_whole(self):
        out, _ = self.recover(recorded_path("killed-sigkill-mid-apply"), "-o", "recovered.tf.json")
        self.assertEqual(out, "")
        self.assertEqual(len(json.loads((self.here / "recovered.tf.json").read_text())["import"]), 3)

    def test_unreadable_files_are_errors(self):
        os.makedirs(self.state_dir)
        self.assertIn("no run is stored", self.recover("no-such-run", status=2)[1])
        stream = recorded_path("killed-sigkill-mid-apply")
        self.assertIn("no lock", self.recover(stream, "--lock-info", self.file("lock", "{}"), status=2)[1])
        self.assertIn("as a state: it is a plan", self.recover(stream, "--state", self.file("p", {"format_version": "1.2", "resource_changes": []}),
                                                               status=2)[1])
        self.recover(status=2)


CONFIGURATION = """
resource "terraform_data" "quick" {
  for_each = toset(["a", "b $${x} \\"q\\" \u00e9 it's"])
}

module "m" {
  source   = "./m"
  for_each = toset(["x.y[0]"])
}

resource "terraform_data" "script" {
  depends_on = [terraform_data.quick, module.m]
  provisioner "local-exec" {
    command = "touch begun; exec sleep 600"
  }
}

resource "terraform_data" "never" {
  depends_on = [terraform_data.script]
}
"""


REPLACED = """
resource "terraform_data" "a" {
  triggers_replace = %d
}

resource "terraform_data" "script" {
  triggers_replace = terraform_data.a.id
  provisioner "local-exec" {
    command = "touch begun; test ${terraform_data.a.triggers_replace} = 1 || exec sleep 600"
  }
}
"""


@unittest.skipUnless(TOFU, "needs OpenTofu: none is on the PATH, and TOFUD_TOFU names none")
class RealOpenTofu(EndToEnd):
    def tofu(self, *args):
        done = subprocess.run([TOFU, *args], cwd=self.here, env=self.tofu_env, capture_output=True, timeout=PATIENCE)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def setUp(self):
        super().setUp()
        self.here = pathlib.Path(self.home, "stack")
        (self.here / "m").mkdir(parents=True)
        (self.here / "main.tf").write_text(CONFIGURATION)
        (self.here / "m" / "main.tf").write_text('resource "terraform_data" "in" {\n  count = 2\n}\n')
        self.tofu_env = self.env(TF_CLI_CONFIG_FILE="/dev/null", CHECKPOINT_DISABLE="1")
        status, out, err = self.tofu("init", "-input=false", "-no-color")
        self.assertEqual(status, 0, out + err)

    def killed_apply(self):
        """The stream of an apply that is killed while a provisioner runs."""
        stream = self.here / "stream.jsonl"
        with open(stream, "wb") as out:
            apply = subprocess.Popen([TOFU, "apply", "-json", "-auto-approve"], cwd=self.here, env=self.tofu_env,
                                     stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, start_new_session=True)
            self.addCleanup(lambda: apply.poll() is None and apply.kill())
            self.addCleanup(self.end_group, apply.pid)
            until(lambda: (self.here / "begun").exists() or apply.poll() is not None, "the provisioner")
            self.assertIsNone(apply.poll(), stream.read_text())
            apply.kill()
            apply.wait()
        return stream

    def end_group(self, group):
        try:
            os.killpg(group, signal.SIGKILL)  # the provisioner's sleep outlives the killed tofu
        except ProcessLookupError:
            pass

    def changes(self):
        """{address: (actions, imported)} of a plan."""
        status, out, err = self.tofu("plan", "-input=false", "-no-color", "-out=next.tfplan")
        self.assertEqual(status, 0, out + err)
        status, out, err = self.tofu("show", "-json", "next.tfplan")
        self.assertEqual(status, 0, err)
        return {each["address"]: (each["change"]["actions"], "importing" in each["change"])
                for each in json.loads(out)["resource_changes"]}

    def test_a_killed_apply_is_imported_instead_of_created_again(self):
        stream = self.killed_apply()
        self.assertEqual((self.here / "terraform.tfstate").read_bytes(), b"")
        lock = json.loads((self.here / ".terraform.tfstate.lock.info").read_text())["ID"]
        done = subprocess.run([TOFUD, "recover", str(stream), "-o", "recovered.tf.json", "--state-dir", self.state_dir],
                              cwd=self.here, env=self.env(), capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        said = done.stderr.decode()
        self.assertIn(f"names the lock {lock}", said)
        self.assertIn("fact: terraform_data.script: exists: a provisioner of it began", said)
        recovered = self.here / "recovered.tf.json"
        blocks = json.loads(recovered.read_text())["import"]
        self.assertEqual(len(blocks), 4)
        # Without the blocks: everything anew.
        recovered.rename(recovered.with_suffix(".aside"))
        before = self.changes()
        self.assertEqual({each: actions for each, (actions, _) in before.items()}, {each: ["create"] for each in before})
        recovered.with_suffix(".aside").rename(recovered)
        after = self.changes()
        self.assertEqual(set(after), set(before))
        self.assertEqual({each for each, (_, imported) in after.items() if imported}, {block["to"] for block in blocks})
        self.assertEqual({each for each, (actions, _) in after.items() if "create" in actions},
                         {"terraform_data.script", "terraform_data.never"})

    def test_a_replacement_is_imported_once_the_state_gives_its_address_free(self):
        """OpenTofu passes over an import block of an address that the state has: `state rm` comes first, as is said."""
        (self.here / "main.tf").write_text(REPLACED % 1)
        self.assertEqual(self.tofu("apply", "-auto-approve")[0], 0)
        (self.here / "main.tf").write_text(REPLACED % 2)
        (self.here / "begun").unlink()
        stream = self.killed_apply()
        done = subprocess.run([TOFUD, "recover", str(stream), "-o", "recovered.tf.json", "--state-dir", self.state_dir],
                              cwd=self.here, env=self.env(), capture_output=True, timeout=PATIENCE, check=True)
        said = done.stderr.decode()
        block, = json.loads((self.here / "recovered.tf.json").read_text())["import"]
        self.assertEqual(block["to"], "terraform_data.a")
        self.assertIn("first run tofu state rm 'terraform_data.a'", said)
        self.assertFalse(self.changes()["terraform_data.a"][1])
        self.assertEqual(self.tofu("state", "rm", "terraform_data.a")[0], 0)
        self.assertTrue(self.changes()["terraform_data.a"][1])

    def test_a_document_without_blocks_is_taken(self):
        (self.here / "main.tf").write_text('resource "terraform_data" "a" {}\n')
        status, out, err = self.tofu("apply", "-json", "-auto-approve")
        self.assertEqual(status, 0, err)
        stream = self.here / "stream.jsonl"
        stream.write_text(out)
        subprocess.run([TOFUD, "recover", str(stream), "-o", "recovered.tf.json", "--state-dir", self.state_dir],
                       cwd=self.here, env=self.env(), capture_output=True, timeout=PATIENCE, check=True)
        self.assertNotIn("import", json.loads((self.here / "recovered.tf.json").read_text()))
        self.assertEqual(self.changes(), {"terraform_data.a": (["no-op"], False)})


if __name__ == "__main__":
    unittest.main()
