// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/cuda/runtime/cuda_handles.hpp"

#include <array>
#include <cstddef>

namespace lloyd {

/// A few pinned slots through which small copies pass. A small upload is written to a slot and goes on its
/// way while the caller continues; a small download needs no staging by the driver. Belongs to one device and
/// one stream.
class Staging {
public:
  static constexpr std::size_t slotBytes = 16 * 1024;

  /// The calling thread's CUDA device must be the one that the slots are for, here and below.
  Staging();
  /// bytes: at most slotBytes. from may be reused at once.
  void upload(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
  /// bytes: at most slotBytes. Waits for all earlier work of the stream; what names that in errors.
  void download(void* to, const void* from, std::size_t bytes, cudaStream_t stream, const char* what);

private:
  static constexpr std::size_t slots = 8;
  struct Slot {
    void* memory = nullptr;
    EventHandle done; ///< recorded after the slot's last copy
  };
  Slot& nextFree();

  PinnedHandle memory_;
  std::array<Slot, slots> slots_;
  std::size_t next_ = 0;
};

} // namespace lloyd
