// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/write/atomic_file.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lloyd {

/// One label for each input row, in the order of the input: -1 for a row that was dropped or not chosen.
[[nodiscard]] std::vector<std::int32_t> labelsByInputRow(const PointSet& points,
                                                         std::span<const Label> labels);

/// One field, in quotes where it holds what parts fields or lines.
[[nodiscard]] std::string csvField(const std::string& text, char delimiter = ',');
/// A line of names, in quotes where they hold what parts fields or lines.
[[nodiscard]] std::string csvHeader(std::span<const std::string> names);

/// Writes labels as an int32 array (.npy) or one a line below the header "label" (.csv), not in its place
/// yet. The error is a sentence.
[[nodiscard]] tl::expected<AtomicFile, std::string> labelsFile(const std::string& path,
                                                               std::span<const std::int32_t> labels);
/// The same in its place.
[[nodiscard]] tl::expected<void, std::string> writeLabels(const std::string& path,
                                                          std::span<const std::int32_t> labels);

/// Writes centroids, not in its place yet, and in it: [k][d] as a float32 array (.npy) or one a line below
/// the names of the columns (.csv), with as many digits as reading the same float32 back takes.
[[nodiscard]] tl::expected<AtomicFile, std::string> centroidsFile(const std::string& path,
                                                                  std::span<const float> centroids,
                                                                  std::span<const std::string> columns);
[[nodiscard]] tl::expected<void, std::string> writeCentroids(const std::string& path,
                                                             std::span<const float> centroids,
                                                             std::span<const std::string> columns);

/// What is known of clusters beside their centroids, by cluster.
struct ClusterFacts {
  std::span<const std::uint32_t> sizes;
  std::span<const std::string> names; ///< that a person gave; empty texts and fewer than clusters are none
};

/// The same of centroids as the points are stored, in the units of their file. Where single precision does
/// not hold what the file says they are float64 (.npy), and have as many digits as tell stored ones apart
/// (.csv). As text they have columns more, which readMatrix() knows: size, and name where one is given.
[[nodiscard]] tl::expected<AtomicFile, std::string> centroidsFile(const std::string& path,
                                                                  std::span<const float> stored,
                                                                  const PointSet& points,
                                                                  const ClusterFacts& clusters = {});
[[nodiscard]] tl::expected<void, std::string> writeCentroids(const std::string& path,
                                                             std::span<const float> stored,
                                                             const PointSet& points,
                                                             const ClusterFacts& clusters = {});

/// Why a result cannot be written under this name, or an empty text: asked before a long run.
[[nodiscard]] std::string whyNotWritable(const std::string& path);

} // namespace lloyd
