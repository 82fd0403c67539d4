#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times an iteration of lloydscope and of scikit-learn's KMeans in turn:  compare-sklearn.py PROGRAM [OPTIONS]

Without --shapes: cpu.v3 on one problem. With it: whatever lloydscope takes by itself, on several problems, and Intel's extension of
scikit-learn beside it.

All get the same float32 file, the same first centroids (lloydscope's k-means++), the same cores, and the same number of
iterations without any tolerance. scikit-learn reports no times, so an iteration is the difference of two calls of fit() that differ
in max_iter alone, by the number of iterations between them: set-up, the copy of the points, the last labelling and the inertia fall
out. An iteration of lloydscope is its stages that label, sum up and update the centroids, the median of the longer run; all write
labels and know whether any changed. The whole program's time is taken by difference, too: it holds the inertia of every iteration
besides.
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


SHAPES = "2^18x16x64,2^17x64x256,2^16x128x1000,2^18x32x256"
STAGES = ("classify", "reduce", "fused", "update")


def number(text):
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent) if exponent else int(base)


def shapes(text):
    """Points, dimensions and clusters of each problem."""
    parsed = [tuple(number(part) for part in shape.split("x")) for shape in text.split(",")]
    if any(len(shape) != 3 or min(shape) < 1 for shape in parsed):
        raise ValueError(text)
    return parsed


def arguments():
    parser = argparse.ArgumentParser(description="An iteration of lloydscope against one of scikit-learn.")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--n", type=int, default=1 << 20, help="points (default: 2^20)")
    parser.add_argument("--d", type=int, default=2, help="dimensions (default: 2)")
    parser.add_argument("--k", type=int, default=16, help="clusters (default: 16)")
    parser.add_argument("--shapes", type=shapes, nargs="?", const=shapes(SHAPES), metavar="NxDxK,...",
                        help=f"problems for a table, with scikit-learn-intelex beside (without a list: {SHAPES})")
    parser.add_argument("--rounds", type=int, help="times that each takes its turn (default: 9; of shapes 5)")
    parser.add_argument("--few", type=int, default=2, help="iterations of the shorter run (default: 2)")
    parser.add_argument("--many", type=int, help="iterations of the longer run (default: 22; of shapes 8)")
    parser.add_argument("--cores", help="processor numbers, as in 0,1 (default: all that there are)")
    parser.add_argument("--at-least", type=float,
                        help="the ratio that passes (default: 5; of shapes 1, and 1.2 from 64 dimensions on)")
    chosen = parser.parse_args()
    chosen.rounds = chosen.rounds or (5 if chosen.shapes else 9)
    chosen.many = chosen.many or (8 if chosen.shapes else 22)
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
    def __init__(self, program, folder, k, options=()):
        self.program, self.folder, self.k, self.options = program, folder, k, options
        self.version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]

    def call(self, *options):
        command = [self.program, "run", self.folder / "points.npy", "--backend", "cpu", *self.options, "--quiet",
                   "--json", self.folder / "report.json", "--centroids-out", self.folder / "centroids.npy", *options]
        begin = time.perf_counter()
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - begin
        return json.loads((self.folder / "report.json").read_text()), seconds

    def first_centroids(self, how="kmeans++"):
        self.call("--k", self.k, "--iterations", 0, "--init", how)
        os.replace(self.folder / "centroids.npy", self.folder / "start.npy")

    def run(self, iterations):
        """The report and the seconds of the whole program."""
        report, seconds = self.call("--init", f"file:{self.folder / 'start.npy'}", "--iterations", iterations)
        if report["iterations"] != iterations:
            sys.exit(f"lloydscope converged after {report['iterations']} iterations: ask for fewer, or for more points")
        return report, seconds

    @staticmethod
    def iteration(report):
        return sum(row["median_us"] for row in report["timings"] if row["stage"] in STAGES)


def fit(points, start, iterations, kind=None):
    """The result of scikit-learn, or of another kind of KMeans, and the seconds of fit()."""
    from sklearn.cluster import KMeans
    model = (kind or KMeans)(n_clusters=len(start), init=start, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd")
    begin = time.perf_counter()
    model.fit(points)
    seconds = time.perf_counter() - begin
    if model.n_iter_ != iterations:
        sys.exit(f"{type(model).__module__} converged after {model.n_iter_} iterations: ask for fewer, or for more points")
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


def prepare(program, folder, shape, how, options=()):
    """Points, the first centroids and the program, of one problem."""
    import numpy
    n, d, k = shape
    points = numpy.random.default_rng(1).random((n, d), dtype=numpy.float32)
    numpy.save(folder / "points.npy", points)
    lloydscope = Lloydscope(program, folder, k, options)
    lloydscope.first_centroids(how)
    start = numpy.load(folder / "start.npy")
    assert points.flags.c_contiguous and points.dtype == start.dtype == numpy.float32
    return points, start, lloydscope


def head(chosen, report):
    cores = chosen.count
    print(f"{processor()}, {cores} {'core' if cores == 1 else 'cores'}, {report['device']['runtime']}")


def race(chosen):
    """cpu.v3 and scikit-learn on one problem."""
    import numpy
    import sklearn
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        points, start, lloydscope = prepare(chosen.program, folder, (chosen.n, chosen.d, chosen.k), "kmeans++",
                                            ("--fused", "cpu.v3"))
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

    at_least = chosen.at_least or 5
    head(chosen, report)
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
    print("PASS" if agree and ratio >= at_least else "FAIL: "
          + (f"less than {at_least:g} times" if agree else "the results differ"))
    return 0 if agree and ratio >= at_least else 1


class Problem:
    """One problem of a table: lloydscope and its peers in turn."""

    def __init__(self, chosen, shape, peers):
        self.shape, self.ours, self.turns, self.models = shape, [], {name: Turns(chosen) for name in peers}, {}
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            points, start, lloydscope = prepare(chosen.program, folder, shape, "random")
            self.version = lloydscope.version
            for turn in range(chosen.rounds + 1):
                few = {name: fit(points, start, chosen.few, kind)[1] for name, kind in peers.items()}
                self.report, _ = lloydscope.run(chosen.many)
                if turn > 0:  # the first warms up
                    self.ours.append(lloydscope.iteration(self.report))
                for name, kind in peers.items():
                    self.models[name], many = fit(points, start, chosen.many, kind)
                    if turn > 0:
                        self.turns[name].add(few[name], many)
            import numpy
            self.found = numpy.load(folder / "centroids.npy")

    def variants(self):
        """What lloydscope took by itself."""
        used = self.report["variants"]
        return used.get("fused") or f"{used['classify']} with {used['reduce']}"

    def ratio(self, name):
        return self.turns[name].least() / min(self.ours)

    def apart(self, name):
        """By how much the inertia of a peer is another, relatively, and how far its centroids are from ours, by the root mean square.

        A peer's labels have the rounding of its products. A point that it gives to the second nearest of two clusters moves both, and
        later iterations move others after them.
        """
        import numpy
        model = self.models[name]
        inertia = abs(self.report["inertia"] - float(model.inertia_)) / self.report["inertia"]
        return inertia, float(numpy.sqrt(numpy.square(self.found - model.cluster_centers_).mean()))


def table(chosen):
    """What lloydscope takes by itself, scikit-learn and its extension by Intel, on several problems."""
    import importlib.metadata
    from sklearn.cluster import KMeans
    from sklearnex.cluster import KMeans as Extended
    peers = {"scikit-learn": KMeans, "scikit-learn-intelex": Extended}
    failed, most, farthest = [], 0.0, 0.0
    for at, shape in enumerate(chosen.shapes):
        problem = Problem(chosen, shape, peers)
        n, d, k = shape
        if at == 0:
            head(chosen, problem.report)
            print(f"lloydscope {problem.version}, " + ", ".join(f"{name} {importlib.metadata.version(name)}" for name in
                                                             (*peers, "numpy")) + f", {blas()}")
            print(f"uniform points; milliseconds an iteration, the least of {chosen.rounds} rounds of {chosen.few} and "
                  f"{chosen.many} iterations (the median)\n")
            print(f"{'n':>8} {'D':>4} {'K':>5}  {'lloydscope':<26}" + "".join(f"{name:>24}{'ratio':>8}" for name in peers) +
                  f"{'required':>10}")
        required = chosen.at_least or (1.2 if d >= 64 else 1)
        line = f"{n:>8} {d:>4} {k:>5}  {min(problem.ours) / 1e3:>8.2f} ({statistics.median(problem.ours) / 1e3:.2f}) "
        line = f"{line + problem.variants():<48}"[:48]
        for name, turns in problem.turns.items():
            line += f"{turns.least() / 1e3:>13.2f} ({turns.median() / 1e3:>8.2f}){problem.ratio(name):>8.2f}"
            inertia, centroids = problem.apart(name)
            most, farthest = max(most, inertia), max(farthest, centroids)
            if not (inertia <= 1e-4 and centroids <= 3e-2):
                failed.append(f"{n} x {d} x {k}: {name} ends elsewhere, inertia {inertia:.1e} and centroids {centroids:.1e} apart")
            if not problem.ratio(name) >= required:
                failed.append(f"{n} x {d} x {k}: {problem.ratio(name):.2f} times as fast as {name}, {required:g} are required")
        print(f"{line}{required:>10g}", flush=True)
    print(f"\nafter {chosen.many} iterations: inertia at most {most:.1e} apart, relatively, and centroids {farthest:.1e}, root mean "
          "square of coordinates 0 .. 1")
    print("PASS" if not failed else "FAIL: " + "; ".join(failed))
    return 1 if failed else 0


def main():
    chosen = arguments()
    chosen.count = bind(chosen.cores)
    return table(chosen) if chosen.shapes else race(chosen)


if __name__ == "__main__":
    sys.exit(main())
