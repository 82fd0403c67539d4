#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every test under AddressSanitizer and UndefinedBehaviorSanitizer:  scripts/sanitize.sh [CTEST OPTIONS]
# A continuous build (CI=true) has time for every third one; which third follows from the number of commits.
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
third=$(($(git rev-list --count HEAD) % 3))
mapfile -t chosen < <(ctest --preset asan -N | awk -v third="$third" '/^ *Test +#/ && ++at % 3 == third { print $NF }')
mapfile -t programs < <(printf '%s\n' "${chosen[@]}" | grep '^tst_')
build asan "${programs[@]}"
say "Every third test: ${#chosen[@]} of them"
with_xvfb ctest --preset asan -R "^($(IFS='|' && echo "${chosen[*]}"))\$" "$@"
