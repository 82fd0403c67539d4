// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/ui/view/centroid_trails.hpp"

#include <QImage>
#include <QString>

#include <span>

namespace lloyd {

/// What a person wants to know of one point: its row in the file (counted from 1), its values in the file's
/// units, its cluster and the distance to that cluster's centroid. position: its coordinates now, which for a
/// drifting one are not those of the data; empty: not known, as label -1 is.
[[nodiscard]] QString pointText(const PointSet& data, std::span<const float> position, std::size_t point,
                                Label label, const CentroidTrails& centroids);

/// The photograph with every pixel in its centroid's colour.
[[nodiscard]] QImage posterise(const PointSet& data, std::span<const Label> labels,
                               const CentroidTrails& centroids);

} // namespace lloyd
