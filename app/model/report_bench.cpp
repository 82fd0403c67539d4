// SPDX-License-Identifier: GPL-3.0-or-later
// A benchmark's report for people: a terminal's text and Markdown.
#include "app/model/report_bench.hpp"

#include "app/model/number_text.hpp"
#include "app/model/report_device.hpp"
#include "app/model/report_table.hpp"
#include "app/model/report_words.hpp"

#include <algorithm>
#include <map>

namespace lloyd {
namespace {

using Align = ReportTable::Align;

ReportTable rankingTable(const RaceResult& race) {
  ReportTable table;
  table.addColumn(QStringLiteral("stage"), Align::left);
  table.addColumn(QStringLiteral("rank"), Align::right);
  table.addColumn(QStringLiteral("variant"), Align::left);
  for (const char* heading : {"block", "items", "vector", "unroll"})
    table.addColumn(QString::fromLatin1(heading), Align::right);
  table.addColumn(QStringLiteral("arithmetic"), Align::left);
  for (const char* heading : {"median us", "p95 us", "min us", "noise %", "times the best"})
    table.addColumn(QString::fromLatin1(heading), Align::right);
  table.addColumn(QStringLiteral("against the family's first"), Align::left);
  for (const char* heading :
       {"GB/s", "limit us", "of limit %", "registers", "shared B", "local B", "occupancy %", "the text's us"})
    table.addColumn(QString::fromLatin1(heading), Align::right);
  table.addColumn(QStringLiteral("verified"), Align::left);
  std::map<Stage, double> best;
  for (const Measurement* m : rankedRows(race)) {
    const Candidate& c = m->candidate;
    const bool ranked = m->rank > 0;
    if (ranked) best.emplace(c.stage, m->times.median);
    const auto resource = [&](auto text) { return m->resources ? text(*m->resources) : QString(); };
    const std::optional<double>& published = c.variant->info.publishedUs;
    table.addRow({qtext(name(c.stage)),
                  rankText(*m),
                  qtext(c.variant->id()),
                  knobCell(c, "block"),
                  knobCell(c, "items"),
                  knobCell(c, "vector"),
                  knobCell(c, "unroll"),
                  knobCell(c, "arithmetic"),
                  microsecondsText(m->times.median),
                  microsecondsText(m->times.p95),
                  microsecondsText(m->times.min),
                  percentText(m->times.noise),
                  ranked ? significantText(m->times.median / best[c.stage]) : unknownText(),
                  standingText(*m, race.conditions.rules.sameWithin),
                  significantText(m->gigabytesPerSecond()),
                  microsecondsText(m->limitUs),
                  percentText(m->ofLimit()),
                  resource([](const auto& r) { return countText(static_cast<std::uint64_t>(r.registers)); }),
                  resource([](const auto& r) { return countText(r.sharedBytes); }),
                  resource([](const auto& r) { return countText(r.localBytes); }),
                  resource([](const auto& r) { return percentText(r.occupancy); }),
                  published ? microsecondsText(published) : QString(),
                  verifiedText(*m)});
  }
  return table;
}

/// How one form of the report writes its parts.
struct Form {
  QString heading; ///< before a heading
  QString item;    ///< before one of several lines
  QString (ReportTable::*table)() const;
};

QString racePart(const RaceResult& race, const Form& form) {
  if (race.rows.empty()) return {};
  QString text = QStringLiteral("\n%1%2\n\n").arg(form.heading, problemWords(race.rows.front().problem));
  const std::vector<const Measurement*> rows = rankedRows(race);
  if (rows.empty()) return text + ReportWords::tr("nothing could be run") + u'\n';
  text += (rankingTable(race).*form.table)();
  text +=
      QStringLiteral("\n%1%2\n").arg(form.item, ReportWords::tr("measured: %1").arg(conditionsWords(race)));
  for (const QString& warning : warningsOf(race))
    text += QStringLiteral("%1%2\n").arg(form.item, warning);
  for (const Measurement* m : rows)
    if (!m->note.empty())
      text += QStringLiteral("%1%2\n").arg(
          form.item, ReportWords::tr("%1: %2").arg(wholeCandidateText(m->candidate), qtext(m->note)));
  for (const Measurement* m : rows)
    if (!m->verified)
      text += QStringLiteral("%1%2\n").arg(
          form.item,
          ReportWords::tr("%1 differs: %2").arg(wholeCandidateText(m->candidate), qtext(m->difference)));
  return text;
}

QString listPart(const QString& title, const QStringList& lines, const Form& form) {
  if (lines.isEmpty()) return {};
  QString text = QStringLiteral("\n%1%2\n\n").arg(form.heading, title);
  for (const QString& line : lines)
    text += QStringLiteral("- %1\n").arg(line);
  return text;
}

QString comparisonPart(const ReportComparison& comparison, const Form& form) {
  QString text =
      QStringLiteral("\n%1%2\n\n").arg(form.heading, ReportWords::tr("Against %1").arg(comparison.before));
  text += comparison.verdict() + u'\n';
  if (!comparison.differences.isEmpty()) text += u'\n';
  for (const QString& difference : comparison.differences)
    text += QStringLiteral("- %1\n").arg(difference);
  if (!comparison.rows.empty()) text += u'\n' + (comparisonTable(comparison).*form.table)();
  text += listPart(ReportWords::tr("Only in this report"), comparison.onlyNow, form);
  text += listPart(ReportWords::tr("Only in the older report"), comparison.onlyBefore, form);
  text += listPart(ReportWords::tr("Variants of the older report that this program does not have"),
                   comparison.unknown, form);
  return text;
}

QString parts(const BenchReport& report, const Form& form) {
  QString text;
  for (const RaceResultPtr& race : report.races)
    text += racePart(*race, form);
  text += listPart(ReportWords::tr("Not run"), reasonsNotRun(report.races), form);
  if (report.comparison) text += comparisonPart(*report.comparison, form);
  if (report.interrupted)
    text += u'\n' + ReportWords::tr("Cancelled: problems that were asked for are missing or not finished.") +
            u'\n';
  return text;
}

} // namespace

bool BenchReport::allVerified() const {
  return std::all_of(races.begin(), races.end(), [](const RaceResultPtr& race) {
    return std::all_of(race->rows.begin(), race->rows.end(),
                       [](const Measurement& m) { return m.verified || !m.skipped.empty(); });
  });
}

QByteArray benchMarkdown(const BenchReport& report) {
  QString text =
      QStringLiteral("# %1\n\n").arg(ReportWords::tr("Variants on %1").arg(qtext(report.device.name)));
  text += QStringLiteral("- device: %1\n- data: %2\n").arg(deviceText(report.device), qtext(report.source));
  if (!report.command.empty()) text += QStringLiteral("- again: `%1`\n").arg(qtext(report.command));
  return (text + parts(report, {QStringLiteral("## "), QStringLiteral("- "), &ReportTable::markdown}))
      .toUtf8();
}

QByteArray benchText(const BenchReport& report) {
  QString text =
      QStringLiteral("device  %1\ndata    %2\n").arg(deviceText(report.device), qtext(report.source));
  if (!report.command.empty()) text += QStringLiteral("again   %1\n").arg(qtext(report.command));
  return (text + parts(report, {QString(), QStringLiteral("  "), &ReportTable::text})).toUtf8();
}

} // namespace lloyd
