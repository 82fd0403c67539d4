// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/plot_table.hpp"

#include "app/text/csv.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace lloyd {

namespace {

QString whole(std::uint64_t value) { return QString::number(value); }

QString parameterName(int value) { return value > 0 ? QString::number(value) : QString(); }

void addRun(QStringList& row, const IterationStats* entry) {
  row << (entry ? exactText(entry->inertia) : QString())
      << (entry && entry->changed ? whole(*entry->changed) : QString())
      << (entry ? exactText(static_cast<float>(entry->shift)) : QString()); // single precision
}

} // namespace

QString PlotTable::csv() const {
  QString text = csvLine(headings, "\r\n");
  for (const QStringList& row : rows)
    text += csvLine(row, "\r\n");
  return text;
}

PlotTable stageTable(const FrameLog& record, bool simulated) {
  PlotTable table;
  std::set<Stage> stages;
  for (const FrameTimes& frame : record.entries())
    for (std::size_t i = 0; i < stageCount; ++i)
      if (frame.us[static_cast<Stage>(i)]) stages.insert(static_cast<Stage>(i));
  table.headings << (record.wholeFrames() ? QStringLiteral("frame") : QStringLiteral("iteration"));
  for (const Stage stage : stages)
    table.headings << qtext(name(stage)) +
                          (simulated ? QStringLiteral(" (simulated us)") : QStringLiteral(" (us)"));
  for (const FrameTimes& frame : record.entries()) {
    QStringList row{whole(frame.number)};
    for (const Stage stage : stages)
      row << (frame.us[stage] ? exactText(*frame.us[stage]) : QString());
    table.rows.push_back(row);
  }
  return table;
}

PlotTable distributionTable(const Measurement& a, const Measurement& b) {
  PlotTable table;
  table.headings << QStringLiteral("round") << tunedName(a.candidate) + QStringLiteral(" (us)")
                 << tunedName(b.candidate) + QStringLiteral(" (us)") << QStringLiteral("ratio");
  const std::size_t rounds = std::max(a.us.size(), b.us.size());
  for (std::size_t i = 0; i < rounds; ++i) {
    const double first = i < a.us.size() ? a.us[i] : std::nan("");
    const double second = i < b.us.size() ? b.us[i] : std::nan("");
    table.rows.push_back({whole(i + 1), exactText(first), exactText(second), exactText(first / second)});
  }
  return table;
}

PlotTable rooflineTable(const Roofline& roofline, const RaceResult& race) {
  PlotTable table;
  table.headings = QStringLiteral("what|stage|operations per byte|operations per second|"
                                  "roof (operations per second)|bytes|bytes per second")
                       .split(u'|');
  for (const RooflinePoint& point : roofline.points) {
    const Measurement& row = race.rows[point.row];
    table.rows.push_back({tunedName(row.candidate), qtext(name(row.candidate.stage)),
                          exactText(point.operationsPerByte), exactText(point.operationsPerSecond),
                          std::isfinite(point.roof) ? exactText(point.roof) : QString(), whole(row.bytes),
                          exactText(point.operationsPerSecond / point.operationsPerByte)});
  }
  for (const std::size_t i : roofline.notArithmetic) {
    const Measurement& row = race.rows[i];
    table.rows.push_back({tunedName(row.candidate), qtext(name(row.candidate.stage)), QString(), QString(),
                          QString(), whole(row.bytes), exactText(row.gigabytesPerSecond() * 1e9)});
  }
  for (const MemoryRoof& roof : roofline.memory)
    table.rows.push_back({QStringLiteral("memory"), QString(), QString(), QString(), QString(),
                          whole(roof.bytes), exactText(roof.bytesPerSecond)});
  if (roofline.peak > 0)
    table.rows.push_back({QStringLiteral("arithmetic"), QString(), QString(), exactText(roofline.peak),
                          QString(), QString(), QString()});
  return table;
}

PlotTable convergenceTable(const std::deque<IterationStats>& run, const std::deque<IterationStats>* other) {
  PlotTable table;
  table.headings =
      QStringLiteral("iteration|inertia (data units squared)|changed (points)|shift (data units)")
          .split(u'|');
  if (other)
    table.headings +=
        QStringLiteral("inertia of B (data units squared)|changed of B (points)|shift of B (data units)")
            .split(u'|');
  std::map<int, std::pair<const IterationStats*, const IterationStats*>> byIteration;
  for (const IterationStats& entry : run)
    byIteration[entry.iteration].first = &entry;
  if (other)
    for (const IterationStats& entry : *other)
      byIteration[entry.iteration].second = &entry;
  for (const auto& [iteration, entries] : byIteration) {
    QStringList row{QString::number(iteration)};
    addRun(row, entries.first);
    if (other) addRun(row, entries.second);
    table.rows.push_back(row);
  }
  return table;
}

PlotTable sweepTable(const SweepResult& result) {
  PlotTable table;
  table.headings =
      QStringLiteral("variant|stage|n|d|k|block|items|vector|unroll|arithmetic|order|spread|skew|"
                     "median (us)|p95 (us)|minimum (us)|samples|GB/s|of limit (%)|million points/s|why not")
          .split(u'|');
  for (std::size_t at = 0; at < result.cells.size(); ++at) {
    const auto& one = result.cells[at];
    if (!one) continue;
    const Tuning& tuning = one->candidate.tuning;
    // As SweepPlan::index() has it.
    const std::size_t columns = std::max<std::size_t>(1, result.plan.columns());
    const std::size_t place = at / std::max<std::size_t>(1, result.plan.candidates.size());
    const DataChanges data = result.plan.dataAt(place % columns, place / columns);
    const auto changed = [&](const char* key) {
      const auto found = data.find(key);
      return found == data.end() ? QString() : exactText(found->second);
    };
    QStringList row{QString::fromStdString(one->candidate.variant->id()),
                    qtext(name(one->candidate.stage)),
                    whole(one->problem.n),
                    QString::number(one->problem.d),
                    QString::number(one->problem.k),
                    parameterName(tuning.block),
                    parameterName(tuning.items),
                    parameterName(tuning.vector),
                    parameterName(tuning.unroll),
                    one->candidate.variant->parameter("arithmetic") ? qtext(name(tuning.arithmetic))
                                                                    : QString(),
                    changed("order"),
                    changed("spread"),
                    changed("skew")};
    const bool told = valueOf(one.get(), SweepMetric::median).has_value();
    const auto metric = [&](SweepMetric which) {
      const auto value = valueOf(one.get(), which);
      return value ? exactText(*value) : QString();
    };
    row << metric(SweepMetric::median) << (told ? exactText(one->times.p95) : QString())
        << (told ? exactText(one->times.min) : QString()) << whole(one->times.samples)
        << metric(SweepMetric::bandwidth) << metric(SweepMetric::ofLimit) << metric(SweepMetric::pointRate)
        << QString::fromStdString(gapReason(one.get()));
    table.rows.push_back(row);
  }
  return table;
}

QString tunedName(const Candidate& candidate) {
  QString text = QString::fromStdString(candidate.variant->id());
  for (const std::string_view name : tuningParameters) {
    const Parameter* parameter = candidate.variant->parameter(name);
    const int value = candidate.tuning.value(name);
    if (!parameter || value == parameter->fallback || value == 0) continue;
    text += name == "arithmetic" ? QStringLiteral(", ") + qtext(lloyd::name(candidate.tuning.arithmetic))
                                 : QStringLiteral(", %1 %2").arg(qtext(name)).arg(value);
  }
  return text;
}

} // namespace lloyd
