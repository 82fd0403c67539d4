// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
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

/// The numbered versions of a family with their times on a card.
struct VersionLadder {
  struct Rung {
    const Variant* variant = nullptr;
    double us = 0; ///< NaN: not measured
  };
  std::vector<Rung> rungs; ///< in the order of numbers; none where fewer than two were measured
  std::size_t here = 0;    ///< the one that is looked at, where there are any
  QString card;            ///< "NVIDIA H200"
  QString meaning;         ///< CardTimes::meaning()
  bool sameWork = true;    ///< every time is of the same N, D and K

  [[nodiscard]] double longestUs() const;
};
/// Empty for a version without a number and for those of the processors.
[[nodiscard]] VersionLadder versionLadder(const TeachSubject& subject, const std::string& card);

} // namespace lloyd
