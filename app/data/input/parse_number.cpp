// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/parse_number.hpp"

#include <algorithm>
#include <array>
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

ParsedField parsePlain(std::string_view text) {
  const char* const end = text.data() + text.size();
  float value = 0;
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (stop != end || code == std::errc::invalid_argument) return {FieldKind::text};
  if (code == std::errc::result_out_of_range) {
    double wide = 0;
    const bool fits = std::from_chars(text.data(), end, wide).ec == std::errc{};
    if (fits ? std::abs(wide) < 1 : isTiny(text)) return {FieldKind::number, 0.0F};
    return {FieldKind::tooLarge};
  }
  return {std::isfinite(value) ? FieldKind::number : FieldKind::notFinite, value};
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
