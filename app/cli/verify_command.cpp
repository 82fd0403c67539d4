// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/own_kernels.hpp"
#include "app/cli/requests.hpp"
#include "app/model/report/text_table.hpp"
#include "app/text/numbers.hpp"
#include "app/text/provenance.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/device_choice.hpp"
#include "gpu/reference/verify.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace lloyd {
namespace {

/// What was checked on one device.
struct VerifiedDevice {
  DeviceInfo device;
  std::vector<VerifyResult> results;

  [[nodiscard]] bool ok() const {
    return std::ranges::all_of(results, [](const VerifyResult& result) { return result.ok(); });
  }
};

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
      {"variant", "stage", ">cases", ">passed", ">failed", ">skipped", ".worst error %", "result"});
  for (const VerifyResult& result : results)
    table.addRow({qtext(result.variant), stageText(result), countText(result.cases), countText(result.passed),
                  countText(result.failed), countText(skippedCases(result)), percentText(result.worstError),
                  !result.ok()         ? QStringLiteral("FAILED")
                  : result.passed == 0 ? QStringLiteral("not run")
                                       : QStringLiteral("ok")});
  return table;
}

/// {"program", "thorough", "ok", "devices": [{"device", "results": [...]}]}
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

/// For a terminal: a table for each device, then what failed and what was skipped, and why.
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

/// auto checks every device there is: the GPU's results and the CPU's are both used. The simulator is one
/// where a person has kernels of their own, which many machines can run nowhere else.
std::vector<ChosenDevice> devicesToCheck(BackendRequest choice) {
  std::vector<ChosenDevice> devices;
  devices.push_back(chooseDevice(choice));
  if (choice == BackendRequest::automatic && devices.front().device->backend() != Backend::cpu)
    devices.push_back(chooseDevice(BackendRequest::cpu));
  if (choice == BackendRequest::automatic && !addedKernels().empty())
    devices.push_back(chooseDevice(BackendRequest::simt));
  return devices;
}

/// The person's own among those that patterns mean.
std::vector<std::string> addedAmong(const std::vector<std::string>& patterns) {
  std::vector<std::string> ids;
  for (const Variant* variant : addedKernels())
    if (matchesPattern(patterns, variant->id())) ids.push_back(variant->id());
  return ids;
}

/// The devices that have something of what was asked for. Throws the first device's refusal when none has.
std::vector<VerifyOptions> optionsFor(const Arguments& arguments, const std::vector<ChosenDevice>& devices) {
  std::vector<VerifyOptions> options(devices.size());
  std::optional<RequestError> refusal;
  bool any = false;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    options[i].thorough = arguments.given("--thorough");
    try {
      options[i].patterns = variantPatterns(arguments, devices[i].device->info());
      // Nobody who leaves the backend open means the program's own kernels there, which take minutes.
      if (i > 0 && devices[i].device->backend() == Backend::simt)
        options[i].patterns = addedAmong(options[i].patterns);
      any = true;
    } catch (const RequestError& error) {
      if (error.kind() == RequestError::Kind::wrong) throw;
      if (!refusal) refusal = error;
    }
  }
  if (!any) throw RequestError(*refusal);
  return options;
}

} // namespace

int verifyCommand(const Arguments& arguments) {
  Messages messages(arguments);
  const BackendRequest choice = backendFrom(arguments);
  Outputs outputs(arguments);
  const std::vector<ChosenDevice> devices = devicesToCheck(choice);
  const std::vector<VerifyOptions> options = optionsFor(arguments, devices);

  std::vector<VerifiedDevice> checked;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    Device& device = *devices[i].device;
    if (!devices[i].why.empty()) messages.info(qtext(devices[i].why));
    if (options[i].patterns.empty()) continue;
    device.setCancel(&cancelOnInterrupt());
    const QString backend = qtext(name(device.backend()));
    checked.push_back({device.info(), verifyVariants(device, options[i], [&](const VerifyProgress& progress) {
                         messages.progress(QStringLiteral("%1: check %2 of %3: %4, %5")
                                               .arg(backend)
                                               .arg(progress.done + 1)
                                               .arg(progress.total)
                                               .arg(qtext(progress.variant), qtext(progress.caseName)));
                       })});
  }
  throwIfInterrupted();
  outputs.addReport("--json", [&] { return verifyJson(checked, arguments.given("--thorough")); });
  outputs.addText([&] { return verifyText(checked); });
  outputs.write();
  return std::ranges::all_of(checked, [](const VerifiedDevice& device) { return device.ok(); })
             ? exitDone
             : exitCheckFailed;
}

} // namespace lloyd
