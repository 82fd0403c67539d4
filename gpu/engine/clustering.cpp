// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/clustering.hpp"

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
    makeTiles(plan.tileSize(problem_), points, memory.nextPositions != nullptr, isTimed);
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
    if (!inTiles || labels.tile != 0) return;
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

// An iteration by halves, the way back, and labels without an iteration.

IterationResult Clustering::classifyHalf(const Plan& plan, const PointMemory& memory, bool inertia,
                                         const Step& step) {
  timed_.clear();
  if (step.motion) timed(Stage::advance, true, [&] { step.motion->moveTo(step.shifts, memory); });
  label(plan, memory, front_.data(), oldLabels(memory), memory.labelsOf(widthOf(plan)), true);
  sum(plan, present(memory), *memory.labels, false);
  if (inertia) addInertia(memory);

  IterationResult found;
  const std::vector<std::byte> bytes = readBlock(found);
  IterationResult result = labelled(plan, bytes);
  result.inertia = found.inertia;
  result.sizes = std::move(found.sizes);
  result.times = found.times;
  result.halfway = true;
  result.centroids = centroids_;
  result.emptyClusters = emptyOf(result.sizes);
  usedBefore_ = std::exchange(used_, centroids_);
  recovered_ = {};
  halfway_ = sumsReady_ = true;
  half_ = result;
  half_.times = {};
  return result;
}

IterationResult Clustering::updateHalf(const Plan& plan, const PointMemory& memory, bool written) {
  timed_.clear();
  const BlockLayout layout(problem_);
  const PointView points = written ? present(memory) : PointView{memory.positions, memory.stride, memory.box};
  if (!plan.fused) {
    // The sums of the first half are made again, so that what is timed is what is used.
    sumsReady_ = false;
    device_.fill(block_.data() + layout.counts, 0, layout.bytes - layout.counts);
    if (plan.reduce->info.layout == Layout::aos)
      makeRecords(points.data, points.stride, memory.nextPositions != nullptr);
    sum(plan, points, written ? LabelView(*memory.labels) : memory.oldLabels, true);
  }
  update(plan);
  IterationResult found;
  const std::vector<std::byte> bytes = readBlock(found);
  std::vector<float> moved = back_.download();
  IterationResult result = std::move(half_);
  result.halfway = false;
  result.sizes = std::move(found.sizes);
  result.times = found.times;
  takeUpdate(result, bytes, std::move(moved));
  return result;
}

IterationResult Clustering::finish(const Plan& plan, const PointMemory& memory) {
  timed_.clear();
  label(plan, memory, front_.data(), memory.oldLabels, memory.labelsOf(widthOf(plan)), true);
  sum(plan, present(memory), *memory.labels, true);
  addInertia(memory);
  IterationResult result;
  readBlock(result);
  sumsReady_ = halfway_;
  result.iteration = iterations_;
  result.centroids = result.usedCentroids = centroids_;
  result.emptyClusters = emptyOf(result.sizes);
  return result;
}

void Clustering::relabel(const Plan& plan, const PointMemory& memory) {
  timed_.clear();
  if (!halfway_ && !used_.empty()) back_.upload(used_);
  const float* centroids = halfway_ || used_.empty() ? front_.data() : back_.data();
  label(plan, memory, centroids, memory.oldLabels, memory.labelsOf(widthOf(plan)), false);
  device_.synchronize();
  sumsReady_ = halfway_ && plan.fused;
}

void Clustering::recoverOldLabels(const Plan& plan, const PointMemory& memory) {
  if (used_.empty()) return; // the first classification has nothing to compare with
  Buffer<Label> labels(device_, problem_.n);
  back_.upload(used_);
  recoveredWidth_ = widthOf(plan);
  label(plan, memory, back_.data(), memory.oldLabels, {labels.data(), recoveredWidth_}, false);
  recovered_ = std::move(labels);
}

IterationResult Clustering::goBack(const IterationResult& result, std::span<const float> usedBefore,
                                   const Plan& plan, const PointMemory& memory) {
  timed_.clear();
  back_.upload(result.usedCentroids);
  label(plan, memory, back_.data(), memory.oldLabels, memory.labelsOf(widthOf(plan)), false);
  IterationResult state = result;
  if (result.iteration == 0) { // the present centroids are those of the start
    sum(plan, present(memory), *memory.labels, false);
    addInertia(memory);
    readBlock(state);
    state.times = {};
    state.emptyClusters = emptyOf(state.sizes);
  } else {
    device_.synchronize();
  }
  back_.upload(result.centroids);
  std::swap(front_, back_);
  centroids_ = result.centroids;
  halfway_ = result.halfway;
  sumsReady_ = halfway_ && plan.fused;
  iterations_ = result.iteration - (halfway_ ? 1 : 0);
  used_ = result.iteration == 0 ? std::vector<float>() : result.usedCentroids;
  usedBefore_.assign(usedBefore.begin(), usedBefore.end());
  recovered_ = {};
  half_ = halfway_ ? result : IterationResult();
  return state;
}

// How labels are stored: what a plan writes, and what it reads where another has written.

LabelView Clustering::oldLabels(const PointMemory& memory) const {
  return recovered_.size() > 0 ? LabelView{recovered_.data(), recoveredWidth_} : memory.oldLabels;
}

/// The same labels in the points' own order; valid until the next call.
LabelView Clustering::inOwnOrder(const LabelView& labels, const PointMemory& memory) {
  if (labels.tile == 0) return labels;
  if (used_.empty()) return {labels.data, LabelWidth::one}; // another run's, which nothing is compared with
  if (tiledOf_ != present(memory).data) makeTiles(labels.tile, present(memory), false, false);
  if (lookedUp_.size() == 0) lookedUp_ = Buffer<std::uint8_t>(device_, problem_.n);
  const LabelSpan to{lookedUp_.data(), LabelWidth::one};
  tiled_->writeLabels(labels, to);
  return to;
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

/// How the labels of an iteration are stored.
LabelForm Clustering::formOf(const Plan& plan, const PointMemory& memory) const {
  const LabelWidth width = widthOf(plan);
  const unsigned tile = plan.tileSize(problem_);
  if (tile == 0 || !memory.unseen || memory.nextPositions) return width;
  return tileLabelBytes(problem_.n, tile) <= problem_.n * sizeof(Label) ? LabelForm(width, tile) : width;
}

/// The points in tiles of that size.
void Clustering::makeTiles(unsigned size, const PointView& points, bool always, bool isTimed) {
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

// Iterations that the device repeats by itself.

/// Recording costs some hundred iterations, so a loop is kept while it is what would be recorded again.
void Clustering::recordFor(const Plan& plan, const PointMemory& memory, const LabelSpan& labels) {
  const PointView points = present(memory);
  if (plan.fused->info.layout == Layout::aos) makeRecords(points.data, points.stride, false);
  const bool inTiles = plan.tileSize(problem_) != 0;
  if (inTiles) makeTiles(plan.tileSize(problem_), points, false, true);
  const LoopSubject subject{.schedule = plan.schedule,
                            .fused = plan.fused,
                            .tuning = plan.fused->complete(plan.tuningOf(Stage::fused)),
                            .problem = problem_,
                            .points = view(*plan.fused, points),
                            .labels = labels,
                            .tiled = inTiles ? &*tiled_ : nullptr};
  if (loop_ && loop_->isFor(subject)) return;
  loop_.reset(); // its memory first: there may not be room for both
  loop_ = std::make_unique<IterationLoop>(device_, subject);
}

IterationResult Clustering::iterateUntil(const Plan& plan, const PointMemory& memory, double tolerance,
                                         int most) {
  if (!plan.schedule || !plan.fused || most < 1 || halfway_ || memory.nextPositions)
    throw std::invalid_argument("whole iterations need a schedule, a fused variant, points that stand still, "
                                "and at least one to do");
  timed_.clear();
  const LabelSpan labels = memory.labelsOf(widthOf(plan));
  const bool fresh = iterations_ == 0;
  const LabelView old = inOwnOrder(oldLabels(memory), memory); // may make tiles, which ends a loop
  recordFor(plan, memory, labels);
  if (!fresh && old.width == labels.width)
    device_.copy(labels.data, old.data, problem_.n * bytesOf(labels.width));
  else if (!fresh)
    device_.convertLabels({.n = problem_.n, .from = old, .to = labels});

  tiledLabels_ = nullptr; // a replay changes them where they are
  LoopState state;
  double us = 0;
  int done = 0;
  while (done < most && state.outcome.settled == 0) {
    const LoopParams params{.tolerance = tolerance,
                            .most = static_cast<std::uint32_t>(std::min(most - done, iterationsAtOnce)),
                            .fresh = fresh && done == 0 ? 1u : 0u};
    if (done == 0)
      loop_->start(centroids_, params);
    else
      loop_->setParams(params);
    timed_.clear();
    timed(Stage::iterate, true, [&] { loop_->replay(); });
    state = loop_->read();
    us += device_.elapsedUs(*events_[0], *events_[1]);
    done += static_cast<int>(state.outcome.iterations);
  }

  IterationResult result;
  const bool isFirst = fresh && done == 1;
  result.iteration = iterations_ + done;
  result.anyChanged = isFirst || state.outcome.changed != 0;
  if (plan.fused->info.changed == Changed::points)
    result.changed = isFirst ? problem_.n : state.outcome.changed;
  result.shift = static_cast<double>(state.outcome.update.shift);
  result.emptyClusters = state.outcome.update.emptyClusters;
  result.usedCentroids = state.used;
  result.centroids = state.centroids;
  result.sizes = std::move(state.sizes);
  result.times.set(Stage::iterate, us);
  if (plan.tileSize(problem_) != 0) tiledLabels_ = labels.data;
  std::vector<float> centroids = state.centroids;
  device_.copy(back_.data(), loop_->centroids(), back_.bytes());
  std::swap(front_, back_);
  used_ = std::move(state.used);
  centroids_ = std::move(centroids);
  iterations_ += done;
  sumsReady_ = false;
  recovered_ = {};
  return result;
}

} // namespace lloyd
