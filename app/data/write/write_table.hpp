// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/write/atomic_file.hpp"

#include <tl/expected.hpp>

#include <span>
#include <string>

namespace lloyd {

/// Writes the table that the points come from with two columns more, not in its place yet: cluster, -1 for a
/// row that was dropped or not chosen, and distance, from the point to its cluster's centroid as they are
/// stored (scaled, if they are), empty for such a row; and where clusters have names, by cluster, a third:
/// cluster_name. The file is read again: header, order and every field
/// stay as they stand there; lines that are blank or comments do not. A table that has changed since is
/// refused. Of points from no table of text, the columns are those of the points. labels: of each point;
/// centroids: [k][d], as stored. The error is a sentence.
[[nodiscard]] tl::expected<AtomicFile, std::string>
clusteredTable(const std::string& path, const PointSet& points, std::span<const Label> labels,
               std::span<const float> centroids, std::span<const std::string> names = {});
/// The same in its place.
[[nodiscard]] tl::expected<void, std::string>
writeClusteredTable(const std::string& path, const PointSet& points, std::span<const Label> labels,
                    std::span<const float> centroids, std::span<const std::string> names = {});

/// Why a table of these points cannot be written under this name, or an empty text: asked before a long run.
[[nodiscard]] std::string whyNoTable(const std::string& path);

} // namespace lloyd
