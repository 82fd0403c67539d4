// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_plan.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/requests.hpp"
#include "app/model/report/verify_report.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/device_choice.hpp"

#include <algorithm>

namespace lloyd {
namespace {

/// auto checks every device there is: the GPU's results and the CPU's are both used.
std::vector<ChosenDevice> devicesToCheck(BackendRequest choice) {
  std::vector<ChosenDevice> devices;
  devices.push_back(chooseDevice(choice));
  if (choice == BackendRequest::automatic && devices.front().device->backend() != Backend::cpu)
    devices.push_back(chooseDevice(BackendRequest::cpu));
  return devices;
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
  return std::all_of(checked.begin(), checked.end(), [](const VerifiedDevice& device) { return device.ok(); })
             ? exitDone
             : exitCheckFailed;
}

} // namespace lloyd
