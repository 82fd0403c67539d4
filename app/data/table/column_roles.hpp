// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/table/table.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// What roles are guessed from.
struct ColumnFacts {
  std::string name;
  ColumnType type = ColumnType::empty;
  std::uint64_t present = 0;   ///< rows with a value
  std::uint64_t different = 0; ///< texts; of numbers, if all are whole, up to what differentUpTo() asks for
  bool whole = false;          ///< numbers: all are whole
  bool numbersRows = false;    ///< numbers: 0 or 1 in the first row, and one more in each
  double low = 0, high = 0;    ///< of the numbers
};

/// How far the different whole numbers of a column that is called so are to be counted: not at all, unless it
/// is called like an id or a class.
[[nodiscard]] std::uint64_t differentUpTo(const std::string& name);

/// Which column has a role: none, that one, or the one that is guessed.
struct RoleWish {
  bool guessed = true;
  std::optional<std::size_t> column; ///< of the file; none where nobody is to have it
};

struct RoleWishes {
  std::vector<std::size_t> features; ///< in this order; empty: guessed
  RoleWish classes;
  RoleWish name;
};

struct GuessedRoles {
  std::vector<ColumnRole> roles;     ///< of every column
  std::vector<std::size_t> features; ///< in their order
  std::vector<std::string> remarks;  ///< what was guessed, and why
};

/// The role of every column. A feature is a column of numbers that is no id and no class. Where none would be
/// left, no id is guessed.
[[nodiscard]] GuessedRoles guessRoles(const std::vector<ColumnFacts>& columns, const RoleWishes& wishes);

} // namespace lloyd
