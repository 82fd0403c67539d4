// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cpu/cpu_memory.hpp"

#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <new>
#include <string>

namespace lloyd {
namespace {

constexpr std::align_val_t alignment{256};
/// Asking the system what is free takes longer than a small allocation, and cannot fail one.
constexpr std::size_t worthAsking = std::size_t{1} << 20;
constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();

/// The value of one row of /proc/meminfo in bytes; unknown where there is no such file.
std::size_t memoryInfo(const std::string& row) {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    if (word != row) continue;
    std::size_t kibibytes = 0;
    return file >> kibibytes ? kibibytes * 1024 : unknown;
  }
  return unknown;
}

std::size_t numberIn(const char* path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : unknown;
}

/// A container may be allowed less than the machine has.
std::size_t containerFree() {
  const std::size_t most = numberIn("/sys/fs/cgroup/memory.max");
  const std::size_t used = numberIn("/sys/fs/cgroup/memory.current");
  if (most == unknown || used == unknown) return unknown;
  return most > used ? most - used : 0;
}

} // namespace

CpuMemory::CpuMemory() : limit_(memoryLimit()) {}

CpuMemory::~CpuMemory() {
  for (const auto& [memory, bytes] : blocks_)
    ::operator delete(memory, alignment);
}

void* CpuMemory::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const bool small = bytes < worthAsking && !limit_;
  void* memory = small || bytes <= free() ? ::operator new(bytes, alignment, std::nothrow) : nullptr;
  if (!memory)
    throw DeviceError(0, Severity::retrySmaller, "an allocation",
                      "out of memory: " + std::to_string(bytes) + " bytes are needed and " +
                          std::to_string(free()) + " are free");
  blocks_.emplace(memory, bytes);
  held_ += bytes;
  return memory;
}

void CpuMemory::release(void* memory) noexcept {
  const auto found = blocks_.find(memory);
  if (found == blocks_.end()) return;
  held_ -= found->second;
  blocks_.erase(found);
  ::operator delete(memory, alignment);
}

std::size_t CpuMemory::total() const {
  const std::size_t installed = memoryInfo("MemTotal:");
  const std::size_t known = std::min(installed, numberIn("/sys/fs/cgroup/memory.max"));
  return std::min(known == unknown ? 0 : known, limit_.value_or(unknown));
}

std::size_t CpuMemory::free() const {
  const std::size_t system = std::min(memoryInfo("MemAvailable:"), containerFree());
  if (!limit_) return system;
  return std::min(system, *limit_ > held_ ? *limit_ - held_ : 0);
}

} // namespace lloyd
