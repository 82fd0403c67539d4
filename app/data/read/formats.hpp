// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string_view>

namespace lloyd {

/// One kind of file, as "list formats" and the file dialog show it.
struct Format {
  std::string_view name;
  std::string_view extensions; ///< separated by blanks, without dots
  std::string_view reads;      ///< what is read from it; empty: nothing
  std::string_view writes;     ///< what is written to it; empty: nothing
};

[[nodiscard]] std::span<const Format> formats();

} // namespace lloyd
