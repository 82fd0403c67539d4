// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/run_files.hpp"

#include "app/model/report/several_runs.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

constexpr std::array<std::string_view, 2> shared{"device", "times"};

double inertiaOf(const RunReport& run) { return run.result.inertia.value_or(0); }

/// What all have in common. How many rows of each meet the rule stands behind its name.
std::vector<std::pair<QString, QString>> sharedFacts(std::span<const RunReport> runs) {
  std::vector<std::pair<QString, QString>> facts = factsOf(runs.front(), shared);
  if (const std::string& rule = runs.front().data->rule; !rule.empty())
    facts.insert(facts.begin(), {QStringLiteral("where"), qtext(rule)});
  return facts;
}

TextTable filesTable(std::span<const RunReport> runs) {
  TextTable table({"file", ">points", ">columns", ">k", ".inertia", ".worst restart", ">seed", ">iterations",
                   ">needed", "converged", ">empty clusters"});
  for (const RunReport& run : runs)
    table.addRow({qtext(run.data->title()), countText(run.data->n), QString::number(run.data->d),
                  QString::number(run.settings.k), inertiaText(inertiaOf(run)), worstText(run),
                  QString::number(run.settings.seed), QString::number(run.iterations), neededText(run),
                  run.converged ? QStringLiteral("yes") : QStringLiteral("no"),
                  countText(run.result.emptyClusters)});
  return table;
}

} // namespace

QByteArray filesCsv(std::span<const RunReport> runs) {
  QStringList headings{"file",       "points",    "columns",       "k", "inertia", "seed",
                       "iterations", "converged", "empty_clusters"};
  const QString rule = qtext(runs.front().data->rule);
  if (!rule.isEmpty()) headings << QStringLiteral("where");
  const bool more = anyDidMore(runs);
  if (more) headings << QStringLiteral("needed");
  QString text = csvLine(headings);
  for (const RunReport& run : runs) {
    QStringList fields{qtext(run.data->title()),
                       QString::number(run.data->n),
                       QString::number(run.data->d),
                       QString::number(run.settings.k),
                       exactText(inertiaOf(run)),
                       QString::number(run.settings.seed),
                       QString::number(run.iterations),
                       run.converged ? QStringLiteral("1") : QStringLiteral("0"),
                       QString::number(run.result.emptyClusters)};
    if (!rule.isEmpty()) fields << rule;
    if (more) fields << neededText(run);
    text += csvLine(fields);
  }
  return text.toUtf8();
}

QByteArray filesMarkdown(std::span<const RunReport> runs) {
  return severalMarkdown(QStringLiteral("k-means of %1 files").arg(runs.size()), sharedFacts(runs),
                         QStringLiteral("Files"), filesTable(runs));
}

QByteArray filesText(std::span<const RunReport> runs) {
  return severalText(sharedFacts(runs), filesTable(runs));
}

} // namespace lloyd
