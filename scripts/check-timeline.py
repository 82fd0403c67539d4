#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks what a timeline of schedules shows on a GPU, one PASS or FAIL line each:
#   scripts/check-timeline.py waits TIMELINE.csv            what schedule.sync is to show
#   scripts/check-timeline.py idles TIMES.csv               the same by CUDA's own times (kernel_times.cpp, LLOYD_COPY_TIMES=1)
#   scripts/check-timeline.py covers TIMELINE.csv           what schedule.multi is to show
#   scripts/check-timeline.py times TIMELINE.csv TIMES.csv  kernels' durations against CUDA's own (kernel_times.cpp)
# The numbers are reckoned from the bars here, not taken from the program.
import collections
import csv
import re
import statistics
import sys

failures = 0
# The card's clock goes in steps of 32 ns, and medians of two runs differ by a few of them.
clock_steps_us = 0.1


def verdict(passed, what):
    global failures
    print(f"{'PASS' if passed else 'FAIL'}  {what}")
    failures += not passed


def joined(spans):
    """The spans without their overlaps."""
    whole = []
    for begin, end in sorted(spans):
        if whole and begin <= whole[-1][1]:
            whole[-1][1] = max(whole[-1][1], end)
        else:
            whole.append([begin, end])
    return whole


def length(spans):
    return sum(end - begin for begin, end in joined(spans))


def within(span, others):
    begin, end = span
    return sum(max(0.0, min(end, e) - max(begin, b)) for b, e in joined(others))


def bars_of(path):
    """Of each run its queues' bars: kind, what, set, begin and end in microseconds."""
    runs = collections.defaultdict(list)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["row"].startswith("queue"):
                runs[row["run"]].append((row["kind"], row["what"], row["set"], float(row["begin (us)"]), float(row["end (us)"])))
    return runs


def idle_share(bars, *kinds):
    """Of the time behind the first copy, the share without a bar of these kinds; of any when none is named. A copy from pageable
    memory is a bar as long as the host takes to hand it over, in most of which the card does nothing."""
    first = min((begin, end) for kind, _, _, begin, end in bars if kind == "copy up")[1]
    last = max(end for *_, end in bars)
    busy = [(max(begin, first), end) for kind, *_, begin, end in bars if end > first and (not kinds or kind in kinds)]
    return 1 - length(busy) / (last - first)


def covered_share(bars):
    """Of the copies up of all sets but the first, while a kernel of another set runs."""
    begins = {}
    for kind, _, which, begin, _ in bars:
        if kind == "copy up":
            begins[which] = min(begins.get(which, begin), begin)
    order = sorted(begins, key=begins.get)
    copied = covered = 0.0
    for kind, _, which, begin, end in bars:
        if kind == "copy up" and which in order[1:]:
            copied += end - begin
            covered += within((begin, end), [(b, e) for k, _, w, b, e in bars if k == "kernel" and w != which])
    return covered / copied


def medians(path):
    """CUDA's own: of each kernel the median duration in microseconds, by its source's name."""
    times = collections.defaultdict(list)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            found = re.search(r"(classify|reduce|update|fused)_(\w+?)(?:<|\()", row["Kernel Name"])
            if found:
                times[f"{found[1]}.{found[2]}"].append(float(row["gpu__time_duration.sum"]) / 1000)
    return {name: statistics.median(each) for name, each in times.items()}


def card_idle_shares(path):
    """By CUDA's own times: for each set the share of the time from its points, the longest copies up, to its last kernel in which
    the card does nothing: no kernel, copy or fill."""
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["ID"]]
    spans = [(row["Kernel Name"], int(row["Bytes"]), int(row["Start"]), int(row["Start"]) + int(row["gpu__time_duration.sum"]))
             for row in rows]
    longest = max(size for name, size, *_ in spans if name == "[copy up]")
    points = [i for i, (name, size, *_) in enumerate(spans) if (name, size) == ("[copy up]", longest)]
    shares = []
    for first, behind in zip(points, points[1:] + [len(spans)]):
        begin = spans[first][3]
        end = max((e for name, *_, e in spans[first + 1:behind] if not name.startswith("[")), default=begin)
        if end > begin:
            shares.append(1 - length((b, e) for *_, b, e in spans[first + 1:behind] if e <= end) / (end - begin))
    return shares


what, path, *rest = sys.argv[1:]
runs = {} if what == "idles" else bars_of(path)
if what == "times":
    own = medians(rest[0])
    for run, bars in runs.items():
        for name in sorted({what for kind, what, *_ in bars if kind == "kernel"} & own.keys()):
            here = statistics.median(end - begin for kind, what, _, begin, end in bars if (kind, what) == ("kernel", name))
            verdict(
                abs(here - own[name]) <= max(0.05 * own[name], clock_steps_us),
                f"{run}: a bar of {name} is {here:.2f} us, CUDA's own time {own[name]:.2f} us",
            )
elif what == "waits":
    bars = runs["schedule.sync"]
    verdict(
        idle_share(bars, "kernel") >= 0.5,
        f"schedule.sync: no kernel runs in {idle_share(bars, 'kernel'):.0%} of the time behind the first copy, "
        f"and nothing at all in {idle_share(bars):.0%}",
    )
elif what == "idles":
    shares = card_idle_shares(path)
    verdict(
        statistics.median(shares) >= 0.5,
        f"schedule.sync: by CUDA's own times the card does nothing in {statistics.median(shares):.0%} of the time from a set's "
        f"points to its last kernel (median of {len(shares)} sets)",
    )
else:
    covered = covered_share(runs["schedule.multi"])
    verdict(covered >= 0.9, f"schedule.multi: {covered:.0%} of the other sets' copies are covered by kernels")
sys.exit(failures > 0)
