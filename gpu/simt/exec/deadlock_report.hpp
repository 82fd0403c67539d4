// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"

#include <span>
#include <string>

namespace lloyd::simt {

/// Why a block of which no lane can move is stuck: where its lanes wait, grouped by place.
[[nodiscard]] std::string deadlockReport(std::span<const Lane> lanes, unsigned block);

} // namespace lloyd::simt
