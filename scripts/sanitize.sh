#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every test under AddressSanitizer and UndefinedBehaviorSanitizer:  scripts/sanitize.sh [CTEST OPTIONS]
# A continuous build (CI=true) takes them a dozen at a time until LLOYD_DEADLINE (seconds since 1970), in an order that
# follows from the number of commits; one dozen at least.
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

# dozens [CTEST OPTIONS]: builds and runs the tests until the time is up. Under with_xvfb nothing stops at an error by itself.
dozens() {
  local tests chosen programs done=0
  mapfile -t tests < <(ctest --preset asan -N | awk '/^ *Test +#/ { print $NF }' |
    shuf --random-source=<(yes "$(git rev-list --count HEAD)"))
  while ((done < ${#tests[@]} && (done == 0 || $(date +%s) < ${LLOYD_DEADLINE:-0}))); do
    chosen=("${tests[@]:done:12}")
    mapfile -t programs < <(printf '%s\n' "${chosen[@]}" | grep '^tst_')
    build asan "${programs[@]}" || return
    ctest --preset asan -R "^($(IFS='|' && echo "${chosen[*]}"))\$" "$@" || return
    done=$((done + ${#chosen[@]}))
  done
  say "$done of ${#tests[@]} tests ran under the sanitizers"
}
build asan lloydscope
with_xvfb dozens "$@"
