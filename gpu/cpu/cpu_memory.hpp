// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <unordered_map>

namespace lloyd {

/// Aligned host memory that keeps account of itself. Not thread-safe, as a device is not. What is still held
/// when it goes is given back.
class CpuMemory {
public:
  /// Reads memoryLimit().
  CpuMemory();
  CpuMemory(const CpuMemory&) = delete;
  CpuMemory& operator=(const CpuMemory&) = delete;
  ~CpuMemory();

  /// Aligned to 256 bytes; null for 0 bytes. Throws DeviceError with severity retrySmaller.
  [[nodiscard]] void* allocate(std::size_t bytes);
  void release(void* memory) noexcept;

  /// Installed memory, or the limit when that is less.
  [[nodiscard]] std::size_t total() const;
  /// What the system could still give without swapping, or what the limit leaves when that is less.
  [[nodiscard]] std::size_t free() const;

private:
  std::optional<std::size_t> limit_;
  std::size_t held_ = 0;
  std::unordered_map<void*, std::size_t> blocks_;
};

} // namespace lloyd
