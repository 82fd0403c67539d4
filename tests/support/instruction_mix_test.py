#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/instruction-mix.py and scripts/machine_code.py with invented machine code as nvdisasm prints it."""
import contextlib
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
spec = importlib.util.spec_from_file_location("instruction_mix", SCRIPTS / "instruction-mix.py")
mix = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mix)
from machine_code import Unusable, instructions, loops, ways  # noqa: E402 (found by the line above)

KERNEL = "_ZN5lloyd50_GLOBAL__N__5cd98765_11_v3_tiles_cu_9cc1b9de_26325"


def code_of(*lines):
    """Instructions at 16 bytes each; a line that ends with a colon is a label, one that begins with // a place."""
    text, at = [], 0
    for line in lines:
        if line.endswith(":"):
            text.append(line)
        elif line.startswith("//"):
            text.append("\t" + line)
        else:
            text.append(f"        /*{at:04x}*/                   {line} ;")
            at += 16
    return instructions("\n".join(text))


def place(line, file="gpu/kernels/distance/v3_tiles.cu"):
    return f'//## File "/somewhere/{file}", line {line}'


NESTED = code_of("MOV R1, c[0x0][0x28]", ".L_x_1:", "LDG.E R2, desc[UR4][R2.64]", ".L_x_2:", "LDS R3, [R2]", "FADD R4, R3, R2",
                 "FFMA R5, R4, R4, R5", "@P0 BRA `(.L_x_2)", "ISETP.NE.AND P1, PT, R0, 0x10, PT", "@P1 BRA `(.L_x_1)", "EXIT",
                 ".L_x_9:", "BRA `(.L_x_9)")


class Loops(unittest.TestCase):
    def test_nested_loops_are_found_and_own_instructions_told_apart(self):
        found, reached = loops(NESTED)
        self.assertEqual([(loop.head, loop.depth, sorted(loop.own)) for loop in found], [(1, 1, [1, 6, 7]), (2, 2, [2, 3, 4, 5])])
        self.assertEqual(sorted(found[0].body), list(range(1, 8)))
        self.assertNotIn(9, reached)  # what pads the end is a loop that nothing enters

    def test_a_jump_forward_makes_no_loop(self):
        found, reached = loops(code_of("@P0 BRA `(.L_x_1)", "MOV R1, R2", ".L_x_1:", "EXIT"))
        self.assertEqual((found, sorted(reached)), ([], [0, 1, 2]))

    def test_the_way_of_parted_lanes_is_not_gone(self):
        code = code_of("BRA.DIV UR4, `(.L_x_1)", "SHFL.DOWN PT, R1, R2, 0x1, 0x1f", ".L_x_2:", "EXIT", ".L_x_1:", "WARPSYNC.COLLECTIVE R3",
                       "BRA `(.L_x_2)")
        self.assertEqual(ways(code)[0], [1])
        self.assertEqual(sorted(loops(code)[1]), [0, 1, 2])

    def test_a_retried_swap_belongs_to_the_loop_around_it(self):
        code = code_of(".L_x_1:", *["LDG.E R2, desc[UR4][R2.64]"] * 4, ".L_x_2:", "LDS R3, [R2]", "FADD R4, R3, R2",
                       "ATOMS.CAST.SPIN R4, [R2], R3, R4", "ISETP.EQ.U32.AND P0, PT, R4, 0x1, PT", "@!P0 BRA `(.L_x_2)",
                       "@P1 BRA `(.L_x_1)", "EXIT")
        loop = mix.inner_loop(code)
        self.assertEqual((loop.depth, len(loop.own)), (1, 10))

    def test_the_loop_with_most_arithmetic_is_chosen(self):
        self.assertEqual(mix.inner_loop(NESTED).head, 2)
        plain = code_of("MOV R1, R2", "EXIT")
        self.assertEqual((mix.inner_loop(plain).depth, len(mix.inner_loop(plain).own)), (0, 2))
        # Work outside of a small inner loop outweighs it.
        outer = code_of(".L_x_1:", *["FFMA R5, R4, R4, R5"] * 5, ".L_x_2:", "FADD R4, R3, R2", "@P0 BRA `(.L_x_2)", "@P1 BRA `(.L_x_1)",
                        "EXIT")
        self.assertEqual((mix.inner_loop(outer).head, len(mix.inner_loop(outer).own)), (0, 6))


class Counts(unittest.TestCase):
    variant = mix.Variant("distance.v3", "distance", pathlib.Path("v3_tiles.cu"), {"D": 2, "Items": 4})

    def test_every_class_has_its_instructions(self):
        for words, of in {"FFMA R1, R2, R3, R4": "multiply-adds", "FADD R1, R2, R3": "arithmetic", "HMMA.1688.F32.TF32 R4, R8, R6, R4": "matrix",
                          "LDS.128 R4, [R2]": "shared", "@!P0 LDG.E.CONSTANT R3, desc[UR8][R2.64]": "global", "IMAD R1, R2, R3, R4": "addresses",
                          "IMAD.MOV.U32 R1, RZ, RZ, R2": "other", "HFMA2.MMA R9, -RZ, RZ, 0, 0": "other", "ISETP.NE.AND P0, PT, R0, RZ, PT": "branches",
                          "FSEL R1, R2, R3, P0": "branches", "BAR.SYNC.DEFER_BLOCKING 0x0": "other", "@P0 BRA `(.L_x_2)": "branches"}.items():
            self.assertEqual(mix.class_of(code_of(words)[0]), of, words)

    def test_lines_are_those_of_the_variants_family(self):
        inlined = '//## File "/somewhere/gpu/core/math/distance.hpp", line 14 inlined at "/somewhere/gpu/kernels/distance/v3_tiles.cu", line 51'
        code = code_of(".L_x_2:", place(49), "LDS R3, [R2]", place(50), "LDS R12, [R16]", inlined, place(51), "FFMA R27, R12, R12, R27",
                       place(30, "gpu/kernels/distance/tiles.hpp"), place(60), "FADD R1, R2, R3", place(48), "@P0 BRA `(.L_x_2)", "EXIT")
        row = mix.row_of(self.variant, "distance_v3", code, mix.inner_loop(code))
        self.assertEqual(row["lines"], "48-51 tiles.hpp:30")
        self.assertEqual(row["places"], "multiply-adds=51;arithmetic=tiles.hpp:30;shared=49-50;branches=48")
        self.assertEqual((row["instructions"], row["shared"], row["multiply-adds"], row["branches"], row["other"]), ("5", "2", "1", "1", "0"))
        self.assertEqual(sum(int(row[of]) for of in (*mix.CLASSES, "other")), int(row["instructions"]))
        self.assertEqual(mix.lines_text([("", 9), ("", 3), ("", 4)]), "3-4+9")

    def test_a_kernel_is_its_variants_by_name(self):
        self.assertEqual(mix.kernel_of(self.variant, KERNEL + "11distance_v3EPKfm"), ("distance_v3", []))
        self.assertEqual(mix.kernel_of(self.variant, KERNEL + "17distance_v3_tilesILj2ELb1EhEEvPKfm"), ("distance_v3_tiles", [2, 1, "unsigned char"]))
        self.assertIsNone(mix.kernel_of(self.variant, KERNEL + "12distance_v30EPKfm"))
        self.assertIsNone(mix.kernel_of(self.variant, KERNEL + "13settle_doubtsEPKfm"))

    def test_the_instance_of_the_default_values_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "v3_tiles.cu")
            file.write_text("template <unsigned D, unsigned Items>\nLLOYD_KERNEL_UP_TO(512)\ndistance_v3(LLOYD_GLOBAL(float) x) {\n")
            variant = self.variant._replace(file=file)
            names = [KERNEL + f"11distance_v3ILj{d}ELj{items}EEvPf" for d in (1, 2, 3) for items in (1, 2, 4, 8)]
            helper = KERNEL + "17distance_v3_tableEPf"
            self.assertEqual(mix.instances(variant, [*names, helper]), {KERNEL + "11distance_v3ILj2ELj4EEvPf": "distance_v3<D=2 Items=4>"})

    def test_every_variant_of_the_tree_is_known(self):
        ids = [variant.id for variant in mix.variants()]
        self.assertEqual(len(ids), len(set(ids)))
        files = [file for family in mix.FAMILIES for file in (SCRIPTS.parent / "gpu" / "kernels" / family).glob("*.cu")]
        self.assertEqual(len(ids), len(files))
        self.assertIn("distance.v7", ids)


class Table(unittest.TestCase):
    def verdict(self, version, change=lambda rows: None):
        shipped_by, rows = mix.read(mix.TABLE)
        change(rows)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            passed = mix.compare(version or shipped_by, rows)
        return passed, said.getvalue()

    def test_what_is_shipped_is_what_the_script_writes(self):
        version, rows = mix.read(mix.TABLE)
        shipped = mix.TABLE.read_text(encoding="utf-8").splitlines()
        self.assertEqual(mix.written(version, rows).splitlines()[1:], shipped[1:])
        self.assertRegex(shipped[0], r"^# nvcc \d+\.\d+\.\d+, sm_90, \d{4}-\d\d-\d\d; ")

    def test_equal_rows_pass_and_others_fail(self):
        self.assertEqual((self.verdict(None)[0], self.verdict(None)[1][:4]), (True, "PASS"))
        passed, said = self.verdict(None, lambda rows: rows["distance.v3"].update(shared="3"))
        self.assertFalse(passed)
        self.assertIn("1 differ", said)
        self.assertIn("distance.v3, build", said)
        passed, said = self.verdict(None, lambda rows: rows.pop("distance.v3"))
        self.assertFalse(passed)
        self.assertIn("distance.v3", said)

    def test_another_compiler_is_said_and_fails_nothing(self):
        passed, said = self.verdict("99.0.1", lambda rows: rows["distance.v3"].update(shared="3"))
        self.assertTrue(passed)
        self.assertTrue(said.startswith("SKIP"), said)
        self.assertIn("1 of", said)
        self.assertFalse(self.verdict("99.0.1", lambda rows: rows.pop("distance.v3"))[0])

    def test_what_is_no_program_is_refused(self):
        with tempfile.NamedTemporaryFile(suffix=".o") as file:
            with self.assertRaises(Unusable):
                mix.table_of([file.name], {"cuobjdump": "false", "nvdisasm": "false"})


if __name__ == "__main__":
    unittest.main()
