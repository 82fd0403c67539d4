#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares lloydscope with the reference results:  check-reference.py PROGRAM BACKEND REFERENCE_FOLDER DATA_FOLDER

Needs nothing but Python. Centroids within 1e-4 relative, sizes and labels equal except where two distances tie within
rounding, inertia within 1e-5 relative, the same number of iterations where the run converges.
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def close(found, wanted, tolerance):
    return abs(found - wanted) <= tolerance * max(abs(wanted), 1e-12)


def compare(program, backend, reference, data):
    wanted = json.loads(reference.read_text())
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        start = folder / "start.csv"
        start.write_text("\n".join(",".join(repr(x) for x in row) for row in wanted["initial_centroids"]) + "\n")
        command = [program, "run", data / wanted["source"], "--columns", ",".join(wanted["columns"]), "--init",
                   f"file:{start}", "--backend", backend, "--quiet", "--json", folder / "out.json", "--labels-out",
                   folder / "labels.csv", "--iterations", str(wanted["iterations"])]
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
        found = json.loads((folder / "out.json").read_text())
        labels = [int(line) for line in (folder / "labels.csv").read_text().split() if line.lstrip("-").isdigit()]
    wrong = []
    if found["iterations"] != wanted["iterations"]:
        wrong.append(f"iterations {found['iterations']} instead of {wanted['iterations']}")
    if found["sizes"] != wanted["sizes"]:
        wrong.append(f"sizes {found['sizes']} instead of {wanted['sizes']}")
    if labels != wanted["labels"]:
        different = sum(a != b for a, b in zip(labels, wanted["labels"]))
        wrong.append(f"{different} of {len(wanted['labels'])} labels differ")
    if not close(found["inertia"], wanted["inertia"], 1e-5):
        wrong.append(f"inertia {found['inertia']} instead of {wanted['inertia']}")
    for row, wanted_row in zip(found["centroids"], wanted["centroids"]):
        if not all(close(a, b, 1e-4) for a, b in zip(row, wanted_row)):
            wrong.append(f"centroid {row} instead of {wanted_row}")
    print(f"{reference.name} on {backend}: {'; '.join(wrong) if wrong else 'equal'}")
    return not wrong


def main():
    program, backend, references, data = sys.argv[1:5]
    results = [compare(program, backend, path, pathlib.Path(data)) for path in sorted(pathlib.Path(references).glob("*.json"))]
    sys.exit(0 if results and all(results) else 1)


main()
