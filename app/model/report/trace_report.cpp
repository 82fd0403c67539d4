// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/trace_report.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/report/text_table.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/text/numbers.hpp"
#include "app/text/provenance.hpp"
#include "app/text/strings.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>

#include <algorithm>
#include <map>
#include <span>

namespace lloyd {
namespace {

using simt::Counters;

/// "block 128, arithmetic multiply"
QString parametersText(const Candidate& candidate) {
  QStringList parts;
  for (const std::string_view parameterName : tuningParameters)
    if (const QJsonValue value = parameterValue(candidate, parameterName); !value.isNull())
      parts << qtext(parameterName) + QLatin1Char(' ') + value.toVariant().toString();
  return parts.join(QStringLiteral(", "));
}

QJsonObject countersJson(const Counters& counters) {
  return {{QStringLiteral("global_load_requests"), countJson(counters.globalLoadRequests)},
          {QStringLiteral("global_load_sectors"), countJson(counters.globalLoadSectors)},
          {QStringLiteral("global_store_requests"), countJson(counters.globalStoreRequests)},
          {QStringLiteral("global_store_sectors"), countJson(counters.globalStoreSectors)},
          {QStringLiteral("shared_requests"), countJson(counters.sharedRequests)},
          {QStringLiteral("bank_conflicts"), countJson(counters.bankConflicts)},
          {QStringLiteral("barriers"), countJson(counters.barriers)},
          {QStringLiteral("warp_collectives"), countJson(counters.warpCollectives)},
          {QStringLiteral("shared_atomics"), countJson(counters.sharedAtomics)},
          {QStringLiteral("global_atomics"), countJson(counters.globalAtomics)},
          {QStringLiteral("shared_atomic_turns"), countJson(counters.sharedAtomicTurns)},
          {QStringLiteral("global_atomic_turns"), countJson(counters.globalAtomicTurns)},
          {QStringLiteral("lanes_per_request"), counters.lanesPerRequest()},
          {QStringLiteral("lines_executed"), countJson(counters.warpLines)},
          {QStringLiteral("lanes_per_line"), counters.lanesPerLine()}};
}

QJsonArray linesJson(const std::vector<simt::Trace::Line>& lines) {
  QJsonArray list;
  for (const simt::Trace::Line& line : lines)
    list.append(QJsonObject{{QStringLiteral("file"), qtext(line.file)},
                            {QStringLiteral("line"), line.line},
                            {QStringLiteral("counters"), countersJson(line.counters)}});
  return list;
}

/// What was launched: variant, problem, points and tuning parameters.
QJsonObject launchJson(const TracedStage& stage) {
  QJsonObject json;
  insertCandidate(json, stage.candidate, stage.problem);
  json.insert(QStringLiteral("points"), textOrNull(stage.source));
  return json;
}

QJsonObject countedJson(const TracedStage& stage, const TraceReport& report) {
  QJsonArray examples;
  for (const simt::Race& race : stage.trace.examples)
    examples.append(QJsonObject{{QStringLiteral("what"), qtext(race.what)},
                                {QStringLiteral("same_value"), race.sameValue}});
  QJsonArray faults;
  for (const std::string& fault : stage.trace.faults)
    faults.append(qtext(fault));
  QJsonObject json = launchJson(stage);
  json.insert(QStringLiteral("seed"), countJson(report.seed));
  json.insert(QStringLiteral("program"), programJson());
  json.insert(QStringLiteral("order"), qtext(scheduleText(report.schedule)));
  json.insert(QStringLiteral("counters"), countersJson(stage.trace.counters));
  json.insert(QStringLiteral("races"), countJson(stage.trace.races));
  json.insert(QStringLiteral("same_value_races"), countJson(stage.trace.sameValueRaces));
  json.insert(QStringLiteral("race_examples"), examples);
  json.insert(QStringLiteral("faults"), faults);
  json.insert(QStringLiteral("lines"), linesJson(stage.trace.lines));
  return json;
}

constexpr const char* legend =
    "\n"
    "loads, stores  requests of warps to global memory; sectors of 32 bytes, in all and a load\n"
    "shared         requests to shared memory; conflicts: extra turns at its banks\n"
    "barriers       of blocks; warp collectives: shuffles, votes and the like\n"
    "atomics        requests, to shared and to global memory; turns: most lanes on one bank, or one address\n"
    "lanes          that took part in a request, of 32\n"
    "lines          that ask memory or exchange values, each time a warp executes one; lanes active on one\n"
    "races          words of shared memory and barrier intervals, words of global memory; same value: where "
    "all stored the same\n";

/// An en dash where there is nothing to divide by.
QString ratioText(std::uint64_t over, std::uint64_t under) {
  return under == 0 ? unknownText() : significantText(static_cast<double>(over) / static_cast<double>(under));
}

/// Nothing where the variant has no such tuning parameter, or where it squares by multiplying, as nearly all
/// do.
QString parameterText(const Candidate& candidate, std::string_view parameterName) {
  const QJsonValue value = parameterValue(candidate, parameterName);
  if (parameterName == "arithmetic" && candidate.tuning.arithmetic == Arithmetic::multiply) return {};
  return value.isNull() ? QString() : value.toVariant().toString();
}

void addRow(TextTable& table, const TracedStage& stage) {
  const Counters& counters = stage.trace.counters;
  const std::uint64_t sameValue = stage.trace.sameValueRaces;
  QStringList cells{qtext(stage.candidate.variant->id())};
  for (const std::string_view parameterName : std::span(tuningParameters).first<kernelParameterCount>())
    cells << parameterText(stage.candidate, parameterName);
  cells << countText(counters.globalLoadRequests) << countText(counters.globalLoadSectors)
        << ratioText(counters.globalLoadSectors, counters.globalLoadRequests)
        << countText(counters.globalStoreRequests) << countText(counters.globalStoreSectors)
        << countText(counters.sharedRequests) << countText(counters.bankConflicts)
        << countText(counters.barriers) << countText(counters.warpCollectives)
        << countText(counters.sharedAtomics) << countText(counters.sharedAtomicTurns)
        << countText(counters.globalAtomics) << countText(counters.globalAtomicTurns)
        << ratioText(counters.lanes, counters.requests) << countText(counters.warpLines)
        << ratioText(counters.warpLineLanes, counters.warpLines) << countText(stage.trace.races)
        << (sameValue == 0 ? QString() : countText(sameValue))
        << (stage.trace.faults.empty() ? QString() : QStringLiteral("FAULT"));
  table.addRow(cells);
}

bool sameData(const TracedStage& one, const TracedStage& other) {
  return one.problem == other.problem && one.source == other.source;
}

TextTable tableOf(const TraceReport& report, const TracedStage& first) {
  TextTable table({"variant",         ">block",        ">items",     ">vector",     ">unroll",
                   ">arithmetic",     ">loads",        ">sectors",   ".a load",     ">stores",
                   ">sectors",        ">shared",       ">conflicts", ">barriers",   ">warp collectives",
                   ">shared atomics", ">turns",        ">global",    ">turns",      ".lanes",
                   ">lines",          ".lanes a line", ">races",     ">same value", "fault"});
  for (const TracedStage& stage : report.stages)
    if (sameData(stage, first)) addRow(table, stage);
  return table;
}

QString shapeText(const Problem& problem) {
  return QStringLiteral("N = %1, D = %2, K = %3").arg(countText(problem.n)).arg(problem.d).arg(problem.k);
}

/// The problem, and its points where others of the stages have the same with others.
QString dataText(const TracedStage& stage, const std::vector<TracedStage>& all) {
  const QString shape = shapeText(stage.problem);
  const bool several = std::ranges::any_of(all, [&](const TracedStage& other) {
    return other.problem == stage.problem && other.source != stage.source;
  });
  return several ? QStringLiteral("%1, %2").arg(shape, qtext(stage.source)) : shape;
}

/// The first stage on each problem and its points, in their order.
std::vector<const TracedStage*> firstsOf(const std::vector<TracedStage>& stages) {
  std::vector<const TracedStage*> firsts;
  for (const TracedStage& stage : stages)
    if (std::ranges::none_of(firsts, [&](const TracedStage* first) { return sameData(*first, stage); }))
      firsts.push_back(&stage);
  return firsts;
}

/// The kernel's file from its first code on, and the headers that it shares with its family; in front of each
/// line what it asked for.
QString annotatedSource(const TracedStage& stage) {
  const SourceText source = sourceOf(*stage.candidate.variant);
  std::map<int, const Counters*> counted; // by the line of the text
  for (const simt::Trace::Line& line : stage.trace.lines)
    if (const int at = source.lineOf(qtext(line.file), line.line); at >= 0) counted[at] = &line.counters;
  if (counted.empty()) return {};
  TextTable table({">loads", ">sectors", ">stores", ">shared", ">conflicts", ">atomics", ">turns",
                   ">executed", ".lanes", ">line", "source"});
  const auto cell = [](std::uint64_t count) { return count == 0 ? QString() : countText(count); };
  for (int at = source.code; at < source.lines.size(); ++at) {
    const auto found = counted.find(at);
    const Counters counters = found == counted.end() ? Counters{} : *found->second;
    const int number = source.numberOf(at);
    table.addRow({cell(counters.globalLoadRequests), cell(counters.globalLoadSectors),
                  cell(counters.globalStoreRequests), cell(counters.sharedRequests),
                  cell(counters.bankConflicts), cell(counters.sharedAtomics + counters.globalAtomics),
                  cell(counters.sharedAtomicTurns + counters.globalAtomicTurns), cell(counters.warpLines),
                  counters.warpLines == 0 ? QString() : ratioText(counters.warpLineLanes, counters.warpLines),
                  number > 0 ? QString::number(number) : QString(), source.lines[at]});
  }
  return QStringLiteral("\n%1, what each line asks for\n\n").arg(source.path) + table.text();
}

/// Everything that was found besides numbers.
QString sentences(const TracedStage& stage) {
  const QString who =
      QStringLiteral("%1 at %2").arg(qtext(stage.candidate.variant->id()), shapeText(stage.problem));
  QString text;
  for (const std::string& fault : stage.trace.faults)
    text += QStringLiteral("- %1 faulted: %2\n").arg(who, qtext(fault));
  for (const simt::Race& race : stage.trace.examples)
    text += QStringLiteral("- %1 %2: %3\n")
                .arg(who, race.sameValue ? QStringLiteral("stores one value from several threads")
                                         : QStringLiteral("has a race"))
                .arg(qtext(race.what));
  return text;
}

} // namespace

bool TraceReport::ok() const {
  return std::ranges::all_of(stages, [](const TracedStage& stage) { return stage.ok(); });
}

std::string scheduleText(const simt::Schedule& schedule) {
  using Order = simt::Schedule::Order;
  if (schedule.order == Order::seeded) return "seeded:" + std::to_string(schedule.seed);
  return schedule.order == Order::reverse ? "reverse" : "forward";
}

QByteArray traceJson(const TraceReport& report) {
  QJsonArray list;
  for (const TracedStage& stage : report.stages)
    list.append(countedJson(stage, report));
  return QJsonDocument(list).toJson();
}

QByteArray traceText(const TraceReport& report) {
  const bool several = std::ranges::any_of(
      report.stages, [&](const TracedStage& stage) { return stage.source != report.stages.front().source; });
  QString text = QStringLiteral("data    %1\norder   %2\n"
                                "counts  asked by the source, over a whole launch on the SIMT simulator\n")
                     .arg(qtext(report.source) +
                              (several ? QStringLiteral(" and others, each with its table") : QString()),
                          qtext(scheduleText(report.schedule)));
  for (const TracedStage* first : firstsOf(report.stages))
    text += QStringLiteral("\n%1\n\n").arg(dataText(*first, report.stages)) + tableOf(report, *first).text();
  text += QString::fromLatin1(legend);
  QString found;
  for (const TracedStage& stage : report.stages)
    found += sentences(stage);
  if (!found.isEmpty()) text += QStringLiteral("\nFound\n") + found;
  if (report.stages.size() == 1) text += annotatedSource(report.stages.front());
  if (!report.untraced.empty()) text += QStringLiteral("\nNot traced\n");
  for (const Untraced& untraced : report.untraced)
    text += QStringLiteral("- %1: %2\n").arg(qtext(untraced.variant), qtext(untraced.reason));
  return text.toUtf8();
}

QByteArray launchesJson(const std::vector<TracedStage>& launches) {
  QJsonArray list;
  for (const TracedStage& launch : launches)
    list.append(launchJson(launch));
  return QJsonDocument(list).toJson();
}

QByteArray launchesText(const std::vector<TracedStage>& launches) {
  TextTable table({"launched once", "problem", "parameters"});
  for (const TracedStage& launch : launches)
    table.addRow({qtext(launch.candidate.variant->id()), dataText(launch, launches),
                  parametersText(launch.candidate)});
  return table.text().toUtf8();
}

} // namespace lloyd
