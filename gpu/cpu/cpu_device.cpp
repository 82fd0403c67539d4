// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cpu/cpu_device.hpp"

#include "gpu/core/error.hpp"
#include "gpu/cpu/cpu_memory.hpp"
#include "gpu/cpu/operations.hpp"
#include "gpu/cpu/parallel.hpp"
#include "gpu/cpu/simd_target.hpp"

#include <oneapi/tbb/info.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <optional>

namespace lloyd {
namespace {

using Clock = std::chrono::steady_clock;

struct CpuEvent final : Event {
  std::optional<Clock::time_point> when;
};

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

class CpuDevice final : public Device {
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

  [[nodiscard]] const DeviceInfo& info() const noexcept override { return info_; }
  [[nodiscard]] std::size_t freeMemory() const override { return memory_.free(); }

  [[nodiscard]] void* allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
  void release(void* memory) noexcept override { memory_.release(memory); }
  [[nodiscard]] void* allocateHost(std::size_t bytes) override { return memory_.allocate(bytes); }
  void releaseHost(void* memory) noexcept override { memory_.release(memory); }

  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
    traffic_.toDevice += bytes;
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
    traffic_.toHost += bytes;
  }
  /// On all threads, because its rate is what the fastest variants are measured against.
  void copy(void* to, const void* from, std::size_t bytes) override {
    forChunks({.items = bytes, .perChunk = std::size_t{1} << 20}, LaunchContext(nullptr, cancel()),
              [&](std::size_t, std::size_t begin, std::size_t end) {
                std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                            end - begin);
              });
  }
  void fill(void* memory, int byte, std::size_t bytes) override {
    if (bytes > 0) std::memset(memory, byte, bytes);
  }

  void launch(std::string_view what, const std::function<void(LaunchContext&)>& work) override {
    LaunchContext context(nullptr, cancel());
    throwIfCancelled(context);
    try {
      work(context);
    } catch (const std::bad_alloc&) {
      throw DeviceError(0, Severity::retrySmaller, what, "out of memory for partial results");
    }
  }
  void inertia(const InertiaArgs& args) override {
    launch("inertia", [&](LaunchContext& context) { cpu::inertia(args, context); });
  }
  void seedStep(const SeedArgs& args) override {
    launch("seeding", [&](LaunchContext& context) { cpu::seedStep(args, context); });
  }
  void advance(const AdvanceArgs& args) override {
    launch("advance", [&](LaunchContext& context) { cpu::advance(args, context); });
  }
  void interleave(const InterleaveArgs& args) override {
    launch("interleave", [&](LaunchContext& context) { cpu::interleave(args, context); });
  }

  [[nodiscard]] std::unique_ptr<Event> createEvent() override { return std::make_unique<CpuEvent>(); }
  void record(Event& event) override { dynamic_cast<CpuEvent&>(event).when = Clock::now(); }
  [[nodiscard]] double elapsedUs(const Event& from, const Event& to) override {
    const auto& start = dynamic_cast<const CpuEvent&>(from).when;
    const auto& stop = dynamic_cast<const CpuEvent&>(to).when;
    if (!start || !stop)
      throw DeviceError(0, Severity::badRequest, "elapsedUs",
                        "an event was asked for its time before it was recorded");
    return std::max(0.0, std::chrono::duration<double, std::micro>(*stop - *start).count());
  }
  void synchronize() override {} // every call has finished when it returns

private:
  CpuMemory memory_;
  DeviceInfo info_;
};

} // namespace

std::unique_ptr<Device> createCpuDevice() { return std::make_unique<CpuDevice>(); }

} // namespace lloyd
