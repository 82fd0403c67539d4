// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cpu/clock_probe.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace lloyd::cpu {
namespace {

constexpr int tries = 3;
constexpr int turns = 5000;
constexpr int additionsPerTurn = 8;

/// The compiler must neither join two additions nor drop one: it takes each result to be looked at.
inline void add(std::uint64_t& value, std::uint64_t step) {
  value += step;
  asm volatile("" : "+r"(value));
}

} // namespace

double clockMhz() {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  std::uint64_t step = 3;
  asm volatile("" : "+r"(step));
  for (int i = 0; i < tries; ++i) {
    std::uint64_t value = step;
    const auto from = Clock::now();
    for (int turn = 0; turn < turns; ++turn) {
      add(value, step);
      add(value, step);
      add(value, step);
      add(value, step);
      add(value, step);
      add(value, step);
      add(value, step);
      add(value, step);
    }
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - from).count();
    if (us > 0) best = std::max(best, turns * additionsPerTurn / us);
  }
  return best;
}

} // namespace lloyd::cpu
