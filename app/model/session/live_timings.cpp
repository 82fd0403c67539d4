// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/live_timings.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {

void LiveTimings::addStages(const StageTimes& times, const Plan& plan, bool shared) {
  explainedUs_ = 0;
  for (std::size_t i = 0; i < stageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    const auto us = times[stage];
    if (!us) continue;
    explainedUs_ += *us;
    if (stage == Stage::seed) {
      timings_.addOnce(stage, *us);
      continue;
    }
    collected_.add(stage, *us);
    if (stage == Stage::order) { // once, unless points move: then it is a part of every iteration's sum too
      timings_.addOnce(stage, *us);
      continue;
    }
    const Variant* variant = plan.of(stage);
    timings_.add(stage, variant ? variant->id() : "", *us, true, shared);
  }
}

void LiveTimings::addSums(double computeUs, double unaccountedUs, double mapUs, double unmapUs, bool shared) {
  if (shared) {
    timings_.add(Stage::map, "", mapUs, true, true);
    timings_.add(Stage::unmap, "", unmapUs, true, true);
    timings_.addIterationSum(mapUs + computeUs + unmapUs);
    collected_.add(Stage::map, mapUs);
    collected_.add(Stage::unmap, unmapUs);
  } else {
    timings_.add(Stage::unaccounted, "iteration", unaccountedUs, true, false);
    timings_.addIterationSum(computeUs);
    collected_.add(Stage::unaccounted, unaccountedUs);
    record_.add(collected_, false);
  }
}

void LiveTimings::iterationDone(const StageTimes& times, const Plan& plan, double computeUs, bool shared) {
  firstHalf_.reset();
  collected_ = {};
  timings_.beginIteration();
  addStages(times, plan, shared);
  addSums(computeUs, std::max(0.0, computeUs - explainedUs_), mapUs_, unmapUs_, shared);
}

void LiveTimings::halfDone(Half half, const StageTimes& times, const Plan& plan, double computeUs,
                           bool shared) {
  if (half == Half::classify) {
    timings_.beginIteration();
    collected_ = {};
  }
  addStages(times, plan, shared);
  const double unaccountedUs = std::max(0.0, computeUs - explainedUs_);
  if (half == Half::classify) {
    firstHalf_ = {
        .computeUs = computeUs, .unaccountedUs = unaccountedUs, .mapUs = mapUs_, .unmapUs = unmapUs_};
  } else if (const auto first = std::exchange(firstHalf_, std::nullopt)) {
    addSums(first->computeUs + computeUs, first->unaccountedUs + unaccountedUs, first->mapUs + mapUs_,
            first->unmapUs + unmapUs_, shared);
  }
}

void LiveTimings::rechecked(const Plan& plan, std::uint64_t points, std::uint64_t of) {
  const Variant* variant = plan.fused ? plan.fused : plan.classify;
  if (!variant || of == 0) return;
  timings_.setRechecked(plan.fused ? Stage::fused : Stage::classify, variant->id(),
                        static_cast<double>(points) / static_cast<double>(of));
}

void LiveTimings::frameShown(double paintUs, double uploadUs, bool counted, bool shared) {
  const auto now = Clock::now();
  if (counted && shownAt_ != Clock::time_point{}) {
    const double period = microseconds(now - shownAt_);
    timings_.beginFrame();
    timings_.add(Stage::draw, "", paintUs, false, true);
    if (uploadUs > 0) timings_.add(Stage::upload, "frame", uploadUs, false, true);
    double waited = period - paintUs - uploadUs;
    if (shared) {
      // Idle until the iteration began, and from the buffers' return to the screen but for the paint itself.
      waited =
          microseconds(startedAt_ - shownAt_) - mapUs_ + microseconds(now - returnedAt_) - unmapUs_ - paintUs;
      const double rest = microseconds(returnedAt_ - startedAt_) - explainedUs_;
      timings_.add(Stage::unaccounted, "", std::max(0.0, rest), false, true);
      collected_.add(Stage::draw, paintUs);
      if (uploadUs > 0) collected_.add(Stage::upload, uploadUs);
      collected_.add(Stage::unaccounted, std::max(0.0, rest));
      collected_.add(Stage::wait, std::max(0.0, waited));
      record_.add(collected_, true);
    }
    timings_.add(Stage::wait, "", std::max(0.0, waited), false, true);
    timings_.addFrameSum(period);
  }
  shownAt_ = counted ? now : Clock::time_point{};
}

} // namespace lloyd
