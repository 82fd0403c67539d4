// SPDX-License-Identifier: GPL-3.0-or-later
// An iteration by halves, the way back, and labels without an iteration.
#include "gpu/engine/clustering_block.hpp"

#include <utility>

namespace lloyd {

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

} // namespace lloyd
