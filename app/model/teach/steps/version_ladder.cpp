// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/steps/version_ladder.hpp"

#include "app/model/teach/lesson/lesson.hpp"
#include "app/model/teach/warp_waits.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

struct Ladder {
  Q_DECLARE_TR_FUNCTIONS(VersionLadder)
};

std::optional<double> racedUs(const Variant& variant, const Tuning& tuning) {
  const QString arithmetic = measuredArithmetic(variant, tuning);
  const QString column = arithmetic == QLatin1String("multiply") ? QStringLiteral("sorted")
                                                                 : QStringLiteral("sorted-") + arithmetic;
  return MeasuredTimes::shipped().of(qtext(variant.id()), column);
}

bool isNumbered(const Variant& variant) {
  const std::string_view tag = variant.info.tag;
  return tag.size() > 1 && tag[0] == 'v' &&
         std::all_of(tag.begin() + 1, tag.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

QString measuredArithmetic(const Variant& variant, const Tuning& tuning) {
  if (!variant.parameter("arithmetic")) return QStringLiteral("multiply");
  return qtext(name(tuning.arithmetic));
}

CardTimes::CardTimes(const std::string& card, const Tuning& tuning, std::span<const Variant* const> variants)
    : tuning_(tuning) {
  const WaitTable* table = waitsOf(card);
  if (!table) return;
  card_ = table->card;
  profiled_ = card_ != MeasuredTimes::shipped().card(QStringLiteral("ladder")) ||
              std::ranges::any_of(variants, [&](const Variant* one) { return !racedUs(*one, tuning); });
}

double CardTimes::us(const Variant& variant) const {
  if (!profiled_) return racedUs(variant, tuning_).value_or(std::nan(""));
  const WaitTable* table = waitsOf(card_.toStdString());
  const WarpWaits* waits =
      table ? table->find(qtext(variant.id()), measuredArithmetic(variant, tuning_)) : nullptr;
  return waits ? waits->us : std::nan("");
}

bool CardTimes::sameWork(std::span<const Variant* const> variants) const {
  const WaitTable* table = waitsOf(card_.toStdString());
  if (!profiled_ || !table) return true;
  const WarpWaits* first = nullptr;
  for (const Variant* variant : variants) {
    const WarpWaits* waits = table->find(qtext(variant->id()), measuredArithmetic(*variant, tuning_));
    if (!waits) continue;
    if (!first) first = waits;
    if (!first->launch.sameWork(waits->launch)) return false;
  }
  return true;
}

QString CardTimes::meaning() const {
  return profiled_ ? Ladder::tr("one launch under the profiler, caches warm")
                   : Ladder::tr("median of a race, points in sorted order");
}

double VersionLadder::longestUs() const {
  double longest = 0;
  for (const Rung& rung : rungs)
    longest = std::max(longest, std::isfinite(rung.us) ? rung.us : 0.0);
  return longest;
}

VersionLadder versionLadder(const TeachSubject& subject, const std::string& card) {
  if (!subject.variant || !isNumbered(*subject.variant)) return {};
  std::vector<const Variant*> family;
  for (const Variant* variant : taughtVariants(subject.stage))
    if (variant->info.family == subject.variant->info.family && isNumbered(*variant) &&
        isCounted(*variant, subject.stage))
      family.push_back(variant);
  const auto here = std::ranges::find(family, subject.variant);
  if (here == family.end()) return {};
  const CardTimes times(card, subject.tuning, family);
  VersionLadder ladder{.rungs = {},
                       .here = static_cast<std::size_t>(here - family.begin()),
                       .card = times.card(),
                       .meaning = times.meaning(),
                       .sameWork = times.sameWork(family)};
  std::size_t known = 0;
  for (const Variant* variant : family) {
    ladder.rungs.push_back({variant, times.us(*variant)});
    known += std::isfinite(ladder.rungs.back().us) ? 1 : 0;
  }
  return known < 2 ? VersionLadder{} : ladder;
}

} // namespace lloyd
