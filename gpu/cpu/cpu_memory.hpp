// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/system_memory.hpp"

#include <algorithm>
#include <cstddef>
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
    const std::size_t known = installedMemory();
    return std::min(known == unknownMemory ? 0 : known, limit_.value_or(unknownMemory));
  }
  /// What the system could still give without swapping, or what the limit leaves when that is less.
  [[nodiscard]] std::size_t free() const {
    const std::size_t system = availableMemory();
    if (!limit_) return system;
    return std::min(system, *limit_ > held_ ? *limit_ - held_ : 0);
  }

private:
  static constexpr std::align_val_t alignment{256};
  /// Asking the system what is free takes longer than a small allocation, and cannot fail one.
  static constexpr std::size_t worthAsking = std::size_t{1} << 20;

  std::optional<std::size_t> limit_;
  std::size_t held_ = 0;
  std::unordered_map<void*, std::size_t> blocks_;
};

} // namespace lloyd
