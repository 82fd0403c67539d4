#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether the verdicts of a race, and those between separate runs, can be believed on real kernels:
#   scripts/check-statistics.sh [--gpu] [OPTIONS]
# Within a race a variant against itself may be called different in one of a thousand; a slowdown of 5 % (on a GPU 2 %) must be
# found in 95 of a hundred. Of 200 pairs of separate runs, half of them beside a busy loop, one may be called different; 5 %
# on a GPU and 10 % on processors must be found in 95 of a hundred. One PASS or FAIL line each; takes some 20 minutes. Let the
# machine be idle otherwise. OPTIONS are the first check's: see --help.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}" python3
build release check_statistics lloydscope
first=()
runs=(--slower 10 -- --backend cpu --n '2^18')
if [[ ${1:-} == --gpu ]]; then
  shift
  first=(--cuda --variant classify.v7 --n '2^24' --slower 2 --equal 100)
  runs=(--slower 5 -- --backend cuda --n '2^20' --variants 'classify.*,reduce.*,fused.*')
fi
status=0
"$repository/build/release/tests/measure/check_statistics" "${first[@]}" "$@" || status=$?
[[ " $* " == *" --help "* ]] || python3 "$repository/scripts/check-runs.py" "$repository/build/release/lloydscope" "${runs[@]}" ||
  status=$?
exit $status
