// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reasons why a variant cannot take a problem, as sentences for a person. Each names a way out.
#include "gpu/core/contract/device.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace lloyd {

/// variant is compiled for d = 1 ... most, or keeps arrays of at most that many coordinates.
[[nodiscard]] inline std::optional<std::string>
dimensionLimit(std::string_view variant, std::string_view general, const Problem& problem, int most) {
  if (problem.d <= most) return std::nullopt;
  return std::string(variant) + " is compiled for 1 to " + std::to_string(most) +
         " dimensions, the data has " + std::to_string(problem.d) + ": " + std::string(general) +
         " takes any";
}

/// A kernel that keeps items points a thread in registers is compiled for blocks of at most most threads.
[[nodiscard]] inline std::optional<std::string>
registerLimit(std::string_view variant, const Problem& problem, int items, int block, int most) {
  if (block <= most) return std::nullopt;
  return std::string(variant) + " keeps " + std::to_string(items) + " points of " +
         std::to_string(problem.d) + " coordinates a thread in registers, too many for a block of " +
         std::to_string(block) + " threads: a block of " + std::to_string(most) + " can";
}

/// What a few shared words beside the dynamic part take, rounded up to its alignment.
inline constexpr std::size_t staticSharedBytes = 16;

/// what needs bytes of shared memory in every block.
[[nodiscard]] inline std::optional<std::string> sharedLimit(std::string_view variant,
                                                            std::string_view general, std::string_view what,
                                                            std::size_t bytes, const DeviceInfo& device) {
  if (bytes <= device.sharedBytesPerBlock) return std::nullopt;
  return std::string(variant) + " keeps " + std::string(what) + " in shared memory, which needs " +
         std::to_string(bytes) + " bytes a block, and " + device.name + " has " +
         std::to_string(device.sharedBytesPerBlock) + ": " + std::string(general) +
         " takes any number of clusters";
}

/// A kernel that keeps a value of every coordinate of every thread in shared memory needs bytes of it a
/// block.
[[nodiscard]] inline std::optional<std::string> slotLimit(std::string_view variant, std::string_view general,
                                                          const Problem& problem, int block,
                                                          std::size_t bytes, const DeviceInfo& device) {
  if (bytes <= device.sharedBytesPerBlock) return std::nullopt;
  return std::string(variant) + " keeps " + std::to_string(problem.d) + " coordinates of each of " +
         std::to_string(block) + " threads in shared memory, which needs " + std::to_string(bytes) +
         " bytes a block, and " + device.name + " has " + std::to_string(device.sharedBytesPerBlock) +
         ": a smaller block needs less, and " + std::string(general) + " takes any number of dimensions";
}

} // namespace lloyd
