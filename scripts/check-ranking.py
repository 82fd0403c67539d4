#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds two reports of "lloydscope bench --json", of the same benchmark run twice, against each other:

  check-ranking.py FIRST.json SECOND.json

No variant may stand before another in one report and behind it in the other: those that a race cannot tell apart share a
rank, and a tie on either side contradicts nothing. Nor may any be faster than its limit. One PASS or FAIL line each; exit
status 1 when a line failed.
"""
import itertools
import json
import pathlib
import sys

SIZE = ("stage", "n", "d", "k")
NAME = ("variant", "block", "items", "vector", "unroll", "arithmetic")


def ranks_of(results):
    """{problem: {candidate: rank}} of what was ranked."""
    ranks = {}
    for row in results:
        if row["rank"]:
            ranks.setdefault(tuple(row[key] for key in SIZE), {})[tuple(row[key] for key in NAME)] = row["rank"]
    return ranks


def contradictions(first, second):
    return [f"{problem}: {a[0]} and {b[0]} have changed places"
            for problem in first.keys() & second.keys()
            for a, b in itertools.combinations(sorted(first[problem].keys() & second[problem].keys(), key=str), 2)
            if (first[problem][a] - first[problem][b]) * (second[problem][a] - second[problem][b]) < 0]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    failed = 0

    def say(wrong, what):
        nonlocal failed
        failed += bool(wrong)
        print(f"{'FAIL' if wrong else 'PASS'}  {what}" + "".join(f"\n      {line}" for line in wrong[:12]))

    try:
        reports = [json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["results"] for path in sys.argv[1:]]
        first, second = map(ranks_of, reports)
        shared = sum(len(first[problem].keys() & second[problem].keys()) for problem in first.keys() & second.keys())
        say([] if shared > 1 else ["nothing was ranked in both"], f"{shared} variants are ranked in both reports")
        say(contradictions(first, second), "two races rank alike, but for ties that they state")
        say([f"{row['variant']} {row['stage']}: {100 * row['of_limit']:.1f} %" for row in sum(reports, [])
             if row["of_limit"] is not None and not 0 < row["of_limit"] <= 1], "none is faster than its limit")
    except (OSError, ValueError, KeyError) as error:
        say([str(error)], "both are reports of bench")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
