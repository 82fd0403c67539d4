// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// The image format whose signature these first bytes are ("png", "jpeg", "bmp", "ppm"), or nothing.
[[nodiscard]] std::string_view imageFormat(std::string_view head);

/// Reads an image as points in RGB space: one a pixel, row by row from the top, red, green and blue from 0 to
/// 255. Transparency is ignored, which a remark says. A file that ends early is an error, not a half-grey
/// picture. Throws ReadFailure.
[[nodiscard]] PointSet readImage(const InputFile& file, std::string_view format,
                                 const std::vector<std::string>& columns, const ReadControl& control);

} // namespace lloyd
