// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/tiles/tiles.hpp"
#include "gpu/interop/shared_points.hpp"

#include <cstring>
#include <limits>
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

/// Points on any device with the places that runs have which nobody watches, for labels by tiles, if they
/// stand still.
class PlacedPoints final : public SharedPoints {
public:
  /// placed: there is room for places from the beginning; otherwise addPlaces() makes it.
  PlacedPoints(Device& device, std::size_t n, int d, const float* values, bool placed = true,
               bool moving = false)
      : device_(device), n_(n), moving_(moving), points_(device, n, d, values, moving) {
    places.mostBytes = std::numeric_limits<std::size_t>::max();
    if (placed) addPlaces();
  }
  void addPlaces() {
    memory_ = Buffer<std::uint32_t>(device_, n_);
    memory_.fill(0xff);
    places.data = memory_.data();
  }

  [[nodiscard]] Sharing sharing() const override { return Sharing::shared; }
  [[nodiscard]] PointMemory map() override {
    PointMemory memory = points_.map();
    memory.places = moving_ ? nullptr : &places;
    return memory;
  }
  void unmap(bool flip) override { points_.unmap(flip); }
  [[nodiscard]] bool mapped() const override { return points_.mapped(); }

  [[nodiscard]] const float* frontPositions() const { return points_.frontPositions(); }
  [[nodiscard]] std::size_t stride() const { return points_.stride(); }
  [[nodiscard]] LabelForm form() const { return points_.frontLabels().form(); }
  /// In the points' own order.
  [[nodiscard]] std::vector<Label> labels() const {
    std::vector<Label> stored(n_);
    const LabelView front = points_.frontLabels();
    const std::size_t bytes = front.tile != 0 ? tileLabelBytes(n_, front.tile) : n_ * bytesOf(front.width);
    device_.download(stored.data(), front.data, bytes);
    std::vector<std::uint32_t> where(n_);
    if (front.tile != 0) where = memory_.download();
    return seenLabels({static_cast<const void*>(stored.data()), front.form()}, where);
  }

  PlaceMemory places;

private:
  Device& device_;
  std::size_t n_;
  bool moving_;
  DevicePoints points_;
  Buffer<std::uint32_t> memory_;
};

} // namespace lloyd::test
