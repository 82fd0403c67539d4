// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// Whether these first bytes are those of a PCD file.
[[nodiscard]] bool isPcd(std::string_view head);

/// Reads a PCD file, of text, of bytes, or of packed bytes: x, y and z of each point, or the fields that are
/// asked for. A field rgb or rgba is three columns: red, green and blue from 0 to 255. Colours and other
/// fields are left out until asked for, which a remark says; a field of several values is several columns,
/// "name 0" and on. What the header promises is held against the size of the file before anything is
/// allocated. Throws ReadFailure.
[[nodiscard]] PointSet readPcd(const InputFile& file, const std::vector<std::string>& columns,
                               const ReadControl& control);

} // namespace lloyd
