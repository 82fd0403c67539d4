// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/write/atomic_file.hpp"

#include <QByteArray>

#include <tl/expected.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

class QImage;

namespace lloyd {

/// Red, green and blue, 0 to 255.
using Channels = std::array<std::uint8_t, 3>;

/// Whether every pixel of a photograph is a point, so that it can be put together again.
[[nodiscard]] bool isPhotograph(const PointSet& points);

/// A centroid, as it is stored, as the colour that it stands for.
[[nodiscard]] Channels channelsOf(const float* centroid, const PointSet& points);

/// The photograph with every pixel in the colour of its centroid. centroids: [k][d], as they are stored. Null
/// where it is none, or not every pixel has a label.
[[nodiscard]] QImage recoloured(const PointSet& points, std::span<const Label> labels,
                                std::span<const float> centroids);
/// The same as the bytes of a PNG, made smaller where a side has more pixels than most. Empty where it is
/// null.
[[nodiscard]] QByteArray recolouredPng(const PointSet& points, std::span<const Label> labels,
                                       std::span<const float> centroids,
                                       int most = std::numeric_limits<int>::max());
/// The same as a PNG that is not in its place yet. The error is a sentence.
[[nodiscard]] tl::expected<AtomicFile, std::string> recolouredFile(const std::string& path,
                                                                   const PointSet& points,
                                                                   std::span<const Label> labels,
                                                                   std::span<const float> centroids);

/// The colours of the centroids, those of most pixels first, as the file's name ends: .gpl for GIMP, Inkscape
/// and Krita, .csv with the cluster, its pixels and its colour, or .hex with one colour a line.
[[nodiscard]] tl::expected<AtomicFile, std::string> paletteFile(const std::string& path,
                                                                const PointSet& points,
                                                                std::span<const float> centroids,
                                                                std::span<const std::uint32_t> sizes);
/// Why a photograph or a palette cannot be written under such a name; empty when it can.
[[nodiscard]] std::string whyNotPhotographName(const std::string& path);
[[nodiscard]] std::string whyNotPaletteName(const std::string& path);

} // namespace lloyd
