// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/run_history.hpp"
#include "app/model/sweep/sweep_plan.hpp"
#include "tests/support/scripted_race.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <string>

namespace lloyd::test {

/// Frames of a steady run with one hitch.
inline FrameLog scriptedFrames(bool wholeFrames, std::size_t count = 300) {
  FrameLog record;
  for (std::size_t i = 0; i < count; ++i) {
    const double breath =
        1 + 0.12 * std::sin(static_cast<double>(i) / 11) + 0.05 * static_cast<double>(i % 5);
    StageTimes us;
    us.set(Stage::classify, 8.1 * breath);
    us.set(Stage::reduce, 12.9 * breath);
    us.set(Stage::update, 2.2);
    if (i % 10 == 0) us.set(Stage::inertia, 6.5);
    if (wholeFrames) {
      us.set(Stage::map, 4.1);
      us.set(Stage::unmap, 3.3 * breath);
      us.set(Stage::draw, 41);
      us.set(Stage::wait, 16'600);
    }
    us.set(Stage::unaccounted, i == 120 ? 900 : 3.8 * breath);
    record.add(us, wholeFrames);
  }
  return record;
}

/// A race of all variants on 2^20 points that was never run: the ladder's times, on a card that copies
/// 4,300 GB/s.
inline RaceResultPtr scriptedRace(const Problem& problem = {.n = 1 << 20, .d = 3, .k = 16}) {
  const std::array<std::pair<const char*, double>, 16> ladder{{{"classify.v1", 16.2},
                                                               {"classify.v2", 16.1},
                                                               {"classify.v3", 9.87},
                                                               {"classify.v4", 8.16},
                                                               {"classify.v5", 7.81},
                                                               {"classify.v6", 7.41},
                                                               {"classify.v7", 7.40},
                                                               {"reduce.v1", 18.8},
                                                               {"reduce.v2", 125},
                                                               {"reduce.v3", 51.9},
                                                               {"reduce.v4", 69.3},
                                                               {"reduce.v5", 28.5},
                                                               {"reduce.v6", 26.6},
                                                               {"reduce.v7", 12.7},
                                                               {"update.v1", 2.1},
                                                               {"layout.v1", 9.1}}};
  auto race = std::make_shared<RaceResult>();
  race->device.name = "NVIDIA H200";
  race->device.backend = Backend::cuda;
  race->device.peakFlops = 6e13;
  race->finished = true;
  for (const auto& [id, us] : ladder) {
    const std::string family = std::string(id).substr(0, std::string(id).find('.'));
    const Stage stage = family == "classify" ? Stage::classify
                        : family == "reduce" ? Stage::reduce
                        : family == "update" ? Stage::update
                                             : Stage::layout;
    race->rows.push_back(
        rowOf(candidateOf(id, stage), problem, wave(us, 0.04, 120, race->rows.size()), 4.3e6));
  }
  return race;
}

/// A run of count iterations that converges.
inline std::deque<IterationStats> scriptedRun(int count, double start) {
  std::deque<IterationStats> run;
  for (int i = 1; i <= count; ++i) {
    const double left = std::exp(-0.22 * i);
    IterationResult result;
    result.iteration = i;
    result.inertia = start * (1 + 1.8 * left);
    result.changed = i == count ? 0 : static_cast<std::uint64_t>(1e6 * left);
    result.shift = i == count ? 0 : 21 * left;
    run.emplace_back(result);
  }
  return run;
}

/// A sweep of made-up times; with a second axis a plane. Blocks above 512 cannot run with the first variant.
inline std::shared_ptr<SweepResult> scriptedSweep(std::vector<SweepAxis> axes,
                                                  std::size_t measured = static_cast<std::size_t>(-1)) {
  auto result = std::make_shared<SweepResult>();
  result->plan.axes = std::move(axes);
  result->plan.base = {.n = 1 << 20, .d = 3, .k = 16};
  for (const char* id :
       {"classify.v1", "classify.v3", "classify.v4", "classify.v5", "classify.v6", "classify.v7"})
    result->plan.candidates.push_back(candidateOf(id, Stage::classify));
  result->cells.resize(result->plan.cells());
  result->source = "uniform:n=2^20,d=3";
  result->device.name = "NVIDIA H200";
  for (std::size_t row = 0; row < result->plan.rows(); ++row)
    for (std::size_t column = 0; column < result->plan.columns(); ++column)
      for (std::size_t c = 0; c < result->plan.candidates.size(); ++c) {
        const std::size_t place = result->plan.index(column, row, c);
        if (place >= measured) continue;
        const Problem problem = result->plan.problemAt(column, row);
        const Candidate candidate = result->plan.candidateAt(column, row, c);
        const double base = 2.1 + static_cast<double>(problem.n) * problem.d * problem.k / 1e7 /
                                      (1 + 0.35 * static_cast<double>(c));
        const double shape =
            1 + 0.2 * std::abs(std::log2(candidate.tuning.block / 256.0)) * (c % 2 == 0 ? 1 : 0.4);
        auto one =
            std::make_shared<Measurement>(rowOf(candidate, problem, wave(base * shape, 0.02, 12, c), 4.3e6));
        if (c == 0 && candidate.tuning.block > 512) {
          *one = Measurement();
          one->candidate = candidate;
          one->problem = problem;
          one->skipped = "classify.v1: block 1024 is not one of 32, 64, ..., 512";
        }
        result->cells[place] = one;
      }
  result->finished =
      std::all_of(result->cells.begin(), result->cells.end(), [](const auto& one) { return one != nullptr; });
  return result;
}

} // namespace lloyd::test
