#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Format of every source file, then clang-tidy on those changed since BASE:  scripts/lint.sh [BASE]
# BASE is a revision; without one it is the commit twenty back, or the first. Uses the release build's compile commands.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}" clang-format clang-tidy
build release
cd "$repository"

mapfile -t sources < <(git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh')
clang-format --dry-run --Werror "${sources[@]}"
say "clang-format: ${#sources[@]} files are clean"

base=${1:-}
if [[ -z $base ]]; then base=$(git rev-parse -q --verify HEAD~20 || git hash-object -t tree /dev/null); fi
mapfile -t changed < <(git diff --name-only --diff-filter=d "$base" -- '*.cpp' | while read -r file; do
  grep -q "\"file\": \"$repository/$file\"" build/release/compile_commands.json && echo "$file"
done | grep -vE '^gpu/cuda/|registered_points\.cpp$') # clang 14 cannot parse the headers of CUDA 13
if ((${#changed[@]})); then
  say "clang-tidy on ${#changed[@]} files ..."
  # The compile commands are g++'s: clang does not know all of its warnings.
  printf '%s\0' "${changed[@]}" |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/release --quiet --extra-arg=-Wno-unknown-warning-option 2> >(grep -vE 'warnings? generated|Suppressed|Use -header' >&2 || true)
fi
say "clang-tidy: ${#changed[@]} files are clean"
