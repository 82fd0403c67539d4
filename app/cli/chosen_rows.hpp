// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/options.hpp"
#include "app/model/compute/load_points.hpp"

namespace lloyd {

/// The points that --where chooses, with a remark of how many; all without it. Throws RequestError where the
/// rule is wrong, no row meets it, or the points stay in their file.
[[nodiscard]] LoadedPoints chosenRows(const Arguments& arguments, LoadedPoints points);

} // namespace lloyd
