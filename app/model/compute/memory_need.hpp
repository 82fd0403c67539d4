// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/settings.hpp"
#include "gpu/core/contract/device.hpp"

#include <optional>
#include <string>

namespace lloyd {

/// What points will take before they are read or made, in bytes.
struct MemoryNeed {
  double points = 0;  ///< in memory, from which they can be had again
  double compute = 0; ///< on the device, besides: positions and labels
};

/// Of a generator or an NPY array, which say how many points there are; nothing of others, and of what cannot
/// be read.
[[nodiscard]] std::optional<MemoryNeed> memoryNeed(const DataRequest& request);

/// What there is for new points.
struct MemoryRoom {
  double host = 0;       ///< bytes that are free
  double given = 0;      ///< bytes of the host that present points give back once the new ones are there
  bool onHost = true;    ///< the device computes in the host's memory
  double device = 0;     ///< bytes of a device that has its own
  std::string name = {}; ///< of that device
};

/// Why the points cannot be computed on, in one sentence with their source; nothing where they can.
[[nodiscard]] std::optional<std::string> whyNoRoom(const std::string& source, const MemoryNeed& need,
                                                   const MemoryRoom& room);

/// "3.3 GB of memory, and 3.3 GB more to compute"; empty for points that need little.
[[nodiscard]] std::string memoryText(const MemoryNeed& need, const MemoryRoom& room);

} // namespace lloyd
