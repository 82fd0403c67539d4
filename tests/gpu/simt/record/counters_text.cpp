// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/simt/record/counters_text.hpp"

#include "app/model/report/text_table.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

namespace lloyd::test {
namespace {

void addRow(TextTable& table, const Variant& variant, const Problem& problem, const simt::Trace& trace) {
  const simt::Counters& counters = trace.counters;
  QStringList cells{qtext(variant.id()), countText(problem.n), QString::number(problem.d),
                    QString::number(problem.k)};
  const Tuning tuning = variant.complete({});
  cells << (variant.parameter("block") ? QString::number(tuning.block) : unknownText());
  for (const std::uint64_t count :
       {counters.globalLoadRequests, counters.globalLoadSectors, counters.globalStoreRequests,
        counters.globalStoreSectors, counters.sharedRequests, counters.bankConflicts, counters.barriers,
        counters.warpCollectives, counters.sharedAtomics, counters.globalAtomics, counters.lanes,
        counters.sharedAtomicTurns, counters.globalAtomicTurns, counters.warpLines, counters.warpLineLanes,
        trace.races, trace.sameValueRaces})
    cells << countText(count);
  table.addRow(cells);
}

} // namespace

const std::vector<Problem>& goldenProblems(std::string_view family) {
  static const std::vector<Problem> many{{1000, 3, 10}, {2048, 64, 16}};
  if (family == "distance") return many;
  // Also what one pass over few coordinates does not take, and one over many does.
  static const std::vector<Problem> both{
      {1000, 3, 10}, {16384, 3, 8}, {4096, 1, 16}, {1000, 8, 10}, {4096, 16, 60}};
  if (family == "fused") return both;
  // A size that fills no block, the note's size for coalesced loads, and the papers' dimension and K.
  static const std::vector<Problem> problems{{1000, 3, 10}, {16384, 3, 8}, {4096, 1, 16}};
  return problems;
}

simt::Trace traceCase(const Variant& variant, Stage stage, const Problem& problem,
                      const simt::Schedule& schedule, const Tuning& tuning) {
  const CaseInputs inputs = build({.problem = problem});
  return simt::traceStage({.variant = &variant,
                           .stage = stage,
                           .problem = problem,
                           .points = inputs.points,
                           .centroids = inputs.centroids,
                           .oldLabels = inputs.oldLabels,
                           .tuning = variant.complete(tuning),
                           .schedule = schedule})
      .trace;
}

std::vector<Stage> stagesOf(const Variant& variant) {
  std::vector<Stage> stages;
  for (const Stage stage :
       {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::iterate, Stage::layout})
    if (variant.on(Backend::simt).has(stage)) stages.push_back(stage);
  return stages;
}

QByteArray countersText(std::string_view family) {
  using Align = TextTable::Align;
  TextTable table;
  table.addColumn(QStringLiteral("variant"), Align::left);
  for (const char* heading : {"n",
                              "d",
                              "k",
                              "block",
                              "loads",
                              "load sectors",
                              "stores",
                              "store sectors",
                              "shared",
                              "conflicts",
                              "barriers",
                              "collectives",
                              "shared atomics",
                              "global atomics",
                              "lanes",
                              "shared turns",
                              "global turns",
                              "lines",
                              "line lanes",
                              "races",
                              "same value"})
    table.addColumn(QString::fromLatin1(heading), Align::right);
  const auto device = simt::createSimtDevice();
  for (const Variant* variant : Registry::instance().all()) {
    if (variant->info.family != family) continue;
    for (const Stage stage : stagesOf(*variant))
      for (const Problem& problem : goldenProblems(family))
        if (!variant->whyNot(stage, problem, device->info(), {}))
          addRow(table, *variant, problem, traceCase(*variant, stage, problem));
  }
  return table.text().toUtf8();
}

} // namespace lloyd::test
