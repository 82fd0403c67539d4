#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the warps of every CUDA variant wait for, as Nsight Compute counts it on this machine's GPU:

    scripts/warp-waits.py [--write FOLDER] PROGRAM   measure, print a line a variant; --write: FOLDER/<card>.csv
    scripts/warp-waits.py --check TABLE PROGRAM      measure, and hold TABLE's against it: one PASS or FAIL line a variant

PROGRAM is lloydscope; ncu must be on this machine. A variant's row is that of its kernel which takes longest, launched once
with the variant's own parameters, caches warm, in each of some runs, whose medians the figures are. us: time under the profiler. occupancy: warps that live on a multiprocessor, %
of what it holds. ipc: instructions a cycle of a multiprocessor. issue: % of the cycles in which a scheduler issues. Reasons:
cycles that a warp spends so for each instruction it issues; latency is what all of them add up to, counted apart.
"""
import argparse
import csv
import datetime
import fnmatch
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from ncu_table import MICROSECONDS, Unusable, is_kernel_of, launches_of

PLAIN = {
    "registers": "launch__registers_per_thread",
    "block": "launch__block_size",
    "occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "ipc": "sm__inst_executed.avg.per_cycle_active",
    "issue": "smsp__issue_active.avg.pct_of_peak_sustained_active",
}
BYTES = {
    "shared_static": "launch__shared_mem_per_block_static",
    "shared_dynamic": "launch__shared_mem_per_block_dynamic",
    "local_loads": "smsp__sass_data_bytes_mem_local_op_ld.sum",
    "local_stores": "smsp__sass_data_bytes_mem_local_op_st.sum",
}
TIME = "gpu__time_duration.sum"
LATENCY = "smsp__average_warp_latency_per_inst_issued.ratio"
# In the order of the table: those that the papers or the profiler's own guide name first.
REASONS = ("long_scoreboard", "short_scoreboard", "barrier", "wait", "mio_throttle", "lg_throttle", "math_pipe_throttle",
           "not_selected", "selected", "no_instruction", "branch_resolving", "dispatch_stall", "drain", "gmma", "imc_miss",
           "membar", "misc", "sleeping", "tex_throttle")
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
COLUMNS = ("variant", "arithmetic", "n", "d", "k", "block", "kernel", "us", "registers", "local_bytes", "shared_bytes", "occupancy",
           "ipc", "issue", "latency", *REASONS)
# variants, arithmetic, the points, and the clusters. The ladders run on the papers' bands, which spread by 5.
SETTINGS = (
    ("classify.v*,classify.aos,classify.early,classify.outside,reduce.v*,reduce.general", "multiply", "bands:spread=5", 2**20, 1, 16,
     "bands"),
    # Of fewer points they take so little time that what the profiler counts in different launches does not add up.
    ("classify.general", "multiply", "bands:spread=5", 2**22, 1, 16, "bands"),
    ("classify.v[1-6],classify.aos,classify.outside", "pow", "bands:spread=5", 2**20, 1, 16, "bands"),
    ("fused.v1,fused.v2", "multiply", "uniform:", 2**24, 2, 16, "random"),
    ("fused.v3", "multiply", "uniform:", 2**26, 2, 16, "random"),
    ("fused.v4", "multiply", "uniform:", 2**20, 16, 64, "random"),
    ("layout.*", "multiply", "uniform:", 2**20, 64, 16, "random"),
    ("distance.*", "multiply", "uniform:", 2**18, 64, 256, "random"),
    ("reduce.columns,reduce.sorted", "multiply", "uniform:", 2**20, 64, 256, "random"),
)
SUM_WITHIN = 0.02      # reasons against latency
# The profiler counts by several launches. One that finds a cache of constants or instructions empty differs from the others, which
# a mean of runs would have a part of and their median has not.
RUNS = 3
MOST_RUNS = 9          # where reasons do not add up: of launches of some microseconds the difference is larger
LIKE = 0.15            # a reason against the shipped table's, of the latency


def find_profiler():
    places = [shutil.which("ncu"), "/usr/local/cuda/bin/ncu", *map(str, pathlib.Path("/opt/nvidia/nsight-compute").glob("*/ncu"))]
    for place in places:
        if place and os.access(place, os.X_OK):
            return place
    raise Unusable("ncu (Nsight Compute) is not on this machine")


def value(text, unit, metric):
    """In bytes and microseconds, or as it is."""
    number = float(text.replace(",", "") or "nan")
    if metric == TIME:
        return number * MICROSECONDS[unit.lower()]
    scale = {"kbyte": 1e3, "mbyte": 1e6, "gbyte": 1e9}.get(unit.lower().split("/")[0], 1)
    return number * scale


def kernel_name(found):
    """The name with its template arguments alone: "void lloyd::<unnamed>::f<1u, (lloyd::A)0>(float const *)" is f<1; 0>."""
    parts = re.search(r"(\w+)(<(?:[^()]|\([^()]*\))*>)?\(", found)
    if not parts:
        return found.replace(",", ";")
    arguments = re.sub(r"\([^()]*\)", "", parts[2] or "")
    return parts[1] + re.sub(r"\b(\d+)u\b", r"\1", arguments).replace(",", ";")


def variants(program):
    """The ids of all, in the program's order."""
    said = subprocess.run([program, "list", "variants", "--json"], capture_output=True, text=True, check=True).stdout
    return [variant["id"] for variant in json.loads(said)]


def measure(program, profiler, setting, ids):
    """A row for each of the ids that the setting names."""
    pattern, arithmetic, points, n, d, k, init = setting
    metrics = {"us": TIME, "latency": LATENCY, **PLAIN, **BYTES, **{reason: STALL.format(reason) for reason in REASONS}}
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder, "ncu.csv")
        # The profiler brings its own libraries: those of the program's desktop are for the program alone.
        environment = {name: held for name, held in os.environ.items() if name != "LD_LIBRARY_PATH"} | {"LC_ALL": "C"}
        command = [profiler, "--target-processes", "all", "--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw",
                   "--log-file", str(table), "--metrics", ",".join(metrics.values()),
                   "env", "LD_LIBRARY_PATH=" + os.environ.get("LD_LIBRARY_PATH", ""), program, "trace", "--backend", "cuda", "--quiet",
                   "--variants", pattern, *(["--arithmetic", arithmetic] if arithmetic != "multiply" else []), "--points", points, "--n", str(n), "--d", str(d), "--k", str(k),
                   "--init", init]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            raise Unusable(f"{' '.join(command)}: {ended.stderr or ended.stdout}")
        launches = launches_of(table, metrics, value)
    rows = []
    for variant in (one for one in ids if any(fnmatch.fnmatchcase(one, part) for part in pattern.split(","))):
        kernels = [launch for launch in launches if is_kernel_of(variant, launch[0])]
        if not kernels:
            continue
        name, found = max(kernels, key=lambda kernel: kernel[1]["us"])
        row = {"variant": variant, "arithmetic": arithmetic, "n": n, "d": d, "k": k, "kernel": kernel_name(name),
               "local_bytes": found.get("local_loads", 0) + found.get("local_stores", 0),
               "shared_bytes": found["shared_static"] + found["shared_dynamic"], **found}
        rows.append({column: row.get(column, 0) for column in COLUMNS})
    return rows


def middle(runs):
    """The rows of equal runs as one."""
    def of(cells):
        return statistics.median(cells) if isinstance(cells[0], float) else cells[0]
    return [{column: of([run[at][column] for run in runs]) for column in COLUMNS} for at in range(min(map(len, runs)))]


def off(row):
    """By which part of the latency its reasons miss it."""
    return abs(sum(row[reason] for reason in REASONS) / row["latency"] - 1)


def measured(program, profiler, setting, ids):
    """The medians of some runs, and of more where the reasons do not add up."""
    runs = [measure(program, profiler, setting, ids) for _ in range(RUNS)]
    while len(runs) < MOST_RUNS and not all(off(row) <= SUM_WITHIN for row in middle(runs)):
        runs.append(measure(program, profiler, setting, ids))
    return middle(runs)


def told(row):
    """The reasons that take at least a twentieth, the longest first."""
    parts = sorted(((row[reason] / row["latency"], reason) for reason in REASONS), reverse=True)
    return ", ".join(f"{reason} {share:.0%}" for share, reason in parts if share >= 0.05)


def key(row):
    return row["variant"], row["arithmetic"]


def shown(cell):
    return f"{cell:.4g}" if isinstance(cell, float) and cell < 1e4 else f"{cell:.0f}" if isinstance(cell, float) else str(cell)


def write(folder, rows, card, versions):
    path = folder / (re.sub(r"[^a-z0-9]+", "-", card.lower()).strip("-") + ".csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"# {card}, {versions}, {datetime.date.today()}; written by scripts/warp-waits.py\n")
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows([shown(row[column]) for column in COLUMNS] for row in rows)
    return path


def check(path, rows):
    """A line a variant of the table: its reasons may differ by a part of the latency."""
    with path.open(encoding="utf-8") as file:
        shipped = {key(row): row for row in csv.DictReader(line for line in file if not line.startswith("#"))}
    failed = 0
    for row in rows:
        old = shipped.pop(key(row), None)
        worst, reason = 1.0, "the table lacks it"
        if old:
            worst, reason = max((abs(row[one] / row["latency"] - float(old[one]) / float(old["latency"])), one) for one in REASONS)
        passed = worst <= LIKE
        failed += not passed
        print(f"{'PASS' if passed else 'FAIL'}  {row['variant']} ({row['arithmetic']}) waits as shipped: {reason}, {worst:.1%} of its "
              f"latency apart; {told(row)}")
    for variant, arithmetic in shipped:
        failed += 1
        print(f"FAIL  {variant} ({arithmetic}) is in {path.name} and was not measured")
    return failed


def main():
    parser = argparse.ArgumentParser(description="What the warps of every CUDA variant wait for.")
    parser.add_argument("program", type=lambda path: os.path.abspath(path))
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    words = parser.parse_args()
    try:
        profiler = find_profiler()
        ids = variants(words.program)
        rows = [row for setting in SETTINGS for row in measured(words.program, profiler, setting, ids)]
        failed = 0
        for row in rows:
            if not off(row) <= SUM_WITHIN:
                failed += 1
                print(f"FAIL  {row['variant']} ({row['arithmetic']}): its reasons miss its latency by {off(row):.1%}")
        if words.check:
            failed += check(words.check, rows)
        else:
            for row in rows:
                print(f"{row['variant']:16} {row['arithmetic']:8} {row['us']:9.1f} us  {told(row)}")
        if words.write:
            said = subprocess.run([words.program, "list", "devices", "--json"], capture_output=True, text=True, check=True).stdout
            card = json.loads(said)["devices"][0]["name"]
            version = re.search(r"Version ([\d.]+)", subprocess.run([profiler, "--version"], capture_output=True, text=True, check=True).stdout)
            print(f"written: {write(words.write, rows, card, f'Nsight Compute {version[1]}')}")
    except (Unusable, OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        print(f"FAIL  what warps wait for: {error}")
        failed = 1
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
