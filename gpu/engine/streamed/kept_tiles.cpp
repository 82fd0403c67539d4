// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/streamed/kept_tiles.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/parallel.hpp"
#include "gpu/engine/streamed/curve_order.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr std::size_t tilesOfChunk = 256;

} // namespace

KeptTiles::KeptTiles(Device& device, const Problem& problem, const PointSource& source,
                     const BatchShape& shape, const FixedPoint& fixed, BatchSlot& slot,
                     const std::atomic<bool>* cancel)
    : old(device, runsOfTiles(shape.tilesOf(problem.n)) * tilesInRun), now(device, old.size()),
      oldDown(device, old.size()), nowDown(device, old.size()), device_(device), problem_(problem),
      box_(source.box()), shape_(shape), fixed_(fixed), count_(shape.tilesOf(problem.n)),
      inBatch_(shape.tiles()), tiles_(device, count_, shape.dimensions()) {
  const std::size_t batches = (problem.n + shape.points - 1) / shape.points;
  points_ = HostBuffer<float>(device, batches * shape.orderedValues());
  copyAlongCurve(source, shape.points, shape.orderedValues(), points_.write().data(), cancel);
  for (std::size_t batch = 0; batch < batches; ++batch) {
    if (cancel && cancel->load(std::memory_order_relaxed)) throw Cancelled();
    order(slot, batch);
  }
  low_ = tiles_.low.download();
  high_ = tiles_.high.download();
  sums_ = tiles_.sums.download();
  summarise();
}

/// The batch's tiles go where they are kept; its points come back in order.
void KeptTiles::order(BatchSlot& slot, std::size_t batch) {
  const std::size_t n = std::min(shape_.points, problem_.n - batch * shape_.points);
  const std::size_t tiles = shape_.tilesOf(n);
  float* const points = points_.data() + batch * shape_.orderedValues();
  for (std::size_t j = 0; j < shape_.dimensions(); ++j)
    device_.upload(slot.points.data() + j * shape_.stride(), points + j * shape_.points, n * sizeof(float));
  device_.orderTiles({.n = n,
                      .d = problem_.d,
                      .points = slot.points.data(),
                      .stride = shape_.stride(),
                      .box = box_,
                      .fixed = fixed_,
                      .count = tiles,
                      .size = shape_.tile,
                      .ordered = slot.ordered.data(),
                      .place = slot.place.data(),
                      .low = slot.tiles.low.data(),
                      .high = slot.tiles.high.data(),
                      .sums = slot.tiles.sums.data(),
                      .prefix = slot.tiles.prefix.data()});
  const std::size_t first = batch * inBatch_;
  for (std::size_t j = 0; j < shape_.dimensions(); ++j) {
    const auto keep = [&](auto& to, const auto& from) {
      device_.copy(to.data() + j * count_ + first, from.data() + j * tiles, tiles * sizeof(*from.data()));
    };
    keep(tiles_.low, slot.tiles.low);
    keep(tiles_.high, slot.tiles.high);
    keep(tiles_.sums, slot.tiles.sums);
  }
  device_.download(points, slot.ordered.data(), tiles * shape_.tile * shape_.dimensions() * sizeof(float));
}

std::size_t KeptTiles::placeOf(std::size_t tile, std::size_t j) const {
  const std::size_t batch = tile / inBatch_;
  const std::size_t n = std::min(shape_.points, problem_.n - batch * shape_.points);
  const std::size_t row = shape_.tilesOf(n) * shape_.tile;
  return batch * shape_.orderedValues() + j * row + (tile - batch * inBatch_) * shape_.tile;
}

void KeptTiles::summarise() {
  spread_.resize(count_);
  const std::span<const float> points = points_.read();
  forChunks({count_, tilesOfChunk}, LaunchContext(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t tile = begin; tile < end; ++tile) {
      const std::size_t count = pointsOf(tile);
      for (std::size_t j = 0; j < shape_.dimensions(); ++j) {
        const double mean = fixed_.middle[j] + static_cast<double>(sums_[j * count_ + tile]) /
                                                   fixed_.scale[j] / static_cast<double>(count);
        const float* const x = points.data() + placeOf(tile, j);
        for (std::size_t i = 0; i < count; ++i)
          spread_[tile] += (static_cast<double>(x[i]) - mean) * (static_cast<double>(x[i]) - mean);
      }
    }
  });
}

void KeptTiles::gather(std::span<const std::uint32_t> tiles, BatchSlot& slot) const {
  const std::size_t m = tiles.size();
  const std::size_t d = shape_.dimensions();
  const std::span<float> points = slot.staging.write();
  const std::span<float> low = slot.staged.low.write();
  const std::span<float> high = slot.staged.high.write();
  const std::span<std::int64_t> sums = slot.staged.sums.write();
  forChunks({m, tilesOfChunk}, LaunchContext(), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t tile = tiles[i];
      for (std::size_t j = 0; j < d; ++j) {
        std::copy_n(points_.data() + placeOf(tile, j), shape_.tile,
                    points.data() + (j * m + i) * shape_.tile);
        low[j * m + i] = low_[j * count_ + tile];
        high[j * m + i] = high_[j * count_ + tile];
        sums[j * m + i] = sums_[j * count_ + tile];
      }
    }
  });
  if (d != 1) return;
  const std::span<std::int64_t> prefix = slot.staged.prefix.write();
  prefix[0] = 0;
  for (std::size_t i = 0; i < m; ++i)
    prefix[i + 1] = prefix[i] + sums[i];
}

double KeptTiles::inertiaOfWhole(std::span<const std::uint16_t> before, std::span<const std::uint16_t> after,
                                 std::span<const float> centroids) const {
  const Chunks chunks{count_, tilesOfChunk};
  std::vector<double> partial(chunks.count());
  const std::size_t d = shape_.dimensions();
  forChunks(chunks, LaunchContext(), [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    for (std::size_t tile = begin; tile < end; ++tile) {
      if (before[tile] == mixedTile || after[tile] == mixedTile) continue;
      const auto count = static_cast<double>(pointsOf(tile));
      partial[chunk] += spread_[tile];
      for (std::size_t j = 0; j < d; ++j) {
        const double mean =
            fixed_.middle[j] + static_cast<double>(sums_[j * count_ + tile]) / fixed_.scale[j] / count;
        const double away = mean - static_cast<double>(centroids[after[tile] * d + j]);
        partial[chunk] += count * away * away;
      }
    }
  });
  double sum = 0;
  for (const double value : partial)
    sum += value;
  return sum;
}

} // namespace lloyd
