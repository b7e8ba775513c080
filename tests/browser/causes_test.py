#!/usr/bin/python3
"""What the page says of waiting and failing: beside the row, and whole in the detail."""
import unittest

from browsing import Browsing
from binary import ROOT, until

APPLIES = ROOT / "tests/causality/recordings"
SAID = "Object.fromEntries([...document.querySelectorAll('#resources .rows .row')].map(row => [row.dataset.addr, row.querySelector('.usual')?.textContent ?? '']))"


class Causes(Browsing):
    def test_a_row_says_what_it_is_behind_and_the_detail_all_of_it(self):
        known = "--plan", str(APPLIES / "create-fails/plan.json"), "--config", str(APPLIES / "create-fails/config")
        tofud = self.replay(str(APPLIES / "create-fails/stream.jsonl"), *known)
        page = self.open(tofud.url, "#r=terraform_data.c")
        said = until(lambda: (lambda now: now if now.get("terraform_data.c") else None)(page.value(SAID)), "rows say so")
        self.assertEqual(said, {"terraform_data.a": "", "terraform_data.b": "2 behind it", "terraform_data.c": "behind terraform_data.b",
                                "terraform_data.d": "behind terraform_data.b"})
        until(lambda: "behind terraform_data.b" in (page.value("document.querySelector('#detail')?.textContent") or ""), "the detail says so")
        (self.pictures() / "causes.png").write_bytes(page.picture(1280, 800))


if __name__ == "__main__":
    unittest.main()
