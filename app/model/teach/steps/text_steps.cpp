// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/steps/text_steps.hpp"

#include "app/model/teach/lesson/lesson.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QFile>

#include <algorithm>
#include <array>
#include <charconv>

namespace lloyd {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<std::string_view, 3> series{"Classification article", "Reduction article",
                                                 "Scheduling article"};

const MeasuredTimes& printedTimes() {
  static const MeasuredTimes times = [] {
    initTexts();
    MeasuredTimes read;
    QFile file(QStringLiteral(":/measured/printed.csv"));
    if (file.open(QIODevice::ReadOnly))
      read.read(QString::fromUtf8(file.readAll()), QStringLiteral("printed"));
    return read;
  }();
  return times;
}

double cell(const Variant& variant, const QString& column) {
  return printedTimes().of(qtext(variant.id()), column).value_or(unknown);
}

TextTime timeOf(const Variant& variant, const QString& column) {
  const auto whole = [&](const QString& what) {
    const double value = cell(variant, column + what);
    return value > 0 ? static_cast<int>(value) : 0;
  };
  return {.us = cell(variant, column),
          .line = whole(QStringLiteral("-line")),
          .block = whole(QStringLiteral("-block"))};
}

/// As printed: classifications do not depend on the order of points, and of reductions the shuffled ones were
/// all timed.
double printedOf(const Variant& variant, const QString& launch) {
  const double us = cell(variant, launch);
  return us > 0 ? us : cell(variant, launch + QStringLiteral("-shuffled"));
}

bool isOfTheSeries(const Variant& variant) {
  const std::string_view tag = variant.info.tag;
  int number = 0;
  const bool numbered =
      tag.starts_with('v') &&
      std::from_chars(tag.data() + 1, tag.data() + tag.size(), number).ptr == tag.data() + tag.size();
  return numbered && std::ranges::find(series, variant.info.paper) != series.end();
}

std::vector<const Variant*> ladderOf(Stage stage) {
  std::vector<const Variant*> ladder;
  for (const Variant* variant : Registry::instance().all())
    if (variant->info.family == name(stage) && isOfTheSeries(*variant)) ladder.push_back(variant);
  return ladder;
}

TextStep stepBetween(Stage stage, const Variant& before, const Variant& now) {
  const QString paper = QStringLiteral("paper"), paperOther = QStringLiteral("paper-other");
  const QString printed = QStringLiteral("printed"), printedOther = QStringLiteral("printed-other");
  const bool fromOther = cell(now, QStringLiteral("from-other")) > 0;
  return {.stage = stage,
          .before = &before,
          .now = &now,
          .thereBefore = timeOf(before, fromOther ? paperOther : paper),
          .there = timeOf(now, paper),
          .elsewhere = timeOf(before, fromOther ? paper : paperOther),
          .printedBefore = printedOf(before, fromOther ? printedOther : printed),
          .printed = printedOf(now, printed)};
}

void addSteps(std::vector<TextStep>& steps, Stage stage) {
  const std::vector<const Variant*> ladder = ladderOf(stage);
  for (std::size_t i = 1; i < ladder.size(); ++i) {
    TextStep step = stepBetween(stage, *ladder[i - 1], *ladder[i]);
    if (i >= 2 && step.there.known() && !step.thereBefore.known()) {
      step = stepBetween(stage, *ladder[i - 2], *ladder[i]);
      step.untimed = ladder[i - 1];
    }
    steps.push_back(step);
  }
}

} // namespace

double TextStep::gainThere() const {
  return thereBefore.known() && there.known() ? thereBefore.us / there.us : unknown;
}

const std::vector<TextStep>& textSteps() {
  static const std::vector<TextStep> steps = [] {
    std::vector<TextStep> all;
    for (const Stage stage : {Stage::classify, Stage::reduce})
      addSteps(all, stage);
    return all;
  }();
  return steps;
}

TextTimes textTimesOf(const Variant& variant) {
  return {.usual = timeOf(variant, QStringLiteral("paper")),
          .other = timeOf(variant, QStringLiteral("paper-other"))};
}

const TextStep* stepTo(const Variant& variant) {
  const auto found = std::ranges::find(textSteps(), &variant, &TextStep::now);
  return found == textSteps().end() ? nullptr : &*found;
}

const QString& printedCard() {
  static const QString card = printedTimes().card(QStringLiteral("printed"));
  return card;
}

} // namespace lloyd
