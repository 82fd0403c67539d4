// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cpu/cpu_device.hpp"

#include "gpu/cpu/host_device.hpp"
#include "gpu/cpu/simd_target.hpp"

#include <hwy/targets.h>
#include <oneapi/tbb/info.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <limits>

namespace lloyd {
namespace {

/// The instruction set that SIMD variants use on this processor, in a person's words: "AVX-512".
std::string simdTargetName() {
  // Highway orders its targets so that the lowest bit is the best one.
  const auto usable = hwy::SupportedTargets() & (HWY_TARGETS);
  switch (const auto best = usable & -usable) {
  case HWY_AVX3_DL:
  case HWY_AVX3:
    return "AVX-512";
  case HWY_AVX2:
    return "AVX2 with FMA";
  case HWY_EMU128:
  case HWY_SCALAR:
    return "no SIMD with fused multiply-add";
  default:
    return hwy::TargetName(best);
  }
}

std::size_t secondLevelCache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (const long bytes = ::sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) return static_cast<std::size_t>(bytes);
#endif
  return 0;
}

constexpr int tries = 3;
constexpr int turns = 5000;
constexpr int additionsPerTurn = 8;

/// The compiler must neither join two additions nor drop one: it takes each result to be looked at.
void add(std::uint64_t& value, std::uint64_t step) {
  value += step;
  asm volatile("" : "+r"(value));
}

/// The clock of the core that the calling thread runs on, MHz: a chain of additions, each of which waits for
/// the one before and takes one cycle on any processor of today, timed. The best of a few tries, because a
/// thread that was interrupted looks slow.
double probedClockMhz() {
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

class CpuDevice final : public HostDevice<Device> {
public:
  CpuDevice() {
    info_.backend = Backend::cpu;
    info_.name = processorName();
    info_.memoryBytes = memory_.total();
    info_.runtime = simdTargetName();
    info_.usable = true;
    // A block means nothing here, so no launch is refused for its size.
    info_.threadsPerBlock = std::numeric_limits<int>::max();
    info_.multiprocessors = oneapi::tbb::info::default_concurrency();
    info_.l2Bytes = secondLevelCache();
  }

  [[nodiscard]] double clockMhz() override { return probedClockMhz(); }
};

} // namespace

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  return "CPU";
}

std::unique_ptr<Device> createCpuDevice() { return std::make_unique<CpuDevice>(); }

} // namespace lloyd
