// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/write_report.hpp"

#include "app/model/report/html/html_report.hpp"
#include "app/model/session/command_line_text.hpp"
#include "app/text/strings.hpp"

#include <QStringList>

namespace lloyd {
namespace {

/// The race's own variants by id, each once.
QString variantsOf(const RaceResult& race) {
  QStringList ids;
  for (const Measurement& row : race.rows)
    if (row.ran()) ids << qtext(row.candidate.variant->id());
  ids.removeDuplicates();
  return ids.join(QLatin1Char(','));
}

/// The window's words without those that only a run understands.
QString commandOf(const RaceResult& race, const DataRequest& request, const Settings& settings) {
  Settings kept = settings;
  kept.interop = InteropRequest::automatic;
  kept.iterations = Settings{}.iterations;
  kept.tolerance = Settings{}.tolerance;
  kept.selection = {};
  kept.selection.tuning = settings.selection.tuning;
  QString text = commandText(request, kept);
  text.insert(QStringLiteral("lloydscope").size(), QStringLiteral(" bench"));
  text += QStringLiteral(" --variants ") + shellQuoted(variantsOf(race));
  if (race.conditions.cache == CacheState::cold) text += QStringLiteral(" --cache cold");
  return text;
}

} // namespace

BenchReport raceReport(const RaceResultPtr& race, const DataRequest& request, const Settings& settings,
                       const QString& why) {
  return {.device = race->device,
          .why = why.toStdString(),
          .source = race->source,
          .seed = settings.seed,
          .races = {race},
          .command = commandOf(*race, request, settings).toStdString(),
          .interrupted = !race->finished,
          .comparison = {}};
}

std::optional<QByteArray> reportAs(const QString& fileName, const BenchReport& report) {
  const auto named = [&](const char* ending) {
    return fileName.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
  };
  if (named(".html") || named(".htm")) return benchHtml(report);
  if (named(".json")) return benchJson(report);
  if (named(".csv")) return benchCsv(report);
  if (named(".md")) return benchMarkdown(report);
  return std::nullopt;
}

} // namespace lloyd
