// SPDX-License-Identifier: GPL-3.0-or-later
// The computer's work on the points: iterations, halves of them, the way back, and labels to be seen.
#include "app/model/computer.hpp"
#include "gpu/core/request_error.hpp"

#include <stdexcept>
#include <utility>

namespace lloyd {

/// The memory of one call: lent, or private points mapped for it.
class Computer::Lease {
public:
  Lease(Computer& computer, const PointMemory* lent) : computer_(computer) {
    computer_.wroteBack_ = false;
    if (!lent) mapping_.emplace(*computer_.points_);
    memory_ = lent ? *lent : mapping_->memory();
    memory_.box = computer_.box_;
  }
  [[nodiscard]] const PointMemory& memory() const { return memory_; }
  /// The side that was written becomes what is seen.
  void flip(bool isLast) {
    computer_.wroteBack_ = true;
    computer_.frontIsLast_ = isLast;
    if (mapping_) mapping_->flip();
  }

private:
  Computer& computer_;
  std::optional<Mapping> mapping_;
  PointMemory memory_;
};

/// Points that move reach the other side of their buffers at the moment they are at.
void Computer::moveToPresent(const PointMemory& memory) {
  if (motion_) motion_->moveTo(shifts_, memory);
}

void Computer::show(const IterationResult& result) {
  shown_ = result;
  shown_.times = {};
}

IterationResult Computer::classify(const PointMemory* lent, bool whole, bool inertia) {
  Lease lease(*this, lent);
  const PointMemory& memory = lease.memory();
  StageTimes seedTimes;
  if (seedDue_) seed(memory, seedTimes);
  if (!frontIsLast_ && clustering_->iterations() > 0) {
    moveToPresent(memory);
    clustering_->recoverOldLabels(plan_, memory);
  }
  Step step;
  std::vector<float> next;
  if (motion_) {
    next = shiftsAt(time_ + 1);
    step = {motion_.get(), next};
  }
  IterationResult result = whole ? clustering_->iterate(plan_, memory, inertia, step)
                                 : clustering_->classifyHalf(plan_, memory, inertia, step);
  const double before = time_;
  if (motion_) {
    time_ += 1;
    shifts_ = std::move(next);
  }
  if (keepsPast_) past_.remember(result, before, time_);
  moved_ = false;
  show(result);
  if (const auto us = seedTimes[Stage::seed]) result.times.set(Stage::seed, *us);
  lease.flip(true);
  return result;
}

IterationResult Computer::update(const PointMemory* lent) {
  Lease lease(*this, lent);
  const bool again = !frontIsLast_ || !clustering_->readyToUpdate(plan_);
  if (again) {
    moveToPresent(lease.memory());
    clustering_->relabel(plan_, lease.memory());
  }
  IterationResult result = clustering_->updateHalf(plan_, lease.memory(), again);
  if (keepsPast_) past_.remember(result, time_, time_);
  show(result);
  if (again) lease.flip(true);
  return result;
}

IterationResult Computer::iterate(bool inertia, const PointMemory* lent) {
  return halfway() ? update(lent) : classify(lent, true, inertia);
}

IterationResult Computer::iterateUntil(double tolerance, int most) {
  if (data_->drift)
    throw RequestError("points that move take a step in every iteration, which '" +
                       settings_.selection.schedule + "' knows nothing of: leave the schedule out");
  Lease lease(*this, nullptr);
  StageTimes seedTimes;
  if (seedDue_) seed(lease.memory(), seedTimes);
  if (!frontIsLast_ && clustering_->iterations() > 0) clustering_->recoverOldLabels(plan_, lease.memory());
  IterationResult result = clustering_->iterateUntil(plan_, lease.memory(), tolerance, most);
  past_.clear();
  moved_ = false;
  show(result);
  if (const auto us = seedTimes[Stage::seed]) result.times.set(Stage::seed, *us);
  lease.flip(true);
  return result;
}

IterationResult Computer::halfStep(const PointMemory* lent) {
  return halfway() ? update(lent) : classify(lent, false, true);
}

bool Computer::canStepBack() const {
  if (!seeded() || past_.empty()) return false;
  return !clustering_->halfway() || clustering_->iterations() == 0 || past_.size() > 1;
}

IterationResult Computer::stepBack(const PointMemory* lent) {
  if (!canStepBack()) throw std::logic_error("there is no half to take back");
  Lease lease(*this, lent);
  const bool halfway = clustering_->halfway();
  const PastIteration& last = past_.back();
  const bool toStart = halfway && last.result.iteration == 1;
  IterationResult state;
  std::vector<float> usedBefore;
  if (!halfway) {
    state = last.result;
    state.halfway = true;
    state.shift = 0;
    if (past_.size() > 1) usedBefore = past_.back(1).result.usedCentroids;
  } else if (toStart) {
    state.usedCentroids = last.result.usedCentroids;
  } else {
    state = past_.back(1).result;
  }
  state.centroids = last.result.usedCentroids;
  const double time = halfway ? last.timeBefore : last.time;
  std::vector<float> shifts;
  if (motion_) {
    shifts = shiftsAt(time);
    motion_->moveTo(shifts, lease.memory());
  }
  state = clustering_->goBack(state, usedBefore, plan_, lease.memory());
  time_ = time;
  shifts_ = std::move(shifts);
  halfway ? past_.takeBackIteration() : past_.takeBackUpdate();
  moved_ = false;
  show(state);
  lease.flip(true);
  return state;
}

IterationResult Computer::takeState(const RunState& state, const PointMemory* lent) {
  const Problem problem = this->problem();
  if (state.result.centroids.size() != problem.centroidValues() ||
      state.result.usedCentroids.size() != problem.centroidValues())
    throw RequestError("a state of other sizes cannot be gone on from");
  Lease lease(*this, lent);
  std::vector<float> shifts;
  if (motion_) {
    shifts = shiftsAt(state.moment);
    motion_->moveTo(shifts, lease.memory());
  }
  IterationResult taken = clustering_->goBack(state.result, state.usedBefore, plan_, lease.memory());
  taken.times = {};
  initial_ = state.result.usedCentroids;
  time_ = state.moment;
  shifts_ = std::move(shifts);
  past_.clear();
  moved_ = seedDue_ = false;
  show(taken);
  lease.flip(true);
  return taken;
}

IterationResult Computer::preview(const PointMemory* lent) {
  Lease lease(*this, lent);
  StageTimes seedTimes;
  if (seedDue_) seed(lease.memory(), seedTimes);
  moveToPresent(lease.memory());
  const bool start = clustering_->iterations() == 0 && !clustering_->halfway();
  if (start || moved_) {
    show(clustering_->finish(plan_, lease.memory()));
    lease.flip(false);
  } else {
    clustering_->relabel(plan_, lease.memory());
    lease.flip(true);
  }
  return shown_;
}

IterationResult Computer::finish(const PointMemory* lent, std::vector<Label>* labels) {
  Lease lease(*this, lent);
  StageTimes seedTimes;
  if (seedDue_) seed(lease.memory(), seedTimes);
  moveToPresent(lease.memory());
  IterationResult result = clustering_->finish(plan_, lease.memory());
  if (labels) {
    labels->resize(data_->n);
    downloadLabels(*device_, *lease.memory().labels, *labels);
  }
  return result;
}

void Computer::moveCentroid(int cluster, const std::vector<float>& position) {
  if (!seeded() || cluster >= clustering_->problem().k) return;
  const bool halfway = clustering_->halfway();
  clustering_->moveCentroid(cluster, position);
  moved_ = true;
  if (!halfway) return;
  frontIsLast_ = false;
  if (past_.empty()) return;
  time_ = past_.back().timeBefore;
  if (motion_) shifts_ = shiftsAt(time_);
  past_.takeBackIteration();
}

} // namespace lloyd
