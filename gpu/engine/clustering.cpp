// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/clustering_block.hpp"

#include <stdexcept>
#include <utility>

namespace lloyd {

Clustering::Clustering(Device& device, const Problem& problem)
    : device_(device), problem_(problem), front_(device, problem.centroidValues()),
      back_(device, problem.centroidValues()), block_(device, BlockLayout(problem).bytes) {}

void Clustering::setCentroids(std::span<const float> centroids) {
  if (centroids.size() != problem_.centroidValues())
    throw std::invalid_argument("centroids are not k x d values");
  back_.upload(centroids);
  std::swap(front_, back_);
  centroids_.assign(centroids.begin(), centroids.end());
  used_.clear();
  recovered_ = {};
  iterations_ = 0;
  halfway_ = sumsReady_ = false;
}

void Clustering::moveCentroid(int cluster, std::span<const float> position) {
  const auto d = static_cast<std::size_t>(problem_.d);
  if (cluster < 0 || cluster >= problem_.k || position.size() != d)
    throw std::invalid_argument("no such centroid");
  std::vector<float> moved = centroids_;
  std::copy(position.begin(), position.end(), moved.data() + static_cast<std::size_t>(cluster) * d);
  back_.upload(moved);
  std::swap(front_, back_);
  centroids_ = std::move(moved);
  if (std::exchange(halfway_, false)) used_ = std::move(usedBefore_);
  sumsReady_ = false;
}

void Clustering::timed(Stage stage, bool isTimed, const std::function<void()>& work) {
  if (!isTimed) return work();
  const std::size_t first = 2 * timed_.size();
  while (events_.size() < first + 2)
    events_.push_back(device_.createEvent());
  timed_.push_back(stage);
  device_.record(*events_[first]);
  work();
  device_.record(*events_[first + 1]);
}

std::vector<std::byte> Clustering::readBlock(IterationResult& result) {
  const BlockLayout layout(problem_);
  std::vector<std::byte> bytes(layout.read);
  device_.download(bytes.data(), block_.data(), bytes.size());
  for (std::size_t i = 0; i < timed_.size(); ++i)
    result.times.set(timed_[i], device_.elapsedUs(*events_[2 * i], *events_[2 * i + 1]));
  if (result.times[Stage::inertia]) result.inertia = valueAt<double>(bytes, layout.inertia);
  result.sizes.resize(static_cast<std::size_t>(problem_.k));
  std::memcpy(result.sizes.data(), bytes.data() + layout.counts, result.sizes.size() * sizeof(std::uint32_t));
  return bytes;
}

/// always: the points may have moved within the same memory.
void Clustering::makeRecords(const float* points, std::size_t stride, bool always) {
  if (records_.size() == 0) records_ = Buffer<float>(device_, problem_.pointValues());
  if (recordsOf_ == points && !always) return;
  device_.interleave(
      {.n = problem_.n, .d = problem_.d, .points = {points, stride}, .records = records_.data()});
  recordsOf_ = points;
}

PointView Clustering::view(const Variant& variant, const PointView& points) const {
  if (variant.info.layout == Layout::soa) return points;
  return {records_.data(), points.stride, points.box};
}

/// Labels the points by centroids. Clears the block first; afterwards it holds changed, and after a fused
/// variant sums and counts.
void Clustering::label(const Plan& plan, const PointMemory& memory, const float* centroids,
                       LabelView oldLabels, LabelSpan labels, bool isTimed) {
  sumsReady_ = false;
  block_.fill(0);
  const PointView points = present(memory);
  if (plan.wants(Layout::aos)) makeRecords(points.data, points.stride, memory.nextPositions != nullptr);
  const bool inTiles = plan.tileSize(problem_) != 0;
  if (!inTiles || oldLabels.tile != plan.tileSize(problem_))
    oldLabels = stored(inOwnOrder(oldLabels, memory), labels.width);
  const BlockLayout layout(problem_);
  auto* changed = at<std::uint32_t>(block_, layout.changed);
  if (inTiles) {
    makeTiles(plan, points, memory.nextPositions != nullptr, isTimed);
    // After a pass over tiles they have them.
    if (!used_.empty() && oldLabels.tile == 0 && tiledLabels_ != oldLabels.data)
      tiled_->takeLabels(oldLabels);
  }
  tiledLabels_ = nullptr;
  if (plan.fused) {
    const FusedArgs args{.problem = problem_,
                         .points = view(*plan.fused, points),
                         .centroids = centroids,
                         .oldLabels = oldLabels,
                         .labels = labels,
                         .changed = changed,
                         .sums = at<double>(block_, layout.sums),
                         .counts = at<std::uint32_t>(block_, layout.counts),
                         .tuning = plan.tuningOf(Stage::fused),
                         .tiled = inTiles ? &*tiled_ : nullptr};
    timed(Stage::fused, isTimed, [&] { run(device_, *plan.fused, args); });
    if (!inTiles) return;
    if (labels.tile != 0) return writePlaces(*memory.places);
    tiled_->keepPass();
    timed(Stage::labels, isTimed, [&] { tiled_->writeLabels(labels); });
    tiledLabels_ = labels.data;
    return;
  }
  const ClassifyArgs args{.problem = problem_,
                          .points = view(*plan.classify, points),
                          .centroids = centroids,
                          .oldLabels = static_cast<const Label*>(oldLabels.data),
                          .labels = static_cast<Label*>(labels.data),
                          .changed = changed,
                          .tuning = plan.tuningOf(Stage::classify)};
  timed(Stage::classify, isTimed, [&] { run(device_, *plan.classify, args); });
}

/// Sums and counts of points labelled by the present centroids; a fused variant has them already.
void Clustering::sum(const Plan& plan, const PointView& points, const LabelView& labels, bool isTimed) {
  if (plan.fused) return;
  const BlockLayout layout(problem_);
  const ReduceArgs args{.problem = problem_,
                        .points = view(*plan.reduce, points),
                        .labels = static_cast<const Label*>(stored(labels, LabelWidth::four).data),
                        .pivots = front_.data(),
                        .sums = at<double>(block_, layout.sums),
                        .counts = at<std::uint32_t>(block_, layout.counts),
                        .tuning = plan.tuningOf(Stage::reduce)};
  timed(Stage::reduce, isTimed, [&] { run(device_, *plan.reduce, args); });
}

void Clustering::addInertia(const PointMemory& memory) {
  const BlockLayout layout(problem_);
  timed(Stage::inertia, true, [&] {
    const LabelSpan& labels = *memory.labels;
    auto* const inertia = at<double>(block_, layout.inertia);
    if (labels.tile != 0) return tiled_->addInertia(labels, problem_.k, front_.data(), inertia);
    device_.inertia({.problem = problem_,
                     .points = present(memory),
                     .centroids = front_.data(),
                     .labels = labels,
                     .inertia = inertia});
  });
}

void Clustering::update(const Plan& plan) {
  const BlockLayout layout(problem_);
  timed(Stage::update, true, [&] {
    run(device_, *plan.update,
        UpdateArgs{.problem = problem_,
                   .sums = at<double>(block_, layout.sums),
                   .counts = at<std::uint32_t>(block_, layout.counts),
                   .oldCentroids = front_.data(),
                   .centroids = back_.data(),
                   .outcome = at<UpdateOutcome>(block_, layout.outcome)});
  });
}

/// What the labels just written say of themselves; the iteration they belong to is not counted yet.
IterationResult Clustering::labelled(const Plan& plan, const std::vector<std::byte>& bytes) {
  IterationResult result;
  const Variant& labeller = plan.fused ? *plan.fused : *plan.classify;
  const auto changed = valueAt<std::uint32_t>(bytes, BlockLayout(problem_).changed);
  const bool first = iterations_ == 0;
  result.iteration = iterations_ + 1;
  result.anyChanged = first || changed != 0;
  if (labeller.info.changed == Changed::points) result.changed = first ? problem_.n : changed;
  result.usedCentroids = centroids_;
  return result;
}

/// The centroids move, and the iteration counts.
void Clustering::takeUpdate(IterationResult& result, const std::vector<std::byte>& bytes,
                            std::vector<float> moved) {
  const auto outcome = valueAt<UpdateOutcome>(bytes, BlockLayout(problem_).outcome);
  result.shift = static_cast<double>(outcome.shift);
  result.emptyClusters = outcome.emptyClusters;
  result.centroids = moved;
  used_ = std::move(centroids_);
  centroids_ = std::move(moved);
  std::swap(front_, back_);
  ++iterations_;
  halfway_ = sumsReady_ = false;
  recovered_ = {};
}

IterationResult Clustering::iterate(const Plan& plan, const PointMemory& memory, bool inertia,
                                    const Step& step) {
  timed_.clear();
  if (step.motion) timed(Stage::advance, true, [&] { step.motion->moveTo(step.shifts, memory); });
  label(plan, memory, front_.data(), oldLabels(memory), memory.labelsOf(formOf(plan, memory)), true);
  sum(plan, present(memory), *memory.labels, true);
  update(plan);
  if (inertia) addInertia(memory);

  IterationResult found;
  const std::vector<std::byte> bytes = readBlock(found);
  std::vector<float> moved = back_.download();
  IterationResult result = labelled(plan, bytes);
  result.inertia = found.inertia;
  result.sizes = std::move(found.sizes);
  result.times = found.times;
  takeUpdate(result, bytes, std::move(moved));
  return result;
}

} // namespace lloyd
