// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/runtime/cuda_memory.hpp"

#include "gpu/core/contract/device.hpp"
#include "gpu/cuda/runtime/cuda_check.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

std::string mebibytes(std::size_t bytes) { return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB"; }

} // namespace

CudaMemory::CudaMemory(std::string deviceName) : deviceName_(std::move(deviceName)), limit_(memoryLimit()) {}

void* CudaMemory::allocate(std::size_t bytes) {
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

void CudaMemory::release(void* memory) noexcept {
  const auto found = blocks_.find(memory);
  if (found == blocks_.end()) return;
  held_ -= found->second;
  blocks_.erase(found);
  cleared(cudaFree(memory));
}

std::size_t CudaMemory::free() const {
  std::size_t free = 0;
  std::size_t total = 0;
  LLOYD_CUDA(cudaMemGetInfo(&free, &total));
  if (!limit_) return free;
  return std::min(free, *limit_ > held_ ? *limit_ - held_ : 0);
}

} // namespace lloyd
