// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/exec/simt_device.hpp"
#include "gpu/simt/lane/current_lane.hpp"

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
  void start(const void* first, std::size_t count, std::size_t elementBytes);
  /// Notes no more; what was noted stays.
  void stop() { end_ = first_; }
  [[nodiscard]] bool on() const { return end_ != first_; }

  void note(Access access, const void* at, std::size_t bytes, std::uint32_t block, std::uint32_t thread);
  [[nodiscard]] std::vector<Owner> owners() const;

private:
  std::uintptr_t first_ = 0;
  std::uintptr_t end_ = 0;
  std::size_t elementBytes_ = 1;
  /// 0: nobody; else the block in the high half, then whether it has stored, then thread + 1.
  std::vector<std::uint64_t> notes_;
};

} // namespace lloyd::simt
