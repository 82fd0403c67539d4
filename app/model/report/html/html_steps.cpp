// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/html_steps.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/report/html/html_page.hpp"
#include "app/model/report/step_report.hpp"

namespace lloyd {
namespace {

/// Rows whose step is lost stand out as other warnings do, and say so in words.
QString classOf(StepJudgement judgement) {
  switch (judgement) {
  case StepJudgement::holds:
    return QStringLiteral("better");
  case StepJudgement::noLonger:
  case StepJudgement::reversed:
    return QStringLiteral("worse");
  default:
    return QStringLiteral("t");
  }
}

} // namespace

void writeTextSteps(Markup& page, const RaceResult& race) {
  const std::vector<ReportedStep> steps = stepsOf(race);
  if (steps.empty()) return;
  page.element("h3", ReportStrings::tr("Steps of the texts"));
  const QStringList definitions{
      ReportStrings::tr("A version of a text's ladder, after the one before that the text times"),
      ReportStrings::tr("How many times as fast as before; in parentheses the text's two times"),
      ReportStrings::tr("The same of the kernels as the text prints them; reductions of shuffled points"),
      ReportStrings::tr("The same in this race, with the interval of the ratio"),
      ReportStrings::tr("Faster or slower when the whole interval lies on one side of 1"),
      judgementRule()};
  std::vector<TableHeading> headings;
  const TextTable table = stepTable(steps);
  for (qsizetype column = 0; column < table.headings().size(); ++column)
    headings.push_back({table.headings()[column], definitions.value(column), QStringLiteral("t")});
  openTable(page, headings);
  for (std::size_t row = 0; row < steps.size(); ++row) {
    const QStringList& cells = table.rows()[row];
    page.open("tr");
    for (const QString& cell : cells.first(cells.size() - 1))
      page.element("td", cell, {{"class", QStringLiteral("t")}});
    page.element("td", cells.last(),
                 {{"class", classOf(judgeStep(*steps[row].step, steps[row].here->comparison))}});
    page.close();
  }
  closeTable(page);
  for (const QString& remark : stepRemarks(steps))
    page.element("p", remark, {{"class", QStringLiteral("dim")}});
}

} // namespace lloyd
