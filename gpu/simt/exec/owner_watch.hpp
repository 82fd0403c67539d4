// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/exec/simt_device.hpp"
#include "gpu/simt/lane/lane.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lloyd::simt {

/// Notes which thread last stored to each element of an array, or last loaded it when nobody has stored.
/// Lanes on several OS threads may note at once; which of two stores is the last is then as open as on a
/// card.
class OwnerWatch {
public:
  /// count elements of elementBytes each, from first on; all unowned.
  void start(const void* first, std::size_t count, std::size_t elementBytes) {
    first_ = reinterpret_cast<std::uintptr_t>(first);
    elementBytes_ = std::max<std::size_t>(elementBytes, 1);
    end_ = first_ + count * elementBytes_;
    notes_.assign(count, 0);
  }
  /// Notes no more; what was noted stays.
  void stop() { end_ = first_; }
  [[nodiscard]] bool on() const { return end_ != first_; }

  void note(Access access, const void* at, std::size_t bytes, std::uint32_t block, std::uint32_t thread) {
    const auto begin = std::max(reinterpret_cast<std::uintptr_t>(at), first_);
    const auto end = std::min(reinterpret_cast<std::uintptr_t>(at) + bytes, end_);
    if (begin >= end) return;
    const bool stores = access != Access::load;
    const std::uint64_t own =
        static_cast<std::uint64_t>(block) << 32 | (stores ? storedBit : 0) | (thread + 1);
    for (std::size_t element = (begin - first_) / elementBytes_;
         element <= (end - 1 - first_) / elementBytes_; ++element) {
      const std::atomic_ref<std::uint64_t> note(notes_[element]);
      std::uint64_t before = note.load(std::memory_order_relaxed);
      while ((stores || (before & storedBit) == 0) &&
             !note.compare_exchange_weak(before, own, std::memory_order_relaxed)) {
      }
    }
  }
  [[nodiscard]] std::vector<Owner> owners() const {
    std::vector<Owner> owners(notes_.size());
    for (std::size_t element = 0; element < notes_.size(); ++element) {
      const std::uint64_t note = notes_[element];
      if (note == 0) continue;
      owners[element] = {static_cast<std::uint32_t>(note >> 32),
                         static_cast<std::uint32_t>(note & (storedBit - 1)) - 1};
    }
    return owners;
  }

private:
  static constexpr std::uint64_t storedBit = std::uint64_t{1} << 31;

  std::uintptr_t first_ = 0;
  std::uintptr_t end_ = 0;
  std::size_t elementBytes_ = 1;
  /// 0: nobody; else the block in the high half, then whether it has stored, then thread + 1.
  std::vector<std::uint64_t> notes_;
};

} // namespace lloyd::simt
