// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/steps/version_ladder.hpp"

#include "app/model/measure/own_race.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/teach/lesson/lesson.hpp"
#include "app/model/teach/steps/measured_steps.hpp"
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

/// The fastest row with the arithmetic that is looked at; NaN where there is none.
double fastestUs(const RaceResult& race, const TeachSubject& subject, const Variant& variant) {
  for (const Measurement* row : comparableRows(race, subject.stage, variant))
    if (!variant.parameter("arithmetic") || row->candidate.tuning.arithmetic == subject.tuning.arithmetic)
      return row->times.median;
  return std::nan("");
}

/// The numbered versions and those of race, which may be null, then a person's own. Before those what the one
/// that is looked at was raced against in its trial, where that has no number.
std::vector<const Variant*> familyOf(const TeachSubject& subject, const RaceResult* race) {
  std::vector<const Variant*> all, own;
  if (!subject.variant) return {};
  for (const Variant* variant : taughtVariants(subject.stage)) {
    if (variant->info.family != subject.variant->info.family) continue;
    if (isOwn(*variant))
      own.push_back(variant);
    else if ((isNumbered(*variant) && isCounted(*variant, subject.stage)) ||
             (race && std::isfinite(fastestUs(*race, subject, *variant))))
      all.push_back(variant);
  }
  if (isOwn(*subject.variant))
    if (const auto trial = ownRace(*subject.variant, subject.stage))
      if (const Variant* rival = Registry::instance().find(trial->rival.toStdString());
          rival && std::ranges::find(all, rival) == all.end())
        all.push_back(rival);
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

/// Of a ladder whose times are of one run; without rungs where fewer than two are known.
VersionLadder timed(const std::vector<const Variant*>& family, const auto& usOf) {
  VersionLadder ladder;
  std::size_t known = 0;
  for (const Variant* variant : family) {
    ladder.rungs.push_back({variant, usOf(*variant)});
    known += std::isfinite(ladder.rungs.back().us) ? 1 : 0;
  }
  if (known < 2) ladder.rungs.clear();
  return ladder;
}

QString cardOf(const DeviceInfo& device) {
  return device.backend == Backend::simt ? QString() : qtext(device.name);
}

VersionLadder racedLadder(const TeachSubject& subject, const std::vector<const Variant*>& family,
                          const RaceResult& race) {
  VersionLadder ladder =
      timed(family, [&](const Variant& variant) { return fastestUs(race, subject, variant); });
  ladder.raced = true;
  ladder.card = cardOf(race.device);
  ladder.meaning = Ladder::tr("medians of the last race, %1").arg(problemText(race.rows.front().problem));
  return ladder;
}

VersionLadder triedLadder(const TeachSubject& subject, const std::vector<const Variant*>& family) {
  const auto race = ownRace(*subject.variant, subject.stage);
  if (!race) return {};
  VersionLadder ladder = timed(family, [&](const Variant& variant) {
    return &variant == subject.variant          ? race->us
           : qtext(variant.id()) == race->rival ? race->rivalUs
                                                : std::nan("");
  });
  ladder.raced = true;
  ladder.card = race->device;
  ladder.meaning = Ladder::tr("medians of its trial's race, %1").arg(problemText(race->problem));
  ladder.verdict = race->verdict;
  return ladder;
}

VersionLadder measuredLadder(const TeachSubject& subject, const std::vector<const Variant*>& family,
                             const std::string& card) {
  std::vector<const Variant*> shipped = family;
  std::erase_if(shipped, [](const Variant* variant) { return isOwn(*variant); });
  const CardTimes times(card, subject.tuning, shipped);
  VersionLadder ladder = timed(
      family, [&](const Variant& variant) { return isOwn(variant) ? std::nan("") : times.us(variant); });
  ladder.card = times.card();
  ladder.meaning = times.meaning();
  ladder.sameWork = times.sameWork(shipped);
  return ladder;
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

QString VersionLadder::place() const {
  return card.isEmpty() ? Ladder::tr("the simulator") : Ladder::tr("an %1").arg(card);
}

VersionLadder versionLadder(const TeachSubject& subject, const std::string& card, const RaceResult* race) {
  const bool own = subject.variant && isOwn(*subject.variant);
  const bool isRaced = own && race && std::isfinite(fastestUs(*race, subject, *subject.variant));
  const std::vector<const Variant*> family = familyOf(subject, isRaced ? race : nullptr);
  const auto here = std::ranges::find(family, subject.variant);
  if (here == family.end()) return {};
  VersionLadder ladder;
  if (isRaced) ladder = racedLadder(subject, family, *race);
  if (own && ladder.rungs.empty()) ladder = triedLadder(subject, family);
  if (ladder.rungs.empty()) ladder = measuredLadder(subject, family, card);
  ladder.here = static_cast<std::size_t>(here - family.begin());
  return ladder;
}

} // namespace lloyd
