// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/measure_candidates.hpp"

#include "app/model/measure/kernel_timer.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace lloyd {
namespace {

/// Rows with what is known before the race: what can run, whether it is right, and what it asks of the card.
class Field {
public:
  Field(StageHarness& bench, std::span<const Candidate> candidates, KernelTimer& sampler) {
    for (const Candidate& candidate : candidates) {
      Measurement& row = rows_.emplace_back();
      row.candidate = candidate;
      row.problem = bench.problem();
      if (const auto reason = bench.whyNot(candidate)) {
        row.skipped = *reason;
        row.bytes = leastBytes(candidate, bench.problem());
        continue;
      }
      row.bytes = bench.bytes(candidate);
      row.note = bench.noteOn(candidate);
      const auto difference = bench.check(candidate);
      row.verified = !difference;
      row.difference = difference.value_or("");
      row.resources = bench.resources(candidate);
      sampler.add({.prepare = [&bench, candidate] { bench.prepare(candidate); },
                   .launch = [&bench, candidate] { bench.launch(candidate); },
                   .parts = static_cast<double>(bench.iterationsOf(candidate))});
      row.launches = sampler.launches(owners_.size());
      owners_.push_back(rows_.size() - 1);
      groups_.push_back(static_cast<int>(candidate.stage));
    }
    // Copies are timed beside the samples, in as many places: one from before would be of another clock.
    sampler.setPlacing([this, &bench, &sampler] {
      copyRates_.push_back(sampler.copyRate(2 * bench.problem().pointValues() * sizeof(float), 1));
      return bench.placeAnew();
    });
    for (const std::size_t owner : owners_)
      if (const std::size_t bytes = rows_[owner].bytes; !rates_.contains(bytes))
        rates_[bytes] = sampler.copyRate(bytes);
    peakOperations_ = bench.device().info().peakFlops * 1e-6;
  }

  [[nodiscard]] std::span<const int> groups() const { return groups_; }
  /// Bytes a microsecond that a copy of the points moved during the race; 0 before it.
  [[nodiscard]] double copyRate() const { return copyRates_.empty() ? 0 : summarise(copyRates_).median; }

  /// The rows with the race's samples, limits and ranks.
  [[nodiscard]] std::vector<Measurement> with(const RaceSamples& samples) const {
    std::vector<Measurement> rows = rows_;
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      Measurement& row = rows[owners_[i]];
      row.us = samples.series[i];
      std::vector<double> kept;
      std::copy_if(row.us.begin(), row.us.end(), std::back_inserter(kept),
                   [](double us) { return std::isfinite(us); });
      row.times = summarise(kept);
    }
    setLimits(rows);
    rankRows(rows, samples.conditions);
    return rows;
  }

private:
  /// The bytes that must move at the copy rate of that footprint, or the arithmetic at its peak. A candidate
  /// that beats the copy shows that the memory can do more than a copy asks of it, and sets the rate. Only
  /// candidates that have the same to move say that of one another.
  void setLimits(std::vector<Measurement>& rows) const {
    std::map<std::size_t, double> rates = rates_;
    std::map<std::pair<Stage, std::size_t>, double> fastest;
    for (const Measurement& row : rows) {
      if (!row.ran() || !(row.times.median > 0)) continue;
      double& rate = rates[row.bytes];
      rate = std::max(rate, static_cast<double>(row.bytes) / row.times.median);
      const auto [best, isNew] = fastest.emplace(std::pair(row.candidate.stage, row.bytes), row.times.median);
      if (!isNew) best->second = std::min(best->second, row.times.median);
    }
    for (Measurement& row : rows) {
      if (!row.ran() || !(row.times.median > 0)) continue;
      row.limitUs = static_cast<double>(row.bytes) / rates[row.bytes];
      if (peakOperations_ > 0)
        row.limitUs = std::max(row.limitUs, leastOperations(row.candidate, row.problem) / peakOperations_);
      row.limitUs = std::min(row.limitUs, fastest[{row.candidate.stage, row.bytes}]);
    }
  }

  std::vector<Measurement> rows_;
  std::vector<std::size_t> owners_; ///< the row of each contestant
  std::vector<int> groups_;         ///< the stage of each contestant
  std::map<std::size_t, double> rates_;
  std::vector<double> copyRates_; ///< one a placement of memory
  double peakOperations_ = 0;     ///< a microsecond; 0 when unknown
};

} // namespace

RaceResult measure(StageHarness& bench, std::span<const Candidate> candidates, const RaceOptions& options,
                   const std::function<void(const RaceProgress&)>& progress,
                   const std::function<void(RaceResultPtr)>& look) {
  KernelTimer sampler(bench.device(), options.sampleUs, options.cache);
  Field field(bench, candidates, sampler);
  const MachineWatch watch;
  CardWatch card(bench.device().info().busId);
  const auto resultOf = [&](const RaceSamples& samples) {
    RaceResult result{.rows = field.with(samples),
                      .conditions = samples.conditions,
                      .device = bench.device().info(),
                      .source = {},
                      .when = std::chrono::system_clock::now(),
                      .finished = samples.finished};
    result.conditions.load = watch.load();
    card.look();
    result.conditions.card = card.load();
    result.conditions.copyRate = field.copyRate();
    return result;
  };
  return resultOf(race(sampler, field.groups(), options, progress, [&](const RaceSamples& samples) {
    if (look) look(std::make_shared<const RaceResult>(resultOf(samples)));
  }));
}

} // namespace lloyd
