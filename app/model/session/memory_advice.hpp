// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/memory_need.hpp"

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

/// What there is for other points than the present ones, which are given back when those are there: where the
/// CPU computes with its copy of them. device: without a name where none is chosen yet; present: null for
/// none.
[[nodiscard]] MemoryRoom roomForOthers(BackendRequest wanted, const DeviceInfo& device,
                                       const PointSet* present);

} // namespace lloyd
