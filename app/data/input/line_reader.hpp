// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/read_control.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// The lines of a file, from its beginning, whatever else it holds: of files whose header is text and whose
/// data need not be. Memory is bounded by longestLine. Throws ReadFailure.
class LineReader {
public:
  static constexpr std::size_t longestLine = std::size_t{1} << 20;

  explicit LineReader(const InputFile& file);

  /// Whether there was another line, without its end. The view is valid until the next call.
  [[nodiscard]] bool next(std::string_view& line);

  [[nodiscard]] std::uint64_t line() const { return line_; }     ///< of the last one, 1-based
  [[nodiscard]] std::uint64_t offset() const { return offset_; } ///< byte of the file behind it

  /// Throws ReadFailure at a place within the last line.
  [[noreturn]] void refuseAt(std::string_view line, std::string_view place, std::string message) const;
  /// Throws ReadFailure about the last line.
  [[noreturn]] void refuseLine(std::string message) const;

private:
  const InputFile& file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t line_ = 0;
  bool finished_ = false;
};

/// The words of a line, parted by blanks.
[[nodiscard]] std::vector<std::string_view> wordsOf(std::string_view line);

} // namespace lloyd
