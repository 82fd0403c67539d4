// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/formats.hpp"

#include <array>

namespace lloyd {
namespace {

constexpr std::array known{
    Format{"Delimited text", "csv tsv txt dat",
           "one point a row; comma, semicolon, tab or blanks; header or none; decimal comma after semicolon "
           "or tab",
           "labels and centroids (csv)"},
    Format{"XYZ point cloud", "xyz",
           "one point a row, separated by blanks; lines that begin with # are comments", ""},
    Format{"NumPy array", "npy",
           "float32, float64 and integers, (n) or (n, d), either order of bytes and axes",
           "labels (int32) and centroids (float32)"},
    Format{"Image", "png jpg jpeg bmp ppm pgm pbm", "one point a pixel: red, green and blue from 0 to 255",
           ""},
};

} // namespace

std::span<const Format> formats() { return known; }

} // namespace lloyd
