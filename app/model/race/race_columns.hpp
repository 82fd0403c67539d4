// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/baseline.hpp"

#include <QString>
#include <QVariant>

#include <optional>

namespace lloyd {

/// The columns of the race's table, in the order in which they stand.
enum class RaceColumn {
  variant,
  rank,
  bar,
  median,
  verdict,
  deltaUs,
  deltaPercent,
  againstBaseline,
  againstFirst,
  p95,
  min,
  noise,
  samples,
  bandwidth,
  ofLimit,
  registers,
  shared,
  local,
  occupancy,
  rechecked,
  published,
  verified
};
inline constexpr int raceColumns = 22;

/// One variant at one stage, with all that is known of it.
struct RaceEntry {
  enum class State {
    waiting, ///< it was in no race yet; live may know something
    ranked,
    unranked, ///< raced and verified, but no sample was kept
    differs,  ///< its results are wrong, so it is never ranked
    cannot    ///< it does not run here
  };
  Candidate candidate;
  State state = State::waiting;
  RaceResultPtr race;                    ///< holds measured
  const Measurement* measured = nullptr; ///< null when it was in no race
  Summary live;                          ///< while playing; samples == 0: nothing yet
  bool simulated = false;                ///< live is the SIMT simulator's
  QString reason; ///< differs: the first difference; cannot: why, without the variant's name
  std::optional<Delta> delta;
  bool isBaseline = false; ///< the row that its stage is held against
  bool rankShared = false;
  bool ticked = false;
  bool current = false; ///< in use in the session's plan
  QString mark;         ///< "A", "B" or "A B"

  /// The times to show: a race's, else the live ones; null when there are none.
  [[nodiscard]] const Summary* times() const;
  [[nodiscard]] bool isLive() const { return (!measured || !measured->ran()) && live.samples > 0; }
  /// The 5th percentile of the kept samples; the minimum where there are no samples by round.
  [[nodiscard]] double lowUs() const;
};

/// What stands above the column, on two lines with the unit below.
[[nodiscard]] QString raceHeader(RaceColumn column);
/// The definition of the metric, with its unit.
[[nodiscard]] QString raceDefinition(RaceColumn column);
/// Whether the column is one of numbers, which stand at the right.
[[nodiscard]] bool isNumeric(RaceColumn column);
/// A word column is left as it is.
[[nodiscard]] QString raceCell(const RaceEntry& entry, RaceColumn column);
/// A double where the cell has a number, nothing where it is not known; the text of word columns.
[[nodiscard]] QVariant raceValue(const RaceEntry& entry, RaceColumn column);
/// All that is known of the row, for its tooltip.
[[nodiscard]] QString raceToolTip(const RaceEntry& entry);

} // namespace lloyd
