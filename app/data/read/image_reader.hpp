// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read/image_columns.hpp"
#include "app/data/read_control.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// The image format whose signature these first bytes are ("png", "jpeg", "tiff", "webp", "bmp", "ppm"), or
/// nothing.
[[nodiscard]] std::string_view imageFormat(std::string_view head);

/// Reads an image as points: one a pixel, row by row from the top, red, green and blue from 0 to 255, or to
/// 65,535 where the file has 16 bits of each; with xyrgb also where the pixel is, in pixels from the top left
/// one. Transparency is ignored, which a remark says, as are pictures behind the first. A file that ends
/// early is an error, not a half-grey picture. Throws ReadFailure.
[[nodiscard]] PointSet readImage(const InputFile& file, std::string_view format, ImageColumns which,
                                 const std::vector<std::string>& columns, const ReadControl& control);

} // namespace lloyd
