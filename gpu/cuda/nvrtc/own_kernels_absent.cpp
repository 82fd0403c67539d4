// SPDX-License-Identifier: GPL-3.0-or-later
// Of a build that was made without a CUDA compiler.
#include "gpu/core/contract/error.hpp"
#include "gpu/cuda/nvrtc/own_kernels.hpp"

namespace lloyd::cuda {

std::string whyNoOwnKernels() { return "This program was built without CUDA"; }
std::string compileOwnKernels(const OwnKernelFile&, const std::string&, const std::vector<std::string>&) {
  return whyNoOwnKernels();
}
void addOwnKernels(OwnKernelFile) {}
void beginOwnKernels(const OwnKernelFile&, const std::string&, const std::vector<std::string>&) {}
void beginOwnKernels(std::span<const void* const>, const std::string&) {}
std::map<std::string, std::set<std::string>> launchedOwnKernels() { return {}; }
void launchOwnKernel(LaunchContext&, const LaunchShape&, const void*, void**) {
  throw DeviceError(0, Severity::absent, "launching a kernel of one's own", whyNoOwnKernels());
}

} // namespace lloyd::cuda
