// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/registry.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
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
  bool touched = false;                      ///< who touched each element of the points; not with owners
  const std::atomic<bool>* cancel = nullptr;
};

/// An array in the memory of the device on which a stage was traced. Addresses are other ones on every run;
/// bytes behind the first are the same. The first is a multiple of 256, so a sector of 32 bytes by address is
/// one by bytes behind it.
struct TracedArray {
  /// What an element belongs to. rows: coordinate j of i at j * row + i; records: at i * row + j.
  enum class Of { nothing, points, pointRows, pointRecords, clusters, clusterRecords };
  std::string name;        ///< "points"
  std::uint64_t first = 0; ///< its address in this trace
  std::uint64_t bytes = 0;
  unsigned elementBytes = 1;
  Of of = Of::nothing;
  std::size_t row = 1;   ///< elements of a row or a record
  std::size_t count = 0; ///< points or clusters; behind them in a row is padding
};

/// What one launch of a stage did.
struct StageTrace {
  Trace trace;
  /// With steps: the stage's arrays, then other memory that the steps touch, in the order of touching.
  std::vector<TracedArray> arrays;
  /// By element of arrays.front(), the points: who loaded it last, in any block; empty unless asked for.
  std::vector<Owner> touched;
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
