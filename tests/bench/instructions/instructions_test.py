#!/usr/bin/env python3
"""The comparison of instruction counts notices what it should."""

import unittest

from instructions import compare, counts_in

DUMP = """version: 1
desc: Trigger: Client Request: addition_delivered_to_six 256
events: Ir
summary: 18446744073709044527

totals: 2560
"""


class Counts(unittest.TestCase):
    def test_a_dump_has_the_path_and_its_total_for_each_time(self):
        self.assertEqual(counts_in([DUMP, "desc: Trigger: Program termination\ntotals: 0\n"]),
                         {"addition_delivered_to_six": 10})


class Comparisons(unittest.TestCase):
    def test_a_path_may_grow_by_five_per_cent(self):
        self.assertEqual(compare({"a": 1000}, {"a": 1050})[1], [])

    def test_one_that_grows_more_is_named_with_its_growth(self):
        wrong = compare({"a": 1000, "b": 1000}, {"a": 1051, "b": 1000})[1]
        self.assertEqual(wrong, ["a takes 5.1% more instructions than recorded: 1,051 instead of 1,000"])

    def test_one_that_shrinks_is_no_failure_and_worth_recording(self):
        lines, wrong = compare({"a": 1000}, {"a": 500})
        self.assertEqual(wrong, [])
        self.assertIn("-50.0%  record this", lines[1])

    def test_paths_that_only_one_side_has_are_failures(self):
        self.assertEqual(compare({"a": 1}, {"b": 1})[1], ["a is recorded, and was not counted", "b is not recorded"])


if __name__ == "__main__":
    unittest.main()
