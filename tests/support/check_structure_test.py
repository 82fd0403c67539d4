#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check-structure.py with small trees that break one rule each."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = TOP / "scripts" / "check-structure.py"


def check(folder):
    done = subprocess.run([sys.executable, str(SCRIPT), str(folder)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


class Structure(unittest.TestCase):
    def tree(self, files):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        folder = pathlib.Path(made.name)
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        for room in ("app", "gpu"):
            (folder / room).mkdir(exist_ok=True)
        return folder

    def test_this_repository_keeps_its_rules(self):
        self.assertEqual(check(TOP), (0, []))

    def test_a_tree_in_order_is_silent(self):
        folder = self.tree({"gpu/core/data/a.hpp": "", "gpu/core/data/a.cpp": '#include "gpu/core/data/a.hpp"\n',
                            "gpu/engine/b.hpp": '#include "gpu/core/data/a.hpp"\n', "tests/gpu/engine/tst_b.cpp": ""})
        self.assertEqual(check(folder), (0, []))

    def test_a_circle_names_the_includes_that_close_it(self):
        folder = self.tree({"app/ui/a/x.hpp": '#include "app/ui/b/y.hpp"\n', "app/ui/b/y.hpp": '#include "app/ui/c/z.hpp"\n',
                            "app/ui/c/z.hpp": '#include "app/ui/a/w.hpp"\n', "app/ui/a/w.hpp": ""})
        status, lines = check(folder)
        self.assertEqual(status, 1)
        self.assertEqual(len(lines), 1)
        self.assertIn("app/ui/a, app/ui/b, app/ui/c: include one another", lines[0])
        self.assertIn("app/ui/c/z.hpp includes app/ui/a/w.hpp", lines[0])

    def test_a_circle_between_what_lies_in_folders(self):
        folder = self.tree({"app/ui/a/in/x.hpp": '#include "app/ui/b/y.hpp"\n', "app/ui/b/y.hpp": '#include "app/ui/a/w.hpp"\n',
                            "app/ui/a/w.hpp": ""})
        status, lines = check(folder)
        self.assertEqual(status, 1)
        self.assertEqual(lines, ["app/ui/a, app/ui/b: include one another: app/ui/a/in/x.hpp includes app/ui/b/y.hpp; "
                                 "app/ui/b/y.hpp includes app/ui/a/w.hpp"])

    def test_a_source_that_is_too_long(self):
        folder = self.tree({"app/text/x.hpp": "\n" * 601, "app/text/y.hpp": "\n" * 600})
        self.assertEqual(check(folder), (1, ["app/text/x.hpp: has 601 lines; 600 are the most"]))

    def test_a_source_without_a_header(self):
        folder = self.tree({"app/model/race/x.cpp": "", "app/main.cpp": "int main() {}\n",
                            "app/cli/run_command.cpp": "int runCommand(const Arguments& arguments) {\n}\n",
                            "app/cli/slice_command.cpp": "int helper() {}\n", "gpu/cuda/slice.cu": "",
                            "gpu/kernels/cpu/v9.cpp": "LLOYD_REGISTER_ON(cpu, v9)\n", "gpu/kernels/fused/v9.cu": "LLOYD_REGISTER(v9)\n",
                            "gpu/kernels/schedule/one.cpp": "LLOYD_REGISTER_EVERYWHERE({})\n", "gpu/kernels/fused/slice.cpp": "",
                            "gpu/kernels/update/slice.cu": ""})
        files = ["app/cli/slice_command.cpp", "app/model/race/x.cpp", "gpu/cuda/slice.cu", "gpu/kernels/fused/slice.cpp",
                 "gpu/kernels/update/slice.cu"]
        self.assertEqual(check(folder), (1, [f"{file}: has no header of its own" for file in files]))

    def test_a_crowded_folder(self):
        folder = self.tree({f"gpu/cpu/a{i}.hpp": "" for i in range(35)} | {f"tests/gpu/cpu/a{i}.hpp": "" for i in range(40)})
        self.assertEqual(check(folder), (1, ["gpu/cpu: holds 35 sources; 30 are the most",
                                             "tests/gpu/cpu: holds 40 sources; 30 are the most"]))

    def test_includes_that_the_table_of_rooms_does_not_have(self):
        for path, included in (("app/data/d.hpp", "app/model/compute/b.hpp"), ("app/model/compute/b.hpp", "app/ui/common/c.hpp"),
                               ("gpu/core/math/a.hpp", "gpu/kernels/kernel.hpp"), ("gpu/core/data/a.hpp", "gpu/core/math/b.hpp"),
                               ("app/model/report/a.hpp", "app/model/race/b.hpp"), ("gpu/engine/a.hpp", "app/text/b.hpp")):
            for line in (f'#include "{included}"\n', f"#  include <{included}>\n"):
                self.assertEqual(check(self.tree({path: line})),
                                 (1, [f"{path}: includes {included}, which lies above it or beside it"]))

    def test_includes_of_qt(self):
        for path, included in (("gpu/core/data/a.hpp", "QString"), ("app/model/race/a.hpp", "QPushButton"),
                               ("app/model/race/a.hpp", "QtWidgets/QLabel"), ("app/data/a.hpp", "QLabel"),
                               ("app/plot/a.hpp", "QPainter"), ("app/render/gl/a.hpp", "QOpenGLWidget")):
            self.assertEqual(check(self.tree({path: f"#include <{included}>\n"})),
                             (1, [f"{path}: includes {included}, which that room does without"]))
        self.assertEqual(check(self.tree({"app/data/a.hpp": "#include <QImage>\n", "app/ui/a.hpp": "#include <QLabel>\n"})), (0, []))

    def test_a_relative_include(self):
        for included in ("../session/session.hpp", "b.hpp"):
            self.assertEqual(check(self.tree({"app/model/race/a.hpp": f'#include "{included}"\n'})),
                             (1, [f"app/model/race/a.hpp: includes {included}, by a path that is not from the top of the repository"]))

    def test_a_folder_that_is_in_no_room(self):
        self.assertEqual(check(self.tree({"gpu/other/a.hpp": ""})),
                         (1, ["gpu/other/a.hpp: is in no room that MAY_INCLUDE of scripts/check-structure.py names"]))

    def test_a_test_of_a_folder_that_is_not_there(self):
        self.assertEqual(check(self.tree({"tests/gpu/other/tst_a.cpp": ""})),
                         (1, ["tests/gpu/other/tst_a.cpp: there is no gpu/other that it could test"]))

    def test_tests_that_the_page_names(self):
        folder = self.tree({"docs/testing.md": "| 1 | `tst_a.cpp::first` `tst_a.cpp::second` |\n| 2 | `tst_b.cpp::first` |\n",
                            "tests/support/tst_a.cpp": "private slots:\n  void first() {\n  void secondOfAll();\n"})
        self.assertEqual(check(folder), (1, ["docs/testing.md:1: tst_a.cpp has no second",
                                             "docs/testing.md:2: there is no tst_b.cpp"]))


if __name__ == "__main__":
    unittest.main()
