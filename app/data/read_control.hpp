// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

namespace lloyd {

/// How a caller follows a long read and ends it early. Both parts are optional. The callback runs on the
/// thread that reads, every millisecond or so; whoever draws it thins it out.
struct ReadControl {
  std::function<void(std::uint64_t rows, double fraction)> progress; ///< rows so far, and 0 to 1 of the work
  const std::atomic<bool>* cancel = nullptr; ///< set to true by any thread; never written here

  [[nodiscard]] bool cancelled() const {
    return cancel != nullptr && cancel->load(std::memory_order_relaxed);
  }
  void report(std::uint64_t rows, double fraction) const {
    if (progress) progress(rows, fraction);
  }
};

} // namespace lloyd
