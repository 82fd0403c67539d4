// SPDX-License-Identifier: GPL-3.0-or-later
// The part of StageBench that repeats whole iterations.
#include "app/model/measure_stage.hpp"
#include "gpu/core/request_error.hpp"
#include "gpu/engine/plan.hpp"
#include "gpu/reference/compare.hpp"
#include "gpu/reference/reference.hpp"

#include <algorithm>

namespace lloyd {
namespace {

/// Enough that the start of a replay is no part of the time. A processor has no such start.
constexpr std::uint32_t iterationsOnGpu = 32;
constexpr std::uint32_t iterationsOnProcessor = 4;

} // namespace

void StageBench::repeat(std::string fused) { repeated_ = std::move(fused); }

/// Throws RequestError where no fused variant can run, or not the one that was asked for.
Plan StageBench::planFor(const Candidate& candidate) const {
  return makePlan({.classify = {},
                   .reduce = {},
                   .fused = repeated_,
                   .update = {},
                   .schedule = candidate.variant->id(),
                   .tuning = {}},
                  problem_, device_.info(), ChoiceTable::present(),
                  hasRoomForTiles_ ? Ordering::once : Ordering::never);
}

std::optional<std::string> StageBench::whyNotRepeated(const Candidate& candidate) const {
  try {
    static_cast<void>(planFor(candidate));
  } catch (const RequestError& error) {
    return error.what();
  }
  return std::nullopt;
}

std::uint32_t StageBench::iterationsOf(const Candidate& candidate) const {
  if (candidate.stage != Stage::iterate) return 1;
  return device_.backend() == Backend::cuda ? iterationsOnGpu : iterationsOnProcessor;
}

std::string StageBench::noteOn(const Candidate& candidate) const {
  if (candidate.stage != Stage::iterate) return {};
  return "one iteration, out of replays of " + std::to_string(iterationsOf(candidate)) +
         " that no tolerance ends, each with " + planFor(candidate).fused->id();
}

std::size_t StageBench::bytes(const Candidate& candidate) const {
  if (candidate.stage != Stage::iterate) return leastBytes(candidate, problem_);
  const Plan plan = planFor(candidate);
  const Tuning tuning = plan.fused->complete(plan.tuningOf(Stage::fused));
  return leastBytes(Candidate{plan.fused, Stage::fused, tuning}, problem_);
}

IterationLoop& StageBench::loopOf(const Candidate& candidate) {
  const Plan plan = planFor(candidate);
  const LoopSubject subject{.schedule = candidate.variant,
                            .fused = plan.fused,
                            .tuning = plan.fused->complete(plan.tuningOf(Stage::fused)),
                            .problem = problem_,
                            .points = view(*plan.fused),
                            .labels = memory_.labelsOf(plan.fused->labelWidth(problem_.k))};
  for (const auto& loop : loops_)
    if (loop->isFor(subject)) return *loop;
  return *loops_.emplace_back(std::make_unique<IterationLoop>(device_, subject));
}

/// Every sample begins where the second iteration does; tiles of another size are put in order before it.
void StageBench::prepare(const Candidate& candidate) {
  clear();
  if (candidate.variant->info.tileSize) static_cast<void>(tiled(candidate));
  if (candidate.stage != Stage::iterate) return;
  const std::vector<float> start(pivots_.begin(), pivots_.end()); // they were floats
  loopOf(candidate).begin(start, {.tolerance = -1, .most = iterationsOf(candidate), .fresh = 0});
}

/// One iteration, by the loop, from the old labels and centroids.
std::string StageBench::checkIterated(const Candidate& candidate) {
  IterationLoop& loop = loopOf(candidate);
  const LabelSpan stored = loop.subject().labels;
  device_.convertLabels({problem_.n, {wideOldLabels_.data()}, stored});
  const std::vector<float> start(pivots_.begin(), pivots_.end());
  loop.begin(start, {.tolerance = -1, .most = 1, .fresh = 0});
  loop.replay();
  const LoopState state = loop.read();
  std::vector<Label> labels(problem_.n);
  downloadLabels(device_, stored, labels);
  const auto found = reference::compareLabels(problem_, points_.values, pivots_, labels, labels_);
  if (!found.ok()) return found.firstFailure;
  std::uint32_t changed = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    changed += labels[i] != oldLabels_[i] ? 1 : 0;
  if (loop.subject().fused->info.changed == Changed::points && state.outcome.changed != changed)
    return "it says that " + std::to_string(state.outcome.changed) + " labels changed, but " +
           std::to_string(changed) + " did";
  const auto own = labels == labels_ ? reference::Reduction{expectedSums_, expectedCounts_}
                                     : reference::reduce(problem_, points_.values, labels, pivots_);
  if (state.sizes != own.counts) return "the sizes of clusters are not those of the labels";
  const auto next = reference::update(problem_, own, pivots_);
  return reference::compareCentroids(problem_, reference::ranges(problem_, points_.values, pivots_),
                                     state.centroids, next.centroids)
      .firstFailure;
}

} // namespace lloyd
