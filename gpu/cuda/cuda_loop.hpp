// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/cuda/runtime/cuda_handles.hpp"

#include <functional>

namespace lloyd {

/// A CUDA graph of one node, which repeats its body for as long as a kernel of the body says
/// (cudaGraphCondTypeWhile, CUDA 12.4 and newer). A launch of it is one call, whatever the body holds and
/// however often it runs. The calling thread's CUDA device must be the one that it is for, here and below.
class LoopGraph {
public:
  /// body launches kernels; it is called twice, first to be described, because a kernel is loaded when it is
  /// first asked about, and a recording is no time for that. stream: where the graph will be launched. Throws
  /// what body throws, and DeviceError; the device is as usable afterwards as before.
  LoopGraph(const std::function<void(LaunchContext&)>& body, cudaStream_t stream);

  void launch(cudaStream_t stream);

private:
  GraphHandle graph_;
  GraphExecHandle exec_;
};

} // namespace lloyd
