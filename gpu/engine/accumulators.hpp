// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <cstdint>
#include <vector>

namespace lloyd {

/// What the stages of an iteration add to, in one block of device memory, so that one fill clears it and one
/// copy brings what the host reads. The device must outlive it.
class Accumulators {
public:
  Accumulators(Device& device, const Problem& problem);

  [[nodiscard]] std::uint32_t* changed() { return at<std::uint32_t>(0); }
  [[nodiscard]] UpdateOutcome* outcome() { return at<UpdateOutcome>(line); }
  [[nodiscard]] double* inertia() { return at<double>(2 * line); }
  [[nodiscard]] std::uint32_t* counts() { return at<std::uint32_t>(3 * line); } ///< [k]
  [[nodiscard]] double* sums() { return at<double>(sums_); }                    ///< [k][d]

  void clear() { block_.fill(0); }
  void clearSums(); ///< and counts; the rest stays

  /// All but the sums, in host memory.
  struct Values {
    std::uint32_t changed = 0;
    UpdateOutcome outcome;
    double inertia = 0;
    std::vector<std::uint32_t> counts;
  };
  /// Waits for the device.
  [[nodiscard]] Values read() const;

private:
  static constexpr std::size_t line = 256; ///< every part has lines of its own

  template <class T>
  [[nodiscard]] T* at(std::size_t offset) {
    return reinterpret_cast<T*>(block_.data() + offset);
  }

  Device& device_;
  std::size_t k_;
  std::size_t sums_; ///< where they begin, behind all that the host reads
  Buffer<std::byte> block_;
};

} // namespace lloyd
