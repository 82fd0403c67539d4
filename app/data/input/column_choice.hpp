// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace lloyd {

/// The columns of an input that has these names: all of them, or the ones asked for by name or 0-based index,
/// in the order asked for. Throws ReadFailure, which says what there is.
[[nodiscard]] std::vector<std::size_t> chooseColumns(const std::vector<std::string>& asked,
                                                     const std::vector<std::string>& names);

/// What a column without a name is called: its index is what --columns takes.
[[nodiscard]] std::string unnamedColumn(std::size_t index);

} // namespace lloyd
