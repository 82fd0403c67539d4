// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <span>
#include <string>

namespace lloyd {

/// A name that no column has yet: the one that is wanted, or the first with a number behind it.
[[nodiscard]] inline std::string freeName(std::string name, std::span<const std::string> taken) {
  const std::string first = name;
  for (int number = 2; std::ranges::find(taken, name) != taken.end(); ++number)
    name = first + '_' + std::to_string(number);
  return name;
}

} // namespace lloyd
