// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/tiled_points.hpp"
#include "gpu/interop/shared_points.hpp"

#include <cstring>
#include <span>
#include <vector>

namespace lloyd::test {

/// Labels as they are stored, in host memory, as whoever asks for them sees them; places: [n], for labels by
/// tiles.
inline std::vector<Label> seenLabels(const LabelView& stored, std::span<const std::uint32_t> places) {
  std::vector<Label> seen(places.size());
  if (stored.tile == 0) {
    widen(stored, seen);
    return seen;
  }
  const TileLabelView labels = tileLabelsIn(stored, places.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::uint16_t all = labels.tiles[places[i] / stored.tile];
    seen[i] = all == mixedTile ? labels.points[places[i]] : all;
  }
  return seen;
}

/// Points on any device, whose labels can be read in either form.
class PlacedPoints final : public SharedPoints {
public:
  PlacedPoints(Device& device, std::size_t n, int d, const float* values, bool isUnseen = true,
               bool moving = false)
      : unseen(isUnseen), device_(device), n_(n), d_(d), box_(boxOf(values, n, d)),
        points_(device, n, d, values, moving) {}

  [[nodiscard]] Sharing sharing() const override { return Sharing::shared; }
  [[nodiscard]] PointMemory map() override {
    PointMemory memory = points_.map();
    memory.unseen = unseen;
    return memory;
  }
  void unmap(bool flip) override { points_.unmap(flip); }
  [[nodiscard]] bool mapped() const override { return points_.mapped(); }

  [[nodiscard]] const float* frontPositions() const { return points_.frontPositions(); }
  [[nodiscard]] std::size_t stride() const { return points_.stride(); }
  [[nodiscard]] LabelLayout layout() const { return points_.frontLabels().layout(); }
  /// In input order.
  [[nodiscard]] std::vector<Label> labels() const {
    std::vector<Label> stored(n_);
    const LabelView front = points_.frontLabels();
    const std::size_t bytes = front.tile != 0 ? tileLabelBytes(n_, front.tile) : n_ * bytesOf(front.width);
    device_.download(stored.data(), front.data, bytes);
    return seenLabels({static_cast<const void*>(stored.data()), front.layout()},
                      front.tile != 0 ? permutation() : std::vector<std::uint32_t>(n_));
  }

  bool unseen; ///< as in PointMemory, from the next mapping on

private:
  /// Tiles of any size have points in the same order.
  [[nodiscard]] std::vector<std::uint32_t> permutation() const {
    TiledPoints tiled(device_, n_, d_, 128);
    tiled.order({points_.frontPositions(), points_.stride(), box_});
    return tiled.permutation();
  }

  Device& device_;
  std::size_t n_;
  int d_;
  Box box_;
  DevicePoints points_;
};

} // namespace lloyd::test
