// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/sweep_text.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/report/plot_table.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <bit>

namespace lloyd {

QString axisTitle(SweepParameter parameter) {
  switch (parameter) {
  case SweepParameter::n:
    return ReportStrings::tr("n, points");
  case SweepParameter::d:
    return ReportStrings::tr("d, dimensions");
  case SweepParameter::k:
    return ReportStrings::tr("k, clusters");
  case SweepParameter::block:
    return ReportStrings::tr("threads in a block");
  default:
    return ReportStrings::tr("points a thread");
  }
}

QString sweepValueText(std::uint64_t value) {
  if (value >= 4096 && std::has_single_bit(value))
    return QStringLiteral("2^%1").arg(std::bit_width(value) - 1);
  return countText(value);
}

QString metricTitle(SweepMetric metric) {
  switch (metric) {
  case SweepMetric::median:
    return ReportStrings::tr("median µs");
  case SweepMetric::ofLimit:
    return ReportStrings::tr("% of the limit");
  default:
    return qtext(unit(metric));
  }
}

QString lineName(const SweepPlan& plan, std::size_t candidate) {
  const Candidate& one = plan.candidates[candidate];
  const bool oneFamily =
      std::all_of(plan.candidates.begin(), plan.candidates.end(), [&](const Candidate& other) {
        return other.variant->info.family == one.variant->info.family;
      });
  const QString whole = tunedName(one);
  return oneFamily ? versionText(*one.variant) + whole.mid(static_cast<int>(one.variant->id().size()))
                   : whole;
}

QString cellText(const SweepResult& result, std::size_t column, std::size_t row, std::size_t candidate,
                 SweepMetric metric) {
  const Measurement* one = result.at(column, row, candidate);
  QString place;
  for (std::size_t a = 0; a < result.plan.axes.size(); ++a) {
    const SweepAxis& axis = result.plan.axes[a];
    place += (a == 0 ? QString() : QStringLiteral(", ")) +
             QStringLiteral("%1 = %2").arg(qtext(name(axis.parameter)),
                                           countText(axis.values[a == 0 ? column : row]));
  }
  const QString who = lineName(result.plan, candidate);
  const std::string reason = gapReason(one);
  if (!reason.empty())
    return ReportStrings::tr("%1 at %2: %3").arg(who, place, QString::fromStdString(reason));
  const auto value = valueOf(one, metric);
  if (!value) return ReportStrings::tr("%1 at %2: not measured yet").arg(who, place);
  QString text = ReportStrings::tr("%1 at %2: %3 µs, noise %4 %")
                     .arg(who, place, microsecondsText(one->times.median), percentText(one->times.noise));
  if (metric != SweepMetric::median)
    text += QStringLiteral(", %1 %2").arg(significantText(*value), metricTitle(metric));
  return text;
}

} // namespace lloyd
