// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/activity_recorder.hpp"

#include <memory>

namespace lloyd::cuda {

/// By CUPTI, NVIDIA's library of the card's own times, which is looked for when this is first called: a part
/// of the CUDA toolkit that a machine without one lacks. Null without it, when a profiler has the card's
/// times already, and while another recorder lives.
[[nodiscard]] std::unique_ptr<ActivityRecorder> createCuptiRecorder();

} // namespace lloyd::cuda
