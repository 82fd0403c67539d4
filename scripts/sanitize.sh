#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every test under AddressSanitizer and UndefinedBehaviorSanitizer:  scripts/sanitize.sh [CTEST OPTIONS]
# A continuous build (CI=true) has time for every second one: the first, third, ... at an odd number of commits, the others at an
# even one.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}"
private_runtime_folder
cd "$repository"
if [[ ${CI:-} != true ]]; then
  build asan
  with_xvfb ctest --preset asan "$@"
  exit
fi
build asan lloydscope
parity=$(($(git rev-list --count HEAD) % 2))
mapfile -t chosen < <(ctest --preset asan -N | awk -v parity="$parity" '/^ *Test +#/ && ++at % 2 == parity { print $NF }')
mapfile -t programs < <(printf '%s\n' "${chosen[@]}" | grep '^tst_')
build asan "${programs[@]}"
say "Every second test: ${#chosen[@]} of them"
with_xvfb ctest --preset asan -R "^($(IFS='|' && echo "${chosen[*]}"))\$" "$@"
