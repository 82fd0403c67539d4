// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/run_report.hpp"

#include "app/data/input/wording.hpp"
#include "app/data/precision/figures.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/report/centroid_texts.hpp"
#include "app/model/report/class_report.hpp"
#include "app/model/report/text_table.hpp"
#include "app/model/session/session.hpp"
#include "app/model/tuning/default_origin_text.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/provenance.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/stats/statistics.hpp"
#include "gpu/engine/defaults/tuning_table.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr int terminalColumns = 8;

/// The stages of an iteration for which the plan launches a variant itself.
std::vector<Stage> stagesOf(const Plan& plan) {
  std::vector<Stage> stages{Stage::classify, Stage::reduce,  Stage::fused,
                            Stage::update,   Stage::iterate, Stage::sets};
  std::erase_if(stages,
                [&](Stage stage) { return !plan.of(stage) || (plan.repeats() && stage == Stage::update); });
  return stages;
}

/// "fused cpu.v3, update update.v1", a variant with the tuning parameters that it was given
QString variantsText(const Plan& plan) {
  QStringList parts;
  for (const Stage stage : stagesOf(plan))
    parts << qtext(name(stage)) + QLatin1Char(' ') +
                 qtext(describe(MeasuredVariant{plan.of(stage)->id(), plan.tuningOf(stage), 0}));
  return parts.join(QStringLiteral(", "));
}

/// As many of the columns as are asked for.
TextTable clusterTable(const RunReport& report, qsizetype columns) {
  TextTable table({">cluster", ">size"});
  const QStringList names = columnNames(*report.data).mid(0, columns);
  for (const QString& column : names)
    table.addColumn(column, TextTable::Align::decimal);
  const std::size_t clusters = report.result.sizes.size();
  std::vector<QStringList> coordinates;
  for (std::size_t j = 0; j < static_cast<std::size_t>(names.size()); ++j)
    coordinates.push_back(centroidTexts(report, j));
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    QStringList cells{countText(cluster), countText(report.result.sizes[cluster])};
    for (const QStringList& column : coordinates)
      cells << column[static_cast<qsizetype>(cluster)];
    table.addRow(cells);
  }
  return table;
}

TextTable timingTable(const RunReport& report) {
  const bool simulated = report.device.backend == Backend::simt;
  TextTable table({"stage", "variant", ">samples", ".median us", ".p95 us", ".min us", ".noise %"});
  for (const StageSamples& row : report.times) {
    const Summary times = summarise(row.us);
    const QString variant =
        qtext(row.variant) + (simulated && !row.variant.empty() ? QStringLiteral(", simulated") : QString());
    table.addRow({qtext(name(row.stage)), variant, countText(times.samples), microsecondsText(times.median),
                  microsecondsText(times.p95), microsecondsText(times.min),
                  times.samples > 1 ? percentText(times.noise) : unknownText()});
  }
  return table;
}

QString dataText(const PointSet& points) {
  QString text =
      QStringLiteral("%1: %2, %3")
          .arg(qtext(points.title()), pointsText(points.n),
               points.d == 1 ? QStringLiteral("1 dimension") : QStringLiteral("%1 dimensions").arg(points.d));
  if (!points.dropped.empty())
    text += countedText(points.dropped.size(), QStringLiteral(", %1 row dropped"),
                        QStringLiteral(", %1 rows dropped"));
  return text;
}

/// "petal > 2, which 71 of 150 rows meet": a rule alone does not say how many.
QString whereText(const PointSet& points) {
  if (points.rule.empty()) return {};
  const RowCounts rows(points);
  QString text = QStringLiteral("%1, which %2 of %3 meet")
                     .arg(qtext(points.rule), countText(points.n),
                          countedText(rows.all, QStringLiteral("%1 row"), QStringLiteral("%1 rows")));
  if (rows.dropped > 0)
    text += QStringLiteral("; %1 do not, and %2 were dropped")
                .arg(countText(rows.notChosen), countText(rows.dropped));
  return text;
}

/// A coordinate of a centroid in the units of the file, as short as its stored value is read back from.
QString coordinateText(const RunReport& report, std::size_t cluster, std::size_t column) {
  const auto d = static_cast<std::size_t>(report.data->d);
  return qtext(storedText(report.data->scaleOf(column), report.result.centroids[cluster * d + column]));
}

QString initText(const Init& init) {
  return init.kind == InitKind::given ? QStringLiteral("file:") + qtext(init.path) : qtext(name(init.kind));
}

/// "7, converged; 2 were needed, and the flag of each was looked at 5 iterations later"
QString iterationsText(const RunReport& report) {
  QString text = countText(static_cast<std::uint64_t>(report.iterations)) +
                 (report.converged ? QStringLiteral(", converged") : QStringLiteral(", not converged"));
  if (!report.needed) return text;
  return text +
         QStringLiteral("; %1, and the flag of each was looked at %2")
             .arg(countedText(static_cast<std::uint64_t>(*report.needed), QStringLiteral("%1 was needed"),
                              QStringLiteral("%1 were needed")),
                  countedText(static_cast<std::uint64_t>(report.iterations - *report.needed),
                              QStringLiteral("%1 iteration later"), QStringLiteral("%1 iterations later")));
}

/// A start by chance may end in a poor optimum, which whoever asked for one run is not shown.
QString startText(const RunReport& report) {
  if (!report.startUnasked || !report.restarts.empty()) return {};
  return QStringLiteral("one, seed %1; --restarts 10 takes the best of ten").arg(report.settings.seed);
}

/// "16 from the seeds 1 to 16; inertia 84.2 to 143, median 91.7; 5 within 0.1 % of the least; 11.2 ms of
/// iterations"
QString restartsText(const RunReport& report) {
  if (report.restarts.empty()) return {};
  std::vector<double> inertias;
  for (const Restart& restart : report.restarts)
    inertias.push_back(restart.inertia);
  std::ranges::sort(inertias);
  constexpr double near = 1.001;
  const auto close =
      std::ranges::count_if(inertias, [&](double each) { return each <= inertias.front() * near; });
  return QStringLiteral(
             "%1 from the seeds %2 to %3; inertia %4 to %5, median %6; %7 within 0.1 % of the least; "
             "%8 ms of iterations")
      .arg(countText(inertias.size()))
      .arg(report.restarts.front().seed)
      .arg(report.restarts.back().seed)
      .arg(inertiaText(inertias.front()), inertiaText(inertias.back()), inertiaText(quantile(inertias, 0.5)),
           countText(static_cast<std::uint64_t>(close)), significantText(report.restartsUs / 1000, 3));
}

/// Empty where nobody asked for scores, so that a table has no column of it.
QString scoreCell(const std::optional<ClusterScores>& scores, Score score) {
  return scores ? scoreText(scores->of(score)) : QString();
}

TextTable restartTable(const RunReport& report) {
  TextTable table({">seed", ">iterations", "converged", ".inertia", ".silhouette", ".Davies-Bouldin",
                   ".Calinski-Harabasz"});
  for (const Restart& restart : report.restarts)
    table.addRow({QString::number(restart.seed), QString::number(restart.iterations),
                  restart.converged ? QStringLiteral("yes") : QStringLiteral("no"),
                  inertiaText(restart.inertia), scoreCell(restart.scores, Score::silhouette),
                  scoreCell(restart.scores, Score::daviesBouldin),
                  scoreCell(restart.scores, Score::calinskiHarabasz)});
  return table;
}

QJsonValue numberOrNull(std::optional<double> value) {
  return value && std::isfinite(*value) ? QJsonValue(*value) : QJsonValue();
}

QJsonObject scoresJson(const ClusterScores& scores) {
  QJsonObject json;
  for (const Score score : {Score::silhouette, Score::daviesBouldin, Score::calinskiHarabasz})
    json.insert(qtext(name(score)), numberOrNull(scores.of(score)));
  if (!scores.silhouette) return json;
  const Silhouette& silhouette = *scores.silhouette;
  QJsonArray clusters;
  for (const double value : silhouette.clusters)
    clusters.append(numberOrNull(value));
  json.insert(QStringLiteral("silhouette_clusters"), clusters);
  json.insert(QStringLiteral("silhouette_points"), countJson(silhouette.sampled));
  json.insert(QStringLiteral("silhouette_error"), silhouette.error);
  return json;
}

QJsonArray restartsJson(const RunReport& report) {
  QJsonArray restarts;
  for (const Restart& restart : report.restarts) {
    QJsonObject json{{QStringLiteral("seed"), countJson(restart.seed)},
                     {QStringLiteral("iterations"), restart.iterations},
                     {QStringLiteral("converged"), restart.converged},
                     {QStringLiteral("inertia"), restart.inertia}};
    if (restart.scores) json.insert(QStringLiteral("scores"), scoresJson(*restart.scores));
    restarts.append(json);
  }
  return restarts;
}

QJsonArray historyJson(const RunReport& report) {
  QJsonArray history;
  for (const IterationStats& entry : report.history)
    history.append(
        QJsonObject{{QStringLiteral("iteration"), entry.iteration},
                    {QStringLiteral("inertia"), entry.inertia},
                    {QStringLiteral("changed"), entry.changed ? countJson(*entry.changed) : QJsonValue()},
                    {QStringLiteral("shift"), exactText(static_cast<float>(entry.shift)).toDouble()}});
  return history;
}

QString keptText(PointsKept kept) {
  return kept == PointsKept::pinned     ? QStringLiteral("pinned host memory")
         : kept == PointsKept::ordinary ? QStringLiteral("host memory")
                                        : QStringLiteral("their file");
}

QString batchesText(const RunReport& report) {
  if (!report.streamed) return {};
  return QStringLiteral("the device has no memory for all points: %1; %2 copied to it, %3 back")
      .arg(streamedText(*report.streamed), qtext(byteText(static_cast<double>(report.streamed->bytesUp))),
           qtext(byteText(static_cast<double>(report.streamed->bytesDown))));
}

QJsonObject batchesJson(const StreamFacts& streamed) {
  return {{QStringLiteral("kept"), keptText(streamed.kept)},
          {QStringLiteral("count"), countJson(streamed.batches)},
          {QStringLiteral("points"), countJson(streamed.batchPoints)},
          {QStringLiteral("bytes_to_device"), countJson(streamed.bytesUp)},
          {QStringLiteral("bytes_to_host"), countJson(streamed.bytesDown)},
          {QStringLiteral("only_shared_tiles"), streamed.onlyShared},
          {QStringLiteral("exact"), streamed.exact}};
}

/// Every tuning parameter of the variant with the value it ran with.
QJsonObject parametersJson(const Variant& variant, const Tuning& tuning) {
  const Tuning full = variant.complete(tuning);
  QJsonObject parameters;
  for (const Parameter& parameter : variant.info.parameters)
    parameters.insert(qtext(parameter.name), parameterJson(parameter.name, full.value(parameter.name)));
  return parameters;
}

QJsonArray timingsJson(const RunReport& report) {
  QJsonArray timings;
  for (const StageSamples& row : report.times) {
    const Summary times = summarise(row.us);
    timings.append(
        QJsonObject{{QStringLiteral("stage"), qtext(name(row.stage))},
                    {QStringLiteral("variant"), textOrNull(row.variant)},
                    {QStringLiteral("samples"), countJson(times.samples)},
                    {QStringLiteral("median_us"), times.median},
                    {QStringLiteral("p95_us"), times.p95},
                    {QStringLiteral("min_us"), times.min},
                    {QStringLiteral("noise"), times.samples > 1 ? QJsonValue(times.noise) : QJsonValue()}});
  }
  return timings;
}

} // namespace

QString streamedText(const StreamFacts& streamed) {
  QString text = QStringLiteral("they stay in %1 and go through the device in %2")
                     .arg(keptText(streamed.kept), countedText(streamed.batches, QStringLiteral("%1 batch"),
                                                               QStringLiteral("%1 batches")));
  if (streamed.onlyShared)
    return QStringLiteral(
               "they stay in %1, and an iteration takes only tiles through the device that several "
               "clusters share")
        .arg(keptText(streamed.kept));
  if (streamed.exact) return text;
  return text + QStringLiteral(", and the last digits of their sums depend on how they are cut");
}

QString scoreText(std::optional<double> value) {
  constexpr int digits = 4;
  return value ? significantText(*value, digits) : unknownText();
}

QString scoresText(const ClusterScores& scores) {
  QStringList parts;
  for (const Score score : {Score::silhouette, Score::daviesBouldin, Score::calinskiHarabasz})
    parts << qtext(title(score)) + QLatin1Char(' ') + scoreText(scores.of(score));
  if (scores.silhouette && !scores.silhouette->exact())
    parts.front() += QStringLiteral(" (%1)").arg(sampleText(*scores.silhouette));
  return parts.join(QStringLiteral(", "));
}

QString inertiaText(double inertia) {
  constexpr int digits = 6;
  return wholeDigitsText(inertia, digits);
}

std::vector<std::pair<QString, QString>> runFacts(const RunReport& report) {
  return {
      {QStringLiteral("data"), dataText(*report.data)},
      {QStringLiteral("where"), whereText(*report.data)},
      {QStringLiteral("device"), deviceText(report.device)},
      {QStringLiteral("times"), report.device.backend == Backend::simt
                                    ? QStringLiteral("simulated: the SIMT simulator's, not a GPU's")
                                    : QString()},
      {QStringLiteral("variants"), variantsText(report.plan)},
      {QStringLiteral("chosen"), defaultSourceText(report.plan.source)},
      {QStringLiteral("k"), QStringLiteral("%1, from %2, seed %3")
                                .arg(QString::number(report.settings.k), initText(report.settings.init))
                                .arg(report.settings.seed)},
      {QStringLiteral("start"), startText(report)},
      {QStringLiteral("batches"), batchesText(report)},
      {QStringLiteral("iterations"), iterationsText(report)},
      {QStringLiteral("schedule"),
       report.plan.runsSets() ? QStringLiteral("sets ran from host memory to host memory: single iterations "
                                               "have no record, and their time is a mean over all sets, "
                                               "copies included")
       : report.plan.repeats()
           ? QStringLiteral("the device repeated the iterations by itself: single ones have no record, and "
                            "their time is a mean")
           : QString()},
      {QStringLiteral("inertia"), inertiaText(report.result.inertia.value_or(0))},
      {QStringLiteral("restarts"), restartsText(report)},
      {QStringLiteral("scores"), report.scores ? scoresText(*report.scores) : QString()},
      {QStringLiteral("class"), report.classes ? classText(*report.classes) : QString()},
      {QStringLiteral("empty"),
       report.result.emptyClusters == 0
           ? QString()
           : countedText(report.result.emptyClusters, QStringLiteral("%1 cluster has no points"),
                         QStringLiteral("%1 clusters have no points"))}};
}

void RunReport::addTime(Stage stage, double us) {
  const Variant* variant = plan.of(stage);
  const std::string id = variant ? variant->id() : std::string();
  const auto row = std::ranges::find_if(
      times, [&](const StageSamples& known) { return known.stage == stage && known.variant == id; });
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

std::vector<double> RunReport::centroids() const { return toFileUnits(result.centroids, data->scales); }

KPoint RunReport::kPoint() const {
  KPoint point{.k = settings.k, .runs = {}};
  for (const Restart& restart : restarts)
    point.runs.push_back({.seed = restart.seed, .inertia = restart.inertia, .scores = restart.scores});
  // Where only the best was judged, its scores are not among those of the restarts.
  const auto own = std::ranges::find(point.runs, settings.seed, &ScoredRun::seed);
  if (own != point.runs.end())
    own->scores = scores;
  else
    point.runs.push_back({.seed = settings.seed, .inertia = result.inertia.value_or(0), .scores = scores});
  return point;
}

RunReport reportOf(const Session& session, const IterationResult& result) {
  RunReport report;
  report.device = session.device();
  report.sharing = session.sharing();
  report.why = session.why().toStdString();
  report.data = session.data();
  report.settings = session.settings();
  report.scaling = session.request().scaling;
  report.plan = session.plan();
  report.converged = session.converged();
  report.iterations = result.iteration;
  report.result = result;
  report.history.assign(session.history().begin(), session.history().end());
  for (const TimingSeries::Row* row : session.timings().rows())
    if (!row->series.samples().empty())
      report.times.push_back({row->stage, row->variant, row->series.samples()});
  report.frame = session.timings().frame().summary();
  report.hostBytesPerFrame = session.history().empty() ? 0 : session.history().back().hostBytes;
  return report;
}

QByteArray runMarkdown(const RunReport& report) {
  QString text = QStringLiteral("# k-means of %1\n\n").arg(markdownText(qtext(report.data->title())));
  for (const auto& [fact, value] : runFacts(report))
    if (!value.isEmpty()) text += QStringLiteral("- %1: %2\n").arg(fact, markdownText(value));
  text += QStringLiteral("\n## Clusters\n\n") + clusterTable(report, report.data->d).markdown();
  if (report.classes)
    text += QStringLiteral("\n## Clusters by %1\n\n").arg(markdownText(qtext(report.classes->column))) +
            confusionTable(*report.classes, report.classes->confusion.classes).markdown();
  TextTable history({">iteration", ".inertia", ">changed", ".shift"});
  for (const IterationStats& entry : report.history)
    history.addRow({QString::number(entry.iteration), inertiaText(entry.inertia),
                    entry.changed ? countText(*entry.changed) : unknownText(), significantText(entry.shift)});
  if (!report.restarts.empty()) text += QStringLiteral("\n## Restarts\n\n") + restartTable(report).markdown();
  if (!report.plan.schedule) text += QStringLiteral("\n## Iterations\n\n") + history.markdown();
  text += QStringLiteral("\n## Times\n\n") + timingTable(report).markdown();
  return text.toUtf8();
}

QByteArray runText(const RunReport& report) {
  QString text;
  for (const auto& [fact, value] : runFacts(report))
    if (!value.isEmpty()) text += fact.leftJustified(12) + value + QLatin1Char('\n');
  text += QLatin1Char('\n') + clusterTable(report, terminalColumns).text();
  if (report.data->d > terminalColumns)
    text += QStringLiteral("  the first %1 of %2 columns; --csv - has them all\n")
                .arg(terminalColumns)
                .arg(report.data->d);
  if (report.classes)
    text += QStringLiteral("\n  %1\n").arg(qtext(report.classes->column)) +
            confusionTable(*report.classes, terminalColumns).text();
  text += QLatin1Char('\n') + timingTable(report).text();
  return text.toUtf8();
}

// A run's report for programs: JSON and CSV, numbers with their full precision.

QString clusterName(const RunReport& report, std::size_t cluster) {
  return cluster < report.clusterNames.size() ? qtext(report.clusterNames[cluster]) : QString();
}

QStringList columnNames(const PointSet& points) {
  QStringList names;
  for (int j = 0; j < points.d; ++j) {
    const auto at = static_cast<std::size_t>(j);
    names << (at < points.columns.size() && !points.columns[at].empty() ? qtext(points.columns[at])
                                                                        : QStringLiteral("x%1").arg(j));
  }
  return names;
}

QJsonObject runObject(const RunReport& report) {
  const PointSet& points = *report.data;
  QJsonObject variants;
  QJsonObject parameters;
  for (const Stage stage : stagesOf(report.plan)) {
    const Variant& variant = *report.plan.of(stage);
    variants.insert(qtext(name(stage)), qtext(variant.id()));
    parameters.insert(qtext(name(stage)), parametersJson(variant, report.plan.tuningOf(stage)));
  }
  QJsonArray sizes;
  for (const std::uint32_t size : report.result.sizes)
    sizes.append(countJson(size));
  QJsonArray centroids;
  for (std::size_t cluster = 0; cluster < report.result.sizes.size(); ++cluster) {
    QJsonArray row;
    for (std::size_t j = 0; j < static_cast<std::size_t>(points.d); ++j)
      row.append(coordinateText(report, cluster, j).toDouble());
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
                   {QStringLiteral("init"), initText(report.settings.init)},
                   {QStringLiteral("seed"), countJson(report.settings.seed)},
                   {QStringLiteral("variants"), variants},
                   {QStringLiteral("parameters"), parameters},
                   {QStringLiteral("defaults"), sourceJson(report.plan.source)},
                   {QStringLiteral("iterations"), report.iterations},
                   {QStringLiteral("converged"), report.converged},
                   {QStringLiteral("inertia"), report.result.inertia.value_or(0)},
                   {QStringLiteral("empty_clusters"), countJson(report.result.emptyClusters)},
                   {QStringLiteral("sizes"), sizes},
                   {QStringLiteral("centroids"), centroids},
                   {QStringLiteral("history"), historyJson(report)},
                   {QStringLiteral("timings"), timingsJson(report)}};
  if (points.selected) {
    QJsonObject data = json[QStringLiteral("data")].toObject();
    data.insert(QStringLiteral("part"), qtext(points.part));
    data.insert(QStringLiteral("where"), textOrNull(points.rule));
    json[QStringLiteral("data")] = data;
  }
  if (!report.restarts.empty()) {
    json.insert(QStringLiteral("restarts"), restartsJson(report));
    json.insert(QStringLiteral("restarts_us"), report.restartsUs);
  }
  if (report.classes) json.insert(QStringLiteral("class"), classJson(*report.classes));
  if (report.scores) json.insert(QStringLiteral("scores"), scoresJson(*report.scores));
  if (report.needed) json.insert(QStringLiteral("needed"), *report.needed);
  if (report.streamed) json.insert(QStringLiteral("batches"), batchesJson(*report.streamed));
  if (report.frame) {
    json.insert(QStringLiteral("frame_us"), report.frame->median);
    json.insert(QStringLiteral("host_bytes_per_frame"), countJson(report.hostBytesPerFrame));
  }
  return json;
}

QByteArray runJson(const RunReport& report) { return QJsonDocument(runObject(report)).toJson(); }

QByteArray runCsv(const RunReport& report) {
  QStringList keys{QStringLiteral("cluster"), QStringLiteral("size")};
  keys += columnNames(*report.data);
  const QString rule = qtext(report.data->rule);
  if (!rule.isEmpty()) keys << QStringLiteral("where");
  QString text = csvLine(keys);
  const auto d = static_cast<std::size_t>(report.data->d);
  for (std::size_t cluster = 0; cluster < report.result.sizes.size(); ++cluster) {
    QStringList fields{QString::number(cluster), QString::number(report.result.sizes[cluster])};
    for (std::size_t j = 0; j < d; ++j)
      fields << coordinateText(report, cluster, j);
    if (!rule.isEmpty()) fields << rule;
    text += csvLine(fields);
  }
  return text.toUtf8();
}

} // namespace lloyd
