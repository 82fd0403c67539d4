#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds in the folder that run.sh uses, and runs every test:  scripts/test.sh [CTEST OPTIONS]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}" "${test_packages[@]}"
build release
private_runtime_folder
cd "$repository"
with_xvfb ctest --preset release "$@"
