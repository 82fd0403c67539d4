// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/step_report.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

QJsonValue number(double value) { return std::isfinite(value) ? QJsonValue(value) : QJsonValue(); }
QJsonValue line(const TextTime& time) { return time.line > 0 ? QJsonValue(time.line) : QJsonValue(); }

QJsonValue hereJson(const std::optional<StepHere>& here) {
  if (!here) return {};
  const Comparison& found = here->comparison;
  return QJsonObject{{QStringLiteral("card"), here->card},
                     {QStringLiteral("us"), number(here->us)},
                     {QStringLiteral("before_us"), number(here->beforeUs)},
                     {QStringLiteral("ratio"), number(found.ratio)},
                     {QStringLiteral("low"), number(found.low)},
                     {QStringLiteral("high"), number(found.high)},
                     {QStringLiteral("pairs"), countJson(found.pairs)},
                     {QStringLiteral("same_within"), number(here->sameWithin)},
                     {QStringLiteral("verdict"), qtext(name(found.verdict))}};
}

QStringList rowOf(const StepCells& cells) {
  return {cells.step, cells.there, cells.printed, cells.here, cells.verdict, cells.judgement};
}

} // namespace

std::vector<ReportedStep> stepsOf(const RaceResult& race) {
  std::vector<ReportedStep> steps;
  for (const TextStep& step : textSteps())
    if (auto here = racedStep(step, race)) steps.push_back({&step, std::move(here)});
  return steps;
}

std::vector<ReportedStep> shippedSteps() {
  std::vector<ReportedStep> steps;
  for (const TextStep& step : textSteps())
    steps.push_back({&step, shippedStep(step)});
  return steps;
}

TextTable stepTable(const std::vector<ReportedStep>& steps) {
  TextTable table;
  const auto measured =
      std::ranges::find_if(steps, [](const ReportedStep& step) { return step.here.has_value(); });
  const QString card = measured == steps.end() ? unknownText() : measured->here->card;
  table.addColumn(ReportStrings::tr("step"), TextTable::Align::left);
  table.addColumn(ReportStrings::tr("in the text, its card"), TextTable::Align::left);
  table.addColumn(ReportStrings::tr("as printed, %1").arg(printedCard()), TextTable::Align::left);
  table.addColumn(ReportStrings::tr("here, %1").arg(card), TextTable::Align::left);
  table.addColumn(ReportStrings::tr("verdict"), TextTable::Align::left);
  table.addColumn(ReportStrings::tr("the step"), TextTable::Align::left);
  for (const ReportedStep& reported : steps)
    table.addRow(rowOf(cellsOf(*reported.step, reported.here ? &*reported.here : nullptr)));
  return table;
}

QStringList stepRemarks(const std::vector<ReportedStep>& steps) {
  QStringList remarks{
      ReportStrings::tr(
          "How many times as fast as the version before; in parentheses the two times of a text, "
          "which are for N = 2^20, D = 1, K = 16, or the interval of a race."),
      judgementRule()};
  const bool medians = std::ranges::any_of(steps, [](const ReportedStep& step) {
    return step.here && step.here->from == StepHere::From::medians;
  });
  if (medians)
    remarks << ReportStrings::tr("Of medians alone the interval is the %1 % by which two runs differ anyway.")
                   .arg(percentText(CompareRules().slowerThan));
  for (const ReportedStep& reported : steps)
    if (const QString remark = stepRemark(*reported.step); !remark.isEmpty())
      remarks << QStringLiteral("%1: %2").arg(cellsOf(*reported.step, nullptr).step, remark);
  return remarks;
}

QJsonArray stepsJson(const std::vector<ReportedStep>& steps) {
  QJsonArray all;
  for (const ReportedStep& reported : steps) {
    const TextStep& step = *reported.step;
    const StepHere* here = reported.here ? &*reported.here : nullptr;
    all.append(QJsonObject{
        {QStringLiteral("variant"), qtext(step.now->id())},
        {QStringLiteral("before"), qtext(step.before->id())},
        {QStringLiteral("there"), QJsonObject{{QStringLiteral("us"), number(step.there.us)},
                                              {QStringLiteral("before_us"), number(step.thereBefore.us)},
                                              {QStringLiteral("line"), line(step.there)},
                                              {QStringLiteral("before_line"), line(step.thereBefore)},
                                              {QStringLiteral("gain"), number(step.gainThere())}}},
        {QStringLiteral("printed"), QJsonObject{{QStringLiteral("us"), number(step.printed)},
                                                {QStringLiteral("before_us"), number(step.printedBefore)},
                                                {QStringLiteral("gain"), number(step.gainPrinted())}}},
        {QStringLiteral("here"), hereJson(reported.here)},
        {QStringLiteral("judgement"),
         here ? QJsonValue(qtext(name(judgeStep(step, here->comparison)))) : QJsonValue()},
        {QStringLiteral("cells"), QJsonArray::fromStringList(rowOf(cellsOf(step, here)))}});
  }
  return all;
}

} // namespace lloyd
