// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/cuda/runtime/cuda_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace lloyd {

/// A card's memory, with account of what is held and, through LLOYD_MEMORY_LIMIT, the pretence that there is
/// less. The calling thread's CUDA device must be the card. Not thread-safe, as a device is not.
class CudaMemory {
public:
  /// Reads memoryLimit(). deviceName: for errors.
  explicit CudaMemory(std::string deviceName) : deviceName_(std::move(deviceName)), limit_(memoryLimit()) {}

  /// Throws DeviceError with severity retrySmaller and a sentence that says what was asked for and what is
  /// left.
  [[nodiscard]] void* allocate(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    void* memory = nullptr;
    const bool withinLimit = !limit_ || (held_ <= *limit_ && bytes <= *limit_ - held_);
    const cudaError_t code = withinLimit ? cudaMalloc(&memory, bytes) : cudaErrorMemoryAllocation;
    if (code == cudaErrorMemoryAllocation) {
      throw DeviceError(static_cast<int>(cleared(code)), Severity::retrySmaller, "cudaMalloc",
                        deviceName_ + " is out of memory: " + mebibytes(bytes) + " more are needed and " +
                            mebibytes(free()) + " are free");
    }
    checkCuda(code, "cudaMalloc");
    try {
      blocks_.emplace(memory, bytes);
    } catch (...) {
      static_cast<void>(cudaFree(memory));
      throw;
    }
    held_ += bytes;
    return memory;
  }
  void release(void* memory) noexcept {
    const auto found = blocks_.find(memory);
    if (found == blocks_.end()) return;
    held_ -= found->second;
    blocks_.erase(found);
    cleared(cudaFree(memory));
  }
  /// What the driver says is free, or what the limit leaves when that is less.
  [[nodiscard]] std::size_t free() const {
    std::size_t free = 0;
    std::size_t total = 0;
    LLOYD_CUDA(cudaMemGetInfo(&free, &total));
    if (!limit_) return free;
    return std::min(free, *limit_ > held_ ? *limit_ - held_ : 0);
  }
  [[nodiscard]] std::optional<std::size_t> limit() const { return limit_; }

private:
  static std::string mebibytes(std::size_t bytes) {
    return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
  }

  std::string deviceName_;
  std::optional<std::size_t> limit_;
  std::size_t held_ = 0;
  std::unordered_map<void*, std::size_t> blocks_;
};

} // namespace lloyd
