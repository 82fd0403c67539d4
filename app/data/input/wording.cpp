// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/wording.hpp"

#include "app/data/read_control.hpp"

#include <QLocale>

#include <array>
#include <charconv>

namespace lloyd {

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result = "\"";
  std::size_t end = text.size();
  if (end > most) {
    end = most;
    // Cut before a UTF-8 character, not within one.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
      --end;
  }
  for (const char c : text.substr(0, end))
    result += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  return result + (end < text.size() ? "…\"" : "\"");
}

std::string listed(std::span<const std::string> words, std::size_t limit) {
  std::string result;
  const std::size_t shown = words.size() > limit ? limit : words.size();
  for (std::size_t i = 0; i < shown; ++i)
    result += (i == 0 ? "" : ", ") + words[i];
  if (shown < words.size()) result += " and " + std::to_string(words.size() - shown) + " more";
  return result;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  static const QLocale grouping(QLocale::English, QLocale::UnitedStates);
  return grouping.toString(qulonglong{count})
      .toStdString()
      .append(" ")
      .append(noun)
      .append(count == 1 ? "" : "s");
}

std::string byteText(double bytes) {
  constexpr std::array units{" bytes", " kB", " MB", " GB", " TB", " PB", " EB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  std::array<char, 32> room{};
  const int digits = bytes < 10 && unit > 0 ? 1 : 0;
  const auto end =
      std::to_chars(room.data(), room.data() + room.size(), bytes, std::chars_format::fixed, digits).ptr;
  return std::string(room.data(), end) + units[unit];
}

void refuseTooLarge(double bytes, double available) {
  if (bytes > available)
    refuse(byteText(bytes) + " of memory would be needed, and " + byteText(available) + " are free");
}

} // namespace lloyd
