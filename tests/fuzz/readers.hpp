// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string_view>

namespace lloyd::fuzz {

/// A reader of files that come from elsewhere.
struct Reader {
  std::string_view name;
  /// Reads the bytes as a file. Being refused in one sentence and being read are both right; whatever is
  /// neither, a result that contradicts itself included, ends the program.
  void (*feed)(std::span<const char> bytes);
};

[[nodiscard]] std::span<const Reader> readers();

} // namespace lloyd::fuzz
