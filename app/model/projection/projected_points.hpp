// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/read_control.hpp"
#include "app/model/projection/projection.hpp"

#include <tl/expected.hpp>

#include <memory>
#include <string>

namespace lloyd {

/// Points, which are in memory, as axes show them. components: those of the points where they are known;
/// where an axis needs them they are found, and are there afterwards. Nothing when it was cancelled. The
/// error is a sentence without its full stop.
[[nodiscard]] tl::expected<SharedProjection, std::string>
projectedPoints(const SharedPointSet& points, const Axes& axes,
                std::shared_ptr<const PrincipalComponents>& components, const ReadControl& control);

} // namespace lloyd
