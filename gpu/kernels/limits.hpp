// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reasons why a variant cannot take a problem, as sentences for a person. Each names a way out.
#include "gpu/core/contract/launch_context.hpp"

#include <string>
#include <string_view>

namespace lloyd {

/// variant is compiled for one to three dimensions.
[[nodiscard]] inline Reason dimensionLimit(const Variant& variant, std::string_view general,
                                           const Problem& problem) {
  if (problem.d <= 3) return std::nullopt;
  return variant.id() + " is compiled for 1 to 3 dimensions, the data has " + std::to_string(problem.d) +
         ": " + std::string(general) + " takes any";
}

/// A kernel that keeps tuning.items points a thread in registers is compiled for blocks of at most most
/// threads.
[[nodiscard]] inline Reason registerLimit(const Variant& variant, const Problem& problem,
                                          const Tuning& tuning, unsigned most) {
  if (tuning.block <= static_cast<int>(most)) return std::nullopt;
  return variant.id() + " keeps " + std::to_string(tuning.items) + " points of " + std::to_string(problem.d) +
         " coordinates a thread in registers, too many for a block of " + std::to_string(tuning.block) +
         " threads: a block of " + std::to_string(most) + " can";
}

/// What a few shared words beside the dynamic part take, rounded up to its alignment.
inline constexpr std::size_t staticSharedBytes = 16;

/// what needs bytes of shared memory in every block.
[[nodiscard]] inline Reason sharedLimit(const Variant& variant, std::string_view general,
                                        std::string_view what, std::size_t bytes, const DeviceInfo& device) {
  if (bytes <= device.sharedBytesPerBlock) return std::nullopt;
  return variant.id() + " keeps " + std::string(what) + " in shared memory, which needs " +
         std::to_string(bytes) + " bytes a block, and " + device.name + " has " +
         std::to_string(device.sharedBytesPerBlock) + ": " + std::string(general) +
         " takes any number of clusters";
}

} // namespace lloyd
