#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes every step apart, and puts what was measured into the program and the documentation:

  scripts/steps-apart.py --measure FOLDER [PROGRAM]   race all steps into FOLDER/apart.csv and FOLDER/apart.md
  scripts/steps-apart.py --take FOLDER                write them to resources/measured/apart.csv and docs/benchmarks.md

PROGRAM is a built lloydscope (default: build/release/lloydscope). --measure belongs on a machine with a GPU that does nothing else;
--take may be anywhere. The setting is that of the papers' ladder: N = 2^20, D = 1, K = 16, bands with a spread of 5, shuffled.
"""
import argparse
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
SETTING = ["--points", "bands:spread=5,order=1", "--n", "2^20", "--d", "1", "--k", "16", "--budget", "60"]
BEGIN = "<!-- apart: written by scripts/steps-apart.py -->"
END = "<!-- /apart -->"


def measure(folder, program):
    folder.mkdir(parents=True, exist_ok=True)
    return subprocess.call([program, "apart", "all", *SETTING, "--csv", folder / "apart.csv",
                            "--markdown", folder / "apart.md"])


def with_report(document, report):
    """The document with the report between its two marks."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"docs/benchmarks.md lacks {BEGIN} or {END}")
    return f"{before}{BEGIN}\n\n{report.strip()}\n\n{END}{after}"


def take(folder):
    csv = (folder / "apart.csv").read_text(encoding="utf-8")
    if not csv.startswith("step,from,device,"):
        sys.exit(f"{folder / 'apart.csv'} is no report of lloydscope apart")
    (TOP / "resources" / "measured" / "apart.csv").write_text(csv, encoding="utf-8")
    page = TOP / "docs" / "benchmarks.md"
    # The report's headings stand below the page's.
    report = (folder / "apart.md").read_text(encoding="utf-8").replace("### ", "#### ")
    page.write_text(with_report(page.read_text(encoding="utf-8"), report), encoding="utf-8")
    return 0


def main():
    parser = argparse.ArgumentParser(description="Takes every step apart.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--measure", metavar="FOLDER", type=pathlib.Path)
    what.add_argument("--take", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("program", nargs="?", default=str(TOP / "build" / "release" / "lloydscope"))
    arguments = parser.parse_args()
    return measure(arguments.measure, arguments.program) if arguments.measure else take(arguments.take)


if __name__ == "__main__":
    sys.exit(main())
