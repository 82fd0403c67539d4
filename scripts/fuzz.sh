#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every reader under libFuzzer, each for its share of SECONDS:  scripts/fuzz.sh [SECONDS] [READER...]
# Readers are csv, npy, packed, cloud, image, report and tuning; 300 seconds when nothing is said. What is found lies in
# tests/fixtures/fallen from then on, where a test reads it; found inputs that reach new code stay in build/fuzz/corpus.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

seconds=${1:-300}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { say "'$seconds' is no number of seconds"; exit 2; }
readers=("${@:2}")
((${#readers[@]})) || readers=(csv npy packed cloud image report tuning)

install_missing "${build_packages[@]}" clang libclang-rt-14-dev
build fuzz "${readers[@]/#/fuzz_}"

seeds=("$repository"/resources/{data,tuning} "$repository"/tests/fixtures/{odd,invalid,reports,fallen})
fallen=$repository/tests/fixtures/fallen
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
# The handlers of libFuzzer are to see what ends the program, and Qt's plugins hold memory until the end.
export ASAN_OPTIONS=detect_leaks=0:handle_abort=2
status=0
for reader in "${readers[@]}"; do
  corpus=$repository/build/fuzz/corpus/$reader
  log=$repository/build/fuzz/$reader.log
  mkdir -p "$corpus" "$fallen"
  say "$reader: $((seconds / ${#readers[@]})) seconds ..."
  if "$repository/build/fuzz/tests/fuzz/fuzz_$reader" -max_total_time=$((seconds / ${#readers[@]})) -max_len=65536 -timeout=10 \
    -rss_limit_mb=3000 -print_final_stats=1 -artifact_prefix="$fallen/$reader-" "$corpus" "${seeds[@]}" >"$log" 2>&1; then
    printf 'PASS %s: %s inputs, %s kept\n' "$reader" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
      "$(find "$corpus" -type f | wc -l)"
  else
    status=1
    printf 'FAIL %s: the input is in tests/fixtures/fallen, the whole output in %s\n' "$reader" "$log"
    grep -E -A12 'ERROR: |runtime error|SUMMARY: ' "$log" | head -40 || tail -n 20 "$log"
  fi
done
exit "$status"
