// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report_run.hpp"

#include "app/model/choice_words.hpp"
#include "app/model/number_text.hpp"
#include "app/model/report_device.hpp"
#include "app/model/report_table.hpp"
#include "gpu/core/statistics.hpp"
#include "gpu/engine/choice_text.hpp"

#include <algorithm>

namespace lloyd {
namespace {

using Align = ReportTable::Align;

constexpr int terminalColumns = 8;

/// "fused cpu.v3, update update.v1", a variant with the knobs that it was given
QString variantsText(const Plan& plan) {
  QStringList parts;
  for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::iterate})
    if (const Variant* variant = plan.of(stage); variant && !(plan.schedule && stage == Stage::update))
      parts << qtext(name(stage)) + QLatin1Char(' ') +
                   qtext(inWords(MeasuredVariant{variant->id(), plan.tuningOf(stage), 0}));
  return parts.join(QStringLiteral(", "));
}

/// As many of the columns as are asked for.
ReportTable clusterTable(const RunReport& report, qsizetype columns) {
  ReportTable table;
  table.addColumn(QStringLiteral("cluster"), Align::right);
  table.addColumn(QStringLiteral("size"), Align::right);
  const QStringList names = columnNames(*report.data).mid(0, columns);
  for (const QString& column : names)
    table.addColumn(column, Align::right);
  const auto d = static_cast<std::size_t>(report.data->d);
  const std::vector<double> centroids = report.centroids();
  for (std::size_t cluster = 0; cluster < report.result.sizes.size(); ++cluster) {
    QStringList cells{countText(cluster), countText(report.result.sizes[cluster])};
    for (std::size_t j = 0; j < static_cast<std::size_t>(names.size()); ++j)
      cells << significantText(centroids[cluster * d + j], 6);
    table.addRow(cells);
  }
  return table;
}

ReportTable timingTable(const RunReport& report) {
  const bool simulated = report.device.backend == Backend::simt;
  ReportTable table;
  for (const char* heading : {"stage", "variant"})
    table.addColumn(QString::fromLatin1(heading), Align::left);
  for (const char* heading : {"samples", "median us", "p95 us", "min us", "noise %"})
    table.addColumn(QString::fromLatin1(heading), Align::right);
  for (const StageSamples& row : report.times) {
    const Summary times = summarise(row.us);
    const QString variant =
        qtext(row.variant) + (simulated && !row.variant.empty() ? QStringLiteral(", simulated") : QString());
    table.addRow({qtext(name(row.stage)), variant, countText(times.samples), microsecondsText(times.median),
                  microsecondsText(times.p95), microsecondsText(times.min), percentText(times.noise)});
  }
  return table;
}

QString dataText(const PointSet& points) {
  QString text =
      QStringLiteral("%1: %2 points, %3")
          .arg(qtext(points.source), countText(points.n),
               points.d == 1 ? QStringLiteral("1 dimension") : QStringLiteral("%1 dimensions").arg(points.d));
  if (!points.dropped.empty())
    text += QStringLiteral(", %1 rows dropped").arg(countText(points.dropped.size()));
  return text;
}

QString seedingText(const Settings& settings) {
  QString text = qtext(name(settings.init.kind));
  if (settings.init.kind == InitKind::given) text = QStringLiteral("file:") + qtext(settings.init.path);
  return text + QStringLiteral(", seed %1").arg(settings.seed);
}

/// What was done, as name and value.
std::vector<std::pair<QString, QString>> facts(const RunReport& report) {
  const QString ended =
      report.converged ? QStringLiteral("%1, converged") : QStringLiteral("%1, not converged");
  return {{QStringLiteral("data"), dataText(*report.data)},
          {QStringLiteral("device"), deviceText(report.device)},
          {QStringLiteral("times"), report.device.backend == Backend::simt
                                        ? QStringLiteral("simulated: the CPU executor's, not a GPU's")
                                        : QString()},
          {QStringLiteral("variants"), variantsText(report.plan)},
          {QStringLiteral("chosen"), sourceWords(report.plan.source)},
          {QStringLiteral("k"),
           QString::number(report.settings.k) + QStringLiteral(", from ") + seedingText(report.settings)},
          {QStringLiteral("iterations"), ended.arg(countText(static_cast<std::uint64_t>(report.iterations)))},
          {QStringLiteral("schedule"),
           report.plan.schedule ? QStringLiteral("the device repeated the iterations by itself: single ones "
                                                 "have no record, and their time is a mean")
                                : QString()},
          {QStringLiteral("inertia"), significantText(report.result.inertia.value_or(0), 6)},
          {QStringLiteral("empty"),
           report.result.emptyClusters == 0
               ? QString()
               : QStringLiteral("%1 clusters have no points").arg(report.result.emptyClusters)}};
}

} // namespace

void RunReport::addTime(Stage stage, double us) {
  const Variant* variant = plan.of(stage);
  const std::string id = variant ? variant->id() : std::string();
  const auto row = std::find_if(times.begin(), times.end(), [&](const StageSamples& known) {
    return known.stage == stage && known.variant == id;
  });
  if (row != times.end())
    row->us.push_back(us);
  else
    times.push_back({stage, id, {us}});
}

void RunReport::remember(const IterationResult& iteration) {
  iterations = iteration.iteration;
  history.emplace_back(iteration);
  for (std::size_t stage = 0; stage < stageCount; ++stage)
    if (const auto us = iteration.times[static_cast<Stage>(stage)]) addTime(static_cast<Stage>(stage), *us);
}

void RunReport::rememberRepeated(const IterationResult& last) {
  const int repeated = last.iteration - iterations;
  iterations = last.iteration;
  if (const auto us = last.times[Stage::iterate]; us && repeated > 0) addTime(Stage::iterate, *us / repeated);
}

std::vector<double> RunReport::centroids() const {
  std::vector<double> values(result.centroids.begin(), result.centroids.end());
  const auto d = static_cast<std::size_t>(data->d);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i % d < data->scales.size())
      values[i] = values[i] * data->scales[i % d].factor + data->scales[i % d].offset;
  return values;
}

QByteArray runMarkdown(const RunReport& report) {
  QString text = QStringLiteral("# k-means of %1\n\n").arg(qtext(report.data->source));
  for (const auto& [fact, value] : facts(report))
    if (!value.isEmpty()) text += QStringLiteral("- %1: %2\n").arg(fact, value);
  text += QStringLiteral("\n## Clusters\n\n") + clusterTable(report, report.data->d).markdown();
  ReportTable history;
  for (const char* heading : {"iteration", "inertia", "changed", "shift"})
    history.addColumn(QString::fromLatin1(heading), Align::right);
  for (const HistoryEntry& entry : report.history)
    history.addRow({QString::number(entry.iteration), significantText(entry.inertia, 6),
                    entry.changed ? countText(*entry.changed) : unknownText(), significantText(entry.shift)});
  if (!report.plan.schedule) text += QStringLiteral("\n## Iterations\n\n") + history.markdown();
  text += QStringLiteral("\n## Times\n\n") + timingTable(report).markdown();
  return text.toUtf8();
}

QByteArray runText(const RunReport& report) {
  QString text;
  for (const auto& [fact, value] : facts(report))
    if (!value.isEmpty()) text += fact.leftJustified(12) + value + QLatin1Char('\n');
  text += QLatin1Char('\n') + clusterTable(report, terminalColumns).text();
  if (report.data->d > terminalColumns)
    text += QStringLiteral("  the first %1 of %2 columns; --csv - has them all\n")
                .arg(terminalColumns)
                .arg(report.data->d);
  text += QLatin1Char('\n') + timingTable(report).text();
  return text.toUtf8();
}

} // namespace lloyd
