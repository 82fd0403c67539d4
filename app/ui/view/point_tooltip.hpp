// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/render/points/point_buffers.hpp"
#include "app/ui/view/centroid_trails.hpp"
#include "app/ui/view/point_picker.hpp"

#include <QImage>
#include <QString>

#include <span>
#include <vector>

namespace lloyd {

/// What a person wants to know of one point: its row in the file (counted from 1), its values in the file's
/// units, its cluster and the distance to that cluster's centroid. positions: where points are now, which for
/// drifting ones is not where the data have them. label -1: not known.
[[nodiscard]] QString pointText(const PointSet& data, const PickSource& positions, std::size_t point,
                                Label label, const CentroidTrails& centroids);

/// The photograph with every pixel in its centroid's colour.
[[nodiscard]] QImage posterise(const PointSet& data, std::span<const Label> labels,
                               const CentroidTrails& centroids);

/// What OpenGL's front buffers hold, for answers that are asked for by hand. The context must be current, and
/// the buffers not lent.
[[nodiscard]] Label readLabel(const PointBuffers& buffers, std::size_t point);
[[nodiscard]] std::vector<Label> readLabels(const PointBuffers& buffers);
[[nodiscard]] std::vector<float> readFrontPositions(const PointBuffers& buffers);

} // namespace lloyd
