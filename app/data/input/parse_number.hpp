// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace lloyd {

[[nodiscard]] constexpr bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// The text without the blanks around it.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isBlank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back()))
    text.remove_suffix(1);
  return text;
}

/// What the text of one field turned out to be.
enum class FieldKind : std::uint8_t {
  number,    ///< a finite float32
  notFinite, ///< nan or inf
  tooLarge,  ///< a finite number that float32 cannot hold
  missing,   ///< nothing, or only blanks
  text       ///< anything else
};

struct ParsedField {
  FieldKind kind = FieldKind::missing;
  float value = 0;
  double wide = 0; ///< in double precision, nearest to the text or next to that; rounded it is value
};

/// Reads a decimal number: blanks around it and one sign in front are allowed, hexadecimal and anything left
/// over are not. The mark between whole and fraction is decimalMark, '.' or ','. The result does not depend
/// on the locale and is the float32 nearest to the decimal text; what is too small for float32 is 0.
[[nodiscard]] ParsedField parseField(std::string_view text, char decimalMark = '.');

/// How many digits a number has behind its decimal mark when no power of ten is written: 2 of 1.25, 4 of
/// 1.25e-2, 0 of 1.25e3. text must be a number.
[[nodiscard]] int decimalsOf(std::string_view text, char decimalMark = '.');

/// A count as people write it: 65536, 1e6, 2.5e5, 2^20. Nothing when it is anything else, not whole, or above
/// 2^63.
[[nodiscard]] std::optional<std::uint64_t> parseCount(std::string_view text);

/// A finite decimal number and nothing else, in double precision.
[[nodiscard]] std::optional<double> parseReal(std::string_view text);

} // namespace lloyd
