// SPDX-License-Identifier: GPL-3.0-or-later
// A benchmark's report for programs: JSON and CSV, numbers with their full precision.
#include "app/model/report_bench.hpp"
#include "app/model/report_device.hpp"
#include "app/model/report_table.hpp"
#include "app/model/report_words.hpp"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

namespace lloyd {
namespace {

/// The JSON's keys in the order in which a table shows them.
QStringList csvKeys() {
  QStringList list;
  for (const char* key : {"variant",
                          "stage",
                          "n",
                          "d",
                          "k",
                          "block",
                          "items",
                          "vector",
                          "unroll",
                          "arithmetic",
                          "samples",
                          "median_us",
                          "p95_us",
                          "min_us",
                          "iqr_us",
                          "noise",
                          "bytes",
                          "gb_per_s",
                          "limit_us",
                          "of_limit",
                          "registers",
                          "shared_bytes",
                          "local_bytes",
                          "occupancy",
                          "verified",
                          "skipped",
                          "difference",
                          "rank",
                          "against_first.verdict",
                          "against_first.ratio",
                          "against_first.low",
                          "against_first.high",
                          "published_us",
                          "launches",
                          "finished"})
    list << QString::fromLatin1(key);
  return list;
}

/// Null for what is no number: JSON has no word for it.
QJsonValue numberJson(double value) { return std::isfinite(value) ? QJsonValue(value) : QJsonValue(); }

QJsonArray samplesJson(const std::vector<double>& us) {
  QJsonArray samples;
  for (const double value : us)
    samples.append(numberJson(value));
  return samples;
}

QJsonValue againstFirstJson(const Measurement& m) {
  if (!m.againstFirst) return {};
  return QJsonObject{{QStringLiteral("verdict"), qtext(name(m.againstFirst->verdict))},
                     {QStringLiteral("ratio"), numberJson(m.againstFirst->ratio)},
                     {QStringLiteral("low"), numberJson(m.againstFirst->low)},
                     {QStringLiteral("high"), numberJson(m.againstFirst->high)}};
}

QJsonObject resultJson(const Measurement& m, const RaceResult& race) {
  const auto measured = [&](double value) { return m.ran() ? numberJson(value) : QJsonValue(); };
  const auto resource = [&](auto value) { return m.resources ? value(*m.resources) : QJsonValue(); };
  const VariantInfo& info = m.candidate.variant->info;
  QJsonObject json{
      {QStringLiteral("variant"), qtext(m.candidate.variant->id())},
      {QStringLiteral("stage"), qtext(name(m.candidate.stage))},
      {QStringLiteral("n"), countJson(m.problem.n)},
      {QStringLiteral("d"), m.problem.d},
      {QStringLiteral("k"), m.problem.k},
      {QStringLiteral("samples"), countJson(m.times.samples)},
      {QStringLiteral("median_us"), measured(m.times.median)},
      {QStringLiteral("p95_us"), measured(m.times.p95)},
      {QStringLiteral("min_us"), measured(m.times.min)},
      {QStringLiteral("iqr_us"), measured(m.times.iqr)},
      {QStringLiteral("noise"), measured(m.times.noise)},
      {QStringLiteral("bytes"), countJson(m.bytes)},
      {QStringLiteral("gb_per_s"), measured(m.gigabytesPerSecond())},
      {QStringLiteral("limit_us"), measured(m.limitUs)},
      {QStringLiteral("of_limit"), measured(m.ofLimit())},
      {QStringLiteral("registers"), resource([](const auto& r) { return QJsonValue(r.registers); })},
      {QStringLiteral("shared_bytes"), resource([](const auto& r) { return countJson(r.sharedBytes); })},
      {QStringLiteral("local_bytes"), resource([](const auto& r) { return countJson(r.localBytes); })},
      {QStringLiteral("occupancy"), resource([](const auto& r) { return numberJson(r.occupancy); })},
      {QStringLiteral("verified"), m.verified},
      {QStringLiteral("difference"), textOrNull(m.difference)},
      {QStringLiteral("skipped"), textOrNull(m.skipped)},
      {QStringLiteral("note"), textOrNull(m.note)},
      {QStringLiteral("rank"), m.rank > 0 ? QJsonValue(m.rank) : QJsonValue()},
      {QStringLiteral("against_first"), againstFirstJson(m)},
      {QStringLiteral("published_us"), info.publishedUs ? numberJson(*info.publishedUs) : QJsonValue()},
      {QStringLiteral("launches"), m.ran() ? countJson(m.launches) : QJsonValue()},
      {QStringLiteral("samples_us"), samplesJson(m.us)},
      {QStringLiteral("finished"), race.finished}};
  for (const std::string_view knob : tuningKnobs)
    json.insert(qtext(knob), knobValue(m.candidate, knob));
  return json;
}

QJsonArray resultsJson(const BenchReport& report) {
  QJsonArray results;
  for (const RaceResultPtr& race : report.races)
    for (const Measurement& m : race->rows)
      results.append(resultJson(m, *race));
  return results;
}

QJsonValue momentJson(std::chrono::system_clock::time_point when) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(when.time_since_epoch()).count();
  if (seconds == 0) return {};
  return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).toString(Qt::ISODate);
}

QJsonObject raceJson(const RaceResult& race) {
  const RaceConditions& c = race.conditions;
  const Problem problem = race.rows.empty() ? Problem{} : race.rows.front().problem;
  return {{QStringLiteral("n"), countJson(problem.n)},
          {QStringLiteral("d"), problem.d},
          {QStringLiteral("k"), problem.k},
          {QStringLiteral("source"), textOrNull(race.source)},
          {QStringLiteral("date"), momentJson(race.when)},
          {QStringLiteral("finished"), race.finished},
          {QStringLiteral("cache"), qtext(name(c.cache))},
          {QStringLiteral("seed"), countJson(c.seed)},
          {QStringLiteral("rounds"), countJson(c.rounds)},
          {QStringLiteral("ramp_up"), countJson(c.rampUp)},
          {QStringLiteral("throttled"), countJson(c.throttled)},
          {QStringLiteral("clock_mhz"), c.clockMhz > 0 ? numberJson(c.clockMhz) : QJsonValue()},
          {QStringLiteral("clock_stable"), c.clockStable},
          {QStringLiteral("warm_up_seconds"), numberJson(c.warmUpSeconds)},
          {QStringLiteral("seconds"), numberJson(c.seconds)},
          {QStringLiteral("undecided"), countJson(c.undecided)},
          {QStringLiteral("same_within"), numberJson(c.rules.sameWithin)},
          {QStringLiteral("error"), numberJson(c.rules.error)},
          {QStringLiteral("comparisons"), countJson(c.rules.comparisons)},
          {QStringLiteral("looks"), countJson(c.rules.looks)},
          {QStringLiteral("program_version"), programJson().value(QStringLiteral("version"))},
          {QStringLiteral("driver"), textOrNull(race.device.driver)},
          {QStringLiteral("runtime"), textOrNull(race.device.runtime)}};
}

} // namespace

QByteArray benchJson(const BenchReport& report) {
  QJsonObject device = deviceJson(report.device);
  device.insert(QStringLiteral("peak_flops"),
                report.device.peakFlops > 0 ? numberJson(report.device.peakFlops) : QJsonValue());
  QJsonArray races;
  for (const RaceResultPtr& race : report.races)
    races.append(raceJson(*race));
  QJsonObject json{
      {QStringLiteral("program"), programJson()},
      {QStringLiteral("device"), device},
      {QStringLiteral("why"), textOrNull(report.why)},
      {QStringLiteral("source"), qtext(report.source)},
      {QStringLiteral("seed"), countJson(report.seed)},
      {QStringLiteral("command"), textOrNull(report.command)},
      {QStringLiteral("date"), report.races.empty() ? QJsonValue() : momentJson(report.races.front()->when)},
      {QStringLiteral("finished"), !report.interrupted},
      {QStringLiteral("races"), races},
      {QStringLiteral("results"), resultsJson(report)}};
  if (report.comparison) json.insert(QStringLiteral("comparison"), comparisonJson(*report.comparison));
  return QJsonDocument(json).toJson();
}

QByteArray benchCsv(const BenchReport& report) {
  QJsonArray flat;
  for (const auto& value : resultsJson(report)) {
    QJsonObject row = value.toObject();
    const QJsonObject against = row.value(QStringLiteral("against_first")).toObject();
    for (auto part = against.begin(); part != against.end(); ++part)
      row.insert(QStringLiteral("against_first.") + part.key(), part.value());
    flat.append(row);
  }
  return csvOf(csvKeys(), flat);
}

} // namespace lloyd
