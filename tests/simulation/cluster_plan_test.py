#!/usr/bin/python3
"""The plan of many daemons: it grows with what it has to bear, and says what breaks."""
import unittest

import cluster_plan
from cluster_plan import COSTS, Region


class Plan(unittest.TestCase):
    small = Region(runs=200, screens=20_000, appends=1.0, cards=200.0)

    def test_more_of_anything_needs_no_fewer_daemons(self):
        base = cluster_plan.fewest(self.small, COSTS)
        for grow in ({"runs": 2000}, {"screens": 200_000}, {"appends": 10.0}, {"cards": 10_000.0}):
            self.assertGreater(cluster_plan.fewest(self.small._replace(**grow), COSTS), base, grow)

    def test_it_names_what_breaks(self):
        self.assertIn("connections", cluster_plan.why_not(self.small._replace(screens=200_000), 2, COSTS))
        self.assertIn("limits.live_runs", cluster_plan.why_not(self.small._replace(runs=5000), 2, COSTS))
        self.assertIn("cards of all runs", cluster_plan.why_not(self.small._replace(cards=50_000.0), 50, COSTS))
        self.assertEqual(cluster_plan.why_not(self.small, cluster_plan.fewest(self.small, COSTS), COSTS), "")

    def test_the_same_seed_is_the_same_minute(self):
        self.assertEqual(cluster_plan.simulate(self.small, 3, COSTS), cluster_plan.simulate(self.small, 3, COSTS))


if __name__ == "__main__":
    unittest.main()
