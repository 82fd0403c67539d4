#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The mix of instructions in each variant's inner loop, counted in machine code:

  scripts/instruction-mix.py [PROGRAM...]           hold the shipped table against a build: PASS, FAIL or SKIP
  scripts/instruction-mix.py --write [PROGRAM...]   write resources/measured/instructions.csv
  scripts/instruction-mix.py --print [PROGRAM...]   print the table

PROGRAM is a built lloydscope, or object files of kernels (default: build/release/lloydscope), with code for sm_90. Needs
cuobjdump and nvdisasm and no GPU. Where the CUDA toolkit is not whole, --write and --print take them from PyPI (the packages
nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm) into a folder that is deleted at the end; --tools FOLDER names others.

Which instance. A kernel that is compiled for values is counted at D = 2 and K = 16, with the defaults of its tuning
parameters; kernels without such values are the same for every D and K.

Which loop. The one whose own instructions, without those of loops inside it, do most arithmetic, where each level of nesting
counts four times and a matrix instruction 32 times; of loops without arithmetic, most accesses to memory. A loop that only
repeats a compare-and-swap until it succeeds belongs to the loop around it. Each instruction counts once, whether every pass
comes by it or not. A kernel without a loop is counted whole.
"""
import argparse
import collections
import datetime
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile
import venv

from machine_code import Loop, Unusable, cubins, loops, tools

TOP = pathlib.Path(__file__).resolve().parents[1]
TABLE = TOP / "resources" / "measured" / "instructions.csv"
ARCHITECTURE = "sm_90"
FAMILIES = ("classify", "distance", "reduce", "fused", "update", "layout")
PACKAGES = ("nvidia-cuda-cuobjdump", "nvidia-cuda-nvdisasm")

# The classes of instructions, in the order of the table, and which instructions they hold.
CLASSES = {
    "multiply-adds": "FFMA DFMA",
    "arithmetic": "FADD FMUL DADD DMUL MUFU FSWZADD",
    "matrix": "HMMA IMMA DMMA BMMA HGMMA QGMMA WGMMA",
    "shared": "LDS STS LDSM STSM ATOMS",
    "global": "LDG STG LD ST ATOM ATOMG RED REDG LDGSTS LDL STL UBLKCP UTMALDG UTMASTG",
    "addresses": "IMAD IADD IADD3 LEA SHF SHL SHR LOP LOP3 VIADD IABS POPC FLO PRMT SGXT BMSK BREV VABSDIFF "
                 "UIADD3 UIMAD ULEA USHF ULOP3 UPOPC UFLO UPRMT USGXT UBMSK UBREV",
    "branches": "ISETP FSETP DSETP UISETP FSET PLOP3 UPLOP3 SEL USEL FSEL FMNMX IMNMX VIMNMX VIADDMNMX DMNMX FCHK "
                "BRA BRX JMP JMX EXIT CALL RET BSSY BSYNC BREAK",
}
CLASS_OF = {name: of for of, names in CLASSES.items() for name in names.split()}
COLUMNS = ["variant", "kernel", "depth", "lines", "instructions", *CLASSES, "other", "places"]

DEPTH_FACTOR = 4
MATRIX_FACTOR = 32
RETRIED = 8


def class_of(one):
    # A copy is no arithmetic, whichever unit makes it: HFMA2 with zeros is how the compiler loads a constant.
    if one.name.startswith(("IMAD.MOV", "HFMA2")):
        return "other"
    return CLASS_OF.get(one.kind, "other")


# --- the variants, as their sources register them ---------------------------------------------------------------------------
class Variant(collections.namedtuple("Variant", "id family file values")):
    def __hash__(self):
        return hash(self.id)



def variants(top=TOP):
    """Those that run kernels of their own on a GPU, with the values that template parameters have by default."""
    found = []
    for family in FAMILIES:
        for file in sorted((top / "gpu" / "kernels" / family).glob("*.cu")):
            text = file.read_text(encoding="utf-8")
            tag = re.search(r'\.family = "(\w+)",\s*\.tag = "(\w+)"', text)
            if not tag:
                continue
            tuning = {name: int(value) for name, value in re.findall(r'\{"(\w+)", \{[\d, ]+\}, (\d+)\}', text)}
            values = {"D": 2, "K": 16, "Tile": 16, "Width": 2, "Stored": "unsigned char", "Private": 1,
                      "How": tuning.get("arithmetic", 0), "Vectors": max(1, tuning.get("items", 4) // 4)}
            values.update({name.capitalize(): value for name, value in tuning.items()})
            found.append(Variant(f"{tag[1]}.{tag[2]}", family, file, values))
    return found


def parameters_of(kernel, text):
    """["D", "Items"]: the names of a kernel's template parameters."""
    head = re.search(r"template <([^<>]*)>\s*LLOYD_KERNEL[^;{]*?\b" + kernel + r"\(", text)
    return [one.split()[-1] for one in head[1].split(",")] if head else []


ARGUMENT = re.compile(r"Lb([01])E|L[a-z](\d+)E|(h|t|f|j|i)")
TYPES = {"h": "unsigned char", "t": "unsigned short", "f": "float", "j": "unsigned", "i": "int"}


def kernel_of(variant, mangled):
    """(kernel's name, template arguments) where a function is one of a variant's, which are named after it: distance_v3,
    or what begins with distance_v3_."""
    begin = variant.id.replace(".", "_")
    for one in re.finditer(r"(?=(\d{1,3})" + begin + ")", mangled):
        at = one.end(1)
        name = mangled[at:at + int(one[1])]
        if len(name) != int(one[1]) or not (name == begin or name.startswith(begin + "_")):
            continue
        arguments = re.match(r"I((?:Lb[01]E|L[a-z]\d+E|[htfji])+)E", mangled[at + len(name):])
        return name, [TYPES.get(kind) or int(flag or number)
                      for flag, number, kind in ARGUMENT.findall(arguments[1])] if arguments else []
    return None


# --- choosing and counting ----------------------------------------------------------------------------------------------------
def is_loop(instructions):
    """Not a few instructions around a compare-and-swap."""
    return len(instructions) > RETRIED or not any(".CAS" in one.name for one in instructions)


def worth(code, loop):
    """What a loop is chosen by: arithmetic, then accesses to memory."""
    of = collections.Counter(class_of(code[at]) for at in loop.own)
    arithmetic = of["multiply-adds"] + of["arithmetic"] + MATRIX_FACTOR * of["matrix"]
    return [DEPTH_FACTOR ** loop.depth * value for value in (arithmetic, of["shared"] + of["global"])]


def inner_loop(code):
    found, reached = loops(code, is_loop)
    whole = Loop(0, reached, 0, reached)
    return max(found, key=lambda loop: (worth(code, loop), -loop.head), default=whole)


def place_of(variant, frames):
    """(file's name or "" for the variant's own, line): the innermost that stands in its family's folder."""
    for file, line in frames:
        folder, _, name = file.rpartition("/")
        if folder.endswith(f"gpu/kernels/{variant.family}"):
            return ("" if name == variant.file.name else name), line
    return None


def lines_text(places):
    """"48-51+53 tiles.hpp:30": the ranges of some lines, file by file."""
    parts = []
    for file, group in itertools.groupby(sorted(set(places)), key=lambda place: place[0]):
        runs = []
        for _, line in group:
            if runs and line == runs[-1][1] + 1:
                runs[-1][1] = line
            else:
                runs.append([line, line])
        parts.append((file + ":" if file else "") + "+".join(str(a) if a == b else f"{a}-{b}" for a, b in runs))
    return " ".join(parts)


def row_of(variant, kernel, code, loop):
    own = [code[at] for at in sorted(loop.own)]
    counts = collections.Counter(class_of(one) for one in own)
    at = collections.defaultdict(set)
    for one in own:
        place = place_of(variant, one.frames)
        if place:
            at[class_of(one)].add(place)
    everywhere = set().union(*at.values())
    row = {"variant": variant.id, "kernel": kernel, "depth": loop.depth, "lines": lines_text(everywhere),
           "instructions": len(own),
           "places": ";".join(f"{of}={lines_text(at[of])}" for of in (*CLASSES, "other") if at[of])}
    row.update({of: counts[of] for of in (*CLASSES, "other")})
    return {column: str(row[column]) for column in COLUMNS}


def instances(variant, functions):
    """{mangled name: name to print}: of each of a variant's kernels the instance of the default values. Where a kernel has
    the variant's name, or some are compiled for a dimension, the others are its helpers and left out."""
    text = variant.file.read_text(encoding="utf-8")
    kernels = collections.defaultdict(list)
    for mangled in functions:
        kernel = kernel_of(variant, mangled)
        if kernel:
            names = parameters_of(kernel[0], text)
            kernels[kernel[0]].append((dict(zip(names, kernel[1])) if len(names) == len(kernel[1]) else {}, mangled))
    if (own := variant.id.replace(".", "_")) in kernels:
        kernels = {own: kernels[own]}
    chosen = {}
    for name, those in kernels.items():
        # The most that agree with the defaults; of equals the first by its arguments.
        values, mangled = min(those, key=lambda one: (
            -sum(variant.values.get(key) == value for key, value in one[0].items()), str(one[0]), one[1]))
        chosen[mangled] = name, values
    compiled = any("D" in values for _, values in chosen.values())
    return {mangled: name + (f"<{' '.join(f'{key}={value}' for key, value in values.items())}>" if values else "")
            for mangled, (name, values) in chosen.items() if "D" in values or not compiled}


def table_of(programs, found, top=TOP):
    """(compiler's version, {variant: row})"""
    kernels, compilers = collections.defaultdict(list), set()
    wanted = variants(top)
    for cubin in cubins(programs, ARCHITECTURE, found):
        for variant in wanted:
            names = instances(variant, cubin.functions)
            if not names:
                continue
            compilers.add(cubin.compiler)
            kernels[variant] += [(names[mangled], code, inner_loop(code)) for mangled, code in cubin.code(names).items()]
    if len(compilers) != 1:
        raise Unusable(f"{' '.join(map(str, programs))} holds kernels for {ARCHITECTURE} by " +
                       (" and ".join(sorted(compilers)) if compilers else "no compiler: it was built for other cards"))
    rows = {}
    for variant in wanted:
        if variant in kernels:
            name, code, loop = max(kernels[variant], key=lambda one: worth(one[1], one[2]))
            rows[variant.id] = row_of(variant, name, code, loop)
    return compilers.pop(), rows


# --- the table ----------------------------------------------------------------------------------------------------------------
def written(version, rows):
    head = (f"# nvcc {version}, {ARCHITECTURE}, {datetime.date.today()}; instructions of the loop that does most of the work, "
            "written by scripts/instruction-mix.py\n")
    return head + "".join(",".join(cells) + "\n" for cells in [COLUMNS, *(list(row.values()) for row in rows.values())])


def read(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    version = re.match(r"# nvcc ([\w. ]+), (\w+), ", lines[0])
    if not version or lines[1].split(",") != COLUMNS:
        raise Unusable(f"{path} is no table of this script: write it anew with --write")
    return version[1], {line.split(",")[0]: dict(zip(COLUMNS, line.split(","))) for line in lines[2:]}


def compare(version, rows):
    """Prints a line for the verdict and one for each row that differs; whether it passed."""
    shipped_by, shipped = read(TABLE)
    differing = [name for name in {**shipped, **rows} if shipped.get(name) != rows.get(name)]
    unknown = sorted(set(rows) ^ set(shipped))
    if unknown:
        print(f"FAIL  instruction mix: only in the table or only in the build: {', '.join(unknown)}")
        return False
    if version != shipped_by:
        print(f"SKIP  instruction mix: the build is by nvcc {version}, the table by nvcc {shipped_by}; "
              f"{len(differing)} of {len(rows)} variants differ")
        return True
    print(f"{'FAIL' if differing else 'PASS'}  instruction mix of {len(rows)} variants, nvcc {version}" +
          (f": {len(differing)} differ; scripts/instruction-mix.py --write renews the table" if differing else ""))
    for name in differing:
        for of, row in (("table", shipped[name]), ("build", rows[name])):
            print(f"      {name}, {of}: " + " ".join(f"{key} {row[key]}" for key in COLUMNS[1:-1]))
    return not differing


def fetched(folder):
    """The tools, from PyPI into folder."""
    print(f"cuobjdump and nvdisasm are not on this machine: fetching {' and '.join(PACKAGES)} from PyPI", file=sys.stderr)
    venv.create(folder, with_pip=True)
    ended = subprocess.run([f"{folder}/bin/pip", "install", "--quiet", *PACKAGES], capture_output=True, text=True, check=False)
    places = [at.parent for at in pathlib.Path(folder).glob("lib/python*/site-packages/nvidia/**/bin/nvdisasm")]
    if ended.returncode != 0 or not places:
        raise Unusable(f"pip could not install them: {(ended.stderr or 'no nvdisasm in them').strip()[-300:]}")
    return tools(places[0])


def main():
    parser = argparse.ArgumentParser(description="The mix of instructions in each variant's inner loop.")
    parser.add_argument("programs", nargs="*", type=pathlib.Path, default=[TOP / "build" / "release" / "lloydscope"])
    parser.add_argument("--tools", type=pathlib.Path)
    does = parser.add_mutually_exclusive_group()
    does.add_argument("--write", action="store_true")
    does.add_argument("--print", action="store_true")
    words = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = tools(words.tools)
            except Unusable as missing:
                if not (words.write or words.print):
                    print(f"SKIP  instruction mix: {missing}")
                    return
                found = fetched(folder)
            version, rows = table_of(words.programs, found)
        if words.print:
            print(written(version, rows), end="")
        elif words.write:
            TABLE.write_text(written(version, rows), encoding="utf-8")
            print(f"{TABLE}: {len(rows)} variants by nvcc {version}")
        elif not compare(version, rows):
            sys.exit(1)
    except (Unusable, OSError, ValueError, IndexError) as error:
        print(f"FAIL  instruction mix: {error}")
        sys.exit(1)


if __name__ == "__main__":
    main()
