#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of sessions, their threads, races and pairs under ThreadSanitizer:  scripts/sanitize-threads.sh [CTEST OPTIONS]
# Nothing is suppressed. Debian's Qt and oneTBB are not instrumented, so what their own code does is not looked at; and
# all runs on one processor, where oneTBB starts no threads whose joins could not be seen. The program's own threads are
# told apart by what orders them, not by when they run, so one processor is enough for them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}"
cd "$repository"
build tsan lloyd_model # configures too, so that the tests are known
mapfile -t tests < <(ctest --preset tsan -N | sed -n 's/^ *Test *#[0-9]*: //p')
build tsan "${tests[@]}"
processor=$(taskset -pc $$ | sed 's/.*: *//; s/[-,].*//')
taskset -c "$processor" ctest --preset tsan -j 1 "$@"
