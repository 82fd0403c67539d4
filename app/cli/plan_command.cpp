// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/requests.hpp"
#include "app/model/report/plan_report.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/device_choice.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QStringList>

#include <algorithm>

namespace lloyd {
namespace {

constexpr std::size_t coveredPoints = std::size_t{1} << 20;
constexpr int cardWithoutGpu = 90;
constexpr std::uint64_t mostDimensions = 1 << 16;
constexpr std::uint64_t mostPoints = 4294967295;

/// "9.0" as 90.
std::optional<int> capabilityFrom(const std::string& text) {
  for (const CardLimits& card : knownCards())
    if (capabilityText(card.computeCapability).toStdString() == text) return card.computeCapability;
  return std::nullopt;
}

CardLimits cardFrom(const Arguments& arguments, const DeviceInfo& device) {
  if (arguments.given("--card")) {
    QStringList known;
    for (const CardLimits& card : knownCards())
      known << capabilityText(card.computeCapability);
    const auto capability = capabilityFrom(arguments.text("--card"));
    if (!capability) arguments.refuse("--card", "one of " + known.join(QStringLiteral(", ")).toStdString());
    return *cardLimits(*capability);
  }
  if (device.backend != Backend::cuda) return *cardLimits(cardWithoutGpu);
  if (const auto card = cardOf(device)) return *card;
  throw RequestError("the limits of compute capability " + device.computeCapability +
                         " are not known here; name another with --card",
                     RequestError::Kind::absent);
}

std::vector<int> dimensionsFrom(const Arguments& arguments) {
  const auto counts = parseCounts("--d", arguments.text("--d", "2"), 1, mostDimensions);
  return {counts.begin(), counts.end()};
}

/// A table of blocks for a kernel that only its registers and shared memory are known of.
QByteArray anyKernelText(const Arguments& arguments, const CardLimits& card) {
  const int registers = arguments.smallCount("--registers", 32, 1, 255);
  const auto shared = static_cast<std::size_t>(arguments.count("--shared", 0, 0, 1 << 20));
  QString text;
  for (const std::uint64_t block : parseCounts("--block", arguments.text("--block", "32:1024"), 1, 1024)) {
    const LaunchNeeds needs{
        .threads = static_cast<int>(block), .registers = registers, .sharedBytes = shared};
    const auto refused = whyNoLaunch(card, needs);
    text +=
        QStringLiteral("%1 threads  %2  %3\n")
            .arg(countText(block), 6)
            .arg(refused ? QStringLiteral("refused") : percentText(occupancy(card, needs).share) + u'%', 7)
            .arg(QString::fromStdString(bindingText(card, needs)));
  }
  return text.toUtf8();
}

/// The GPU whose driver is asked, or none: then what is shipped tells.
ChosenDevice driverFrom(const Arguments& arguments) {
  const BackendRequest choice = backendFrom(arguments);
  if (choice == BackendRequest::simt) return {};
  if (choice == BackendRequest::cpu)
    throw RequestError("the cpu backend has no multiprocessors: leave --backend out to plan without a GPU");
  ChosenDevice chosen = chooseDevice(choice);
  return chosen.device && chosen.device->info().backend == Backend::cuda ? std::move(chosen) : ChosenDevice();
}

} // namespace

int planCommand(const Arguments& arguments) {
  const Messages messages(arguments);
  const ChosenDevice driver = driverFrom(arguments);
  if (driver.device) driver.device->setCancel(&cancelOnInterrupt());
  const DeviceInfo info = driver.device ? driver.device->info() : simt::createSimtDevice()->info();
  const CardLimits card = cardFrom(arguments, info);
  Outputs outputs(arguments);
  if (arguments.given("--registers") || arguments.given("--shared")) {
    if (arguments.given("--variants"))
      throw RequestError(
          "--variants names kernels that have registers of their own: leave it or --registers out");
    outputs.addText([&] { return anyKernelText(arguments, card); });
    outputs.write();
    return exitDone;
  }
  std::vector<Candidate> candidates = benchCandidates(arguments, info);
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return candidate.stage == Stage::sets || candidate.stage == Stage::iterate ||
           !candidate.variant->on(info.backend).has(candidate.stage);
  });
  const std::vector<int> dimensions = dimensionsFrom(arguments);
  const std::vector<int> clusters = benchClusters(arguments);
  PlanReport report{
      .plans = driver.device ? plansOnDevice(*driver.device, candidates, dimensions, clusters)
                             : KernelTable::shipped().plans(candidates, dimensions, clusters),
      .card = card,
      .ownCard = driver.device && !arguments.given("--card"),
      .points = static_cast<std::size_t>(
          parseCounts("--n", arguments.text("--n", std::to_string(coveredPoints)), 1, mostPoints).front()),
      .multiprocessors = driver.device && !arguments.given("--card") ? info.multiprocessors : 0};
  throwIfInterrupted();
  if (report.plans.launches.empty())
    throw RequestError(report.plans.unplanned.empty() ? "none of the chosen variants has a kernel to plan"
                                                      : report.plans.unplanned.front().reason);
  outputs.addReport("--json", [&] { return planJson(report); });
  outputs.addReport("--csv", [&] { return planCsv(report); });
  outputs.addText([&] { return planText(report); });
  outputs.write();
  if (report.disagreements() == 0) return exitDone;
  messages.warning(QStringLiteral("the driver says another occupancy than the model for %1 of %2 launches")
                       .arg(countText(report.disagreements()), countText(report.plans.launches.size())));
  return exitCheckFailed;
}

} // namespace lloyd
