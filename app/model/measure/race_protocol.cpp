// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/race_protocol.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/core/math/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t fewestRounds = 5;    ///< that the budget cannot take away
constexpr std::uint32_t placesOfAll = 24;  ///< that lone ones have a sample in
constexpr double keptForLone = 0.125;      ///< of the budget, for who has no rival
constexpr std::size_t fewestWarmUps = 3;   ///< of each operation
constexpr std::size_t steadyReadings = 8;  ///< of the clock, which are then within steadyWithin
constexpr double steadyWithin = 0.02;      ///< of their median
constexpr double throttledBelow = 0.75;    ///< of the warm clock
constexpr std::size_t triesOfASample = 4;  ///< before its round goes on without it
constexpr double firstPauseSeconds = 0.02; ///< doubled with each try
constexpr double thrownAway = std::numeric_limits<double>::quiet_NaN();

/// 0 .. count-1 in an order that depends on the round.
std::vector<std::size_t> turnOrder(std::size_t count, std::uint64_t seed, std::size_t round) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[randomBits(seed, round, i) % i]);
  return order;
}

class Race {
public:
  Race(SampleSource& source, std::span<const int> groups, const RaceOptions& options)
      : source_(source), groups_(groups), options_(options), began_(source.seconds()) {
    for (const int group : groups)
      hasRival_.push_back(std::count(groups.begin(), groups.end(), group) > 1);
    samples_.series.resize(groups.size());
    samples_.conditions.cache = options.cache;
    samples_.conditions.seed = options.seed;
    samples_.conditions.rules = raceRules(groups, options);
  }

  /// Until every operation has run a few times and the clock stands still, or the time for it is over.
  void warmUp() {
    RaceConditions& conditions = samples_.conditions;
    for (std::size_t turn = 0; !groups_.empty(); ++turn) {
      static_cast<void>(source_.sample(turn % groups_.size()));
      ++conditions.rampUp;
      readClock();
      conditions.warmUpSeconds = source_.seconds() - began_;
      conditions.clockStable = steady();
      const bool allRan = turn + 1 >= fewestWarmUps * groups_.size();
      if (allRan && (conditions.clockStable || conditions.warmUpSeconds >= options_.warmUpSeconds)) break;
    }
    warmMhz_ = median(lastReadings());
    racingMhz_.clear();
    canPlace_ = options_.roundsAPlace > 0 && source_.placeAnew();
  }

  enum class Who { all, rivals, lone };

  /// A sample of each of them; the others have none in this round.
  void takeRound(std::size_t round, Who who) {
    if (canPlace_ && roundsHere_ >= options_.roundsAPlace && placingSeconds_ <= roundSeconds_) placeAnew();
    // Whole iterations are told apart place by place, for which everybody must have been in some of them.
    if (who == Who::rivals && canPlace_ && roundsHere_ == 0 && place_ < placesOfAll) who = Who::all;
    const double begin = source_.seconds();
    std::vector<double> row(groups_.size(), thrownAway);
    for (const std::size_t operation : turnOrder(groups_.size(), options_.seed, round))
      if (takesPart(operation, who)) row[operation] = steadySample(operation);
    for (std::size_t c = 0; c < row.size(); ++c)
      samples_.series[c].push_back(row[c]);
    if (canPlace_) samples_.conditions.places.push_back(place_);
    ++samples_.conditions.rounds;
    ++roundsHere_;
    roundSeconds_ += source_.seconds() - begin;
  }

  void judge() {
    RaceConditions& conditions = samples_.conditions;
    conditions.undecided = 0;
    for (std::size_t a = 0; a < groups_.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (groups_[a] == groups_[b] &&
            comparePaired(samples_.series[a], samples_.series[b], conditions.rules, conditions.places)
                    .verdict == Verdict::undecided)
          ++conditions.undecided;
  }

  /// Whether the medians of those who take part are known: other runs are held against them.
  [[nodiscard]] bool settled(Who who) const {
    const RaceConditions& conditions = samples_.conditions;
    for (std::size_t c = 0; c < groups_.size(); ++c)
      if (takesPart(c, who) && !isSettled(samples_.series[c], conditions.rules, conditions.places))
        return false;
    return true;
  }

  /// Some are alone in their group, and some are not.
  [[nodiscard]] bool isMixed() const {
    const auto rivals = std::count(hasRival_.begin(), hasRival_.end(), true);
    return rivals > 0 && rivals < static_cast<std::ptrdiff_t>(hasRival_.size());
  }

  [[nodiscard]] double seconds() { return source_.seconds() - began_; }

  /// What there is, with what is known of the clock by now.
  const RaceSamples& samples() {
    samples_.conditions.clockMhz = racingMhz_.empty() ? warmMhz_ : median(racingMhz_);
    samples_.conditions.seconds = seconds();
    return samples_;
  }
  RaceSamples take(bool finished) {
    static_cast<void>(samples());
    samples_.finished = finished;
    return std::move(samples_);
  }

private:
  [[nodiscard]] bool takesPart(std::size_t operation, Who who) const {
    return who == Who::all || (who == Who::rivals) == hasRival_[operation];
  }
  void placeAnew() {
    const double begin = source_.seconds();
    if (source_.placeAnew()) ++place_;
    placingSeconds_ += source_.seconds() - begin;
    roundsHere_ = 0;
  }
  void readClock() {
    mhz_ = source_.clockMhz();
    if (mhz_ > 0) racingMhz_.push_back(mhz_);
  }
  [[nodiscard]] std::span<const double> lastReadings() const {
    return std::span(racingMhz_).last(std::min(steadyReadings, racingMhz_.size()));
  }
  [[nodiscard]] static double median(std::span<const double> values) { return summarise(values).median; }
  /// A device that does not tell its clock is taken to be steady.
  [[nodiscard]] bool steady() const {
    const auto last = lastReadings();
    if (last.empty()) return true;
    const double middle = median(last);
    return last.size() == steadyReadings && std::all_of(last.begin(), last.end(), [&](double mhz) {
             return std::abs(mhz - middle) <= steadyWithin * middle;
           });
  }

  /// The clock after one sample is the clock before the next.
  double steadySample(std::size_t operation) {
    double rest = firstPauseSeconds;
    for (std::size_t i = 0; i < triesOfASample; ++i, rest *= 2) {
      const double before = mhz_;
      const double us = source_.sample(operation);
      readClock();
      if (warmMhz_ <= 0 || std::min(before, mhz_) >= throttledBelow * warmMhz_) return us;
      ++samples_.conditions.throttled;
      source_.pause(rest);
      readClock();
    }
    return thrownAway;
  }

  SampleSource& source_;
  std::span<const int> groups_;
  std::vector<bool> hasRival_; ///< by operation: there are others in its group
  const RaceOptions& options_;
  double began_;
  double mhz_ = 0;     ///< the last reading
  double warmMhz_ = 0; ///< 0: the device does not say
  bool canPlace_ = false;
  std::uint32_t place_ = 0;
  std::size_t roundsHere_ = 0; ///< since memory was placed
  double placingSeconds_ = 0;
  double roundSeconds_ = 0;
  std::vector<double> racingMhz_;
  RaceSamples samples_;
};

} // namespace

CompareRules raceRules(std::span<const int> groups, const RaceOptions& options) {
  CompareRules rules = options.rules;
  rules.analyses = options.analyses;
  rules.comparisons = 0;
  for (std::size_t a = 0; a < groups.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      rules.comparisons += groups[a] == groups[b] ? 1 : 0;
  rules.comparisons = std::max<std::size_t>(1, rules.comparisons);
  return rules;
}

RaceSamples race(SampleSource& source, std::span<const int> groups, const RaceOptions& options,
                 const std::function<void(const RaceProgress&)>& progress,
                 const std::function<void(const RaceSamples&)>& analysed) {
  Race run(source, groups, options);
  if (groups.empty()) return run.take(true);
  try {
    run.warmUp();
    const double start = run.seconds();
    const bool apart = run.isMixed();
    std::size_t done = 0;
    std::size_t wanted = options.rounds;
    const std::size_t rivals = options.rounds << (options.analyses - 1);
    const std::size_t last = apart ? 2 * rivals : rivals;
    const double kept = apart && !options.settle ? options.budgetSeconds * keptForLone : 0;
    const auto budgetLeft = [&] { return options.budgetSeconds - (run.seconds() - start); };
    const auto take = [&](Race::Who who) {
      run.takeRound(done++, who);
      if (!progress) return;
      // What the next analysis decides is not known, so that only the end of all analyses is a bound.
      const double each = (run.seconds() - start) / static_cast<double>(done);
      const double left = each * static_cast<double>(last - std::min(last, done));
      progress({.round = done,
                .rounds = wanted,
                .undecided = run.samples().conditions.undecided,
                .secondsLeft = std::max(0.0, std::min(left, budgetLeft()))});
    };
    for (std::size_t analyses = 0; analyses < options.analyses; ++analyses, wanted *= 2) {
      while (done < wanted && (done < fewestRounds || budgetLeft() > kept))
        take(apart && done >= fewestRounds ? Race::Who::rivals : Race::Who::all);
      run.judge();
      const Race::Who asked = !options.settle ? Race::Who::lone : apart ? Race::Who::rivals : Race::Who::all;
      const bool settled = (apart && !options.settle) || run.settled(asked);
      const bool decided = run.samples().conditions.undecided == 0 && settled;
      if (decided || budgetLeft() <= kept) break;
      if (analysed && analyses + 1 < options.analyses) analysed(run.samples());
    }
    const std::size_t most = done + rivals;
    for (wanted = done + options.rounds; apart && done < most && budgetLeft() > 0; wanted = most) {
      while (done < wanted && budgetLeft() > 0)
        take(Race::Who::lone);
      if (run.settled(Race::Who::lone)) break;
    }
    return run.take(true);
  } catch (const Cancelled&) {
    if (run.samples().conditions.rounds == 0) throw;
    run.judge();
    return run.take(false);
  }
}

void rankRows(std::vector<Measurement>& rows, const RaceConditions& conditions) {
  std::map<std::pair<Stage, std::string_view>, const Measurement*> firsts;
  std::map<Stage, std::vector<Measurement*>> stages;
  for (Measurement& row : rows) {
    row.rank = 0;
    row.alone = false;
    row.againstFirst.reset();
    if (!row.comparable()) continue;
    stages[row.candidate.stage].push_back(&row);
    const auto [first, isFirst] =
        firsts.try_emplace({row.candidate.stage, row.candidate.variant->info.family}, &row);
    if (!isFirst) row.againstFirst = compareRows(row, *first->second, conditions);
  }
  for (auto& [stage, ranked] : stages) {
    std::ranges::stable_sort(ranked, {}, [](const Measurement* row) { return row->times.median; });
    const std::vector<int> ranks = ranksOf(ranked.size(), [&](std::size_t b, std::size_t a) {
      return compareRows(*ranked[b], *ranked[a], conditions).verdict == Verdict::slower;
    });
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      ranked[i]->rank = ranks[i];
      ranked[i]->alone = ranks.size() == 1;
    }
  }
}

} // namespace lloyd
