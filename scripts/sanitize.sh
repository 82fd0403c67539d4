#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every test under AddressSanitizer and UndefinedBehaviorSanitizer:  scripts/sanitize.sh [CTEST OPTIONS]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}"
build asan
private_runtime_folder
cd "$repository"
with_xvfb ctest --preset asan "$@"
