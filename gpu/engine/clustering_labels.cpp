// SPDX-License-Identifier: GPL-3.0-or-later
// How labels are stored: what a plan writes, and what it reads where another has written.
#include "gpu/engine/clustering_block.hpp"

#include <stdexcept>

namespace lloyd {

LabelView Clustering::oldLabels(const PointMemory& memory) const {
  return recovered_.size() > 0 ? LabelView{recovered_.data(), recoveredWidth_} : memory.oldLabels;
}

/// The same labels in the points' own order; valid until the next call.
LabelView Clustering::inOwnOrder(const LabelView& labels, const PointMemory& memory) {
  if (labels.tile == 0) return labels;
  if (!memory.places || !memory.places->written)
    throw std::logic_error("labels by tiles without the places to look them up with");
  if (lookedUp_.size() == 0) lookedUp_ = Buffer<std::uint8_t>(device_, problem_.n);
  device_.writeTileLabels({.n = problem_.n,
                           .size = labels.tile,
                           .place = memory.places->data,
                           .from = tileLabelsIn(labels, problem_.n),
                           .to = lookedUp_.data()});
  return {lookedUp_.data(), LabelWidth::one};
}

/// The same labels, in the points' own order, in that width; valid until the next call. They differ only
/// where the variant that wrote them is not the one that reads them.
LabelView Clustering::stored(const LabelView& labels, LabelWidth width) {
  requireOwnOrder(labels.form());
  if (labels.width == width) return labels;
  if (converted_.size() == 0) converted_ = Buffer<Label>(device_, problem_.n);
  const LabelSpan to{converted_.data(), width};
  device_.convertLabels({.n = problem_.n, .from = labels, .to = to});
  return to;
}

LabelWidth Clustering::widthOf(const Plan& plan) const {
  return (plan.fused ? plan.fused : plan.classify)->labelWidth(problem_.k);
}

/// How labels are stored that are wanted for drawing alone.
LabelForm Clustering::formOf(const Plan& plan, const PointMemory& memory) const {
  const LabelWidth width = widthOf(plan);
  const unsigned tile = plan.tileSize(problem_);
  if (tile == 0 || !memory.places || memory.nextPositions) return width;
  PlaceMemory& places = *memory.places;
  const std::size_t room = std::min(places.mostBytes, problem_.n * sizeof(Label));
  if (tileLabelBytes(problem_.n, tile) > room) return width;
  places.wanted = true;
  return places.data ? LabelForm(width, tile) : LabelForm(width);
}

/// What labels by tiles are looked up with, once.
void Clustering::writePlaces(PlaceMemory& places) {
  if (places.written) return;
  tiled_->writePlaces(places.data);
  places.written = true;
}

/// The points in tiles of the plan's size.
void Clustering::makeTiles(const Plan& plan, const PointView& points, bool always, bool isTimed) {
  const unsigned size = plan.tileSize(problem_);
  if (tiled_ && tiled_->size() == size && tiledOf_ == points.data && !always) return;
  tiledOf_ = nullptr;
  tiledLabels_ = nullptr;
  if (!tiled_ || tiled_->size() != size) {
    loop_.reset(); // which may have been recorded for other tiles
    tiled_.emplace(device_, problem_.n, problem_.d, size);
  }
  timed(Stage::order, isTimed, [&] { tiled_->order(points); });
  tiledOf_ = points.data;
}

} // namespace lloyd
