#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An iteration of cpu.v3 against one of scikit-learn, on the same points, centroids and cores:
#   scripts/compare-sklearn.sh [--n N] [--d D] [--k K] [--rounds R] [--cores 0,1] [--at-least RATIO]
# Says both times, their ratio, and whether both end in the same place; takes half a minute. Exit 1 when they do not, or when the
# ratio is less than asked for (5). Installs Debian's python3-sklearn and OpenBLAS.
#   scripts/compare-sklearn.sh --shapes [NxDxK,...] [--rounds R] [--cores 0,1] [--at-least RATIO]
# A table of problems instead (2^18x16x64,2^17x64x256,2^16x128x1000,2^18x32x256): an iteration of what lloydscope takes by itself
# against scikit-learn 1.9 and scikit-learn-intelex, both from PyPI in an environment of their own that is gone afterwards. Takes
# some minutes. Exit 1 when they end in different places, or when a ratio is less than asked for (1, and 1.2 from D = 64 on).
# Let the machine be idle otherwise. LLOYDSCOPE names another program than the one that would be built.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

shapes=
for argument in "$@"; do [[ $argument == --shapes* ]] && shapes=1; done
if [[ -n $shapes ]]; then
  install_missing python3-venv
else
  # Without OpenBLAS scikit-learn's products run in the plain reference library, several times slower.
  install_missing python3-sklearn libopenblas0-pthread
fi
program=${LLOYDSCOPE:-}
if [[ -z $program ]]; then
  install_missing "${build_packages[@]}"
  build release lloydscope
  program=$repository/build/release/lloydscope
fi
if [[ -n $shapes ]]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  say "Installing scikit-learn 1.9 and scikit-learn-intelex from PyPI into $folder ..."
  /usr/bin/python3 -m venv "$folder/peers"
  "$folder/peers/bin/pip" install -q --disable-pip-version-check 'scikit-learn==1.9.*' scikit-learn-intelex >&2
  # A kernel of OpenBLAS that somebody chose for another purpose would be timed instead of the one for this processor.
  env -u OPENBLAS_CORETYPE "$folder/peers/bin/python" "$repository/scripts/compare-sklearn.py" "$program" "$@"
  exit
fi
# Debian's interpreter, whatever else is called python3: its packages are what was installed.
exec /usr/bin/python3 "$repository/scripts/compare-sklearn.py" "$program" "$@"
