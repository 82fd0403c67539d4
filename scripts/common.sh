# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034,SC2174
# What the scripts share; sourced, never run. All that it says goes to standard error.
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }

build_packages=(cmake fonts-dejavu-core g++ git libarchive-dev libboost-context-dev libcli11-dev libeigen3-dev
  libexpected-dev libgl1-mesa-dri libglm-dev libhwy-dev libqcustomplot-dev libqt6opengl6-dev libtbb-dev ninja-build
  qt6-base-dev qt6-image-formats-plugins qt6-svg-dev xauth xvfb zlib1g-dev)

# A browser, which opens the HTML report as a reader does, and ffmpeg, which makes films of recorded frames; their tests
# are skipped where they are not.
test_packages=(chromium-headless-shell ffmpeg)

# install_missing PACKAGE...: from Debian's archive, asking nothing; silent and fast when all are there. What apt-get prints
# goes to build/packages.log.
install_missing() {
  local missing=() package status
  for package in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || { say "These packages are missing and need root or sudo to install: ${missing[*]}"; return 1; }
    as_root=(sudo)
  fi
  local log=$repository/build/packages.log
  mkdir -p "$repository/build"
  say "Installing ${#missing[@]} of Debian's packages (some minutes; the log is $log) ..."
  if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1; then
    say "These packages could not be installed: ${missing[*]}"
    grep -E '^E:' "$log" >&2 || tail -n 5 "$log" >&2
    return 1
  fi
}

# build PRESET [TARGET...]: configures when needed, then builds; silent when up to date.
build() {
  local preset=$1 folder log
  shift
  folder=$repository/build/$preset
  mkdir -p "$folder"
  log=$folder/build.log
  if [[ ! -f $folder/build.ninja ]]; then
    say "Configuring $preset ..."
    (cd "$repository" && cmake --preset "$preset") >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    grep -E '^-- CUDA ' "$log" >&2 || true
  fi
  # Whether there is work shows only by starting: the look for new kernel files is a step of its own.
  ninja -C "$folder" "$@" >"$log" 2>&1 &
  local ninja=$!
  for _ in $(seq 15); do
    kill -0 "$ninja" 2>/dev/null || break
    sleep 0.1
  done
  if kill -0 "$ninja" 2>/dev/null; then say "Building $preset (the first time takes about ten minutes on two cores; the log is $log) ..."; fi
  wait "$ninja" || { grep -E -A12 'FAILED|error' "$log" | head -60 >&2; return 1; }
}

has_display() { [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} || -n ${QT_QPA_PLATFORM:-} ]]; }

private_runtime_folder() {
  [[ -n ${XDG_RUNTIME_DIR:-} ]] && return 0
  export XDG_RUNTIME_DIR=/tmp/lloydscope-runtime-$EUID
  mkdir -p -m 700 "$XDG_RUNTIME_DIR" 2>/dev/null || true
  # Somebody else may have made it first.
  [[ $(stat -c '%F %u %a' "$XDG_RUNTIME_DIR" 2>/dev/null) == "directory $EUID 700" ]] || XDG_RUNTIME_DIR=$(mktemp -d)
}

# with_xvfb COMMAND...: runs it on a virtual screen of its own and gives back its exit status.
with_xvfb() {
  local status=0 number_file number server
  number_file=$(mktemp)
  Xvfb -displayfd 5 -screen 0 1920x1080x24 +extension GLX -noreset -nolisten tcp 5>"$number_file" >/dev/null 2>&1 &
  server=$!
  # shellcheck disable=SC2064 # the values of now are wanted
  trap "kill $server 2>/dev/null || true; rm -f '$number_file'" EXIT
  for _ in $(seq 100); do
    [[ -s $number_file ]] && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.05
  done
  number=$(<"$number_file")
  [[ -n $number ]] || { say "Xvfb, the virtual screen, did not start"; return 3; }
  DISPLAY=:$number "$@" || status=$?
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  return "$status"
}
