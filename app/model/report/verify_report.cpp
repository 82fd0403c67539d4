// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/verify_report.hpp"

#include "app/model/report/text_table.hpp"
#include "app/text/build_info.hpp"
#include "app/text/devices.hpp"
#include "app/text/json_values.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>

#include <algorithm>
#include <cmath>
#include <map>

namespace lloyd {
namespace {

std::size_t skippedCases(const VerifyResult& result) {
  std::size_t cases = 0;
  for (const VerifySkip& skip : result.skipped)
    cases += skip.cases;
  return cases;
}

/// The operations of a device have no stage of their own to show.
QString stageText(const VerifyResult& result) {
  return result.variant.starts_with("operations.") ? QString() : qtext(name(result.stage));
}

QJsonObject resultJson(const VerifyResult& result) {
  QJsonArray skipped;
  for (const VerifySkip& skip : result.skipped)
    skipped.append(QJsonObject{{QStringLiteral("reason"), qtext(skip.reason)},
                               {QStringLiteral("cases"), countJson(skip.cases)}});
  return {
      {QStringLiteral("variant"), qtext(result.variant)},
      {QStringLiteral("stage"), stageText(result).isEmpty() ? QJsonValue() : QJsonValue(stageText(result))},
      {QStringLiteral("cases"), countJson(result.cases)},
      {QStringLiteral("passed"), countJson(result.passed)},
      {QStringLiteral("failed"), countJson(result.failed)},
      {QStringLiteral("skipped"), skipped},
      {QStringLiteral("first_failure"), textOrNull(result.firstFailure)},
      // JSON has no infinity: null stands for an error without bound.
      {QStringLiteral("worst_error"),
       std::isfinite(result.worstError) ? QJsonValue(result.worstError) : QJsonValue()},
      {QStringLiteral("ok"), result.ok()}};
}

TextTable resultTable(const std::vector<VerifyResult>& results) {
  TextTable table(
      {"variant", "stage", ">cases", ">passed", ">failed", ">skipped", ">worst error %", "result"});
  for (const VerifyResult& result : results)
    table.addRow({qtext(result.variant), stageText(result), countText(result.cases), countText(result.passed),
                  countText(result.failed), countText(skippedCases(result)), percentText(result.worstError),
                  !result.ok()         ? QStringLiteral("FAILED")
                  : result.passed == 0 ? QStringLiteral("not run")
                                       : QStringLiteral("ok")});
  return table;
}

} // namespace

bool VerifiedDevice::ok() const {
  return std::all_of(results.begin(), results.end(), [](const VerifyResult& result) { return result.ok(); });
}

QByteArray verifyJson(const std::vector<VerifiedDevice>& devices, bool thorough) {
  QJsonArray list;
  bool ok = true;
  for (const VerifiedDevice& device : devices) {
    QJsonArray results;
    for (const VerifyResult& result : device.results)
      results.append(resultJson(result));
    list.append(QJsonObject{{QStringLiteral("device"), deviceJson(device.device)},
                            {QStringLiteral("results"), results}});
    ok = ok && device.ok();
  }
  return QJsonDocument(QJsonObject{{QStringLiteral("program"), programJson()},
                                   {QStringLiteral("thorough"), thorough},
                                   {QStringLiteral("ok"), ok},
                                   {QStringLiteral("devices"), list}})
      .toJson();
}

QByteArray verifyText(const std::vector<VerifiedDevice>& devices) {
  QString text;
  for (const VerifiedDevice& device : devices) {
    if (!text.isEmpty()) text += QLatin1Char('\n');
    text += qtext(name(device.device.backend)) + QStringLiteral(": ") + deviceText(device.device) +
            QStringLiteral("\n\n");
    text += resultTable(device.results).text();
    std::map<QString, std::size_t> reasons;
    for (const VerifyResult& result : device.results)
      for (const VerifySkip& skip : result.skipped)
        reasons[qtext(skip.reason)] += skip.cases;
    if (!reasons.empty()) text += QStringLiteral("\nSkipped\n");
    for (const auto& [reason, cases] : reasons)
      text += QStringLiteral("- %1 (%2 cases)\n").arg(reason, countText(cases));
    for (const VerifyResult& result : device.results)
      if (!result.ok())
        text += QStringLiteral("\n%1 %2 failed: %3\n")
                    .arg(qtext(result.variant), stageText(result), qtext(result.firstFailure));
  }
  text += QStringLiteral("\nworst error: 100 % is just within what is allowed\n");
  return text.toUtf8();
}

} // namespace lloyd
