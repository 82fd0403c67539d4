# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of "ncu --csv", page raw or details, with or without other lines around them."""
import csv
import re

PLAIN_UNITS = {"", "request", "requests", "sector", "sectors"}
MICROSECONDS = {"ns": 1e-3, "nsecond": 1e-3, "us": 1.0, "usecond": 1.0, "ms": 1e3, "msecond": 1e3}


class Unusable(Exception):
    """A sentence about what is wrong with the files."""


def whole(text, unit, metric):
    """A count. ncu groups digits by commas, and may scale large numbers unless told not to."""
    if unit.lower() not in PLAIN_UNITS:
        raise Unusable(f"{metric} is in units of '{unit}': run ncu with --print-units base")
    value = float(text.replace(",", ""))
    if value != int(value):
        raise Unusable(f"{metric} is {text}, which is no count")
    return int(value)


def microseconds(text, unit, metric):
    if unit.lower() not in MICROSECONDS:
        raise Unusable(f"{metric} is in units of '{unit}', which is no time")
    return float(text.replace(",", "")) * MICROSECONDS[unit.lower()]


def launches_of(path, metrics, read):
    """[(kernel name, {name: value})], one a launch, in their order. metrics maps our names to ncu's; read(text, unit,
    metric) makes a value."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise Unusable(f"{path} holds no table of ncu; it ends with: {lines[-1] if lines else 'nothing'}")
    rows = list(csv.DictReader(line for line in lines[start:] if line.startswith('"')))
    launches = {}
    if rows and "Metric Name" in rows[0]:  # page details: a row a metric
        for row in rows:
            launch = launches.setdefault(row["ID"], (row["Kernel Name"], {}))
            for name, metric in metrics.items():
                if row["Metric Name"] == metric:
                    launch[1][name] = read(row["Metric Value"], row["Metric Unit"], metric)
        return list(launches.values())
    units = rows.pop(0) if rows and not rows[0]["ID"] else {}  # page raw: a row a launch, the first one holds the units
    return [(row["Kernel Name"],
             {name: read(row[metric], units.get(metric, ""), metric) for name, metric in metrics.items() if metric in row})
            for row in rows]


def is_kernel_of(variant, kernel):
    """Whether a kernel is one of a variant's, which are named after it: reduce.v1 is reduce_v1, or begins with reduce_v1_."""
    return re.search(r"(?<!\w)" + re.escape(variant.replace(".", "_")) + r"(?![0-9A-Za-z])", kernel) is not None


def kernels_of(variant, launches):
    """The launches of a variant's kernels."""
    return [(name, values) for name, values in launches if is_kernel_of(variant, name)]
