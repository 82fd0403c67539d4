#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check-counters.py with invented tables in the two formats that ncu writes."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "scripts" / "check-counters.py"
METRICS = ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
           "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]
UNITS = ["", "request", "request", "sector", "sector"]
LAUNCH = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size",
          "Device", "CC"]
NOISE = ["==PROF== Connected to process 4711 (/usr/bin/lloydscope)", '==PROF== Profiling "classify_v1" - 0: 0%....100% - 1 pass']


def line(cells):
    return ",".join(f'"{cell}"' for cell in cells)


def launch(number, kernel):
    return [number, 4711, "lloydscope", "127.0.0.1", kernel, 1, 7, "(128, 1, 1)", "(512, 1, 1)", 0, "9.0"]


def raw(kernels):
    """Page raw: a column a metric, units in the second row. kernels: [(name, five counts in the order of METRICS)]"""
    rows = [line(LAUNCH + METRICS), line([""] * len(LAUNCH) + UNITS)]
    rows += [line(launch(i, name) + [f"{count:,}" for count in counts]) for i, (name, counts) in enumerate(kernels)]
    return "\n".join(NOISE + rows + ["==PROF== Disconnected from process 4711"]) + "\n"


def details(kernels):
    """Page details: a row a metric."""
    rows = [line(LAUNCH + ["Section Name", "Metric Name", "Metric Unit", "Metric Value"])]
    for i, (name, counts) in enumerate(kernels):
        rows += [line(launch(i, name) + ["Command line profiler metrics", metric, unit, f"{count:,}"])
                 for metric, unit, count in zip(METRICS, UNITS, counts)]
    return "\n".join(NOISE + rows) + "\n"


def traced(variant, counts):
    conflicts, load_requests, store_requests, load_sectors, store_sectors = counts
    return {"variant": variant, "stage": variant.split(".")[0], "n": 65536, "d": 3, "k": 16, "block": 128,
            "counters": {"global_load_requests": load_requests, "global_load_sectors": load_sectors,
                         "global_store_requests": store_requests, "global_store_sectors": store_sectors,
                         "bank_conflicts": conflicts}}


V1 = (0, 8704, 2048, 34304, 8192)
V10 = (1, 2, 3, 4, 5)
REDUCE = (26880, 8192, 0, 32768, 0)
KERNEL_V1 = "void lloyd::<unnamed>::classify_v1<0>(const float *, unsigned long, const float *)"


class CheckCounters(unittest.TestCase):
    def run_script(self, rows, table, explained=""):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "trace.json").write_text(json.dumps(rows))
            (folder / "ncu.csv").write_text(table)
            (folder / "explained.txt").write_text(explained)
            ended = subprocess.run([sys.executable, SCRIPT, folder / "trace.json", folder / "ncu.csv", "--card", "NVIDIA H200",
                                    "--explained", folder / "explained.txt", "--out", folder],
                                   capture_output=True, text=True, check=False)
            written = folder / "nvidia-h200.csv"
            return ended.returncode, ended.stdout, written.read_text() if written.exists() else None

    def test_equal_counters_pass_in_both_formats(self):
        rows = [traced("classify.v1", V1), traced("reduce.v2", REDUCE)]
        kernels = [(KERNEL_V1, V1), ("reduce_v2(const float *)", REDUCE)]
        for table in (raw(kernels), details(kernels)):
            status, out, written = self.run_script(rows, table)
            self.assertEqual(status, 0, out)
            self.assertEqual(out.count("PASS"), 2, out)
            self.assertIn("load sectors 34,304", out)
            self.assertEqual(written.splitlines(),
                             ["variant,n,d,k,block,global_load_requests,global_load_sectors,global_store_requests,"
                              "global_store_sectors,bank_conflicts",
                              "classify.v1,65536,3,16,128,8704,34304,2048,8192,0",
                              "reduce.v2,65536,3,16,128,8192,32768,0,0,26880"])

    def test_a_difference_fails(self):
        for place in (0, 1, 3, 4):
            done = list(V1)
            done[place] += 1
            status, out, _ = self.run_script([traced("classify.v1", V1)], raw([(KERNEL_V1, done)]))
            self.assertEqual(status, 1)
            self.assertTrue(out.startswith("FAIL"), out)
            self.assertIn("not explained", out)

    def test_an_explained_difference_passes_in_its_direction_only(self):
        rule = "classify.* | bank_conflicts | more | the card adds those of atomics\n"
        status, out, _ = self.run_script([traced("classify.v1", V1)], raw([(KERNEL_V1, (7, *V1[1:]))]), rule)
        self.assertEqual(status, 0, out)
        self.assertIn("bank conflicts 0 asked, 7 done (the card adds those of atomics)", out)
        status, out, _ = self.run_script([traced("reduce.v2", REDUCE)], raw([("reduce_v2()", (7, *REDUCE[1:]))]), rule)
        self.assertEqual(status, 1, out)
        fewer = traced("classify.v1", (9, *V1[1:]))
        self.assertEqual(self.run_script([fewer], raw([(KERNEL_V1, (7, *V1[1:]))]), rule)[0], 1)

    def test_kernels_of_one_variant_are_added_and_others_are_left_alone(self):
        half = tuple(count // 2 for count in REDUCE)
        rows = [traced("reduce.general", REDUCE), traced("classify.v1", V1)]
        kernels = [("reduce_general_table(int)", half), ("void reduce_general_rest<2>(int)", half), (KERNEL_V1, V1),
                   ("classify_v10(int)", V10), ("my_classify_v1x(int)", V10)]
        status, out, _ = self.run_script(rows, raw(kernels))
        self.assertEqual(status, 0, out)

    def test_a_variant_that_was_not_launched_fails(self):
        status, out, _ = self.run_script([traced("classify.v1", V1)], raw([("reduce_v1()", V1)]))
        self.assertEqual(status, 1)
        self.assertIn("no kernel of it", out)

    def test_unreadable_tables_fail_with_a_sentence(self):
        rows = [traced("classify.v1", V1)]
        refused = "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n"
        status, out, _ = self.run_script(rows, refused)
        self.assertEqual(status, 1)
        self.assertIn("ERR_NVGPUCTRPERM", out)
        self.assertEqual(self.run_script(rows, raw([(KERNEL_V1, V1)]).replace('"sector"', '"Ksector"'))[0], 1)
        self.assertEqual(self.run_script(rows, raw([(KERNEL_V1, V1)]), "classify.v1 | bank_conflicts | more\n")[0], 1)
        self.assertEqual(self.run_script([], raw([(KERNEL_V1, V1)]))[0], 1)


if __name__ == "__main__":
    unittest.main()
