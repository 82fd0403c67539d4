// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/runtime/cuda_memory.hpp"

#include "gpu/cuda/runtime/cuda_check.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace lloyd {
namespace {

std::optional<std::size_t> limitFromEnvironment() {
  const char* text = std::getenv("LLOYD_MEMORY_LIMIT"); // NOLINT(concurrency-mt-unsafe)
  if (!text) return std::nullopt;
  const std::string_view digits(text);
  std::size_t bytes = 0;
  const auto [stop, error] = std::from_chars(digits.begin(), digits.end(), bytes);
  if (error != std::errc() || stop != digits.end()) return std::nullopt;
  return bytes;
}

std::string mebibytes(std::size_t bytes) { return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB"; }

} // namespace

CudaMemory::CudaMemory(std::string deviceName)
    : deviceName_(std::move(deviceName)), limit_(limitFromEnvironment()) {}

void* CudaMemory::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  const bool withinLimit = !limit_ || (held_ <= *limit_ && bytes <= *limit_ - held_);
  const cudaError_t code = withinLimit ? cudaMalloc(&memory, bytes) : cudaErrorMemoryAllocation;
  if (code == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    throw DeviceError(static_cast<int>(code), Severity::retrySmaller, "cudaMalloc",
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

void CudaMemory::release(void* memory) noexcept {
  const auto found = blocks_.find(memory);
  if (found == blocks_.end()) return;
  held_ -= found->second;
  blocks_.erase(found);
  static_cast<void>(cudaFree(memory));
  static_cast<void>(cudaGetLastError());
}

std::size_t CudaMemory::free() const {
  std::size_t free = 0;
  std::size_t total = 0;
  LLOYD_CUDA(cudaMemGetInfo(&free, &total));
  if (!limit_) return free;
  return std::min(free, *limit_ > held_ ? *limit_ - held_ : 0);
}

} // namespace lloyd
