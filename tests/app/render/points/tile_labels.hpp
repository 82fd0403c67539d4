// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/points/point_buffers.hpp"
#include "gpu/core/tiles/tiles.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

namespace lloyd {

/// Labels by tiles, as a pass over tiles leaves them: of points in some order whose first half has neighbours
/// of one label, so that there are tiles of both kinds.
struct TileLabels {
  /// labels: up to 255, or -1, for which 255 is stored.
  TileLabels(const std::vector<Label>& labels, unsigned size)
      : tile(size), places(labels.size()), stored(tileLabelBytes(labels.size(), size), 0xee) {
    const std::size_t n = labels.size();
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    const auto scattered = [](std::uint32_t i) { return i * 2654435761U; };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return scattered(a) < scattered(b); });
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n / 2),
              [&](auto a, auto b) { return labels[a] < labels[b]; });
    for (std::size_t p = 0; p < n; ++p)
      places[order[p]] = static_cast<std::uint32_t>(p);
    for (std::size_t begin = 0; begin < n; begin += size) {
      const std::size_t end = std::min(n, begin + size);
      const auto labelAt = [&](std::size_t p) { return static_cast<std::uint8_t>(labels[order[p]]); };
      std::uint16_t all = labelAt(begin);
      for (std::size_t p = begin; p < end; ++p)
        if (labelAt(p) != all) all = mixedTile;
      (all == mixedTile ? mixed : whole) += 1;
      std::memcpy(stored.data() + begin / size * sizeof(all), &all, sizeof(all));
      // What lies there for points of other tiles means nothing, and stays as it is.
      for (std::size_t p = begin; all == mixedTile && p < end; ++p)
        stored[pointLabelsAt(n, size) + p] = labelAt(p);
    }
  }
  [[nodiscard]] LabelView view() const { return {stored.data(), LabelForm(LabelWidth::one, tile)}; }

  /// Puts them into the buffers that are not drawn, and draws those from now on.
  void upload(PointBuffers& buffers) const {
    const unsigned name = buffers.makePlaces();
    Gl& gl = currentGl();
    gl.glBindBuffer(GL_ARRAY_BUFFER, name);
    gl.glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(places.size() * sizeof(std::uint32_t)),
                       places.data());
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
    buffers.upload(view());
  }

  unsigned tile;
  std::vector<std::uint32_t> places;
  std::vector<std::uint8_t> stored;
  std::size_t mixed = 0; ///< tiles
  std::size_t whole = 0;
};

} // namespace lloyd
