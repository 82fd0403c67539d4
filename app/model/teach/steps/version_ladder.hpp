// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/teach/teach_subject.hpp"

#include <QString>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lloyd {

/// The arithmetic by which tables of cards have a variant: "multiply" where it has none to choose.
[[nodiscard]] QString measuredArithmetic(const Variant& variant, const Tuning& tuning);

/// Times of kernels on one card, all from one source: the medians of the races of ladder.csv, in sorted
/// order, where those were on that card and have every one of them, else what the card's profiler timed.
class CardTimes {
public:
  /// card: the one wished for; another that was measured where that one was not. variants: not null.
  CardTimes(const std::string& card, const Tuning& tuning, std::span<const Variant* const> variants);
  [[nodiscard]] const QString& card() const { return card_; } ///< empty: none was measured
  [[nodiscard]] bool profiled() const { return profiled_; }
  /// Microseconds of one launch at N = 2^20, D = 1, K = 16 for the ladders of the articles; NaN where it was
  /// not measured.
  [[nodiscard]] double us(const Variant& variant) const;
  /// The times of these are of the same N, D and K.
  [[nodiscard]] bool sameWork(std::span<const Variant* const> variants) const;
  /// What a time is of: "median of a race, points in sorted order".
  [[nodiscard]] QString meaning() const;

private:
  Tuning tuning_;
  QString card_;
  bool profiled_ = true;
};

/// The numbered versions of a family, and a person's own behind them, with their times.
struct VersionLadder {
  struct Rung {
    const Variant* variant = nullptr;
    double us = 0; ///< NaN: not measured
  };
  std::vector<Rung> rungs; ///< in the order of numbers; none where there are no two times
  std::size_t here = 0;    ///< the one that is looked at, where there are any
  QString card;            ///< "NVIDIA H200"; empty: the simulator, whose times say nothing of a card's
  QString meaning;         ///< what a time is of, for a tooltip
  bool sameWork = true;    ///< every time is of the same N, D and K
  bool raced = false;      ///< with this program, and so of other points than the program's own times
  QString verdict;         ///< of such a race on the one that is looked at, as a sentence, where it is told

  [[nodiscard]] double longestUs() const;
  /// "an NVIDIA H200"
  [[nodiscard]] QString place() const;
};
/// The program's own times on the card. Of a person's version it knows none: what is looked at and is
/// a person's is shown with the times of race, which may be null, and with whatever of the family was in it;
/// else with those of its trial's race, where either has it and another one. Empty for a version without a
/// number that is not a person's, and for those of the processors.
[[nodiscard]] VersionLadder versionLadder(const TeachSubject& subject, const std::string& card,
                                          const RaceResult* race = nullptr);

} // namespace lloyd
