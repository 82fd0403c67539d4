// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/interop/shared_points.hpp"

#include <cstdint>
#include <span>

namespace lloyd {

/// What a device needs to move points: where they are at rest, and which component each follows. The points'
/// position is a pure function of the components' shifts, so time can be set, not only advanced.
class Motion {
public:
  /// base: host, [d][n]; component: host, [n]. The device must outlive this.
  Motion(Device& device, std::size_t n, int d, const float* base, std::span<const std::uint8_t> component);
  /// Writes memory.nextPositions = base + shifts of each point's component; shifts: host, [components][d].
  void moveTo(std::span<const float> shifts, const PointMemory& memory);

private:
  Device& device_;
  std::size_t n_;
  int d_;
  std::size_t stride_;
  Buffer<float> base_;
  Buffer<std::uint8_t> component_;
  Buffer<float> shifts_;
};

} // namespace lloyd
