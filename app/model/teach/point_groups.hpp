// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/problem.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QString>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lloyd {

/// What the colour of a point says.
enum class ColourBy { cluster, thread, warp, block, changed };
[[nodiscard]] std::string_view name(ColourBy by); ///< "warp", as the command line writes it

/// How the colours of groups are to be chosen.
enum class GroupColours {
  ramp,     ///< their order matters
  distinct, ///< neighbours must differ
  change    ///< stayed and changed
};

/// One group a point, and what they mean.
struct PointGroups {
  std::shared_ptr<const std::vector<std::int32_t>> groups; ///< [n]; -1: none. Null: why says the reason
  std::size_t count = 0;
  GroupColours colours = GroupColours::distinct;
  QString legend; ///< a sentence: "colour = warp in its block, 0 to 3; 4 warps of 32 threads in a block"
  QString why;
};

/// Of thread, warp and block; threads is a block's size.
[[nodiscard]] PointGroups groupsOf(ColourBy by, std::span<const simt::Owner> owners, int threads);
/// Which points got another label. Without labels before every point counts as changed: it had none.
[[nodiscard]] PointGroups changedGroups(std::span<const Label> before, std::span<const Label> now);

} // namespace lloyd
