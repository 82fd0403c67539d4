#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the papers' ladder on this machine's GPU, all of it in one go:

    scripts/measure-ladder.py PROGRAM [--out resources/measured/ladder.csv]     measure, and write the table
    scripts/measure-ladder.py --document                                        write it into docs/benchmarks.md

Points are the papers' bands, N = 2^20, D = 1, K = 16, in memory order and shuffled; around each band they spread by 5, and
once more not at all, which is the papers' own. The lessons take their figures from that table when they are shown, and a
test holds docs/benchmarks.md against it.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
words.add_argument("program", nargs="?")
words.add_argument("--out", default=os.path.join(top, "resources", "measured", "ladder.csv"))
words.add_argument("--document", action="store_true")
asked = words.parse_args()

cases = {  # column: spread, order, arithmetic, variants
    "sorted": (5, "sorted", "multiply", "classify.*,reduce.*"),
    "shuffled": (5, "shuffled", "multiply", "classify.*,reduce.*"),
    "sorted-pow": (5, "sorted", "pow", "classify.*"),
    "shuffled-pow": (5, "shuffled", "pow", "classify.*"),
    "sorted-equal": (0, "sorted", "multiply", "reduce.*"),
    "shuffled-equal": (0, "shuffled", "multiply", "reduce.*"),
}


def document():
    """The rows of the document's table anew; the papers' times stay."""
    path = os.path.join(top, "docs", "benchmarks.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(asked.out, encoding="utf-8") as file:
        lines = [line.strip().split(",") for line in file if not line.startswith("#")]
    for row in lines[1:]:
        shown = [f"{float(cell):#.3g}".rstrip(".") if cell else "–" for cell in row[2:]]
        text = re.sub(rf"^\| {re.escape(row[0])} \| ([^|]*) \|.*$",
                      lambda old: f"| {row[0]} | {old[1]} | " + " | ".join([row[1]] + shown) + " |", text, flags=re.M)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if asked.document:
    sys.exit(document())
rows, device, date = {}, "", ""
for case, (spread, order, arithmetic, variants) in cases.items():
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [asked.program, "bench", "--quiet", "--backend", "cuda", "--variants", variants, "--n", "2^20", "--d", "1",
                   "--ks", "16", "--points", f"bands:spread={spread},order={order}", "--arithmetic", arithmetic, "--json",
                   report.name]
        ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if ended.returncode != 0:
            sys.exit(f"{' '.join(command)}: {ended.stderr}")
        report.seek(0)
        found = json.load(report)
    card = found["device"]
    device, date = f"{card['name']}, driver {card['driver']}, CUDA {card['runtime']}", found["date"][:10]
    for row in found["results"]:
        if row["median_us"] is None or row.get("arithmetic") not in (None, arithmetic):
            continue
        if arithmetic == "pow" and row.get("arithmetic") is None:
            continue
        if row["verified"] is not True:
            sys.exit(f"{row['variant']} is not verified: {row}")
        at = rows.setdefault(row["variant"], {"block": row["block"]})
        at[case] = row["median_us"]

with open(asked.out, "w", encoding="utf-8") as out:
    out.write(f"# {device}, {date}; microseconds, written by scripts/measure-ladder.py\n")
    out.write("variant,block," + ",".join(cases) + "\n")
    for variant, row in rows.items():
        out.write(",".join([variant, str(row["block"])] + [f"{row[case]:.4g}" if case in row else "" for case in cases]) + "\n")
