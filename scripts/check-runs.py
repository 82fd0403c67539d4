#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether "bench --compare" can be believed between separate runs of one program:

    scripts/check-runs.py PROGRAM [--pairs 200] [--planted 100] [--slower 5] [-- WORDS OF bench]

Every run is a process of its own and is held against the one before it. Nothing changes between them, so any row
that is called faster or slower is a mistake: at most 1 pair in 200. Half of the pairs run beside a busy loop. Then the
older report of each pair is made faster by --slower per cent, and the newer run must be called slower in 95 of 100.
One PASS or FAIL line each; exit status 1 when one failed.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
words.add_argument("program")
words.add_argument("--pairs", type=int, default=200, help="of runs of which nothing differs")
words.add_argument("--planted", type=int, default=100, help="pairs of which one is made slower")
words.add_argument("--slower", type=float, default=5, help="by how much, per cent")
split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
asked = words.parse_args(sys.argv[1:split])
asked.bench = sys.argv[split + 1:]
folder = tempfile.mkdtemp()


def run(name, before=None):
    """One process; its report, and how it ended."""
    report = os.path.join(folder, name)
    command = [asked.program, "bench", "--quiet", "--json", report] + asked.bench
    if before:
        command += ["--compare", before]
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if ended.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {ended.stderr}")
    with open(report, encoding="utf-8") as file:
        return report, json.load(file), ended.returncode


def made_faster(report):
    """A copy of a report whose times are less by so many per cent."""
    factor = 1 / (1 + asked.slower / 100)
    with open(report, encoding="utf-8") as file:
        changed = json.load(file)
    for row in changed["results"]:
        for key in ("median_us", "p95_us", "min_us", "iqr_us"):
            if row[key] is not None:
                row[key] *= factor
        row["samples_us"] = [us if us is None else us * factor for us in row["samples_us"] or []]
    path = report + ".faster"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(changed, file)
    return path


def equal_pairs(count, what):
    """How many pairs of runs were called different although nothing is."""
    wrong, interval = 0, []
    before, _, _ = run("first.json")
    for pair in range(count):
        now, report, status = run(f"run-{pair % 2}.json", before)
        rows = report["comparison"]["rows"]
        called = [row for row in rows if row["verdict"] in ("slower", "faster")]
        mistaken = status == 1 or any(row["verdict"] == "faster" for row in called)
        wrong += mistaken
        interval += [row["high"] - row["low"] for row in rows if row["high"] is not None and row["low"] is not None]
        if mistaken:
            print(f"      pair {pair + 1}: " + "; ".join(f"{row['variant']} {row['stage']} {row['words']}" for row in called))
        print(f"\r{pair + 1} of {count} pairs {what}, {wrong} wrong  ", end="", file=sys.stderr, flush=True)
        before = now
    print(file=sys.stderr)
    interval.sort()
    width = f", half of the intervals within {100 * interval[len(interval) // 2]:.1f} %" if interval else ""
    return wrong, width


def planted_pairs(count):
    found, rows_found, rows_all = 0, 0, 0
    before, _, _ = run("first.json")
    for pair in range(count):
        now, report, status = run(f"run-{pair % 2}.json", made_faster(before))
        rows = [row for row in report["comparison"]["rows"] if row["verdict"]]
        slower = [row for row in rows if row["worse"]]
        found += status == 1 and len(slower) > 0
        rows_found += len(slower)
        rows_all += len(rows)
        print(f"\r{pair + 1} of {count} pairs, {found} found  ", end="", file=sys.stderr, flush=True)
        before = now
    print(file=sys.stderr)
    return found, f", {rows_found} of {rows_all} rows"


failed = False


def verdict(passed, text):
    global failed
    failed = failed or not passed
    print(("PASS  " if passed else "FAIL  ") + text, flush=True)


idle, busy = asked.pairs - asked.pairs // 2, asked.pairs // 2
if idle:
    wrong, width = equal_pairs(idle, "of equal runs")
    verdict(wrong * 200 <= asked.pairs, f"equal runs are called different in {wrong} of {idle} pairs{width}")
if busy:
    loop = subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"])
    try:
        wrong, width = equal_pairs(busy, "beside a busy loop")
    finally:
        loop.kill()
    verdict(wrong * 200 <= asked.pairs, f"beside a busy loop they are in {wrong} of {busy} pairs{width}")
if asked.planted:
    found, rows = planted_pairs(asked.planted)
    verdict(found * 100 >= asked.planted * 95,
            f"a run that is slower by {asked.slower:g} % is found in {found} of {asked.planted} pairs{rows}")
sys.exit(failed)
