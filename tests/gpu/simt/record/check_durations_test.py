#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check-durations.py and check-ranking.py with invented reports."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[4] / "scripts"


def result(variant, us, rank=1, **other):
    return {"variant": variant, "stage": variant.split(".")[0], "n": 1 << 24, "d": 2, "k": 16, "block": 128, "items": None,
            "vector": None, "unroll": None, "arithmetic": None, "median_us": us, "rank": rank, "of_limit": 0.5,
            "verified": True, "skipped": None, "launches": 1, **other}


def table_with_starts(launches):
    rows = [["ID", "Kernel Name", "Start", "gpu__time_duration.sum"], ["", "", "ns", "ns"]]
    rows += [[i, name, start, ns] for i, (name, start, ns) in enumerate(launches)]
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows) + "\n"


def table(launches, unit="us"):
    rows = [["ID", "Kernel Name", "gpu__time_duration.sum"], ["", "", unit]]
    rows += [[i, name, us] for i, (name, us) in enumerate(launches)]
    return "\n".join(["==PROF== Connected"] + [",".join(f'"{cell}"' for cell in row) for row in rows]) + "\n"


class Checks(unittest.TestCase):
    def run_script(self, script, *texts):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for i, text in enumerate(texts):
                paths.append(pathlib.Path(folder) / str(i))
                paths[-1].write_text(text if isinstance(text, str) else json.dumps({"results": text}), encoding="utf-8")
            ran = subprocess.run([sys.executable, SCRIPTS / script, *paths], capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout

    def test_times_that_agree_pass(self):
        launches = [("classify_v1", 102), ("classify_v1", 98), ("classify_v1", 500), ("reduce_v7_first", 60), ("reduce_v7_last", 40)]
        status, said = self.run_script("check-durations.py", [result("classify.v1", 100), result("reduce.v7", 103)], table(launches))
        self.assertEqual(status, 0, said)
        self.assertEqual(said.count("PASS"), 2)
        self.assertIn("100.0 us, the profiler says 102.0 us (-2.0 %)", said)

    def test_nanoseconds_are_understood(self):
        status, said = self.run_script("check-durations.py", [result("classify.v1", 100)], table([("classify_v1", "101,000")], "ns"))
        self.assertEqual(status, 0, said)

    def test_times_that_do_not_agree_fail(self):
        status, said = self.run_script("check-durations.py", [result("classify.v1", 106)], table([("classify_v1", 100)]))
        self.assertEqual(status, 1)
        self.assertIn("FAIL  classify.v1", said)

    def test_a_batch_is_held_to_the_time_from_start_to_start(self):
        launches = [("fused_v3", 0, 13_000), ("fused_v3", 14_000, 13_000), ("other", 28_000, 10), ("fused_v3", 99_000, 13_000),
                    ("fused_v3", 113_000, 13_000)]
        for ours, expected in ((14.4, 0), (13.0, 1), (15.0, 1)):
            status, said = self.run_script("check-durations.py", [result("fused.v3", ours, launches=15)],
                                           table_with_starts(launches))
            self.assertEqual(status, expected, said)
            self.assertIn("14.0 us from start to start, 13.0 us of them in kernels", said)

    def test_a_launch_of_two_kernels_steps_from_first_to_first(self):
        launches = [("reduce_v7_first", 0, 6_000), ("reduce_v7_last", 7_000, 2_000), ("reduce_v7_first", 10_000, 6_000),
                    ("reduce_v7_last", 17_000, 2_000)]
        status, said = self.run_script("check-durations.py", [result("reduce.v7", 10.1, launches=20)], table_with_starts(launches))
        self.assertEqual(status, 0, said)
        self.assertIn("10.0 us from start to start, 8.0 us of them in kernels", said)

    def test_a_batch_cannot_be_held_to_ncu(self):
        status, said = self.run_script("check-durations.py", [result("fused.v3", 14.4, launches=15), result("classify.v1", 99)],
                                       table([("fused_v3", 13.1), ("classify_v1", 100)]))
        self.assertEqual(status, 0, said)
        self.assertIn("SKIP  fused.v3", said)
        self.assertIn("PASS  classify.v1", said)

    def test_a_kernel_that_was_not_seen_fails(self):
        status, said = self.run_script("check-durations.py", [result("classify.v1", 106)], table([("classify_v10", 106)]))
        self.assertEqual(status, 1)
        self.assertIn("saw no kernel", said)

    def test_what_was_not_verified_is_not_compared(self):
        rows = [result("classify.v1", 100), result("classify.v2", 1, verified=False), result("classify.v3", None, skipped="no")]
        status, said = self.run_script("check-durations.py", rows, table([("classify_v1", 100)]))
        self.assertEqual(status, 0, said)

    def test_equal_rankings_and_ties_pass(self):
        first = [result("classify.v1", 3, 3), result("classify.v2", 2, 1), result("classify.v3", 2, 1)]
        second = [result("classify.v1", 3, 3), result("classify.v2", 2, 2), result("classify.v3", 2, 1)]
        status, said = self.run_script("check-ranking.py", first, second)
        self.assertEqual(status, 0, said)

    def test_places_that_change_fail(self):
        status, said = self.run_script("check-ranking.py", [result("classify.v1", 1, 1), result("classify.v2", 2, 2)],
                                       [result("classify.v1", 2, 2), result("classify.v2", 1, 1)])
        self.assertEqual(status, 1)
        self.assertIn("changed places", said)

    def test_more_than_the_limit_fails(self):
        rows = [result("classify.v1", 1, 1, of_limit=1.01), result("classify.v2", 2, 2)]
        self.assertEqual(self.run_script("check-ranking.py", rows, rows)[0], 1)


if __name__ == "__main__":
    unittest.main()
