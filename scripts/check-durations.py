#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the times of "lloydscope bench" against a profiler's:

  check-durations.py BENCH.json KERNELS.csv [--within PERCENT]
  check-durations.py --metrics       what ncu is to measure, for its own --metrics

BENCH.json is the output of "lloydscope bench --json". KERNELS.csv is what liblloyd_kernel_times.so wrote in the very same
run, or "ncu --csv" over the same benchmark with a small budget. One PASS, FAIL or SKIP line a verified classify, reduce and
fused variant: our time and the profiler's must agree within PERCENT (default 5). Exit status 1 when a line failed.

The profiler's time of a variant is the sum, over its kernels, of the median duration of their launches. Where a sample of
ours is a batch of launches, it is the median time from the start of one launch to the start of the next: a card takes about
a microsecond from one kernel to the next, which is part of what a launch in a batch takes and of no kernel's duration. The
line says both. ncu stops between kernels and knows no such time, so with its table these variants are passed over.
"""
import argparse
import itertools
import json
import pathlib
import statistics
import sys

from ncu_table import Unusable, is_kernel_of, launches_of, microseconds

METRICS = {"us": "gpu__time_duration.sum"}
STARTS = {"start": "Start"}  # liblloyd_kernel_times.so has them, ncu has not
COMPARED_STAGES = ("classify", "reduce", "fused")


def duration(variant, launches):
    """Microseconds of the variant's kernels; None when the profiler saw none of them."""
    kernels = {}
    for name, values in launches:
        if is_kernel_of(variant, name) and "us" in values:
            kernels.setdefault(name, []).append(values["us"])
    return sum(statistics.median(us) for us in kernels.values()) if kernels else None


def start_to_start(variant, launches):
    """Microseconds from one launch of the variant to the next one when nothing else lies between; None when unknown."""
    steps = []
    for own, run in itertools.groupby(launches, lambda launch: is_kernel_of(variant, launch[0])):
        run = list(run)
        if own and all("start" in values for _, values in run):
            first = [values["start"] for name, values in run if name == run[0][0]]
            steps += [after - before for before, after in itertools.pairwise(first)]
    return statistics.median(steps) if steps else None


def line(row, launches, within):
    """How the row's line begins, and what it says."""
    ours, kernels = row["median_us"], duration(row["variant"], launches)
    if kernels is None:
        return "FAIL", "the profiler saw no kernel of it"
    if row["launches"] == 1:
        theirs, words = kernels, f"{kernels:,.1f} us"
    else:
        theirs = start_to_start(row["variant"], launches)
        if theirs is None:
            return "SKIP", "its launches follow one another in batches, and the profiler does not say when each began"
        words = f"{theirs:,.1f} us from start to start, {kernels:,.1f} us of them in kernels"
    off = 100 * (ours / theirs - 1)
    return "PASS" if abs(off) <= within else "FAIL", f"{ours:,.1f} us, the profiler says {words} ({off:+.1f} %)"


def compare(words):
    """Prints a line a variant; the number of those that failed."""
    results = json.loads(words.bench.read_text(encoding="utf-8"))["results"]
    launches = launches_of(words.kernels, METRICS | STARTS, microseconds)
    rows = [row for row in results if row["stage"] in COMPARED_STAGES and not row["skipped"] and row["verified"]]
    failed = 0
    for row in rows:
        status, sentence = line(row, launches, words.within)
        failed += status == "FAIL"
        print(f"{status}  {row['variant']} timed: {sentence}")
    if not rows:
        failed = 1
        print("FAIL  no variant was timed")
    return failed


def main():
    if sys.argv[1:] == ["--metrics"]:
        print(",".join(METRICS.values()))
        return
    parser = argparse.ArgumentParser(description="Holds the times of lloydscope bench against a profiler's.")
    parser.add_argument("bench", type=pathlib.Path)
    parser.add_argument("kernels", type=pathlib.Path)
    parser.add_argument("--within", type=float, default=5)
    try:
        failed = compare(parser.parse_args())
    except (Unusable, OSError, ValueError, KeyError) as error:
        print(f"FAIL  times against the profiler's: {error}")
        failed = 1
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
