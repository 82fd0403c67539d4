// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/sweep/sweep_plan.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <string>

namespace lloyd {

/// Why the points of a request cannot be had with another value of a parameter, as a sentence; empty when
/// they can. The dimension of a file's points is what it is.
[[nodiscard]] std::string whyNotSwept(const DataRequest& request, SweepParameter parameter);

/// The points of a sweep: those on the screen, or, of another size, from the same source. A generator is
/// asked for that size with all its other keys as they were; of a file an evenly spread part is taken. The
/// set that was made last is kept. One thread at a time.
class SweepData {
public:
  /// points: what the request led to.
  SweepData(DataRequest request, SharedPointSet points);

  /// n points of d dimensions, or a sentence that says why there are none. cancel may be null; when it
  /// becomes true while points are made, the sentence says so.
  [[nodiscard]] tl::expected<SharedPointSet, std::string> points(std::size_t n, int d,
                                                                 const std::atomic<bool>* cancel);

private:
  [[nodiscard]] tl::expected<SharedPointSet, std::string> generate(std::size_t n, int d,
                                                                   const std::atomic<bool>* cancel) const;

  DataRequest request_;
  SharedPointSet whole_;
  SharedPointSet last_;
};

} // namespace lloyd
