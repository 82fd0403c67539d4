// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the host code of a kernel file meets of a device. Every kernel file that a person saves is compiled
// with this, so that it includes little.
#include "gpu/core/contract/variant.hpp"
#include "gpu/core/data/problem.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lloyd {

/// A device as a person and a launch check see it. Sizes in bytes.
struct DeviceInfo {
  Backend backend = Backend::cpu;
  std::string name;
  std::string computeCapability; ///< "9.0"; empty for a CPU
  std::size_t memoryBytes = 0;
  std::string driver;  ///< version; empty when unknown
  std::string runtime; ///< version of the CUDA runtime, or the SIMD target of the CPU device
  bool usable = false;
  std::string why; ///< when not usable: the reason and the cure
  int index = 0;
  std::string busId; ///< of a card on the PCI bus, as the driver's own tools name it; empty for a CPU
  int threadsPerBlock = 1024;
  std::size_t sharedBytesPerBlock = 0; ///< the most a kernel may ask for
  int multiprocessors = 0;             ///< cores, for a CPU
  std::size_t l2Bytes = 0;
  /// Single-precision operations a second at the highest clock, a multiply-add counted as two; 0 when
  /// unknown.
  double peakFlops = 0;
  bool repeats = true; ///< recorded work can repeat itself there, which Device::recordLoop() needs
};

/// What the compiler and the card say of one kernel and launch shape.
struct KernelResources {
  int threads = 0;   ///< in a block
  int registers = 0; ///< a thread
  std::size_t sharedBytes = 0;
  std::size_t localBytes = 0; ///< more than 0 means spills or an indexed array
  double occupancy = 0;       ///< resident warps over the most possible, 0 to 1
};

/// Blocks, threads in a block, and bytes of dynamic shared memory of one launch.
struct LaunchShape {
  std::size_t blocks = 0; ///< of a row
  int threads = 0;
  std::size_t sharedBytes = 0;
  bool together = false; ///< all blocks run at the same time, which waitForGrid() needs
  unsigned rows = 1;     ///< of blocks, blockIdx.y; at most 65535
};

/// Floats from the first coordinate of the first point to the last of the last, in a structure of arrays.
[[nodiscard]] constexpr std::size_t pointExtent(const Problem& problem, std::size_t stride) {
  return problem.n == 0 ? 0 : static_cast<std::size_t>(problem.d - 1) * stride + problem.n;
}

/// Lends device memory to a launch.
class MemoryLender {
public:
  MemoryLender() = default;
  MemoryLender(const MemoryLender&) = delete;
  MemoryLender& operator=(const MemoryLender&) = delete;
  virtual ~MemoryLender() = default;

  [[nodiscard]] virtual std::byte* lend(std::size_t bytes) = 0;
};

/// What a launch function is given: where to launch, whether to give up, or an order to describe instead of
/// launching.
class LaunchContext {
public:
  explicit LaunchContext(void* nativeStream = nullptr, const std::atomic<bool>* cancel = nullptr)
      : stream_(nativeStream), cancel_(cancel) {}

  /// cudaStream_t for CUDA; null for the CPU.
  [[nodiscard]] void* stream() const { return stream_; }
  /// Of the card, for kernels whose grid is as large as the card and no larger. A device without any stands
  /// for a small card, always the same one, so that what it counts does not depend on the machine.
  int multiprocessors = 4;
  /// The most shared memory that a block of this device may ask for.
  std::size_t sharedBytesPerBlock = 0;
  /// Where the device lends any: device memory to work in, for as long as what is launched runs, of one
  /// launch at a time. Null elsewhere.
  MemoryLender* lender = nullptr;
  /// Names the loop that is being recorded or replayed, for repeatLoop(); 0: none.
  std::uint64_t loop = 0;
  /// On a card: launches a kernel that was compiled for it while the program runs. kernel: the address of its
  /// code for the simulator; arguments: as CUDA takes them. Null elsewhere.
  void (*launchOwn)(LaunchContext& context, const LaunchShape& shape, const void* kernel,
                    void** arguments) = nullptr;
  /// CPU work asks this between chunks of at most a few milliseconds and throws Cancelled.
  [[nodiscard]] bool cancelled() const { return cancel_ && cancel_->load(std::memory_order_relaxed); }

  /// When set, launchKernel() fills it for the kernel it would have launched, and launches nothing.
  std::vector<KernelResources>* describe = nullptr;

private:
  void* stream_;
  const std::atomic<bool>* cancel_;
};

} // namespace lloyd
