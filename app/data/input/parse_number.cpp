// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/parse_number.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>

namespace lloyd {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Whether a decimal text whose magnitude no double can hold is tiny rather than huge: the sign of the power
/// of ten of its first digit that is not 0. std::from_chars reports both cases alike.
bool isTiny(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const long power = static_cast<long>(point) - static_cast<long>(first);
  if (e == std::string_view::npos) return power <= 0;
  std::string_view exponent = text.substr(e + 1);
  if (!exponent.empty() && exponent.front() == '+') exponent.remove_prefix(1);
  long ten = 0;
  const auto result = std::from_chars(exponent.data(), exponent.data() + exponent.size(), ten);
  if (result.ec == std::errc::result_out_of_range) return !exponent.empty() && exponent.front() == '-';
  return ten < -power;
}

/// Rounded twice, to double precision and from there to single, a text that lies next to the middle between
/// two floats may end at the wrong one. Then the double one moves off the middle, to the side of the text.
void unround(std::string_view text, ParsedField& parsed) {
  constexpr std::uint64_t beyond = (std::uint64_t{1} << 29) - 1; // binary digits that only a double has
  if ((std::bit_cast<std::uint64_t>(parsed.wide) & beyond) != (beyond + 1) / 2) return;
  float value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{}) return;
  if (value != parsed.value) parsed.wide = std::nextafter(parsed.wide, static_cast<double>(value));
  parsed.value = value;
}

ParsedField parsePlain(std::string_view text) {
  const char* const end = text.data() + text.size();
  double wide = 0;
  const auto [stop, code] = std::from_chars(text.data(), end, wide);
  if (stop != end || code == std::errc::invalid_argument) return {FieldKind::text};
  if (code == std::errc::result_out_of_range)
    return isTiny(text) ? ParsedField{FieldKind::number} : ParsedField{FieldKind::tooLarge};
  if (!std::isfinite(wide)) return {FieldKind::notFinite};
  ParsedField parsed{.kind = FieldKind::number, .value = static_cast<float>(wide), .wide = wide};
  unround(text, parsed);
  if (!std::isfinite(parsed.value)) return {FieldKind::tooLarge};
  return parsed;
}

/// The same text with its one comma made a point. Long digits are rare, so the copy usually stays on the
/// stack.
ParsedField parseComma(std::string_view text, std::size_t comma) {
  if (text.find('.') != std::string_view::npos || text.find(',', comma + 1) != std::string_view::npos) {
    return {FieldKind::text};
  }
  std::array<char, 64> room{};
  if (text.size() > room.size()) {
    std::string copy(text);
    copy[comma] = '.';
    return parsePlain(copy);
  }
  std::copy(text.begin(), text.end(), room.begin());
  room[comma] = '.';
  return parsePlain({room.data(), text.size()});
}

} // namespace

ParsedField parseField(std::string_view text, char decimalMark) {
  text = trimmed(text);
  if (text.empty()) return {FieldKind::missing};
  if (text.front() == '+') {
    text.remove_prefix(1);
    if (text.empty() || text.front() == '-') return {FieldKind::text};
  }
  if (decimalMark != '.') {
    const std::size_t comma = text.find(decimalMark);
    if (comma != std::string_view::npos) return parseComma(text, comma);
  }
  return parsePlain(text);
}

int decimalsOf(std::string_view text, char decimalMark) {
  text = trimmed(text);
  const std::size_t power = text.find_first_of("eE");
  const std::size_t mark = text.find(decimalMark);
  long decimals = mark == std::string_view::npos
                      ? 0
                      : static_cast<long>(std::min(power, text.size())) - static_cast<long>(mark) - 1;
  if (power != std::string_view::npos) {
    std::string_view exponent = text.substr(power + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    long ten = 0;
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), ten);
    decimals -= std::clamp(ten, -400L, 400L);
  }
  return static_cast<int>(std::clamp(decimals, 0L, 400L));
}

std::optional<double> parseReal(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (text.empty() || stop != end || code != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parseCount(std::string_view text) {
  const auto whole = [](std::string_view part) -> std::optional<std::uint64_t> {
    if (part.empty() || !std::all_of(part.begin(), part.end(), isDigit)) return std::nullopt;
    std::uint64_t value = 0;
    const auto result = std::from_chars(part.data(), part.data() + part.size(), value);
    if (result.ec != std::errc{}) return std::nullopt;
    return value;
  };
  if (const std::size_t power = text.find('^'); power != std::string_view::npos) {
    const auto base = whole(text.substr(0, power));
    const auto exponent = whole(text.substr(power + 1));
    if (!base || !exponent || *base < 2 || *exponent > 63) return std::nullopt;
    std::uint64_t value = 1;
    for (std::uint64_t i = 0; i < *exponent; ++i) {
      if (value > (std::uint64_t{1} << 63) / *base) return std::nullopt;
      value *= *base;
    }
    return value;
  }
  if (const auto exact = whole(text)) return exact;
  if (text.empty() || !isDigit(text.front())) return std::nullopt;
  const auto real = parseReal(text);
  if (!real || *real > 0x1p63 || *real != std::floor(*real)) return std::nullopt;
  return static_cast<std::uint64_t>(*real);
}

} // namespace lloyd
