// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

#include <cstddef>
#include <string>

namespace lloyd {

/// most of the points, one drawn at random from each of most equally long runs: as evenly spread as every
/// n-th point would be, but blind to whatever repeats itself in the order of the data. Always the same ones.
/// In the order of the data, with their input rows; an image becomes plain colours, because pixels are
/// missing from it. 0 < most < points.n. remark is added to the data's own.
[[nodiscard]] SharedPointSet spreadSubset(const PointSet& points, std::size_t most,
                                          const std::string& remark);

} // namespace lloyd
