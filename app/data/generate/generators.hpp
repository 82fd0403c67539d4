// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/generate/generator_spec.hpp"
#include "app/data/input/read_error.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"

#include <tl/expected.hpp>

#include <string>

namespace lloyd {

/// Makes points from "name:key=value,..." (see generators()). The same text gives the same bytes on every
/// machine and with any number of threads, and sorted and shuffled order hold the same points.
[[nodiscard]] tl::expected<PointSet, ReadError> generatePoints(const std::string& text,
                                                               const GeneratorDefaults& defaults = {},
                                                               const ReadControl& control = {});

} // namespace lloyd
