#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times an iteration of cpu.v3 and of scikit-learn's KMeans in turn:  compare-sklearn.py PROGRAM [OPTIONS]

Both get the same float32 file, the same first centroids (lloydscope's k-means++), the same cores, and the same number of
iterations without any tolerance. scikit-learn reports no times, so an iteration is the difference of two calls of fit() that differ
in max_iter alone, by the number of iterations between them: set-up, the copy of the points, the last labelling and the inertia fall
out. An iteration of cpu.v3 is its stage "fused" and the update of the centroids, the median of the longer run; both write labels and
know whether any changed. The whole program's time is taken by difference, too: it holds the inertia of every iteration besides.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def arguments():
    parser = argparse.ArgumentParser(description="An iteration of cpu.v3 against one of scikit-learn.")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--n", type=int, default=1 << 20, help="points (default: 2^20)")
    parser.add_argument("--d", type=int, default=2, help="dimensions (default: 2)")
    parser.add_argument("--k", type=int, default=16, help="clusters (default: 16)")
    parser.add_argument("--rounds", type=int, default=9, help="times that each takes its turn (default: 9)")
    parser.add_argument("--few", type=int, default=2, help="iterations of the shorter run (default: 2)")
    parser.add_argument("--many", type=int, default=22, help="iterations of the longer run (default: 22)")
    parser.add_argument("--cores", help="processor numbers, as in 0,1 (default: all that there are)")
    parser.add_argument("--at-least", type=float, default=5, help="the ratio that passes (default: 5)")
    chosen = parser.parse_args()
    if chosen.few < 1 or chosen.many <= chosen.few or chosen.rounds < 1:
        parser.error("there must be a round, an iteration in the shorter run, and more in the longer one")
    chosen.program = chosen.program.resolve()
    return chosen


def bind(cores):
    """Ties this process and all that it starts to the cores, before any library counts them."""
    if cores:
        os.sched_setaffinity(0, {int(core) for core in cores.split(",")})
    count = len(os.sched_getaffinity(0))
    os.environ["OMP_NUM_THREADS"] = str(count)
    return count


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def blas():
    """What multiplies matrices for scikit-learn, which asks for one thread of it and shares out the points itself."""
    import threadpoolctl
    names = {pool["internal_api"] + " " + (pool["version"] or "") for pool in threadpoolctl.threadpool_info()
             if pool["user_api"] == "blas"}
    return ", ".join(sorted(names)) or "the reference BLAS"


class Lloydscope:
    def __init__(self, program, folder, k):
        self.program, self.folder, self.k = program, folder, k
        self.version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]

    def call(self, *options):
        command = [self.program, "run", self.folder / "points.npy", "--backend", "cpu", "--fused", "cpu.v3", "--quiet",
                   "--json", self.folder / "report.json", "--centroids-out", self.folder / "centroids.npy", *options]
        begin = time.perf_counter()
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - begin
        return json.loads((self.folder / "report.json").read_text()), seconds

    def first_centroids(self):
        self.call("--k", self.k, "--iterations", 0)
        os.replace(self.folder / "centroids.npy", self.folder / "start.npy")

    def run(self, iterations):
        """The report and the seconds of the whole program."""
        report, seconds = self.call("--init", f"file:{self.folder / 'start.npy'}", "--iterations", iterations)
        if report["iterations"] != iterations:
            sys.exit(f"cpu.v3 converged after {report['iterations']} iterations: ask for fewer, or for more points")
        return report, seconds

    @staticmethod
    def iteration(report):
        stages = {row["stage"]: row["median_us"] for row in report["timings"]}
        return stages["fused"] + stages["update"]


def fit(points, start, iterations):
    """scikit-learn's result and the seconds of fit()."""
    from sklearn.cluster import KMeans
    model = KMeans(n_clusters=len(start), init=start, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd")
    begin = time.perf_counter()
    model.fit(points)
    seconds = time.perf_counter() - begin
    if model.n_iter_ != iterations:
        sys.exit(f"scikit-learn converged after {model.n_iter_} iterations: ask for fewer, or for more points")
    return model, seconds


class Turns:
    """Seconds of the shorter and the longer run, turn by turn, and microseconds of the iterations between."""

    def __init__(self, chosen):
        self.each, self.few, self.many = 1e6 / (chosen.many - chosen.few), [], []

    def add(self, few, many):
        self.few.append(few)
        self.many.append(many)

    def median(self):
        return statistics.median(many - few for few, many in zip(self.few, self.many)) * self.each

    def least(self):
        return (min(self.many) - min(self.few)) * self.each


def main():
    chosen = arguments()
    cores = bind(chosen.cores)
    import numpy
    import sklearn
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        points = numpy.random.default_rng(1).random((chosen.n, chosen.d), dtype=numpy.float32)
        numpy.save(folder / "points.npy", points)
        lloydscope = Lloydscope(chosen.program, folder, chosen.k)
        lloydscope.first_centroids()
        start = numpy.load(folder / "start.npy")
        assert points.flags.c_contiguous and points.dtype == start.dtype == numpy.float32

        theirs, ours, program = Turns(chosen), [], Turns(chosen)
        for turn in range(chosen.rounds + 1):
            _, few_fit = fit(points, start, chosen.few)
            _, few_run = lloydscope.run(chosen.few)
            model, many_fit = fit(points, start, chosen.many)
            report, many_run = lloydscope.run(chosen.many)
            if turn > 0:  # the first warms up
                theirs.add(few_fit, many_fit)
                ours.append(lloydscope.iteration(report))
                program.add(few_run, many_run)
        found = numpy.load(folder / "centroids.npy")

    apart = float(numpy.abs(found - model.cluster_centers_).max())
    inertia_apart = abs(report["inertia"] - float(model.inertia_)) / report["inertia"]
    agree = apart <= 1e-4 and inertia_apart <= 1e-4
    ratio = theirs.median() / statistics.median(ours)

    print(f"{processor()}, {cores} {'core' if cores == 1 else 'cores'}, {report['device']['runtime']}")
    print(f"lloydscope {lloydscope.version}, scikit-learn {sklearn.__version__}, numpy {numpy.__version__}, {blas()}")
    print(f"{chosen.n:,} uniform points, D = {chosen.d}, K = {chosen.k}; {chosen.rounds} rounds of "
          f"{chosen.few} and {chosen.many} iterations\n")
    print(f"{'microseconds an iteration':<42}{'median':>12}{'least':>12}")
    for name, median, least in (("scikit-learn, KMeans(algorithm='lloyd')", theirs.median(), theirs.least()),
                                ("lloydscope, cpu.v3 and update", statistics.median(ours), min(ours)),
                                ("lloydscope, whole program with inertia", program.median(), program.least())):
        print(f"{name:<42}{median:>12,.0f}{least:>12,.0f}")
    print(f"\ncpu.v3 is {ratio:.1f} times as fast by the medians, {theirs.least() / min(ours):.1f} by the least")
    print(f"after {chosen.many} iterations: centroids at most {apart:.1e} apart, of coordinates 0 .. 1; inertia "
          f"{report['inertia']:.6g} and {float(model.inertia_):.6g} ({inertia_apart:.1e} relative)")
    print("PASS" if agree and ratio >= chosen.at_least else "FAIL: "
          + (f"less than {chosen.at_least:g} times" if agree else "the results differ"))
    return 0 if agree and ratio >= chosen.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
