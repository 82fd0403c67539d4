#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A whole iteration of lloydscope on a GPU beside flash-kmeans and torch, on the same points, centroids and card, in one run:
#   scripts/compare-flash-kmeans.sh [--shapes N:D:K,...] [--rounds R]
# Says the times, and of how many points each has another label than lloydscope. Puts both from PyPI (3 GB) into an environment that
# is thrown away; PYTHON names an interpreter that has them already. LLOYDSCOPE names another program than the one that would be built.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

program=${LLOYDSCOPE:-}
if [[ -z $program ]]; then
  install_missing "${build_packages[@]}"
  build release lloydscope
  program=$repository/build/release/lloydscope
fi
python=${PYTHON:-}
if [[ -z $python ]]; then
  install_missing python3-venv
  environment=$(mktemp -d)
  trap 'rm -rf "$environment"' EXIT
  say "Installing torch and flash-kmeans from PyPI (some minutes) ..."
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet numpy torch flash-kmeans
  python=$environment/bin/python3
fi
"$python" "$repository/scripts/compare-flash-kmeans.py" "$program" "$@"
