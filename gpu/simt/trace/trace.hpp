// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/registry.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lloyd::simt {

/// One stage of one variant to be traced, on host data. What is pointed to must outlive the call.
struct TraceRequest {
  const Variant* variant = nullptr;
  Stage stage = Stage::classify;
  Problem problem;
  std::span<const float> points;    ///< [d][n], rows without padding
  std::span<const float> centroids; ///< [k][d]
  std::span<const Label> oldLabels; ///< [n]; empty: -1 everywhere, as before a first iteration
  Tuning tuning;
  Schedule schedule;
  bool record = true; ///< false: only owners, at full speed
  bool owners = false;
  std::optional<std::uint32_t> stepsOf = {}; ///< with record: the block whose warps' steps are kept
  const std::atomic<bool>* cancel = nullptr;
};

/// What one launch of a stage did.
struct StageTrace {
  Trace trace;
  std::vector<Owner> owners; ///< [n]: who handled each point; empty unless asked for, and for update
};

/// Runs the stage once on a fresh simulator. Reduce, update and the like get right labels and sums for the
/// centroids first (from the reference), so that only the asked stage is recorded. Faults are in the result,
/// not thrown. Throws RequestError when the variant cannot run the problem on the simulator, Cancelled. One
/// thread a call; different calls may run at the same time.
[[nodiscard]] StageTrace traceStage(const TraceRequest& request);

/// Launches the stage once on any device, with the inputs that traceStage() gives its own, and waits for its
/// end: a profiler that counts on a card then counts the same work. What the stage writes is thrown away;
/// schedule, record, owners and cancel mean nothing here. Throws RequestError, DeviceError and Cancelled.
void launchStage(Device& device, const TraceRequest& request);

} // namespace lloyd::simt
