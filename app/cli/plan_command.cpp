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
#include "gpu/reference/verify.hpp"
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

std::size_t pointsFrom(const Arguments& arguments) {
  return static_cast<std::size_t>(
      parseCounts("--n", arguments.text("--n", std::to_string(coveredPoints)), 1, mostPoints).front());
}

void writePlan(Outputs& outputs, const PlanReport& report) {
  outputs.addReport("--json", [&] { return planJson(report); });
  outputs.addReport("--csv", [&] { return planCsv(report); });
  outputs.addText([&] { return planText(report); });
  outputs.write();
}

/// A kernel that only its registers and shared memory are known of, with every block that was asked for.
LaunchPlans plansOfNumbers(const Arguments& arguments) {
  if (!arguments.given("--registers"))
    throw RequestError("--shared is of a kernel whose registers are known: name --registers as well");
  const int registers = arguments.smallCount("--registers", 32, 1, 255);
  const auto shared = static_cast<std::size_t>(arguments.count("--shared", 0, 0, 1 << 20));
  LaunchPlans plans;
  plans.source = QStringLiteral("as given");
  for (const std::uint64_t block : parseCounts("--block", arguments.text("--block", "32:1024"), 1, 1024))
    plans.launches.push_back(
        {.candidate = {},
         .problem = {},
         .needs = {.threads = static_cast<int>(block), .registers = registers, .sharedBytes = shared},
         .driverSays = std::nullopt});
  return plans;
}

/// Kernels of processors have no launch, which is no matter of the device here. Throws RequestError.
void requireLaunches(const Arguments& arguments) {
  const auto matching = matchingVariants(splitList(arguments.text("--variants")));
  if (matching.empty() || std::ranges::any_of(matching, [](const Variant* variant) {
        return variant->runsOn(Backend::simt) || variant->runsOn(Backend::cuda);
      }))
    return;
  throw RequestError(matching.front()->id() +
                         " runs on processors alone: it has no blocks, and there is no launch to plan",
                     RequestError::Kind::absent);
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
    const PlanReport report{
        .plans = plansOfNumbers(arguments), .card = card, .points = pointsFrom(arguments)};
    writePlan(outputs, report);
    return exitDone;
  }
  if (arguments.given("--variants")) requireLaunches(arguments);
  std::vector<Candidate> candidates = benchCandidates(arguments, info);
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return candidate.stage == Stage::sets || candidate.stage == Stage::iterate ||
           !candidate.variant->on(info.backend).has(candidate.stage);
  });
  const std::vector<int> dimensions = dimensionsFrom(arguments);
  const std::vector<int> clusters = benchClusters(arguments);
  PlanReport report{.plans = driver.device ? plansOnDevice(*driver.device, candidates, dimensions, clusters)
                                           : KernelTable::shipped().plans(candidates, dimensions, clusters),
                    .card = card,
                    .ownCard = driver.device && !arguments.given("--card"),
                    .points = pointsFrom(arguments),
                    .multiprocessors =
                        driver.device && !arguments.given("--card") ? info.multiprocessors : 0};
  throwIfInterrupted();
  if (report.plans.launches.empty())
    throw RequestError(report.plans.unplanned.empty() ? "none of the chosen variants has a kernel to plan"
                                                      : report.plans.unplanned.front().reason);
  writePlan(outputs, report);
  if (report.disagreements() == 0) return exitDone;
  messages.warning(QStringLiteral("the driver says another occupancy than the model for %1 of %2 launches")
                       .arg(countText(report.disagreements()), countText(report.plans.launches.size())));
  return exitCheckFailed;
}

} // namespace lloyd
