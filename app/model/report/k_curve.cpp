// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/k_curve.hpp"

#include "app/model/quality/k_curve_points.hpp"
#include "app/model/report/several_runs.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QJsonObject>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace lloyd {
namespace {

constexpr std::array<std::string_view, 5> shared{"data", "where", "device", "batches", "times"};

double inertiaOf(const RunReport& run) { return run.result.inertia.value_or(0); }

/// By how much less inertia than the run before, in per cent of that one's.
QString fallText(std::span<const RunReport> runs, std::size_t at) {
  const double before = at > 0 ? inertiaOf(runs[at - 1]) : 0;
  if (!(before > 0)) return unknownText();
  return percentText(1 - inertiaOf(runs[at]) / before);
}

TextTable curveTable(std::span<const RunReport> runs) {
  TextTable table({">k", ".inertia", ".falls by %", ".worst restart", ">seed", ">iterations", ">needed",
                   "converged", ">empty clusters"});
  for (std::size_t i = 0; i < runs.size(); ++i)
    table.addRow({QString::number(runs[i].settings.k), inertiaText(inertiaOf(runs[i])), fallText(runs, i),
                  worstText(runs[i]), QString::number(runs[i].settings.seed),
                  QString::number(runs[i].iterations), neededText(runs[i]),
                  runs[i].converged ? QStringLiteral("yes") : QStringLiteral("no"),
                  countText(runs[i].result.emptyClusters)});
  return table;
}

constexpr std::array judging{Score::silhouette, Score::daviesBouldin, Score::calinskiHarabasz};

bool judged(std::span<const RunReport> runs) {
  return std::ranges::any_of(runs, [](const RunReport& run) { return run.scores.has_value(); });
}

std::vector<KPoint> pointsOf(std::span<const RunReport> runs) {
  std::vector<KPoint> points;
  for (const RunReport& run : runs)
    points.push_back(run.kPoint());
  return points;
}

/// "0.5191 to 0.5528"; empty for one run.
QString spreadText(const KPoint& point, Score score) {
  const auto spread = point.spread(score);
  if (point.runs.size() < 2 || !spread) return {};
  return QStringLiteral("%1 to %2").arg(scoreText(spread->first), scoreText(spread->second));
}

TextTable scoreTable(std::span<const RunReport> runs) {
  TextTable table({">k"});
  for (const Score score : judging) {
    table.addColumn(qtext(title(score)), TextTable::Align::decimal);
    table.addColumn(QStringLiteral("of restarts"), TextTable::Align::left);
  }
  table.addColumn(QStringLiteral("adjusted Rand"), TextTable::Align::decimal);
  table.addColumn(QStringLiteral("NMI"), TextTable::Align::decimal);
  for (const RunReport& run : runs) {
    const KPoint point = run.kPoint();
    QStringList cells{QString::number(point.k)};
    for (const Score score : judging)
      cells << scoreText(point.best().of(score)) << spreadText(point, score);
    // Empty without a class, so that the table has no such columns.
    cells << (run.classes ? scoreText(run.classes->adjustedRand) : QString())
          << (run.classes ? scoreText(run.classes->normalisedMutualInformation) : QString());
    table.addRow(cells);
  }
  return table;
}

/// What scores suggest, a line each, and what is to be known of them.
QStringList suggestionLines(std::span<const RunReport> runs) {
  const std::vector<KPoint> points = pointsOf(runs);
  QStringList lines;
  for (const Score score : allScores)
    if (const QString text = suggestionText(points, score); !text.isEmpty()) lines << text;
  if (!lines.isEmpty()) lines << suggestionsRemark();
  if (const QString sample = samplesText(points); !sample.isEmpty()) lines << sample;
  return lines;
}

QByteArray scoresMarkdown(std::span<const RunReport> runs) {
  QString text = QStringLiteral("\n## Scores\n\n") + scoreTable(runs).markdown() + QLatin1Char('\n');
  for (const QString& line : suggestionLines(runs))
    text += QStringLiteral("- %1\n").arg(markdownText(line));
  return text.toUtf8();
}

} // namespace

QByteArray kCurveJson(std::span<const RunReport> runs) {
  if (!judged(runs)) return severalJson(runs);
  const std::vector<KPoint> points = pointsOf(runs);
  QJsonObject suggested;
  for (const Score score : allScores) {
    const auto k = suggestedK(points, score);
    suggested.insert(qtext(name(score)), k ? QJsonValue(*k) : QJsonValue());
  }
  return severalJson(runs, {{QStringLiteral("suggested_k"), suggested}});
}

QByteArray kCurveCsv(std::span<const RunReport> runs) {
  QStringList headings{"k", "inertia", "seed", "iterations", "converged", "empty_clusters"};
  const bool scores = judged(runs);
  if (scores)
    for (const Score score : judging)
      headings << qtext(name(score)) << qtext(name(score)) + QStringLiteral("_least")
               << qtext(name(score)) + QStringLiteral("_most");
  const QString rule = qtext(runs.front().data->rule);
  if (!rule.isEmpty()) headings << QStringLiteral("where");
  const bool more = anyDidMore(runs);
  if (more) headings << QStringLiteral("needed");
  QString text = csvLine(headings);
  for (const RunReport& run : runs) {
    QStringList fields{QString::number(run.settings.k),
                       exactText(inertiaOf(run)),
                       QString::number(run.settings.seed),
                       QString::number(run.iterations),
                       run.converged ? QStringLiteral("1") : QStringLiteral("0"),
                       QString::number(run.result.emptyClusters)};
    const KPoint point = run.kPoint();
    for (const Score score : judging) {
      if (!scores) break;
      const auto value = point.best().of(score);
      const auto spread = point.spread(score);
      fields << (value ? exactText(*value) : QString()) << (spread ? exactText(spread->first) : QString())
             << (spread ? exactText(spread->second) : QString());
    }
    if (!rule.isEmpty()) fields << rule;
    if (more) fields << neededText(run);
    text += csvLine(fields);
  }
  return text.toUtf8();
}

QByteArray kCurveMarkdown(std::span<const RunReport> runs) {
  return severalMarkdown(QStringLiteral("k-means of %1").arg(markdownText(qtext(runs.front().data->title()))),
                         factsOf(runs.front(), shared), QStringLiteral("Inertia over k"), curveTable(runs)) +
         (judged(runs) ? scoresMarkdown(runs) : QByteArray());
}

QByteArray kCurveText(std::span<const RunReport> runs) {
  QByteArray curve = severalText(factsOf(runs.front(), shared), curveTable(runs));
  if (!judged(runs)) return curve;
  QString text = QLatin1Char('\n') + scoreTable(runs).text() + QLatin1Char('\n');
  for (const QString& line : suggestionLines(runs))
    text += QStringLiteral("  %1\n").arg(line);
  return curve + text.toUtf8();
}

} // namespace lloyd
