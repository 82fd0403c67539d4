#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether the verdicts of a race can be believed, on real kernels:  scripts/check-statistics.sh [OPTIONS]
# A variant against itself may be called different in one race of a thousand; a slowdown of 5 % (on a GPU: --cuda --variant
# classify.v7 --n 2^24 --slower 2) must be found in 95 of a hundred. One PASS or FAIL line each; takes some minutes. Let the
# machine be idle otherwise. Options: see --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}"
build release check_statistics
"$repository/build/release/tests/measure/check_statistics" "$@"
