#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times whole iterations of lloydscope, flash-kmeans and torch on one GPU:  compare-flash-kmeans.py PROGRAM [OPTIONS]

Each gets the same uniform float32 points, already in the card's memory, and the same random points as centroids. A whole iteration is
labels, sums and new centroids. That of lloydscope is the sum of the medians of its stages, as its own report has them; the others are
timed by CUDA's events over each iteration, the median of as many. Labels are compared for the centroids that lloydscope's first
iteration ends with, which its labels are of.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy
import torch

DEFAULT = "2^20:8:16,2^20:16:64,2^20:64:256,2^22:32:256,2^20:128:1000,2^18:784:256"


def shape(text):
    def number(word):
        base, _, power = word.partition("^")
        return int(base) ** int(power) if power else int(base)
    n, d, k = (number(word) for word in text.split(":"))
    return n, d, k


def arguments():
    parser = argparse.ArgumentParser(description="Whole iterations of lloydscope, flash-kmeans and torch on one GPU.")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--shapes", default=DEFAULT, help=f"N:D:K, with commas between (default: {DEFAULT})")
    parser.add_argument("--rounds", type=int, default=20, help="iterations of each (default: 20)")
    return parser.parse_args()


def lloydscope(program, folder, rounds):
    """The report of all rounds, and the centroids and labels after the first."""
    def call(iterations, *more):
        subprocess.run([str(part) for part in (program, "run", folder / "points.npy", "--backend", "cuda", "--quiet",
                                               "--init", f"file:{folder / 'start.npy'}", "--iterations", iterations,
                                               "--json", folder / "report.json", *more)], check=True, stdout=subprocess.DEVNULL)
        return json.loads((folder / "report.json").read_text())
    call(1, "--labels-out", folder / "labels.npy", "--centroids-out", folder / "centroids.npy")
    report = call(rounds)
    return report, numpy.load(folder / "centroids.npy"), numpy.load(folder / "labels.npy")


def microseconds(iteration, rounds):
    """Of each of as many calls, after three that warm up; with what the first of all gave."""
    first = iteration()
    for _ in range(2):
        iteration()
    times = []
    for _ in range(rounds):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        iteration()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return statistics.median(times), first


def by_product(points, centers):
    """torch's matrix product in as many pieces as keep the scores below a gigabyte."""
    half = (centers * centers).sum(1) / 2
    piece = max(1, (1 << 28) // len(centers))

    def iteration():
        labels = torch.cat([(half - part @ centers.T).argmin(1) for part in points.split(piece)])
        sums = torch.zeros_like(centers).index_add_(0, labels, points)
        counts = torch.bincount(labels, minlength=len(centers)).clamp(min=1)
        sums /= counts[:, None]
        return labels
    return iteration


def flash(points, centers):
    from flash_kmeans.kmeans_triton_impl import _euclid_iter
    batch, start = points[None], centers[None].contiguous()
    squares = (batch * batch).sum(-1)
    return lambda: _euclid_iter(batch, squares, start)[2][0]


def main():
    chosen = arguments()
    import flash_kmeans  # noqa: F401  (fails here, and not after minutes, where it is missing)
    import triton
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, triton {triton.__version__}, whole iterations, us\n")
    print(f"{'N x D x K':<22}{'lloydscope':>11}{'flash-kmeans':>14}{'wrong':>9}{'torch fp32':>12}{'TF32':>9}{'wrong':>9}  by")
    for n, d, k in map(shape, chosen.shapes.split(",")):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            host = numpy.random.default_rng(1).random((n, d), dtype=numpy.float32)
            start = host[numpy.random.default_rng(2).choice(n, k, replace=False)]
            numpy.save(folder / "points.npy", host)
            numpy.save(folder / "start.npy", start)
            report, start, labels = lloydscope(chosen.program, folder, chosen.rounds)
        stages = {row["stage"]: row["median_us"] for row in report["timings"]}
        ours = sum(stages[stage] for stage in ("classify", "reduce", "fused", "update") if stage in stages)
        points, centers, right = (torch.from_numpy(array).cuda() for array in (host, start, labels.astype(numpy.int64)))

        def wrong(found):
            return f"{100 * float((found.long() != right).float().mean()):.3f} %"
        torch.backends.cuda.matmul.allow_tf32 = False
        full, full_labels = microseconds(by_product(points, centers), chosen.rounds)
        torch.backends.cuda.matmul.allow_tf32 = True
        short, short_labels = microseconds(by_product(points, centers), chosen.rounds)
        theirs, their_labels = microseconds(flash(points, centers), chosen.rounds)
        variants = " + ".join(row["variant"] for row in report["timings"] if row["stage"] in ("classify", "reduce", "fused", "update"))
        print(f"{f'{n} x {d} x {k}':<22}{ours:>11,.1f}{theirs:>14,.0f}{wrong(their_labels):>9}{full:>12,.0f}{short:>9,.0f}"
              f"{wrong(short_labels):>9}  {variants}; fp32 {wrong(full_labels)}", flush=True)
        del points, centers, right
        torch.cuda.empty_cache()
    return 0


if __name__ == "__main__":
    sys.exit(main())
