// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

namespace lloyd {

/// A card's memory, with account of what is held and, through LLOYD_MEMORY_LIMIT, the pretence that there is
/// less. The calling thread's CUDA device must be the card. Not thread-safe, as a device is not.
class CudaMemory {
public:
  /// Reads memoryLimit(). deviceName: for errors.
  explicit CudaMemory(std::string deviceName);

  /// Throws DeviceError with severity retrySmaller and a sentence that says what was asked for and what is
  /// left.
  [[nodiscard]] void* allocate(std::size_t bytes);
  void release(void* memory) noexcept;
  /// What the driver says is free, or what the limit leaves when that is less.
  [[nodiscard]] std::size_t free() const;
  [[nodiscard]] std::optional<std::size_t> limit() const { return limit_; }

private:
  std::string deviceName_;
  std::optional<std::size_t> limit_;
  std::size_t held_ = 0;
  std::unordered_map<void*, std::size_t> blocks_;
};

} // namespace lloyd
