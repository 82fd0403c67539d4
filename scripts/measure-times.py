#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what lessons and documents state of this machine's GPU, all of it in one go:

    scripts/measure-times.py PROGRAM [TABLE...]  measure all tables, or those named, and write resources/measured/
    scripts/measure-times.py                     write those tables into docs/benchmarks.md
    scripts/measure-times.py PROGRAM readme      write the table of the texts' steps into README.md, as PROGRAM lists it, which
                                                 has the tables that it was built with

ladder.csv: the papers' bands, N = 2^20, D = 1, K = 16, in memory order and shuffled; around each band they spread by 5, and
once more not at all, which is the papers' own. steps.csv, of the same races: how each version of the papers' ladders stands to
the one before, with the interval and the verdict of the race; its first lines say what the columns are. uniform.csv: uniform points, a column for each N, D and, where it is not 16,
K. schedules.csv: the Scheduling article's setting. distance.csv: many dimensions, K random points as centroids. The lessons take their figures from these tables
when they are shown, and a test holds docs/benchmarks.md against them. launch.csv: classify.v8 in every shape, the
Multi-level parallelism paper's D = 2 and K = 10; a row for a block and a number of points a thread, columns for N and the
floats a load.
"""
import datetime
import decimal
import json
import math
import os
import re
import subprocess
import sys
import time

top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
tables = os.path.join(top, "resources", "measured")

ladder = {  # column: spread, order, arithmetic, variants
    "sorted": (5, "sorted", "multiply", "classify.*,reduce.v*,reduce.general"),
    "shuffled": (5, "shuffled", "multiply", "classify.*,reduce.v*,reduce.general"),
    "sorted-pow": (5, "sorted", "pow", "classify.*"),
    "shuffled-pow": (5, "shuffled", "pow", "classify.*"),
    "sorted-equal": (0, "sorted", "multiply", "classify.*,reduce.v*,reduce.general"),
    "shuffled-equal": (0, "shuffled", "multiply", "classify.*,reduce.v*,reduce.general"),
}
uniform = [  # variants, N, D, K, the fused variant that schedules repeat
    ("classify.v7,reduce.general,update.v1,fused.*", "2^20,2^24,2^27", "1,2,3", 16, None),
    ("fused.*", "2^27", "2", 256, None),
    ("layout.*,classify.v3,classify.aos", "2^20", "3", 16, None),
    ("layout.*", "2^20,2^24", "64", 16, None),
    ("schedule.*", "2^20", "1,2,3", 16, "fused.v1"),
    ("schedule.*", "2^20", "1,2,3", 16, "fused.v3"),
]
sums = "reduce.general,reduce.columns,reduce.sorted,update.v1"
distance = [  # variants, N, D, K
    ("distance.*,classify.general", "2^18", "64", "256"),
    (f"classify.general,distance.v7,fused.v4,{sums}", "2^20", "8", "16"),
    (f"classify.general,distance.v5,distance.v6,distance.v7,fused.v4,{sums}", "2^20", "16", "64"),
    (f"classify.general,distance.v5,distance.v6,distance.v7,{sums}", "2^20", "64", "256"),
    (f"classify.general,distance.v5,distance.v6,distance.v7,{sums}", "2^22", "32", "256"),
    (f"classify.general,distance.v5,distance.v6,distance.v7,{sums}", "2^20", "128", "1000"),
    (f"classify.general,distance.v5,distance.v6,distance.v7,{sums}", "2^18", "784", "256"),
]
data_orders, data_spreads, data_skews = (0, 0.01, 0.1, 0.25, 0.5, 1), (0, 1, 2, 5), (1, 2)
launch_sizes = ("2^24", "297500")
launch_blocks, launch_items = (32, 64, 128, 256, 512, 1024), (1, 2, 4, 8, 16, 32)
launch_columns = [f"{what}-v{vector}" for what in (*launch_sizes, "registers", "occupancy") for vector in (1, 2, 4)]
whole_iteration = "the fastest of each stage, added up"
pair = ("classify.v7", "reduce.general", "update.v1")


def bench(*options):
    """The report of a run on the GPU, every result of it verified."""
    command = [sys.argv[1], "bench", "--quiet", "--backend", "cuda", *options, "--json"]
    began = time.monotonic()
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    print(f"{time.monotonic() - began:6.1f} s  {' '.join(options)}", file=sys.stderr, flush=True)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)}: {ended.stderr}")
    found = json.loads(ended.stdout)
    for row in found["results"]:
        if row["median_us"] is not None and row["verified"] is not True:
            sys.exit(f"{row['variant']} is not verified: {row}")
    return found


def write(name, device, columns, rows):
    with open(os.path.join(tables, name), "w", encoding="utf-8") as out:
        out.write(f"# {device}, {datetime.date.today()}; microseconds, written by scripts/measure-times.py\n")
        out.write("variant," + ",".join(columns) + "\n")
        for variant, row in rows.items():
            cells = [f"{row[column]:.4g}" if row.get(column) is not None else "" for column in columns]
            out.write(",".join([variant] + cells) + "\n")


def name_of(device):
    return f"{device['name']}, driver {device['driver']}, CUDA {device['runtime']}"


def steps_of(found, case):
    """The rows of steps.csv that a race gives."""
    rows = []
    for step in (step for race in found["races"] for step in race["steps"]):
        here = step["here"]
        if None not in (here["ratio"], here["low"], here["high"]):
            rows.append([step["variant"], step["before"], case, here["pairs"], f"{here['ratio']:.5g}", f"{here['low']:.5g}",
                         f"{here['high']:.5g}", here["same_within"], here["verdict"]])
    return rows


def write_steps(device, rows):
    with open(os.path.join(tables, "steps.csv"), "w", encoding="utf-8") as out:
        out.write(f"# {device}, {datetime.date.today()}; written by scripts/measure-times.py, of the races of ladder.csv\n")
        out.write("# ratio: time of the variant over that of before, the median over the rounds; low and high: its interval; pairs: how\n"
                  "# many rounds; same_within: what the verdict calls the same; points: the column of ladder.csv.\n")
        out.write("variant,before,points,pairs,ratio,low,high,same_within,verdict\n")
        for row in rows:
            out.write(",".join(map(str, row)) + "\n")


def measure_ladder():
    rows, steps, device = {}, [], ""
    for case, (spread, order, arithmetic, variants) in ladder.items():
        found = bench("--variants", variants, "--n", "2^20", "--d", "1", "--ks", "16", "--points",
                      f"bands:spread={spread},order={order}", "--arithmetic", arithmetic)
        device = name_of(found["device"])
        steps += steps_of(found, case)
        for row in found["results"]:
            known = row["median_us"] is not None
            if known and row["arithmetic"] in (None, arithmetic) and not (arithmetic == "pow" and row["arithmetic"] is None):
                rows.setdefault(row["variant"], {"block": row["block"]})[case] = row["median_us"]
    write("ladder.csv", device, ["block", *ladder], rows)
    write_steps(device, steps)


def measure_uniform():
    rows, device, columns = {}, "", []
    for variants, n, d, k, fused in uniform:
        found = bench("--variants", variants, "--n", n, "--d", d, "--ks", str(k), "--points", "uniform:",
                      *(["--fused", fused] if fused else []))
        device = name_of(found["device"])
        for row in found["results"]:
            if row["median_us"] is None or row["stage"] in ("order", "labels"):
                continue
            column = f"2^{int(math.log2(row['n']))}-{row['d']}" + ("" if k == 16 else f"-{k}")
            columns += [column] if column not in columns else []
            rows.setdefault(row["variant"] + (f"+{fused}" if fused else ""), {})[column] = row["median_us"]
    rows[" + ".join(pair)] = {column: sum(rows[part][column] for part in pair) for column in columns
                              if all(column in rows[part] for part in pair)}
    write("uniform.csv", device, columns, rows)


def measure_distance():
    rows, device, columns = {}, "", []
    for variants, n, d, k in distance:
        found = bench("--variants", variants, "--n", n, "--d", d, "--ks", k, "--points", "uniform:", "--init", "random")
        device = name_of(found["device"])
        for row in found["results"]:
            if row["median_us"] is None:
                continue
            column = f"2^{int(math.log2(row['n']))}-{row['d']}-{row['k']}"
            columns += [column] if column not in columns else []
            rows.setdefault(row["variant"], {})[column] = row["median_us"]
    write("distance.csv", device, columns, rows)


def measure_schedules():
    found = bench("--preset", "scheduling")
    rows = {row["variant"]: {"iteration": row["median_us"]} for row in found["results"] if row["stage"] == "sets"}
    write("schedules.csv", name_of(found["device"]), ["iteration"], rows)


def launch_rows(found, rows):
    """Times, registers and occupancy of the shapes that a report has. Refused shapes have none."""
    for row in found["results"]:
        if row["median_us"] is None:
            continue
        name = f"{row['variant']}+{row['block']}" + (f"+{row['items']}" if row["items"] else "")
        vector = f"v{row['vector'] or 1}"
        size = f"2^{int(math.log2(row['n']))}" if row["n"] & (row["n"] - 1) == 0 else str(row["n"])
        rows.setdefault(name, {}).update({f"{size}-{vector}": row["median_us"], f"registers-{vector}": row["registers"],
                                          f"occupancy-{vector}": 100 * row["occupancy"]})


def measure_launch():
    rows, device = {}, ""
    for n in launch_sizes:
        shapes = bench("--variants", "classify.v8", "--block", "32:1024", "--items", "1:32", "--vector", "1,2,4", "--n", n,
                       "--d", "2", "--ks", "10")
        launch_rows(shapes, rows)
        launch_rows(bench("--variants", "classify.early", "--n", n, "--d", "2", "--ks", "10"), rows)
        device = name_of(shapes["device"])
    write("launch.csv", device, launch_columns, rows)


def measure_data():
    """Reductions over the order and the spread of the papers' bands, and over the skew of their sizes."""
    rows, device, columns = {}, "", []
    cases = [(order, spread, 0) for spread in data_spreads for order in data_orders] + [(0, 5, skew) for skew in data_skews]
    for order, spread, skew in cases:
        found = bench("--variants", "reduce.v*,reduce.general", "--n", "2^20", "--d", "1", "--ks", "16", "--points",
                      f"bands:spread={spread},order={order},skew={skew}", "--budget", "4")
        device = name_of(found["device"])
        column = f"order{order:g}-spread{spread:g}" + (f"-skew{skew:g}" if skew else "")
        columns.append(column.replace(".", "_"))
        for row in found["results"]:
            rows.setdefault(row["variant"] + "+data", {})[columns[-1]] = row["median_us"]
    write("data.csv", device, columns, rows)


def read(name):
    with open(os.path.join(tables, name), encoding="utf-8") as file:
        first, *lines = [line.rstrip("\n") for line in file]
    header = lines[0].split(",")[1:]
    return first, {line.split(",")[0]: dict(zip(header, line.split(",")[1:])) for line in lines[1:]}


def shown(cell):
    """Three significant digits, as the program writes them."""
    if not cell:
        return "–"
    exact = decimal.Decimal(float(cell))
    value = float(exact.quantize(decimal.Decimal(1).scaleb(exact.adjusted() - 2), decimal.ROUND_HALF_UP))
    return f"{value:,.{max(0, 2 - math.floor(math.log10(value)))}f}"


def launch_cell(row, vector):
    """Microseconds and occupancy of a shape: "106 (50 %)"."""
    us, occupancy = row.get(f"2^24-v{vector}"), row.get(f"occupancy-v{vector}")
    return f"{shown(us)} ({float(occupancy):.3g} %)" if us else "–"


def fastest(rows, column):
    """Of a problem with many dimensions: a whole iteration by the fastest variants, in one pass or by stages."""
    def of(*families):
        return min((float(row[column]) for name, row in rows.items() if name.startswith(families) and row.get(column)),
                   default=math.inf)
    if not rows["update.v1"].get(column):
        return ""
    return min(of("fused"), of("classify", "distance") + of("reduce")) + of("update")


def document():
    """The rows of the document's tables anew; the papers' times stay."""
    path = os.path.join(top, "docs", "benchmarks.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    _, rows = read("ladder.csv")
    for variant, row in rows.items():
        cells = [row["block"]] + [shown(row[case]) for case in ladder]
        text = re.sub(rf"^\| {re.escape(variant)} \| ([^|]*) \|(?:[^|\n]*\|){{{len(cells)}}}$",
                      lambda old: f"| {variant} | {old[1]} | " + " | ".join(cells) + " |", text, flags=re.M)
    _, rows = read("uniform.csv")
    columns = [f"2^{n}-{d}" for n in (20, 24, 27) for d in (1, 2, 3)]
    for name in (" + ".join(pair), "fused.v1", "fused.v2", "fused.v3", "schedule.graph+fused.v3"):
        cells = [shown(rows[name][column]) for column in columns]
        text = re.sub(rf"^\| {re.escape(name)} \|(?:[^|\n]*\|){{9}}$", f"| {name} | " + " | ".join(cells) + " |", text, flags=re.M)
    for name in ("fused.v1", "fused.v2", "fused.v3"):
        text = re.sub(rf"^\| {re.escape(name)}, K = 256[^|]*\|[^|]*\|$",
                      f"| {name}, K = 256, D = 2, 2^27 points | {shown(rows[name]['2^27-2-256'])} |", text, flags=re.M)
    _, rows = read("distance.csv")
    columns = list(next(iter(rows.values())))
    rows[whole_iteration] = {column: str(fastest(rows, column)) for column in columns}
    for name, row in rows.items():
        cells = [shown(row.get(column)) for column in columns]
        text = re.sub(rf"^\| {re.escape(name)} \|(?:[^|\n]*\|){{{len(columns)}}}$", f"| {name} | " + " | ".join(cells) + " |", text, flags=re.M)
    _, rows = read("launch.csv")
    for block, vector in ((block, vector) for block in launch_blocks for vector in (1, 2, 4)):
        cells = [launch_cell(rows.get(f"classify.v8+{block}+{items}", {}), vector) for items in launch_items]
        text = re.sub(rf"^\| block {block}, vector {vector} \|(?:[^|\n]*\|){{6}}$",
                      f"| block {block}, vector {vector} | " + " | ".join(cells) + " |", text, flags=re.M)
    _, rows = read("data.csv")
    tables = {"spread 5": [f"order{order:g}-spread5".replace(".", "_") for order in data_orders],
              "sorted": [f"order0-spread{spread:g}" for spread in data_spreads] + [f"order0-spread5-skew{skew:g}" for skew in data_skews]}
    for name, row in rows.items():
        for what, columns in tables.items():
            variant = name.removesuffix("+data")
            text = re.sub(rf"^\| {re.escape(variant)}, {what} \|(?:[^|\n]*\|){{{len(columns)}}}$",
                          f"| {variant}, {what} | " + " | ".join(shown(row[column]) for column in columns) + " |", text, flags=re.M)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    _, rows = read("schedules.csv")
    for path in (path, os.path.join(top, "README.md")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for variant, row in rows.items():
            text = re.sub(rf"^\| {re.escape(variant)} \| ([^|]*) \|[^|\n]*\|$",
                          lambda old: f"| {variant} | {old[1]} | {shown(row['iteration'])} |", text, flags=re.M)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def readme():
    """The rows of README.md's table of steps anew, in the words of the program."""
    listed = json.loads(subprocess.run([sys.argv[1], "list", "steps", "--json"], stdout=subprocess.PIPE, check=True).stdout)
    path = os.path.join(top, "README.md")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for step in listed:
        cells = step["cells"]
        text = re.sub(rf"^\| {re.escape(cells[0])} \|[^\n]*\|$", "| " + " | ".join(cells) + " |", text, flags=re.M)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


measures = {"ladder": measure_ladder, "uniform": measure_uniform, "schedules": measure_schedules, "distance": measure_distance,
            "launch": measure_launch, "data": measure_data}
if len(sys.argv) == 1:
    document()
elif sys.argv[2:] == ["readme"]:
    readme()
elif sys.argv[1].startswith("-") or not measures.keys() >= set(sys.argv[2:]):
    sys.exit(__doc__)
else:
    for table in sys.argv[2:] or measures:
        measures[table]()
