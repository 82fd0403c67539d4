// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

enum class InitKind { kmeansPlusPlus, random, first, bands, given };
[[nodiscard]] std::string_view name(InitKind kind);

/// Where the first centroids come from.
struct Init {
  InitKind kind = InitKind::kmeansPlusPlus;
  std::vector<float> given; ///< [k][d] in the points' own (scaled) units, for InitKind::given
  std::string path;         ///< the file they were read from; empty otherwise
  bool operator==(const Init&) const = default;
};

/// Copies the d coordinates of point i, as the device holds them, to out.
using PointReader = std::function<void(std::size_t i, float* out)>;

/// The k x d initial centroids. The same on every device for the same points and seed. kmeans++ runs on the
/// device, one pass a centre (see SeedArgs); random takes k different points; first takes the first k; bands
/// takes 100 i + 10 in every dimension, as the papers do. Throws RequestError when given has another size
/// than k x d.
[[nodiscard]] std::vector<float> seedCentroids(Device& device, const Problem& problem,
                                               const PointView& points, const PointReader& read,
                                               const Init& init, std::uint64_t seed);

} // namespace lloyd
