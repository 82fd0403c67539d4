// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace lloyd {

/// Why points could not be had. The message is one clause that says what was found, what was expected and,
/// where that helps, what to do; it carries no file name, because sentence() puts that in front.
struct ReadError {
  std::string file = {};    ///< file name or generator, as it was asked for
  std::uint64_t line = 0;   ///< 1-based; 0 when the error belongs to no line
  std::uint64_t column = 0; ///< 1-based character within the line; 0 when there is none
  std::string message = {};
  bool cancelled = false; ///< the person asked for the end: nothing is wrong with the file

  /// "FILE:LINE:COLUMN: message", without the parts that are not known.
  [[nodiscard]] std::string sentence() const;
};

} // namespace lloyd
