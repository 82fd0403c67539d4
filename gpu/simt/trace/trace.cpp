// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/trace/trace.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/request_error.hpp"
#include "gpu/simt/trace/prepared_stage.hpp"

#include <string>

namespace lloyd::simt {
namespace {

void requireRunnable(const TraceRequest& request, const DeviceInfo& device) {
  const Variant& variant = *request.variant;
  if (!variant.on(device.backend).has(request.stage))
    throw RequestError(variant.id() + " has no " + std::string(name(request.stage)) + " kernel for the " +
                           std::string(name(device.backend)) + " backend",
                       RequestError::Kind::absent);
  if (const auto reason = variant.whyNot(request.stage, request.problem, device, request.tuning))
    throw RequestError(*reason);
}

/// Launches, and gives back what the launch said when it ended in a fault of the kernel.
std::string faultOf(Device& device, PreparedStage& stage) {
  try {
    stage.launch();
    device.synchronize();
  } catch (const DeviceError& error) {
    if (error.severity() != Severity::badRequest) throw;
    return error.meaning();
  }
  return {};
}

} // namespace

StageTrace traceStage(const TraceRequest& request) {
  const std::unique_ptr<SimtDevice> device = createSimtDevice();
  requireRunnable(request, device->info());
  device->setCancel(request.cancel);
  device->setSchedule(request.schedule);
  PreparedStage stage(*device, request);
  const auto [first, elementBytes, count] = stage.pointArray();
  const bool watched = request.owners && first && request.problem.n > 0;
  if (watched) device->watch(first, count, elementBytes);
  if (request.record) device->startRecording();

  const std::string fault = faultOf(*device, stage);
  StageTrace result;
  if (request.record) result.trace = device->stopRecording();
  if (!fault.empty() && result.trace.faults.empty()) result.trace.faults.push_back(fault);
  if (watched) result.owners = stage.ownersOfPoints(device->owners());
  return result;
}

void launchStage(Device& device, const TraceRequest& request) {
  requireRunnable(request, device.info());
  PreparedStage stage(device, request);
  stage.launch();
  device.synchronize();
}

} // namespace lloyd::simt
