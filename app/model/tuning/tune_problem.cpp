// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/tuning/tune_problem.hpp"

#include "app/model/measure/measure_candidates.hpp"
#include "app/model/measure/race_protocol.hpp"
#include "app/model/measure/report_strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/stats/comparison.hpp"
#include "gpu/engine/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>

namespace lloyd {
namespace {

constexpr std::array iterationStages{Stage::classify, Stage::reduce, Stage::fused, Stage::update};

/// Neighbours in the list of values, for tuning parameters whose steps change the launch and not the result.
std::vector<int> steps(const Parameter& parameter) {
  std::vector<int> values;
  const auto own = std::find(parameter.values.begin(), parameter.values.end(), parameter.fallback);
  if (own == parameter.values.end() || parameter.name == "arithmetic") return values;
  if (own != parameter.values.begin()) values.push_back(*(own - 1));
  if (own + 1 != parameter.values.end()) values.push_back(*(own + 1));
  return values;
}

// The rules by which a measured candidate takes the place of another.
constexpr double displaceBy = 0.03; ///< a gain below 3 % is none, so that tables are the same from run to run
constexpr double displaceError = 0.01; ///< the chance of a gain that is not there

/// Whether series us is faster than other beyond the rules. Where there are too few rounds for an interval,
/// which is so where one takes seconds, all of them have to say so.
bool isFaster(const std::vector<double>& us, const std::vector<double>& other) {
  CompareRules compare;
  compare.sameWithin = displaceBy;
  compare.error = displaceError;
  const Comparison comparison = comparePaired(us, other, compare);
  if (std::isfinite(comparison.high))
    return comparison.verdict == Verdict::faster && comparison.ratio <= 1 - displaceBy;
  for (std::size_t i = 0; i < us.size(); ++i)
    if (std::isfinite(us[i]) && std::isfinite(other[i]) && !(us[i] < other[i] * (1 - displaceBy)))
      return false;
  return comparison.pairs > 0;
}

/// They took turns in the same rounds, and so what disturbed one disturbed the other.
std::vector<double> together(const Measurement& classify, const Measurement& reduce) {
  std::vector<double> us(std::min(classify.us.size(), reduce.us.size()));
  for (std::size_t i = 0; i < us.size(); ++i)
    us[i] = classify.us[i] + reduce.us[i];
  return us;
}

/// Whether one form of an iteration should be taken in place of another, of which one stands.
bool shouldTake(const std::vector<double>& one, const std::vector<double>& other, bool standing) {
  if (one.size() != other.size()) return standing;
  return standing ? !isFaster(other, one) : isFaster(one, other);
}

constexpr std::size_t quickLooks = 3;
/// A look this much slower than the best is the last one. The first does not count where it may be the launch
/// that loads the kernel or makes the memory that it works in.
constexpr double hopeless = 4;
constexpr double loadingUs = 10000;
/// What a quick look keeps: its few samples are this far off at most, and what a launch costs the host
/// besides.
constexpr double nearEnough = 1.5;
constexpr double launchUs = 10;
/// A candidate is behind for good when it takes this much longer than the best, and not because launching and
/// preparing do.
constexpr double farBehind = 8;
constexpr double farBehindUs = 1000;
constexpr std::size_t mostRacers = 12; ///< of one part
constexpr double noTime = std::numeric_limits<double>::infinity();
/// A problem of so few values is checked for every racer, because a check takes no longer than a sample.
constexpr std::size_t checkedWhole = std::size_t{1} << 20;

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

/// What the program would take for a part at present, whichever form the iteration has; nothing when no
/// variant can run, or none of tiles was ever the faster.
std::optional<Candidate> presentDefault(TunedStage part, const Problem& problem, const DeviceInfo& device,
                                        const TuningTable& table) {
  const Stage stage = stageOf(part);
  for (const TuningTable::Ranked& ranked : table.ranked(problem, device)) {
    const MeasuredVariant& measured =
        part == TunedStage::tiled ? ranked.entry->tiled : ranked.entry->of(stage);
    const Variant* variant = Registry::instance().find(measured.id);
    if (variant && !variant->whyNot(stage, problem, device, measured.tuning))
      return Candidate{variant, stage, variant->complete(measured.tuning)};
  }
  if (part == TunedStage::tiled) return std::nullopt;
  if (const Variant* variant = preferred(stage, problem, device))
    return Candidate{variant, stage, variant->complete({})};
  return std::nullopt;
}

/// One problem, from all candidates to a choice.
class ProblemTuner {
public:
  ProblemTuner(StageHarness& bench, const TuningTable& table, const std::function<void()>& tick)
      : bench_(bench), tick_(tick), from_(bench.device().createEvent()), to_(bench.device().createEvent()) {
    const Problem& problem = bench.problem();
    const DeviceInfo& device = bench.device().info();
    for (const TunedStage part : tunedStages)
      if (auto standing = presentDefault(part, problem, device, table)) standing_.emplace(part, *standing);
    fuses_ = makePlan({}, problem, device, table).fused != nullptr;
    tiles_ = makePlan({}, problem, device, table, Ordering::once).tileSize(problem) != 0;
  }

  void choose(const std::vector<Candidate>& candidates, double budgetSeconds) {
    std::map<TunedStage, double> best;
    for (const TunedStage part : tunedStages)
      if (part != TunedStage::tiled) best[part] = keepNear(part, candidates);
    // Tiles are for where they beat what does without them.
    if (bench_.hasRoomForTiles())
      keepNear(TunedStage::tiled, candidates,
               std::min(best[TunedStage::fused], best[TunedStage::classify] + best[TunedStage::reduce]));
    if (bench_.problem().pointValues() <= checkedWhole)
      std::erase_if(racers_, [&](const Candidate& candidate) { return isWrong(candidate); });
    race(budgetSeconds);
  }

  [[nodiscard]] std::optional<TunedProblem> result() {
    const Measurement* fused = bestRight(TunedStage::fused);
    const Measurement* classify = bestRight(TunedStage::classify);
    const Measurement* reduce = bestRight(TunedStage::reduce);
    const Measurement* update = bestRight(TunedStage::update);
    const Measurement* tiled = bestRight(TunedStage::tiled);
    if (!update || !(fused || (classify && reduce))) return std::nullopt;
    const bool fuses = shouldFuse(fused, classify, reduce, fuses_);
    if (!shouldTile(tiled, fuses ? fused : nullptr, classify, reduce, tiles_)) tiled = nullptr;
    TunedProblem tuned;
    tuned.entry = {.device = measuredDevice(bench_.device().info()),
                   .problem = bench_.problem(),
                   .fuses = fuses,
                   .fused = measured(fused),
                   .tiled = measured(tiled),
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
    bench_.prepare(candidate);
    bench_.device().record(*from_);
    bench_.launch(candidate);
    bench_.device().record(*to_);
    return bench_.device().elapsedUs(*from_, *to_);
  }

  /// The least of a few looks; of what is hopeless fewer, which may take long enough.
  [[nodiscard]] double quickUs(const Candidate& candidate, double best) {
    double least = onceUs(candidate);
    if (least <= loadingUs) least = std::min(least, onceUs(candidate));
    for (std::size_t i = 2; i < quickLooks && least <= hopeless * best + launchUs; ++i)
      least = std::min(least, onceUs(candidate));
    return least;
  }

  /// Adds those of a part that are near the fastest, or near another form of the iteration where that is
  /// faster, to the racers; what stands at present is always among them, and goes first, so that what is
  /// hopeless is known to be. Returns the time of the fastest.
  double keepNear(TunedStage part, const std::vector<Candidate>& candidates, double otherForm = noTime) {
    std::vector<Candidate> able;
    const auto standing = standing_.find(part);
    if (standing != standing_.end()) able.push_back(standing->second);
    for (const Candidate& candidate : candidates)
      if (tunedStageOf(candidate) == part && !bench_.whyNot(candidate) &&
          std::none_of(able.begin(), able.end(),
                       [&](const auto& one) { return sameCandidate(one, candidate); }))
        able.push_back(candidate);
    std::vector<std::pair<double, Candidate>> timed;
    double best = noTime;
    for (const Candidate& candidate : able) {
      tick();
      timed.emplace_back(quickUs(candidate, best), candidate);
      best = std::min(best, timed.back().first);
    }
    best = std::min(best, otherForm);
    for (const auto& [us, candidate] : timed)
      if (us > farBehind * best && us > farBehindUs) behind_.push_back(candidate);
    const auto first = timed.begin() + (standing != standing_.end() ? 1 : 0);
    std::stable_sort(first, timed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (timed.size() > mostRacers) timed.resize(mostRacers);
    for (auto one = timed.begin(); one != timed.end(); ++one)
      if (one < first || one->first <= nearEnough * best + launchUs) racers_.push_back(one->second);
    return best;
  }

  void race(double budgetSeconds) {
    RaceOptions options;
    options.rounds = 15;
    options.analyses = 1;
    options.budgetSeconds = budgetSeconds;
    options.warmUpSeconds = 0.05;
    KernelTimer sampler(bench_.device(), options.sampleUs, options.cache);
    // One group: the forms of an iteration are compared across stages, in the same rounds.
    const std::vector<int> groups(racers_.size(), 0);
    for (const Candidate& racer : racers_) {
      tick();
      sampler.add({[this, racer] { bench_.prepare(racer); }, [this, racer] { bench_.launch(racer); }});
    }
    const RaceSamples samples = lloyd::race(sampler, groups, options, [&](const RaceProgress&) { tick(); });
    if (!samples.finished) throw Cancelled();
    for (std::size_t i = 0; i < racers_.size(); ++i) {
      Measurement row;
      row.candidate = racers_[i];
      row.problem = bench_.problem();
      row.us = samples.series[i];
      rows_[tunedStageOf(row.candidate)].push_back(withShare(row, shareUs(row.candidate)));
    }
  }

  /// What putting the points in order adds to a launch of a variant of tiles. The tiles are there before the
  /// time begins, and after the first look what they are sorted in.
  [[nodiscard]] double shareUs(const Candidate& candidate) {
    if (tunedStageOf(candidate) != TunedStage::tiled) return 0;
    const unsigned size = candidate.variant->info.tileSize(bench_.problem(), candidate.tuning);
    const auto [known, isNew] = orderUs_.emplace(size, noTime);
    const Candidate order{candidate.variant, Stage::order, candidate.tuning};
    for (std::size_t i = 0; isNew && i < quickLooks; ++i, tick())
      known->second = std::min(known->second, onceUs(order));
    return known->second / iterationsOfAFit;
  }

  [[nodiscard]] bool isWrong(const Candidate& candidate) {
    tick();
    const auto difference = bench_.check(candidate);
    if (!difference) return false;
    wrong_.push_back(wholeCandidateText(candidate).toStdString() + ": " + *difference);
    excluded_.push_back(candidate);
    return true;
  }

  /// The best of a part that is right on this problem.
  [[nodiscard]] const Measurement* bestRight(TunedStage part) {
    std::optional<Candidate> standing;
    if (const auto found = standing_.find(part); found != standing_.end()) standing = found->second;
    const auto best = [&] { return bestOf(rows_[part], stageOf(part), standing, excluded_); };
    const Measurement* found = best();
    while (found && isWrong(found->candidate))
      found = best();
    return found;
  }

  StageHarness& bench_;
  const std::function<void()>& tick_;
  std::unique_ptr<Event> from_;
  std::unique_ptr<Event> to_;
  std::map<TunedStage, Candidate> standing_; ///< what the program would take at present
  bool fuses_ = false;                       ///< and in which form where there are no tiles
  bool tiles_ = false;                       ///< and whether there are where points stand still
  std::vector<Candidate> racers_;
  std::map<TunedStage, std::vector<Measurement>> rows_;
  std::map<unsigned, double> orderUs_; ///< by the size of tiles
  std::vector<Candidate> excluded_;
  std::vector<std::string> wrong_;
  std::vector<Candidate> behind_;
};

} // namespace

TunedStage tunedStageOf(const Candidate& candidate) {
  switch (candidate.stage) {
  case Stage::classify:
    return TunedStage::classify;
  case Stage::reduce:
    return TunedStage::reduce;
  case Stage::fused:
    return candidate.variant->info.tileSize ? TunedStage::tiled : TunedStage::fused;
  default:
    return TunedStage::update;
  }
}

std::vector<Candidate> tuningCandidates(const DeviceInfo& device,
                                        const std::function<bool(const Variant&)>& wanted) {
  std::vector<Candidate> candidates;
  for (const Stage stage : iterationStages)
    for (const Variant* variant : Registry::instance().of(stage, device.backend)) {
      if (variant->info.layout == Layout::aos || (wanted && !wanted(*variant))) continue;
      const bool labels = stage == Stage::classify || stage == Stage::fused;
      if (labels && variant->info.changed == Changed::none) continue;
      const Tuning own = variant->complete({});
      candidates.push_back({variant, stage, own});
      if (stage == Stage::update) continue; // it has no tuning parameters in a plan
      for (const Parameter& parameter : variant->info.parameters)
        for (const int value : steps(parameter)) {
          candidates.push_back({variant, stage, own});
          candidates.back().tuning.set(parameter.name, value);
        }
    }
  return candidates;
}

const Measurement* bestOf(const std::vector<Measurement>& rows, Stage stage,
                          const std::optional<Candidate>& standing, const std::vector<Candidate>& excluded) {
  const auto find = [&](const Candidate& candidate) -> const Measurement* {
    const bool isOut = std::any_of(excluded.begin(), excluded.end(),
                                   [&](const auto& one) { return sameCandidate(one, candidate); });
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Measurement& one) {
      return sameCandidate(one.candidate, candidate) && one.ran() && one.times.median > 0;
    });
    return isOut || row == rows.end() ? nullptr : &*row;
  };
  const Measurement* fastest = nullptr;
  for (const Measurement& row : rows) {
    if (row.candidate.stage != stage || !find(row.candidate)) continue;
    if (!fastest || row.times.median < fastest->times.median) fastest = &row;
  }
  if (!fastest) return nullptr;
  const auto displaces = [&](const Measurement& other) { return isFaster(fastest->us, other.us); };
  if (standing)
    if (const Measurement* stands = find(*standing); stands && !displaces(*stands)) return stands;
  const Variant& variant = *fastest->candidate.variant;
  if (const Measurement* plain = find({&variant, stage, variant.complete({})}); plain && !displaces(*plain))
    return plain;
  return fastest;
}

bool shouldFuse(const Measurement* fused, const Measurement* classify, const Measurement* reduce,
                bool standing) {
  if (!fused) return false;
  if (!classify || !reduce) return true;
  return shouldTake(fused->us, together(*classify, *reduce), standing);
}

bool shouldTile(const Measurement* tiled, const Measurement* fused, const Measurement* classify,
                const Measurement* reduce, bool standing) {
  if (!tiled) return false;
  if (!fused && !(classify && reduce)) return true;
  return shouldTake(tiled->us, fused ? fused->us : together(*classify, *reduce), standing);
}

Measurement withShare(Measurement row, double us) {
  for (double& sample : row.us)
    sample += us; // NaN stays what it is
  row.times = summarise(sortedFinite(row.us));
  return row;
}

std::optional<TunedProblem> tuneProblem(StageHarness& bench, const std::vector<Candidate>& candidates,
                                        const TuningTable& table, double budgetSeconds,
                                        const std::function<void()>& tick) {
  ProblemTuner tuner(bench, table, tick);
  tuner.choose(candidates, budgetSeconds);
  return tuner.result();
}

} // namespace lloyd
