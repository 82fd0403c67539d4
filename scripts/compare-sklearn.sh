#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An iteration of cpu.v3 against one of scikit-learn, on the same points, centroids and cores:
#   scripts/compare-sklearn.sh [--n N] [--d D] [--k K] [--rounds R] [--cores 0,1] [--at-least RATIO]
# Says both times, their ratio, and whether both end in the same place; takes half a minute. Exit 1 when they do not, or when the
# ratio is less than asked for (5). Installs Debian's python3-sklearn and OpenBLAS. Let the machine be idle otherwise. LLOYDSCOPE
# names another program than the one that would be built.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Without OpenBLAS scikit-learn's products run in the plain reference library, several times slower.
install_missing python3-sklearn libopenblas0-pthread
program=${LLOYDSCOPE:-}
if [[ -z $program ]]; then
  install_missing "${build_packages[@]}"
  build release lloydscope
  program=$repository/build/release/lloydscope
fi
# Debian's interpreter, whatever else is called python3: its packages are what was installed.
exec /usr/bin/python3 "$repository/scripts/compare-sklearn.py" "$program" "$@"
