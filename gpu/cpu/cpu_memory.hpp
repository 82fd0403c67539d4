// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>

namespace lloyd {

/// Aligned host memory that keeps account of itself. Not thread-safe, as a device is not. What is still held
/// when it goes is given back.
class CpuMemory {
public:
  /// Reads memoryLimit().
  CpuMemory() : limit_(memoryLimit()) {}
  CpuMemory(const CpuMemory&) = delete;
  CpuMemory& operator=(const CpuMemory&) = delete;
  ~CpuMemory() {
    for (const auto& [memory, bytes] : blocks_)
      ::operator delete(memory, alignment);
  }

  /// Aligned to 256 bytes; null for 0 bytes. Throws DeviceError with severity retrySmaller.
  [[nodiscard]] void* allocate(std::size_t bytes) {
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
  void release(void* memory) noexcept {
    const auto found = blocks_.find(memory);
    if (found == blocks_.end()) return;
    held_ -= found->second;
    blocks_.erase(found);
    ::operator delete(memory, alignment);
  }

  /// Installed memory, or the limit when that is less.
  [[nodiscard]] std::size_t total() const {
    const std::size_t installed = memoryInfo("MemTotal:");
    const std::size_t known = std::min(installed, numberIn("/sys/fs/cgroup/memory.max"));
    return std::min(known == unknown ? 0 : known, limit_.value_or(unknown));
  }
  /// What the system could still give without swapping, or what the limit leaves when that is less.
  [[nodiscard]] std::size_t free() const {
    const std::size_t system = std::min(memoryInfo("MemAvailable:"), containerFree());
    if (!limit_) return system;
    return std::min(system, *limit_ > held_ ? *limit_ - held_ : 0);
  }

private:
  static constexpr std::align_val_t alignment{256};
  /// Asking the system what is free takes longer than a small allocation, and cannot fail one.
  static constexpr std::size_t worthAsking = std::size_t{1} << 20;
  static constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();
  /// The value of one row of /proc/meminfo in bytes; unknown where there is no such file.
  static std::size_t memoryInfo(const std::string& row) {
    std::ifstream file("/proc/meminfo");
    std::string word;
    while (file >> word) {
      if (word != row) continue;
      std::size_t kibibytes = 0;
      return file >> kibibytes ? kibibytes * 1024 : unknown;
    }
    return unknown;
  }
  static std::size_t numberIn(const char* path) {
    std::ifstream file(path);
    std::size_t value = 0;
    return file >> value ? value : unknown;
  }
  /// A container may be allowed less than the machine has.
  static std::size_t containerFree() {
    const std::size_t most = numberIn("/sys/fs/cgroup/memory.max");
    const std::size_t used = numberIn("/sys/fs/cgroup/memory.current");
    if (most == unknown || used == unknown) return unknown;
    return most > used ? most - used : 0;
  }

  std::optional<std::size_t> limit_;
  std::size_t held_ = 0;
  std::unordered_map<void*, std::size_t> blocks_;
};

} // namespace lloyd
