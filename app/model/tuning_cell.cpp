// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/tuning_cell.hpp"

#include "app/model/device_sampler.hpp"
#include "app/model/race.hpp"
#include "app/model/report_words.hpp"
#include "app/model/tuning_choice.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/engine/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

namespace lloyd {
namespace {

constexpr std::array iterationStages{Stage::classify, Stage::reduce, Stage::fused, Stage::update};
constexpr std::size_t quickLooks = 3;
/// A first look this much slower than the best is not looked at again.
constexpr double hopeless = 4;
/// What a quick look keeps: its few samples are this far off at most, and what a launch costs the host
/// besides.
constexpr double nearEnough = 1.5;
constexpr double launchUs = 10;
/// A candidate is behind for good when it takes this much longer than the best, and not because launching and
/// preparing do.
constexpr double farBehind = 8;
constexpr double farBehindUs = 1000;
constexpr std::size_t mostRacers = 12; ///< of one stage
/// A problem of so few values is checked for every racer, because a check takes no longer than a sample.
constexpr std::size_t checkedWhole = std::size_t{1} << 20;

/// Neighbours in the list of values, for knobs whose steps change the launch and not the result.
std::vector<int> steps(const Parameter& parameter) {
  std::vector<int> values;
  const auto own = std::find(parameter.values.begin(), parameter.values.end(), parameter.fallback);
  if (own == parameter.values.end() || parameter.name == "arithmetic") return values;
  if (own != parameter.values.begin()) values.push_back(*(own - 1));
  if (own + 1 != parameter.values.end()) values.push_back(*(own + 1));
  return values;
}

MeasuredVariant measured(const Measurement* row) {
  MeasuredVariant variant;
  if (!row) return variant;
  variant.id = row->candidate.variant->id();
  variant.us = row->times.median;
  for (const Parameter& parameter : row->candidate.variant->info.parameters)
    if (const int value = row->candidate.tuning.value(parameter.name); value != parameter.fallback)
      variant.tuning.set(parameter.name, value);
  return variant;
}

/// One problem, from all candidates to a choice.
class Cell {
public:
  Cell(StageBench& bench, const ChoiceTable& table, const std::function<void()>& tick)
      : bench_(bench), tick_(tick), from_(bench.device().createEvent()), to_(bench.device().createEvent()) {
    for (const Stage stage : iterationStages)
      if (auto standing = presentDefault(stage, bench.problem(), bench.device().info(), table))
        standing_.emplace(stage, *standing);
    fuses_ = makePlan({}, bench.problem(), bench.device().info(), table).fused != nullptr;
  }

  void choose(const std::vector<Candidate>& candidates, double budgetSeconds) {
    for (const Stage stage : iterationStages)
      keepNear(stage, candidates);
    if (bench_.problem().pointValues() <= checkedWhole)
      std::erase_if(racers_, [&](const Candidate& candidate) { return isWrong(candidate); });
    race(budgetSeconds);
  }

  [[nodiscard]] std::optional<TunedProblem> result() {
    const Measurement* fused = bestRight(Stage::fused);
    const Measurement* classify = bestRight(Stage::classify);
    const Measurement* reduce = bestRight(Stage::reduce);
    const Measurement* update = bestRight(Stage::update);
    if (!update || !(fused || (classify && reduce))) return std::nullopt;
    TunedProblem tuned;
    tuned.choice = {.device = measuredDevice(bench_.device().info()),
                    .problem = bench_.problem(),
                    .fuses = shouldFuse(fused, classify, reduce, fuses_),
                    .fused = measured(fused),
                    .classify = measured(classify),
                    .reduce = measured(reduce),
                    .update = measured(update),
                    .date = {}};
    tuned.wrong = std::move(wrong_);
    tuned.behind = std::move(behind_);
    return tuned;
  }

private:
  void tick() const {
    if (tick_) tick_();
  }

  [[nodiscard]] double onceUs(const Candidate& candidate) {
    bench_.clear();
    bench_.device().record(*from_);
    bench_.launch(candidate);
    bench_.device().record(*to_);
    return bench_.device().elapsedUs(*from_, *to_);
  }

  /// The least of a few looks; of what is hopeless the first, which may take long enough.
  [[nodiscard]] double quickUs(const Candidate& candidate, double best) {
    double least = onceUs(candidate);
    for (std::size_t i = 1; i < quickLooks && least <= hopeless * best + launchUs; ++i)
      least = std::min(least, onceUs(candidate));
    return least;
  }

  /// Adds those of a stage that are near the fastest to the racers; what stands at present is always among
  /// them, and goes first, so that what is hopeless is known to be.
  void keepNear(Stage stage, const std::vector<Candidate>& candidates) {
    std::vector<Candidate> able;
    const auto standing = standing_.find(stage);
    if (standing != standing_.end()) able.push_back(standing->second);
    for (const Candidate& candidate : candidates)
      if (candidate.stage == stage && !bench_.whyNot(candidate) &&
          std::none_of(able.begin(), able.end(),
                       [&](const auto& one) { return sameCandidate(one, candidate); }))
        able.push_back(candidate);
    std::vector<std::pair<double, Candidate>> timed;
    double best = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : able) {
      tick();
      timed.emplace_back(quickUs(candidate, best), candidate);
      best = std::min(best, timed.back().first);
    }
    for (const auto& [us, candidate] : timed)
      if (us > farBehind * best && us > farBehindUs) behind_.push_back(candidate);
    const auto first = timed.begin() + (standing != standing_.end() ? 1 : 0);
    std::stable_sort(first, timed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (timed.size() > mostRacers) timed.resize(mostRacers);
    for (auto one = timed.begin(); one != timed.end(); ++one)
      if (one < first || one->first <= nearEnough * best + launchUs) racers_.push_back(one->second);
  }

  void race(double budgetSeconds) {
    RaceOptions options;
    options.rounds = 15;
    options.looks = 1;
    options.budgetSeconds = budgetSeconds;
    options.warmUpSeconds = 0.05;
    DeviceSampler sampler(bench_.device(), options.sampleUs, options.cache);
    // One group: the forms of an iteration are compared across stages, in the same rounds.
    const std::vector<int> groups(racers_.size(), 0);
    for (const Candidate& racer : racers_) {
      tick();
      sampler.add({[this] { bench_.clear(); }, [this, racer] { bench_.launch(racer); }});
    }
    const RaceSamples samples = lloyd::race(sampler, groups, options, [&](const RaceProgress&) { tick(); });
    if (!samples.finished) throw Cancelled();
    for (std::size_t i = 0; i < racers_.size(); ++i) {
      Measurement& row = rows_.emplace_back();
      row.candidate = racers_[i];
      row.problem = bench_.problem();
      row.us = samples.series[i];
      row.times = summarise(sortedFinite(row.us));
    }
  }

  [[nodiscard]] bool isWrong(const Candidate& candidate) {
    tick();
    const auto difference = bench_.check(candidate);
    if (!difference) return false;
    wrong_.push_back(wholeCandidateText(candidate).toStdString() + ": " + *difference);
    excluded_.push_back(candidate);
    return true;
  }

  /// The best of a stage that is right on this problem.
  [[nodiscard]] const Measurement* bestRight(Stage stage) {
    std::optional<Candidate> standing;
    if (const auto found = standing_.find(stage); found != standing_.end()) standing = found->second;
    const Measurement* best = bestOf(rows_, stage, standing, excluded_);
    while (best && isWrong(best->candidate))
      best = bestOf(rows_, stage, standing, excluded_);
    return best;
  }

  StageBench& bench_;
  const std::function<void()>& tick_;
  std::unique_ptr<Event> from_;
  std::unique_ptr<Event> to_;
  std::map<Stage, Candidate> standing_; ///< what the program would take at present
  bool fuses_ = false;                  ///< and in which form
  std::vector<Candidate> racers_;
  std::vector<Measurement> rows_;
  std::vector<Candidate> excluded_;
  std::vector<std::string> wrong_;
  std::vector<Candidate> behind_;
};

} // namespace

std::vector<Candidate> tuningCandidates(const DeviceInfo& device,
                                        const std::function<bool(const Variant&)>& wanted) {
  std::vector<Candidate> candidates;
  for (const Stage stage : iterationStages)
    for (const Variant* variant : Registry::instance().of(stage, device.backend)) {
      const bool wantsOthers = variant->info.layout == Layout::aos || variant->info.tileSize;
      if (wantsOthers || (wanted && !wanted(*variant))) continue;
      const bool labels = stage == Stage::classify || stage == Stage::fused;
      if (labels && variant->info.changed == Changed::none) continue;
      const Tuning own = variant->complete({});
      candidates.push_back({variant, stage, own});
      if (stage == Stage::update) continue; // it has no knobs in a plan
      for (const Parameter& parameter : variant->info.parameters)
        for (const int value : steps(parameter)) {
          candidates.push_back({variant, stage, own});
          candidates.back().tuning.set(parameter.name, value);
        }
    }
  return candidates;
}

std::optional<Candidate> presentDefault(Stage stage, const Problem& problem, const DeviceInfo& device,
                                        const ChoiceTable& table) {
  for (const ChoiceTable::Ranked& ranked : table.ranked(problem, device)) {
    const MeasuredVariant& choice = ranked.choice->of(stage);
    const Variant* variant = Registry::instance().find(choice.id);
    if (variant && !variant->whyNot(stage, problem, device, choice.tuning))
      return Candidate{variant, stage, variant->complete(choice.tuning)};
  }
  if (const Variant* variant = preferred(stage, problem, device))
    return Candidate{variant, stage, variant->complete({})};
  return std::nullopt;
}

std::optional<TunedProblem> tuneProblem(StageBench& bench, const std::vector<Candidate>& candidates,
                                        const ChoiceTable& table, double budgetSeconds,
                                        const std::function<void()>& tick) {
  Cell cell(bench, table, tick);
  cell.choose(candidates, budgetSeconds);
  return cell.result();
}

} // namespace lloyd
