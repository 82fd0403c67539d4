#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and starts lloydscope with the arguments given:  scripts/run.sh [ARGS]
# Standard output, working folder and exit status are the program's. Without a display the window and `shot` get a virtual
# screen; without arguments as well, the main job runs there, and leaves a picture and the times of an iteration and a frame.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}"
build release lloydscope
private_runtime_folder
program=$repository/build/release/lloydscope

case ${1:-} in
  run | bench | verify | trace | list | --help | -h | --version) exec "$program" "$@" ;;
esac
if has_display; then exec "$program" "$@"; fi

if (($# == 0)); then
  say "There is no display: clustering drifting points on a virtual screen for 300 frames; the picture goes to lloydscope.png."
  with_xvfb "$program" shot --frames 300 --size 1440x900 --out lloydscope.png --timings | sed -nE '1p; /^(iteration|frame) /p'
elif [[ $1 == shot ]]; then
  with_xvfb "$program" "$@"
else
  say "There is no display: the window opens on a virtual screen that nobody sees; 'shot' writes it as a picture."
  with_xvfb "$program" "$@"
fi
