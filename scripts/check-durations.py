#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the times of "lloydscope bench" against a profiler's:

  check-durations.py BENCH.json NCU.csv [--within PERCENT] [--between MICROSECONDS]
  check-durations.py --metrics       what ncu is to measure, for its own --metrics

BENCH.json is the output of "lloydscope bench --json", NCU.csv that of "ncu --csv" over the same benchmark with a small
budget, or of liblloyd_kernel_times.so over the very same run. A variant's duration is the sum, over its kernels, of the median over their launches. One PASS or FAIL line a verified
classify, reduce and fused variant: the two must agree within PERCENT (default 5). Where launches follow one another in a
batch, ours is the time from one to the next, and no kernel's duration has the moment between two: ours may be longer by up
to MICROSECONDS (default 1.5) a kernel. Exit status 1 when a line failed.
"""
import argparse
import json
import pathlib
import statistics
import sys

from ncu_table import Unusable, kernels_of, launches_of, microseconds

METRICS = {"us": "gpu__time_duration.sum"}
COMPARED_STAGES = ("classify", "reduce", "fused")


def duration(variant, launches):
    """Microseconds and how many kernels; None when the profiler saw no kernel of it."""
    kernels = {}
    for name, values in kernels_of(variant, launches):
        if "us" in values:
            kernels.setdefault(name, []).append(values["us"])
    return (sum(statistics.median(us) for us in kernels.values()), len(kernels)) if kernels else None


def compare(words):
    """Prints a line a variant; the number of those that failed."""
    results = json.loads(words.bench.read_text(encoding="utf-8"))["results"]
    launches = launches_of(words.ncu, METRICS, microseconds)
    failed = compared = 0
    for row in results:
        if row["stage"] not in COMPARED_STAGES or row["skipped"] or not row["verified"]:
            continue
        compared += 1
        ours, seen = row["median_us"], duration(row["variant"], launches)
        if seen is None:
            passed, sentence = False, "the profiler saw no kernel of it"
        else:
            theirs, count = seen
            off = 100 * (ours / theirs - 1)
            passed = abs(off) <= words.within or 0 <= ours - theirs <= words.between * count
            sentence = f"{ours:,.1f} us, the profiler says {theirs:,.1f} us ({off:+.1f} %)"
        failed += not passed
        print(f"{'PASS' if passed else 'FAIL'}  {row['variant']} timed: {sentence}")
    if not compared:
        failed = 1
        print("FAIL  no variant was timed")
    return failed


def main():
    if sys.argv[1:] == ["--metrics"]:
        print(",".join(METRICS.values()))
        return
    parser = argparse.ArgumentParser(description="Holds the times of lloydscope bench against a profiler's.")
    parser.add_argument("bench", type=pathlib.Path)
    parser.add_argument("ncu", type=pathlib.Path)
    parser.add_argument("--within", type=float, default=5)
    parser.add_argument("--between", type=float, default=1.5)
    try:
        failed = compare(parser.parse_args())
    except (Unusable, OSError, ValueError, KeyError) as error:
        print(f"FAIL  times against the profiler's: {error}")
        failed = 1
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
