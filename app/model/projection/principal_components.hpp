// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lloyd {

/// The directions in which points vary most (Pearson 1901; Hotelling 1933). Of the points as they are
/// clustered: scaled where they were scaled.
struct PrincipalComponents {
  std::vector<double> mean;       ///< [d]
  std::vector<double> directions; ///< [d][d], unit vectors one after another, of descending variance
  std::vector<double> variances;  ///< [d], along each direction; divided by n - 1, as of a sample

  [[nodiscard]] std::size_t d() const { return mean.size(); }
  [[nodiscard]] std::span<const double> direction(std::size_t which) const {
    return std::span(directions).subspan(which * d(), d());
  }
  /// Of all variance what a direction has, 0 to 1; 0 where there is none.
  [[nodiscard]] double share(std::size_t which) const;
};

/// More columns would take the eigenvalues longer than a person waits, and nothing could end it.
inline constexpr int mostComponentColumns = 1024;

/// All of them, from the exact covariance in double precision, summed by all cores. Of each direction the
/// coordinate of the greatest magnitude is positive, so that pictures are not mirrored from run to run.
/// Nothing when it was cancelled. Refused, in a sentence without its full stop, beyond mostComponentColumns.
[[nodiscard]] tl::expected<std::optional<PrincipalComponents>, std::string>
principalComponents(const PointSet& points, const ReadControl& control);

} // namespace lloyd
