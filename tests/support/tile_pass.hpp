// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/math/distance.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd::test {

/// A pass over tiles on the processor, point by point: right, and no more.
inline void passOverTiles(const FusedArgs& args, LaunchContext&) {
  const TileView& view = args.tiles.view;
  const auto d = static_cast<std::size_t>(args.problem.d);
  for (std::size_t t = 0; t < view.count; ++t) {
    const std::uint16_t old = args.tiles.oldLabels.tiles[t];
    for (std::size_t p = t * view.size; p < std::min(args.problem.n, (t + 1) * view.size); ++p) {
      std::size_t nearest = 0;
      float best = std::numeric_limits<float>::infinity();
      for (std::size_t c = 0; c < static_cast<std::size_t>(args.problem.k); ++c) {
        float distance = 0;
        for (std::size_t j = 0; j < d; ++j)
          distance =
              addSquare(distance, view.points[j * view.count * view.size + p], args.centroids[c * d + j]);
        if (distance < best) {
          best = distance;
          nearest = c;
        }
      }
      const unsigned before = old == mixedTile ? args.tiles.oldLabels.points[p] : old;
      *args.changed += before != nearest ? 1 : 0;
      args.tiles.labels.points[p] = static_cast<std::uint8_t>(nearest);
      ++args.counts[nearest];
      for (std::size_t j = 0; j < d; ++j)
        args.sums[nearest * d + j] += static_cast<double>(view.points[j * view.count * view.size + p]) -
                                      static_cast<double>(args.centroids[nearest * d + j]);
    }
    args.tiles.labels.tiles[t] = mixedTile;
  }
}

inline unsigned tileSizeOf(const Problem&, const Tuning& tuning) {
  return static_cast<unsigned>(tuning.items);
}
inline std::optional<std::string> limitsOfTiles(const Variant&, const Problem& problem, const DeviceInfo&,
                                                const Tuning&) {
  if (problem.d <= 3 && problem.k <= 256) return std::nullopt;
  return "tiles have up to 3 dimensions and 256 clusters";
}

/// A variant of tiles for the processor, which has none of its own: tiles.TAG, registered once.
inline const Variant& tileVariant(std::string_view tag, Launch<FusedArgs> launch = passOverTiles) {
  Registry& registry = Registry::instance();
  const std::string id = "tiles." + std::string(tag);
  if (!registry.find(id)) {
    VariantInfo info;
    info.family = "tiles";
    info.tag = tag;
    info.name = "works on tiles";
    info.changed = Changed::points;
    info.narrowLabels = true;
    info.parameters = {{"items", {128, 256}, 256}};
    info.canRun = limitsOfTiles;
    info.tileSize = tileSizeOf;
    static_cast<void>(registry.add(info, Backend::cpu, {.fused = launch}));
  }
  return *registry.find(id);
}

} // namespace lloyd::test
