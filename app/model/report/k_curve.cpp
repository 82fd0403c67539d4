// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/k_curve.hpp"

#include "app/model/report/text_table.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/provenance.hpp"
#include "app/text/strings.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lloyd {
namespace {

double inertiaOf(const RunReport& run) { return run.result.inertia.value_or(0); }

/// By how much less inertia than the run before, in per cent of that one's.
QString fallText(std::span<const RunReport> runs, std::size_t at) {
  const double before = at > 0 ? inertiaOf(runs[at - 1]) : 0;
  if (!(before > 0)) return unknownText();
  return percentText(1 - inertiaOf(runs[at]) / before);
}

/// The most that another run of the same k came to; of a single run an en dash.
QString worstText(const RunReport& run) {
  if (run.restarts.empty()) return unknownText();
  return inertiaText(std::ranges::max(run.restarts, {}, &Restart::inertia).inertia);
}

TextTable curveTable(std::span<const RunReport> runs) {
  TextTable table({">k", ".inertia", ".falls by %", ".worst restart", ">seed", ">iterations", "converged",
                   ">empty clusters"});
  for (std::size_t i = 0; i < runs.size(); ++i)
    table.addRow({QString::number(runs[i].settings.k), inertiaText(inertiaOf(runs[i])), fallText(runs, i),
                  worstText(runs[i]), QString::number(runs[i].settings.seed),
                  QString::number(runs[i].iterations),
                  runs[i].converged ? QStringLiteral("yes") : QStringLiteral("no"),
                  countText(runs[i].result.emptyClusters)});
  return table;
}

/// What all the runs share.
std::vector<std::pair<QString, QString>> sharedFacts(std::span<const RunReport> runs) {
  std::vector<std::pair<QString, QString>> shared;
  for (const auto& [fact, value] : runFacts(runs.front()))
    if (!value.isEmpty() &&
        (fact == QLatin1String("data") || fact == QLatin1String("device") || fact == QLatin1String("times")))
      shared.emplace_back(fact, value);
  return shared;
}

} // namespace

QByteArray kCurveJson(std::span<const RunReport> runs) {
  QJsonArray all;
  for (const RunReport& run : runs)
    all.append(runObject(run));
  return QJsonDocument(QJsonObject{{QStringLiteral("program"), programJson()}, {QStringLiteral("runs"), all}})
      .toJson();
}

QByteArray kCurveCsv(std::span<const RunReport> runs) {
  QString text = csvLine({"k", "inertia", "seed", "iterations", "converged", "empty_clusters"});
  for (const RunReport& run : runs)
    text += csvLine({QString::number(run.settings.k), exactText(inertiaOf(run)),
                     QString::number(run.settings.seed), QString::number(run.iterations),
                     run.converged ? QStringLiteral("1") : QStringLiteral("0"),
                     QString::number(run.result.emptyClusters)});
  return text.toUtf8();
}

QByteArray kCurveMarkdown(std::span<const RunReport> runs) {
  QString text = QStringLiteral("# k-means of %1\n\n").arg(markdownText(qtext(runs.front().data->source)));
  for (const auto& [fact, value] : sharedFacts(runs))
    text += QStringLiteral("- %1: %2\n").arg(fact, markdownText(value));
  return (text + QStringLiteral("\n## Inertia over k\n\n") + curveTable(runs).markdown()).toUtf8();
}

QByteArray kCurveText(std::span<const RunReport> runs) {
  QString text;
  for (const auto& [fact, value] : sharedFacts(runs))
    text += fact.leftJustified(12) + value + QLatin1Char('\n');
  return (text + QLatin1Char('\n') + curveTable(runs).text()).toUtf8();
}

} // namespace lloyd
