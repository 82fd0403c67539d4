// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/k_curve.hpp"

#include "app/model/report/several_runs.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <array>
#include <string_view>

namespace lloyd {
namespace {

constexpr std::array<std::string_view, 3> shared{"data", "device", "times"};

double inertiaOf(const RunReport& run) { return run.result.inertia.value_or(0); }

/// By how much less inertia than the run before, in per cent of that one's.
QString fallText(std::span<const RunReport> runs, std::size_t at) {
  const double before = at > 0 ? inertiaOf(runs[at - 1]) : 0;
  if (!(before > 0)) return unknownText();
  return percentText(1 - inertiaOf(runs[at]) / before);
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

} // namespace

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
  return severalMarkdown(QStringLiteral("k-means of %1").arg(markdownText(qtext(runs.front().data->source))),
                         factsOf(runs.front(), shared), QStringLiteral("Inertia over k"), curveTable(runs));
}

QByteArray kCurveText(std::span<const RunReport> runs) {
  return severalText(factsOf(runs.front(), shared), curveTable(runs));
}

} // namespace lloyd
