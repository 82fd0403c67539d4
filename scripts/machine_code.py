# SPDX-License-Identifier: GPL-3.0-or-later
"""A program's machine code for NVIDIA GPUs: taken out of it, disassembled with its source lines, and its loops found."""
import collections
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

FATBIN_MAGIC = 0xBA55ED50
FOLDERS = ("/usr/local/cuda/bin", "/opt/cuda/bin")  # the toolkit's usual homes, which are not always on PATH


class Unusable(Exception):
    """A sentence about what is missing or wrong."""


def tools(folder=None):
    """{name: path} of the disassemblers: in folder, on PATH, or in the toolkit's usual homes."""
    path = os.pathsep.join([str(folder)] if folder else [os.environ.get("PATH", ""), *FOLDERS])
    found = {name: shutil.which(name, path=path) for name in ("cuobjdump", "nvdisasm")}
    missing = [name for name, at in found.items() if not at]
    if missing:
        raise Unusable(f"{' and '.join(missing)} of the CUDA toolkit not found in {folder or 'PATH'}")
    return found


def run(*command, **options):
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if ended.returncode != 0:
        raise Unusable(f"{pathlib.Path(command[0]).name} failed: {(ended.stderr or ended.stdout).strip()[:300]}")
    return ended.stdout


Section = collections.namedtuple("Section", "name offset size link")


def sections(data, what):
    if data[:5] != b"\x7fELF\x02":
        raise Unusable(f"{what} is no 64-bit ELF file")
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQI", data, table + i * size) for i in range(count)]
    return [Section(string(data, headers[names][4] + name), offset, length, link)
            for name, _, _, _, offset, length, link in headers]


def string(data, at):
    return data[at:data.index(b"\0", at)].decode()


def fatbins(program):
    """The parts of a program that hold device code, one for each source. cuobjdump itself would name what it takes out by
    the source alone, and write files of one name over each other."""
    data = pathlib.Path(program).read_bytes()
    for section in sections(data, program):
        if section.name != ".nv_fatbin":
            continue
        at, end = section.offset, section.offset + section.size
        while at + 16 <= end:
            magic, _, head, body = struct.unpack_from("<IHHQ", data, at)
            if magic != FATBIN_MAGIC:
                at += 8  # what aligns the next one
                continue
            yield data[at:at + head + body]
            at += head + body


class Cubin:
    """The machine code of one source for one architecture."""

    def __init__(self, path, found):
        self.path, self.nvdisasm = path, found["nvdisasm"]
        data = path.read_bytes()
        version = re.search(rb"Cuda compilation tools, release [\d.]+, V([\d.]+)", data)
        self.compiler = version[1].decode() if version else "of unknown version"
        self.functions = {}  # index in the table of symbols, by mangled name
        all_sections = sections(data, path)
        for section in all_sections:
            if section.name != ".symtab":
                continue
            names = all_sections[section.link].offset
            for index in range(section.size // 24):
                name, kind = struct.unpack_from("<IB", data, section.offset + 24 * index)
                if kind & 15 == 2:
                    self.functions[string(data, names + name)] = index

    def code(self, names):
        """{mangled name: [Instruction]} of some of the functions."""
        indices = ",".join(str(self.functions[name]) for name in names)
        text = run(self.nvdisasm, "-c", "-gi", "-fun", indices, self.path)
        parts = re.split(r"^[ \t]*\.section[ \t]+\.text\.([^,\s]+).*\n", text, flags=re.MULTILINE)
        return {name: instructions(part) for name, part in zip(parts[1::2], parts[2::2])}


def cubins(programs, architecture, found):
    """A Cubin for each source; usable until the next one is asked for."""
    for program in programs:
        for fatbin in fatbins(program):
            with tempfile.TemporaryDirectory() as folder:
                place = pathlib.Path(folder)
                (place / "code.fatbin").write_bytes(fatbin)
                run(found["cuobjdump"], "-xelf", architecture + ".cubin", place / "code.fatbin", cwd=place)
                for path in sorted(place.glob("*.cubin")):
                    yield Cubin(path, found)


class Instruction(collections.namedtuple("Instruction", "predicate name operands target frames")):
    """name: "IADD3.X"; target: the index that a branch names, or None; frames: [(file, line)], the innermost first."""

    @property
    def kind(self):
        return self.name.split(".")[0]


def instructions(part):
    """[Instruction] of a function's text."""
    code, labels, waiting, frames = [], {}, [], []
    for line in part.splitlines():
        if label := re.match(r"(\.L\w*):", line):
            labels[label[1]] = len(code)
        elif frame := re.match(r'\s*//## File "([^"]+)", line (\d+)', line):
            waiting.append((frame[1], int(frame[2])))
        elif found := re.match(r"\s*/\*[0-9a-f]{4,}\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)\s*([^;]*);", line):
            frames, waiting = waiting or frames, []
            target = re.search(r"`\((\.L\w*)\)", found[3])
            code.append(Instruction(found[1], found[2], found[3].strip(), target and target[1], frames))
    return [one._replace(target=labels.get(one.target)) for one in code]


def ways(code):
    """[indices that may follow] each instruction. The way of a warp whose lanes have parted, which the compiler keeps
    beside every exchange between lanes (BRA.DIV), is none."""
    following = []
    for at, one in enumerate(code):
        after = [at + 1] if at + 1 < len(code) else []
        if one.name.startswith("BRA.DIV"):
            following.append(after)
        elif one.kind in ("BRA", "JMP"):
            conditional = one.predicate or re.match(r"!?U?P[\dT]", one.operands)
            following.append(([one.target] if one.target is not None else []) + (after if conditional else []))
        elif one.kind in ("EXIT", "RET", "BRX", "JMX"):
            following.append(after if one.predicate else [])
        else:
            following.append(after)
    return following


class Loop(collections.namedtuple("Loop", "head body depth own")):
    """body: indices of all its instructions; own: without those of the loops inside it; depth: 1 for an outermost."""


def loops(code, is_loop=lambda instructions: True):
    """The natural loops of a function, which are those whose branch backward leads to an instruction that every way to the
    branch passes; outermost first. What is_loop declines counts as part of the loop around it."""
    following = ways(code)
    order, seen, stack = [], {0}, [(0, iter(following[0]))] if code else []
    while stack:
        at, rest = stack[-1]
        for after in rest:
            if after not in seen:
                seen.add(after)
                stack.append((after, iter(following[after])))
                break
        else:
            order.append(at)
            stack.pop()
    order.reverse()
    rank = {at: i for i, at in enumerate(order)}
    before = collections.defaultdict(list)
    for at in order:
        for after in following[at]:
            before[after].append(at)

    dominator = {0: 0}

    def common(a, b):
        while a != b:
            while rank[a] > rank[b]:
                a = dominator[a]
            while rank[b] > rank[a]:
                b = dominator[b]
        return a

    changed = True
    while changed:
        changed = False
        for at in order[1:]:
            known = [one for one in before[at] if one in dominator]
            nearest = known[0]
            for one in known[1:]:
                nearest = common(nearest, one)
            if dominator.get(at) != nearest:
                dominator[at], changed = nearest, True

    bodies = {}
    for at in order:
        for head in following[at]:
            if rank[head] > rank[at] or common(head, at) != head:
                continue
            body, waiting = bodies.setdefault(head, {head}), [at]
            while waiting:
                one = waiting.pop()
                if one not in body:
                    body.add(one)
                    waiting += before[one]
    kept = {head: body for head, body in bodies.items() if is_loop([code[at] for at in body])}
    found = []
    for head, body in kept.items():
        depth = sum(head in other for other in kept.values())
        inside = [other for inner, other in kept.items() if inner != head and inner in body]
        found.append(Loop(head, body, depth, body.difference(*inside)))
    return sorted(found, key=lambda loop: (loop.depth, loop.head)), set(order)
