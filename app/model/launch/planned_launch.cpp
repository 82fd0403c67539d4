// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/launch/planned_launch.hpp"

#include "app/data/generate/generators.hpp"
#include "app/model/measure/stage_harness.hpp"
#include "app/text/strings.hpp"

#include <QFile>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

/// Registers and shared memory do not depend on how many points there are.
constexpr std::size_t fewPoints = 4096;

/// What a row is found by: variant, stage, dimensions, clusters and the tuning parameters of kernels.
QString keyOf(const Candidate& candidate, const Problem& problem) {
  QStringList parts{qtext(candidate.variant->id()), qtext(name(candidate.stage)), QString::number(problem.d),
                    QString::number(problem.k)};
  for (std::size_t i = 0; i < kernelParameterCount; ++i) {
    const bool has = candidate.variant->parameter(tuningParameters[i]) != nullptr;
    const int value = candidate.tuning.value(tuningParameters[i]);
    parts << (!has                                  ? QString()
              : tuningParameters[i] == "arithmetic" ? qtext(name(static_cast<Arithmetic>(value)))
                                                    : QString::number(value));
  }
  return parts.join(QLatin1Char(','));
}

void leaveOut(LaunchPlans& plans, const std::string& variant, const std::string& reason) {
  for (const Unplanned& known : plans.unplanned)
    if (known.reason == reason) return;
  plans.unplanned.push_back({variant, reason});
}

QString listed(const std::set<int>& numbers) {
  QStringList all;
  for (const int number : numbers)
    all << QString::number(number);
  return all.join(QStringLiteral(", "));
}

} // namespace

std::optional<CardLimits> cardOf(const DeviceInfo& device) {
  const double capability = QString::fromStdString(device.computeCapability).toDouble();
  return cardLimits(static_cast<int>(std::lround(capability * 10)));
}

std::optional<std::string> whyNoKernel(const Candidate& candidate, const Problem& problem) {
  DeviceInfo simulator;
  simulator.backend = Backend::simt;
  return candidate.variant->whyNot(candidate.stage, problem, simulator, candidate.tuning);
}

LaunchPlans plansOnDevice(Device& device, const std::vector<Candidate>& candidates,
                          const std::vector<int>& dimensions, const std::vector<int>& clusters) {
  LaunchPlans plans;
  const DeviceInfo info = device.info();
  plans.source = QStringLiteral("%1, driver %2").arg(qtext(info.name), qtext(info.driver));
  for (const int d : dimensions)
    for (const int k : clusters) {
      const std::size_t n = std::max<std::size_t>(fewPoints, static_cast<std::size_t>(k));
      const auto points = generatePoints("uniform:n=" + std::to_string(n) + ",d=" + std::to_string(d));
      if (!points) throw RequestError(points.error().message);
      StageHarness harness(device, *points, k, {.kind = InitKind::first, .given = {}, .path = {}}, 1);
      for (const Candidate& candidate : candidates) {
        if (const auto why = harness.whyNot(candidate)) {
          leaveOut(plans, candidate.variant->id(), *why);
          continue;
        }
        harness.prepare(candidate);
        const std::optional<KernelResources> found = harness.resources(candidate);
        if (!found) {
          leaveOut(plans, candidate.variant->id(), candidate.variant->id() + " has no kernel of its own");
          continue;
        }
        plans.launches.push_back({.candidate = candidate,
                                  .problem = harness.problem(),
                                  .needs = {.threads = found->threads,
                                            .registers = found->registers,
                                            .sharedBytes = found->sharedBytes},
                                  .localBytes = found->localBytes,
                                  .driverSays = found->occupancy});
      }
    }
  return plans;
}

KernelTable KernelTable::read(const QString& csv) {
  KernelTable table;
  QStringList header;
  for (const QString& line : csv.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    if (line.startsWith(QLatin1Char('#'))) {
      table.source_ = line.mid(1).trimmed();
      continue;
    }
    const QStringList cells = line.trimmed().split(QLatin1Char(','));
    if (header.isEmpty()) {
      header = cells;
      continue;
    }
    // Commas of the sentence in the last column make no whole row less.
    if (cells.size() < header.size()) continue;
    if (const qsizetype source = header.indexOf(QLatin1String("source")); source >= 0)
      table.source_ = cells[source];
    bool whole = true;
    const auto number = [&](const char* column) {
      const qsizetype at = header.indexOf(QLatin1String(column));
      bool is = false;
      const int value = at < 0 ? 0 : cells[at].toInt(&is);
      whole = whole && is && value >= 0;
      return value;
    };
    const Row row{.needs = {.threads = number("threads"),
                            .registers = number("registers"),
                            .sharedBytes = static_cast<std::size_t>(number("shared_bytes"))},
                  .localBytes = static_cast<std::size_t>(number("local_bytes"))};
    const int d = number("d"), k = number("k");
    if (!whole || row.needs.threads == 0) continue;
    table.rows_.emplace(cells.mid(0, 4 + static_cast<qsizetype>(kernelParameterCount)).join(QLatin1Char(',')),
                        row);
    table.dimensions_.insert(d);
    table.clusters_.insert(k);
  }
  return table;
}

const KernelTable& KernelTable::shipped() {
  static const KernelTable table = [] {
    initTexts();
    QFile file(QStringLiteral(":/measured/kernels.csv"));
    return file.open(QIODevice::ReadOnly) ? read(QString::fromUtf8(file.readAll())) : KernelTable();
  }();
  return table;
}

std::optional<PlannedLaunch> KernelTable::find(const Candidate& candidate, const Problem& problem) const {
  const auto row = rows_.find(keyOf(candidate, problem));
  if (row == rows_.end()) return std::nullopt;
  return PlannedLaunch{.candidate = candidate,
                       .problem = problem,
                       .needs = row->second.needs,
                       .localBytes = row->second.localBytes,
                       .driverSays = std::nullopt};
}

std::string KernelTable::whyUnknown(const Candidate& candidate, const Problem& problem) const {
  if (!dimensions_.contains(problem.d) || !clusters_.contains(problem.k))
    return "without a GPU, kernels are known for D of " + listed(dimensions_).toStdString() + " and k of " +
           listed(clusters_).toStdString();
  if (const auto why = whyNoKernel(candidate, problem)) return *why;
  return candidate.variant->id() +
         " is not in the table of kernels in this shape; a machine with a GPU plans it";
}

LaunchPlans KernelTable::plans(const std::vector<Candidate>& candidates, const std::vector<int>& dimensions,
                               const std::vector<int>& clusters) const {
  LaunchPlans plans;
  plans.source = source_;
  for (const int d : dimensions)
    for (const int k : clusters)
      for (const Candidate& candidate : candidates) {
        if (auto launch = find(candidate, {.n = fewPoints, .d = d, .k = k})) {
          plans.launches.push_back(*launch);
          continue;
        }
        leaveOut(plans, candidate.variant->id(), whyUnknown(candidate, {.n = fewPoints, .d = d, .k = k}));
      }
  return plans;
}

} // namespace lloyd
