#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The CPU variants on 64-bit ARM:  scripts/check-neon.sh
# Compiles them and their tests for NEON with Debian's cross compiler, warnings as errors, and runs the tests in an emulator. Needs
# no ARM machine and leaves the packages of this one as they are: the libraries for ARM are unpacked under build/neon. Takes a
# few minutes; says nothing about speed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_missing "${build_packages[@]}" g++-aarch64-linux-gnu qemu-user
if [[ $(dpkg --print-architecture) == arm64 ]]; then say "This is an ARM machine: scripts/test.sh tests it as it is"; exit 3; fi
folder=$repository/build/neon
root=$folder/root
mkdir -p "$folder"
cd "$repository"

# unpack PACKAGE...: those and all that they need, from Debian's archive for ARM.
unpack() {
  local apt=$folder/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  : >"$apt/status"
  local options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State::lists="$apt/lists"
    -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root -o Debug::NoLocking=1)
  apt-get "${options[@]}" update >&2
  apt-get "${options[@]}" install --yes --download-only --no-install-recommends "$@" >&2
  local package
  for package in "$apt"/cache/archives/*.deb; do dpkg-deb --extract "$package" "$root.new"; done
  mv "$root.new" "$root"
}
if [[ ! -d $root ]]; then
  say "Unpacking libraries for ARM ..."
  rm -rf "$root.new"
  unpack libhwy-dev libtbb-dev libqt6test6
fi

library=$root/usr/lib/aarch64-linux-gnu
qt=/usr/include/$(gcc -print-multiarch)/qt6
options=(-std=c++20 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -ffp-contract=off -fPIC -DQT_NO_EMIT
  -DLLOYD_VERSION='"neon"' "-DLLOYD_SOURCE_DIR=\"$repository\"" -I"$repository" -I"$folder/moc" -isystem "$root/usr/include"
  -isystem "$qt" -isystem "$qt/QtCore" -isystem "$qt/QtTest")
tests=(tst_cpu_fma tst_cpu_determinism tst_cpu_device tst_cpu_product)
sources=(gpu/core/*/*.cpp gpu/cpu/*.cpp gpu/kernels/apart/*.cpp gpu/kernels/cpu/*.cpp gpu/kernels/schedule/*.cpp tests/gpu/cpu/cpu_fma_targets.cpp)

# compile FILE: its object lies in build/neon under the file's name.
compile() { mkdir -p "$folder/$(dirname "$1")" && aarch64-linux-gnu-g++ "${options[@]}" -c "$1" -o "$folder/$1.o"; }
mkdir -p "$folder/moc"
for name in "${tests[@]}"; do
  "$(qtpaths6 --query QT_HOST_LIBEXECS)/moc" "tests/gpu/cpu/$name.cpp" -o "$folder/moc/$name.moc"
done
say "Compiling ..."
objects=()
for file in "${sources[@]}"; do
  compile "$file"
  objects+=("$folder/$file.o")
done

failed=0
for name in "${tests[@]}"; do
  compile "tests/gpu/cpu/$name.cpp"
  aarch64-linux-gnu-g++ "$folder/tests/gpu/cpu/$name.cpp.o" "${objects[@]}" -L"$library" -Wl,-rpath-link,"$library" \
    -Wl,-rpath-link,"$root/lib/aarch64-linux-gnu" -l:libQt6Test.so.6 -l:libQt6Core.so.6 -lhwy -ltbb -o "$folder/$name"
  if qemu-aarch64 -L "$root" "$folder/$name" >"$folder/$name.log" 2>&1; then
    printf 'PASS  %s on NEON: %s\n' "$name" "$(grep '^Totals' "$folder/$name.log")"
  else
    printf 'FAIL  %s on NEON\n' "$name"
    grep -A3 -vE '^(PASS|Config|\*)' "$folder/$name.log" | head -20
    failed=1
  fi
done
exit "$failed"
