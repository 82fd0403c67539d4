// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/tuning/tune_problem.hpp"

#include "app/model/measure/kernel_timer.hpp"
#include "app/model/measure/race_protocol.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/tuning/tuning_decision.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/plan.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

namespace lloyd {
namespace {

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
    options.looks = 1;
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

std::optional<TunedProblem> tuneProblem(StageHarness& bench, const std::vector<Candidate>& candidates,
                                        const TuningTable& table, double budgetSeconds,
                                        const std::function<void()>& tick) {
  ProblemTuner tuner(bench, table, tick);
  tuner.choose(candidates, budgetSeconds);
  return tuner.result();
}

} // namespace lloyd
