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
        folder = self.tree({"gpu/core/a.hpp": "", "gpu/core/a.cpp": '#include "gpu/core/a.hpp"\n',
                            "gpu/engine/b.hpp": '#include "gpu/core/a.hpp"\n'})
        self.assertEqual(check(folder), (0, []))

    def test_a_circle_names_the_includes_that_close_it(self):
        folder = self.tree({"gpu/a/x.hpp": '#include "gpu/b/y.hpp"\n', "gpu/b/y.hpp": '#include "gpu/c/z.hpp"\n',
                            "gpu/c/z.hpp": '#include "gpu/a/w.hpp"\n', "gpu/a/w.hpp": ""})
        status, lines = check(folder)
        self.assertEqual(status, 1)
        self.assertEqual(len(lines), 1)
        self.assertIn("gpu/a, gpu/b, gpu/c: include one another", lines[0])
        self.assertIn("gpu/c/z.hpp includes gpu/a/w.hpp", lines[0])

    def test_a_source_without_a_header(self):
        folder = self.tree({"app/model/x.cpp": "", "app/main.cpp": "", "gpu/kernels/cpu/v9.cpp": "", "app/cli/run_command.cpp": ""})
        self.assertEqual(check(folder), (1, ["app/model/x.cpp: has no header of its own"]))

    def test_a_crowded_folder(self):
        folder = self.tree({f"gpu/core/a{i}.hpp": "" for i in range(35)})
        self.assertEqual(check(folder), (1, ["gpu/core: holds 35 sources; 34 are the most"]))

    def test_arrows_upwards(self):
        folder = self.tree({"gpu/core/a.hpp": "#include <QString>\n", "app/model/b.hpp": '#include "app/ui/c.hpp"\n',
                            "app/ui/c.hpp": "", "app/data/d.hpp": '#include "app/model/b.hpp"\n'})
        status, lines = check(folder)
        self.assertEqual(status, 1)
        self.assertEqual(lines, ["app/data/d.hpp: includes app/model/b.hpp, which lies above it",
                                 "app/model/b.hpp: includes app/ui/c.hpp, which lies above it",
                                 "gpu/core/a.hpp: includes QString, which lies above it"])

    def test_tests_that_the_page_names(self):
        folder = self.tree({"docs/testing.md": "| 1 | `tst_a.cpp::first` `tst_a.cpp::second` |\n| 2 | `tst_b.cpp::first` |\n",
                            "tests/gpu/tst_a.cpp": "private slots:\n  void first() {\n  void secondOfAll();\n"})
        self.assertEqual(check(folder), (1, ["docs/testing.md:1: tst_a.cpp has no second",
                                             "docs/testing.md:2: there is no tst_b.cpp"]))


if __name__ == "__main__":
    unittest.main()
