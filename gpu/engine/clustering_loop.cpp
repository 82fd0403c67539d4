// SPDX-License-Identifier: GPL-3.0-or-later
// Iterations that the device repeats by itself.
#include "gpu/engine/clustering_block.hpp"

#include <stdexcept>
#include <utility>

namespace lloyd {

/// Recording costs some hundred iterations, so a loop is kept while it is what would be recorded again.
void Clustering::recordFor(const Plan& plan, const PointMemory& memory, const LabelSpan& labels) {
  const PointView points = present(memory);
  if (plan.fused->info.layout == Layout::aos) makeRecords(points.data, points.stride, false);
  const bool inTiles = plan.tileSize(problem_) != 0;
  if (inTiles) makeTiles(plan, points, false, true);
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
  recordFor(plan, memory, labels);
  const bool fresh = iterations_ == 0;
  const LabelView old = inOwnOrder(oldLabels(memory), memory);
  if (!fresh && old.width == labels.width)
    device_.copy(labels.data, old.data, problem_.n * bytesOf(labels.width));
  else if (!fresh)
    device_.convertLabels({.n = problem_.n, .from = old, .to = labels});

  tiledLabels_ = nullptr; // a replay changes them where they are
  LoopState state;
  double us = 0;
  int done = 0;
  while (done < most && state.outcome.settled == 0) {
    const LoopOrders orders{.tolerance = tolerance,
                            .most = static_cast<std::uint32_t>(std::min(most - done, iterationsAtOnce)),
                            .fresh = fresh && done == 0 ? 1u : 0u};
    if (done == 0)
      loop_->begin(centroids_, orders);
    else
      loop_->tell(orders);
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
