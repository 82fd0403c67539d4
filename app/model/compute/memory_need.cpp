// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/memory_need.hpp"

#include "app/data/input/wording.hpp"
#include "app/data/read/mapped_npy.hpp"
#include "app/data/read_control.hpp"
#include "app/model/compute/load_points.hpp"
#include "gpu/core/data/labels.hpp"

namespace lloyd {

namespace {

constexpr double worthSaying = 1e8; ///< bytes

MemoryNeed needOf(double points, double n, bool drifts) {
  // Points that move are kept at rest, too, and on two sides.
  return {points, points * (drifts ? 3 : 1) + 2 * n * sizeof(Label)};
}

} // namespace

std::optional<MemoryNeed> memoryNeed(const DataRequest& request) {
  if (request.path.empty()) {
    const auto spec = parseGenerator(request.generator, generatorDefaults(request));
    if (!spec) return std::nullopt;
    return needOf(pointBytes(spec->n, spec->d), static_cast<double>(spec->n), driftsByName(request));
  }
  try {
    const double bytes = npyPointBytes(request.path, request.columns);
    return bytes > 0 ? std::optional(needOf(bytes, 0, false)) : std::nullopt;
  } catch (const ReadFailure&) {
    return std::nullopt; // whoever reads it says why
  }
}

std::optional<std::string> whyNoRoom(const std::string& source, const MemoryNeed& need,
                                     const MemoryRoom& room) {
  if (room.onHost && need.points + need.compute > room.host + room.given)
    return source + ": " + byteText(need.points) + " of memory would be needed for the points and " +
           byteText(need.compute) + " more to compute on them, and " + byteText(room.host + room.given) +
           " are free; 'lloydscope run' needs the first alone";
  if (!room.onHost && room.device > 0 && need.compute > room.device)
    return source + ": " + byteText(need.compute) + " of the device's memory would be needed, and " +
           room.name + " has " + byteText(room.device) + "; 'lloydscope run' takes the points in batches";
  return std::nullopt;
}

std::string memoryText(const MemoryNeed& need, const MemoryRoom& room) {
  if (need.points < worthSaying) return {};
  return byteText(need.points) + " of memory, and " + byteText(need.compute) + " more " +
         (room.onHost || room.name.empty() ? std::string("to compute") : "on " + room.name);
}

} // namespace lloyd
