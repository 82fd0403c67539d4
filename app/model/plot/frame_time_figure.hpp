// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/run_history.hpp"
#include "app/plot/figure.hpp"

#include <memory>

namespace lloyd {

/// Where the time of each of the last frames went: stages stacked over frames, in microseconds. Where the
/// worker iterates beside the frames, of each iteration. waiting: with the time that the window waited for
/// the screen.
[[nodiscard]] Figure frameTimes(const std::shared_ptr<const FrameLog>& record, bool simulated, bool waiting);

} // namespace lloyd
