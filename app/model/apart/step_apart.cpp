// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/apart/step_apart.hpp"

#include "app/model/apart/shapley.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

namespace lloyd {
namespace {

constexpr std::size_t draws = 2000;
constexpr std::size_t leastPlaces = 6; ///< fewer tell nothing of how they scatter
constexpr double tail = 0.025;         ///< beyond either end of an interval

/// The stages of the version that come to the step's: its own, or classify and reduce.
std::vector<Stage> stagesFor(const Variant& version, Stage stage) {
  if (version.has(stage)) return {stage};
  return {Stage::classify, Stage::reduce};
}

std::vector<Candidate> versionCandidates(std::string_view id, Stage stage) {
  std::vector<Candidate> candidates;
  if (const Variant* version = Registry::instance().find(id))
    for (const Stage one : stagesFor(*version, stage))
      candidates.push_back({version, one, version->complete({})});
  return candidates;
}

/// Medians by place; NaN in a place where every sample was thrown away.
std::vector<double> mediansByPlace(const Measurement& row, const std::vector<std::uint32_t>& places) {
  std::vector<double> medians;
  for (std::size_t from = 0, to = 0; from < row.us.size(); from = to) {
    while (to < row.us.size() && (to == from || (to < places.size() && places[to] == places[from])))
      ++to;
    const auto kept = sortedFinite(std::span(row.us).subspan(from, to - from));
    medians.push_back(kept.empty() ? std::numeric_limits<double>::quiet_NaN() : quantile(kept, 0.5));
  }
  return medians;
}

/// What is known of the race, or of one drawing from it.
struct Times {
  std::vector<double> combinations;
  double before = 0;
  double after = 0;

  [[nodiscard]] std::vector<double> gains() const {
    std::vector<double> gains;
    for (const double us : combinations)
      gains.push_back(combinations.front() - us);
    return gains;
  }
};

/// The samples of a race of a step, by place.
class Samples {
public:
  /// Of a race that has all of the step's candidates.
  Samples(const VersionStep& step, const RaceResult& race) : places_(race.conditions.places) {
    for (const Variant* combination : step.combinations)
      combinations_.push_back(take(race, {combination, step.info.stage, combination->complete({})}));
    for (const Candidate& candidate : versionCandidates(step.info.from, step.info.stage))
      before_.push_back(take(race, candidate));
    for (const Candidate& candidate : versionCandidates(step.info.to, step.info.stage))
      after_.push_back(take(race, candidate));
    for (const auto* all : {&combinations_, &before_, &after_})
      for (const std::vector<double>& medians : *all)
        count_ = std::max(count_, medians.size());
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] Times all() const {
    std::vector<std::size_t> every(count_);
    std::iota(every.begin(), every.end(), std::size_t{0});
    return of(every);
  }
  /// As many places, drawn with replacement.
  [[nodiscard]] Times drawn(std::uint64_t seed, std::uint64_t draw) const {
    std::vector<std::size_t> chosen(count_);
    for (std::size_t i = 0; i < count_; ++i)
      chosen[i] = static_cast<std::size_t>(randomBits(seed, draw, i) % count_);
    return of(chosen);
  }

private:
  [[nodiscard]] std::vector<double> take(const RaceResult& race, const Candidate& candidate) const {
    return mediansByPlace(*rowOf(race, candidate), places_);
  }
  [[nodiscard]] static double median(const std::vector<double>& medians,
                                     const std::vector<std::size_t>& chosen) {
    std::vector<double> values;
    for (const std::size_t place : chosen)
      if (place < medians.size()) values.push_back(medians[place]);
    const std::vector<double> kept = sortedFinite(values);
    return kept.empty() ? std::numeric_limits<double>::quiet_NaN() : quantile(kept, 0.5);
  }
  [[nodiscard]] Times of(const std::vector<std::size_t>& chosen) const {
    Times times;
    for (const std::vector<double>& medians : combinations_)
      times.combinations.push_back(median(medians, chosen));
    for (const std::vector<double>& medians : before_)
      times.before += median(medians, chosen);
    for (const std::vector<double>& medians : after_)
      times.after += median(medians, chosen);
    return times;
  }

  const std::vector<std::uint32_t>& places_;
  std::size_t count_ = 0;
  std::vector<std::vector<double>> combinations_; ///< [combination][place]
  std::vector<std::vector<double>> before_;       ///< [stage][place]
  std::vector<std::vector<double>> after_;
};

/// Why the race does not tell; nothing where it does.
std::optional<std::string> whyNot(const VersionStep& step, const RaceResult& race) {
  for (const std::string_view id : {step.info.from, step.info.to})
    if (!Registry::instance().find(id)) return std::string(id) + " is not in this build";
  for (const Candidate& candidate : candidatesOf(step)) {
    const Measurement* row = rowOf(race, candidate);
    const std::string id = candidate.variant->id();
    if (!row) return id + " was not raced";
    if (!row->skipped.empty()) return row->skipped;
    if (!row->verified) return id + " is wrong: " + row->difference;
    if (sortedFinite(row->us).empty()) return id + " has no samples";
  }
  return std::nullopt;
}

/// Every number that a result has, in one order, from the times.
std::vector<double> numbersOf(const Times& times) {
  const std::vector<double> gains = times.gains();
  std::vector<double> numbers = times.combinations;
  const auto shares = shapleyShares(gains);
  const std::size_t switches = static_cast<std::size_t>(std::countr_zero(gains.size()));
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t one = 0; one < switches; ++one)
    numbers.push_back(shares ? (*shares)[one] : unknown);
  numbers.push_back(gains.back());
  for (std::size_t one = 0; one < switches; ++one)
    for (std::size_t other = 0; other < switches; ++other) {
      if (other == one) continue;
      const auto pair = pairGain(gains, one, other);
      for (const double value :
           {pair ? pair->without : unknown, pair ? pair->with : unknown, pair ? pair->together() : unknown})
        numbers.push_back(value);
    }
  for (const double value : {times.before, times.after, times.before - times.after})
    numbers.push_back(value);
  return numbers;
}

std::vector<Microseconds> withIntervals(const Samples& samples, std::uint64_t seed) {
  std::vector<Microseconds> numbers;
  for (const double us : numbersOf(samples.all()))
    numbers.push_back({.us = us});
  if (samples.count() < leastPlaces) return numbers;
  std::vector<std::vector<double>> drawn(numbers.size());
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const std::vector<double> values = numbersOf(samples.drawn(seed, draw));
    for (std::size_t i = 0; i < values.size(); ++i)
      drawn[i].push_back(values[i]);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::vector<double> sorted = sortedFinite(drawn[i]);
    if (sorted.empty()) continue;
    numbers[i].low = quantile(sorted, tail);
    numbers[i].high = quantile(sorted, 1 - tail);
  }
  return numbers;
}

} // namespace

double StepApart::sumOfShares() const {
  return std::accumulate(shares.begin(), shares.end(), 0.0,
                         [](double sum, const Microseconds& share) { return sum + share.us; });
}

std::vector<std::size_t> StepApart::byGain() const {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t one) { return shares[one].us; });
  return order;
}

std::vector<Candidate> candidatesOf(const VersionStep& step) {
  std::vector<Candidate> candidates;
  for (const Variant* combination : step.combinations)
    candidates.push_back({combination, step.info.stage, combination->complete({})});
  for (const std::string_view id : {step.info.from, step.info.to})
    for (const Candidate& candidate : versionCandidates(id, step.info.stage))
      candidates.push_back(candidate);
  return candidates;
}

tl::expected<StepApart, std::string> takeApart(const VersionStep& step, const RaceResult& race) {
  if (auto why = whyNot(step, race)) return tl::unexpected(std::move(*why));
  const Samples samples(step, race);
  const std::vector<Microseconds> numbers = withIntervals(samples, race.conditions.seed);
  const std::size_t switches = step.info.switches.size();
  StepApart apart;
  apart.from = step.info.from;
  apart.to = step.info.to;
  apart.device = race.device.name;
  apart.source = race.source;
  apart.problem = race.rows.front().problem;
  apart.rounds = race.conditions.rounds;
  for (const Switch& one : step.info.switches)
    apart.switches.emplace_back(one.name);
  auto next = numbers.begin();
  const auto take = [&](std::size_t count) {
    const auto from = next;
    next += static_cast<std::ptrdiff_t>(count);
    return std::vector<Microseconds>(from, next);
  };
  apart.combinations = take(step.combinations.size());
  apart.shares = take(switches);
  apart.whole = *next++;
  for (std::size_t one = 0; one < switches; ++one)
    for (std::size_t other = 0; other < switches; ++other) {
      if (other == one) continue;
      const std::vector<Microseconds> three = take(3);
      apart.pairs.push_back({one, other, three[0], three[1], three[2]});
    }
  apart.before = *next++;
  apart.after = *next++;
  apart.versions = *next++;
  return apart;
}

} // namespace lloyd
