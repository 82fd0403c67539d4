// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

#include <QString>

#include <cstddef>

namespace lloyd {

/// About how many points as these there is room for in so many bytes, in two digits. Besides positions there
/// are two sides of labels, the distances of seeding and old labels that must be found again; frames: results
/// on the host that take the same memory. A fifth is left for what is small.
[[nodiscard]] std::size_t pointsThatFit(const PointSet& points, std::size_t bytes, std::size_t frames);

/// "There is not enough memory for 1,000,000 points and 16 clusters: ...", and what to do about it; fit: the
/// points there would be room for, 0 where that is not known.
[[nodiscard]] QString tooLittleMemoryText(std::size_t points, int k, const QString& what, std::size_t fit);

} // namespace lloyd
