// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"

#include <functional>
#include <span>
#include <vector>

namespace lloyd {

/// Where a race gets its samples: a device, or a test's script.
class SampleSource {
public:
  SampleSource() = default;
  SampleSource(const SampleSource&) = delete;
  SampleSource& operator=(const SampleSource&) = delete;
  virtual ~SampleSource() = default;

  /// Microseconds of one launch of the operation, from one pair of events around as many launches as a
  /// sample takes.
  [[nodiscard]] virtual double sample(std::size_t operation) = 0;
  /// The clock that kernels run at now, MHz; 0 when the device does not say.
  [[nodiscard]] virtual double clockMhz() = 0;
  /// Seconds since any fixed moment, never running backwards.
  [[nodiscard]] virtual double seconds() = 0;
  /// Rests, so that a device that was too hot can cool.
  virtual void pause(double seconds) = 0;
  /// Puts the operations' memory elsewhere, since where it lies decides on some of the time they take; false
  /// where it stays.
  [[nodiscard]] virtual bool placeAnew() { return false; }
};

struct RaceOptions {
  std::size_t rounds = 60;   ///< before the first interim analysis of the verdicts; each doubles them
  std::size_t analyses = 4;  ///< at most: after 60, 120, 240 and 480 rounds
  double budgetSeconds = 20; ///< no round begins after this, but five are always run
  double warmUpSeconds = 2;  ///< given to the clock to settle
  double sampleUs = 200;     ///< a sample repeats a shorter kernel until it takes at least this long
  /// Before memory is placed anew, which takes no more time in all than the rounds do. Odd.
  std::size_t roundsAPlace = 3; ///< 0: it stays where it is
  CacheState cache = CacheState::hot;
  /// Goes on until the medians of all are known (isSettled()), because another run will be held against them.
  bool settle = false;
  bool record = false;     ///< a run of each schedule of sets, when the race is over
  std::uint64_t seed = 1;  ///< of the order in which operations take turns
  CompareRules rules = {}; ///< comparisons and analyses are filled in by the race

  [[nodiscard]] std::size_t mostRounds() const { return rounds << (analyses - 1); }
};

/// Where a race is.
struct RaceProgress {
  std::size_t round = 0;
  std::size_t rounds = 0; ///< until the next interim analysis
  std::size_t undecided = 0;
  double secondsLeft = 0;  ///< at the most: a race ends at the analysis that decides everything
  std::size_t checked = 0; ///< candidates that were held against double precision
  std::size_t toCheck = 0; ///< all of them, before the first round; 0 from then on
};

/// What a race brings home. series[c][r] is operation c's sample of round r, NaN when it was thrown away or
/// c took no part.
struct RaceSamples {
  std::vector<std::vector<double>> series;
  RaceConditions conditions;
  bool finished = false; ///< not cancelled, and no interim analysis
};

/// Runs operations against each other: warms the clock up until it is stable, then all take turns, one
/// sample each a round, in an order that changes from round to round, so that a clock that drifts is unfair
/// to none of them. A sample beside which the clock was below 75 % of the warm one is thrown away and
/// counted, and taken again after a pause that grows. After options.rounds, and each time they have doubled,
/// the verdicts between operations of the same group are looked at; the race ends when all are decided,
/// after the last analysis, or when the budget is spent. Who is alone in a group is sampled until its own
/// median is known (isSettled()), as long as analyses and budget allow; beside others it takes part in the
/// first rounds, and its other ones come after the last of theirs, so that it does not make every round
/// longer and the card warmer. An eighth of the budget is kept for those: whole iterations need its times
/// too. groups has one number for each operation. progress is called after every round, analysed with a copy
/// of what there is after every interim analysis. When either throws Cancelled, or the source does, what was
/// measured so far comes back, not finished; before the first whole round Cancelled goes on to the caller.
/// (Turns and discarding after nvbench.)
[[nodiscard]] RaceSamples race(SampleSource& source, std::span<const int> groups, const RaceOptions& options,
                               const std::function<void(const RaceProgress&)>& progress = {},
                               const std::function<void(const RaceSamples&)>& analysed = {});

/// The rules that every verdict of a race has to hold: options.rules with the number of its comparisons,
/// every pair within a group, and of its interim analyses.
[[nodiscard]] CompareRules raceRules(std::span<const int> groups, const RaceOptions& options);

/// The verdicts of a race as ranks: sets rank and againstFirst of every row that ran and is verified, from
/// Measurement::us, by the rules and places of those conditions. A row that is not verified, or whose median
/// is not a positive number, has neither. The first of a family is its first such row, in the order of the
/// rows.
void rankRows(std::vector<Measurement>& rows, const RaceConditions& conditions);

} // namespace lloyd
