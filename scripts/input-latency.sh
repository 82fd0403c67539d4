#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures input latency while 10^6 points iterate on the CPU: from a turn of the wheel to its handling, and to the frame
# that shows it. PASS when the 95th percentile of both is under 100 ms. Let the machine be idle otherwise.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}"
build release input_latency
private_runtime_folder
program=$repository/build/release/tests/measure/input_latency
if has_display; then "$program"; else with_xvfb "$program"; fi
