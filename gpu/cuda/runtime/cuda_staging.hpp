// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/cuda/runtime/cuda_calls.hpp"
#include "gpu/cuda/runtime/cuda_event.hpp"

#include <array>
#include <cstddef>
#include <cstring>

namespace lloyd {

/// A few pinned slots through which small copies pass. A small upload is written to a slot and goes on its
/// way while the caller continues; a small download needs no staging by the driver. Belongs to one device and
/// one stream.
class Staging {
public:
  static constexpr std::size_t slotBytes = 16 * 1024;

  /// The calling thread's CUDA device must be the one that the slots are for, here and below.
  Staging() {
    void* memory = nullptr;
    LLOYD_CUDA(cudaMallocHost(&memory, slots * slotBytes));
    memory_ = PinnedHandle(memory);
    for (std::size_t s = 0; s < slots; ++s) {
      cudaEvent_t event = nullptr;
      LLOYD_CUDA(cudaEventCreateWithFlags(&event, cudaEventBlockingSync | cudaEventDisableTiming));
      slots_[s] = {static_cast<std::byte*>(memory) + s * slotBytes, EventHandle(event)};
    }
  }
  /// bytes: at most slotBytes. from may be reused at once.
  void upload(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    Slot& slot = nextFree();
    std::memcpy(slot.memory, from, bytes);
    LLOYD_CUDA(cudaMemcpyAsync(to, slot.memory, bytes, cudaMemcpyHostToDevice, stream));
    LLOYD_CUDA(cudaEventRecord(slot.done.get(), stream));
  }
  /// bytes: at most slotBytes. Waits for all earlier work of the stream; what names that in errors.
  void download(void* to, const void* from, std::size_t bytes, cudaStream_t stream, const char* what) {
    Slot& slot = nextFree();
    LLOYD_CUDA(cudaMemcpyAsync(slot.memory, from, bytes, cudaMemcpyDeviceToHost, stream));
    LLOYD_CUDA(cudaEventRecord(slot.done.get(), stream));
    waitFor(slot.done.get(), what);
    std::memcpy(to, slot.memory, bytes);
  }

private:
  static constexpr std::size_t slots = 8;
  struct Slot {
    void* memory = nullptr;
    EventHandle done; ///< recorded after the slot's last copy
  };
  Slot& nextFree() {
    Slot& slot = slots_[next_];
    next_ = (next_ + 1) % slots;
    // An event that was never recorded counts as done.
    waitFor(slot.done.get(), "waiting for an earlier copy");
    return slot;
  }

  PinnedHandle memory_;
  std::array<Slot, slots> slots_;
  std::size_t next_ = 0;
};

} // namespace lloyd
