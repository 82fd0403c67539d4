// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/runtime/cuda_launch.hpp"

#include "gpu/cuda/runtime/cuda_calls.hpp"

#include <algorithm>
#include <string>

namespace lloyd {
namespace {

constexpr std::size_t mostBlocks = 0x7fffffff;

/// A kernel gets more than 48 KiB, static and dynamic together, only when it asked. Asking is cheap; a little
/// less than 48 KiB leaves room for the static part.
void allowShared(const void* kernel, std::size_t bytes) {
  if (bytes <= std::size_t{32} * 1024) return;
  LLOYD_CUDA(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

KernelResources describeKernel(const void* kernel, const LaunchShape& shape) {
  cudaFuncAttributes attributes{};
  LLOYD_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  int blocks = 0;
  LLOYD_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, shape.threads, shape.sharedBytes));
  int device = 0;
  LLOYD_CUDA(cudaGetDevice(&device));
  int mostThreads = 0;
  LLOYD_CUDA(cudaDeviceGetAttribute(&mostThreads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  const int warps = (shape.threads + 31) / 32;
  return {.threads = shape.threads,
          .registers = attributes.numRegs,
          .sharedBytes = attributes.sharedSizeBytes + shape.sharedBytes,
          .localBytes = attributes.localSizeBytes,
          .occupancy = mostThreads > 0 ? static_cast<double>(blocks * warps) / (mostThreads / 32) : 0.0};
}

} // namespace

std::size_t blocksAtOnce(const LaunchContext& context, const void* kernel, int threads,
                         std::size_t sharedBytes) {
  allowShared(kernel, sharedBytes);
  int blocks = 0;
  LLOYD_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, sharedBytes));
  return static_cast<std::size_t>(std::max(blocks, 1)) * static_cast<std::size_t>(context.multiprocessors);
}

void launchUntyped(LaunchContext& context, const LaunchShape& shape, const void* kernel, void** arguments) {
  if (shape.blocks == 0) return;
  if (shape.blocks > mostBlocks)
    throw DeviceError(0, Severity::badRequest, "a launch",
                      "the grid would have " + std::to_string(shape.blocks) + " blocks, more than CUDA's " +
                          std::to_string(mostBlocks) + ": a larger block needs fewer");
  allowShared(kernel, shape.sharedBytes);
  if (context.describe) {
    context.describe->push_back(describeKernel(kernel, shape));
    return;
  }
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(shape.blocks), shape.rows);
  config.blockDim = dim3(static_cast<unsigned>(shape.threads));
  config.dynamicSmemBytes = shape.sharedBytes;
  config.stream = static_cast<cudaStream_t>(context.stream());
  config.attrs = &together;
  config.numAttrs = shape.together ? 1 : 0;
  LLOYD_CUDA(cudaLaunchKernelExC(&config, kernel, arguments));
}

} // namespace lloyd
