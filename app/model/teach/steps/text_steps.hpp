// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of the articles' two ladders, as the articles time them.
#pragma once
#include "gpu/core/contract/variant.hpp"

#include <QString>

#include <limits>
#include <string_view>
#include <vector>

namespace lloyd {

/// A time that an article prints.
struct TextTime {
  double us = std::numeric_limits<double>::quiet_NaN(); ///< NaN: it prints none
  int line = 0;                                         ///< where it stands in the article; 0: nowhere
  int block = 0;                                        ///< threads in a block; 0: the article does not say

  [[nodiscard]] bool known() const { return us > 0; }
};

/// From one version of an article's ladder to the next. Times are microseconds of one launch.
struct TextStep {
  Stage stage = Stage::classify;
  const Variant* before = nullptr; ///< never null; the last version before that the article times
  const Variant* now = nullptr;    ///< never null
  TextTime thereBefore;            ///< on the author's card, at the launch of `there` where it says so
  TextTime there;
  TextTime elsewhere; ///< of the version before at the other launch that the article prints; never judged
  double printedBefore = std::numeric_limits<double>::quiet_NaN(); ///< the kernels as printed, printedCard()
  double printed = std::numeric_limits<double>::quiet_NaN();       ///< NaN: not measured
  const Variant* untimed = nullptr; ///< the version between the two, of which the article has no time

  /// How many times as fast as before, 2 for twice; NaN where the article does not say.
  [[nodiscard]] double gainThere() const;
  /// The same of the kernels as printed, on printedCard(); reductions of shuffled points.
  [[nodiscard]] double gainPrinted() const { return printedBefore / printed; }
};

/// Every step of the classification and the reduction articles, in the order of their versions, and that to
/// classify.v7, which the third article launches but does not print. Read once from printed.csv, then
/// immutable.
[[nodiscard]] const std::vector<TextStep>& textSteps();
/// A version's time at the launch of VariantInfo::publishedIn, and at the other launch that its article
/// prints; NaN where it has none.
struct TextTimes {
  TextTime usual;
  TextTime other;
};
[[nodiscard]] TextTimes textTimesOf(const Variant& variant);
/// The one that ends at the variant; null where no article has one.
[[nodiscard]] const TextStep* stepTo(const Variant& variant);
/// The card that the printed kernels were timed on, "NVIDIA H200".
[[nodiscard]] const QString& printedCard();

} // namespace lloyd
