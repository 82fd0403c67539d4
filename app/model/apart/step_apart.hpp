// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "gpu/core/contract/step.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// Microseconds with the ends of the interval that holds them in 19 of 20 cases, both NaN where too few
/// samples tell.
struct Microseconds {
  double us = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool known() const { return low <= high; }
  /// Whether a value lies in the interval; false where there is none.
  [[nodiscard]] bool holds(double value) const { return low <= value && value <= high; }
};

/// What one switch adds without another and with it, by pairGain().
struct SwitchPair {
  std::size_t one = 0;
  std::size_t other = 0;
  Microseconds without;
  Microseconds with;
  Microseconds together; ///< with - without
};

/// A step taken apart on one device and one problem: every combination of its switches was raced, and what
/// the step gains is shared out. Times are of one launch; gains are microseconds saved, below 0 where it got
/// slower. Immutable once made.
struct StepApart {
  std::string from; ///< "classify.v3"
  std::string to;
  std::vector<std::string> switches; ///< their names
  std::string device;
  std::string source; ///< of the points
  Problem problem;
  std::size_t rounds = 0;                 ///< of the race
  std::vector<Microseconds> combinations; ///< times; bit s of the place says whether switch s is on
  std::vector<Microseconds> shares;       ///< by switch: what it gains
  Microseconds whole;                     ///< what all of them gain
  std::vector<SwitchPair> pairs;          ///< each switch with each other one
  Microseconds before;                    ///< the time of the version that the step is from
  Microseconds after;
  Microseconds versions; ///< what the one version gains over the other

  [[nodiscard]] double sumOfShares() const;
  /// Whether the shares add up to the whole gain, within its interval; false without an interval.
  [[nodiscard]] bool addsUp() const { return whole.holds(sumOfShares()); }
  /// The part of the earlier version's time that a gain is.
  [[nodiscard]] double partOf(double gainUs) const { return gainUs / combinations.front().us; }
  /// The switches, that which gains most first.
  [[nodiscard]] std::vector<std::size_t> byGain() const;
};

/// What has to be raced to take the step apart: every combination, and both versions with the launch that
/// each has by itself. A version without the step's stage has the two stages that come to the same.
[[nodiscard]] std::vector<Candidate> candidatesOf(const VersionStep& step);

/// Shares the gain of a race of candidatesOf() out. A time is the median of the medians of the places where
/// memory lay, and intervals come from drawing those places anew, 2000 times, with the race's seed (Efron and
/// Tibshirani, "An Introduction to the Bootstrap", chapter 13): the same race gives the same numbers. The
/// error is a sentence: which combination is missing or wrong.
[[nodiscard]] tl::expected<StepApart, std::string> takeApart(const VersionStep& step, const RaceResult& race);

} // namespace lloyd
