#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether everything is where a newcomer looks for it:  scripts/check-structure.py [FOLDER]

One line for each breach, exit status 1 when there is one:
  - an include that docs/architecture.md does not permit: of another room (MAY_INCLUDE) or of Qt (QT)
  - an include relative to the file
  - folders that include one another in a circle, on any level of the tree, with the includes that close it
  - a folder with more than 30 sources directly in it
  - a source of app or gpu with more than 600 lines
  - a .cpp or .cu without a header of its own, unless it is what HEADERLESS names
  - a test in a folder below tests/ that mirrors no folder of sources
  - a test that docs/testing.md names as FILE::FUNCTION and that is not there
"""
import collections
import pathlib
import re
import sys

SOURCE = re.compile(r"\.(cpp|hpp|cu|cuh)$")
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
MOST = 30
MOST_LINES = 600

# Sources that need no header of their own, and what they must contain instead: main, a subcommand of commands.hpp, a
# variant that registers itself, the two answers to one header of which a build takes one.
HEADERLESS = [
    (r"^app/main\.cpp$", r"\bint main\("),
    (r"^app/cli/\w+_command\.cpp$", r"^int \w+Command\(const Arguments& \w+\) \{"),
    (r"^gpu/kernels/", r"\b(LLOYD_REGISTER|LLOYD_REGISTER_ON|LLOYD_REGISTER_EVERYWHERE|LLOYD_REGISTER_STEP|LLOYD_REGISTER_STEP_ON)\("),
    (r"^gpu/cuda/cuda_absent\.cpp$", "cuda_device.hpp"),
    (r"^gpu/cuda/activity/cupti_recorder_absent\.cpp$", "cupti_recorder.hpp"),
    (r"^gpu/cuda/nvrtc/own_kernels_absent\.cpp$", "own_kernels.hpp"),
    (r"^gpu/interop/registered_points(_absent)?\.cpp$", "shared_points.hpp"),
]

# From a room to the rooms that it may include beside itself. A folder belongs to the room with the longest name.
BELOW_MODEL = "gpu app/data app/text app/plot "
MODEL = "app/model/"
MAY_INCLUDE = {
    "gpu/core/data": "",
    "gpu/core/math": "gpu/core/data",
    "gpu/core/stats": "",
    "gpu/core/occupancy": "",
    "gpu/core/tiles": "gpu/core/data gpu/core/math",
    "gpu/core/contract": "gpu/core/data gpu/core/tiles",
    "gpu/core/timeline": "gpu/core/contract",
    "gpu/cpu": "gpu/core",
    "gpu/simt/lane": "",
    "gpu/simt/record": "gpu/core gpu/simt/lane",
    "gpu/simt/queue": "gpu/core gpu/simt/lane",
    "gpu/simt/exec": "gpu/core gpu/cpu gpu/simt/lane gpu/simt/record gpu/simt/queue",
    "gpu/simt/cuda": "gpu/core gpu/simt/lane gpu/simt/record gpu/simt/queue gpu/simt/exec",
    "gpu/simt/trace": "gpu/core gpu/reference gpu/simt/exec",
    "gpu/cuda/runtime": "gpu/core",
    "gpu/cuda/words": "gpu/core gpu/cuda/runtime",
    "gpu/cuda/nvrtc": "gpu/core gpu/cuda/runtime",
    "gpu/cuda": "gpu/core gpu/cuda/runtime gpu/cuda/words gpu/cuda/nvrtc",
    "gpu/kernels": "gpu/core gpu/cpu gpu/cuda/runtime gpu/cuda/words gpu/simt/cuda",
    "gpu/interop": "gpu/core gpu/cuda",
    "gpu/reference": "gpu/core gpu/cpu",
    "gpu/engine": "gpu/core gpu/cpu gpu/cuda gpu/interop gpu/simt/exec",
    "app/data": "gpu/core",
    "app/text": "gpu/core app/data",
    "app/plot": "gpu/core/contract app/text",
    "app/render": "gpu/core gpu/interop app/plot",
    "app/model/compute": BELOW_MODEL,
    "app/model/session": BELOW_MODEL + "app/model/compute",
    "app/model/timeline": BELOW_MODEL,
    "app/model/projection": BELOW_MODEL + "app/model/compute app/model/session",
    "app/model/quality": BELOW_MODEL,
    "app/model/classes": BELOW_MODEL + "app/model/quality app/model/session",
    "app/model/selection": BELOW_MODEL + "app/model/compute app/model/quality app/model/session",
    "app/model/measure": BELOW_MODEL + "app/model/compute app/model/session",
    "app/model/apart": BELOW_MODEL + "app/model/compute app/model/session app/model/measure",
    "app/model/launch": BELOW_MODEL + "app/model/session app/model/measure",
    "app/model/teach": BELOW_MODEL + "app/model/compute app/model/session",
    "app/model/teach/steps": BELOW_MODEL + "app/model/compute app/model/session app/model/measure app/model/teach",
    "app/model/workshop": BELOW_MODEL + "app/model/compute app/model/measure",
    "app/model/tuning": BELOW_MODEL + "app/model/compute app/model/measure",
    "app/model/race": BELOW_MODEL + "app/model/compute app/model/session app/model/measure",
    "app/model/sweep": BELOW_MODEL + "app/model/compute app/model/measure",
    "app/model/pair": BELOW_MODEL + "app/model/compute app/model/session app/model/measure app/model/teach",
    "app/model/saved": BELOW_MODEL + " ".join(MODEL + room for room in "compute measure pair projection session".split()),
    "app/model/plot": BELOW_MODEL + "app/model/apart app/model/quality app/model/session app/model/measure app/model/sweep app/model/timeline",
    "app/model/report": BELOW_MODEL + " ".join(MODEL + room for room in "apart compute launch quality session measure sweep teach tuning".split()),
    "app/model/report/html": BELOW_MODEL + " ".join(MODEL + room for room in "measure plot projection race report teach timeline".split()),
    "app/ui": BELOW_MODEL + "app/model app/render",
    "app/cli": BELOW_MODEL + "app/model app/render app/ui",
    "app": "gpu app",
}

# From a room to the Qt headers that it may include, by class; a room that is not here includes what it wants.
CORE = (r"QAbstract\w+Model|QByteArray|QCoreApplication|QCryptographicHash|QDateTime|QDebug|QDir|QElapsedTimer|QEvent|QFile(Device|Info)?|QHash|"
        r"QJson\w+|QLineF|QLocale|QLoggingCategory|QMetaObject|QObject|QPoint|QPointF|QPointer|QRectF|QRegularExpression|"
        r"QSaveFile|QSizeF|QStandardPaths|QString(List|View)?|QTimer|QtEndian|QVariant")
QT = {
    "gpu": "",
    "app/data": CORE + "|QBuffer|QImage|QImageReader",
    "app/text": CORE,
    "app/plot": CORE,
    "app/model": CORE,
    "app/model/workshop": CORE + "|QDirIterator|QFileSystemWatcher|QLibrary|QProcess|QSignalBlocker|QTemporaryDir",
    "app/render": CORE + r"|QOpenGL(?!Widget)\w+",
}


def sources(top, *rooms):
    for room in rooms:
        for path in sorted((top / room).rglob("*")):
            if SOURCE.search(path.name):
                yield path.relative_to(top).as_posix(), path.read_text(encoding="utf-8")


def folder_of(path):
    return path.rpartition("/")[0]


def within(folder, room):
    return folder == room or folder.startswith(room + "/")


def longest(rooms, folder):
    return max((room for room in rooms if within(folder, room)), key=len, default=None)


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


def on_level(edges, depth):
    """The same includes between folders of which only the first names count: app/model/plot and its inside are one."""
    merged = collections.defaultdict(dict)
    for folder, others in edges.items():
        a = "/".join(folder.split("/")[:depth])
        for other, why in others.items():
            b = "/".join(other.split("/")[:depth])
            if a != b:
                merged[a].setdefault(b, why)
    return merged


def why_not_included(path, kind, included):
    """What is wrong with an include, or nothing."""
    folder, other = folder_of(path), folder_of(included)
    if not re.match(r"(app|gpu)/", included):
        permitted = QT.get(longest(QT, folder))
        if kind == '"':
            return "by a path that is not from the top of the repository"
        if permitted is not None and re.match(r"Q[A-Zt]", included) and not re.fullmatch(permitted, included):
            return "which that room does without"
        return None
    room = longest(MAY_INCLUDE, folder)
    if any(within(other, allowed) for allowed in MAY_INCLUDE[room].split()) or longest(MAY_INCLUDE, other) == room:
        return None
    return "which lies above it or beside it"


def breaches(top):
    edges = collections.defaultdict(dict)
    count = collections.Counter()
    for path, text in sources(top, "app", "gpu"):
        folder = folder_of(path)
        count[folder] += 1
        if (lines := text.count("\n")) > MOST_LINES:
            yield f"{path}: has {lines} lines; {MOST_LINES} are the most"
        if path.endswith((".cpp", ".cu")) and not (top / path).with_suffix(".hpp").exists():
            if not any(re.search(where, path) and re.search(what, text, re.MULTILINE) for where, what in HEADERLESS):
                yield f"{path}: has no header of its own"
        if not longest(MAY_INCLUDE, folder):
            yield f"{path}: is in no room that MAY_INCLUDE of scripts/check-structure.py names"
            continue
        for kind, included in INCLUDE.findall(text):
            why = why_not_included(path, kind, included)
            if why:
                yield f"{path}: includes {included}, {why}"
            other = folder_of(included)
            if other != folder and other.startswith(("app", "gpu")):
                edges[folder].setdefault(other, f"{path} includes {included}")
    for path, _ in sources(top, "tests"):
        folder = folder_of(path)
        count[folder] += 1
        mirrored = folder.removeprefix("tests/")
        if re.search(r"/tst_\w+\.cpp$", path) and re.match(r"(app|gpu)/", mirrored) and not (top / mirrored).is_dir():
            yield f"{path}: there is no {mirrored} that it could test"
    for folder, sources_there in sorted(count.items()):
        if sources_there > MOST:
            yield f"{folder}: holds {sources_there} sources; {MOST} are the most"
    seen = []
    for depth in range(4, 1, -1):
        level = on_level(edges, depth)
        for circle in circles(level):
            if circle not in seen:
                seen.append(circle)
                steps = [level[a][b] for a in circle for b in circle if b in level.get(a, {})]
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
