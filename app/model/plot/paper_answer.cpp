// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/paper_answer.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/numbers.hpp"

#include <QStringList>

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

namespace lloyd {
namespace {

constexpr std::uint64_t paperItems = 8;

struct Fastest {
  double us = 0;
  std::uint64_t threads = 0;
};

/// By points a thread, or all under 0 where these are not swept.
using Fastests = std::map<std::uint64_t, Fastest>;

std::optional<std::size_t> axisOf(const SweepPlan& plan, SweepParameter parameter) {
  for (std::size_t a = 0; a < plan.axes.size(); ++a)
    if (plan.axes[a].parameter == parameter) return a;
  return std::nullopt;
}

Fastests fastestsOf(const SweepResult& result, std::optional<std::size_t> threads,
                    std::optional<std::size_t> items) {
  Fastests fastests;
  const SweepPlan& plan = result.plan;
  for (std::size_t row = 0; row < plan.rows(); ++row)
    for (std::size_t column = 0; column < plan.columns(); ++column)
      for (std::size_t c = 0; c < plan.candidates.size(); ++c) {
        const auto us = valueOf(result.at(column, row, c), SweepMetric::median);
        const auto valueOn = [&](std::optional<std::size_t> axis) {
          return axis ? plan.axes[*axis].values[*axis == 0 ? column : row] : 0;
        };
        if (!us) continue;
        const auto [held, isNew] = fastests.try_emplace(valueOn(items), Fastest{*us, valueOn(threads)});
        if (!isNew && *us < held->second.us) held->second = {*us, valueOn(threads)};
      }
  return fastests;
}

/// "+36 %": how much faster than with one point a thread.
QString gainText(const Fastests& fastests, std::uint64_t items) {
  const double percent = 100 * (fastests.at(1).us / fastests.at(items).us - 1);
  return QStringLiteral("%1%2 %").arg(percent < 0 ? QStringLiteral("−") : QStringLiteral("+"),
                                      QString::number(std::lround(std::abs(percent))));
}

} // namespace

QString paperAnswer(const SweepResult& result) {
  const SweepPlan& plan = result.plan;
  if (!result.finished || plan.candidates.empty() || plan.candidates.front().stage != Stage::classify)
    return {};
  const auto threads = axisOf(plan, SweepParameter::block);
  const auto items = axisOf(plan, SweepParameter::items);
  if (!threads && !items) return {};
  const Fastests fastests = fastestsOf(result, threads, items);
  if (fastests.empty()) return {};
  auto best = fastests.begin();
  for (auto one = fastests.begin(); one != fastests.end(); ++one)
    if (one->second.us < best->second.us) best = one;
  QStringList paper;
  QStringList here;
  if (threads) {
    paper << ReportStrings::tr("128 threads");
    here << ReportStrings::tr("%1 threads").arg(countText(best->second.threads));
  }
  if (items) {
    paper << ReportStrings::tr("8 points a thread, +40 % over one");
    const bool gains = fastests.contains(1);
    here << (gains && best->first != 1
                 ? ReportStrings::tr("%1 points a thread, %2 over one")
                       .arg(countText(best->first), gainText(fastests, best->first))
                 : ReportStrings::tr("%1 a thread")
                       .arg(best->first == 1 ? ReportStrings::tr("one point")
                                             : ReportStrings::tr("%1 points").arg(best->first)));
    if (gains && best->first != paperItems && fastests.contains(paperItems))
      here << ReportStrings::tr("8 points: %1").arg(gainText(fastests, paperItems));
  }
  return ReportStrings::tr("The paper: %1. Here: %2.")
      .arg(paper.join(QStringLiteral("; ")), here.join(QStringLiteral("; ")));
}

} // namespace lloyd
