// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/tuning/default_origin_text.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/strings.hpp"

#include <QJsonObject>

#include <algorithm>

namespace lloyd {
namespace {

/// Where, and when, without the problem.
QString placeText(const DefaultSource& source) {
  const QString date = qtext(source.date);
  switch (source.origin) {
  case TuningOrigin::asked:
    return {};
  case TuningOrigin::here:
    return ReportStrings::tr("measured on this device on %1").arg(date);
  case TuningOrigin::shipped:
    return ReportStrings::tr("measured on another %1 on %2").arg(qtext(source.device.name), date);
  case TuningOrigin::similar:
    return source.device.backend == Backend::cpu
               ? ReportStrings::tr("measured on another processor (%1, %n thread(s)) on %2", nullptr,
                                   source.device.cores)
                     .arg(qtext(source.device.name), date)
               : ReportStrings::tr("measured on another card (%1) on %2")
                     .arg(qtext(source.device.name), date);
  case TuningOrigin::order:
    break;
  }
  return ReportStrings::tr("taken in a fixed order of preference, because no measurement fits");
}

bool isMeasured(TuningOrigin origin) {
  return origin != TuningOrigin::asked && origin != TuningOrigin::order;
}

QString originName(TuningOrigin origin) {
  switch (origin) {
  case TuningOrigin::here:
    return QStringLiteral("here");
  case TuningOrigin::shipped:
    return QStringLiteral("shipped");
  case TuningOrigin::similar:
    return QStringLiteral("similar");
  default:
    return QStringLiteral("order");
  }
}

} // namespace

QString defaultSourceText(const DefaultSource& source) {
  QString text = placeText(source);
  if (isMeasured(source.origin)) text += ReportStrings::tr(", at %1").arg(problemText(source.problem));
  return text;
}

QString defaultsText(const DeviceInfo& device, const TuningTable& table) {
  const auto ranked = table.ranked({.n = std::size_t{1} << 20, .d = 2, .k = 16}, device);
  if (ranked.empty())
    return placeText({.origin = TuningOrigin::order, .device = {}, .problem = {}, .date = {}});
  // Whoever has measured here has done so for what matters to them.
  const auto here = std::find_if(ranked.begin(), ranked.end(),
                                 [](const auto& one) { return one.origin == TuningOrigin::here; });
  const TuningTable::Ranked& first = here != ranked.end() ? *here : ranked.front();
  return placeText({first.origin, first.entry->device, first.entry->problem, first.entry->date});
}

QJsonValue sourceJson(const DefaultSource& source) {
  if (source.origin == TuningOrigin::asked) return {};
  QJsonObject json{{QStringLiteral("from"), originName(source.origin)},
                   {QStringLiteral("why"), defaultSourceText(source)}};
  if (!isMeasured(source.origin)) return json;
  json.insert(QStringLiteral("device"), qtext(source.device.name));
  json.insert(QStringLiteral("measured"), qtext(source.date));
  json.insert(QStringLiteral("n"), countJson(source.problem.n));
  json.insert(QStringLiteral("d"), source.problem.d);
  json.insert(QStringLiteral("k"), source.problem.k);
  return json;
}

} // namespace lloyd
