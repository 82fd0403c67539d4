// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/timeline/timeline.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// What one queue did.
struct QueueTime {
  std::string name;
  double us = 0;   ///< in which it did something
  double from = 0; ///< its first operation begins
  double to = 0;   ///< its last one ends
};

/// The copies up of one set.
struct CoveredCopy {
  std::size_t set = 0;
  double us = 0;
  double coveredUs = 0; ///< of those, while a kernel of another set ran

  [[nodiscard]] double share() const { return us > 0 ? coveredUs / us : 0; }
};

/// What a timeline says in numbers. Shares are 0 to 1, of the time from the end of the first copy up to the
/// end of the last operation on the card; without a copy up, from the first operation on.
struct TimelineNumbers {
  double wholeUs = 0;       ///< from the first bar's begin to the last one's end, the host's among them
  double idle = 0;          ///< nothing ran on the card: no kernel, no copy, no fill
  double withoutKernel = 0; ///< no kernel ran
  std::vector<QueueTime> queues = {};   ///< those that did something
  std::vector<CoveredCopy> copies = {}; ///< in the order in which the sets' copies began

  /// Of all sets' copies but those of the first, which nothing can cover; nothing where there is one set.
  [[nodiscard]] std::optional<double> coveredBehindFirst() const;
};

/// The bar lengths of a timeline without seconds are steps, and so are these.
[[nodiscard]] TimelineNumbers numbersOf(const Timeline& timeline);

} // namespace lloyd
