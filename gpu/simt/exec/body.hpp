// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/launch_context.hpp"
#include "gpu/simt/queue/given_array.hpp"

#include <span>

namespace lloyd::simt {

/// One lane's run of a kernel with its arguments.
struct Body {
  const void* closure;
  void (*call)(const void* closure);
  std::span<const GivenArray> arrays = {}; ///< its arguments in global memory
  const void* kernel = nullptr;            ///< the address of its code
  void operator()() const { call(closure); }
};

/// The part of launchKernel() that is the same for all kernels. No blocks: no launch. Throws DeviceError for
/// a shape that cannot be, Fault for what the kernel does wrong, Cancelled. mostThreads: what the kernel was
/// declared with.
void launchUntyped(LaunchContext& context, const LaunchShape& shape, int mostThreads, const Body& body);

} // namespace lloyd::simt
