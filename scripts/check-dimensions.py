#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what is promised of data of many dimensions on a GPU, one PASS or FAIL line each:

    scripts/check-dimensions.py PROGRAM

Times are of an H200. The moments of Ctrl+C are spread over a benchmark whose slowest launch takes more than a second. A program is
over when its output is closed: taking down a process that has used the card takes the driver another tenth of a second, as it does
after kill -9, which is measured beside it.
"""
import json
import signal
import subprocess
import sys
import time

limits = [  # N, D, K, microseconds of labels and sums
    ("2^20", 8, 16, 25),
    ("2^20", 16, 64, 100),
    ("2^20", 64, 256, 560),
    ("2^22", 32, 256, 1400),
    ("2^20", 128, 1000, 1900),
    ("2^18", 784, 256, 2100),
]
variants = "classify.general,distance.v7,fused.v4,reduce.general,reduce.sorted"
large = ("--n", "2^20", "--d", "128", "--ks", "1000")
failures = 0


def verdict(passed, what):
    global failures
    print(f"{'PASS' if passed else 'FAIL'}  {what}", flush=True)
    failures += not passed


def bench(*options):
    return [sys.argv[1], "bench", "--quiet", "--backend", "cuda", *options]


def labels_and_sums(rows):
    """The fastest pass over the points, or the fastest of each stage."""
    of = {
        stage: min((r["median_us"] for r in rows if r["stage"] == stage), default=float("inf"))
        for stage in ("classify", "reduce", "fused")
    }
    return min(of["fused"], of["classify"] + of["reduce"])


for n, d, k, limit in limits:
    ended = subprocess.run(
        bench("--points", "uniform", "--init", "random", "--n", n, "--d", str(d), "--ks", str(k), "--variants", variants, "--json", "-"),
        capture_output=True,
        text=True,
    )
    if ended.returncode != 0:
        verdict(False, f"{n} points, D = {d}, K = {k}: {ended.stderr.strip() or 'not every variant is verified'}")
        continue
    took = labels_and_sums([r for r in json.loads(ended.stdout)["results"] if r["verified"]])
    verdict(took <= limit, f"{n} points, D = {d}, K = {k}: labels and sums take {took:.1f} us, at most {limit}")

began = time.monotonic()
status = subprocess.run(bench(*large), capture_output=True).returncode
whole = time.monotonic() - began
verdict(status == 0 and whole < 60, f"all variants at 2^20 x 128, K = 1000, verified and raced in {whole:.1f} s, at most 60")


def milliseconds_to_end(after, number):
    """From the signal until the program's output is closed, and until its process is gone."""
    process = subprocess.Popen(bench(*large), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(after)
    pressed = time.monotonic()
    process.send_signal(number)
    process.stderr.read()
    closed = time.monotonic() - pressed
    process.wait()
    return 1e3 * closed, 1e3 * (time.monotonic() - pressed)


moments = [1 + whole * share for share in (0, 0.05, 0.15, 0.25, 0.35, 0.6, 0.8)]
ends = [milliseconds_to_end(moment, signal.SIGINT) for moment in moments]
_, killed = milliseconds_to_end(moments[2], signal.SIGKILL)
closed, gone = (max(each) for each in zip(*ends))
verdict(
    closed <= 100,
    f"Ctrl+C at {len(moments)} moments of it: over after {closed:.0f} ms at most, 100 wanted; the process is gone after {gone:.0f}, "
    f"and {killed:.0f} after kill -9",
)
sys.exit(failures > 0)
