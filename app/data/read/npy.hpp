// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read/npy_header.hpp"
#include "app/data/read_control.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// The first bytes of a version 1.0 file of this type and shape, C order, padded to a multiple of 64.
[[nodiscard]] std::string npyHeaderBytes(std::string_view type, std::span<const std::uint64_t> shape);

/// Reads a NumPy array of numbers, (n) or (n, d), in either order of bytes and of axes. What the header
/// promises is held against the size of the file before anything is allocated. Values become float32; rows
/// with one that is not finite there are left out. Throws ReadFailure.
[[nodiscard]] PointSet readNpy(const InputFile& file, const std::vector<std::string>& columns,
                               const ReadControl& control);

} // namespace lloyd
