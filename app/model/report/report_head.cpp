// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/report_head.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/build_info.hpp"
#include "app/text/devices.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/cpu/cpu_device.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

/// "5" or "5 to 7": a number of each race, where it is known; empty where it is of none.
template <typename Number, typename Text>
QString spanOf(const BenchReport& report, const Number& number, const Text& text) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const RaceResultPtr& race : report.races) {
    const double value = number(*race);
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  if (least > most) return {};
  const QString low = text(least);
  const QString high = text(most);
  return low == high ? high : ReportStrings::tr("%1 to %2").arg(low, high);
}

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

QString clockText(const BenchReport& report) {
  const QString clock = spanOf(
      report,
      [](const RaceResult& race) {
        return race.conditions.clockMhz > 0 ? race.conditions.clockMhz : unknown;
      },
      [](double mhz) { return significantText(mhz, 4); });
  return clock.isEmpty() ? QString() : ReportStrings::tr("%1 MHz, median while it was measured").arg(clock);
}

QString machineLoadText(const BenchReport& report) {
  int processors = 0;
  for (const RaceResultPtr& race : report.races)
    processors = std::max(processors, race->conditions.load.processors);
  const QString others = spanOf(
      report,
      [](const RaceResult& race) {
        const MachineLoad& load = race.conditions.load;
        return load.processors > 0 ? load.byOthers + load.stolen : unknown;
      },
      [](double used) { return QString::number(used, 'f', 2); });
  if (others.isEmpty()) return {};
  return ReportStrings::tr("others used %1 of %2 processors").arg(others).arg(processors);
}

QString placesText(const BenchReport& report) {
  const QString places = spanOf(
      report,
      [](const RaceResult& race) {
        const auto& all = race.conditions.places;
        return all.empty() ? unknown : 1.0 + all.back() - all.front();
      },
      [](double count) { return countText(static_cast<std::uint64_t>(count)); });
  if (places.isEmpty()) return {};
  return ReportStrings::tr("memory lay in %1 places in turn").arg(places);
}

QString scopeText(const BenchReport& report) {
  if (report.races.size() != 1) return ReportStrings::tr("%1 problems").arg(countText(report.races.size()));
  const RaceResult& race = *report.races.front();
  return race.rows.empty() ? QString() : problemText(race.rows.front().problem);
}

} // namespace

std::vector<ReportFact> factsOf(const BenchReport& report) {
  const BuildInfo& build = buildInfo();
  const bool cuda = report.device.backend == Backend::cuda;
  std::vector<ReportFact> facts{
      {ReportStrings::tr("Device"), deviceText(report.device)},
      {ReportStrings::tr("Why this one"), qtext(report.why)},
      // Where the processor is the device, it has been named.
      {ReportStrings::tr("Processor"),
       report.device.backend == Backend::cpu ? QString() : qtext(processorName())},
      {ReportStrings::tr("Driver"), qtext(report.device.driver)},
      {cuda ? ReportStrings::tr("CUDA") : ReportStrings::tr("Instructions"), qtext(report.device.runtime)},
      {ReportStrings::tr("Clock"), clockText(report)},
      {ReportStrings::tr("Load"), machineLoadText(report)},
      {ReportStrings::tr("Places"), placesText(report)},
      {ReportStrings::tr("Program"), QStringLiteral("lloydscope ") + build.version},
      {ReportStrings::tr("Commit"), build.commit},
      {ReportStrings::tr("Compiler"), build.compiler},
      {ReportStrings::tr("Date"), report.races.empty() ? QString() : momentText(report.races.front()->when)},
      {ReportStrings::tr("Data"), qtext(report.source)},
      {ReportStrings::tr("Problem"), scopeText(report)},
      {ReportStrings::tr("Seed"), QString::number(report.seed)},
      {ReportStrings::tr("Again"), qtext(report.command), true}};
  std::erase_if(facts, [](const ReportFact& fact) { return fact.value.isEmpty(); });
  return facts;
}

} // namespace lloyd
