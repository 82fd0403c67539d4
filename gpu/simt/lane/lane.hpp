// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/current_lane.hpp"
#include "gpu/simt/lane/source_location.hpp"

#include <cstdint>
#include <string>

namespace lloyd::simt {

class Fiber;

inline constexpr unsigned warpSize = 32;
inline constexpr int mostThreads = 1024;

/// One CUDA thread of the block that is being run. Between two turns of a lane come those of all others, so
/// it has a line of the processor's cache to itself and no more.
struct alignas(64) Lane {
  enum class State : std::uint8_t { fresh, ready, running, atBarrier, atCollective, finished };

  Fiber* flow = nullptr; ///< what it runs on, once it has begun
  unsigned thread = 0;   ///< in its block
  State state = State::fresh;
  bool predicate = false; ///< atBarrier
  Place place;            ///< where it waits
  Collective asked;       ///< atCollective: what for
  std::uint64_t got = 0;  ///< the collective's result

  [[nodiscard]] unsigned warp() const { return thread / warpSize; }
  [[nodiscard]] unsigned inWarp() const { return thread % warpSize; }
};
static_assert(sizeof(Lane) == 64);

/// "thread 37 (warp 1, lane 5)"
[[nodiscard]] inline std::string describeThread(unsigned thread) {
  return "thread " + std::to_string(thread) + " (warp " + std::to_string(thread / warpSize) + ", lane " +
         std::to_string(thread % warpSize) + ")";
}

/// The collective as the source spells it.
[[nodiscard]] inline const char* nameOf(Collective::Kind kind) {
  constexpr const char* names[] = {"__syncwarp",        "__shfl_sync",       "__shfl_up_sync",
                                   "__shfl_down_sync",  "__shfl_xor_sync",   "a vote",
                                   "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync",
                                   "__reduce_min_sync", "__reduce_max_sync", "__activemask"};
  return names[static_cast<std::size_t>(kind)];
}

} // namespace lloyd::simt
