#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the counters of "lloydscope trace" against a card's:

  check-counters.py TRACE.json NCU.csv [--card NAME] [--explained FILE] [--out FOLDER]
  check-counters.py --metrics        what ncu is to count, for its own --metrics

TRACE.json is the output of "lloydscope trace --json", NCU.csv that of "ncu --csv" (page raw or details, with or without
other lines around the table) over "lloydscope trace --backend cuda" with the same words. Needs nothing but Python.

One PASS or FAIL line a classify and reduce variant: global load requests, load sectors and store sectors must be equal,
and so must bank conflicts; a difference that FILE explains passes and is printed with its reason. With --out, what the card
did goes to FOLDER/<card>.csv, for the window to show beside what the source asks for. Exit status 1 when a line failed,
which a file that cannot be read does too.
"""
import argparse
import csv
import fnmatch
import json
import pathlib
import re
import sys

from ncu_table import Unusable, kernels_of, launches_of, whole

METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "bank_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
}
COMPARED = ("global_load_requests", "global_load_sectors", "global_store_sectors", "bank_conflicts")
COMPARED_STAGES = ("classify", "reduce")
def done_by_card(variant, launches):
    """The sums over a variant's kernels."""
    found = kernels_of(variant, launches)
    return {counter: sum(counters[counter] for _, counters in found)
            for counter in METRICS if found and all(counter in counters for _, counters in found)}


def explanations(path):
    """[(variant pattern, counter, direction, reason)]"""
    rules = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != 4 or parts[1] not in METRICS or parts[2] not in ("more", "fewer", "either") or not parts[3]:
            raise Unusable(f"{path}:{number}: expected variant | counter | more, fewer or either | reason")
        rules.append(tuple(parts))
    return rules


def reason_for(rules, variant, counter, asked, done):
    directions = ("either", "more" if done > asked else "fewer")
    return next((reason for pattern, of, direction, reason in rules
                 if of == counter and direction in directions and fnmatch.fnmatchcase(variant, pattern)), None)


def judge(row, done, rules):
    """(passed, sentence) about one variant."""
    if not done:
        return False, "the profiler saw no kernel of it"
    passed, parts = True, []
    for counter in COMPARED:
        name = counter.replace("_", " ").removeprefix("global ")
        if counter not in done:
            passed = False
            parts.append(f"{name} were not measured")
            continue
        asked, found = row["counters"][counter], done[counter]
        if asked == found:
            parts.append(f"{name} {asked:,}")
            continue
        reason = reason_for(rules, row["variant"], counter, asked, found)
        passed = passed and reason is not None
        parts.append(f"{name} {asked:,} asked, {found:,} done ({reason or 'not explained'})")
    return passed, "; ".join(parts)


def write_card(folder, card, rows, launches):
    path = folder / (re.sub(r"[^a-z0-9]+", "-", card.lower()).strip("-") + ".csv")
    counters = list(METRICS)
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["variant", "n", "d", "k", "block", *counters])
        for row in rows:
            done = done_by_card(row["variant"], launches)
            if done:
                table.writerow([row["variant"], row["n"], row["d"], row["k"], row.get("block") or "",
                                *(done.get(counter, "") for counter in counters)])
    return path


def compare(words):
    """Prints a line a variant; the number of those that failed."""
    rows = json.loads(words.trace.read_text(encoding="utf-8"))
    launches = launches_of(words.ncu, METRICS, whole)
    rules = explanations(words.explained)
    ids = [row["variant"] for row in rows]
    if len(set(ids)) != len(ids):
        raise Unusable("a variant was traced twice: give each tuning parameter one value")

    failed = 0
    judged = [row for row in rows if row["stage"] in COMPARED_STAGES]
    for row in judged:
        passed, sentence = judge(row, done_by_card(row["variant"], launches), rules)
        failed += not passed
        print(f"{'PASS' if passed else 'FAIL'}  {row['variant']} on the card: {sentence}")
    if not judged:
        failed = 1
        print("FAIL  no classify or reduce variant was traced")
    if words.out:
        print(f"      written: {write_card(words.out, words.card, rows, launches)}")
    return failed


def main():
    if sys.argv[1:] == ["--metrics"]:
        print(",".join(METRICS.values()))
        return
    parser = argparse.ArgumentParser(description="Holds the counters of lloydscope trace against a card's.")
    parser.add_argument("trace", type=pathlib.Path)
    parser.add_argument("ncu", type=pathlib.Path)
    parser.add_argument("--card", default="card")
    parser.add_argument("--explained", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    try:
        failed = compare(parser.parse_args())
    except (Unusable, OSError, ValueError, KeyError) as error:
        print(f"FAIL  counters against the card: {error}")
        failed = 1
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
