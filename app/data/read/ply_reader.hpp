// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"

#include <string>
#include <vector>

namespace lloyd {

/// Reads the vertices of a PLY file, of text or of bytes in either order: one point each, of x, y and z, or
/// of the properties that are asked for. Colours and other properties are left out until then, which a remark
/// says; faces are passed over. What the header promises is held against the size of the file before anything
/// is allocated. Throws ReadFailure.
[[nodiscard]] PointSet readPly(const InputFile& file, const std::vector<std::string>& columns,
                               const ReadControl& control);

} // namespace lloyd
