// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/clustering.hpp"

#include "gpu/simt/exec/label_check.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace lloyd {
namespace {

/// The points as they are classified: where they have moved to, when they move.
PointView present(const PointMemory& memory) {
  return {memory.nextPositions ? memory.nextPositions : memory.positions, memory.stride, memory.box};
}

bool moves(const PointMemory& memory) { return memory.nextPositions != nullptr; }

const Variant& labeller(const Plan& plan) { return plan.fused ? *plan.fused : *plan.classify; }

/// A person's own kernel on the simulator may label anything, and whatever comes next reads memory by labels.
void requireLabels(const Device& device, const Variant& variant, const LabelView& labels,
                   const Problem& problem) {
  if (device.backend() != Backend::simt || labels.tile != 0) return;
  if (const std::string fault = simt::labelFault(labels, problem.n, problem.k); !fault.empty())
    throw DeviceError(0, Severity::badRequest, {}, variant.id() + ": " + fault);
}

} // namespace

Clustering::State Clustering::State::after(const IterationResult& result, std::vector<float> usedBefore) {
  State state{.centroids = result.centroids, .iterations = result.iteration};
  if (result.iteration > 0) state.used = result.usedCentroids;
  if (!result.halfway) return state;
  state.usedBefore = std::move(usedBefore);
  --state.iterations;
  state.phase = Phase::halfway;
  state.half = result;
  state.half.times = {};
  return state;
}

Clustering::Clustering(Device& device, const Problem& problem, PointLayouts& layouts)
    : device_(device), problem_(problem), layouts_(layouts), front_(device, problem.centroidValues()),
      back_(device, problem.centroidValues()), totals_(device, problem), clock_(device) {}

void Clustering::restore(State state) {
  if (state.centroids.size() != problem_.centroidValues())
    throw std::invalid_argument("centroids are not k x d values");
  back_.upload(state.centroids);
  std::swap(front_, back_);
  state_ = std::move(state);
  recovered_ = {};
}

/// Centroids of another state than the present one stay there until the next update or the next such call.
Clustering::Centroids Clustering::onDevice(const std::vector<float>& centroids) {
  if (centroids == state_.centroids) return {centroids, front_.data()};
  back_.upload(centroids);
  return {centroids, back_.data()};
}

/// Labels the points by centroids. Clears the block first; afterwards it holds changed, and after a fused
/// variant sums and counts.
void Clustering::label(const Plan& plan, const PointMemory& memory, const Centroids& centroids,
                       LabelView oldLabels, LabelSpan labels) {
  summed_.clear();
  totals_.clear();
  const PointView points = present(memory);
  if (moves(memory)) layouts_.expire();
  const bool inTiles = plan.tileSize(problem_) != 0;
  if (!inTiles || oldLabels.tile != plan.tileSize(problem_))
    oldLabels = stored(inInputOrder(oldLabels, memory), labels.width);
  if (inTiles) {
    makeTiles(plan.tileSize(problem_), points, &clock_);
    // After a pass over tiles they have them.
    if (!state_.used.empty() && oldLabels.tile == 0 && tiledLabels_ != oldLabels.data)
      layouts_.tiles()->takeLabels(oldLabels);
  }
  tiledLabels_ = nullptr;
  if (plan.fused) {
    const FusedArgs args{.problem = problem_,
                         .points = layouts_.view(plan.fused->info.layout, points),
                         .centroids = centroids.data,
                         .oldLabels = oldLabels,
                         .labels = labels,
                         .changed = totals_.changed(),
                         .sums = totals_.sums(),
                         .counts = totals_.counts(),
                         .tuning = plan.tuningOf(Stage::fused),
                         .tiled = inTiles ? layouts_.tiles() : nullptr};
    clock_.time(Stage::fused, [&] { run(device_, *plan.fused, args); });
    summed_ = centroids.values;
    if (!inTiles) return requireLabels(device_, *plan.fused, labels, problem_);
    if (labels.tile != 0) return;
    layouts_.tiles()->keepPass();
    clock_.time(Stage::labels, [&] { layouts_.tiles()->writeLabels(labels); });
    tiledLabels_ = labels.data;
    return requireLabels(device_, *plan.fused, labels, problem_);
  }
  const ClassifyArgs args{.problem = problem_,
                          .points = layouts_.view(plan.classify->info.layout, points),
                          .centroids = centroids.data,
                          .oldLabels = static_cast<const Label*>(oldLabels.data),
                          .labels = static_cast<Label*>(labels.data),
                          .changed = totals_.changed(),
                          .tuning = plan.tuningOf(Stage::classify),
                          .rechecked = totals_.rechecked()};
  clock_.time(Stage::classify, [&] { run(device_, *plan.classify, args); });
  requireLabels(device_, *plan.classify, labels, problem_);
}

/// Sums and counts of points labelled by the present centroids; a fused variant has them already.
void Clustering::sum(const Plan& plan, const PointView& points, const LabelView& labels,
                     const Centroids& centroids) {
  if (plan.fused) return;
  const ReduceArgs args{.problem = problem_,
                        .points = layouts_.view(plan.reduce->info.layout, points),
                        .labels = static_cast<const Label*>(stored(labels, LabelWidth::four).data),
                        .pivots = centroids.data,
                        .sums = totals_.sums(),
                        .counts = totals_.counts(),
                        .tuning = plan.tuningOf(Stage::reduce)};
  clock_.time(Stage::reduce, [&] { run(device_, *plan.reduce, args); });
  summed_ = centroids.values;
}

void Clustering::addInertia(const PointMemory& memory, const float* centroids) {
  clock_.time(Stage::inertia, [&] {
    const LabelSpan& labels = *memory.labels;
    auto* const inertia = totals_.inertia();
    if (labels.tile != 0) return layouts_.tiles()->addInertia(labels, problem_.k, centroids, inertia);
    device_.inertia({.problem = problem_,
                     .points = present(memory),
                     .centroids = centroids,
                     .labels = labels,
                     .inertia = inertia});
  });
}

void Clustering::update(const Plan& plan) {
  clock_.time(Stage::update, [&] {
    run(device_, *plan.update,
        UpdateArgs{.problem = problem_,
                   .sums = totals_.sums(),
                   .counts = totals_.counts(),
                   .oldCentroids = front_.data(),
                   .centroids = back_.data(),
                   .outcome = totals_.outcome()});
  });
}

/// Waits for the device. What is read of labels belongs to an iteration that is not counted yet.
Accumulators::Values Clustering::read(IterationResult& result) {
  Accumulators::Values found = totals_.read();
  result.times = clock_.read();
  if (result.times[Stage::inertia]) result.inertia = found.inertia;
  result.sizes = found.counts;
  result.emptyClusters = static_cast<std::uint32_t>(std::count(found.counts.begin(), found.counts.end(), 0u));
  return found;
}

/// The state is that which the result tells of, where an update has left its centroids at the back.
void Clustering::take(const IterationResult& result) {
  if (!result.halfway) {
    std::swap(front_, back_);
    summed_.clear();
  }
  state_ = State::after(result, std::move(state_.used));
  recovered_ = {};
}

/// The sums of the first half once more, so that what is timed is what is used.
void Clustering::sumAgain(const Plan& plan, const PointMemory& memory, bool written) {
  const PointView points = written ? present(memory) : PointView{memory.positions, memory.stride, memory.box};
  summed_.clear();
  totals_.clearSums();
  if (moves(memory)) layouts_.expire();
  sum(plan, points, written ? LabelView(*memory.labels) : memory.oldLabels,
      {state_.centroids, front_.data()});
}

IterationResult Clustering::advance(const Plan& plan, const PointMemory& memory, const Step& step) {
  const bool labels = step.half != Half::update;
  const bool updates = step.half != Half::classify;
  const Centroids centroids{state_.centroids, front_.data()};
  clock_.start();
  if (labels) {
    if (step.motion) clock_.time(Stage::advance, [&] { step.motion->moveTo(step.shifts, memory); });
    const LabelLayout layout = updates ? layoutOf(plan, memory) : LabelLayout(widthOf(plan));
    label(plan, memory, centroids, oldLabels(memory), memory.labelsOf(layout));
    if (!updates) clock_.pause();
    sum(plan, present(memory), *memory.labels, centroids);
    clock_.resume();
  } else if (!plan.fused) {
    sumAgain(plan, memory, step.written);
  }
  if (updates) update(plan);
  if (step.inertia) addInertia(memory, centroids.data);

  IterationResult result = labels ? IterationResult() : state_.half;
  const Accumulators::Values found = read(result);
  if (labels) {
    const bool first = state_.iterations == 0;
    result.iteration = state_.iterations + 1;
    result.anyChanged = first || found.changed != 0;
    if (labeller(plan).info.changed == Changed::points) result.changed = first ? problem_.n : found.changed;
    if (!plan.fused && rechecks(*plan.classify, Stage::classify)) result.rechecked = found.rechecked;
    result.usedCentroids = state_.centroids;
  }
  result.halfway = !updates;
  result.centroids = updates ? back_.download() : state_.centroids;
  if (updates) {
    result.shift = static_cast<double>(found.outcome.shift);
    result.emptyClusters = found.outcome.emptyClusters;
  }
  take(result);
  return result;
}

// Labels without an iteration.

IterationResult Clustering::finish(const Plan& plan, const PointMemory& memory, const State& state) {
  clock_.start();
  const Centroids centroids = onDevice(state.centroids);
  label(plan, memory, centroids, memory.oldLabels, memory.labelsOf(widthOf(plan)));
  sum(plan, present(memory), *memory.labels, centroids);
  addInertia(memory, centroids.data);
  IterationResult result;
  read(result);
  result.iteration = state.iterations;
  result.centroids = result.usedCentroids = state.centroids;
  return result;
}

void Clustering::relabel(const Plan& plan, const PointMemory& memory, const State& state) {
  clock_.pause();
  label(plan, memory, onDevice(state.labelled()), memory.oldLabels, memory.labelsOf(widthOf(plan)));
  device_.synchronize();
}

void Clustering::recoverOldLabels(const Plan& plan, const PointMemory& memory) {
  if (state_.used.empty()) return; // the first classification has nothing to compare with
  clock_.pause();
  Buffer<Label> labels(device_, problem_.n);
  recoveredWidth_ = widthOf(plan);
  label(plan, memory, onDevice(state_.used), memory.oldLabels, {labels.data(), recoveredWidth_});
  recovered_ = std::move(labels);
}

// How labels are stored: what a plan writes, and what it reads where another has written.

LabelView Clustering::oldLabels(const PointMemory& memory) const {
  return recovered_.size() > 0 ? LabelView{recovered_.data(), recoveredWidth_} : memory.oldLabels;
}

/// The same labels in input order; valid until the next call.
LabelView Clustering::inInputOrder(const LabelView& labels, const PointMemory& memory) {
  if (labels.tile == 0) return labels;
  if (state_.used.empty())
    return {labels.data, LabelWidth::one}; // another run's, which nothing is compared with
  if (!layouts_.hasTiles()) makeTiles(labels.tile, present(memory), nullptr);
  if (lookedUp_.size() == 0) lookedUp_ = Buffer<std::uint8_t>(device_, problem_.n);
  const LabelSpan to{lookedUp_.data(), LabelWidth::one};
  layouts_.tiles()->writeLabels(labels, to);
  return to;
}

/// The same labels, in input order, in that width; valid until the next call. They differ only
/// where the variant that wrote them is not the one that reads them.
LabelView Clustering::stored(const LabelView& labels, LabelWidth width) {
  requireInputOrder(labels.layout());
  if (labels.width == width) return labels;
  if (converted_.size() == 0) converted_ = Buffer<Label>(device_, problem_.n);
  const LabelSpan to{converted_.data(), width};
  device_.convertLabels({.n = problem_.n, .from = labels, .to = to});
  return to;
}

LabelWidth Clustering::widthOf(const Plan& plan) const { return labeller(plan).labelWidth(problem_.k); }

/// How the labels of an iteration are stored.
LabelLayout Clustering::layoutOf(const Plan& plan, const PointMemory& memory) const {
  const LabelWidth width = widthOf(plan);
  const unsigned tile = plan.tileSize(problem_);
  if (tile == 0 || !memory.unseen || moves(memory)) return width;
  return tileLabelBytes(problem_.n, tile) <= problem_.n * sizeof(Label) ? LabelLayout(width, tile) : width;
}

/// The points in tiles of that size.
void Clustering::makeTiles(unsigned size, const PointView& points, StageClock* clock) {
  if (layouts_.hasTiles(size)) return;
  tiledLabels_ = nullptr;
  if (const TiledPoints* held = layouts_.tiles(); !held || held->size() != size)
    loop_.reset(); // which may have been recorded for other tiles
  layouts_.makeTiles(size, points, clock);
}

// Iterations that the device repeats by itself.

/// Recording costs some hundred iterations, so a loop is kept while it is what would be recorded again.
void Clustering::recordFor(const Plan& plan, const PointMemory& memory, const LabelSpan& labels) {
  const PointView points = present(memory);
  const bool inTiles = plan.tileSize(problem_) != 0;
  if (inTiles) makeTiles(plan.tileSize(problem_), points, nullptr);
  const LoopSubject subject{.schedule = plan.schedule,
                            .fused = plan.fused,
                            .tuning = plan.fused->complete(plan.tuningOf(Stage::fused)),
                            .problem = problem_,
                            .points = layouts_.view(plan.fused->info.layout, points),
                            .labels = labels,
                            .tiled = inTiles ? layouts_.tiles() : nullptr};
  if (loop_ && loop_->isFor(subject)) return;
  loop_.reset(); // its memory first: there may not be room for both
  loop_ = std::make_unique<IterationLoop>(device_, subject);
}

IterationResult Clustering::iterateUntil(const Plan& plan, const PointMemory& memory, double tolerance,
                                         int most) {
  if (!plan.schedule || !plan.fused || most < 1 || halfway() || moves(memory))
    throw std::invalid_argument("whole iterations need a schedule, a fused variant, points that stand still, "
                                "and at least one to do");
  const LabelSpan labels = memory.labelsOf(widthOf(plan));
  const bool fresh = state_.iterations == 0;
  const LabelView old = inInputOrder(oldLabels(memory), memory); // may make tiles, which ends a loop
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
      loop_->start(state_.centroids, params);
    else
      loop_->setParams(params);
    clock_.start();
    clock_.time(Stage::iterate, [&] { loop_->replay(); });
    state = loop_->read();
    requireLabels(device_, *plan.fused, labels, problem_);
    us += *clock_.read()[Stage::iterate];
    done += static_cast<int>(state.outcome.iterations);
  }

  IterationResult result;
  const bool isFirst = fresh && done == 1;
  result.iteration = state_.iterations + done;
  result.anyChanged = isFirst || state.outcome.changed != 0;
  if (plan.fused->info.changed == Changed::points)
    result.changed = isFirst ? problem_.n : state.outcome.changed;
  result.shift = static_cast<double>(state.outcome.update.shift);
  result.emptyClusters = state.outcome.update.emptyClusters;
  result.usedCentroids = std::move(state.used);
  result.centroids = std::move(state.centroids);
  result.sizes = std::move(state.sizes);
  result.times.set(Stage::iterate, us);
  if (plan.tileSize(problem_) != 0) tiledLabels_ = labels.data;
  device_.copy(back_.data(), loop_->centroids(), back_.bytes());
  take(result);
  return result;
}

} // namespace lloyd
