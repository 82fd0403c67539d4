// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/machine_load.hpp"
#include "app/model/measure/stage_harness.hpp"
#include "gpu/core/stats/comparison.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// What the caches hold when a sample begins: what the launch before it left there, as in an iterating run,
/// or nothing of use (as much as fits in them is overwritten first).
enum class CacheState { hot, cold };
[[nodiscard]] inline std::string_view name(CacheState cache) {
  return cache == CacheState::cold ? "cold" : "hot";
}

/// The stages that are raced and swept, in the order in which they are listed.
inline constexpr std::array measuredStages{Stage::classify, Stage::reduce, Stage::fused, Stage::update,
                                           Stage::layout};

/// The stages that a race's table lists: schedules of sets too, which are raced when somebody names them.
inline constexpr std::array listedStages{Stage::classify, Stage::reduce, Stage::fused,
                                         Stage::update,   Stage::layout, Stage::sets};

/// What was measured of one candidate on one problem. A candidate that was skipped has no samples.
struct Measurement {
  Candidate candidate;
  Problem problem;
  Summary times;            ///< microseconds of one launch, over the samples that were kept
  std::vector<double> us;   ///< by round; NaN where a sample was thrown away
  std::size_t launches = 1; ///< between the two events of a sample
  std::size_t bytes = 0;    ///< leastBytes()
  /// No faster than this, by the device's copy rate at that footprint or its arithmetic. 0: not known,
  /// because a copy of so few bytes takes as long as its launch.
  double limitUs = 0;
  std::optional<KernelResources> resources;
  bool verified = false;  ///< only a verified one may be ranked
  std::string difference; ///< why it is not verified
  std::string skipped;    ///< why it was not run; empty when it was
  std::string note;       ///< what times is of, where that is not one launch
  /// Of the points, how many a filter of scores could not tell about: 0 to 1; nothing of what filters
  /// nothing.
  std::optional<double> rechecked;
  /// By ranksOf() among the verified of its stage, so that variants that cannot be told apart share a rank.
  /// 0: not ranked.
  int rank = 0;
  bool alone = false; ///< ranked, and no other of its stage is: a rank that says nothing
  /// Against the first of its family at this stage in this race, as the papers count their gains; nothing for
  /// that one itself and for what was not ranked.
  std::optional<Comparison> againstFirst;

  [[nodiscard]] bool ran() const { return times.samples > 0; }
  /// Its samples differ so much among themselves that its median says little.
  [[nodiscard]] bool noisy() const { return ran() && !(times.noise <= 0.1); }
  /// Whether its time may be ranked and held against another.
  [[nodiscard]] bool comparable() const {
    return ran() && verified && times.median > 0 && std::isfinite(times.median);
  }
  /// NaN where no bytes are known that must move.
  [[nodiscard]] double gigabytesPerSecond() const {
    if (bytes == 0) return std::numeric_limits<double>::quiet_NaN();
    return times.median > 0 ? static_cast<double>(bytes) / times.median * 1e-3 : 0;
  }
  /// 1 at the limit, less when slower; never above 1. Nothing where no limit is known.
  [[nodiscard]] std::optional<double> ofLimit() const {
    if (!(limitUs > 0) || !(times.median > 0)) return std::nullopt;
    return std::min(1.0, limitUs / times.median);
  }
  [[nodiscard]] std::optional<double> limit() const {
    return limitUs > 0 ? std::optional(limitUs) : std::nullopt;
  }
};

/// The same variant, stage and tuning parameters: what two races must agree in to be compared.
[[nodiscard]] inline bool sameCandidate(const Candidate& a, const Candidate& b) {
  return a.variant == b.variant && a.stage == b.stage && a.tuning == b.tuning;
}

/// How the measuring went: what a reader needs to believe it.
struct RaceConditions {
  CacheState cache = CacheState::hot;
  std::uint64_t seed = 1; ///< of the order of turns
  CompareRules rules;     ///< that the verdicts hold
  std::size_t rounds = 0; ///< in each of which every variant had one sample
  /// By round: how often memory had been placed anew. Rounds in one place share what it does to times.
  std::vector<std::uint32_t> places;
  std::size_t rampUp = 0;    ///< samples thrown away while the clock rose
  std::size_t throttled = 0; ///< samples thrown away because the clock had fallen
  double clockMhz = 0;       ///< median during the rounds; 0 when unknown
  double warmUpSeconds = 0;
  bool clockStable = true;   ///< false: it did not settle within the time given to it
  double seconds = 0;        ///< all in all
  std::size_t undecided = 0; ///< comparisons left so when the budget was spent
  MachineLoad load;          ///< by others, meanwhile
  CardLoad card;             ///< likewise, of a CUDA device
  double copyRate = 0;       ///< bytes a microsecond that a copy of the points moved; 0 when unknown
};

/// Two rows of one race, sample by sample, by its rules and places.
[[nodiscard]] inline Comparison compareRows(const Measurement& row, const Measurement& rival,
                                            const RaceConditions& conditions) {
  return comparePaired(row.us, rival.us, conditions.rules, conditions.places);
}

/// One run of a schedule of sets, recorded when the race was over.
struct RecordedRun {
  Candidate candidate;
  TimelinePtr timeline; ///< null where it could not be recorded
  std::string why;      ///< why it could not
};

/// One race: every candidate on one problem. Immutable once published.
struct RaceResult {
  std::vector<Measurement> rows; ///< in the order of the candidates
  RaceConditions conditions;
  DeviceInfo device;
  std::string source; ///< file or generator
  std::chrono::system_clock::time_point when;
  bool finished = false; ///< false: an interim analysis, or what there was when it was cancelled
  std::vector<RecordedRun> recorded =
      {}; ///< of the schedules that ran, where RaceOptions::record asks for it
};
using RaceResultPtr = std::shared_ptr<const RaceResult>;

/// The candidate's row; null where the race has none.
[[nodiscard]] inline const Measurement* rowOf(const RaceResult& race, const Candidate& candidate) {
  const auto found = std::ranges::find_if(
      race.rows, [&](const Measurement& row) { return sameCandidate(row.candidate, candidate); });
  return found == race.rows.end() ? nullptr : &*found;
}

} // namespace lloyd
