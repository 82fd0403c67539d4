// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/runtime/cuda_staging.hpp"

#include "gpu/cuda/runtime/cuda_check.hpp"
#include "gpu/cuda/runtime/cuda_event.hpp"

#include <cstring>

namespace lloyd {

Staging::Staging() {
  void* memory = nullptr;
  LLOYD_CUDA(cudaMallocHost(&memory, slots * slotBytes));
  memory_ = PinnedHandle(memory);
  for (std::size_t s = 0; s < slots; ++s) {
    cudaEvent_t event = nullptr;
    LLOYD_CUDA(cudaEventCreateWithFlags(&event, cudaEventBlockingSync | cudaEventDisableTiming));
    slots_[s] = {static_cast<std::byte*>(memory) + s * slotBytes, EventHandle(event)};
  }
}

Staging::Slot& Staging::nextFree() {
  Slot& slot = slots_[next_];
  next_ = (next_ + 1) % slots;
  // An event that was never recorded counts as done.
  waitFor(slot.done.get(), "waiting for an earlier copy");
  return slot;
}

void Staging::upload(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  Slot& slot = nextFree();
  std::memcpy(slot.memory, from, bytes);
  LLOYD_CUDA(cudaMemcpyAsync(to, slot.memory, bytes, cudaMemcpyHostToDevice, stream));
  LLOYD_CUDA(cudaEventRecord(slot.done.get(), stream));
}

void Staging::download(void* to, const void* from, std::size_t bytes, cudaStream_t stream, const char* what) {
  Slot& slot = nextFree();
  LLOYD_CUDA(cudaMemcpyAsync(slot.memory, from, bytes, cudaMemcpyDeviceToHost, stream));
  LLOYD_CUDA(cudaEventRecord(slot.done.get(), stream));
  waitFor(slot.done.get(), what);
  std::memcpy(to, slot.memory, bytes);
}

} // namespace lloyd
