// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Kernels of a person's own on a card: NVRTC, which is looked for when it is needed, compiles each the first
// time that it is launched there. Declared without a CUDA header, as cuda_device.hpp is.
#include "gpu/core/contract/device.hpp"

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>

namespace lloyd::cuda {

/// A kernel file for a card.
struct OwnKernelFile {
  std::string path;                           ///< as errors name it
  std::string text;                           ///< what of it a compiler for the card alone can read
  std::map<std::string, std::string> headers; ///< texts by the names that includes give
  /// The kernel whose code for the simulator is at an address, as an expression of C++:
  /// "lloyd::classify_v3<2u, 0u>"; empty where it is none of this file's. Any thread.
  std::function<std::string(const void* kernel)> nameOf;
};

/// Why nothing can be compiled for a card here, as a whole sentence; empty where it can. Any thread.
[[nodiscard]] std::string whyNoOwnKernels();
/// The first error that the compiler finds in the file with these kernels of it, "mine.cu(12): error: ...";
/// empty where it is content. capability: of the card, "9.0". Needs no card. Any thread.
[[nodiscard]] std::string compileOwnKernels(const OwnKernelFile& file, const std::string& capability,
                                            const std::vector<std::string>& names);
/// From now on launchOwnKernel() knows the file's kernels, as long as the program lives. Any thread.
void addOwnKernels(OwnKernelFile file);

/// Begins to compile kernels for cards of that capability on as many threads as there are processors, so that
/// the first launches of a file with this path and text find them ready. What is wrong with them is told by
/// the launch. The end of the program waits for it. Any thread.
void beginOwnKernels(const OwnKernelFile& file, const std::string& capability,
                     const std::vector<std::string>& names);
/// The same of the kernels whose code for the simulator is at these addresses, where a file is known for
/// them.
void beginOwnKernels(std::span<const void* const> kernels, const std::string& capability);
/// The kernels that were launched on a card, as expressions of C++, by the paths of their files. Any thread.
[[nodiscard]] std::map<std::string, std::set<std::string>> launchedOwnKernels();

/// LaunchContext::launchOwn on CUDA devices. Throws DeviceError: nobody knows the kernel, the compiler or the
/// card refuses it. On the thread of the device.
void launchOwnKernel(LaunchContext& context, const LaunchShape& shape, const void* kernel, void** arguments);

} // namespace lloyd::cuda
