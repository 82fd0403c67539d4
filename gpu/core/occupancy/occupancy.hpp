// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/occupancy/card_limits.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// What a launch asks of a multiprocessor.
struct LaunchNeeds {
  int threads = 0;             ///< a block
  int registers = 0;           ///< a thread, as the compiler says
  std::size_t sharedBytes = 0; ///< a block, static and dynamic together
};

/// What may keep further blocks off a multiprocessor.
enum class Resource { threads, blocks, registers, shared };
inline constexpr std::array<Resource, 4> resources{Resource::threads, Resource::blocks, Resource::registers,
                                                   Resource::shared};
/// "threads", "blocks", "registers", "shared memory"
[[nodiscard]] std::string_view name(Resource resource);

/// How many blocks of one kind live on a multiprocessor at the same time, and why no more.
struct Occupancy {
  int blocks = 0;
  int warps = 0;
  double share = 0; ///< of the warps that a multiprocessor may hold, 0 to 1
  /// How many blocks each resource has room for, were it the only one; as many as threads have room for where
  /// it is not used.
  std::array<int, resources.size()> room{};
  /// How much of each is given out to the blocks that live there: 0 to 1.
  std::array<double, resources.size()> used{};

  [[nodiscard]] int roomOf(Resource resource) const { return room[static_cast<std::size_t>(resource)]; }
  [[nodiscard]] double usedOf(Resource resource) const { return used[static_cast<std::size_t>(resource)]; }
  /// Those with the least room.
  [[nodiscard]] std::vector<Resource> binding() const;
};

/// As cudaOccupancyMaxActiveBlocksPerMultiprocessor() has it. threads at least 1.
[[nodiscard]] Occupancy occupancy(const CardLimits& card, const LaunchNeeds& needs);

/// Why such a launch is refused on the card, as a sentence with the limit; nothing where it can run.
[[nodiscard]] std::optional<std::string> whyNoLaunch(const CardLimits& card, const LaunchNeeds& needs);

/// "registers allow 6 blocks of 256 threads; nothing else binds"
[[nodiscard]] std::string bindingText(const CardLimits& card, const LaunchNeeds& needs);

} // namespace lloyd
