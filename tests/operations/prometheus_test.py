#!/usr/bin/python3
"""config/prometheus and config/grafana: each alert fires when it should (promtool), Grafana's own types read the dashboard, and both ask for
metrics that a daemon has."""
import json
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES, DASHBOARD = ROOT / "config/prometheus/tofud.rules.yml", ROOT / "config/grafana/dashboard.json"
CHECK = ROOT / "build/grafana/check"


def known_metrics():
    """Name to kind, of what the daemon prints."""
    text = (ROOT / "daemon/serve/operations_routes.cpp").read_text()
    return {name: kind for kind, name in re.findall(r'to\.(counter|gauge|histogram)\(\s*"(tofud_\w+)"', text)}


class Prometheus(unittest.TestCase):
    def promtool(self, *args):
        done = subprocess.run(["promtool", *args], capture_output=True, text=True, cwd=ROOT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_the_rules_are_right_and_fire_when_they_should(self):
        self.promtool("check", "rules", str(RULES))
        self.promtool("test", "rules", "tests/operations/prometheus/rules_test.yml")

    def test_each_alert_is_tested(self):
        alerts = set(re.findall(r"alert: (\w+)", RULES.read_text()))
        tested = (ROOT / "tests/operations/prometheus/rules_test.yml").read_text()
        for alert in alerts:
            self.assertRegex(tested, r"alertname: %s\n +exp_alerts:\n" % alert, "it is never seen to fire")

    def test_they_ask_for_metrics_that_there_are(self):
        known = known_metrics()
        self.assertGreater(len(known), 30)
        expressions = re.findall(r"expr: (.*)", RULES.read_text())
        for panel in json.loads(DASHBOARD.read_text())["panels"]:
            expressions += [target["expr"] for target in panel.get("targets", [])]
        self.assertGreater(len(expressions), 25)
        for expression in expressions:
            for name in re.findall(r"\btofud_\w+", expression):
                plain = re.sub(r"_bucket$", "", name) if known.get(re.sub(r"_bucket$", "", name)) == "histogram" else name
                self.assertIn(plain, known, expression)

    @unittest.skipUnless(CHECK.exists(), ".ci/grafana builds it")
    def test_grafana_reads_the_dashboard(self):
        self.assertEqual(subprocess.run([CHECK, DASHBOARD], capture_output=True, text=True).stderr, "")
        broken = json.loads(DASHBOARD.read_text())
        broken["panels"][1]["options"]["nosuch"] = 1
        path = pathlib.Path(os.environ.get("TMPDIR", "/tmp"), "tofud-broken-%d.json" % os.getpid())
        path.write_text(json.dumps(broken))
        self.addCleanup(path.unlink)
        self.assertIn("nosuch", subprocess.run([CHECK, path], capture_output=True, text=True).stderr)


if __name__ == "__main__":
    unittest.main()
