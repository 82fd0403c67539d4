// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cpu/cpu_device.hpp"

#include "gpu/cpu/clock_probe.hpp"
#include "gpu/cpu/host_device.hpp"
#include "gpu/cpu/simd_target.hpp"

#include <oneapi/tbb/info.h>
#include <unistd.h>

#include <fstream>
#include <limits>

namespace lloyd {
namespace {

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  return "CPU";
}

std::size_t secondLevelCache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (const long bytes = ::sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) return static_cast<std::size_t>(bytes);
#endif
  return 0;
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

  [[nodiscard]] double clockMhz() override { return cpu::clockMhz(); }
};

} // namespace

std::unique_ptr<Device> createCpuDevice() { return std::make_unique<CpuDevice>(); }

} // namespace lloyd
