// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/simt/queue/turns.hpp"
#include "gpu/simt/record/counters.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lloyd::simt {

/// Which thread handled an element.
struct Owner {
  static constexpr std::uint32_t nobody = 0xffffffff;
  std::uint32_t block = nobody;
  std::uint32_t thread = 0; ///< in its block; warp = thread / 32
};

/// The SIMT simulator: runs CUDA kernels' own source thread by thread on this machine, exactly, at a
/// simulator's speed. Memory is host memory aligned to 256 bytes, as cudaMalloc's is. A fault in a kernel
/// (divergent barrier, deadlock, bad mask, index out of range, uninitialised shared memory) is a DeviceError
/// of severity badRequest whose meaning names block, warp, lanes, file and line; the device stays usable.
///
/// While it records, blocks run one after the other, and the same schedule gives the same everything.
/// Otherwise they are spread over several OS threads, begun in the schedule's order, with the processor's own
/// atomics on global memory: what does not depend on the order of blocks is the same, a sum of floats that
/// blocks add to by atomics may differ in its last bits from run to run, and of two blocks that store to one
/// place either may be the last. Of several blocks with a fault, the first in the schedule's order is
/// reported. A kernel that waits in a loop for another thread waits for ever.
///
/// What is given to a queue is kept until the host waits, and takes place in one of the orders that queues
/// and events allow, which the schedule chooses. What would be wrong in another of them is reported by the
/// host's next wait (gpu/simt/queue/checker.hpp): as a DeviceError of severity badRequest whose one sentence
/// names both operations with their places in the source. After that, and after a fault, nothing that was
/// given to a queue before is under way any more.
class SimtDevice : public Device {
public:
  virtual void setSchedule(const Schedule& schedule) = 0;

  /// From now on launches are counted, checked for races, and one block at a time.
  virtual void startRecording() = 0;
  /// Of this block what each of its warps does is recorded as well, step by step (Trace::steps). Until the
  /// recording stops; without one it does nothing.
  virtual void keepSteps(std::uint32_t block) = 0;
  /// What was recorded since startRecording(); faults are also thrown by the launch that met them.
  [[nodiscard]] virtual Trace stopRecording() = 0;
  /// The allocation that an address lies in, as its first byte and what is behind its last; both 0: in none.
  [[nodiscard]] virtual std::pair<std::uint64_t, std::uint64_t> allocationAt(std::uint64_t address) = 0;

  /// The kernels that were launched since the device was made, by the addresses of their code.
  [[nodiscard]] virtual std::vector<const void*> launchedKernels() const = 0;

  /// From now on notes which thread last stored to each element of [first, first + count * elementBytes), or
  /// last loaded it when nobody has stored. first is device memory; null ends it. Works without recording.
  virtual void watch(const void* first, std::size_t count, std::size_t elementBytes) = 0;
  [[nodiscard]] virtual std::vector<Owner> owners() const = 0; ///< [count] of the last watch()
};

/// Always usable. DeviceInfo: backend simt, name "SIMT simulator", limits of a card of compute capability 9.0
/// (1024 threads, 227 KiB of shared memory a block), LLOYD_MEMORY_LIMIT as on the CPU device.
[[nodiscard]] std::unique_ptr<SimtDevice> createSimtDevice();

} // namespace lloyd::simt
