// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// The columns of an input that has these names: all of them, or the ones asked for by name or 0-based index,
/// in the order asked for. Throws ReadFailure, which says what there is.
[[nodiscard]] std::vector<std::size_t> chooseColumns(const std::vector<std::string>& asked,
                                                     const std::vector<std::string>& names);

/// What a column without a name is called: its index is what --columns takes.
[[nodiscard]] std::string unnamedColumn(std::size_t index);

/// Cuts a name of many thousand characters, which is shown nowhere and would keep every label busy with
/// laying it out.
void shortenName(std::string& name);

/// What single precision can hold, in words.
inline constexpr std::string_view floatRange = "single precision, which ends at 3.40e38";

/// The last step of every reader. values hold all input rows. A value that is missing or not finite is NaN
/// there, and an infinity stands for a number beyond single precision; afterwards only whole rows are left,
/// the others are listed in dropped and counted in a remark, as are columns that single precision keeps few
/// digits of. Rows that are ragged, ascending, are left out, too, and
/// were told of already. Also fills in inputRows, and scales
/// where there are none yet. Throws ReadFailure when no row is left, or when there are more than labels can
/// count.
void keepFiniteRows(PointSet& points, std::span<const std::uint64_t> ragged = {});

} // namespace lloyd
