// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/table/table.hpp"
#include "app/model/compute/settings.hpp"

#include <span>

namespace lloyd {

/// The request for the same table in which these columns have another role: what was guessed so far is asked
/// for, so that nothing else changes. There is one class and one name; who had that role before has none.
/// Text that is asked to be a feature stays what it is, and so does everything where no feature would be
/// left.
[[nodiscard]] DataRequest withRole(const DataRequest& request, const Table& table,
                                   std::span<const std::size_t> columns, ColumnRole role);

} // namespace lloyd
