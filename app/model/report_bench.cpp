// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report_bench.hpp"

#include "app/model/number_text.hpp"
#include "app/model/report_device.hpp"
#include "app/model/report_table.hpp"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <map>
#include <tuple>

namespace lloyd {
namespace {

using Align = ReportTable::Align;

/// The JSON's keys in the order in which a table shows them.
QStringList keys() {
  QStringList list;
  for (const char* key :
       {"variant",      "stage",       "n",          "d",        "k",         "block",    "items",
        "vector",       "unroll",      "arithmetic", "samples",  "median_us", "p95_us",   "min_us",
        "iqr_us",       "noise",       "bytes",      "gb_per_s", "limit_us",  "of_limit", "registers",
        "shared_bytes", "local_bytes", "occupancy",  "verified", "skipped"})
    list << QString::fromLatin1(key);
  return list;
}

/// The value of a knob; null where the variant has no such knob.
QJsonValue knobJson(const Candidate& candidate, std::string_view knob) {
  if (!candidate.variant->parameter(knob)) return {};
  if (knob == "arithmetic") return qtext(name(candidate.tuning.arithmetic));
  return candidate.tuning.value(knob);
}

QString knobText(const Candidate& candidate, std::string_view knob) {
  const QJsonValue value = knobJson(candidate, knob);
  if (value.isNull()) return {};
  return value.isString() ? value.toString() : countText(static_cast<std::uint64_t>(value.toInt()));
}

QJsonObject resultJson(const Measurement& m) {
  const bool ran = m.times.samples > 0;
  const auto measured = [&](double value) { return ran ? QJsonValue(value) : QJsonValue(); };
  const auto resource = [&](auto value) { return m.resources ? value(*m.resources) : QJsonValue(); };
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
      {QStringLiteral("occupancy"), resource([](const auto& r) { return QJsonValue(r.occupancy); })},
      {QStringLiteral("verified"), m.verified},
      {QStringLiteral("difference"), textOrNull(m.difference)},
      {QStringLiteral("skipped"), textOrNull(m.skipped)}};
  for (const std::string_view knob : tuningKnobs)
    json.insert(qtext(knob), knobJson(m.candidate, knob));
  return json;
}

QJsonArray resultsJson(const BenchReport& report) {
  QJsonArray results;
  for (const Measurement& m : report.results)
    results.append(resultJson(m));
  return results;
}

/// What was run on one problem: by stage, verified before the rest, fastest first.
std::vector<const Measurement*> ranked(const BenchReport& report, const Problem& problem) {
  std::vector<const Measurement*> rows;
  for (const Measurement& m : report.results)
    if (m.problem == problem && m.times.samples > 0) rows.push_back(&m);
  std::stable_sort(rows.begin(), rows.end(), [](const Measurement* a, const Measurement* b) {
    return std::tuple(a->candidate.stage, !a->verified, a->times.median) <
           std::tuple(b->candidate.stage, !b->verified, b->times.median);
  });
  return rows;
}

ReportTable rankingTable(const std::vector<const Measurement*>& rows) {
  ReportTable table;
  for (const char* heading : {"stage", "variant"})
    table.addColumn(QString::fromLatin1(heading), Align::left);
  for (const char* heading : {"block", "items", "vector", "unroll"})
    table.addColumn(QString::fromLatin1(heading), Align::right);
  table.addColumn(QStringLiteral("arithmetic"), Align::left);
  for (const char* heading : {"median us", "p95 us", "min us", "noise %", "times the best", "GB/s",
                              "limit us", "of limit %", "registers", "shared B", "local B", "occupancy %"})
    table.addColumn(QString::fromLatin1(heading), Align::right);
  table.addColumn(QStringLiteral("verified"), Align::left);
  std::map<Stage, double> best;
  for (const Measurement* m : rows) {
    const Candidate& c = m->candidate;
    if (m->verified) best.emplace(c.stage, m->times.median);
    const bool comparable = m->verified && best[c.stage] > 0;
    const auto resource = [&](auto text) { return m->resources ? text(*m->resources) : QString(); };
    table.addRow({qtext(name(c.stage)),
                  qtext(c.variant->id()),
                  knobText(c, "block"),
                  knobText(c, "items"),
                  knobText(c, "vector"),
                  knobText(c, "unroll"),
                  knobText(c, "arithmetic"),
                  microsecondsText(m->times.median),
                  microsecondsText(m->times.p95),
                  microsecondsText(m->times.min),
                  percentText(m->times.noise),
                  comparable ? significantText(m->times.median / best[c.stage]) : unknownText(),
                  significantText(m->gigabytesPerSecond()),
                  microsecondsText(m->limitUs),
                  percentText(m->ofLimit()),
                  resource([](const auto& r) { return countText(static_cast<std::uint64_t>(r.registers)); }),
                  resource([](const auto& r) { return countText(r.sharedBytes); }),
                  resource([](const auto& r) { return countText(r.localBytes); }),
                  resource([](const auto& r) { return percentText(r.occupancy); }),
                  m->verified ? QStringLiteral("yes") : QStringLiteral("NO")});
  }
  return table;
}

/// One part of the report for every problem; asTable lays a table out.
template <class AsTable>
QString parts(const BenchReport& report, const QString& headingMark, const AsTable& asTable) {
  QString text;
  std::vector<Problem> problems;
  for (const Measurement& m : report.results)
    if (problems.end() == std::find(problems.begin(), problems.end(), m.problem))
      problems.push_back(m.problem);
  for (const Problem& problem : problems) {
    const auto rows = ranked(report, problem);
    text += QStringLiteral("\n%1%2 points, %3, k = %4\n\n")
                .arg(headingMark, countText(problem.n),
                     problem.d == 1 ? QStringLiteral("1 dimension")
                                    : QStringLiteral("%1 dimensions").arg(problem.d))
                .arg(problem.k);
    text += rows.empty() ? QStringLiteral("nothing could be run\n") : asTable(rankingTable(rows));
    for (const Measurement* m : rows)
      if (!m->verified)
        text += QStringLiteral("\n%1 %2 is wrong: %3\n")
                    .arg(qtext(m->candidate.variant->id()), qtext(name(m->candidate.stage)),
                         qtext(m->difference));
  }
  QStringList reasons;
  for (const Measurement& m : report.results)
    if (!m.skipped.empty() && !reasons.contains(qtext(m.skipped))) reasons << qtext(m.skipped);
  if (!reasons.isEmpty()) text += QStringLiteral("\n%1Not run\n\n").arg(headingMark);
  for (const QString& reason : reasons)
    text += QStringLiteral("- %1\n").arg(reason);
  return text;
}

QString samplesText(const BenchReport& report) {
  std::size_t samples = 0;
  for (const Measurement& m : report.results)
    samples = std::max(samples, m.times.samples);
  return QStringLiteral(
             "%1 samples of each, taken in turns; the limit is a copy of as many bytes on this device")
      .arg(samples);
}

} // namespace

QByteArray benchJson(const BenchReport& report) {
  const QJsonObject json{
      {QStringLiteral("program"), programJson()},       {QStringLiteral("device"), deviceJson(report.device)},
      {QStringLiteral("why"), textOrNull(report.why)},  {QStringLiteral("source"), qtext(report.source)},
      {QStringLiteral("seed"), countJson(report.seed)}, {QStringLiteral("results"), resultsJson(report)}};
  return QJsonDocument(json).toJson();
}

QByteArray benchCsv(const BenchReport& report) { return csvOf(keys(), resultsJson(report)); }

QByteArray benchMarkdown(const BenchReport& report) {
  QString text = QStringLiteral("# Variants on %1\n\n").arg(qtext(report.device.name));
  text += QStringLiteral("- device: %1\n- data: %2\n- %3\n")
              .arg(deviceText(report.device), qtext(report.source), samplesText(report));
  return (text +
          parts(report, QStringLiteral("## "), [](const ReportTable& table) { return table.markdown(); }))
      .toUtf8();
}

QByteArray benchText(const BenchReport& report) {
  QString text = QStringLiteral("device  %1\ndata    %2\ntimes   %3\n")
                     .arg(deviceText(report.device), qtext(report.source), samplesText(report));
  return (text + parts(report, QString(), [](const ReportTable& table) { return table.text(); })).toUtf8();
}

} // namespace lloyd
