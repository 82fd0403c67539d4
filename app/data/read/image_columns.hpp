// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string_view>

namespace lloyd {

/// What a pixel of an image is as a point.
enum class ImageColumns {
  rgb,  ///< red, green and blue
  xyrgb ///< and before them the place in the image
};

[[nodiscard]] constexpr std::string_view name(ImageColumns columns) {
  return columns == ImageColumns::xyrgb ? "xyrgb" : "rgb";
}

} // namespace lloyd
