// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace lloyd {

/// Some of the points, ascending, in the order of the data and with their input rows. An image becomes plain
/// colours, because pixels are missing from it. Scales stay: nothing is scaled anew. remark is added to the
/// data's own.
[[nodiscard]] SharedPointSet subsetOf(const PointSet& points, std::span<const std::size_t> chosen,
                                      const std::string& remark);

/// The points whose mark is not 0, as those that a person singled out. rule: what they, and no others of the
/// points, meet; empty where they were selected otherwise.
[[nodiscard]] SharedPointSet markedSubset(const PointSet& points, std::span<const std::uint8_t> marks,
                                          const std::string& remark, const std::string& rule = {});

} // namespace lloyd
