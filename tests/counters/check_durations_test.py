#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check-durations.py and check-ranking.py with invented reports."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"


def result(variant, us, rank=1, **other):
    return {"variant": variant, "stage": variant.split(".")[0], "n": 1 << 24, "d": 2, "k": 16, "block": 128, "items": None,
            "vector": None, "unroll": None, "arithmetic": None, "median_us": us, "rank": rank, "of_limit": 0.5,
            "verified": True, "skipped": None, **other}


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

    def test_short_kernels_have_a_moment_between_two(self):
        status, said = self.run_script("check-durations.py", [result("fused.v3", 14.4)], table([("fused_v3", 13.1)]))
        self.assertEqual(status, 0, said)
        for ours in (14.7, 12.0):  # more than a moment, and less than the kernel
            status, said = self.run_script("check-durations.py", [result("fused.v3", ours)], table([("fused_v3", 13.1)]))
            self.assertEqual(status, 1, said)

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
