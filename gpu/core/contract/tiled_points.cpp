// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/tiled_points.hpp"

#include <stdexcept>

namespace lloyd {
namespace {

std::size_t dimensions(int d) { return static_cast<std::size_t>(d); }
std::size_t prefixSums(std::size_t tiles, int d) { return d == 1 ? tiles + 1 : 0; }
std::size_t tileLabels(std::size_t tiles) { return runsOfTiles(tiles) * tilesInRun; }

/// What sorting takes on a GPU, where it takes most: keys and indices twice, and what the sort counts, which
/// is a small part of a byte a point beside a constant one.
constexpr std::size_t sortingBytesOfPoint = 2 * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) + 1;
constexpr std::size_t sortingBytes = std::size_t{1} << 20;

} // namespace

TiledBytes tiledBytes(std::size_t n, int d, unsigned size) {
  const std::size_t count = (n + size - 1) / size;
  const std::size_t ofTile = dimensions(d) * (2 * sizeof(float) + sizeof(std::int64_t));
  const std::size_t labels = tileLabels(count) * sizeof(std::uint16_t) + count * size * sizeof(std::uint8_t);
  return {.kept = count * size * dimensions(d) * sizeof(float) + n * sizeof(std::uint32_t) + count * ofTile +
                  prefixSums(count, d) * sizeof(std::int64_t) + 2 * labels,
          .ordering = n * sortingBytesOfPoint + sortingBytes};
}

TiledPoints::TiledPoints(Device& device, std::size_t n, int d, unsigned size)
    : device_(device), n_(n), d_(d), size_(size), count_((n + size - 1) / size),
      points_(device, count_ * size * dimensions(d)), place_(device, n), low_(device, count_ * dimensions(d)),
      high_(device, count_ * dimensions(d)), sums_(device, count_ * dimensions(d)),
      prefix_(device, prefixSums(count_, d)) {
  for (Labels* labels : {&before_, &after_}) {
    labels->tiles = Buffer<std::uint16_t>(device, tileLabels(count_));
    labels->points = Buffer<std::uint8_t>(device, count_ * size);
    labels->points.fill(0); // whole words are read, also where the last tile has no point
  }
  forgetLabels();
}

void TiledPoints::order(const PointView& points) {
  if (n_ == 0) return;
  if (!points.box.known()) throw std::invalid_argument("points in tiles need a box");
  fixed_ = fixedPointOf(points.box, n_, d_);
  device_.orderTiles({.n = n_,
                      .d = d_,
                      .points = points.data,
                      .stride = points.stride,
                      .box = points.box,
                      .fixed = fixed_,
                      .count = count_,
                      .size = size_,
                      .ordered = points_.data(),
                      .place = place_.data(),
                      .low = low_.data(),
                      .high = high_.data(),
                      .sums = sums_.data(),
                      .prefix = prefix_.data()});
}

void TiledPoints::requireByTiles(const LabelLayout& form) const {
  if (form != LabelLayout(LabelWidth::one, size_))
    throw std::invalid_argument("labels by tiles are of tiles of another size");
}

void TiledPoints::takeLabels(const LabelView& labels) {
  requireOwnOrder(labels.form());
  if (labels.width != LabelWidth::one) throw std::invalid_argument("labels in tiles are one byte each");
  if (n_ == 0) return;
  device_.readTileLabels({.n = n_,
                          .count = count_,
                          .size = size_,
                          .place = place_.data(),
                          .from = static_cast<const std::uint8_t*>(labels.data),
                          .to = before_.span()});
}

void TiledPoints::writeLabels(const LabelSpan& labels) { write(before_.span(), size_, labels); }

void TiledPoints::writeLabels(const LabelView& byTiles, const LabelSpan& labels) {
  write(tileLabelsIn(byTiles, n_), byTiles.tile, labels);
}

void TiledPoints::write(const TileLabelView& from, unsigned size, const LabelSpan& labels) {
  requireOwnOrder(labels.form());
  if (labels.width != LabelWidth::one) throw std::invalid_argument("labels in tiles are one byte each");
  if (n_ == 0) return;
  device_.writeTileLabels({.n = n_,
                           .size = size,
                           .place = place_.data(),
                           .from = from,
                           .to = static_cast<std::uint8_t*>(labels.data)});
}

void TiledPoints::addInertia(const LabelView& labels, int k, const float* centroids, double* inertia) {
  requireByTiles(labels.form());
  if (n_ == 0) return;
  device_.tileInertia({.problem = {.n = n_, .d = d_, .k = k},
                       .view = args().view,
                       .labels = tileLabelsIn(labels, n_),
                       .centroids = centroids,
                       .inertia = inertia});
}

TileArgs TiledPoints::args(const LabelView& oldLabels, const LabelSpan& labels) {
  TileArgs made = args();
  if (oldLabels.tile != 0) {
    requireByTiles(oldLabels.form());
    made.oldLabels = tileLabelsIn(oldLabels, n_);
  }
  if (labels.tile != 0) {
    requireByTiles(labels.form());
    made.labels = tileLabelsIn(labels, n_);
  }
  return made;
}

TileArgs TiledPoints::args() {
  return {.view = {.count = count_,
                   .size = size_,
                   .points = points_.data(),
                   .low = low_.data(),
                   .high = high_.data(),
                   .sums = sums_.data(),
                   .prefix = prefix_.data(),
                   .fixed = fixed_},
          .oldLabels = before_.span(),
          .labels = after_.span()};
}

TileArgs TiledPoints::argsInPlace() {
  TileArgs own = args();
  own.labels = before_.span();
  return own;
}

} // namespace lloyd
