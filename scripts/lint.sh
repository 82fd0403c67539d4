#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Format and place of every source file (check-structure.py), then clang-tidy on those changed since BASE:  scripts/lint.sh [BASE]
# BASE is a revision; without one it is the sources that the history names last, sixteen at most, which is what a
# continuous build has time for. Uses the release build's compile commands.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}" clang-format clang-tidy python3
build release
cd "$repository"

mapfile -t sources < <(git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh')
clang-format --dry-run --Werror "${sources[@]}"
say "clang-format: ${#sources[@]} files are clean"
python3 scripts/check-structure.py
say "Every source is in its room"

most=16
changed_sources() {
  if (($#)); then
    git diff --name-only --diff-filter=d "$1" -- '*.cpp'
  else
    git log --format= --name-only -- '*.cpp' | awk '!seen[$0]++'
  fi
}
if (($#)); then most='$'; fi
mapfile -t changed < <(changed_sources "$@" | while read -r file; do
  if grep -q "\"file\": \"$repository/$file\"" build/release/compile_commands.json; then echo "$file"; fi
done | grep -vE '^gpu/cuda/|registered_points\.cpp$' | sed -n "1,${most}p") # clang 14 cannot parse the headers of CUDA 13
if ((${#changed[@]})); then
  say "clang-tidy on ${#changed[@]} files ..."
  # The compile commands are g++'s: clang does not know all of its warnings, and cannot read its precompiled headers.
  commands=$(mktemp -d)
  sed -E 's/-Winvalid-pch -include [^ ]+//' build/release/compile_commands.json >"$commands/compile_commands.json"
  printf '%s\0' "${changed[@]}" |
    xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$commands" --quiet --extra-arg=-Wno-unknown-warning-option 2> >(grep -vE 'warnings? generated|Suppressed|Use -header' >&2 || true)
fi
say "clang-tidy: ${#changed[@]} files are clean"
