// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/point_source.hpp"
#include "gpu/engine/seeding.hpp"

#include <atomic>

namespace lloyd {

/// As seedCentroids(), of points that the device does not hold: kmeans++ reads them a piece at a time, once a
/// centre, on the host's threads, and finds the centres that a device finds. It takes four bytes of host
/// memory a point meanwhile. cancel: as Device::setCancel(); null for none.
[[nodiscard]] std::vector<float> seedStreamed(Device& device, const Problem& problem,
                                              const PointSource& points, const Init& init, std::uint64_t seed,
                                              const std::atomic<bool>* cancel);

} // namespace lloyd
