// SPDX-License-Identifier: GPL-3.0-or-later
// A run's report for programs: JSON and CSV, numbers with their full precision.
#include "app/model/choice_words.hpp"
#include "app/model/number_text.hpp"
#include "app/model/report_device.hpp"
#include "app/model/report_run.hpp"
#include "app/model/report_table.hpp"
#include "gpu/core/statistics.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>

namespace lloyd {

QStringList columnNames(const PointSet& points) {
  QStringList names;
  for (int j = 0; j < points.d; ++j) {
    const auto at = static_cast<std::size_t>(j);
    names << (at < points.columns.size() && !points.columns[at].empty() ? qtext(points.columns[at])
                                                                        : QStringLiteral("x%1").arg(j));
  }
  return names;
}

namespace {

QJsonArray historyJson(const RunReport& report) {
  QJsonArray history;
  for (const HistoryEntry& entry : report.history)
    history.append(
        QJsonObject{{QStringLiteral("iteration"), entry.iteration},
                    {QStringLiteral("inertia"), entry.inertia},
                    {QStringLiteral("changed"), entry.changed ? countJson(*entry.changed) : QJsonValue()},
                    {QStringLiteral("shift"), entry.shift}});
  return history;
}

/// Every knob of the variant with the value it ran with.
QJsonObject knobsJson(const Variant& variant, const Tuning& tuning) {
  const Tuning full = variant.complete(tuning);
  QJsonObject knobs;
  for (const Parameter& parameter : variant.info.parameters) {
    const int value = full.value(parameter.name);
    knobs.insert(qtext(parameter.name), parameter.name == "arithmetic"
                                            ? QJsonValue(qtext(name(static_cast<Arithmetic>(value))))
                                            : QJsonValue(value));
  }
  return knobs;
}

QJsonArray timingsJson(const RunReport& report) {
  QJsonArray timings;
  for (const StageSamples& row : report.times) {
    const Summary times = summarise(row.us);
    timings.append(QJsonObject{{QStringLiteral("stage"), qtext(name(row.stage))},
                               {QStringLiteral("variant"), textOrNull(row.variant)},
                               {QStringLiteral("samples"), countJson(times.samples)},
                               {QStringLiteral("median_us"), times.median},
                               {QStringLiteral("p95_us"), times.p95},
                               {QStringLiteral("min_us"), times.min},
                               {QStringLiteral("noise"), times.noise}});
  }
  return timings;
}

} // namespace

QByteArray runJson(const RunReport& report) {
  const PointSet& points = *report.data;
  QJsonObject variants;
  QJsonObject knobs;
  for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::iterate})
    if (const Variant* variant = report.plan.of(stage);
        variant && !(report.plan.schedule && stage == Stage::update)) {
      variants.insert(qtext(name(stage)), qtext(variant->id()));
      knobs.insert(qtext(name(stage)), knobsJson(*variant, report.plan.tuningOf(stage)));
    }
  QJsonArray sizes;
  for (const std::uint32_t size : report.result.sizes)
    sizes.append(countJson(size));
  QJsonArray centroids;
  const std::vector<double> values = report.centroids();
  for (std::size_t at = 0; at < values.size();) {
    QJsonArray row;
    for (int j = 0; j < points.d; ++j)
      row.append(values[at++]);
    centroids.append(row);
  }
  QJsonObject json{{QStringLiteral("program"), programJson()},
                   {QStringLiteral("backend"), qtext(name(report.device.backend))},
                   {QStringLiteral("simulated"), report.device.backend == Backend::simt},
                   {QStringLiteral("interop"), qtext(name(report.sharing))},
                   {QStringLiteral("why"), textOrNull(report.why)},
                   {QStringLiteral("device"), deviceJson(report.device)},
                   {QStringLiteral("data"),
                    QJsonObject{{QStringLiteral("source"), qtext(points.source)},
                                {QStringLiteral("points"), countJson(points.n)},
                                {QStringLiteral("dims"), points.d},
                                {QStringLiteral("dropped"), countJson(points.dropped.size())},
                                {QStringLiteral("columns"), QJsonArray::fromStringList(columnNames(points))},
                                {QStringLiteral("scale"), qtext(name(report.scaling))}}},
                   {QStringLiteral("k"), report.settings.k},
                   {QStringLiteral("init"), report.settings.init.kind == InitKind::given
                                                ? QStringLiteral("file:") + qtext(report.settings.init.path)
                                                : qtext(name(report.settings.init.kind))},
                   {QStringLiteral("seed"), countJson(report.settings.seed)},
                   {QStringLiteral("variants"), variants},
                   {QStringLiteral("knobs"), knobs},
                   {QStringLiteral("defaults"), sourceJson(report.plan.source)},
                   {QStringLiteral("iterations"), report.iterations},
                   {QStringLiteral("converged"), report.converged},
                   {QStringLiteral("inertia"), report.result.inertia.value_or(0)},
                   {QStringLiteral("empty_clusters"), countJson(report.result.emptyClusters)},
                   {QStringLiteral("sizes"), sizes},
                   {QStringLiteral("centroids"), centroids},
                   {QStringLiteral("history"), historyJson(report)},
                   {QStringLiteral("timings"), timingsJson(report)}};
  if (report.frame) {
    json.insert(QStringLiteral("frame_us"), report.frame->median);
    json.insert(QStringLiteral("host_bytes_per_frame"), countJson(report.hostBytesPerFrame));
  }
  return QJsonDocument(json).toJson();
}

QByteArray runCsv(const RunReport& report) {
  QStringList keys{QStringLiteral("cluster"), QStringLiteral("size")};
  keys += columnNames(*report.data);
  QString text;
  for (const QString& key : keys)
    text += (text.isEmpty() ? QString() : QStringLiteral(",")) + csvField(key);
  text += QLatin1Char('\n');
  const std::vector<double> values = report.centroids();
  const auto d = static_cast<std::size_t>(report.data->d);
  for (std::size_t cluster = 0; cluster < report.result.sizes.size(); ++cluster) {
    text += QStringLiteral("%1,%2").arg(cluster).arg(report.result.sizes[cluster]);
    for (std::size_t j = 0; j < d; ++j)
      text +=
          QLatin1Char(',') + QString::number(values[cluster * d + j], 'g', QLocale::FloatingPointShortest);
    text += QLatin1Char('\n');
  }
  return text.toUtf8();
}

} // namespace lloyd
