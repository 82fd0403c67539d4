// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/plan_report.hpp"

#include "app/model/launch/paper_constraints.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/report/text_table.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr int barCells = 32;

QString count(std::size_t value) { return countText(value); }
QString count(int value) { return countText(static_cast<std::uint64_t>(std::max(value, 0))); }

bool differs(const PlannedLaunch& launch, const CardLimits& card) {
  return launch.driverSays && !(std::abs(*launch.driverSays - occupancy(card, launch.needs).share) <= 1e-9);
}

QString bar(double used) {
  const int full = static_cast<int>(std::lround(std::clamp(used, 0.0, 1.0) * barCells));
  return QString(full, QLatin1Char('#')) + QString(barCells - full, QLatin1Char('.'));
}

int itemsOf(const Candidate& candidate) {
  return candidate.variant && candidate.variant->parameter("items") ? candidate.tuning.items : 1;
}

QString reasonOr(const CardLimits& card, const LaunchNeeds& needs) {
  return QString::fromStdString(bindingText(card, needs));
}

QString oneLaunch(const PlanReport& report, const PlannedLaunch& launch) {
  const Occupancy found = occupancy(report.card, launch.needs);
  QString text = launch.candidate.variant ? ReportStrings::tr("%1, D = %2, k = %3")
                                                .arg(wholeCandidateText(launch.candidate))
                                                .arg(launch.problem.d)
                                                .arg(launch.problem.k)
                                          : ReportStrings::tr("a kernel");
  text +=
      ReportStrings::tr(": %1 threads a block, %2 registers a thread, %3 bytes of shared memory a "
                        "block\n\n")
          .arg(count(launch.needs.threads), count(launch.needs.registers), count(launch.needs.sharedBytes));
  for (const Resource resource : resources)
    text += ReportStrings::tr("  %1  %2  %3 %  room for %4 blocks\n")
                .arg(qtext(name(resource)), -14)
                .arg(bar(found.usedOf(resource)))
                .arg(std::lround(100 * found.usedOf(resource)), 3)
                .arg(count(found.roomOf(resource)));
  text += QStringLiteral("\n  ") + reasonOr(report.card, launch.needs) + QLatin1Char('\n');
  if (whyNoLaunch(report.card, launch.needs)) return text;
  text += ReportStrings::tr("  occupancy %1 %\n\nThe constraints of the Multi-level parallelism paper\n")
              .arg(percentText(found.share));
  TextTable table{"", "", "", ""};
  for (const PaperConstraint& one : paperConstraints(report.card, launch.needs, report.points,
                                                     itemsOf(launch.candidate), report.multiprocessors))
    table.addRow({one.formula, one.here,
                  one.binds ? ReportStrings::tr("binds") : ReportStrings::tr("does not bind"), one.remark});
  return text + table.text();
}

QString severalLaunches(const PlanReport& report) {
  TextTable table{"variant",   "stage",   ">D",           ">k",         ">block",
                  ">items",    ">vector", ">unroll",      "arithmetic", ">registers",
                  ">shared B", ">blocks", ".occupancy %", "what binds"};
  for (const PlannedLaunch& launch : report.plans.launches) {
    const Occupancy found = occupancy(report.card, launch.needs);
    QStringList cells{qtext(launch.candidate.variant->id()), qtext(name(launch.candidate.stage)),
                      QString::number(launch.problem.d), QString::number(launch.problem.k),
                      count(launch.needs.threads)};
    for (const char* parameter : {"items", "vector", "unroll"})
      cells << parameterCell(launch.candidate, parameter);
    cells << (launch.candidate.tuning.arithmetic == Arithmetic::multiply
                  ? QString()
                  : parameterCell(launch.candidate, "arithmetic"));
    cells << count(launch.needs.registers) << count(launch.needs.sharedBytes) << count(found.blocks)
          << percentText(found.share) << reasonOr(report.card, launch.needs);
    if (report.ownCard && differs(launch, report.card))
      cells.back() += ReportStrings::tr("; the driver says %1 %").arg(percentText(launch.driverSays));
    table.addRow(cells);
  }
  return table.text();
}

/// Of kernels that only their numbers are known of.
QString severalShapes(const PlanReport& report) {
  TextTable table{">threads", ">registers", ">shared B", ">blocks", ".occupancy %", "what binds"};
  for (const PlannedLaunch& launch : report.plans.launches) {
    const Occupancy found = occupancy(report.card, launch.needs);
    table.addRow(
        {count(launch.needs.threads), count(launch.needs.registers), count(launch.needs.sharedBytes),
         count(found.blocks),
         whyNoLaunch(report.card, launch.needs) ? ReportStrings::tr("refused") : percentText(found.share),
         reasonOr(report.card, launch.needs)});
  }
  return table.text();
}

QJsonObject launchJson(const PlanReport& report, const PlannedLaunch& launch) {
  const Occupancy found = occupancy(report.card, launch.needs);
  const auto refused = whyNoLaunch(report.card, launch.needs);
  QJsonObject json;
  if (launch.candidate.variant) insertCandidate(json, launch.candidate, launch.problem);
  json.remove(QStringLiteral("n"));
  json.insert(QStringLiteral("card"), capabilityText(report.card.computeCapability));
  json.insert(QStringLiteral("threads"), launch.needs.threads);
  json.insert(QStringLiteral("registers"), launch.needs.registers);
  json.insert(QStringLiteral("shared_bytes"), countJson(launch.needs.sharedBytes));
  json.insert(QStringLiteral("local_bytes"), countJson(launch.localBytes));
  json.insert(QStringLiteral("blocks"), found.blocks);
  json.insert(QStringLiteral("occupancy"), found.share);
  json.insert(QStringLiteral("driver_occupancy"),
              launch.driverSays ? QJsonValue(*launch.driverSays) : QJsonValue());
  json.insert(QStringLiteral("refused"), refused ? QJsonValue(qtext(*refused)) : QJsonValue());
  QJsonArray binding;
  if (!refused)
    for (const Resource resource : found.binding())
      binding.append(qtext(name(resource)));
  json.insert(QStringLiteral("binding"), binding);
  return json;
}

} // namespace

QString capabilityText(int computeCapability) {
  return QStringLiteral("%1.%2").arg(computeCapability / 10).arg(computeCapability % 10);
}

std::size_t PlanReport::disagreements() const {
  if (!ownCard) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(
      plans.launches, [&](const PlannedLaunch& launch) { return differs(launch, card); }));
}

QByteArray planText(const PlanReport& report) {
  QString text =
      ReportStrings::tr("card       compute capability %1: %2 threads, %3 blocks, %4 registers and %5 "
                        "bytes of shared memory a multiprocessor\n")
          .arg(capabilityText(report.card.computeCapability))
          .arg(count(report.card.threads()), count(report.card.blocks), count(report.card.registers),
               count(report.card.sharedBytes));
  text += ReportStrings::tr("registers  %1\n\n").arg(report.plans.source);
  if (report.plans.launches.size() == 1) {
    text += oneLaunch(report, report.plans.launches.front());
  } else {
    text += report.plans.launches.empty() || report.plans.launches.front().candidate.variant
                ? severalLaunches(report)
                : severalShapes(report);
  }
  for (const Unplanned& one : report.plans.unplanned)
    text += QStringLiteral("\n- ") + qtext(one.reason);
  if (!report.plans.unplanned.empty()) text += QLatin1Char('\n');
  return text.toUtf8();
}

QByteArray planJson(const PlanReport& report) {
  QJsonArray list;
  for (const PlannedLaunch& launch : report.plans.launches) {
    const Occupancy found = occupancy(report.card, launch.needs);
    QJsonObject json = launchJson(report, launch), room, used;
    for (const Resource resource : resources) {
      room.insert(qtext(name(resource)), found.roomOf(resource));
      used.insert(qtext(name(resource)), found.usedOf(resource));
    }
    json.insert(QStringLiteral("room"), room);
    json.insert(QStringLiteral("used"), used);
    list.append(json);
  }
  return QJsonDocument(list).toJson();
}

QByteArray planCsv(const PlanReport& report) {
  QStringList keys{QStringLiteral("variant"), QStringLiteral("stage"), QStringLiteral("d"),
                   QStringLiteral("k")};
  for (std::size_t i = 0; i < kernelParameterCount; ++i)
    keys << qtext(tuningParameters[i]);
  for (const char* key : {"threads", "registers", "shared_bytes", "local_bytes", "card", "blocks",
                          "occupancy", "driver_occupancy", "binding", "source", "refused"})
    keys << QString::fromLatin1(key);
  QJsonArray rows;
  for (const PlannedLaunch& launch : report.plans.launches) {
    QJsonObject row = launchJson(report, launch);
    QStringList binding;
    for (const auto& resource : row.value(QStringLiteral("binding")).toArray())
      binding << resource.toString();
    row.insert(QStringLiteral("binding"), binding.join(QStringLiteral(" and ")));
    // Only the last column may hold commas: KernelTable reads the others.
    row.insert(QStringLiteral("source"), QString(report.plans.source).replace(u',', u';'));
    rows.append(row);
  }
  return csvOf(keys, rows);
}

} // namespace lloyd
