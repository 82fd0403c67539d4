#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether everything is where a newcomer looks for it:  scripts/check-structure.py [FOLDER]

One line for each breach, exit status 1 when there is one:
  - folders that include one another in a circle, with the includes that close it
  - a folder with more than 34 sources directly in it
  - a .cpp without a header of its own, unless HEADERLESS has the reason
  - Qt or app/ included from gpu/, app/ui from app/model, anything of app/ above it from app/text and app/data
  - a test that docs/testing.md names as FILE::FUNCTION and that is not there
"""
import collections
import pathlib
import re
import sys

SOURCE = re.compile(r"\.(cpp|hpp|cu|cuh)$")
INCLUDE = re.compile(r'^\s*#include\s+(["<])([^">]+)[">]', re.MULTILINE)
MOST = 34

# Sources that need no header of their own, and why.
HEADERLESS = [
    (r"^app/main\.cpp$", "main"),
    (r"^app/cli/\w+_command\.cpp$", "a subcommand of commands.hpp"),
    (r"^gpu/kernels/", "a variant registers itself"),
    (r"_absent\.cpp$", "what a build without CUDA has instead"),
    (r"^gpu/interop/registered_points\.cpp$", "the alternative of registered_points_absent.cpp"),
]

# From a folder to what it must not include.
FORBIDDEN = [
    (r"^gpu/", r"^(Q[A-Z]|app/)"),
    (r"^app/text/", r"^app/(model|render|ui|cli)/"),
    (r"^app/plot/", r"^(app/(model|render|ui|cli)/|QWidget)"),
    (r"^app/data/", r"^app/(text|model|render|ui|cli)/"),
    (r"^app/model/", r"^(app/(render|ui|cli)/|QWidget)"),
    (r"^app/render/", r"^app/(text|model|data|ui|cli)/"),
    (r"^app/ui/", r"^app/cli/"),
]


def sources(top):
    for room in ("app", "gpu"):
        for path in sorted((top / room).rglob("*")):
            if SOURCE.search(path.name):
                yield path.relative_to(top).as_posix(), path.read_text(encoding="utf-8")


def folder_of(path):
    return path.rpartition("/")[0]


def circles(edges):
    """The sets of folders that reach one another, by Tarjan's algorithm."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def breaches(top):
    edges = collections.defaultdict(dict)
    count = collections.Counter()
    for path, text in sources(top):
        folder = folder_of(path)
        count[folder] += 1
        if path.endswith(".cpp") and not (top / path).with_suffix(".hpp").exists():
            if not any(re.search(pattern, path) for pattern, _ in HEADERLESS):
                yield f"{path}: has no header of its own"
        for kind, included in INCLUDE.findall(text):
            for where, what in FORBIDDEN:
                if re.search(where, path) and re.search(what, included):
                    yield f"{path}: includes {included}, which lies above it"
            other = folder_of(included)
            if kind == '"' and other != folder and other.startswith(("app", "gpu")):
                edges[folder].setdefault(other, f"{path} includes {included}")
    for folder, sources_there in sorted(count.items()):
        if sources_there > MOST:
            yield f"{folder}: holds {sources_there} sources; {MOST} are the most"
    for circle in circles(edges):
        steps = [edges[a][b] for a in circle for b in circle if b in edges.get(a, {})]
        yield f"{', '.join(circle)}: include one another: " + "; ".join(steps)


TEST = re.compile(r"\b(tst_\w+\.cpp)::(\w+)")


def missing_tests(top):
    page = top / "docs" / "testing.md"
    if not page.exists():
        return
    files = {path.name: path.read_text(encoding="utf-8") for path in (top / "tests").rglob("tst_*.cpp")}
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for file, function in TEST.findall(line):
            if file not in files:
                yield f"docs/testing.md:{number}: there is no {file}"
            elif not re.search(rf"\bvoid (\w+::)?{function}\(\)", files[file]):
                yield f"docs/testing.md:{number}: {file} has no {function}"


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = [*breaches(top), *missing_tests(top)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
